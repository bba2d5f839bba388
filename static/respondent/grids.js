// Grids: neighbouring questions with one heading and one list of answers. If there is enough room,
// the rows that are asked form a table; otherwise each row is a step of its own. The controls move
// between the two layouts and stay the same elements, so that no answer is lost. Nothing about the
// layout is stored or sent.

import { textInPageLanguage } from "./languages.js";

// The widths that a table needs, in rem: at least MIN_WIDTH, and ROW_TEXT_WIDTH for the texts of
// the rows besides COLUMN_WIDTH for each column.
const MIN_WIDTH = 44;
const ROW_TEXT_WIDTH = 14;
const COLUMN_WIDTH = 5;

// The elements are looked up each time, since the form may be replaced by one in another language.

/** Return the tables of all grids, whether they are visible or not. */
function findGrids() {
  return [...document.querySelectorAll("#form .candor-grid")];
}

/** Return the section of a question, or null if the question is not on the page. */
export function findSection(key) {
  return document.querySelector(`#form .candor-question[data-key="${key}"]`);
}

/** Return the row of the table for a question, or null if the question is in no grid. */
function findRow(key) {
  return document.querySelector(`#form .candor-grid tr[data-key="${key}"]`);
}

/** Return the rows of the questions in the table of a grid. */
function rowsOf(grid) {
  return [...grid.querySelectorAll("tbody tr")];
}

/** Return the media query that matches if there is room for the table of a grid. */
function roomQuery(grid) {
  // The corner above the texts of the rows is a td, so there is one th for each answer.
  const columns = grid.querySelectorAll("thead th").length;
  const width = Math.max(MIN_WIDTH, ROW_TEXT_WIDTH + COLUMN_WIDTH * columns);
  return matchMedia(`(min-width: ${width}rem)`);
}

// These are stored here, or the browser could collect them before they change.
const roomQueries = findGrids().map(roomQuery);

/**
 * Call a function whenever a grid gets enough room for its table or loses it, as when a phone is
 * turned. The function gets the event, and is not called at once.
 */
export function onLayoutChange(listener) {
  for (const query of roomQueries) {
    query.addEventListener("change", listener);
  }
}

/**
 * Return the keys of the questions in a section of the page: the section of one question, the table
 * of a grid, or a section without questions.
 */
export function questionKeysIn(section) {
  if (section.dataset.key) {
    return [section.dataset.key];
  }
  if (!section.matches(".candor-grid")) {
    return [];
  }
  return rowsOf(section).map((row) => row.dataset.key);
}

/**
 * Return whether the heading of a question's grid, the text of its row and the heads of its
 * columns are those of the instrument. A question without a grid must have no such heading.
 *
 * grid: the heading in the instrument, which is all that it has of a grid, unlike the elements that
 * have this name in the other functions.
 */
export function isGridAsPublished({ key, text, choices, grid = "" }) {
  const heading = textInPageLanguage(grid);
  const headingElement = findSection(key)?.querySelector(".candor-question__grid");
  if ((headingElement?.textContent ?? "") !== heading) {
    return false;
  }
  const row = findRow(key);
  if (!row) {
    // The question is in no table, so there is nothing more to compare.
    return true;
  }

  // Cells and heads are in the order in which people read the answers, which for Yes and No is not
  // that of the choices: so a head belongs to a cell by its position, a label by the index that the
  // cell names. The corner above the texts of the rows is no th.
  const labels = choices.map(textInPageLanguage);
  const cells = [...row.querySelectorAll("td")];
  const columnHeads = [...row.closest("table").querySelectorAll("thead th")];
  return (
    row.closest(".candor-grid").querySelector("h1").textContent === heading &&
    row.querySelector(".candor-grid__row").textContent === textInPageLanguage(text) &&
    cells.length === choices.length &&
    cells.every((cell, index) => columnHeads[index]?.textContent === labels[cell.dataset.index])
  );
}

/**
 * Move the controls of the questions to where there is room for them, and return the sections of
 * the page that they are in then, in order. A grid with more than one row and enough room is one
 * section, and every other question is a section by itself.
 */
export function sectionsOf(questions) {
  const sections = new Set();
  for (const { key } of questions) {
    const section = findSection(key);
    const grid = findRow(key)?.closest(".candor-grid");
    // Only one row is left if the others are not in the question subset.
    const isTable = Boolean(grid) && rowsOf(grid).length > 1 && roomQuery(grid).matches;
    if (isTable) {
      moveIntoTable(key);
      // The table takes the position of its first row. One that is there already is not moved,
      // since an element that is moved loses the focus.
      if (!sections.has(grid) && grid.nextElementSibling !== section) {
        section.before(grid);
      }
    } else if (grid) {
      moveIntoSection(key);
    }
    sections.add(isTable ? grid : section);
  }
  return [...sections];
}

/**
 * Show the texts that all rows of a grid share only once: at its first row, and above its table.
 * All rows of a grid are asked of the same people, so the first row is asked if any row is.
 *
 * questions: the questions that are asked.
 */
export function showGridHeadings(questions) {
  for (const { key } of questions) {
    const grid = findRow(key)?.closest(".candor-grid");
    if (grid) {
      showSharedTexts(key, grid);
    }
  }
}

/** Show the shared texts of a grid if the question is its first row, and hide them otherwise. */
function showSharedTexts(key, grid) {
  const section = findSection(key);
  const isFirst = rowsOf(grid)[0].dataset.key === key;
  for (const element of section.querySelectorAll("[data-once]")) {
    element.hidden = !isFirst;
  }
  if (isFirst) {
    // The number and the heading above the first row are copied above the table. The originals stay
    // with the row, since the table may disappear again.
    const selector = ":scope > .candor-progress, :scope > .govuk-caption-l";
    const captions = [...section.querySelectorAll(selector)];
    const copies = captions.map((caption) => caption.cloneNode(true));
    const box = grid.querySelector(".candor-grid__over");
    box.textContent = "";
    box.append(...copies);
  }
}

/** Move the controls of a question from its section into its row of the table. */
function moveIntoTable(key) {
  for (const control of findSection(key).querySelectorAll(".govuk-radios__item")) {
    const input = control.querySelector("input");
    const label = control.querySelector("label");
    findRow(key).querySelector(`td[data-index="${input.value}"]`).append(control);
    label.id = `${input.id}-label`;
    // Those who see the table read the text in the row and the answer in the head of the column.
    // The label itself is hidden in a table, so screen readers are told to read the text and the
    // label.
    input.setAttribute("aria-labelledby", `row-${key} ${label.id}`);
  }
}

/**
 * Move the controls of a question from its row of the table into its section, where each label is
 * visible and is the name of its input again.
 */
function moveIntoSection(key) {
  const controls = findRow(key).querySelectorAll(".govuk-radios__item");
  for (const control of controls) {
    control.querySelector("input").removeAttribute("aria-labelledby");
  }
  findSection(key).querySelector(".govuk-radios").append(...controls);
}
