// What was sent, in words. The sentences are in the page, in templates; here they are chosen and
// filled in.

import { group, takesText } from "../mechanisms/index.js";
import { formatNumber, pageLanguage, textInPageLanguage } from "./languages.js";

// A group can have thousands of answers; so many of them are listed.
const MAX_LISTED_ANSWERS = 10;

/**
 * Return which sentence describes a report, and what to fill in, as { sentence, name: value }: the
 * names of gaps in the sentence, and for each of them a text, a number or a list of answers. The
 * sentences are in templates/respondent/parts/report.html.
 *
 * choices: the answers in the language of the page.
 * report: what was sent for the question, which is never null here.
 * mechanism: the mechanism of the question, or undefined if its answer is sent as it is.
 * unit: the unit of the numbers, or "".
 */
export function describeReport(choices, report, mechanism, { unit = "" } = {}) {
  const members = group(mechanism, report);
  if (members) {
    return describeGroup(choices, members);
  }
  if (mechanism?.kind === "window") {
    return describeWindow(choices, report, mechanism, unit);
  }
  if (takesText(mechanism)) {
    return describeTextReport(String(report));
  }
  if (typeof report === "number") {
    return { sentence: String(report), answer: `${choices[report]} ${unit}`.trim() };
  }
  return describeBits(choices, report);
}

// Each function from here to describeWindow() returns { sentence, name: value } for one kind of
// report. describeReport() says what that is.

/**
 * Return the sentence "group" for a report that stands for a group of answers, with its first
 * answers, its size, and how many answers of it are not listed.
 *
 * members: the indexes of the answers in the group.
 */
function describeGroup(choices, members) {
  const listed = members.slice(0, MAX_LISTED_ANSWERS);
  return {
    sentence: "group",
    answers: listed.map((index) => choices[index]),
    size: formatNumber(members.length),
    rest: members.length - listed.length,
  };
}

/**
 * Return the sentence "text" or "bits" for the report of a written answer: the number of a point,
 * or "cohort:bits", of which the sentence states how many bits there are and how many are 1.
 */
function describeTextReport(report) {
  const [point, bits] = report.split(":");
  if (bits === undefined) {
    return { sentence: "text", answer: point };
  }
  const ones = bits.split("1").length - 1;
  return { sentence: "bits", size: formatNumber(bits.length), set: formatNumber(ones) };
}

/**
 * Return { sentence, answers, unmarked } for a report with one character for each answer: 1, 0, or
 * "-" if it was not picked.
 *
 * sentence: the name of a sentence of the page. If some answers were not picked, it is "marked",
 * "unmarked" or "both", after what was sent of the others; else it is "none", "some" or "all",
 * after how many are 1.
 * answers: the labels of the ones.
 * unmarked: the labels of the zeros; missing if all were picked, since they are not listed then.
 */
function describeBits(choices, report) {
  const answers = choices.filter((_, index) => report[index] === "1");
  if (report.includes("-")) {
    const unmarked = choices.filter((_, index) => report[index] === "0");
    let sentence = "both";
    if (answers.length === 0) {
      sentence = "unmarked";
    } else if (unmarked.length === 0) {
      sentence = "marked";
    }
    return { sentence, answers, unmarked };
  }
  let sentence = "some";
  if (answers.length === choices.length) {
    sentence = "all";
  } else if (answers.length === 0) {
    sentence = "none";
  }
  return { sentence, answers };
}

/**
 * Return the sentence "one", "range" or "all" for a report of a window: the range of answers that
 * it supports, and how much oftener it is sent for one of these than for another answer (`factor`).
 * Numbers that nobody may answer are not mentioned.
 *
 * In the result, `low` and `high` are the labels at the ends of the range. In a mechanism they are
 * weights: of a report outside and inside the window.
 */
function describeWindow(choices, report, mechanism, unit) {
  const { size, width, aside = 0, high, low } = mechanism;
  // Report r is in the window of the answers from r - width + 1 to r, as far as they exist.
  const first = Math.max(0, report - width + 1);
  const last = Math.min(report, size - 1);
  const factor = formatFactor(high / low);
  if (first > last) {
    // This is “Prefer not to say”, whose window follows all others.
    return { sentence: "one", low: choices[size], factor };
  }
  // With “Prefer not to say” (`aside`) there is an answer that even the whole range does not
  // support.
  if (first === 0 && last === size - 1 && !aside) {
    return { sentence: "all" };
  }
  const lastWithUnit = `${choices[last]} ${unit}`.trim();
  if (first === last) {
    return { sentence: "one", low: lastWithUnit, factor };
  }
  return { sentence: "range", low: choices[first], high: lastWithUnit, factor };
}

/**
 * Return a ratio in the language of the page, rounded up to at most one decimal, so that the page
 * never states less than what a report gives away.
 */
function formatFactor(ratio) {
  // The small number keeps rounding errors of floats from counting as another tenth.
  const rounded = Math.ceil(10 * ratio - 1e-9) / 10;
  return new Intl.NumberFormat(pageLanguage(), { numberingSystem: "latn" }).format(rounded);
}

/**
 * Write the sentence for a report into its cell of the page. Without a report, remove the sentence
 * and hide the row.
 *
 * question: the question of the instrument.
 * report: what was sent; null if the question was not asked, undefined to remove the sentence.
 */
export function writeReport(cell, question, report) {
  cell.querySelector("[data-written]")?.remove();
  const hasReport = report !== undefined && report !== null;
  cell.parentElement.hidden = !hasReport;
  if (!hasReport) {
    return;
  }

  const choices = question.choices.map(textInPageLanguage);
  const unit = textInPageLanguage(question.unit ?? "");
  const description = describeReport(choices, report, question.mechanism, { unit });
  const { sentence, ...values } = description;
  // A cell has a template for each sentence, or one without a name if only one can be needed.
  const template =
    cell.querySelector(`template[data-report="${sentence}"]`) ??
    cell.querySelector("template:not([data-report])");
  const content = template.content.cloneNode(true);
  for (const [name, value] of Object.entries(values)) {
    const parts = Array.isArray(value) ? value.map(createListItem) : [String(value)];
    // A sentence has no gap for what it does not mention.
    content.querySelector(`[data-${name}]`)?.append(...parts);
  }
  // This part says how many answers of a group are not listed.
  content.querySelector("[data-when-rest]")?.toggleAttribute("hidden", !values.rest);

  const box = document.createElement("div");
  box.dataset.written = "";
  box.append(content);
  cell.prepend(box);
}

/** Return a new list item with a text, whose direction follows from its own letters. */
function createListItem(label) {
  const listItem = document.createElement("li");
  listItem.dir = "auto";
  listItem.textContent = label;
  return listItem;
}
