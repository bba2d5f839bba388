// Blind signatures: RSABSSA-SHA384-PSS-Deterministic of RFC 9474. The device draws a message, blinds it with a random
// factor, has it signed unseen and takes the factor away again. For every pair of a signing and a signature there is a
// factor that leads from one to the other, so nobody can tell which signing a signature came from, not even with the key.
//
// BigInt does not take the same time for all numbers, so a program on the same device that measures it could learn
// something of the factor. That is all right: what passes through here is a random message and a random factor, never
// an answer, and the signer only sees how long everything together took, the network included.

import { join, verify } from "./token.js";

const HASH = "SHA-384";
const HASHED = 48; // bytes of it, and of the salt unless a test says otherwise
const EXPONENT = 65537n;

const number = (bytes) => bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);

function octets(value, length) {
  const bytes = new Uint8Array(length);
  for (let place = length - 1; place >= 0; place -= 1) {
    bytes[place] = Number(value & 255n);
    value >>= 8n;
  }
  return bytes;
}

function power(base, exponent, modulus) {
  let [result, square] = [1n, base % modulus];
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    result = rest & 1n ? (result * square) % modulus : result;
    square = (square * square) % modulus;
  }
  return result;
}

// [greatest common divisor, inverse of value where that is 1], by Euclid.
function invert(value, modulus) {
  let [rest, next, inverse, after] = [modulus, value % modulus, 0n, 1n];
  while (next > 0n) {
    const times = rest / next;
    [rest, next] = [next, rest - times * next];
    [inverse, after] = [after, inverse - times * after];
  }
  return [rest, inverse < 0n ? inverse + modulus : inverse];
}

// The modulus as a number. Throws RangeError unless it is odd and has exactly so many bits as its bytes can hold.
export function modulusOf(n) {
  if (n.length < 256 || n.length > 512 || n[0] < 128 || n[n.length - 1] % 2 === 0) {
    throw new RangeError("Not an RSA key of 2048 to 4096 bits.");
  }
  return number(n);
}

const sha = async (...parts) => new Uint8Array(await crypto.subtle.digest(HASH, join(...parts)));

async function mask(seed, length) {
  const blocks = [];
  for (let count = 0; count * HASHED < length; count += 1) {
    blocks.push(await sha(seed, octets(BigInt(count), 4)));
  }
  return join(...blocks).subarray(0, length);
}

// EMSA-PSS-ENCODE of RFC 8017, 9.1.1, for a modulus of a whole number of bytes: one bit less than it.
async function encode(message, length, salt) {
  const hash = await sha(new Uint8Array(8), await sha(message), salt);
  const data = join(new Uint8Array(length - HASHED - salt.length - 2), Uint8Array.of(1), salt);
  const masked = (await mask(hash, data.length)).map((byte, place) => byte ^ data[place]);
  masked[0] &= 127;
  return join(masked, hash, Uint8Array.of(188));
}

// A number from 1 to n - 1, each as likely as the next.
function draw(modulus, length) {
  for (;;) {
    const value = number(crypto.getRandomValues(new Uint8Array(length)));
    if (value > 0n && value < modulus) {
      return value;
    }
  }
}

// What is sent to be signed, and what takes the factor away again: two arrays of as many bytes as n has.
// n: the modulus. salt (48 bytes) and factor (a BigInt): drawn here; only tests give them.
// Throws RangeError for a malformed key, and where message or factor share a divisor with n. A key with small divisors
// would show them in what is sent, and drawing anew would show them too: so it throws, and nobody tries again.
export async function blind(message, n, salt = crypto.getRandomValues(new Uint8Array(HASHED)), factor = null) {
  const modulus = modulusOf(n);
  const encoded = number(await encode(message, n.length, salt));
  const mixed = factor ?? draw(modulus, n.length);
  const [shared, back] = invert(mixed, modulus);
  if (invert(encoded, modulus)[0] !== 1n || shared !== 1n) {
    throw new RangeError("This key cannot sign blindly.");
  }
  const blinded = (encoded * power(mixed, EXPONENT, modulus)) % modulus;
  return { blinded: octets(blinded, n.length), back: octets(back, n.length) };
}

// The signature of the message. Throws RangeError unless it is one: a faulty one could tell whose it is, or give the
// key away, so it never leaves the device.
export async function finish(message, signed, n, back, saltLength = HASHED) {
  const modulus = modulusOf(n);
  if (signed.length !== n.length || number(signed) >= modulus) {
    throw new RangeError("Not a signature of that key.");
  }
  const signature = octets((number(signed) * number(back)) % modulus, n.length);
  if (!(await verify(message, signature, n, saltLength))) {
    throw new RangeError("Not a signature of that key.");
  }
  return signature;
}
