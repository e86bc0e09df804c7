// The best next guesses compared, with a guess of the user. A guess shows how its score splits the codes.

import { spell } from "./core/notation.js";
import { decimal, estimated, fraction, number, percent, quantity } from "./core/numbers.js";
import { showScreen } from "./tabs.js";
import { analysis, code, html, nothing, score, store, View } from "./view.js";

const BY_GUESSES = "best-play";
const HOVER_MS = 250;
const MAX_PARTS = 40; // further scores are summed up
const CAN_HOVER = matchMedia("(hover: hover)");

const keyOf = ({ guess }) => guess.join();

class GuessesView extends View {
  static questions = ["check", "count", "suggest", "own", "split"];
  key = null; // the position that is shown
  open = null; // the key of the guess whose split is shown
  isPinned = false; // whether it stays when the pointer leaves
  #timer = 0;

  view() {
    if (analysis.isQuiet) return html`<p class="hint">Hidden while you play.</p>`;
    const { suggest, check, own } = analysis.known;
    if (check?.answer?.verdict === "inconsistent") {
      return html`<p class="hint">Correct the scores to get suggestions.</p>`;
    }
    if (this.key !== analysis.key) Object.assign(this, { key: analysis.key, open: null, isPinned: false });
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
      <input id="own" type="text" size=${Math.max(6, Math.min(24, game.pegs + 2))} spellcheck="false" autocapitalize="off"
        placeholder=${game.pegs > 12 ? "" : game.example.split("=")[0]} aria-describedby="own-fault" aria-invalid=${own?.error ? "true" : "false"}>
      <button class="quiet">Compare</button>
      <span id="own-fault" class="fault" role="alert">${own?.error ?? ""}</span>
    </form>`;
  }

  waiting(suggest) {
    if (suggest?.error) return nothing;
    return html`<p>${suggest?.isStopped ? "Stopped." : "Thinking …"}</p>`;
  }

  table(suggest, own) {
    const { answer, compared, isDone } = suggest;
    const guesses = compared?.guesses ?? [answer, ...answer.others];
    const mine = own?.compared?.guesses.find((each) => keyOf(each) === own.own.guess.join());
    const rows = mine && !guesses.some((each) => keyOf(each) === keyOf(mine)) ? [...guesses, mine] : [...guesses];
    if (compared && rows.every((each) => each.cost !== null)) {
      rows.sort((one, other) => fraction(one.cost) - fraction(other.cost));
    }
    const byGuesses = compared?.by === BY_GUESSES;
    const isKnown = isDone || (!store.state.lies && compared?.guesses[0].cost !== null); // the best one's cost comes first
    const best = isKnown && compared ? keyOf(guesses[0]) : null;
    const yours = mine ? keyOf(mine) : null;
    const { answer: counted } = analysis.known.count ?? {};
    const codes = answer.codes_exact ? answer.codes : counted?.exact ? counted.count : null;
    const context = { answer, codes, isDone, byGuesses, best, own: yours, columns: byGuesses ? 5 : 4 };
    const heading = (name, decides) =>
      html`<th scope="col" class=${decides ? "decides" : ""} aria-sort=${decides ? "ascending" : nothing}>${name}</th>`;
    // Texts whose length changes are below the table, so that it does not move under the pointer.
    return html`
      <div class="scroll" tabindex="0" role="group" aria-label="Guesses compared"><table class="guesses">
        <thead><tr><th scope="col">guess</th>
          ${byGuesses ? heading("guesses still to make", true) : nothing}
          ${heading("codes left on average", compared && !byGuesses)}
          <th scope="col">at worst</th><th scope="col">chance</th></tr></thead>
        <tbody>${rows.map((each) => this.row(each, context))}</tbody>
      </table></div>
      <p class="hint">${this.criterion(compared, isDone, byGuesses)} The number of codes left counts the secret code, too. <span class="how">${CAN_HOVER.matches ? "Point at" : "Tap"} a guess to see how it splits the codes.</span></p>
      ${answer.expected_guesses && answer.codes !== "1" && !store.state.lies ? html`<p>Best play needs <strong>${decimal(answer.expected_guesses)}</strong> more guesses on average.</p>` : nothing}
      ${answer.exact ? nothing : html`<p class="hint">Judged by ${number(answer.judged_by)} codes drawn at random.</p>`}`;
  }

  criterion(compared, isDone, byGuesses) {
    if (!compared || !isDone) return "Comparing …";
    return byGuesses
      ? "The best guess comes first: the one with the fewest guesses still to make on average."
      : "The best guess comes first: the one that leaves the fewest codes on average.";
  }

  row(each, { answer, codes, isDone, byGuesses, best, own, columns }) {
    const { game } = store.state;
    const key = keyOf(each);
    const spelled = spell(game, each.guess);
    const isOpen = this.open === key;
    const left = (value) => (answer.exact ? decimal(value) : estimated(fraction(value), codes, each.judged_by));
    const chance = answer.codes_exact ? each.chance : codes && `1/${codes}`;
    const cost = each.cost === undefined || each.cost === null ? (isDone ? "–" : "…") : decimal(each.cost);
    return html`<tr class="${key === own ? "own" : ""} ${key === best ? "best" : ""}"
        @pointerenter=${(event) => event.pointerType === "mouse" && this.hover(key)} @pointerleave=${() => this.leave()}>
      <td><button class="guess-split" aria-expanded=${isOpen} aria-label="How ${spelled} splits the codes" @click=${() => this.toggle(key)}>${code(game, each.guess)}</button>
        <span class="bar take"><button class="quiet" aria-label="Put ${spelled} on the board" @click=${() => this.take(each.guess)}>Use</button>
        ${key === best ? html`<span class="tag">best</span>` : nothing}${key === own ? html`<span class="tag">yours</span>` : nothing}</span></td>
      ${byGuesses ? html`<td>${cost}</td>` : nothing}
      <td>${left(each.expected)}</td>
      <td>${answer.exact ? number(each.worst) : left(String(each.worst))}</td>
      <td>${each.possible ? (chance ? percent(chance) : "possible") : "no"}</td></tr>
      ${isOpen ? html`<tr class="split"><td colspan=${columns}>${this.split(spelled)}</td></tr>` : nothing}`;
  }

  // The possible scores of a guess, each with the codes that it leaves.
  split(spelled) {
    const { game } = store.state;
    const found = analysis.known[`split ${spelled}`];
    if (found?.error) return html`<p class="fault">${found.error}</p>`;
    if (!found?.answer) return html`<p>${found?.isStopped ? "Stopped." : "Splitting …"}</p>`;
    const { parts, judged_by: total, exact } = found.answer;
    const rest = parts.slice(MAX_PARTS).reduce((sum, { codes }) => sum + codes, 0);
    const most = parts[0].codes;
    return html`<ul class="parts" aria-label="Scores of ${spelled}">
      ${parts.slice(0, MAX_PARTS).map(
        (part) => html`<li class=${part.wins ? "wins" : ""}><span class="part-score">${score(game, part.score)}</span>
          <meter min="0" max=${most} value=${part.codes} aria-hidden="true"></meter>
          <span>${exact ? quantity(part.codes, "code") : percent(`${part.codes}/${total}`)}</span></li>`,
      )}</ul>
      ${rest ? html`<p class="hint">${parts.length - MAX_PARTS} more scores leave ${quantity(rest, "code")} together.</p>` : nothing}`;
  }

  hover(key) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => !this.isPinned && this.show(key, false), HOVER_MS);
  }

  leave() {
    clearTimeout(this.#timer);
    if (this.isPinned || this.open === null) return;
    this.#timer = setTimeout(() => !this.isPinned && this.show(null, false), HOVER_MS);
  }

  toggle(key) {
    clearTimeout(this.#timer);
    const isShown = this.open === key && this.isPinned;
    this.show(isShown ? null : key, !isShown);
  }

  show(key, isPinned) {
    Object.assign(this, { open: key, isPinned });
    if (key !== null) {
      const guess = spell(store.state.game, key.split(",").map(Number));
      if (!analysis.known[`split ${guess}`]) analysis.ask("split", { guess }, `split ${guess}`);
    }
    this.update();
  }

  take(guess) {
    showScreen("board");
    store.addRow(guess);
    const board = document.querySelector("board-view");
    board.move(store.cursor.row, store.cursor.cell);
  }
}

customElements.define("guesses-view", GuessesView);
