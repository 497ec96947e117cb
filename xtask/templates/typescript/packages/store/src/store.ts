import { fail, ok, type Result } from "@shop/base";

/** What a store needs to know of what it keeps. */
export interface Kept<Key> {
  readonly id: Key;
}

export interface Query<T> {
  readonly matches: (item: T) => boolean;
  readonly limit?: number;
}

export class Store<Key extends string, T extends Kept<Key>> {
  private readonly items = new Map<Key, T>();

  put(item: T): void {
    this.items.set(item.id, item);
  }

  get(id: Key): Result<T> {
    const found = this.items.get(id);
    return found === undefined ? fail("missing", id) : ok(found);
  }

  find(query: Query<T>): readonly T[] {
    const found = [...this.items.values()].filter(query.matches);
    return query.limit === undefined ? found : found.slice(0, query.limit);
  }

  update(id: Key, change: (item: T) => T): Result<T> {
    const found = this.get(id);
    if (!found.ok) return found;
    const changed = change(found.value);
    this.put(changed);
    return ok(changed);
  }
}
