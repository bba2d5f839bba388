// Keeps the number of responses up to date while the page is open. It asks for numbers of people only.

const EVERY = 10_000; // milliseconds
const place = document.querySelector("[data-count]");

async function update() {
  if (document.hidden) {
    return;
  }
  const response = await fetch(place.dataset.count, { headers: { Accept: "application/json" } }).catch(() => null);
  if (!response?.ok || response.redirected) {
    return;
  }
  const numbers = await response.json();
  for (const part of place.querySelectorAll("[data-show]")) {
    part.textContent = numbers[part.dataset.show].toLocaleString("en");
  }
  const progress = place.querySelector("progress");
  if (progress) {
    progress.value = numbers.received;
  }
}

setInterval(update, EVERY);
