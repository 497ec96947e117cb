export const total: number = "3";
