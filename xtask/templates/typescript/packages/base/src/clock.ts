export type Timestamp = number;

export interface Clock {
  now(): Timestamp;
}

export const systemClock: Clock = {
  now: () => Date.now(),
};

export function daysBetween(from: Timestamp, to: Timestamp): number {
  return Math.floor((to - from) / 86_400_000);
}
