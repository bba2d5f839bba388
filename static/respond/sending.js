// From truths to the one message, its delivery, what stays on this device, and what was sent in words.

import { randomize } from "../mechanisms/index.js";

const PATIENCE = 60_000; // milliseconds until an attempt counts as unanswered

// One report per question, drawn once. A background question has no mechanism: its answer is sent as it is. With a
// spinner or by hand, chance was at work before the answer, so that what was answered is the report.
export function scramble(questions, truths) {
  const report = ({ key, mechanism, mode = "automatic" }) =>
    mechanism && mode === "automatic" ? randomize(mechanism, truths.get(key)) : truths.get(key);
  return Object.fromEntries(questions.map((question) => [question.key, report(question)]));
}

// The body of the request. Every body of a survey has the same length, or the length could tell a 9 from a 10.
export function compose(instrument, hash, key, reports) {
  const body = JSON.stringify({ instrument: hash, key, reports });
  if (body.length > instrument.length) {
    throw new RangeError("The response is longer than the survey allows.");
  }
  return body.padEnd(instrument.length, " ");
}

// Deliver a body; resolves to one word that says how it went. No cookie, no address of this page goes with it.
export async function post(address, body, fetch = globalThis.fetch) {
  try {
    const response = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body,
      credentials: "omit",
      referrerPolicy: "no-referrer",
      redirect: "error",
      cache: "no-store",
      signal: AbortSignal.timeout(PATIENCE),
    });
    return judge(response.status, await response.json().catch(() => null));
  } catch {
    return "unreachable";
  }
}

const KNOWN = ["survey-closed", "instrument-mismatch", "key-conflict"];

// "recorded" only where the server says so in its own words: a hotel's login page answers 200 as well.
export function judge(status, answer) {
  if (status === 200 || status === 201) {
    return answer?.status === "recorded" ? "recorded" : "unreachable";
  }
  if (status === 429 || status >= 500) {
    return "busy";
  }
  const problem = String(answer?.type).split("/").pop();
  return KNOWN.includes(problem) ? problem : "refused";
}

// --- What stays on this device, in one record per published survey: { body } while a response is on its way,
// { reports } once it has arrived. Both are scrambled already. A body holds the response's random key; its reports
// alone do not.

// Where storage is forbidden or full, the record lives as long as this page.
export function keeper(name, lasting) {
  const storage = lasting ? localStorageIfAllowed() : null;
  let memory = null;
  let lasts = storage !== null;
  return {
    lasts: () => lasts,
    read: () => memory ?? (lasts ? parse(storage.getItem(name)) : null),
    write(record) {
      try {
        storage.setItem(name, JSON.stringify(record));
        memory = null;
      } catch {
        memory = record;
        lasts = false;
      }
    },
    forget() {
      memory = null;
      storage?.removeItem(name);
    },
  };
}

function localStorageIfAllowed() {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

// Do the work while no other tab of this browser does work of that name. Where locks are missing or forbidden, two
// tabs that send within the same few milliseconds can still make two responses; nothing else on a device excludes it.
export async function alone(name, work) {
  let begun = false;
  const once = () => {
    begun = true;
    return work();
  };
  try {
    await navigator.locks.request(name, once);
  } catch (error) {
    if (begun) {
      throw error;
    }
    await work();
  }
}

// --- What was sent, in words. The sentences stand in the page, in templates; here they are picked and filled in.

// Which sentence fits a report, and the answers to fill in.
export function describe(choices, report) {
  if (typeof report === "number") {
    return { sentence: String(report), answers: [choices[report]] };
  }
  const answers = choices.filter((_, index) => report[index] === "1");
  return { sentence: { 0: "none", [choices.length]: "all" }[answers.length] ?? "some", answers };
}

// Write the sentence for a report into its cell of the page.
export function write(cell, question, report) {
  const { sentence, answers } = describe(question.choices, report);
  const own = cell.querySelector(`template[data-report="${sentence}"]`);
  const words = (own ?? cell.querySelector("template:not([data-report])")).content.cloneNode(true);
  const place = words.querySelector("[data-answers]");
  if (place?.localName === "ul") {
    place.append(...answers.map(item));
  } else if (place) {
    place.textContent = answers[0];
  }
  cell.prepend(words);
}

function item(label) {
  const line = document.createElement("li");
  line.dir = "auto";
  line.textContent = label;
  return line;
}
