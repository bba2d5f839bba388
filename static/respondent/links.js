// Between Start and Send the page holds no link with an address. One header of a response, Speculation-Rules, can have a
// browser fetch a link the moment a certain answer is chosen; the page, its hash and its policy would be as ever.

let held = [];
const footer = () => document.getElementById("footer");

// In a preview nothing is sent, and its links stay.
export function disableLinks(preview) {
  if (preview) {
    return;
  }
  document.querySelectorAll("a[href][data-do]").forEach(asButton);
  held = [...document.querySelectorAll("a[href], area[href]")].map((link) => [link, link.getAttribute("href")]);
  for (const [link] of held) {
    link.removeAttribute("href");
  }
  footer().hidden = true; // how anyone can check this page stands before Start and after Send only
}

// What the program does for a link, it does for a button alike; without the program only a link works.
function asButton(link) {
  const button = document.createElement("button");
  [button.type, button.id, button.className, button.dataset.do] = ["button", link.id, link.className, link.dataset.do];
  button.append(...link.childNodes);
  link.replaceWith(button);
}

// Only after the answers are gone from the page.
export function restoreLinks() {
  for (const [link, address] of held) {
    link.setAttribute("href", address);
  }
  held = [];
  footer().hidden = false;
}
