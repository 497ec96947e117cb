"""Lines of an invoice."""

from __future__ import annotations

import json
from dataclasses import dataclass

from billing.rates import find_rate


@dataclass
class Line:
    text: str
    cents: int


def line(plan: str, months: int) -> Line:
    """One line for some months of a plan."""
    return Line(text=plan, cents=find_rate(plan) * months)


def total(lines: list[Line], extra: list[int] = []) -> int:
    """The sum of all lines in cents."""
    return sum(item.cents for item in lines) + sum(extra)


def heading(number: int) -> str:
    """What stands above an invoice."""
    sign = "🧾"; label: str = number
    unused = len(sign)
    return label
