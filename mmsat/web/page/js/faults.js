// Errors of inputs as text.

import { html, nothing } from "../vendor/lit-html.js";
import { capital } from "./core/words.js";

const MAX_SHOWN = 12;
const CONTEXT = 40; // number of characters shown before and after an error

export class Refused extends Error {
  constructor({ status, message, faults }) {
    super(message);
    Object.assign(this, { status, faults });
  }
}

export const isOffline = (error) => !(error instanceof Refused);

export const OFFLINE = "The server cannot be reached. Is mmsat serve running?";

// Return one error as a sentence.
export function sentence({ found, expected, rule }) {
  const there = found ? `“${found.length > 60 ? `${found.slice(0, 60)} …` : found}”: expected` : "Expected";
  const more = rule.endsWith("?") ? `. ${rule}` : rule ? ` (${rule}).` : ".";
  return `${there} ${expected}${more}`;
}

// Return any error as sentences, without positions, because the user has not seen the text.
export function words(error) {
  if (isOffline(error)) return OFFLINE;
  if (!error.faults.length) return error.message;
  return error.faults.slice(0, MAX_SHOWN).map(sentence).join(" ");
}

// Render `store.fault`: each error at its position in the text that was read.
export function faultView({ text, message, faults }, title = "This cannot be read as a board:") {
  return html`<div class="fault" role="alert">
    <p>${faults.length ? title : message}</p>
    ${faults.length ? faultList(text.split("\n"), faults) : nothing}
    ${faults.length > MAX_SHOWN ? html`<p>${faults.length - MAX_SHOWN} more faults were found.</p>` : nothing}
  </div>`;
}

// Render errors, each at its position in the lines of a text.
export const faultList = (lines, faults) =>
  html`<ul>${faults.slice(0, MAX_SHOWN).map((fault) => html`<li>${place(lines, fault)}${capital(sentence(fault))}</li>`)}</ul>`;

function place(lines, { line, column, found }) {
  const there = line === null ? "" : (lines[line - 1] ?? "");
  if (!there) return nothing;
  const start = (column ?? 1) - 1;
  const end = start + (found && there.startsWith(found, start) ? found.length : 1);
  return html`<code>${there.slice(Math.max(0, start - CONTEXT), start)}<mark>${there.slice(start, end) || "\u00a0"}</mark>${there.slice(end, end + CONTEXT)}</code><br>`;
}
