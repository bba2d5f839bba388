// RAPPOR: a text sets some bits of a long row, and every bit is scrambled twice. What the permanent step gives could be
// kept, and further reports drawn from it; respondents’ pages keep nothing of it, since it would join their reports.

import { den, rows, uniform, walk, whole } from "./draw.js";
import { hash, written } from "./text.js";

const MOST_BITS = 256;
const MOST_COHORTS = 256;
const MOST_HASHES = 4;

export const rappor = {
  takesText: true,

  check(spec) {
    whole("bits", spec.bits, 2, MOST_BITS);
    if (spec.bits & (spec.bits - 1)) {
      throw new RangeError(`bits is ${spec.bits}; allowed is a power of 2 from 2 to ${MOST_BITS}`);
    }
    whole("hashes", spec.hashes, 1, Math.min(MOST_HASHES, spec.bits / 2));
    whole("cohorts", spec.cohorts, 1, MOST_COHORTS);
    den(spec.den);
    const [[stay, turned], [back, kept]] = step("permanent", spec);
    if (stay !== kept || turned !== back || stay <= turned) {
      throw new RangeError("permanent is not allowed; allowed is to turn 0 and 1 alike, f below 1");
    }
    const [[, q], [, p]] = step("instant", spec);
    if (p <= q) {
      throw new RangeError("instant is not allowed; allowed is p above q, else nothing can be estimated");
    }
  },

  // truth: a text, in any of its spellings. Returns "cohort:bits".
  randomize(spec, truth, nextUint32) {
    return again(spec, keep(spec, truth, nextUint32), nextUint32);
  },

  // Of all reports together that are ever drawn from what is kept: two texts differ in twice as many bits as there are
  // hash functions.
  epsilon(spec) {
    const [[stay, turned]] = spec.permanent;
    return 2 * spec.hashes * ratio(BigInt(stay), BigInt(turned));
  },

  // How often a bit of a report is 1: one that the text sets, and any other.
  contrast(spec) {
    const [chosen, other] = [1, 0].map((bit) => [ones(spec, bit), BigInt(spec.den) ** 2n]);
    return { shape: "bits", chosen, other };
  },

  // rows[bit of the text][reported bit].
  probabilities(spec) {
    return [0, 1].map((bit) => {
      const set = Number(ones(spec, bit)) / spec.den ** 2;
      return [1 - set, set];
    });
  },
};

// Of one report alone.
export function epsilonOnce(spec) {
  const all = BigInt(spec.den) ** 2n;
  const [q, p] = [0, 1].map((bit) => ones(spec, bit));
  return spec.hashes * ratio(p * (all - q), q * (all - p));
}

// The bits that a text sets in a cohort, as characters 0 and 1.
export function filter({ bits, hashes }, text, cohort) {
  const words = hash("candor-rappor-1", String(cohort), text).slice(0, hashes);
  const set = new Set(words.map((word) => word % bits));
  return Array.from({ length: bits }, (_, place) => (set.has(place) ? "1" : "0")).join("");
}

// The permanent step, "cohort:bits": first the cohort is drawn, then what becomes of each bit.
export function keep(spec, text, nextUint32) {
  const own = written(text);
  const cohort = uniform(spec.cohorts, nextUint32);
  return `${cohort}:${scramble(filter(spec, own, cohort), spec.permanent, spec.den, nextUint32)}`;
}

// One more report from what the permanent step gave.
export function again(spec, kept, nextUint32) {
  if (!isKept(spec, kept)) {
    throw new RangeError(`kept is not allowed; allowed is a cohort below ${spec.cohorts}, a colon and ${spec.bits} bits`);
  }
  const [cohort, bits] = kept.split(":");
  return `${cohort}:${scramble(bits, spec.instant, spec.den, nextUint32)}`;
}

// Whether the permanent step of this spec can have given that.
export function isKept({ cohorts, bits }, kept) {
  const [, cohort, row] = /^(0|[1-9]\d{0,2}):([01]+)$/.exec(kept) ?? [];
  return cohort !== undefined && Number(cohort) < cohorts && row.length === bits;
}

const scramble = (bits, rows, all, nextUint32) => Array.from(bits, (bit) => walk(rows[bit], all, nextUint32)).join("");

// Of a bit of the filter the weight, of den * den, of its being 1 in a report.
function ones({ permanent, instant }, bit) {
  return permanent[bit].reduce((sum, weight, kept) => sum + BigInt(weight) * BigInt(instant[kept][1]), 0n);
}

function step(name, spec) {
  const found = spec[name];
  if (!Array.isArray(found) || found.length !== 2) {
    throw new RangeError(`${name} is ${JSON.stringify(found)}; allowed are two rows`);
  }
  return rows(found, 2, spec.den);
}

// ln(numerator / denominator) of whole numbers of any size; Infinity where the denominator is 0.
function ratio(numerator, denominator) {
  if (denominator === 0n) {
    return Infinity;
  }
  const scale = 2n ** 64n;
  return Math.log1p(Number(((numerator - denominator) * scale) / denominator) / Number(scale));
}
