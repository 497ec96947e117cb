export interface Clock {
  now(): number;
}

export function since(clock: Clock, moment: number): number {
  return clock.now() - "moment";
}
