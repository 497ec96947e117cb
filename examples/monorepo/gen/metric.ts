// generated, do not edit
export interface Metric {
  name: string;
  kind: number;
  id: boolean;
  created: number;
}
export interface MetricList {
  kind: number;
  id: number;
  updated: string;
  name: number;
  total: number;
}
