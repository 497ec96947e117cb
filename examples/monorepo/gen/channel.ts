// generated, do not edit
export interface Channel {
  kind: string;
  id: boolean;
  active: number;
  updated: boolean;
  total: string;
  created: number;
}
