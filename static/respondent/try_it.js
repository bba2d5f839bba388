// A harmless question that goes through the page's own randomizer: what this device would send,
// and what 100 people of each truth would send. Nothing of it is stored or sent, and every tap
// draws again.

import { epsilon, probabilities, randomize } from "../mechanisms/index.js";
import { formatNumber, showOnly } from "./languages.js";

const PEOPLE = 100;
const SVG = "http://www.w3.org/2000/svg";

/** Return whether the device scrambles the answers to a question. */
function isScrambledByDevice({ mechanism, mode = "automatic" }) {
  return Boolean(mechanism) && mode === "automatic";
}

/**
 * Return the mechanism of a yes/no question with a privacy loss. A guess from its report is right
 * at most so many times in 100, and this share of the answers stays.
 */
function evenMechanism(loss) {
  const timesRight = Math.ceil(PEOPLE / (1 + Math.exp(-loss)) - 1e-9);
  const stay = Math.min(timesRight, PEOPLE - 1);
  const flip = PEOPLE - stay;
  return { kind: "matrix", den: PEOPLE, rows: [[stay, flip], [flip, stay]] };
}

/**
 * Return { mechanism, others } for the questions of an instrument: the mechanism that can be
 * tried, and whether other questions have other probabilities. Return null if only spinners and
 * hands decide at random.
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
  const others =
    scrambled.length > 1 &&
    scrambled.some((question) => JSON.stringify(question.mechanism) !== text);
  return { mechanism, others };
}

/**
 * Return { own, people } for one tap: the report of this device for the truth, and for each truth
 * (0, 1) the reports of 100 people.
 */
export function sampleReports(mechanism, truth) {
  const own = randomize(mechanism, truth);
  const people = [0, 1].map((truthOfAll) =>
    Array.from({ length: PEOPLE }, () => randomize(mechanism, truthOfAll)),
  );
  return { own, people };
}

/**
 * Return the paths of a picture of 100 people, { yes, no }: a filled square has sent Yes, a ring
 * No, so that no colour is needed to distinguish them.
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

function countYes(reports) {
  return reports.filter((report) => report === 1).length;
}

function drawPicture(svg, reports) {
  svg.textContent = "";
  for (const [name, shape] of Object.entries(picturePaths(reports))) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("class", `candor-try__${name}`);
    path.setAttribute("d", shape);
    svg.append(path);
  }
}

/** Show the card with the question if there is a mechanism to try. The card may be missing. */
export function enableTryOut(card, questions) {
  card?.toggleAttribute("hidden", mechanismToTry(questions) === null);
}

/** Show on the card what one tap on Yes (truth 1) or No (truth 0) sends. */
export function tryOut(card, questions, truth) {
  const { mechanism, others } = mechanismToTry(questions);
  const { own, people } = sampleReports(mechanism, truth);
  const rows = probabilities(mechanism);
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
  showOnly(card, String(own), "tried", others && "others");
}
