// generated, do not edit
export interface Parcel {
  id: number;
  created: string;
  name: number;
  note: number;
  kind: number;
}
