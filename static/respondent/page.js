// The respondent's page. It lets people answer only when answers can be scrambled here, goes from step to step without
// touching address or history, and on Send scrambles once, keeps the result, erases the form and delivers. Between
// loading and Send it asks nothing of the network.

import { TICKET, isTicket } from "../tickets/token.js";
import { isAsPublished } from "./comparison.js";
import { createQuestionSubset } from "./question_subset.js";
import { showGridHeadings, onWidth, questionKeysIn, sectionsOf } from "./grids.js";
import { withLock, removeOldRecords, recordOf, ticketKeeper, removeOldFields } from "./storage.js";
import { showOnly, preferredLanguage, removeOtherLanguages, showLanguage } from "./languages.js";
import { leave } from "./leaving.js";
import { disableLinks } from "./links.js";
import { prepareLists } from "./lists.js";
import { freshKey, last } from "./oldest.js";
import { questionsAskedOf, groupIntoSteps } from "./paths.js";
import {
  arrangeQuestions, focusQuestion, showErrors, clearAnswer, eraseForm, isFilled, listAnswers, hideUnavailable, findObstacle, readAnswer, hideError, showSpinnerReminder, clearForm, spin,
  wasReloaded,
} from "./questions.js";
import { buildMessage, deliver, eraseExpired, isDone, scramble, write } from "./sending.js";
import { enableTryOut, tryOut } from "./try_it.js";

const find = (id) => document.getElementById(id);

const form = find("form"); // null where the survey is closed
const text = find("instrument").textContent;
const { sha256: hash, state } = find("main").dataset;
const instrument = JSON.parse(text);
const { survey, series = survey, shared_device: shared } = instrument; // the series: all versions of this survey
const preview = state === "preview";
const kept = recordOf(survey, series, !preview && !shared);
const drawing = createQuestionSubset(instrument, `candor drawn ${series}`, hash, !preview);

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

let gone = false; // whether the person has left; from then on nothing is kept, sent or shown

let removed = false; // whether answers went because a path closed, and this was not said yet

const isAsked = (key) => asked.some((question) => question.key === key);

// Of a step the sections to be shown now, and the keys of the questions that are asked there.
const visibleSections = (step) => step.filter((section) => questionKeysIn(section).length === 0 || questionKeysIn(section).some(isAsked));
const questionKeysOf = (step) => visibleSections(step).flatMap((section) => questionKeysIn(section));

function showSection(section, ...moments) {
  const step = steps.find((each) => each.includes(section));
  for (const other of document.querySelectorAll("main section")) {
    other.hidden = other !== section;
  }
  document.body.dataset.columns = "";
  if (step) {
    showStep(step);
  }
  if (moments.length) {
    showOnly(section, ...moments);
  }
  find("next")?.toggleAttribute("hidden", ["sending", "unsent", "unfinished"].includes(moments[0]));
  section.querySelector("h1").focus();
  scrollTo(0, 0);
}

// Of the questions on one page those that are asked, with the buttons below the last.
function showStep(step) {
  const shown = visibleSections(step);
  document.body.dataset.columns = shown.find(({ dataset }) => dataset.columns)?.dataset.columns ?? ""; // of a wide grid
  for (const section of step) {
    section.hidden = !shown.includes(section);
    section.querySelector(":scope > .govuk-button-group")?.toggleAttribute("hidden", section !== last(shown));
  }
}

function startSurvey() {
  removeOtherLanguages();
  disableLinks(preview);
  possible = drawing.questions();
  hideUnavailable(possible);
  buildSteps();
  updatePath();
  goToStep(nextVisibleStep(1));
}

// Go by the answers so far. What is not asked any more forgets what was chosen there.
function updatePath() {
  const now = questionsAskedOf(possible, readAnswer);
  for (const { key } of asked.filter((question) => !now.includes(question))) {
    removed = done.delete(key) || removed;
    clearAnswer(key);
  }
  asked = now;
  arrangeQuestions(asked);
  showGridHeadings(asked);
}

function buildSteps() {
  const together = groupIntoSteps(sectionsOf(possible), instrument, (section) => questionKeysIn(section)[0]);
  steps = [[find("intro")], ...together, [find("review")]];
}

const sectionOf = (key) => steps.flat().find((section) => questionKeysIn(section).includes(key));
const stepWith = (section) => steps.findIndex((step) => step.includes(section));

