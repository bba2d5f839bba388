// The mechanism of written answers: a text is hashed to a point of a projective space, and the
// report is a point that is drawn as for a long list. The hash hides nothing, since anybody can
// hash a guess; only the noise protects.

import { countPoints, geometry } from "./geometry.js";
import { hashTexts, normalizeAnswer } from "./text.js";

// Keeps these hashes apart from those that another mechanism makes of the same text.
const DOMAIN = "candor-text-1";

/**
 * Return the specification of a long list whose answers are all points of the space. A text is a
 * point like an answer of such a list, so all functions of geometry.js hold for it.
 */
function listSpec({ order, dimension, den, keep }) {
  return { size: countPoints(order, dimension), order, dimension, den, keep };
}

/** Return the number of the point of a text, from the first 64 bits of its hash. */
function pointOfText(text, size) {
  // 64 bits are too many for a Number, and so many more than a point has that the remainder favours
  // no point noticeably.
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

  /**
   * Return { shape, chosen, other }, the probabilities that an explanation states; see `contrast`
   * in index.js. They are those with which the report supports the text of the respondent, and any
   * other text.
   */
  contrast(spec) {
    return { ...geometry.contrast(listSpec(spec)), shape: "text" };
  },

  /**
   * Return rows[bit][reported bit]. A bit of the truth is 1 for the true text; a reported bit is 1
   * for a text that the report supports.
   */
  probabilities(spec) {
    // A text is a point like an answer in a list, so the same probabilities hold.
    return geometry.probabilities(listSpec(spec));
  },
};
