"""Reports about things."""

from __future__ import annotations

from datetime import datetime

from ledger_kit import Ledger, post

from shop.base.clock import days_between
from shop.base.money import ZERO, Money, show
from shop.models.thing import Thing, make_thing
from shop.reports.table import Column, table
from shop.rules.thing_rules import check_thing, fee_of_thing
from shop.stores.thing_store import ThingStore

COLUMNS = [
    Column[Thing]("thing", lambda thing: thing.label),
    Column[Thing]("parent", lambda thing: thing.parent.key),
    Column[Thing]("figure", lambda thing: show(thing.figure)),
]


def thing_table(store: ThingStore) -> str:
    return table(store.open(100), COLUMNS)


def thing_total(things: list[Thing]) -> Money:
    total = ZERO
    for thing in things:
        total = total.plus(thing.figure)
    return total


def thing_fees(things: list[Thing], share: int) -> list[int]:
    return [fee_of_thing(thing, share).cents for thing in things]


def stale_things(store: ThingStore, now: datetime) -> list[Thing]:
    return [thing for thing in store.open(100) if days_between(thing.created, now) > 30]


def copy_of_thing(thing: Thing, now: datetime) -> Thing | None:
    copy = make_thing(thing.key, thing.label, thing.parent, thing.lines, now)
    return copy if check_thing(copy).is_ok else None


def post_thing(ledger: Ledger, thing: Thing) -> int:
    return post(ledger, thing.label, thing.figure.cents)
