"""Where things are kept."""

from __future__ import annotations

from datetime import datetime

from shop.base.result import Result
from shop.models.thing import Thing, ThingState, with_thing_state
from shop.stores.store import Store


class ThingStore(Store[Thing]):
    def open(self, limit: int) -> list[Thing]:
        return self.find(lambda thing: thing.is_open(), limit)

    def of_parent(self, parent_key: str) -> list[Thing]:
        return self.find(lambda thing: thing.parent.key == parent_key)

    def since(self, moment: datetime) -> list[Thing]:
        return self.find(lambda thing: thing.created >= moment)

    def move(self, key: str, state: ThingState) -> Result[Thing]:
        return self.update(key, lambda thing: with_thing_state(thing, state))
