"""Tables of text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Column(Generic[T]):
    title: str
    text: Callable[[T], str]


def table(rows: Iterable[T], columns: list[Column[T]]) -> str:
    head = "\t".join(column.title for column in columns)
    body = ["\t".join(column.text(row) for column in columns) for row in rows]
    return "\n".join([head, *body])
