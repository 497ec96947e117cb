// generated, do not edit
export interface Locale {
  note: number;
  updated: string;
  total: string;
  kind: number;
  id: number;
  created: string;
}
