import js from "@eslint/js";

export default [
  { ignores: ["dist/"] },
  js.configs.recommended,
  {
    rules: {
      eqeqeq: "error",
      "no-console": "warn",
      "prefer-const": "error",
    },
    languageOptions: { globals: { console: "readonly" } },
  },
];
