// SHA-256 (FIPS 180-4) without waiting: the browser's own function answers only later, and a
// report is drawn in one go. This is not for secrets. tests/vectors/text.json and the function of
// Node hold it to the right results.

/** Return the first `count` prime numbers. */
function firstPrimes(count) {
  const primes = [];
  for (let number = 2; primes.length < count; number += 1) {
    if (primes.every((prime) => number % prime !== 0)) {
      primes.push(number);
    }
  }
  return primes;
}

/**
 * Return the first 32 bits of the fraction of a root. A double holds all of them for the roots
 * below.
 */
function fractionBits(root) {
  return Math.floor((root - Math.floor(root)) * 2 ** 32);
}

// The constants of the standard are fractions of roots of prime numbers.
const PRIMES = firstPrimes(64);
const ROUND_CONSTANTS = PRIMES.map((prime) => fractionBits(Math.cbrt(prime)));
const INITIAL_STATE = PRIMES.slice(0, 8).map((prime) => fractionBits(Math.sqrt(prime)));

/** Return a 32-bit word, rotated to the right by some bits. The result can be negative. */
function rotateRight(word, bits) {
  return (word >>> bits) | (word << (32 - bits));
}

/**
 * Return a padded message as a DataView: the message, a bit 1, zeros, and the length in bits in
 * the last eight bytes. This is a whole number of blocks of 64 bytes.
 */
function padMessage(bytes) {
  // Nine bytes follow the message at least: one for the bit 1, and eight for the length.
  const padded = new Uint8Array(64 * Math.ceil((bytes.length + 9) / 64));
  padded.set(bytes);
  // The byte 0x80 is a bit 1 and seven zeros.
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  // The length has 64 bits, and a word has 32. Of a larger number setUint32() takes the last 32.
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, bytes.length * 8);
  return view;
}

/** Return the message schedule of the block at an offset: 64 words. */
function scheduleWords(view, offset) {
  const words = Array.from({ length: 16 }, (_, index) => view.getUint32(offset + 4 * index));
  for (let index = 16; index < 64; index += 1) {
    const near = words[index - 2];
    const far = words[index - 15];
    const sigma0 = rotateRight(far, 7) ^ rotateRight(far, 18) ^ (far >>> 3);
    const sigma1 = rotateRight(near, 17) ^ rotateRight(near, 19) ^ (near >>> 10);
    // Sums of a few words are exact in a Number, and are cut down to 32 bits at the end.
    // ">>> 0" makes an unsigned 32-bit word of any number.
    words.push((words[index - 16] + sigma0 + words[index - 7] + sigma1) >>> 0);
  }
  return words;
}

/**
 * Return the state after one block: eight unsigned 32-bit words. The letters are those of the
 * standard.
 *
 * state: the state before the block.
 * words: the message schedule of the block, as scheduleWords() returns it.
 */
function compressBlock(state, words) {
  let [a, b, c, d, e, f, g, h] = state;
  for (let round = 0; round < 64; round += 1) {
    const sum1 = rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25);
    const choice = (e & f) ^ (~e & g);
    const t1 = h + sum1 + choice + ROUND_CONSTANTS[round] + words[round];
    const sum0 = rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const t2 = sum0 + majority;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) >>> 0, c, b, a, (t1 + t2) >>> 0];
  }
  return [a, b, c, d, e, f, g, h].map((word, index) => (word + state[index]) >>> 0);
}

/** Return the digest of some bytes as eight unsigned 32-bit words, the first one first. */
export function sha256(bytes) {
  const view = padMessage(bytes);
  let state = INITIAL_STATE;
  for (let offset = 0; offset < view.byteLength; offset += 64) {
    state = compressBlock(state, scheduleWords(view, offset));
  }
  return state;
}
