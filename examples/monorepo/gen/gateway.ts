// generated, do not edit
export interface Gateway {
  kind: Uint8Array;
  name: string;
  created: boolean;
  updated: string;
}
