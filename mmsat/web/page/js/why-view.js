// The deduction, a step at a time, forth and back.

import { View, analysis, html, nothing, store } from "./view.js";

class WhyView extends View {
  at = 0;

  view() {
    if (analysis.isQuiet) return html`<p class="hint">Hidden while you play.</p>`;
    if (store.state.lies) return html`<p class="hint">Steps take every score to be right; set the wrong scores to 0.</p>`;
    if (this.key !== analysis.key) Object.assign(this, { key: analysis.key, at: 0, isAsked: false });
    const { steps } = analysis.known;
    const ask = () => { this.isAsked = true; analysis.ask("steps"); };
    if (!steps) return html`<button @click=${ask} ?disabled=${!analysis.indices.length}>Show how it follows</button>`;
    if (steps.error) return html`<p class="fault">${steps.error}</p>`;
    const lines = steps.answer?.sentences ?? [];
    const last = Math.max(0, lines.length - 1);
    this.at = Math.min(this.at, last);
    return html`
      ${steps.isDone ? nothing : html`<p>Looking for more steps ...</p>`}
      <p class="bar">
        <button class="quiet" ?disabled=${this.at === 0} @click=${() => this.go(this.at - 1)}>Back</button>
        <span>${lines.length ? `${this.at + 1} of ${lines.length}` : ""}</span>
        <button class="quiet" ?disabled=${this.at >= last} @click=${() => this.go(this.at + 1)}>Forth</button>
      </p>
      <ol class="steps">${lines.map((text, n) => html`<li class=${n > this.at ? "later" : n === this.at ? "now" : ""} aria-current=${n === this.at ? "step" : nothing}>${text}</li>`)}</ol>`;
  }

  go(at) {
    this.at = at;
    this.update();
  }
}

customElements.define("why-view", WhyView);
