// Writes each time of the page, which is in UTC and the same for everybody, in the reader's time
// zone and in the language around it. This asks nothing of the network and tells nobody the zone.

const FORMAT = {
  weekday: "long",
  day: "numeric",
  month: "long",
  year: "numeric",
  hour: "numeric",
  minute: "2-digit",
  timeZoneName: "long",
  numberingSystem: "latn",
};

/** Write all times of the page in the reader's time zone. */
export function showLocalTimes() {
  for (const time of document.querySelectorAll("time[datetime]")) {
    const language = time.closest("[lang]").lang;
    const format = new Intl.DateTimeFormat(language, FORMAT);
    time.textContent = format.format(new Date(time.dateTime));
  }
}

showLocalTimes();
