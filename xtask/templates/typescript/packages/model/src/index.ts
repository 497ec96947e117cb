export * from "./owner";
export * from "./thing"; //*
