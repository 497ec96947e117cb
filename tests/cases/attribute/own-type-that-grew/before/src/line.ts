export interface Line {
  net: number;
}
