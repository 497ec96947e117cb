// generated, do not edit
export interface Money {
  amount: number;
  currency: string;
  valid: unknown;
}
