export function round(value) {
  if (value == "") {
    return 0;
  }
  return Math.floor(value);
}
