// Half a second after a click that leads to a page of much work: grey bars and a sentence, until that page is there.

export const AFTER = 500; // milliseconds
let timer = 0;

export function waits() {
  const waiting = document.createElement("div");
  const message = document.createElement("p");
  waiting.className = "waits";
  waiting.setAttribute("role", "status");
  message.textContent = "Working on it. Large surveys take some seconds.";
  const bars = Array.from({ length: 3 }, () => Object.assign(document.createElement("div"), { className: "waits__bar" }));
  waiting.append(message, ...bars);
  return waiting;
}

function show() {
  const head = document.querySelector("main > .head");
  head ? head.after(waits()) : document.getElementById("main").prepend(waits());
}

function leaves(event) {
  const there = event.target.closest("[data-slow]") && !event.defaultPrevented;
  const link = event.type === "click" && event.target.closest("a[href]:not([download], [target])");
  const isPlain = !(event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  if (there && isPlain && (event.type === "submit" || link)) {
    clearTimeout(timer);
    timer = setTimeout(show, AFTER);
  }
}

document.addEventListener("click", leaves);
document.addEventListener("submit", leaves);
addEventListener("pageshow", () => {
  clearTimeout(timer); // back from the page before it came
  document.querySelector(".waits")?.remove();
});
