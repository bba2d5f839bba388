// The questions: answers, missing answers, what a spinner has landed on, and the list of all
// answers before sending. This module knows nothing of the network, and stores nothing besides
// the form and the numbers of the spinners.

import { cryptoUint32, uniform } from "../mechanisms/index.js";
import { encodeText, sha256 } from "../tickets/token.js";
import { controlOf, noneBoxOf } from "./controls.js";
import { findSection, isGridAsPublished } from "./grids.js";
import { showOnly, textInPageLanguage } from "./languages.js";
import { restoreLinks } from "./links.js";
import { addListListeners, registerLists } from "./lists.js";
import { spinnerSectors } from "./odds.js";
import { hexDigits } from "./oldest.js";

// The form is null if the survey is closed.
const form = document.getElementById("form");
// Key of a question -> its kind, such as "yes-no" (see KINDS in controls.js).
const kinds = new Map();

/** Return the inputs of a question in order: buttons, boxes, or a field and perhaps its box. */
function inputsOf(key) {
  return [...form.querySelectorAll(`input[name="q-${key}"]`)];
}

/** Return the control of a question: its functions are described in controls.js. */
function findControl(key) {
  return controlOf(kinds.get(key), inputsOf(key));
}

/** Return the keys of questions as a Set. */
function keysOf(questions) {
  return new Set(questions.map(({ key }) => key));
}

// --- Whether the survey can be answered here.

/**
 * Return why the survey cannot be answered here, as one word, or null if it can.
 *
 * "sealed": the page has no origin, and so no storage.
 * "insecure": the page did not come by HTTPS, and anyone on the way could have changed it.
 * "random": the browser has no cryptographic random numbers.
 * "changed": the instrument is not the one that the hash names.
 */
export async function findObstacle(instrumentText, hash) {
  if (self.origin === "null") {
    // A header keeps the page from its storage, so it would forget at each load what it sent.
    return "sealed";
  }
  if (!isSecureContext) {
    return "insecure";
  }
  if (!hasRandomNumbers()) {
    return "random";
  }
  // The hash is that of the text, byte for byte, and not of the object that it stands for.
  const digest = await sha256(encodeText(instrumentText));
  return hexDigits(digest) === hash ? null : "changed";
}

/** Return whether the browser gives cryptographic random numbers. */
function hasRandomNumbers() {
  // If the function is missing or refuses, it throws. Then nothing could be scrambled.
  try {
    return crypto.getRandomValues(new Uint32Array(1)).length === 1;
  } catch {
    return false;
  }
}

/**
 * Return whether the page has each question with the text and the answers of the instrument, so
 * that a person reads what the hash names.
 *
 * This also registers the questions. The functions of this module that take the key of a question,
 * and those of the long lists, work from then on.
 */
export function areQuestionsAsPublished(questions) {
  registerLists(questions);
  questions.forEach(({ key, kind }) => kinds.set(key, kind));
  return questions.every(isQuestionAsPublished);
}

/**
 * Return whether the text of a question, the texts of its grid and its inputs with their labels
 * are those of the instrument.
 */
function isQuestionAsPublished(question) {
  const { key, text, choices } = question;
  const inputs = inputsOf(key);
  // controls.js takes for granted that there is an input.
  if (inputs.length === 0 || !isGridAsPublished(question)) {
    return false;
  }
  const textElement = findSection(key)?.querySelector(".candor-question__text");
  if (textElement?.textContent !== textInPageLanguage(text)) {
    return false;
  }
  const labels = choices.map(textInPageLanguage);
  return findControl(key).check(inputs, { ...question, choices: labels });
}

// --- Answers.

/**
 * Return the answer to a question, in the form that its control reads; undefined if there is none.
 */
export function readAnswer(key) {
  return findControl(key).read(inputsOf(key));
}

/** Return whether any question has anything chosen or typed, even if it is no answer yet. */
export function isFilled(questions) {
  return questions.some(({ key }) => inputsOf(key).some(isInputFilled));
}

