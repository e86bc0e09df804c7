// The state of the analysis in one sentence.

import { number, quantity } from "./core/numbers.js";
import { mistakes } from "./core/verdict.js";

const MAX_NAME = 40;

export function summary(analysis) {
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
  return `${opening} ${number(many)} ${many === "1" ? "code is" : "codes are"} possible.`;
}

// The title of the tab, such as "36 codes, 4x6 · mmsat".
export function title(analysis, { line }) {
  const { check, count } = analysis.known;
  const name = line.slice(0, MAX_NAME);
  const verdict = analysis.isQuiet || !analysis.indices.length ? null : check?.answer?.verdict;
  if (verdict === "inconsistent") return `Wrong score, ${name} · mmsat`;
  if (verdict !== "consistent" || !count?.answer?.exact) return `${name} · mmsat`;
  return `${quantity(count.answer.count, "code")}, ${name} · mmsat`;
}
