// The best next guesses compared with each other and with a guess of the user. Each guess shows how its score splits
// the codes.

import { spell } from "./core/notation.js";
import { decimal, estimated, fraction, number, percent, quantity } from "./core/numbers.js";
import { codeNoun } from "./core/words.js";
import { goToScreen } from "./tabs.js";
import { analysis, code, html, nothing, pegsInLine, score, store, View } from "./view.js";

const BY_GUESSES = "best-play";
const HOVER_MS = 250;
const MAX_PARTS = 40; // the codes of further scores are added up
const CAN_HOVER = matchMedia("(hover: hover)");

const keyOf = ({ guess }) => guess.join();

class GuessesView extends View {
  static questions = ["check", "count", "suggest", "own", "split"];
  key = null; // the key of the shown position
  open = null; // the key of the guess whose split is shown
  #timer = 0;

  view() {
    this.style.setProperty("--pegs", String(pegsInLine(store.state.game)));
    if (analysis.isQuiet) return html`<p class="hint">Hidden while you play.</p>`;
    const { suggest, check, own } = analysis.known;
    if (check?.answer?.verdict === "inconsistent") {
      return html`<p class="hint">Correct the scores to get suggestions.</p>`;
    }
    if (this.key !== analysis.key) Object.assign(this, { key: analysis.key, open: null });
    return html`
      ${this.form(own)}
      ${suggest?.error ? html`<p class="fault">${suggest.error}</p>` : nothing}
      ${suggest?.answer || own?.answer ? this.table(suggest ?? {}, own?.answer) : nothing}
      ${suggest?.answer ? nothing : this.waiting(suggest)}`;
  }

  form(own) {
    const { game } = store.state;
    const submit = (event) => {
      event.preventDefault();
      analysis.compare(this.querySelector("#own").value.trim());
    };
    if (this.game !== game) {
      this.game = game; // a guess for another game is removed
      const field = this.querySelector("#own");
      if (field) field.value = "";
    }
    return html`<form class="bar" @submit=${submit}>
      <label for="own">Your guess</label>
      <input id="own" type="text" size=${Math.max(6, Math.min(24, game.pegs + 2))} spellcheck="false" autocapitalize="off"
        placeholder=${game.words || game.pegs > 12 ? "" : game.example.split("=")[0]} aria-describedby="own-fault" aria-invalid=${own?.error ? "true" : "false"}>
      <button class="quiet">Compare</button>
      <span id="own-fault" class="fault" role="alert">${own?.error ?? ""}</span>
    </form>`;
  }

  waiting(suggest) {
    if (suggest?.error) return nothing;
    return html`<p>${suggest?.isStopped ? "Stopped." : "Looking for the best guesses …"}</p>`;
  }

  table(suggest, own) {
    const { compared, isDone } = suggest;
    const answer = suggest.answer ?? own;
    const guesses = compared?.guesses ?? (suggest.answer ? [answer, ...answer.others] : []);
    // Costs can only be compared if they have the same measure.
    const mine = own && compared && compared.by !== own.by ? { ...own, cost: null } : own;
    const rows = mine && !guesses.some((each) => keyOf(each) === keyOf(mine)) ? [...guesses, mine] : [...guesses];
    if (compared && rows.every((each) => each.cost !== null)) {
      rows.sort((one, other) => fraction(one.cost) - fraction(other.cost));
    }
    const byGuesses = (compared ?? own)?.by === BY_GUESSES;
    // The cost of the best guess is computed first.
    const isKnown = isDone || (!store.state.lies && compared?.guesses[0].cost !== null);
    const best = isKnown && compared ? keyOf(guesses[0]) : null;
    const yours = mine ? keyOf(mine) : null;
    const { answer: counted } = analysis.known.count ?? {};
    const codes = answer.codes_exact ? answer.codes : counted?.exact ? counted.count : null;
    const context = { answer, codes, isDone, byGuesses, best, own: yours, columns: byGuesses ? 5 : 4 };
    const heading = (name, decides) =>
      html`<th scope="col" class=${decides ? "decides" : ""} aria-sort=${decides ? "ascending" : nothing}>${name}</th>`;
    // Texts of variable length are below the table, so that the table does not move under the pointer.
    return html`
      <div class="scroll" tabindex="0" role="group" aria-label="Guesses compared"><table class="guesses ${answer.exact ? "" : "estimated"}">
        <thead><tr><th scope="col">guess</th>
          ${byGuesses ? heading("average guesses left", true) : nothing}
          ${heading(`${codeNoun(store.state.game)}s left on average`, compared && !byGuesses)}
          <th scope="col">at worst</th><th scope="col">chance to be the ${codeNoun(store.state.game)}</th></tr></thead>
        <tbody>${rows.map((each) => this.row(each, context))}</tbody>
      </table></div>
      <p class="hint">${suggest.answer ? this.criterion(compared, isDone, byGuesses) : nothing} <span class="how">${CAN_HOVER.matches ? "Point at" : "Tap"} a guess to see how it splits the codes.</span></p>
      ${answer.expected_guesses && answer.codes !== "1" && !store.state.lies ? html`<p>Best play needs <strong>${decimal(answer.expected_guesses)}</strong> more guesses on average.</p>` : nothing}
      ${answer.exact ? nothing : html`<p class="hint">Estimated from a random sample of ${number(answer.judged_by)} codes.</p>`}
      ${CAN_HOVER.matches ? this.openSplit(rows) : nothing}`;
  }

