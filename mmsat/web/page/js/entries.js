// The entries of the browser's history. Each entry has an address, the position at this address, and the screen that
// was shown, so that Back and Forward move between screens.

/** @typedef {{screen: string, tab?: string | null, lesson: number | null, game: object | null}} Place
 * The part of the page that an entry shows:
 * - screen: "board" or "play".
 * - tab: the open tab; null for the start page, undefined if it is not known.
 * - lesson: the row number of the guess that is improved in the exercise of the review, or null.
 * - game: the state of the running game, or null.
 */

/** @type {Place} */
const BOARD = { screen: "board", lesson: null, game: null };

class Entries extends EventTarget {
  /** @type {Place} */
  place = { ...BOARD };
  isFixed = false; // whether a new address replaces the current entry, for example during a game

  // Return the position that is stored with the address for times without a connection to the server.
  get position() {
    return history.state?.position ?? null;
  }

  #write(way, position, hash) {
    try {
      history[way]({ position, place: this.place }, "", hash);
    } catch {
      history[way](null, "", hash); // the position is too large to be stored
    }
  }

  // Change the address. This adds an entry, or changes the current entry if `isFixed`.
  goTo(position, hash) {
    this.place = { ...this.place, lesson: null };
    this.#write(this.isFixed ? "replaceState" : "pushState", position, hash);
  }

  // Replace the current entry.
  replace(position, hash = location.hash) {
    this.#write("replaceState", position, hash);
  }

  // Store a change of `place` in the current entry.
  note(change) {
    this.place = { ...this.place, ...change };
    this.replace(this.position);
  }

  // Add an entry with the same address and a changed `place`.
  visit(change) {
    this.place = { ...this.place, ...change };
    this.#write("pushState", this.position, location.hash);
  }

  // Read the place of the entry that the browser went to. An address that the user typed has no stored place.
  read() {
    this.place = { ...BOARD, ...history.state?.place };
    this.dispatchEvent(new Event("change"));
  }
}

export const entries = new Entries();
