// Whether the page states the right probabilities. They are worked out again from the questions
// that the hash of the page names, so that the page does not start if a number was changed on its
// way. The server writes them by surveys/definition/odds.py, with the same rules.

import { contrast, epsilon } from "../mechanisms/index.js";
import { indexReadFirst } from "./controls.js";

// At most so many people state a probability; with more, it is rounded to this many. Numbers of
// people and fractions are BigInts here: den * den can be too large for a Number to be exact.
const MAX_PEOPLE = 1_000_000n;
// Digits in groups of three with a point, comma, apostrophe or space between them, or digits alone.
const GROUPED_NUMBER = /\d{1,3}(?:[.,٬’\u00a0\u202f]\d{3})+|\d+/g;
// The tolerance in percent; this is far above what computing with floats changes.
const ROUNDING_ERROR = 1e-6;

/** Return all whole numbers in a text, whichever sign groups their digits. */
function numbersIn(text) {
  const matches = text.match(GROUPED_NUMBER) ?? [];
  return matches.map((digits) => Number(digits.replace(/\D/g, "")));
}

/** Return whether two lists of lists of numbers are equal, in their nesting too. */
export function areEqual(numbers, expected) {
  // The text of JSON has the brackets of each list; String() would leave them out.
  return JSON.stringify(numbers) === JSON.stringify(expected);
}

/** Return the greatest common divisor of two BigInts, by the algorithm of Euclid. */
function greatestCommonDivisor(a, b) {
  return b ? greatestCommonDivisor(b, a % b) : a;
}

/** Return a fraction in its lowest terms, as BigInts: { numerator, denominator }. */
function reduceFraction([top, bottom]) {
  const numerator = BigInt(top);
  const denominator = BigInt(bottom);
  const divisor = greatestCommonDivisor(numerator, denominator);
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}

/**
 * Return a share of `total` people as whole people, a BigInt. A half is rounded to the even number,
 * as the server rounds in Python.
 */
function roundPeople({ numerator, denominator }, total) {
  // BigInts are divided without the rest, so this is rounded down.
  const floor = (numerator * total) / denominator;
  const doubledRest = 2n * ((numerator * total) % denominator);
  const isOddHalf = doubledRest === denominator && floor % 2n === 1n;
  return doubledRest > denominator || isOddHalf ? floor + 1n : floor;
}

/**
 * Return whether numbers out of `total` people are enough to state the fractions.
 *
 * Exact numbers always are. Rounded numbers are if none of them is 0 or `total`, and different
 * fractions have different numbers. If 1,000 people give exact numbers, rounded ones are never
 * enough, so that asPeople(), which tries larger and larger totals, goes on to these 1,000.
 *
 * total: a BigInt.
 * denominator: the common denominator of the fractions, a BigInt.
 * fractions: in their lowest terms, so that equal fractions have equal numerators and denominators.
 */
