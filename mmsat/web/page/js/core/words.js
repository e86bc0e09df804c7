// Scores, colors and the state of a game in words.

import { readCode, spell, spellScore, symbolOf, UNREAD } from "./notation.js";
import { quantity } from "./numbers.js";

/** @import { Cell, Game } from "./types.js" */
/** @import { ScoredRow } from "./phrases.js" */
/** @import { State } from "./play-machine.js" */

/**
 * The words of one kind of game for the general words peg, key peg, black, white, and for its marks.
 *
 * @typedef {object} Vocabulary
 * @property {string} place
 * @property {string} point
 * @property {Record<string, string>} parts
 * @property {Record<string, string>} marks
 */

const [COLORS, DIGITS, BULLS, LETTERS] = /** @type {Vocabulary[]} */ ([
  { place: "peg", point: "key peg", parts: {}, marks: {} },
  { place: "place", point: "point", parts: {}, marks: {} },
  { place: "place", point: "point", parts: { black: "bull", white: "cow" }, marks: {} },
  {
    place: "place",
    point: "mark",
    parts: { color: "letter" },
    marks: { "in place": "green", elsewhere: "yellow", absent: "grey" },
  },
]);

/** @type {(game: Game) => Vocabulary} */
function vocabulary({ noun, marks, words, has_repeats }) {
  if (words || noun === "letter") return LETTERS;
  if (noun !== "digit") return marks.length ? { ...COLORS, place: "place", point: "mark" } : COLORS;
  return has_repeats || marks.length ? DIGITS : BULLS;
}

/** @type {(game: Game) => boolean} */
export const isBulls = (game) => vocabulary(game) === BULLS;

/** @type {(game: Game) => string} */
export const placeWord = (game) => vocabulary(game).place;

/** @type {(game: Game) => string} */
export const pointWord = (game) => vocabulary(game).point;

/**
 * Return a text of the toolkit, which uses the general words (peg, color, black, white), in the words of the game.
 *
 * @type {(game: Game, text: string) => string}
 */
export function speak(game, text) {
  const { place, point, parts } = vocabulary(game);
  /** @type {(noun: string, amount?: string) => string} */
  const counted = (noun, amount = "") => `${amount}${noun}${["", "1 "].includes(amount) ? "" : "s"}`;
  const nouns = Object.entries(parts).reduce(
    (spoken, [name, noun]) =>
      spoken.replace(new RegExp(`(\\d+ |\\? )?\\b${name}s?\\b`, "g"), (_, amount) => counted(noun, amount)),
    text
      .replace(/\bkey peg/g, point)
      .replace(/\bpeg(?=s?\b)/g, place)
      .replace(/\bPeg(?=s?\b)/g, capital(place)),
  );
  const colored = ["color", "pair"].includes(game.noun) ? nouns : nouns.replace(/\bcolor(?=s?\b)/g, game.noun);
  return game.words ? colored.replace(/\bcode(?=s?\b)/g, "word") : colored;
}

/** @type {(text: string) => string} */
export const capital = (text) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/**
 * Return the name of a part of a score: "black", "bulls".
 *
 * @type {(game: Game, part: number) => string}
 */
export function partWord(game, part) {
  const name = game.parts[part];
  const noun = vocabulary(game).parts[name];
  return noun ? `${noun}s` : name;
}

/**
 * Return a part of a score with its number: "1 black", "2 bulls", "? cows".
 *
 * @type {(game: Game, part: number, amount: Cell) => string}
 */
export function partAmount(game, part, amount) {
  const noun = vocabulary(game).parts[game.parts[part]];
  if (noun) return `${amount ?? UNREAD} ${noun}${amount === 1 ? "" : "s"}`;
  return `${amount ?? UNREAD} ${partName(game.parts[part], amount)}`;
}

/** @type {(game: Game, mark: Cell) => string} */
export function markName(game, mark) {
  const name = game.marks.find(({ symbol }) => symbol === mark)?.name;
  return name === undefined ? "not read" : (vocabulary(game).marks[name] ?? name);
}

/**
 * Return the name of a mark with its meaning, if the name does not state it: "green: in place".
 *
 * @type {(game: Game, mark: Cell) => string}
 */
export function markTitle(game, mark) {
  const name = game.marks.find(({ symbol }) => symbol === mark)?.name;
  const spoken = markName(game, mark);
  return name === undefined || name === spoken ? spoken : `${spoken}: ${name}`;
}

