// The question subset, in surveys in which each person is asked only some of the questions: these
// are picked at random on this device, and depend on nothing that anybody answers.

import { cryptoUint32, sample } from "../mechanisms/index.js";
import { parseJson, storageIfAllowed } from "./storage.js";

/**
 * Return an object with the question subset of one person, which is picked at the first call of
 * `questions` and then stays.
 *
 * The browser stores it until the survey is answered or the subset is forgotten, so that loading
 * the page again and a second tab ask the same questions. If several people answer on one device,
 * only the tab stores it, for one of them. If storage is forbidden or not allowed by `lasting`, it
 * lives as long as this page.
 *
 * instrument: with its `draw`, { of, count }: the keys of the questions to pick from, and how many.
 * name: the name under which the subset is stored.
 * hash: the hash of the questions; for other questions another subset is picked.
 * lasting: whether the browser may store the subset.
 */
export function createQuestionSubset(instrument, name, hash, lasting) {
  const { questions, draw: subset, shared_device: isShared } = instrument;
  // null means that the subset is in memory only.
  let storage = null;
  if (lasting) {
    // The storage of a tab ends with it, that of the browser stays.
    storage = storageIfAllowed(isShared ? "sessionStorage" : "localStorage");
  }
  let pickedKeys = null;
  return {
    /** Return the questions of this person in order; all of them if there is no subset. */
    questions() {
      if (subset === undefined) {
        // This survey asks everybody all questions.
        return questions;
      }
      // null stands for nothing picked yet, here and as a result of readStoredKeys().
      if (pickedKeys === null) {
        pickedKeys = readStoredKeys(storage, name, hash, subset);
      }
      if (pickedKeys === null) {
        pickedKeys = sample(subset.of, subset.count, cryptoUint32);
        storeKeys(storage, name, hash, pickedKeys);
      }
      // Questions that are not picked from are asked of everybody.
      return questions.filter(({ key }) => !subset.of.includes(key) || pickedKeys.includes(key));
    },
    /** Delete what is picked, so that another subset is picked next. */
    forget() {
      pickedKeys = null;
      storage?.removeItem(name);
    },
  };
}

/**
 * Return the stored keys of the questions that were picked, or null if there are none that can be
 * picked from this instrument.
 */
function readStoredKeys(storage, name, hash, { count, of: subsetKeys }) {
  try {
    // `instrument` is the hash of the questions for which these keys were picked.
    const { instrument, keys } = parseJson(storage.getItem(name));
    const hasRightCount = keys.length === count && new Set(keys).size === count;
    const areInSubset = keys.every((key) => subsetKeys.includes(key));
    return instrument === hash && hasRightCount && areInSubset ? keys : null;
  } catch {
    // Storage is forbidden, empty, or has something that another program wrote.
    return null;
  }
}

/**
 * Store the keys of the questions that were picked, if the browser allows it, with the hash of the
 * questions as `instrument`. Nothing is stored if `storage` is null.
 */
function storeKeys(storage, name, hash, keys) {
  try {
    storage.setItem(name, JSON.stringify({ instrument: hash, keys }));
  } catch {
    // Storage is forbidden, full or null: then loading the page again picks another subset.
  }
}
