// Blind signatures: RSABSSA-SHA384-PSS-Deterministic of RFC 9474. The device draws a message,
// blinds it with a random factor, has it signed unseen and takes the factor away again. For every
// pair of a signing and a signature there is a factor that leads from one to the other, so nobody
// can tell which signing a signature came from, not even with the key.
//
// BigInt does not take the same time for all numbers, so a program on the same device that
// measures it could learn something of the factor. That does no harm: what passes through here is
// a random message and a random factor, never an answer, and the signer only sees how long
// everything took, the network included.

import { joinBytes, verify } from "./token.js";

const HASH = "SHA-384";
// The bytes of the hash, and of the salt unless a test passes another one.
const HASH_BYTES = 48;
// The public exponent of all keys. token.js has it in two other forms.
const EXPONENT = 65537n;

/** Return the number that some bytes are, as a BigInt; the most significant byte comes first. */
function numberOf(bytes) {
  return bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
}

/** Return a BigInt as so many bytes (`length`), the most significant byte first. */
function bytesOf(number, length) {
  const bytes = new Uint8Array(length);
  let rest = number;
  for (let index = length - 1; index >= 0; index -= 1) {
    bytes[index] = Number(rest & 255n);
    rest >>= 8n;
  }
  return bytes;
}

/** Return base ** exponent modulo the modulus, by squaring. All are BigInts. */
function modularPower(base, exponent, modulus) {
  // `square` is base ** (2 ** i) at the bit i of the exponent. The result is the product of those
  // squares whose bit is 1.
  let result = 1n;
  let square = base % modulus;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) {
      result = (result * square) % modulus;
    }
    square = (square * square) % modulus;
  }
  return result;
}

/**
 * Return { divisor, inverse } of a value, by the extended algorithm of Euclid: the greatest common
 * divisor of value and modulus and, if that is 1, the inverse of value modulo the modulus.
 */
function invertModulo(value, modulus) {
  // After each step divisor = inverse * value and rest = nextInverse * value, modulo the modulus.
  let [divisor, rest] = [modulus, value % modulus];
  let [inverse, nextInverse] = [0n, 1n];
  while (rest > 0n) {
    const quotient = divisor / rest;
    [divisor, rest] = [rest, divisor - quotient * rest];
    [inverse, nextInverse] = [nextInverse, inverse - quotient * nextInverse];
  }
  if (inverse < 0n) {
    inverse += modulus;
  }
  return { divisor, inverse };
}

/**
 * Return the modulus of a key as a number. Throws RangeError unless it is odd and has exactly as
 * many bits as its bytes can hold.
 */
function modulusNumber(bytes) {
  const isOdd = bytes[bytes.length - 1] % 2 === 1;
  // A first byte of 128 or more has its highest bit set. Keys of surveys have 256 bytes (token.js);
  // up to 512 are allowed for the examples of the standard, which tests use.
  if (bytes.length < 256 || bytes.length > 512 || bytes[0] < 128 || !isOdd) {
    throw new RangeError("Not an RSA key of 2048 to 4096 bits.");
  }
  return numberOf(bytes);
}

/** Return the SHA-384 of some arrays of bytes, joined, as 48 bytes. */
async function sha384(...parts) {
  return new Uint8Array(await crypto.subtle.digest(HASH, joinBytes(...parts)));
}

/** Return the mask of a seed, `length` bytes: MGF1 of RFC 8017, B.2.1, with SHA-384. */
async function maskBytes(seed, length) {
  const blocks = [];
  // Each block is the hash of the seed and of the number of the block, in four bytes.
  for (let count = 0; count * HASH_BYTES < length; count += 1) {
    blocks.push(await sha384(seed, bytesOf(BigInt(count), 4)));
  }
  return joinBytes(...blocks).subarray(0, length);
}

/**
 * Return the encoded message: EMSA-PSS-ENCODE of RFC 8017, 9.1.1, for a modulus that fills its
 * `length` bytes. The encoded message has one bit less than the modulus.
 */
async function encodePss(message, length, salt) {
  // The eight zeros, the byte 1 before the salt and the byte 188 at the end are those of the
  // standard.
  const hash = await sha384(new Uint8Array(8), await sha384(message), salt);
  const zeros = new Uint8Array(length - HASH_BYTES - salt.length - 2);
  const data = joinBytes(zeros, Uint8Array.of(1), salt);
  const mask = await maskBytes(hash, data.length);
  const masked = mask.map((byte, index) => byte ^ data[index]);
  // Without its highest bit the encoded message is smaller than the modulus.
  masked[0] &= 127;
  return joinBytes(masked, hash, Uint8Array.of(188));
}

/**
 * Return a random number from 1 to modulus - 1, each with the same probability.
 *
 * length: the number of bytes of the modulus.
 */
function drawBelow(modulus, length) {
  // A number that is too large is thrown away: a remainder would favour small numbers.
  for (;;) {
    const value = numberOf(crypto.getRandomValues(new Uint8Array(length)));
    if (value > 0n && value < modulus) {
      return value;
    }
  }
}

/**
 * Return { blinded, back } for a message: what is sent to be signed, and what takes the factor away
 * again (the inverse of the factor), each as an array of bytes as long as the modulus.
 *
 * message: the bytes to sign.
 * key: the bytes of the modulus.
 * salt, factor: 48 bytes and a BigInt, which are drawn here; only tests pass them.
 *
 * Throws RangeError for a malformed key, and if the message or the factor shares a divisor with
 * the modulus. A key with small divisors would show them in what is sent, and drawing again would
 * show them too: so this function throws, and nobody tries again.
 */
export async function blind(
  message,
  key,
  salt = crypto.getRandomValues(new Uint8Array(HASH_BYTES)),
  factor = null,
) {
  const modulus = modulusNumber(key);
  const encoded = numberOf(await encodePss(message, key.length, salt));
  const blindingFactor = factor ?? drawBelow(modulus, key.length);
  const { divisor: factorDivisor, inverse } = invertModulo(blindingFactor, modulus);
  const { divisor: messageDivisor } = invertModulo(encoded, modulus);
  if (messageDivisor !== 1n || factorDivisor !== 1n) {
    throw new RangeError("This key cannot sign blindly.");
  }
  // The signer raises this to its secret exponent, which undoes EXPONENT and leaves the factor
  // itself: the inverse of the factor takes it away.
  const blinded = (encoded * modularPower(blindingFactor, EXPONENT, modulus)) % modulus;
  return { blinded: bytesOf(blinded, key.length), back: bytesOf(inverse, key.length) };
}

/**
 * Return the signature of the message, as bytes, from the blinded signature of the site.
 *
 * Throws RangeError unless the result is a signature of the message. A faulty one could say whose
 * it is, or give the key away, so it never leaves the device.
 *
 * signed: the bytes of the blinded signature.
 * key: the bytes of the modulus.
 * back: what `blind` returned for this message.
 * saltLength: in bytes; only tests pass it.
 */
export async function unblind(message, signed, key, back, saltLength = HASH_BYTES) {
  const modulus = modulusNumber(key);
  if (signed.length !== key.length || numberOf(signed) >= modulus) {
    throw new RangeError("Not a signature of that key.");
  }
  const signature = bytesOf((numberOf(signed) * numberOf(back)) % modulus, key.length);
  if (!(await verify(message, signature, key, saltLength))) {
    throw new RangeError("Not a signature of that key.");
  }
  return signature;
}
