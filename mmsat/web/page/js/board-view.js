// The rows of the board and the palette. Everything can be done by keys, by mouse and by touch.

import { UNREAD, isEmpty, isWhole } from "./notation.js";
import { View, analysis, colorName, html, key as keyPeg, markClass, nothing, peg, store } from "./view.js";
import { flaw, match, withPart } from "./entry.js";
import { announce } from "./live.js";
import { faultView } from "./faults.js";
import { play } from "./play.js";

const HELP = "Type symbols for pegs and numbers for scores, b and w to add a black or white. A symbol of several characters is typed one after the other; a blank or an arrow ends it early. Arrows move, Enter goes to the next row, Delete removes a row, i ignores it, u marks it as not sure, ? stands for what was not read.";
const SEPARATORS = " .,;:=-/|";
const MAX_PALETTE_NUMBERS = 40;

class BoardView extends View {
  typed = ""; // the first characters of a symbol in the cell of the cursor
  refusal = "";
  choice = 0; // the button of the palette that Tab reaches
  last = { row: 0, cell: 0 }; // where the cursor was

  connectedCallback() {
    super.connectedCallback();
    play.addEventListener("change", () => this.update());
  }

  update() {
    const { row, cell } = store.cursor;
    if (row !== this.last.row || cell !== this.last.cell) Object.assign(this, { typed: "", choice: 0, last: { row, cell } });
    const hadFocus = this.contains(document.activeElement) && document.activeElement.matches(".rows .cell");
    super.update();
    if (hadFocus || this.wantsFocus) this.focusCell();
    this.wantsFocus = false;
  }

  focusCell() {
    this.querySelector(".rows .cell[tabindex='0']")?.focus();
  }

  // How many cells of a row can be filled in.
  get width() {
    const { game } = store.state;
    return play.hidesScores ? game.pegs : game.pegs + game.parts.length;
  }

  move(row, cell) {
    const place = Math.min(Math.max(0, row), store.state.rows.length - 1);
    this.refuse("");
    this.wantsFocus = true;
    store.moveTo(place, Math.min(Math.max(0, cell), this.width - 1));
  }

  refuse(text) {
    if (text) announce(text);
    this.refusal = text;
  }

  // Go to the next cell; from the end of a row to the first row that is not complete.
  advance() {
    const { row, cell } = store.cursor;
    if (cell + 1 < this.width) return this.move(row, cell + 1);
    if (play.hidesScores) return this.move(row, cell);
    const { rows } = store.state;
    const open = rows.findIndex((each, index) => index >= row && !isWhole(each));
    this.move(open, [...rows[open].guess, ...rows[open].score].indexOf(null));
  }

  back() {
    const { row, cell } = store.cursor;
    if (cell > 0) this.move(row, cell - 1);
    else if (row > store.locked) this.move(row - 1, this.width - 1);
  }

  // Put a value into the cell of the cursor. Returns whether it fits.
  put(value) {
    const { row, cell } = store.cursor;
    const { game, rows } = store.state;
    const reason = this.whyLocked(row, cell);
    if (reason) return this.refuse(reason), this.update(), false;
    if (cell < game.pegs) return store.setCell(row, cell, value), true;
    const { score, emptied, refusal } = withPart(game, rows[row].score, cell - game.pegs, value);
    if (refusal) {
      this.refuse(`This score cannot be: ${refusal}.`);
      this.update();
      return false;
    }
    store.changeRow(row, { score });
    const names = emptied.map((n) => (game.marks.length ? `place ${n + 1}` : game.parts[n]));
    if (names.length) this.refuse(`${names.join(", ")} of row ${row + 1} was emptied, as it no longer fits.`);
    return true;
  }

  whyLocked(row, cell) {
    if (row < store.locked) return "This row belongs to the game and stays as it is.";
    if (play.mode === "keep" && cell < store.state.game.pegs) return "In this game the computer chooses the guesses.";
    if (play.hidesScores && cell >= store.state.game.pegs) return "In this game the computer gives the scores.";
    return "";
  }

  choose(value) {
    this.typed = "";
    this.refuse("");
    if (this.put(value)) {
      const { refusal } = this;
      this.advance();
      this.refuse(refusal);
      this.update();
    }
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { rows, game } = store.state;
    const { row, cell } = store.cursor;
    const done = {
      ArrowLeft: () => this.move(row, cell - 1),
      ArrowRight: () => this.move(row, cell + 1),
      ArrowUp: () => this.move(row - 1, cell),
      ArrowDown: () => this.move(row + 1, cell),
      Home: () => this.move(row, 0),
      End: () => this.move(row, this.width - 1),
      Enter: () => (play.hidesScores ? this.submit() : this.move(row + 1, 0)),
      Backspace: () => this.erase(),
      Delete: () => this.remove(row),
    }[event.key];
    if (done) done();
    else if (event.key.length !== 1) return;
    else this.type(event.key, { game, rows, row, cell });
    event.preventDefault();
  }

