// On the page that says “Done”: what a form kept in this tab while it was sent is saved now, and is forgotten here.

try {
  sessionStorage.removeItem(sessionStorage.getItem("candor sent"));
  sessionStorage.removeItem("candor sent");
} catch {
  // storage is forbidden, so nothing was kept
}
