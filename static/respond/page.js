// The respondent's page. It lets people answer only when answers can be scrambled here, goes from step to step without
// touching address or history, and on Send scrambles once, keeps the result, erases the form and delivers. Between
// loading and Send it asks nothing of the network.

import { randomize } from "../mechanisms/index.js";
import { alone, inherit, keeper } from "./keeping.js";
import { attend, complain, erase, list, obstacle, only, read, remind, reset, spin } from "./questions.js";
import { compose, deliver, scramble, write } from "./sending.js";

const find = (id) => document.getElementById(id);

const form = find("form"); // null where the survey is closed
const text = find("instrument").textContent;
const { sha256: hash, state } = find("main").dataset;
const instrument = JSON.parse(text);
const { survey, series = survey, shared_device: shared } = instrument; // the series: all versions of this survey
const preview = state === "preview";
const kept = keeper(`candor ${series}`, !preview && !shared);

// --- Steps: the introduction, one section for each question, the list to look over.

const steps = form ? [find("intro"), ...form.querySelectorAll("section")] : [];
const last = steps.length - 1;
let at = 0;
let listed = false; // whether the list was reached, so that a changed answer leads back to it

function show(section, ...moments) {
  for (const other of document.querySelectorAll("main section")) {
    other.hidden = other !== section;
  }
  if (moments.length) {
    only(section, ...moments);
  }
  find("next")?.toggleAttribute("hidden", ["sending", "unsent", "unfinished"].includes(moments[0]));
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

// --- Before anything: whether this page may be answered, and what this device has of earlier visits.

async function start() {
  reset(); // some browsers put answers back after a reload
  const reason = await obstacle(instrument.questions, text, hash);
  if (!reason) {
    inherit(kept, hash, survey);
  }
  const record = reason ? null : kept.read();
  if (record?.body) {
    showDelivery("waiting", record.survey);
  } else if (record?.sent?.includes(survey)) {
    showSent(holds() === "copy" ? record.copy.reports : null, "before");
  } else if (form && reason) {
    only(find("notice"), reason);
  } else if (form) {
    open();
    if (record?.sent) {
      showArrived(null, "before");
    }
  }
}

function open() {
  find("notice").hidden = true;
  find("all").disabled = find("begin").disabled = false;
  remind();
}

// After what has been said of another version.
function proceed() {
  if (!form.isConnected) {
    location.reload();
    return;
  }
  open();
  show(steps[0]);
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
    sendOff(fresh.body);
  }
}

let gone = false; // whether the person has left; from then on nothing is kept or sent

async function sendOff(fresh) {
  show(find("delivery"), "sending");
  const isGone = () => gone;
  const done = await alone(`candor ${series}`, () => deliver({ kept, survey, fresh, isGone }));
  if (gone) {
    return;
  }
  if (!done) {
    showArrived(null, fresh ? "other" : "before"); // another tab was quicker
  } else if (done.outcome === "recorded") {
    const { to, body, other, late } = done;
    showArrived(to === survey ? JSON.parse(body).reports : null, other ? "other" : "now", late && "late");
  } else {
    showDelivery(done.outcome, done.to);
  }
}

function showDelivery(outcome, to) {
  const where = shared ? "shared" : kept.lasts() ? "lasting" : "memory";
  show(find("delivery"), outcome, where, to === survey ? state : "another");
}

// --- After sending. What was sent is shown from memory, once, or from the copy that a respondent asked for.

let shown = null;

function showArrived(reports, ...moments) {
  const versions = kept.read()?.sent ?? [];
  if (reports || versions.includes(survey)) {
    showSent(reports, ...moments);
  } else if (versions.length) {
    show(find("earlier"), ...moments, form ? "open" : "closed", holds());
  } else {
    show(find("forgotten"));
  }
}

function showSent(reports, ...moments) {
  shown = { reports, moments };
  for (const question of instrument.questions) {
    write(find("sent").querySelector(`[data-key="${question.key}"]`), question, reports?.[question.key]);
  }
  find("see").hidden = !reports;
  show(find("sent"), ...marks());
}

const marks = () => [...shown.moments, holds(), shown.reports && holds() !== "copy" && "offer"];

// What this device keeps of what has arrived.
function holds() {
  const record = kept.read();
  if (!record || !kept.lasts()) {
    return "nothing";
  }
  return !record.copy ? "flag" : record.copy.survey === survey ? "copy" : "older-copy";
}

// Answers sent as they are do not go into the copy: whoever finds it must find nothing that is certain.
function copy() {
  const scrambled = instrument.questions.filter(({ mechanism }) => mechanism).map(({ key }) => [key, shown.reports[key]]);
  kept.write({ sent: [survey], ...kept.read(), copy: { survey, reports: Object.fromEntries(scrambled) } });
  only(find("sent"), ...marks());
  find("kept").focus();
}

// Take what was sent off this page.
function cover() {
  shown = null;
  for (const { key } of instrument.questions) {
    write(find("sent").querySelector(`[data-key="${key}"]`));
  }
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

// --- A shared device: nothing of one person is met by the next, and nothing is lost by a slip of the finger.

function next() {
  if (kept.read()?.body) {
    show(find("delivery"), "unsent", "shared");
  } else if (at > 0 && form.isConnected) {
    show(find("delivery"), "unfinished", "shared");
  } else {
    renew();
  }
}

function renew() {
  clear();
  location.replace(location.pathname); // loaded anew, in the place of this page in the history
}

function clear() {
  gone = true;
  kept.forget();
  cover();
  erase();
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
  proceed,
  retry: () => sendOff(null),
  copy,
  forget: () => {
    kept.forget();
    cover();
    show(find("forgotten"));
  },
  again: () => location.reload(),
  next,
  renew,
  resume: () => show(steps[at]),
  skip: () => find("main").focus(), // not by a fragment, which would stay in the address and the history
  leave: () => {
    clear();
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
addEventListener("pagehide", () => {
  reset();
  cover();
});
addEventListener("pageshow", (event) => {
  if (event.persisted) {
    reset();
    location.reload();
  }
});

start();
