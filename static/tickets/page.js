// The page on which people who were invited take a ticket. The code, which is typed or comes from
// the end of a link, goes into one POST and nowhere else; the ticket is drawn here, signed unseen,
// and checked before it is stored.

import { showLocalTimes } from "../early/times.js";
import {
  preferredLanguage,
  removeOtherLanguages,
  showLanguage,
  showOnly,
} from "../respondent/languages.js";
import { leave } from "../respondent/leaving.js";
import { withTimeout } from "../respondent/oldest.js";
import { createTicketRecord, withLock } from "../respondent/storage.js";
import {
  codeDigest,
  codeProblem,
  completeTicket,
  drawTicket,
  formatCode,
  normalizeCode,
} from "./ticket.js";
import { parseKey } from "./token.js";

// Milliseconds until an attempt counts as unanswered.
const TIMEOUT = 60_000;

// The names of the problems of the API -> the words for them in this page. The texts for a word are
// in the parts of the page with this word in data-when.
const PROBLEM_WORDS = {
  "no-such-code": "unknown",
  "foreign-code": "elsewhere",
  "ticket-fetched": "fetched",
  "fetching-over": "over",
  "fetching-paused": "paused",
  throttled: "often",
};
// With these, the drawn ticket will never be signed for its code.
const FINAL_PROBLEMS = ["unknown", "elsewhere", "fetched"];

// survey: the version that tickets are for. hash: the SHA-256 of its questions. key: the key that
// signs tickets, as the page states it. shared and over are "" or undefined: whether several people
// answer on one device, and whether no ticket can be taken any more.
const { survey, sha256: hash, key, shared, over } = find("main").dataset;

// One record for the survey, until the survey is answered: { blinded, nonce, back, code } while the
// answer is on its way, so that asking again sends the same bytes, with the code as a digest only;
// then { ticket, instrument }, and nothing else.
const ticketRecord = createTicketRecord(survey, shared === undefined);

const state = {
  // The code of the link that led here, until it is in its field; else null.
  codeFromLink: null,
  // Whether a ticket is being taken, so that a second tap does nothing.
  isTakingTicket: false,
};

/** Return the element with an id, or null. */
function find(id) {
  return document.getElementById(id);
}

/**
 * Show the section with an id instead of the others, and move the focus to its heading: the form
 * for the code, the ticket ("have"), or that it was removed ("removed").
 */
function showSection(id) {
  for (const section of document.querySelectorAll("main section")) {
    section.hidden = section.id !== id;
  }
  find(id).querySelector("h1").focus();
  scrollTo(0, 0);
}

// --- First the code of the link leaves the address, and the record of this device is read.

/** Take the code of the link out of the address, and remember it until it is in its field. */
function readLink() {
  if (location.hash) {
    state.codeFromLink = location.hash.slice(1);
    history.replaceState(null, "", location.pathname);
  }
}

/**
 * Show the ticket of this device or, if tickets can still be taken, the form for the code. If they
 * cannot, the page stays as it came, and says so. This is called when the page is loaded, when
 * another language was picked, and when the link of another code is opened in this page.
 */
function start() {
  showLocalTimes();
  const record = ticketRecord.read();
  if (record?.ticket) {
    showTicket(record.ticket);
  } else if (over === undefined) {
    const obstacle = findObstacle();
    if (obstacle) {
      showOnly(find("notice"), obstacle);
    } else {
      // A record without a ticket is of an attempt whose answer has not come.
      showOnly(find("notice"), record ? "pending" : "");
    }
    // This is the fieldset around the form, which is disabled in the page as it comes.
    find("all").disabled = Boolean(obstacle);
    if (state.codeFromLink) {
      find("code").value = formatCode(state.codeFromLink);
      state.codeFromLink = null;
    }
  }
}

/**
 * Return why no ticket can be taken here, or null: "insecure" without HTTPS, which the functions of
 * the browser for tickets need, or "damaged" if the key of the page is malformed.
 */
function findObstacle() {
  if (!isSecureContext) {
    return "insecure";
  }
  try {
    parseKey(key);
    return null;
  } catch {
    return "damaged";
  }
}

// --- Taking the ticket.

/** Take a ticket with the typed code, when the form is submitted, and show it or the problem. */
async function takeTicket() {
  if (state.isTakingTicket) {
    // A second tap came while the first one is at work.
    return;
  }
  state.isTakingTicket = true;
  const code = normalizeCode(find("code").value);
  showOnly(find("take"), "asking");
  // A problem is the word for it (see codeProblem and fetchTicket), or null if there is none.
  let problem = codeProblem(code);
  if (problem === null) {
    // The lock keeps two tabs of this browser from fetching two tickets.
    problem = await withLock(`candor ticket ${survey}`, () => fetchTicket(code));
  }
  state.isTakingTicket = false;
  showProblem(problem);
  if (problem === null) {
    find("take").reset();
    // Another language is in its template as the page was at first, with the form instead of the
    // ticket.
    removeOtherLanguages();
    // fetchTicket(), here or in another tab, has stored it.
    showTicket(ticketRecord.read().ticket);
  }
}

/**
 * Fetch a ticket for a code, and store it. Resolves to null if the ticket is stored, else to the
 * word for the problem: one of PROBLEM_WORDS, "unreachable", "another" (the attempt with another
 * code is not finished), "damaged" (the key cannot sign) or "faulty" (the answer is no signature).
 *
 * What was drawn for a code stays until its ticket is here, or the server says that this code
 * takes none.
 */
