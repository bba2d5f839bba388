// Which questions a person is asked, as the answers that are sent as they are decide. What a scrambled answer is has no
// part in it. surveys/definition/routing/conditions.py says what a condition is, tests/vectors/paths.json what comes of it.

// Of the questions those that are asked with these answers, in their order. read: key -> the index of an answer, or
// undefined where there is none. What was answered before a question was left out counts for nothing.
export function questionsAskedOf(questions, read) {
  const given = new Map(); // key of a background question that is asked -> { code, number } of its answer
  return questions.filter(({ key, mechanism, choices, when }) => {
    const isAsked = when === undefined || holds(when, given);
    if (isAsked && !mechanism) {
      const code = read(key);
      given.set(key, { code, number: Number(choices[0]) + code });
    }
    return isAsked;
  });
}

function holds({ of, in: answers, from, to, all, any }, given) {
  if (all ?? any) {
    return all ? all.every((part) => holds(part, given)) : any.some((part) => holds(part, given));
  }
  const { code, number } = given.get(of) ?? {};
  return answers ? answers.includes(code) : from <= number && number <= to;
}

// The sections of a page that stand together: each question or grid by itself, or with the others of its section.
// keyOf: section -> the key of a question in it.
export function groupIntoSteps(sections, { questions, section_pages: together = false }, keyOf) {
  let count = 0;
  const places = new Map(questions.map(({ key, section }) => [key, section ? ++count : count]));
  const found = [];
  let last;
  for (const section of sections) {
    const place = places.get(keyOf(section));
    if (together && place === last) {
      found[found.length - 1].push(section);
    } else {
      found.push([section]);
    }
    last = place;
  }
  return found;
}
