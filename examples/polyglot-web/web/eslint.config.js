export default [{ files: ["src/**/*.js"], rules: { eqeqeq: "error" } }];
