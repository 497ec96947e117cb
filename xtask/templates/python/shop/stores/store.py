"""A store of anything that has a key."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from shop.base.result import Result, fail, ok


class Kept(Protocol):
    @property
    def key(self) -> str: ...


T = TypeVar("T", bound=Kept)


class Store(Generic[T]):
    def __init__(self) -> None:
        self._items: dict[str, T] = {}

    def put(self, item: T) -> None:
        self._items[item.key] = item

    def get(self, key: str) -> Result[T]:
        found = self._items.get(key)
        return fail("missing", key) if found is None else ok(found)

    def find(self, matches: Callable[[T], bool], limit: int = 100) -> list[T]:
        return [item for item in self._items.values() if matches(item)][:limit]

    def update(self, key: str, change: Callable[[T], T]) -> Result[T]:
        found = self._items.get(key)
        if found is None:
            return fail("missing", key)
        changed = change(found)
        self.put(changed)
        return ok(changed)