  submit() {
    const row = store.state.rows[store.locked];
    if (play.canSubmit) return play.submit();
    const missing = row.guess.indexOf(null);
    this.move(store.locked, Math.max(0, missing));
    this.refuse(play.isWaiting ? "The score of the last guess is not here yet." : `The guess is not complete: peg ${missing + 1} is missing.`);
    this.update();
  }

  erase() {
    const { rows, game } = store.state;
    const { row, cell } = store.cursor;
    const value = cell < game.pegs ? rows[row].guess[cell] : rows[row].score[cell - game.pegs];
    this.refuse("");
    if (this.typed) {
      this.typed = "";
      if (value !== null) this.put(null);
      this.update();
    } else if (value === null) this.back();
    else this.put(null);
  }

  // A character was typed: part of a symbol, of a number or a mark, or a command.
  type(character, { game, rows, row, cell }) {
    if (row < store.locked) return this.refuse(this.whyLocked(row, cell)), this.update();
    const text = this.typed + character;
    const found = match(game, cell, text);
    this.refuse("");
    if (found) return this.take(text, found);
    const isComplete = this.typed && match(game, cell, this.typed).value !== undefined;
    if (this.typed && SEPARATORS.includes(character)) {
      if (isComplete) this.advance();
      else this.refuse(this.unknown(game, cell, this.typed));
      return this.update();
    }
    if (isComplete && cell + 1 < this.width && match(game, cell + 1, character)) {
      this.advance();
      return this.type(character, { game, rows, row, cell: cell + 1 });
    }
    if (!this.typed && this.command(character.toUpperCase(), { game, rows, row, cell })) return;
    if (!this.typed && SEPARATORS.includes(character)) return;
    this.refuse(this.unknown(game, cell, text));
    this.update();
  }

  take(text, { value, isBegun }) {
    if (value !== undefined && !this.put(value)) return;
    const { refusal } = this;
    this.typed = isBegun ? text : "";
    if (!isBegun) this.advance();
    this.refuse(refusal);
    this.update();
  }

  unknown(game, cell, text) {
    if (cell < game.pegs) return `“${text}” is no ${game.noun} of this game: ${game.range || `1 to ${game.colors}`}.`;
    if (game.marks.length) return `“${text}” is no mark: ${game.marks.map(({ symbol, name }) => `${symbol} ${name}`).join(", ")}.`;
    return `“${text}” is no number of ${game.parts[cell - game.pegs]}: 0 to ${game.highest}.`;
  }

  // Add a key peg, ignore a row, or doubt it. Returns whether the key means one of these.
  command(letter, { game, rows, row, cell }) {
    const index = game.marks.length || cell < game.pegs ? -1 : game.parts.findIndex((name) => name[0].toUpperCase() === letter);
    if (index >= 0) {
      this.add(index, rows[row].score);
      return true;
    }
    const flag = { I: "off", U: "unsure" }[letter];
    if (!flag || isEmpty(rows[row]) || play.hidesScores) return false;
    this.flag(row, flag);
    return true;
  }

  // Add one to a part of the score; the other parts become 0.
  add(index, before) {
    const { game } = store.state;
    const { row, cell } = store.cursor;
    const score = before.map((part, n) => (n === index ? (typeof part === "number" ? part + 1 : 1) : part ?? 0));
    const isLow = score.every((part) => part === UNREAD || part <= game.highest);
    const reason = this.whyLocked(row, cell) || (isLow ? flaw(game, score) : `a part of a score is at most ${game.highest}`);
    if (reason) {
      this.refuse(`This score cannot be: ${reason}.`);
      return this.update();
    }
    store.changeRow(row, { score });
  }

  flag(index, name) {
    store.changeRow(index, { [name]: !store.state.rows[index][name] });
  }

  remove(index) {
    if (index < store.locked) return this.refuse(this.whyLocked(index, 0)), this.update();
    if (!isEmpty(store.state.rows[index])) store.removeRow(index);
    this.move(index, 0);
  }

