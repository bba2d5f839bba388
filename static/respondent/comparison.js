// Whether the page says what its instrument says: the questions, the answers and the odds, in the language that it shows.

import { firstOf } from "./controls.js";
import { spoken } from "./languages.js";
import { statesOdds } from "./odds.js";
import { fits } from "./questions.js";

const compared = new Map(); // language -> whether its texts are those of the instrument

function matches(instrument) {
  try {
    return fits(instrument.questions) && statesOdds(instrument, firstOf);
  } catch {
    return false; // no such chances exist
  }
}

// Return whether the texts are those of the instrument. Each language is compared once, as soon as it is in the page:
// later a translator in the browser may have changed its texts, and the site is not to blame for that.
export function isAsPublished(instrument, form) {
  const language = spoken();
  if (!compared.has(language)) {
    compared.set(language, !form || matches(instrument));
  }
  return compared.get(language);
}
