// The randomizers. An answer is replaced by a random report here, on the respondent's device, before anything is sent.
//
// A spec is the exact description of a mechanism, as it stands in the published survey; each kind of them has a module of
// its own beside this one, which `load` brings. They run unchanged in browsers and in Node, and keep nothing.

import { cryptoUint32, sample, uniform } from "./draw.js";

export { cryptoUint32, sample, uniform };

// kind -> its module. Whoever opens a page loads the kinds of its survey, not all that there are.
const MODULES = {
  matrix: () => import("./matrix.js"),
  unary: () => import("./unary.js"),
  subset: () => import("./subset.js"),
  marks: () => import("./marks.js"),
  window: () => import("./window.js"),
  geometry: () => import("./geometry.js"),
  written: () => import("./written.js"),
  rappor: () => import("./rappor.js"),
};
const KINDS = new Map(); // those that are loaded

// Load what the functions below need for these specs, or for all. Without it they refuse them as unknown.
export async function load(specs = Object.keys(MODULES).map((kind) => ({ kind }))) {
  const wanted = new Set(specs.map((spec) => spec?.kind).filter((kind) => Object.hasOwn(MODULES, kind)));
  await Promise.all([...wanted].map(async (kind) => KINDS.set(kind, (await MODULES[kind]())[kind])));
}

function kindOf(spec) {
  const kind = KINDS.get(spec?.kind);
  if (kind === undefined) {
    throw new RangeError(`kind is ${JSON.stringify(spec?.kind)}; loaded is ${[...KINDS.keys()].join(", ") || "none"}`);
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

// Whether a report is a number of its own, and not one of the answers. Of no spec, where nothing is randomized, false.
export function reportsNumbers(spec) {
  return KINDS.get(spec?.kind)?.reportsNumbers ?? false;
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

// Of a kind whose reports can be drawn from an imprint of a truth that is kept: keep, again and isKept. Of others null.
export function imprinting(spec) {
  return KINDS.get(spec?.kind)?.imprinting ?? null;
}
