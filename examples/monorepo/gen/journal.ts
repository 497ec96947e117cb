// generated, do not edit
export interface Journal {
  kind: Uint8Array;
  note: number;
  total: number;
}
