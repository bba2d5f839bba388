// The randomizers. An answer is replaced by a random report here, on the respondent's device, before anything is sent.
//
// A spec is the exact description of a mechanism, as it stands in the published survey; each kind of them has a module of
// its own beside this one. They run unchanged in browsers and in Node, and keep nothing.

import { cryptoUint32, sample, uniform } from "./draw.js";
import { geometry } from "./geometry.js";
import { marks } from "./marks.js";
import { matrix } from "./matrix.js";
import { rappor } from "./rappor.js";
import { subset } from "./subset.js";
import { unary } from "./unary.js";
import { window } from "./window.js";
import { written } from "./written.js";

export { cryptoUint32, sample, uniform };

const KINDS = new Map(Object.entries({ matrix, unary, subset, marks, window, geometry, written, rappor }));

function kindOf(spec) {
  const kind = KINDS.get(spec?.kind);
  if (kind === undefined) {
    throw new RangeError(`kind is ${JSON.stringify(spec?.kind)}; known are ${[...KINDS.keys()].join(", ")}`);
  }
  kind.check(spec);
  return kind;
}

// The report for a truth, as it goes on the wire: a whole number, or a string of marks.
// truth: the index of the chosen answer; where any number of answers may be true, the list of their indices.
// nextUint32 gives the next random unsigned 32-bit integer; only tests and teaching replace it.
// Throws RangeError for anything out of range.
export function randomize(spec, truth, nextUint32 = cryptoUint32) {
  return kindOf(spec).randomize(spec, truth, nextUint32);
}

// Whether a truth is a text that somebody wrote, not the index of an answer. Of no spec false.
export function takesText(spec) {
  return KINDS.get(spec?.kind)?.takesText ?? false;
}

// The indices of the answers in the group that a report stands for; null where a report stands for no group.
export function group(spec, report) {
  return KINDS.get(spec?.kind)?.group?.(spec, report) ?? null;
}

// The privacy loss of one report; Infinity where a report can rule out a truth.
export function epsilon(spec) {
  return kindOf(spec).epsilon(spec);
}

// What an explanation speaks of: its shape, and the chances of being recorded for those who choose an answer and for
// those who choose another, each as numerator and denominator. Of a pair, `first` is the answer spoken of.
export function contrast(spec, first = 0) {
  return kindOf(spec).contrast(spec, first);
}

// The chances as numbers: rows[truth][report], or rows[bit][reported bit] where a report is marks.
export function probabilities(spec) {
  return kindOf(spec).probabilities(spec);
}
