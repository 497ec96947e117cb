// generated, do not edit
export interface Account {
  total: boolean;
  note: string;
  id: number;
  active: boolean;
}
export interface AccountList {
  created: number;
  id: number;
  total: string;
}
