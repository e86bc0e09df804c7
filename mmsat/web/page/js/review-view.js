// The review of a whole game: a graph, the cost and luck of every guess, and training with the
// guesses that were not good.

import { ask } from "./api.js";
import { board, spell } from "./core/notation.js";
import { decimal, fraction, log2, number, quantity } from "./core/numbers.js";
import { CLASSES, classify, difference, lessons, lossText, luckText, moveText } from "./core/review.js";
import { words } from "./faults.js";
import { announce } from "./live.js";
import { analysis, code, html, nothing, store, svg, View } from "./view.js";

const [WIDTH, HEIGHT, EDGE] = [480, 160, 28];
const MAX_DIGITS = 6; // of a number in the graph
const STEPS = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

class ReviewView extends View {
  static questions = ["review"];
  key = null; // the position that is shown
  at = 0; // the index of the guess that is shown
  lesson = null; // the guess to improve: {move, attempt}

  view() {
    if (analysis.isQuiet) return html`<p class="hint">Hidden while you play.</p>`;
    if (store.state.lies)
      return html`<p class="hint">A review assumes that every score is right. Set the number of wrong scores to 0.</p>`;
    if (this.key !== analysis.key) Object.assign(this, { key: analysis.key, at: 0, lesson: null });
    if (!analysis.indices.length) return html`<p class="hint">Enter the guesses and scores of a game to review it.</p>`;
    const { review } = analysis.known;
    if (!review || (review.isStopped && !review.answer)) {
      return html`<button data-focus @click=${() => analysis.ask("review")}>Review this game</button>`;
    }
    if (review.error) return html`<p class="fault">${review.error}</p>`;
    const found = review.answer;
    if (!found) return html`<p>Judging every guess …</p>`;
    if (!found.moves.length) return html`<p class="hint">There is no guess to judge.</p>`;
    return html`${this.summary(found)} ${this.graph(found.moves)} ${this.list(found.moves)} ${this.training(found.moves)}`;
  }

  summary({ skill, loss, by, moves }) {
    const lost = loss && lossText(loss, by);
    return html`<p>${skill === null ? nothing : html`Skill <strong>${Math.round(100 * skill)}</strong> of 100.`}
      ${quantity(moves.length, "guess").replace(/guesss$/, "guesses")}${lost ? `; together ${lost.replace("costs", "they cost").replace("leaves", "they leave")}` : ""}.</p>`;
  }

  // The place of a guess on the board, from 0.
  place(move) {
    return analysis.indices[move.row - 1];
  }

  list(moves) {
    return html`<ol class="moves" @keydown=${(event) => this.press(event, moves)} aria-label="Guesses; arrow keys step through them">
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
        <span class="cost">${lossText(move.loss, move.by)}</span>
        ${luck ? html`<span class="luck ${luck.split(" ")[0]}">${luck}</span>` : nothing}
      </button>
      ${
        isHere
          ? html`<div class="detail">
        ${move.loss === "0" ? nothing : html`<p>Best guess: ${code(game, move.best)}</p>`}
        ${move.codes_before && move.codes_after ? html`<p class="hint">${quantity(move.codes_before, "code")} before, ${quantity(move.codes_after, "code")} after.</p>` : nothing}
        ${moveText(game, move).map((text) => html`<p class="hint">${text}</p>`)}</div>`
          : nothing
      }
    </li>`;
  }

  press(event, moves) {
    const step = STEPS[event.key];
    const at = { Home: 0, End: moves.length - 1 }[event.key] ?? (step ? this.at + step : null);
    if (at === null || event.target.matches("input")) return;
    event.preventDefault();
    this.go(Math.min(moves.length - 1, Math.max(0, at)));
  }

  // Show a guess, and light up its row on the board.
  go(at) {
    this.at = at;
    const { moves } = analysis.known.review.answer;
    analysis.light(() => [this.place(moves[at])]);
    this.update();
    this.querySelector(".step[tabindex='0']").focus();
  }

