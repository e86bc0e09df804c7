// A deduction as sentences, from the steps of the server. The command line prints the same sentences
// (mmsat/diagnosis/steps); a test compares them.

import { quantity } from "./numbers.js";
import { factWords, joinWords, listAt, placeNoun, reasonText, scoreText } from "./phrases.js";
import { capital } from "./words.js";

/** @import { Fact, Reason, ScoredRow } from "./phrases.js" */
/** @import { Game } from "./types.js" */

/**
 * @typedef {object} Trial Why an assumed fact is refuted: TrialJson in mmsat/diagnosis/explanation.py.
 * @property {Fact} supposed
 * @property {Fact[]} implied
 * @property {number[]} rows
 */

/**
 * @typedef {object} Step A step of a deduction: StepJson in mmsat/diagnosis/steps.
 * @property {number[]} rows
 * @property {Fact[]} facts
 * @property {Fact[]} found
 * @property {"rules" | "counting" | "listing" | "trying" | "supposing"} way
 * @property {Reason | null} reason
 * @property {Trial[]} trials
 * @property {Fact | null} supposed
 * @property {Step[]} steps
 */

/**
 * @typedef {object} Steps The answer to `steps`: StepsJson in mmsat/diagnosis/steps.
 * @property {"consistent" | "inconsistent" | "unknown"} verdict
 * @property {number[]} conflict
 * @property {Fact[]} certain
 * @property {Step[]} steps
 * @property {{grade: number, hardest: string, steps: number, rows: number, cases: number} | null} difficulty
 * @property {boolean} complete
 */

/**
 * @typedef {object} Line
 * @property {string} number The number of the step, such as "3" or "4.1"; "" for an introduction or a conclusion.
 * @property {string} text The sentence, including its number. Colors are written as in phrases.js.
 */

const MAX_REPEATED_STEPS = 6; // if a step uses facts of more steps, only the numbers of the steps are given
const MAX_LISTED_TRIALS = 3; // further trials are only counted
const MAX_GRADE = 6;
const SUPPOSED = "supposed";

/** @type {(fact: Fact) => string} */
const keyOf = ({ peg, color, least, true: holds }) => [peg, color, least, holds].join();

class Writer {
  /**
   * @param {Game} game
   * @param {ScoredRow[]} rows The rows of the board.
   */
  constructor(game, rows) {
    this.game = game;
    this.rows = rows;
  }

  /** @param {Steps} answer */
  introduction({ verdict, conflict }) {
    if (verdict === "consistent") return "Consistent. These steps show what all remaining codes have in common.";
    if (!conflict.length) return "Inconsistent: no code gets exactly these scores.";
    const quantifier = ["", "both ", "all "][Math.min(conflict.length, 3) - 1];
    return `Inconsistent: ${conflict.length === 1 ? "row" : "rows"} ${joinWords(conflict)} can't ${quantifier}be right. These steps show why.`;
  }

  /**
   * @param {Steps} answer
   * @returns {string[]}
   */
  conclusions({ verdict, certain, complete }) {
    const uncertain = `${this.game.noun} or number of ${placeNoun(this.game)}s is certain`;
    if (!complete) return ["Time limit reached: the steps may not be complete."];
    if (verdict === "inconsistent") return ["So no code gets exactly these scores."];
    if (!certain.length) return [`No ${uncertain} yet.`];
    const pegs = certain.filter((fact) => fact.true && fact.peg !== undefined).length;
    const found = `Certain: ${factWords(this.game, certain)}.`;
    return pegs === this.game.pegs ? [found] : [found, `No other ${uncertain}.`];
  }

  /**
   * Return the lines of a chain of steps. `sources` has the number of the step that found each earlier fact.
   *
   * @param {Step[]} steps
   * @param {string} prefix
   * @param {Map<string, string>} sources
   * @returns {Line[]}
   */
  lines(steps, prefix, sources) {
    const known = new Map(sources);
    return steps.flatMap((step, index) => {
      const label = `${prefix}${index + 1}`;
      const written = this.step(step, label, known);
      for (const fact of step.found) known.set(keyOf(fact), label);
      return written;
    });
  }

  /** @type {(step: Step, label: string, sources: Map<string, string>) => Line[]} */
  step(step, label, sources) {
    const { supposed, steps, found } = step;
    if (!supposed) return [{ number: label, text: `${label}. ${this.sentence(step, sources)}` }];
    const inner = new Map(sources).set(keyOf(supposed), SUPPOSED);
    return [
      { number: label, text: `${label}. Suppose ${factWords(this.game, [supposed])}.` },
      ...this.lines(steps, `${label}.`, inner),
      { number: label, text: `So ${factWords(this.game, found)}. [${label}]` },
    ];
  }

