// The position and its history. Views show it and change it through these functions only.

import { CLASSIC, UNREAD, address, decode, emptyRow, isEmpty, readAddress } from "./notation.js";
import { ask, words } from "./api.js";

const LONGEST = 500;

class Store extends EventTarget {
  state = { game: CLASSIC, rows: [emptyRow(CLASSIC)], lies: 0, by: "rows" };
  cursor = { row: 0, cell: 0 };
  past = [];
  future = [];
  fault = null;

  tell(kind) {
    this.dispatchEvent(new Event(kind));
  }

  // Take a new state; the old one can be had back.
  change(next) {
    this.past = [...this.past.slice(-LONGEST), this.state];
    this.future = [];
    this.show(next);
  }

  show(next) {
    const rows = next.rows.filter((row, index) => index === next.rows.length - 1 || !isEmpty(row));
    if (!rows.length || !isEmpty(rows.at(-1))) rows.push(emptyRow(next.game));
    this.state = { ...next, rows };
    this.cursor = {
      row: Math.min(this.cursor.row, rows.length - 1),
      cell: Math.min(this.cursor.cell, next.game.pegs + next.game.parts.length - 1),
    };
    this.fault = null;
    const hash = address(this.state);
    if (hash !== decode(location.hash)) history.pushState(null, "", hash);
    this.tell("change");
  }

  undo() {
    if (!this.past.length) return;
    this.future = [this.state, ...this.future];
    this.show(this.past.pop());
  }

  redo() {
    if (!this.future.length) return;
    this.past = [...this.past, this.state];
    const [next, ...later] = this.future;
    this.future = later;
    this.show(next);
  }

  moveTo(row, cell) {
    this.cursor = { row, cell };
    this.tell("cursor");
  }

  changeRow(index, change) {
    const rows = this.state.rows.map((row, n) => (n === index ? { ...row, ...change } : row));
    this.change({ ...this.state, rows });
  }

  setCell(index, cell, value) {
    const { game, rows } = this.state;
    const key = cell < game.pegs ? "guess" : "score";
    const place = cell < game.pegs ? cell : cell - game.pegs;
    this.changeRow(index, { [key]: rows[index][key].with(place, value) });
  }

  removeRow(index) {
    this.change({ ...this.state, rows: this.state.rows.filter((_, n) => n !== index) });
  }

  addRow(guess, score) {
    const empty = emptyRow(this.state.game);
    const row = { ...empty, guess, score: score ?? empty.score };
    this.change({ ...this.state, rows: [...this.state.rows.filter((r) => !isEmpty(r)), row] });
    this.moveTo(this.state.rows.indexOf(row), score ? 0 : this.state.game.pegs);
  }

  clear(game = this.state.game) {
    this.cursor = { row: 0, cell: 0 };
    this.change({ game, rows: [], lies: this.state.lies, by: this.state.by });
  }

  // Read a board in any notation; where it is none, the fault is shown.
  async load(text, extras = {}) {
    try {
      const { answer } = await ask("board", { board: text });
      const rows = answer.rows.map((row, index) => ({
        guess: row.guess.map((color) => color ?? UNREAD),
        score: row.score.map((part) => part ?? UNREAD),
        off: extras.off?.has(index + 1) ?? false,
        unsure: extras.unsure?.has(index + 1) ?? false,
      }));
      const { lies = this.state.lies, by = this.state.by } = extras;
      this.change({ game: answer.game, rows, lies, by });
      this.moveTo(this.state.rows.length - 1, 0);
    } catch (error) {
      this.fault = { text, message: words(error), faults: error.faults ?? [] };
      this.tell("change");
    }
  }

  // Go where the address says.
  async follow() {
    const found = readAddress(location.hash);
    if (!found.line) this.show(this.state);
    else if (decode(location.hash) !== address(this.state))
      await this.load(found.line, found);
  }
}

export const store = new Store();
