export * from "./http";
export * from "./thing-handler"; //*
