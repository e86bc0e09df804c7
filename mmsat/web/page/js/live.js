// One live region for everything that happens away from the focus.

const region = document.getElementById("status");
let queue = [];
let timer = 0;

// Announce a sentence. Sentences that come together are read together, in their order.
export function announce(text) {
  if (!text) return;
  queue.push(text);
  clearTimeout(timer);
  timer = setTimeout(() => {
    region.textContent = queue.join(" ");
    queue = [];
  }, 200);
}

const entered = document.getElementById("entered");

// Tell at once what was put into a cell, before the focus moves on.
export function announceEntry(text) {
  entered.textContent = text;
}
