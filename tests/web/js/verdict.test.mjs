// What the page says about contradicting scores.

import assert from "node:assert/strict";
import { test } from "node:test";
import { CLASSIC } from "../../../mmsat/web/page/js/core/notation.js";
import { isInformative } from "../../../mmsat/web/page/js/core/phrases.js";
import {
  correctionsInWords,
  likeliest,
  mistakes,
  slips,
  suspectsInWords,
  suspicion,
} from "../../../mmsat/web/page/js/core/verdict.js";

const chances = (...list) => list.map((chance, n) => ({ row: n + 1, chance }));
const found = (list, more = {}) => ({ mistaken: chances(...list), mistaken_exactly: true, conflict: [1, 2], ...more });
const change = (row, to, slip = "") => ({ row, from: [2, 2], to, slip });
const correction = (chance, ...changes) => ({ changes, codes: "1", chance });

test("rows that are equally likely mistakes are named together", () => {
  assert.equal(mistakes(found(["0", "0", "1"])), "Row 3 must be the mistake if only one score is wrong.");
  assert.equal(mistakes(found(["1", "1", "0"])), "Rows 1 and 2 must be the mistakes if only 2 scores are wrong.");
  assert.equal(mistakes(found(["1/3", "2/3"])), "Row 2 is the most likely mistake (67 %).");
  assert.equal(mistakes(found(["1/2", "1/2"])), "Rows 1 and 2 are the most likely mistakes (50 % each).");
  assert.equal(mistakes(found(["1/224", "223/224"])), "Row 2 is the most likely mistake (over 99 %).");
  assert.equal(mistakes(found(["64/127", "63/127"])), "Rows 1 and 2 are the most likely mistakes (about 50 % each).");
  assert.equal(mistakes(found(["3/5", "2/5"])), "Row 1 is the most likely mistake (60 %).");
  assert.equal(mistakes(found(["1", "99/100"])), "Row 1 must be a mistake if only 2 scores are wrong.");
  assert.equal(mistakes(found(Array(5).fill("1/5"))), "5 rows are equally likely mistakes (20 % each).");
});

test("nothing is said of unknown or obvious mistakes", () => {
  assert.equal(mistakes(undefined), "");
  assert.equal(mistakes({ conflict: [1, 2] }), "");
  assert.equal(mistakes(found(["1", "0"], { conflict: [1] })), "");
  assert.equal(mistakes(found(["1", "0"], { mistaken_exactly: false })), "");
});

test("a row is called probably wrong only above one half", () => {
  const of = (list) => list.map((_, n) => suspicion(found(list), n + 1));
  assert.deepEqual(of(["1/3", "2/3"]), ["", "probably wrong"]);
  assert.deepEqual(of(["1/2", "1/2"]), ["perhaps wrong", "perhaps wrong"]);
  assert.deepEqual(of(["64/127", "63/127"]), ["perhaps wrong", "perhaps wrong"]);
  assert.deepEqual(of(["9/10", "9/10", "1/5"]), ["probably wrong", "probably wrong", ""]);
  assert.deepEqual(of(["0", "1"]), ["", "probably wrong"]);
});

test("a phone names the likely mistakes in its line", () => {
  assert.equal(suspectsInWords(found(["0", "1"])), "Probably wrong: row 2.");
  assert.equal(suspectsInWords(found(["1/3", "1/3", "1/3"])), "Perhaps wrong: rows 1, 2 and 3.");
  assert.equal(suspectsInWords(found(Array(4).fill("1/4"))), "");
  assert.equal(suspectsInWords(undefined), "");
});

test("a reason that repeats the scores is no reason", () => {
  const rows = [
    { guess: [1, 1, 2, 2], score: [1, 1] },
    { guess: [3, 3, 4, 5], score: [0, "?"] },
  ];
  const reason = (...facts) => ({ kind: "facts", facts });
  const whole = [
    { row: 1, score: [1, 1] },
    { row: 2, score: [0, null] },
  ];
  assert.equal(isInformative(rows, reason(...whole)), false);
  assert.equal(isInformative(rows, null), false);
  assert.equal(isInformative(rows, reason(whole[1], { row: 1, score: [1, null] })), true);
  assert.equal(isInformative(rows, reason(whole[0], { row: 2, facts: [{ color: 3, least: 1, true: true }] })), true);
  assert.equal(isInformative(rows, { kind: "one-guess", facts: [] }), true);
});

test("no correction is preferred to one that is as likely", () => {
  const corrections = [
    correction("16/37", change(3, [2, 1])),
    correction("16/37", change(3, [1, 2])),
    correction("5/37", change(3, [0, 3])),
  ];
  assert.deepEqual(likeliest(corrections), corrections.slice(0, 2));
  assert.equal(
    correctionsInWords(CLASSIC, corrections),
    "2 corrections are equally likely, 43 % each: row 3 was 2 black 1 white or row 3 was 1 black 2 white.",
  );
});

test("the likeliest correction is said with its kind of mistake and its codes", () => {
  const corrections = [
    correction("3/4", change(3, [2, 1], "one white too many")),
    correction("1/4", change(1, [0, 0])),
  ];
  assert.equal(
    correctionsInWords(CLASSIC, corrections),
    "If row 3 was 2 black 1 white instead of 2 black 2 white (one white too many), 1 code remains.",
  );
  assert.equal(correctionsInWords(CLASSIC, [correction(null, change(1, [0, 0]))]), "");
  assert.equal(correctionsInWords(CLASSIC, []), "");
});

test("the kinds of the mistakes of a correction are named once", () => {
  const [white, black] = ["one white too many", "one black too few"];
  const changes = [change(1, [0, 0], white), change(2, [0, 0]), change(3, [0, 0], black), change(4, [0, 0], white)];
  assert.equal(slips(changes), `${white}; ${black}`);
  assert.equal(slips([change(1, [0, 0])]), "");
});
