// The state of the analysis in one sentence.

import { number, quantity } from "./core/numbers.js";

const MAX_NAME = 40;

export function summary(analysis) {
  const { check, count } = analysis.known;
  const verdict = check?.answer?.verdict;
  if (!check?.isDone || !verdict) return "";
  if (verdict === "inconsistent") return check.sentences.slice(0, 2).join(" ");
  if (verdict === "unknown") return "Undecided.";
  if (!count?.isDone || !count.answer?.exact) return "The scores fit.";
  const many = count.answer.count;
  return `The scores fit. ${number(many)} ${many === "1" ? "code is" : "codes are"} possible.`;
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
