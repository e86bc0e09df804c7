// The panel in which games and puzzles begin and end.

import { View, html, nothing, store } from "./view.js";
import { play } from "./play.js";

const STRATEGIES = ["auto", "optimal", "knuth", "expected-size", "entropy", "most-parts", "sampled", "any-consistent", "random-consistent"];

class PlayView extends View {
  connectedCallback() {
    super.connectedCallback();
    play.addEventListener("change", () => this.update());
  }

  begin(mode, evil = false) {
    play.begin(mode, evil);
    const board = document.querySelector("board-view");
    if (mode === "keep") play.addEventListener("shown", () => board.focusCell(), { once: true });
    else board.move(0, 0);
  }

  view() {
    const { message, mode, retry, before } = play;
    return html`
      <p class="play-message">${message}</p>
      ${retry ? html`<p class="bar"><button @click=${() => retry()}>Try again</button></p>` : nothing}
      ${mode ? this.game() : this.offers()}
      ${before ? html`<p class="bar"><button class="quiet" @click=${() => play.goBack()}>Back to my board of before</button></p>` : nothing}`;
  }

  game() {
    return html`<p class="bar">
      ${play.hidesScores ? html`<button ?disabled=${!play.canSubmit} @click=${() => play.submit()}>Make this guess</button>` : nothing}
      ${play.hidesScores ? html`<button class="quiet" @click=${() => play.giveUp()}>Show the code</button>` : nothing}
      <button class="quiet" @click=${() => play.end()}>End the game</button></p>`;
  }

  offers() {
    const { lies } = store.state;
    if (play.isMaking) return html`<p class="bar"><button class="quiet" @click=${() => play.stopMaking()}>Stop</button></p>`;
    return html`
      <p class="bar"><label for="strategy">The machine guesses by</label>
        <select id="strategy" @change=${(event) => { play.strategy = event.target.value; }}>${STRATEGIES.map((name) => html`<option ?selected=${name === play.strategy}>${name}</option>`)}</select></p>
      ${lies ? html`<p>The codemaker may lie: up to ${lies} ${lies === 1 ? "score is" : "scores are"} wrong.</p>` : nothing}
      <p class="bar"><button @click=${() => this.begin("guess")}>I guess</button>
      <button @click=${() => this.begin("guess", true)}>I guess, you cheat fairly</button>
      <button @click=${() => this.begin("keep")}>You guess</button></p>
      <p class="bar"><label for="grade">A puzzle of grade</label>
        <select id="grade">${[1, 2, 3, 4, 5, 6].map((grade) => html`<option>${grade}</option>`)}</select>
        <button class="quiet" @click=${() => play.pose(Number(this.querySelector("#grade").value))}>Pose it</button></p>
      <p class="hint">A codemaker who cheats fairly has chosen no code: each answer leaves as many codes as can be, and is always true of some.</p>`;
  }
}

customElements.define("play-view", PlayView);
