import { times, type Money, type Result } from "@shop/base";
import { isOpenThing, thingFigureOf, type Thing, type ThingDraft, type ThingLine } from "@shop/model";
import { check, type Rule } from "./check";

const LONGEST_LABEL = 80;

const hasLabel: Rule<ThingDraft> = (draft) => (draft.label.length > 0 ? null : "thing without a label");
const isShort: Rule<ThingDraft> = (draft) => (draft.label.length <= LONGEST_LABEL ? null : "label too long");
const hasLines: Rule<ThingDraft> = (draft) => (draft.lines.every(isSound) ? null : "a line is not sound");

function isSound(line: ThingLine): boolean {
  return line.quantity > 0 && line.price.cents >= 0;
}

export function checkThing(draft: ThingDraft): Result<ThingDraft> {
  return check(draft, [hasLabel, isShort, hasLines]);
}

export function feeOfThing(thing: Thing, share: number): Money {
  return isOpenThing(thing) ? times(thing.figure, share) : times(thing.figure, 0);
}

export function isBalancedThing(thing: Thing): boolean {
  return thingFigureOf(thing.lines).cents === thing.figure.cents;
}
