// generated, do not edit
export interface Export {
  created: number;
  total: boolean;
  name: number;
  id: boolean;
  kind: number;
  updated: number;
}
