// generated, do not edit
export interface Catalog {
  active: string;
  note: number;
  created: string;
}
