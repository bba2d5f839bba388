// Keeps what the page says of a question up to date while an author writes. The server draws it; this only asks for it
// again. Without this script the button “Update preview” does the same.

const WAIT = 400; // milliseconds without typing
const form = document.querySelector("[data-question]");
let timer = null;
let running = null;

/** A page as a document: the browser parses it as it does when it opens one, so no text becomes HTML here. */
function ask(fields) {
  const request = new XMLHttpRequest();
  running?.abort();
  running = request;
  request.open("POST", form.action);
  request.responseType = "document";
  request.setRequestHeader("X-Panel", "1");
  request.onload = () => put(request.response);
  request.send(fields);
}

/** A page without these parts (the session ended, the server is down) changes nothing. */
function put(page) {
  for (const part of form.querySelectorAll("[data-live]")) {
    const fresh = page?.getElementById(part.id);
    if (fresh) {
      replace(part, fresh);
    }
  }
}

function replace(part, fresh) {
  const hadFocus = part.contains(document.activeElement);
  const isOpen = part.querySelector("details")?.open ?? false;
  part.replaceChildren(...document.adoptNode(fresh).childNodes);
  part.querySelector("details")?.toggleAttribute("open", isOpen);
  if (hadFocus) {
    (part.querySelector("summary") ?? part.closest("[tabindex]"))?.focus();
  }
}

function update() {
  const fields = new FormData(form);
  fields.append("show", "panel");
  ask(fields);
}

function later() {
  clearTimeout(timer);
  timer = setTimeout(update, WAIT);
}

/** Whether somebody wrote or chose before this script was there, on a slow line or a busy machine. */
function wasTouched() {
  const differs = ({ value, defaultValue, checked, defaultChecked }) =>
    value !== defaultValue || checked !== defaultChecked;
  return [...form.elements].some((field) => "defaultValue" in field && differs(field));
}

form.querySelector("[data-do=show]").hidden = true;
form.addEventListener("input", later);
if (form.querySelector("[aria-invalid]") || wasTouched()) {
  update(); // the page says what is wrong; the panel says it too, and goes on from there
}
