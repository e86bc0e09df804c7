// The menu for choosing a game, with the rules of the current game.

import { ask } from "./api.js";
import { number, quantity } from "./core/numbers.js";
import { codeNoun, placeWord, speak } from "./core/words.js";
import { faultView } from "./faults.js";
import { html, nothing, store, View } from "./view.js";

// The best-known games, which are listed first.
const FIRST = ["mastermind", "daily-word", "bulls-and-cows", "super", "grand"];

class GameView extends View {
  games = [];
  isByKey = false; // whether the list of games was last used by keys
  pending = null; // a game that was chosen by keys and has not been started

  connectedCallback() {
    super.connectedCallback();
    this.fetch();
  }

  // Load the list of games. If the request fails, it is repeated.
  fetch() {
    ask("games", {}).then(
      ({ answer }) => {
        const place = ({ name }) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
        this.games = answer.games.toSorted((one, other) => place(one) - place(other));
        this.update();
      },
      () => setTimeout(() => this.fetch(), 4000),
    );
  }

  // Start a game, given by its name or size.
  async begin(text) {
    const line = text.trim();
    this.pending = null;
    if (line) await store.start(line);
    this.update();
    const menu = this.querySelector("details");
    if (store.fault?.origin === "game" || !menu.open) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  }

  // If the arrow keys chose the game, it starts when the button is pressed, because each key press
  // chooses another game.
  choose({ target }) {
    if (!this.isByKey) return this.begin(target.value);
    this.pending = target.value;
    this.querySelector("#size").value = target.value || store.state.game.line;
  }

  // Return the name of the published game that is on the board, or "".
  get published() {
    const { line } = store.state.game;
    const same = this.games.filter((each) => each.game === line);
    return (same.find(({ name }) => name === line || name === "mastermind") ?? same[0])?.name ?? "";
  }

  update() {
    super.update();
    this.querySelector("#game").value = this.pending ?? this.published;
  }

  view() {
    const {
      fault,
      state: { game },
    } = store;
    const title = game.title ?? (game.definition ? "Your own game" : "Your own size");
    return html`<details class="menu game-menu">
      <summary aria-label="Game: ${title}, ${game.line}"><strong>${title}</strong> <span class="hint">${game.line}</span></summary>
      <div class="sheet">
      <form class="bar" @submit=${(event) => {
        event.preventDefault();
        this.begin(this.querySelector("#size").value);
      }}>
        <label for="game">Game</label>
        <select id="game" @keydown=${() => {
          this.isByKey = true;
        }} @pointerdown=${() => {
          this.isByKey = false;
        }} @change=${(event) => this.choose(event)}>
          <option value="">${game.definition ? "own game" : "own size"}: ${game.line}</option>
          ${this.games.map((each) => html`<option value=${each.name}>${each.title}, ${each.year} (${number(each.codes)} codes)</option>`)}
        </select>
        <label for="size">Name or size</label>
        <input id="size" type="text" size="8" spellcheck="false" autocapitalize="off" .value=${game.line} aria-describedby="rule">
        <button class="quiet">Start</button>
      </form>
      ${fault?.origin === "game" ? faultView(fault) : nothing}
      <p id="rule" class="hint">${quantity(game.pegs, game.words ? "letter" : placeWord(game))}, ${game.words ? "" : `${quantity(game.colors, game.noun)}, `}<span class="long">${quantity(game.codes, codeNoun(game))}</span>. ${sentence(speak(game, game.rule))} ${sentence(speak(game, game.repeats))}</p>
      </div></details>
      <p class="on-paper">${title} (${game.line}). ${sentence(speak(game, game.repeats))} ${sentence(speak(game, game.rule))}</p>`;
  }
}

const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;

customElements.define("game-view", GameView);
