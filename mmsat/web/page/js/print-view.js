// Controls for printing: the parts that are printed below the board, and the button that prints.

import { keep, recall } from "./core/storage.js";
import { analysis, html, store, View } from "./view.js";

const PARTS = {
  solution: "Verdict and solution",
  guesses: "Best guesses",
  codes: "Chances of the colors",
  steps: "Explanation, step by step",
  review: "Review of the game",
};
const ASKED = ["steps", "review"]; // questions that the page sends only on request

class PrintView extends View {
  static stores = [];
  parts = recall("localStorage", "printed-parts") ?? Object.keys(PARTS);
  message = "";

  update() {
    document.body.dataset.print = this.parts.join(" ");
    super.update();
  }

  choose(name, isChosen) {
    this.parts = Object.keys(PARTS).filter((each) => (each === name ? isChosen : this.parts.includes(each)));
    keep("localStorage", "printed-parts", this.parts);
    this.update();
  }

  say(message) {
    this.message = message;
    this.update();
  }

  // Print after the answers for the chosen parts have arrived.
  async print() {
    const { key } = analysis;
    const missing = ASKED.filter((name) => this.parts.includes(name) && !analysis.known[name]?.isDone);
    if (analysis.indices.length && !analysis.isQuiet && !store.state.lies && missing.length) {
      this.say("Preparing …");
      await Promise.all(missing.map((name) => analysis.ask(name)));
      await Promise.resolve(); // wait until the views are rendered
    }
    this.say("");
    if (key === analysis.key) print();
  }

  view() {
    return html`<fieldset class="bar"><legend>Print the board with</legend>
      ${Object.entries(PARTS).map(
        ([name, text]) => html`<label><input type="checkbox" .checked=${this.parts.includes(name)}
          @change=${({ target }) => this.choose(name, target.checked)}> ${text}</label>`,
      )}</fieldset>
      <p class="bar"><button class="quiet" data-focus @click=${() => this.print()}>Print</button>
        <span class="hint" role="status">${this.message || (this.parts.length ? "" : "Only the board, as an exercise, with an empty row for the answer.")}</span></p>`;
  }
}

customElements.define("print-view", PrintView);
