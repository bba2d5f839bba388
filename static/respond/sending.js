// From truths to the one message, and its delivery.

import { randomize } from "../mechanisms/index.js";

const PATIENCE = 60_000; // milliseconds until an attempt counts as unanswered

// One report per question, drawn once. A background question has no mechanism: its answer is sent as it is.
export function scramble(questions, truths) {
  return Object.fromEntries(
    questions.map(({ key, mechanism }) => [key, mechanism ? randomize(mechanism, truths.get(key)) : truths.get(key)]),
  );
}

// The body of the request. Every body of a survey has the same length, or the length could tell a 9 from a 10.
export function compose(instrument, hash, key, reports) {
  const body = JSON.stringify({ instrument: hash, key, reports });
  if (body.length > instrument.length) {
    throw new RangeError("The response is longer than the survey allows.");
  }
  return body.padEnd(instrument.length, " ");
}

// Deliver a body; resolves to one word that says how it went. No cookie, no address of this page goes with it.
export async function post(address, body, fetch = globalThis.fetch) {
  try {
    const response = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body,
      credentials: "omit",
      referrerPolicy: "no-referrer",
      redirect: "error",
      cache: "no-store",
      signal: AbortSignal.timeout(PATIENCE),
    });
    return judge(response.status, await response.json().catch(() => null));
  } catch {
    return "unreachable";
  }
}

const KNOWN = ["survey-closed", "instrument-mismatch", "key-conflict"];

// "recorded" only where the server says so in its own words: a hotel's login page answers 200 as well.
export function judge(status, answer) {
  if (status === 200 || status === 201) {
    return answer?.status === "recorded" ? "recorded" : "unreachable";
  }
  if (status === 429 || status >= 500) {
    return "busy";
  }
  const problem = String(answer?.type).split("/").pop();
  return KNOWN.includes(problem) ? problem : "refused";
}
