// generated, do not edit
export interface Invoice {
  active: Uint8Array;
  updated: boolean;
  total: number;
  created: boolean;
  name: number;
}
export interface InvoiceList {
  kind: string;
  created: Uint8Array;
  id: number;
  total: number;
  updated: string;
  name: number;
}
