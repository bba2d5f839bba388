// Written answers: the normal form of a text, in which spellings that look alike agree, and its
// hash. mechanisms/designs/texts.py does the same, and tests/vectors/text.json holds both programs
// to the same results.

import { sha256 } from "./sha256.js";

// The most characters of a text, counted as code points. mechanisms/designs has the same
// limit.
const MAX_LENGTH = 100;

// White space is listed here, since languages differ in what counts as white space.
const SPACES = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+/gu;

/**
 * Return the normal form of a text: compatible characters as one (NFKC), in lower case, with one
 * space between words and none at the ends.
 */
export function normalizeText(text) {
  // After the first replacement there is one space at each end at most.
  return text.normalize("NFKC").toLowerCase().replace(SPACES, " ").replace(/^ | $/g, "");
}

/**
 * Return the normal form of an answer. Throws RangeError if it is no text of 1 to 100 characters;
 * the message never quotes the text.
 */
export function normalizeAnswer(text) {
  const answer = typeof text === "string" ? normalizeText(text) : "";
  // Spreading a text takes it apart into code points.
  const length = [...answer].length;
  if (length < 1 || length > MAX_LENGTH) {
    const allowed = `a text of 1 to ${MAX_LENGTH}`;
    throw new RangeError(`truth has ${length} characters; allowed is ${allowed}`);
  }
  return answer;
}

/**
 * Return the SHA-256 of some texts, joined by zero bytes, as eight unsigned 32-bit words. The zero
 * bytes keep ("a", "bc") and ("ab", "c") apart.
 */
export function hashTexts(...texts) {
  return sha256(new TextEncoder().encode(texts.join("\0")));
}
