// generated, do not edit
export interface Payment {
  created: number;
  id: string;
  kind: number;
  name: number;
  note: string;
}
