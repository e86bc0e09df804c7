// The position and its history for Undo. Views show the position, and change it only through these methods.

import { ask } from "./api.js";
import { address, CLASSIC, decode, emptyRow, isEmpty, isWhole, readAddress, UNREAD } from "./core/notation.js";
import { draftOf, separate } from "./core/repair.js";
import { entries } from "./entries.js";
import { isOffline, words } from "./faults.js";

const LONGEST = 500; // the maximum number of past states

class Store extends EventTarget {
  state = { game: CLASSIC, rows: [emptyRow(CLASSIC)], lies: 0, by: "rows" };
  cursor = { row: 0, cell: 0 };
  isFilling = false; // whether the user is filling in the row of the cursor; no answer moves the cursor then
  past = [];
  future = [];
  fault = null; // {origin, text, message, faults}: the error in the last text that was read
  notice = ""; // a message about the last change, such as the number of removed rows
  locked = 0; // the number of first rows that belong to a game and cannot be changed
  floor = 0; // the number of past states that Undo cannot restore
  #loads = 0;
  // Whether the position of the address is being shown, which adds no entry to the history of the browser.
  #isFollowing = false;
  #unread = null; // {hash, fault}: the address that cannot be read, and the reason

  // Return whether the position of the address is unknown, because the address has an error or the server cannot be
  // reached. Then the position cannot be changed.
  get isUnread() {
    return this.#unread !== null && this.#unread.hash === location.hash;
  }

  // Return the error of an address of which nothing can be read. Null while the server cannot be reached.
  get linkFault() {
    return this.isUnread && !this.#unread.fault.isOffline ? this.#unread.fault : null;
  }

  tell(kind) {
    this.dispatchEvent(new Event(kind));
  }

  // Set a new state. Undo restores the old state. `isEntry` means that the user is filling in a row (see `isFilling`).
  change(next, isEntry = false) {
    if (this.isUnread) return;
    this.isFilling = isEntry;
    const dropped = Math.max(0, this.past.length - LONGEST);
    this.past = [...this.past.slice(dropped), this.state];
    this.floor = Math.max(0, this.floor - dropped);
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
    this.notice = "";
    const hash = address(this.state);
    if (decode(hash) === decode(location.hash)) {
      if (!entries.position) entries.replace(this.state);
    } else if (this.#isFollowing) entries.replace(this.state, hash);
    else entries.goTo(this.state, hash);
    this.tell("change");
  }

  // Replace the current state. Undo does not revert this change separately.
  amend(next) {
    this.show(next);
  }

  // Lock the first rows against changes, and prevent Undo from restoring any state before the current one.
  lock(rows) {
    Object.assign(this, { locked: rows, floor: this.past.length });
    this.tell("cursor");
  }

  unlock() {
    Object.assign(this, { locked: 0, floor: 0 });
    this.tell("cursor");
  }

  // Remove the oldest past state.
  forgetFirst() {
    this.past.shift();
    this.tell("cursor");
  }

  get canUndo() {
    return this.past.length > this.floor;
  }

  get canRedo() {
    return this.future.length > 0;
  }

  undo() {
    if (!this.canUndo) return;
    this.future = [this.state, ...this.future];
    this.isFilling = false;
    this.show(this.past.pop());
  }

  redo() {
    if (!this.canRedo) return;
    this.past = [...this.past, this.state];
    const [next, ...later] = this.future;
    this.future = later;
    this.isFilling = false;
    this.show(next);
  }

  moveTo(row, cell) {
    this.cursor = { row, cell };
    this.isFilling = true;
    this.tell("cursor");
  }

  // Note that the user has completed the row of the cursor, so that the next guess may move the cursor.
  finishRow() {
    this.isFilling = false;
  }

  changeRow(index, given) {
    const isEntry = Boolean(given.guess || given.score);
    const change = isEntry ? { assumed: false, before: undefined, ...given } : given;
    const changed = { ...this.state.rows[index], ...change };
    if (isWhole(changed)) delete changed.broken;
    this.change({ ...this.state, rows: this.state.rows.with(index, changed) }, isEntry);
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

  // Put a guess into the first row with an incomplete guess and without a score. The empty last row
  // is always such a row.
  addRow(guess) {
    const { game, rows } = this.state;
    const index = rows.findIndex((row) => row.guess.includes(null) && row.score.every((part) => part === null));
    this.changeRow(index, { ...emptyRow(game), guess });
    this.moveTo(index, game.pegs);
  }

  // Empty the board. A notice offers to restore its rows.
  clear(game = this.state.game) {
    if (this.linkFault) this.#unread = null;
    const count = this.state.rows.filter((row) => !isEmpty(row)).length;
    this.cursor = { row: 0, cell: 0 };
    this.change({ game, rows: [], lies: this.state.lies, by: this.state.by });
    this.#tellRemoved(count);
  }

  #tellRemoved(count) {
    if (!count) return;
    this.notice = count === 1 ? "1 row was removed." : `${count} rows were removed.`;
    this.tell("cursor");
  }

  // Show a position as the server describes it, and insert the rows that could not be read
  // (`extras.broken`) at their indices.
  accept(position, extras = {}) {
    const read = position.rows.map((row) => ({
      guess: row.guess.map((color) => color ?? UNREAD),
      score: row.score.map((part) => part ?? UNREAD),
    }));
    for (const [place, broken] of extras.broken ?? []) read.splice(place, 0, draftOf(position.game, broken));
    const rows = read.map((row, index) => ({
      ...row,
      off: extras.off?.has(index + 1) ?? false,
      unsure: extras.unsure?.has(index + 1) ?? false,
      assumed: extras.assumed?.has(index + 1) ?? false,
    }));
    const { lies = this.state.lies, by = this.state.by, puzzle = false } = extras;
    this.#unread = null;
    this.change({ game: position.game, rows, lies, by, puzzle });
    this.notice = (extras.warnings ?? []).join(" ");
    // The first row with an error, or the empty last row.
    const open = this.state.rows.findIndex((row) => !isWhole(row));
    const { guess, score } = this.state.rows[open];
    this.moveTo(open, [...guess, ...score].indexOf(null));
  }

  // Start a game, unless it is already on the board.
  async start(text) {
    const found = await this.#read(text, "game");
    if (!found) return;
    const { answer: position, sentences: warnings } = found;
    if (!position.rows.length && position.board === this.state.game.line) {
      this.notice = "This game is on the board.";
      this.tell("cursor");
      return;
    }
    const count = this.state.rows.filter((row) => !isEmpty(row)).length;
    this.accept(position, { warnings });
    this.#tellRemoved(count);
  }

  // Read a board in any notation. If the text is not a board, the error is shown where the text came from (`origin`).
  // Returns whether the board was read.
  async load(text, extras = {}, origin = "address") {
    const found = await this.#read(text, origin);
    if (found) this.#take(found, extras);
    return found !== null;
  }

  #take({ answer, sentences, broken }, extras) {
    this.accept(answer, { ...extras, warnings: sentences, broken });
  }

