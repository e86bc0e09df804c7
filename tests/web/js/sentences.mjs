// For a test in Python: the sentences of the page about each JSON document of the standard input, one
// per line. {game, rows, steps} is a deduction; {game, rows, conflict, reason, lies, by} a conflict.

import { createInterface } from "node:readline";
import { UNREAD } from "../../../mmsat/web/page/js/core/notation.js";
import { conflictText, plain } from "../../../mmsat/web/page/js/core/phrases.js";
import { stepLines } from "../../../mmsat/web/page/js/core/steps.js";

const read = (values) => values.map((value) => value ?? UNREAD);

for await (const line of createInterface({ input: process.stdin })) {
  const { game, rows: given, steps, ...conflict } = JSON.parse(line);
  const rows = given.map(({ guess, score }) => ({ guess: read(guess), score: read(score) }));
  const texts = steps
    ? stepLines(game, rows, steps).map(({ text }) => plain(game, text))
    : [conflictText(game, rows, conflict)];
  console.log(JSON.stringify(texts));
}
