// Where each person is asked only some of the questions: which ones, picked at random on this device. What is picked
// depends on nothing that anybody answers.

import { cryptoUint32, sample } from "../mechanisms/index.js";
import { parse, storageIfAllowed } from "./storage.js";

// What is picked for one person. This browser keeps it until it is answered or forgotten, so that loading the page again
// and a second tab ask the same. Where several people answer on one device, only the tab keeps it, for one of them; where
// that is forbidden, or not wanted, it lives as long as this page. hash: of the questions; for others it is picked anew.
export function createQuestionSubset({ questions, draw, shared_device: shared }, name, hash, lasting) {
  const storage = lasting ? storageIfAllowed(shared ? "sessionStorage" : "localStorage") : null;
  let drawn = null;
  return {
    // The questions that this person is asked, in their order; all of them where nothing is picked.
    questions() {
      if (draw === undefined) {
        return questions;
      }
      drawn = drawn ?? keptBefore(storage, name, hash, draw);
      drawn = drawn ?? keep(storage, name, hash, sample(draw.of, draw.count, cryptoUint32));
      return questions.filter(({ key }) => !draw.of.includes(key) || drawn.includes(key));
    },
    forget() {
      drawn = null;
      storage?.removeItem(name);
    },
  };
}

function keptBefore(storage, name, hash, { count, of }) {
  try {
    const { instrument, keys } = parse(storage.getItem(name));
    const fits = instrument === hash && keys.length === count && new Set(keys).size === count;
    return fits && keys.every((key) => of.includes(key)) ? keys : null;
  } catch {
    return null;
  }
}

function keep(storage, name, hash, keys) {
  try {
    storage.setItem(name, JSON.stringify({ instrument: hash, keys }));
  } catch {
    // forbidden or full: then loading the page again picks anew
  }
  return keys;
}
