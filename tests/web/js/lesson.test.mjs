// The counter of a deduction has the numbers of its sentences.

import assert from "node:assert/strict";
import { test } from "node:test";
import { lineName, lineNumbers, pegsOfStep } from "../../../mmsat/web/page/js/core/lesson.js";

const plain = { supposed: null, steps: [] };
const supposition = (steps) => ({ supposed: { peg: 1, color: 1, true: true }, steps });

test("lines of nested suppositions have the numbers of their steps", () => {
  const steps = [plain, supposition([plain, supposition([plain]), plain]), plain];
  assert.deepEqual(lineNumbers(steps), ["1", "2", "2.1", "2.2", "2.2.1", "2.2", "2.3", "2", "3"]);
});

test("only steps are counted", () => {
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((line) => lineName([plain, plain], line)),
    ["Introduction", "Step 1 of 2", "Step 2 of 2", "Conclusion", "Conclusion"],
  );
});

test("the pegs of a step are those that it decides or counts, else those of its pegs and colors, else all", () => {
  const guess = [1, 2, 2, 5];
  const pegs = (decided, counted = []) => pegsOfStep({ new: decided, new_counts: counted }, guess);
  assert.deepEqual(pegs([[1, 1]]), [1]);
  assert.deepEqual(pegs([[1, 1]], [4]), [1, 3]);
  assert.deepEqual(pegs([], [1]), [1, 2]);
  assert.deepEqual(pegs([[0, 1]]), [0, 1, 2]);
  assert.deepEqual(pegs([]), [0, 1, 2, 3]);
});
