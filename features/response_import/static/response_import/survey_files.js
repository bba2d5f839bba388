// Importing a file of responses. The start of the file is looked at by the server, which draws what the columns hold;
// then upload.js sends the file in parts, with a progress bar, and the page goes on to what the file would add. Without
// this script the form sends small files whole.

import { Upload } from "./upload.js";

const form = document.querySelector("[data-bring]");
const choose = form.querySelector("#file");
const say = (id, text) => (document.querySelector(id).textContent = text);
const show = (id, shown) => (document.querySelector(id).hidden = !shown);
const number = (count) => count.toLocaleString("en");
const token = () => /(?:^|; )csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? form.elements.csrfmiddlewaretoken.value;
let asking = null;
let upload = null;

/** Everything typed, with the first bytes of the file instead of the whole. */
function fields() {
  const data = new FormData(form);
  const file = choose.files[0];
  const isWhole = /\.(xlsx|xls|ods|parquet|sav|zsav|dta|por|xpt)$/i.test(file.name); // which nobody can read from its start
  const start = file.slice(0, Number(isWhole ? form.dataset.part : form.dataset.lookedAt));
  data.set("file", start, "start.csv");
  data.set("size", file.size);
  data.set("do", "look");
  data.set("csrfmiddlewaretoken", token());
  if (start.size < file.size) {
    data.set("cut", "1");
  }
  return data;
}

/** The server looks, and its page is taken over here. The browser parses it, so that no text becomes HTML. */
function look(after = () => {}) {
  if (!choose.files[0]) {
    return;
  }
  asking?.abort();
  const request = (asking = new XMLHttpRequest());
  request.open("POST", form.action);
  request.responseType = "document";
  request.onload = () => {
    if (put(request.response?.querySelector("#look"))) {
      after();
    }
  };
  request.onerror = () => say("#trouble", "The site did not answer. Look again in a moment.");
  request.send(fields());
}

/** Whether there was something to take over. */
function put(drawn) {
  const trouble = drawn ? "" : "The site did not show what it read. Perhaps you are logged out: log in, then look again.";
  say("#trouble", trouble);
  if (!drawn) {
    return false;
  }
  document.querySelector("#look").replaceWith(document.adoptNode(drawn));
  offer();
  form.dispatchEvent(new Event("change")); // question.js hides what is not asked for
  return true;
}

/** The buttons that make sense now. */
function offer() {
  const [take, again] = ["preview", "look"].map((value) => form.querySelector(`[value=${value}]`));
  const isWhole = document.querySelector("#mapping") !== null;
  take.hidden = !isWhole;
  again.hidden = !document.querySelector("#look [name=mapped]");
  again.textContent = isWhole ? "Look again" : document.querySelector("#look").dataset.next;
  again.classList.toggle("btn--main", !isWhole);
  for (const fills of document.querySelectorAll("[data-fills]")) {
    fills.hidden = false;
  }
}

/** Moves to the first list without a meaning, or to the heading of what was read. */
function focusLook() {
  const first = document.querySelector("#look [aria-invalid=true]") ?? document.querySelector("#look h2");
  first?.focus();
}

/**
 * Fills the lists of a table of codes as a button says. A code that is not counted keeps “No answer” and loses any other
 * meaning, which may come from the other button.
 */
function fillMeanings(button) {
  const table = button.closest("[data-when]");
  const lists = [...table.querySelectorAll("select")];
  for (const list of lists) {
    const counted = list.getAttribute(`data-${button.dataset.fill}`);
    if (counted || list.value !== "missing") {
      list.value = counted;
    }
  }
  const filled = lists.filter((list) => list.value).length;
  table.querySelector("[role=status]").textContent = `${filled} of ${lists.length} codes have a meaning.`;
}

/** Asks for codes that came behind the start of the file. The file is still chosen, and all that was typed stays. */
async function askForCodes(codes) {
  const { questions } = upload.mapping;
  const field = form.querySelector("[name=codes]");
  let tables = JSON.parse(field.value);
  for (const [key, rows] of Object.entries(codes)) {
    const before = tables.find((table) => table.key === key);
    tables = tables.filter((table) => table.key !== key);
    tables.push({ key, column: questions[key].column, rows: { ...before?.rows, ...rows } });
  }
  field.value = JSON.stringify(tables);
  await upload.cancel();
  busy(false);
  look(() => {
    say("#trouble", "The file has more codes further on. Choose what they mean, then preview it again.");
    focusLook();
  });
}

function drawProgress(sent, size, rows) {
  const bar = document.querySelector("#bar");
  bar.max = size;
  bar.value = sent;
  say("#said", `${Math.floor((100 * sent) / size)}% sent, ${number(rows)} responses checked.`);
}

function start() {
  const mapping = document.querySelector("#mapping");
  if (!mapping) {
    return;
  }
  busy(true);
  upload = new Upload(form.dataset.bring, choose.files[0], Number(form.dataset.part), token, drawProgress);
  say("#said", "0% sent.");
  document.querySelector("#sending-title").focus();
  run(() => upload.begin(JSON.parse(mapping.value)));
}

/** Send as far as it goes; what stops it decides what is shown. */
async function run(first = async () => {}) {
  show("#again", false);
  try {
    await first();
    const id = await upload.send();
    leaving = false;
    location.assign(`${form.action}?file=${id}`);
  } catch (stopped) {
    stop(stopped);
  }
}

function stop(stopped) {
  if (stopped.name === "AbortError") {
    return;
  }
  if (stopped.problems) {
    upload.cancel();
    busy(false);
    return drawProblems(stopped);
  }
  if (stopped.codes) {
    return askForCodes(stopped.codes);
  }
  say("#said", stopped.message);
  show("#again", stopped.canGoOn !== false);
  document.querySelector(stopped.canGoOn === false ? "#stop" : "#again").focus();
}

function drawProblems({ problems, found }) {
  const more = found > problems.length ? ` The first ${problems.length} are listed.` : "";
  say("#wrong-said", `${number(found)} problem${found === 1 ? "" : "s"} in the file.${more} Correct the file, then choose it again, or say below what the cells mean.`);
  document.querySelector("#wrong-rows").replaceChildren(...problems.map(drawProblem));
  show("#wrong", true);
  document.querySelector("#wrong-title").focus();
}

function drawProblem({ row, column, message }) {
  const line = document.createElement("tr");
  for (const text of [row ?? "", column, message]) {
    const cell = document.createElement("td");
    cell.textContent = text;
    line.append(cell);
  }
  return line;
}

function busy(isBusy) {
  show("[data-bring]", !isBusy);
  show("#sending", isBusy);
  show("#wrong", false);
  leaving = isBusy;
}

let leaving = false;
addEventListener("beforeunload", (event) => {
  if (leaving) {
    event.preventDefault();
  }
});

// Back from the preview: the form as it was, and nothing under way that could be cancelled here.
addEventListener("pageshow", (event) => event.persisted && busy(false));

choose.addEventListener("change", () => {
  show("#wrong", false);
  document.querySelector("#look").replaceChildren(); // another file, another guess
  offer();
  look(() => document.querySelector("#look h2")?.focus());
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (!choose.files[0]) {
    return choose.focus();
  }
  look(event.submitter?.value === "preview" ? start : focusLook);
});
form.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-fill]");
  if (button) {
    fillMeanings(button);
  }
});
document.querySelector("#again").addEventListener("click", () => run(() => upload.whereItIs()));
document.querySelector("#stop").addEventListener("click", async () => {
  await upload.cancel();
  busy(false);
  say("#trouble", "The upload is stopped. Nothing was imported.");
  choose.focus();
});
offer();
