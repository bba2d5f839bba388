// A harmless question that goes through the page's own randomizer: what this device would send,
// and what 100 people of each truth would send. Nothing of it is stored or sent, and every tap
// draws again.

import { epsilon, isScrambledByDevice, probabilities, randomize } from "../mechanisms/index.js";
import { formatNumber, showOnly } from "./languages.js";

const PEOPLE = 100;
const SVG = "http://www.w3.org/2000/svg";

/**
 * Return the specification of a yes/no question with this privacy loss, for surveys in which the
 * device scrambles no yes/no question. The share of the answers that stay is the share of guesses
 * from a report that are right, rounded up to whole percents, but at most 99 of 100.
 *
 * loss: a privacy loss (epsilon), or Infinity, for which 99 of 100 answers stay.
 */
function evenMechanism(loss) {
  // With this loss a report is right with the probability exp(loss) / (exp(loss) + 1). It is
  // rounded up, as in the sentence on the whole survey: the card must not show more protection than
  // there is. The small number keeps rounding errors of floats from counting as another percent. At
  // least 1 of 100 answers is flipped, or the card would show that nothing happens at random.
  const timesRight = Math.ceil(PEOPLE / (1 + Math.exp(-loss)) - 1e-9);
  const stay = Math.min(timesRight, PEOPLE - 1);
  const flip = PEOPLE - stay;
  return { kind: "matrix", den: PEOPLE, rows: [[stay, flip], [flip, stay]] };
}

/**
 * Return { mechanism, othersDiffer } for the questions of an instrument: the mechanism that can be
 * tried, and whether other questions have other probabilities. Return null if only spinners and
 * hands decide at random.
 *
 * The mechanism is that of the first yes/no question that the device scrambles. If there is none,
 * it is made up, with the privacy loss of the first question that the device scrambles.
 */
export function mechanismToTry(questions) {
  const onDevice = questions.filter(isScrambledByDevice);
  if (onDevice.length === 0) {
    return null;
  }
  const yesNoQuestion = onDevice.find(
    ({ mechanism: { kind, rows } }) => kind === "matrix" && rows.length === 2,
  );
  const mechanism = yesNoQuestion?.mechanism ?? evenMechanism(epsilon(onDevice[0].mechanism));

  const text = JSON.stringify(mechanism);
  const scrambled = questions.filter((question) => question.mechanism);
  // A single question has no others, even if the mechanism to try is not its own.
  const othersDiffer =
    scrambled.length > 1 &&
    scrambled.some((question) => JSON.stringify(question.mechanism) !== text);
  return { mechanism, othersDiffer };
}

/**
 * Return { own, people } for one tap: the report of this device for the truth (0 for No, 1 for
 * Yes), and the reports of 100 people for each truth, people[0] and people[1].
 */
export function sampleReports(mechanism, truth) {
  const own = randomize(mechanism, truth);
  const people = [0, 1].map((truthOfAll) =>
    Array.from({ length: PEOPLE }, () => randomize(mechanism, truthOfAll)),
  );
  return { own, people };
}

/**
 * Return the paths of a picture of 100 people, { yes, no }, as SVG writes paths. A filled square
 * has sent Yes, a ring No, so that no colour is needed to distinguish them. Ten people stand in a
 * row, each in a square of 10 by 10.
 */
export function picturePaths(reports) {
  const paths = { yes: "", no: "" };
  reports.forEach((report, index) => {
    const x = 10 * (index % 10);
    const y = 10 * Math.floor(index / 10);
    if (report === 1) {
      paths.yes += `M${x + 1} ${y + 1}h8v8h-8z`;
    } else {
      paths.no += `M${x + 2} ${y + 5}a3 3 0 1 0 6 0a3 3 0 1 0 -6 0`;
    }
  });
  return paths;
}

/** Return how many of the reports are Yes, which has the index 1. */
function countYes(reports) {
  return reports.filter((report) => report === 1).length;
}

/** Draw the picture of 100 people into an SVG element, in place of what is in it. */
function drawPicture(svg, reports) {
  svg.textContent = "";
  for (const [name, shape] of Object.entries(picturePaths(reports))) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("class", `candor-try__${name}`);
    path.setAttribute("d", shape);
    svg.append(path);
  }
}

/**
 * Show the card with the question if there is a mechanism to try, and hide it otherwise. The card
 * may be missing (null).
 */
export function enableTryOut(card, questions) {
  card?.toggleAttribute("hidden", mechanismToTry(questions) === null);
}

/** Show on the card what one tap on Yes (truth 1) or No (truth 0) sends. */
export function tryOut(card, questions, truth) {
  const { mechanism, othersDiffer } = mechanismToTry(questions);
  const { own, people } = sampleReports(mechanism, truth);
  // rows[truth][report], so that rows[1][1] and rows[0][1] are the probabilities of a report Yes.
  const rows = probabilities(mechanism);
  // Selector of a gap on the card -> the number for it: in bold what the 100 people have sent, and
  // beside it what is expected; "yes" is for people whose truth is Yes, "other" for the others.
  const numbers = {
    "b[data-yes]": countYes(people[1]),
    "b[data-other]": countYes(people[0]),
    "span[data-yes]": Math.round(PEOPLE * rows[1][1]),
    "span[data-other]": Math.round(PEOPLE * rows[0][1]),
  };
  for (const [selector, number] of Object.entries(numbers)) {
    card.querySelector(selector).textContent = formatNumber(number);
  }
  for (const svg of card.querySelectorAll("[data-people]")) {
    drawPicture(svg, people[Number(svg.dataset.people)]);
  }
  for (const button of card.querySelectorAll("[data-do=try]")) {
    const isPressed = Number(button.value) === truth;
    button.setAttribute("aria-pressed", String(isPressed));
  }
  // "0" and "1" are the moments for what this device would send, No or Yes.
  showOnly(card, String(own), "tried", othersDiffer ? "others" : "");
}
