// The states of a game: each event in each phase, and random sequences of events.

import assert from "node:assert/strict";
import { test } from "node:test";
import { IDLE, isRunning, next, OPENING, resumed, SETTINGS } from "../../../mmsat/web/page/js/core/play-machine.js";

const play = (...events) => events.reduce(next, IDLE);
const begin = (role, settings = {}) => ({ type: "begin", role, settings, played: "4x6" });
const submit = { type: "submit" };
const scored = (scores, found, played = "4x6/1122=1.1") => ({ type: "scored", scores, found, played });

test("a guess is handed in, scored, and the code is found", () => {
  const first = play(begin("guess"), submit);
  assert.equal(first.phase, "scoring");
  const second = next(first, { ...scored([[1, 1]], [false]), turn: first.turn });
  assert.deepEqual([second.phase, second.count, second.scores], ["guessing", 1, [[[1, 1]]]]);
  const last = [submit, scored([[4, 0]], [true])].reduce(next, second);
  assert.deepEqual([last.phase, last.count, last.result.kind], ["over", 2, "found"]);
});

test("the saved game resumes when the page is loaded, unless another one was begun in the meantime", () => {
  const saved = { ...play(begin("guess"), submit, scored([[1, 1]], [false])), mode: "guess" };
  const opened = { type: "opened", saved };
  assert.equal(isRunning(OPENING), false);
  const resumedGame = next(OPENING, opened);
  assert.deepEqual([resumedGame.phase, resumedGame.count], ["guessing", 1]);
  assert.deepEqual(next(OPENING, { type: "opened", saved: null }), IDLE);
  for (const event of [begin("guess"), begin("keep"), { type: "make" }, { type: "end" }]) {
    const other = next(OPENING, event);
    assert.equal(next(other, opened), other);
  }
  for (const type of ["changed", "submit", "scored", "thought", "judged", "hint", "failed", "reveal"])
    assert.equal(next(OPENING, { type }), OPENING);
});

test("a game of several boards ends when all of them are found", () => {
  const state = play(
    begin("guess", { boards: 2 }),
    submit,
    scored(
      [
        [4, 0],
        [1, 0],
      ],
      [true, false],
    ),
  );
  assert.equal(state.phase, "guessing");
  const last = [
    submit,
    scored(
      [
        [1, 0],
        [4, 0],
      ],
      [false, true],
    ),
  ].reduce(next, state);
  assert.equal(last.phase, "over");
  assert.deepEqual(last.found, [1, 2]);
  assert.deepEqual(state.found, [1, null]);
});

test("an answer to an earlier question changes nothing", () => {
  const state = play(begin("guess"), submit);
  const late = { ...scored([[1, 1]], [false]), turn: state.turn - 1 };
  assert.equal(next(state, late), state);
  const other = next(state, begin("guess"));
  assert.equal(next(other, { ...late, turn: state.turn }), other);
});

test("a lost guess can be handed in again", () => {
  const state = play(begin("guess"), submit, { type: "failed", message: "away", canRetry: true });
  assert.deepEqual([state.phase, state.failure, state.canRetry, state.count], ["guessing", "away", true, 0]);
  assert.deepEqual([next(state, submit).failure, next(state, submit).canRetry], ["", false]);
});

test("the computer thinks, is answered, gets stuck, and goes on after a correction", () => {
  const thought = { type: "thought", guess: [1, 1, 2, 2], played: "4x6", count: 0 };
  const first = play(begin("keep"), { type: "think" }, thought);
  assert.deepEqual([first.phase, first.guess], ["answering", [1, 1, 2, 2]]);
  const stuck = [{ type: "think" }, { type: "failed", message: "No code" }].reduce(next, first);
  assert.deepEqual([stuck.phase, stuck.failure], ["stuck", "No code"]);
  const again = next(stuck, { type: "think" });
  assert.deepEqual([again.phase, again.failure], ["thinking", ""]);
  assert.equal(next(again, { type: "found", count: 3 }).result.kind, "found");
});

test("a puzzle counts wrong codes and hints", () => {
  const pose = { type: "pose", solution: [1], grade: 2, count: 3, played: "x", day: "2026-01-02" };
  const wrong = { type: "judged", isRight: false, wrong: [1, 2], misfit: { row: 2, score: [1, 0] } };
  const state = [pose, { type: "hint" }, submit, wrong].reduce(next, IDLE);
  assert.deepEqual([state.phase, state.tries, state.hints, state.misfit.row], ["guessing", 1, 1, 2]);
  const solved = [submit, { type: "judged", isRight: true }].reduce(next, state);
  assert.deepEqual([solved.phase, solved.result.kind, solved.day], ["over", "solved", "2026-01-02"]);
});

test("a changed board ends a game of the player, and closes a result", () => {
  const state = play(begin("guess"), { type: "changed" });
  assert.equal(state.result.kind, "changed");
  assert.equal(next(state, { type: "changed" }), state);
  const found = play(begin("guess"), submit, scored([[4, 0]], [true]), { type: "changed" });
  assert.equal(found.phase, "idle");
});

test("open questions are asked again after a reload", () => {
  assert.equal(resumed(play(begin("guess"), submit)).phase, "guessing");
  assert.equal(resumed(play(begin("keep"))).phase, "thinking");
  assert.equal(resumed({ ...IDLE, phase: "stuck", role: "keep" }).phase, "thinking");
  assert.equal(resumed(null), IDLE);
  assert.equal(resumed(play({ type: "make" })), IDLE);
});

const EVENTS = [
  ...["guess", "keep"].map((role) => begin(role)),
  begin("guess", { boards: 2 }),
  { type: "pose", solution: [1], grade: 1, count: 2, played: "x" },
  ...["make", "end", "submit", "think", "changed", "hint"].map((type) => ({ type })),
  { type: "reveal", code: "1234" },
  { type: "select", index: 0, played: "x" },
  { type: "tick", seconds: 1 },
  { type: "thought", guess: [1], played: "x", count: 1 },
  { type: "found", count: 1 },
  { type: "judged", isRight: false },
  { type: "judged", isRight: true },
  { type: "failed", message: "away", canRetry: true },
];

// A small generator of whole numbers, so that a failure can be repeated.
function* numbers(seed) {
  for (let value = seed; ; ) {
    value = (value * 1103515245 + 12345) % 2 ** 31;
    yield value >> 8;
  }
}

test("every sequence of events keeps the invariants", () => {
  for (let seed = 1; seed <= 500; seed += 1) {
    const random = numbers(seed);
    let state = IDLE;
    for (let step = 0; step < 40; step += 1) {
      const choice = random.next().value % (EVENTS.length + 1);
      const boards = state.scores.length;
      const event =
        EVENTS[choice] ?? scored(Array(boards).fill([0, 0]), Array(boards).fill(random.next().value % 2 > 0));
      const after = next(state, event);
      assert.ok(after.turn >= state.turn);
      assert.equal(after.phase === "over", after.result !== null, `${seed} ${step} ${event.type}`);
      assert.equal(isRunning(after), after.role !== null && after.phase !== "over");
      assert.equal(after.guess !== null, after.phase === "answering");
      for (const rows of after.scores) assert.equal(rows.length, after.count);
      assert.equal(after.found.length, after.scores.length);
      if (after.role === "guess") assert.equal(after.scores.length, after.settings.boards);
      assert.deepEqual(Object.keys(after.settings), Object.keys(SETTINGS));
      assert.deepEqual(resumed(JSON.parse(JSON.stringify(after))).role, isRunning(after) ? after.role : null);
      state = after;
    }
  }
});
