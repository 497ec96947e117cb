// generated, do not edit
export interface Carrier {
  note: number;
  active: number;
  created: number;
  name: Uint8Array;
  updated: number;
  id: string;
}
export interface CarrierList {
  kind: boolean;
  active: number;
  total: boolean;
  id: boolean;
  name: number;
  created: number;
}
