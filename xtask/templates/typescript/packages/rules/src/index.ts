export * from "./check";
export * from "./thing-rules"; //*
