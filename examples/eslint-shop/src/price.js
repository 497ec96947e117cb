const PRICES = new Map([
  ["Käse", 450],
  ["Brot", 320],
]);

/** The price of one article in cents. */
export function priceOf(article) {
  const price = PRICES.get(article);
  if (price === undefined) throw new RangeError(`no price for ${artikel}`);
  return price;
}
