// The questions: what is chosen, what is missing, what a spinner drew, and the list to look over before sending.
// Knows nothing of the network, and keeps nothing but what stands in the form and what was drawn.

import { cryptoUint32, uniform } from "../mechanisms/index.js";

const form = document.getElementById("form"); // null where the survey is closed
const step = (key) => form.querySelector(`.candor-question[data-key="${key}"]`);
const inputs = (key) => [...form.querySelectorAll(`input[name="q-${key}"]`)];

// Of the pieces of an element that are meant for some moments only, show those meant for one of these.
export function only(element, ...moments) {
  for (const piece of element.querySelectorAll("[data-when]")) {
    piece.hidden = !piece.dataset.when.split(" ").some((moment) => moments.includes(moment));
  }
}

// Why nobody may answer here, or null.
export async function obstacle(questions, text, hash) {
  if (!isSecureContext) {
    return "insecure";
  }
  if (!hasRandomNumbers()) {
    return "random";
  }
  const same = (await sha256(text)) === hash && (!form || fits(questions));
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

// Whether each question stands here with the text and the answers that the instrument has, so that what a person
// reads is what the hash names. A statement has its own two answers, True and False.
function fits(questions) {
  return questions.every(({ key, text, choices, mode, mechanism }) => {
    const shown = inputs(key);
    if (shown[0]?.type === "number") {
      const bounds = shown[0].min === choices[0] && shown[0].max === choices.at(-1);
      return bounds && step(key).querySelector(".candor-question__text").textContent === text;
    }
    const statement = asIs(mode) && mechanism.design === "warner";
    return (
      step(key)?.querySelector(".candor-question__text").textContent === text &&
      shown.length === choices.length &&
      (statement || shown.every((input) => input.labels[0].textContent === choices[input.value]))
    );
  });
}

// Whether chance has been at work before the answer is chosen, so that the answer itself is the report.
export function asIs(mode) {
  return mode === "spinner" || mode === "by-hand";
}

// The index of the chosen answer (of a number its place among the allowed ones), or undefined; where any number of
// answers may be chosen, the list of their indices.
export function read(key) {
  const all = inputs(key);
  if (all[0].type === "number") {
    const { value, min, validity } = all[0];
    return value !== "" && validity.valid ? Number(value) - Number(min) : undefined;
  }
  const chosen = all.filter((input) => input.checked).map((input) => Number(input.value));
  return all[0].type === "checkbox" ? chosen : chosen[0];
}

// Say at the top and at the question that its answer is missing; with no key take such messages away.
export function complain(key) {
  const summary = document.getElementById("errors");
  for (const line of summary.querySelectorAll("[data-key]")) {
    line.hidden = line.dataset.key !== key;
  }
  for (const question of form.querySelectorAll(".candor-question")) {
    mark(question, question.dataset.key === key);
  }
  summary.hidden = key === undefined;
  summary.focus();
}

function mark(question, wrong) {
  question.classList.toggle("govuk-form-group--error", wrong);
  const message = question.querySelector(".govuk-error-message");
  message.hidden = !wrong;
  const fieldset = question.querySelector("fieldset");
  const others = fieldset.getAttribute("aria-describedby").split(" ").filter((id) => id !== message.id);
  fieldset.setAttribute("aria-describedby", (wrong ? [message.id, ...others] : others).join(" "));
}

// The error summary leads to the question by focus alone: a fragment would stay in the address and the history.
export function attend(key) {
  const question = step(key);
  const first = question.querySelector("[data-do=spin]:not([hidden])") ?? inputs(key)[0];
  first.focus();
  question.scrollIntoView();
}

// Write what is chosen into the list on the device.
export function list(questions) {
  for (const { key } of questions) {
    const given = (input) => (input.type === "number" ? input.value : input.checked && input.labels[0].textContent);
    const chosen = inputs(key).map(given).filter(Boolean);
    const landed = step(key).querySelector(".candor-landed > p:not([hidden]) > strong")?.textContent;
    const line = form.querySelector(`#review [data-key="${key}"] [data-answer]`);
    line.textContent = (landed ? `${landed} ` : "") + (chosen.join(", ") || "–");
  }
}

// What a spinner can land on, with the weight of each part: surveys/modes.py cuts the same matrix in the same order.
export function parts({ design, den, rows }) {
  if (design === "warner") {
    return [["statement", rows[1][1]], ["opposite", rows[1][0]]];
  }
  const [yes, no] = [rows[0][1], rows[1][0]];
  const [first, second] = design === "unrelated-question" ? ["harmless-yes", "harmless-no"] : ["yes", "no"];
  return [["truth", den - yes - no], [first, yes], [second, no]];
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
  only(question, act, "drawn", again && "reloaded");
  question.querySelector("[data-do=spin]").hidden = true;
  const landed = question.querySelector(".candor-landed");
  landed.tabIndex = -1;
  landed.focus();
}

// Where a spinner has landed cannot be kept while the page is loaded again: beside what is sent it would be the truth.
// So the page only says what to do then.
const again = ["reload", "back_forward"].includes(performance.getEntriesByType("navigation")[0]?.type);

export function remind() {
  for (const question of form.querySelectorAll("[data-mode=spinner]")) {
    only(question, again && "reloaded");
  }
}

async function turn(hand, angle) {
  hand.setAttribute("transform", `rotate(${angle})`);
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) {
    const frames = [{ transform: "rotate(0deg)" }, { transform: `rotate(${1080 + angle}deg)` }];
    await hand.animate(frames, { duration: 1500, easing: "ease-out" }).finished.catch(() => {});
  }
}

// Forget what was chosen and drawn.
export function reset() {
  drawn.clear();
  for (const one of document.forms) {
    one.reset();
  }
}

// Forget it and take everything away in which it could be seen.
export function erase() {
  reset();
  form?.remove();
  document.getElementById("intro")?.remove();
}
