// generated, do not edit
export interface Period {
  created: number;
  updated: string;
  id: number;
  note: number;
}
