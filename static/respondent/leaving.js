// Exit: nothing of the survey stays on the screen while the next page is on its way, or does not come.

import { withTimeout } from "./oldest.js";

const OUT = "/leave/"; // leads on to another site
const PATIENCE = 3_000; // milliseconds; where nothing answers by then, there is no network

// Take content, header and title off the page.
function blank() {
  document.title = "…";
  document.body.textContent = "";
}

async function isReachable(address) {
  if (!navigator.onLine) {
    return false;
  }
  const how = { method: "HEAD", credentials: "omit", referrerPolicy: "no-referrer", cache: "no-store" };
  try {
    await withTimeout(PATIENCE, (signal) => fetch(address, { ...how, signal }));
    return true;
  } catch {
    return false;
  }
}

// Empty the page before anything is asked of the network. Then go where Exit leads, in the place of this page in the
// history. Without a network that is an empty page, since the browser's own error page would name this site.
export async function leave() {
  blank();
  location.replace((await isReachable(OUT)) ? OUT : "about:blank");
}
