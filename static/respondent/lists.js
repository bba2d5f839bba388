// Long lists: an answer is searched among the answers of the instrument, by typing (the combobox of
// the ARIA Authoring Practices, with manual selection). The chosen answer is the text in the field
// and is stored nowhere else, so that whoever empties the field deletes the answer. Searching asks
// nothing of the network.
//
// A list is a container with the field, the button that empties it, the lines of the answers that
// fit (the listbox), and a message. In the functions below, `input` is the field.

import { formatNumber, pageLanguage, textInPageLanguage } from "./languages.js";

// So many answers are lines of the list at once. Further ones are counted, and found by typing on.
const MAX_VISIBLE = 30;
// Letters that are no combination of a plain letter and a mark.
const PLAIN_LETTERS = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  ł: "l",
  þ: "th",
  ı: "i",
};

// Key of a question -> the question of the instrument.
const questionsByKey = new Map();
// "language key" -> the search index of this question in this language (see buildIndex).
const searchIndexes = new Map();

/**
 * Return a text in lower case, without marks, and with one space between words: the form in which
 * what is typed is compared with labels, since keyboards lack marks. The result is "" if the text
 * has no letter or digit.
 */
export function foldText(text) {
  const withoutMarks = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const plain = withoutMarks.replace(/[ßæœøđðłþı]/g, (letter) => PLAIN_LETTERS[letter]);
  return plain.replace(/[^\p{L}\p{N}]+/gu, " ").trim();
}

/**
 * Return a text in lower case with one space between words, marks included: the form in which
 * labels that differ in marks alone stay apart.
 */
function normalizeLabel(text) {
  return text.normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase();
}

/**
 * Return a search index of the labels, { labels, folded, exact }: the labels; the same in the form
 * in which words are compared; and a Map from the normal form of each label to its index.
 */
export function buildIndex(labels) {
  const exact = new Map(labels.map((label, index) => [normalizeLabel(label), index]));
  return { labels, folded: labels.map(foldText), exact };
}

/**
 * Return the index of the label that a text means, or undefined. The text may lack the marks and
 * the case of the label if only one label fits.
 */
export function matchingIndex({ exact, folded }, text) {
  const exactIndex = exact.get(normalizeLabel(text));
  if (exactIndex !== undefined) {
    return exactIndex;
  }
  const words = foldText(text);
  if (!words) {
    // Nothing but punctuation is left of such a text.
    return undefined;
  }
  const firstIndex = folded.indexOf(words);
  // Two labels can differ in their marks alone.
  const isUnique = firstIndex !== -1 && folded.lastIndexOf(words) === firstIndex;
  return isUnique ? firstIndex : undefined;
}

/**
 * Return the indexes of the labels that contain the words of a text: first labels that start with
 * the text, then labels with a word that starts with it, then labels in which each of its words
 * starts a word, then labels that contain the text anywhere.
 */
export function searchLabels({ folded }, text) {
  const typed = foldText(text);
  const words = typed.split(" ");
  const ranks = [[], [], [], []];
  folded.forEach((label, index) => {
    // Now each word, the first one too, begins after a space.
    const spaced = ` ${label}`;
    if (label.startsWith(typed)) {
      ranks[0].push(index);
    } else if (spaced.includes(` ${typed}`)) {
      ranks[1].push(index);
    } else if (words.every((word) => spaced.includes(` ${word}`))) {
      ranks[2].push(index);
    } else if (label.includes(typed)) {
      ranks[3].push(index);
    }
  });
  return ranks.flat();
}

// --- The field and its list.

/** Return whether an input is the field of a long list. */
export function isListField(input) {
  return input?.getAttribute("role") === "combobox";
}

/** Return the container of a list, with its field, button, lines and message. */
function containerOf(input) {
  return input.closest(".candor-list");
}

/** Return the element with the lines of a list. */
function listboxOf(input) {
  return containerOf(input).querySelector("[role=listbox]");
}

/** Return the line of the list that the arrow keys have reached, or undefined. */
function activeLine(input) {
  const lines = [...listboxOf(input).children];
  return lines.find((line) => line.getAttribute("aria-selected") === "true");
}

/**
 * Remember the questions by their keys: the long lists take their answers from them. This sets up
 * no list.
 */
export function registerLists(questions) {
  questions.forEach((question) => questionsByKey.set(question.key, question));
}

