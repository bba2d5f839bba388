// The start of the page: whether it may be answered, and what this device has of earlier visits;
// the introduction; and the ticket of a survey that only invited people can answer.

import { TICKET_LETTERS, isTicket } from "../tickets/token.js";
import { isAsPublished } from "./comparison.js";
import { showArrived, showDelivery, showReceipt, storedState } from "./delivery.js";
import { showOnly } from "./languages.js";
import { prepareLists } from "./lists.js";
import {
  find,
  form,
  hash,
  instrument,
  instrumentText,
  isPreview,
  isShared,
  questionSubset,
  responseRecord,
  state,
  survey,
  ticketRecord,
} from "./page_state.js";
import { clearForm, findObstacle, showSpinnerReminder, wasReloaded } from "./questions.js";
import { eraseExpired, isDone } from "./sending.js";
import { removeOldFields, removeOldRecords } from "./storage.js";
import { enableTryOut } from "./try_it.js";

/**
 * Check whether the page may be answered, and show what fits the record of this device. If it may
 * not, a notice says why, and the form stays disabled. This is called when the page is loaded, and
 * when another language was picked.
 */
export async function start() {
  // Some browsers put answers back after a reload.
  clearForm();
  // The texts are compared before this program waits for anything: meanwhile a translator in the
  // browser could change them.
  const isRightPage = isAsPublished(instrument, form) && isOfThisAddress();
  let obstacle = await findObstacle(instrumentText, hash);
  if (obstacle === null && !isRightPage) {
    obstacle = "changed";
  }
  if (state.hasLeft) {
    // The respondent has left meanwhile, and the page is empty.
    return;
  }
  if (obstacle) {
    // Without a form the page says that the survey is closed, and needs no further notice.
    if (form) {
      showOnly(find("notice"), obstacle);
    }
    return;
  }
  removeOldRecords(responseRecord, hash, survey);
  removeOldFields(responseRecord);
  await showStoredState();
}

/**
 * Show what fits the record of this device: a message that waits or has expired, what was sent, or
 * else the introduction. The page of a closed survey stays as it is if the record has nothing.
 */
async function showStoredState() {
  const expiredVersion = eraseExpired(responseRecord);
  const stored = responseRecord.read();
  if (stored?.body || isDone(stored, survey)) {
    // The survey was answered in another tab or in an earlier visit.
    questionSubset.forget();
  }

  if (stored?.body) {
    showDelivery("waiting", stored.survey);
  } else if (expiredVersion) {
    showDelivery("over", expiredVersion);
  } else if (stored?.sent?.includes(survey)) {
    const hasCopy = storedState() === "copy";
    // Without a copy (null) the receipt says only that a response was sent.
    showReceipt(hasCopy ? stored.copy.reports : null, "before");
  } else if (stored?.unsure?.includes(survey)) {
    showDelivery("unsure", survey);
  } else if (form) {
    await showIntroduction();
    // Another version was answered: the page says so instead of the introduction, which it shows
    // after that. Nothing of the reports is known here (null).
    if (stored?.sent) {
      showArrived(null, "before");
    }
  }
}

/**
 * Return false if the address names another survey than the page does. Such a page would look for
 * another record than the survey has, and people who have answered would be asked again, although
 * repeated answers make the truth easier to guess.
 */
function isOfThisAddress() {
  // Respondents get addresses below /s/, and only these name a survey. A preview and a sample have
  // other addresses, and store and send nothing, so there is nothing to compare.
  if (isPreview || !location.pathname.startsWith("/s/")) {
    return true;
  }
  return location.pathname === `/s/${survey}/`;
}

// --- The introduction and the ticket.

/**
 * Prepare the introduction, which is visible in the page as it comes, for being read and left by
 * Start: unlock the form, show the notices and warnings that fit this device, and set up the card
 * to try out, the long lists and the reminders at spinners. It stays locked if a ticket is needed
 * and missing: then only the parts about the ticket can be used. Other sections are not touched.
 *
 * This is called when the page is opened, after a notice about another version, and when the ticket
 * of this device has changed.
 */
