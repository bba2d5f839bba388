// The respondent's page. It lets people answer only when answers can be scrambled here, goes from step to step without
// touching address or history, and on Send scrambles once, keeps the result, erases the form and delivers. Between
// loading and Send it asks nothing of the network.

import { randomize } from "../mechanisms/index.js";
import { TICKET, isTicket } from "../tickets/token.js";
import { lot } from "./question_subset.js";
import { head, onWidth, rowsOf, stand } from "./grids.js";
import { alone, inherit, keeper, ticketKeeper } from "./storage.js";
import { only, preferred, settle, speak } from "./languages.js";
import { unlink } from "./links.js";
import { warm } from "./lists.js";
import { statesOdds } from "./odds.js";
import { freshKey, last } from "./oldest.js";
import { along, pages } from "./paths.js";
import {
  arrange, attend, complain, drop, erase, firstOf, list, narrow, obstacle, read, remind, reset, spin,
} from "./questions.js";
import { imprintsFor, keptWith } from "./imprints.js";
import { compose, deliver, scramble, write } from "./sending.js";

const find = (id) => document.getElementById(id);

const form = find("form"); // null where the survey is closed
const text = find("instrument").textContent;
const { sha256: hash, state } = find("main").dataset;
const instrument = JSON.parse(text);
const { survey, series = survey, shared_device: shared } = instrument; // the series: all versions of this survey
const preview = state === "preview";
const kept = keeper(`candor ${series}`, !preview && !shared);
const drawing = lot(instrument, `candor drawn ${series}`, hash, !preview);

const practised = JSON.parse(find("practice")?.dataset.mechanism ?? "null");
const needsTicket = Boolean(form && instrument.tickets && !preview);
const ticketOf = (version) => ticketKeeper(version, !preview && !shared);
const ticket = ticketOf(survey);

// --- Steps: the introduction, a page for each question that is asked, for the rows of a grid or for those of a section,
// the list to look over. Each is the sections that stand on it. Which questions are asked changes with the answers that
// are sent as they are.

let possible = instrument.questions; // those that the lot did not leave out
let asked = []; // of these, those on the path that the answers so far lead on
const done = new Set(); // keys of those that were answered
let steps = form ? [[find("intro")]] : [];
let at = 0;
let listed = false; // whether the list was reached, so that a changed answer leads back to it

let imprints = new Map(); // key -> what the device keeps of a written answer: its report is drawn from that
let made = null; // { body, imprints } of the message that was made here

const isAsked = (key) => asked.some((question) => question.key === key);
const isShown = (key) => isAsked(key) && !imprints.has(key);

// Of a step the sections to be shown now, and the keys of the questions that are asked there.
const there = (step) => step.filter((section) => rowsOf(section).length === 0 || rowsOf(section).some(isShown));
const keysOn = (step) => there(step).flatMap((section) => rowsOf(section));

function show(section, ...moments) {
  const step = steps.find((each) => each.includes(section));
  for (const other of document.querySelectorAll("main section")) {
    other.hidden = other !== section;
  }
  if (step) {
    reveal(step);
  }
  if (moments.length) {
    only(section, ...moments);
  }
  find("next")?.toggleAttribute("hidden", ["sending", "unsent", "unfinished"].includes(moments[0]));
  section.querySelector("h1").focus();
  scrollTo(0, 0);
}

// Of the questions on one page those that are asked, with the buttons below the last.
function reveal(step) {
  const shown = there(step);
  for (const section of step) {
    section.hidden = !shown.includes(section);
    section.querySelector(":scope > .govuk-button-group")?.toggleAttribute("hidden", section !== last(shown));
  }
}

function begin() {
  settle();
  unlink(preview);
  imprints = keptImprints();
  possible = drawing.questions();
  narrow(possible);
  lay();
  follow();
  go(beside(1));
}

// Go by the answers so far. What is not asked any more forgets what was chosen there.
function follow() {
  const now = along(possible, read);
  for (const { key } of asked.filter((question) => !now.includes(question))) {
    drop(key);
    done.delete(key);
  }
  asked = now;
  arrange(shownQuestions());
  head(asked);
}

const shownQuestions = () => asked.filter(({ key }) => isShown(key));

function lay() {
  const together = pages(stand(possible), instrument, (section) => rowsOf(section)[0]);
  steps = [[find("intro")], ...together, [find("review")]];
}

const sectionOf = (key) => steps.flat().find((section) => rowsOf(section).includes(key));
const stepWith = (section) => steps.findIndex((step) => step.includes(section));

// The window is wider or narrower now, so that rows stand together or apart. What is chosen stays.
function relay() {
  if (at === 0 || !form.isConnected) {
    return;
  }
  const [before, keys] = [steps[at], keysOn(steps[at])];
  const key = keys.find((each) => read(each) === undefined) ?? keys[0];
  lay();
  head(asked);
  const section = key ? sectionOf(key) : find("review");
  at = stepWith(section);
  if (before.some(({ hidden }) => !hidden) && before.some((each) => !steps[at].includes(each))) {
    complain();
    show(section);
  }
}

