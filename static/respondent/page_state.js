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
// The text is stored besides the object, since the hash is that of the text, byte for byte.
export const instrumentText = find("instrument").textContent;
export const instrument = JSON.parse(instrumentText);
// The SHA-256 of the instrument that the server names. start.js checks it.
export const hash = find("main").dataset.sha256;
// A word of the server: "open", "closed", or "preview" if the author tries the survey out.
export const surveyState = find("main").dataset.state;
export const isPreview = surveyState === "preview";
// Whether several people answer on one device, one after the other.
export const isShared = instrument.shared_device;
// The name of this version of the survey in addresses.
export const survey = instrument.survey;
// The series is the name that all versions of this survey share.
export const series = instrument.series ?? survey;

// On a shared device the next respondent must find nothing of this one.
const isStorageAllowed = !isPreview && !isShared;

/**
 * Return the object that reads, writes and deletes the ticket which this device stores for a
 * version of the survey (see createRecord in storage.js).
 */
export function ticketRecordOf(version) {
  return createTicketRecord(version, isStorageAllowed);
}

// The object that reads and writes what this device stores of the responses to all versions of the
// survey (storage.js).
export const responseRecord = findRecord(survey, series, isStorageAllowed);
// In a preview nothing is stored. On a shared device the tab alone stores the subset, for one
// respondent (question_subset.js), so isStorageAllowed does not matter here.
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
  // The keys of the questions whose answers the respondent has confirmed by Continue.
  answeredKeys: new Set(),

  // Each step is a list of the sections that it consists of: first the introduction, then a step
  // for each question, for the rows of a grid or for a section of questions, and at last the list
  // of all answers. startSurvey() adds all except the introduction. A closed survey has no steps.
  steps: form ? [[find("intro")]] : [],
  // The index of the step that is shown.
  currentStep: 0,
  // Whether the list of all answers (the review) was reached, so that a changed answer leads back
  // to it.
  reviewWasReached: false,
  // Whether answers were removed because their questions are not asked any more, and the
  // respondent has not read this yet.
  answersWereRemoved: false,

  // Whether a message waits to be sent again.
  isMessageWaiting: false,
  // What was sent, while it is shown, as { reports, moments } (see showReceipt); else null.
  receipt: null,
  // Whether the respondent has left. From then on nothing is stored, sent or shown.
  hasLeft: false,
};
