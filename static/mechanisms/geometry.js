// Geometry, the mechanism of long lists. Answers and reports are the numbers of points in one
// projective space. With probability keep / den the report is one of the points that are
// orthogonal to the point of the true answer, else one of the other points.
//
// A point stands for a vector whose first nonzero coordinate, the lead, is 1, and for the
// multiples of this vector. Points are numbered by their lead, the last coordinate first, then as
// numbers of base `order` with the last coordinate fastest. mechanisms/estimation/projective.py
// numbers them in the same way.

import { checkDen, checkWhole, logRatio, uniform } from "./draw.js";

// mechanisms/designs has the same limits. A report is stored as one unsigned 32-bit integer.
const MAX_ORDER = 199;
const MAX_POINTS = 2 ** 32 - 1;

/**
 * Return how many points a projective space of this dimension has: the sum of order^i for i from 0
 * to dimension - 1. The number is exact, since it is below 2^40 for all allowed spaces.
 */
export function countPoints(order, dimension) {
  // Each step makes order * (1 + order + ...) + 1 of the sum so far, which adds one power more.
  let count = 0;
  for (let coordinate = 0; coordinate < dimension; coordinate += 1) {
    count = count * order + 1;
  }
  return count;
}

/** Return the vector that a point stands for: a list of coordinates, of which the lead is 1. */
function vectorOf(point, order, dimension) {
  // The points with a later lead have the smaller numbers. They form a space of lower dimension.
  let coordinatesAfterLead = 0;
  while (countPoints(order, coordinatesAfterLead + 1) <= point) {
    coordinatesAfterLead += 1;
  }

  const lead = dimension - 1 - coordinatesAfterLead;
  const vector = new Array(dimension).fill(0);
  // The coordinates after the lead are the digits of the rest in base `order`, the last one first.
  let rest = point - countPoints(order, coordinatesAfterLead);
  for (let index = dimension - 1; index > lead; index -= 1) {
    vector[index] = rest % order;
    rest = Math.floor(rest / order);
  }
  vector[lead] = 1;
  return vector;
}

/**
 * Return the number of the point that a vector, or any multiple of it, stands for. The coordinates
 * are from 0 to order - 1, and not all of them are 0.
 */
function pointOf(vector, order) {
  const lead = vector.findIndex((number) => number !== 0);
  // The factor that makes the lead 1. Below a prime order there is exactly one, found by trying.
  let scale = 1;
  while ((scale * vector[lead]) % order !== 1) {
    scale += 1;
  }

  // The coordinates after the lead are digits again, as in vectorOf(). The points with a later lead
  // have the smaller numbers, so all of them come before this one.
  let value = 0;
  for (const number of vector.slice(lead + 1)) {
    value = value * order + ((number * scale) % order);
  }
  return value + countPoints(order, vector.length - 1 - lead);
}

/** Return the inner product of two vectors, which is not reduced modulo the order. */
function innerProduct(vector, other) {
  return vector.reduce((total, number, index) => total + number * other[index], 0);
}

/** Return whether a whole number is prime: only then its remainders can be divided. */
function isPrime(number) {
  // A number that is a product has a factor that is at most its square root.
  for (let divisor = 2; divisor * divisor <= number; divisor += 1) {
    if (number % divisor === 0) {
      return false;
    }
  }
  return number > 1;
}

