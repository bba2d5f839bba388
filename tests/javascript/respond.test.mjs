// The pure parts of the respondent's page: the message, its delivery, its words, what stays on the device.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, test } from "node:test";

import { contrast, probabilities, randomize } from "../../static/mechanisms/index.js";
import { createQuestionSubset } from "../../static/respondent/question_subset.js";
import { createRecord, currentMinute, findRecord, mayBeSent, withLock } from "../../static/respondent/storage.js";
import { buildIndex, foldText, matchingIndex, searchLabels } from "../../static/respondent/lists.js";
import { areEqual, asPeople } from "../../static/respondent/odds.js";
import { questionsAskedOf, groupIntoSteps } from "../../static/respondent/paths.js";
import { describeReport } from "../../static/respondent/report_texts.js";
import { buildMessage, deliver, eraseExpired, interpretAnswer, isDone, postBody, scramble } from "../../static/respondent/sending.js";
import { mechanismToTry, picturePaths, sampleReports } from "../../static/respondent/try_it.js";

globalThis.document = { documentElement: { lang: "en" } }; // numbers are written as the language of the page does

const HASH = "a".repeat(64);
const KEY = "6e1f6b0c-6d9a-4c4f-8d6e-0f2b7f0f9a11";
const WARNER = { kind: "matrix", design: "warner", parameters: { p: "3/4" }, den: 4, rows: [[3, 1], [1, 3]] };
const UNARY = { kind: "unary", select: "one", size: 12, den: 4, rows: [[3, 1], [1, 3]] };

test("every body has the declared length, whatever is reported", () => {
  const bodies = [0, 9, 10, 11].map((report) => buildMessage({ length: 200 }, HASH, KEY, { month: report }));
  assert.deepEqual(new Set(bodies.map((body) => new TextEncoder().encode(body).length)), new Set([200]));
  assert.equal(bodies[2].trimEnd(), `{"instrument":"${HASH}","key":"${KEY}","reports":{"month":10}}`);
});

test("the odds are worked out as the server states them", () => {
  for (const { spec, first, shape, stated } of JSON.parse(readFileSync(new URL("../vectors/odds.json", import.meta.url)))) {
    const { chosen, other, ...rest } = contrast(spec, first);
    assert.deepEqual([rest.shape, ...asPeople(chosen, other)], [shape, ...stated], JSON.stringify(spec));
  }
});

test("two numbers in one bold part differ from the same numbers in two bold parts", () => {
  assert.ok(areEqual([[75], [25]], [[75], [25]]));
  assert.ok(!areEqual([[75, 25]], [[75], [25]]));
  assert.ok(!areEqual([[75], []], [[75, 25]]));
  assert.ok(!areEqual([[]], [])); // a bold part without a number is not the same as no bold part
});

test("a body that would be longer than declared is not made", () => {
  assert.throws(() => buildMessage({ length: 100 }, HASH, KEY, { month: 1 }), RangeError);
});

test("each question gives one report in the order of the survey; background answers stay as they are", () => {
  const questions = [{ key: "tax", mechanism: WARNER }, { key: "constructor", mechanism: null }, { key: "job", mechanism: UNARY }];
  const reports = scramble(questions, new Map([["job", 11], ["tax", 1], ["constructor", 7]]));
  assert.deepEqual(Object.keys(reports), ["tax", "constructor", "job"]);
  assert.ok([0, 1].includes(reports.tax));
  assert.equal(reports.constructor, 7);
  assert.match(reports.job, /^[01]{12}$/);
});

test("a question without a truth was not asked: its report is null, and nothing is drawn for it", () => {
  const questions = [{ key: "tax", mechanism: WARNER }, { key: "job", mechanism: UNARY }];
  assert.deepEqual(Object.keys(scramble(questions, new Map([["job", 1]]))), ["tax", "job"]);
  assert.equal(scramble(questions, new Map([["job", 1]])).tax, null);
  assert.throws(() => scramble(questions, new Map([["tax", undefined], ["job", 1]])), RangeError); // asked, not answered
});