// The window is wider or narrower now, so that rows stand together or apart. What is chosen stays.
function rebuildSteps() {
  if (at === 0 || !form.isConnected) {
    return;
  }
  const [before, keys] = [steps[at], questionKeysOf(steps[at])];
  const key = keys.find((each) => readAnswer(each) === undefined) ?? keys[0];
  buildSteps();
  showGridHeadings(asked);
  const section = key ? sectionOf(key) : find("review");
  at = stepWith(section);
  if (before.some(({ hidden }) => !hidden) && before.some((each) => !steps[at].includes(each))) {
    showErrors();
    showSection(section);
  }
}

const isLast = () => at === steps.length - 1;

// The next step with something on it, or the one before.
function nextVisibleStep(by) {
  let to = at + by;
  while (visibleSections(steps[to]).length === 0) {
    to += by;
  }
  return to;
}

// The first step on which an answer is still missing, or the list.
function firstUnansweredStep() {
  const lacks = (key) => !done.has(key) || readAnswer(key) === undefined;
  const found = steps.findIndex((step) => questionKeysOf(step).some(lacks));
  return found === -1 ? steps.length - 1 : found;
}

function goToStep(to, section = visibleSections(steps[to])[0]) {
  at = to;
  showErrors();
  if (isLast()) {
    listed = true;
    listAnswers(asked);
    find("removed")?.toggleAttribute("hidden", !removed);
    removed = false;
  }
  showSection(section);
}

function changeAnswer(key) {
  const section = sectionOf(key);
  goToStep(stepWith(section), section);
}

// Take the messages away from what is answered now.
function clearResolvedErrors() {
  questionKeysOf(steps[at]).filter((key) => readAnswer(key) !== undefined).forEach(hideError);
}

function continueFromStep() {
  updatePath();
  const keys = questionKeysOf(steps[at]);
  const missing = keys.filter((key) => readAnswer(key) === undefined);
  if (missing.length > 0) {
    showErrors(...missing);
  } else {
    keys.forEach((key) => done.add(key));
    goToStep(listed ? firstUnansweredStep() : nextVisibleStep(1));
  }
}

// --- Before anything: whether this page may be answered, and what this device has of earlier visits.

async function start() {
  clearForm(); // some browsers put answers back after a reload
  const isRight = isAsPublished(instrument, form) && isOfThisAddress(); // before this program waits for anything
  const reason = (await findObstacle(text, hash)) ?? (isRight ? null : "changed");
  if (gone) {
    return; // the person has left meanwhile, and nothing of the page is there any more
  }
  if (!reason) {
    removeOldRecords(kept, hash, survey);
    removeOldFields(kept);
  }
  const late = reason ? null : eraseExpired(kept);
  const record = reason ? null : kept.read();
  if (record?.body || isDone(record, survey)) {
    drawing.forget(); // it was answered in another tab
  }
  if (record?.body) {
    showDelivery("waiting", record.survey);
  } else if (late) {
    showDelivery("over", late);
  } else if (record?.sent?.includes(survey)) {
    showSent(storedState() === "copy" ? record.copy.reports : null, "before");
  } else if (record?.unsure?.includes(survey)) {
    showDelivery("unsure", survey);
  } else if (form && reason) {
    showOnly(find("notice"), reason);
  } else if (form) {
    await showIntroduction();
    if (record?.sent) {
      showArrived(null, "before");
    }
  }
}

// The address is what people were given; a page that names another survey would look for another record.
const isOfThisAddress = () => preview || !location.pathname.startsWith("/s/") || location.pathname === `/s/${survey}/`;

async function showIntroduction() {
  const locked = needsTicket && !(await checkTicket());
  if (gone) {
    return;
  }
  showOnly(find("notice"), wasReloaded && !locked && "reloaded");
  find("all").disabled = find("begin").disabled = locked;
  for (const piece of document.querySelectorAll("[data-unlocked]")) {
    piece.hidden = locked;
  }
  find("unkept").hidden = preview || shared || kept.lasts();
  enableTryOut(find("try"), instrument.questions);
  prepareLists(form);
  showSpinnerReminder();
}

// --- The ticket. Whether this device has one for this survey, signed with the key that its questions name; if it was
// taken before they could be read, then for these questions.

