// Menus that open below a button: <details class="menu">. A click outside of the menu or the Escape key closes it.

const open = () => document.querySelectorAll("details.menu[open]");

document.addEventListener("pointerdown", ({ target }) => {
  for (const menu of open()) if (!menu.contains(target)) menu.open = false;
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of open()) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});

// Close the menu that contains an element.
export function closeMenu(element) {
  const menu = element.closest("details.menu");
  if (menu) menu.open = false;
}