function areWellStated(total, denominator, fractions) {
  if (total % denominator === 0n) {
    // The numbers are exact.
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
 * Return probabilities as whole people, as the server states them, as a list of Numbers: first of
 * how many people, then how many for each probability.
 *
 * probabilities: each as [numerator, denominator], in Numbers or BigInts.
 */
export function asPeople(...probabilities) {
  const fractions = probabilities.map(reduceFraction);
  // The least common multiple of the denominators.
  let commonDenominator = 1n;
  for (const { denominator } of fractions) {
    const divisor = greatestCommonDivisor(commonDenominator, denominator);
    commonDenominator = (commonDenominator / divisor) * denominator;
  }

  // 100 people are usual, but 1 of 6 people is easier to imagine than 17 of 100.
  let total = 100n;
  if (100n % commonDenominator !== 0n && commonDenominator <= 12n) {
    total = commonDenominator;
  }
  while (total < MAX_PEOPLE && !areWellStated(total, commonDenominator, fractions)) {
    total *= 10n;
  }
  const people = fractions.map((fraction) => roundPeople(fraction, total));
  return [total, ...people].map(Number);
}

/**
 * Return whether an element states the odds of a question. In bold there is how many of those who
 * choose an answer and of the others, in this order in all languages. Other numbers are of how
 * many people that is and, for picked options, how many options there are and are picked.
 *
 * answerIndex: the index of the answer that the odds are about, if the mechanism has two answers.
 */
function statesOdds(element, { mechanism }, answerIndex) {
  const { shape, chosen, other } = contrast(mechanism, answerIndex);
  const [total, peopleOfChosen, peopleOfOther] = asPeople(chosen, other);
  // Each part in bold holds one number.
  const expectedBold = [[peopleOfChosen]];
  // Where an answer is sent or else one of several others ("direct"), the sentence says no more.
  if (shape !== "direct") {
    expectedBold.push([peopleOfOther]);
  }

  const copy = element.cloneNode(true);
  const boldElements = [...copy.querySelectorAll("b")];
  const boldNumbers = boldElements.map((bold) => numbersIn(bold.textContent));
  // What remains is the sentence around the numbers in bold. The labels of answers are in bdi
  // elements, and can hold numbers of their own.
  copy.querySelectorAll("b, bdi").forEach((part) => part.remove());
  const otherNumbers = numbersIn(copy.textContent);
  // Only "picked" sends a part of the options (`pick`), and its sentence says how many of how many.
  const allowed = shape === "picked" ? [total, mechanism.size, mechanism.pick] : [total];
  return (
    areEqual(boldNumbers, expectedBold) &&
    otherNumbers.includes(total) &&
    otherNumbers.every((number) => allowed.includes(number))
  );
}

/**
 * Return the sectors of a spinner in order, each as [name, weight]. The weights sum to `den`.
 *
 * The name says what the respondent does if the hand stops there: answer whether a statement or
 * its opposite is true ("statement", "opposite"); tell the truth ("truth"); or say yes or no
 * ("yes", "no"), which in the design of an unrelated question is the true answer to a harmless
 * question. surveys/definition/designs/modes.py divides the same matrix in the same order.
 */
export function spinnerSectors({ design, den, rows }) {
  // rows[truth][report], where 0 is No and 1 is Yes, has the weights out of `den`.
  if (design === "warner") {
    // Those whose truth is Yes report Yes if they are asked about the statement, No if about its
    // opposite.
    return [
      ["statement", rows[1][1]],
      ["opposite", rows[1][0]],
    ];
  }
  // Those who would truly say no say yes only because of the spinner, and the other way round.
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
  // Each part in bold holds one number, so each weight is a list too.
  const weights = spinnerSectors(mechanism).map(([, weight]) => [weight]);
  return areEqual(stated, weights);
}

/**
 * Return whether the odds of one question are right wherever the page states them, and the weights
 * of its spinner, if it has one.
 */
function statesQuestion(question) {
  const { key, kind, mode, mechanism } = question;
  if (!mechanism) {
    // The answer is sent as it is.
    return true;
  }
  const answerIndex = indexReadFirst(kind);
  // The odds must be at the question itself. Its grid and the introduction may state them too. The
  // elements have the key of the question in their id or in data-odds.
  const ownElement = document.getElementById(`q-${key}-sent`);
  const otherElements = document.querySelectorAll(`#grid-${key}-sent, [data-odds="${key}"]`);
  const section = document.querySelector(`.candor-question[data-key="${key}"]`);
  return (
    ownElement !== null &&
    [ownElement, ...otherElements].every((element) => statesOdds(element, question, answerIndex)) &&
    (mode !== "spinner" || statesSpinnerWeights(section, question))
  );
}

/** Return the privacy loss (epsilon) of a question; 0 if its answer is sent as it is. */
function privacyLoss({ mechanism }) {
  return mechanism ? epsilon(mechanism) : 0;
}

/** Return the sum of some numbers; 0 if there are none. */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

/**
 * Return the sum of the privacy losses of these questions. Of those that may be in the question
 * subset of a person, only the largest ones count, as many as a person is asked. Conditions are not
 * considered.
 *
 * subset: { of, count }, the keys of the questions to pick from and how many a person is asked; or
 * undefined if all people are asked all questions.
 */
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
  // Without a subset this list is empty, and its slice too.
  return sum([...subsetLosses.slice(0, subset?.count), ...fixedLosses]);
}

/**
 * Return [smallest, largest]: the privacy losses that the page may state for all questions. They
 * differ only if questions have conditions: then the path with the largest loss lies between the
 * questions that are always asked and all questions.
 */
function lossRange({ questions, draw: subset }) {
  // The instrument has the question subset as `draw`, and the condition of a question as `when`.
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
    // No question is scrambled, so there is nothing to state.
    return stated.length === 0;
  }
  // Each part begins with the times in 100. If a person is asked one question only, one report is
  // all, and there is one number. If there is none, it is undefined, and no comparison below holds.
  const [timesOfOne, timesOfAll = timesOfOne] = stated.map(([times]) => times);
  const [smallest, largest] = lossRange(instrument);
  return (
    stated.length <= 2 &&
    isBound(timesOfOne, lossOfOne, lossOfOne) &&
    // The question with the largest loss may have a condition, so its loss can exceed `smallest`.
    isBound(timesOfAll, Math.max(smallest, lossOfOne), largest)
  );
}

/** Return the share of right guesses of an answer out of two, in percent, that a loss allows. */
function percentRight(loss) {
  // If both answers are equally likely before, reports change the odds to exp(loss) to 1 at most.
  // The likelier answer is then right with the probability exp(loss) / (exp(loss) + 1).
  return 100 / (1 + Math.exp(-loss));
}

/**
 * Return whether so many times in 100 is the bound of some privacy loss from `smallest` to
 * `largest`: the whole percent above its share of right guesses. More than 99 is stated as 99.
 */
function isBound(times, smallest, largest) {
  // Any loss of the range will do, so only its ends count. Too small a number would hide a part of
  // the loss, and too large a one would frighten without cause.
  // The whole percent above a share exceeds it by 1 at most.
  const isEnough = times >= Math.min(percentRight(smallest), 99) - ROUNDING_ERROR;
  const isNotTooMuch = times - 1 <= percentRight(largest) + ROUNDING_ERROR;
  return isEnough && isNotTooMuch;
}

/**
 * Return whether the odds at each question, the sectors of spinners and the sentence on the whole
 * survey are those of the instrument. Only the hash of the whole page protects what else it says
 * about probabilities.
 */
export function areOddsAsPublished(instrument) {
  return statesConsequence(instrument) && instrument.questions.every(statesQuestion);
}
