export interface Line {
  readonly width: number;
}

export function show(amount: number): string {
  return amount.toFixed(2);
}

export function display(amount: number): string {
  return show(amount);
}

function hidden(): void {}
hidden();
