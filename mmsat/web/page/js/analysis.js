// What is true of the position: asked anew whenever it changes, stale answers thrown away.

import { active, board, numberedBoard } from "./notation.js";
import { isOffline, words } from "./faults.js";
import { ask } from "./api.js";
import { store } from "./store.js";

const NUMBERED = ["check", "explain", "steps", "suspect"]; // their answers have row numbers
const STRICT = ["steps", "suspect", "review"]; // they need all scores to be right
const RETRY_MS = 4000;

class Analysis extends EventTarget {
  key = null;
  indices = []; // the place in the position of each row that counts
  known = {}; // name -> {answer, sentences, isDone, isStopped, error}
  own = ""; // a guess of the user to be compared
  used = new Set(); // the places of the rows that a step of the deduction uses
  isQuiet = false; // while a game is played nothing is told
  isOffline = false;
  #asked = {}; // name -> [question, more]
  #controller = new AbortController();
  #retry = 0;

  tell() {
    this.dispatchEvent(new Event("change"));
  }

  // Ask about the position, unless that has been done.
  refresh() {
    const { game, lies, by } = store.state;
    const indices = active(store.state);
    const [line, numbered] = [board(store.state, indices), numberedBoard(store.state, indices)];
    const key = JSON.stringify([numbered, lies, by, this.isQuiet]);
    if (key === this.key) return;
    if (this.game !== game.line) this.own = "";
    this.stop();
    Object.assign(this, { key, indices, line, numbered, game: game.line, known: {}, used: new Set() });
    this.#asked = {};
    this.tell();
    if (this.isQuiet) return;
    for (const question of ["check", "count", "odds"]) this.ask(question);
    this.ask("suggest", { compare: true });
    if (this.own) this.compare(this.own);
  }

  #given(question) {
    const { lies, by } = store.state;
    const given = { board: NUMBERED.includes(question) ? this.numbered : this.line };
    return lies && !STRICT.includes(question) ? { ...given, lies, by } : given;
  }

  // Ask one question about the position; its answer is shown unless the position has changed.
  async ask(question, more = {}, name = question) {
    const { key } = this;
    const { signal } = this.#controller;
    this.#asked[name] = [question, more];
    const take = (found) => {
      if (key !== this.key) return;
      this.known = { ...this.known, [name]: { ...this.known[name], ...found } };
      this.tell();
    };
    take({ isDone: false, isStopped: false, error: null });
    try {
      const found = await ask(question, { ...this.#given(question), ...more }, { signal, note: take });
      if (key === this.key) this.isOffline = false;
      take({ ...found, isDone: true });
      if (question === "check" && found.answer.verdict === "inconsistent") this.ask("explain");
    } catch (error) {
      if (error.name === "AbortError") return take({ isDone: true, isStopped: true });
      if (isOffline(error) && key === this.key) this.#wait();
      take({ isDone: true, isStopped: isOffline(error), error: isOffline(error) ? null : words(error) });
    }
  }

  // Ask again from time to time until the server is back.
  #wait() {
    this.isOffline = true;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.isOffline && this.goOn(), RETRY_MS);
  }

  // End all work on the position; what is known stays.
  stop() {
    this.#controller.abort();
    this.#controller = new AbortController();
  }

  // Ask again what was stopped.
  goOn() {
    for (const [name, { isStopped }] of Object.entries(this.known)) {
      if (isStopped) this.ask(...this.#asked[name], name);
    }
  }

  get isWorking() {
    return Object.values(this.known).some((each) => !each.isDone);
  }

  get isStopped() {
    return Object.values(this.known).some((each) => each.isStopped);
  }

  // Compare a guess of the user with the best ones; "" for none.
  compare(guess) {
    this.own = guess;
    if (guess) return this.ask("suggest", { guess, others: 0, compare: true }, "own");
    const { own, ...known } = this.known;
    this.known = known;
    this.tell();
  }
}

export const analysis = new Analysis();
store.addEventListener("change", () => analysis.refresh());
