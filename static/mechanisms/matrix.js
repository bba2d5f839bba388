// Designs that are a matrix: the report is an answer, drawn from the row of the true answer. Warner's spinner, two
// coins, forced response, crosswise, direct encoding and all the others differ only in their numbers.

import { den, logRatio, rows, size, walk, whole } from "./draw.js";

export const matrix = {
  check(spec) {
    den(spec.den);
    rows(spec.rows, size(spec.rows?.length), spec.den);
  },

  // truth: the index of the answer. Returns the index that is reported.
  randomize(spec, truth, nextUint32) {
    const row = spec.rows[whole("truth", truth, 0, spec.rows.length - 1)];
    return walk(row, spec.den, nextUint32);
  },

  // The most that one report can change the odds between two true answers, as a logarithm.
  epsilon(spec) {
    const columns = spec.rows.map((_, report) => spec.rows.map((row) => row[report]));
    return Math.max(...columns.map((column) => logRatio(Math.max(...column), Math.min(...column))));
  },

  // Of two answers each has its own chances, and `first` is the one spoken of; of more, all are treated alike.
  contrast({ rows: [row, ...others], den: all, rows: both }, first) {
    if (others.length > 1) {
      return { shape: "direct", chosen: [row[0], all], other: [row[1], all] };
    }
    return { shape: "pair", chosen: [both[first][first], all], other: [both[1 - first][first], all] };
  },

  // rows[truth][report].
  probabilities(spec) {
    return spec.rows.map((row) => row.map((weight) => weight / spec.den));
  },
};
