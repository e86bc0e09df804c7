// The rows of the board and the palette. Everything can be done by keys, by mouse and by touch.

import { UNREAD, isEmpty, isWhole } from "./notation.js";
import { View, analysis, colorName, html, markClass, nothing, peg, store } from "./view.js";

const HELP = "Type symbols for pegs and numbers for scores, b and w to add a black or white, arrows to move, Enter for the next row, Delete to remove a row, i to ignore it, u to mark it as not sure.";

class BoardView extends View {
  update() {
    const focused = this.contains(document.activeElement) && document.activeElement.matches(".cell");
    super.update();
    if (focused || this.wantsFocus) this.querySelector(".cell[tabindex='0']")?.focus();
    this.wantsFocus = false;
  }

  move(row, cell) {
    const { game, rows } = store.state;
    const cells = game.pegs + game.parts.length;
    const place = Math.min(Math.max(0, row), rows.length - 1);
    this.wantsFocus = true;
    store.moveTo(place, Math.min(Math.max(0, cell), cells - 1));
  }

  // Put a value into the cell of the cursor and go on to the next one.
  put(value, stay = false) {
    const { row, cell } = store.cursor;
    store.setCell(row, cell, value);
    if (!stay) this.move(row, cell + 1);
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { game, rows } = store.state;
    const { row, cell } = store.cursor;
    const cells = game.pegs + game.parts.length;
    const inScore = cell >= game.pegs;
    const part = inScore ? rows[row].score[cell - game.pegs] : null;
    const key = event.key;
    const done = {
      ArrowLeft: () => this.move(row, cell - 1),
      ArrowRight: () => this.move(row, cell + 1),
      ArrowUp: () => this.move(row - 1, cell),
      ArrowDown: () => this.move(row + 1, cell),
      Home: () => this.move(row, 0),
      End: () => this.move(row, cells - 1),
      Enter: () => this.move(row + 1, 0),
      Backspace: () => {
        const value = inScore ? part : rows[row].guess[cell];
        if (value === null) this.move(row, cell - 1);
        else this.put(null, true);
      },
      Delete: () => this.remove(row),
    }[key];
    if (done) done();
    else if (key.length !== 1 || !this.type(key, { game, rows, row, cell, inScore, part })) return;
    event.preventDefault();
  }

  // A character was typed: a symbol, a number, a mark, or a command. Tells whether it was taken.
  type(key, { game, rows, row, cell, inScore, part }) {
    const upper = key.toUpperCase();
    if (key === UNREAD) return this.put(UNREAD), true;
    if (inScore && game.marks.length) {
      const mark = game.marks.find((each) => [...each.symbol, ...each.also].some((sign) => sign.toUpperCase() === upper));
      if (mark) return this.put(mark.symbol), true;
    } else if (inScore) {
      if (/\d/.test(key)) {
        const grown = game.pegs > 9 && typeof part === "number" ? part * 10 + Number(key) : Number(key);
        const value = grown > game.pegs ? Number(key) : grown;
        this.put(value, game.pegs > 9);
        return true;
      }
      const index = game.parts.findIndex((name) => name[0].toUpperCase() === upper);
      if (index >= 0) {
        const now = rows[row].score[index];
        store.changeRow(row, {
          score: rows[row].score.map((each, n) => (n === index ? (typeof now === "number" ? now + 1 : 1) : each ?? 0)),
        });
        return true;
      }
    } else {
      const color = game.symbols.findIndex(({ symbol }) => symbol.toUpperCase() === upper);
      const numbered = color < 0 && !game.words && /[1-9]/.test(key) ? Number(key) : color + 1;
      if (numbered >= 1 && numbered <= game.colors) return this.put(numbered), true;
    }
    if (upper === "I" && !isEmpty(rows[row])) return this.flag(row, "off"), true;
    if (upper === "U" && !isEmpty(rows[row])) return this.flag(row, "unsure"), true;
    return false;
  }

  flag(index, name) {
    store.changeRow(index, { [name]: !store.state.rows[index][name] });
  }

