// generated, do not edit
export interface Dispute {
  active: number;
  updated: Uint8Array;
  total: number;
  id: Uint8Array;
}
export interface DisputeList {
  name: number;
  created: number;
  note: number;
}
