// The try of respondents' pages on the home page. Its own part shows what a tap does in both places: at the question, and
// among the answers that arrived.

import { offer, tryOut } from "../respondent/try_it.js";

const main = document.getElementById("main");
const questions = JSON.parse(main.dataset.questions);

offer(document.getElementById("try"), questions);
main.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-do=try]");
  if (button) {
    tryOut(main, questions, Number(button.value));
  }
});
