// generated, do not edit
export interface Quote {
  name: number;
  note: number;
  total: string;
}
