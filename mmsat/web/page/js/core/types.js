// The types that the modules of the page share.

/**
 * @typedef {object} Mark
 * @property {string} symbol
 * @property {string} name
 * @property {string} also
 */

/**
 * A game as the server describes it: AppearanceJson in mmsat/web/view_model.py.
 *
 * @typedef {object} Game
 * @property {string} line
 * @property {string | null} title
 * @property {number} pegs
 * @property {number} colors
 * @property {string} codes
 * @property {string} noun
 * @property {boolean} joined
 * @property {{symbol: string, background: string, ink: string}[]} symbols
 * @property {string[]} parts
 * @property {number} highest
 * @property {Record<string, string[]>} impossible_scores
 * @property {Mark[]} marks
 * @property {boolean} ordered
 * @property {boolean} words
 * @property {string} range
 * @property {object | null} definition
 * @property {string} repeats
 * @property {boolean} has_repeats
 * @property {string} rule
 * @property {string} example
 */

/** @typedef {number | string | null} Cell A color, a part of a score, UNREAD, or null for an empty cell. */

/**
 * An error in a text. Lines and columns are numbered from 1.
 *
 * @typedef {object} Fault
 * @property {number | null} line
 * @property {number | null} column
 * @property {string | null} found
 * @property {string} expected
 * @property {string} rule
 */

/** @typedef {{text: string, faults: Fault[]}} Broken A row of a link that cannot be read, and its errors. */

/**
 * @typedef {object} Row
 * @property {Cell[]} guess
 * @property {Cell[]} score
 * @property {boolean} off
 * @property {boolean} unsure
 * @property {Cell[]} [before] The score before a correction was applied.
 * @property {Broken} [broken] The text of the row in the link, until the row is complete.
 * @property {boolean} [assumed] Whether the score comes from a correction, although other corrections are possible.
 */

/**
 * A board with the settings that are part of its address.
 *
 * @typedef {object} Position
 * @property {Game} game
 * @property {Row[]} rows
 * @property {number} lies
 * @property {string} by
 * @property {boolean} [puzzle] Whether the rows are a puzzle whose analysis is hidden.
 */

export {};