const DRAWING = { questions: ["a", "b", "c", "d"].map((key) => ({ key })), draw: { count: 2, of: ["a", "b", "d"] } };
const keysOf = (drawing) => drawing.questions().map(({ key }) => key);

test("a lot has so many of its questions and all others, in their order, and stays the same", () => {
  const drawing = createQuestionSubset(DRAWING, "none", "0", false);
  const keys = keysOf(drawing);
  assert.equal(keys.length, 3);
  assert.ok(keys.includes("c"));
  assert.deepEqual(keys, [...keys].sort());
  for (let time = 0; time < 20; time += 1) {
    assert.deepEqual(keysOf(drawing), keys);
  }
  assert.deepEqual(keysOf(createQuestionSubset({ questions: DRAWING.questions }, "none", "0", false)), ["a", "b", "c", "d"]);
});

test("another lot is drawn once the first is forgotten, every set about equally often", () => {
  const drawing = createQuestionSubset(DRAWING, "none", "0", false);
  const counts = {};
  for (let time = 0; time < 6000; time += 1) {
    const keys = keysOf(drawing);
    counts[keys] = (counts[keys] ?? 0) + 1;
    drawing.forget();
  }
  assert.deepEqual(Object.keys(counts).sort(), ["a,b,c", "a,c,d", "b,c,d"]);
  assert.ok(Object.values(counts).every((count) => Math.abs(count - 2000) < 200), JSON.stringify(counts));
});

test("a path is what the server makes of the same answers", () => {
  const { questions, cases } = JSON.parse(readFileSync(new URL("../vectors/paths.json", import.meta.url)));
  const sent = questions.map((question) => (/background|number/.test(question.kind) ? question : { ...question, mechanism: WARNER }));
  for (const { answers, asked } of cases) {
    const path = questionsAskedOf(sent, (key) => answers[key]);
    assert.deepEqual(path.map(({ key }) => key), asked, JSON.stringify(answers));
  }
});

test("no scrambled answer is read for a path", () => {
  const questions = [
    { key: "sex", choices: ["a", "b"] },
    { key: "tax", choices: ["No", "Yes"], mechanism: WARNER },
    { key: "more", choices: ["No", "Yes"], mechanism: WARNER, when: { of: "tax", in: [1] } },
  ];
  const read = [];
  const path = questionsAskedOf(questions, (key) => read.push(key) && 1);
  assert.deepEqual(path.map(({ key }) => key), ["sex", "tax"]);
  assert.deepEqual(read, ["sex"]);
});

test("questions stand one by one, or with those of their section", () => {
  const questions = [{ key: "a" }, { key: "b", section: "B" }, { key: "c" }, { key: "d", section: "D" }];
  const sections = questions.map(({ key }) => ({ dataset: { key } }));
  const keys = (each) => each.map((page) => page.map(({ dataset }) => dataset.key).join(""));
  const keyOf = ({ dataset }) => dataset.key;
  assert.deepEqual(keys(groupIntoSteps(sections, { questions }, keyOf)), ["a", "b", "c", "d"]);
  const together = { questions, section_pages: true };
  assert.deepEqual(keys(groupIntoSteps(sections, together, keyOf)), ["a", "bc", "d"]);
  const [a, , c, d] = sections; // the lot left out the first of a section
  assert.deepEqual(keys(groupIntoSteps([a, c, d], together, keyOf)), ["a", "c", "d"]);
});

test("a spinner's and a hand's answer is the report; a survey from before there were modes is scrambled", () => {
  const questions = ["spinner", "by-hand"].map((mode) => ({ key: mode, mechanism: WARNER, mode }));
  for (const chosen of [0, 1]) {
    const truths = new Map([["spinner", chosen], ["by-hand", 1 - chosen]]);
    assert.deepEqual(scramble(questions, truths), { spinner: chosen, "by-hand": 1 - chosen });
  }
  const original = Object.getOwnPropertyDescriptor(globalThis, "crypto");
  try {
    Object.defineProperty(globalThis, "crypto", { value: { getRandomValues: (words) => words.fill(3) }, configurable: true });
    assert.deepEqual(scramble([{ key: "tax", mechanism: WARNER }], new Map([["tax", 0]])), { tax: 1 });
  } finally {
    Object.defineProperty(globalThis, "crypto", original);
  }
});

