// Drawing one report from a stream of unsigned 32-bit integers.
//
// Chances are whole numbers over a common denominator, so nothing here is rounded: what is drawn has exactly the
// probabilities that the survey states. mechanisms/draw.py does the same line by line, and tests/vectors holds both to
// the same results.

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
