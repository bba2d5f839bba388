// Unsaved changes of a form survive. Leaving asks first; and what is typed is kept in this tab until it is saved, so
// that nothing is lost when the session or the browser ends. For researchers' forms only, never for respondents'.

const form = document.querySelector("[data-keep]");
const place = `candor draft ${form.dataset.keep} ${location.pathname}${location.search}`; // a colleague at this desk sees nothing of it
const notice = document.querySelector("#kept");
let leaving = false;

const fields = (of = form) =>
  [...of.elements].filter(
    (field) => field.name && !["submit", "hidden", "file"].includes(field.type) && !field.matches(":disabled"),
  );
const state = (of) => fields(of).map((field) => (["radio", "checkbox"].includes(field.type) ? field.checked : field.value));
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** As the page came, whatever was typed before this script was there, on a slow line or a busy machine. */
function came() {
  const fresh = form.cloneNode(true);
  fresh.reset();
  return state(fresh);
}

function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(place));
  } catch {
    return null;
  }
}

function keep() {
  try {
    sessionStorage.setItem(place, JSON.stringify(state()));
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

function restore(values) {
  fields().forEach((field, number) => {
    if (["radio", "checkbox"].includes(field.type)) {
      field.checked = values[number];
    } else {
      field.value = values[number];
    }
  });
  form.dispatchEvent(new Event("change"));
  form.dispatchEvent(new Event("input"));
}

const start = came();
const old = kept();
if (old?.length === start.length && !same(old, state()) && !form.querySelector("[aria-invalid]")) {
  notice.hidden = false;
  if (wasSent()) {
    restore(old);
    notice.querySelector("[data-do=restore]").hidden = true;
  }
}
notice.querySelector("[data-do=restore]").addEventListener("click", () => {
  restore(old);
  notice.hidden = true;
  form.querySelector("input:not([type=hidden]), textarea").focus();
});
notice.querySelector("[data-do=forget]").addEventListener("click", () => {
  forget();
  notice.hidden = true;
});

form.addEventListener("input", keep);
form.addEventListener("submit", () => {
  keep();
  note();
  leaving = true;
});
addEventListener("beforeunload", (event) => {
  if (!leaving && !same(state(), start)) {
    event.preventDefault();
  }
});
