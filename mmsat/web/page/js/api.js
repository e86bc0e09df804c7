// Questions to the server. Each question has one answer, which can be preceded by partial results.

import { Refused } from "./faults.js";

// Send a question to the server. `note` is called with each partial result. Resolves to the document {answer, ...}.
// Rejects with Refused if the server reports an error, or with the error of fetch if the server cannot be reached or
// `signal` is aborted.
export async function ask(question, given, { signal = null, note = null } = {}) {
  const response = await fetch(`api/${question}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "text/event-stream" },
    body: JSON.stringify(given),
    signal,
  });
  if (!response.ok) throw new Refused((await response.json()).error);
  for await (const [kind, document] of events(response.body)) {
    if (kind === "answer") return document;
    if (kind === "error") throw new Refused(document);
    note?.(document);
  }
  throw new Refused({ status: 0, message: "The server ended before it answered.", faults: [] });
}

// Yield the server-sent events of a stream as [kind, document].
async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const [event, data] = text.slice(0, end).split("\n");
      text = text.slice(end + 2);
      yield [event.slice("event: ".length), JSON.parse(data.slice("data: ".length))];
    }
  }
}