const PROBLEM = "application/problem+json";

test("only the server's own word counts as recorded", () => {
  assert.equal(interpretAnswer(201, "application/json", { status: "recorded" }), "recorded");
  assert.equal(interpretAnswer(200, "application/json", { status: "recorded" }), "recorded");
  assert.equal(interpretAnswer(200, "text/html", null), "unreachable");
  assert.equal(interpretAnswer(200, PROBLEM, { type: "/problems/survey-closed" }), "unreachable");
});

test("refusals are the server's own problem documents, told apart by their type", () => {
  assert.equal(interpretAnswer(403, PROBLEM, { type: "/problems/survey-closed" }), "shut");
  assert.equal(interpretAnswer(403, PROBLEM, { type: "/problems/survey-not-open" }), "shut");
  assert.equal(interpretAnswer(409, PROBLEM, { type: "/problems/instrument-mismatch" }), "mismatch");
  assert.equal(interpretAnswer(409, PROBLEM, { type: "/problems/key-conflict" }), "conflict");
  assert.equal(interpretAnswer(422, `${PROBLEM}; charset=utf-8`, { type: "/problems/invalid-response" }), "refused");
});

test("whatever else comes with a bad status says nothing of what has been stored", () => {
  assert.equal(interpretAnswer(404, "text/html", null), "busy");
  assert.equal(interpretAnswer(403, "application/json", { type: "/problems/survey-closed" }), "busy");
  assert.equal(interpretAnswer(403, PROBLEM, { type: "https://elsewhere.example/problems/survey-closed" }), "busy");
  assert.equal(interpretAnswer(403, PROBLEM, { type: "about:blank" }), "busy");
  assert.equal(interpretAnswer(429, PROBLEM, { type: "/problems/throttled" }), "busy");
  assert.equal(interpretAnswer(503, PROBLEM, { type: "/problems/survey-closed" }), "busy");
});

test("a message carries nothing that names anybody, and follows nobody elsewhere", async () => {
  const seen = [];
  const fetch = async (...asked) => {
    seen.push(asked);
    return new Response('{"status": "recorded"}', { status: 201 });
  };
  assert.equal(await postBody("/somewhere/", "body", fetch), "recorded");
  const [[address, { signal, ...options }]] = seen;
  assert.equal(address, "/somewhere/");
  assert.ok(signal instanceof AbortSignal);
  assert.deepEqual(options, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: "body",
    credentials: "omit",
    referrerPolicy: "no-referrer",
    redirect: "error",
    cache: "no-store",
  });
});

test("no answer from the network is no error", async () => {
  const fetch = async () => {
    throw new TypeError("Failed to fetch");
  };
  assert.equal(await postBody("/somewhere/", "body", fetch), "unreachable");
});

test("a report is described by its own answers only", () => {
  const fruit = ["Apple", "Pear", "Plum"];
  assert.deepEqual(describeReport(["No", "Yes"], 1, WARNER), { sentence: "1", answer: "Yes" });
  assert.deepEqual(describeReport(["10", "20"], 1, null, { unit: "hours" }), { sentence: "1", answer: "20 hours" });
  assert.deepEqual(describeReport(fruit, "010"), { sentence: "some", answers: ["Pear"] });
  assert.deepEqual(describeReport(fruit, "000"), { sentence: "none", answers: [] });
  assert.deepEqual(describeReport(fruit, "111"), { sentence: "all", answers: fruit });
});

const WINDOW = { kind: "window", size: 6, width: 3, high: 5, low: 2, den: 25 };
const NUMBERS = ["0", "10", "20", "30", "40", "50"];

