import type { Customer } from "../../../gen/customer.js";

/** Customers in the order in which they joined. */
export function byAge(customers: readonly Customer[]): Customer[] {
  return [...customers].sort((a, b) => a.created - b.created);
}
