// A game against the machine, in both roles. The server remembers nothing: the seed is the secret.

import { View, analysis, html, nothing, store } from "./view.js";
import { ask, words } from "./api.js";
import { boardLine, isWhole, spell } from "./notation.js";

const STRATEGIES = ["auto", "optimal", "knuth", "expected-size", "entropy", "most-parts", "sampled", "any-consistent", "random-consistent"];
const drawSeed = () => crypto.getRandomValues(new Uint32Array(1))[0] % 2 ** 31;

class PlayView extends View {
  mode = null; // null, "guess" or "keep"
  evil = false;
  strategy = "auto";
  message = "";

  connectedCallback() {
    super.connectedCallback();
    store.addEventListener("change", () => this.follow());
  }

  begin(mode, evil = false) {
    Object.assign(this, { mode, evil, seed: drawSeed(), message: "", isOver: false });
    analysis.isQuiet = mode === "guess";
    store.clear();
    analysis.refresh();
    if (mode === "keep") this.guess();
    else this.message = "I have a code. Type a guess and press Enter.";
    document.querySelector("board-view").move(0, 0);
    this.update();
  }

  end(message = "") {
    Object.assign(this, { mode: null, message });
    analysis.isQuiet = false;
    analysis.refresh();
    this.update();
  }

  // A guess without a score is complete: score it.
  async follow() {
    if (this.mode === "keep") return this.react();
    if (this.mode === "solve") return this.solve();
    if (this.mode !== "guess" || this.isBusy) return;
    const { game, rows } = store.state;
    const index = rows.findIndex((row) => row.guess.every((color) => color !== null) && row.score.every((part) => part === null));
    if (index < 0) return;
    this.isBusy = true;
    try {
      const asked = { seed: this.seed, evil: this.evil, lies: store.state.lies };
      const board = boardLine({ ...store.state, rows: rows.slice(0, index) });
      const { answer } = await ask("play", { ...asked, board, guess: spell(game, rows[index].guess) });
      store.changeRow(index, { score: answer.score });
      document.querySelector("board-view").move(index + 1, 0);
      if (answer.found) this.end(`Found in ${index + 1} ${index ? "guesses" : "guess"}. Well played.`);
    } catch (error) {
      this.message = words(error);
    } finally {
      this.isBusy = false;
      this.update();
    }
  }

  // Put a puzzle on the board: its code is the only one, and the analysis waits until it is asked for.
  async pose(grade) {
    this.message = "Making a puzzle ...";
    this.update();
    try {
      const { answer } = await ask("puzzle", { board: store.state.game.line, grade, seed: drawSeed() });
      Object.assign(this, { mode: "solve", solution: answer.code });
      analysis.isQuiet = true;
      await store.load(answer.board);
      this.message = `A puzzle of grade ${answer.grade}: which code gets all these scores? Type it below.`;
    } catch (error) {
      this.message = words(error);
    }
    this.update();
  }

  // In a puzzle a guess without a score is the answer.
  solve() {
    const answer = store.state.rows.findLast((row) => !row.guess.includes(null) && row.score.includes(null));
    if (!answer) return;
    const { guess } = answer;
    if (guess.join() === this.solution.join()) this.end("Right: that is the code.");
    else this.message = "Not that one: some row has another score for it.";
    this.update();
  }

  async giveUp() {
    if (this.mode === "solve") return this.end(`The code is ${spell(store.state.game, this.solution)}.`);
    const board = boardLine(store.state);
    try {
      const { answer } = await ask("play", { board, seed: this.seed, evil: this.evil, reveal: true });
      this.end(`The code ${this.evil ? "could still have been" : "was"} ${answer.code}.`);
    } catch (error) {
      this.end(words(error));
    }
  }

  // The machine guesses; the player scores.
  async guess() {
    if (this.isBusy) return;
    this.isBusy = true;
    this.message = "Thinking ...";
    this.update();
    try {
      const { answer } = await ask("suggest", { board: boardLine(store.state), others: 0, strategy: this.strategy, lies: store.state.lies });
      store.addRow(answer.guess);
      document.querySelector("board-view").move(store.cursor.row, store.state.game.pegs);
      this.message = answer.codes === "1" ? "I know your code. Score it." : "Score my guess.";
    } catch (error) {
      this.message = words(error);
    } finally {
      this.isBusy = false;
      this.update();
    }
  }

  // A score was given: the machine guesses again, unless it has found the code.
  async react() {
    const filled = store.state.rows.filter(isWhole).length;
    if (this.isBusy || filled !== store.state.rows.length - 1 || filled === this.scored) return;
    this.scored = filled;
    if (!filled) return;
    const { answer } = await ask("play", { board: boardLine(store.state) });
    if (answer.found) this.end(`I found it in ${filled} ${filled === 1 ? "guess" : "guesses"}.`);
    else this.guess();
  }

  view() {
    const { lies } = store.state;
    if (!this.mode) return html`
      <p class="bar"><label for="strategy">The machine guesses by</label>
        <select id="strategy" @change=${(event) => { this.strategy = event.target.value; }}>${STRATEGIES.map((name) => html`<option>${name}</option>`)}</select></p>
      ${lies ? html`<p>The codemaker may lie: up to ${lies} ${lies === 1 ? "score is" : "scores are"} wrong.</p>` : nothing}
      <p class="bar"><button @click=${() => this.begin("guess")}>I guess</button>
      <button @click=${() => this.begin("guess", true)}>I guess, you cheat fairly</button>
      <button @click=${() => this.begin("keep")}>You guess</button></p>
      <p class="bar"><label for="grade">A puzzle of grade</label>
        <select id="grade">${[1, 2, 3, 4, 5, 6].map((grade) => html`<option>${grade}</option>`)}</select>
        <button class="quiet" @click=${() => this.pose(Number(this.querySelector("#grade").value))}>Pose it</button></p>
      ${this.message ? html`<p role="status">${this.message}</p>` : html`<p class="hint">A codemaker who cheats fairly has chosen no code: each answer leaves as many codes as can be, and is always true of some.</p>`}`;
    return html`<p role="status">${this.message}</p>
      <p class="bar">${this.mode === "keep" ? nothing : html`<button class="quiet" @click=${() => this.giveUp()}>Show the code</button>`}
      <button class="quiet" @click=${() => this.end()}>End the game</button></p>`;
  }
}

customElements.define("play-view", PlayView);
