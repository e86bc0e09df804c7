// One live region for everything that happens away from the focus.

const region = document.getElementById("status");
const entered = document.getElementById("entered");
/** @type {(string | (() => string))[]} */
let queue = [];
let timer = 0;

// Announce a sentence. Sentences that come together are read together, in their order. An event is
// announced by its text. A state is announced by a function that returns its text, or "", because it
// can change before the announcement is made.
export function announce(sentence) {
  if (!sentence) return;
  queue = [...queue.filter((waiting) => waiting !== sentence), sentence];
  clearTimeout(timer);
  timer = setTimeout(speak, 200);
}

function speak() {
  const sentences = queue.map((sentence) => (typeof sentence === "function" ? sentence() : sentence));
  const text = sentences.filter(Boolean).join(" ");
  queue = [];
  if (text) region.textContent = text;
}

// Drop a state that waits to be announced.
export function withdraw(state) {
  queue = queue.filter((waiting) => waiting !== state);
}

// Say nothing more of what was before, as on another screen.
export function hush() {
  clearTimeout(timer);
  queue = [];
  region.textContent = "";
  entered.textContent = "";
}

// Tell at once what was put into a cell, before the focus moves on.
export function announceEntry(text) {
  entered.textContent = text;
}
