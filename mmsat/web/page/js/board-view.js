// The rows of the board and the palette. Everything can be done by keyboard, mouse and touch.

import { isEmpty, isWhole, UNREAD } from "./core/notation.js";
import { quantity } from "./core/numbers.js";
import { markName, markTitle, partWord, placeWord, speak } from "./core/words.js";
import { advance, back, enter, leave, openCell, point, settle, whyFinished, whyLocked, width } from "./cursor.js";
import { entries } from "./entries.js";
import { completed, flaw, match, withPart } from "./entry.js";
import { keysHelp } from "./keys-help.js";
import { liesChoice } from "./lies-choice.js";
import { addressFault, rowFault } from "./link-fault.js";
import { announce, announceEntry } from "./live.js";
import { closeMenu } from "./menus.js";
import { DRAGGED, palette } from "./pad.js";
import { cellText } from "./palette.js";
import { play } from "./play.js";
import { readText } from "./reading.js";
import { rowState } from "./row-state.js";
import { current, goToScreen } from "./tabs.js";
import { analysis, html, keys, markClass, nothing, partSign, peg, rowsClass, rowsStyle, store, View } from "./view.js";

const SEPARATORS = " .,;:=-/|";
const MIN_SCROLL_PX = 40; // about the height of a row
const SCROLL_CHECK_MS = 250;

class BoardView extends View {
  static stores = ["change", "cursor"];
  static questions = ["check", "explain", "used"];
  typed = ""; // the first characters of a symbol, typed into the cell of the cursor
  refusal = "";
  choice = 0; // the index of the button of the palette that Tab reaches
  last = { row: 0, cell: 0 }; // the previous position of the cursor
  isPutAway = false; // whether the docked palette of a phone is hidden
  scrolling = null; // a timer that checks whether the page was scrolled
  isPointing = false; // whether a pointer is about to click a cell, so that its focus does not move the cursor yet

  connectedCallback() {
    super.connectedCallback();
    play.addEventListener("change", () => this.update());
    entries.addEventListener("change", () => {
      this.typed = "";
    });
    document.addEventListener("keydown", (event) => this.pressAnywhere(event));
    document.addEventListener("paste", (event) => this.paste(event));
    new IntersectionObserver(([entry]) => this.classList.toggle("away", !entry.isIntersecting)).observe(
      this.querySelector(".rows"),
    );
    this.watchReading();
    // New notes, rows and answers move the row of the cursor. Keep it visible above the palette.
    const dock = new ResizeObserver(() => {
      this.measureDock();
      if (this.contains(document.activeElement)) this.showCursor();
    });
    dock.observe(this);
    addEventListener("resize", () => this.measureDock());
  }

  update() {
    const { row, cell } = store.cursor;
    if (row !== this.last.row || cell !== this.last.cell)
      Object.assign(this, { typed: "", choice: 0, last: { row, cell } });
    const focused = document.activeElement;
    const hadFocus = this.contains(focused);
    const isInRow = hadFocus && focused.matches(".rows .cell:not(.palette .cell)");
    super.update();
    // A button of the palette keeps the focus when answers arrive, unless the button was removed.
    const isLost = hadFocus && document.activeElement === document.body;
    if (isInRow || isLost || this.wantsFocus) this.focusCell();
    this.wantsFocus = false;
  }

  // On a phone, the palette is hidden when the analysis is touched or the page is scrolled.
  watchReading() {
    const isAnalysis = (target) => target.closest?.(".analysis, .verdict-more") !== null;
    document.addEventListener("click", ({ target }) => isAnalysis(target) && this.putAway(true), { capture: true });
    for (const kind of ["wheel", "touchmove"]) {
      const scrolls = ({ target }) => !target.closest?.(".palette, dialog, .sheet") && this.scrollFrom(scrollY);
      document.addEventListener(kind, scrolls, { passive: true });
    }
  }

  // Hide the palette if the page is scrolled by more than MIN_SCROLL_PX within SCROLL_CHECK_MS.
  scrollFrom(start) {
    this.scrolling ??= setTimeout(() => {
      this.scrolling = null;
      if (Math.abs(scrollY - start) > MIN_SCROLL_PX) this.putAway(true);
    }, SCROLL_CHECK_MS);
  }

  putAway(isPutAway) {
    if (this.isPutAway === isPutAway) return;
    const hadFocus = this.querySelector(".palette")?.contains(document.activeElement);
    this.isPutAway = isPutAway;
    this.classList.toggle("put-away", isPutAway);
    this.measureDock();
    if (hadFocus && !document.activeElement.checkVisibility()) this.focusCell();
  }

