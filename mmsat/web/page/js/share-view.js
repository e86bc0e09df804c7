// The link, files to save, and a box that takes any notation.

import { View, analysis, html, nothing, store } from "./view.js";
import { board, boardLine, readAddress } from "./notation.js";
import { faultView, words } from "./faults.js";
import { ask } from "./api.js";
import { draw } from "./picture.js";

const SQUARES = /^[\p{So}\p{Sk}\ufe0f\u{1f7e8}\u{1f7e9}]{3,}$/u;

// A shared grid of a daily word game, as a board whose letters were not read; other text as it is.
function readGrid(text, game) {
  const lines = text.split(/\s+/).filter((word) => SQUARES.test(word)).map((word) => word.replaceAll("\ufe0f", ""));
  if (!lines.length) return text;
  const letters = [...lines[0]].length;
  const known = game.marks.some((mark) => mark.also.includes("🟩")) && game.pegs === letters;
  const size = known ? game.line : letters === 5 ? "daily-word" : `${letters}x26p`;
  return [size, ...lines.map((marks) => `${"?".repeat(letters)}=${marks}`)].join("\n");
}

const rowCount = (count) => `${count} ${count === 1 ? "row" : "rows"}`;

class ShareView extends View {
  message = "";

  say(message) {
    this.message = message;
    this.update();
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(location.href);
      this.say("The link is copied.");
    } catch {
      this.say("Copy the link from the address bar.");
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

  svg() {
    return draw(store.state, analysis);
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

  // Read a board, a shared grid, or a link of this page.
  async read(text, origin) {
    this.origin = origin;
    if (!text.trim()) return this.say(origin === "file" ? "The file is empty." : "Paste a board first.");
    const [, link] = text.trim().match(/^(?:https?:\/\/\S*#)?(\S+)$/) ?? [];
    const address = link && (link !== text.trim() || /&(off|unsure|lies|by)=/.test(link)) ? readAddress(link) : null;
    this.say("Reading …");
    const isRead = address ? await store.load(address.line, address, "share") : await store.load(readGrid(text, store.state.game), {}, "share");
    if (!isRead) this.querySelector(".fault")?.scrollIntoView({ block: "nearest" });
    this.say(isRead ? `The board was read: ${rowCount(store.state.rows.length - 1)}.` : "");
  }

  fault(origin) {
    const { fault } = store;
    return fault?.origin === "share" && this.origin === origin ? faultView(fault) : nothing;
  }

  view() {
    const line = boardLine(store.state);
    return html`
      <p class="bar"><button @click=${() => this.copy()}>Copy the link</button>
        <button class="quiet" @click=${() => this.save("board.svg", this.svg(), "image/svg+xml")}>SVG</button>
        <button class="quiet" @click=${() => this.png()}>PNG</button>
        <button class="quiet" @click=${() => this.fetch("board", "board.json", (answer) => `${JSON.stringify(answer.document, null, 2)}\n`)}>JSON</button>
        <button class="quiet" @click=${() => this.fetch("proof", "board.proof", (answer) => answer.text)}>Proof</button></p>
      <p class="board-line"><code>${line}</code></p>
      <form @submit=${(event) => this.load(event)}>
        <label for="paste">A board line, a board file, JSON, or a shared grid of squares</label>
        <textarea id="paste" rows="3" spellcheck="false" autocapitalize="off" placeholder="4x6/1122=1.1/3345=0.2"></textarea>
        <p class="bar"><button>Load</button></p>
        ${this.fault("paste")}
        <p class="bar"><label for="file">or a file</label> <input id="file" type="file" @change=${(event) => this.open(event)}></p>
        ${this.fault("file")}
      </form>
      <p role="status">${this.message}</p>`;
  }
}

customElements.define("share-view", ShareView);
