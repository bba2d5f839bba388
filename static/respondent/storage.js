// What stays on this device: one record for all versions of a survey, and of it only what is
// needed. Its content is an object with these fields, each of which can be missing:
//   body, survey  a message on its way, byte for byte, and the version it goes to; until its
//                 server confirms it, or it can count no more
//   began         when it was sent first, in whole minutes; without a ticket it is sent for
//                 HOURS_TO_SEND after that
//   sent          the list of the versions that were confirmed, and nothing of what was sent
//   unsure        the list of the versions whose message ended without a confirmation
//   copy          what was sent to one version, as { survey, reports }, without answers that are
//                 not scrambled; only if the respondent asks for it
// A version has the name of its survey in addresses, so `survey` is such a name.
// Besides, until Send or Exit, which questions were picked (question_subset.js).

const PREFIX = "candor ";
// The server remembers a key for 24 hours, so that the same bytes cannot count twice.
const HOURS_TO_SEND = 20;
const MILLISECONDS_PER_MINUTE = 60_000;

/**
 * Return a record with a name, which is stored in the browser if `lasting`. If storage is
 * forbidden or full, or not `lasting`, the record lives as long as this page.
 *
 * A record is an object with its name and the functions below. Its content is an object that JSON
 * can write.
 */
export function createRecord(name, lasting) {
  const storage = storageIfAllowed("localStorage");
  // The content of a record that is not stored. While it is stored, the browser alone has it, so
  // that all tabs read the same.
  let memory = null;
  let isStored = lasting && canStore(storage);
  return {
    name,
    /** Return whether the record outlives this page. */
    lasts() {
      return isStored;
    },
    /** Return the content of the record, or null if there is none. */
    read() {
      if (!isStored) {
        return memory;
      }
      return parseJson(storage.getItem(name));
    },
    /** Replace the content of the record. */
    write(content) {
      if (isStored) {
        try {
          storage.setItem(name, JSON.stringify(content));
          return;
        } catch {
          isStored = false;
          // The storage is full. Without this it would still hold what the content replaces.
          storage.removeItem(name);
        }
      }
      memory = content;
    },
    /** Delete the record, even one that an earlier visit stored when it was allowed. */
    forget() {
      memory = null;
      storage?.removeItem(name);
    },
  };
}

/** Return whether a storage exists and stores what is written to it. */
function canStore(storage) {
  const name = `${PREFIX}test`;
  // A storage that is missing (null), forbidden or full throws. The text is read again, in case a
  // storage takes it and does not have it.
  try {
    storage.setItem(name, name);
    return storage.getItem(name) === name;
  } catch {
    return false;
  } finally {
    storage?.removeItem(name);
  }
}

/**
 * Return the record of a survey. If there is a stored record that mentions this version, it is
 * returned, whatever series the questions name: a site that names another one at each visit must
 * not get a message that is drawn again. Else the result is the record of the series.
 *
 * survey: this version of the survey.
 * series: the name that all versions of the survey share.
 * lasting: whether the record may be stored in the browser.
 */
export function findRecord(survey, series, lasting) {
  const seriesRecord = createRecord(PREFIX + series, lasting);
  if (!seriesRecord.lasts()) {
    return seriesRecord;
  }
  const otherName = Object.keys(globalThis.localStorage).find(
    (name) =>
      name.startsWith(PREFIX) &&
      name !== seriesRecord.name &&
      mentionsSurvey(parseJson(localStorage.getItem(name)) ?? {}, survey),
  );
  // A message on its way must not be lost, so its record comes first.
  if (otherName === undefined || seriesRecord.read()?.body) {
    return seriesRecord;
  }
  return createRecord(otherName, lasting);
}

/**
 * Return whether a message goes or went to this version of a survey, according to the content of a
 * record.
 *
 * content: the content of any record whose name begins with PREFIX. Records of tickets and question
 * subsets mention no survey.
 */
function mentionsSurvey(content, survey) {
  // The fields `body` and `survey` belong together: without a message there is no version.
  if (content.body && content.survey === survey) {
    return true;
  }
  const lists = [content.sent, content.unsure];
  return lists.some((versions) => Array.isArray(versions) && versions.includes(survey));
}

/**
 * Return the present time in whole minutes since 1970. A more precise time is not needed, and would
 * say more about the respondent to those who read the files of the browser.
 */
