// generated, do not edit
export interface Audit {
  updated: number;
  active: string;
  note: boolean;
}
export interface AuditList {
  note: boolean;
  id: string;
  updated: boolean;
  total: number;
}
