import type { Line } from "./cart.js";

export function taxOf(line: Line, rate: number): number {
  return Math.round(line.cents * line.count * rate);
}
