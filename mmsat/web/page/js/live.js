// The live regions for screen readers: one for events away from the focus, one for values that the user enters.

const region = document.getElementById("status");
const entered = document.getElementById("entered");
/** @type {(string | (() => string))[]} */
let queue = [];
let timer = 0;

// Announce a sentence. Sentences that arrive within a short time are read together, in order. An event is
// announced as a text. A state is announced as a function that returns its text, or "", because the state can
// change before the announcement.
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

// Drop the waiting announcement of a state.
export function withdraw(state) {
  queue = queue.filter((waiting) => waiting !== state);
}

// Drop all waiting announcements and clear the regions, for example when the screen changes.
export function hush() {
  clearTimeout(timer);
  queue = [];
  region.textContent = "";
  entered.textContent = "";
}

// Announce a value that was put into a cell at once, before the focus moves.
export function announceEntry(text) {
  entered.textContent = text;
}
