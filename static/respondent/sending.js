// From truths to the one message, its delivery, and what was sent in words.

import { group, randomize, takesText } from "../mechanisms/index.js";
import { formatNumber, textInPageLanguage, spoken } from "./languages.js";
import { withTimeout } from "./oldest.js";
import { ended, mayBeSent, minute } from "./storage.js";

const FIRST = 10; // of the answers in a group, which can be thousands
const PATIENCE = 60_000; // milliseconds until an attempt counts as unanswered
const WRITTEN = 4_000; // milliseconds; browsers take longer until what a page keeps is written to disk

// One report per question, drawn once; null for a question without a truth, which was not asked. A background question
// has no mechanism: its answer is sent as it is. With a spinner or by hand, chance was at work before the answer, so
// that what was answered is the report.
export function scramble(questions, truths) {
  const report = ({ key, mechanism, mode = "automatic" }) =>
    mechanism && mode === "automatic" ? randomize(mechanism, truths.get(key)) : truths.get(key);
  return Object.fromEntries(questions.map((question) => [question.key, truths.has(question.key) ? report(question) : null]));
}

// The body of the request. Every body of a survey has the same length, or the length could tell a 9 from a 10.
// key: what stands for this response alone, a random UUID; where people are invited their ticket, which nobody knows.
export function buildMessage(instrument, hash, key, reports) {
  const its = instrument.tickets ? { ticket: key } : { key };
  const body = JSON.stringify({ instrument: hash, ...its, reports });
  if (body.length > instrument.length) {
    throw new RangeError("The response is longer than the survey allows.");
  }
  return body.padEnd(instrument.length, " ");
}

// Deliver a body; resolves to one word that says how it went. No cookie, no address of this page goes with it.
export async function post(address, body, fetch = globalThis.fetch) {
  const how = {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body,
    credentials: "omit",
    referrerPolicy: "no-referrer",
    redirect: "error",
    cache: "no-store",
  };
  try {
    return await withTimeout(PATIENCE, async (signal) => {
      const response = await fetch(address, { ...how, signal });
      const type = response.headers.get("Content-Type") ?? "";
      return interpretAnswer(response.status, type, await response.json().catch(() => null));
    });
  } catch {
    return "unreachable";
  }
}

const KNOWN = {
  "survey-closed": "shut",
  "survey-not-open": "shut",
  "too-few-tickets": "shut",
  "instrument-mismatch": "mismatch",
  "key-conflict": "conflict",
  "ticket-spent": "spent",
  "ticket-forged": "forged",
};

// "recorded" only where the server says so in its own words: a hotel's login page answers 200 as well. Nor is
// anything a refusal but the server's own: a firewall's page knows nothing of what has been stored.
export function interpretAnswer(status, type, answer) {
  if (status === 200 || status === 201) {
    return answer?.status === "recorded" ? "recorded" : "unreachable";
  }
  const own = type.startsWith("application/problem+json") && /^\/problems\/([a-z-]+)$/.exec(answer?.type);
  if (!own || status === 429 || status < 400 || status >= 500) {
    return "busy";
  }
  return KNOWN[own[1]] ?? "refused";
}

// Send what this device keeps; `fresh` counts only if it keeps nothing yet, so that two tabs, or two clicks, find each
// other's record and send one response. What waits for another version of the survey goes to that version.
// Resolves to null where there is nothing to send, else to { outcome, to, body, other, late }: the word, the version,
// what was sent there, whether that was not `fresh`, and whether it has been on this device for more than a moment.
// "spent": the ticket of a first attempt was used before; of a later one it is "unsure", since an attempt before that got
// no answer may have arrived. The server says the same to whoever has a copy of the ticket, so there is no more to learn.
// "over": it was not confirmed in time, and is not sent any more.
export async function deliver({ kept, survey, fresh, isGone = () => false, send = post }) {
  const before = kept.read();
  if (isGone() || (!before?.body && (!fresh || isDone(before, survey)))) {
    return null;
  }
  const { body, survey: to, began } = before?.body ? before : { body: fresh, survey, began: minute() };
  const other = Boolean(fresh) && fresh !== body;
  if (!mayBeSent({ body, began })) {
    settle(kept, body, { doubted: to });
    return { outcome: "over", to, body, other, late: true };
  }
  const begun = performance.now();
  kept.write({ ...before, body, survey: to, began });
  const said = await send(`/api/v1/surveys/${to}/responses/`, body);
  const outcome = said === "spent" && before?.body ? "unsure" : said;
  if ((said === "recorded" || said === "spent") && !isGone()) {
    settle(kept, body, said === "recorded" ? { confirmed: to } : { doubted: to });
  }
  const late = Boolean(before?.body) || performance.now() - begun > WRITTEN;
  return { outcome, to, body, other, late };
}

