export interface Line {
  readonly cents: number;
}
