// What is missing in the oldest browsers in which surveys can be answered: Chrome 80, Firefox 78
// and Safari 14.

/** Run a request that gets a signal, and abort it through the signal after some milliseconds. */
export async function withTimeout(milliseconds, request) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), milliseconds);
  try {
    return await request(controller.signal);
  } finally {
    clearTimeout(timer);
  }
}

function bindRandomFunctions(source) {
  return {
    randomUUID: source.randomUUID?.bind(source),
    getRandomValues: source.getRandomValues.bind(source),
  };
}

/**
 * Return a random key in the form of a UUID, version 4, by which the server recognizes a message
 * that comes again.
 */
export function freshKey({ randomUUID, getRandomValues } = bindRandomFunctions(crypto)) {
  if (randomUUID) {
    return randomUUID();
  }
  const bytes = getRandomValues(new Uint8Array(16));
  // These bits are the version and the variant of a UUID.
  bytes[6] = (bytes[6] & 15) | 64;
  bytes[8] = (bytes[8] & 63) | 128;
  const text = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return text.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** Return the last element of a list, or undefined if the list is empty. */
export function lastOf(list) {
  return list[list.length - 1];
}