export function currentMinute() {
  return Math.floor(Date.now() / MILLISECONDS_PER_MINUTE);
}

/** Delete fields that earlier releases stored in a record, when the page is opened. */
export function removeOldFields(record) {
  // One of these fields is enough: `rest` has neither.
  const { spent, imprints, ...rest } = record.read() ?? {};
  if (spent ?? imprints) {
    record.write(rest);
  }
}

/**
 * Return whether the message in the content of a record may still be sent. With a ticket it counts
 * once, however late it comes; without a ticket only for as long as the server recognizes its key.
 */
export function mayBeSent({ body, began }, now = currentMinute()) {
  // The body of a message with a ticket has `ticket` where others have `key` (see buildMessage).
  const hasTicket = parseJson(body)?.ticket !== undefined;
  if (hasTicket) {
    return true;
  }
  // A message from the future means that the clock was changed, and its age is not known.
  return Number.isInteger(began) && now >= began && now - began < 60 * HOURS_TO_SEND;
}

/**
 * Return the content of a record after its message has ended, without fields that are empty.
 *
 * outcome: { confirmed } or { doubted }, the version that the server confirmed or did not confirm.
 */
export function contentAfterMessage(content, outcome = {}) {
  // What is not listed here is left out: the message itself, its version and its time.
  const { sent = [], unsure = [], copy } = content;
  const fields = {
    sent: withVersion(sent, outcome.confirmed),
    unsure: withVersion(unsure, outcome.doubted),
    copy,
  };
  const present = Object.entries(fields).filter(([, value]) => value && value.length !== 0);
  return Object.fromEntries(present);
}

/**
 * Return the versions with one more, if `version` is not undefined, as a new list. No version is in
 * the result twice.
 */
function withVersion(versions, version) {
  const all = new Set(versions);
  if (version) {
    all.add(version);
  }
  return [...all];
}

/**
 * Return the record of the ticket of a survey that only invited people can answer. It exists from
 * when the ticket is asked for until the survey is answered with it.
 */
export function createTicketRecord(survey, lasting) {
  return createRecord(`candor ticket ${survey}`, lasting);
}

// The names of the records of earlier versions of this page.
const OLD_NAME = /^candor [0-9a-f]{64}$/;

/**
 * Delete what earlier versions of this page stored of all surveys. They stored what was sent,
 * under the hash of the questions. What stays is that a response was sent, and a message that is
 * still on its way.
 *
 * record: the record of this survey, which takes over what stays.
 * hash: the hash of the questions of this survey.
 * survey: this version of the survey.
 */
export function removeOldRecords(record, hash, survey) {
  const storage = storageIfAllowed("localStorage");
  const oldNames = Object.keys(storage ?? {}).filter((name) => OLD_NAME.test(name));
  for (const name of oldNames) {
    const { body, reports, sent } = parseJson(storage.getItem(name)) ?? {};
    if (name !== `candor ${hash}`) {
      if (reports) {
        // The page of that survey will move it into its record.
        storage.setItem(name, '{"sent":true}');
      }
    } else if (!body || !record.read()?.body) {
      // If both records have a message, the older one waits until the other has ended.
      storage.removeItem(name);
      let moved = {};
      if (body) {
        moved = { body, survey };
      } else if (reports || sent) {
        moved = { sent: [survey] };
      }
      // What the new record already has is newer, so it comes last and wins.
      record.write({ ...moved, ...record.read() });
    }
  }
}

/**
 * Return a storage of the browser, or null if it is forbidden.
 *
 * property: "localStorage" or "sessionStorage". Reading it can throw.
 */
export function storageIfAllowed(property) {
  try {
    return globalThis[property] ?? null;
  } catch {
    return null;
  }
}

/** Return the value that a text of JSON stands for, or null if the text is malformed or missing. */
export function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Run a task while no other tab of this browser runs one with the same name, and return its
 * result.
 *
 * If locks are missing or forbidden, two tabs that send within the same few milliseconds can still
 * make two responses; nothing else on a device excludes this.
 */
export async function withLock(name, task) {
  let hasBegun = false;
  const runTask = () => {
    hasBegun = true;
    return task();
  };
  try {
    return await navigator.locks.request(name, runTask);
  } catch (error) {
    if (hasBegun) {
      // The task itself failed. It must not run twice.
      throw error;
    }
    return task();
  }
}
