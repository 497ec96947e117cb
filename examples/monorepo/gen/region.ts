// generated, do not edit
export interface Region {
  id: boolean;
  updated: number;
  note: number;
  name: number;
  active: Uint8Array;
}
