// generated, do not edit
export interface Label {
  active: number;
  name: number;
  note: number;
  id: Uint8Array;
}
export interface LabelList {
  kind: number;
  note: number;
  created: number;
  updated: number;
}
