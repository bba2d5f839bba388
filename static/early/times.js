// Write each time of the page, which stands there in UTC and is the same for everybody, in the reader's own zone and in
// the language around it. Asks nothing of the network and tells nobody which zone that is.

const FORM = {
  weekday: "long",
  day: "numeric",
  month: "long",
  year: "numeric",
  hour: "numeric",
  minute: "2-digit",
  timeZoneName: "long",
  numberingSystem: "latn",
};

export function tell() {
  for (const time of document.querySelectorAll("time[datetime]")) {
    time.textContent = new Intl.DateTimeFormat(time.closest("[lang]").lang, FORM).format(new Date(time.dateTime));
  }
}

tell();