/**
 * Return a score in words: "1 black 2 white", "1 bull 2 cows", or "grey, green, yellow".
 *
 * @type {(game: Game, parts: Cell[]) => string}
 */
export const scoreWords = (game, parts) =>
  game.marks.length
    ? parts.map((part) => markName(game, part)).join(", ")
    : parts.map((part, n) => partAmount(game, n, part)).join(" ");

/**
 * Return a score in words, or as the symbols of its marks.
 *
 * @type {(game: Game, parts: Cell[]) => string}
 */
export const shortScore = (game, parts) => (game.marks.length ? spellScore(game, parts) : scoreWords(game, parts));

/**
 * Return a score in the general words of the toolkit.
 *
 * @type {(game: Game, parts: Cell[]) => string}
 */
export const plainScore = (game, parts) =>
  parts.map((part, n) => `${part ?? UNREAD} ${partName(game.parts[n], part)}`).join(" ");

/** @type {(name: string, amount: Cell) => string} */
const partName = (name, amount) => (name === "color" && typeof amount === "number" && amount !== 1 ? "colors" : name);

/** @type {(game: Game) => string} */
export const codeNoun = (game) => (game.words ? "word" : "code");

/** @type {(game: Game, color: Cell) => string} */
export const colorName = (game, color) =>
  color === null ? `no ${game.noun} yet` : color === UNREAD ? "not read" : `${game.noun} ${symbolOf(game, color)}`;

/** @type {(count: number) => string} */
export const guesses = (count) => quantity(count, "guess").replace(/guesss$/, "guesses");

/** @type {(state: State, game: Game) => string} */
const invitation = ({ count }, game) =>
  `Guess ${count + 1}: choose ${quantity(game.pegs, placeWord(game) === "peg" ? "peg" : game.noun).replace(/^1 /, "a ")}${count ? "" : ", then make the guess"}.`;

/**
 * Return a sentence with the score of the last guess or, for several boards, with the number of codes that were found.
 *
 * @type {(state: State, game: Game, lastGuess: Cell[]) => string}
 */
function lastScore({ scores, found, count }, game, lastGuess) {
  const sum = `${found.filter((at) => at !== null).length} of ${scores.length} ${codeNoun(game)}s are found`;
  const told = scores.length > 1 ? sum : scoreWords(game, scores[0][count - 1] ?? []);
  return `Guess ${count}, ${spaced(game, lastGuess)}: ${told}.`;
}

/**
 * Return a guess, with spaces between symbols of several characters.
 *
 * @type {(game: Game, guess: Cell[]) => string}
 */
const spaced = (game, guess) =>
  !game.joined && game.symbols.some(({ symbol }) => symbol.length > 1)
    ? guess.map((color) => symbolOf(game, color)).join(" ")
    : spell(game, guess);

/**
 * Return why a guess was refused, in the words of players; "" for other errors. `rows` are the rows before the guess.
 *
 * @type {(game: Game, rows: ScoredRow[], fault: {found: string | null, expected: string, rule: string}) => string}
 */
export function refusal(game, rows, { found, expected, rule }) {
  if (!found) return "";
  if (expected === "a word of the list of this game") return `${found.toUpperCase()} is not in the word list.`;
  const number = Number(/ignores information of row (\d+)$/.exec(rule)?.[1] ?? 0);
  const row = rows[number - 1];
  if (!row) return "";
  const needs = missing(game, row, readCode(game, found));
  if (needs.length) return `Hard mode: ${needs.join(", and ")} (row ${number}).`;
  if (game.marks.length) return `Hard mode: the guess has to use the marks of row ${number}.`;
  return `Hard mode: ${found} can't be the code, because of the score of row ${number}.`;
}

/**
 * Return the requirements of the marks of a row that a guess does not meet.
 *
 * @type {(game: Game, row: ScoredRow, guess: Cell[]) => string[]}
 */
