// What the oldest browsers lack, and what takes its place.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { freshKey, last, within } from "../../static/respondent/oldest.js";

const STATIC = new URL("../../static/", import.meta.url);
// Of Chrome 80, Firefox 78 and Safari 14 at least one has none of these.
const TOO_NEW = /\.at\(|Object\.hasOwn|replaceChildren|replaceAll|\?\?=|\|\|=|&&=|:has\(|AbortSignal\.timeout|\.finished\b|structuredClone|findLast|toSorted|toReversed|toSpliced|\(\?<[=!]|\bthis\.#|^\s+#\w+|static \{|Promise\.any|WeakRef|\bgroupBy\b/m;

test("no program of respondents needs what the oldest browsers lack", () => {
  const files = ["respondent", "tickets", "early", "mechanisms"].flatMap((room) =>
    readdirSync(new URL(`${room}/`, STATIC)).filter((name) => name.endsWith(".js")).map((name) => `${room}/${name}`),
  );
  assert.ok(files.length > 20);
  for (const file of files) {
    const program = readFileSync(new URL(file, STATIC), "utf8").replace(/^ *\/\/.*$/gm, "");
    assert.equal(TOO_NEW.exec(program)?.[0], undefined, file);
  }
});

// Chrome 80 and Safari 14 lay out no gap between flexible boxes, and know neither `inset` nor `:has()`.
const TOO_NEW_STYLE = /[;{]\s*(?:row-|column-)?gap\s*:|:has\(|[;{]\s*inset\s*:|[;{]\s*aspect-ratio\s*:|\bdvh\b|@container|:is\(|:where\(|color-mix\(/;

test("no rule of the respondents' stylesheet needs what the oldest browsers lack", () => {
  const rules = readFileSync(new URL("css/respondent.css", STATIC), "utf8").replace(/\/\*[^]*?\*\//g, "");
  assert.ok(rules.length > 10_000);
  assert.equal(TOO_NEW_STYLE.exec(rules)?.[0], undefined);
});

test("a key without randomUUID is a UUID of version 4 from the browser's own generator", () => {
  const words = (bytes) => bytes.map((_, place) => 17 * place);
  assert.equal(freshKey({ getRandomValues: words }), "00112233-4455-4677-8899-aabbccddeeff");
  const form = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  const keys = Array.from({ length: 100 }, () => freshKey({ getRandomValues: (bytes) => crypto.getRandomValues(bytes) }));
  assert.ok(keys.every((key) => form.test(key)));
  assert.equal(new Set(keys).size, 100);
  assert.match(freshKey(), form);
});

test("what takes too long is stopped, and what does not leaves no timer", async () => {
  const never = (signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("stopped"))));
  await assert.rejects(within(1, never), /stopped/);
  assert.equal(await within(60_000, async (signal) => signal.aborted), false);
});

test("the last of a list", () => {
  assert.deepEqual([last([1, 2]), last([])], [2, undefined]);
});
