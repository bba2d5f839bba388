// The randomizers. An answer is replaced by a random report here, on the respondent's device, before anything is sent.
//
// A spec is the exact description of a mechanism, as it stands in the published survey. These modules run unchanged in
// browsers and in Node; they load nothing and keep nothing.

import { cryptoUint32 } from "./draw.js";
import * as matrix from "./matrix.js";
import * as subset from "./subset.js";
import * as unary from "./unary.js";

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
