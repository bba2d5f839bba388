// A ticket is drawn on this device, and completed with what the site signed. The second half of
// this module deals with the codes that people type to get a ticket.

import { blind, unblind } from "./blind.js";
import {
  NONCE_BYTES,
  decodeBase64url,
  encodeBase64url,
  encodeText,
  joinBytes,
  parseKey,
  sha256,
  ticketInput,
} from "./token.js";

/**
 * Return a ticket that is not signed yet, as { blinded, nonce, back }: what is sent to be signed
 * (blinded), and what makes a ticket of the answer (nonce, back). All are texts of base64url.
 * Throws RangeError for a malformed key, and for a key that cannot sign blindly.
 *
 * survey: the version of the survey that the ticket is for.
 * key: the key of the survey, as the page states it (see `parseKey`).
 */
export async function drawTicket(survey, key) {
  const modulus = parseKey(key);
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const { blinded, back } = await blind(await ticketInput(survey, nonce, modulus), modulus);
  return {
    blinded: encodeBase64url(blinded),
    nonce: encodeBase64url(nonce),
    back: encodeBase64url(back),
  };
}

/**
 * Return the ticket: the nonce of the drawn one and the signature, which is the answer of the site
 * without its blinding, joined, as a text of base64url. Throws RangeError if the answer is no
 * signature of this ticket; then there is no ticket.
 *
 * survey, key: as for `drawTicket`.
 * nonce, back: those of the drawn ticket.
 * signed: the blinded signature, a text of base64url.
 */
export async function completeTicket(survey, key, { nonce, back }, signed) {
  const modulus = parseKey(key);
  // The input that was signed follows from the survey, the nonce and the key, so it is not stored.
  const nonceBytes = decodeBase64url(nonce);
  const signature = await unblind(
    await ticketInput(survey, nonceBytes, modulus),
    decodeBase64url(signed),
    modulus,
    decodeBase64url(back),
  );
  return encodeBase64url(joinBytes(nonceBytes, signature));
}

// --- Codes. Their alphabet has no two letters that people mistake for each other.

const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";
const CODE_LENGTH = 16;

/**
 * Return a code in the form that is sent, from how it was typed or came with a link: in lower case,
 * without spaces, hyphens and dashes.
 */
export function normalizeCode(typed) {
  return typed.toLowerCase().replace(/[\s\u2010-\u2015-]/g, "");
}

/**
 * Return a code as people read and type it, abcd-efgh-jkmn-pqrs, for the field of the page. The
 * result is "" for an empty code.
 */
export function formatCode(code) {
  return normalizeCode(code).match(/.{1,4}/g)?.join("-") ?? "";
}

/**
 * Return a digest of a code, its SHA-256 as a text of base64url. The page of tickets stores it with
 * an unfinished attempt instead of the code, and compares it with that of the code that is typed
 * next, to see whether the attempt was for the same code.
 *
 * code: in the form of `normalizeCode`.
 */
export async function codeDigest(code) {
  return encodeBase64url(await sha256(encodeText(code)));
}

/**
 * Return what is wrong with a code, or null: "letter" for a letter that no code has, "length", or
 * "check" for a wrong letter or two swapped neighbours, which the last letter reveals. It is asked
 * before anything is sent.
 *
 * code: in the form of `normalizeCode`.
 */
export function codeProblem(code) {
  const values = [...code].map((letter) => ALPHABET.indexOf(letter));
  if (values.includes(-1)) {
    return "letter";
  }
  if (values.length !== CODE_LENGTH) {
    return "length";
  }
  // The last letter makes this weighted sum a multiple of the number of letters, which is prime. As
  // neighbours have different weights, swapping them changes the sum.
  let sum = 0;
  values.forEach((value, index) => {
    const isLast = index === CODE_LENGTH - 1;
    sum += value * (isLast ? 1 : index + 2);
  });
  return sum % ALPHABET.length === 0 ? null : "check";
}
