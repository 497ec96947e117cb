// generated, do not edit
export interface Survey {
  kind: number;
  name: number;
  active: number;
  created: string;
  note: Uint8Array;
}
export interface SurveyList {
  created: boolean;
  note: number;
  id: Uint8Array;
  total: number;
  active: number;
  name: string;
}
