// Half a second after a click that leads to a page of much work: grey bars and a sentence, until that page is there.

const AFTER = 500; // milliseconds
let timer = 0;

function show() {
  const waits = document.createElement("div");
  const said = document.createElement("p");
  waits.className = "waits";
  waits.setAttribute("role", "status");
  said.textContent = "Working on it. Large surveys take some seconds.";
  const bars = Array.from({ length: 3 }, () => Object.assign(document.createElement("div"), { className: "waits__bar" }));
  waits.append(said, ...bars);
  const head = document.querySelector("main > .head");
  head ? head.after(waits) : document.getElementById("main").prepend(waits);
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
