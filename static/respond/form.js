// The form: what is chosen, what is missing, whether it asks what was published. Knows nothing of the network.

const block = (form, key) => form.querySelector(`.candor-question[data-key="${key}"]`);
const inputs = (form, key) => [...form.querySelectorAll(`input[name="q-${key}"]`)];

// Whether each question stands here with the text and the answers that the instrument has, so that what a person
// reads is what the hash names.
export function fits(form, questions) {
  return questions.every(({ key, text, choices }) => {
    const shown = inputs(form, key);
    return (
      block(form, key)?.querySelector(".candor-question__text").textContent === text &&
      shown.length === choices.length &&
      shown.every((input) => input.labels[0].textContent === choices[input.value])
    );
  });
}

// truths: question key -> index of the chosen answer. missing: keys of the questions without one.
export function read(form, questions) {
  const chosen = questions.map(({ key }) => [key, inputs(form, key).find((input) => input.checked)]);
  return {
    truths: new Map(chosen.filter(([, input]) => input).map(([key, input]) => [key, Number(input.value)])),
    missing: chosen.filter(([, input]) => !input).map(([key]) => key),
  };
}

// Say at the top and at each question which answers are missing, or take such messages away.
export function complain(form, missing) {
  for (const question of form.querySelectorAll(".candor-question")) {
    mark(question, missing.includes(question.dataset.key));
  }
  const summary = form.querySelector("#errors");
  for (const line of summary.querySelectorAll("[data-key]")) {
    line.hidden = !missing.includes(line.dataset.key);
  }
  summary.hidden = missing.length === 0;
  summary.focus();
}

function mark(question, wrong) {
  question.classList.toggle("govuk-form-group--error", wrong);
  const message = question.querySelector(".govuk-error-message");
  message.hidden = !wrong;
  const fieldset = question.querySelector("fieldset");
  const others = fieldset.getAttribute("aria-describedby").split(" ").filter((id) => id !== message.id);
  fieldset.setAttribute("aria-describedby", (wrong ? [message.id, ...others] : others).join(" "));
}

// Forget what was chosen and close the form.
export function clear(form) {
  form.reset();
  form.remove();
}

// Links of the error summary go to a question by focus alone: a fragment would stay in the address and the history.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("#errors a");
  if (link) {
    event.preventDefault();
    const first = document.querySelector(`${link.hash} input`);
    first.focus();
    first.closest("fieldset").scrollIntoView();
  }
});
