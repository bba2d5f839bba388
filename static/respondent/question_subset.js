// Where each person is asked only some of the questions: which ones, drawn by lot on this device. What is drawn depends
// on nothing that anybody answers.

import { cryptoUint32, sample } from "../mechanisms/index.js";

// The lot of one person. Its tab keeps it until it is answered or forgotten, so that loading the page again asks the
// same; where that is forbidden, or not wanted, it lives as long as this page.
export function lot({ questions, draw }, name, lasting) {
  const storage = lasting ? sessionStorageIfAllowed() : null;
  let drawn = null;
  return {
    // The questions that this person is asked, in their order; all of them where nothing is drawn.
    questions() {
      if (draw === undefined) {
        return questions;
      }
      drawn ??= keptBefore(storage, name, draw) ?? keep(storage, name, sample(draw.of, draw.count, cryptoUint32));
      return questions.filter(({ key }) => !draw.of.includes(key) || drawn.includes(key));
    },
    forget() {
      drawn = null;
      storage?.removeItem(name);
    },
  };
}

function keptBefore(storage, name, { count, of }) {
  try {
    const keys = JSON.parse(storage.getItem(name));
    return new Set(keys).size === count && keys.every((key) => of.includes(key)) ? keys : null;
  } catch {
    return null;
  }
}

function keep(storage, name, keys) {
  try {
    storage?.setItem(name, JSON.stringify(keys));
  } catch {
    // full: then loading the page again draws anew
  }
  return keys;
}

function sessionStorageIfAllowed() {
  try {
    return globalThis.sessionStorage ?? null;
  } catch {
    return null;
  }
}
