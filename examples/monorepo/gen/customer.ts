// generated, do not edit
export interface Customer {
  created: number;
  total: boolean;
  active: number;
  name: number;
}
export interface CustomerList {
  id: number;
  total: number;
  kind: number;
}
