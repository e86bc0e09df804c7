// The state of the analysis as text, and the title of the page.

import { spell } from "./core/notation.js";
import { quantity } from "./core/numbers.js";
import { mistakes } from "./core/verdict.js";
import { codeNoun } from "./core/words.js";

const MAX_NAME = 40;

export function summary(analysis, game) {
  const { check, count, explain } = analysis.known;
  const verdict = check?.answer?.verdict;
  if (!check?.isDone || !verdict) return "";
  if (verdict === "inconsistent") {
    const corrections = explain?.isDone ? (explain.answer?.corrections ?? []) : [];
    const list = corrections.length ? `${quantity(corrections.length, "correction")}, the likely ones first.` : "";
    return ["These scores contradict each other.", mistakes(check.answer) || analysis.conflict, list]
      .filter(Boolean)
      .join(" ");
  }
  if (verdict === "unknown") return "Undecided.";
  const opening = analysis.indices.length ? "The scores fit." : "Enter your guesses and scores.";
  if (!count?.isDone || !count.answer?.exact) return opening;
  const many = count.answer.count;
  const noun = codeNoun(game);
  if (many === "1" && analysis.indices.length) return `Solved: the ${noun} is ${spell(game, check.answer.witness)}.`;
  return `${opening} ${quantity(many, noun)} ${many === "1" ? "is" : "are"} possible.`;
}

// Return the title of the browser tab, such as "36 codes, 4x6 · mmsat".
export function title(analysis, game) {
  const { check, count } = analysis.known;
  const name = game.line.slice(0, MAX_NAME);
  const verdict = analysis.isQuiet || !analysis.indices.length ? null : check?.answer?.verdict;
  if (verdict === "inconsistent") return `Wrong score, ${name} · mmsat`;
  if (verdict !== "consistent" || !count?.answer?.exact) return `${name} · mmsat`;
  return `${quantity(count.answer.count, codeNoun(game))}, ${name} · mmsat`;
}
