// What all randomizers share: drawing from a stream of unsigned 32-bit integers, checking what comes in, and the
// logarithm that a privacy loss is made of.
//
// Chances are whole numbers over a common denominator, so nothing here is rounded: what is drawn has exactly the
// probabilities that the survey states. mechanisms/chance/draw.py does the same line by line, and tests/vectors holds both
// to the same results.

const WORDS = 2 ** 32;

// The browser's cryptographic generator; Math.random is predictable and must never decide a report. It is looked up
// at each call, so that an auditor or a test can watch it.
export function cryptoUint32() {
  return globalThis.crypto.getRandomValues(new Uint32Array(1))[0];
}

// A uniform integer from 0 to den - 1. 2^32 is seldom a multiple of den, so a plain remainder would favour small
// numbers. Words from the incomplete last round are thrown away and drawn again.
export function uniform(den, nextUint32) {
  const limit = WORDS - (WORDS % den);
  let word = nextUint32();
  while (word >= limit) {
    word = nextUint32();
  }
  return word % den;
}

// An index drawn with the chances row[index] / den.
export function walk(row, den, nextUint32) {
  let rest = uniform(den, nextUint32);
  for (let index = 0; index < row.length; index += 1) {
    if (rest < row[index]) {
      return index;
    }
    rest -= row[index];
  }
  throw new RangeError(`row is ${row}; allowed is a row that sums to den = ${den}`);
}

// `count` different members of the pool, uniformly: the first steps of a Fisher-Yates shuffle.
export function sample(pool, count, nextUint32) {
  const members = [...pool];
  for (let index = 0; index < count; index += 1) {
    const other = index + uniform(members.length - index, nextUint32);
    [members[index], members[other]] = [members[other], members[index]];
  }
  return members.slice(0, count);
}

// --- Checks. A wrong number stops the program with an error; it never becomes a report.

const MAX_DEN = 2 ** 32;

export function whole(name, value, low, high) {
  if (!Number.isInteger(value) || value < low || value > high) {
    throw new RangeError(`${name} is ${JSON.stringify(value)}; allowed is a whole number from ${low} to ${high}`);
  }
  return value;
}

export function den(value) {
  return whole("den", value, 2, MAX_DEN);
}

export function size(value) {
  return whole("size", value, 2, MAX_DEN);
}

// `size` rows of `size` whole numbers, each row summing to den.
export function rows(value, length, den) {
  if (!Array.isArray(value) || value.length !== length) {
    throw new RangeError(`rows is ${JSON.stringify(value)}; allowed is a list of ${length} rows`);
  }
  for (const row of value) {
    if (!Array.isArray(row) || row.length !== length) {
      throw new RangeError(`rows holds ${JSON.stringify(row)}; allowed are ${length} whole numbers`);
    }
    const sum = row.reduce((total, weight) => total + whole("rows", weight, 0, den), 0);
    if (sum !== den) {
      throw new RangeError(`rows holds ${JSON.stringify(row)}; allowed is a row that sums to den = ${den}`);
    }
  }
  return value;
}

// Different indices from 0 to size - 1, as a Set.
export function indexSet(name, value, size) {
  if (!Array.isArray(value)) {
    throw new RangeError(`${name} is ${JSON.stringify(value)}; allowed is a list of whole numbers`);
  }
  const chosen = new Set(value.map((index) => whole(name, index, 0, size - 1)));
  if (chosen.size !== value.length) {
    throw new RangeError(`${name} is ${JSON.stringify(value)}; allowed is each number once`);
  }
  return chosen;
}

// --- The measure.

// ln(numerator / denominator) of two whole numbers, accurate near 1 as well; Infinity when the denominator is 0.
export function logRatio(numerator, denominator) {
  if (numerator < denominator) {
    return -logRatio(denominator, numerator);
  }
  if (denominator === 0) {
    return Infinity;
  }
  return numerator < 2 * denominator
    ? Math.log1p((numerator - denominator) / denominator)
    : Math.log(numerator / denominator);
}