  remove(index) {
    if (!isEmpty(store.state.rows[index])) store.removeRow(index);
    this.move(index, 0);
  }

  cycle(index, cell) {
    const { game, rows } = store.state;
    const symbols = game.marks.map(({ symbol }) => symbol);
    const next = symbols.indexOf(rows[index].score[cell - game.pegs]) + 1;
    store.setCell(index, cell, symbols[next % symbols.length]);
  }

  view() {
    const { state, fault } = store;
    return html`
      ${fault ? this.faults(fault) : nothing}
      <div class="rows" role="group" aria-label="Rows of guesses and scores" @keydown=${(event) => this.press(event)}>
        ${state.rows.map((row, index) => this.row(row, index))}
      </div>
      ${this.palette()}
      <p class="bar">
        <button class="quiet" ?disabled=${!store.past.length} @click=${() => store.undo()}>Undo</button>
        <button class="quiet" ?disabled=${!store.future.length} @click=${() => store.redo()}>Redo</button>
        <button class="quiet" @click=${() => { store.clear(); this.move(0, 0); }}>Clear</button>
      </p>
      ${this.lies()}
      <details class="hint"><summary>Keys</summary><p>${HELP}</p></details>`;
  }

  // Each fault at its place in the text that was read.
  faults({ text, message, faults }) {
    const lines = text.split("\n");
    if (!faults.length) return html`<div class="fault" role="alert"><p><code>${text.slice(0, 200)}</code></p><p>${message}</p></div>`;
    return html`<div class="fault" role="alert"><p>This is not a board yet:</p><ul>${faults.slice(0, 12).map(({ line, column, rule, found, expected }) => {
      const there = line === null ? "" : lines[line - 1] ?? "";
      const start = (column ?? 1) - 1;
      const end = start + Math.max(1, found && there.startsWith(found, start) ? found.length : 1);
      return html`<li>${there ? html`<code>${there.slice(Math.max(0, start - 40), start)}<mark>${there.slice(start, end) || "\u00a0"}</mark>${there.slice(end, end + 40)}</code><br>` : nothing}expected ${expected}${rule ? ` (${rule})` : nothing}</li>`;
    })}</ul></div>`;
  }

  row(row, index) {
    const { game } = store.state;
    const place = analysis.indices.indexOf(index);
    const { explain, check } = analysis.known;
    const conflict = explain?.answer?.conflicts?.[0] ?? check?.answer?.conflict ?? [];
    const correction = (explain?.answer?.corrections?.[0] ?? check?.answer?.correction)?.changes ?? [];
    const lit = place >= 0 && conflict.includes(place + 1);
    const wrong = place >= 0 && correction.some((change) => change.row === place + 1);
    const state = [analysis.used.has(index) && "used in this step", lit && "in conflict", wrong && "perhaps wrong", row.off && "ignored", row.unsure && "not sure"].filter(Boolean);
    const name = `Row ${index + 1}${state.length ? `, ${state.join(", ")}` : ""}`;
    return html`
      <div class="row ${lit ? "conflict" : ""} ${wrong ? "wrong" : ""} ${row.off ? "off" : ""} ${row.unsure ? "unsure" : ""} ${analysis.used.has(index) ? "used" : ""} ${isWhole(row) ? "" : "draft"}" role="group" aria-label=${name}>
        <span class="number" aria-hidden="true">${index + 1}</span>
        <span class="cells guess">${row.guess.map((color, n) => this.cell(index, n, `peg ${n + 1}: ${colorName(game, color)}`, peg(game, color, game.words && game.marks.length ? row.score[n] : null)))}</span>
        <span class="cells score ${game.marks.length ? "marks" : ""}">${row.score.map((part, n) => this.part(row, index, part, n))}</span>
        <span class="actions">${isEmpty(row) ? nothing : html`
          <button class="icon" aria-pressed=${row.off} title="Ignore this row" aria-label="Ignore row ${index + 1}" @click=${() => this.flag(index, "off")}>⊘</button>
          <button class="icon" aria-pressed=${row.unsure} title="Not sure of this score" aria-label="Not sure of row ${index + 1}" @click=${() => this.flag(index, "unsure")}>?</button>
          <button class="icon" title="Remove this row" aria-label="Remove row ${index + 1}" @click=${() => this.remove(index)}>✕</button>`}
        </span>
        ${state.length ? html`<span class="note">${state.join(", ")}</span>` : nothing}
      </div>`;
  }

