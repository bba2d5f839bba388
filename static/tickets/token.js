// A ticket as bytes, and whether it is one: the token of RFC 9578, type 2, without what the survey says anyway. It is a
// nonce drawn on a device, and a signature that the site gave without seeing the nonce. The signature is checked by the
// browser's own RSA-PSS; none of our arithmetic is in here.

const HASH = "SHA-384";
const SALT = 48; // bytes
const TYPE = Uint8Array.of(0, 2);
export const NONCE = 32; // bytes
const MODULUS = 256;
export const TICKET = 384; // letters of a ticket

// Bytes as text and back, in the alphabet of addresses and without padding.
export function letters(bytes) {
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return text.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

// Throws RangeError for what is not written so.
export function bytes(text) {
  const isWritten = /^[\w-]*$/.test(text) && text.length % 4 !== 1;
  const raw = isWritten ? atob(text.replace(/-/g, "+").replace(/_/g, "/")) : "";
  const found = Uint8Array.from(raw, (one) => one.charCodeAt(0));
  if (letters(found) !== text) { // bits left over in the last letter are refused too
    throw new RangeError("Not base64url.");
  }
  return found;
}

export function join(...parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  parts.reduce((at, part) => (whole.set(part, at), at + part.length), 0);
  return whole;
}

// What stands before and after the modulus where a key is written out as SubjectPublicKeyInfo, for RSA-PSS with SHA-384,
// as RFC 9578 has it.
const BEFORE = bytes(
  "MIIBUjA9BgkqhkiG9w0BAQowMKANMAsGCWCGSAFlAwQCAqEaMBgGCSqGSIb3DQEBCDALBglghkgBZQMEAgKiAwIBMAOCAQ8AMIIBCgKCAQEA",
);
const AFTER = Uint8Array.of(2, 3, 1, 0, 1);

export const ascii = (text) => new TextEncoder().encode(text);
export const sha256 = async (...parts) => new Uint8Array(await crypto.subtle.digest("SHA-256", join(...parts)));

// The key of a survey, as its page states it. Throws RangeError for any other length, or where it can be no key.
export function keyOf(text) {
  const n = bytes(text);
  if (n.length !== MODULUS || n[0] < 128 || n[n.length - 1] % 2 === 0) {
    throw new RangeError("Not an RSA key of 2048 bits.");
  }
  return n;
}

// The token's input: what is signed. It belongs to one survey and one key.
export async function input(challenge, nonce, n) {
  return join(TYPE, nonce, await sha256(challenge), await sha256(BEFORE, n, AFTER));
}

async function challengeOf(survey) {
  const [name, context] = [ascii("candor"), await sha256(ascii(survey))];
  return join(TYPE, Uint8Array.of(0, name.length), name, Uint8Array.of(context.length), context, new Uint8Array(2));
}

export const inputOf = async (survey, nonce, n) => input(await challengeOf(survey), nonce, n);

// Whether a signature is one of this message, by the RSA-PSS of the browser and nothing else.
export async function verify(message, signature, n, saltLength = SALT) {
  const key = { kty: "RSA", alg: "PS384", n: letters(n), e: "AQAB" };
  const kind = { name: "RSA-PSS", hash: HASH, saltLength };
  const imported = await crypto.subtle.importKey("jwk", key, kind, false, ["verify"]);
  return crypto.subtle.verify(kind, imported, signature, message);
}

// Whether a text is a ticket of this survey, signed with this key.
export async function isTicket(survey, key, text) {
  if (text.length !== TICKET) {
    return false;
  }
  try {
    const [n, ticket] = [keyOf(key), bytes(text)];
    return await verify(await inputOf(survey, ticket.subarray(0, NONCE), n), ticket.subarray(NONCE), n);
  } catch {
    return false;
  }
}
