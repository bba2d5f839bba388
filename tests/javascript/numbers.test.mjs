// Whole numbers as people type them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { parseWhole } from "../../static/respondent/numbers.js";

// How each script writes 0 to 9, as Unicode's own tables (CLDR) have it; not the systems that write numbers otherwise.
const SCRIPTS = Intl.supportedValuesOf("numberingSystem")
  .map((system) => [system, Array.from({ length: 10 }, (_, digit) => written(system, digit))])
  .filter(([, digits]) => digits.every((digit) => /^\p{Nd}$/u.test(digit)));

function written(numberingSystem, number) {
  return new Intl.NumberFormat("en", { numberingSystem, useGrouping: false }).format(number);
}

test("the digits of every script are read", () => {
  const names = SCRIPTS.map(([name]) => name);
  assert.ok(names.length > 60);
  assert.deepEqual(["arab", "arabext", "beng", "deva", "fullwide", "mathmono", "thai"].filter((name) => !names.includes(name)), []);
  for (const [name, digits] of SCRIPTS) {
    assert.deepEqual(digits.map(parseWhole), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], name);
    assert.equal(parseWhole(written(name, 90210)), 90210, name);
  }
});

test("a minus sign before the digits makes the number negative, and spaces around it do not count", () => {
  for (const minus of ["-", "−", "﹣", "－"]) {
    assert.equal(parseWhole(`${minus}12`), -12);
  }
  assert.equal(parseWhole(" 7 "), 7);
  assert.equal(parseWhole("007"), 7);
  assert.ok(Object.is(parseWhole("-0"), 0));
  assert.equal(parseWhole("\u061c-٣\u200f"), -3); // as keyboards of Arabic write it
});

test("whatever else is typed is no number, and never another one", () => {
  const texts = ["", " ", "3,0", "3.0", "3٫0", "1,000", "1.000", "1٬000", "1 000", "1 000", "1’000", "1_000", "12-", "5-9"];
  texts.push("--5", "- 5", "+5", "1e3", "0x10", "½", "²", "Ⅷ", "三", "three", "5h", "5%", "∞", "NaN", "Infinity", "-");
  assert.deepEqual(texts.filter((text) => parseWhole(text) !== undefined), []);
});
