// What the modules of the respondent's page share: the instrument, what this device stores of the
// survey, and the state of the page.

import { createQuestionSubset } from "./question_subset.js";
import { createTicketRecord, findRecord } from "./storage.js";

/** Return the element with an id, or null. */
export function find(id) {
  return document.getElementById(id);
}

// The form is null if the survey is closed.
export const form = find("form");
export const instrumentText = find("instrument").textContent;
export const instrument = JSON.parse(instrumentText);
export const hash = find("main").dataset.sha256;
// This is a word of the server: whether the survey is open or closed, or this is a preview.
export const surveyState = find("main").dataset.state;
export const isPreview = surveyState === "preview";
export const isShared = instrument.shared_device;
export const survey = instrument.survey;
// The series is the name that all versions of this survey share.
export const series = instrument.series ?? survey;

const isStorageAllowed = !isPreview && !isShared;

/** Return the record of the ticket for a version of the survey. */
export function ticketRecordOf(version) {
  return createTicketRecord(version, isStorageAllowed);
}

export const responseRecord = findRecord(survey, series, isStorageAllowed);
export const questionSubset = createQuestionSubset(
  instrument,
  `candor drawn ${series}`,
  hash,
  !isPreview,
);
export const ticketRecord = ticketRecordOf(survey);

export const state = {
  // The questions in the question subset of this device.
  availableQuestions: instrument.questions,
  // Of these, the questions on the path that the answers so far lead to.
  askedQuestions: [],
  // The keys of the questions that were answered.
  answeredKeys: new Set(),

  // Each step is a list of the sections that it consists of: first the introduction, then a step
  // for each question, for the rows of a grid or for a section of questions, and at last the list
  // of all answers.
  steps: form ? [[find("intro")]] : [],
  // The index of the step that is shown.
  currentStep: 0,
  // Whether the list of all answers was reached, so that a changed answer leads back to it.
  listWasReached: false,
  // Whether answers were removed because their questions are not asked any more, and the
  // respondent has not read this yet.
  answersWereRemoved: false,

  // Whether a message waits to be sent again.
  isMessageWaiting: false,
  // { reports, moments } of what was sent, while it is shown; else null.
  receipt: null,
  // Whether the respondent has left. From then on nothing is stored, sent or shown.
  hasLeft: false,
};
