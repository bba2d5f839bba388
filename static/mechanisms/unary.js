// Unary encoding: every answer is one bit, and every bit is randomized independently.

import {
  checkDen,
  checkIndexes,
  checkRows,
  checkSize,
  checkWhole,
  logRatio,
  sampleIndex,
} from "./draw.js";

export const unary = {
  /**
   * Check a specification. Throws RangeError if it is malformed.
   *
   * Its `rows` are rows[bit][reported bit], where a bit is 1 for a chosen answer, and its `select`
   * says whether one answer is chosen, or any number of them.
   */
  check(spec) {
    checkSize(spec.size);
    checkDen(spec.den);
    checkRows(spec.rows, 2, spec.den);
    if (spec.select !== "one" && spec.select !== "any") {
      const select = JSON.stringify(spec.select);
      throw new RangeError(`select is ${select}; allowed is "one" or "any"`);
    }
  },

  /**
   * Return a random report: one character 0 or 1 for every answer, chosen or not, so that the
   * length says nothing. `truth` is the index of the chosen answer, or, if `select` is "any", the
   * list of the chosen indexes.
   */
  randomize(spec, truth, nextUint32) {
    let chosenAnswers;
    if (spec.select === "any") {
      chosenAnswers = checkIndexes("truth", truth, spec.size);
    } else {
      chosenAnswers = new Set([checkWhole("truth", truth, 0, spec.size - 1)]);
    }

    let report = "";
    for (let answer = 0; answer < spec.size; answer += 1) {
      const bit = chosenAnswers.has(answer) ? 1 : 0;
      // The index is 0 or 1, and is appended as this character.
      report += sampleIndex(spec.rows[bit], spec.den, nextUint32);
    }
    return report;
  },

  /**
   * Return the privacy loss.
   *
   * If one answer is chosen, two truths differ in two bits, and a report can support one truth and
   * contradict the other. If any answers can be chosen, all bits can differ.
   */
  epsilon(spec) {
    // zeroAsOne is the weight of a 0 that is reported as a 1, and so on.
    const [[zeroAsZero, zeroAsOne], [oneAsZero, oneAsOne]] = spec.rows;
    const lossOfOne = logRatio(oneAsOne, zeroAsOne);
    const lossOfZero = logRatio(zeroAsZero, oneAsZero);
    // Both losses are negative if the rows turn a bit more often than they keep it. With one
    // answer chosen the two bits differ in opposite ways, so each loss counts once.
    if (spec.select === "one") {
      return Math.abs(lossOfOne + lossOfZero);
    }
    return spec.size * Math.max(Math.abs(lossOfOne), Math.abs(lossOfZero));
  },

  /**
   * Return { shape, chosen, other }, the probabilities that an explanation states; see `contrast`
   * in index.js. They are those with which the bit of an answer is sent as 1.
   */
  contrast({ rows, den }) {
    return { shape: "marks", chosen: [rows[1][1], den], other: [rows[0][1], den] };
  },

  /**
   * Return rows[bit][reported bit], which is the same for every answer. A bit is 1 for a chosen
   * answer.
   */
  probabilities(spec) {
    return spec.rows.map((row) => row.map((weight) => weight / spec.den));
  },
};
