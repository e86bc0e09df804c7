// Conversion of pasted texts to positions: boards in any notation, links of this page, and shared grids.

import { readAddress, readCode } from "./core/notation.js";
import { store } from "./store.js";

const SQUARES = /^(?:\p{So}|\p{Sk}|\ufe0f|\u{1f7e8}|\u{1f7e9}){3,}$/u;

// Convert a shared grid of a daily word game to a board with unread letters. Other texts are returned unchanged.
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

const DAILY_ROW = /^\s*([a-z]{5})[\s=:,/]+([-gyx.]{5})\s*$/i; // five letters and five marks
const ROW = /^\s*(\S+?)(?:\s*=\s*|\s+)\d+(?:[\s.,]+\d+)*\s*$/; // a guess and the numbers of its score

// Convert a text to a board. A text with a board line keeps it. Rows without a game belong to the daily word game if
// they look like it, otherwise to the game on the board. Other texts are returned unchanged.
function readRows(text, game) {
  const [first, ...others] = text.trim().split("\n");
  if (others.length && /^[^{\s]+\/\S+$/.test(first)) return [...first.split("/"), ...others].join("\n");
  const lines = [first, ...others].filter((line) => line.trim());
  const words = lines.map((line) => DAILY_ROW.exec(line));
  if (words.every(Boolean)) {
    const line = game.words && game.marks.length && game.pegs === 5 ? game.line : "daily-word";
    return [
      line,
      ...words.map(([, word, marks]) => `${word.toUpperCase()}=${marks.toUpperCase().replace(/[X.]/g, "-")}`),
    ].join("\n");
  }
  const [, guess] = ROW.exec(first) ?? [];
  const isRow = guess && !game.definition && readCode(game, guess.toUpperCase()).length === game.pegs;
  return isRow ? [game.line, ...lines].join("\n") : text;
}

// Read a board, a shared grid or a link, and show it on the board. Returns whether the text was read. If not, the error
// is shown where the text came from (`origin`).
export function readText(text, origin) {
  const [, link] = text.trim().match(/^(?:https?:\/\/\S*#)?(\S+)$/) ?? [];
  const address =
    link && (link !== text.trim() || /&(off|unsure|assumed|lies|by)=/.test(link)) ? readAddress(link) : null;
  return address
    ? store.load(address.line, address, origin)
    : store.load(readRows(readGrid(text, store.state.game), store.state.game), {}, origin);
}