async function checkTicket(...moments) {
  const record = ticket.read();
  const found = record?.ticket !== undefined;
  const its = found && (await isTicket(survey, instrument.tickets.n, record.ticket));
  if (gone) {
    return false;
  }
  const good = its && (record.instrument ?? hash) === hash;
  showOnly(find("ticket"), good ? "held" : found ? "foreign" : "none", ticket.lasts() ? "lasting" : "memory", ...moments);
  find("ticket-text").value = good ? record.ticket : "";
  return good;
}

async function acceptPastedTicket() {
  const text = find("pasted").value.replace(/\s/g, "");
  const good = await isTicket(survey, instrument.tickets.n, text);
  if (gone) {
    return;
  }
  find("pasting").classList.toggle("govuk-form-group--error", !good);
  find("pasted").setAttribute("aria-describedby", good ? "" : "pasted-error");
  if (good) {
    ticket.write({ ticket: text });
    find("pasted").value = "";
    await showIntroduction();
    find("ready").focus();
  } else {
    await checkTicket(text.length === TICKET ? "wrong" : "short");
    find("pasted").focus();
  }
}

async function removeTicket() {
  ticket.forget();
  await showIntroduction();
  find("needed").focus();
}

// This page again; not by reload, after which it says that answers are gone.
const reloadPage = () => location.replace(location.href);

// After what has been said of another version.
function continueAfterNotice() {
  removeOtherLanguages();
  if (!form.isConnected) {
    reloadPage();
    return;
  }
  showIntroduction();
  showSection(find("intro"));
}

// --- Sending.

// The message for these truths. From here on the truths are not needed, and the page forgets them.
function makeMessage() {
  try {
    const truths = new Map(asked.map(({ key }) => [key, readAnswer(key)]));
    const reports = scramble(instrument.questions, truths);
    const body = buildMessage(instrument, hash, ticket.read()?.ticket ?? freshKey(), reports);
    return { reports, body };
  } finally {
    eraseForm();
    drawing.forget();
  }
}

function sendAnswers() {
  let fresh;
  try {
    fresh = makeMessage();
  } catch (error) {
    console.error(error.name); // the name only: a message could quote an answer
    showSection(find("delivery"), "failed");
    return;
  }
  if (preview) {
    showSent(fresh.reports, "now");
  } else {
    deliverMessage(fresh.body);
  }
}

let waits = false; // whether a message waits to be sent again

