// Which questions a person is asked. That depends on answers that are sent as they are, never on
// answers that are scrambled. surveys/definition/routing/conditions.py says what a condition is,
// and tests/vectors/paths.json holds both programs to the same results.

/**
 * Return the questions that are asked with these answers, in order.
 *
 * readAnswer: returns the index of the answer to the question with a key, or undefined if it has
 * none. It is called for background questions only, and only for those that are asked: the answer
 * to a question that is not asked any more has no effect.
 */
export function questionsAskedOf(questions, readAnswer) {
  // Key of a background question that is asked -> { code, number } of its answer.
  const answers = new Map();
  return questions.filter(({ key, mechanism, choices, when }) => {
    const isAsked = when === undefined || holds(when, answers);
    if (isAsked && !mechanism) {
      const code = readAnswer(key);
      answers.set(key, { code, number: Number(choices[0]) + code });
    }
    return isAsked;
  });
}

/** Return whether a condition holds with these answers. */
function holds(condition, answers) {
  const { all: required, any: alternatives, of: key, in: codes, from, to } = condition;
  if (required) {
    return required.every((part) => holds(part, answers));
  }
  if (alternatives) {
    return alternatives.some((part) => holds(part, answers));
  }
  const { code, number } = answers.get(key) ?? {};
  return codes ? codes.includes(code) : from <= number && number <= to;
}

/**
 * Return the sections of the page step by step: each question or grid by itself or, if the survey
 * has a page for each section of questions, with the others of its section.
 *
 * keyOf: returns the key of a question in a section of the page.
 */
export function groupIntoSteps(pageSections, instrument, keyOf) {
  const { questions, section_pages: isPagePerSection = false } = instrument;
  const sectionNumbers = new Map();
  let sectionNumber = 0;
  for (const { key, section } of questions) {
    if (section) {
      sectionNumber += 1;
    }
    sectionNumbers.set(key, sectionNumber);
  }

  const steps = [];
  let previousNumber;
  for (const pageSection of pageSections) {
    const number = sectionNumbers.get(keyOf(pageSection));
    if (isPagePerSection && number === previousNumber) {
      steps[steps.length - 1].push(pageSection);
    } else {
      steps.push([pageSection]);
    }
    previousNumber = number;
  }
  return steps;
}
