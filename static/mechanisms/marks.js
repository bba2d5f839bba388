// Marks: of several answers that may all be true chance picks a few, and only their marks are scrambled and sent.

import { den, indexSet, logRatio, sample, size, walk, whole } from "./draw.js";

const MOST_PICKED = 12;

export const marks = {
  check(spec) {
    size(spec.size);
    whole("pick", spec.pick, 1, Math.min(spec.size, MOST_PICKED));
    whole("reach", spec.reach, 0, Math.floor((spec.pick - 1) / 2));
    whole("low", spec.low, 1, den(spec.den));
    whole("high", spec.high, spec.low + 1, spec.den);
    const sum = weights(spec).reduce((total, weight) => total + weight, 0);
    if (sum !== spec.den) {
      throw new RangeError(`den is ${spec.den}; allowed is ${sum}, to which these weights sum`);
    }
  },

  // truth: the list of the chosen indices. Returns one character for every answer: 0 or 1 where its mark was picked,
  // else -. The order of the draws is fixed: what is picked, how many of it are turned, and which.
  randomize(spec, truth, nextUint32) {
    const chosen = indexSet("truth", truth, spec.size);
    const picked = sample(upTo(spec.size), spec.pick, nextUint32).sort((one, other) => one - other);
    const number = walk(weights(spec), spec.den, nextUint32);
    const turned = new Set(sample(upTo(spec.pick), number, nextUint32));
    const report = Array(spec.size).fill("-");
    picked.forEach((answer, place) => {
      report[answer] = chosen.has(answer) !== turned.has(place) ? "1" : "0";
    });
    return report.join("");
  },

  // What is picked does not depend on the truth; of the patterns some truths make likelier, by this factor.
  epsilon(spec) {
    return logRatio(spec.high, spec.low);
  },

  contrast(spec) {
    const [turned, all] = turning(spec);
    return { shape: "picked", chosen: [all - turned, all], other: [turned, all] };
  },

  // rows[bit][reported bit] of a mark that was picked.
  probabilities(spec) {
    const [number, all] = turning(spec);
    const turned = number / all;
    return [
      [1 - turned, turned],
      [turned, 1 - turned],
    ];
  },
};

const upTo = (count) => Array.from({ length: count }, (_, index) => index);

// The chance that a picked mark is turned over, as numerator and denominator.
function turning(spec) {
  return [weights(spec).reduce((total, weight, number) => total + number * weight, 0), spec.pick * spec.den];
}

// For each number of turned marks the weight of all patterns with so many.
function weights(spec) {
  const found = [];
  let patterns = 1;
  for (let turned = 0; turned <= spec.pick; turned += 1) {
    found.push(patterns * (turned <= spec.reach ? spec.high : spec.low));
    patterns = (patterns * (spec.pick - turned)) / (turned + 1);
  }
  return found;
}
