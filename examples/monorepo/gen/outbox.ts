// generated, do not edit
export interface Outbox {
  name: boolean;
  note: Uint8Array;
  created: number;
}
