// Grids: neighbouring questions with one heading and one list of answers. Where there is room, the rows that are asked
// stand together in a table; elsewhere each is a step of its own. The controls move between the two and stay the same
// ones, so that nothing chosen is lost. Nothing of the layout is kept or sent.

import { textInPageLanguage } from "./languages.js";

const LEAST = 44; // rem that a table needs
const HEADS = 14; // rem for the rows' texts beside many columns of COLUMN rem
const COLUMN = 5;

// Looked up each time, as the form may be replaced by the same in another language.
const grids = () => [...document.querySelectorAll("#form .candor-grid")];
const section = (key) => document.querySelector(`#form .candor-question[data-key="${key}"]`);
const line = (key) => document.querySelector(`#form .candor-grid tr[data-key="${key}"]`);
const lines = (grid) => [...grid.querySelectorAll("tbody tr")];

function room(grid) {
  const columns = grid.querySelectorAll("thead th").length;
  return matchMedia(`(min-width: ${Math.max(LEAST, HEADS + COLUMN * columns)}rem)`);
}

const watched = grids().map(room); // kept, or they could be collected before they change

export function onWidth(act) {
  for (const query of watched) {
    query.addEventListener("change", act);
  }
}

// The keys of the questions in a section.
export function questionKeysIn(section) {
  if (section.dataset.key) {
    return [section.dataset.key];
  }
  return section.matches(".candor-grid") ? lines(section).map(({ dataset }) => dataset.key) : [];
}

// Whether the heading, the text of a row and the heads of its columns are those of the instrument.
export function standsInItsGrid({ key, text, choices, grid = "" }) {
  const [heading, name, heads] = [textInPageLanguage(grid), textInPageLanguage(text), choices.map(textInPageLanguage)];
  const over = section(key)?.querySelector(".candor-question__grid")?.textContent ?? "";
  const row = line(key);
  if (over !== heading || !row) {
    return over === heading;
  }
  const cells = [...row.querySelectorAll("td")];
  const columns = [...row.closest("table").querySelectorAll("thead th")];
  return (
    row.closest(".candor-grid").querySelector("h1").textContent === heading &&
    row.querySelector(".candor-grid__row").textContent === name &&
    cells.length === choices.length &&
    cells.every((cell, place) => columns[place]?.textContent === heads[cell.dataset.index])
  );
}

// The sections of these questions: a grid with more than one row and room for it, each other one by itself.
export function sectionsOf(questions) {
  const sections = [];
  for (const { key } of questions) {
    const grid = line(key)?.closest(".candor-grid");
    const together = grid && lines(grid).length > 1 && room(grid).matches;
    if (grid) {
      (together ? join : part)(key);
    }
    if (together && !sections.includes(grid) && grid.nextElementSibling !== section(key)) {
      section(key).before(grid); // where its rows would stand
    }
    sections.push(together ? grid : section(key));
  }
  return [...new Set(sections)];
}

// What all rows of a grid have in common stands at the first of them only, and over the table. They are asked of the
// same people, so that the first one is asked if any is.
export function showGridHeadings(questions) {
  for (const { key } of questions) {
    const grid = line(key)?.closest(".candor-grid");
    if (grid) {
      sayOnce(key, grid);
    }
  }
}

function sayOnce(key, grid) {
  const isFirst = lines(grid)[0].dataset.key === key;
  for (const piece of section(key).querySelectorAll("[data-once]")) {
    piece.hidden = !isFirst;
  }
  if (isFirst) {
    const over = [...section(key).querySelectorAll(":scope > .candor-progress, :scope > .govuk-caption-l")];
    const place = grid.querySelector(".candor-grid__over");
    place.textContent = "";
    place.append(...over.map((piece) => piece.cloneNode(true)));
  }
}

function join(key) {
  for (const item of section(key).querySelectorAll(".govuk-radios__item")) {
    const [input, label] = [item.querySelector("input"), item.querySelector("label")];
    line(key).querySelector(`td[data-index="${input.value}"]`).append(item);
    label.id = `${input.id}-label`;
    input.setAttribute("aria-labelledby", `row-${key} ${label.id}`); // the head of the column names it to those who see
  }
}

function part(key) {
  const items = line(key).querySelectorAll(".govuk-radios__item");
  for (const item of items) {
    item.querySelector("input").removeAttribute("aria-labelledby");
  }
  section(key).querySelector(".govuk-radios").append(...items);
}
