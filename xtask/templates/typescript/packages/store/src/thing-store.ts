import type { Result, Timestamp } from "@shop/base";
import { isOpenThing, withThingState, type Thing, type ThingId, type ThingState } from "@shop/model";
import { Store } from "./store";

export class ThingStore extends Store<ThingId, Thing> {
  open(limit: number): readonly Thing[] {
    return this.find({ matches: isOpenThing, limit });
  }

  ofParent(parentId: string): readonly Thing[] {
    return this.find({ matches: (thing) => thing.parent.id === parentId });
  }

  move(id: ThingId, state: ThingState): Result<Thing> {
    return this.update(id, (thing) => withThingState(thing, state));
  }

  since(moment: Timestamp): readonly Thing[] {
    return this.find({ matches: (thing) => thing.createdAt >= moment });
  }
}
