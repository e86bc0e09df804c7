// The review of a complete game: a graph, the cost and luck of each guess, and an exercise with
// the guesses that were not good.

import { ask } from "./api.js";
import { board, readCode, spell, UNREAD } from "./core/notation.js";
import { decimal, fraction, log2, number, quantity } from "./core/numbers.js";
import { CLASSES, classify, difference, lessons, lossText, luckText, moveText } from "./core/review.js";
import { codeNoun, refusal } from "./core/words.js";
import { entries } from "./entries.js";
import { words } from "./faults.js";
import { announce } from "./live.js";
import { choices, keyboard } from "./palette.js";
import { analysis, code, html, nothing, peg, store, svg, View } from "./view.js";

const [WIDTH, HEIGHT, EDGE] = [480, 160, 28];
const MAX_DIGITS = 6; // of a number in the graph; longer numbers are rounded
const STEPS = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

class ReviewView extends View {
  static questions = ["review"];
  key = null; // the key of the shown position
  game = analysis.game;
  at = 0; // the index of the shown guess
  lesson = null; // the guess that the exercise improves: {move, attempt, typed}; null outside of the exercise
  isHard = false; // whether the game is reviewed by the rules of hard mode
  #attemptText = () => this.lesson?.attempt ?? "";

  connectedCallback() {
    super.connectedCallback();
    this.closest("section").addEventListener("keydown", (event) => this.press(event));
    entries.addEventListener("change", () => this.follow());
  }

  // Follow Back and Forward into the exercise and out of it.
  follow() {
    const row = entries.place.lesson;
    const moves = analysis.known[this.name]?.answer?.moves ?? [];
    const move = moves.find((each) => each.row === row) ?? null;
    if (move !== (this.lesson?.move ?? null)) this.teach(move);
  }

  // Return the name of the shown answer.
  get name() {
    return this.isHard ? "review hard" : "review";
  }

  ask() {
    return analysis.ask("review", this.isHard ? { hard: true } : {}, this.name);
  }

  // Review the game, with or without the rules of hard mode, unless this answer was already requested.
  async begin(isHard) {
    Object.assign(this, { isHard, lesson: null });
    const asked = analysis.known[this.name] ? null : this.ask();
    this.update();
    await asked;
  }

  view() {
    if (analysis.isQuiet) return html`<p class="hint">Hidden while you play.</p>`;
    if (store.state.lies)
      return html`<p class="hint">A review assumes that every score is right. Set the number of wrong scores to 0.</p>`;
    if (this.game !== analysis.game) Object.assign(this, { game: analysis.game, isHard: false });
    if (this.key !== analysis.key) Object.assign(this, { key: analysis.key, at: 0, lesson: null });
    const count = analysis.indices.length;
    if (!analysis.indices.length) return html`<p class="hint">Enter the guesses and scores of a game to review it.</p>`;
    const review = analysis.known[this.name];
    if (!review || (review.isStopped && !review.answer)) {
      return html`<button class="minor" data-focus @click=${() => this.ask()}>Review this game</button> ${this.mode()}`;
    }
    if (review.error) return html`<p class="fault">${review.error}</p>`;
    const found = review.answer;
    const moves = found?.moves ?? [];
    if (!review.isDone || review.isStopped) {
      const at = `guess ${Math.min(moves.length + 1, count)} of ${count}`;
      return html`<p class="bar">${review.isStopped ? `Stopped at ${at}.` : `Judging ${at} …`}
        ${
          review.isStopped
            ? html`<button class="quiet" data-focus @click=${() => this.ask()}>Go on</button>`
            : html`<button class="quiet" data-focus @click=${() => analysis.stop()}>Stop</button>`
        }</p> ${moves.length ? this.list(moves) : nothing}`;
    }
    if (!moves.length) return html`<p class="hint">There is no guess to judge.</p>`;
    return html`${this.summary(found)} ${this.mode()} ${this.graph(moves)} ${this.list(moves)} ${this.training(moves)}`;
  }

  mode() {
    return html`<p><label><input type="checkbox" .checked=${this.isHard} @change=${({ target }) => this.begin(target.checked)}>
      Hard mode: compare only with guesses that use all scores</label></p>`;
  }

  summary({ skill, loss, by, moves }) {
    const lost = loss && lossText(loss, by, codeNoun(store.state.game));
    return html`<p>${skill === null ? nothing : html`Skill <strong>${Math.round(100 * skill)}</strong> of 100.`}
      ${quantity(moves.length, "guess").replace(/guesss$/, "guesses")}${lost ? `; together ${lost.replace("costs", "they cost").replace("leaves", "they leave")}` : ""}.</p>`;
  }

  // Return the index of the row of a guess on the board.
  place(move) {
    return analysis.indices[move.row - 1];
  }

  list(moves) {
    return html`<ol class="moves" aria-label="Guesses; arrow keys step through them, Escape shows the whole board">
      ${moves.map((move, n) => this.move(move, n))}</ol>`;
  }