/** Return whether a button or box is checked, or anything is typed in a field. */
function isInputFilled({ type, checked, value }) {
  return ["radio", "checkbox"].includes(type) ? checked : value !== "";
}

/**
 * Remove the answers that a new one excludes. A typed answer and “Prefer not to say” exclude each
 * other, and so do the boxes and “None of these”: the last one stays.
 */
function removeExcludedAnswers({ target }) {
  // Only a box that was just checked excludes other boxes.
  const isCheckedBox = target.type === "checkbox" && target.checked;
  const noneBox = isCheckedBox ? noneBoxOf(target) : null;
  if (noneBox === target) {
    const boxes = target.closest(".govuk-checkboxes");
    for (const box of boxes.querySelectorAll("input:not([data-none])")) {
      box.checked = false;
    }
  } else if (noneBox) {
    noneBox.checked = false;
  }

  const key = target.name.replace(/^q-/, "");
  if (!kinds.has(key)) {
    // The input belongs to no question: it is “None of these”, or in the introduction.
    return;
  }
  const [field, declineBox] = inputsOf(key);
  // Only controls with a field have this function.
  const { eraseTyped } = findControl(key);
  if (!eraseTyped || !declineBox) {
    // Only a field with “Prefer not to say” below it has two answers that exclude each other.
    return;
  }
  if (target === field) {
    declineBox.checked = false;
  } else if (declineBox.checked) {
    eraseTyped(field);
  }
}

if (form) {
  form.addEventListener("input", removeExcludedAnswers);
  form.addEventListener("change", removeExcludedAnswers);
  addListListeners(form);
}

/** Delete the answer to a question. A spinner that was spun for it stays: it is spun only once. */
export function clearAnswer(key) {
  findControl(key).erase(inputsOf(key));
}

// --- Missing answers.

/**
 * Show which answers are missing, at the top and at the questions, and move the focus to the top.
 *
 * keys: the keys of the questions whose answers are missing; without any, all error messages are
 * removed.
 */
export function showErrors(...keys) {
  const summary = document.getElementById("errors");
  for (const line of summary.querySelectorAll("[data-key]")) {
    line.hidden = !keys.includes(line.dataset.key);
  }
  for (const question of form.querySelectorAll(".candor-question, .candor-grid tr[data-key]")) {
    setError(question, keys.includes(question.dataset.key));
  }
  summary.hidden = keys.length === 0;
  // While the summary is hidden, this does nothing.
  summary.focus();
}

/** Remove the error message of a question, and the summary at the top with its last message. */
export function hideError(key) {
  const summary = document.getElementById("errors");
  summary.querySelector(`[data-key="${key}"]`).hidden = true;
  // A row of a grid has both a section and a row of the table; one of them is visible.
  const selector = `.candor-question[data-key="${key}"], .candor-grid tr[data-key="${key}"]`;
  for (const question of form.querySelectorAll(selector)) {
    setError(question, false);
  }
  summary.hidden = !summary.querySelector("[data-key]:not([hidden])");
}

/**
 * Show or hide the error message of a question, and name the message to screen readers.
 *
 * question: the section of the question, or its row in the table of a grid.
 */
function setError(question, hasError) {
  question.classList.toggle("govuk-form-group--error", hasError);
  const message = question.querySelector(".govuk-error-message");
  message.hidden = !hasError;
  const { key } = question.dataset;
  // For numbers the message has one more sentence, if what is typed is no number at all.
  // The messages of other questions lack it, and then isUnreadable() is not called.
  const unreadableHint = message.querySelector("[data-unreadable]");
  unreadableHint?.toggleAttribute("hidden", !findControl(key).isUnreadable(inputsOf(key)));

  // Screen readers read what aria-describedby names. It can have other ids, such as a help text.
  const fieldset = question.querySelector("fieldset");
  const elements = fieldset ? [fieldset] : question.querySelectorAll("input");
  for (const element of elements) {
    const oldIds = (element.getAttribute("aria-describedby") ?? "").split(" ");
    const ids = oldIds.filter((id) => id !== message.id);
    if (hasError) {
      ids.unshift(message.id);
    }
    element.setAttribute("aria-describedby", ids.join(" ").trim());
  }
}

