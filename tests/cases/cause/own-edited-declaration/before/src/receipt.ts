import { totalOf, type Line } from "./cart.js";

export function receipt(lines: readonly Line[]): string[] {
  const rows = lines.map((line) => `${line.count} x ${line.name}: ${line.cents}`);
  return [...rows, String(totalOf(lines))];
}
