export * from "./store";
export * from "./thing-store"; //*
