// Written answers: a text is hashed to a point of a projective space, and the report is a point drawn as for a long list.
// The hash hides nothing, since anybody can hash a guess; only the noise protects.

import { geometry } from "./geometry.js";
import { hash, written as normal } from "./text.js";

const DOMAIN = "candor-text-1";

// The list of all points of the space: so many answers as there are points.
function list({ order, dimension, den, keep }) {
  let size = 0;
  for (let place = 0; place < dimension; place += 1) {
    size = size * order + 1;
  }
  return { size, order, dimension, den, keep };
}

function point(text, size) {
  const [high, low] = hash(DOMAIN, text);
  return Number(((BigInt(high) << 32n) | BigInt(low)) % BigInt(size));
}

export const written = {
  takesText: true,

  check(spec) {
    geometry.check(list(spec));
  },

  // truth: a text of 1 to 100 characters, as somebody typed it. Returns the number of a point.
  randomize(spec, truth, nextUint32) {
    const points = list(spec);
    return geometry.randomize(points, point(normal(truth), points.size), nextUint32);
  },

  epsilon(spec) {
    return geometry.epsilon(list(spec));
  },

  contrast(spec) {
    return { ...geometry.contrast(list(spec)), shape: "text" };
  },

  // rows[0 or 1: the text is the true one][0 or 1: the report speaks for it].
  probabilities(spec) {
    return geometry.probabilities(list(spec));
  },
};
