import type { Problem, Result } from "@shop/base";

export interface Request {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body: unknown;
}

export interface Response {
  readonly status: number;
  readonly body: unknown;
}

export type Handler = (request: Request) => Response;

export function answer<T>(result: Result<T>): Response {
  return result.ok ? { status: 200, body: result.value } : refuse(result.error);
}

function refuse(problem: Problem): Response {
  return { status: problem.code === "missing" ? 404 : 422, body: problem };
}
