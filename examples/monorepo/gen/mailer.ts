// generated, do not edit
export interface Mailer {
  updated: Uint8Array;
  total: number;
  name: number;
  created: number;
}
