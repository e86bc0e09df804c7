// The deduction, a step at a time, forth and back.

import { View, analysis, html, nothing, peg, store } from "./view.js";

class WhyView extends View {
  at = 0;

  view() {
    if (analysis.isQuiet) return html`<p class="hint">Hidden while you play.</p>`;
    if (store.state.lies) return html`<p class="hint">Steps take every score to be right; set the wrong scores to 0.</p>`;
    if (this.key !== analysis.key) Object.assign(this, { key: analysis.key, at: 0 });
    const { steps } = analysis.known;
    if (!steps || (steps.isStopped && !steps.answer)) return html`<button @click=${() => analysis.ask("steps")} ?disabled=${!analysis.indices.length}>Show how it follows</button>`;
    if (steps.error) return html`<p class="fault">${steps.error}</p>`;
    const lines = steps.answer?.sentences ?? [];
    const last = Math.max(0, lines.length - 1);
    this.at = Math.min(this.at, last);
    return html`
      <p>${steps.isDone ? "" : "Looking for more steps …"}</p>
      <p class="bar">
        <button class="quiet" data-focus ?disabled=${this.at === 0} @click=${() => this.go(this.at - 1)}>Back</button>
        <span>${lines.length ? `${this.at + 1} of ${lines.length}` : ""}</span>
        <button class="quiet" ?disabled=${this.at >= last} @click=${() => this.go(this.at + 1)}>Next</button>
      </p>
      ${this.drawing(steps.frames?.[this.at])}
      <ul class="steps" tabindex="-1">${lines.map((text, n) => html`<li class=${n > this.at ? "later" : n === this.at ? "now" : ""} aria-current=${n === this.at ? "step" : nothing}>${text}</li>`)}</ul>`;
  }

  // What is known after a step: a cross if a peg does not have the color, a tick if it has.
  drawing(frame) {
    if (!frame) return nothing;
    const { game } = store.state;
    const isNew = new Set(frame.new.map(String));
    const sign = (known) => (known === null ? "" : known ? "✓" : "×");
    const said = (known) => (known === null ? "open" : known ? "yes" : "no");
    return html`<div class="scroll" tabindex="0" role="group" aria-label="What is known"><table class="known">
      <caption>What is known now; what is new is framed</caption>
      <thead><tr><td></td>${frame.has.map((_, n) => html`<th scope="col">${n + 1}</th>`)}</tr></thead>
      <tbody>${game.symbols.map(({ symbol }, color) => html`<tr><th scope="row">${peg(game, color + 1)}<span class="unseen">${symbol}</span></th>
        ${frame.has.map((has, n) => html`<td class="${said(has[color])} ${isNew.has(`${n},${color}`) ? "new" : ""}"><span aria-hidden="true">${sign(has[color])}</span><span class="unseen">${said(has[color])}</span></td>`)}</tr>`)}</tbody>
    </table></div>`;
  }

  go(at) {
    this.at = at;
    const rows = analysis.known.steps.frames?.[at]?.rows ?? [];
    analysis.used = new Set(rows.map((row) => row - 1));
    analysis.tell();
  }
}

customElements.define("why-view", WhyView);
