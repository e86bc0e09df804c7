// A game against the computer, in both roles, and puzzles. The state of a game follows from the
// rows of the board. The server remembers nothing: the seed is the secret.

import { active, board, isEmpty, isWhole, spell } from "./notation.js";
import { isOffline, words } from "./faults.js";
import { keep, recall } from "./storage.js";
import { analysis } from "./analysis.js";
import { announce } from "./live.js";
import { ask } from "./api.js";
import { scoreWords } from "./view.js";
import { store } from "./store.js";

const AREA = "sessionStorage";
const IDLE = {
  mode: null, // or "guess" (the player guesses), "keep" (the computer guesses) or "solve" (a puzzle)
  count: 0, // the rows that the game has so far
  played: "", // the board of these rows
  lies: 0,
  solution: null,
  isWaiting: false,
  retry: null, // what to do again if the server could not be reached
};

const drawSeed = () => crypto.getRandomValues(new Uint32Array(1))[0] % 2 ** 31;
const hasGuess = (row) => row.guess.every((color) => color !== null);
const guesses = (count) => `${count} ${count === 1 ? "guess" : "guesses"}`;

class Play extends EventTarget {
  evil = false;
  strategy = "auto";
  seed = 0;
  message = "";
  before = null; // the position before the game, if it had rows
  #turn = 0; // counts games, so that late answers of an earlier one are dropped
  #isOwnChange = false;
  #guesses = new Map(); // the board of a turn -> the guess of the computer
  #asked = null; // the board for which the computer looks for a guess
  #making = null; // ends the making of a puzzle

  constructor() {
    super();
    Object.assign(this, IDLE);
    store.addEventListener("change", () => this.#follow());
  }

  // Whether the rows are entered without scores.
  get hidesScores() {
    return this.mode === "guess" || this.mode === "solve";
  }

  get canSubmit() {
    const row = store.state.rows[store.locked];
    return this.hidesScores && !this.isWaiting && row !== undefined && hasGuess(row);
  }

  get isMaking() {
    return this.#making !== null;
  }

  #tell(message) {
    if (message !== this.message) announce(message);
    this.message = message;
    const { mode, evil, strategy, seed, count, played, lies, solution } = this;
    keep(AREA, "play", mode && { mode, evil, strategy, seed, count, played, lies, solution, message });
    this.dispatchEvent(new Event("change"));
  }

