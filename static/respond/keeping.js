// What stays on this device, in one record per published survey: { body } while a response is on its way, { reports }
// once it has arrived. Both are scrambled already. A body holds the response's random key; its reports alone do not.

// Where storage is forbidden or full, the record lives as long as this page.
export function keeper(name, lasting) {
  const storage = lasting ? localStorageIfAllowed() : null;
  let memory = null;
  let lasts = storage !== null;
  return {
    lasts: () => lasts,
    read: () => memory ?? (lasts ? parse(storage.getItem(name)) : null),
    write(record) {
      try {
        storage.setItem(name, JSON.stringify(record));
        memory = null;
      } catch {
        memory = record;
        lasts = false;
      }
    },
    forget() {
      memory = null;
      storage?.removeItem(name);
    },
  };
}

function localStorageIfAllowed() {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}

function parse(text) {
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
    await navigator.locks.request(name, once);
  } catch (error) {
    if (begun) {
      throw error;
    }
    await work();
  }
}
