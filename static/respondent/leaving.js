// Exit: nothing of the survey stays on the screen while the next page is on its way, or does not
// come.

import { withTimeout } from "./oldest.js";

// This address of the site leads on to another site.
const EXIT_ADDRESS = "/leave/";
// Milliseconds. If nothing answers by then, there is no network.
const TIMEOUT = 3_000;

/**
 * Return whether an address of this site answers in time. Any answer counts, whatever its status.
 * It is asked before the page leads there, or the browser's own error page could appear.
 *
 * address: a path on this site, since the policy of the page allows no other site. So no rule for
 * other origins can turn an answer into an error here.
 */
async function isReachable(address) {
  if (!navigator.onLine) {
    // The browser itself knows that there is no network, so nobody has to wait.
    return false;
  }
  // Only whether an answer comes matters: so no content is asked for, no answer of a cache counts,
  // and the request says nothing of the visit, although it goes to this site.
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
    // No answer came, or it came too late.
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
