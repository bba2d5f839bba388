// One answer through its life: the text, the bits it sets, the permanent step, reports. Everything on this page is drawn
// by the modules that scramble answers in surveys; nothing of it is sent or kept.

import { contrast, cryptoUint32, epsilon } from "../mechanisms/index.js";
import {
  bloomFilter,
  drawPermanentBits,
  drawReport,
  epsilonOfOneReport,
} from "../mechanisms/rappor.js";
import { normalizeAnswer } from "../mechanisms/text.js";

const ROW = 16; // bits in a line of a picture
const CELL = 20;
const MOST = 5; // reports shown; more of them are counted

const find = (id) => document.getElementById(id);
const spec = JSON.parse(find("life").dataset.mechanism);
const form = find("asked");

let life = null; // { text, cohort, kept, reports }

const bitsOf = (report) => report.split(":")[1];

// --- Pictures. A filled square is a bit that is 1; a cross marks a bit that this step turned over.

function svg(name, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

function picture(bits, before, label) {
  const cells = Array.from(bits, (bit, place) => {
    const [x, y] = [CELL * (place % ROW), CELL * Math.floor(place / ROW)];
    const square = svg("rect", { x: x + 2, y: y + 2, width: CELL - 4, height: CELL - 4, rx: 3, class: `learn-bit learn-bit--${bit}` });
    const cross = `M${x + 6} ${y + 6}l8 8m0 -8l-8 8`;
    return before && before[place] !== bit ? [square, svg("path", { d: cross, class: `learn-turned learn-turned--${bit}` })] : [square];
  });
  const [width, height] = [CELL * ROW, CELL * Math.ceil(bits.length / ROW)];
  const box = { viewBox: `0 0 ${width} ${height}`, class: "learn-bits", role: "img", "aria-label": label };
  return svg("svg", box, ...cells.flat());
}

// "1, 4 and 9", counted from 1.
function places(bits, wanted) {
  const found = Array.from(bits, (_, place) => place + 1).filter((place) => wanted(bits[place - 1], place - 1));
  const last = found.pop();
  return last === undefined ? "none" : found.length ? `${found.join(", ")} and ${last}` : String(last);
}

const ones = (bits) => places(bits, (bit) => bit === "1");
const changed = (bits, before) => places(bits, (bit, place) => bit !== before[place]);

// --- The page.

function draw(text) {
  const kept = drawPermanentBits(spec, text, cryptoUint32);
  life = { text, cohort: Number(kept.split(":")[0]), kept, reports: [] };
  report();
}

function report() {
  life.reports.push(drawReport(spec, life.kept, cryptoUint32));
  show();
}

function show() {
  const set = bloomFilter(spec, life.text, life.cohort);
  const kept = bitsOf(life.kept);
  find("form-of-text").textContent = life.text;
  find("cohort").textContent = life.cohort;
  find("bloom").replaceChildren(picture(set, null, `Of ${spec.bits} bits the text sets: ${ones(set)}.`));
  find("permanent").replaceChildren(
    picture(kept, set, `Bits that are 1: ${ones(kept)}. Flipped: ${changed(kept, set)}.`),
  );
  const shown = life.reports.slice(-MOST);
  const first = life.reports.length - shown.length + 1;
  find("reports").replaceChildren(...shown.map((each, index) => item(bitsOf(each), kept, first + index)));
  find("reports").start = first;
  count(kept);
}

function item(bits, kept, number) {
  const line = document.createElement("li");
  line.append(picture(bits, kept, `Report ${number}. Bits that are 1: ${ones(bits)}. Different from the kept row: ${changed(bits, kept)}.`));
  return line;
}

// What someone with all these reports can work out: for each bit how often it came, and so what is kept.
function count(kept) {
  const number = life.reports.length;
  const middle = (spec.instant[0][1] + spec.instant[1][1]) / (2 * spec.den);
  const guessed = Array.from(kept, (_, place) => {
    const often = life.reports.filter((each) => bitsOf(each)[place] === "1").length;
    return often > middle * number ? "1" : "0";
  });
  const right = guessed.filter((bit, place) => bit === kept[place]).length;
  find("said").textContent =
    `${number} ${number === 1 ? "report" : "reports"} so far. From ${number === 1 ? "it" : "them"}, ` +
    `${right} of the ${spec.bits} kept bits can be guessed right. About the text they say no more than the kept bits do.`;
}

// A guess between two answers is right at most so many times in 100; pure chance: 50.
const often = (loss) => {
  const times = Math.ceil(100 / (1 + Math.exp(-loss)) - 1e-9);
  return times > 99 ? "more than 99 in 100 times" : `at most ${times} times in 100`;
};

function start() {
  const { chosen, other } = contrast(spec);
  const people = ([top, bottom]) => Math.round((100 * Number(top)) / Number(bottom));
  const lossOnce = epsilonOfOneReport(spec);
  find("once").textContent = `${often(lossOnce)} (epsilon ${lossOnce.toFixed(2)})`;
  find("ever").textContent = `${often(epsilon(spec))} (epsilon ${epsilon(spec).toFixed(2)})`;
  find("own").textContent = people(chosen);
  find("others").textContent = people(other);
  find("off").remove();
  find("life").hidden = false;
  draw(normalizeAnswer(find("text").value));
}

function typed() {
  const error = find("wrong");
  try {
    const text = normalizeAnswer(find("text").value);
    error.hidden = true;
    find("text").removeAttribute("aria-invalid");
    return text;
  } catch {
    error.hidden = false;
    find("text").setAttribute("aria-invalid", "true");
    find("text").focus();
    return null;
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const text = typed();
  if (text !== null) {
    draw(text);
  }
});
find("more").addEventListener("click", report);

start();
