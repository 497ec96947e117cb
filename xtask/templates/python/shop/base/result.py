"""What may fail, as a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Problem:
    code: str
    detail: str


@dataclass(frozen=True)
class Result(Generic[T]):
    value: T | None
    problem: Problem | None = None

    @property
    def is_ok(self) -> bool:
        return self.problem is None


def ok(value: T) -> Result[T]:
    return Result(value)


def fail(code: str, detail: str) -> Result[Any]:
    return Result(None, Problem(code, detail))