  criterion(compared, isDone, byGuesses) {
    if (!compared || !isDone) return "Comparing …";
    return byGuesses
      ? "The best guess comes first: the one that needs the fewest more guesses on average."
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
        @pointerenter=${(event) => event.pointerType === "mouse" && this.hover(key)} @pointerleave=${() => clearTimeout(this.#timer)}>
      <td><button class="guess-split" aria-expanded=${isOpen} aria-label="How ${spelled} splits the codes" @click=${(event) => this.toggle(key, event)}>${code(game, each.guess)}</button>
        <span class="bar take"><button class="quiet" aria-label="Use ${spelled}" @click=${() => this.take(each.guess)}>Use</button>
        ${key === best ? html`<span class="star" role="img" aria-label="best" title="best">★</span>` : nothing}${key === own ? html`<span class="tag">yours</span>` : nothing}</span></td>
      ${byGuesses ? html`<td>${cost}</td>` : nothing}
      <td>${left(each.expected)}</td>
      <td>${answer.exact ? number(each.worst) : left(String(each.worst))}</td>
      <td>${each.possible ? (chance ? percent(chance) : "possible") : "0 %"}</td></tr>
      ${isOpen && !CAN_HOVER.matches ? html`<tr class="split"><td colspan=${columns}>${this.split(spelled)}</td></tr>` : nothing}`;
  }

  // Render the split of the guess that the mouse points at. It is below the table, so that no row moves.
  openSplit(rows) {
    const open = rows.find((each) => keyOf(each) === this.open);
    if (!open) return nothing;
    const { game } = store.state;
    return html`<section class="split" aria-label="How ${spell(game, open.guess)} splits the codes">
      <h3>How ${code(game, open.guess)} splits the codes</h3>${this.split(spell(game, open.guess))}</section>`;
  }

  // Render the possible scores of a guess, each with the number of codes that remain after it.
  split(spelled) {
    const { game } = store.state;
    const found = analysis.known[`split ${spelled}`];
    if (found?.error) return html`<p class="fault">${found.error}</p>`;
    if (!found?.answer) return html`<p>${found?.isStopped ? "Stopped." : "Splitting …"}</p>`;
    const { parts, judged_by: total, exact } = found.answer;
    const rest = parts.slice(MAX_PARTS).reduce((sum, { codes }) => sum + codes, 0);
    const most = parts[0].codes;
    return html`<ul class="parts" .style=${`--numbers: ${game.marks.length ? 2 : game.parts.length}`} aria-label="Scores of ${spelled}">
      ${parts.slice(0, MAX_PARTS).map(
        (part) => html`<li class=${part.wins ? "wins" : ""}><span class="part-score">${score(game, part.score)}</span>
          <meter min="0" max=${most} value=${part.codes} aria-hidden="true"></meter>
          <span>${exact ? quantity(part.codes, codeNoun(game)) : percent(`${part.codes}/${total}`)}</span></li>`,
      )}</ul>
      ${rest ? html`<p class="hint">${parts.length - MAX_PARTS} more scores leave ${quantity(rest, codeNoun(game))} together.</p>` : nothing}`;
  }

  hover(key) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.show(key), HOVER_MS);
  }

  // With a mouse, hovering has already opened the split, so a click does not close it.
  toggle(key, { detail }) {
    clearTimeout(this.#timer);
    const isByMouse = CAN_HOVER.matches && detail > 0;
    this.show(this.open === key && !isByMouse ? null : key);
  }

  show(key) {
    this.open = key;
    if (key !== null) {
      const guess = spell(store.state.game, key.split(",").map(Number));
      if (!analysis.known[`split ${guess}`]) analysis.ask("split", { guess }, `split ${guess}`);
    }
    this.update();
  }

  take(guess) {
    goToScreen("board");
    store.addRow(guess);
    const board = document.querySelector("board-view");
    board.move(store.cursor.row, store.cursor.cell);
  }
}

customElements.define("guesses-view", GuessesView);
