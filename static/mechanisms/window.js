// Window, the mechanism of numbers and ordered scales. The report is one whole number. The
// numbers in a window that begins at the truth have the weight `high`, all others `low`.

import { checkDen, checkWhole, logRatio, uniform } from "./draw.js";

// At most so many numbers can be answered, such as the whole numbers from 0 to 1,000.
const MAX_VALUES = 1001;

/**
 * Return how many separate declines a question has: 1 if there is a “Prefer not to say” that is no
 * point of the scale, else 0. The specification has this number as `aside`, or leaves out a 0.
 */
function separateDeclines(spec) {
  return spec.aside ?? 0;
}

/**
 * Return how many different reports there are: the windows of the scale overlap, and the window of
 * a separate decline follows them.
 */
function countReports(spec) {
  // The last window of the scale begins at size - 1 and has `width` reports. That of a separate
  // decline overlaps with none, and so has `width` more.
  return spec.size - 1 + spec.width * (1 + separateDeclines(spec));
}

/**
 * Return the first report in the window of a truth. The window of truth t has the `width` reports
 * from t on, so the windows of neighbours overlap; none goes on at the other end of the scale. The
 * truth `size` is the separate decline, whose window follows all others.
 */
function windowStart(spec, truth) {
  // The windows of the scale have the reports from 0 to size - 1 + width - 1.
  return truth < spec.size ? truth : spec.size - 1 + spec.width;
}

export const window = {
  /**
   * Check a specification. Throws RangeError if it is malformed.
   *
   * Its `high` and `low` are the weights of each report inside the window of the truth and of each
   * report outside. The weights of all reports together are `den`.
   */
  check(spec) {
    checkWhole("size", spec.size, 2, MAX_VALUES);
    // The best width is below `size`. The limit keeps the number of reports below 5 * size.
    checkWhole("width", spec.width, 1, 2 * spec.size);
    // A question has one “Prefer not to say” besides its scale, or none.
    checkWhole("aside", separateDeclines(spec), 0, 1);
    checkDen(spec.den);
    // With the weight 0 outside, a report would rule out all truths whose windows lack it.
    checkWhole("low", spec.low, 1, spec.den);
    checkWhole("high", spec.high, spec.low + 1, spec.den);
    const reportsOutside = countReports(spec) - spec.width;
    const sum = spec.width * spec.high + reportsOutside * spec.low;
    if (sum !== spec.den) {
      throw new RangeError(`den is ${spec.den}; allowed with these weights is ${sum}`);
    }
  },

  /**
   * Return a random report, a whole number, from one uniform draw. `truth` is the index of the
   * value, or `size` for the separate decline.
   *
   * The first width * high numbers of the draw stand for the reports in the window, `high` numbers
   * for each; the others stand for the reports outside, `low` for each.
   */
  randomize(spec, truth, nextUint32) {
    const lastTruth = spec.size - 1 + separateDeclines(spec);
    const start = windowStart(spec, checkWhole("truth", truth, 0, lastTruth));
    const weightInside = spec.width * spec.high;
    const number = uniform(spec.den, nextUint32);
    if (number < weightInside) {
      return start + Math.floor(number / spec.high);
    }
    const reportOutside = Math.floor((number - weightInside) / spec.low);
    // The reports outside are counted without the window, which those behind it must skip.
    return reportOutside < start ? reportOutside : reportOutside + spec.width;
  },

  /**
   * Return the privacy loss. Every report is in the window of some truth and outside the window
   * of another one.
   */
  epsilon(spec) {
    return logRatio(spec.high, spec.low);
  },

  /**
   * Return { shape, chosen, other }, the probabilities that an explanation states; see `contrast`
   * in index.js. Both are the probability that the report lies in the window of the true answer:
   * `chosen` as it is, `other` by chance, as if all reports were equally probable.
   */
  contrast(spec) {
    const { width, high, den } = spec;
    // The product is at most `den`, since all weights sum to it.
    return { shape: "band", chosen: [width * high, den], other: [width, countReports(spec)] };
  },

  /** Return rows[truth][report], with the separate decline, if there is one, as the last truth. */
  probabilities(spec) {
    const rows = [];
    for (let truth = 0; truth < spec.size + separateDeclines(spec); truth += 1) {
      const start = windowStart(spec, truth);
      const row = [];
      for (let report = 0; report < countReports(spec); report += 1) {
        const isInside = report >= start && report < start + spec.width;
        row.push((isInside ? spec.high : spec.low) / spec.den);
      }
      rows.push(row);
    }
    return rows;
  },
};
