// Between Start and Send the page has no link with an address. One header of a response,
// Speculation-Rules, can make a browser fetch a link the moment a certain answer is chosen, while
// the page, its hash and its policy stay the same.

// The links whose address was taken away, each as { link, address }: the element and its address.
let disabledLinks = [];

/** Return the footer, which says how anyone can check this page. */
function findFooter() {
  return document.getElementById("footer");
}

/**
 * Take the address from every link of the page while answers are on it, and hide the footer. The
 * links that the program handles (with data-do) become buttons, which need no address.
 */
export function disableLinks() {
  document.querySelectorAll("a[href][data-do]").forEach(replaceByButton);
  const links = [...document.querySelectorAll("a[href], area[href]")];
  disabledLinks = links.map((link) => ({ link, address: link.getAttribute("href") }));
  for (const { link } of disabledLinks) {
    link.removeAttribute("href");
  }
  // The footer says how anyone can check this page. It is visible before Start and after Send only.
  findFooter().hidden = true;
}

/**
 * Replace a link that the program handles by a button, which the program handles in the same way.
 * Without the program only a link works.
 */
function replaceByButton(link) {
  const button = document.createElement("button");
  button.type = "button";
  button.id = link.id;
  button.className = link.className;
  button.dataset.do = link.dataset.do;
  button.append(...link.childNodes);
  link.replaceWith(button);
}

/**
 * Restore the addresses of the links and show the footer, after the answers are gone from the page.
 * The buttons that were links stay buttons, which do the same.
 */
export function restoreLinks() {
  for (const { link, address } of disabledLinks) {
    link.setAttribute("href", address);
  }
  disabledLinks = [];
  findFooter().hidden = false;
}
