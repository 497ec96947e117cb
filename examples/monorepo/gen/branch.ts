// generated, do not edit
export interface Branch {
  note: boolean;
  active: number;
  created: number;
  kind: number;
  id: number;
  total: number;
}
export interface BranchList {
  id: Uint8Array;
  note: number;
  active: boolean;
  updated: number;
  kind: boolean;
  name: number;
}
