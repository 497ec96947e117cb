// generated, do not edit
export interface Plan {
  id: boolean;
  kind: number;
  total: Uint8Array;
  name: Uint8Array;
  active: boolean;
  note: number;
}
