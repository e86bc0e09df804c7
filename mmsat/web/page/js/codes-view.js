// The remaining codes: their number, a list that can start at any code, and the probability of each color at each peg.

import { number, quantity } from "./core/numbers.js";
import { placeWord } from "./core/words.js";
import { analysis, code, html, nothing, peg, store, View } from "./view.js";

const PAGE = 20n;
const MAX_SHADE = 45; // the largest percentage of the color `--heat` at which text is legible

class CodesView extends View {
  static questions = ["check", "count", "odds", "codes"];
  key = null; // the key of the shown position
  start = 1n;

  view() {
    if (analysis.isQuiet) return html`<p class="hint">Hidden while you play.</p>`;
    if (this.key !== analysis.key) Object.assign(this, { key: analysis.key, start: 1n, refusal: "" });
    const { check } = analysis.known;
    if (check?.answer?.verdict === "inconsistent") return html`<p class="hint">No code gets these scores.</p>`;
    return html`${this.odds()}
      <details @toggle=${(event) => {
        this.isOpen = event.target.open;
        this.fetch();
      }}><summary>${this.total === null ? "Show the codes" : this.total === 1n ? "Show the code" : `Show all ${quantity(this.total, "code")}`}</summary>${this.isOpen ? this.list() : nothing}</details>`;
  }

  odds() {
    const { odds } = analysis.known;
    if (odds?.answer) return this.heat(odds.answer);
    if (odds?.error) return html`<p class="fault">${odds.error}</p>`;
    return html`<p>${odds?.isStopped ? "Stopped." : "Thinking …"}</p>`;
  }

  get name() {
    return `codes ${this.start}`;
  }

  fetch() {
    if (this.isOpen && !analysis.known[this.name])
      analysis.ask("codes", { from: String(this.start), limit: Number(PAGE) }, this.name);
  }

  get total() {
    const count = analysis.known.count?.answer;
    return count?.exact ? BigInt(count.count) : null;
  }

  go(start) {
    const { total } = this;
    const last = total === null ? start : total > PAGE ? total - PAGE + 1n : 1n;
    this.start = start < 1n ? 1n : start > last ? last : start;
    this.update();
  }

  jump(text) {
    const digits = text.replace(/[\s,.'\u202f]/g, "");
    this.refusal = /^\d+$/.test(digits) ? "" : `“${text}” is not a whole number.`;
    if (this.refusal) this.update();
    else this.go(BigInt(digits));
  }

  list() {
    const { game } = store.state;
    const known = analysis.known[this.name];
    if (!known) queueMicrotask(() => this.fetch());
    const { total } = this;
    const codes = known?.answer?.listed ?? [];
    const isLast =
      total === null
        ? known?.answer?.complete || (known?.isDone && BigInt(codes.length) < PAGE)
        : this.start + PAGE > total;
    return html`
      <div class="bar">
        <button class="quiet" ?disabled=${this.start <= 1n} @click=${() => this.go(this.start - PAGE)}>Previous</button>
        <label for="from">go to number</label>
        <input id="from" type="text" inputmode="numeric" size="12" .value=${String(this.start)} @change=${(event) => this.jump(event.target.value)}>
        ${total === null ? nothing : html`<span class="long">of ${number(total)}</span>`}
        <button class="quiet" ?disabled=${isLast} @click=${() => this.go(this.start + PAGE)}>Next</button>
      </div>
      <p class="fault" role="alert">${this.refusal || known?.error || ""}</p>
      <ul class="codes">${codes.map((each, n) => html`<li><span class="place">${number(this.start + BigInt(n))}.</span> ${code(game, each)}</li>`)}</ul>`;
  }

  heat({ odds, codes }) {
    const { game } = store.state;
    const forced = odds.map((row) => row.indexOf(1));
    const certain = forced.flatMap((color, n) =>
      color >= 0 ? [`${placeWord(game)} ${n + 1} is ${game.symbols[color].symbol}`] : [],
    );
    const darkest = Math.max(2 / game.colors, ...odds.flat());
    const shown = game.symbols
      .map((_, color) => color)
      .filter((color) => game.colors <= 12 || odds.some((row) => row[color] > 0));
    return html`
      ${certain.length && codes !== "1" ? html`<p>Certain: ${certain.slice(0, 12).join(", ")}.</p>` : nothing}
      <div class="scroll" tabindex="0" role="group" aria-label="Odds"><table class="heat ${odds.length > MAX_WIDE_COLUMNS ? "dense" : ""}">
      <caption>Chance of each ${game.noun} at each peg, in percent</caption>
      <thead><tr><td></td>${odds.map((_, n) => html`<th scope="col">${n + 1}</th>`)}</tr></thead>
      <tbody>${shown.map(
        (
          color,
        ) => html`<tr><th scope="row">${peg(game, color + 1)}<span class="unseen">${game.symbols[color].symbol}</span></th>
        ${odds.map((row) => html`<td class=${row[color] === 1 ? "sure" : row[color] ? "possible" : ""} .style=${`--shade: ${(MAX_SHADE * row[color]) / darkest}%`}>${cell(row[color])}</td>`)}</tr>`,
      )}</tbody></table></div>`;
  }
}

const MAX_WIDE_COLUMNS = 7; // a table with more columns has narrow columns on a phone

function cell(chance) {
  if (chance === 0) return "·";
  const rounded = Math.round(100 * chance);
  return rounded === 0 ? "<1" : rounded === 100 && chance < 1 ? "99" : rounded;
}

customElements.define("codes-view", CodesView);
