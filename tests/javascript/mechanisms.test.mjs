// The browser's randomizers, held to the same vectors as mechanisms/ in Python.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { epsilon, probabilities, randomize } from "../../static/mechanisms/index.js";
import { bloomFilter, drawPermanentBits, drawReport, epsilonOfOneReport, isPermanentBits } from "../../static/mechanisms/rappor.js";


const vectors = (name) => JSON.parse(readFileSync(new URL(`../vectors/${name}`, import.meta.url), "utf8"));

const twoCoin = { kind: "matrix", design: "two-coin", parameters: {}, den: 4, rows: [[3, 1], [1, 3]] };
const unary = { kind: "unary", select: "one", size: 3, den: 4, rows: [[3, 1], [1, 3]] };
const any = { ...unary, select: "any" };
const windowed = { kind: "window", size: 11, width: 7, high: 3, low: 1, den: 31 };
const marks = { kind: "marks", size: 4, pick: 3, reach: 1, high: 3, low: 1, den: 16 };
const subset = { kind: "subset", size: 4, width: 2, den: 10, keep: 7 };
const steps = { den: 4, permanent: [[3, 1], [1, 3]], instant: [[2, 2], [1, 3]] };
const rappor = { kind: "rappor", bits: 16, hashes: 2, cohorts: 8, ...steps };

function streamOf(words) {
  const rest = [...words];
  const nextUint32 = () => {
    assert.ok(rest.length > 0, "more words drawn than the vector holds");
    return rest.shift();
  };
  return { nextUint32, rest };
}

