// The randomizers. A randomizer replaces an answer by a random report, on the respondent's device,
// before anything is sent.
//
// A specification (spec) is the exact description of a mechanism, as the published survey has it.
// Each kind of mechanism has a module of its own in this folder. The modules run unchanged in
// browsers and in Node, and keep nothing.

import { cryptoUint32, sample, uniform } from "./draw.js";
import { geometry } from "./geometry.js";
import { marks } from "./marks.js";
import { matrix } from "./matrix.js";
import { rappor } from "./rappor.js";
import { subset } from "./subset.js";
import { unary } from "./unary.js";
// This is a mechanism, and hides the global name of the browser's window.
import { window } from "./window.js";
import { written } from "./written.js";

export { cryptoUint32, sample, uniform };

// Names come from the survey, and a Map knows no inherited names such as "toString".
const KINDS = new Map(
  Object.entries({ matrix, unary, subset, marks, window, geometry, written, rappor }),
);

/**
 * Return the randomizer of a specification, an object with the functions check, randomize, epsilon,
 * contrast and probabilities, which are described below, after checking the specification. Throws
 * RangeError if the specification is malformed.
 */
function checkedKind(spec) {
  const kind = KINDS.get(spec?.kind);
  if (kind === undefined) {
    const known = [...KINDS.keys()].join(", ");
    throw new RangeError(`kind is ${JSON.stringify(spec?.kind)}; known are ${known}`);
  }
  kind.check(spec);
  return kind;
}

/**
 * Return a random report for a truth, in the report format: a whole number, or a string of bits.
 *
 * truth: the index of the chosen answer; if several answers can be chosen, the list of their
 * indexes; if the answer is written, its text.
 * nextUint32: returns the next random unsigned 32-bit integer; only tests and teaching replace it.
 *
 * Throws RangeError for anything out of range.
 */
export function randomize(spec, truth, nextUint32 = cryptoUint32) {
  return checkedKind(spec).randomize(spec, truth, nextUint32);
}

/**
 * Return whether a truth is a text that somebody wrote, and not the index of an answer. Without a
 * specification the result is false.
 */
export function takesText(spec) {
  // Only mechanisms of written answers have this property.
  return KINDS.get(spec?.kind)?.takesText ?? false;
}

/**
 * Return the indexes of the answers in the group that a report stands for, or null if reports of
 * this mechanism stand for no group. It is for the words in which the page says what was sent.
 */
export function group(spec, report) {
  // Only mechanisms whose reports stand for groups have this function.
  return KINDS.get(spec?.kind)?.group?.(spec, report) ?? null;
}

/**
 * Return the privacy loss (epsilon) of a report: the logarithm of the most by which it can change
 * the odds between two truths; Infinity if it can rule out a truth.
 */
export function epsilon(spec) {
  return checkedKind(spec).epsilon(spec);
}

/**
 * Return { shape, chosen, other }, the probabilities that an explanation of the mechanism states.
 *
 * shape: the name of the explanation: "pair", "direct", "marks", "picked", "band", "group", "text"
 * or "bits". surveys/definition/odds.py says what each is about.
 * chosen, other: the probability that an answer is recorded for respondents who choose it, and
 * for those who choose another one, each as [numerator, denominator], in Numbers or BigInts.
 * first: the index of the answer that the explanation of a pair of answers is about.
 */
export function contrast(spec, first = 0) {
  // Mechanisms that treat all answers alike ignore `first`.
  return checkedKind(spec).contrast(spec, first);
}

/**
 * Return the probabilities as numbers: rows[truth][report], or rows[bit][reported bit] if a
 * report consists of bits.
 */
export function probabilities(spec) {
  return checkedKind(spec).probabilities(spec);
}

/**
 * Return whether the device scrambles the answers to a question. A background question has no
 * mechanism, and its answer is sent as it is. With a spinner or by hand, the answer was randomized
 * before it was chosen, so it already is the report.
 */
export function isScrambledByDevice({ mechanism, mode = "automatic" }) {
  return Boolean(mechanism) && mode === "automatic";
}
