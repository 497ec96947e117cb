// generated, do not edit
export interface Policy {
  kind: Uint8Array;
  active: boolean;
  note: Uint8Array;
  updated: number;
  name: Uint8Array;
  id: Uint8Array;
}
