export interface Job {
  readonly name: string;
  readonly attempts: number;
}

export class Queue {
  private readonly jobs: Job[] = [];

  push(job: Job): number {
    return this.jobs.push(job);
  }

  next(): Job | undefined {
    return this.jobs.shift();
  }
}
