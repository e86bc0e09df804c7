// A link with errors: the unreadable parts, each at its position.

import { decode, EXTRAS, readAddress } from "./core/notation.js";
import { rowList } from "./core/numbers.js";
import { faultList, faultView } from "./faults.js";
import { html, nothing, store } from "./view.js";

// Render the error of the address, or of a text that was pasted on the board. If nothing in a link can be read, a form
// for correcting the link is shown.
export function addressFault() {
  const { linkFault, fault } = store;
  if (linkFault) return html`${faultView(linkFault, "This link cannot be read as a board:")}${correction()}`;
  return fault?.origin === "address" ? faultView(fault) : unreadRows();
}

function correction() {
  const hash = location.hash.replace(/^#/, "");
  const isDocument = readAddress(hash).line.startsWith("{");
  const [encoded, ...extras] = hash.split(EXTRAS);
  const text = isDocument ? decode(encoded) : decode(hash);
  const isLong = isDocument || text.includes("\n");
  const written = (value) =>
    isDocument ? [encodeURIComponent(value), ...extras].join("&") : value.replaceAll("\n", "%0A");
  return html`<form class="bar link-correction" @submit=${(event) => {
    event.preventDefault();
    location.hash = `#${written(event.target.elements.link.value.trim())}`;
  }}><label for="link">Correct the link</label>
    ${
      isLong
        ? html`<textarea id="link" name="link" rows=${Math.min(12, text.split("\n").length + 2)} spellcheck="false" autocapitalize="off" .value=${text}></textarea>`
        : html`<input id="link" name="link" type="text" spellcheck="false" autocapitalize="off" .value=${text}>`
    }
    <button>Read it</button>
    <button type="button" class="quiet" @click=${() => {
      store.clear();
      document.querySelector("board-view").move(0, 0);
    }}>Use an empty board</button></form>`;
}

function unreadRows() {
  const rows = store.state.rows.flatMap((row, index) => (row.broken ? [index + 1] : []));
  if (!rows.length) return nothing;
  const [verb, counts, them] = rows.length === 1 ? ["has", "it does", "it"] : ["have", "they do", "them"];
  const list = rowList(rows);
  return html`<p class="fault" role="alert">${list[0].toUpperCase()}${list.slice(1)} of this link ${verb} a fault, so ${counts} not count. Complete or remove ${them}.</p>`;
}

// Render the errors of a row of a link, each at its position in the text of the row.
export const rowFault = ({ broken }) =>
  broken ? html`<div class="fault row-fault">${faultList(broken.text.split("\n"), broken.faults)}</div>` : nothing;
