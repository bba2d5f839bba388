// Whether the page shows what its instrument says: the questions, the answers and the odds, in the
// language that is visible.

import { answerReadFirst } from "./controls.js";
import { pageLanguage } from "./languages.js";
import { areOddsAsPublished } from "./odds.js";
import { areQuestionsAsPublished } from "./questions.js";

// Code of a language -> whether its texts are those of the instrument.
const results = new Map();

function matchesInstrument(instrument) {
  try {
    return (
      areQuestionsAsPublished(instrument.questions) &&
      areOddsAsPublished(instrument, answerReadFirst)
    );
  } catch {
    // No such probabilities exist.
    return false;
  }
}

/**
 * Return whether the texts of the page are those of the instrument. Without a form there is
 * nothing to compare.
 *
 * Each language is compared once, as soon as it is in the page: later a translator in the browser
 * may have changed its texts, which is no fault of the site.
 */
export function isAsPublished(instrument, form) {
  const language = pageLanguage();
  if (!results.has(language)) {
    results.set(language, !form || matchesInstrument(instrument));
  }
  return results.get(language);
}
