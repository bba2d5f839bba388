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

// Moments of the delivery in which a shared device cannot be handed over: while a message is being
// sent, and while the page asks already whether a message or answers may be discarded. The button
// for the next respondent is hidden then.
const MOMENTS_WITHOUT_NEXT = ["sending", "unsent", "unfinished"];

// The directions in which a respondent can go from a step.
export const FORWARD = 1;
export const BACKWARD = -1;

/** Return whether a question is on the path that the answers so far lead to. */
function isAsked(key) {
  return state.askedQuestions.some((question) => question.key === key);
}

/** Return whether a question has no answer, or one that cannot be sent, such as half a number. */
function isUnanswered(key) {
  return readAnswer(key) === undefined;
}

/** Return the sections of the step that the respondent is at, whether it is visible or not. */
function currentStep() {
  return state.steps[state.currentStep];
}

/**
 * Return the sections of a step that can be shown now: those with a question that is asked, and
 * those without questions, which are the introduction and the list of all answers.
 */
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
 * heading.
 *
 * On a shared device the button “For the next person” is below all sections. It is visible, except
 * at the moments of the delivery in MOMENTS_WITHOUT_NEXT.
 *
 * moments: only the parts of the section for these moments are visible (see `showOnly`); without
 * moments its parts stay as they are. For the delivery, the first one is its outcome or state.
 */
export function showSection(section, ...moments) {
  const step = state.steps.find((sections) => sections.includes(section));
  for (const otherSection of document.querySelectorAll("main section")) {
    otherSection.hidden = otherSection !== section;
  }
  // Only a table with many columns makes the page wider. If the step has one, showStep() says so.
  document.body.dataset.columns = "";
  if (step) {
    showStep(step);
  }
  if (moments.length > 0) {
    showOnly(section, ...moments);
  }
  // Other devices have no such button. Other sections never have these moments as the first one.
  find("next")?.toggleAttribute("hidden", MOMENTS_WITHOUT_NEXT.includes(moments[0]));
  // The focus on the heading makes screen readers read it. It may scroll, so scrolling comes last.
  section.querySelector("h1").focus();
  scrollTo(0, 0);
}

/**
 * Show the questions of a step that are asked, with the buttons below the last one. This hides the
 * other sections of the step, but no other section of the page.
 */
function showStep(step) {
  const visible = visibleSections(step);
  const wideGrid = visible.find((section) => section.dataset.columns);
  document.body.dataset.columns = wideGrid?.dataset.columns ?? "";
  for (const section of step) {
    section.hidden = !visible.includes(section);
    // Each section has buttons, since it can be a step by itself.
    const buttons = section.querySelector(":scope > .govuk-button-group");
    buttons?.toggleAttribute("hidden", section !== lastOf(visible));
  }
}

/**
 * Leave the introduction and go to the first question. From now on the language and the questions
 * of the question subset are fixed, and the page has no link with an address.
 */
export function startSurvey() {
  removeOtherLanguages();
  // The author who looks at a preview may follow the links: no answer is sent.
  if (!isPreview) {
    disableLinks();
  }
  state.availableQuestions = questionSubset.questions();
  // Questions are removed before steps are built, since whether a grid is a table depends on how
  // many of its rows are left.
  hideUnavailable(state.availableQuestions);
  buildSteps();
  updatePath();
  goToStep(nearestVisibleStep(FORWARD));
}

/**
 * Update which questions are asked, from the answers so far. The answers to questions that are no
 * longer asked are deleted, and the page remembers that it has to say so.
 */
function updatePath() {
  const questionsOnPath = questionsAskedOf(state.availableQuestions, readAnswer);
  for (const question of state.askedQuestions) {
    if (!questionsOnPath.includes(question)) {
      const wasAnswered = state.answeredKeys.delete(question.key);
      if (wasAnswered) {
        state.answersWereRemoved = true;
      }
      clearAnswer(question.key);
    }
  }
  state.askedQuestions = questionsOnPath;
  // The second call copies the captions that the first one arranges.
  arrangeQuestions(questionsOnPath);
  showGridHeadings(questionsOnPath);
}

/**
 * Divide the available questions into steps, between the introduction and the list of all answers.
 * The rows of grids become tables where there is room.
 */
function buildSteps() {
  // Steps are made of all available questions. Those that are not asked are skipped later.
  const sections = sectionsOf(state.availableQuestions);
  // All rows of a grid belong to one section of the survey, so its first row stands for them.
  const keyOf = (section) => questionKeysIn(section)[0];
  const questionSteps = groupIntoSteps(sections, instrument, keyOf);
  state.steps = [[find("intro")], ...questionSteps, [find("review")]];
}

