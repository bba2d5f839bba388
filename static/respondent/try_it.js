// A question that harms nobody, through the page's own randomizer: what this device would send, and what would come from
// 100 people of either truth. Nothing of it is kept or sent, and every tap draws anew.

import { epsilon, probabilities, randomize } from "../mechanisms/index.js";
import { formatNumber, showOnly } from "./languages.js";

const PEOPLE = 100;

const isByDevice = ({ mechanism, mode = "automatic" }) => Boolean(mechanism) && mode === "automatic";

// A yes/no question of which a guess is right at most so many times in 100, and that share of answers is kept.
function even(loss) {
  const kept = Math.min(Math.ceil(PEOPLE / (1 + Math.exp(-loss)) - 1e-9), PEOPLE - 1);
  return { kind: "matrix", den: PEOPLE, rows: [[kept, PEOPLE - kept], [PEOPLE - kept, kept]] };
}

// The mechanism to try, of the questions of an instrument, and whether others of them have other chances. Null where chance
// is only in spinners and hands.
export function mechanismToTry(questions) {
  const [first, ...rest] = questions.filter(isByDevice);
  if (!first) {
    return null;
  }
  const pair = [first, ...rest].find(({ mechanism: { kind, rows } }) => kind === "matrix" && rows.length === 2);
  const mechanism = pair?.mechanism ?? even(epsilon(first.mechanism));
  const text = JSON.stringify(mechanism);
  const scrambled = questions.filter(({ mechanism: own }) => own);
  const others = scrambled.length > 1 && scrambled.some((each) => JSON.stringify(each.mechanism) !== text);
  return { mechanism, others };
}

// What one tap draws: what this device would send, and of each truth what each of 100 people would.
export function sampleReports(mechanism, truth) {
  const send = (own) => randomize(mechanism, own);
  return { own: send(truth), people: [0, 1].map((each) => Array.from({ length: PEOPLE }, () => send(each))) };
}

// A picture of 100 people: a filled square sent Yes, a ring No, so that no colour is needed to tell them apart.
export function picture(sent) {
  const place = (index) => [10 * (index % 10), 10 * Math.floor(index / 10)];
  const shapes = { yes: "", no: "" };
  sent.forEach((report, index) => {
    const [x, y] = place(index);
    if (report === 1) {
      shapes.yes += `M${x + 1} ${y + 1}h8v8h-8z`;
    } else {
      shapes.no += `M${x + 2} ${y + 5}a3 3 0 1 0 6 0a3 3 0 1 0 -6 0`;
    }
  });
  return shapes;
}

const count = (sent) => sent.filter((report) => report === 1).length;

function draw(svg, sent) {
  svg.textContent = "";
  for (const [name, shape] of Object.entries(picture(sent))) {
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("class", `candor-try__${name}`);
    path.setAttribute("d", shape);
    svg.append(path);
  }
}

// Let people tap, where there is something to try.
export function enableTryOut(card, questions) {
  card?.toggleAttribute("hidden", mechanismToTry(questions) === null);
}

// One tap on Yes (1) or No (0).
export function tryOut(card, questions, truth) {
  const { mechanism, others } = mechanismToTry(questions);
  const { own, people } = sampleReports(mechanism, truth);
  const rows = probabilities(mechanism);
  const numbers = { "b[data-yes]": count(people[1]), "b[data-other]": count(people[0]) };
  numbers["span[data-yes]"] = Math.round(PEOPLE * rows[1][1]);
  numbers["span[data-other]"] = Math.round(PEOPLE * rows[0][1]);
  for (const [place, number] of Object.entries(numbers)) {
    card.querySelector(place).textContent = formatNumber(number);
  }
  for (const svg of card.querySelectorAll("[data-people]")) {
    draw(svg, people[Number(svg.dataset.people)]);
  }
  for (const button of card.querySelectorAll("[data-do=try]")) {
    button.setAttribute("aria-pressed", String(Number(button.value) === truth));
  }
  showOnly(card, String(own), "tried", others && "others");
}
