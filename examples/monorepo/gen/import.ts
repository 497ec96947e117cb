// generated, do not edit
export interface Import {
  name: string;
  updated: string;
  id: boolean;
  active: number;
  total: boolean;
  created: string;
}
export interface ImportList {
  active: boolean;
  kind: boolean;
  updated: boolean;
}
