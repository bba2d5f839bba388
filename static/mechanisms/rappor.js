// RAPPOR: a text sets some bits of a long string of bits (a Bloom filter), and every bit is
// randomized twice. The result of the first step, the permanent bits, could be stored, and further
// reports be drawn from it. Respondents’ pages store nothing of it, since it would link their
// reports.

import { checkDen, checkRows, checkWhole, sampleIndex, uniform } from "./draw.js";
import { hashTexts, normalizeAnswer } from "./text.js";

// Keeps these hashes apart from those that another mechanism makes of the same text.
const DOMAIN = "candor-rappor-1";
// mechanisms/designs has the same limits. A stored report has one byte for the cohort.
const MAX_BITS = 256;
const MAX_COHORTS = 256;
const MAX_HASHES = 4;

export const rappor = {
  takesText: true,

  /** Check a specification. Throws RangeError if it is malformed. */
  check(spec) {
    checkWhole("bits", spec.bits, 2, MAX_BITS);
    // Only a power of 2 divides 2^32, so that a word of the hash sets each bit equally often. It
    // has no binary 1 in common with the number below it: 1000 and 0111.
    const isPowerOfTwo = (spec.bits & (spec.bits - 1)) === 0;
    if (!isPowerOfTwo) {
      throw new RangeError(`bits is ${spec.bits}; allowed is a power of 2 from 2 to ${MAX_BITS}`);
    }
    // `epsilon` is for two texts that differ in 2 * hashes bits, so there must be as many.
    checkWhole("hashes", spec.hashes, 1, Math.min(MAX_HASHES, spec.bits / 2));
    checkWhole("cohorts", spec.cohorts, 1, MAX_COHORTS);
    checkDen(spec.den);

    // The names say what becomes of a bit: zeroAsOne is the weight of a 0 that is turned into a 1.
    const [[zeroAsZero, zeroAsOne], [oneAsZero, oneAsOne]] = checkStep("permanent", spec);
    // 0 and 1 must be kept equally often, and more often than turned. The literature has a
    // probability f, with which a bit is replaced by a random one: it is turned with f / 2, so f is
    // below 1.
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
    // At each bit in which two texts differ, the permanent bit is stayWeight / flipWeight times as
    // likely under one of them as under the other. The row of a 0 is enough, since 1 is treated
    // alike.
    const [[stayWeight, flipWeight]] = spec.permanent;
    return 2 * spec.hashes * logRatioOfBigInts(BigInt(stayWeight), BigInt(flipWeight));
  },

  /**
   * Return { shape, chosen, other }, the probabilities that an explanation states: how often a bit
   * of a report is 1, for a bit that the text sets and for any other bit. See `contrast` in
   * index.js.
   */
  contrast(spec) {
    // `den` is up to 2^32, so its square is too large for a Number to be exact.
    const denominator = BigInt(spec.den) ** 2n;
    const chosen = [weightOfOne(spec, 1), denominator];
    const other = [weightOfOne(spec, 0), denominator];
    return { shape: "bits", chosen, other };
  },

  /**
   * Return rows[bit of the text][reported bit], the probabilities after both steps. A bit of the
   * text is 1 if the text sets it in its cohort.
   */
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
  // Weights out of `denominator` of a 1 in the report, for a bit that the text leaves 0 or sets.
  const q = weightOfOne(spec, 0);
  const p = weightOfOne(spec, 1);
  // Two texts differ at most in `hashes` bits that only the one sets, and in as many that only the
  // other sets. A 1 at a bit of the first text is p / q times as likely under this text, and a 0 at
  // a bit of the other one (1 - q) / (1 - p) times.
  return spec.hashes * logRatioOfBigInts(p * (denominator - q), q * (denominator - p));
}

/** Return the bits that a text sets in a cohort, as a string of 0 and 1. */
export function bloomFilter({ bits, hashes }, text, cohort) {
  // Each cohort hashes differently, so two texts that share bits in one differ in another. Of the
  // eight words of the hash, each one that is needed sets one bit; two may set the same.
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
    // The message calls the permanent bits "kept", and never quotes them.
    throw new RangeError(`kept is not allowed; allowed is ${allowed}`);
  }
  const [cohort, bits] = permanentBits.split(":");
  return `${cohort}:${randomizeBits(bits, spec.instant, spec.den, nextUint32)}`;
}

/** Return whether a text can be the result of the permanent step of this specification. */
export function isPermanentBits({ cohorts, bits }, text) {
  // The cohort is written without leading zeros, so that no number has two forms.
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
  // Each `bit` is the character 0 or 1, which is the index of its row too.
  return Array.from(bits, (bit) => sampleIndex(rows[bit], den, nextUint32)).join("");
}

/**
 * Return how often a bit of the filter becomes a 1 in a report, as a weight (BigInt) out of
 * den * den: by way of a permanent 0 or a permanent 1.
 */
function weightOfOne({ permanent, instant }, filterBit) {
  const [weightOfPermanentZero, weightOfPermanentOne] = permanent[filterBit].map(BigInt);
  // The weights with which the second step makes a 1 of a permanent 0 and of a permanent 1.
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
