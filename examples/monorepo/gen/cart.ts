// generated, do not edit
export interface Cart {
  active: boolean;
  total: number;
  note: number;
}
