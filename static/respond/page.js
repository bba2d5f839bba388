// The respondent's page. It lets people answer only when answers can be scrambled here, goes from step to step without
// touching address or history, and on Send scrambles once, keeps the result, erases the form and delivers. Between
// loading and Send it asks nothing of the network.

import { randomize } from "../mechanisms/index.js";
import { attend, complain, erase, fits, list, only, read, reset, spin } from "./questions.js";
import { alone, compose, keeper, post, scramble, write } from "./sending.js";

const find = (id) => document.getElementById(id);

const form = find("form"); // null where the survey is closed
const text = find("instrument").textContent;
const { sha256: hash, state } = find("main").dataset;
const instrument = JSON.parse(text);
const preview = state === "preview";
const kept = keeper(`candor ${hash}`, !preview);

// --- Steps: the introduction, one section for each question, the list to look over.

const steps = form ? [find("intro"), ...form.querySelectorAll("section")] : [];
const last = steps.length - 1;
let at = 0;
let listed = false; // whether the list was reached, so that a changed answer leads back to it

function show(section, moment) {
  for (const other of document.querySelectorAll("main section")) {
    other.hidden = other !== section;
  }
  if (moment) {
    only(section, moment);
  }
  section.querySelector("h1").focus();
  scrollTo(0, 0);
}

function go(to) {
  at = to;
  complain();
  if (at === last) {
    listed = true;
    list(instrument.questions);
  }
  show(steps[at]);
}

function goOn() {
  const { key } = steps[at].dataset;
  if (read(key) === undefined) {
    complain(key);
  } else {
    go(listed ? last : at + 1);
  }
}

// --- Before anything: why nobody may answer here, or null.

async function obstacle() {
  if (!isSecureContext) {
    return "insecure";
  }
  if (!hasRandomNumbers()) {
    return "random";
  }
  const same = (await sha256(text)) === hash && (!form || fits(instrument.questions));
  return same ? null : "changed";
}

function hasRandomNumbers() {
  try {
    return crypto.getRandomValues(new Uint32Array(1)).length === 1;
  } catch {
    return false;
  }
}

async function sha256(content) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(content));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function start() {
  reset(); // some browsers put answers back after a reload
  const reason = await obstacle();
  const record = reason ? null : kept.read();
  if (record?.reports) {
    showSent(record.reports, "before");
  } else if (record?.body) {
    show(find("delivery"), "waiting");
  } else if (form && reason) {
    only(find("notice"), reason);
  } else if (form) {
    find("notice").hidden = true;
    find("all").disabled = find("begin").disabled = false;
  }
}

// --- Sending.

// The message for these truths. From here on the truths are not needed, and the page forgets them.
function prepare() {
  try {
    const truths = new Map(instrument.questions.map(({ key }) => [key, read(key)]));
    const reports = scramble(instrument.questions, truths);
    return { reports, body: compose(instrument, hash, crypto.randomUUID(), reports) };
  } finally {
    erase();
  }
}

function send() {
  let fresh;
  try {
    fresh = prepare();
  } catch (error) {
    console.error(error.name); // the name only: a message could quote an answer
    show(find("delivery"), "failed");
    return;
  }
  if (preview) {
    showSent(fresh.reports, "now");
  } else {
    deliver(fresh.body);
  }
}

// Send what this device keeps; `fresh` counts only if it keeps nothing yet. One tab at a time, so that two tabs, or
// two clicks, find each other's record and send one response.
async function deliver(fresh) {
  show(find("delivery"), "sending");
  await alone(`candor ${hash}`, async () => {
    const record = kept.read();
    if (record?.reports) {
      showSent(record.reports, fresh ? "other" : "before");
      return;
    }
    const body = record?.body ?? fresh;
    if (!body) {
      show(find("forgotten"));
      return;
    }
    kept.write({ body });
    const outcome = await post(`/api/v1/surveys/${instrument.survey}/responses/`, body);
    settle(outcome, body, fresh && fresh !== body ? "other" : "now");
  });
}

const STAYS = ["unreachable", "busy", "survey-closed"];

function settle(outcome, body, moment) {
  if (outcome === "recorded") {
    const { reports } = JSON.parse(body);
    kept.write({ reports }); // in the place of the body, so the key is gone from this device
    showSent(reports, moment);
    return;
  }
  if (!STAYS.includes(outcome)) {
    kept.forget();
  }
  show(find("delivery"), outcome);
}

function showSent(reports, moment) {
  for (const question of instrument.questions) {
    write(find("sent").querySelector(`[data-key="${question.key}"]`), question, reports[question.key]);
  }
  find("wire").textContent = JSON.stringify(reports);
  if (!preview) {
    find("kept").hidden = !kept.lasts();
  }
  show(find("sent"), moment);
}

// --- Practice and the question whether all is clear: with the real randomizer, and for this page only.

let tries = 0;
let matches = 0;

function practise(practice) {
  const chosen = practice.querySelector("input:checked")?.value;
  if (chosen === undefined) {
    only(practice, "none");
    return;
  }
  const report = String(randomize(JSON.parse(practice.dataset.mechanism), Number(chosen)));
  tries += 1;
  matches += Number(report === chosen);
  find("tries").textContent = tries;
  find("matches").textContent = matches;
  only(practice, report);
}

// --- What people do.

const DEEDS = {
  begin: () => go(1),
  back: () => go(at - 1),
  change: (button) => go(steps.findIndex(({ dataset }) => dataset.key === button.closest("[data-key]").dataset.key)),
  spin: (button) => {
    const { key } = button.closest("[data-key]").dataset;
    spin(instrument.questions.find((question) => question.key === key));
  },
  retry: () => deliver(null),
  forget: () => {
    kept.forget();
    show(find("forgotten"));
  },
  again: () => location.reload(),
  skip: () => find("main").focus(), // not by a fragment, which would stay in the address and the history
  leave: () => {
    erase();
    location.replace("/leave/"); // in the place of this page in the history
  },
};

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-do], #errors a, #form button");
  if (button?.matches("a") || (event.detail > 1 && button?.closest("#form"))) {
    event.preventDefault(); // the second half of a double click must not press the button of the next step
  }
  if (button?.closest("#errors")) {
    attend(button.closest("[data-key]").dataset.key);
  } else if (event.detail < 2 || !button?.closest("#form")) {
    DEEDS[button?.dataset.do]?.(button);
  }
});
document.addEventListener("submit", (event) => {
  event.preventDefault();
  if (event.target.id === "practice") {
    practise(event.target);
  } else if (event.target === form && at > 0) {
    (at === last ? send : goOn)();
  }
});
document.addEventListener("change", (event) => {
  if (event.target.name === "comprehension") {
    only(find("comprehension"), event.target.value);
  }
});

// Answers must not outlive the visit: not in the browser's history, not in its cache of whole pages.
addEventListener("pagehide", reset);
addEventListener("pageshow", (event) => {
  if (event.persisted) {
    reset();
    location.reload();
  }
});

start();
