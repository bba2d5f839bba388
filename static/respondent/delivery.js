// Sending and its receipt: the answers are scrambled once and erased, the message is delivered, and
// what was sent is shown from memory, once, or from the copy that a respondent asked for.

import { removeOtherLanguages, showOnly } from "./languages.js";
import { freshKey } from "./oldest.js";
import {
  find,
  form,
  hash,
  instrument,
  isPreview,
  isShared,
  questionSubset,
  responseRecord,
  series,
  state,
  survey,
  surveyState,
  ticketRecord,
  ticketRecordOf,
} from "./page_state.js";
import { eraseForm, readAnswer } from "./questions.js";
import { writeReport } from "./report_texts.js";
import { buildMessage, deliver, scramble } from "./sending.js";
import { showSection } from "./steps.js";
import { withLock } from "./storage.js";

// The outcomes of `deliver` in sending.js after which a message waits to be sent again.
const WAITING_OUTCOMES = ["waiting", "unreachable", "busy"];
// The outcomes after which a message ends without a confirmation.
const DOUBTED_OUTCOMES = ["spent", "unsure", "over"];

/**
 * Return the scrambled answers as { reports, body }: by the keys of the questions, and as the body
 * of the message.
 *
 * The answers and the question subset are erased, even if this function throws. Otherwise the same
 * answers could be scrambled again, and many reports of one answer would show the truth.
 */
function makeMessage() {
  try {
    const truths = new Map(state.askedQuestions.map(({ key }) => [key, readAnswer(key)]));
    const reports = scramble(instrument.questions, truths);
    // The server counts each message key once. If people are invited, it is their ticket.
    const messageKey = ticketRecord.read()?.ticket ?? freshKey();
    const body = buildMessage(instrument, hash, messageKey, reports);
    return { reports, body };
  } finally {
    eraseForm();
    questionSubset.forget();
  }
}

/**
 * Scramble the answers and send them, when Send is pressed; in a preview, only show the result. The
 * form is erased in any case.
 */
export function sendAnswers() {
  let message;
  try {
    message = makeMessage();
  } catch (error) {
    // Only the name is logged, since the text of an error could quote an answer.
    console.error(error.name);
    showSection(find("delivery"), "failed");
    return;
  }
  if (isPreview) {
    showReceipt(message.reports, "now");
  } else {
    deliverMessage(message.body);
  }
}

/**
 * Deliver the message that this device stores, or else `fresh`, and show the outcome.
 *
 * fresh: the body of a new message, or null if there is none and the stored message is sent again.
 *
 * This is called after Send, when a respondent tries again, and when the network comes back.
 */
export async function deliverMessage(fresh) {
  // Picking another language starts the page anew, in the middle of a delivery.
  removeOtherLanguages();
  state.isMessageWaiting = false;
  showSection(find("delivery"), "sending");
  const hasLeft = () => state.hasLeft;
  // The lock keeps two tabs of this browser from sending two responses.
  const result = await withLock(`candor ${series}`, () =>
    deliver({ record: responseRecord, survey, fresh, hasLeft }),
  );
  if (state.hasLeft) {
    // The respondent has left meanwhile, and the page must stay empty.
    return;
  }
  if (!result) {
    // There was nothing to send: another tab was quicker. A fresh message is discarded then. Its
    // reports are not shown (null), since they did not arrive.
    showArrived(null, fresh ? "other" : "before");
    return;
  }

  const { outcome, version, body, isOther, isLate } = result;
  if (outcome === "recorded" || DOUBTED_OUTCOMES.includes(outcome)) {
    // The ticket is used up.
    ticketRecordOf(version).forget();
  }
  if (outcome === "recorded") {
    // The page has no texts for the reports of another version.
    const reports = version === survey ? JSON.parse(body).reports : null;
    showArrived(reports, isOther ? "other" : "now", isLate ? "late" : "");
  } else {
    showDelivery(outcome, version);
  }
}

/**
 * Show the outcome of a delivery that was not confirmed, and note in the state whether a message is
 * waiting. Which parts are shown also depends on where the message is stored, and on whether the
 * survey is open.
 *
 * outcome: an outcome of `deliver` in sending.js, or "waiting" if a message is stored that has not
 * been sent again yet.
 * version: the version of the survey that the message goes to.
 */
