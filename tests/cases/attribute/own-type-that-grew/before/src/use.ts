import { Line } from './line';
export const label: string = { net: 1 } as Line;