function missing(game, row, guess) {
  const names = row.score.map((mark) => game.marks.find(({ symbol }) => symbol === mark)?.name ?? "");
  const found = row.guess.filter((_, n) => ["in place", "elsewhere"].includes(names[n]));
  const count = (/** @type {Cell[]} */ cells, /** @type {Cell} */ color) =>
    cells.filter((each) => each === color).length;
  const places = row.guess.flatMap((color, n) =>
    names[n] === "in place" && guess[n] !== color ? [`place ${n + 1} must be ${symbolOf(game, color)}`] : [],
  );
  const letters = [...new Set(found)].filter((color) => count(guess, color) < count(found, color));
  const placed = row.guess.filter((color, n) => names[n] === "in place" && guess[n] !== color);
  const unused = letters.filter((color) => count(found, color) - count(guess, color) > count(placed, color));
  const times = (/** @type {Cell} */ color) => (count(found, color) === 2 ? " twice" : "");
  return [...places, ...unused.map((color) => `${symbolOf(game, color)} must be used${times(color)}`)];
}

/** @type {(state: State, game: Game, rows: Cell[][]) => string} */
function result({ role, count, result, settings, solution, tries, hints }, game, rows) {
  switch (result?.kind) {
    case "found":
      if (role === "keep") return `I found it in ${guesses(count)}.`;
      return `Found in ${guesses(count)}${settings.boards > 1 ? "" : `: ${spaced(game, rows[count - 1] ?? [])}`}.`;
    case "solved":
      return `Right: that is the ${codeNoun(game)}, ${spell(game, solution ?? [])}. ${tries || hints ? `Wrong codes: ${tries}, hints: ${hints}.` : "Without a mistake or a hint."}`;
    case "revealed":
      if (settings.boards > 1) return `The ${codeNoun(game)}s were ${result.code}.`;
      return `The ${codeNoun(game)} ${role === "solve" ? "is" : settings.evil ? "could still have been" : "was"} ${result.code}.`;
    case "changed":
      return "The game is over, because the board was changed.";
    default:
      return "";
  }
}

/**
 * Return the state of a game in words. `rows` are the guesses on the board.
 *
 * @param {State} state
 * @param {Game} game
 * @param {Cell[][]} rows
 * @returns {string}
 */
export function message(state, game, rows) {
  const { phase, role, settings, count, failure } = state;
  const last = rows[count - 1] ?? [];
  switch (phase) {
    case "making":
      return state.seconds ? `Making a puzzle … ${state.seconds} s` : "Making a puzzle …";
    case "guessing":
      if (failure) return failure;
      if (role === "solve") return puzzle(state, game);
      if (count) return `${lastScore(state, game, last)} ${invitation(state, game)}`;
      return `${opening(settings, game)} ${invitation(state, game)}`;
    case "scoring":
      return role === "solve" ? "" : `Guess ${count + 1}, ${spell(game, rows[count] ?? [])}: waiting for the score.`;
    case "thinking":
      return "Thinking …";
    case "answering":
      return `My guess ${count + 1} is ${spell(game, state.guess ?? [])}. Put in its score.`;
    case "over":
      return result(state, game, rows);
    default:
      return failure;
  }
}

/**
 * Return why the number of guesses of best play is unknown for a finished game; "" if there is no reason. `best` is
 * this number, or null if it was not found.
 *
 * @type {(settings: State["settings"], best: string | null) => string}
 */
export function unknownBest({ evil, lies, boards }, best) {
  if (boards > 1) return "The best possible result is not known for several codes at the same time.";
  if (lies) return "The best possible result is not known if scores may be wrong.";
  if (evil) return "The computer cheated, so there is no average of best play to compare with.";
  return best ? "" : "The best possible result is not known for this game.";
}

/** @type {(settings: State["settings"], game: Game) => string} */
function opening({ evil, boards }, game) {
  const noun = codeNoun(game);
  if (evil) return `I have not chosen a ${noun} yet.`;
  return boards > 1 ? `I have ${boards} ${noun}s.` : `I have a ${noun}.`;
}

/** @type {(state: State, game: Game) => string} */
function puzzle({ wrong, misfit, grade, count, day }, game) {
  if (wrong) {
    const code = spell(game, wrong);
    const reason = misfit
      ? `then row ${misfit.row} would score ${scoreWords(game, misfit.score)}`
      : "then some row would have another score";
    return `Not ${code}: ${reason}. Change row ${count + 1}, and try again.`;
  }
  return `${day ? `The puzzle of ${day},` : "A puzzle"}${grade ? ` of grade ${grade}` : ""}: which code gets all these scores? Put it into row ${count + 1}, then make the guess.`;
}
