// generated, do not edit
export interface Order {
  kind: Uint8Array;
  id: Uint8Array;
  total: number;
}
