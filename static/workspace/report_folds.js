// What a question's folds hold is loaded when one of them first opens, for all its folds at once, from the page that
// their links lead to. Where it does not come, and without this script, the link is there.

import { AFTER, waits } from "./slow.js";

const load = (address) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest(); // it reads documents, which fetch leaves to parsers that trusted types forbid
    request.open("GET", address);
    request.responseType = "document";
    request.onload = () => (request.status === 200 && request.response ? resolve(request.response) : reject());
    request.onerror = reject;
    request.send();
  });

async function fill(folds, opened) {
  const link = opened.querySelector(":scope > p > a[href]");
  if (!link || folds.dataset.loads) return;
  folds.dataset.loads = "yes";
  const bars = waits();
  const timer = setTimeout(() => link.after(bars), AFTER);
  try {
    const page = await load(link.href);
    for (const fold of folds.querySelectorAll(":scope > [data-part]")) {
      const part = page.querySelector(`[data-part="${fold.dataset.part}"]`);
      if (part) fold.querySelector(":scope > p").replaceWith(part);
    }
    folds.dispatchEvent(new Event("filled", { bubbles: true }));
  } catch {
    delete folds.dataset.loads;
  } finally {
    clearTimeout(timer);
    bars.remove();
  }
}

// Toggle events do not bubble, but can be caught on their way down.
document.addEventListener(
  "toggle",
  ({ target }) => {
    const folds = target.open && target.matches("[data-part]") && target.parentElement;
    if (folds) fill(folds, target);
  },
  true,
);
