// The entries of the browser's history. Each has an address, the position of it, and the screen that was shown there,
// so that Back and Forward go from screen to screen.

/** @typedef {{screen: string, tab?: string | null, lesson: number | null, game: object | null}} Place
 * - screen: "board" or "play".
 * - tab: the open tab, or null for the start page; undefined if it is not known.
 * - lesson: the number of the guess that is improved in the review.
 * - game: the state of the running game.
 */

/** @type {Place} */
const BOARD = { screen: "board", lesson: null, game: null };

class Entries extends EventTarget {
  /** @type {Place} */
  place = { ...BOARD };
  isFixed = false; // whether the address changes in the present entry, as during a game

  // The position that is kept with the address for the time without a server.
  get position() {
    return history.state?.position ?? null;
  }

  #write(way, position, hash) {
    try {
      history[way]({ position, place: this.place }, "", hash);
    } catch {
      history[way](null, "", hash); // the position is too large to be kept
    }
  }

  // Go to an address, which is a new entry unless the present one is kept.
  goTo(position, hash) {
    this.place = { ...this.place, lesson: null };
    this.#write(this.isFixed ? "replaceState" : "pushState", position, hash);
  }

  // Write the present entry anew.
  replace(position, hash = location.hash) {
    this.#write("replaceState", position, hash);
  }

  // Note a change of the present entry.
  note(change) {
    this.place = { ...this.place, ...change };
    this.replace(this.position);
  }

  // Go to another screen at the same address.
  visit(change) {
    this.place = { ...this.place, ...change };
    this.#write("pushState", this.position, location.hash);
  }

  // The browser went to another entry. Addresses that were typed have no place.
  read() {
    this.place = { ...BOARD, ...history.state?.place };
    this.dispatchEvent(new Event("change"));
  }
}

export const entries = new Entries();