/** Return the section that has a question now: its own one, or the table of its grid. */
function sectionOfQuestion(key) {
  const sections = state.steps.flat();
  return sections.find((section) => questionKeysIn(section).includes(key));
}

/** Return the index of the step that has a section, or -1 if no step has it. */
function stepIndexOf(section) {
  return state.steps.findIndex((step) => step.includes(section));
}

/**
 * Divide the questions again after the window has become wider or narrower, so that rows of grids
 * may form a table or not. All answers stay, and the first question of the step without an answer
 * remains visible, or else the first question of the step.
 */
export function rebuildSteps() {
  // At the introduction there are no steps of questions yet: startSurvey() builds them for the
  // width of that moment. After Send the questions are gone.
  if (state.currentStep === 0 || !form.isConnected) {
    return;
  }
  const oldStep = currentStep();
  const oldKeys = questionKeysOf(oldStep);
  const key = oldKeys.find(isUnanswered) ?? oldKeys[0];
  buildSteps();
  showGridHeadings(state.askedQuestions);
  // Only the list of all answers has no question.
  const section = key ? sectionOfQuestion(key) : find("review");
  state.currentStep = stepIndexOf(section);

  // Another section, such as the delivery, may be visible instead of the step.
  const wasVisible = oldStep.some((oldSection) => !oldSection.hidden);
  // A step never changes by gaining sections only: a table takes the place of its rows, and rows
  // take the place of their table. So it is enough to look for old sections that are missing.
  const hasChanged = oldStep.some((oldSection) => !currentStep().includes(oldSection));
  if (wasVisible && hasChanged) {
    // Without keys this removes the messages, which may concern questions of another step now.
    showErrors();
    showSection(section);
  }
}

/** Return whether the respondent is at the list of all answers, from which they are sent. */
export function isLastStep() {
  return state.currentStep === state.steps.length - 1;
}

/**
 * Return the index of the nearest step in a direction that has a section to show.
 *
 * direction: FORWARD or BACKWARD.
 */
export function nearestVisibleStep(direction) {
  // The introduction and the list of all answers are always visible, so this comes to an end.
  let index = state.currentStep + direction;
  while (visibleSections(state.steps[index]).length === 0) {
    index += direction;
  }
  return index;
}

/**
 * Return the index of the first step with a question that is asked and not answered, or of the
 * list of all answers if there is none.
 */
function firstUnansweredStep() {
  // An answer counts as given once the respondent has confirmed it by Continue.
  const isMissing = (key) => !state.answeredKeys.has(key) || isUnanswered(key);
  const index = state.steps.findIndex((step) => questionKeysOf(step).some(isMissing));
  return index === -1 ? state.steps.length - 1 : index;
}

/**
 * Go to the step with an index, and to one of its sections, or else the first visible one. At the
 * list of all answers this fills the list, and says once if answers were removed.
 */
export function goToStep(index, section = visibleSections(state.steps[index])[0]) {
  state.currentStep = index;
  // Without keys this removes the messages of the step that is left.
  showErrors();
  if (isLastStep()) {
    state.reviewWasReached = true;
    listAnswers(state.askedQuestions);
    find("removed")?.toggleAttribute("hidden", !state.answersWereRemoved);
    state.answersWereRemoved = false;
  }
  showSection(section);
}

/**
 * Go back from the list of all answers to the question whose answer the respondent wants to change.
 */
export function changeAnswer(key) {
  const section = sectionOfQuestion(key);
  goToStep(stepIndexOf(section), section);
}

/** Show the current step again, after something else, such as the delivery, was shown. */
export function resumeStep() {
  showSection(visibleSections(currentStep())[0]);
}

/**
 * Show the current step again after an answer on it has changed, which may change which of its
 * questions are asked.
 */
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

/**
 * Go on from the current step, or show which of its answers are missing.
 *
 * The way leads to the next step. Once the list of all answers has been reached, it leads to the
 * first step with an unanswered question, or else back to that list.
 */
export function continueFromStep() {
  updatePath();
  const keys = questionKeysOf(currentStep());
  const missingKeys = keys.filter(isUnanswered);
  if (missingKeys.length > 0) {
    showErrors(...missingKeys);
    return;
  }
  keys.forEach((key) => state.answeredKeys.add(key));
  if (state.reviewWasReached) {
    // A changed answer may have opened a path with questions that were never asked before.
    goToStep(firstUnansweredStep());
  } else {
    goToStep(nearestVisibleStep(FORWARD));
  }
}
