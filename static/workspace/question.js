// Shows only what the chosen kind and design ask for. Without this script everything is shown and works the same.

const form = document.querySelector("[data-question]");

/** Parts say when they are needed: data-when names a group of radios, data-is the values that need the part. */
function update() {
  for (const part of form.querySelectorAll("[data-when]:not([inert] *)")) {
    const chosen = form.elements[part.dataset.when].value;
    part.hidden = !part.dataset.is.split(" ").includes(chosen);
  }
}

/** The first type of a tile that was just chosen, or the one with the same name as before. */
function choose(scrambled) {
  const name = (type) => type.textContent.trim();
  const types = [...form.querySelectorAll(`.type--${scrambled}`)];
  const before = form.querySelector(".type:has(:checked)");
  const same = before && types.find((type) => name(type) === name(before));
  (same ?? types[0]).querySelector("input").checked = true;
}

form.addEventListener("change", ({ target }) => {
  if (target.name === "scrambled") {
    choose(target.value);
  }
  update();
});
addEventListener("pageshow", update); // a browser that comes back restores what was chosen
update();