  cell(index, cell, label, content, more = "", click = () => this.move(index, cell)) {
    const { cursor } = store;
    const here = cursor.row === index && cursor.cell === cell;
    return html`<button class="cell ${here ? "here" : ""} ${more}" tabindex=${here ? 0 : -1} aria-label=${label}
      @focus=${() => { if (!here) store.moveTo(index, cell); }} @click=${click}>${content}</button>`;
  }

  part(row, index, part, n) {
    const { game } = store.state;
    const cell = game.pegs + n;
    if (game.marks.length) {
      const mark = game.marks.find(({ symbol }) => symbol === part);
      const name = part === UNREAD ? "not read" : mark?.name ?? "no mark yet";
      return this.cell(index, cell, `place ${n + 1}: ${name}`, part ?? "·", markClass(game, part),
        () => { this.move(index, cell); this.cycle(index, cell); });
    }
    const name = game.parts[n];
    const said = part === null ? "not given yet" : part === UNREAD ? "not read" : part;
    return this.cell(index, cell, `${name}: ${said}`, html`<span class="key key-${name}" aria-hidden="true"></span>${part ?? "·"}`);
  }

  // What can be put where the cursor is, as buttons: for mouse and touch.
  palette() {
    const { game, rows } = store.state;
    const { row, cell } = store.cursor;
    const inScore = cell >= game.pegs;
    let buttons;
    if (!inScore) {
      const colors = [...game.symbols.keys()].map((n) => n + 1);
      buttons = [...colors, UNREAD].map((color) => html`<button class="cell" tabindex="-1" aria-label="put ${colorName(game, color)}" @click=${() => this.put(color)}>${peg(game, color)}</button>`);
    } else if (game.marks.length) {
      buttons = [...game.marks, { symbol: UNREAD, name: "not read" }].map((mark) => html`<button class="cell ${markClass(game, mark.symbol)}" tabindex="-1" aria-label="put ${mark.name}" title=${mark.name} @click=${() => this.put(mark.symbol)}>${mark.symbol}</button>`);
    } else {
      const most = Math.min(game.pegs, 40);
      buttons = [...Array(most + 1).keys(), UNREAD].map((value) => html`<button class="cell" tabindex="-1" aria-label="put ${value === UNREAD ? "not read" : `${value} ${game.parts[cell - game.pegs]}`}" @click=${() => this.put(value)}>${value}</button>`);
    }
    const where = inScore
      ? game.marks.length ? `the mark of place ${cell - game.pegs + 1}` : game.parts[cell - game.pegs]
      : `peg ${cell + 1}`;
    return html`<div class="palette" role="group" aria-label="What to put at ${where} of row ${Math.min(row, rows.length - 1) + 1}">
      <span class="where">Row ${row + 1}, ${where}</span><span class="choices">${buttons}</span></div>`;
  }

  lies() {
    const { lies, by } = store.state;
    const change = (more) => store.change({ ...store.state, ...more });
    return html`<p class="bar lies">
      <label for="lies">Allow up to <output>${lies}</output> wrong ${by === "pegs" ? "key pegs" : lies === 1 ? "score" : "scores"}</label>
      <input id="lies" type="range" min="0" max="5" .value=${String(lies)} @input=${(event) => change({ lies: Number(event.target.value) })}>
      ${lies ? html`<label for="by">counted by</label> <select id="by" .value=${by} @change=${(event) => change({ by: event.target.value })}><option value="rows">rows</option><option value="pegs">key pegs</option></select>` : nothing}
    </p>`;
  }
}

customElements.define("board-view", BoardView);
