// The screens of the page (the analysis of a board, a game), and the tabs of the analysis.

import { entries } from "./entries.js";
import { hush } from "./live.js";

const list = document.querySelector("[role=tablist]");
const tabs = [...list.querySelectorAll("[role=tab]")];
const screens = [...document.querySelectorAll(".screens [data-screen]")];

const WIDE = matchMedia("(min-width: 900px)");

const name = (tab) => tab.getAttribute("aria-controls");

// The open tab, or null while the start page is in its place.
export let current = null;

// Show the panel of a tab, such as "why"; null for the start page.
export function openTab(wanted) {
  current = wanted;
  if (entries.place.tab !== wanted) entries.note({ tab: wanted });
  const start = document.querySelector("start-view");
  start.hidden = wanted !== null;
  if (!start.hidden) start.update();
  for (const tab of tabs) {
    const isOpen = name(tab) === wanted;
    tab.setAttribute("aria-selected", isOpen);
    tab.tabIndex = isOpen || (!wanted && tab === tabs[0]) ? 0 : -1;
    document.getElementById(name(tab)).hidden = !isOpen;
  }
}

// Leave the start page for a tab, as a screen of its own.
export function leaveStart(wanted) {
  if (current === null) entries.visit({ tab: wanted });
  openTab(wanted);
}

// Go to the panel of a tab and read it. On a phone it is far below the board, and it moves when the answer to its
// question arrives.
export async function readPanel(wanted, answer) {
  openTab(wanted);
  const section = document.getElementById(wanted);
  section.focus();
  const scroll = () => section.closest(".analysis").scrollIntoView({ block: WIDE.matches ? "nearest" : "start" });
  await Promise.resolve(); // the views are rendered
  scroll();
  await answer;
  if (section.contains(document.activeElement)) requestAnimationFrame(scroll); // it is long enough now
}

// Go to a screen: "board" or "play".
export function goToScreen(wanted) {
  if (entries.place.screen !== wanted) entries.visit({ screen: wanted });
  showScreen(wanted);
}

// Show a screen in the present entry of the history.
export function showScreen(wanted) {
  if (entries.place.screen !== wanted) entries.note({ screen: wanted });
  document.body.dataset.screen = wanted;
  for (const button of screens) {
    if (button.dataset.screen === wanted) button.setAttribute("aria-current", "page");
    else button.removeAttribute("aria-current");
  }
}

list.addEventListener("click", ({ target }) => {
  const tab = target.closest("[role=tab]");
  if (tab) leaveStart(name(tab));
});

list.addEventListener("keydown", (event) => {
  const at = tabs.indexOf(event.target);
  const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
  if (at < 0 || next === undefined) return;
  event.preventDefault();
  const tab = tabs.at(next % tabs.length);
  leaveStart(name(tab));
  tab.focus();
});

for (const button of screens) {
  button.addEventListener("click", () => {
    hush();
    goToScreen(button.dataset.screen);
  });
}
