import { format } from "@shop/base";
import type { Thing } from "@shop/model";

export interface ThingView {
  readonly id: string;
  readonly title: string;
  readonly figure: string;
  readonly lines: readonly string[];
}

export function thingView(thing: Thing): ThingView {
  const lines = thing.lines.map((line) => `${line.quantity} × ${line.label}: ${format(line.price)}`);
  return { id: thing.id, title: `${thing.label} (${thing.state})`, figure: format(thing.figure), lines };
}