// Marsaglia's xorshift, for repeatable tests only: anyone can predict it.
function xorshift32(seed) {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

function digestTruth(spec, index) {
  if (["written", "rappor"].includes(spec.kind)) {
    return `text ${index % 50}`;
  }
  const size = spec.size ?? spec.rows.length;
  if (spec.select === "any" || spec.kind === "marks") {
    return Array.from({ length: size }, (_, answer) => answer).filter((answer) => (index >> answer) & 1);
  }
  return index % size;
}

for (const { name, spec, truth, words, report } of vectors("reports.json")) {
  test(`reports the same as Python: ${name}`, () => {
    const { nextUint32, rest } = streamOf(words);
    assert.equal(randomize(spec, truth, nextUint32), report);
    assert.equal(rest.length, 0, "words left over");
  });
}

for (const { name, spec, seed, draws, sha256 } of vectors("digests.json")) {
  test(`${draws} draws have the digest that Python has: ${name}`, () => {
    const nextUint32 = xorshift32(seed);
    const hash = createHash("sha256");
    for (let index = 0; index < draws; index += 1) {
      hash.update(`${randomize(spec, digestTruth(spec, index), nextUint32)}\n`);
    }
    assert.equal(hash.digest("hex"), sha256);
  });
}

for (const entry of vectors("digests.json")) {
  test(`epsilon is the same as in Python: ${entry.name}`, () => {
    const expected = entry.epsilon ?? Infinity;
    assert.ok(expected === Infinity ? epsilon(entry.spec) === Infinity : Math.abs(epsilon(entry.spec) - expected) < 1e-12);
  });
}

test("epsilon of the known designs", () => {
  assert.ok(Math.abs(epsilon(twoCoin) - Math.log(3)) < 1e-15);
  assert.ok(Math.abs(epsilon(unary) - 2 * Math.log(3)) < 1e-15);
  assert.ok(Math.abs(epsilon(any) - 3 * Math.log(3)) < 1e-15);
  assert.equal(epsilon({ ...twoCoin, rows: [[4, 0], [1, 3]] }), Infinity);
});

test("probabilities are those of the spec", () => {
  assert.deepEqual(probabilities(twoCoin), [[0.75, 0.25], [0.25, 0.75]]);
  assert.deepEqual(probabilities(unary), [[0.75, 0.25], [0.25, 0.75]]);
  const [[, q], [, p]] = probabilities(subset);
  assert.equal(p, 0.7);
  assert.ok(Math.abs(q - 1.3 / 3) < 1e-15);
});

test("the default source is the cryptographic one, looked up at call time", () => {
  const original = Object.getOwnPropertyDescriptor(globalThis, "crypto");
  let calls = 0;
  const getRandomValues = (array) => {
    calls += 1;
    return array.fill(3);
  };
  try {
    Object.defineProperty(globalThis, "crypto", { value: { getRandomValues }, configurable: true });
    assert.equal(randomize(twoCoin, 0), 1);
    assert.equal(randomize(unary, 0), "111");
  } finally {
    Object.defineProperty(globalThis, "crypto", original);
  }
  assert.equal(calls, 4);
});

test("no randomizer ever uses Math.random", () => {
  const original = Math.random;
  Math.random = () => assert.fail("Math.random was called");
  try {
    for (const [spec, truth] of [[twoCoin, 1], [unary, 2], [any, [0, 2]], [subset, 3], [marks, [1]]]) {
      randomize(spec, truth);
    }
  } finally {
    Math.random = original;
  }
});

test("a report of marks always holds what was picked, and nothing of the others", () => {
  assert.ok(Math.abs(epsilon(marks) - Math.log(3)) < 1e-15);
  assert.deepEqual(probabilities({ ...marks, pick: 1, reach: 0, den: 4 }), [[0.75, 0.25], [0.25, 0.75]]);
  for (let index = 0; index < 200; index += 1) {
    const report = randomize(marks, [index % 4]);
    assert.match(report, /^[01-]{4}$/);
    assert.equal(report.split("-").length, 2);
  }
});

test("a report of a subset always has its width", () => {
  for (let index = 0; index < 200; index += 1) {
    const report = randomize(subset, index % 4);
    assert.match(report, /^[01]{4}$/);
    assert.equal([...report].filter((bit) => bit === "1").length, 2);
  }
});

const wrongTruths = [
  [twoCoin, 2], [twoCoin, -1], [twoCoin, 0.5], [twoCoin, "1"], [twoCoin, null], [twoCoin, undefined], [twoCoin, NaN],
  [unary, 3], [unary, [1]], [any, 1], [any, [3]], [any, [1, 1]], [any, undefined], [subset, 4], [subset, "0"],
  [windowed, 11], [windowed, -1], [windowed, 2.5], [windowed, [1]],
  [rappor, ""], [rappor, " \n"], [rappor, 3], [rappor, undefined], [rappor, "x".repeat(101)],
  [marks, 1], [marks, [4]], [marks, [2, 2]], [marks, undefined], [marks, "1"],
];
for (const [spec, truth] of wrongTruths) {
  test(`refuses the truth ${JSON.stringify(truth)} for ${spec.kind} ${spec.select ?? ""}`, () => {
    assert.throws(() => randomize(spec, truth), /truth (is|has) .*allowed/);
  });
}

test("rappor: both losses, and reports again from what is kept", () => {
  assert.ok(Math.abs(epsilonOfOneReport(rappor) - 1.0742858642) < 1e-10);
  assert.ok(Math.abs(epsilon(rappor) - 4.3944491547) < 1e-10);
  assert.deepEqual(probabilities(rappor), [[7 / 16, 9 / 16], [5 / 16, 11 / 16]]);
  const words = xorshift32(7);
  const kept = drawPermanentBits(rappor, " Heroin", words);
  assert.ok(isPermanentBits(rappor, kept));
  const [cohort] = kept.split(":");
  assert.match(bloomFilter(rappor, "heroin", Number(cohort)), /^[01]{16}$/);
  const reports = Array.from({ length: 2000 }, () => drawReport(rappor, kept, words));
  assert.ok(reports.every((report) => report.startsWith(`${cohort}:`)));
  Array.from(kept.split(":")[1]).forEach((bit, place) => {
    const ones = reports.filter((report) => report.split(":")[1][place] === "1").length;
    const chance = bit === "1" ? 0.75 : 0.5;
    assert.ok(Math.abs(ones - 2000 * chance) < 4.5 * Math.sqrt(2000 * chance * (1 - chance)));
  });
  for (const wrong of [undefined, null, "", "8:0101010101010101", "0:010", "00:0101010101010101", "1:01010101010101012"]) {
    assert.equal(isPermanentBits(rappor, wrong), false);
    assert.throws(() => drawReport(rappor, wrong, words), /kept is not allowed/);
  }
});

const wrongSpecs = {
  "rappor with bits no power of 2": { ...rappor, bits: 12 },
  "rappor with too many hashes": { ...rappor, hashes: 5 },
  "rappor with a lopsided permanent step": { ...rappor, permanent: [[3, 1], [2, 2]] },
  "rappor with nothing kept": { ...rappor, permanent: [[2, 2], [2, 2]] },
  "rappor with p not above q": { ...rappor, instant: [[2, 2], [2, 2]] },
  "rappor with one row": { ...rappor, instant: [[2, 2]] },
  "no spec": undefined,
  "an unknown kind": { ...twoCoin, kind: "toString" },
  "a row that does not sum to den": { ...twoCoin, rows: [[3, 1], [1, 2]] },
  "a negative weight": { ...twoCoin, rows: [[5, -1], [1, 3]] },
  "fractions": { ...twoCoin, rows: [[3.5, 0.5], [1, 3]] },
  "a row too long": { ...twoCoin, rows: [[3, 1, 0], [1, 3, 0]] },
  "no rows": { ...twoCoin, rows: undefined },
  "a denominator over 2^32": { ...twoCoin, den: 2 ** 32 + 2 },
  "an unknown select": { ...unary, select: "some" },
  "a size under 2": { ...unary, size: 1 },
  "three rows for bits": { ...unary, rows: [[3, 1], [1, 3], [2, 2]] },
  "a width of the whole": { ...subset, width: 4 },
  "a keep above den": { ...subset, keep: 11 },
  "a window that tells nothing": { ...windowed, high: 1 },
  "a window with a zero weight": { ...windowed, low: 0 },
  "weights of a window that do not sum to den": { ...windowed, den: 32 },
  "more than 1,001 values": { ...windowed, size: 1002 },
  "thirteen marks picked": { ...marks, size: 20, pick: 13, den: 8192 * 2 },
  "more marks picked than there are": { ...marks, size: 2 },
  "a reach above half of the others": { ...marks, reach: 2 },
  "weights that tell nothing": { ...marks, high: 2, low: 2 },
  "weights that turn every second mark": { ...marks, high: 1, low: 3 },
  "no chance of another pattern": { ...marks, high: 4, low: 0 },
  "weights that do not sum to den": { ...marks, den: 17 },
  "a fraction picked": { ...marks, pick: 1.5 },
};
for (const [name, spec] of Object.entries(wrongSpecs)) {
  test(`refuses ${name}`, () => {
    assert.throws(() => randomize(spec, 0), RangeError);
  });
}
