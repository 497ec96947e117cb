// generated, do not edit
export interface Flag {
  kind: number;
  updated: number;
  total: boolean;
  id: string;
}