const isLast = () => at === steps.length - 1;

// The next step with something on it, or the one before.
function beside(by) {
  let to = at + by;
  while (there(steps[to]).length === 0) {
    to += by;
  }
  return to;
}

// The first step on which an answer is still missing, or the list.
function unfinished() {
  const lacks = (key) => !done.has(key) || read(key) === undefined;
  const found = steps.findIndex((step) => keysOn(step).some(lacks));
  return found === -1 ? steps.length - 1 : found;
}

function go(to, section = there(steps[to])[0]) {
  at = to;
  complain();
  if (isLast()) {
    listed = true;
    list(shownQuestions());
    sayImprints(asked);
  }
  show(section);
}

function change(key) {
  const section = sectionOf(key);
  go(stepWith(section), section);
}

function goOn() {
  follow();
  const keys = keysOn(steps[at]);
  const missing = keys.filter((key) => read(key) === undefined);
  if (missing.length > 0) {
    complain(...missing);
  } else {
    keys.forEach((key) => done.add(key));
    go(listed ? unfinished() : beside(1));
  }
}

// --- Before anything: whether this page may be answered, and what this device has of earlier visits.

async function start() {
  reset(); // some browsers put answers back after a reload
  const changed = await obstacle(instrument.questions, text, hash);
  const reason = changed ?? (form && !statesOdds(instrument, firstOf) ? "changed" : null);
  if (!reason) {
    inherit(kept, hash, survey);
  }
  const record = reason ? null : kept.read();
  if (record?.body || record?.sent?.includes(survey)) {
    drawing.forget(); // it was answered in another tab
  }
  if (record?.body) {
    showDelivery("waiting", record.survey);
  } else if (record?.sent?.includes(survey)) {
    showSent(holds() === "copy" ? record.copy.reports : null, "before");
  } else if (form && reason) {
    only(find("notice"), reason);
  } else if (form) {
    await open();
    if (record?.sent) {
      showArrived(null, "before");
    }
  }
}

async function open() {
  find("notice").hidden = true;
  const locked = needsTicket && !(await admit());
  find("all").disabled = find("begin").disabled = locked;
  warm(form);
  remind();
}

// --- The ticket. Whether this device has one for this survey, signed with the key that its questions name; if it was
// taken before they could be read, then for these questions.

async function admit(...moments) {
  const record = ticket.read();
  const found = record?.ticket !== undefined;
  const its = found && (await isTicket(survey, instrument.tickets.n, record.ticket));
  const good = its && (record.instrument ?? hash) === hash;
  only(find("ticket"), good ? "held" : found ? "foreign" : "none", ticket.lasts() ? "lasting" : "memory", ...moments);
  find("ticket-text").value = good ? record.ticket : "";
  return good;
}

async function paste() {
  const text = find("pasted").value.replace(/\s/g, "");
  const good = await isTicket(survey, instrument.tickets.n, text);
  find("pasting").classList.toggle("govuk-form-group--error", !good);
  find("pasted").setAttribute("aria-describedby", good ? "" : "pasted-error");
  if (good) {
    ticket.write({ ticket: text });
    find("pasted").value = "";
    await open();
    find("ready").focus();
  } else {
    await admit(text.length === TICKET ? "wrong" : "short");
    find("pasted").focus();
  }
}

async function removeTicket() {
  ticket.forget();
  await open();
  find("needed").focus();
}

// After what has been said of another version.
function proceed() {
  settle();
  if (!form.isConnected) {
    location.reload();
    return;
  }
  open();
  show(find("intro"));
}

// --- Sending.

// The message for these truths. From here on the truths are not needed, and the page forgets them.
function prepare() {
  try {
    const truths = new Map(shownQuestions().map(({ key }) => [key, read(key)]));
    const used = new Map([...imprints].filter(([key]) => isAsked(key)));
    const reports = scramble(instrument.questions, truths, used);
    const body = compose(instrument, hash, ticket.read()?.ticket ?? freshKey(), reports);
    return { reports, body, imprints: used };
  } finally {
    erase();
    drawing.forget();
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
    made = fresh;
    sendOff(fresh.body);
  }
}

let gone = false; // whether the person has left; from then on nothing is kept or sent

