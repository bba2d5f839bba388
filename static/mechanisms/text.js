// Written answers: the one form of a text in which spellings that look alike agree, and its hash. mechanisms/designs/
// texts.py does the same, and tests/vectors/text.json holds both to the same results.

import { sha256 } from "./sha256.js";

export const LONGEST = 100; // characters, counted as code points

// What counts as white space is listed, as languages differ in it.
const SPACES = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+/gu;

// Compatible characters as one (NFKC), small letters, one space between words, none around.
export function normalised(text) {
  return text.normalize("NFKC").toLowerCase().replace(SPACES, " ").replace(/^ | $/g, "");
}

// The normalised text. RangeError, which never quotes it, for nothing or too much.
export function written(text) {
  const found = typeof text === "string" ? normalised(text) : "";
  const length = [...found].length;
  if (length < 1 || length > LONGEST) {
    throw new RangeError(`truth has ${length} characters; allowed is a text of 1 to ${LONGEST}`);
  }
  return found;
}

// SHA-256 of some texts with a zero byte between two, as eight unsigned 32-bit words.
export function hash(...parts) {
  return sha256(new TextEncoder().encode(parts.join("\0")));
}
