"""Jobs and their queue."""

from __future__ import annotations

from dataclasses import dataclass

from shop.tools.words import plural, title_case


@dataclass
class Job:
    name: str
    attempts: int = 0


class Queue:
    def __init__(self) -> None:
        self.jobs: list[Job] = []

    def push(self, job: Job) -> int:
        self.jobs.append(job)
        return len(self.jobs)

    def next(self) -> Job | None:
        return self.jobs.pop(0) if self.jobs else None


def describe(job: Job) -> str:
    return f"{title_case(job.name)}: {plural(job.attempts, 'attempt', 'attempts')}"
