// The link, files to save, and a field for boards in any notation.

import { ask } from "./api.js";
import { address, board, boardLine } from "./core/notation.js";
import { keep, recall } from "./core/storage.js";
import { codeNoun } from "./core/words.js";
import { faultView, words } from "./faults.js";
import { draw } from "./picture.js";
import { readText } from "./reading.js";
import { analysis, html, nothing, store, View } from "./view.js";

const isLocal = () => ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);

// Return whether the page is dark, by its own theme or by the theme of the system.
function isDark() {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

const rowCount = (count) => `${count} ${count === 1 ? "row" : "rows"}`;

class ShareView extends View {
  static questions = ["count"];
  message = "";
  hasVerdict = recall("localStorage", "picture-verdict") ?? true; // whether pictures show the verdict

  say(message) {
    this.message = message;
    this.update();
  }

  async copy(text, done, advice) {
    try {
      await navigator.clipboard.writeText(text);
      this.say(done);
    } catch {
      this.say(advice);
    }
  }

  save(name, content, type) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    this.say(`${name} is saved.`);
  }

  // Return whether only one code is possible, so that the board can be shared as a puzzle.
  get isSolved() {
    return analysis.known.count?.answer?.count === "1" && !store.state.lies && analysis.indices.length > 0;
  }

  // Return the link to the board as a puzzle. It hides the solution.
  get puzzle() {
    return new URL(address({ ...store.state, puzzle: true }), location.href).href;
  }

  choose(hasVerdict) {
    this.hasVerdict = hasVerdict;
    keep("localStorage", "picture-verdict", hasVerdict);
    this.update();
  }

  svg() {
    return draw(store.state, analysis, { isDark: isDark(), hasVerdict: this.hasVerdict });
  }

  async png() {
    const image = new Image();
    image.src = URL.createObjectURL(new Blob([this.svg()], { type: "image/svg+xml" }));
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [2 * image.width, 2 * image.height];
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => this.save("board.png", blob));
  }

  async fetch(question, name, take) {
    try {
      const { answer } = await ask(question, { board: board(store.state) });
      this.save(name, take(answer), "text/plain");
    } catch (error) {
      this.say(words(error));
    }
  }

  async load(event) {
    event.preventDefault();
    await this.read(this.querySelector("#paste").value, "paste");
  }

  async open({ target }) {
    const [file] = target.files;
    if (!file) return;
    await this.read(await file.text(), "file");
    target.value = ""; // so that the same file can be opened again
  }

  // Read a board, a shared grid or a link of this page.
  async read(text, origin) {
    this.origin = origin;
    if (!text.trim()) return this.say(origin === "file" ? "The file is empty." : "Paste a board first.");
    this.say("Reading …");
    const isRead = await readText(text, "share");
    if (isRead) document.querySelector("board-view .rows").scrollIntoView({ block: "nearest" });
    else this.querySelector(".fault")?.scrollIntoView({ block: "nearest" });
    this.say(isRead ? `The board was read: ${rowCount(store.state.rows.length - 1)}.` : "");
  }

  fault(origin) {
    const { fault } = store;
    return fault?.origin === "share" && this.origin === origin ? faultView(fault) : nothing;
  }

  view() {
    const line = boardLine(store.state);
    return html`
      <p class="board-line"><code>${line}</code></p>
      <p class="bar"><button class="minor" @click=${() => this.copy(location.href, "The link is copied.", "Copy the link from the address bar.")}>Copy the link</button>
        <button class="quiet" @click=${() => this.copy(line, "The board is copied as text.", "Copy the line above.")}>Copy as text</button>
        ${this.isSolved ? html`<button class="quiet" @click=${() => this.copy(this.puzzle, "The link is copied. It does not show the solution.", "The browser does not allow copying.")}>Copy as a puzzle</button>` : nothing}</p>
      ${isLocal() ? html`<p class="hint">The link works on this computer only. To open it on other devices of your network, start the server with the host 0.0.0.0 (the help of mmsat serve says how), and put the name or address of this computer in place of ${location.hostname}. The text works for everybody who has mmsat.</p>` : nothing}
      <p class="bar"><span>Save as</span>
        <button class="quiet" @click=${() => this.png()}>Picture (PNG)</button>
        <button class="quiet" @click=${() => this.save("board.svg", this.svg(), "image/svg+xml")}>Picture (SVG)</button>
        <button class="quiet" @click=${() => this.fetch("board", "board.json", (answer) => `${JSON.stringify(answer.document, null, 2)}\n`)}>Data (JSON)</button>
        <button class="quiet" @click=${() => this.fetch("proof", "board.proof", (answer) => answer.text)}>Proof</button></p>
      <p><label><input type="checkbox" .checked=${this.hasVerdict} @change=${({ target }) => this.choose(target.checked)}> Pictures show the verdict, and the ${codeNoun(store.state.game)} if it is solved</label></p>
      <print-view></print-view>
      <form @submit=${(event) => this.load(event)}>
        <label for="paste">Paste a board, a link of this page, or a shared grid of squares</label>
        <textarea id="paste" rows="3" spellcheck="false" autocapitalize="off" placeholder="4x6/1122=1.1/3345=0.2"></textarea>
        <p class="bar"><button class="quiet">Load</button></p>
        ${this.fault("paste")}
        <p class="bar"><label for="file">or open a file</label> <input id="file" type="file" @change=${(event) => this.open(event)}></p>
        ${this.fault("file")}
      </form>
      <p role="status">${this.message}</p>`;
  }
}

customElements.define("share-view", ShareView);
