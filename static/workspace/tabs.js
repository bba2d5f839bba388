// On a narrow screen the row of tabs is wider than the page: the current one is put in view.

document.querySelector(".tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