async function fetchTicket(code) {
  const stored = ticketRecord.read();
  if (stored?.ticket) {
    // Another tab was quicker.
    return null;
  }
  const digest = await codeDigest(code);
  if (stored && stored.code !== digest) {
    // An attempt with another code is not finished. Its ticket would be lost.
    return "another";
  }

  let drawnTicket = stored;
  if (!drawnTicket) {
    try {
      drawnTicket = { ...(await drawTicket(survey, key)), code: digest };
    } catch {
      // Nothing is drawn again: blind.js says why.
      return "damaged";
    }
  }
  // This is stored before it is sent, so that asking again sends the same bytes.
  ticketRecord.write(drawnTicket);

  const { signed, problem } = await requestSignature({ code, blinded: drawnTicket.blinded });
  if (problem) {
    if (FINAL_PROBLEMS.includes(problem)) {
      // What was drawn would only block an attempt with another code.
      ticketRecord.forget();
    }
    return problem;
  }
  try {
    const ticket = await completeTicket(survey, key, drawnTicket, signed);
    ticketRecord.write({ ticket, instrument: hash });
    return null;
  } catch {
    return "faulty";
  }
}

/**
 * Send the one POST of this page. Resolves to { signed }, the blinded signature as a text of
 * base64url, or to { problem } with the word for it.
 *
 * message: { code, blinded }, the code in the form of `normalizeCode`, and what is to be signed.
 *
 * No cookie and no address of this page goes with the request. Only the server's own words count
 * as its answer.
 */
async function requestSignature(message) {
  const options = {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(message),
    credentials: "omit",
    referrerPolicy: "no-referrer",
    redirect: "error",
    cache: "no-store",
  };
  try {
    const { status, content } = await withTimeout(TIMEOUT, async (signal) => {
      const response = await fetch(`/api/v1/surveys/${survey}/tickets/`, { ...options, signal });
      return { status: response.status, content: await response.json() };
    });
    const { signed, type } = content;
    if (status === 200 && typeof signed === "string") {
      return { signed };
    }
    // `type` is the address of the problem, whose last part is its name in the API.
    const match = /^\/problems\/([a-z-]+)$/.exec(type);
    return { problem: PROBLEM_WORDS[match?.[1]] ?? "unreachable" };
  } catch {
    return { problem: "unreachable" };
  }
}

/**
 * Show at the field of the code why there is no ticket, or remove such a message.
 *
 * problem: the word for the problem, or null.
 */
function showProblem(problem) {
  const hasProblem = Boolean(problem);
  showOnly(find("take"), problem);
  find("group").classList.toggle("govuk-form-group--error", hasProblem);
  const descriptions = hasProblem ? "code-error code-about" : "code-about";
  find("code").setAttribute("aria-describedby", descriptions);
  find("code").setAttribute("aria-invalid", String(hasProblem));
  if (hasProblem) {
    // Without moments this hides all notices: the problem is what counts now.
    showOnly(find("notice"));
    find("code").focus();
  }
}

// --- Having a ticket.

/** Return the moment for how long this device stores the ticket: "lasting", or "memory". */
function storageMoment() {
  return ticketRecord.lasts() ? "lasting" : "memory";
}

/** Show the ticket of this device. If it lives as long as this page, show how to copy it too. */
function showTicket(ticket) {
  find("ticket-text").value = ticket;
  showOnly(find("have"), storageMoment());
  find("copying").open = !ticketRecord.lasts();
  showSection("have");
}

/** Remove the ticket, or an unfinished attempt, from this device and from the page. */
function forgetTicket() {
  ticketRecord.forget();
  find("ticket-text").value = "";
}

// What each button does, by the name in its data-do.
const ACTIONS = {
  // Give up an unfinished attempt, so that another code can be used.
  drop: () => {
    ticketRecord.forget();
    // null stands for no problem.
    showProblem(null);
    find("code").focus();
  },
  copyTicket: () => {
    // execCommand() copies what is selected. The oldest browsers have it, and it asks no
    // permission.
    find("ticket-text").select();
    const wasCopied = document.execCommand("copy");
    showOnly(find("have"), storageMoment(), wasCopied ? "copied" : "");
  },
  removeTicket: () => {
    forgetTicket();
    showSection("removed");
  },
  // A fragment would stay in the address and the history.
  skip: () => find("main").focus(),
  leave: () => {
    forgetTicket();
    find("take")?.reset();
    leave();
  },
};

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-do]");
  if (button?.matches("a")) {
    event.preventDefault();
  }
  ACTIONS[button?.dataset.do]?.(button);
});

document.addEventListener("change", ({ target }) => {
  // "speak" is the field in which a language is picked.
  if (target.dataset.do === "speak") {
    // The other language has a field of its own, so the typed code is carried over.
    const typedCode = find("code")?.value;
    showLanguage(target.value);
    if (typedCode) {
      find("code").value = typedCode;
    }
    start();
    target.focus();
  }
});

document.addEventListener("submit", (event) => {
  event.preventDefault();
  takeTicket();
});

addEventListener("hashchange", () => {
  readLink();
  start();
});

// No code may come back with a page that the browser stored.
addEventListener("pagehide", () => find("take")?.reset());

readLink();
// Some browsers put a code back after a reload.
find("take")?.reset();
showLanguage(preferredLanguage());
start();
