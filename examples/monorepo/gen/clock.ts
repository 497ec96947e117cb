// generated, do not edit
export interface Clock {
  created: number;
  updated: Uint8Array;
  active: number;
}
