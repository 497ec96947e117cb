import { fee, OrderStore, type Order } from "./order";
import { format, hidden, type Line } from "./page";

export function totals(store: OrderStore): number[] {
  return store.all().map((order) => order.total);
}

export function fees(orders: readonly Order[]): number[] {
  return orders.map((order) => fee(order, 2));
}

export function labels(orders: readonly Order[]): string[] {
  const found: string[] = [];
  for (const order of orders) {
    found.push(order.label);
  }
  return found;
}

export function open(store: OrderStore): readonly Order[] {
  return store.open();
}

export function wide(line: Line, order: Order): number {
  const first = order.lines[0];
  return line.size + (first?.size ?? 0);
}

export function own(): number {
  const count: number = "1";
  return format(count) + hidden();
}
