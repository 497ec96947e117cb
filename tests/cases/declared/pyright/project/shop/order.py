"""Orders."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True)
class Line:
    cents: int
    quantity: str = "1"


@dataclass(frozen=True)
class Order:
    key: str
    created: datetime | None = None
    lines: list[Line] = field(default_factory=list)


class Store:
    def __init__(self) -> None:
        self.orders: dict[str, Order] = {}

    def all(self) -> list[Order]:
        return list(self.orders.values())


class OrderStore(Store):
    pass


def fee(order: Order, share: int, floor: int) -> int:
    return max(len(order.lines) * share, floor)


def display(cents: int) -> str:
    return f"{cents}"
