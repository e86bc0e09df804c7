// Asks about the position whenever it changes; core/answers.js has the states of the answers.

import { ask } from "./api.js";
import { isWorking, next, stopped, UNKNOWN } from "./core/answers.js";
import { active, board, numberedBoard } from "./core/notation.js";
import { conflictText, isInformative } from "./core/phrases.js";
import { speak } from "./core/words.js";
import { isOffline, words } from "./faults.js";
import { store } from "./store.js";

const NUMBERED = ["check", "explain", "steps", "suspect"]; // their answers have row numbers
const STRICT = ["steps", "suspect", "review"]; // they need all scores to be right
const RETRY_MS = 4000;

class Analysis extends EventTarget {
  answers = UNKNOWN;
  indices = []; // the place in the position of each row that counts
  line = ""; // the board of the questions
  numbered = ""; // the same, for questions whose answers have row numbers
  game = ""; // the game of the board
  own = ""; // a guess of the user to be compared
  #usedPlaces = () => []; // the places of the rows that light up, as the answers are now
  /** @type {(row: import("./core/types.js").Row) => number[]} The indices of the pegs of a row that light up. */
  pegsOf = () => [];
  /** @type {{place: number, codes: string | null, isBefore?: boolean} | null} What a review shows: the board after a row, or before it. */
  moment = null;
  isHidden = false; // while a game is played nothing is told
  isOffline = false;
  #losses = 0; // how often the server was lost
  #asked = {}; // name -> [question, more]
  #controller = new AbortController();
  #retry = 0;

  // Whether nothing is told: during a game, and at a puzzle that is not solved.
  get isQuiet() {
    return this.isHidden || Boolean(store.state.puzzle);
  }

  set isQuiet(isHidden) {
    this.isHidden = isHidden;
  }

  get key() {
    return this.answers.key;
  }

  get known() {
    return this.answers.known;
  }

  // Which rows contradict each other, and why, in words; "" if there are none.
  get conflict() {
    const { game, rows, lies, by } = store.state;
    const { answer, reason } = this.known.check ?? {};
    const told = isInformative(rows, reason) ? reason : null;
    return speak(game, conflictText(game, rows, { conflict: answer?.conflict ?? null, reason: told, lies, by }));
  }

  // Whether the rows contradict each other for a reason that only the steps tell.
  get needsSteps() {
    const { rows, lies } = store.state;
    const { answer, reason } = this.known.check ?? {};
    return !lies && (answer?.conflict?.length ?? 0) > 1 && !isInformative(rows, reason);
  }

  get used() {
    return new Set(this.#usedPlaces());
  }

  // Light up rows, and in each of them the pegs that `pegs` returns for it. Their places are asked
  // for at each rendering, as a step that is shown can change while its answer is not complete.
  light(places, pegs = (_row) => []) {
    this.#usedPlaces = places;
    this.pegsOf = pegs;
    this.tell("used");
  }

  // Show the board as it was after a row, or before it; null shows all rows again.
  showMoment(moment) {
    this.moment = moment;
    this.light(() => (this.moment && !this.moment.isBefore ? [this.moment.place] : []));
    this.tell("moment");
  }

  // Whether a row was played after what a review shows.
  isLater(index) {
    if (!this.moment) return false;
    const { place, isBefore } = this.moment;
    return isBefore ? index >= place : index > place;
  }

  // Report a change of one answer (by its name, such as "check" or "codes 21"), of the work as a
  // whole ("work"), of the rows that light up ("used"), of the position that a review shows
  // ("moment"), or of everything (null).
  tell(name = null) {
    this.dispatchEvent(new CustomEvent("change", { detail: name }));
  }

  #step(event) {
    const before = this.answers;
    const work = this.#work;
    this.answers = next(before, event);
    if (this.answers !== before) this.tell(event.name ?? null);
    if (this.#work !== work) this.tell("work");
  }

  // Ask about the position, unless that has been done.
  refresh() {
    const { game, lies, by } = store.state;
    const indices = active(store.state);
    const [line, numbered] = [board(store.state, indices), numberedBoard(store.state, indices)];
    const key = JSON.stringify([numbered, lies, by, this.isQuiet, store.isUnread]);
    if (key === this.key) return;
    if (this.game !== game.line) this.own = "";
    this.stop();
    Object.assign(this, { indices, line, numbered, game: game.line });
    this.#usedPlaces = () => [];
    this.moment = null;
    this.#asked = {};
    this.#step({ type: "position", key });
    if (this.isQuiet || store.isUnread) return;
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
    const losses = this.#losses;
    this.#asked[name] = [question, more];
    this.#step({ type: "asked", key, name });
    const note = (document) => this.#step({ type: "noted", key, name, document });
    try {
      const found = await ask(question, { ...this.#given(question), ...more }, { signal, note });
      // An answer that was on its way when the server was lost does not mean that it is back.
      if (key === this.key && losses === this.#losses) this.isOffline = false;
      this.#step({ type: "answered", key, name, document: found });
      if (key === this.key && question === "check" && found.answer.verdict === "inconsistent") this.ask("explain");
    } catch (error) {
      if (error.name === "AbortError") return this.#step({ type: "stopped", key, name });
      if (!isOffline(error)) return this.#step({ type: "refused", key, name, message: words(error) });
      if (key === this.key) this.#wait();
      this.#step({ type: "stopped", key, name });
    }
  }

  // Ask again from time to time until the server is back.
  #wait() {
    this.#losses++;
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
    for (const name of stopped(this.answers)) this.ask(...this.#asked[name], name);
  }

  // Whether questions are open, and whether some were stopped.
  get #work() {
    return `${this.isWorking} ${this.isStopped}`;
  }

  get isWorking() {
    return isWorking(this.answers);
  }

  get isStopped() {
    return stopped(this.answers).length > 0;
  }

  // Compare a guess of the user with the best ones, which are known or asked for; "" for none.
  compare(guess) {
    this.own = guess;
    if (guess) return this.ask("evaluate", { guess }, "own");
    this.#step({ type: "dropped", key: this.key, name: "own" });
  }
}

export const analysis = new Analysis();
store.addEventListener("change", () => analysis.refresh());
