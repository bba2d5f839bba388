// Whether the page states the right probabilities. They are worked out again from the questions
// that the hash of the page names, so that the page does not start if a number was changed on its
// way. The server writes them by surveys/definition/odds.py, with the same rules.

import { contrast, epsilon } from "../mechanisms/index.js";

const MAX_PEOPLE = 1_000_000n;
const GROUPED_NUMBER = /\d{1,3}(?:[.,٬’\u00a0\u202f]\d{3})+|\d+/g;
// Of a percent; this is far above what computing with floats changes.
const ROUNDING_ERROR = 1e-6;

/** Return all whole numbers in a text, whichever sign groups their digits. */
function numbersIn(text) {
  const matches = text.match(GROUPED_NUMBER) ?? [];
  return matches.map((digits) => Number(digits.replace(/\D/g, "")));
}

/** Return whether two lists, in which lists may be nested, have the same numbers in order. */
function areEqual(numbers, expected) {
  return String(numbers) === String(expected);
}

function greatestCommonDivisor(a, b) {
  return b ? greatestCommonDivisor(b, a % b) : a;
}

/** Return a fraction in its lowest terms, as BigInt. */
function reduceFraction([top, bottom]) {
  const numerator = BigInt(top);
  const denominator = BigInt(bottom);
  const divisor = greatestCommonDivisor(numerator, denominator);
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}

/** Return a share of so many people as whole people; a half is rounded to the even number. */
function roundPeople({ numerator, denominator }, total) {
  const floor = (numerator * total) / denominator;
  const doubledRest = 2n * ((numerator * total) % denominator);
  const isOddHalf = doubledRest === denominator && floor % 2n === 1n;
  return doubledRest > denominator || isOddHalf ? floor + 1n : floor;
}

/**
 * Return whether so many people state the fractions well: exactly or, if the denominator does not
 * divide 1,000, without rounding to no people, to all people or to a false equality.
 */
function areWellStated(total, denominator, fractions) {
  if (total % denominator === 0n) {
    return true;
  }
  const rounded = new Set(fractions.map((fraction) => roundPeople(fraction, total)));
  const exact = new Set(
    fractions.map((fraction) => `${fraction.numerator}/${fraction.denominator}`),
  );
  const isDistinct = rounded.size === exact.size && !rounded.has(0n) && !rounded.has(total);
  return 1_000n % denominator !== 0n && isDistinct;
}

/**
 * Return probabilities as whole people: of how many people, and how many for each probability. A
 * probability is [numerator, denominator].
 */
export function asPeople(...probabilities) {
  const fractions = probabilities.map(reduceFraction);
  let commonDenominator = 1n;
  for (const { denominator } of fractions) {
    const divisor = greatestCommonDivisor(commonDenominator, denominator);
    commonDenominator = (commonDenominator / divisor) * denominator;
  }

  let total = 100n;
  if (100n % commonDenominator !== 0n && commonDenominator <= 12n) {
    total = commonDenominator;
  }
  while (
    total !== commonDenominator &&
    total < MAX_PEOPLE &&
    !areWellStated(total, commonDenominator, fractions)
  ) {
    total *= 10n;
  }
  const people = fractions.map((fraction) => roundPeople(fraction, total));
  return [total, ...people].map(Number);
}

/**
 * Return whether an element states the odds of a question. In bold there is how many of those who
 * choose an answer and of the others, in this order in all languages. Other numbers are of how
 * many people that is and, for picked options, how many options there are and are picked.
 */
function statesOdds(element, { mechanism }, answerIndex) {
  const { shape, chosen, other } = contrast(mechanism, answerIndex);
  const [total, peopleOfChosen, peopleOfOther] = asPeople(chosen, other);
  const expectedBold = shape === "direct" ? [peopleOfChosen] : [peopleOfChosen, peopleOfOther];

  const copy = element.cloneNode(true);
  const boldElements = [...copy.querySelectorAll("b")];
  const boldNumbers = boldElements.map((bold) => numbersIn(bold.textContent));
  copy.querySelectorAll("b, bdi").forEach((part) => part.remove());
  const otherNumbers = numbersIn(copy.textContent);
  const allowed = shape === "picked" ? [total, mechanism.size, mechanism.pick] : [total];
  return (
    areEqual(boldNumbers, expectedBold) &&
    otherNumbers.includes(total) &&
    otherNumbers.every((number) => allowed.includes(number))
  );
}

/**
 * Return the sectors of a spinner, each as [name, weight]. surveys/definition/designs/modes.py
 * divides the same matrix in the same order.
 */