/**
 * Move the focus to a question. A fragment would do the same, but it would stay in the address and
 * the history.
 */
export function focusQuestion(key) {
  const firstInput = inputsOf(key)[0];
  // This is its section, or its row in a grid.
  const question = firstInput.closest("[data-key]");
  // A spinner comes before the answer, so its button has the focus until it was spun.
  const spinButton = question.querySelector("[data-do=spin]:not([hidden])");
  (spinButton ?? firstInput).focus();
  question.scrollIntoView();
}

// --- Which questions are on the page.

// The elements above questions, as { numbers, headings }. They are read before questions are
// removed, because a heading stays even if its question does not.
//   numbers   the elements that count the questions, from the first one on; none if there is only
//             one question
//   headings  { key, heading } for each question: the heading of the section of the survey that
//             begins with this question, or null
let captions = null;

/**
 * Remove the questions that are not in the question subset of this device from the page, for as
 * long as it is open. Before that, remember the captions of all questions, which arrangeQuestions()
 * puts above those that are asked. This is called once, when the respondent presses Start.
 *
 * questions: those that may be asked, depending on their conditions. They stay.
 */
export function hideUnavailable(questions) {
  const keys = keysOf(questions);
  const sections = [...form.querySelectorAll(".candor-question")];
  // Removed questions would take their captions along: a number that another question gets, and the
  // heading of a section whose other questions stay.
  captions = {
    // Unless there is only one question, the page has a number for as many questions as a person is
    // asked at most, so that arrangeQuestions() has one for each.
    numbers: [...form.querySelectorAll(".candor-progress")],
    headings: sections.map((section) => ({
      key: section.dataset.key,
      heading: section.querySelector(".govuk-caption-l"),
    })),
  };
  for (const element of form.querySelectorAll("[data-key]")) {
    if (!keys.has(element.dataset.key)) {
      element.remove();
    }
  }
  // In the list of all answers, each of these holds the heading of a grid with its rows.
  for (const heading of form.querySelectorAll(".candor-rows")) {
    if (heading.querySelector("[data-key]") === null) {
      heading.remove();
    }
  }
}

/**
 * Number the questions that are asked, and put the heading of each section of the survey above the
 * first of its questions that is asked. This is repeated whenever other questions are asked, and
 * needs the captions that hideUnavailable() has remembered.
 */
export function arrangeQuestions(questions) {
  const keys = keysOf(questions);
  // Numbers that are left over at the end belong to no question, and stay out of the page.
  const numbers = [...captions.numbers];
  numbers.forEach((number) => number.remove());
  // The heading of the current section, until one of its questions is asked.
  let pendingHeading = null;
  for (const { key, heading } of captions.headings) {
    pendingHeading = heading ?? pendingHeading;
    if (keys.has(key)) {
      // First the number, then the heading, as in the template. Either can be missing.
      const elements = [numbers.shift(), pendingHeading].filter(Boolean);
      findSection(key).prepend(...elements);
      pendingHeading = null;
    }
  }
}

/** Write all answers into the list at the end, which stays on the device. */
export function listAnswers(questions) {
  const keys = keysOf(questions);
  for (const line of form.querySelectorAll("#review [data-key]")) {
    line.hidden = !keys.has(line.dataset.key);
  }
  for (const heading of form.querySelectorAll("#review .candor-rows")) {
    heading.hidden = !heading.querySelector("[data-key]:not([hidden])");
  }
  for (const question of questions) {
    const { key } = question;
    const texts = findControl(key).show(inputsOf(key), question);
    // No question of the list is without an answer, but a line without any text would look broken.
    const answer = texts.join(", ") || "–";
    // With a spinner the answer only makes sense together with what the spinner said.
    // A question without a spinner has no such element.
    const landed = findSection(key).querySelector(".candor-landed > p:not([hidden]) > strong");
    const element = form.querySelector(`#review [data-key="${key}"] [data-answer]`);
    element.textContent = landed?.textContent ? `${landed.textContent} ${answer}` : answer;
  }
}

