// What stays on this device: one record for all versions of a survey, and of it only what is needed.
//   body, survey  a message on its way, byte for byte, and the version it goes to; until its server confirms it, or says
//                 that its ticket has been used
//   sent          the versions that were confirmed, and nothing of what was sent
//   copy          what was sent to one version, without answers sent as they are; only if the respondent asks for it
//   imprints      what later reports on written answers are drawn from (imprints.js); only if the respondent asks for it
// Beside it, until Send or Exit, which questions were picked (question_subset.js).

// Where storage is forbidden or full, or not wanted, the record lives as long as this page.
export function keeper(name, lasting) {
  const storage = storageIfAllowed("localStorage");
  let memory = null;
  let lasts = lasting && storage !== null;
  return {
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

// The ticket of a survey that only invited people can answer, from when it is asked for until it is answered with.
export const ticketKeeper = (survey, lasting) => keeper(`candor ticket ${survey}`, lasting);

const OLD = /^candor [0-9a-f]{64}$/;

// Earlier versions of this page kept what was sent, under the hash of the questions. Forget that at once, whichever
// survey it is of; what stays is that a response was sent, and a message that is still on its way.
export function inherit(kept, hash, survey) {
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
export async function alone(name, work) {
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