/** Return the search index of a field in the language of the page. It is built once. */
function searchIndexOf(input) {
  // The name of an input is "q-" and the key of its question.
  const key = input.name.slice("q-".length);
  const name = `${pageLanguage()} ${key}`;
  if (!searchIndexes.has(name)) {
    const { choices } = questionsByKey.get(key);
    // “Prefer not to say” is the last choice and has a box of its own. It is not searched, and not
    // counted in data-size.
    const searchable = choices.slice(0, Number(input.dataset.size));
    searchIndexes.set(name, buildIndex(searchable.map(textInPageLanguage)));
  }
  return searchIndexes.get(name);
}

/** Return the index of the answer that the text in the field means, or undefined if it is none. */
export function chosenIndex(input) {
  if (!input.value.trim()) {
    return undefined;
  }
  return matchingIndex(searchIndexOf(input), input.value);
}

/** Return the chosen answer as the instrument writes it, or "" if no answer is chosen. */
export function chosenLabel(input) {
  const index = chosenIndex(input);
  return index === undefined ? "" : searchIndexOf(input).labels[index];
}

/** Delete the text in the field, and with it the chosen answer. */
export function clearList(input) {
  input.value = "";
  closeList(input);
  // Without a name this hides all messages, and the button that empties the field.
  showMessage(input);
}

/**
 * Show one of the messages below the field, with a text filled in. The button that empties the
 * field is visible while there is something in it.
 *
 * name: "found", "more", "none", "wrong" or "chosen"; undefined for no message.
 * text: the text for the gap of the message, if it has one: a number, or the chosen answer.
 */
function showMessage(input, name, text) {
  containerOf(input).querySelector("[data-do=clear]").hidden = input.value === "";
  for (const message of containerOf(input).querySelectorAll("[data-said]")) {
    message.hidden = message.dataset.said !== name;
    // The gap for a number has data-count, the one for an answer is a bdi element.
    const gap = message.querySelector("[data-count], bdi");
    if (gap) {
      gap.textContent = message.hidden ? "" : text;
    }
  }
}

/** Show the answers that fit the text in the field, and a message with their number. */
function openList(input) {
  const searchIndex = searchIndexOf(input);
  const indexes = searchLabels(searchIndex, input.value);
  const visibleIndexes = indexes.slice(0, MAX_VISIBLE);
  const lines = visibleIndexes.map((index) => createLine(input, searchIndex.labels[index], index));
  const listbox = listboxOf(input);
  listbox.textContent = "";
  listbox.append(...lines);
  listbox.hidden = indexes.length === 0;
  listbox.scrollTop = 0;
  input.setAttribute("aria-expanded", String(indexes.length > 0));
  input.removeAttribute("aria-activedescendant");

  if (indexes.length > MAX_VISIBLE) {
    showMessage(input, "more", formatNumber(indexes.length - MAX_VISIBLE));
  } else {
    showMessage(input, indexes.length > 0 ? "found" : "none", formatNumber(indexes.length));
  }
}

/** Return a new line of the list, for the answer with this label and this index. */
function createLine(input, label, index) {
  const line = document.createElement("li");
  line.id = `${input.id}-${index}`;
  line.setAttribute("role", "option");
  line.setAttribute("aria-selected", "false");
  line.dataset.index = index;
  line.dir = "auto";
  line.textContent = label;
  return line;
}

/** Hide the list and remove its lines. The text in the field stays. */
function closeList(input) {
  const listbox = listboxOf(input);
  listbox.hidden = true;
  listbox.textContent = "";
  input.setAttribute("aria-expanded", "false");
  input.removeAttribute("aria-activedescendant");
}

/**
 * Make the next line (step 1) or the previous one (step -1) the active line, after opening the
 * list. After the last line the first one follows.
 */
function moveActiveLine(input, step) {
  if (listboxOf(input).hidden) {
    openList(input);
  }
  const lines = [...listboxOf(input).children];
  if (lines.length === 0) {
    // No answer fits the text, and the message says so.
    return;
  }
  let index = lines.indexOf(activeLine(input));
  lines[index]?.setAttribute("aria-selected", "false");
  if (index === -1 && step < 0) {
    // Without an active line, the line before the first one is the last one.
    index = 0;
  }
  const line = lines[(index + step + lines.length) % lines.length];
  line.setAttribute("aria-selected", "true");
  input.setAttribute("aria-activedescendant", line.id);
  line.scrollIntoView({ block: "nearest" });
}

