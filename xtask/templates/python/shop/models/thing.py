"""A thing and its lines."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import Enum

from shop.base.money import ZERO, Money
from shop.models.parent import Parent


class ThingState(Enum):
    DRAFT = "draft"
    ACTIVE = "active"
    CLOSED = "closed"


@dataclass(frozen=True)
class ThingLine:
    label: str
    price: Money
    quantity: int = 1


@dataclass(frozen=True)
class Thing:
    key: str
    label: str
    parent: Parent
    created: datetime
    figure: Money = ZERO
    state: ThingState = ThingState.DRAFT
    lines: list[ThingLine] = field(default_factory=list)

    def is_open(self) -> bool:
        return self.state is not ThingState.CLOSED


def figure_of_thing(lines: list[ThingLine]) -> Money:
    total = ZERO
    for line in lines:
        total = total.plus(line.price.times(line.quantity))
    return total


def make_thing(key: str, label: str, parent: Parent, lines: list[ThingLine], created: datetime) -> Thing:
    return Thing(key, label, parent, created, figure_of_thing(lines), ThingState.DRAFT, lines)


def with_thing_state(thing: Thing, state: ThingState) -> Thing:
    return replace(thing, state=state)
