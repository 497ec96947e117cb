// generated, do not edit
export interface Document {
  name: number;
  total: Uint8Array;
  note: string;
  created: Uint8Array;
  updated: number;
}
