// Long lists: the answer is searched in the answers of the instrument, by typing (the combobox of the ARIA Authoring
// Practices, with manual selection). What is chosen is what stands in the field: nothing else is kept of it, so that
// whoever empties the field forgets the answer. Searching asks nothing of the network.

import { formatNumber, textInPageLanguage, spoken } from "./languages.js";

const MOST = 30; // answers shown at once
const APART = { ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ð: "d", ł: "l", þ: "th", ı: "i" }; // letters without a mark to leave out
const questions = new Map(); // key -> question of the instrument
const made = new Map(); // language and key -> what is searched

// Without marks and case, and with one space for whatever stands between words.
export function fold(text) {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return plain.replace(/[ßæœøđðłþı]/g, (letter) => APART[letter]).replace(/[^\p{L}\p{N}]+/gu, " ").trim();
}

const same = (text) => text.normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase();

// What can be searched, made once of these answers.
export function buildIndex(labels) {
  return {
    labels,
    folded: labels.map(fold),
    exact: new Map(labels.map((label, index) => [same(label), index])),
  };
}

// The index of the answer that a text is: written the same, or but for marks and case where that fits one only.
export function matchingIndex({ exact, folded }, text) {
  const found = exact.get(same(text));
  if (found !== undefined) {
    return found;
  }
  const words = fold(text);
  const first = words ? folded.indexOf(words) : -1;
  return first !== -1 && folded.lastIndexOf(words) === first ? first : undefined;
}

// The indices of answers in which the words stand: first where an answer starts with them, then where one of its words
// does, then where each word starts one, then anywhere.
export function search({ folded }, text) {
  const words = fold(text);
  const each = words.split(" ");
  const ranks = [[], [], [], []];
  folded.forEach((label, index) => {
    const spaced = ` ${label}`;
    if (label.startsWith(words)) {
      ranks[0].push(index);
    } else if (spaced.includes(` ${words}`)) {
      ranks[1].push(index);
    } else if (each.every((word) => spaced.includes(` ${word}`))) {
      ranks[2].push(index);
    } else if (label.includes(words)) {
      ranks[3].push(index);
    }
  });
  return ranks.flat();
}

// --- The field and its list.

export const isList = (input) => input?.getAttribute("role") === "combobox";
const box = (input) => input.closest(".candor-list");
const listOf = (input) => box(input).querySelector("[role=listbox]");
const options = (input) => [...listOf(input).children];
const active = (input) => options(input).find((line) => line.getAttribute("aria-selected") === "true");

// Of which questions the lists are.
export function registerLists(all) {
  all.forEach((question) => questions.set(question.key, question));
}

function searched(input) {
  const key = input.name.slice("q-".length);
  const place = `${spoken()} ${key}`;
  if (!made.has(place)) {
    const { choices } = questions.get(key);
    made.set(place, buildIndex(choices.slice(0, Number(input.dataset.size)).map(textInPageLanguage)));
  }
  return made.get(place);
}

// The index of the chosen answer, or undefined.
export const indexOf = (input) => (input.value.trim() ? matchingIndex(searched(input), input.value) : undefined);

// The chosen answer as the instrument writes it, or nothing.
export function label(input) {
  const index = indexOf(input);
  return index === undefined ? "" : searched(input).labels[index];
}

export function empty(input) {
  input.value = "";
  close(input);
  tell(input);
}

// Show one sentence below the field, with this in it; none says nothing.
function tell(input, name, text) {
  box(input).querySelector("[data-do=clear]").hidden = input.value === "";
  for (const sentence of box(input).querySelectorAll("[data-said]")) {
    sentence.hidden = sentence.dataset.said !== name;
    const place = sentence.querySelector("[data-count], bdi");
    if (place) {
      place.textContent = sentence.hidden ? "" : text;
    }
  }
}

function open(input) {
  const { labels } = searched(input);
  const found = search(searched(input), input.value);
  listOf(input).textContent = "";
  listOf(input).append(...found.slice(0, MOST).map((index) => option(input, labels[index], index)));
  listOf(input).hidden = found.length === 0;
  listOf(input).scrollTop = 0;
  input.setAttribute("aria-expanded", String(found.length > 0));
  input.removeAttribute("aria-activedescendant");
  if (found.length > MOST) {
    tell(input, "more", formatNumber(found.length - MOST));
  } else {
    tell(input, found.length ? "found" : "none", formatNumber(found.length));
  }
}

