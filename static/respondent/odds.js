// The chances that the page states, worked out anew from the questions that its hash names, so that the page does not
// start where a number was changed on its way. The server writes them by surveys/definition/odds.py, with the same rules.

import { contrast, epsilon } from "../mechanisms/index.js";

const MOST_PEOPLE = 1_000_000n;
const GROUPED = /\d{1,3}(?:[.,٬’\u00a0\u202f]\d{3})+|\d+/g;
const ROUNDED = 1e-6; // of a percent; far above what computing with floats changes

// All whole numbers in a text, whichever sign groups their digits.
const numbers = (text) => (text.match(GROUPED) ?? []).map((digits) => Number(digits.replace(/\D/g, "")));

const gcd = (a, b) => (b ? gcd(b, a % b) : a);

function reduced([top, bottom]) {
  const [num, den] = [BigInt(top), BigInt(bottom)];
  const common = gcd(num, den);
  return { num: num / common, den: den / common };
}

// A chance as whole people; a half goes to the even number.
function whole({ num, den }, of) {
  const [down, rest] = [(num * of) / den, 2n * ((num * of) % den)];
  return down + (rest > den || (rest === den && down % 2n) ? 1n : 0n);
}

// Whether so many people say it exactly; failing that, without a false 0, a false all or a false equality.
function fits(of, den, chances) {
  if (of % den === 0n) {
    return true;
  }
  const rounded = new Set(chances.map((chance) => whole(chance, of)));
  const apart = new Set(chances.map(({ num, den: own }) => `${num}/${own}`));
  return 1_000n % den !== 0n && rounded.size === apart.size && !rounded.has(0n) && !rounded.has(of);
}

// Chances as whole people: of how many, and how many each.
export function people(...fractions) {
  const chances = fractions.map(reduced);
  const den = chances.reduce((all, { den: own }) => (all / gcd(all, own)) * own, 1n);
  let of = 100n;
  if (100n % den && den <= 12n) {
    of = den;
  }
  while (of !== den && of < MOST_PEOPLE && !fits(of, den, chances)) {
    of *= 10n;
  }
  return [of, ...chances.map((chance) => whole(chance, of))].map(Number);
}

// Whether an element states the odds of a question: in bold how many of those who choose an answer and of the others,
// in the order of all languages; else how many people that is of, and of marks how many there are and are picked.
function states(element, { mechanism }, first) {
  const { shape, chosen, other } = contrast(mechanism, first);
  const [of, yes, no] = people(chosen, other);
  const rest = element.cloneNode(true);
  const bold = [...rest.querySelectorAll("b")].map(({ textContent }) => numbers(textContent));
  rest.querySelectorAll("b, bdi").forEach((piece) => piece.remove());
  const others = numbers(rest.textContent);
  const allowed = shape === "picked" ? [of, mechanism.size, mechanism.pick] : [of];
  return (
    String(bold) === String(shape === "direct" ? [yes] : [yes, no]) &&
    others.includes(of) &&
    others.every((number) => allowed.includes(number))
  );
}

// What a spinner can land on, with the weight of each part: surveys/definition/designs/modes.py cuts the same matrix in the same order.
export function parts({ design, den, rows }) {
  if (design === "warner") {
    return [["statement", rows[1][1]], ["opposite", rows[1][0]]];
  }
  const [yes, no] = [rows[0][1], rows[1][0]];
  const [first, second] = design === "unrelated-question" ? ["harmless-yes", "harmless-no"] : ["yes", "no"];
  return [["truth", den - yes - no], [first, yes], [second, no]];
}

// The parts of a spinner with their weights, and of a statement True before False.
function turnsAsSaid(step, { mechanism }) {
  const stated = [...step.querySelectorAll(".candor-spinner li b")].map(({ textContent }) => numbers(textContent));
  return String(stated) === String(parts(mechanism).map(([, weight]) => weight));
}

// What is stated of one question, wherever that is.
function statesItsOdds(question, first) {
  const { key, mode, mechanism } = question;
  if (!mechanism) {
    return true;
  }
  const own = document.getElementById(`q-${key}-sent`);
  const others = document.querySelectorAll(`#grid-${key}-sent, [data-odds="${key}"]`);
  const step = document.querySelector(`.candor-question[data-key="${key}"]`);
  return (
    own !== null &&
    [own, ...others].every((each) => states(each, question, first)) &&
    (mode !== "spinner" || turnsAsSaid(step, question))
  );
}

// The smallest and the largest privacy loss that a person may have been told. They differ only where questions stand on
// paths: there the dearest path lies between what is always asked and everything.
function losses({ questions, draw }) {
  const isDrawn = ({ key }) => draw?.of.includes(key) ?? false;
  const loss = ({ mechanism }) => (mechanism ? epsilon(mechanism) : 0);
  const together = (some) => {
    const lot = some.filter(isDrawn).map(loss).sort((one, other) => other - one).slice(0, draw?.count);
    const fixed = some.filter((question) => !isDrawn(question)).map(loss);
    return [...lot, ...fixed].reduce((total, each) => total + each, 0);
  };
  return [together(questions.filter(({ when }) => when === undefined)), together(questions)];
}

// Whether the sentence on the whole survey says how often a guess between two answers is right at most: by one report
// alone and, where a person may be asked more than one, by all. The whole percent above it, or more than 99.
function statesConsequence(instrument) {
  const stated = [...document.querySelectorAll(".candor-consequence strong")].map((each) => numbers(each.textContent));
  const one = Math.max(0, ...instrument.questions.map(({ mechanism }) => (mechanism ? epsilon(mechanism) : 0)));
  if (one === 0) {
    return stated.length === 0;
  }
  const [alone, all = alone] = stated.map(([times]) => times);
  const [least, most] = losses(instrument);
  return stated.length <= 2 && isBound(alone, one, one) && isBound(all, Math.max(least, one), most);
}

// Whether a number of times in 100 is the bound of a privacy loss that lies between two.
function isBound(times, least, most) {
  const [low, high] = [least, most].map((loss) => 100 / (1 + Math.exp(-loss)));
  return times >= Math.min(low, 99) - ROUNDED && times - 1 <= high + ROUNDED;
}

// Whether the odds at each question, the parts of spinners and the sentence on the whole survey are those of the
// instrument. Whatever else is said of chances only the hash of the whole page holds. firstOf: the answer that people
// read first at a question of a kind, for which its chances are stated.
export function statesOdds(instrument, firstOf) {
  const stated = (question) => statesItsOdds(question, firstOf(question.kind));
  return statesConsequence(instrument) && instrument.questions.every(stated);
}
