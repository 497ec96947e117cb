"""Reports."""

from __future__ import annotations

from datetime import datetime

from shop.order import Order, OrderStore, fee, show


def totals(store: OrderStore) -> list[int]:
    return [order.total for order in store.all()]


def fees(orders: list[Order]) -> list[int]:
    return [fee(order, 2) for order in orders]


def worth(order: Order) -> int:
    worth = 0
    for line in order.lines:
        worth += times(line.cents, line.quantity)
    return worth


def times(cents: int, factor: int) -> int:
    return cents * factor


def since(order: Order, moment: datetime) -> bool:
    return order.created >= moment


def open_orders(store: OrderStore) -> list[Order]:
    return store.open()


def own() -> int:
    count: int = "1"
    return len(show(count))
