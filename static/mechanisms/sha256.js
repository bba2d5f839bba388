// SHA-256 (FIPS 180-4), at once: the browser's own answers only later, and a report is drawn in one go. Not for secrets;
// tests/vectors/text.json and the browser's own hold it to the right results.

const PRIMES = Array.from({ length: 312 }, (_, number) => number).filter(
  (number) => number > 1 && Array.from({ length: number }, (_, by) => by).every((by) => by < 2 || number % by),
);
// The first 32 bits of the fraction of a root: of 64 cube roots and 8 square roots of primes doubles hold them all.
const fraction = (root) => Math.floor((root - Math.floor(root)) * 2 ** 32);
const ROUNDS = PRIMES.slice(0, 64).map((prime) => fraction(Math.cbrt(prime)));
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

const turned = (word, by) => (word >>> by) | (word << (32 - by));

// The message, a one, zeros, and its length in bits in the last eight bytes, as a whole number of blocks of 64 bytes.
function padded(bytes) {
  const block = new Uint8Array(64 * Math.ceil((bytes.length + 9) / 64));
  block.set(bytes);
  block[bytes.length] = 0x80;
  const view = new DataView(block.buffer);
  view.setUint32(block.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(block.length - 4, bytes.length * 8);
  return view;
}

function schedule(view, at) {
  const words = Array.from({ length: 16 }, (_, place) => view.getUint32(at + 4 * place));
  for (let place = 16; place < 64; place += 1) {
    const [near, far] = [words[place - 2], words[place - 15]];
    const first = turned(far, 7) ^ turned(far, 18) ^ (far >>> 3);
    const second = turned(near, 17) ^ turned(near, 19) ^ (near >>> 10);
    words.push((words[place - 16] + first + words[place - 7] + second) >>> 0);
  }
  return words;
}

function compressed(state, words) {
  let [a, b, c, d, e, f, g, h] = state;
  for (let round = 0; round < 64; round += 1) {
    const one = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const two = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const first = h + one + ((e & f) ^ (~e & g)) + ROUNDS[round] + words[round];
    const second = two + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) >>> 0, c, b, a, (first + second) >>> 0];
  }
  return [a, b, c, d, e, f, g, h].map((word, place) => (word + state[place]) >>> 0);
}

// bytes: a Uint8Array. Returns the digest as eight unsigned 32-bit words, the first one first.
export function sha256(bytes) {
  const view = padded(bytes);
  let state = START;
  for (let at = 0; at < view.byteLength; at += 64) {
    state = compressed(state, schedule(view, at));
  }
  return state;
}
