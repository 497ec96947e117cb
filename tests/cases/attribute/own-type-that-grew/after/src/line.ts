export interface Line {
  net: number;
  vat: number;
}
