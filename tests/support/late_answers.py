"""Control the order in which answers arrive at the page, and find controls that lose the focus.

A user can have the focus on a control, such as a button, when an answer arrives. If the answer
replaces this control, the focus is lost.
"""

from __future__ import annotations

import json
import random

GATE = """recorded => {
  const original = window.fetch;
  const encoder = new TextEncoder();
  let asked = 0;
  Object.assign(window, { recorded, waiting: [], loading: 0 });
  const pass = (name, number, signal) => new Promise((resolve, reject) => {
    const item = { name, number };
    const leave = settle => reason => {
      window.waiting = window.waiting.filter(each => each !== item);
      settle(reason);
    };
    item.arrive = leave(resolve);
    const abort = leave(reject);
    if (signal?.aborted) return reject(signal.reason);
    signal?.addEventListener('abort', () => abort(signal.reason));
    window.waiting.push(item);
    window.waiting.sort((one, other) => one.number - other.number);
  });
  window.fetch = async (address, options) => {
    const [, name] = /^api\\/(\\w+)$/.exec(address) ?? [];
    if (!name) return original(address, options);
    const number = asked++;
    const key = `${name} ${options.body}`;
    if (!(key in recorded)) {
      window.loading += 1;
      try {
        const response = await original(address, { ...options, signal: null });
        recorded[key] = [response.status, await response.text()];
      } finally {
        window.loading -= 1;
      }
    }
    const [status, text] = recorded[key];
    const events = status === 200 ? text.split(/(?<=\\n\\n)/) : [text];
    const parts = [...events.slice(0, 1), ...events.slice(1).slice(-2)];
    const { signal } = options;
    await pass(name, number, signal);
    let isFirst = true;
    const body = new ReadableStream({
      async pull(stream) {
        if (!isFirst) await pass(name, number, signal);
        isFirst = false;
        stream.enqueue(encoder.encode(parts.shift()));
        if (!parts.length) stream.close();
      },
    }, { highWaterMark: 0 });
    return new Response(body, { status });
  };
  crypto.getRandomValues = array => (array[0] = 5, array);
  const style = new CSSStyleSheet();
  style.replaceSync('.working { animation: none !important; }'); // it appears at once
  addEventListener('DOMContentLoaded', () => document.adoptedStyleSheets.push(style));
}"""
"""Holds back each answer, and at most two partial results before it, until `arrive` is called.

The answers are recorded. If `recorded` already has an answer, the server is not called.
"""
SETTLED = """async () => {
  const frame = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)));
  const rest = () => new Promise(done => setTimeout(done)).then(frame);
  do await rest(); while (window.loading);
  await rest();
  return window.waiting.map(({ name }) => name);
}"""
"""Waits until the page is idle, and returns the questions whose answers are held back."""
LOOK = """() => {
  const selector = 'a[href], button, select, input, textarea, summary, [tabindex]';
  window.isThere = each =>
    each.isConnected && !each.disabled && each.checkVisibility({ visibilityProperty: true });
  window.controls = [...document.querySelectorAll(selector)].filter(window.isThere);
  window.parents = window.controls.map(each => each.parentElement);
  window.changes = [];
  window.watch ??= new MutationObserver(records => window.changes.push(...records));
  window.watch.observe(document.body, { childList: true, subtree: true });
}"""
"""Collects the controls that can have the focus."""
LOST = """() => {
  const removed = window.changes.flatMap(({ removedNodes }) => [...removedNodes]);
  const isLost = each => !window.isThere(each) || removed.some(node => node.contains(each));
  const name = each => each.outerHTML.replace(/<!--.*?-->/g, '').slice(0, 80);
  const lost = [...window.controls.keys()].filter(n => isLost(window.controls[n]));
  const isSame = (one, other) => window.parents[one] === window.parents[other];
  return lost.filter((n, at) => !(isSame(n, lost[at - 1]) && isSame(n, lost[at + 1])))
    .map(n => [n, name(window.controls[n])]);
}"""
"""Returns the controls that were removed, hidden, disabled or moved.

Of neighbors with the same parent, only the first one and the last one are returned.
"""
FOCUSED = """() => {
  const { activeElement: each } = document;
  return each === document.body || !window.isThere(each) ? null : each.outerHTML.slice(0, 100);
}"""


class LateAnswers:
    """Visits in which the answers arrive one at a time.

    `order` selects the next answer: the "first" or "last" question, or a random one if it is a
    seed. Each action begins when all answers to the previous actions have arrived.
    """

    def __init__(self, visit_in, device, line, actions, order):
        self.visit_in, self.device, self.line, self.actions = visit_in, device, line, actions
        self.order, self.recorded = order, {}

    def arrivals(self):
        """Yield the page before and after each arrival, with its number and the question."""
        visit = self.visit_in(**self.device)
        page = visit.page
        page.add_init_script(f"({GATE})({json.dumps(self.recorded)})")
        visit.open(self.line)
        step = 0
        for action in (None, *self.actions):
            if action is not None:
                action(page)
            while names := page.evaluate(SETTLED):
                chosen = {"first": 0, "last": len(names) - 1}.get(self.order)
                if chosen is None:
                    chosen = random.Random(f"{self.order} {step}").randrange(len(names))
                page.evaluate(LOOK)
                yield page, step, None
                page.evaluate("index => window.waiting[index].arrive()", chosen)
                page.evaluate(SETTLED)
                yield page, step, names[chosen]
                step += 1
        self.recorded.update(page.evaluate("window.recorded"))
        assert not visit.errors, visit.errors
        page.context.close()

    def lost_controls(self):
        """Return (step, question, index, control) for each control that an arrival removed."""
        return [
            (step, name, index, control)
            for page, step, name in self.arrivals()
            if name is not None
            for index, control in page.evaluate(LOST)
        ]

    def focus_after(self, wanted, index):
        """Focus a control before an arrival; return the focused element after it, or None."""
        for page, step, name in self.arrivals():
            if step == wanted and name is None:
                page.evaluate("index => window.controls[index].focus()", index)
            elif step == wanted:
                result = page.evaluate(FOCUSED)
                page.context.close()
                return result
        raise AssertionError(f"there is no arrival {wanted}")
