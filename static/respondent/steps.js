// The steps from the introduction to the list of all answers. Which questions are asked changes
// with the answers that are sent as they are. Going from step to step touches neither address nor
// history.

import { questionKeysIn, sectionsOf, showGridHeadings } from "./grids.js";
import { removeOtherLanguages, showOnly } from "./languages.js";
import { disableLinks } from "./links.js";
import { lastOf } from "./oldest.js";
import { find, form, instrument, isPreview, questionSubset, state } from "./page_state.js";
import { groupIntoSteps, questionsAskedOf } from "./paths.js";
import {
  arrangeQuestions,
  clearAnswer,
  hideError,
  hideUnavailable,
  listAnswers,
  readAnswer,
  showErrors,
} from "./questions.js";

// Moments of the delivery in which a shared device cannot be handed over.
const MOMENTS_WITHOUT_NEXT = ["sending", "unsent", "unfinished"];

function isAsked(key) {
  return state.askedQuestions.some((question) => question.key === key);
}

function isUnanswered(key) {
  return readAnswer(key) === undefined;
}

function currentStep() {
  return state.steps[state.currentStep];
}

/** Return the sections of a step that are visible now: those with a question that is asked. */
function visibleSections(step) {
  return step.filter((section) => {
    const keys = questionKeysIn(section);
    return keys.length === 0 || keys.some(isAsked);
  });
}

/** Return the keys of the questions in the visible sections of a step. */
function questionKeysOf(step) {
  return visibleSections(step).flatMap(questionKeysIn);
}

/**
 * Show one section of the page, or the whole step that it belongs to, and move the focus to its
 * heading. With moments, only the parts of the section for these moments are visible.
 */
export function showSection(section, ...moments) {
  const step = state.steps.find((sections) => sections.includes(section));
  for (const otherSection of document.querySelectorAll("main section")) {
    otherSection.hidden = otherSection !== section;
  }
  document.body.dataset.columns = "";
  if (step) {
    showStep(step);
  }
  if (moments.length > 0) {
    showOnly(section, ...moments);
  }
  find("next")?.toggleAttribute("hidden", MOMENTS_WITHOUT_NEXT.includes(moments[0]));
  section.querySelector("h1").focus();
  scrollTo(0, 0);
}

/** Show the questions of a step that are asked, with the buttons below the last one. */
function showStep(step) {
  const visible = visibleSections(step);
  const wideGrid = visible.find((section) => section.dataset.columns);
  document.body.dataset.columns = wideGrid?.dataset.columns ?? "";
  for (const section of step) {
    section.hidden = !visible.includes(section);
    const buttons = section.querySelector(":scope > .govuk-button-group");
    buttons?.toggleAttribute("hidden", section !== lastOf(visible));
  }
}

/** Leave the introduction and go to the first question. */
export function startSurvey() {
  removeOtherLanguages();
  disableLinks(isPreview);
  state.availableQuestions = questionSubset.questions();
  hideUnavailable(state.availableQuestions);
  buildSteps();
  updatePath();
  goToStep(nextVisibleStep(1));
}

/**
 * Update which questions are asked, from the answers so far. The answers to questions that are no
 * longer asked are deleted.
 */
function updatePath() {
  const questionsOnPath = questionsAskedOf(state.availableQuestions, readAnswer);
  for (const question of state.askedQuestions) {
    if (!questionsOnPath.includes(question)) {
      const wasAnswered = state.answeredKeys.delete(question.key);
      state.answersWereRemoved = wasAnswered || state.answersWereRemoved;
      clearAnswer(question.key);
    }
  }
  state.askedQuestions = questionsOnPath;
  arrangeQuestions(questionsOnPath);
  showGridHeadings(questionsOnPath);
}

/** Divide the available questions into steps. */
function buildSteps() {
  const sections = sectionsOf(state.availableQuestions);
  const keyOf = (section) => questionKeysIn(section)[0];
  const questionSteps = groupIntoSteps(sections, instrument, keyOf);
  state.steps = [[find("intro")], ...questionSteps, [find("review")]];
}

/** Return the section that has a question now. */
function sectionOfQuestion(key) {
  const sections = state.steps.flat();
  return sections.find((section) => questionKeysIn(section).includes(key));
}

function stepIndexOf(section) {
  return state.steps.findIndex((step) => step.includes(section));
}

/**
 * Divide the questions again after the window has become wider or narrower, so that rows of grids
 * may form a table or not. All answers stay, and the same question remains visible.
 */
export function rebuildSteps() {
  if (state.currentStep === 0 || !form.isConnected) {
    return;
  }
  const oldStep = currentStep();
  const oldKeys = questionKeysOf(oldStep);
  const key = oldKeys.find(isUnanswered) ?? oldKeys[0];
  buildSteps();
  showGridHeadings(state.askedQuestions);
  const section = key ? sectionOfQuestion(key) : find("review");
  state.currentStep = stepIndexOf(section);

  // Another section, such as the delivery, may be visible instead of the step.
  const wasVisible = oldStep.some((oldSection) => !oldSection.hidden);
  const hasChanged = oldStep.some((oldSection) => !currentStep().includes(oldSection));
  if (wasVisible && hasChanged) {
    showErrors();
    showSection(section);
  }
}

/** Return whether the list of all answers is shown. */
export function isLastStep() {
  return state.currentStep === state.steps.length - 1;
}

/**
 * Return the index of the nearest step in a direction (1 or -1) that has a visible section.
 */
export function nextVisibleStep(direction) {
  let index = state.currentStep + direction;
  while (visibleSections(state.steps[index]).length === 0) {
    index += direction;
  }
  return index;
}

/** Return the index of the first step without an answer, or of the list of all answers. */
function firstUnansweredStep() {
  const isMissing = (key) => !state.answeredKeys.has(key) || isUnanswered(key);
  const index = state.steps.findIndex((step) => questionKeysOf(step).some(isMissing));
  return index === -1 ? state.steps.length - 1 : index;
}

/** Go to the step with an index, and to one of its sections, or else the first visible one. */
export function goToStep(index, section = visibleSections(state.steps[index])[0]) {
  state.currentStep = index;
  showErrors();
  if (isLastStep()) {
    state.listWasReached = true;
    listAnswers(state.askedQuestions);
    find("removed")?.toggleAttribute("hidden", !state.answersWereRemoved);
    state.answersWereRemoved = false;
  }
  showSection(section);
}

/** Go back to the question whose answer the respondent wants to change. */
export function changeAnswer(key) {
  const section = sectionOfQuestion(key);
  goToStep(stepIndexOf(section), section);
}

/** Return to the step that was shown before something else, such as the delivery. */
export function resumeStep() {
  showSection(visibleSections(currentStep())[0]);
}

/** Show the step again after an answer on it has changed, which may change what is asked. */
export function refreshStep() {
  updatePath();
  showStep(currentStep());
  clearResolvedErrors();
}

/** Remove the error messages of questions that are answered now. */
export function clearResolvedErrors() {
  const keys = questionKeysOf(currentStep());
  keys.filter((key) => !isUnanswered(key)).forEach(hideError);
}

/** Go to the next step, or show which answers are missing. */
export function continueFromStep() {
  updatePath();
  const keys = questionKeysOf(currentStep());
  const missingKeys = keys.filter(isUnanswered);
  if (missingKeys.length > 0) {
    showErrors(...missingKeys);
    return;
  }
  keys.forEach((key) => state.answeredKeys.add(key));
  goToStep(state.listWasReached ? firstUnansweredStep() : nextVisibleStep(1));
}