  /** @type {(step: Step, sources: Map<string, string>) => string} */
  sentence(step, sources) {
    const premises = this.premises(step.facts, sources);
    const found = step.found.length ? factWords(this.game, step.found) : "";
    if (step.way === "rules") return this.byRules(premises, found);
    const clause = this.clause(step, found, premises !== "");
    return `${capital(premises ? `as ${premises}, ${clause}` : clause)}.`;
  }

  /** @type {(premises: string, found: string) => string} */
  byRules(premises, found) {
    const { words } = this.game;
    if (!found) return words ? `No word remains, as ${premises}.` : `${capital(premises)}: that can't be.`;
    return `${capital(premises ? `as ${premises}` : "by the rules")}, ${words ? "in every remaining word, " : ""}${found}.`;
  }

  /** @type {(step: Step, found: string, hasPremises: boolean) => string} */
  clause({ rows, way, reason, trials }, found, hasPremises) {
    const names = this.rowNames(rows);
    const quantifier = ["", "", "both ", "all "][Math.min(rows.length, 3)];
    if (way === "listing") return found ? `in every word that fits ${names}, ${found}` : `no word fits ${names}`;
    if (!found) {
      const why = reasonText(this.game, this.rows, reason);
      return `${names} can't ${quantifier}be right${why ? `: ${why}` : ""}`;
    }
    if (way === "trying") return `${names} can ${quantifier}be right only if ${found}${this.trialTexts(trials)}`;
    if (rows.length > 1) return `${names} together mean that ${found}`;
    return `${names} ${hasPremises ? "means" : "says"} that ${found}`;
  }

  /** @type {(trials: Trial[]) => string} */
  trialTexts(trials) {
    const texts = trials.slice(0, MAX_LISTED_TRIALS).map((trial) => this.trial(trial));
    const others = trials.length - texts.length;
    if (others) texts.push(`the same happens in ${quantity(others, "other case")}`);
    return texts.length ? `: ${texts.join("; ")}` : "";
  }

  /** @type {(trial: Trial) => string} */
  trial({ supposed, implied, rows }) {
    const fact = factWords(this.game, [supposed]);
    const end = rows.length ? `contradicts ${rows.length === 1 ? "row" : "rows"} ${joinWords(rows)}` : "can't be";
    return implied.length ? `if ${fact}, then ${factWords(this.game, implied)}, which ${end}` : `that ${fact} ${end}`;
  }

  /**
   * Return the premises with the numbers of their steps; "" if there are none.
   *
   * @type {(facts: Fact[], sources: Map<string, string>) => string}
   */
  premises(facts, sources) {
    if (!facts.length) return "";
    /** @type {Map<string, Fact[]>} */
    const bySource = new Map();
    for (const fact of facts) listAt(bySource, sources.get(keyOf(fact)) ?? "").push(fact);
    if (bySource.size > MAX_REPEATED_STEPS) {
      const numbers = [...bySource.keys()].filter((source) => source !== SUPPOSED);
      const supposed = bySource.get(SUPPOSED);
      const assumption = supposed ? `, and supposing that ${factWords(this.game, supposed)}` : "";
      return `steps ${joinWords(numbers)} found${assumption}`;
    }
    return joinWords([...bySource].map(([source, found]) => `${factWords(this.game, found)} [${source}]`));
  }

  /**
   * Return row numbers with their scores. Scores of marks are omitted.
   *
   * @type {(rows: number[]) => string}
   */
  rowNames(rows) {
    const { game } = this;
    const names = rows.map((row) =>
      game.marks.length ? String(row) : `${row} (${scoreText(game, this.rows[row - 1].score)})`,
    );
    return `${rows.length === 1 ? "row" : "rows"} ${joinWords(names)}`;
  }
}

/** @type {(difficulty: NonNullable<Steps["difficulty"]>) => string} */
function difficultyText({ grade, hardest, steps, rows, cases }) {
  const more = `${rows > 1 ? `, at most ${rows} rows in each` : ""}${cases ? `, ${quantity(cases, "case")} tried` : ""}`;
  return `Grade ${grade} of ${MAX_GRADE} (${hardest}): ${quantity(steps, "step")}${more}.`;
}

/**
 * Return the lines of a deduction: an introduction, the steps, and conclusions.
 *
 * @type {(game: Game, rows: ScoredRow[], answer: Steps) => Line[]}
 */
export function stepLines(game, rows, answer) {
  /** @type {(text: string) => Line} */
  const unnumbered = (text) => ({ number: "", text });
  if (answer.verdict === "unknown") return [unnumbered("Undecided: the search ended before a verdict was found.")];
  const writer = new Writer(game, rows);
  const { steps, difficulty } = answer;
  return [
    unnumbered(writer.introduction(answer)),
    ...writer.lines(steps, "", new Map()),
    ...writer.conclusions(answer).map(unnumbered),
    ...(steps.length && difficulty ? [unnumbered(difficultyText(difficulty))] : []),
  ];
}
