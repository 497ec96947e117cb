import { add, daysBetween, format, money, type Money, type Timestamp } from "@shop/base";
import type { Thing } from "@shop/model";
import { feeOfThing } from "@shop/rules";
import type { ThingStore } from "@shop/store";
import { post, type Ledger } from "ledger-kit";
import { table, type Column } from "./table";

const columns: readonly Column<Thing>[] = [
  { title: "thing", text: (thing) => thing.label },
  { title: "parent", text: (thing) => thing.parent.id },
  { title: "figure", text: (thing) => format(thing.figure) },
];

export function thingTable(store: ThingStore): string {
  return table(store.open(100), columns);
}

export function thingTotal(things: readonly Thing[]): Money {
  return things.reduce((sum, thing) => add(sum, thing.figure), money(0));
}

export function thingFees(things: readonly Thing[], share: number): Money {
  return things.map((thing) => feeOfThing(thing, share)).reduce(add, money(0));
}

export function staleThings(store: ThingStore, now: Timestamp): readonly Thing[] {
  return store.open(100).filter((thing) => daysBetween(thing.createdAt, now) > 30);
}

export function postThing(ledger: Ledger, thing: Thing): Ledger {
  const posted = post(ledger, { account: thing.label, cents: thing.figure.cents });
  return posted.entries.some((entry) => entry.cents < 0) ? ledger : posted;
}
