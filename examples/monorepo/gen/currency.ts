// generated, do not edit
export interface Currency {
  note: boolean;
  total: boolean;
  name: number;
  updated: Uint8Array;
}
