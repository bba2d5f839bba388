// Unsaved changes of a form survive. Leaving asks first; and what is typed is kept in this tab until it is saved, so
// that nothing is lost when the session or the browser ends. For researchers' forms only, never for respondents'.

const form = document.querySelector("[data-keep]");
const place = `candor draft ${form.dataset.keep} ${location.pathname}${location.search}`; // a colleague at this desk sees nothing of it
const notice = document.querySelector("#kept");
let leaving = false;
let isRestored = false;

const canBeTicked = (field) => ["radio", "checkbox"].includes(field.type);
const isSame = (values, others) => JSON.stringify(values) === JSON.stringify(others);

function findFields(owner = form) {
  return [...owner.elements].filter(
    (field) => field.name && !["submit", "hidden", "file"].includes(field.type) && !field.matches(":disabled"),
  );
}

/**
 * Return the values of a form by the names of its fields: of radios and checkboxes those that are ticked.
 *
 * Other scripts move fields, so a field is known by its name and never by its place.
 */
function readValues(owner = form) {
  const fields = findFields(owner);
  const names = [...new Set(fields.map((field) => field.name))].sort();
  const values = Object.fromEntries(names.map((name) => [name, []]));
  for (const field of fields) {
    if (!canBeTicked(field) || field.checked) {
      values[field.name].push(field.value);
    }
  }
  return values;
}

/** Return the values as the page came, even if the author typed before this script was there. */
function readFirstValues() {
  const fresh = form.cloneNode(true);
  fresh.reset();
  return readValues(fresh);
}

/** Return the values that this tab still holds, or null. A list is of an earlier version of this script, without names. */
function readKept() {
  try {
    const values = JSON.parse(sessionStorage.getItem(place));
    return Array.isArray(values) ? null : values;
  } catch {
    return null;
  }
}

function keep() {
  try {
    sessionStorage.setItem(place, JSON.stringify(readValues()));
  } catch {
    // storage is full or forbidden: the warning before leaving is still there
  }
}

/** For saved.js, which forgets what has arrived. What was sent and comes back here did not: the session had ended. */
function note() {
  try {
    sessionStorage.setItem("candor sent", place);
  } catch {
    // as in keep
  }
}

function wasSent() {
  try {
    return sessionStorage.getItem("candor sent") === place;
  } catch {
    return false;
  }
}

function forget() {
  try {
    sessionStorage.removeItem(place);
    sessionStorage.removeItem("candor sent");
  } catch {
    // nothing was kept then
  }
}

/** Tell the other scripts of the page that fields have changed. */
function announceChange() {
  form.dispatchEvent(new Event("change"));
  form.dispatchEvent(new Event("input"));
}

/** Fill in the fields whose names are in `values`; others stay as they are. */
function fillIn(fields, values) {
  for (const field of fields.filter(({ name }) => Object.hasOwn(values, name))) {
    if (canBeTicked(field)) {
      field.checked = values[field.name].includes(field.value);
    } else {
      [field.value] = values[field.name];
    }
  }
}

/** Put the values back into their fields. The question type comes first, because it decides which fields there are. */
function restore(values) {
  fillIn(
    findFields().filter((field) => field.type === "radio"),
    values,
  );
  announceChange();
  fillIn(findFields(), values);
  announceChange();
  isRestored = true;
}

function focusFirstField() {
  form.querySelector("input:not([type=hidden]), textarea").focus();
}

const firstValues = readFirstValues();
const keptValues = readKept();
if (keptValues && !isSame(keptValues, readValues()) && !form.querySelector("[aria-invalid]")) {
  notice.hidden = false;
  if (wasSent()) {
    restore(keptValues);
    notice.querySelector("[data-do=restore]").hidden = true;
  }
}
notice.querySelector("[data-do=restore]").addEventListener("click", () => {
  restore(keptValues);
  notice.hidden = true;
  focusFirstField();
});
notice.querySelector("[data-do=forget]").addEventListener("click", () => {
  if (isRestored) {
    form.reset();
    announceChange();
  }
  forget();
  if (!isSame(readValues(), firstValues)) {
    keep(); // the author has typed something else meanwhile
  }
  notice.hidden = true;
  focusFirstField();
});

form.addEventListener("input", keep);
form.addEventListener("submit", () => {
  keep();
  note();
  leaving = true;
});
addEventListener("beforeunload", (event) => {
  if (!leaving && !isSame(readValues(), firstValues)) {
    event.preventDefault();
  }
});
