// What the oldest browsers lack, and what takes its place.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { freshKey, lastOf, withTimeout } from "../../static/respondent/oldest.js";

const STATIC = new URL("../../static/", import.meta.url);
// Writing that Chrome 80, Firefox 78 or Safari 14 does not read.
const TOO_NEW = /\?\?=|\|\|=|&&=|:has\(|AbortSignal\.timeout|\(\?<[=!]|\bthis\.#|^\s+#\w+|static \{/m;
// Names that one of them does not know: newer.mjs makes the list.
const NEWER = new Set(readFileSync(new URL("newer.txt", import.meta.url), "utf8").trim().split("\n"));
// What programs do without where it is missing.
const ALLOWED = {
  "respondent/lists.js": ["requestIdleCallback"],
  "respondent/oldest.js": ["randomUUID"],
  "respondent/storage.js": ["locks"],
};

function programs() {
  const files = ["respondent", "tickets", "early", "mechanisms"].flatMap((room) =>
    readdirSync(new URL(`${room}/`, STATIC)).filter((name) => name.endsWith(".js")).map((name) => `${room}/${name}`),
  );
  const comments = /(^|\s)\/\/.*$|^ *\/\*\*[^]*?\*\/$/gm;
  return files.map((file) => [file, readFileSync(new URL(file, STATIC), "utf8").replace(comments, "")]);
}

// Return the names in a program that a browser has to know: after a dot, and, since few of its own look like that, all
// with a capital letter inside.
function namesIn(program) {
  const words = program.replace(/\bdataset\.\w+/g, "dataset").match(/\.?\b[A-Za-z]\w*/g);
  return new Set(words.filter((word) => /^\.|[a-z][A-Z]/.test(word)).map((word) => word.replace(".", "")));
}

test("no program of respondents is written in a way that the oldest browsers do not read", () => {
  assert.ok(programs().length > 20);
  for (const [file, program] of programs()) {
    assert.equal(TOO_NEW.exec(program)?.[0], undefined, file);
  }
});

test("no program of respondents needs a property or function that the oldest browsers lack", () => {
  for (const [file, program] of programs()) {
    assert.deepEqual([...namesIn(program)].filter((name) => NEWER.has(name)), ALLOWED[file] ?? [], file);
  }
});

test("the list of names has what programs are tempted to use", () => {
  const tempting = ["ariaSelected", "ariaExpanded", "checkVisibility", "replaceChildren", "at", "findLast", "structuredClone"];
  assert.deepEqual(tempting.filter((name) => !NEWER.has(name)), []);
  const old = ["getAttribute", "closest", "append", "isComposing", "toggleAttribute", "matchAll", "scrollIntoView"];
  assert.deepEqual(old.filter((name) => NEWER.has(name)), []);
  assert.ok(namesIn("options.find(({ ariaSelected }) => list.at(0))").has("ariaSelected"));
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
  await assert.rejects(withTimeout(1, never), /stopped/);
  assert.equal(await withTimeout(60_000, async (signal) => signal.aborted), false);
});

test("the last of a list", () => {
  assert.deepEqual([lastOf([1, 2]), lastOf([])], [2, undefined]);
});
