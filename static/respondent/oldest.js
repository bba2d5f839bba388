// What is missing in the oldest browsers in which surveys can be answered: Chrome 80, Firefox 78
// and Safari 14.

/**
 * Run a request, and abort it after some milliseconds. Resolves to what the request resolves to,
 * and rejects if the request fails or was aborted.
 *
 * request: a function that takes an AbortSignal and returns a promise.
 */
export async function withTimeout(milliseconds, request) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), milliseconds);
  try {
    return await request(controller.signal);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Return the random functions of a `crypto` object as functions that can be called without it. The
 * oldest browsers, and pages without HTTPS, have no `randomUUID`.
 */
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
  // These bits are the version (4) and the variant of a UUID.
  bytes[6] = (bytes[6] & 15) | 64;
  bytes[8] = (bytes[8] & 63) | 128;
  return hexDigits(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** Return some bytes as hexadecimal digits in lower case, two for each byte. */
export function hexDigits(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Return the last element of a list, or undefined if the list is empty. */
export function lastOf(list) {
  return list[list.length - 1];
}