  // Set `--dock` to the height of the docked palette, for the style sheet.
  measureDock() {
    const palette = this.querySelector(".palette");
    const isDocked = palette && getComputedStyle(palette).position === "fixed";
    document.documentElement.style.setProperty("--dock", `${isDocked ? palette.offsetHeight : 0}px`);
  }

  // Enter a typed symbol into the board if nothing has the focus, or only a button that does not use the key.
  pressAnywhere(event) {
    const { target } = event;
    const isNowhere = target === document.body || target.closest?.("summary, button");
    const isFree = isNowhere && !event.defaultPrevented && event.key.length === 1 && event.key !== " ";
    if (!isFree || event.ctrlKey || event.metaKey || event.altKey || !this.checkVisibility()) return;
    this.focusCell();
    this.press(event);
  }

  // Replace the board by a text that is pasted outside of a text field.
  async paste(event) {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (event.target.closest?.("input, textarea") || !text.trim()) return;
    event.preventDefault();
    if (!this.checkVisibility()) goToScreen("board");
    if (play.mode) return this.deny("End the game before you paste a board.");
    const isRead = await readText(text, "address");
    if (!isRead) return this.querySelector(".fault")?.scrollIntoView({ block: "nearest" });
    this.focusCell();
    announce("The board was read.");
  }

  focusCell() {
    this.querySelector(".rows .cell[tabindex='0']")?.focus();
  }

  // Scroll the row of the cursor into view, unless the palette was hidden to read something else.
  showCursor() {
    if (this.isPutAway) return;
    this.querySelector(".rows .cell[tabindex='0']")?.closest(".row").scrollIntoView({ block: "nearest" });
  }

  get cursorRow() {
    return Math.min(store.cursor.row, play.shownRows - 1);
  }

  move(row, cell) {
    clearTimeout(this.scrolling);
    this.scrolling = null;
    this.putAway(false);
    const place = Math.min(Math.max(0, row), play.shownRows - 1);
    this.refuse("");
    this.wantsFocus = true;
    store.moveTo(place, Math.min(Math.max(0, cell), width() - 1));
  }

  refuse(text) {
    if (text) announce(text);
    this.refusal = text;
  }

  // Refuse an input, and show the reason at once. Returns false.
  deny(text) {
    this.refuse(text);
    this.update();
    return false;
  }

  // Put a value into the cell of the cursor. Returns whether the value is valid there.
  put(value) {
    const { row, cell } = store.cursor;
    const { game, rows } = store.state;
    const isUnread = value === UNREAD && play.hidesScores;
    const reason = whyLocked(row, cell) || (isUnread ? `A guess needs a ${game.noun} at each ${placeWord(game)}.` : "");
    if (reason) return this.deny(reason);
    if (cell < game.pegs) {
      store.setCell(row, cell, value);
      announceEntry(cellText(game, cell, value));
      return true;
    }
    const { score, emptied, refusal } = withPart(game, rows[row].score, cell - game.pegs, value);
    if (refusal) return this.deny(`This score cannot be: ${speak(game, refusal)}.`);
    const isFound = play.mode === "keep" && cell === game.pegs && value === game.pegs;
    store.changeRow(row, { score: (isFound && completed(game, score)) || score });
    announceEntry(cellText(game, cell, value));
    const names = emptied.map((n) => (game.marks.length ? `place ${n + 1}` : partWord(game, n)));
    if (names.length) this.refuse(`${names.join(", ")} of row ${row + 1} was emptied, as it no longer fits.`);
    return true;
  }

