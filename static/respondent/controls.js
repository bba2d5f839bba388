// How each kind of question is answered. A control has functions that take the inputs of a
// question:
//   check         returns whether the inputs are those of the question, whose answers are passed in
//                 the language of the page
//   read          returns the answer, or undefined if there is none
//   erase         deletes the answer
//   show          returns the answer as a list of texts, for the list at the end
//   eraseTyped    deletes what is typed, if a field has “Prefer not to say” below it
//   isUnreadable  returns whether something is typed that is no number at all

import { normalizeAnswer } from "../mechanisms/text.js";
import { textInPageLanguage } from "./languages.js";
import { chosenIndex, chosenLabel, clearList, isListField } from "./lists.js";
import { parseWhole } from "./numbers.js";
import { lastOf } from "./oldest.js";

/** Return the box “None of these” for one of the boxes; null or undefined if there is none. */
export function noneBoxOf(input) {
  return input.closest(".govuk-checkboxes")?.querySelector("[data-none]");
}

function labelOf(input) {
  return input.labels[0].textContent;
}

/** Return the label of an input in a list if the input is checked, else an empty list. */
function checkedLabels(input) {
  return input.checked ? [labelOf(input)] : [];
}

/** Return the boxes of a question and the box “None of these”, if it has one. */
function withNoneBox(inputs) {
  const noneBox = noneBoxOf(inputs[0]);
  return noneBox ? [...inputs, noneBox] : inputs;
}

// Radio buttons or boxes below each other. A statement has two answers, True and then False.
const buttons = {
  check(inputs, { choices, mode, mechanism }) {
    if (inputs.length !== choices.length) {
      return false;
    }
    const isByRespondent = mode === "spinner" || mode === "by-hand";
    if (isByRespondent && mechanism.design === "warner") {
      return String(inputs.map((input) => input.value)) === "1,0";
    }
    return inputs.every((input) => labelOf(input) === choices[input.value]);
  },
  /**
   * Return the index of the chosen answer or, if several can be chosen, the list of their indexes,
   * which is empty only if “None of these” is chosen.
   */
  read(inputs) {
    const checkedInputs = inputs.filter((input) => input.checked);
    const indexes = checkedInputs.map((input) => Number(input.value));
    if (inputs[0].type !== "checkbox") {
      return indexes[0];
    }
    const isAnswered = indexes.length > 0 || noneBoxOf(inputs[0]).checked;
    return isAnswered ? indexes : undefined;
  },
  erase(inputs) {
    for (const input of withNoneBox(inputs)) {
      input.checked = false;
    }
  },
  show(inputs) {
    return withNoneBox(inputs).flatMap(checkedLabels);
  },
};

/** Return the functions of a control with a field, which may have “Prefer not to say” below it. */
function fieldControl(eraseTyped) {
  return {
    eraseTyped,
    erase([field, declineBox]) {
      eraseTyped(field);
      if (declineBox) {
        declineBox.checked = false;
      }
    },
  };
}

function clearField(field) {
  field.value = "";
}

const number = {
  ...fieldControl(clearField),
  check([field, declineBox], { choices, step = 1, aside: hasDecline = false }) {
    const { min, max, step: fieldStep } = field.dataset;
    const highest = choices[choices.length - (hasDecline ? 2 : 1)];
    if (min !== choices[0] || max !== highest || fieldStep !== String(step)) {
      return false;
    }
    if (!hasDecline) {
      return declineBox === undefined;
    }
    return declineBox?.labels[0].textContent === lastOf(choices);
  },
  /** Return the index of the number among the allowed ones. */
  read([field, declineBox]) {
    if (declineBox?.checked) {
      return field.value === "" ? Number(declineBox.value) : undefined;
    }
    const min = Number(field.dataset.min);
    const typed = parseWhole(field.value);
    const isInRange = typed >= min && typed <= Number(field.dataset.max);
    const index = (typed - min) / Number(field.dataset.step);
    return isInRange && Number.isInteger(index) ? index : undefined;
  },
  isUnreadable([field]) {
    return field.value.trim() !== "" && parseWhole(field.value) === undefined;
  },
  show(inputs, { choices, unit = "" }) {
    const [, declineBox] = inputs;
    if (declineBox?.checked) {
      return checkedLabels(declineBox);
    }
    const index = number.read(inputs);
    if (index === undefined) {
      return [];
    }
    return [`${textInPageLanguage(choices[index])} ${textInPageLanguage(unit)}`.trim()];
  },
};

// One answer of a long list. All answers except “Prefer not to say” are searched in the instrument.
const search = {
  ...fieldControl(clearList),
  check([field, declineBox], { choices }) {
    const size = Number(field.dataset.size);
    if (!declineBox) {
      return size === choices.length;
    }
    const isDecline =
      declineBox.value === field.dataset.size && labelOf(declineBox) === lastOf(choices);
    return isDecline && size + 1 === choices.length;
  },
  read([field, declineBox]) {
    if (declineBox?.checked) {
      return field.value === "" ? Number(declineBox.value) : undefined;
    }
    return chosenIndex(field);
  },
  show([field, declineBox]) {
    const label = chosenLabel(field);
    const labels = label ? [label] : [];
    return declineBox ? [...labels, ...checkedLabels(declineBox)] : labels;
  },
};

const text = {
  ...fieldControl(clearField),
  check(inputs) {
    return inputs.length === 1 && inputs[0].hasAttribute("data-written-answer");
  },
  /** Return the text as it is typed, or undefined if it is empty or too long. */
  read([field]) {
    try {
      normalizeAnswer(field.value);
    } catch {
      return undefined;
    }
    return field.value;
  },
  show([field]) {
    const typed = field.value.trim();
    return typed ? [typed] : [];
  },
};

/** Return the control of a choice: a few answers are below each other, many are searched. */
function choiceControl(inputs) {
  return isListField(inputs[0]) ? search : buttons;
}

function always(control) {
  return () => control;
}

// Kind of a question -> a function that returns the control for its inputs; and, as `first`, the
// index of the answer that people read first.
const KINDS = {
  "yes-no": { control: always(buttons), first: 1 },
  choice: { control: choiceControl, first: 0 },
  any: { control: always(buttons), first: 0 },
  quantity: { control: always(number), first: 0 },
  scale: { control: always(buttons), first: 0 },
  written: { control: always(text), first: 0 },
  background: { control: choiceControl, first: 0 },
  number: { control: always(number), first: 0 },
};

/** Return the control of a question for its kind and its inputs. */
export function controlOf(kind, inputs) {
  return KINDS[kind].control(inputs);
}

/** Return the index of the answer that people read first in a question of this kind. */
export function answerReadFirst(kind) {
  return KINDS[kind].first;
}