export function showDelivery(outcome, version) {
  state.isMessageWaiting = WAITING_OUTCOMES.includes(outcome);
  // Where the message waits: on disk ("lasting"), or only in this page ("memory"). On a shared
  // device it is always the latter, on purpose ("shared").
  let storageMoment = "memory";
  if (isShared) {
    storageMoment = "shared";
  } else if (responseRecord.lasts()) {
    storageMoment = "lasting";
  }
  let versionMoments = [surveyState];
  if (version !== survey) {
    // Whether the survey of this page is open says nothing about the other version. This page can
    // still be answered if it has a form and the message to the other version is not sent again.
    // After the doubted outcomes that is so, although nobody knows whether it arrived.
    const canContinue = form && DOUBTED_OUTCOMES.includes(outcome);
    versionMoments = ["another", canContinue ? "on" : ""];
  }
  showSection(find("delivery"), outcome, storageMoment, ...versionMoments);
}

// --- The receipt.

/**
 * Show that a response has arrived: the receipt if it is of this version; that an earlier version
 * was answered; or that this device stores nothing of it any more.
 *
 * reports: what was sent by the keys of the questions, or null if it is not known.
 * moments: how the response arrived: "now", from another tab ("other") or in an earlier visit
 * ("before"); and "late" if the message was stored long enough to be in the files of the browser.
 */
export function showArrived(reports, ...moments) {
  const versions = responseRecord.read()?.sent ?? [];
  if (reports || versions.includes(survey)) {
    showReceipt(reports, ...moments);
  } else if (versions.length > 0) {
    // If both versions are answered, two reports of one truth make it easier to guess the truth.
    // The moment "anew" warns of that. Without a form this version is closed, and cannot be
    // answered.
    const hasScrambled = instrument.questions.some(({ mechanism }) => mechanism);
    showSection(
      find("earlier"),
      ...moments,
      form ? "open" : "closed",
      storedState(),
      form && hasScrambled ? "anew" : "",
    );
  } else {
    showSection(find("forgotten"));
  }
}

/**
 * Show the receipt: the section that says that the answers were sent, with what was sent of each
 * question. In a preview it shows what would be sent.
 *
 * reports: what was sent by the keys of the questions, or null to show only that it was sent.
 * moments: as for `showArrived`.
 */
export function showReceipt(reports, ...moments) {
  // While the receipt is shown, receiptMoments() and the copy on the device read this.
  state.receipt = { reports, moments };
  for (const question of instrument.questions) {
    // Without reports each cell is emptied.
    writeReport(findCell(question), question, reports?.[question.key]);
  }
  // This part of the receipt holds the cells.
  find("see").hidden = !reports;
  showSection(find("sent"), ...receiptMoments());
}

/** Return the cell of the receipt for the report of a question. */
function findCell(question) {
  return find("sent").querySelector(`[data-key="${question.key}"]`);
}

/**
 * Return the list of the moments whose parts of the receipt are visible: how the response arrived,
 * what this device stores of it and, if a copy can be stored, "offer".
 */
function receiptMoments() {
  const { reports, moments } = state.receipt;
  const stored = storedState();
  const visibleMoments = [...moments, stored];
  // A copy is stored once, and only if this device stores anything of the survey.
  if (reports && !["copy", "nothing"].includes(stored)) {
    visibleMoments.push("offer");
  }
  return visibleMoments;
}

/**
 * Return what this device still has of what arrived: "nothing"; only the fact ("flag"); or a copy
 * of this version ("copy") or of an older one ("older-copy"). What lives only as long as this page
 * counts as "nothing".
 */
export function storedState() {
  const stored = responseRecord.read();
  if (!stored || !responseRecord.lasts()) {
    return "nothing";
  }
  if (!stored.copy) {
    return "flag";
  }
  return stored.copy.survey === survey ? "copy" : "older-copy";
}

/**
 * Store a copy of the scrambled answers on this device, and say so. This is for the button on the
 * receipt, after the answers have arrived, by which respondents ask to see later what was sent.
 *
 * The copy has no answers that are sent as they are, and does not show whether such an answer led
 * to a question: whoever finds it must find nothing that is certain.
 */
export function keepCopy() {
  const { reports } = state.receipt;
  // A condition (`when`) is on answers that are sent as they are.
  const copied = instrument.questions.filter(
    ({ mechanism, when }) => mechanism && when === undefined,
  );
  const scrambled = copied.map(({ key }) => [key, reports[key]]);
  responseRecord.write({
    // If another tab has deleted the record meanwhile, this says again what was sent.
    sent: [survey],
    ...responseRecord.read(),
    copy: { survey, reports: Object.fromEntries(scrambled) },
  });
  showOnly(find("sent"), ...receiptMoments());
  find("kept").focus();
}

/**
 * Remove what was sent from the page and from its memory, when the respondent leaves the page or
 * removes the record of this device.
 */
export function hideReceipt() {
  state.receipt = null;
  if (!find("sent")) {
    // Exit has removed everything from the page.
    return;
  }
  for (const question of instrument.questions) {
    // Without a report, writeReport() empties the cell.
    writeReport(findCell(question));
  }
}
