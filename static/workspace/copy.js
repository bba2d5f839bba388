// Buttons that copy the text of another element. Without this script they stay hidden, and the text can be marked by hand.

const said = document.getElementById("copied");

for (const button of document.querySelectorAll("[data-copy]")) {
  const before = [...button.childNodes];
  button.hidden = false;
  button.addEventListener("click", async () => {
    const source = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(source.textContent);
      button.textContent = said.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(source); // the browser forbids it, so it is marked for the person to copy
      said.textContent = "Your browser does not let pages copy. The text is marked: copy it as you always do.";
      said.classList.remove("visually-hidden");
    }
    setTimeout(() => {
      button.replaceChildren(...before);
      if (said.textContent === "Copied") said.textContent = "";
    }, 4000);
  });
}
