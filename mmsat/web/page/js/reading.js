// Texts from elsewhere as positions: boards in any notation, links of this page, and shared grids.

import { readAddress } from "./core/notation.js";
import { store } from "./store.js";

const SQUARES = /^(?:\p{So}|\p{Sk}|\ufe0f|\u{1f7e8}|\u{1f7e9}){3,}$/u;

// A shared grid of a daily word game, as a board whose letters were not read; other text as it is.
function readGrid(text, game) {
  const lines = text
    .split(/\s+/)
    .filter((word) => SQUARES.test(word))
    .map((word) => word.replaceAll("\ufe0f", ""));
  if (!lines.length) return text;
  const letters = [...lines[0]].length;
  const known = game.marks.some((mark) => mark.also.includes("🟩")) && game.pegs === letters;
  const size = known ? game.line : letters === 5 ? "daily-word" : `${letters}x26p`;
  return [size, ...lines.map((marks) => `${"?".repeat(letters)}=${marks}`)].join("\n");
}

// Put a board, a shared grid, or a link on the board. Returns whether the text was read; otherwise
// the fault is shown at its origin.
export function readText(text, origin) {
  const [, link] = text.trim().match(/^(?:https?:\/\/\S*#)?(\S+)$/) ?? [];
  const address =
    link && (link !== text.trim() || /&(off|unsure|assumed|lies|by)=/.test(link)) ? readAddress(link) : null;
  return address ? store.load(address.line, address, origin) : store.load(readGrid(text, store.state.game), {}, origin);
}
