// What was sent, in words. The sentences stand in the page, in templates; here they are picked and filled in.

// Which sentence fits a report, and the answers to fill in.
export function describe(choices, report) {
  if (typeof report === "number") {
    return { sentence: String(report), answers: [choices[report]] };
  }
  const answers = choices.filter((_, index) => report[index] === "1");
  return { sentence: { 0: "none", [choices.length]: "all" }[answers.length] ?? "some", answers };
}

// Write the sentence for a report into its cell of the page.
export function write(cell, question, report) {
  const { sentence, answers } = describe(question.choices, report);
  const own = cell.querySelector(`template[data-report="${sentence}"]`);
  const words = (own ?? cell.querySelector("template:not([data-report])")).content.cloneNode(true);
  const place = words.querySelector("[data-answers]");
  if (place?.localName === "ul") {
    place.append(...answers.map(item));
  } else if (place) {
    place.textContent = answers[0];
  }
  cell.prepend(words);
}

function item(label) {
  const line = document.createElement("li");
  line.dir = "auto";
  line.textContent = label;
  return line;
}
