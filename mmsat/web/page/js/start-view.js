// The start page, which replaces the tabs while the board is empty: three ways to start, and examples.

import { ask } from "./api.js";
import { isEmpty } from "./core/notation.js";
import { shortScore } from "./core/words.js";
import { current, goToScreen, leaveStart, openTab } from "./tabs.js";
import { canDrawKeys, html, keys, nothing, peg, store, View } from "./view.js";

const EXAMPLES = [
  { title: "Which score is wrong?", text: "Mastermind", line: "4x6/1122=1.1/3344=1.0/1356=2.1/1435=1.3" },
  { title: "Three guesses, what next?", text: "Super Mastermind", line: "5x8/11223=1.1/14356=1.2/15647=0.2" },
  { title: "What is still possible?", text: "Bulls and cows", line: "bulls-and-cows/0123=1.1/0456=1.1/0517=0.2" },
  { title: "Which words still fit?", text: "Daily word game", line: "daily-word/CRANE=-YY--/MARSH=YYY--" },
  { title: "Colors and shapes", text: "Grand Mastermind", line: "4x5x5/1A2B3C4D=1.1.1/1E2E3A4B=1.0.2" },
  { title: "Earlier or later in the alphabet", text: "Secret Search", line: "secret-search-4/MILK=EELR" },
];

class StartView extends View {
  positions = []; // the positions of the examples, as the server describes them; empty until they are loaded

  update() {
    const isUsed = !store.state.rows.every(isEmpty);
    if (isUsed && current === null) {
      const hadFocus = this.contains(document.activeElement);
      openTab("guesses");
      if (hadFocus) document.querySelector("board-view").focusCell();
    }
    if (this.hidden) return;
    super.update();
    if (!this.isAsked) this.fetch();
  }

  async fetch() {
    this.isAsked = true;
    try {
      const answers = await Promise.all(EXAMPLES.map(({ line }) => ask("board", { board: line })));
      this.positions = answers.map(({ answer }) => answer);
      this.update();
    } catch {
      this.isAsked = false; // until the next update loads the positions, only the titles are shown
    }
  }

  // Leave the start page for the board, which shows what to enter, and open a tab next to it.
  board(tab) {
    leaveStart(tab);
    const view = document.querySelector("board-view");
    view.move(0, 0);
    view.update();
    scrollTo(0, 0);
  }

  view() {
    return html`
      <div class="doors">
        <button class="door" @click=${() => this.board("why")}><strong>Find the mistake in my game</strong> <span>Enter the guesses and their scores. You see which score is wrong.</span></button>
        <button class="door" @click=${() => this.board("guesses")}><strong>Help me guess</strong> <span>The best next guess, and every code that is still possible.</span></button>
        <button class="door" @click=${() => {
          goToScreen("play");
          document.querySelector(".play").focus();
        }}><strong>Play</strong> <span>Guess a code, let the computer guess yours, or solve a puzzle.</span></button>
      </div>
      <h2>Examples</h2>
      <ul class="gallery">${EXAMPLES.map(
        (example, n) => html`<li><button class="quiet" @click=${() => store.load(example.line)}>
        <strong>${example.title}</strong> <span class="hint">${example.text}</span>${this.drawing(this.positions[n])}</button></li>`,
      )}</ul>
      <p class="hint">Do you have a board as text, a file, or a shared grid of squares? <button class="link" @click=${() => {
        leaveStart("share");
        document.querySelector("#paste").focus();
      }}>Paste it</button></p>`;
  }

  // Render the score as key pegs or in words. Marks of a word are shown as the colors of its tiles.
  score(game, parts) {
    if (game.words && game.marks.length) return nothing;
    return canDrawKeys(game, parts) ? keys(game, parts) : html`<span class="given">${shortScore(game, parts)}</span>`;
  }

  drawing(position) {
    if (!position) return nothing;
    const { game, rows } = position;
    return html`<span class="thumbnail" aria-hidden="true">${rows.map((row) => html`<span>${row.guess.map((color, n) => peg(game, color, game.words && game.marks.length ? row.score[n] : null))}${this.score(game, row.score)}</span>`)}</span>`;
  }
}

customElements.define("start-view", StartView);