  // The next mark that can stand in a cell.
  cycle(index, cell) {
    const { game, rows } = store.state;
    const symbols = game.marks.map(({ symbol }) => symbol);
    const { score } = rows[index];
    const place = cell - game.pegs;
    const start = symbols.indexOf(score[place]) + 1;
    const next = symbols.map((_, n) => symbols[(start + n) % symbols.length]).find((mark) => !flaw(game, score.with(place, mark)));
    if (next) this.put(next);
  }

  view() {
    const { state, fault, notice } = store;
    return html`
      ${fault?.origin === "address" ? faultView(fault) : nothing}
      ${play.mode ? html`<p class="turn">${play.message}</p>` : nothing}
      <div class="rows" role="group" aria-label="Rows of guesses and scores" @keydown=${(event) => this.press(event)}>
        ${state.rows.map((row, index) => this.row(row, index))}
      </div>
      <p class="refusal">${this.refusal}</p>
      ${play.hidesScores ? html`<p class="bar"><button class="submit" ?disabled=${!play.canSubmit} @click=${() => { play.submit(); this.focusCell(); }}>Make this guess</button></p>` : nothing}
      ${this.palette()}
      <p class="bar">
        <button class="quiet" ?disabled=${!store.canUndo} @click=${() => store.undo()}>Undo</button>
        <button class="quiet" ?disabled=${!store.canRedo} @click=${() => store.redo()}>Redo</button>
        <button class="quiet" ?disabled=${play.hidesScores} @click=${() => { store.clear(); this.move(0, 0); }}>Clear</button>
      </p>
      ${notice ? html`<p class="bar notice" role="status">${notice} ${store.canUndo && notice.includes("removed") ? html`<button class="quiet" @click=${() => store.undo()}>Bring back</button>` : nothing}</p>` : nothing}
      ${this.lies()}
      <details class="hint"><summary>Keys</summary><p>${HELP}</p></details>`;
  }

  row(row, index) {
    const { game } = store.state;
    const { explain, check } = analysis.known;
    const conflict = explain?.answer?.conflicts?.[0] ?? check?.answer?.conflict ?? [];
    const correction = (explain?.answer?.corrections?.[0] ?? check?.answer?.correction)?.changes ?? [];
    const missed = check?.answer?.missed ?? [];
    const has = (changes) => changes.some((change) => change.row === index + 1);
    const lit = conflict.includes(index + 1);
    const wrong = has(correction) || has(missed);
    const isDraft = !isWhole(row) && !isEmpty(row);
    const isLeft = isDraft && store.cursor.row !== index && !play.mode;
    const state = [analysis.used.has(index) && "used in this step", lit && "in conflict", wrong && "perhaps wrong", row.off && "ignored", row.unsure && "not sure", isLeft && "not complete, so it does not count"].filter(Boolean);
    const name = `Row ${index + 1}${state.length ? `, ${state.join(", ")}` : ""}`;
    const classes = { conflict: lit, wrong, off: row.off, unsure: row.unsure, used: analysis.used.has(index), draft: !isWhole(row), left: isLeft, empty: isEmpty(row) };
    return html`
      <div class="row ${Object.keys(classes).filter((each) => classes[each]).join(" ")}" role="group" aria-label=${name}>
        <span class="number" aria-hidden="true">${index + 1}</span>
        <span class="cells guess">${row.guess.map((color, n) => this.cell(index, n, `peg ${n + 1}: ${colorName(game, color)}`, peg(game, color, game.words && game.marks.length ? row.score[n] : null, this.typedAt(index, n))))}</span>
        <span class="cells score ${game.marks.length ? "marks" : ""}">${row.score.map((part, n) => this.part(row, index, part, n))}</span>
        <span class="actions">${isEmpty(row) || play.hidesScores ? nothing : html`
          <button class="icon" aria-pressed=${row.off} title="Ignore this row" aria-label="Ignore row ${index + 1}" @click=${() => this.flag(index, "off")}>⊘</button>
          <button class="icon" aria-pressed=${row.unsure} title="Not sure of this score" aria-label="Not sure of row ${index + 1}" @click=${() => this.flag(index, "unsure")}>?</button>
          <button class="icon" title="Remove this row" aria-label="Remove row ${index + 1}" @click=${() => this.remove(index)}>✕</button>`}
        </span>
        ${state.length ? html`<span class="note">${state.join(", ")}</span>` : nothing}
      </div>`;
  }

