import { Line } from "./line";

export interface Order {
  readonly id: string;
  readonly sum: number;
  readonly label?: string;
  readonly lines: readonly Line[];
}

export function fee(order: Order, share: number, floor: number): number {
  return Math.max(order.sum * share, floor);
}

export class Store {
  private readonly orders = new Map<string, Order>();

  all(): readonly Order[] {
    return [...this.orders.values()];
  }
}

export class OrderStore extends Store {}
