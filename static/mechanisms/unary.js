// Unary encoding: every answer is one bit, and every bit is randomized by itself.

import { den, indexSet, logRatio, rows, size, walk, whole } from "./draw.js";

export const unary = {
  check(spec) {
    size(spec.size);
    den(spec.den);
    rows(spec.rows, 2, spec.den);
    if (spec.select !== "one" && spec.select !== "any") {
      throw new RangeError(`select is ${JSON.stringify(spec.select)}; allowed is "one" or "any"`);
    }
  },

  // truth: the index of the answer, or for select "any" the list of the chosen indices. Returns one character 0 or 1
  // for every answer, chosen or not, so that the length tells nothing.
  randomize(spec, truth, nextUint32) {
    const chosen =
      spec.select === "any"
        ? indexSet("truth", truth, spec.size)
        : new Set([whole("truth", truth, 0, spec.size - 1)]);
    let report = "";
    for (let answer = 0; answer < spec.size; answer += 1) {
      const bit = chosen.has(answer) ? 1 : 0;
      report += walk(spec.rows[bit], spec.den, nextUint32);
    }
    return report;
  },

  // One choice: two true answers differ in two bits, and a report can speak for one and against the other.
  // Any: all bits may differ, each of them as far as one bit can.
  epsilon(spec) {
    const [[stay0, set0], [stay1, set1]] = spec.rows;
    const ifSet = logRatio(set1, set0);
    const ifUnset = logRatio(stay0, stay1);
    if (spec.select === "one") {
      return Math.abs(ifSet + ifUnset);
    }
    return spec.size * Math.max(Math.abs(ifSet), Math.abs(ifUnset));
  },

  contrast({ rows: [[, other], [, chosen]], den: all }) {
    return { shape: "marks", chosen: [chosen, all], other: [other, all] };
  },

  // rows[bit][reported bit].
  probabilities(spec) {
    return spec.rows.map((row) => row.map((weight) => weight / spec.den));
  },
};
