export * from "./money";
export * from "./result";
export * from "./ids";
export * from "./clock";
