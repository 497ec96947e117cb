// generated, do not edit
export interface Refund {
  created: number;
  name: number;
  note: string;
  active: number;
}
