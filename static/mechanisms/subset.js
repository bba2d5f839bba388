// Subset selection: the report is a set of `width` answers. The true answer is in it with probability keep / den; the
// other members are drawn uniformly from the other answers.

import { den, logRatio, sample, size, uniform, whole } from "./draw.js";

export const subset = {
  check(spec) {
    size(spec.size);
    den(spec.den);
    whole("width", spec.width, 1, spec.size - 1);
    whole("keep", spec.keep, 0, spec.den);
  },

  // truth: the index of the answer. Returns one character 0 or 1 for every answer, with `width` ones. The order of the
  // draws is fixed: first whether the truth stays, then the other members.
  randomize(spec, truth, nextUint32) {
    whole("truth", truth, 0, spec.size - 1);
    const kept = uniform(spec.den, nextUint32) < spec.keep;
    const others = Array.from({ length: spec.size }, (_, answer) => answer).filter((answer) => answer !== truth);
    const members = new Set(sample(others, kept ? spec.width - 1 : spec.width, nextUint32));
    if (kept) {
      members.add(truth);
    }
    let report = "";
    for (let answer = 0; answer < spec.size; answer += 1) {
      report += members.has(answer) ? "1" : "0";
    }
    return report;
  },

  // A set is likelier under an answer it holds than under one it does not hold by this factor.
  epsilon(spec) {
    const { size, width, den, keep } = spec;
    return Math.abs(logRatio(keep, den - keep) + logRatio(size - width, width));
  },

  contrast({ size: all, width, keep, den: parts }) {
    const other = [BigInt(width) * BigInt(parts) - BigInt(keep), BigInt(all - 1) * BigInt(parts)];
    return { shape: "marks", chosen: [keep, parts], other };
  },

  // rows[bit][reported bit]: the chances of one bit of the report.
  probabilities(spec) {
    const p = spec.keep / spec.den;
    const q = (spec.width - p) / (spec.size - 1);
    return [
      [1 - q, q],
      [1 - p, p],
    ];
  },
};
