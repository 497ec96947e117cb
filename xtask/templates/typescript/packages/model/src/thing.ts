import { money, add, times, type Id, type Money, type Timestamp } from "@shop/base";
import type { Parent } from "./parent";

export type ThingId = Id<"thing">;
export type ThingState = "draft" | "active" | "closed";

export interface ThingLine {
  readonly label: string;
  readonly price: Money;
  readonly quantity: number;
}

export interface Thing {
  readonly id: ThingId;
  readonly label: string;
  readonly state: ThingState;
  readonly parent: Parent;
  readonly figure: Money;
  readonly lines: readonly ThingLine[];
  readonly createdAt: Timestamp;
}

export interface ThingDraft {
  readonly label: string;
  readonly lines: readonly ThingLine[];
}

export function makeThing(id: ThingId, draft: ThingDraft, parent: Parent, createdAt: Timestamp): Thing {
  const figure = thingFigureOf(draft.lines);
  return { id, label: draft.label, state: "draft", parent, figure, lines: draft.lines, createdAt };
}

export function thingFigureOf(lines: readonly ThingLine[]): Money {
  return lines.reduce((sum, line) => add(sum, times(line.price, line.quantity)), money(0));
}

export function withThingState(thing: Thing, state: ThingState): Thing {
  return { ...thing, state };
}

export function isOpenThing(thing: Thing): boolean {
  return thing.state !== "closed";
}
