// The deduction, one step at a time. The rows of a step are highlighted on the board while the step is shown.

import { lineName, pegsOfStep } from "./core/lesson.js";
import { range } from "./core/numbers.js";
import { stepLines } from "./core/steps.js";
import { analysis, html, nothing, peg, phrase, store, View } from "./view.js";

const STEPS = { ArrowDown: 1, ArrowRight: 1, PageDown: 1, ArrowUp: -1, ArrowLeft: -1, PageUp: -1 };
const SIDEWAYS = ["ArrowLeft", "ArrowRight", "Home", "End"]; // the tabs and wide tables use these keys

class WhyView extends View {
  static questions = ["steps"];
  key = null; // the key of the shown position
  at = 0; // the index of the shown line
  #written = null; // the lines of an answer: {answer, isOpen, lines}

  // The keys work everywhere in the panel, and on its tab.
  connectedCallback() {
    super.connectedCallback();
    this.closest("section").addEventListener("keydown", (event) => this.press(event));
    const tab = document.getElementById("tab-why");
    tab.addEventListener("keydown", (event) => this.press(event));
    // After the tab was clicked (not opened by a key), its panel is open and gets the focus.
    tab.parentElement.addEventListener("click", ({ target, detail }) => {
      if (detail > 0 && target === tab && this.last) this.closest("section").focus();
    });
  }

  // Return the lines of the shown deduction.
  get lines() {
    const { answer, isDone, isStopped } = analysis.known.steps ?? {};
    if (!answer || analysis.isQuiet || store.state.lies) return [];
    const isOpen = !isDone && !isStopped;
    if (this.#written?.answer !== answer || this.#written.isOpen !== isOpen) {
      const { game, rows } = store.state;
      const lines = stepLines(game, rows, answer);
      // While more steps are computed, the conclusions are omitted.
      this.#written = { answer, isOpen, lines: isOpen ? lines.filter(({ number }, n) => number || !n) : lines };
    }
    return this.#written.lines;
  }

  // Return the index of the last line; 0 if there are no lines.
  get last() {
    return Math.max(0, this.lines.length - 1);
  }

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
      return html`<button class="minor" data-focus @click=${() => analysis.ask("steps")}>Explain step by step</button>`;
    }
    if (steps.error) return html`<p class="fault">${steps.error}</p>`;
    const { lines, last } = this;
    const { game } = store.state;
    this.at = Math.min(this.at, last);
    return html`
      ${steps.isDone ? nothing : html`<p>Looking for more steps …</p>`}
      <div class="reading" ?hidden=${!lines.length}>
        <p class="bar">
          <button class="quiet" data-focus ?disabled=${this.at === 0} @click=${() => this.go(this.at - 1)}>Back</button>
          <span class="counter">${lines.length ? lineName(lines[this.at], this.at, steps.answer.steps.length) : ""}</span>
          <button class="quiet" ?disabled=${this.at >= last} @click=${() => this.go(this.at + 1)}>Next</button>
        </p>
        <p class="sentence" aria-live="polite">${phrase(game, lines[this.at]?.text ?? "")}</p>
      </div>
      ${this.drawing(steps.frames?.[this.at])}
      <ul class="steps" tabindex="-1" aria-label="Steps; arrow keys go through them" @pointerleave=${() => this.light(this.at)}>
        ${lines.map((line, n) => this.line(phrase(game, line.text), n))}</ul>`;
  }

  // Render a line. Its rows are highlighted when the mouse moves over it, not when the list scrolls under the mouse.
  line(content, n) {
    const isHere = n === this.at;
    return html`<li class=${n > this.at ? "later" : isHere ? "now" : ""} aria-current=${isHere ? "step" : nothing}
      @pointermove=${(event) => event.pointerType === "mouse" && this.light(n)}>
      <button class="step" tabindex=${isHere ? 0 : -1} @click=${({ target }) => this.read(n, target)}>${content}</button></li>`;
  }

  // Render the facts after a step: a cross if a peg does not have the color, a tick if it has the color, and
  // the number of pegs of each color.
  drawing(frame) {
    if (!frame) return nothing;
    const { game } = store.state;
    const isNew = new Set(frame.new.map(String));
    const sign = (known) => (known === null ? "" : known ? "✓" : "×");
    const said = (known) => (known === null ? "open" : known ? "yes" : "no");
    const framed = (isNewFact) => (isNewFact ? "new" : "");
    return html`<div class="scroll" tabindex="0" role="group" aria-label="What is known"><table class="known">
      <caption>Known so far; new facts are framed</caption>
      <thead><tr><td></td>${frame.has.map((_, n) => html`<th scope="col">${n + 1}</th>`)}<th scope="col">how many</th></tr></thead>
      <tbody>${game.symbols.map(
        (
          { symbol },
          color,
        ) => html`<tr><th scope="row">${peg(game, color + 1)}<span class="unseen">${symbol}</span></th>
        ${frame.has.map((has, n) => html`<td class="${said(has[color])} ${framed(isNew.has(`${n},${color}`))}"><span aria-hidden="true">${sign(has[color])}</span><span class="unseen">${said(has[color])}</span></td>`)}
        <td class="amount ${framed(frame.new_counts.includes(color))}">${range(frame.counts[color], game.pegs)}</td></tr>`,
      )}</tbody>
    </table></div>`;
  }

  press(event) {
    const { target, key, ctrlKey, metaKey, altKey } = event;
    const isWide = target.matches(".scroll") && target.scrollWidth > target.clientWidth;
    const isTaken = SIDEWAYS.includes(key) && (isWide || target.matches("[role=tab]"));
    if (!this.last || isTaken || ctrlKey || metaKey || altKey) return;
    const at = { Home: 0, End: this.last }[key] ?? (key in STEPS ? this.at + STEPS[key] : null);
    if (at === null) return;
    event.preventDefault();
    this.read(Math.min(this.last, Math.max(0, at)), target);
  }

  // Go to a line. If `target` is in the list of lines, move the focus to the line.
  read(at, target) {
    this.go(at);
    if (target.closest(".steps")) this.querySelector(".step[tabindex='0']").focus();
  }

  go(at) {
    this.at = at;
    this.light(at);
    this.update();
  }

  // Highlight the rows that a step uses, and the pegs that it is about.
  light(at) {
    const frame = () => analysis.known.steps?.frames?.[at];
    const places = () => (frame()?.rows ?? []).map((row) => row - 1);
    analysis.light(places, (row) => pegsOfStep(frame(), row.guess));
  }
}

customElements.define("why-view", WhyView);
