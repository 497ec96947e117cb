export interface Line {
  readonly name: string;
  readonly cents: number;
  readonly count: number;
}

export function totalOf(lines: readonly Line[]): number {
  return lines.length;
}
