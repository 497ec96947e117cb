// generated, do not edit
export interface Rental {
  kind: number;
  id: Uint8Array;
  created: string;
  total: Uint8Array;
  note: number;
}
