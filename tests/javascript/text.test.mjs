// Written answers: one form and one hash in both languages, and SHA-256 as Node has it.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import test from "node:test";

import { sha256 } from "../../static/mechanisms/sha256.js";
import { hashTexts, normalizeAnswer, normalizeText } from "../../static/mechanisms/text.js";

const vectors = JSON.parse(readFileSync(new URL("../vectors/text.json", import.meta.url)));
const hex = (words) => words.map((word) => word.toString(16).padStart(8, "0")).join("");

function xorshift32(seed) {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>>= 0);
  };
}

function made(words) {
  const { letters } = vectors;
  const count = (1 + (words() % 20));
  const ranges = Array.from({ length: count }, () => letters[words() % letters.length]);
  return ranges.map(([first, last]) => String.fromCodePoint(first + (words() % (last - first + 1)))).join("");
}

test("SHA-256 of every length around a block is that of Node", () => {
  for (let length = 0; length < 200; length += 1) {
    const bytes = Uint8Array.from({ length }, (_, place) => (place * 37 + length) % 256);
    assert.equal(hex(sha256(bytes)), createHash("sha256").update(bytes).digest("hex"));
  }
});

for (const { text, form, sha256: digest } of vectors.texts) {
  test(`${JSON.stringify(text)} has the form and the hash that Python gives it`, () => {
    assert.equal(normalizeText(text), form);
    assert.equal(hex(hashTexts("candor-text-1", form)), digest);
  });
}

test("2,000 strings have the digest that Python has", () => {
  const [words, total] = [xorshift32(vectors.seed), createHash("sha256")];
  for (let index = 0; index < vectors.strings; index += 1) {
    total.update(`${hex(hashTexts("candor-text-1", normalizeText(made(words))))}\n`);
  }
  assert.equal(vectors.strings, 2000);
  assert.equal(total.digest("hex"), vectors.sha256);
});

test("a text of nothing or too much is refused without quoting it", () => {
  for (const [text, length] of [["", 0], [" \t\u3000 ", 0], ["x".repeat(101), 101], [7, 0], [undefined, 0]]) {
    assert.throws(() => normalizeAnswer(text), new RangeError(`truth has ${length} characters; allowed is a text of 1 to 100`));
  }
  assert.equal(normalizeAnswer("🍄".repeat(100)), "🍄".repeat(100));
});
