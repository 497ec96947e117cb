export interface Line {
  article: string;
  amount?: number;
}

export function count(lines: Line[]): number {
  return lines.reduce((sum, line) => sum + line.amount, 0);
}
