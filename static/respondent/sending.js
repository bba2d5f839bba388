// From truths to the one message and its delivery. A truth is the answer of a respondent as it was
// chosen or typed; a report is what is sent of it.

import { isScrambledByDevice, randomize } from "../mechanisms/index.js";
import { withTimeout } from "./oldest.js";
import { contentAfterMessage, currentMinute, mayBeSent } from "./storage.js";

// Milliseconds until an attempt counts as unanswered.
const TIMEOUT = 60_000;
// Milliseconds. Browsers take longer to write to disk what a page stores. What was stored for
// longer can be in the files of the browser even after it is deleted, and the page says so.
const TIME_TO_WRITE = 4_000;

/**
 * Return the reports by the keys of the questions, each drawn once. The report is null for a
 * question without a truth, which was not asked.
 *
 * questions: the questions of the instrument, so that all messages name the same keys.
 * truths: a Map from the key of a question to its truth.
 */
export function scramble(questions, truths) {
  const reports = questions.map((question) => {
    const wasAsked = truths.has(question.key);
    return [question.key, wasAsked ? reportOf(question, truths.get(question.key)) : null];
  });
  return Object.fromEntries(reports);
}

/** Return the report for a truth: a random one if the device scrambles, else the truth itself. */
function reportOf(question, truth) {
  return isScrambledByDevice(question) ? randomize(question.mechanism, truth) : truth;
}

/**
 * Return the body of the request, as JSON with spaces at the end. All bodies of a survey have the
 * same length, or the length could distinguish a 9 from a 10. Throws RangeError if the message is
 * longer.
 *
 * key: identifies this response alone: a random UUID or, if people are invited, their ticket,
 * which nobody else knows.
 */
export function buildMessage(instrument, hash, key, reports) {
  const identification = instrument.tickets ? { ticket: key } : { key };
  const body = JSON.stringify({ instrument: hash, ...identification, reports });
  // The body consists of ASCII characters, so its length is the number of its bytes.
  if (body.length > instrument.length) {
    throw new RangeError("The response is longer than the survey allows.");
  }
  return body.padEnd(instrument.length, " ");
}

/**
 * Send a body to an address. Resolves to the outcome: a word of `interpretAnswer`, which is
 * "unreachable" too if no answer comes. No cookie and no address of this page goes with the
 * request.
 *
 * fetch: the function of the browser; only tests replace it.
 */
export async function postBody(address, body, fetch = globalThis.fetch) {
  // A redirect would take the message to an address that is not in the page, and an answer from a
  // cache would say nothing about this message.
  const options = {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body,
    credentials: "omit",
    referrerPolicy: "no-referrer",
    redirect: "error",
    cache: "no-store",
  };
  try {
    return await withTimeout(TIMEOUT, async (signal) => {
      const response = await fetch(address, { ...options, signal });
      const type = response.headers.get("Content-Type") ?? "";
      const content = await response.json().catch(() => null);
      return interpretAnswer(response.status, type, content);
    });
  } catch {
    // The message may have arrived even so, since only the answer is sure to be missing.
    return "unreachable";
  }
}

// The names of the problems of the API -> the outcomes in this page. The texts for an outcome are
// in templates/respondent/parts/delivery.html.
const OUTCOMES = {
  "survey-closed": "shut",
  "survey-not-open": "shut",
  "too-few-tickets": "shut",
  "instrument-mismatch": "mismatch",
  "key-conflict": "conflict",
  "ticket-spent": "spent",
  "ticket-forged": "forged",
};

/**
 * Return the outcome that an answer of the server means: "recorded"; "unreachable" if it is no
 * answer of this server; "busy" if the server cannot say now; or the word for its refusal, which is
 * "refused" for refusals that this page does not know.
 *
 * type: the content type of the answer.
 * content: the parsed JSON, or null if it was malformed.
 *
 * It is "recorded" only if the server says so in its own words: a hotel's login page answers 200
 * as well. Only the server's own refusal is a refusal, too: the page of a firewall knows nothing
 * about what is stored.
 */
