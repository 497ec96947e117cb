// generated, do not edit
export interface Sample {
  updated: boolean;
  created: number;
  total: number;
  note: string;
  id: number;
}
