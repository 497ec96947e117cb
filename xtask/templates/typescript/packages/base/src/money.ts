/** An amount in the smallest unit of its currency. */
export interface Money {
  readonly cents: number;
  readonly currency: Currency;
}

export type Currency = "EUR" | "USD" | "CHF";

export function money(cents: number, currency: Currency = "EUR"): Money {
  return { cents: Math.round(cents), currency };
}

export function add(left: Money, right: Money): Money {
  if (left.currency !== right.currency) {
    throw new Error(`${left.currency} is not ${right.currency}`);
  }
  return { cents: left.cents + right.cents, currency: left.currency };
}

export function times(amount: Money, factor: number): Money {
  return money(amount.cents * factor, amount.currency);
}

export function format(amount: Money): string {
  const units = Math.trunc(amount.cents / 100);
  const rest = String(Math.abs(amount.cents % 100)).padStart(2, "0");
  return `${units}.${rest} ${amount.currency}`;
}
