export type Result<T, E = Problem> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E };

export interface Problem {
  readonly code: string;
  readonly detail: string;
}

export function ok<T>(value: T): Result<T, never> {
  return { ok: true, value };
}

export function fail(code: string, detail: string): Result<never> {
  return { ok: false, error: { code, detail } };
}

export function map<T, U>(result: Result<T>, change: (value: T) => U): Result<U> {
  return result.ok ? ok(change(result.value)) : result;
}
