// generated, do not edit
export interface Calendar {
  created: number;
  total: Uint8Array;
  kind: number;
}
export interface CalendarList {
  total: number;
  active: boolean;
  created: number;
  id: number;
  name: number;
  note: boolean;
}