test("a range that was sent holds the answers whose chance of that report is higher, and says how much", () => {
  const chances = probabilities(WINDOW); // of each answer, of each report
  for (const [answer] of NUMBERS.entries()) {
    assert.equal(chances[answer].length, 8);
  }
  for (let report = 0; report < 8; report += 1) {
    const often = Math.max(...chances.map((row) => row[report]));
    const inside = NUMBERS.filter((_, answer) => chances[answer][report] === often);
    const { sentence, low, high = low, factor } = describeReport(NUMBERS, report, WINDOW);
    assert.equal(sentence, inside.length === 1 ? "one" : "range");
    assert.deepEqual([low, high, factor], [inside[0], inside[inside.length - 1], "2.5"]);
  }
});

test("no range names a number that nobody may answer, nor does one that fits all answers say any", () => {
  assert.deepEqual(describeReport(NUMBERS, 0, WINDOW, { unit: "hours" }), { sentence: "one", low: "0 hours", factor: "2.5" });
  assert.deepEqual(describeReport(NUMBERS, 3, WINDOW, { unit: "hours" }), { sentence: "range", low: "10", high: "30 hours", factor: "2.5" });
  const wide = { ...WINDOW, width: 9 }; // report 6 lies in the window of every answer
  assert.deepEqual(describeReport(NUMBERS, 6, wide), { sentence: "all" });
  const aside = { ...WINDOW, aside: 1 }; // “Prefer not to say”, whose reports lie behind all others
  assert.deepEqual(describeReport([...NUMBERS, "Prefer not to say"], 9, aside), { sentence: "one", low: "Prefer not to say", factor: "2.5" });
});

test("a text is described by the number that was sent, and a row of bits by how many are set", () => {
  const written = { kind: "written", order: 13, den: 4, keep: 2 };
  assert.deepEqual(describeReport([], 7, written), { sentence: "text", answer: "7" });
  assert.deepEqual(describeReport([], `7:${"01".repeat(8)}`, RAPPOR), { sentence: "bits", size: "16", set: "8" });
});

test("of picked marks only these are described", () => {
  const fruit = ["Apple", "Pear", "Plum"];
  assert.deepEqual(describeReport(fruit, "-1-"), { sentence: "marked", answers: ["Pear"], unmarked: [] });
  assert.deepEqual(describeReport(fruit, "--0"), { sentence: "unmarked", answers: [], unmarked: ["Plum"] });
  assert.deepEqual(describeReport(fruit, "0-1"), { sentence: "both", answers: ["Plum"], unmarked: ["Apple"] });
});

// As a browser's: what it holds are its own names.
const STORAGE = {
  getItem(name) {
    return Object.hasOwn(this, name) ? this[name] : null;
  },
  setItem(name, text) {
    this[name] = text;
  },
  removeItem(name) {
    delete this[name];
  },
};
const storage = () => Object.create(STORAGE);

function give(value) {
  Object.defineProperty(globalThis, "localStorage", { configurable: true, ...value });
}

beforeEach(() => give({ value: storage() }));

test("two tabs read one record", () => {
  const [first, second] = [createRecord("survey", true), createRecord("survey", true)];
  first.write({ body: "bytes" });
  assert.deepEqual(second.read(), { body: "bytes" });
  second.write({ sent: ["one"] });
  assert.deepEqual(first.read(), { sent: ["one"] });
  first.forget();
  assert.equal(second.read(), null);
});

test("a preview and a shared device keep nothing, and meet nothing; forgetting clears what others left", () => {
  globalThis.localStorage.setItem("survey", '{"sent":["one"]}');
  const kept = createRecord("survey", false);
  assert.equal(kept.read(), null);
  kept.write({ body: "bytes" });
  assert.deepEqual(kept.read(), { body: "bytes" });
  assert.equal(globalThis.localStorage.getItem("survey"), '{"sent":["one"]}');
  assert.equal(kept.lasts(), false);
  kept.forget();
  assert.equal(Object.keys(globalThis.localStorage).length, 0);
});

// Delivers with a server that answers so, one attempt after the other; returns the addresses and bodies it got.
async function delivering(kept, survey, answers) {
  const seen = [];
  for (const [fresh, outcome] of answers) {
    const send = async (...sent) => {
      seen.push(sent);
      return outcome;
    };
    await deliver({ record: kept, survey, fresh, send });
  }
  return seen;
}

