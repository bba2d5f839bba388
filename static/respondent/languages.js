// The languages of the page. One is visible; each of the others waits as a whole in a template,
// where none of it is shown or run, and changes places with the visible one when it is picked. The
// choice is neither sent nor stored, and changes neither address nor history nor title. The last
// function of this module chooses which parts of an element are visible.

// The code of the language that the page is shown in; null until pageLanguage() is called for the
// first time. Only showLanguage() changes it later. It is stored here and not read from the page
// each time, since a translator in the browser writes its own language into the page.
let visibleLanguage = null;

/** Return the element with an id, or null. */
function find(id) {
  return document.getElementById(id);
}

/** Return the code of the language that the page is shown in. */
export function pageLanguage() {
  if (visibleLanguage === null) {
    // This first call is made as the page loads, before a translator can change the attribute.
    visibleLanguage = document.documentElement.lang;
  }
  return visibleLanguage;
}

/** Return the field in which a language is picked, or undefined if the page has one language. */
function languageField() {
  return find("languages")?.querySelector("select");
}

/**
 * Return a text of the instrument in the language of the page.
 *
 * text: the text itself, or an object with the text by the code of its language.
 */
export function textInPageLanguage(text) {
  return typeof text === "string" ? text : text[pageLanguage()];
}

/**
 * Return a number as the language of the page writes it, as a text, always with the digits from 0
 * to 9, as in the texts of the server.
 */
export function formatNumber(number) {
  return new Intl.NumberFormat(pageLanguage(), { numberingSystem: "latn" }).format(number);
}

/**
 * Return the language to begin with: the first language of the browser that the survey has, or
 * else the one that is visible.
 */
export function preferredLanguage() {
  const options = languageField()?.options ?? [];
  const offeredCodes = [...options].map((option) => option.value);
  // The browser has its languages in the order of preference, such as "de-AT". Only the first part
  // counts, since the survey has no varieties of a language.
  for (const language of navigator.languages) {
    const [code] = language.toLowerCase().split("-");
    if (offeredCodes.includes(code)) {
      return code;
    }
  }
  return pageLanguage();
}

/**
 * Show the page in the language with a code, which may be the visible one. The outermost elements
 * stay and only their contents change places, so that references to these elements remain valid.
 */
export function showLanguage(code) {
  const root = document.documentElement;
  const template = document.querySelector(`template[data-language="${code}"]`);
  // The visible language has no template.
  if (template) {
    for (const hiddenElement of template.content.children) {
      const visibleElement = find(hiddenElement.id);
      const visibleNodes = [...visibleElement.childNodes];
      const hiddenNodes = [...hiddenElement.childNodes];
      hiddenElement.append(...visibleNodes);
      visibleElement.append(...hiddenNodes);
    }
    // From now on the template holds the language that was visible.
    template.dataset.language = pageLanguage();
    visibleLanguage = code;
    root.lang = code;
    // "ltr" or "rtl" changes places too.
    const direction = template.dataset.dir;
    template.dataset.dir = root.dir;
    root.dir = direction;
  }

  // Without this program nobody could pick a language, so the field is hidden at first.
  find("languages")?.removeAttribute("hidden");
  const field = languageField();
  if (field) {
    field.value = pageLanguage();
  }
}

/**
 * Remove the other languages; from now on the language of the page cannot be changed. Another
 * language waits in its template as the page was at first, without what has been done meanwhile.
 */
export function removeOtherLanguages() {
  for (const element of document.querySelectorAll("#languages, template[data-language]")) {
    element.remove();
  }
}

/**
 * Show the parts of an element that belong to one of these moments, and hide its parts that belong
 * to other moments only. A moment is a word for a situation, such as "sending"; "", null and
 * undefined stand for no moment. The attribute data-when of a part lists its moments.
 */
export function showOnly(element, ...moments) {
  for (const part of element.querySelectorAll("[data-when]")) {
    const partMoments = part.dataset.when.split(" ");
    part.hidden = !partMoments.some((moment) => moments.includes(moment));
  }
}
