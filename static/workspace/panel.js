// Keeps the design panel up to date while an author writes. The server draws it; this only asks for it again. Without
// this script the button “Show what this means” does the same.

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
  request.onload = () => put(request.response?.querySelector("#panel"));
  request.send(fields);
}

/** A page without a panel (the session ended, the server is down) changes nothing. */
function put(panel) {
  const old = document.querySelector("#panel");
  if (!panel) {
    return;
  }
  const focused = old.contains(document.activeElement);
  const opened = old.querySelector("details")?.open ?? false;
  old.replaceWith(document.adoptNode(panel));
  panel.querySelector("details")?.toggleAttribute("open", opened);
  if (focused) {
    panel.focus();
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

form.addEventListener("input", later);
if (!document.querySelector("#panel[autofocus]")) {
  update(); // unless the page was asked for what it means, and says so already
}
