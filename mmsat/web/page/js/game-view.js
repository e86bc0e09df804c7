// The choice of the game, its rule in a line, and the theme.

import { View, html, number, store } from "./view.js";
import { ask } from "./api.js";

const THEMES = ["auto", "light", "dark"];

class GameView extends View {
  games = [];
  theme = localStorage.getItem("theme") ?? "auto";

  connectedCallback() {
    this.paint();
    super.connectedCallback();
    ask("games", {}).then(({ answer }) => {
      this.games = answer.games;
      this.update();
    }, () => {});
  }

  paint() {
    if (this.theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = this.theme;
  }

  cycle() {
    this.theme = THEMES[(THEMES.indexOf(this.theme) + 1) % THEMES.length];
    localStorage.setItem("theme", this.theme);
    this.paint();
    this.update();
  }

  // Begin a game by its name or size; the rows of another are kept in the history.
  async begin(text) {
    const line = text.trim();
    if (line) await store.load(line);
  }

  view() {
    const { game } = store.state;
    return html`
      <form class="bar" @submit=${(event) => { event.preventDefault(); this.begin(this.querySelector("#size").value); }}>
        <label for="game">Game</label>
        <select id="game" @change=${(event) => this.begin(event.target.value)}>
          <option value="" selected>choose ...</option>
          ${this.games.map((each) => html`<option value=${each.name}>${each.title}, ${each.year} (${number(each.codes)} codes)</option>`)}
        </select>
        <label for="size">or size</label>
        <input id="size" type="text" size="8" spellcheck="false" autocapitalize="off" .value=${game.line} aria-describedby="rule">
        <button>Start</button>
        <button type="button" class="quiet" @click=${() => this.cycle()}>Theme: ${this.theme}</button>
      </form>
      <p id="rule" class="hint">${game.pegs} pegs, ${game.colors} ${game.noun}s, ${number(game.codes)} codes. ${sentence(game.rule)}</p>`;
  }
}

const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;

customElements.define("game-view", GameView);
