// What is wrong with an input, in the words of the page.

import { html, nothing } from "../vendor/lit-html.js";
import { capital } from "./core/words.js";

const MAX_SHOWN = 12;
const CONTEXT = 40; // characters shown before and after a fault

export class Refused extends Error {
  constructor({ status, message, faults }) {
    super(message);
    Object.assign(this, { status, faults });
  }
}

export const isOffline = (error) => !(error instanceof Refused);

export const OFFLINE = "The server cannot be reached. Is mmsat serve running?";

// One fault as a sentence.
export function sentence({ found, expected, rule }) {
  const there = found ? `“${found.length > 60 ? `${found.slice(0, 60)} …` : found}”: expected` : "Expected";
  const more = rule.endsWith("?") ? `. ${rule}` : rule ? ` (${rule}).` : ".";
  return `${there} ${expected}${more}`;
}

// Any error as sentences, without the places in a text that the user has not seen.
export function words(error) {
  if (isOffline(error)) return OFFLINE;
  if (!error.faults.length) return error.message;
  return error.faults.slice(0, MAX_SHOWN).map(sentence).join(" ");
}

// A fault of the store: each fault at its place in the text that was read.
export function faultView({ text, message, faults }, title = "This cannot be read as a board:") {
  return html`<div class="fault" role="alert">
    <p>${faults.length ? title : message}</p>
    ${faults.length ? faultList(text.split("\n"), faults) : nothing}
    ${faults.length > MAX_SHOWN ? html`<p>${faults.length - MAX_SHOWN} more faults were found.</p>` : nothing}
  </div>`;
}

// Faults, each at its place in the lines of a text.
export const faultList = (lines, faults) =>
  html`<ul>${faults.slice(0, MAX_SHOWN).map((fault) => html`<li>${place(lines, fault)}${capital(sentence(fault))}</li>`)}</ul>`;

function place(lines, { line, column, found }) {
  const there = line === null ? "" : (lines[line - 1] ?? "");
  if (!there) return nothing;
  const start = (column ?? 1) - 1;
  const end = start + (found && there.startsWith(found, start) ? found.length : 1);
  return html`<code>${there.slice(Math.max(0, start - CONTEXT), start)}<mark>${there.slice(start, end) || "\u00a0"}</mark>${there.slice(end, end + CONTEXT)}</code><br>`;
}
