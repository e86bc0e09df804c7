"""Limits: how much is tried in one way before a question goes another way, or is refused.

Answers do not depend on them, but for what is refused as too large; time and memory do. Tests lower
them, so that small boards go the way of large ones.
"""


class Limits:
    """The limits that hold in this process, and in those that it starts."""

    large_board = 100_000
    """Numbers in a table of rows, or of colors, by pegs, from which setting up takes long."""
    algebra_pegs = 32
    """Pegs from which two-color boards are counted as equations; below, it does not pay."""
    listed_codes = 500_000
    """Codes that are listed to be numbered, where there is no diagram."""
    surrogate_rounds = 3000
    """Times that the weights of a surrogate constraint are moved at most."""
    parity_work = 400_000_000
    """Bits that are added at most, about, in the search for an odd sum: a second at worst."""
    hermite_work = 300_000
    """Coefficients that are touched at most on the way to a Hermite form."""
    sparsify_work = 30_000_000
    """Words of 64 bits that are compared at most to make equations sparse: a second at worst."""
    eliminated = 600_000
    """Coefficients from which elimination is not tried: dense boards of thousands of pegs."""
    clause_memory = 3 << 30
    """Bytes that a formula may take, so that a whole process stays below 4 GiB."""
    small_formula = 4_000_000
    """Squares of the lengths of all counts, added up, below which no formula is that large."""
    lemma_slice = 1 << 23
    """Literals of a proof that are looked at between two looks at the clock."""
    board_places = 100_000_000
    """Pegs times rows of a board that is made from a problem: a gigabyte."""
    random_pegs = 10_000_000
    """Size times rows of a random board that is made: some seconds."""
    input_bytes = 1 << 28
    """Bytes of an input; a board of ten thousand rows of a thousand pegs is a sixth of this."""
    repair_slices = 150
    """Slices of brute force for repairs before another method is asked: about a second."""
    few_slices = 4
    """Those before rows are left out: a fortieth of a second."""
    question_nodes = 1 << 17
    """What brute force has at most to decide some rows of a board before SAT is asked."""
    small_game = 1 << 18
    """Codes of a game up to which the search for a smallest conflict is not limited."""
    hitting_rows = 12
    """Rows up to which a smallest hitting set is found before a solver has loaded."""
    question_failures = 2_000
    """Failures of the weighted search without presolve for some rows of a dense board, and for a
    list of their codes: 5 to 10 ms."""
    question_propagations = 1_000_000
    """What SAT has at most to decide some rows of a board before other engines are asked."""

    extreme_codes = 8192
    """Codes of a game whose extreme puzzles are searched; two tables of their scores are kept."""
    puzzle_codes = 1_000_000
    """Codes of a game that puzzles are made of."""
    puzzle_drafts = 5000
    """Boards that are drawn for one puzzle at most ..."""
    puzzle_boards = 500
    """... of which so many are graded: some ten seconds in games of 4 pegs."""

    dense_failures = 30_000
    """Those of the search that is asked first about a dense board: a twentieth of a second."""


LIMITS = Limits()
