// Geometry: long lists. Answers and reports are points of one projective space, by number. With probability keep / den
// the report is one of the points orthogonal to the true answer's, else one of the others.
//
// A point stands for a vector whose first nonzero coordinate, the lead, is 1, and for its multiples. Points are numbered
// by their lead, the last coordinate first, then as numbers of base `order` with the last coordinate fastest.
// mechanisms/estimation/projective.py numbers them in the same way.

import { den, logRatio, uniform, whole } from "./draw.js";

const MOST_ORDER = 199;
const MOST_POINTS = 2 ** 32 - 1;

// How many points a space of this dimension has; exact, as all spaces allowed are below 2^40.
function points(order, dimension) {
  let all = 0;
  for (let place = 0; place < dimension; place += 1) {
    all = all * order + 1;
  }
  return all;
}

function vectorOf(point, order, dimension) {
  let after = 0;
  while (points(order, after + 1) <= point) {
    after += 1;
  }
  const found = new Array(dimension).fill(0);
  let rest = point - points(order, after);
  for (let place = dimension - 1; place > dimension - 1 - after; place -= 1) {
    found[place] = rest % order;
    rest = Math.floor(rest / order);
  }
  found[dimension - 1 - after] = 1;
  return found;
}

function pointOf(vector, order) {
  const lead = vector.findIndex((number) => number !== 0);
  let scale = 1;
  while ((scale * vector[lead]) % order !== 1) {
    scale += 1;
  }
  const value = vector.slice(lead + 1).reduce((total, number) => total * order + ((number * scale) % order), 0);
  return value + points(order, vector.length - 1 - lead);
}

function isPrime(number) {
  for (let below = 2; below * below <= number; below += 1) {
    if (number % below === 0) {
      return false;
    }
  }
  return number > 1;
}

export const geometry = {

  check(spec) {
    whole("order", spec.order, 2, MOST_ORDER);
    if (!isPrime(spec.order)) {
      throw new RangeError(`order is ${spec.order}; allowed is a prime number`);
    }
    whole("dimension", spec.dimension, 2, 32);
    const all = whole("points", points(spec.order, spec.dimension), 2, MOST_POINTS);
    whole("size", spec.size, 2, all);
    den(spec.den);
    whole("keep", spec.keep, 0, spec.den);
  },

  // truth: the index of the answer. Returns the number of a point: all coordinates but the lead of the truth by chance,
  // and that one so that the product with the truth is 0 or, where the truth is not kept, another number.
  randomize({ size, order, dimension, den: all, keep }, truth, nextUint32) {
    const chosen = vectorOf(whole("truth", truth, 0, size - 1), order, dimension);
    const pivot = chosen.indexOf(1);
    const kept = uniform(all, nextUint32) < keep;
    for (;;) {
      const found = chosen.map((_, place) => (place === pivot ? 0 : uniform(order, nextUint32)));
      let target = 0;
      if (!kept) {
        target = 1 + (order > 2 ? uniform(order - 1, nextUint32) : 0);
      }
      const product = chosen.reduce((total, number, place) => total + number * found[place], 0);
      found[pivot] = (((target - product) % order) + order) % order;
      if (found.some((number) => number !== 0)) {
        return pointOf(found, order);
      }
    }
  },

  // The indices of the answers in the group that a report stands for.
  group({ size, order, dimension }, report) {
    const reported = vectorOf(report, order, dimension);
    const product = (answer) =>
      vectorOf(answer, order, dimension).reduce((total, number, place) => total + number * reported[place], 0);
    return Array.from({ length: size }, (_, answer) => answer).filter((answer) => product(answer) % order === 0);
  },

  // A point is likelier under an answer that it is orthogonal to than under another by this factor.
  epsilon({ order, dimension, den: all, keep }) {
    const own = points(order, dimension - 1);
    return Math.abs(logRatio(keep, all - keep) + logRatio(points(order, dimension) - own, own));
  },

  contrast({ order, dimension, den: all, keep }) {
    const [every, own, both] = [0, 1, 2].map((fewer) => BigInt(points(order, dimension - fewer)));
    const [kept, dropped] = [BigInt(keep), BigInt(all - keep)];
    const other = kept * both * (every - own) + dropped * (own - both) * own;
    return { shape: "group", chosen: [keep, all], other: [other, BigInt(all) * own * (every - own)] };
  },

  // rows[0 or 1: the true answer][0 or 1: in the group that is reported].
  probabilities(spec) {
    const { chosen, other } = geometry.contrast(spec);
    const [p, q] = [chosen, other].map(([part, all]) => Number(part) / Number(all));
    return [
      [1 - q, q],
      [1 - p, p],
    ];
  },
};
