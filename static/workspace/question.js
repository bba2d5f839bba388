// Shows only what the chosen kind and design ask for. Without this script everything is shown and works the same.

const form = document.querySelector("[data-question]");

/** Parts say when they are needed: data-when names a group of radios, data-is the values that need the part. */
function update() {
  for (const part of form.querySelectorAll("[data-when]:not([inert] *)")) {
    const chosen = form.elements[part.dataset.when].value;
    part.hidden = !part.dataset.is.split(" ").includes(chosen);
  }
}

form.addEventListener("change", update);
addEventListener("pageshow", update); // a browser that comes back restores what was chosen
update();
