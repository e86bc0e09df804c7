// Help on the keys of the board for the current game.

import { markTitle, partWord, placeWord } from "./core/words.js";
import { html } from "./view.js";

// Return the keys, each with its effect.
function entries(game, isGame) {
  const isLong = game.symbols.some(({ symbol }) => symbol.length > 1);
  const where = (key) => (game.symbols.some(({ symbol }) => symbol === key) ? " (in the score)" : "");
  // If several parts start with the same letter, the key means the first part.
  const names = game.parts.map((_, n) => partWord(game, n).replace(/s$/, ""));
  const keyed = names.filter((name, n) => names.findIndex((each) => each[0] === name[0]) === n);
  const place = placeWord(game);
  return [
    [game.range || `1–${game.colors}`, `the ${game.noun} of a ${place}`],
    ...(isLong ? [["Space", `ends a ${game.noun} of fewer characters, such as 1 if there is also 12`]] : []),
    ...(isGame ? [] : game.marks).map(({ symbol }) => [symbol, `the mark “${markTitle(game, symbol)}”`]),
    ...(game.marks.length || isGame
      ? []
      : [
          ["0, 1, 2 …", "a number of the score"],
          [keyed.map((name) => name[0]).join(", "), `adds one ${keyed.join(" or one ")}`],
        ]),
    ...(isGame ? [] : [["?", `a ${game.noun} or a number that you cannot read`]]),
    ["Arrows", `move to another ${place}${isGame ? "" : ", number or row"}`],
    ["Enter", isGame ? "makes the guess" : "goes to the next row"],
    ["Backspace", `empties the ${place}${isGame ? "" : " or the number"}`],
    ["Delete", isGame ? "empties the row" : "removes the row"],
    ...(isGame
      ? []
      : [
          ["i", `ignores the row; press it again to count the row${where("I")}`],
          ["u", `marks the score of the row as not sure${where("U")}`],
        ]),
    ["Ctrl+Z, Ctrl+Y", "undo and redo"],
    ...(isGame ? [] : [["Ctrl+V", "pastes a board, a link or a shared grid"]]),
  ];
}

export const keysHelp = (
  game,
  isGame,
) => html`<details class="hint" aria-label="Keys of the board"><summary>Keys</summary><dl class="keys-help">
  ${entries(game, isGame).map(([keys, effect]) => html`<div><dt><kbd>${keys}</kbd></dt><dd>${effect}</dd></div>`)}</dl></details>`;
