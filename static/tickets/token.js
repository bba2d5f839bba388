// A ticket as bytes, and the check whether it is one. A ticket is the token of RFC 9578, type 2,
// without the parts that follow from the survey: a nonce that was drawn on a device, and a
// signature that the site gave without seeing the nonce. The signature is checked by the browser's
// own RSA-PSS; none of our arithmetic is used here.

const HASH = "SHA-384";
const SALT_BYTES = 48;
// Type 2 of RFC 9578: tokens with blind RSA signatures.
const TOKEN_TYPE = Uint8Array.of(0, 2);
export const NONCE_BYTES = 32;
const MODULUS_BYTES = 256;
// The nonce and the signature in base64url, with four letters for three bytes.
export const TICKET_LETTERS = 384;

/** Return bytes as a text of base64url, without padding. */
export function encodeBase64url(bytes) {
  const characters = Array.from(bytes, (byte) => String.fromCharCode(byte));
  const text = btoa(characters.join(""));
  return text.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/**
 * Return the bytes of a text of base64url. Throws RangeError for any other text.
 */
export function decodeBase64url(text) {
  // atob() would ignore spaces, so they are refused here. The length of a text of base64url without
  // padding never leaves the remainder 1.
  const isAlphabet = /^[\w-]*$/.test(text) && text.length % 4 !== 1;
  let raw = "";
  if (isAlphabet) {
    raw = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  }
  const bytes = Uint8Array.from(raw, (character) => character.charCodeAt(0));
  // This also refuses a text with bits left over in its last letter.
  if (encodeBase64url(bytes) !== text) {
    throw new RangeError("Not base64url.");
  }
  return bytes;
}

/** Return some arrays of bytes as one. */
export function joinBytes(...parts) {
  const length = parts.reduce((total, part) => total + part.length, 0);
  const joined = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

// What precedes and follows the modulus if a key is written as SubjectPublicKeyInfo, for RSA-PSS
// with SHA-384, as RFC 9578 has it.
const KEY_PREFIX = decodeBase64url(
  "MIIBUjA9BgkqhkiG9w0BAQowMKANMAsGCWCGSAFlAwQCAqEaMBgGCSqGSIb3DQEBCDALBglghkgBZQMEAgKiAwIBMAOC" +
    "AQ8AMIIBCgKCAQEA",
);
// The suffix is the number 65537 in DER, the public exponent.
const KEY_SUFFIX = Uint8Array.of(2, 3, 1, 0, 1);

/** Return the bytes of a text in UTF-8. */
export function encodeText(text) {
  return new TextEncoder().encode(text);
}

/** Return the SHA-256 of some arrays of bytes, joined, as 32 bytes. */
export async function sha256(...parts) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", joinBytes(...parts)));
}

/**
 * Return the key of a survey as the bytes of its modulus. `text` is the key as the page states it.
 * Throws RangeError if it cannot be an RSA key of 2048 bits.
 */
export function parseKey(text) {
  const modulus = decodeBase64url(text);
  const isOdd = modulus[modulus.length - 1] % 2 === 1;
  // A first byte of 128 or more has its highest bit set: the key has no fewer bits than its bytes.
  if (modulus.length !== MODULUS_BYTES || modulus[0] < 128 || !isOdd) {
    throw new RangeError("Not an RSA key of 2048 bits.");
  }
  return modulus;
}

/** Return the token input of RFC 9578, which is signed, for a challenge, a nonce and a key. */
export async function tokenInput(challenge, nonce, modulus) {
  const challengeHash = await sha256(challenge);
  const keyHash = await sha256(KEY_PREFIX, modulus, KEY_SUFFIX);
  return joinBytes(TOKEN_TYPE, nonce, challengeHash, keyHash);
}

/**
 * Return the token challenge of RFC 9578 for a survey, as bytes. The survey is its context, and the
 * list of its origins is empty.
 */
async function challengeOf(survey) {
  const issuer = encodeText("candor");
  const context = await sha256(encodeText(survey));
  // The standard has two bytes for the lengths of issuer and origins, and one for the context.
  const issuerLength = Uint8Array.of(0, issuer.length);
  const contextLength = Uint8Array.of(context.length);
  const originLength = new Uint8Array(2);
  return joinBytes(TOKEN_TYPE, issuerLength, issuer, contextLength, context, originLength);
}

/** Return what is signed for a ticket. It belongs to one survey, one nonce and one key. */
export async function ticketInput(survey, nonce, modulus) {
  return tokenInput(await challengeOf(survey), nonce, modulus);
}

/**
 * Return whether a signature is one of this message, by the RSA-PSS of the browser alone.
 *
 * modulus: the bytes of the key.
 * saltLength: in bytes; only tests pass another one.
 */
export async function verify(message, signature, modulus, saltLength = SALT_BYTES) {
  // The public exponent "AQAB" is 65537. The key need not be exported again (false).
  const key = { kty: "RSA", alg: "PS384", n: encodeBase64url(modulus), e: "AQAB" };
  const algorithm = { name: "RSA-PSS", hash: HASH, saltLength };
  const imported = await crypto.subtle.importKey("jwk", key, algorithm, false, ["verify"]);
  return crypto.subtle.verify(algorithm, imported, signature, message);
}

/**
 * Return whether a text is a ticket of this survey, signed with this key. It is asked before a
 * ticket is used or stored; whether the ticket was used already, only the server knows.
 *
 * key: the key as the page states it (see `parseKey`).
 * text: what was pasted or stored, without spaces.
 */
export async function isTicket(survey, key, text) {
  if (text.length !== TICKET_LETTERS) {
    return false;
  }
  try {
    const modulus = parseKey(key);
    const ticket = decodeBase64url(text);
    const nonce = ticket.subarray(0, NONCE_BYTES);
    const signature = ticket.subarray(NONCE_BYTES);
    return await verify(await ticketInput(survey, nonce, modulus), signature, modulus);
  } catch {
    // The key or the text is malformed.
    return false;
  }
}