// A message that may not be sent any more is erased; returns the version that it was for, or null.
export function eraseExpired(kept) {
  const record = kept.read();
  if (!record?.body || mayBeSent(record)) {
    return null;
  }
  settle(kept, record.body, { doubted: record.survey });
  return record.survey;
}

// Whether this version is not to be asked again on this device.
export const isDone = (record, survey) => [record?.sent, record?.unsure].some((versions) => versions?.includes(survey));

// Nothing but the server's confirmation, a ticket that has been used, the time, or the person ends a message: drawn anew
// whenever a server refuses, a few answers would show the truth.
function settle(kept, body, how) {
  const record = kept.read() ?? {};
  if (record.body === body) { // else it has been removed meanwhile, in another tab
    kept.write(ended(record, how));
  }
}

// --- What was sent, in words. The sentences stand in the page, in templates; here they are picked and filled in.

// Which sentence fits a report, and what to fill in: name of a place -> text, or a list of answers. unit: of numbers.
export function describe(choices, report, mechanism, { unit = "" } = {}) {
  const members = group(mechanism, report);
  if (members) {
    const answers = members.slice(0, FIRST).map((index) => choices[index]);
    return { sentence: "group", answers, size: formatNumber(members.length), rest: members.length - answers.length };
  }
  if (mechanism?.kind === "window") {
    return range(choices, report, mechanism, unit);
  }
  if (takesText(mechanism)) {
    const row = String(report).split(":")[1];
    return row === undefined ? { sentence: "text", answer: String(report) } : { sentence: "bits", ...marked(row) };
  }
  if (typeof report === "number") {
    return { sentence: String(report), answer: `${choices[report]} ${unit}`.trim() };
  }
  const sent = (mark) => choices.filter((_, index) => report[index] === mark);
  const answers = sent("1");
  if (report.includes("-")) {
    const unmarked = sent("0");
    return { sentence: answers.length === 0 ? "unmarked" : unmarked.length === 0 ? "marked" : "both", answers, unmarked };
  }
  return { sentence: { 0: "none", [choices.length]: "all" }[answers.length] ?? "some", answers };
}

const marked = (row) => ({ size: formatNumber(row.length), set: formatNumber(row.split("1").length - 1) });

// A report of a window as the answers that it fits, and how much oftener it is sent for one of these than for another. No
// number outside of what may be answered is said.
function range(choices, report, { size, width, aside = 0, high, low }, unit) {
  const [first, last] = [Math.max(0, report - width + 1), Math.min(report, size - 1)];
  const factor = factorOf(high / low);
  const say = (index) => `${choices[index]} ${unit}`.trim();
  if (first > last) {
    return { sentence: "one", low: choices[size], factor }; // “Prefer not to say”, whose window stands behind all others
  }
  if (first === 0 && last === size - 1 && !aside) {
    return { sentence: "all" };
  }
  return first === last ? { sentence: "one", low: say(first), factor } : { sentence: "range", low: choices[first], high: say(last), factor };
}

// Rounded up, with one decimal at most.
const factorOf = (ratio) => new Intl.NumberFormat(spoken(), { numberingSystem: "latn" }).format(Math.ceil(10 * ratio - 1e-9) / 10);

// Write the sentence for a report into its cell of the page, or, with none, take away what was written.
export function write(cell, question, report) {
  cell.querySelector("[data-written]")?.remove();
  const none = report === undefined || report === null; // null: not asked
  cell.parentElement.hidden = none;
  if (none) {
    return;
  }
  const { sentence, ...places } = describe(question.choices.map(textInPageLanguage), report, question.mechanism, { unit: textInPageLanguage(question.unit ?? "") });
  const own = cell.querySelector(`template[data-report="${sentence}"]`);
  const words = (own ?? cell.querySelector("template:not([data-report])")).content.cloneNode(true);
  for (const [name, value] of Object.entries(places)) {
    const place = words.querySelector(`[data-${name}]`);
    place?.append(...(Array.isArray(value) ? value.map(item) : [String(value)]));
  }
  words.querySelector("[data-when-rest]")?.toggleAttribute("hidden", !places.rest);
  const box = document.createElement("div");
  box.dataset.written = "";
  box.append(words);
  cell.prepend(box);
}

function item(label) {
  const line = document.createElement("li");
  line.dir = "auto";
  line.textContent = label;
  return line;
}