  move(move, n) {
    const { game, rows } = store.state;
    const place = this.place(move);
    const kind = classify(move);
    const isHere = n === this.at;
    const luck = luckText(move);
    return html`<li class="move ${kind} ${isHere ? "here" : ""}">
      <button class="step" tabindex=${isHere ? 0 : -1} aria-current=${isHere ? "step" : nothing} @click=${() => this.go(n)}>
        <span class="number">${place + 1}</span> ${code(game, rows[place].guess)}
        <span class="class"><span aria-hidden="true">${CLASSES[kind].sign}</span> ${CLASSES[kind].text}</span>
        <span class="cost">${lossText(move.loss, move.by, codeNoun(store.state.game))}</span>
        ${luck ? html`<span class="luck ${luck.split(" ")[0]}">${luck}</span>` : nothing}
      </button>
      ${
        isHere && !this.lesson // the details would reveal the answer to the exercise
          ? html`<div class="detail">
        ${move.loss === "0" ? nothing : html`<p>Best guess: ${code(game, move.best)}</p>`}
        ${move.codes_before && move.codes_after ? html`<p class="hint">${quantity(move.codes_before, codeNoun(game))} before, ${quantity(move.codes_after, codeNoun(game))} after.</p>` : nothing}
        ${move.breach ? html`<p>Hard mode forbids this guess: it ignores row ${this.place({ row: move.breach }) + 1}.</p>` : nothing}
        ${moveText(game, move).map((text) => html`<p class="hint">${text}</p>`)}</div>`
          : nothing
      }
    </li>`;
  }

  // Move between the guesses by arrow keys, from everywhere in the panel.
  press(event) {
    if (event.key === "Escape") return this.leave(event);
    const { moves = [] } = (analysis.isQuiet ? null : analysis.known[this.name]?.answer) ?? {};
    const step = STEPS[event.key];
    const at = { Home: 0, End: moves.length - 1 }[event.key] ?? (step ? this.at + step : null);
    const isModified = event.ctrlKey || event.metaKey || event.altKey;
    if (at === null || !moves.length || this.lesson || isModified || event.target.matches("input")) return;
    event.preventDefault();
    this.go(Math.min(moves.length - 1, Math.max(0, at)));
  }

  // Leave the exercise or, outside of it, the earlier position that is shown.
  leave(event) {
    if (!this.lesson && !analysis.moment) return;
    event.preventDefault();
    if (this.lesson) return this.close();
    analysis.showMoment(null);
  }

  // Show a guess, and the board after this guess.
  go(at) {
    this.at = at;
    const { moves } = analysis.known[this.name].answer;
    analysis.showMoment({ place: this.place(moves[at]), codes: moves[at].codes_after });
    this.update();
    this.querySelector(".step[tabindex='0']").focus();
  }

