// Defines the elements of the page and goes where the address says.

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
import { readAddress } from "./core/notation.js";
import { announce, withdraw } from "./live.js";
import { keepForOffline } from "./offline.js";
import { play } from "./play.js";
import { summary, title } from "./summary.js";
import { openTab, showScreen } from "./tabs.js";
import { analysis, store } from "./view.js";

let said = "";
let timer = 0;

// The part of the shown verdict that has not been announced.
function unannouncedVerdict() {
  if (play.showsResult || !document.querySelector(".verdict-line")?.checkVisibility()) return "";
  const text = summary(analysis, store.state.game);
  const before = said;
  said = text;
  if (text === before) return "";
  return before && text.startsWith(`${before} `) ? text.slice(before.length + 1) : text;
}

// A screen reader gets one sentence, once the position rests; later, only what was added to it.
function speak() {
  clearTimeout(timer);
  withdraw(unannouncedVerdict);
  timer = setTimeout(() => {
    announce(unannouncedVerdict);
    document.title = title(analysis, store.state.game);
  }, 400);
}
analysis.addEventListener("change", speak);
store.addEventListener("change", speak); // also a row that is not complete, which changes no answer
document.querySelector(".screens").addEventListener("click", speak);

addEventListener("popstate", () => store.follow());
addEventListener("hashchange", () => store.follow());
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
  event.preventDefault(); // the fragment of the address is the board
  document.querySelector("board-view").focusCell();
});
window.mmsat = { analysis, store }; // for the console, and for measurements
const first = store.state;
const { saved } = play;
analysis.isQuiet = Boolean(saved?.mode && saved.mode !== "keep");
const { line } = readAddress(location.hash);
const isStart = !/^\{|\//.test(line); // a link without rows leads to the start page
openTab(isStart ? null : "guesses");
if (isStart) document.querySelector("board-view").putAway(true); // on a phone the palette would cover the doors
await store.follow();
if (!play.mode && store.past[0] === first) store.forgetFirst(); // the empty board that was there before the link's
play.open(saved);
if (play.mode) showScreen("play");
keepForOffline();
