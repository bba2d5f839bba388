// Prints the page: by a button, which stays hidden without this script, or because a link that ends in #print led here.

for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}

if (location.hash === "#print") {
  history.replaceState(null, "", location.pathname + location.search); // loaded again, it is a page like any other
  addEventListener("load", () => print());
}
