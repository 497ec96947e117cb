// generated, do not edit
export interface Season {
  name: number;
  total: number;
  updated: string;
  created: boolean;
  kind: string;
  active: number;
}
export interface SeasonList {
  note: string;
  name: Uint8Array;
  updated: number;
  active: number;
  kind: number;
}
