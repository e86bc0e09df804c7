// The deduction, a step at a time, beside the board: the rows of a step light up as it is read.

import { analysis, html, nothing, peg, store, View } from "./view.js";

const STEPS = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

class WhyView extends View {
  static questions = ["steps"];
  key = null; // the position that is shown
  at = 0; // the step that is read

  view() {
    if (analysis.isQuiet) return html`<p class="hint">Hidden while you play.</p>`;
    if (store.state.lies) {
      return html`<p class="hint">Steps assume that every score is right. Set the number of wrong scores to 0.</p>`;
    }
    if (this.key !== analysis.key) Object.assign(this, { key: analysis.key, at: 0 });
    if (!analysis.indices.length)
      return html`<p class="hint">Enter guesses and scores to see what follows from them.</p>`;
    const { steps } = analysis.known;
    if (!steps || (steps.isStopped && !steps.answer)) {
      return html`<button data-focus @click=${() => analysis.ask("steps")}>Show how it follows</button>`;
    }
    if (steps.error) return html`<p class="fault">${steps.error}</p>`;
    const lines = steps.answer?.sentences ?? [];
    const last = Math.max(0, lines.length - 1);
    this.at = Math.min(this.at, last);
    return html`
      ${steps.isDone ? nothing : html`<p>Looking for more steps …</p>`}
      <div class="reading">
        <p class="bar">
          <button class="quiet" data-focus ?disabled=${this.at === 0} @click=${() => this.go(this.at - 1)}>Back</button>
          <span>${lines.length ? `${this.at + 1} of ${lines.length}` : ""}</span>
          <button class="quiet" ?disabled=${this.at >= last} @click=${() => this.go(this.at + 1)}>Next</button>
        </p>
        <p class="sentence" aria-live="polite">${lines[this.at] ?? ""}</p>
      </div>
      ${this.drawing(steps.frames?.[this.at])}
      <ul class="steps" tabindex="-1" aria-label="Steps; arrow keys go through them" @keydown=${(event) => this.press(event, last)} @pointerleave=${() => this.light(this.at)}>
        ${lines.map((text, n) => this.line(text, n))}</ul>`;
  }

  // A step lights up its rows when the mouse moves over it, not when the list scrolls under the mouse.
  line(text, n) {
    const isHere = n === this.at;
    return html`<li class=${n > this.at ? "later" : isHere ? "now" : ""} aria-current=${isHere ? "step" : nothing}
      @pointermove=${(event) => event.pointerType === "mouse" && this.light(n)}>
      <button class="step" tabindex=${isHere ? 0 : -1} @click=${() => this.read(n)}>${text}</button></li>`;
  }

  // What is known after a step: a cross if a peg does not have the color, a tick if it has.
  drawing(frame) {
    if (!frame) return nothing;
    const { game } = store.state;
    const isNew = new Set(frame.new.map(String));
    const sign = (known) => (known === null ? "" : known ? "✓" : "×");
    const said = (known) => (known === null ? "open" : known ? "yes" : "no");
    return html`<div class="scroll" tabindex="0" role="group" aria-label="What is known"><table class="known">
      <caption>What is known now; new facts are framed</caption>
      <thead><tr><td></td>${frame.has.map((_, n) => html`<th scope="col">${n + 1}</th>`)}</tr></thead>
      <tbody>${game.symbols.map(
        (
          { symbol },
          color,
        ) => html`<tr><th scope="row">${peg(game, color + 1)}<span class="unseen">${symbol}</span></th>
        ${frame.has.map((has, n) => html`<td class="${said(has[color])} ${isNew.has(`${n},${color}`) ? "new" : ""}"><span aria-hidden="true">${sign(has[color])}</span><span class="unseen">${said(has[color])}</span></td>`)}</tr>`,
      )}</tbody>
    </table></div>`;
  }

  press(event, last) {
    const step = STEPS[event.key];
    const at = { Home: 0, End: last }[event.key] ?? (step ? this.at + step : null);
    if (at === null) return;
    event.preventDefault();
    this.read(Math.min(last, Math.max(0, at)));
  }

  // Go to a step in the list, with the focus.
  read(at) {
    this.go(at);
    this.querySelector(".step[tabindex='0']").focus();
  }

  go(at) {
    this.at = at;
    this.light(at);
    this.update();
  }

  // Light up the rows that a step uses.
  light(at) {
    analysis.light(() => (analysis.known.steps?.frames?.[at]?.rows ?? []).map((row) => row - 1));
  }
}

customElements.define("why-view", WhyView);
