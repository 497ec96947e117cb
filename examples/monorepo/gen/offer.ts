// generated, do not edit
export interface Offer {
  active: Uint8Array;
  name: Uint8Array;
  created: number;
  id: Uint8Array;
}
export interface OfferList {
  total: number;
  updated: Uint8Array;
  kind: Uint8Array;
  name: Uint8Array;
  active: number;
  created: number;
}
