// Defines the elements of the page, and shows the position and the screen of the address.

import "./game-view.js";
import "./board-view.js";
import "./verdict-view.js";
import "./guesses-view.js";
import "./codes-view.js";
import "./why-view.js";
import "./review-view.js";
import "./play-view.js";
import "./print-view.js";
import "./share-view.js";
import "./start-view.js";
import "./theme-choice.js";
import { isEmpty, readAddress } from "./core/notation.js";
import { entries } from "./entries.js";
import { announce, hush, withdraw } from "./live.js";
import { keepForOffline } from "./offline.js";
import { play } from "./play.js";
import { summary, title } from "./summary.js";
import { current, openTab, showScreen } from "./tabs.js";
import { analysis, store } from "./view.js";

let said = "";
let timer = 0;

// Return the part of the shown verdict that has not been announced.
function unannouncedVerdict() {
  if (play.showsResult || !document.querySelector(".verdict-line")?.checkVisibility()) return "";
  const text = summary(analysis, store.state.game);
  const before = said;
  said = text;
  if (text === before) return "";
  return before && text.startsWith(`${before} `) ? text.slice(before.length + 1) : text;
}

// Announce the verdict to screen readers and set the title when nothing has changed for a short time. If only sentences
// were added to the verdict, only these are announced.
function speak() {
  clearTimeout(timer);
  withdraw(unannouncedVerdict);
  timer = setTimeout(() => {
    announce(unannouncedVerdict);
    document.title = title(analysis, store.state.game);
  }, 400);
}
analysis.addEventListener("change", speak);
store.addEventListener("change", speak); // needed for an incomplete row, which changes no answer
document.querySelector(".screens").addEventListener("click", speak);

// Show a tab (by default "guesses"). If no tab is given and the board is empty, show the start page, and put the
// palette away, because on a phone it would cover the buttons of the start page.
function showTab(wanted) {
  const isStart = !wanted && store.state.rows.every(isEmpty);
  openTab(isStart ? null : (wanted ?? "guesses"));
  if (isStart) document.querySelector("board-view").putAway(true);
}

// Move the focus from a control that is no longer visible to the board or, if the board is
// hidden, to the panel of games.
function focusScreen() {
  const board = document.querySelector("board-view");
  if (board.checkVisibility()) {
    board.update(); // renders the cell of the cursor
    board.focusCell();
  } else document.querySelector(".play").focus();
}

// Back, Forward, or an address that the user typed.
addEventListener("popstate", async () => {
  entries.read();
  const { screen, game } = entries.place;
  hush();
  showScreen(screen);
  if (screen !== "play") play.stopMaking();
  const isKept = play.goesOn(game);
  const isLeft = !isKept && play.mode !== null;
  if (isLeft) play.leave();
  if (!isKept) await store.follow(isLeft);
  showTab(entries.place.tab === undefined ? current : entries.place.tab);
  if (!isKept) play.resume(game);
  if (document.activeElement === document.body || !document.activeElement.checkVisibility()) focusScreen();
});
addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
  const key = event.key.toLowerCase();
  if (event.target.matches?.("textarea, input[type=text]") && event.target.closest("board-view") === null) return;
  if (key === "z") event.shiftKey ? store.redo() : store.undo();
  else if (key === "y") store.redo();
  else return;
  event.preventDefault();
});
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault(); // the fragment of the address contains the board, so it must not change
  document.querySelector("board-view").focusCell();
});
window.mmsat = { analysis, store }; // for the console, and for measurements
const first = store.state;
const { saved } = play;
analysis.isQuiet = Boolean(saved?.mode && saved.mode !== "keep");
entries.read();
entries.note({ screen: "board", lesson: null });
const { line } = readAddress(location.hash);
const isStart = !/^\{|\//.test(line); // an address without rows leads to the start page
showTab(isStart ? null : (entries.place.tab ?? "guesses"));
await store.follow();
if (!play.mode && store.past[0] === first) store.forgetFirst(); // the empty board from before the link was loaded
play.open(saved);
if (play.mode) showScreen("play");
keepForOffline();
