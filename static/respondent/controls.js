// How each kind of question is answered. A control takes the inputs of a question and knows four things: whether they
// are those of the instrument, its choices in the language of the page (check), what is chosen (read), how to forget
// that (erase), and how the list on the device says it (show). `typed` takes back what is typed, where “Prefer not to
// say” stands beside a field; `isUnreadable` tells a text that is no number from a number that is not allowed.

import { normalizeAnswer } from "../mechanisms/text.js";
import { textInPageLanguage } from "./languages.js";
import { empty, indexOf, isList, label } from "./lists.js";
import { parseWhole } from "./numbers.js";
import { last } from "./oldest.js";

const ticked = (input) => (input.checked ? [input.labels[0].textContent] : []);
export const noneOf = (input) => input.closest(".govuk-checkboxes")?.querySelector("[data-none]"); // “None of these”
const written = (text) => (text ? [text] : []);

// Answers below each other. A statement has its own two, True and then False.
const ticks = {
  check(inputs, { choices, mode, mechanism }) {
    const statement = (mode === "spinner" || mode === "by-hand") && mechanism.design === "warner";
    return (
      inputs.length === choices.length &&
      (statement
        ? String(inputs.map(({ value }) => value)) === "1,0"
        : inputs.every((input) => input.labels[0].textContent === choices[input.value]))
    );
  },
  // The index of the chosen answer, or undefined; where any number of answers may be chosen, the list of their indices,
  // which is empty only where a person says so.
  read(inputs) {
    const chosen = inputs.filter((input) => input.checked).map((input) => Number(input.value));
    if (inputs[0].type === "checkbox") {
      return chosen.length > 0 || noneOf(inputs[0]).checked ? chosen : undefined;
    }
    return chosen[0];
  },
  erase(inputs) {
    for (const input of [...inputs, noneOf(inputs[0])].filter(Boolean)) {
      input.checked = false;
    }
  },
  show: (inputs) => [...inputs, noneOf(inputs[0])].filter(Boolean).flatMap(ticked),
};

// A field, perhaps with “Prefer not to say” below it.
const beside = (typed) => ({
  typed,
  erase([field, none]) {
    typed(field);
    if (none) {
      none.checked = false;
    }
  },
});

const wipe = (field) => {
  field.value = "";
};

const number = {
  ...beside(wipe),
  check([{ dataset }, none], { choices, step: apart = 1, aside = false }) {
    const highest = choices[choices.length - (aside ? 2 : 1)];
    const bounds = dataset.min === choices[0] && dataset.max === highest && dataset.step === String(apart);
    return bounds && (aside ? none?.labels[0].textContent === last(choices) : none === undefined);
  },
  // The place of the number among the allowed ones, or undefined.
  read([{ value, dataset }, none]) {
    if (none?.checked) {
      return value === "" ? Number(none.value) : undefined;
    }
    const typed = parseWhole(value);
    const isAllowed = typed >= Number(dataset.min) && typed <= Number(dataset.max);
    const place = (typed - Number(dataset.min)) / Number(dataset.step);
    return isAllowed && Number.isInteger(place) ? place : undefined;
  },
  // Whether something is typed that is no whole number.
  isUnreadable: ([{ value }]) => value.trim() !== "" && parseWhole(value) === undefined,
  show(inputs, { choices, unit = "" }) {
    const [, none] = inputs;
    if (none?.checked) {
      return ticked(none);
    }
    const place = number.read(inputs);
    return place === undefined ? [] : [`${textInPageLanguage(choices[place])} ${textInPageLanguage(unit)}`.trim()];
  },
};

// One answer of very many; all but “Prefer not to say” are taken from the instrument itself.
const search = {
  ...beside(empty),
  check([{ dataset }, none], { choices }) {
    const declines = none ? none.value === dataset.size && none.labels[0].textContent === last(choices) : true;
    return declines && Number(dataset.size) + (none ? 1 : 0) === choices.length;
  },
  read([field, none]) {
    return none?.checked ? (field.value === "" ? Number(none.value) : undefined) : indexOf(field);
  },
  show: ([field, none]) => [...written(label(field)), ...(none ? ticked(none) : [])],
};

const text = {
  ...beside(wipe),
  check: (inputs) => inputs.length === 1 && inputs[0].hasAttribute("data-written-answer"),
  // What is written, as it was typed; undefined where it is nothing or too much.
  read([{ value }]) {
    try {
      return normalizeAnswer(value) && value;
    } catch {
      return undefined;
    }
  },
  show: ([{ value }]) => written(value.trim()),
};

// Few answers stand below each other, many are searched.
const choices = (inputs) => (isList(inputs[0]) ? search : ticks);
const always = (control) => () => control;

// Of each kind the control, by the inputs that stand there; first: the index of the answer that people read first.
const KINDS = {
  "yes-no": { control: always(ticks), first: 1 },
  choice: { control: choices, first: 0 },
  any: { control: always(ticks), first: 0 },
  quantity: { control: always(number), first: 0 },
  scale: { control: always(ticks), first: 0 },
  written: { control: always(text), first: 0 },
  background: { control: choices, first: 0 },
  number: { control: always(number), first: 0 },
};

export const controlOf = (kind, inputs) => KINDS[kind].control(inputs);
export const firstOf = (kind) => KINDS[kind].first;
