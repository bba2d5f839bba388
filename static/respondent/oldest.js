// What the oldest browsers that can answer lack: Chrome 80, Firefox 78 and Safari 14.

// Ask with a signal that stops it after so many milliseconds.
export async function withTimeout(milliseconds, ask) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), milliseconds);
  try {
    return await ask(controller.signal);
  } finally {
    clearTimeout(timer);
  }
}

const bound = (from) => ({
  randomUUID: from.randomUUID?.bind(from),
  getRandomValues: from.getRandomValues.bind(from),
});

// A random key of the form of a UUID, version 4, by which the server knows the same message again.
export function freshKey({ randomUUID, getRandomValues } = bound(crypto)) {
  if (randomUUID) {
    return randomUUID();
  }
  const bytes = getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 15) | 64;
  bytes[8] = (bytes[8] & 63) | 128;
  const text = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return text.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

export const last = (list) => list[list.length - 1];
