// generated, do not edit
export interface Stock {
  note: string;
  created: number;
  kind: string;
}
