// The palette of the board: buttons for all values of the current cell.

import { UNREAD } from "./core/notation.js";
import { enter } from "./cursor.js";
import { withPart } from "./entry.js";
import { cellName, choices, keyboard } from "./palette.js";
import { play } from "./play.js";
import { html, nothing, store } from "./view.js";

export const DRAGGED = "application/x-mmsat-color";

// Render the values of the current cell as buttons, for mouse, touch and arrow keys. On a phone, the palette also has
// the keys that a touch screen lacks.
export function palette(board) {
  const { game, rows } = store.state;
  const { cell } = store.cursor;
  const row = board.cursorRow; // the cursor may still be in a row that was removed
  const offered = choices(game, cell, rows, rows[row].guess).filter(
    ({ value }) => value !== UNREAD || !play.hidesScores,
  );
  const isColor = cell < game.pegs;
  const isPossible = (value) => isColor || !withPart(game, rows[row].score, cell - game.pegs, value).refusal;
  const lines = keyboard(game, cell, offered);
  const drag = (event, value) => event.dataTransfer.setData(DRAGGED, value);
  const choose = (event, value) => {
    board.wantsFocus ||= event.detail > 0; // after a click, the focus returns to the row
    board.choose(value);
  };
  const ordered = lines ? [...lines.flat(), ...offered.slice(game.colors)] : offered;
  const button = ({ value, name, content, mark = "" }) =>
    html`<button class="cell ${mark}" tabindex=${ordered[board.choice]?.value === value ? 0 : -1} aria-label=${value === UNREAD ? name : `put ${name}`} aria-disabled=${isPossible(value) ? nothing : "true"} title=${name} draggable=${isColor} @dragstart=${(event) => drag(event, value)} @click=${(event) => choose(event, value)}>${content}</button>`;
  const isWord = game.words && !rows[row].guess.includes(null) && !play.hidesScores;
  const where = `Row ${row + 1}, ${cellName(game, cell)}`;
  return html`<div class="palette ${lines ? "letters" : ""}" .style=${`--at: ${game.marks.length ? cell % game.pegs : cell}; --count: ${offered.length}`} role="toolbar" aria-label=${where} @keydown=${(event) => browse(board, event, ordered.length)}>
    <span class="where"><span aria-hidden="true">${where}</span>
      ${isWord && !isColor && game.marks.length ? markTools(board, row, cell) : nothing}
      <span class="touch-keys">
        <button class="quiet" aria-label="Delete" @click=${() => board.tap(() => board.erase())}>⌫</button>
        <button class="quiet" aria-label=${enterName()} @click=${() => board.tap(() => enter(board))}>⏎</button>
        <button class="quiet put-keys-away" aria-label="Put the keys away" @click=${() => board.putAway(true)}>⌄</button>
      </span></span>
    ${
      lines
        ? html`${lines.map((line, n) => html`<span class="choices">${line.map(button)}${n === 2 ? ordered.slice(game.colors).map(button) : nothing}</span>`)}`
        : html`<span class="choices">${ordered.map(button)}</span>`
    }</div>`;
}

// Return the name of the key ⏎, which depends on the game.
const enterName = () =>
  play.hidesScores ? "Make this guess" : play.mode === "keep" ? "Confirm the score" : "Next row";

// Render the tools for the marks of a complete word: mark the remaining letters as absent, or change the letter.
function markTools(board, row, cell) {
  const isOpen = store.state.rows[row].score.includes(null);
  return html`${isOpen && board.absent ? html`<button class="quiet rest" @click=${() => board.fillAbsent(row)}>The rest is grey</button>` : nothing}
    ${play.mode === "keep" ? nothing : html`<button class="quiet" @click=${() => board.move(row, cell - store.state.game.pegs)}>Change the letter</button>`}`;
}

// Move between the buttons of the palette by keys.
function browse(board, event, count) {
  const next = {
    ArrowRight: board.choice + 1,
    ArrowDown: board.choice + 1,
    ArrowLeft: board.choice - 1,
    ArrowUp: board.choice - 1,
    Home: 0,
    End: count - 1,
  }[event.key];
  // Stop the event, so that the rows around the palette do not handle the key.
  if (event.key.length > 1 || event.key === " ") event.stopPropagation();
  if (next === undefined) return;
  event.preventDefault();
  board.choice = (next + count) % count;
  board.update();
  board.querySelectorAll(".palette .cell")[board.choice].focus();
}
