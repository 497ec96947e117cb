import { priceOf } from "./price.js";

/** The sum of a cart in cents. */
export function sum(lines) {
  let total = 0;
  for (const line of lines) {
    total += priceOf(line.article) * line.count;
  }
  return total;
}

/** Shows a cart on the console. */
export function show(lines) {
  const sign = "🛒"; let heading = `${sign} ${lines.length}`;
  console.log(heading);
  if (lines.length == 0) return;
  for (const line of lines) {
    const count = line.count;
    console.info(line.article);
  }
}
