export function sum(a?: Money, b?: Money): number {
  return a.cents + b.cents;
}
