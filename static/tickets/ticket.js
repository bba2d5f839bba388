// A ticket is drawn on this device, and completed with what the site signed. At the end: codes, as people type them.

import { blind, finish } from "./blind.js";
import { NONCE, ascii, bytes, inputOf, join, keyOf, letters, sha256 } from "./token.js";

// A ticket to be: what is sent to be signed, and what makes a ticket of the answer, all as text.
export async function draw(survey, key) {
  const n = keyOf(key);
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE));
  const { blinded, back } = await blind(await inputOf(survey, nonce, n), n);
  return { blinded: letters(blinded), nonce: letters(nonce), back: letters(back) };
}

// The ticket. Throws RangeError where what came back is no signature; then there is no ticket.
export async function complete(survey, key, { nonce, back }, signed) {
  const n = keyOf(key);
  const drawn = bytes(nonce);
  const signature = await finish(await inputOf(survey, drawn, n), bytes(signed), n, bytes(back));
  return letters(join(drawn, signature));
}

// --- Codes. Their letters are those that nobody mistakes for another.

const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";
const CODE = 16;

// A code as it was typed or came with a link, in the form that is sent.
export const plain = (typed) => typed.toLowerCase().replace(/[\s\u2010-\u2015-]/g, "");

// The same as people read and type it: abcd-efgh-jkmn-pqrs.
export const grouped = (code) => plain(code).match(/.{1,4}/g)?.join("-") ?? "";

// By which a code is known again without being kept.
export const digest = async (code) => letters(await sha256(ascii(code)));

// What is wrong with a code: "length", "letter" (one that no code has), "check" (a wrong letter, or two in each other's
// place: the last one is made from all others), or null.
export function wrongIn(code) {
  const places = [...code].map((letter) => ALPHABET.indexOf(letter));
  if (places.includes(-1)) {
    return "letter";
  }
  if (places.length !== CODE) {
    return "length";
  }
  const sum = places.reduce((total, place, index) => total + place * (index === CODE - 1 ? 1 : index + 2), 0);
  return sum % ALPHABET.length === 0 ? null : "check";
}
