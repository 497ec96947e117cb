import { plural, titleCase } from "./words";
import { Queue, type Job } from "./queue";

export function describe(job: Job): string {
  return `${titleCase(job.name)}: ${plural(job.attempts, "attempt", "attempts")}`;
}

export function drain(queue: Queue): string[] {
  const lines: string[] = [];
  for (let job = queue.next(); job !== undefined; job = queue.next()) {
    lines.push(describe(job));
  }
  return lines;
}
