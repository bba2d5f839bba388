// Marks, a mechanism for questions in which several options can be chosen. A few options are
// picked at random, and only for these a randomized bit is sent.

import {
  checkDen,
  checkIndexes,
  checkSize,
  checkWhole,
  logRatio,
  sample,
  sampleIndex,
} from "./draw.js";

// At most so many options are picked for a report. mechanisms/designs has the same limit.
const MAX_PICKED = 12;

export const marks = {
  /** Check a specification. Throws RangeError if it is malformed. */
  check(spec) {
    checkSize(spec.size);
    checkWhole("pick", spec.pick, 1, Math.min(spec.size, MAX_PICKED));
    // Only patterns that flip fewer than half of the bits may have the weight `high`, or reports
    // would not say more for the truth than for its opposite.
    checkWhole("reach", spec.reach, 0, Math.floor((spec.pick - 1) / 2));
    // A pattern with the weight 0 would be impossible under some truths, and so rule them out.
    checkWhole("low", spec.low, 1, checkDen(spec.den));
    checkWhole("high", spec.high, spec.low + 1, spec.den);
    // Every report flips some number of bits, so the weights of all these numbers are the whole.
    const sum = flipCountWeights(spec).reduce((total, weight) => total + weight, 0);
    if (sum !== spec.den) {
      throw new RangeError(`den is ${spec.den}; allowed is ${sum}, to which these weights sum`);
    }
  },

  /**
   * Return a random report: one character for each option, 0 or 1 if the option was picked, else
   * "-". `truth` is the list of the indexes of the chosen options.
   *
   * The order of the draws is fixed: which options are picked, how many of their bits are flipped,
   * and which ones.
   */
  randomize(spec, truth, nextUint32) {
    const chosenOptions = checkIndexes("truth", truth, spec.size);
    const pickedOptions = sample(indexesUpTo(spec.size), spec.pick, nextUint32);
    // mechanisms/designs has them in this order too, so both programs flip the same bits.
    pickedOptions.sort((one, other) => one - other);
    const flipCount = sampleIndex(flipCountWeights(spec), spec.den, nextUint32);
    const flippedIndexes = new Set(sample(indexesUpTo(spec.pick), flipCount, nextUint32));

    const report = Array(spec.size).fill("-");
    pickedOptions.forEach((option, index) => {
      // Chosen and not flipped is a 1, and so is flipped and not chosen.
      const isOne = chosenOptions.has(option) !== flippedIndexes.has(index);
      report[option] = isOne ? "1" : "0";
    });
    return report.join("");
  },

  /**
   * Return the privacy loss. Which options are picked does not depend on the truth; a pattern of
   * their bits can be likelier under one truth than under another by the factor high / low.
   */
  epsilon(spec) {
    return logRatio(spec.high, spec.low);
  },

  /**
   * Return { shape, chosen, other }, the probabilities that an explanation states; see `contrast`
   * in index.js. They are those with which a picked option is sent as 1.
   */
  contrast(spec) {
    // An option that is chosen is sent as 1 unless its bit is flipped; any other one if it is.
    const [flipped, all] = flipFraction(spec);
    return { shape: "picked", chosen: [all - flipped, all], other: [flipped, all] };
  },

  /**
   * Return rows[bit][reported bit] of an option that was picked. A bit is 1 for an option that is
   * chosen, and both bits are flipped equally often.
   */
  probabilities(spec) {
    const [flipped, all] = flipFraction(spec);
    const flipProbability = flipped / all;
    return [
      [1 - flipProbability, flipProbability],
      [flipProbability, 1 - flipProbability],
    ];
  },
};

/** Return the list of the whole numbers from 0 to count - 1. */
function indexesUpTo(count) {
  return Array.from({ length: count }, (_, index) => index);
}

/** Return the probability that a picked bit is flipped, as [numerator, denominator]. */
function flipFraction(spec) {
  let expectedFlips = 0;
  flipCountWeights(spec).forEach((weight, flipCount) => {
    expectedFlips += flipCount * weight;
  });
  // The expected number of flips of `pick` bits, divided by `pick`, is that of one bit.
  return [expectedFlips, spec.pick * spec.den];
}

/**
 * Return weights[count], the weight of all patterns with `count` flipped bits together. A pattern
 * has the weight `high` if it flips at most `reach` bits, else `low`.
 */
function flipCountWeights(spec) {
  const weights = [];
  // How many patterns flip so many bits: a binomial coefficient, made from the one before.
  let patterns = 1;
  for (let flipCount = 0; flipCount <= spec.pick; flipCount += 1) {
    const patternWeight = flipCount <= spec.reach ? spec.high : spec.low;
    weights.push(patterns * patternWeight);
    patterns = (patterns * (spec.pick - flipCount)) / (flipCount + 1);
  }
  return weights;
}
