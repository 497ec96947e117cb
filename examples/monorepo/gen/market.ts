// generated, do not edit
export interface Market {
  note: string;
  id: number;
  kind: string;
  total: Uint8Array;
  name: string;
  created: number;
}
