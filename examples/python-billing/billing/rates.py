"""What a plan costs a month."""

from __future__ import annotations

RATES = {"basic": 900, "team": 4900}


def find_rate(plan: str) -> int | None:
    """The monthly price of a plan in cents, or nothing while it is on request."""
    return RATES.get(plan)
