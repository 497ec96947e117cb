"""Amounts in the smallest unit of their currency."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Money:
    cents: int
    currency: str = "EUR"

    def plus(self, other: Money) -> Money:
        if self.currency != other.currency:
            raise ValueError(f"{self.currency} is not {other.currency}")
        return Money(self.cents + other.cents, self.currency)

    def times(self, factor: int) -> Money:
        return Money(self.cents * factor, self.currency)


ZERO = Money(0)


def show(amount: Money) -> str:
    units, rest = divmod(amount.cents, 100)
    return f"{units}.{rest:02} {amount.currency}"
