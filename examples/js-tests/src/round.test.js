import { expect, it } from "vitest";
import { round } from "./round.js";

it("rounds up from the half", () => {
  expect(round(1.5)).toBe(2);
});
