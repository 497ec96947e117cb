export function plural(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

export function titleCase(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