/** Choose the answer of a line of the list: write it into the field, and close the list. */
function chooseLine(input, line) {
  // The text of the line may have been replaced by a translation of the browser.
  input.value = searchIndexOf(input).labels[line.dataset.index];
  endSearch(input);
  // The browser sends the same event if a person types.
  input.dispatchEvent(new Event("change", { bubbles: true }));
}

/**
 * Close the list, and say what is chosen, or that the text in the field is no answer. This is when
 * a line was chosen, or the field is left.
 */
function endSearch(input) {
  closeList(input);
  const label = chosenLabel(input);
  if (label) {
    showMessage(input, "chosen", label);
  } else {
    showMessage(input, input.value.trim() ? "wrong" : undefined, "");
  }
}

// What each key does in a field, with the event of the key as second argument. Alt with an arrow
// opens or closes the list, as in the pattern of the combobox.
const KEY_ACTIONS = {
  /** Go to the next line, or only open the list with Alt. */
  ArrowDown(input, { altKey }) {
    if (altKey) {
      openList(input);
    } else {
      moveActiveLine(input, 1);
    }
  },
  /** Go to the previous line, or close the list with Alt. */
  ArrowUp(input, { altKey }) {
    if (altKey) {
      endSearch(input);
    } else {
      moveActiveLine(input, -1);
    }
  },
  /** Close the list or, if it is closed, empty the field. */
  Escape(input) {
    if (listboxOf(input).hidden) {
      clearList(input);
    } else {
      endSearch(input);
    }
  },
  /** Choose the active line, which handleKey() makes sure of. */
  Enter(input) {
    chooseLine(input, activeLine(input));
  },
};

/** Do what a key does in the field of a list. Other keys do what they do in every field. */
function handleKey(event) {
  const { target: input, key, isComposing } = event;
  // While a character is composed of several keys, the keys belong to the keyboard.
  if (!isListField(input) || isComposing || !Object.keys(KEY_ACTIONS).includes(key)) {
    return;
  }
  if (key === "Enter" && !activeLine(input)) {
    // Without an active line, Enter submits the form as in every field.
    return;
  }
  event.preventDefault();
  KEY_ACTIONS[key](input, event);
}

/**
 * Build the search indexes of a form while the introduction is read, since that takes a moment for
 * thousands of answers.
 */
export function prepareLists(form) {
  // Safari has no requestIdleCallback.
  const runWhenIdle = globalThis.requestIdleCallback ?? ((task) => setTimeout(task, 500));
  for (const input of form.querySelectorAll("[role=combobox]")) {
    runWhenIdle(() => searchIndexOf(input));
  }
}

/** Return the field of the list that an element is in, or undefined if it is in none. */
function fieldOf(element) {
  return element.closest(".candor-list")?.querySelector("[role=combobox]");
}

/** Handle a click on a line of a list, on a field, or on a button that empties a field. */
function handleClick({ target }) {
  const line = target.closest("[role=option]");
  if (line) {
    chooseLine(fieldOf(line), line);
    return;
  }
  // A field that is empty or has no answer yet opens its list at a click, as it does at a letter.
  // A click on a field with a chosen answer is for changing its text, and opens nothing.
  const hasNoAnswer = isListField(target) && chosenIndex(target) === undefined;
  if (hasNoAnswer && listboxOf(target).hidden) {
    openList(target);
  } else if (target.matches("[data-do=clear]")) {
    clearList(fieldOf(target));
    fieldOf(target).focus();
  }
}

/** Add the listeners to a form that make its lists work. */
export function addListListeners(form) {
  form.addEventListener("keydown", handleKey);
  form.addEventListener("input", ({ target }) => {
    if (isListField(target)) {
      openList(target);
    }
  });
  form.addEventListener("focusin", ({ target }) => {
    if (isListField(target)) {
      // The index is ready before the first key is pressed.
      searchIndexOf(target);
      // The keyboard of a phone then leaves room for the answers.
      containerOf(target).scrollIntoView({ block: "start" });
    }
  });
  form.addEventListener("focusout", ({ target }) => {
    if (isListField(target) && !listboxOf(target).hidden) {
      endSearch(target);
    }
  });
  form.addEventListener("mousedown", (event) => {
    if (event.target.closest("[role=listbox]")) {
      // The focus stays in the field.
      event.preventDefault();
    }
  });
  form.addEventListener("click", handleClick);
  form.addEventListener("reset", () => {
    for (const input of form.querySelectorAll("[role=combobox]")) {
      clearList(input);
    }
  });
}
