// The values that a cell can have, as the palette shows them.

import { UNREAD } from "./core/notation.js";
import { markName, markTitle, partAmount, partWord, placeWord } from "./core/words.js";
import { colorName, html, markClass, peg } from "./view.js";

const MAX_NUMBERS = 40; // larger numbers can only be typed
const FOUND = ["in place", "elsewhere", "absent"]; // the marks of a letter, the most informative mark first

// Return the most informative mark of a letter in all rows of a word game that are not ignored, or null.
function bestMark(game, rows, color) {
  if (!game.words || !game.marks.length) return null;
  const counted = rows.filter((row) => !row.off);
  const got = counted.flatMap(({ guess, score }) => score.filter((_, n) => guess[n] === color));
  const marks = FOUND.map((name) => game.marks.find((mark) => mark.name === name)?.symbol);
  return marks.find((symbol) => symbol !== undefined && got.includes(symbol)) ?? null;
}

// Return the choices for a cell: {value, name, content, mark}. In a game without repeats, colors that are already at
// another peg of the guess are marked.
export function choices(game, cell, rows = [], guess = []) {
  const unread = { value: UNREAD, name: "not read" };
  if (cell < game.pegs) {
    const colors = game.symbols.map((_, n) => {
      const found = bestMark(game, rows, n + 1);
      const isUsed = !game.has_repeats && guess.some((color, place) => color === n + 1 && place !== cell);
      const more = [found === null ? "" : markName(game, found), isUsed ? "already in this guess" : ""].filter(Boolean);
      const name = [colorName(game, n + 1), ...more].join(", ");
      return { value: n + 1, name, content: peg(game, n + 1, found), mark: isUsed ? "used-up" : "" };
    });
    return [...colors, { ...unread, content: peg(game, UNREAD) }];
  }
  const other = { ...unread, content: UNREAD };
  if (game.marks.length) {
    const marks = game.marks.map(({ symbol }) => ({
      value: symbol,
      name: markTitle(game, symbol),
      content: symbol,
      mark: markClass(game, symbol),
    }));
    return [...marks, other];
  }
  const part = cell - game.pegs;
  const numbers = Array.from({ length: Math.min(game.highest, MAX_NUMBERS) + 1 }, (_, n) => n);
  return [...numbers.map((n) => ({ value: n, name: partAmount(game, part, n), content: html`${n}` })), other];
}

// The rows of a QWERTY keyboard, for games with the letters A to Z.
const KEYBOARD = ["QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM"];

// Return the choices in the order of a keyboard, one list per row of keys; null if the symbols are not A to Z.
export function keyboard(game, cell, offered) {
  const letters = KEYBOARD.join("");
  const isAlphabet = game.colors === letters.length && game.symbols.every(({ symbol }) => letters.includes(symbol));
  if (cell >= game.pegs || !isAlphabet) return null;
  const at = new Map(game.symbols.map(({ symbol }, color) => [symbol, offered[color]]));
  return KEYBOARD.map((row) => [...row].map((letter) => at.get(letter)));
}

// Return the short name of a cell: "peg 2", "place 2", "mark of place 2", "black".
export function placeName(game, cell) {
  const place = placeWord(game);
  if (cell < game.pegs) return `${place} ${cell + 1}`;
  if (game.marks.length) return `mark of place ${cell - game.pegs + 1}`;
  return partWord(game, cell - game.pegs);
}

// Return a cell and its value as text: "peg 2: color 3", "mark of place 2: absent", "black: not given yet".
export function cellText(game, cell, value) {
  const place = placeName(game, cell);
  if (cell < game.pegs) return `${place}: ${colorName(game, value)}`;
  if (game.marks.length) return `${place}: ${value === null ? "no mark yet" : markName(game, value)}`;
  return `${place}: ${value === null ? "not given yet" : value === UNREAD ? "not read" : value}`;
}

// Return the complete name of a cell: "color of peg 2", "mark of place 3", "number of black".
export function cellName(game, cell) {
  if (cell < game.pegs) return `${game.noun} of ${placeName(game, cell)}`;
  if (game.marks.length) return placeName(game, cell);
  return `number of ${partWord(game, cell - game.pegs)}`;
}
