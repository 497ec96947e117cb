// generated, do not edit
export interface Batch {
  note: number;
  created: number;
  updated: Uint8Array;
  total: number;
  kind: string;
  name: boolean;
}
