// Exit: nothing of the survey stays on the screen while the next page is on its way, or does not
// come.

import { withTimeout } from "./oldest.js";

// This address of the site leads on to another site.
const EXIT_ADDRESS = "/leave/";
// Milliseconds. If nothing answers by then, there is no network.
const TIMEOUT = 3_000;

/** Return whether an address answers in time. Any answer counts. */
async function isReachable(address) {
  if (!navigator.onLine) {
    return false;
  }
  const options = {
    method: "HEAD",
    credentials: "omit",
    referrerPolicy: "no-referrer",
    cache: "no-store",
  };
  try {
    await withTimeout(TIMEOUT, (signal) => fetch(address, { ...options, signal }));
    return true;
  } catch {
    return false;
  }
}

/**
 * Empty the page at once, before anything is asked of the network. Then replace it, in the history
 * too, by the page that Exit leads to.
 *
 * Without a network that is an empty page, since the browser's own error page would name this
 * site.
 */
export async function leave() {
  document.title = "…";
  document.body.textContent = "";
  const canLeave = await isReachable(EXIT_ADDRESS);
  location.replace(canLeave ? EXIT_ADDRESS : "about:blank");
}
