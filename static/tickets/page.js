// The page on which people who were invited take a ticket. The code, typed or from the end of a link, goes into one POST
// and nowhere else; the ticket is drawn here, signed unseen, and checked before it is kept.

import { tell } from "../early/times.js";
import { withLock, ticketKeeper } from "../respondent/storage.js";
import { showOnly, preferredLanguage, removeOtherLanguages, showLanguage } from "../respondent/languages.js";
import { leave } from "../respondent/leaving.js";
import { withTimeout } from "../respondent/oldest.js";
import { complete, digest, draw, grouped, plain, wrongIn } from "./ticket.js";
import { keyOf } from "./token.js";

const PATIENCE = 60_000; // milliseconds until an attempt counts as unanswered

const find = (id) => document.getElementById(id);
const { survey, sha256: hash, key, shared, over } = find("main").dataset;

// One record for the survey, until it is answered: {blinded, nonce, back, code} while the answer is on its way, so that
// asking again sends the same bytes, with the code as a digest only; then {ticket, instrument}, and nothing else.
const held = ticketKeeper(survey, shared === undefined);

function show(id) {
  for (const section of document.querySelectorAll("main section")) {
    section.hidden = section.id !== id;
  }
  find(id).querySelector("h1").focus();
  scrollTo(0, 0);
}

// --- Before anything: the code of the link leaves the address; what this device has is looked at.

let fromLink = null;

function readLink() {
  if (location.hash) {
    fromLink = location.hash.slice(1);
    history.replaceState(null, "", location.pathname);
  }
}

function start() {
  tell();
  const record = held.read();
  if (record?.ticket) {
    showTicket(record.ticket);
  } else if (over === undefined) {
    const reason = obstacle();
    showOnly(find("notice"), reason ?? (record ? "pending" : ""));
    find("all").disabled = Boolean(reason);
    if (fromLink) {
      find("code").value = grouped(fromLink);
      fromLink = null;
    }
  }
}

function obstacle() {
  try {
    keyOf(key);
    return isSecureContext ? null : "insecure";
  } catch {
    return isSecureContext ? "damaged" : "insecure";
  }
}

// --- Taking the ticket.

let busy = false;

async function take() {
  if (busy) {
    return;
  }
  busy = true;
  const code = plain(find("code").value);
  showOnly(find("take"), "asking");
  const wrong = wrongIn(code) ?? (await withLock(`candor ticket ${survey}`, () => fetchTicket(code)));
  busy = false;
  complain(wrong);
  if (!wrong) {
    find("take").reset();
    removeOtherLanguages();
    showTicket(held.read().ticket);
    find("have").querySelector("h1").focus();
  }
}

// Resolves to the word that says why there is no ticket, or null. What was drawn for a code stays until its ticket is
// here, or the server says that this code takes none.
async function fetchTicket(code) {
  const before = held.read();
  if (before?.ticket) {
    return null; // another tab was quicker
  }
  const its = await digest(code);
  if (before && before.code !== its) {
    return "another";
  }
  let drawn = before;
  try {
    drawn = drawn ?? { ...(await draw(survey, key)), code: its };
  } catch {
    return "damaged"; // and nothing is drawn again: see blind.js
  }
  held.write(drawn);
  const { signed, wrong } = await ask({ code, blinded: drawn.blinded });
  if (wrong) {
    if (NEVER.includes(wrong)) {
      held.forget();
    }
    return wrong;
  }
  try {
    held.write({ ticket: await complete(survey, key, drawn, signed), instrument: hash });
    return null;
  } catch {
    return "faulty";
  }
}

const KNOWN = {
  "no-such-code": "unknown",
  "foreign-code": "elsewhere",
  "ticket-fetched": "fetched",
  "fetching-over": "over",
  "fetching-paused": "paused",
  throttled: "often",
};
const NEVER = ["unknown", "elsewhere", "fetched"]; // with this code nothing comes of what was drawn

// The one POST. No cookie, no address of this page goes with it. Only the server's own words count as its answer.
async function ask(message) {
  const how = {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(message),
    credentials: "omit",
    referrerPolicy: "no-referrer",
    redirect: "error",
    cache: "no-store",
  };
  try {
    const [response, { signed, type }] = await withTimeout(PATIENCE, async (signal) => {
      const answer = await fetch(`/api/v1/surveys/${survey}/tickets/`, { ...how, signal });
      return [answer, await answer.json()];
    });
    if (response.status === 200 && typeof signed === "string") {
      return { signed };
    }
    return { wrong: KNOWN[/^\/problems\/([a-z-]+)$/.exec(type)?.[1]] ?? "unreachable" };
  } catch {
    return { wrong: "unreachable" };
  }
}

// Say at the code why there is no ticket; with no word take such a message away.
function complain(wrong) {
  showOnly(find("take"), wrong);
  find("group").classList.toggle("govuk-form-group--error", Boolean(wrong));
  find("code").setAttribute("aria-describedby", wrong ? "code-error code-about" : "code-about");
  find("code").setAttribute("aria-invalid", String(Boolean(wrong)));
  if (wrong) {
    showOnly(find("notice"));
    find("code").focus();
  }
}

// --- Having one.

function showTicket(ticket) {
  find("ticket-text").value = ticket;
  showOnly(find("have"), held.lasts() ? "lasting" : "memory");
  find("copying").open = !held.lasts();
  show("have");
}

function forget() {
  held.forget();
  find("ticket-text").value = "";
}

const DEEDS = {
  drop: () => {
    held.forget();
    complain(null);
    find("code").focus();
  },
  copyTicket: () => {
    find("ticket-text").select();
    showOnly(find("have"), held.lasts() ? "lasting" : "memory", document.execCommand("copy") && "copied");
  },
  removeTicket: () => {
    forget();
    show("removed");
  },
  skip: () => find("main").focus(), // not by a fragment, which would stay in the address and the history
  leave: () => {
    forget();
    find("take")?.reset();
    leave();
  },
};

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-do]");
  if (button?.matches("a")) {
    event.preventDefault();
  }
  DEEDS[button?.dataset.do]?.(button);
});
document.addEventListener("change", ({ target }) => {
  if (target.dataset.do === "speak") {
    const typed = find("code")?.value;
    showLanguage(target.value);
    if (typed) {
      find("code").value = typed;
    }
    start();
    target.focus();
  }
});
document.addEventListener("submit", (event) => {
  event.preventDefault();
  take();
});
addEventListener("hashchange", () => {
  readLink();
  start();
});
addEventListener("pagehide", () => find("take")?.reset()); // no code comes back with a page that the browser kept

readLink();
find("take")?.reset(); // some browsers put a code back after a reload
showLanguage(preferredLanguage());
start();
