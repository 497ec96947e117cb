// generated, do not edit
export interface Setup {
  total: number;
  id: number;
  name: number;
  active: Uint8Array;
  created: number;
  kind: number;
}
