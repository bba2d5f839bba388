// From truths to the one message, its delivery, and what was sent in words.

import { group, randomize, reportsNumbers, takesText } from "../mechanisms/index.js";
import { reportByImprint } from "./imprints.js";
import { counted, said } from "./languages.js";
import { within } from "./oldest.js";

const FIRST = 10; // of the answers in a group, which can be thousands
const PATIENCE = 60_000; // milliseconds until an attempt counts as unanswered
const WRITTEN = 4_000; // milliseconds; browsers take longer until what a page keeps is written to disk

// One report per question, drawn once; null for a question without a truth, which was not asked. A background question
// has no mechanism: its answer is sent as it is. With a spinner or by hand, chance was at work before the answer, so
// that what was answered is the report. imprints: of written answers, key -> imprint; new ones are added.
export function scramble(questions, truths, imprints = new Map()) {
  const report = ({ key, mechanism, mode = "automatic" }) =>
    mechanism && mode === "automatic" ? randomize(mechanism, truths.get(key)) : truths.get(key);
  const reports = questions.map((question) => {
    const drawn = reportByImprint(question, truths, imprints);
    return [question.key, drawn === undefined ? (truths.has(question.key) ? report(question) : null) : drawn];
  });
  return Object.fromEntries(reports);
}

// The body of the request. Every body of a survey has the same length, or the length could tell a 9 from a 10.
// key: what stands for this response alone, a random UUID; where people are invited their ticket, which nobody knows.
export function compose(instrument, hash, key, reports) {
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
    return await within(PATIENCE, async (signal) => {
      const response = await fetch(address, { ...how, signal });
      const type = response.headers.get("Content-Type") ?? "";
      return judge(response.status, type, await response.json().catch(() => null));
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
export function judge(status, type, answer) {
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
export async function deliver({ kept, survey, fresh, isGone = () => false, send = post }) {
  const before = kept.read();
  if (isGone() || (!before?.body && (!fresh || before?.sent?.includes(survey)))) {
    return null;
  }
  const { body, survey: to } = { survey, body: fresh, ...before };
  const begun = performance.now();
  kept.write({ ...before, body, survey: to });
  const said = await send(`/api/v1/surveys/${to}/responses/`, body);
  const outcome = said === "spent" && before?.body ? "unsure" : said;
  if ((said === "recorded" || said === "spent") && !isGone()) {
    settle(kept, body, said === "recorded" ? [to] : []);
  }
  const late = Boolean(before?.body) || performance.now() - begun > WRITTEN;
  return { outcome, to, body, other: Boolean(fresh) && fresh !== body, late };
}

// Nothing but the server's confirmation, a ticket that has been used, or the person ends a message: drawn anew whenever a
// server refuses, a few answers would show the truth. Once it is confirmed the device keeps that a response was sent.
function settle(kept, body, confirmed) {
  const { sent = [], copy, imprints, ...waiting } = kept.read() ?? {};
  const versions = [...new Set([...sent, ...confirmed])];
  if (waiting.body !== body) {
    return; // it has been forgotten meanwhile, in another tab
  }
  if (versions.length) {
    kept.write({ sent: versions, copy, imprints });
  } else {
    kept.forget();
  }
}

// --- What was sent, in words. The sentences stand in the page, in templates; here they are picked and filled in.

// Which sentence fits a report, and the answers to fill in; of marks of which some were picked also those sent without.
export function describe(choices, report, mechanism) {
  const members = group(mechanism, report);
  if (members) {
    return { sentence: "group", answers: members.slice(0, FIRST).map((index) => choices[index]), size: members.length };
  }
  if (typeof report === "number") {
    const answer = reportsNumbers(mechanism) ? String(report) : choices[report];
    return { sentence: String(report), answers: [answer] };
  }
  if (takesText(mechanism)) {
    return { sentence: "bits", answers: [report] };
  }
  const sent = (mark) => choices.filter((_, index) => report[index] === mark);
  const answers = sent("1");
  if (report.includes("-")) {
    const unmarked = sent("0");
    return { sentence: answers.length === 0 ? "unmarked" : unmarked.length === 0 ? "marked" : "both", answers, unmarked };
  }
  return { sentence: { 0: "none", [choices.length]: "all" }[answers.length] ?? "some", answers };
}

// Write the sentence for a report into its cell of the page, or, with none, take away what was written.
export function write(cell, question, report) {
  cell.querySelector("[data-written]")?.remove();
  const none = report === undefined || report === null; // null: not asked
  cell.parentElement.hidden = none;
  if (none) {
    return;
  }
  const { sentence, answers, unmarked, size = 0 } = describe(question.choices.map(said), report, question.mechanism);
  const own = cell.querySelector(`template[data-report="${sentence}"]`);
  const words = (own ?? cell.querySelector("template:not([data-report])")).content.cloneNode(true);
  const place = words.querySelector("[data-answers]");
  if (place?.localName === "ul") {
    place.append(...answers.map(item));
  } else if (place) {
    place.textContent = answers[0];
  }
  words.querySelector("[data-unmarked]")?.append(...unmarked.map(item));
  for (const [place, number] of [["[data-size]", size], ["[data-rest]", size - answers.length]]) {
    words.querySelector(place)?.append(counted(number));
  }
  words.querySelector("[data-when-rest]")?.toggleAttribute("hidden", size === answers.length);
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
