// The randomizers. An answer is replaced by a random report here, on the respondent's device, before anything is sent.
//
// A spec is the exact description of a mechanism, as it stands in the published survey. These modules run unchanged in
// browsers and in Node; they load nothing and keep nothing.

import { cryptoUint32, den, indexSet, logRatio, rows, sample, size, uniform, walk, whole } from "./draw.js";

export { cryptoUint32, uniform };

// Designs that are a matrix: the report is an answer, drawn from the row of the true answer. Warner's spinner, two
// coins, forced response, crosswise, direct encoding and all the others differ only in their numbers.

const matrix = {
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

  // rows[truth][report].
  probabilities(spec) {
    return spec.rows.map((row) => row.map((weight) => weight / spec.den));
  },
};

// Unary encoding: every answer is one bit, and every bit is randomized by itself.

const unary = {
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

  // rows[bit][reported bit].
  probabilities(spec) {
    return spec.rows.map((row) => row.map((weight) => weight / spec.den));
  },
};

// Subset selection: the report is a set of `width` answers. The true answer is in it with probability keep / den; the
// other members are drawn uniformly from the other answers.

const subset = {
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

const KINDS = new Map([
  ["matrix", matrix],
  ["unary", unary],
  ["subset", subset],
]);

function kindOf(spec) {
  const kind = KINDS.get(spec?.kind);
  if (kind === undefined) {
    throw new RangeError(`kind is ${JSON.stringify(spec?.kind)}; allowed is one of ${[...KINDS.keys()].join(", ")}`);
  }
  kind.check(spec);
  return kind;
}

// The report for a truth, as it goes on the wire: a whole number for "matrix", a string of 0 and 1 for "unary" and
// "subset". truth: the index of the chosen answer; for select "any" the list of the chosen indices.
// nextUint32 gives the next random unsigned 32-bit integer; only tests and teaching replace it.
// Throws RangeError for anything out of range.
export function randomize(spec, truth, nextUint32 = cryptoUint32) {
  return kindOf(spec).randomize(spec, truth, nextUint32);
}

// The privacy loss of one report; Infinity where a report can rule out a truth.
export function epsilon(spec) {
  return kindOf(spec).epsilon(spec);
}

// The chances as numbers: rows[truth][report] for "matrix", rows[bit][reported bit] for "unary" and "subset".
export function probabilities(spec) {
  return kindOf(spec).probabilities(spec);
}
