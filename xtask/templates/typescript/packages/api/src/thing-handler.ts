import { id, map, systemClock, type Clock } from "@shop/base";
import { makeThing, type Parent, type ThingDraft, type ThingId } from "@shop/model";
import { checkThing } from "@shop/rules";
import type { ThingStore } from "@shop/store";
import { answer, type Request, type Response } from "./http";
import { thingView } from "./thing-view";

export class ThingHandler {
  constructor(
    private readonly store: ThingStore,
    private readonly parent: Parent,
    private readonly clock: Clock = systemClock,
  ) {}

  show(request: Request): Response {
    const found = this.store.get(request.path as ThingId);
    return answer(map(found, thingView));
  }

  create(name: string, draft: ThingDraft): Response {
    const checked = checkThing(draft);
    if (!checked.ok) return answer(checked);
    const thing = makeThing(id("thing", name), checked.value, this.parent, this.clock.now());
    this.store.put(thing);
    return { status: 201, body: thingView(thing) };
  }

  close(thingId: ThingId): Response {
    return answer(map(this.store.move(thingId, "closed"), thingView));
  }

  list(): Response {
    return { status: 200, body: this.store.open(20).map(thingView) };
  }
}
