// generated, do not edit
export interface Event {
  id: Uint8Array;
  name: number;
  updated: boolean;
  created: boolean;
}
export interface EventList {
  note: string;
  name: Uint8Array;
  updated: Uint8Array;
  active: string;
  total: boolean;
  id: Uint8Array;
}
