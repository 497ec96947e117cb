// generated, do not edit
export interface Queue {
  id: number;
  name: string;
  note: number;
}
export interface QueueList {
  id: number;
  note: string;
  active: number;
  updated: string;
  name: Uint8Array;
  created: boolean;
}
