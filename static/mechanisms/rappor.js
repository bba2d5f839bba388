// RAPPOR: a text sets some bits of a long string of bits (a Bloom filter), and every bit is
// randomized twice. The result of the first step, the permanent bits, could be stored, and further
// reports be drawn from it. Respondents’ pages store nothing of it, since it would link their
// reports.

import { checkDen, checkRows, checkWhole, sampleIndex, uniform } from "./draw.js";
import { hashTexts, normalizeAnswer } from "./text.js";

// Keeps these hashes apart from those that another mechanism makes of the same text.
const DOMAIN = "candor-rappor-1";
const MAX_BITS = 256;
const MAX_COHORTS = 256;
const MAX_HASHES = 4;

export const rappor = {
  takesText: true,

  /** Check a specification. Throws RangeError if it is malformed. */
  check(spec) {
    checkWhole("bits", spec.bits, 2, MAX_BITS);
    const isPowerOfTwo = (spec.bits & (spec.bits - 1)) === 0;
    if (!isPowerOfTwo) {
      throw new RangeError(`bits is ${spec.bits}; allowed is a power of 2 from 2 to ${MAX_BITS}`);
    }
    checkWhole("hashes", spec.hashes, 1, Math.min(MAX_HASHES, spec.bits / 2));
    checkWhole("cohorts", spec.cohorts, 1, MAX_COHORTS);
    checkDen(spec.den);

    // The names say what becomes of a bit: zeroAsOne is the weight of a 0 that is turned into a 1.
    const [[zeroAsZero, zeroAsOne], [oneAsZero, oneAsOne]] = checkStep("permanent", spec);
    if (zeroAsZero !== oneAsOne || zeroAsOne !== oneAsZero || zeroAsZero <= zeroAsOne) {
      throw new RangeError(
        "permanent is not allowed; allowed is to turn 0 and 1 alike, f below 1",
      );
    }
    // As in the literature: the weight of a 1 in the report for a permanent 0 (q) and 1 (p).
    const [[, q], [, p]] = checkStep("instant", spec);
    if (p <= q) {
      throw new RangeError(
        "instant is not allowed; allowed is p above q, else nothing can be estimated",
      );
    }
  },

  /** Return a random report, "cohort:bits". `truth` is a text in any of its spellings. */
  randomize(spec, truth, nextUint32) {
    return drawReport(spec, drawPermanentBits(spec, truth, nextUint32), nextUint32);
  },

  /**
   * Return the privacy loss of all reports together that are ever drawn from the permanent bits.
   * Two texts differ in at most twice as many bits as there are hash functions.
   */
  epsilon(spec) {
    const [[stayWeight, flipWeight]] = spec.permanent;
    return 2 * spec.hashes * logRatioOfBigInts(BigInt(stayWeight), BigInt(flipWeight));
  },

  /**
   * Return the probabilities that an explanation states: how often a bit of a report is 1, for a
   * bit that the text sets and for any other bit. See `contrast` in index.js.
   */
  contrast(spec) {
    const denominator = BigInt(spec.den) ** 2n;
    const chosen = [weightOfOne(spec, 1), denominator];
    const other = [weightOfOne(spec, 0), denominator];
    return { shape: "bits", chosen, other };
  },

  /** Return rows[bit of the text][reported bit], the probabilities after both steps. */
  probabilities(spec) {
    return [0, 1].map((bit) => {
      // Each of the two steps has the denominator `den`.
      const probabilityOfOne = Number(weightOfOne(spec, bit)) / spec.den ** 2;
      return [1 - probabilityOfOne, probabilityOfOne];
    });
  },
};

/**
 * Return the privacy loss of one report alone, from which less can be learned than from all reports
 * that are drawn from the same permanent bits.
 */
export function epsilonOfOneReport(spec) {
  const denominator = BigInt(spec.den) ** 2n;
  const q = weightOfOne(spec, 0);
  const p = weightOfOne(spec, 1);
  return spec.hashes * logRatioOfBigInts(p * (denominator - q), q * (denominator - p));
}

/** Return the bits that a text sets in a cohort, as a string of 0 and 1. */
export function bloomFilter({ bits, hashes }, text, cohort) {
  const words = hashTexts(DOMAIN, String(cohort), text).slice(0, hashes);
  const setIndexes = new Set(words.map((word) => word % bits));
  return Array.from({ length: bits }, (_, index) => (setIndexes.has(index) ? "1" : "0")).join("");
}

/**
 * Return the result of the permanent step for a text, "cohort:bits". First the cohort is drawn,
 * then each bit is randomized. Throws RangeError if the text is empty or too long.
 */
export function drawPermanentBits(spec, text, nextUint32) {
  const answer = normalizeAnswer(text);
  const cohort = uniform(spec.cohorts, nextUint32);
  const filter = bloomFilter(spec, answer, cohort);
  return `${cohort}:${randomizeBits(filter, spec.permanent, spec.den, nextUint32)}`;
}

/**
 * Return a random report, "cohort:bits", from the result of the permanent step. Throws RangeError
 * if the permanent bits are malformed.
 */
export function drawReport(spec, permanentBits, nextUint32) {
  if (!isPermanentBits(spec, permanentBits)) {
    const allowed = `a cohort below ${spec.cohorts}, a colon and ${spec.bits} bits`;
    throw new RangeError(`kept is not allowed; allowed is ${allowed}`);
  }
  const [cohort, bits] = permanentBits.split(":");
  return `${cohort}:${randomizeBits(bits, spec.instant, spec.den, nextUint32)}`;
}

/** Return whether a text can be the result of the permanent step of this specification. */
export function isPermanentBits({ cohorts, bits }, text) {
  const match = /^(0|[1-9]\d{0,2}):([01]+)$/.exec(text);
  if (match === null) {
    return false;
  }
  return Number(match[1]) < cohorts && match[2].length === bits;
}

/**
 * Return a string of bits after one step: bit b becomes a 1 with the probability rows[b][1] / den.
 */
function randomizeBits(bits, rows, den, nextUint32) {
  return Array.from(bits, (bit) => sampleIndex(rows[bit], den, nextUint32)).join("");
}

/**
 * Return how often a bit of the filter becomes a 1 in a report, as a weight (BigInt) out of
 * den * den: by way of a permanent 0 or a permanent 1.
 */
function weightOfOne({ permanent, instant }, filterBit) {
  const [weightOfPermanentZero, weightOfPermanentOne] = permanent[filterBit].map(BigInt);
  const [[, oneFromZero], [, oneFromOne]] = instant;
  return weightOfPermanentZero * BigInt(oneFromZero) + weightOfPermanentOne * BigInt(oneFromOne);
}

/**
 * Return the two rows of a step of a specification. Throws RangeError if they are malformed.
 *
 * name: "permanent" or "instant".
 */
function checkStep(name, spec) {
  const rows = spec[name];
  if (!Array.isArray(rows) || rows.length !== 2) {
    throw new RangeError(`${name} is ${JSON.stringify(rows)}; allowed are two rows`);
  }
  return checkRows(rows, 2, spec.den);
}

/**
 * Return ln(numerator / denominator) of whole numbers of any size, the numerator being the larger
 * one; Infinity if the denominator is 0.
 */
function logRatioOfBigInts(numerator, denominator) {
  if (denominator === 0n) {
    return Infinity;
  }
  // The excess of the ratio over 1 is divided as whole numbers, with 64 bits after the point,
  // because a Number is too short for the numerator and the denominator.
  const scale = 2n ** 64n;
  const excess = ((numerator - denominator) * scale) / denominator;
  return Math.log1p(Number(excess) / Number(scale));
}