  // Render the number of remaining codes after each guess, on a scale of bits. The color of a point
  // is the class of its guess.
  graph(moves) {
    const counts = [moves[0].codes_before, ...moves.map((move) => move.codes_after)];
    if (counts.includes(null)) return nothing;
    const bits = counts.map(log2);
    const most = Math.max(1, ...bits);
    const x = (n) => EDGE + (n * (WIDTH - 2 * EDGE)) / Math.max(1, counts.length - 1);
    const y = (value) => HEIGHT - EDGE - (value * (HEIGHT - 2 * EDGE)) / most;
    const points = bits.map((value, n) => `${x(n).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
    const said = `Codes left: ${counts.map(number).join(", then ")}.`;
    const kind = (n) => (n ? classify(moves[n - 1]) : "");
    const labels = counts.map((count) => (count.length > MAX_DIGITS ? decimal(count) : number(count)));
    // The first label starts at the left edge of the graph, and a long last label ends at its right edge.
    const isLast = (n) => n === counts.length - 1 && labels[n].length > 3;
    const shift = (n) => (n ? (isLast(n) ? EDGE : 0) : -EDGE);
    return html`<svg class="graph" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label=${said}>
      <polyline points=${points}></polyline>
      ${bits.map(
        (
          value,
          n,
        ) => svg`<circle class="${kind(n)} ${n - 1 === this.at ? "here" : ""}" cx=${x(n)} cy=${y(value)} r="5" @click=${() => n && this.go(n - 1)}></circle>
        <text x=${x(n)} y=${y(value) - 10} text-anchor=${n ? (isLast(n) ? "end" : "middle") : "start"} dx=${shift(n)}>${labels[n]}</text>
        <text x=${x(n)} y=${HEIGHT - 4} text-anchor="middle">${n ? this.place(moves[n - 1]) + 1 : "start"}</text>`,
      )}
    </svg><p class="hint">Codes left after each guess, on a logarithmic scale.</p>`;
  }

  training(moves) {
    const open = lessons(moves);
    if (!open.length) return nothing;
    if (!this.lesson) {
      const start = () => {
        entries.visit({ lesson: open[0].row });
        this.teach(open[0]);
      };
      return html`<p class="bar"><button class="quiet" data-focus @click=${start}>Find better guesses (${open.length})</button></p>`;
    }
    const { move, attempt, typed } = this.lesson;
    const { game } = store.state;
    const next = open[open.indexOf(move) + 1];
    const go = () => {
      entries.note({ lesson: next.row });
      this.teach(next);
    };
    const submit = (event) => {
      event.preventDefault();
      this.judge(this.querySelector("#better").value.trim());
    };
    return html`<section class="lesson" aria-label="Find a better guess">
      <h3>Find a better guess for row ${this.place(move) + 1}</h3>
      <p>You played ${code(game, store.state.rows[this.place(move)].guess)}, which ${lossText(move.loss, move.by, codeNoun(store.state.game))}.
        ${move.codes_before ? html`${quantity(move.codes_before, codeNoun(game))} were possible.` : nothing}</p>
      <form class="bar" @submit=${submit}><label for="better">Your guess</label>
        <input id="better" type="text" size=${Math.max(6, Math.min(24, game.pegs + 2))} spellcheck="false" autocapitalize="off" inputmode="none"
          .value=${typed} @input=${({ target }) => this.write(target.value)}>
        <button class="minor">Try it</button></form>
      ${this.keypad(typed)}
      <p role="status">${attempt ?? ""}</p>
      <p class="bar"><button class="quiet" @click=${() => this.reveal()}>Show the best guess</button>
        ${next ? html`<button class="quiet" @click=${go}>Next one</button>` : nothing}
        <button class="quiet" @click=${() => this.close()}>Close</button></p></section>`;
  }

  // Render the guess as far as it is entered, and a button for each color, because a phone shows no
  // keyboard for this field.
  keypad(typed) {
    const { game } = store.state;
    const entered = readCode(game, typed.toUpperCase())
      .filter((color) => color >= 1 && color <= game.colors)
      .slice(0, game.pegs);
    const offered = choices(game, 0).filter(({ value }) => value !== UNREAD);
    const add = (value) => this.write(spell(game, [...entered, value].slice(-game.pegs)));
    const button = ({ value, name, content }) =>
      html`<button class="cell" type="button" aria-label="put ${name}" @click=${() => add(value)}>${content}</button>`;
    const blanks = Array(game.pegs - entered.length).fill(null);
    const lines = keyboard(game, 0, offered);
    const keys = lines ? lines.map((line) => html`<span class="line">${line.map(button)}</span>`) : offered.map(button);
    return html`<p class="attempt" aria-hidden="true">${[...entered, ...blanks].map((color) => peg(game, color))}</p>
      <div class="keypad" role="group" aria-label="The ${game.noun}s">${keys}
        <button class="cell" type="button" aria-label="Delete" @click=${() => this.write(spell(game, entered.slice(0, -1)))}>⌫</button></div>`;
  }

  write(typed) {
    this.lesson = { ...this.lesson, typed };
    this.update();
  }

  // Start the exercise: let the user improve a guess, on the board before this guess. The value null ends the exercise.
  teach(move) {
    this.lesson = move && { move, attempt: null, typed: "" };
    if (move) this.at = analysis.known[this.name].answer.moves.indexOf(move);
    const place = move ? this.place(move) : null;
    analysis.showMoment(move && { place, codes: move.codes_before, isBefore: true });
    this.update();
    (this.querySelector("#better") ?? this.querySelector("[data-focus]"))?.focus();
  }

  // Leave the exercise in the same way as the browser's Back.
  close() {
    this.teach(null);
    if (entries.place.lesson !== null) history.back();
  }

  tell(text) {
    this.lesson = { ...this.lesson, attempt: text };
    announce(this.#attemptText);
    this.update();
    this.querySelector("#better")?.select(); // so that the next guess replaces this one
  }

  reveal() {
    this.tell(`The best guess is ${spell(store.state.game, this.lesson.move.best)}.`);
  }

  // Compare a guess with the guess that was played, and with the best guess.
  async judge(guess) {
    const { move } = this.lesson;
    const before = board(store.state, analysis.indices.slice(0, move.row - 1));
    try {
      const { isHard: hard } = this;
      if (hard) await ask("play", { board: before, guess, hard }); // throws if hard mode forbids the guess
      const { compared, own } = await ask("suggest", { board: before, guess, others: 0, hard, compare: true });
      if (this.lesson?.move !== move) return;
      const key = own.guess.join();
      const found = compared.guesses.find((each) => each.guess.join() === key);
      if (!found?.cost || compared.by !== move.by) return this.tell("This guess takes too long to judge.");
      const loss = difference(found.cost, move.best_cost);
      if (fraction(loss) <= 0) return this.tell("Yes: no guess is better.");
      const isBetter = fraction(found.cost) < fraction(move.cost);
      this.tell(
        `${isBetter ? "Better, but not the best" : "Not better"}: it ${lossText(loss, move.by, codeNoun(store.state.game))}.`,
      );
    } catch (error) {
      const { game, rows } = store.state;
      const [fault] = error.faults ?? [];
      const before = analysis.indices.map((index) => rows[index]);
      if (this.lesson?.move === move) this.tell((fault && refusal(game, before, fault)) || words(error));
    }
  }
}

customElements.define("review-view", ReviewView);
