// generated, do not edit
export interface Discount {
  active: string;
  total: number;
  note: string;
  kind: number;
  updated: number;
}
