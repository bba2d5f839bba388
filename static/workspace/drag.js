// Questions can be dragged to another place. The menu of a row does the same, and so do Alt+↑ and
// Alt+↓ with the focus in it.

const cards = () => [...document.querySelectorAll("[data-order] [data-move]")];
let dragged = null;

for (const card of cards()) {
  const handle = document.createElement("span");
  handle.className = "grip";
  handle.draggable = true;
  handle.title = "Drag to another place";
  handle.setAttribute("aria-hidden", "true");
  card.querySelector(".question__number").prepend(handle);
  handle.addEventListener("dragstart", (event) => {
    dragged = card;
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", card.id);
    event.dataTransfer.setDragImage(card, 10, 10);
  });
  handle.addEventListener("dragend", () => {
    dragged = null;
    mark(null);
  });
  card.addEventListener("dragover", (event) => {
    if (dragged) {
      event.preventDefault();
      mark(card);
    }
  });
  card.addEventListener("drop", (event) => {
    event.preventDefault();
    const steps = cards().indexOf(card) - cards().indexOf(dragged);
    if (dragged && steps) {
      send(dragged, steps);
    }
  });
}

function mark(over) {
  for (const card of cards()) {
    card.classList.toggle("question--over", card === over && card !== dragged);
  }
}

addEventListener("keydown", (event) => {
  const card = document.activeElement?.closest("[data-order] [data-move]");
  if (!card || !event.altKey || !["ArrowUp", "ArrowDown"].includes(event.key)) {
    return;
  }
  const steps = event.key === "ArrowUp" ? -1 : 1;
  if (cards()[cards().indexOf(card) + steps]) {
    event.preventDefault();
    send(card, steps);
  }
});

/** The same POST as the buttons send, with the number of places instead of one. */
function send(card, steps) {
  const form = card.querySelector("form").cloneNode(true);
  const field = document.createElement("input");
  field.type = "hidden";
  field.name = "steps";
  field.value = steps;
  form.action = card.dataset.move;
  form.hidden = true;
  form.append(field);
  card.append(form);
  form.submit();
}
