// generated, do not edit
export interface Feed {
  id: Uint8Array;
  note: boolean;
  kind: boolean;
  created: number;
}
