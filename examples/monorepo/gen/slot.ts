// generated, do not edit
export interface Slot {
  name: number;
  total: number;
  kind: string;
  id: number;
  note: Uint8Array;
}
export interface SlotList {
  updated: string;
  kind: number;
  total: number;
}