function option(input, text, index) {
  const line = document.createElement("li");
  line.id = `${input.id}-${index}`;
  line.setAttribute("role", "option");
  line.setAttribute("aria-selected", "false");
  line.dataset.index = index;
  line.dir = "auto";
  line.textContent = text;
  return line;
}

function close(input) {
  listOf(input).hidden = true;
  listOf(input).textContent = "";
  input.setAttribute("aria-expanded", "false");
  input.removeAttribute("aria-activedescendant");
}

function move(input, by) {
  const wasOpen = !listOf(input).hidden;
  if (!wasOpen) {
    open(input);
  }
  const all = options(input);
  if (all.length === 0) {
    return;
  }
  const before = all.indexOf(active(input));
  all[before]?.setAttribute("aria-selected", "false");
  const to = before === -1 ? (by > 0 ? 0 : -1) : before + by;
  const next = all[(to + all.length) % all.length];
  next.setAttribute("aria-selected", "true");
  input.setAttribute("aria-activedescendant", next.id);
  next.scrollIntoView({ block: "nearest" });
}

function pick(input, line) {
  input.value = searched(input).labels[line.dataset.index]; // not its text, which a translation may have replaced
  settle(input);
  input.dispatchEvent(new Event("change", { bubbles: true })); // as the browser does where a person types
}

// Nothing more is searched: say what is chosen, or that the text is no answer.
function settle(input) {
  close(input);
  const answer = label(input);
  tell(input, answer ? "chosen" : input.value.trim() ? "wrong" : undefined, answer);
}

const KEYS = {
  ArrowDown: (input, { altKey }) => (altKey ? open(input) : move(input, 1)),
  ArrowUp: (input, { altKey }) => (altKey ? settle(input) : move(input, -1)),
  Escape: (input) => (listOf(input).hidden ? empty(input) : settle(input)),
  Enter: (input) => pick(input, active(input)),
};

function press(event) {
  const { target: input, key, isComposing } = event;
  const isIdle = key === "Enter" && !(isList(input) && active(input)); // goes on, as in every field
  if (isList(input) && !isComposing && !isIdle && Object.keys(KEYS).includes(key)) {
    event.preventDefault();
    KEYS[key](input, event);
  }
}

// Make ready what will be searched, while somebody reads what comes first.
export function prepareLists(form) {
  const idle = globalThis.requestIdleCallback ?? ((act) => setTimeout(act, 500));
  for (const input of form.querySelectorAll("[role=combobox]")) {
    idle(() => searched(input));
  }
}

// Let the lists of a form be used.
export function listen(form) {
  const inputOf = (element) => element.closest(".candor-list")?.querySelector("[role=combobox]");
  form.addEventListener("keydown", press);
  form.addEventListener("input", ({ target }) => isList(target) && open(target));
  form.addEventListener("focusin", ({ target }) => {
    if (isList(target)) {
      searched(target); // before the first key
      box(target).scrollIntoView({ block: "start" }); // so that a keyboard leaves room for what fits
    }
  });
  form.addEventListener("focusout", ({ target }) => isList(target) && !listOf(target).hidden && settle(target));
  form.addEventListener("mousedown", (event) => {
    if (event.target.closest("[role=listbox]")) {
      event.preventDefault(); // the focus stays in the field
    }
  });
  form.addEventListener("click", ({ target }) => {
    const line = target.closest("[role=option]");
    if (line) {
      pick(inputOf(line), line);
    } else if (isList(target) && listOf(target).hidden && indexOf(target) === undefined) {
      open(target);
    } else if (target.matches("[data-do=clear]")) {
      empty(inputOf(target));
      inputOf(target).focus();
    }
  });
  form.addEventListener("reset", () => {
    for (const input of form.querySelectorAll("[role=combobox]")) {
      empty(input);
    }
  });
}
