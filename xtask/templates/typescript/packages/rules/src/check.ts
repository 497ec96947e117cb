import { fail, ok, type Result } from "@shop/base";

export type Rule<T> = (item: T) => string | null;

export function check<T>(item: T, rules: readonly Rule<T>[]): Result<T> {
  for (const rule of rules) {
    const broken = rule(item);
    if (broken !== null) return fail("rule", broken);
  }
  return ok(item);
}
