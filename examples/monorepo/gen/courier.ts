// generated, do not edit
export interface Courier {
  updated: number;
  created: boolean;
  note: number;
  name: number;
  id: Uint8Array;
}
export interface CourierList {
  updated: Uint8Array;
  note: number;
  id: boolean;
}
