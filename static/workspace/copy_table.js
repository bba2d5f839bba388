// Buttons that copy a question's numbers as a table, for a document or a spreadsheet. Without this script they stay hidden.

function plain(tables) {
  const copies = document.createElement("div");
  for (const table of tables) {
    const copy = table.cloneNode(true);
    for (const part of [copy, ...copy.querySelectorAll("*")]) {
      for (const { name } of [...part.attributes]) if (!["colspan", "scope"].includes(name)) part.removeAttribute(name);
    }
    copy.setAttribute("border", "1");
    copies.append(copy);
  }
  return copies;
}

function text(tables) {
  const line = (row) => [...row.cells].map((cell) => cell.textContent.trim()).join("\t");
  return [...tables].map((table) => [...table.rows].map(line).join("\n")).join("\n\n");
}

async function copy(button) {
  const tables = document.getElementById(button.dataset.copyTable).querySelectorAll("table");
  const status = button.parentElement.querySelector("[role=status]");
  const blob = (type, content) => new Blob([content], { type });
  try {
    const html = new XMLSerializer().serializeToString(plain(tables));
    const item = { "text/html": blob("text/html", html), "text/plain": blob("text/plain", text(tables)) };
    await navigator.clipboard.write([new ClipboardItem(item)]);
    status.textContent = "Copied";
  } catch {
    status.textContent = "Your browser does not let pages copy. Use the CSV file.";
  }
}

function show() {
  for (const button of document.querySelectorAll("[data-copy-table]")) button.hidden = false;
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-copy-table]");
  if (button) copy(button);
});
document.addEventListener("filled", show);
show();