  // Ignore the answer for the text that the server is reading.
  abandonReading() {
    this.#loads += 1;
  }

  // Return the position of a text and its warnings, or null if the text has an error or another
  // text was read meanwhile.
  async #read(text, origin) {
    const load = ++this.#loads;
    const isLink = origin === "address" && text === readAddress(location.hash).line;
    try {
      const found = await ask("board", { board: text });
      return load === this.#loads ? found : null;
    } catch (error) {
      const found = isLink && !isOffline(error) ? await this.#readRows(text, error.faults) : null;
      if (load !== this.#loads) return null;
      if (found) return found;
      if (isOffline(error) && isLink && this.#recover()) return null;
      const later = isOffline(error) && isLink ? " The board of this link is shown when the server is back." : "";
      const message = `${words(error)}${later}`;
      const fault = { origin, text, message, faults: error.faults ?? [], isOffline: isOffline(error) };
      // The address stays unchanged until it can be read.
      if (isLink) this.#unread = { hash: location.hash, fault };
      this.fault = fault;
      this.tell("change");
      return null;
    }
  }

  // Return the readable rows of a link, and the rows with errors by their indices; null if nothing can be read.
  async #readRows(text, faults) {
    const parts = separate(text, faults);
    if (!parts) return null;
    try {
      return { ...(await ask("board", { board: parts.readable })), broken: parts.broken };
    } catch {
      return null;
    }
  }

  // If the browser has stored a position with the address, show it while the server cannot be
  // reached. Returns whether there is one.
  #recover() {
    const kept = entries.position;
    if (!kept || address(kept) !== decode(location.hash)) return false;
    this.show(kept);
    return true;
  }

  // Show the position of the address. If its rows are already on the board, they are read again only if `isAnew`.
  async follow(isAnew = false) {
    const given = readAddress(location.hash);
    const isShown = !isAnew && decode(location.hash) === decode(address(this.state));
    if (!given.line || (isShown && this.fault?.origin === "address")) return this.#arrive(() => this.show(this.state));
    if (isShown) return;
    const found = await this.#read(given.line, "address");
    if (found) this.#arrive(() => this.#take(found, given));
  }

  // Show the position of the address without adding an entry to the history of the browser.
  #arrive(show) {
    this.#isFollowing = true;
    show();
    this.#isFollowing = false;
  }
}

export const store = new Store();