export function interpretAnswer(status, type, content) {
  if (status === 200 || status === 201) {
    return content?.status === "recorded" ? "recorded" : "unreachable";
  }
  const isProblem = type.startsWith("application/problem+json");
  const match = isProblem ? /^\/problems\/([a-z-]+)$/.exec(content?.type) : null;
  // 429 and 5xx mean "not now". What is no problem of the API is no word of this server.
  if (!match || status === 429 || status < 400 || status >= 500) {
    return "busy";
  }
  return OUTCOMES[match[1]] ?? "refused";
}

/**
 * Send the message that this device stores. `fresh` counts only if none is stored yet, so that two
 * tabs, or two clicks, find each other's record and send one response. A stored message for
 * another version of the survey goes to that version.
 *
 * record: the record of the responses on this device (storage.js). It is read and written.
 * fresh: the body of a new message to this version, or null.
 *
 * Resolves to null if there is nothing to send. Else it resolves to { outcome, version, body,
 * isOther, isLate }: the word for the outcome, the version of the survey, the body that was sent to
 * it, whether that is another one than `fresh`, and whether it has been on this device for more
 * than a moment.
 *
 * hasLeft: returns whether the respondent has left the page; then nothing is sent or stored.
 *
 * The outcome "spent" means that the ticket of a first attempt was used before. For a later
 * attempt it is "unsure", since an attempt without an answer may have arrived; the server says the
 * same to whoever has a copy of the ticket, so nothing more can be learned. "over" means that the
 * message was not confirmed in time, and is not sent any more.
 */
export async function deliver({
  record,
  survey,
  fresh,
  hasLeft = () => false,
  send = postBody,
}) {
  const stored = record.read();
  // A message waits if an earlier attempt, or another tab, has stored it and not ended it.
  const isWaiting = Boolean(stored?.body);
  const canSendFresh = fresh && !isDone(stored, survey);
  if (hasLeft() || (!isWaiting && !canSendFresh)) {
    return null;
  }

  const message = isWaiting ? stored : { body: fresh, survey, began: currentMinute() };
  const { body, survey: version, began } = message;
  const isOther = Boolean(fresh) && fresh !== body;
  if (!mayBeSent({ body, began })) {
    endMessage(record, body, { doubted: version });
    return { outcome: "over", version, body, isOther, isLate: true };
  }

  const startTime = performance.now();
  // This is stored before it is sent: if no answer comes, the same bytes are sent again.
  record.write({ ...stored, body, survey: version, began });
  // `answer` is a word of interpretAnswer().
  const answer = await send(`/api/v1/surveys/${version}/responses/`, body);
  // Other answers do not end the message, which can be sent again.
  if (!hasLeft()) {
    if (answer === "recorded") {
      endMessage(record, body, { confirmed: version });
    } else if (answer === "spent") {
      endMessage(record, body, { doubted: version });
    }
  }
  const outcome = answer === "spent" && isWaiting ? "unsure" : answer;
  const isLate = isWaiting || performance.now() - startTime > TIME_TO_WRITE;
  return { outcome, version, body, isOther, isLate };
}

/**
 * Erase the stored message if it may not be sent any more, when the page is opened. Return the
 * version of the survey that it would have gone to, or null if no message was erased. The record
 * then has this version among those that are `unsure`.
 */
export function eraseExpired(record) {
  const stored = record.read();
  if (!stored?.body || mayBeSent(stored)) {
    return null;
  }
  endMessage(record, stored.body, { doubted: stored.survey });
  return stored.survey;
}

/**
 * Return whether this version of the survey is not to be asked again on this device: its response
 * was confirmed, or may have arrived.
 *
 * stored: the content of the record (storage.js), or null.
 */
export function isDone(stored, survey) {
  const lists = [stored?.sent, stored?.unsure];
  return lists.some((versions) => versions?.includes(survey));
}

/**
 * Erase a message and store its outcome, unless another tab has removed it meanwhile.
 *
 * outcome: { confirmed } or { doubted }, the version of the survey that the message went to.
 *
 * Only four things end a message: the server's confirmation, a ticket that is used, the time, and
 * the person. If a refusal of the server led to new random reports, a few of them would show the
 * truth.
 */
function endMessage(record, body, outcome) {
  const stored = record.read() ?? {};
  if (stored.body === body) {
    record.write(contentAfterMessage(stored, outcome));
  }
}