export async function showIntroduction() {
  // A closed survey has neither form nor introduction: nothing there calls this function, and no
  // ticket could help. A preview sends nothing, and needs none.
  const needsTicket = Boolean(form && instrument.tickets && !isPreview);
  const isLocked = needsTicket && !(await checkTicket());
  if (state.hasLeft) {
    // The respondent has left while the ticket was checked, and the page is empty.
    return;
  }
  showOnly(find("notice"), wasReloaded && !isLocked ? "reloaded" : "");
  // The first one is the fieldset around the form, the second one the button that starts. Both are
  // disabled in the page as it comes.
  find("all").disabled = isLocked;
  find("begin").disabled = isLocked;
  for (const element of document.querySelectorAll("[data-unlocked]")) {
    element.hidden = isLocked;
  }
  // This warns that the record lives only as long as the page. On a shared device it always does.
  find("unkept").hidden = isPreview || isShared || responseRecord.lasts();
  enableTryOut(find("try"), instrument.questions);
  prepareLists(form);
  showSpinnerReminder();
}

/**
 * Check the ticket of this device, and show whether it is missing, usable or foreign. Resolves to
 * whether the survey can be answered with it.
 *
 * The ticket must be signed for this survey with the key that its questions name. If it was taken
 * before the questions could be read, it must be for these questions.
 *
 * moments: further moments whose parts are shown: "wrong" or "short" for a ticket that was pasted,
 * "copied" after the ticket was copied.
 */
async function checkTicket(...moments) {
  const { ticket, instrument: promisedHash } = ticketRecord.read() ?? {};
  const hasTicket = ticket !== undefined;
  const isOfSurvey = hasTicket && (await isTicket(survey, instrument.tickets.n, ticket));
  if (state.hasLeft) {
    // The respondent has left while the signature was verified.
    return false;
  }

  // The page of tickets promises certain questions, and stores their hash with the ticket. A ticket
  // that was pasted has no hash, since it was pasted into the page that shows the questions.
  const isForTheseQuestions = promisedHash === undefined || promisedHash === hash;
  const isUsable = isOfSurvey && isForTheseQuestions;
  let ticketMoment = "none";
  if (isUsable) {
    ticketMoment = "held";
  } else if (hasTicket) {
    ticketMoment = "foreign";
  }
  const storageMoment = ticketRecord.lasts() ? "lasting" : "memory";
  showOnly(find("ticket"), ticketMoment, storageMoment, ...moments);
  find("ticket-text").value = isUsable ? ticket : "";
  return isUsable;
}

/**
 * Check a ticket that was pasted. Store it, so that the survey can be answered, or say what is
 * wrong with it.
 */
export async function acceptPastedTicket() {
  const field = find("pasted");
  // Mails and chats break a long text into lines.
  const ticket = field.value.replace(/\s/g, "");
  const isAccepted = await isTicket(survey, instrument.tickets.n, ticket);
  if (state.hasLeft) {
    // From now on nothing may be stored or shown.
    return;
  }
  find("pasting").classList.toggle("govuk-form-group--error", !isAccepted);
  field.setAttribute("aria-describedby", isAccepted ? "" : "pasted-error");
  if (isAccepted) {
    ticketRecord.write({ ticket });
    field.value = "";
    await showIntroduction();
    // This says that the ticket is here.
    find("ready").focus();
  } else {
    // No ticket was stored, so this only shows what is wrong with the text.
    await checkTicket(ticket.length === TICKET_LETTERS ? "wrong" : "short");
    field.focus();
  }
}

/** Remove the ticket from this device, and lock the introduction again. */
export async function removeTicket() {
  ticketRecord.forget();
  await showIntroduction();
  find("needed").focus();
}

/** Copy the ticket, and say so if the browser could do it. */
export function copyTicket() {
  // execCommand() copies what is selected. The oldest browsers have it, and it asks no permission.
  find("ticket-text").select();
  const wasCopied = document.execCommand("copy");
  checkTicket(wasCopied ? "copied" : "");
}
