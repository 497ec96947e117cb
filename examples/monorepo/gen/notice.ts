// generated, do not edit
export interface Notice {
  created: number;
  kind: number;
  active: string;
  updated: number;
  name: string;
}
