// ln(numerator / denominator) of two whole numbers, accurate near 1 as well; Infinity when the denominator is 0.
export function logRatio(numerator, denominator) {
  if (numerator < denominator) {
    return -logRatio(denominator, numerator);
  }
  if (denominator === 0) {
    return Infinity;
  }
  return numerator < 2 * denominator
    ? Math.log1p((numerator - denominator) / denominator)
    : Math.log(numerator / denominator);
}
