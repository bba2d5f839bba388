// How each kind of question is answered. A control has functions that take the inputs of a
// question:
//   check         returns whether the inputs are those of the question in the instrument. Its
//                 choices are passed as texts in the language of the page.
//   read          returns the answer, or undefined if there is none
//   erase         deletes the answer
//   show          returns the answer as a list of texts, for the list at the end
//   eraseTyped    deletes what is typed in a field, for controls with a field
//   isUnreadable  returns whether something is typed that is no number at all, for numbers
// A control with a field takes its inputs as [field, declineBox]: the box “Prefer not to say” is
// undefined if the question has none. The index of that answer follows all others.

import { normalizeAnswer } from "../mechanisms/text.js";
import { textInPageLanguage } from "./languages.js";
import { chosenIndex, chosenLabel, clearList, isListField } from "./lists.js";
import { parseWhole } from "./numbers.js";
import { lastOf } from "./oldest.js";

/**
 * Return the box “None of these” for one of the boxes; null if its question has none, undefined if
 * the input is no box, such as a radio button.
 */
export function noneBoxOf(input) {
  return input.closest(".govuk-checkboxes")?.querySelector("[data-none]");
}

/** Return the text beside a radio button or a box. */
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
  /**
   * Return whether there is one input for each choice, labelled with this choice.
   *
   * In Warner's design with a spinner or by hand the respondent says whether a statement is true,
   * and the labels are not the choices of the question. Then only the values are checked: “True”
   * comes first and stands for the choice with index 1, “False” for the one with index 0.
   */
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
   * which is empty only if “None of these” is chosen. Return undefined if nothing is chosen.
   */
  read(inputs) {
    const checkedInputs = inputs.filter((input) => input.checked);
    const indexes = checkedInputs.map((input) => Number(input.value));
    // Of radio buttons at most one is checked.
    if (inputs[0].type !== "checkbox") {
      return indexes[0];
    }
    // “None of these” has no index of its own.
    const isAnswered = indexes.length > 0 || noneBoxOf(inputs[0]).checked;
    return isAnswered ? indexes : undefined;
  },
  /** Uncheck all inputs, and “None of these”. */
  erase(inputs) {
    for (const input of withNoneBox(inputs)) {
      input.checked = false;
    }
  },
  /** Return the labels of all checked inputs. */
  show(inputs) {
    return withNoneBox(inputs).flatMap(checkedLabels);
  },
};

/**
 * Return the functions that all controls with a field share. The field may have “Prefer not to say”
 * below it.
 *
 * eraseTyped: deletes what is typed in the field.
 */
function fieldControl(eraseTyped) {
  return {
    eraseTyped,
    /** Delete what is typed, and uncheck “Prefer not to say”. */
    erase([field, declineBox]) {
      eraseTyped(field);
      if (declineBox) {
        declineBox.checked = false;
      }
    },
  };
}

/** Empty a field that has no list of answers. */
function clearTextField(field) {
  field.value = "";
}

// A whole number in a field. The choices of the question are all numbers that are allowed, in order
// and in equal steps, and at the end “Prefer not to say” if the question has it (`aside`).
const number = {
  ...fieldControl(clearTextField),
  /** Return whether the field allows the numbers of the instrument, and the box has its text. */
  check([field, declineBox], { choices, step = 1, aside: hasDecline = false }) {
    const { min, max, step: fieldStep } = field.dataset;
    // “Prefer not to say” stands after the highest number.
    const highest = choices[choices.length - (hasDecline ? 2 : 1)];
    if (min !== choices[0] || max !== highest || fieldStep !== String(step)) {
      return false;
    }
    if (!hasDecline) {
      return declineBox === undefined;
    }
    return declineBox?.labels[0].textContent === lastOf(choices);
  },
  /**
   * Return the index of the number among the allowed ones, or that of “Prefer not to say”. Return
   * undefined if the number is not allowed, and if there are two answers, a number and the box.
   */
  read([field, declineBox]) {
    if (declineBox?.checked) {
      return field.value === "" ? Number(declineBox.value) : undefined;
    }
    const min = Number(field.dataset.min);
    const typed = parseWhole(field.value);
    // If nothing or no number is typed, no comparison with undefined holds.
    const isInRange = typed >= min && typed <= Number(field.dataset.max);
    const index = (typed - min) / Number(field.dataset.step);
    return isInRange && Number.isInteger(index) ? index : undefined;
  },
  /** Return whether something is typed that is no whole number, allowed or not. */
  isUnreadable([field]) {
    return field.value.trim() !== "" && parseWhole(field.value) === undefined;
  },
  /** Return the number with its unit, or “Prefer not to say”, in a list; [] without an answer. */
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
  /**
   * Return whether the field searches as many answers as the instrument has. Their texts need no
   * comparison, because they are taken from the instrument; only that of the box is on the page.
   */
  check([field, declineBox], { choices }) {
    const size = Number(field.dataset.size);
    if (!declineBox) {
      return size === choices.length;
    }
    // The answers that are searched have the indexes below `size`, and “Prefer not to say” has
    // `size`.
    const isDecline =
      declineBox.value === field.dataset.size && labelOf(declineBox) === lastOf(choices);
    return isDecline && size + 1 === choices.length;
  },
  /**
   * Return the index of the answer that the text in the field means, or that of “Prefer not to
   * say”. Return undefined if the text means no answer, and if there are two answers.
   */
  read([field, declineBox]) {
    if (declineBox?.checked) {
      return field.value === "" ? Number(declineBox.value) : undefined;
    }
    return chosenIndex(field);
  },
  /** Return the labels of the chosen answer and of “Prefer not to say”, as far as there are any. */
  show([field, declineBox]) {
    const label = chosenLabel(field);
    const labels = label ? [label] : [];
    return declineBox ? [...labels, ...checkedLabels(declineBox)] : labels;
  },
};

// A written answer in a field. It has no choices, so there is nothing to compare besides the field.
const text = {
  ...fieldControl(clearTextField),
  /** Return whether the question has one field, which is made for a written answer. */
  check(inputs) {
    return inputs.length === 1 && inputs[0].hasAttribute("data-written-answer");
  },
  /** Return the text as it is typed, or undefined if it is empty or too long. */
  read([field]) {
    // The normal form itself is not needed here: the mechanism makes it again.
    try {
      normalizeAnswer(field.value);
    } catch {
      return undefined;
    }
    return field.value;
  },
  /** Return the text in a list; [] if nothing is typed. */
  show([field]) {
    const typed = field.value.trim();
    return typed ? [typed] : [];
  },
};

/** Return the control of a choice: a few answers are below each other, many are searched. */
function choiceControl(inputs) {
  return isListField(inputs[0]) ? search : buttons;
}

/** Return a function that returns the control, for kinds whose control depends on nothing else. */
function always(control) {
  return () => control;
}

// Kind of a question -> a function that returns the control for its inputs; and, as `first`, the
// index of the answer that people read first. “Yes” stands above “No”, but has index 1.
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

/** Return the control for a kind of question: an object with the functions listed above. */
export function controlOf(kind, inputs) {
  return KINDS[kind].control(inputs);
}

/**
 * Return the index of the answer that people read first in a question of this kind. The odds that
 * the page states are about this answer.
 */
export function indexReadFirst(kind) {
  return KINDS[kind].first;
}