  // What was typed of a symbol that is not complete.
  typedAt(index, cell) {
    const { cursor, state } = store;
    const isHere = this.typed && cursor.row === index && cursor.cell === cell;
    return isHere && match(state.game, cell, this.typed).value === undefined ? this.typed : "";
  }

  cell(index, cell, label, content, more = "", click = () => this.move(index, cell)) {
    const { cursor } = store;
    const here = cursor.row === index && cursor.cell === cell;
    return html`<button class="cell ${here ? "here" : ""} ${more}" tabindex=${here ? 0 : -1} aria-label=${label}
      @pointerdown=${() => { this.wasHere = here; }}
      @focus=${() => { if (store.cursor.row !== index || store.cursor.cell !== cell) store.moveTo(index, cell); }} @click=${click}>${content}</button>`;
  }

  part(row, index, part, n) {
    const { game } = store.state;
    const cell = game.pegs + n;
    if (game.marks.length) {
      const mark = game.marks.find(({ symbol }) => symbol === part);
      const name = part === UNREAD ? "not read" : mark?.name ?? "no mark yet";
      return this.cell(index, cell, `place ${n + 1}: ${name}`, part ?? "·", markClass(game, part), () => {
        this.move(index, cell);
        if (this.wasHere) this.cycle(index, cell);
      });
    }
    const name = game.parts[n];
    const said = part === null ? "not given yet" : part === UNREAD ? "not read" : part;
    return this.cell(index, cell, `${name}: ${said}`, html`${keyPeg(name)}<span>${part ?? "·"}</span>`);
  }

  // What can be put where the cursor is, as buttons: for mouse and touch, and by arrows.
  palette() {
    const { game, rows } = store.state;
    const { row, cell } = store.cursor;
    const choices = this.choices(game, cell);
    const buttons = choices.map(({ value, name, content, more = "" }, n) => html`<button class="cell ${more}" tabindex=${n === this.choice ? 0 : -1} aria-label="put ${name}" title=${name} @click=${() => this.choose(value)}>${content}</button>`);
    const where = cell < game.pegs ? `peg ${cell + 1}` : game.marks.length ? `the mark of place ${cell - game.pegs + 1}` : game.parts[cell - game.pegs];
    return html`<div class="palette" role="toolbar" aria-label="What to put at ${where} of row ${Math.min(row, rows.length - 1) + 1}" @keydown=${(event) => this.browse(event, choices.length)}>
      <span class="where">Row ${row + 1}, ${where}</span><span class="choices">${buttons}</span></div>`;
  }

  choices(game, cell) {
    const unread = { value: UNREAD, name: "not read" };
    if (cell < game.pegs) {
      const colors = game.symbols.map((_, n) => ({ value: n + 1, name: colorName(game, n + 1) }));
      return [...colors, unread].map((each) => ({ ...each, content: peg(game, each.value) }));
    }
    if (game.marks.length) {
      const marks = game.marks.map(({ symbol, name }) => ({ value: symbol, name, content: symbol, more: markClass(game, symbol) }));
      return [...marks, { ...unread, content: UNREAD }];
    }
    const part = game.parts[cell - game.pegs];
    const most = Math.min(game.highest, MAX_PALETTE_NUMBERS);
    const numbers = Array.from({ length: most + 1 }, (_, n) => ({ value: n, name: `${n} ${part}`, content: n }));
    return [...numbers, { ...unread, content: UNREAD }];
  }

  // Move between the buttons of the palette.
  browse(event, count) {
    const next = {
      ArrowRight: this.choice + 1, ArrowDown: this.choice + 1, ArrowLeft: this.choice - 1, ArrowUp: this.choice - 1,
      Home: 0, End: count - 1,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    this.choice = (next + count) % count;
    this.update();
    this.querySelectorAll(".palette .cell")[this.choice].focus();
  }

  lies() {
    const { lies, by } = store.state;
    const change = (more) => store.change({ ...store.state, ...more });
    return html`<p class="bar lies">
      <label for="lies">Allow up to ${lies} wrong ${by === "pegs" ? "key pegs" : lies === 1 ? "score" : "scores"}</label>
      <input id="lies" type="range" min="0" max="5" .value=${String(lies)} ?disabled=${play.mode !== null} @input=${(event) => change({ lies: Number(event.target.value) })}>
      ${lies ? html`<label for="by">counted by</label> <select id="by" .value=${by} ?disabled=${play.mode !== null} @change=${(event) => change({ by: event.target.value })}><option value="rows">rows</option><option value="pegs">key pegs</option></select>` : nothing}
    </p>`;
  }
}

customElements.define("board-view", BoardView);
