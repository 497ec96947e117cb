// generated, do not edit
export interface Price {
  id: Uint8Array;
  total: Uint8Array;
  note: Uint8Array;
  updated: Uint8Array;
}
