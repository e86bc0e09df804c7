// What is true of the position: asked anew whenever it changes, stale answers thrown away.

import { active, boardLine } from "./notation.js";
import { ask, words } from "./api.js";
import { store } from "./store.js";

class Analysis extends EventTarget {
  key = null;
  indices = []; // the place in the position of each row that was asked about
  known = {}; // question -> {answer, sentences, isDone, error}
  own = ""; // a guess of one's own to be weighed
  used = new Set(); // the places of the rows that a step of the deduction uses
  isQuiet = false; // while a game is played nothing is told
  #controller = new AbortController();

  tell() {
    this.dispatchEvent(new Event("change"));
  }

  // Ask about the position as it stands, unless that has been done.
  refresh() {
    const { lies, by } = store.state;
    const indices = active(store.state);
    const line = boardLine(store.state, indices);
    const key = JSON.stringify([line, lies, by, this.isQuiet]);
    if (key === this.key) return;
    this.stop();
    this.#controller = new AbortController();
    Object.assign(this, { key, indices, line, known: {}, used: new Set() });
    this.tell();
    if (this.isQuiet) return;
    this.ask("check");
    this.ask("count");
    this.ask("odds");
    this.ask("suggest", this.own ? { guess: this.own } : {});
  }

  get given() {
    const { lies, by } = store.state;
    return { board: this.line, ...(lies ? { lies, by } : {}) };
  }

  // Ask one question about the position; its answer is shown unless the position has changed.
  async ask(question, more = {}, name = question) {
    const { key } = this;
    const { signal } = this.#controller;
    const take = (found) => {
      if (key !== this.key) return;
      this.known = { ...this.known, [name]: { ...this.known[name], ...found } };
      this.tell();
    };
    take({ isDone: false, error: null });
    const given = ["steps", "suspect", "review"].includes(question) ? { board: this.line } : this.given;
    try {
      const found = await ask(question, { ...given, ...more }, { signal, note: take });
      take({ ...found, isDone: true });
      if (question === "check" && found.answer.verdict === "inconsistent") this.ask("explain");
    } catch (error) {
      if (error.name === "AbortError") take({ isDone: true, isStopped: true });
      else take({ isDone: true, error: words(error) });
    }
  }

  // End all work on the position; what is known stays.
  stop() {
    this.#controller.abort();
    this.#controller = new AbortController();
  }

  get isWorking() {
    return Object.values(this.known).some((each) => !each.isDone);
  }

  weigh(guess) {
    this.own = guess;
    this.ask("suggest", guess ? { guess } : {});
  }
}

export const analysis = new Analysis();
store.addEventListener("change", () => analysis.refresh());
