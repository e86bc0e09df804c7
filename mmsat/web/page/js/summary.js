// The state of the analysis in one sentence.

import { number } from "./numbers.js";

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
