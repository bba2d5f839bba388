// The languages of the page. One stands in it; each further one waits as a whole in a template, where nothing of it is
// shown or run, and takes the place of the other when it is picked. Which one that is is neither sent nor kept, and
// changes neither address nor history nor title. At the end: what of a page is shown at a moment.

const find = (id) => document.getElementById(id);
const root = () => document.documentElement;
let language = null; // kept here, since a translator in the browser writes its own into the page

// The language of the page's texts.
export function spoken() {
  if (language === null) {
    language = root().lang;
  }
  return language;
}

const choice = () => find("languages")?.querySelector("select");

// A text of the instrument in the language of the page.
export const textInPageLanguage = (text) => (typeof text === "string" ? text : text[spoken()]);

// A number as the language of the page writes it.
export const formatNumber = (number) => new Intl.NumberFormat(spoken(), { numberingSystem: "latn" }).format(number);

// The language to begin with: the first of those that the person reads in which the survey is, as the browser has them.
export function preferredLanguage() {
  const offered = [...(choice()?.options ?? [])].map(({ value }) => value);
  const read = navigator.languages.map((language) => language.toLowerCase().split("-")[0]);
  return read.find((code) => offered.includes(code)) ?? spoken();
}

// Put a language in the place of the one that stands in the page. The outermost elements stay, only what is in them
// changes place, so that whoever holds one of them still does.
export function showLanguage(code) {
  const template = document.querySelector(`template[data-language="${code}"]`);
  if (template) {
    for (const fresh of template.content.children) {
      const there = find(fresh.id);
      const before = [...there.childNodes];
      const after = [...fresh.childNodes];
      fresh.append(...before);
      there.append(...after);
    }
    template.dataset.language = spoken();
    language = code;
    root().lang = code;
    [root().dir, template.dataset.dir] = [template.dataset.dir, root().dir];
  }
  find("languages")?.removeAttribute("hidden");
  if (choice()) {
    choice().value = spoken();
  }
}

// From here on it stays; the others leave the page.
export function removeOtherLanguages() {
  for (const piece of document.querySelectorAll("#languages, template[data-language]")) {
    piece.remove();
  }
}

// Of the pieces of an element that are meant for some moments only, show those meant for one of these.
export function showOnly(element, ...moments) {
  for (const piece of element.querySelectorAll("[data-when]")) {
    piece.hidden = !piece.dataset.when.split(" ").some((moment) => moments.includes(moment));
  }
}
