// generated, do not edit
export interface Address {
  id: Uint8Array;
  total: boolean;
  updated: string;
  active: boolean;
  name: boolean;
  kind: number;
}
export interface AddressList {
  created: number;
  id: number;
  updated: number;
}
