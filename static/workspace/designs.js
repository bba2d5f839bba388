// Lists the designs that fit the question, and keeps the side column open where there is room for it. Without this
// script all designs are listed, each with what it is for.

const FIRST = 3; // designs that stand before the fold
const form = document.querySelector("[data-question]");
const designs = [...form.querySelectorAll("[data-fits]")].sort((a, b) => a.dataset.place - b.dataset.place);
const [first, rest] = ["first", "rest"].map((name) => form.querySelector(`[data-designs=${name}]`));
const side = form.querySelector(".editor-side");
const wide = matchMedia("(min-width: 1020px)");
let listed = "";

/** What the chosen kind says of itself: which designs fit, and how many answers it makes. */
const kind = () => form.querySelector("[name=kind]:checked")?.dataset ?? {};

/** How many answers there are, as far as it is typed: the server counts alike. */
function size() {
  const lines = form.elements.choices.value.split("\n").filter((line) => line.trim());
  const held = Number(form.querySelector("[data-held]")?.dataset.held ?? 0); // a list that no field holds
  return (Number(kind().answers) || lines.length || held) + form.elements.decline.checked;
}

function fits(design) {
  const { fits: what } = design.dataset;
  const { select } = kind();
  if (select === "any" || select === "text") {
    return what === select;
  }
  if (select === "ordered") {
    return what === "ordered" || what === "both";
  }
  return what === "one" || what === "both" || (what === "two" && size() <= 2);
}

/** Only designs that fit, the first three before the fold; one that is chosen is seen in any case. */
function list() {
  const fitting = designs.filter(fits);
  const now = fitting.map((design) => design.dataset.place).join();
  if (now === listed) {
    return; // moving a field that has the focus would take the focus away
  }
  listed = now;
  for (const design of designs) {
    const isChosen = design.querySelector("[type=radio]").checked;
    const place = fitting.indexOf(design);
    design.hidden = place < 0 && !isChosen;
    (place < FIRST && !design.hidden ? first : rest).append(design);
  }
  rest.parentElement.hidden = ![...rest.children].some((design) => !design.hidden);
}

/** The side column is never folded; on a telephone it is, under the choice that drives it. */
function unfold() {
  side.open = wide.matches || side.querySelector("[autofocus]") !== null;
}

form.addEventListener("input", list);
form.addEventListener("change", list);
addEventListener("pageshow", list); // a browser that comes back restores what was typed
wide.addEventListener("change", unfold);
list();
unfold();