  // Codes left after each guess, on a scale of bits; the color of a point is the class of its guess.
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
    return html`<svg class="graph" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label=${said}>
      <polyline points=${points}></polyline>
      ${bits.map(
        (
          value,
          n,
        ) => svg`<circle class="${kind(n)} ${n - 1 === this.at ? "here" : ""}" cx=${x(n)} cy=${y(value)} r="5" @click=${() => n && this.go(n - 1)}></circle>
        <text x=${x(n)} y=${y(value) - 10} text-anchor=${n ? "middle" : "start"} dx=${n ? 0 : -EDGE}>${counts[n].length > MAX_DIGITS ? decimal(counts[n]) : number(counts[n])}</text>
        <text x=${x(n)} y=${HEIGHT - 4} text-anchor="middle">${n ? this.place(moves[n - 1]) + 1 : "start"}</text>`,
      )}
    </svg><p class="hint">Codes left after each guess, on a logarithmic scale.</p>`;
  }

  training(moves) {
    const open = lessons(moves);
    if (!open.length) return nothing;
    if (!this.lesson) {
      const start = () => this.teach(open[0]);
      return html`<p class="bar"><button class="quiet" data-focus @click=${start}>Find better guesses (${open.length})</button>
        <span class="hint">For each guess that was inaccurate or worse.</span></p>`;
    }
    const { move, attempt } = this.lesson;
    const { game } = store.state;
    const next = open[open.indexOf(move) + 1];
    const submit = (event) => {
      event.preventDefault();
      this.judge(this.querySelector("#better").value.trim());
    };
    return html`<section class="lesson" aria-label="Find a better guess">
      <h3>Find a better guess for row ${this.place(move) + 1}</h3>
      <p>You played ${code(game, store.state.rows[this.place(move)].guess)}, which ${lossText(move.loss, move.by)}.
        ${move.codes_before ? html`${quantity(move.codes_before, "code")} were possible.` : nothing}</p>
      <form class="bar" @submit=${submit}><label for="better">Your guess</label>
        <input id="better" type="text" size=${Math.max(6, Math.min(24, game.pegs + 2))} spellcheck="false" autocapitalize="off">
        <button>Try it</button></form>
      <p role="status">${attempt ?? ""}</p>
      <p class="bar"><button class="quiet" @click=${() => this.reveal()}>Show the best guess</button>
        ${next ? html`<button class="quiet" @click=${() => this.teach(next)}>Next one</button>` : nothing}
        <button class="quiet" @click=${() => this.teach(null)}>Close</button></p></section>`;
  }

  teach(move) {
    this.lesson = move && { move, attempt: null };
    this.update();
    const field = this.querySelector("#better");
    if (!field) return;
    field.value = "";
    field.focus();
  }

  tell(text) {
    this.lesson = { ...this.lesson, attempt: text };
    announce(text);
    this.update();
  }

  reveal() {
    this.tell(`The best guess is ${spell(store.state.game, this.lesson.move.best)}.`);
  }

  // Compare a guess with the one that was played and with the best one.
  async judge(guess) {
    const { move } = this.lesson;
    const before = board(store.state, analysis.indices.slice(0, move.row - 1));
    try {
      const { compared, own } = await ask("suggest", { board: before, guess, others: 0, compare: true });
      if (this.lesson?.move !== move) return;
      const key = own.guess.join();
      const found = compared.guesses.find((each) => each.guess.join() === key);
      if (!found?.cost || compared.by !== move.by) return this.tell("This guess takes too long to judge.");
      const loss = difference(found.cost, move.best_cost);
      if (fraction(loss) <= 0) return this.tell("Yes: no guess is better.");
      const isBetter = fraction(found.cost) < fraction(move.cost);
      this.tell(`${isBetter ? "Better, but not the best" : "Not better"}: it ${lossText(loss, move.by)}.`);
    } catch (error) {
      if (this.lesson?.move === move) this.tell(words(error));
    }
  }
}

customElements.define("review-view", ReviewView);
