// generated, do not edit
export interface Ledger {
  note: boolean;
  id: number;
  kind: number;
}
