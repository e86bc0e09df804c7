// The names of the lines of a deduction, and the pegs that they are about.

import assert from "node:assert/strict";
import { test } from "node:test";
import { lineName, pegsOfStep } from "../../../mmsat/web/page/js/core/lesson.js";

test("only steps are counted", () => {
  const lines = ["", "1", "2", "2.1", "2", "", ""].map((number) => ({ number, text: "" }));
  assert.deepEqual(
    lines.map((line, place) => lineName(line, place, 2)),
    ["Introduction", "Step 1 of 2", "Step 2 of 2", "Step 2.1 of 2", "Step 2 of 2", "Conclusion", "Conclusion"],
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