  #reset(more) {
    this.#turn += 1;
    this.#guesses.clear();
    this.#asked = null;
    Object.assign(this, IDLE, more);
    analysis.isQuiet = this.hidesScores;
  }

  begin(mode, evil = false) {
    this.stopMaking();
    this.#reset();
    store.unlock();
    this.before = store.state.rows.every(isEmpty) ? null : store.state;
    store.clear();
    this.#reset({ mode, evil, seed: drawSeed(), lies: store.state.lies, played: board(store.state, []) });
    store.lock(0);
    analysis.refresh();
    if (mode === "keep") this.#guess();
    else this.#tell(`${evil ? "I have not chosen a code yet." : "I have a code."} ${this.#invitation()}`);
  }

  // Put the board back that was there before the game.
  goBack() {
    const { before } = this;
    this.before = null;
    this.end();
    store.change(before);
  }

  end(message = "") {
    this.#reset();
    store.unlock();
    analysis.refresh();
    this.#tell(message);
  }

  // The game that was running when the page was left.
  get saved() {
    return recall(AREA, "play");
  }

  // Resume it if its rows are on the board.
  resume(saved) {
    const isThere = saved?.mode && saved.played === this.#rows(saved.count);
    if (!isThere) {
      keep(AREA, "play", null);
      this.#reset();
      return analysis.refresh();
    }
    this.#reset(saved);
    store.lock(this.hidesScores ? this.count : 0);
    analysis.refresh();
    this.dispatchEvent(new Event("change"));
    this.#follow();
  }

  // The board of the first rows; null if they are not all there.
  #rows(count) {
    const indices = Array.from({ length: count }, (_, n) => n);
    const rows = store.state.rows.slice(0, count);
    return rows.length === count && rows.every(isWhole) ? board(store.state, indices) : null;
  }

  #follow() {
    if (this.#isOwnChange) return;
    if (this.mode === "keep") this.#guess();
    else if (this.hidesScores && this.#rows(this.count) !== this.played) {
      this.end("The game is over, because the board was changed.");
    }
  }

  // Change the rows for the computer.
  #put(rows) {
    this.#isOwnChange = true;
    store.amend({ ...store.state, rows });
    this.#isOwnChange = false;
  }

  #invitation() {
    return `Guess ${this.count + 1}: choose ${store.state.game.pegs === 1 ? "a peg" : `${store.state.game.pegs} pegs`}, then press Enter.`;
  }

  // Hand in the guess of the player.
  submit() {
    if (!this.canSubmit) return;
    if (this.mode === "solve") this.#check();
    else this.#score();
  }

  async #score() {
    const [turn, index] = [this.#turn, this.count];
    const { guess } = store.state.rows[index];
    const spelled = spell(store.state.game, guess);
    Object.assign(this, { isWaiting: true, retry: null });
    store.lock(index + 1);
    store.moveTo(index + 1, 0);
    this.#tell(`Guess ${index + 1}, ${spelled}: waiting for the score.`);
    try {
      const { seed, evil, lies, played } = this;
      const { answer } = await ask("play", { board: played, guess: spelled, seed, evil, lies });
      if (turn !== this.#turn) return;
      const { rows, game } = store.state;
      this.isWaiting = false;
      this.#put(rows.map((row, n) => (n === index ? { ...row, score: answer.score } : row)));
      this.count = index + 1;
      this.played = this.#rows(this.count);
      if (this.played === null || rows[index].guess !== guess) return this.end("The game is over, because the board was changed.");
      store.lock(this.count);
      const told = `Guess ${index + 1}, ${spelled}: ${scoreWords(game, answer.score)}.`;
      if (answer.found) this.end(`${told} Found in ${guesses(this.count)}. Well played.`);
      else this.#tell(`${told} ${this.#invitation()}`);
    } catch (error) {
      if (turn !== this.#turn) return;
      store.lock(index);
      store.moveTo(index, 0);
      this.#fail(error, () => this.submit());
    }
  }

  #fail(error, retry) {
    Object.assign(this, { isWaiting: false, retry: isOffline(error) ? retry : null });
    this.#tell(words(error));
  }

  // Put a puzzle on the board: its code is the only one, and the analysis is hidden until the end.
  async pose(grade) {
    this.stopMaking();
    const making = new AbortController();
    const began = Date.now();
    const timer = setInterval(() => {
      this.message = `Making a puzzle … ${Math.round((Date.now() - began) / 1000)} s`;
      this.dispatchEvent(new Event("change"));
    }, 1000);
    this.#making = making;
    this.#tell("Making a puzzle …");
    try {
      const given = { board: board(store.state, []), grade, seed: drawSeed() };
      const { answer, position } = await ask("puzzle", given, { signal: making.signal });
      if (making.signal.aborted) return;
      this.#reset();
      store.unlock();
      this.before = store.state.rows.every(isEmpty) ? null : store.state;
      store.accept(position, { lies: 0 });
      const count = position.rows.length;
      this.#reset({ mode: "solve", solution: answer.code, count, played: this.#rows(count) });
      store.lock(count);
      analysis.refresh();
      this.#tell(`A puzzle of grade ${answer.grade}: which code gets all these scores? Put it into row ${count + 1}, then press Enter.`);
    } catch (error) {
      if (this.#making === making) this.#tell(error.name === "AbortError" ? "" : words(error));
    } finally {
      clearInterval(timer);
      if (this.#making === making) this.#making = null;
      this.dispatchEvent(new Event("change"));
    }
  }

  stopMaking() {
    this.#making?.abort();
    this.#making = null;
  }

  #check() {
    const { game, rows } = store.state;
    const guess = spell(game, rows[store.locked].guess);
    if (guess === spell(game, this.solution)) this.end(`Right: that is the code, ${guess}.`);
    else this.#tell(`Not that one: some row has another score for ${guess}.`);
  }

  async giveUp() {
    if (this.mode === "solve") return this.end(`The code is ${spell(store.state.game, this.solution)}.`);
    const { seed, evil, played } = this;
    const turn = this.#turn;
    try {
      const { answer } = await ask("play", { board: played, seed, evil, reveal: true });
      if (turn === this.#turn) this.end(`The code ${evil ? "could still have been" : "was"} ${answer.code}.`);
    } catch (error) {
      if (turn === this.#turn) this.#fail(error, () => this.giveUp());
    }
  }

  // The computer guesses: show its guess for the scored rows, unless it is shown already.
  async #guess() {
    const { state } = store;
    const line = board(state);
    const guess = this.#guesses.get(line);
    if (guess) return this.#show(guess, line);
    if (this.#asked === line) return;
    this.#asked = line;
    const turn = this.#turn;
    const isStale = () => turn !== this.#turn || this.#asked !== line;
    const count = active(state).length;
    Object.assign(this, { isWaiting: true, retry: null });
    this.#tell("Thinking …");
    try {
      if (count && (await ask("play", { board: line })).answer.found) {
        return isStale() ? null : this.end(`I found it in ${guesses(count)}.`);
      }
      const { strategy, seed, lies } = this;
      const { answer } = await ask("suggest", { board: line, others: 0, strategy, seed, lies });
      if (isStale()) return;
      this.#guesses.set(line, answer.guess);
      this.#show(answer.guess, line);
    } catch (error) {
      if (isStale()) return;
      if (isOffline(error)) this.#asked = null;
      const contradicts = count && error.status === 422 && error.message.startsWith("No code");
      if (contradicts) error.message += " Correct a row, and I go on.";
      this.#fail(error, () => this.#guess());
    }
  }

  // Show a guess in the row below the scored ones, in place of a guess that is out of date.
  #show(guess, line) {
    const { game, rows } = store.state;
    const isOpen = (row) => hasGuess(row) && !isWhole(row) && !row.off;
    const open = rows.find(isOpen);
    if (open?.guess.join() !== guess.join() || rows.filter(isOpen).length > 1) {
      const kept = rows.filter((row) => isWhole(row));
      const row = { guess, score: game.parts.map(() => null), off: false, unsure: false };
      this.#put([...kept, row]);
      store.moveTo(kept.length, game.pegs);
      this.dispatchEvent(new Event("shown"));
    }
    Object.assign(this, { isWaiting: false, retry: null, played: line, count: active(store.state).length });
    this.#asked = null;
    this.#tell(`My guess ${this.count + 1} is ${spell(game, guess)}. Put in its score.`);
  }
}

export const play = new Play();