export function spinnerSectors({ design, den, rows }) {
  if (design === "warner") {
    return [
      ["statement", rows[1][1]],
      ["opposite", rows[1][0]],
    ];
  }
  const yes = rows[0][1];
  const no = rows[1][0];
  const prefix = design === "unrelated-question" ? "harmless-" : "";
  return [
    ["truth", den - yes - no],
    [`${prefix}yes`, yes],
    [`${prefix}no`, no],
  ];
}

/** Return whether the page states the weights of a spinner's sectors in order. */
function statesSpinnerWeights(section, { mechanism }) {
  const boldElements = [...section.querySelectorAll(".candor-spinner li b")];
  const stated = boldElements.map((bold) => numbersIn(bold.textContent));
  const weights = spinnerSectors(mechanism).map(([, weight]) => weight);
  return areEqual(stated, weights);
}

/** Return whether everything that the page states about one question is right. */
function statesQuestion(question, answerIndex) {
  const { key, mode, mechanism } = question;
  if (!mechanism) {
    return true;
  }
  const ownElement = document.getElementById(`q-${key}-sent`);
  const otherElements = document.querySelectorAll(`#grid-${key}-sent, [data-odds="${key}"]`);
  const section = document.querySelector(`.candor-question[data-key="${key}"]`);
  return (
    ownElement !== null &&
    [ownElement, ...otherElements].every((element) => statesOdds(element, question, answerIndex)) &&
    (mode !== "spinner" || statesSpinnerWeights(section, question))
  );
}

function privacyLoss({ mechanism }) {
  return mechanism ? epsilon(mechanism) : 0;
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Return the largest privacy loss of a person who is asked these questions, or a subset. */
function largestLoss(questions, subset) {
  const subsetLosses = [];
  const fixedLosses = [];
  for (const question of questions) {
    const isInSubset = subset?.of.includes(question.key) ?? false;
    if (isInSubset) {
      subsetLosses.push(privacyLoss(question));
    } else {
      fixedLosses.push(privacyLoss(question));
    }
  }
  subsetLosses.sort((one, other) => other - one);
  return sum([...subsetLosses.slice(0, subset?.count), ...fixedLosses]);
}

/**
 * Return the smallest and the largest privacy loss that the page may state for all questions. They
 * differ only if questions have conditions: then the path with the largest loss lies between the
 * questions that are always asked and all questions.
 */
function lossRange({ questions, draw: subset }) {
  const alwaysAsked = questions.filter(({ when }) => when === undefined);
  return [largestLoss(alwaysAsked, subset), largestLoss(questions, subset)];
}

/**
 * Return whether the sentence on the whole survey states how often a guess between two answers is
 * right at most: from one report alone and, if a person may be asked more than one question, from
 * all. It states the whole percent above that, or more than 99.
 */
function statesConsequence(instrument) {
  const strongElements = [...document.querySelectorAll(".candor-consequence strong")];
  const stated = strongElements.map((element) => numbersIn(element.textContent));
  const lossOfOne = Math.max(0, ...instrument.questions.map(privacyLoss));
  if (lossOfOne === 0) {
    return stated.length === 0;
  }
  const [timesOfOne, timesOfAll = timesOfOne] = stated.map(([times]) => times);
  const [smallest, largest] = lossRange(instrument);
  return (
    stated.length <= 2 &&
    isBound(timesOfOne, lossOfOne, lossOfOne) &&
    isBound(timesOfAll, Math.max(smallest, lossOfOne), largest)
  );
}

/** Return the share of right guesses, in percent, that a privacy loss allows. */
function percentRight(loss) {
  return 100 / (1 + Math.exp(-loss));
}

/** Return whether so many times in 100 is the bound of a privacy loss between two losses. */
function isBound(times, smallest, largest) {
  const isEnough = times >= Math.min(percentRight(smallest), 99) - ROUNDING_ERROR;
  const isNotTooMuch = times - 1 <= percentRight(largest) + ROUNDING_ERROR;
  return isEnough && isNotTooMuch;
}

/**
 * Return whether the odds at each question, the sectors of spinners and the sentence on the whole
 * survey are those of the instrument. Only the hash of the whole page protects what else it says
 * about probabilities.
 *
 * answerReadFirst: returns, for a kind of question, the index of the answer that people read
 * first, for which the probabilities are stated.
 */
export function areOddsAsPublished(instrument, answerReadFirst) {
  if (!statesConsequence(instrument)) {
    return false;
  }
  return instrument.questions.every((question) =>
    statesQuestion(question, answerReadFirst(question.kind)),
  );
}
