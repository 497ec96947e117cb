export * from "./table";
export * from "./thing-report"; //*
