// What all randomizers share: drawing from a stream of unsigned 32-bit integers, checking the
// numbers that come in, and the logarithm that a privacy loss is made of.
//
// Probabilities are whole numbers over a common denominator, so nothing here is rounded: every
// report has exactly the probability that the survey states. mechanisms/chance/draw.py does the
// same line by line, and tests/vectors holds both programs to the same results.

const NUMBER_OF_WORDS = 2 ** 32;

/**
 * Return a random unsigned 32-bit integer of the browser's cryptographic generator.
 *
 * Math.random is predictable and must never decide a report. The generator is looked up at each
 * call, so that an auditor or a test can watch it.
 */
export function cryptoUint32() {
  return globalThis.crypto.getRandomValues(new Uint32Array(1))[0];
}

/**
 * Return a uniform random integer from 0 to den - 1.
 *
 * nextUint32: returns the next random unsigned 32-bit integer, here and in all functions below.
 *
 * 2^32 is seldom a multiple of den, so a plain remainder would favour small numbers. Words from
 * the incomplete last round are thrown away and drawn again.
 */
export function uniform(den, nextUint32) {
  // The largest multiple of den up to 2^32.
  const limit = NUMBER_OF_WORDS - (NUMBER_OF_WORDS % den);
  let word = nextUint32();
  while (word >= limit) {
    word = nextUint32();
  }
  return word % den;
}

/**
 * Return a random index with the probabilities row[index] / den. Throws RangeError if it sees that
 * the row sums to less than den.
 */
export function sampleIndex(row, den, nextUint32) {
  // The weights are laid end to end, and the random number is a point on them.
  let rest = uniform(den, nextUint32);
  for (let index = 0; index < row.length; index += 1) {
    if (rest < row[index]) {
      return index;
    }
    rest -= row[index];
  }
  throw new RangeError(`row is ${row}; allowed is a row that sums to den = ${den}`);
}

/**
 * Return `count` different members of the pool, each set of them with the same probability.
 *
 * These are the first steps of a Fisher-Yates shuffle.
 */
export function sample(pool, count, nextUint32) {
  const members = [...pool];
  for (let index = 0; index < count; index += 1) {
    // The members before `index` are drawn already. Any of the others comes next.
    const other = index + uniform(members.length - index, nextUint32);
    [members[index], members[other]] = [members[other], members[index]];
  }
  return members.slice(0, count);
}

// --- Checks. A wrong number stops the program with an error; it never becomes a report.

// uniform() draws from one word, which has so many values.
const MAX_DEN = 2 ** 32;

/** Return the error that says which value a name has, and which values are allowed. */
function createRangeError(name, value, allowed) {
  return new RangeError(`${name} is ${JSON.stringify(value)}; allowed is ${allowed}`);
}

/**
 * Return the value. Throws RangeError unless it is a whole number from low to high.
 *
 * name: what the value is called in a specification, for the message.
 */
export function checkWhole(name, value, low, high) {
  if (!Number.isInteger(value) || value < low || value > high) {
    throw createRangeError(name, value, `a whole number from ${low} to ${high}`);
  }
  return value;
}

/**
 * Return the common denominator. Throws RangeError unless it is one from 2 to 2^32. With 1 each
 * report would be certain.
 */
export function checkDen(value) {
  return checkWhole("den", value, 2, MAX_DEN);
}

/**
 * Return the number of answers. Throws RangeError unless it is one from 2 to 2^32. A single answer
 * would be known already, and uniform() draws an index among 2^32 at most.
 */
export function checkSize(value) {
  return checkWhole("size", value, 2, MAX_DEN);
}

/**
 * Return the rows of a matrix. Throws RangeError unless there are `length` rows, each of `length`
 * whole numbers that sum to den.
 */
export function checkRows(value, length, den) {
  // The specification comes from the published survey, so even its types are not sure.
  if (!Array.isArray(value) || value.length !== length) {
    throw createRangeError("rows", value, `a list of ${length} rows`);
  }
  for (const row of value) {
    if (!Array.isArray(row) || row.length !== length) {
      const text = JSON.stringify(row);
      throw new RangeError(`rows holds ${text}; allowed are ${length} whole numbers`);
    }
    const sum = row.reduce((total, weight) => total + checkWhole("rows", weight, 0, den), 0);
    if (sum !== den) {
      const text = JSON.stringify(row);
      throw new RangeError(`rows holds ${text}; allowed is a row that sums to den = ${den}`);
    }
  }
  return value;
}

/**
 * Return a list of indexes as a Set. Throws RangeError unless they are different whole numbers
 * from 0 to size - 1.
 *
 * name: what the list is called in a specification, for the message.
 */
export function checkIndexes(name, value, size) {
  if (!Array.isArray(value)) {
    throw createRangeError(name, value, "a list of whole numbers");
  }
  const indexes = new Set(value.map((index) => checkWhole(name, index, 0, size - 1)));
  if (indexes.size !== value.length) {
    throw createRangeError(name, value, "each number once");
  }
  return indexes;
}

// --- The measure.

/**
 * Return ln(numerator / denominator) of two whole numbers, or Infinity if the denominator is 0 and
 * -Infinity if only the numerator is. The result is accurate near 0 as well.
 */
export function logRatio(numerator, denominator) {
  // The logarithm of the inverse ratio is the negative one. Below, the ratio is 1 or more.
  if (numerator < denominator) {
    return -logRatio(denominator, numerator);
  }
  if (denominator === 0) {
    return Infinity;
  }
  // The logarithm of a rounded ratio near 1 would lose most of its digits.
  if (numerator < 2 * denominator) {
    return Math.log1p((numerator - denominator) / denominator);
  }
  return Math.log(numerator / denominator);
}
