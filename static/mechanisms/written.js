// The mechanism of written answers: a text is hashed to a point of a projective space, and the
// report is a point that is drawn as for a long list. The hash hides nothing, since anybody can
// hash a guess; only the noise protects.

import { countPoints, geometry } from "./geometry.js";
import { hashTexts, normalizeAnswer } from "./text.js";

// Keeps these hashes apart from those that another mechanism makes of the same text.
const DOMAIN = "candor-text-1";

/** Return the specification of a long list whose answers are all points of the space. */
function listSpec({ order, dimension, den, keep }) {
  return { size: countPoints(order, dimension), order, dimension, den, keep };
}

/** Return the number of the point of a text, from the first 64 bits of its hash. */
function pointOfText(text, size) {
  const [high, low] = hashTexts(DOMAIN, text);
  const bits = (BigInt(high) << 32n) | BigInt(low);
  return Number(bits % BigInt(size));
}

export const written = {
  takesText: true,

  /** Check a specification. Throws RangeError if it is malformed. */
  check(spec) {
    geometry.check(listSpec(spec));
  },

  /**
   * Return a random report, the number of a point. `truth` is a text of 1 to 100 characters, as
   * the respondent typed it.
   */
  randomize(spec, truth, nextUint32) {
    const list = listSpec(spec);
    const point = pointOfText(normalizeAnswer(truth), list.size);
    return geometry.randomize(list, point, nextUint32);
  },

  /** Return the privacy loss, which is that of a long list. */
  epsilon(spec) {
    return geometry.epsilon(listSpec(spec));
  },

  /** Return the probabilities that an explanation states; see `contrast` in index.js. */
  contrast(spec) {
    return { ...geometry.contrast(listSpec(spec)), shape: "text" };
  },

  /**
   * Return rows[bit][reported bit]. A bit of the truth is 1 for the true text; a reported bit is 1
   * for a text that the report supports.
   */
  probabilities(spec) {
    return geometry.probabilities(listSpec(spec));
  },
};
