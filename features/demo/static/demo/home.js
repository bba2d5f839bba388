// The harmless question of respondents' pages, on the home page. It shows what a tap does at the
// question, and among the answers that arrived.

import { enableTryOut, tryOut } from "../respondent/try_it.js";

const main = document.getElementById("main");
const questions = JSON.parse(main.dataset.questions);

enableTryOut(document.getElementById("try"), questions);
main.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-do=try]");
  if (button) {
    tryOut(main, questions, Number(button.value));
  }
});
