// The respondent's page. It opens the form only when answers can be scrambled here, and on Send scrambles once, keeps
// the result, clears the form and delivers. Between loading and Send it asks nothing of the network.

import { clear, complain, fits, read } from "./form.js";
import { alone, keeper } from "./keeping.js";
import { compose, post, scramble } from "./sending.js";
import { write } from "./words.js";

const find = (id) => document.getElementById(id);

const form = find("form");
const text = find("instrument").textContent;
const hash = form.dataset.sha256;
const preview = "preview" in form.dataset;
const instrument = JSON.parse(text);
const kept = keeper(`candor ${hash}`, !preview);

// Of the pieces of an element that are meant for some moments only, show those meant for this one.
function only(element, moment) {
  for (const piece of element.querySelectorAll("[data-when]")) {
    piece.hidden = !piece.dataset.when.split(" ").includes(moment);
  }
}

function show(id, moment) {
  for (const section of document.querySelectorAll("main section[id]")) {
    section.hidden = section.id !== id;
  }
  only(find(id), moment);
  find(id).querySelector("h1").focus();
}

function showSent(reports, moment) {
  for (const question of instrument.questions) {
    write(find("sent").querySelector(`[data-key="${question.key}"]`), question, reports[question.key]);
  }
  find("wire").textContent = JSON.stringify(reports);
  if (!preview) {
    find("kept").hidden = !kept.lasts();
  }
  show("sent", moment);
}

async function sha256(content) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(content));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function hasRandomNumbers() {
  try {
    return crypto.getRandomValues(new Uint32Array(1)).length === 1;
  } catch {
    return false;
  }
}

// Why nobody may answer here, or null.
async function obstacle() {
  if (!isSecureContext) {
    return "insecure";
  }
  if (!hasRandomNumbers()) {
    return "random";
  }
  const same = (await sha256(text)) === hash && fits(form, instrument.questions);
  return same ? null : "changed";
}

async function start() {
  form.reset(); // some browsers put answers back after a reload
  const reason = await obstacle();
  if (reason) {
    only(find("notice"), reason);
    return;
  }
  const record = kept.read();
  if (record?.reports) {
    showSent(record.reports, "before");
  } else if (record?.body) {
    show("delivery", "waiting");
  } else {
    find("notice").hidden = true;
    find("all").disabled = false;
  }
}

// The message for these truths. From here on the truths are not needed, and the form forgets them.
function prepare(truths) {
  try {
    const reports = scramble(instrument.questions, truths);
    return { reports, body: compose(instrument, hash, crypto.randomUUID(), reports) };
  } finally {
    clear(form);
  }
}

function send(truths) {
  let fresh;
  try {
    fresh = prepare(truths);
  } catch (error) {
    console.error(error.name); // the name only: a message could quote an answer
    show("delivery", "failed");
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
  show("delivery", "sending");
  await alone(`candor ${hash}`, async () => {
    const record = kept.read();
    if (record?.reports) {
      showSent(record.reports, fresh ? "other" : "before");
      return;
    }
    const body = record?.body ?? fresh;
    if (!body) {
      show("forgotten");
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
  show("delivery", outcome);
}

const DEEDS = {
  retry: () => deliver(null),
  forget: () => {
    kept.forget();
    show("forgotten");
  },
  again: () => location.reload(),
};

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const { truths, missing } = read(form, instrument.questions);
  complain(form, missing);
  if (missing.length === 0) {
    send(truths);
  }
});
document.addEventListener("click", (event) => DEEDS[event.target.dataset?.do]?.());

// Answers must not outlive the visit: not in the browser's history, not in its cache of whole pages.
addEventListener("pagehide", () => form.reset());
addEventListener("pageshow", (event) => {
  if (event.persisted) {
    form.reset();
    location.reload();
  }
});

start();