// --- Spinners.

// Key of a question -> the one random number for its spinner, from 0 to den - 1.
const spinNumbers = new Map();

// Where a spinner has landed cannot be stored while the page is loaded again: together with what
// is sent it would be the truth. So the page only says what to do then.
const navigationType = performance.getEntriesByType("navigation")[0]?.type;
// Whether somebody may have spun before this page was loaded again or left and opened again.
const mayHaveSpun = ["reload", "back_forward"].includes(navigationType);
// Whether the browser loaded this page again.
export const wasReloaded = navigationType === "reload";

/**
 * Spin the spinner of a question, and show what it says. It is spun once for as long as this page
 * is open: those who could spin again until they like the result would be less protected.
 */
export async function spin({ key, mechanism }) {
  if (spinNumbers.has(key)) {
    // A second tap came while the hand still turns.
    return;
  }
  spinNumbers.set(key, uniform(mechanism.den, cryptoUint32));
  const question = findSection(key);
  // The hand points at the middle of the part of the circle that belongs to the number.
  const hand = question.querySelector(".candor-spinner__hand");
  await turnHand(hand, (360 * (spinNumbers.get(key) + 0.5)) / mechanism.den);

  const sector = sectorOf(mechanism, spinNumbers.get(key));
  showOnly(question, sector, "drawn", mayHaveSpun ? "reloaded" : "");
  question.querySelector("[data-do=spin]").hidden = true;
  const landed = question.querySelector(".candor-landed");
  // An element that is no control takes the focus only with a tabIndex.
  landed.tabIndex = -1;
  landed.focus();
  landed.scrollIntoView();
}

/** Return the name of the sector that a random number from 0 to den - 1 falls into. */
function sectorOf(mechanism, number) {
  // The sectors lie one after the other, and the number is a point on them.
  let rest = number;
  for (const [name, weight] of spinnerSectors(mechanism)) {
    rest -= weight;
    if (rest < 0) {
      return name;
    }
  }
  throw new RangeError("The weights of a spinner must sum to den.");
}

/** Tell respondents that a spinner may have been spun before the page was loaded again. */
export function showSpinnerReminder() {
  for (const question of form.querySelectorAll("[data-mode=spinner]")) {
    showOnly(question, mayHaveSpun ? "reloaded" : "");
  }
}

/** Turn the hand of a spinner to an angle in degrees; resolves when it stands still. */
async function turnHand(hand, angle) {
  hand.setAttribute("transform", `rotate(${angle})`);
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
    // These respondents asked their device for less motion: the hand is at its angle at once.
    return;
  }
  // The hand turns round three times before it comes to its angle.
  const frames = [{ transform: "rotate(0deg)" }, { transform: `rotate(${1080 + angle}deg)` }];
  const animation = hand.animate(frames, { duration: 1500, easing: "ease-out" });
  // The hand stands still too if the browser gives up the animation, as in a hidden element.
  await new Promise((resolve) => {
    animation.onfinish = resolve;
    animation.oncancel = resolve;
  });
}

// --- The end of the answers.

/** Delete all answers and the numbers of spinners. */
export function clearForm() {
  spinNumbers.clear();
  // The introduction has forms too, such as that for a ticket.
  for (const formOfPage of document.forms) {
    formOfPage.reset();
  }
}

/** Delete all answers, and remove everything in which they could be seen from the page. */
export function eraseForm() {
  clearForm();
  form?.remove();
  document.getElementById("intro")?.remove();
  restoreLinks();
}
