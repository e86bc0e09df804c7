// The values that a cell can have, as the palette shows them.

import { UNREAD } from "./core/notation.js";
import { colorName, html, markClass, peg } from "./view.js";

const MAX_NUMBERS = 40; // larger numbers are typed

// The choices for a cell: {value, name, content, mark}.
export function choices(game, cell) {
  const unread = { value: UNREAD, name: "not read" };
  if (cell < game.pegs) {
    const colors = game.symbols.map((_, n) => ({ value: n + 1, name: colorName(game, n + 1) }));
    return [...colors, unread].map((each) => ({ ...each, content: peg(game, each.value) }));
  }
  const other = { ...unread, content: UNREAD };
  if (game.marks.length) {
    const marks = game.marks.map(({ symbol, name }) => ({
      value: symbol,
      name,
      content: symbol,
      mark: markClass(game, symbol),
    }));
    return [...marks, other];
  }
  const part = game.parts[cell - game.pegs];
  const numbers = Array.from({ length: Math.min(game.highest, MAX_NUMBERS) + 1 }, (_, n) => n);
  return [...numbers.map((n) => ({ value: n, name: `${n} ${part}`, content: html`${n}` })), other];
}

// The name of a cell: "color of peg 2", "mark of place 3", "number of black".
export function cellName(game, cell) {
  if (cell < game.pegs) return `${game.noun} of ${game.words ? "place" : "peg"} ${cell + 1}`;
  if (game.marks.length) return `mark of place ${cell - game.pegs + 1}`;
  return `number of ${game.parts[cell - game.pegs]}`;
}
