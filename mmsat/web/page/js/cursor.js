// Movement of the cursor of the board: which cells can be changed, and which one is next. During a game, the cursor
// stays in the cells that the player fills in.

import { isWhole } from "./core/notation.js";
import { placeName } from "./palette.js";
import { play } from "./play.js";
import { store } from "./store.js";

// Return the number of cells of a row that the user fills in. Scores that the computer gives are not included.
export function width() {
  const { game } = store.state;
  return play.hidesScores ? game.pegs : game.pegs + game.parts.length;
}

// Return why a cell cannot be changed, or "" if it can.
export function whyLocked(row, cell) {
  if (store.linkFault) return "The link cannot be read. Correct it, or use an empty board.";
  if (store.isUnread) return "The board of this link is not known yet, as the server cannot be reached.";
  if (row < store.locked) return "This row belongs to the game and stays as it is.";
  if (play.showsResult) return "The game is over. Play again, or close its result.";
  const { game, rows } = store.state;
  if (play.mode === "keep" && (cell < game.pegs || !rows[row] || rows[row].guess.includes(null)))
    return "In this game the computer chooses the guesses.";
  if (play.hidesScores && cell >= game.pegs) return "In this game the computer gives the scores.";
  return "";
}

// Return the next cell that the player has to fill in during a game, or null while the computer looks for its guess.
export function openCell() {
  const { rows } = store.state;
  const isScored = ({ guess, score, off }) => !off && !guess.includes(null) && score.includes(null);
  const row = play.hidesScores ? store.locked : rows.findIndex(isScored);
  if (!rows[row]) return null;
  const cells = play.hidesScores ? rows[row].guess : [...rows[row].guess, ...rows[row].score];
  const cell = cells.indexOf(null);
  return { row, cell: cell < 0 ? width() - 1 : cell };
}

// Move the cursor to a cell that the user pointed at. If the game does not allow this cell, show why, and move to the
// next cell to fill in.
export function point(board, row, cell) {
  const reason = play.mode ? whyLocked(row, cell) : "";
  if (!reason) return board.move(row, cell);
  settle(board);
  board.deny(reason);
}

// Return why typing has to wait for the next guess of the computer, or "" if it does not have to wait.
export const whyFinished = () =>
  play.mode === "keep" && play.isWaiting && !store.isFilling && !openCell() ? "My next guess is not here yet." : "";

// Move the cursor to the next cell to fill in, unless it is already in a cell that can be changed.
export function settle(board) {
  const { cursor } = store;
  const place = whyLocked(cursor.row, cursor.cell) ? (openCell() ?? cursor) : cursor;
  board.move(place.row, place.cell);
}

// Move to the cell after the one that was filled in. At the end of a row, leave the row.
export function advance(board, { row, cell }) {
  if (cell + 1 < width()) return board.move(row, cell + 1);
  leave(board, row, cell);
}

// Leave a row at its end: move to the first empty cell of this or a later row. In a game, move to the cell that the
// player has to fill in next; if there is none, the row is finished.
export function leave(board, row, cell = width() - 1) {
  const { rows } = store.state;
  const open = rows.findIndex((each, index) => index >= row && !isWhole(each));
  const next = play.mode
    ? play.hidesScores
      ? null
      : openCell()
    : { row: open, cell: [...rows[open].guess, ...rows[open].score].indexOf(null) };
  board.move(next?.row ?? row, next?.cell ?? cell);
  if (!next) store.finishRow();
}

// Move to the cell before the cursor, unless that cell is locked.
export function back(board) {
  const { row, cell } = store.cursor;
  const before = cell > 0 ? { row, cell: cell - 1 } : { row: row - 1, cell: width() - 1 };
  if (before.row >= store.locked && !(play.mode && whyLocked(before.row, before.cell)))
    board.move(before.row, before.cell);
}

// Submit the guess of the player, confirm the score of the computer's guess, or go to the next row,
// depending on the game.
export function enter(board) {
  if (play.hidesScores) submit(board);
  else if (play.mode === "keep") confirm(board);
  else board.move(store.cursor.row + 1, 0);
}

function submit(board) {
  if (play.canSubmit) return play.submit();
  const missing = store.state.rows[store.locked].guess.indexOf(null);
  board.move(store.locked, Math.max(0, missing));
  if (!play.isWaiting)
    return board.deny(`The guess is not complete: ${placeName(store.state.game, missing)} is missing.`);
  board.deny("The score of the last guess is not here yet.");
  play.addEventListener("change", () => board.deny(""), { once: true });
}

// A complete score is submitted at once, so a message is only needed for an incomplete score.
function confirm(board) {
  const open = openCell();
  if (!open) return store.finishRow();
  const { game, rows } = store.state;
  board.move(open.row, open.cell);
  if (rows[open.row].score.every((part) => part === null)) return;
  board.deny(`The score of row ${open.row + 1} is not complete: ${placeName(game, open.cell)} is missing.`);
}
