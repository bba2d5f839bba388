// Whether the page shows what its instrument says: the questions, the answers and the odds, in the
// language that is visible.

import { pageLanguage } from "./languages.js";
import { areOddsAsPublished } from "./odds.js";
import { areQuestionsAsPublished } from "./questions.js";

// Code of a language -> whether the questions and the odds of the page are those of the instrument.
const results = new Map();

/**
 * Return whether the questions, the answers and the odds on the page, in the visible language, are
 * those of the instrument.
 */
function matchesInstrument(instrument) {
  try {
    return areQuestionsAsPublished(instrument.questions) && areOddsAsPublished(instrument);
  } catch {
    // A mechanism that is malformed throws RangeError, and a part of the page that is missing
    // throws TypeError. A page that cannot be compared must not be answered, whatever the reason.
    return false;
  }
}

/**
 * Return whether the page shows what its instrument says, in the visible language. Without a form
 * there is nothing to compare, and the result is true.
 *
 * form: the form with the questions, or null if the survey is closed.
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
