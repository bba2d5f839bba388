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
  // Key of a background question that is asked -> { code, number }: the index of its answer, and
  // the number that it means, if the choices are numbers. While the question has no answer they are
  // undefined and NaN, with which no comparison holds.
  const answers = new Map();
  return questions.filter(({ key, mechanism, choices, when }) => {
    const isAsked = when === undefined || holds(when, answers);
    // Without a mechanism it is a background question, whose answer is sent as it is.
    if (isAsked && !mechanism) {
      const code = readAnswer(key);
      // The numbers of a background question go up by 1, from the one with code 0.
      answers.set(key, { code, number: Number(choices[0]) + code });
    }
    return isAsked;
  });
}

/**
 * Return whether a condition holds with these answers.
 *
 * condition: { all } or { any }, lists of conditions; { of, in }, the key of a background question
 * and the indexes of its answers with which the condition holds; or { of, from, to } for a number.
 * answers: a Map from the key of a background question to { code, number }. A question that is not
 * in it was not asked, and no condition on it holds.
 */
function holds(condition, answers) {
  const { all: required, any: alternatives, of: key, in: codes, from, to } = condition;
  if (required) {
    return required.every((part) => holds(part, answers));
  }
  if (alternatives) {
    return alternatives.some((part) => holds(part, answers));
  }
  // For a question that was not asked both are undefined, with which no comparison holds.
  const { code, number } = answers.get(key) ?? {};
  return codes ? codes.includes(code) : from <= number && number <= to;
}

/**
 * Return the sections of the page step by step, as a list of lists: each question or grid by itself
 * or, if the survey has a page for each section of questions, with the others of its section.
 *
 * pageSections: the elements of the page, each with one question or the rows of a grid, in order.
 * keyOf: returns the key of a question in a section of the page.
 */
export function groupIntoSteps(pageSections, instrument, keyOf) {
  const { questions, section_pages: isPagePerSection = false } = instrument;
  // Key of a question -> the number of its section of the survey. The first section has the number
  // 1, and questions before any heading have 0.
  const sectionNumbers = new Map();
  let sectionNumber = 0;
  for (const { key, section } of questions) {
    // Only the first question of a section of the survey has its heading.
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