async function sendOff(fresh) {
  settle();
  show(find("delivery"), "sending");
  const isGone = () => gone;
  const done = await alone(`candor ${series}`, () => deliver({ kept, survey, fresh, isGone }));
  if (gone) {
    return;
  }
  if (["recorded", "spent", "unsure"].includes(done?.outcome)) {
    ticketOf(done.to).forget(); // it is used up
  }
  if (!done) {
    showArrived(null, fresh ? "other" : "before"); // another tab was quicker
  } else if (done.outcome === "recorded") {
    const { to, body, other, late } = done;
    made = made?.body === body ? made : null;
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
    sayImprints(instrument.questions);
    show(find("earlier"), ...moments, form ? "open" : "closed", holds(), ...again());
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

const marks = () => [...shown.moments, holds(), shown.reports && holds() !== "copy" && "offer", ...imprintMarks()];

// What this device keeps of what has arrived.
function holds() {
  const record = kept.read();
  if (!record || !kept.lasts()) {
    return "nothing";
  }
  return !record.copy ? "flag" : record.copy.survey === survey ? "copy" : "older-copy";
}

// Answers sent as they are do not go into the copy, nor whether they led to a question: whoever finds it must find
// nothing that is certain.
function copy() {
  const free = instrument.questions.filter(({ mechanism, when }) => mechanism && when === undefined);
  const scrambled = free.map(({ key }) => [key, shown.reports[key]]);
  kept.write({ sent: [survey], ...kept.read(), copy: { survey, reports: Object.fromEntries(scrambled) } });
  only(find("sent"), ...marks());
  find("kept").focus();
}

// --- Imprints, from which reports on written answers are drawn without asking again.

const keptImprints = () => imprintsFor(instrument.questions, kept.read()?.imprints);

// What is said of another version's answers: that whoever answers anew reveals more, that some reports come from imprints.
function again() {
  const found = keptImprints();
  const anew = instrument.questions.some(({ key, mechanism }) => mechanism && !found.has(key));
  return [form && anew && "anew", found.size > 0 && "imprints"];
}

// Name the questions whose report comes from an imprint.
function sayImprints(questions) {
  const found = keptImprints();
  const keys = new Set(questions.filter(({ key }) => found.has(key)).map(({ key }) => key));
  for (const piece of document.querySelectorAll("[data-imprint]")) {
    piece.hidden = !keys.has(piece.dataset.imprint);
  }
  for (const place of document.querySelectorAll("[data-imprints]")) {
    place.hidden = keys.size === 0;
  }
}

// Whether imprints are kept of what was sent, or may be.
function imprintMarks() {
  const found = keptImprints();
  const isNew = Boolean(made) && shown.reports !== null && [...made.imprints].some(([key, imprint]) => found.get(key) !== imprint);
  return [found.size > 0 && kept.lasts() && "imprints", isNew && kept.lasts() && "offer-imprints"];
}

function keepImprints() {
  const before = kept.read();
  kept.write({ sent: [survey], ...before, imprints: keptWith(instrument.questions, made.imprints, before?.imprints) });
  only(find("sent"), ...marks());
  find("kept").focus();
}

// Take what was sent off this page.
function cover() {
  shown = made = null;
  for (const { key } of instrument.questions) {
    write(find("sent").querySelector(`[data-key="${key}"]`));
  }
}

// --- Practice and the question whether all is clear: with the real randomizer, and for this page only.

let tries = 0;
let matches = 0;

function practise(practice) {
  const inputs = [...practice.querySelectorAll("input")];
  const several = inputs[0].type === "checkbox";
  const chosen = inputs.filter((input) => input.checked).map((input) => Number(input.value));
  if (!several && chosen.length === 0) {
    only(practice, "none");
    return;
  }
  const report = String(randomize(practised, several ? chosen : chosen[0]));
  const picked = report.search(/[01]/); // of several marks one is picked
  tries += 1;
  matches += Number(several ? report[picked] === String(Number(chosen.includes(picked))) : report === String(chosen[0]));
  find("tries").textContent = tries;
  find("matches").textContent = matches;
  only(practice, several ? `${picked}:${report[picked]}` : report, "tried");
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

function renew(to = location.pathname) {
  clear();
  location.replace(to); // loaded anew, in the place of this page in the history
}

function clear() {
  gone = true;
  kept.forget();
  ticket.forget();
  imprints = new Map();
  drawing.forget();
  cover();
  erase();
}

// --- What people do.

const DEEDS = {
  speak: async (button) => {
    speak(button.value);
    await start(); // the texts of this language are compared with the instrument too
    button.focus();
  },
  begin,
  back: () => go(beside(-1)),
  change: (button) => change(button.closest("[data-key]").dataset.key),
  spin: (button) => {
    const { key } = button.closest("[data-key]").dataset;
    spin(instrument.questions.find((question) => question.key === key));
  },
  proceed,
  pasteTicket: paste,
  removeTicket,
  copyTicket: () => {
    find("ticket-text").select();
    admit(document.execCommand("copy") && "copied");
  },
  retry: () => sendOff(null),
  copy,
  "keep-imprints": keepImprints,
  forget: () => {
    [kept, ticket, drawing].forEach((each) => each.forget());
    cover();
    show(find("forgotten"));
  },
  again: () => location.reload(),
  decline: () => {
    settle();
    clear();
    show(find("declined"));
  },
  next,
  renew: () => renew(),
  resume: () => show(there(steps[at])[0]),
  skip: () => find("main").focus(), // not by a fragment, which would stay in the address and the history
  leave: () => renew("/leave/"),
};

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-do], #form button");
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
    (isLast() ? send : goOn)();
  }
});
document.addEventListener("change", (event) => {
  if (event.target.name === "comprehension") {
    only(find("comprehension"), event.target.value);
  } else if (event.target.form === form && at > 0) {
    follow();
    reveal(steps[at]);
  }
});

onWidth(relay);

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

speak(preferred());
start();
