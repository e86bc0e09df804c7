// Where the cursor of the board goes: which cells can be filled in, and which one comes next. During a
// game it stays where the player fills in cells.

import { isWhole } from "./core/notation.js";
import { placeName } from "./palette.js";
import { play } from "./play.js";
import { store } from "./store.js";

// How many cells of a row can be filled in.
export function width() {
  const { game } = store.state;
  return play.hidesScores ? game.pegs : game.pegs + game.parts.length;
}

// Why a cell cannot be changed, or "".
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

// In a game, the next cell that the player has to fill in, or null while the computer looks for its guess.
export function openCell() {
  const { rows } = store.state;
  const isScored = ({ guess, score, off }) => !off && !guess.includes(null) && score.includes(null);
  const row = play.hidesScores ? store.locked : rows.findIndex(isScored);
  if (!rows[row]) return null;
  const cells = play.hidesScores ? rows[row].guess : [...rows[row].guess, ...rows[row].score];
  const cell = cells.indexOf(null);
  return { row, cell: cell < 0 ? width() - 1 : cell };
}

// Go to a cell that was pointed at, or say why it is not to be filled in.
export function point(board, row, cell) {
  const reason = play.mode ? whyLocked(row, cell) : "";
  if (!reason) return board.move(row, cell);
  settle(board);
  board.deny(reason);
}

// Why nothing can be typed at the end of a row that is filled in, or "".
export const whyFinished = () =>
  play.mode === "keep" && play.isWaiting && !store.isFilling && !openCell() ? "My next guess is not here yet." : "";

// Go to the cell that comes next, unless the cursor is in one that can be filled in.
export function settle(board) {
  const { cursor } = store;
  const place = whyLocked(cursor.row, cursor.cell) ? (openCell() ?? cursor) : cursor;
  board.move(place.row, place.cell);
}

// Go to the cell after one that was filled in; from the end of a row to the first row that is not complete.
export function advance(board, { row, cell }) {
  if (cell + 1 < width()) return board.move(row, cell + 1);
  leave(board, row, cell);
}

// Go on from the end of a row.
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

// Go to the cell before the cursor.
export function back(board) {
  const { row, cell } = store.cursor;
  const before = cell > 0 ? { row, cell: cell - 1 } : { row: row - 1, cell: width() - 1 };
  if (before.row >= store.locked && !(play.mode && whyLocked(before.row, before.cell)))
    board.move(before.row, before.cell);
}

// Make the guess, confirm the score of the guess of the computer, or go to the next row.
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

// A whole score is taken at once, so that only a score that is not complete needs a word.
function confirm(board) {
  const open = openCell();
  if (!open) return store.finishRow();
  const { game, rows } = store.state;
  board.move(open.row, open.cell);
  if (rows[open.row].score.every((part) => part === null)) return;
  board.deny(`The score of row ${open.row + 1} is not complete: ${placeName(game, open.cell)} is missing.`);
}
