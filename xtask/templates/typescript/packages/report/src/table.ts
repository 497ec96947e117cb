export interface Column<T> {
  readonly title: string;
  readonly text: (row: T) => string;
}

export function table<T>(rows: readonly T[], columns: readonly Column<T>[]): string {
  const head = columns.map((column) => column.title).join("\t");
  const body = rows.map((row) => columns.map((column) => column.text(row)).join("\t"));
  return [head, ...body].join("\n");
}
