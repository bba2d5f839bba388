// Designs that are a matrix: the report is an answer, drawn with the probabilities in the row of
// the true answer. Warner's spinner, two coins, forced response, crosswise, direct encoding and
// other designs differ only in their numbers.

import { checkDen, checkRows, checkSize, checkWhole, logRatio, sampleIndex } from "./draw.js";

export const matrix = {
  /** Check a specification. Throws RangeError if it is malformed. */
  check(spec) {
    checkDen(spec.den);
    checkRows(spec.rows, checkSize(spec.rows?.length), spec.den);
  },

  /** Return the index of the reported answer. `truth` is the index of the true answer. */
  randomize(spec, truth, nextUint32) {
    const row = spec.rows[checkWhole("truth", truth, 0, spec.rows.length - 1)];
    return sampleIndex(row, spec.den, nextUint32);
  },

  /**
   * Return the privacy loss: the logarithm of the most by which one report can change the odds
   * between two true answers. It is Infinity if a report is impossible under one of them.
   */
  epsilon(spec) {
    // A column has the weights of one report under all truths.
    const losses = spec.rows.map((_, report) => {
      const column = spec.rows.map((row) => row[report]);
      return logRatio(Math.max(...column), Math.min(...column));
    });
    return Math.max(...losses);
  },

  /**
   * Return { shape, chosen, other }, the probabilities that an explanation states; see `contrast`
   * in index.js. They are those with which an answer is reported, each as [numerator, denominator].
   *
   * With two answers each has probabilities of its own, and the explanation is about `first`.
   * With more answers all are treated alike.
   */
  contrast({ rows, den }, first) {
    // rows[truth][report] are weights out of `den`.
    if (rows.length > 2) {
      // Each answer has the same probability to stay, and to become any one of the others.
      return { shape: "direct", chosen: [rows[0][0], den], other: [rows[0][1], den] };
    }
    const chosen = [rows[first][first], den];
    const other = [rows[1 - first][first], den];
    return { shape: "pair", chosen, other };
  },

  /** Return rows[truth][report]. */
  probabilities(spec) {
    return spec.rows.map((row) => row.map((weight) => weight / spec.den));
  },
};
