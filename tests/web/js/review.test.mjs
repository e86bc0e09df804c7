// What a review says about a guess.

import assert from "node:assert/strict";
import { test } from "node:test";
import { CLASSIC } from "../../../mmsat/web/page/js/core/notation.js";
import {
  CLASSES,
  classify,
  difference,
  lessons,
  lossText,
  luckText,
  moveText,
} from "../../../mmsat/web/page/js/core/review.js";

const move = (more) => ({
  loss: "0",
  by: "best-play",
  skill: 1,
  expected_bits: 1,
  luckier: 0.5,
  codes_before: "9",
  ...more,
});

test("a guess is classified by its loss in guesses, or by its skill", () => {
  const by = (loss) => classify(move({ loss }));
  assert.deepEqual(["0", "1/20", "1/10", "1/5", "3/10", "7/12"].map(by), [
    "best",
    "good",
    "good",
    "inaccurate",
    "inaccurate",
    "mistake",
  ]);
  const bySkill = (skill) => classify(move({ loss: "5", by: "expected-codes", skill }));
  assert.deepEqual([0.95, 0.8, 0.5].map(bySkill), ["good", "inaccurate", "mistake"]);
  const byInformation = (most) =>
    classify(move({ loss: "5", by: "expected-codes", skill: 0.5, expected_bits: 9, most_bits: most }));
  assert.deepEqual([9, 10, 12, 15].map(byInformation), ["good", "good", "inaccurate", "mistake"]);
  assert.equal(classify(move({ loss: "1/20", expected_bits: 0 })), "wasted");
});

test("every class has a sign and a word, and lessons are its worst ones", () => {
  const moves = [move({}), move({ loss: "1/5" }), move({ loss: "2" }), move({ loss: "1", expected_bits: 0 })];
  assert.deepEqual(lessons(moves), moves.slice(1));
  for (const each of moves) assert.ok(CLASSES[classify(each)].text);
});

test("cost and luck in words", () => {
  assert.equal(lossText("7/12", "best-play"), "costs 0.58 guesses");
  assert.equal(lossText("1", "best-play"), "costs 1 guess");
  assert.equal(lossText("3", "expected-codes"), "leaves 3 more codes on average");
  assert.equal(lossText("1", "expected-codes"), "leaves 1 more code on average");
  assert.equal(lossText("1/500", "best-play"), "costs less than 0.01 guesses");
  assert.equal(lossText("14/100", "best-play"), "costs 0.14 guesses");
  assert.equal(lossText("0", "best-play"), "");
  assert.deepEqual(
    [0.9, 0.5, 0.1].map((luckier) => luckText(move({ luckier }))),
    ["lucky", "average luck", "unlucky"],
  );
  assert.equal(luckText(move({ luckier: null })), "");
  assert.equal(luckText(move({ codes_before: "1" })), "");
});

test("what can be said of a guess comes from its figures", () => {
  const said = (more) =>
    moveText(
      CLASSIC,
      move({
        possible: true,
        exact: true,
        cost: "5/2",
        best: [1, 1, 2, 3],
        best_cost: "9/4",
        equally_lucky: 0.5,
        ...more,
      }),
    );
  assert.deepEqual(said({}), [
    "It was a possible code. It needs 2.5 guesses on average, and no guess needs fewer.",
    "For 25 % of the codes, the score would have been less lucky.",
  ]);
  const bits = { expected_bits: 1, informative: [1, 2, 3, 4], most_bits: 1.5 };
  const slip = { possible: false, exact: false, by: "expected-codes", loss: "1/4", luckier: null };
  assert.deepEqual(said({ ...slip, ...bits }), [
    "It was not a possible code. It leaves about 2.5 codes on average, and 1123 leaves about 2.25.",
    "It gives 1.00 bits of information on average, and 1234 1.50.",
  ]);
  assert.equal(
    said({ ...slip, ...bits, most_bits: 1 })[1],
    "It gives 1.00 bits of information on average, and no guess gives more.",
  );
  assert.equal(said({ equally_lucky: 1 }).at(-1), "No other code would have given a less lucky score.");
  assert.equal(said({ codes_after: "0" }).at(-1), "No code gets this score and those before it.");
});

test("differences of fractions are exact", () => {
  for (let a = -6; a <= 6; a += 1) {
    for (let b = 1; b <= 6; b += 1) {
      for (let c = -6; c <= 6; c += 1) {
        for (let d = 1; d <= 6; d += 1) {
          const [above, below = "1"] = difference(`${a}/${b}`, `${c}/${d}`).split("/").map(BigInt);
          assert.equal(above * BigInt(b * d), BigInt(a * d - c * b) * BigInt(below));
        }
      }
    }
  }
  assert.equal(difference("1/2", "1/2"), "0");
  assert.equal(difference("7/12", "1/12"), "1/2");
});
