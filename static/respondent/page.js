// The respondent's page. It lets people answer only if answers can be scrambled here, and goes from
// step to step without touching address or history. On Send it scrambles the answers once, stores
// the result, erases the form and delivers the message. Between loading and Send it asks nothing
// of the network.

import { deliverMessage, hideReceipt, keepCopy, sendAnswers } from "./delivery.js";
import { onLayoutChange } from "./grids.js";
import { preferredLanguage, removeOtherLanguages, showLanguage } from "./languages.js";
import { leave } from "./leaving.js";
import {
  find,
  form,
  instrument,
  isPreview,
  questionSubset,
  responseRecord,
  state,
  ticketRecord,
} from "./page_state.js";
import { clearForm, eraseForm, focusQuestion, isFilled, spin } from "./questions.js";
import {
  acceptPastedTicket,
  copyTicket,
  removeTicket,
  showIntroduction,
  start,
} from "./start.js";
import {
  BACKWARD,
  changeAnswer,
  clearResolvedErrors,
  continueFromStep,
  goToStep,
  isLastStep,
  nearestVisibleStep,
  rebuildSteps,
  refreshStep,
  resumeStep,
  showSection,
  startSurvey,
} from "./steps.js";
import { tryOut } from "./try_it.js";

// --- Loading the page again, and a shared device: the next person meets nothing of this one, and
// nothing is lost by a slip of the finger.

/**
 * Load this page again, in its own place in the history. This is no reload of the browser, after
 * which the page would say that answers are gone.
 */
function reloadPage() {
  location.replace(location.href);
}

/**
 * Go on to this version after a notice that another version was answered, or that a message to
 * another version has ended.
 */
function continueAfterNotice() {
  // Picking another language starts the page anew, and the notice would come back.
  removeOtherLanguages();
  if (!form.isConnected) {
    // The form was removed with the answers when a message was sent.
    reloadPage();
    return;
  }
  showIntroduction();
  showSection(find("intro"));
}

/**
 * Prepare a shared device for the next respondent, or ask first if something would be lost: a
 * message that has not arrived, or answers that were not sent.
 */
function handOver() {
  if (responseRecord.read()?.body) {
    // The record has a body only until the message has arrived.
    showSection(find("delivery"), "unsent", "shared");
  } else if (state.currentStep > 0 && form.isConnected) {
    // Step 0 is the introduction, where nothing is answered yet. After Send the form is no longer
    // part of the page. In between there can be answers.
    showSection(find("delivery"), "unfinished", "shared");
  } else {
    restart();
  }
}

/**
 * Erase everything, and load the page in the place of this one in the history, without a fragment
 * of its address.
 */
function restart() {
  eraseEverything();
  location.replace(location.pathname);
}

/** Delete all that this device stores of the survey: responses, ticket and question subset. */
function forgetRecords() {
  responseRecord.forget();
  ticketRecord.forget();
  questionSubset.forget();
}

/**
 * Erase the records and the answers, for Exit, for a respondent who declines, and for the next one
 * on a shared device. From now on nothing is stored, sent or shown.
 */
function eraseEverything() {
  state.hasLeft = true;
  forgetRecords();
  hideReceipt();
  eraseForm();
}

/** Return the key of the question that a button belongs to. It is in the element around both. */
function keyOfButton(button) {
  return button.closest("[data-key]").dataset.key;
}

// What each button does, by the name in its data-do. "speak" is missing: that is the field for the
// language, which is dealt with when it changes.
const ACTIONS = {
  // The value of the button is the truth to try: 0 for No, 1 for Yes.
  try: (button) => tryOut(find("try"), instrument.questions, Number(button.value)),
  begin: startSurvey,
  back: () => goToStep(nearestVisibleStep(BACKWARD)),
  change: (button) => changeAnswer(keyOfButton(button)),
  spin: (button) => {
    const key = keyOfButton(button);
    spin(instrument.questions.find((question) => question.key === key));
  },
  proceed: continueAfterNotice,
  pasteTicket: acceptPastedTicket,
  removeTicket,
  copyTicket,
  // null stands for no new message: the stored one is sent again.
  retry: () => deliverMessage(null),
  copy: keepCopy,
  forget: () => {
    forgetRecords();
    hideReceipt();
    showSection(find("forgotten"));
  },
  // Begin again, after the survey was declined or forgotten, or after a preview.
  again: reloadPage,
  // Say no to the survey in the introduction.
  decline: () => {
    // Picking another language would show the introduction again.
    removeOtherLanguages();
    eraseEverything();
    showSection(find("declined"));
  },
  // These are for a shared device. The first button asks before a message or answers are lost; the
  // other two are the replies: discard them, or go on answering.
  next: handOver,
  renew: restart,
  resume: resumeStep,
  // A fragment would stay in the address and the history.
  skip: () => find("main").focus(),
  leave: () => {
    eraseEverything();
    leave();
  },
};

document.addEventListener("click", (event) => {
  // The button that submits the form has no data-do, but a double click can hit it too.
  const button = event.target.closest("[data-do], #form button");
  // The second half of a double click must not press the button of the next step. `detail` counts
  // clicks that quickly follow each other.
  const isRepeated = event.detail > 1 && Boolean(button?.closest("#form"));
  if (button?.matches("a") || isRepeated) {
    event.preventDefault();
  }
  // A line of the error summary leads to its question.
  if (button?.closest("#errors")) {
    focusQuestion(keyOfButton(button));
  } else if (!isRepeated) {
    ACTIONS[button?.dataset.do]?.(button);
  }
});

document.addEventListener("submit", (event) => {
  event.preventDefault();
  // Enter in a field of the introduction submits a form too.
  if (event.target !== form || state.currentStep === 0) {
    return;
  }
  if (isLastStep()) {
    sendAnswers();
  } else {
    continueFromStep();
  }
});

document.addEventListener("change", async ({ target }) => {
  if (target.dataset.do === "speak") {
    // This is the field in which a language is picked.
    showLanguage(target.value);
    // The texts of this language are compared with the instrument too.
    await start();
    target.focus();
  } else if (target.form === form && state.currentStep > 0) {
    refreshStep();
  }
});

// Error messages go while the respondent types, not when the field is left: the button that is
// pressed next would move away below the finger.
addEventListener("input", ({ target }) => {
  if (target.form === form && state.currentStep > 0) {
    clearResolvedErrors();
  }
});

// A waiting message is sent again, byte for byte, without a tap.
addEventListener("online", () => {
  if (state.isMessageWaiting && !state.hasLeft) {
    // null stands for no new message.
    deliverMessage(null);
  }
});

// Answers are lost with the page, so the browser asks before that. It does not ask if the question
// would be visible to someone looking on.
addEventListener("beforeunload", (event) => {
  // A survey with a neutral title or with help lines is for people who may be watched at home.
  const isDiscreet = instrument.neutral_title || instrument.help_lines;
  // A closed survey has no form, and after Send the form has left the page.
  if (isPreview || state.hasLeft || isDiscreet || !form?.isConnected) {
    return;
  }
  if (isFilled(instrument.questions)) {
    event.preventDefault();
    // Older browsers ask only if this is set.
    event.returnValue = "";
  }
});

onLayoutChange(rebuildSteps);

// Answers must not outlive the visit: neither in the browser's history nor in its cache of pages.
addEventListener("pagehide", () => {
  clearForm();
  hideReceipt();
});
addEventListener("pageshow", (event) => {
  // The browser took the page out of its cache as it was when it was left.
  if (event.persisted) {
    clearForm();
    location.reload();
  }
});

showLanguage(preferredLanguage());
start();