test("whatever the server says, nothing is drawn anew until it confirms", async () => {
  const kept = createRecord("series", true);
  const outcomes = ["shut", "mismatch", "conflict", "refused", "busy", "unreachable", "recorded"];
  const seen = await delivering(kept, "one", outcomes.map((outcome, draw) => [`draw ${draw}`, outcome]));
  assert.deepEqual(new Set(seen.map(([, body]) => body)), new Set(["draw 0"]));
  assert.equal(seen.length, outcomes.length);
  assert.deepEqual(kept.read(), { sent: ["one"] });
  assert.deepEqual(await delivering(kept, "one", [["another draw", "recorded"]]), []);
});

test("what waits for another version goes to that version, and what was kept of it stays", async () => {
  const kept = createRecord("series", true);
  kept.write({ sent: ["zero"], copy: { survey: "zero", reports: {} } });
  await delivering(kept, "one", [["first", "unreachable"]]);
  assert.deepEqual(await delivering(kept, "two", [["second", "recorded"]]), [
    ["/api/v1/surveys/one/responses/", "first"],
  ]);
  assert.deepEqual(kept.read(), { sent: ["zero", "one"], copy: { survey: "zero", reports: {} } });
});

test("what was forgotten while it was on its way does not come back", async () => {
  const kept = createRecord("series", true);
  const send = async () => {
    kept.forget();
    return "recorded";
  };
  await deliver({ record: kept, survey: "one", fresh: "body", send });
  assert.equal(kept.read(), null);
  assert.equal(await deliver({ record: kept, survey: "one", fresh: "body", hasLeft: () => true, send }), null);
});

test("forbidden storage leaves a record for as long as the page lives", () => {
  give({
    get() {
      throw new Error("SecurityError");
    },
  });
  const kept = createRecord("survey", true);
  kept.write({ body: "bytes" });
  assert.deepEqual(kept.read(), { body: "bytes" });
  assert.equal(kept.lasts(), false);
  kept.forget();
  assert.equal(kept.read(), null);
});

test("full storage does the same", () => {
  const full = storage();
  full.setItem = () => {
    throw new Error("QuotaExceededError");
  };
  give({ value: full });
  const kept = createRecord("survey", true);
  kept.write({ body: "bytes" });
  assert.deepEqual(kept.read(), { body: "bytes" });
  assert.equal(kept.lasts(), false);
});

test("a damaged record counts as none", () => {
  globalThis.localStorage.setItem("survey", "{");
  assert.equal(createRecord("survey", true).read(), null);
});

test("work goes on without locks, and its own errors are not taken for missing locks", async () => {
  let times = 0;
  await withLock("survey", async () => {
    times += 1;
  });
  assert.equal(times, 1);
  await assert.rejects(
    withLock("survey", async () => {
      times += 1;
      throw new Error("work");
    }),
    /work/,
  );
});

test("where people are invited a ticket stands in the place of the random key", () => {
  const instrument = { length: 600, tickets: { type: 2, steps: "one" } };
  const body = JSON.parse(buildMessage(instrument, HASH, "t".repeat(384), { month: 9 }));
  assert.deepEqual(body, { instrument: HASH, reports: { month: 9 }, ticket: "t".repeat(384) });
});

test("a spent ticket ends its message, and whether it may have arrived before is known", async () => {
  const kept = createRecord("spent", false);
  const attempt = (outcome, fresh = null) => deliver({ record: kept, survey: "s", fresh, send: async () => outcome });
  assert.equal((await attempt("spent", "body")).outcome, "spent"); // the first attempt: nothing of it was stored
  assert.deepEqual(kept.read(), { unsure: ["s"] });
  kept.forget();
  assert.equal((await attempt("unreachable", "body")).outcome, "unreachable");
  assert.equal((await attempt("spent")).outcome, "unsure"); // the one before may have arrived
  assert.deepEqual(kept.read(), { unsure: ["s"] });
  assert.equal(await attempt("spent"), null); // nothing is left to send
});