async function deliverMessage(fresh) {
  removeOtherLanguages();
  waits = false;
  showSection(find("delivery"), "sending");
  const isGone = () => gone;
  const done = await withLock(`candor ${series}`, () => deliver({ kept, survey, fresh, isGone }));
  if (gone) {
    return;
  }
  if (["recorded", "spent", "unsure", "over"].includes(done?.outcome)) {
    ticketOf(done.to).forget(); // it is used up
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
  waits = ["waiting", "unreachable", "busy"].includes(outcome);
  const isOver = ["spent", "unsure", "over"].includes(outcome);
  showSection(find("delivery"), outcome, where, ...(to === survey ? [state] : ["another", form && isOver && "on"]));
}

// --- After sending. What was sent is shown from memory, once, or from the copy that a respondent asked for.

let shown = null;

function showArrived(reports, ...moments) {
  const versions = kept.read()?.sent ?? [];
  if (reports || versions.includes(survey)) {
    showSent(reports, ...moments);
  } else if (versions.length) {
    const anew = form && instrument.questions.some(({ mechanism }) => mechanism);
    showSection(find("earlier"), ...moments, form ? "open" : "closed", storedState(), anew && "anew");
  } else {
    showSection(find("forgotten"));
  }
}

function showSent(reports, ...moments) {
  shown = { reports, moments };
  for (const question of instrument.questions) {
    write(find("sent").querySelector(`[data-key="${question.key}"]`), question, reports?.[question.key]);
  }
  find("see").hidden = !reports;
  showSection(find("sent"), ...marks());
}

const marks = () => [...shown.moments, storedState(), shown.reports && !["copy", "nothing"].includes(storedState()) && "offer"];

// What this device keeps of what has arrived.
function storedState() {
  const record = kept.read();
  if (!record || !kept.lasts()) {
    return "nothing";
  }
  return !record.copy ? "flag" : record.copy.survey === survey ? "copy" : "older-copy";
}

// Answers sent as they are do not go into the copy, nor whether they led to a question: whoever finds it must find
// nothing that is certain.
function keepCopy() {
  const free = instrument.questions.filter(({ mechanism, when }) => mechanism && when === undefined);
  const scrambled = free.map(({ key }) => [key, shown.reports[key]]);
  kept.write({ sent: [survey], ...kept.read(), copy: { survey, reports: Object.fromEntries(scrambled) } });
  showOnly(find("sent"), ...marks());
  find("kept").focus();
}

// Take what was sent off this page.
function hideReceipt() {
  shown = null;
  const sent = find("sent"); // gone after Exit
  for (const { key } of sent ? instrument.questions : []) {
    write(sent.querySelector(`[data-key="${key}"]`));
  }
}

// --- A shared device: nothing of one person is met by the next, and nothing is lost by a slip of the finger.

function handOver() {
  if (kept.read()?.body) {
    showSection(find("delivery"), "unsent", "shared");
  } else if (at > 0 && form.isConnected) {
    showSection(find("delivery"), "unfinished", "shared");
  } else {
    restart();
  }
}

function restart() {
  eraseEverything();
  location.replace(location.pathname); // loaded anew, in the place of this page in the history
}

function eraseEverything() {
  gone = true;
  kept.forget();
  ticket.forget();
  drawing.forget();
  hideReceipt();
  eraseForm();
}

// --- What people do.

const DEEDS = {
  try: (button) => tryOut(find("try"), instrument.questions, Number(button.value)),
  begin: startSurvey,
  back: () => goToStep(nextVisibleStep(-1)),
  change: (button) => changeAnswer(button.closest("[data-key]").dataset.key),
  spin: (button) => {
    const { key } = button.closest("[data-key]").dataset;
    spin(instrument.questions.find((question) => question.key === key));
  },
  proceed: continueAfterNotice,
  pasteTicket: acceptPastedTicket,
  removeTicket,
  copyTicket: () => {
    find("ticket-text").select();
    checkTicket(document.execCommand("copy") && "copied");
  },
  retry: () => deliverMessage(null),
  copy: keepCopy,
  forget: () => {
    [kept, ticket, drawing].forEach((each) => each.forget());
    hideReceipt();
    showSection(find("forgotten"));
  },
  again: reloadPage,
  decline: () => {
    removeOtherLanguages();
    eraseEverything();
    showSection(find("declined"));
  },
  next: handOver,
  renew: () => restart(),
  resume: () => showSection(visibleSections(steps[at])[0]),
  skip: () => find("main").focus(), // not by a fragment, which would stay in the address and the history
  leave: () => {
    eraseEverything();
    leave();
  },
};

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-do], #form button");
  if (button?.matches("a") || (event.detail > 1 && button?.closest("#form"))) {
    event.preventDefault(); // the second half of a double click must not press the button of the next step
  }
  if (button?.closest("#errors")) {
    focusQuestion(button.closest("[data-key]").dataset.key);
  } else if (event.detail < 2 || !button?.closest("#form")) {
    DEEDS[button?.dataset.do]?.(button);
  }
});
document.addEventListener("submit", (event) => {
  event.preventDefault();
  if (event.target === form && at > 0) {
    (isLast() ? sendAnswers : continueFromStep)();
  }
});
document.addEventListener("change", async ({ target }) => {
  if (target.dataset.do === "speak") {
    showLanguage(target.value);
    await start(); // the texts of this language are compared with the instrument too
    target.focus();
  } else if (target.form === form && at > 0) {
    updatePath();
    showStep(steps[at]);
    clearResolvedErrors();
  }
});

// While typing, not when the field is left: what is pressed next would move away below the finger.
addEventListener("input", ({ target }) => target.form === form && at > 0 && clearResolvedErrors());

// Sent again, byte for byte, without a tap.
addEventListener("online", () => waits && !gone && deliverMessage(null));

// What is chosen goes with the page. Nobody is asked where the question would stand before someone looking on.
addEventListener("beforeunload", (event) => {
  const isDiscreet = instrument.neutral_title || instrument.help_lines;
  if (!preview && !gone && !isDiscreet && form?.isConnected && isFilled(instrument.questions)) {
    event.preventDefault();
    event.returnValue = "";
  }
});

onWidth(rebuildSteps);

// Answers must not outlive the visit: not in the browser's history, not in its cache of whole pages.
addEventListener("pagehide", () => {
  clearForm();
  hideReceipt();
});
addEventListener("pageshow", (event) => {
  if (event.persisted) {
    clearForm();
    location.reload();
  }
});

showLanguage(preferredLanguage());
start();
