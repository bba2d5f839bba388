// What stays on this device: one record for all versions of a survey, and of it only what is needed.
//   body, survey  a message on its way, byte for byte, and the version it goes to; until its server confirms it, or it
//                 can count no more
//   began         when it was sent first, in whole minutes; without a ticket it is sent for HOURS after that
//   sent          the versions that were confirmed, and nothing of what was sent
//   unsure        the versions whose message ended without a confirmation
//   copy          what was sent to one version, without answers that are not scrambled; only if the respondent asks for it
// Beside it, until Send or Exit, which questions were picked (question_subset.js).

const PREFIX = "candor ";
const HOURS = 20; // the server keeps a key for 24, so that the same bytes cannot count twice
const MINUTE = 60_000; // milliseconds

// Where storage is forbidden or full, or not wanted, the record lives as long as this page.
export function createRecord(name, lasting) {
  const storage = storageIfAllowed("localStorage");
  let memory = null;
  let lasts = lasting && holds(storage);
  return {
    name,
    lasts: () => lasts,
    read: () => memory ?? (lasts ? parse(storage.getItem(name)) : null),
    write(record) {
      try {
        if (lasts) {
          storage.setItem(name, JSON.stringify(record));
          return;
        }
      } catch {
        lasts = false;
        storage.removeItem(name); // or it would go on holding what this one was to replace
      }
      memory = record;
    },
    forget() {
      memory = null;
      storage?.removeItem(name);
    },
  };
}

// Whether what is written there is there.
function holds(storage) {
  const name = `${PREFIX}test`;
  try {
    storage.setItem(name, name);
    return storage.getItem(name) === name;
  } catch {
    return false;
  } finally {
    storage?.removeItem(name);
  }
}

// The record that has anything of this link, whatever series the questions name: a site that names another one at each
// visit must not get a message drawn anew. Else the one of the series.
export function recordOf(survey, series, lasting) {
  const own = createRecord(PREFIX + series, lasting);
  const names = lasting && own.lasts() ? Object.keys(globalThis.localStorage) : [];
  const knows = ({ survey: to, body, sent, unsure }) => (body && to === survey) || [sent, unsure].some((each) => Array.isArray(each) && each.includes(survey));
  const name = names.find((each) => each.startsWith(PREFIX) && each !== own.name && knows(parse(localStorage.getItem(each)) ?? {}));
  return name === undefined || own.read()?.body ? own : createRecord(name, lasting);
}

// The minute it is.
export const minute = () => Math.floor(Date.now() / MINUTE);

// Earlier releases kept more in a record, which goes when a page opens.
export function removeOldFields(kept) {
  const { spent, imprints, ...rest } = kept.read() ?? {};
  if (spent ?? imprints) {
    kept.write(rest);
  }
}

// Whether a message may still be sent: with a ticket it counts once, however late; without one only for as long as the
// server knows it again.
export function mayBeSent({ body, began }, now = minute()) {
  const hasTicket = parse(body)?.ticket !== undefined;
  return hasTicket || (Number.isInteger(began) && now >= began && now - began < 60 * HOURS);
}

// The record when its message has ended, confirmed or not.
export function ended({ sent = [], unsure = [], copy }, { confirmed, doubted } = {}) {
  const all = (list, one) => [...new Set([...list, ...(one ? [one] : [])])];
  const record = { sent: all(sent, confirmed), unsure: all(unsure, doubted), copy };
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value && value.length !== 0));
}

// The ticket of a survey that only invited people can answer, from when it is asked for until it is answered with.
export const ticketKeeper = (survey, lasting) => createRecord(`candor ticket ${survey}`, lasting);

const OLD = /^candor [0-9a-f]{64}$/;

// Earlier versions of this page kept what was sent, under the hash of the questions. Forget that at once, whichever
// survey it is of; what stays is that a response was sent, and a message that is still on its way.
export function removeOldRecords(kept, hash, survey) {
  const storage = storageIfAllowed("localStorage");
  for (const key of Object.keys(storage ?? {}).filter((one) => OLD.test(one))) {
    const { body, reports, sent } = parse(storage.getItem(key)) ?? {};
    if (key !== `candor ${hash}`) {
      if (reports) {
        storage.setItem(key, '{"sent":true}'); // its own page knows where that belongs
      }
    } else if (!body || !kept.read()?.body) {
      storage.removeItem(key);
      kept.write({ ...(body ? { body, survey } : (reports || sent) && { sent: [survey] }), ...kept.read() });
    }
  }
}

export function storageIfAllowed(which) {
  try {
    return globalThis[which] ?? null;
  } catch {
    return null;
  }
}

export function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

// Do the work while no other tab of this browser does work of that name. Where locks are missing or forbidden, two
// tabs that send within the same few milliseconds can still make two responses; nothing else on a device excludes it.
export async function withLock(name, work) {
  let begun = false;
  const once = () => {
    begun = true;
    return work();
  };
  try {
    return await navigator.locks.request(name, once);
  } catch (error) {
    if (begun) {
      throw error;
    }
    return work();
  }
}