test("what is known of another version stays when a message ends with its ticket", async () => {
  const kept = createRecord("spent", false);
  kept.write({ sent: ["earlier"], body: "body", survey: "s", began: currentMinute() });
  await deliver({ record: kept, survey: "s", fresh: null, send: async () => "spent" });
  assert.deepEqual(kept.read(), { sent: ["earlier"], unsure: ["s"] });
});

test("the server's words about tickets are known", () => {
  const problem = (name) => interpretAnswer(409, "application/problem+json", { type: `/problems/${name}` });
  assert.deepEqual(["ticket-spent", "ticket-forged", "too-few-tickets"].map(problem), ["spent", "forged", "shut"]);
});

const TOWNS = buildIndex(["Ulm", "Neu-Ulm", "Łódź am See", "Côte d’Or", "Straße", "Córdoba", "Cordoba", "قُرْطُبة", "Columbia", "C++"]);
const named = (text) => searchLabels(TOWNS, text).map((index) => TOWNS.labels[index]);

test("a list is searched without marks and case, words that start first", () => {
  assert.equal(foldText("  Łódź, am  SEE "), "lodz am see");
  assert.deepEqual(named("ulm"), ["Ulm", "Neu-Ulm"]);
  assert.deepEqual(named("um"), ["Columbia"]);
  assert.deepEqual(named("SEE lo"), ["Łódź am See"]);
  assert.deepEqual(named("cote d'or"), ["Côte d’Or"]);
  assert.deepEqual(named("strasse"), ["Straße"]);
  assert.deepEqual(named("قرطبة"), ["قُرْطُبة"]);
  assert.deepEqual(named("zz"), []);
  assert.equal(named("").length, TOWNS.labels.length);
});

test("a text is an answer where it fits one only", () => {
  assert.equal(matchingIndex(TOWNS, " neu-ulm "), 1);
  assert.equal(matchingIndex(TOWNS, "Lodz am See"), 2);
  assert.equal(matchingIndex(TOWNS, "córdoba"), 5);
  assert.equal(matchingIndex(TOWNS, "CORDOBA"), 6);
  assert.equal(matchingIndex(TOWNS, "còrdoba"), undefined); // both, without marks
  assert.equal(matchingIndex(TOWNS, "c++"), 9);
  assert.equal(matchingIndex(TOWNS, "Ul"), undefined);
  assert.equal(matchingIndex(TOWNS, "!"), undefined);
});

test("20,000 answers are searched at once", () => {
  const many = buildIndex(Array.from({ length: 20_000 }, (_, index) => `Answer ${index}`));
  assert.equal(searchLabels(many, "answer 1999").length, 11);
});

test("of a group what was sent is its first answers and how many there are", () => {
  const spec = { kind: "geometry", size: 7, order: 2, dimension: 3, den: 4, keep: 3 };
  const choices = ["a", "b", "c", "d", "e", "f", "g"];
  assert.deepEqual(describeReport(choices, 0, spec), { sentence: "group", answers: ["b", "d", "f"], size: "3", rest: 0 });
});

const RAPPOR = {
  kind: "rappor", bits: 16, hashes: 2, cohorts: 8, den: 4, permanent: [[3, 1], [1, 3]], instant: [[2, 2], [1, 3]],
};

test("both steps of a scrambled row are drawn for each response, and nothing is left of them", () => {
  const question = { key: "drug", text: "Which?", mechanism: RAPPOR };
  const reports = Array.from({ length: 40 }, () => scramble([question], new Map([["drug", "Heroin"]])).drug);
  assert.ok(reports.every((report) => /^[0-7]:[01]{16}$/.test(report)));
  assert.ok(new Set(reports.map((report) => report.split(":")[0])).size > 2); // the cohort is drawn anew too
  assert.equal(Object.keys(globalThis.localStorage).length, 0);
});

const HOUR = 60;

