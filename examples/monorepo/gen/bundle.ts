// generated, do not edit
export interface Bundle {
  updated: Uint8Array;
  created: string;
  note: string;
}
export interface BundleList {
  active: string;
  kind: number;
  note: number;
  created: number;
  total: boolean;
}