export const geometry = {
  /** Check a specification. Throws RangeError if it is malformed. */
  check(spec) {
    checkWhole("order", spec.order, 2, MAX_ORDER);
    if (!isPrime(spec.order)) {
      throw new RangeError(`order is ${spec.order}; allowed is a prime number`);
    }
    // In dimension 1 there is one point only. In more than 32 there are more than MAX_POINTS.
    checkWhole("dimension", spec.dimension, 2, 32);
    const count = checkWhole("points", countPoints(spec.order, spec.dimension), 2, MAX_POINTS);
    // Each answer is a point. Points that are left over can still be reported.
    checkWhole("size", spec.size, 2, count);
    checkDen(spec.den);
    checkWhole("keep", spec.keep, 0, spec.den);
  },

  /**
   * Return a random report, the number of a point. `truth` is the index of the true answer.
   *
   * All coordinates except the lead of the truth are random. That one is chosen so that the inner
   * product with the truth is 0 or, if the truth is not kept, a random other number.
   */
  randomize({ size, order, dimension, den, keep }, truth, nextUint32) {
    const point = checkWhole("truth", truth, 0, size - 1);
    const trueVector = vectorOf(point, order, dimension);
    const lead = trueVector.indexOf(1);
    const isKept = uniform(den, nextUint32) < keep;

    // A vector of zeros is no point, so everything except `isKept` is drawn again.
    for (;;) {
      const vector = [];
      for (let index = 0; index < dimension; index += 1) {
        vector.push(index === lead ? 0 : uniform(order, nextUint32));
      }
      let target = 0;
      if (!isKept) {
        // In a space of order 2 there is only one other number, which needs no draw.
        target = order > 2 ? 1 + uniform(order - 1, nextUint32) : 1;
      }
      const product = innerProduct(trueVector, vector);
      // The lead of the truth is 1, so this coordinate makes the product equal to the target. The
      // remainder of a negative number is negative in JavaScript, hence the second remainder.
      vector[lead] = (((target - product) % order) + order) % order;
      if (vector.some((number) => number !== 0)) {
        return pointOf(vector, order);
      }
    }
  },

  /**
   * Return the indexes of the answers that a report supports, in order: those orthogonal to it.
   * They are listed to respondents as what was sent, and are none if the report is orthogonal only
   * to points that are no answers.
   */
  group({ size, order, dimension }, report) {
    const reportedVector = vectorOf(report, order, dimension);
    const answers = [];
    for (let answer = 0; answer < size; answer += 1) {
      const product = innerProduct(vectorOf(answer, order, dimension), reportedVector);
      if (product % order === 0) {
        answers.push(answer);
      }
    }
    return answers;
  },

  /**
   * Return the privacy loss: the logarithm of how much likelier a point is under an answer that
   * it is orthogonal to than under another answer. The orthogonal points share the weight `keep`,
   * the others the rest of `den`.
   */
  epsilon({ order, dimension, den, keep }) {
    const orthogonal = countPoints(order, dimension - 1);
    const others = countPoints(order, dimension) - orthogonal;
    // The loss is the logarithm of (keep / orthogonal) / ((den - keep) / others). It is negative if
    // a report speaks against the answers that it is orthogonal to.
    return Math.abs(logRatio(keep, den - keep) + logRatio(others, orthogonal));
  },

  /**
   * Return { shape, chosen, other }, the probabilities that an explanation states; see `contrast`
   * in index.js. They are those with which an answer is in the group that the report stands for.
   */
  contrast({ order, dimension, den, keep }) {
    // Points that are orthogonal to two different answers at once form a space of dimension - 2.
    // The products below have three factors up to 2^32, and can be too large for a Number to be
    // exact.
    const points = BigInt(countPoints(order, dimension));
    const orthogonalToOne = BigInt(countPoints(order, dimension - 1));
    const orthogonalToTwo = BigInt(countPoints(order, dimension - 2));
    const notOrthogonal = points - orthogonalToOne;
    const dropped = BigInt(den - keep);

    // If the truth is kept, the report is one of the points that are orthogonal to it; some of them
    // are orthogonal to the other answer too. If it is not kept, the report is one of the points
    // that are not; the rest of those that are orthogonal to the other answer are among them.
    // That is keep / den * orthogonalToTwo / orthogonalToOne in the first case, and dropped / den *
    // (orthogonalToOne - orthogonalToTwo) / notOrthogonal in the second, with one denominator.
    const ifKept = BigInt(keep) * orthogonalToTwo * notOrthogonal;
    const ifDropped = dropped * (orthogonalToOne - orthogonalToTwo) * orthogonalToOne;
    const otherDenominator = BigInt(den) * orthogonalToOne * notOrthogonal;
    return { shape: "group", chosen: [keep, den], other: [ifKept + ifDropped, otherDenominator] };
  },

  /**
   * Return rows[bit][reported bit]. A bit of the truth is 1 for the true answer; a reported bit
   * is 1 for an answer in the group that is reported.
   */
  probabilities(spec) {
    const { chosen, other } = geometry.contrast(spec);
    // p is for the true answer, q for another one.
    const p = Number(chosen[0]) / Number(chosen[1]);
    const q = Number(other[0]) / Number(other[1]);
    return [
      [1 - q, q],
      [1 - p, p],
    ];
  },
};