test("without a ticket a message is sent for 20 hours, as its server knows it again for 24", () => {
  const now = currentMinute();
  const lasts = (began, body = "{}") => mayBeSent({ body, began }, now);
  assert.deepEqual([0, 19, 21].map((hours) => lasts(now - hours * HOUR)), [true, true, false]);
  assert.deepEqual([lasts(now + 1), lasts(undefined), lasts("1")], [false, false, false]); // a clock put back, earlier pages
  assert.deepEqual([undefined, now - 500 * HOUR].map((began) => lasts(began, '{"ticket":"t"}')), [true, true]);
});

test("a message that can count no more is erased, and never drawn again", async () => {
  const kept = createRecord("series", true);
  const sendNone = async () => assert.fail("it was sent");
  kept.write({ body: "bytes", survey: "one", began: currentMinute() - 21 * HOUR, sent: ["zero"] });
  assert.equal(eraseExpired(kept), "one");
  assert.deepEqual(kept.read(), { sent: ["zero"], unsure: ["one"] });
  assert.ok(isDone(kept.read(), "one"));
  assert.equal(await deliver({ record: kept, survey: "one", fresh: "another draw", send: sendNone }), null);
  kept.write({ body: "bytes", survey: "two" });
  assert.equal((await deliver({ record: kept, survey: "two", fresh: null, send: sendNone })).outcome, "over");
  assert.deepEqual(kept.read(), { unsure: ["two"] });
});

test("what this device has of a link is found whatever series the questions name", async () => {
  createRecord("candor old", true).write({ body: "bytes", survey: "one", began: currentMinute() });
  createRecord("candor other", true).write({ sent: ["three"] });
  createRecord("candor third", true).write({ unsure: ["four"] });
  assert.deepEqual(["one", "three", "four", "five"].map((survey) => findRecord(survey, "new", true).name), [
    "candor old", "candor other", "candor third", "candor new",
  ]);
  assert.equal(findRecord("one", "new", false).name, "candor new"); // on a shared device nothing is looked up
  const sent = [];
  const send = async (...message) => sent.push(message) && "recorded";
  await deliver({ record: findRecord("one", "new", true), survey: "one", fresh: "another draw", send });
  assert.deepEqual(sent, [["/api/v1/surveys/one/responses/", "bytes"]]);
});

const YES_NO = { key: "tax", choices: ["No", "Yes"], mechanism: WARNER };

test("what can be tried has the chances of a yes/no question, else of one as telling as the first", () => {
  const declining = { ...YES_NO, mechanism: { kind: "matrix", den: 4, rows: [[2, 1, 1], [1, 2, 1], [1, 1, 2]] } };
  assert.deepEqual(mechanismToTry([{ key: "age" }, YES_NO]), { mechanism: WARNER, othersDiffer: false });
  assert.deepEqual(mechanismToTry([declining, YES_NO]), { mechanism: WARNER, othersDiffer: true });
  const even = { kind: "matrix", den: 100, rows: [[67, 33], [33, 67]] }; // epsilon log 2: right 66.7 times in 100
  assert.deepEqual(mechanismToTry([declining]), { mechanism: even, othersDiffer: false });
  assert.deepEqual(mechanismToTry([declining, { ...declining, mechanism: UNARY }]), { mechanism: even, othersDiffer: true });
  assert.equal(mechanismToTry([{ ...YES_NO, mode: "spinner" }, { key: "age" }]), null);
});

test("a tap draws what this device would send, and of each truth what 100 people would", () => {
  const { own, people: crowd } = sampleReports(WARNER, 1);
  assert.ok([0, 1].includes(own));
  assert.deepEqual(crowd.map((sent) => sent.length), [100, 100]);
  const [no, yes] = [0, 1].map((truth) => Array.from({ length: 50 }, () => sampleReports(WARNER, 0).people[truth]).flat());
  const share = (sent) => sent.filter((report) => report === 1).length / sent.length;
  assert.ok(Math.abs(share(yes) - 0.75) < 0.03 && Math.abs(share(no) - 0.25) < 0.03); // 5 standard deviations
  const { yes: squares, no: rings } = picturePaths(crowd[1]);
  assert.deepEqual([squares, rings].map((path) => path.split("M").length - 1), [1, 0].map((report) => crowd[1].filter((each) => each === report).length));
});
