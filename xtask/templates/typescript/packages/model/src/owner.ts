import type { Id, Timestamp } from "@shop/base";

export type OwnerId = Id<"owner">;

export interface Owner {
  readonly id: OwnerId;
  readonly name: string;
  readonly createdAt: Timestamp;
}
