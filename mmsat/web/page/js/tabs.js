// The screens of the page (the analysis of a board, and games), and the tabs of the analysis.

import { entries } from "./entries.js";
import { hush } from "./live.js";

const list = document.querySelector("[role=tablist]");
const tabs = [...list.querySelectorAll("[role=tab]")];
const screens = [...document.querySelectorAll(".screens [data-screen]")];

const WIDE = matchMedia("(min-width: 900px)");

const name = (tab) => tab.getAttribute("aria-controls");

// The name of the open tab, or null while the start page is shown instead of the tabs.
export let current = null;

// Show the panel of a tab, such as "why". The value null shows the start page.
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

// Open a tab. If the start page is open, this adds an entry to the history, so that Back returns to it.
export function leaveStart(wanted) {
  if (current === null) entries.visit({ tab: wanted });
  openTab(wanted);
}

// Open a tab, move the focus to its panel, and scroll to it. On a phone, the panel is far below the board. It moves
// when `answer` arrives, so scroll again then.
export async function readPanel(wanted, answer) {
  openTab(wanted);
  const section = document.getElementById(wanted);
  section.focus();
  const scroll = () => section.closest(".analysis").scrollIntoView({ block: WIDE.matches ? "nearest" : "start" });
  await Promise.resolve(); // wait until the views are rendered
  scroll();
  await answer;
  if (section.contains(document.activeElement)) requestAnimationFrame(scroll); // now the panel has its final height
}

// Go to a screen, "board" or "play". This adds an entry to the history.
export function goToScreen(wanted) {
  if (entries.place.screen !== wanted) entries.visit({ screen: wanted });
  showScreen(wanted);
}

// Show a screen in the current entry of the history.
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
