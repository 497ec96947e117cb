export function sum(a: Money, b?: Money): number {
  return a.cents + Number(b.cents);
}
