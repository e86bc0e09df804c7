// The best next guesses compared, and one of the user's beside them.

import { View, analysis, code, html, nothing, store } from "./view.js";
import { decimal, fraction, number, percent, scaled } from "./numbers.js";
import { spell } from "./notation.js";

const BY_GUESSES = "best-play";

class GuessesView extends View {
  view() {
    if (analysis.isQuiet) return html`<p class="hint">Hidden while you play.</p>`;
    const { suggest, check, own } = analysis.known;
    if (check?.answer?.verdict === "inconsistent") return html`<p class="hint">There is no code to look for until the scores agree.</p>`;
    return html`
      ${this.form(own)}
      ${suggest?.error ? html`<p class="fault">${suggest.error}</p>` : nothing}
      ${suggest?.answer ? this.table(suggest, own) : this.waiting(suggest)}`;
  }

  form(own) {
    const { game } = store.state;
    const submit = (event) => {
      event.preventDefault();
      analysis.compare(this.querySelector("#own").value.trim());
    };
    if (this.game !== game) {
      this.game = game; // the guess of another game goes
      const field = this.querySelector("#own");
      if (field) field.value = "";
    }
    return html`<form class="bar" @submit=${submit}>
      <label for="own">Your guess</label>
      <input id="own" type="text" size=${Math.max(6, Math.min(24, game.pegs + 2))} placeholder=${game.pegs > 12 ? "" : game.example.split("=")[0]} spellcheck="false" autocapitalize="off" aria-describedby="own-fault" aria-invalid=${own?.error ? "true" : "false"}>
      <button>Compare</button>
      <span id="own-fault" class="fault" role="alert">${own?.error ?? ""}</span>
    </form>`;
  }

  waiting(suggest) {
    if (suggest?.error) return nothing;
    return html`<p>${suggest?.isStopped ? "Stopped." : "Thinking …"}</p>`;
  }

  table({ answer, compared, isDone }, own) {
    const { game } = store.state;
    const key = (each) => each.guess.join();
    const guesses = compared?.guesses ?? [answer, ...answer.others];
    const mine = own?.compared?.guesses.find((each) => key(each) === key(own.own));
    const rows = mine && !guesses.some((each) => key(each) === key(mine)) ? [...guesses, mine] : guesses;
    if (compared && rows.every((each) => each.cost !== null)) rows.sort((one, other) => fraction(one.cost) - fraction(other.cost));
    const byGuesses = compared?.by === BY_GUESSES;
    const isKnown = isDone || (!store.state.lies && compared?.guesses[0].cost !== null); // the best one's cost comes first
    const isBest = (each) => isKnown && compared && each === guesses[0];
    const left = (each, value) => (answer.exact ? decimal(value) : scaled(fraction(value), answer.codes, each.judged_by));
    const cost = (each) => (each.cost === undefined || each.cost === null ? (isDone ? "–" : "…") : decimal(each.cost));
    return html`
    <p class="hint">${!compared || !isDone ? "Comparing …" : byGuesses
      ? "The best guess comes first: the one with the fewest guesses still to make on average."
      : "The best guess comes first: the one that leaves the fewest codes on average."}</p>
    <div class="scroll" tabindex="0" role="group" aria-label="Guesses compared"><table class="guesses">
      <thead><tr><th scope="col">guess</th>
        ${byGuesses ? html`<th scope="col" aria-sort="ascending">guesses still to make</th>` : nothing}
        <th scope="col" aria-sort=${byGuesses ? nothing : "ascending"}>codes left on average</th><th scope="col">at worst</th><th scope="col">is the code</th></tr></thead>
      <tbody>${rows.map((each) => html`<tr class="${each === mine || key(each) === (mine && key(mine)) ? "own" : ""} ${isBest(each) ? "best" : ""}">
        <td>${code(game, each.guess)} <span class="bar">
          <button class="quiet" aria-label="Put ${spell(game, each.guess)} on the board" @click=${() => this.take(each.guess)}>Use</button>
          ${isBest(each) ? html`<span class="tag">best</span>` : nothing}${mine && key(each) === key(mine) ? html`<span class="tag">yours</span>` : nothing}</span></td>
        ${byGuesses ? html`<td>${cost(each)}</td>` : nothing}
        <td>${left(each, each.expected)}</td>
        <td>${answer.exact ? number(each.worst) : left(each, String(each.worst))}</td>
        <td>${each.possible ? percent(each.chance) : "no"}</td></tr>`)}</tbody>
    </table></div>
    ${answer.expected_guesses && answer.codes !== "1" && !store.state.lies ? html`<p>Best play takes <strong>${decimal(answer.expected_guesses)}</strong> guesses on average from here.</p>` : nothing}
    ${answer.exact ? nothing : html`<p class="hint">Judged by ${number(answer.judged_by)} codes drawn at random.</p>`}`;
  }

  take(guess) {
    store.addRow(guess);
    const board = document.querySelector("board-view");
    board.move(store.cursor.row, store.cursor.cell);
  }
}

customElements.define("guesses-view", GuessesView);
