// generated, do not edit
export interface Coupon {
  active: number;
  id: number;
  total: number;
  created: string;
  updated: number;
}
