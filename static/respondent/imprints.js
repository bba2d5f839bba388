// Imprints: what RAPPOR's permanent step made of a written answer. If the respondent says so, the device keeps them for
// later versions of the survey: a report on the very same question is then drawn from its imprint, and nobody is asked.

import { cryptoUint32, imprinting } from "../mechanisms/index.js";

const hasImprint = ({ mechanism }) => imprinting(mechanism) !== null;

// The very same question is one with the same text and the same mechanism.
const name = ({ text, mechanism }) => JSON.stringify([text, mechanism]);

// Of what the device keeps the imprints of these questions: key -> imprint.
export function imprintsFor(questions, kept) {
  const found = new Map();
  for (const question of questions.filter(hasImprint)) {
    const imprint = Object.keys(kept ?? {}).includes(name(question)) ? kept[name(question)] : null;
    if (imprinting(question.mechanism).isKept(question.mechanism, imprint)) {
      found.set(question.key, imprint);
    }
  }
  return found;
}

// What the device is to keep of these imprints, beside what it keeps already.
export function keptWith(questions, imprints, kept) {
  const own = questions.filter(({ key }) => imprints.has(key));
  return { ...kept, ...Object.fromEntries(own.map((question) => [name(question), imprints.get(question.key)])) };
}

// A report from the imprint that a question has, or else from an imprint of its truth, which is then left in `imprints`;
// null where there is neither, and undefined for every other kind of question.
export function reportByImprint(question, truths, imprints) {
  if (!hasImprint(question)) {
    return undefined;
  }
  const { key, mechanism } = question;
  const { keep, again } = imprinting(mechanism);
  if (!imprints.has(key) && !truths.has(key)) {
    return null;
  }
  if (!imprints.has(key)) {
    imprints.set(key, keep(mechanism, truths.get(key), cryptoUint32));
  }
  return again(mechanism, imprints.get(key), cryptoUint32);
}
