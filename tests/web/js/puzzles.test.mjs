// Hints, the history of puzzles, and the text of a result.

import assert from "node:assert/strict";
import { test } from "node:test";
import { hintAt, STRENGTHS, stepsBefore } from "../../../mmsat/web/page/js/core/hints.js";
import { dateText, NOTHING, puzzleOf, read, record, streak } from "../../../mmsat/web/page/js/core/history.js";
import { CLASSIC } from "../../../mmsat/web/page/js/core/notation.js";
import { plain } from "../../../mmsat/web/page/js/core/phrases.js";
import { gameText, signs } from "../../../mmsat/web/page/js/core/share.js";

const solved = (stored, day) => record(stored, { day, tries: 0, hints: 0 });

test("a streak counts the days in a row, over months and years", () => {
  const days = ["2025-12-30", "2025-12-31", "2026-01-01", "2026-01-03"];
  const history = days.reduce(solved, NOTHING);
  assert.equal(streak(history, "2026-01-01"), 3);
  assert.equal(streak(history, "2026-01-02"), 3);
  assert.equal(streak(history, "2026-01-03"), 1);
  assert.equal(streak(history, "2026-01-05"), 0);
  assert.equal(streak(solved(solved(NOTHING, "2024-02-29"), "2024-03-01"), "2024-03-01"), 2);
});

test("the puzzle of a day counts once, with its first result", () => {
  const first = record(null, { day: "2026-01-01", tries: 2, hints: 1 });
  const again = record(first, { day: "2026-01-01", tries: 0, hints: 0 });
  assert.deepEqual(again, { days: { "2026-01-01": { tries: 2, hints: 1 } }, solved: 2 });
  assert.equal(record(again, { day: null, tries: 0, hints: 0 }).solved, 3);
});

test("anything else that was stored is ignored", () => {
  for (const stored of [null, undefined, 1, "x", [], {}, { days: null }, { days: { x: 1 }, solved: -1 }, { days: 3 }]) {
    assert.deepEqual(read(stored), NOTHING);
  }
  const many = Object.fromEntries(Array.from({ length: 999 }, (_, n) => [`${1000 + n}-01-01`, { tries: 0, hints: 0 }]));
  assert.ok(Object.keys(solved({ days: many, solved: 0 }, "9999-01-01").days).length < 999);
});

test("each day has its puzzle", () => {
  assert.equal(dateText(new Date(2026, 0, 5)), "2026-01-05");
  assert.deepEqual(puzzleOf("2026-01-05"), { day: "2026-01-05", seed: 20260105, grade: 1 });
  for (let day = 1; day < 29; day += 1) {
    const { seed, grade } = puzzleOf(`2026-02-${String(day).padStart(2, "0")}`);
    assert.ok(seed < 2 ** 31 && grade >= 1 && grade <= 4);
  }
});

const ROWS = [
  { guess: [1, 1, 2, 2], score: [1, 1] },
  { guess: [3, 3, 4, 5], score: [0, 2] },
];
const fact = (peg, color, isTrue = true) => ({ peg, color, true: isTrue });
const step = (rows, found, more = {}) => ({
  rows,
  facts: [],
  found,
  way: "counting",
  reason: null,
  supposed: null,
  steps: [],
  ...more,
});
const STEPS = {
  verdict: "consistent",
  conflict: [],
  certain: [fact(1, 3)],
  steps: [
    step([2], [fact(1, 3), fact(2, 3), { color: 1, least: 1, true: true }]),
    step([1], [fact(1, 2, false)], {
      way: "supposing",
      supposed: fact(1, 2),
      steps: [step([1], [], { facts: [fact(1, 2)] })],
    }),
  ],
  difficulty: null,
  complete: true,
};

test("hints get stronger, step by step, up to what all steps show", () => {
  const texts = Array.from({ length: 2 * STRENGTHS + 2 }, (_, n) =>
    plain(CLASSIC, hintAt(CLASSIC, ROWS, STEPS, n).text),
  );
  assert.deepEqual(texts, [
    "Look at row 2.",
    "Look at row 2: what follows there is about pegs 1 and 2 and the number of pegs of color 1.",
    "1. Row 2 (0 black 2 white) says that pegs 1 and 2 are color 3 and color 1 is in the code.",
    "Look at row 1, with what you know from the earlier steps.",
    "Look at row 1: suppose the opposite of what you want to show, and look for a contradiction.",
    "2. Suppose peg 1 is color 2. 2.1. As peg 1 is color 2 [supposed], row 1 (1 black 1 white) can't be right. So peg 1 is not color 2. [2]",
    "Certain: peg 1 is color 3.",
    "Certain: peg 1 is color 3.",
  ]);
  assert.deepEqual(hintAt(CLASSIC, ROWS, STEPS, 1).rows, [2]);
});

test("the steps that earlier hints told stay listed", () => {
  const told = (number) => stepsBefore(CLASSIC, ROWS, STEPS, number).map((text) => plain(CLASSIC, text));
  const whole = (index) => plain(CLASSIC, hintAt(CLASSIC, ROWS, STEPS, STRENGTHS * index + STRENGTHS - 1).text);
  for (const number of [0, 1, 2]) assert.deepEqual(told(number), []);
  for (const number of [3, 5]) assert.deepEqual(told(number), [whole(0)]);
  for (const number of [6, 7, 30]) assert.deepEqual(told(number), [whole(0), whole(1)]);
});

test("a result has a line for each score and no guess", () => {
  assert.equal(signs(CLASSIC, [1, 2]), "⚫⚪⚪➖");
  const marks = {
    ...CLASSIC,
    marks: [
      { symbol: "G", name: "in place", also: "" },
      { symbol: "-", name: "absent", also: "" },
    ],
  };
  assert.equal(signs(marks, ["G", "-"]), "🟩⬛");
  assert.equal(
    gameText(
      CLASSIC,
      [
        [
          [0, 1],
          [4, 0],
        ],
      ],
      [2],
      true,
    ),
    "Mastermind 4x6: found in 2, hard mode\n⚪➖➖➖\n⚫⚫⚫⚫",
  );
  assert.equal(
    gameText(
      CLASSIC,
      [
        [
          [4, 0],
          [1, 0],
        ],
        [
          [1, 0],
          [4, 0],
        ],
      ],
      [1, 2],
      false,
    ).split("\n").length,
    5,
  );
});