  choose(value) {
    const { cursor } = store;
    this.typed = "";
    this.refuse("");
    if (this.put(value)) {
      const { refusal } = this;
      advance(this, cursor);
      this.refuse(refusal);
      this.update();
    }
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest(".actions")) return;
    const { rows, game } = store.state;
    const { row, cell } = store.cursor;
    const done = {
      ArrowLeft: () => this.move(row, cell - 1),
      ArrowRight: () => this.move(row, cell + 1),
      ArrowUp: () => this.move(row - 1, cell),
      ArrowDown: () => this.move(row + 1, cell),
      Home: () => this.move(row, 0),
      End: () => this.move(row, width() - 1),
      Enter: () => enter(this),
      Backspace: () => this.erase(),
      Delete: () => this.remove(row),
    }[event.key];
    if (done) done();
    else if (event.key.length !== 1) return;
    else this.type(event.key, { game, rows, row, cell });
    event.preventDefault();
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
    } else if (value === null) back(this);
    else this.put(null);
  }

  // Handle a typed character: part of a symbol or a number, a mark, or a command.
  type(character, { game, rows, row, cell }) {
    const open = play.mode && whyLocked(row, cell) ? openCell() : null;
    if (open && match(game, open.cell, character)) {
      this.move(open.row, open.cell); // a character typed at a locked row belongs to the next open cell
      return this.type(character, { game, rows, ...open });
    }
    const reason = row < store.locked ? whyLocked(row, cell) : whyFinished();
    if (reason) return this.deny(reason);
    const text = this.typed + character;
    const found = match(game, cell, text);
    this.refuse("");
    if (found) return this.take(text, found);
    const isComplete = this.typed && match(game, cell, this.typed).value !== undefined;
    if (this.typed && SEPARATORS.includes(character)) {
      if (isComplete) advance(this, { row, cell });
      else this.refuse(this.unknown(game, cell, this.typed));
      return this.update();
    }
    if (isComplete && cell + 1 < width() && match(game, cell + 1, character)) {
      advance(this, { row, cell });
      this.typed = "";
      return this.type(character, { game, rows, row, cell: cell + 1 });
    }
    if (!this.typed && this.command(character.toUpperCase(), { game, rows, row, cell })) return;
    if (!this.typed && SEPARATORS.includes(character)) return;
    this.refuse(this.unknown(game, cell, text));
    this.update();
  }

  take(text, { value, isBegun }) {
    const { cursor } = store;
    if (value !== undefined && !this.put(value)) return;
    const { refusal } = this;
    this.typed = isBegun ? text : "";
    if (!isBegun) advance(this, cursor);
    this.refuse(refusal);
    this.update();
  }

  unknown(game, cell, text) {
    if (cell < game.pegs) return `“${text}” is no ${game.noun} of this game: ${game.range || `1 to ${game.colors}`}.`;
    if (game.marks.length)
      return `“${text}” is no mark: ${game.marks.map(({ symbol }) => `${symbol} ${markTitle(game, symbol)}`).join(", ")}.`;
    return `“${text}” is no number of ${partWord(game, cell - game.pegs)}: 0 to ${game.highest}.`;
  }

  // Increase a part of the score, ignore a row, or mark it as uncertain. Returns whether the letter is such a command.
  command(letter, { game, rows, row, cell }) {
    const index =
      game.marks.length || cell < game.pegs
        ? -1
        : game.parts.findIndex((name, n) => [name, partWord(game, n)].some((word) => word[0].toUpperCase() === letter));
    if (index >= 0) {
      this.add(index, rows[row].score);
      return true;
    }
    const flag = { I: "off", U: "unsure" }[letter];
    if (!flag || isEmpty(rows[row]) || play.hidesScores || play.showsResult) return false;
    this.flag(row, flag);
    return true;
  }

  // Add 1 to a part of the score. Other parts that are empty become 0.
  add(index, before) {
    const { game } = store.state;
    const { row, cell } = store.cursor;
    const score = before.map((part, n) => (n === index ? (typeof part === "number" ? part + 1 : 1) : (part ?? 0)));
    const isLow = score.every((part) => part === UNREAD || part <= game.highest);
    const reason = whyLocked(row, cell) || (isLow ? flaw(game, score) : `a part of a score is at most ${game.highest}`);
    if (reason) return this.deny(`This score cannot be: ${speak(game, reason)}.`);
    store.changeRow(row, { score });
    announceEntry(score.map((part, n) => cellText(game, game.pegs + n, part)).join(", "));
  }

  flag(index, name) {
    store.changeRow(index, { [name]: !store.state.rows[index][name] });
  }

  remove(index) {
    if (index < store.locked || play.showsResult) return this.deny(whyLocked(index, 0));
    if (!isEmpty(store.state.rows[index])) store.removeRow(index);
    this.move(index, 0);
    if (play.mode) settle(this);
  }

  // Put the next possible mark into a cell.
  cycle(index, cell) {
    const { game, rows } = store.state;
    const symbols = game.marks.map(({ symbol }) => symbol);
    const { score } = rows[index];
    const place = cell - game.pegs;
    const start = symbols.indexOf(String(score[place])) + 1;
    const next = symbols
      .map((_, n) => symbols[(start + n) % symbols.length])
      .find((mark) => !flaw(game, score.with(place, mark)));
    if (!next) return;
    store.setCell(index, cell, next);
    announceEntry(cellText(game, cell, next));
  }

  // Give the mark "absent" to all letters of a row without a mark, unless such a score is impossible.
  fillAbsent(index) {
    const { game, rows } = store.state;
    const score = rows[index].score.map((part) => part ?? this.absent);
    const reason = whyLocked(index, game.pegs) || flaw(game, score);
    if (reason) return this.deny(`This score cannot be: ${speak(game, reason)}.`);
    store.changeRow(index, { score });
    announceEntry(`The other letters of row ${index + 1} are ${markName(game, this.absent)}.`);
    leave(this, index);
  }

  // Return the symbol of the mark for letters that are not in the word, or undefined.
  get absent() {
    return store.state.game.marks.find(({ name }) => name === "absent")?.symbol;
  }

  // Return whether the buttons below the rows are useful.
  get hasTools() {
    const { state } = store;
    if (play.showsResult) return false;
    const canClear = !play.hidesScores && (state.rows.length > 1 || !isEmpty(state.rows[0]) || state.lies > 0);
    return canClear || store.canUndo || store.canRedo;
  }

  // Return whether there is a complete word without complete marks.
  get needsMarks() {
    const { game, rows } = store.state;
    return (
      game.words &&
      game.marks.length > 0 &&
      !play.hidesScores &&
      rows.some((row) => !row.guess.includes(null) && row.score.includes(null))
    );
  }

  view() {
    const { state, notice } = store;
    const isFixed = play.hidesScores && play.mode !== "solve"; // the palette is always above all rows
    return html`
      ${addressFault()}
      ${play.mode ? html`<p class="turn">${play.message}</p>` : nothing}
      <div ?hidden=${store.linkFault !== null} @keydown=${(event) => this.press(event)}>
        ${isFixed ? palette(this) : nothing}
        <div class=${rowsClass(state.game)} .style=${rowsStyle(state.game)} role="application" aria-label="Rows of guesses and scores">
          ${state.rows.slice(0, play.shownRows).map((row, index) => html`${this.row(row, index)}${index === this.cursorRow && !isFixed && !play.showsResult ? palette(this) : nothing}`)}
        </div>
      </div>
      <p class="refusal">${this.refusal}</p>
      ${play.complaint ? html`<p class="complaint" aria-hidden="true">${play.complaint}</p>` : nothing}
      ${this.needsMarks ? html`<p class="hint">Tap a letter to change its color.</p>` : this.invitation()}
      ${
        play.hidesScores
          ? html`<p class="bar"><button class="submit ${play.state.canRetry ? "quiet" : ""}" ?disabled=${!play.canSubmit} @click=${() => {
              this.wantsFocus = true;
              play.submit();
            }}>Make this guess</button></p>`
          : nothing
      }
      ${this.hasTools ? this.tools() : nothing}
      ${notice ? html`<p class="bar notice" role="status">${notice} ${store.canUndo && notice.includes("removed") ? html`<button class="quiet" @click=${() => store.undo()}>Bring back</button>` : nothing}</p>` : nothing}
      ${keysHelp(state.game, play.hidesScores)}`;
  }

  // Render an instruction on a board without a complete row, after the start page was closed.
  invitation() {
    const { game, rows } = store.state;
    if (play.mode || play.showsResult || current === null || store.linkFault || rows.some(isWhole)) return nothing;
    const things = quantity(game.pegs, game.noun);
    const score = game.marks.length
      ? `the mark of each ${game.noun}`
      : `the score: ${game.parts.map((_, n) => partWord(game, n)).join(", then ")}`;
    return html`<p class="invitation">Enter your first guess: ${things}, then ${score}. Go on with the other guesses in the same way.</p>`;
  }

  tools() {
    return html`<p class="bar tools">
        <button class="quiet" ?disabled=${!store.canUndo} @click=${() => store.undo()}>Undo</button>
        <button class="quiet" ?disabled=${!store.canRedo} @click=${() => store.redo()}>Redo</button>
        ${
          play.hidesScores
            ? nothing
            : html`<button class="quiet" @click=${() => {
                store.clear();
                settle(this);
              }}>Clear</button> ${liesChoice()}`
        }
      </p>`;
  }

  row(row, index) {
    const { game } = store.state;
    const { notes, classes } = rowState(row, index);
    const isUsed = analysis.used.has(index);
    const ringed = isUsed ? analysis.pegsOf(row) : [];
    const name = [`Row ${index + 1}`, ...(isUsed ? ["highlighted"] : []), ...notes].join(", ");
    return html`
      <div class="row ${classes.join(" ")}" role="group" aria-label=${name}>
        <span class="number" aria-hidden="true">${index + 1}</span>
        <span class="cells guess" @scroll=${({ target }) => this.alignRows(target.scrollLeft)}>${row.guess.map((color, n) => this.guessed(row, index, color, n, ringed.includes(n) ? "ringed" : ""))}</span>
        <span class="cells score ${game.marks.length ? "marks" : ""}">${play.hidesScores && index >= store.locked ? nothing : row.score.map((part, n) => this.scored(index, part, n))}</span>
        ${keys(game, row.score)}
        ${isEmpty(row) || play.hidesScores || play.showsResult ? nothing : this.actions(row, index + 1)}
        ${notes.length ? html`<span class="note">${notes.join(", ")}</span>` : nothing}
        ${rowFault(row)}
      </div>`;
  }

  // Scroll rows that are too long for a phone together.
  alignRows(left) {
    for (const cells of this.querySelectorAll(".cells.guess")) if (cells.scrollLeft !== left) cells.scrollLeft = left;
  }

  // Render the menu of a row.
  actions(row, number) {
    const act =
      (action) =>
      ({ target }) => {
        closeMenu(target);
        action();
        this.focusCell();
      };
    return html`<details class="menu actions" aria-label="Menu of row ${number}"><summary aria-label="Change row ${number}" title="Change this row">⋯</summary><div class="sheet">
      <button class="quiet" aria-pressed=${row.off} aria-label="Ignore row ${number}" @click=${act(() => this.flag(number - 1, "off"))}>Ignore this row</button>
      <button class="quiet" aria-pressed=${row.unsure} aria-label="Not sure of row ${number}" @click=${act(() => this.flag(number - 1, "unsure"))}>I am not sure of this score</button>
      <button class="quiet" aria-label="Remove row ${number}" @click=${act(() => this.remove(number - 1))}>Remove this row</button>
    </div></details>`;
  }

  // Return the typed characters of an incomplete symbol in a cell, or "".
  typedAt(index, cell) {
    const { cursor, state } = store;
    const isHere = this.typed && cursor.row === index && cursor.cell === cell;
    return isHere && match(state.game, cell, this.typed).value === undefined ? this.typed : "";
  }

  cell(index, cell, label, content, more = "", click = () => point(this, index, cell)) {
    const { cursor } = store;
    const here = this.cursorRow === index && cursor.cell === cell;
    return html`<button class="cell ${here ? "here" : ""} ${more}" tabindex=${here ? 0 : -1} aria-label=${label}
      @pointerdown=${() => {
        this.wasHere = here;
        this.isPointing = true;
      }} @pointercancel=${() => {
        this.isPointing = false; // the touch scrolls the page, so no click follows
      }}
      @dragover=${(event) => {
        if (event.dataTransfer.types.includes(DRAGGED)) event.preventDefault();
      }} @drop=${(event) => this.drop(event, index, cell)}
      @focus=${() => {
        if (this.isPointing) return;
        if (store.cursor.row !== index || store.cursor.cell !== cell) store.moveTo(index, cell);
      }} @click=${() => {
        this.isPointing = false;
        click();
      }}>${content}</button>`;
  }

  // Put a color into the cell to which it was dragged.
  drop(event, row, cell) {
    const color = event.dataTransfer.getData(DRAGGED);
    const { game } = store.state;
    if (!color || cell >= game.pegs) return;
    event.preventDefault();
    if (whyLocked(row, cell)) return point(this, row, cell);
    this.move(row, cell);
    this.choose(color === UNREAD ? UNREAD : Number(color));
  }

  // Render a peg of a guess, or the tile of a letter. In a complete word, a tap on a tile changes its mark,
  // and the palette has the marks.
  guessed(row, index, color, n, ring) {
    const { game } = store.state;
    const name = cellText(game, n, color);
    const typed = this.typedAt(index, n);
    if (!game.words || !game.marks.length) return this.cell(index, n, name, peg(game, color, null, typed), ring);
    const label = row.score[n] === null ? name : `${name}, ${markName(game, row.score[n])}`;
    const isMarked = !row.guess.includes(null) && !whyLocked(index, game.pegs + n);
    return this.cell(index, n, label, peg(game, color, row.score[n], typed), ring, () => {
      point(this, index, isMarked ? game.pegs + n : n);
      if (isMarked) this.cycle(index, game.pegs + n);
    });
  }

  scored(index, part, n) {
    const { game } = store.state;
    const cell = game.pegs + n;
    const label = cellText(game, cell, part);
    if (!game.marks.length) return this.cell(index, cell, label, html`${partSign(game, n)}<span>${part ?? "·"}</span>`);
    return this.cell(index, cell, label, part ?? "·", markClass(game, part), () => {
      point(this, index, cell);
      if (this.wasHere) this.cycle(index, cell);
    });
  }

  // Perform the action of a key, and keep the focus on the board.
  tap(action) {
    this.wantsFocus = true;
    action();
    this.update();
  }
}

customElements.define("board-view", BoardView);
