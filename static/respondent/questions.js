// The questions: what is chosen, what is missing, what a spinner drew, and the list to look over before sending.
// Knows nothing of the network, and keeps nothing but what stands in the form and what was drawn.

import { cryptoUint32, uniform } from "../mechanisms/index.js";
import { controlOf, noneOf } from "./controls.js";
import { standsInItsGrid } from "./grids.js";
import { showOnly, textInPageLanguage } from "./languages.js";
import { registerLists, listen } from "./lists.js";
import { parts } from "./odds.js";
import { restoreLinks } from "./links.js";

const form = document.getElementById("form"); // null where the survey is closed
const step = (key) => form.querySelector(`.candor-question[data-key="${key}"]`);
const inputs = (key) => [...form.querySelectorAll(`input[name="q-${key}"]`)];

// Why nobody may answer here, or null.
export async function findObstacle(text, hash) {
  if (self.origin === "null") {
    return "sealed"; // a header keeps the page from its storage, so that it would forget at each load what it sent
  }
  if (!isSecureContext) {
    return "insecure";
  }
  if (!hasRandomNumbers()) {
    return "random";
  }
  return (await sha256(text)) === hash ? null : "changed";
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

// Whether each question stands here with the text and the answers that the instrument has, so that what a
// person reads is what the hash names.
export function fits(questions) {
  registerLists(questions);
  questions.forEach(({ key, kind }) => kinds.set(key, kind));
  return questions.every((question) => {
    const { key, text, choices } = question;
    const shown = inputs(key);
    return (
      shown.length > 0 &&
      standsInItsGrid(question) &&
      step(key)?.querySelector(".candor-question__text").textContent === textInPageLanguage(text) &&
      control(key).check(shown, { ...question, choices: choices.map(textInPageLanguage) })
    );
  });
}

const kinds = new Map(); // question key -> its kind
const control = (key) => controlOf(kinds.get(key), inputs(key));

// What is chosen, as the question's control reads it; undefined where that is no answer.
export function readAnswer(key) {
  return control(key).read(inputs(key));
}

// Whether anything is chosen or typed.
export const isFilled = (questions) =>
  questions.some(({ key }) => inputs(key).some(({ type, checked, value }) => (["radio", "checkbox"].includes(type) ? checked : value !== "")));

// What is typed and “Prefer not to say” are answers to one question, and so are the boxes and “None of these”: whichever
// comes last stands.
function choose({ target }) {
  const box = target.type === "checkbox" && target.checked ? noneOf(target) : null;
  if (box === target) {
    for (const other of target.closest(".govuk-checkboxes").querySelectorAll("input:not([data-none])")) {
      other.checked = false;
    }
  } else if (box) {
    box.checked = false;
  }
  const key = target.name.replace(/^q-/, "");
  const [field, none] = inputs(key);
  const { typed } = kinds.has(key) ? control(key) : {};
  if (typed && none) {
    if (target === field) {
      none.checked = false;
    } else if (none.checked) {
      typed(field);
    }
  }
}

if (form) {
  form.addEventListener("input", choose);
  form.addEventListener("change", choose);
  listen(form);
}

// Say at the top and at the questions that answers are missing; with no key take such messages away.
export function showErrors(...keys) {
  const summary = document.getElementById("errors");
  for (const line of summary.querySelectorAll("[data-key]")) {
    line.hidden = !keys.includes(line.dataset.key);
  }
  for (const question of form.querySelectorAll(".candor-question, .candor-grid tr[data-key]")) {
    mark(question, keys.includes(question.dataset.key));
  }
  summary.hidden = keys.length === 0;
  summary.focus();
}

// An answer came: nothing is wrong with it any more.
export function hideError(key) {
  const summary = document.getElementById("errors");
  summary.querySelector(`[data-key="${key}"]`).hidden = true;
  form.querySelectorAll(`.candor-question[data-key="${key}"], .candor-grid tr[data-key="${key}"]`).forEach((each) => mark(each, false));
  summary.hidden = !summary.querySelector("[data-key]:not([hidden])");
}

function mark(question, wrong) {
  question.classList.toggle("govuk-form-group--error", wrong);
  const message = question.querySelector(".govuk-error-message");
  message.hidden = !wrong;
  const { key } = question.dataset;
  message.querySelector("[data-unreadable]")?.toggleAttribute("hidden", !control(key).isUnreadable(inputs(key)));
  const fieldset = question.querySelector("fieldset");
  for (const described of fieldset ? [fieldset] : question.querySelectorAll("input")) {
    const others = (described.getAttribute("aria-describedby") ?? "").split(" ").filter((id) => id !== message.id);
    described.setAttribute("aria-describedby", (wrong ? [message.id, ...others] : others).join(" ").trim());
  }
}

// The error summary leads to the question by focus alone: a fragment would stay in the address and the history.
export function focusQuestion(key) {
  const question = inputs(key)[0].closest("[data-key]"); // its step, or its row in a grid
  const first = question.querySelector("[data-do=spin]:not([hidden])") ?? inputs(key)[0];
  first.focus();
  question.scrollIntoView();
}

let marks = null; // what stands above questions: the numbers that count them, and the headings of sections

// Leave on the page only what this person may be asked.
export function hideUnavailable(questions) {
  const keys = new Set(questions.map(({ key }) => key));
  const sections = [...form.querySelectorAll(".candor-question")];
  const heading = (section) => section.querySelector(".govuk-caption-l");
  marks = {
    numbers: [...form.querySelectorAll(".candor-progress")], // as many as questions that are asked, at most
    headed: sections.map((section) => ({ key: section.dataset.key, heading: heading(section) })),
  };
  for (const piece of form.querySelectorAll("[data-key]")) {
    if (!keys.has(piece.dataset.key)) {
      piece.remove();
    }
  }
  for (const heading of form.querySelectorAll(".candor-rows")) {
    if (heading.querySelector("[data-key]") === null) {
      heading.remove(); // of a grid in the list to look over
    }
  }
}

// Numbers count the questions that are asked, and the heading of a section stands over the first of them in it.
export function arrangeQuestions(questions) {
  const keys = new Set(questions.map(({ key }) => key));
  const numbers = [...marks.numbers];
  numbers.forEach((number) => number.remove());
  let above = null;
  for (const { key, heading } of marks.headed) {
    above = heading ?? above;
    if (keys.has(key)) {
      step(key).prepend(...numbers.splice(0, 1), ...(above ? [above] : []));
      above = null;
    }
  }
}

// Forget what was chosen at a question. What a spinner drew for it stays: it turns once.
export function clearAnswer(key) {
  control(key).erase(inputs(key));
}

// Write what is chosen into the list on the device.
export function listAnswers(questions) {
  const keys = new Set(questions.map(({ key }) => key));
  for (const line of form.querySelectorAll("#review [data-key]")) {
    line.hidden = !keys.has(line.dataset.key);
  }
  for (const heading of form.querySelectorAll("#review .candor-rows")) {
    heading.hidden = !heading.querySelector("[data-key]:not([hidden])");
  }
  for (const question of questions) {
    const { key } = question;
    const chosen = control(key).show(inputs(key), question);
    const landed = step(key).querySelector(".candor-landed > p:not([hidden]) > strong")?.textContent;
    const line = form.querySelector(`#review [data-key="${key}"] [data-answer]`);
    line.textContent = (landed ? `${landed} ` : "") + (chosen.join(", ") || "–");
  }
}

const drawn = new Map(); // question key -> the one number drawn for it, from 0 to den - 1

// Turn the spinner of a question, once for as long as this page is open.
export async function spin({ key, mechanism }) {
  if (drawn.has(key)) {
    return;
  }
  drawn.set(key, uniform(mechanism.den, cryptoUint32));
  const question = step(key);
  await turn(question.querySelector(".candor-spinner__hand"), (360 * (drawn.get(key) + 0.5)) / mechanism.den);
  let rest = drawn.get(key);
  const [act] = parts(mechanism).find(([, weight]) => (rest -= weight) < 0);
  showOnly(question, act, "drawn", mayHaveSpun && "reloaded");
  question.querySelector("[data-do=spin]").hidden = true;
  const landed = question.querySelector(".candor-landed");
  landed.tabIndex = -1;
  landed.focus();
  landed.scrollIntoView();
}

// Where a spinner has landed cannot be kept while the page is loaded again: beside what is sent it would be the truth.
// So the page only says what to do then.
const loaded = performance.getEntriesByType("navigation")[0]?.type;
const mayHaveSpun = ["reload", "back_forward"].includes(loaded);
export const wasReloaded = loaded === "reload";

export function showSpinnerReminder() {
  for (const question of form.querySelectorAll("[data-mode=spinner]")) {
    showOnly(question, mayHaveSpun && "reloaded");
  }
}

async function turn(hand, angle) {
  hand.setAttribute("transform", `rotate(${angle})`);
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) {
    const frames = [{ transform: "rotate(0deg)" }, { transform: `rotate(${1080 + angle}deg)` }];
    const turning = hand.animate(frames, { duration: 1500, easing: "ease-out" });
    await new Promise((end) => {
      turning.onfinish = turning.oncancel = end;
    });
  }
}

// Forget what was chosen and drawn.
export function clearForm() {
  drawn.clear();
  for (const one of document.forms) {
    one.reset();
  }
}

// Forget it and take everything away in which it could be seen.
export function eraseForm() {
  clearForm();
  form?.remove();
  document.getElementById("intro")?.remove();
  restoreLinks();
}
