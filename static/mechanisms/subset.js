// Subset selection: the report is a set of `width` answers. The set contains the true answer with
// probability keep / den; the other members are drawn uniformly from the other answers.

import { checkDen, checkSize, checkWhole, logRatio, sample, uniform } from "./draw.js";

export const subset = {
  /** Check a specification. Throws RangeError if it is malformed. */
  check(spec) {
    checkSize(spec.size);
    checkDen(spec.den);
    // A set of no answers, or of all, would be the same for everybody.
    checkWhole("width", spec.width, 1, spec.size - 1);
    checkWhole("keep", spec.keep, 0, spec.den);
  },

  /**
   * Return a random report: one character 0 or 1 for each answer, with `width` ones. `truth` is
   * the index of the true answer.
   *
   * The order of the draws is fixed: first whether the truth is a member, then the other members.
   */
  randomize(spec, truth, nextUint32) {
    checkWhole("truth", truth, 0, spec.size - 1);
    const isKept = uniform(spec.den, nextUint32) < spec.keep;
    const answers = Array.from({ length: spec.size }, (_, answer) => answer);
    const otherAnswers = answers.filter((answer) => answer !== truth);
    const otherCount = isKept ? spec.width - 1 : spec.width;
    const members = new Set(sample(otherAnswers, otherCount, nextUint32));
    if (isKept) {
      members.add(truth);
    }
    return answers.map((answer) => (members.has(answer) ? "1" : "0")).join("");
  },

  /**
   * Return the privacy loss: the logarithm of how much likelier a set is under an answer that is
   * in it than under one that is not. Of all sets, width / size contain an answer.
   */
  epsilon({ size, width, den, keep }) {
    // The loss is the logarithm of (keep / width) / ((den - keep) / (size - width)). It is negative
    // if the sets speak against their members.
    return Math.abs(logRatio(keep, den - keep) + logRatio(size - width, width));
  },

  /**
   * Return { shape, chosen, other }, the probabilities that an explanation states; see `contrast`
   * in index.js. They are those with which an answer is in the set that is reported.
   */
  contrast({ size, width, keep, den }) {
    // Besides the true answer, a set has width - keep / den members on average, out of size - 1
    // other answers. `size` and `den` are up to 2^32, so the products can be too large for a
    // Number to be exact.
    const otherNumerator = BigInt(width) * BigInt(den) - BigInt(keep);
    const otherDenominator = BigInt(size - 1) * BigInt(den);
    return { shape: "marks", chosen: [keep, den], other: [otherNumerator, otherDenominator] };
  },

  /**
   * Return rows[bit][reported bit], the probabilities of one bit of the report. A bit of the truth
   * is 1 for the true answer and 0 for another one; a reported bit is 1 for an answer in the set
   * that is reported.
   */
  probabilities(spec) {
    // p is the probability of a 1 for the true answer, q for another one. A report has exactly
    // `width` ones, so p + (size - 1) * q = width.
    const p = spec.keep / spec.den;
    const q = (spec.width - p) / (spec.size - 1);
    return [
      [1 - q, q],
      [1 - p, p],
    ];
  },
};
