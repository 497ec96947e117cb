"""What must hold of a thing."""

from __future__ import annotations

from shop.base.money import ZERO, Money
from shop.base.result import Result, fail, ok
from shop.models.thing import Thing, ThingLine, figure_of_thing

LONGEST_LABEL = 80


def is_sound(line: ThingLine) -> bool:
    return line.quantity > 0 and line.price.cents >= 0


def check_thing(thing: Thing) -> Result[Thing]:
    if not thing.label:
        return fail("rule", "thing without a label")
    if len(thing.label) > LONGEST_LABEL:
        return fail("rule", "label too long")
    if not all(is_sound(line) for line in thing.lines):
        return fail("rule", "a line is not sound")
    return ok(thing)


def fee_of_thing(thing: Thing, share: int) -> Money:
    return thing.figure.times(share) if thing.is_open() else ZERO


def is_balanced_thing(thing: Thing) -> bool:
    return figure_of_thing(thing.lines).cents == thing.figure.cents
