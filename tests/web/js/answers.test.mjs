// The states of the answers about a position.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isWorking, next, stopped, UNKNOWN } from "../../../mmsat/web/page/js/core/answers.js";

const play = (...events) => events.reduce(next, UNKNOWN);
const asked = { type: "asked", key: "a", name: "check" };
const at = { type: "position", key: "a" };

test("an answer is partial, then complete", () => {
  const partial = play(at, asked, { type: "noted", key: "a", name: "check", document: { answer: 1 } });
  assert.deepEqual(partial.known.check, { isDone: false, isStopped: false, error: null, answer: 1 });
  assert.ok(isWorking(partial));
  const done = next(partial, { type: "answered", key: "a", name: "check", document: { answer: 2 } });
  assert.deepEqual(done.known.check, { isDone: true, isStopped: false, error: null, answer: 2 });
  assert.ok(!isWorking(done));
});

test("answers about another position are dropped", () => {
  const state = play(at, asked, { type: "position", key: "b" });
  assert.deepEqual(state, { key: "b", known: {} });
  for (const type of ["asked", "stopped", "dropped", "noted", "answered", "refused"]) {
    assert.equal(next(state, { type, key: "a", name: "check", document: {}, message: "" }), state);
  }
});

test("the same position keeps its answers", () => {
  const state = play(at, asked);
  assert.equal(next(state, at), state);
});

test("a stopped question keeps what is known, and is listed", () => {
  const state = play(
    at,
    asked,
    { type: "noted", key: "a", name: "check", document: { answer: 1 } },
    {
      type: "stopped",
      key: "a",
      name: "check",
    },
  );
  assert.equal(state.known.check.answer, 1);
  assert.deepEqual(stopped(state), ["check"]);
  assert.deepEqual(stopped(next(state, asked)), []);
});

test("a refused question has its error until it is asked again", () => {
  const state = play(at, asked, { type: "refused", key: "a", name: "check", message: "no" });
  assert.equal(state.known.check.error, "no");
  assert.equal(next(state, asked).known.check.error, null);
});

test("a dropped answer is gone", () => {
  assert.deepEqual(play(at, asked, { type: "dropped", key: "a", name: "check" }).known, {});
});
