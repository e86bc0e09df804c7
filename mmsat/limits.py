"""Limits: budgets after which another method takes over, and sizes that are refused.

They affect time and memory, and which inputs are refused as too large, but not the answers. Tests
lower them, so that small boards are treated like large ones.
"""


class Limits:
    """The limits of this process and of the processes that it starts."""

    large_board = 100_000
    """Pegs times the sum of rows and colors, beyond which even setting up a search takes long."""
    algebra_pegs = 32
    """Pegs beyond which two-color boards are counted by linear algebra; below, it is slower."""
    listed_codes = 500_000
    """Maximum number of codes that are listed to rank them, if a decision diagram is too large."""
    surrogate_rounds = 3000
    """Maximum number of updates of the multipliers of a surrogate constraint."""
    parity_work = 400_000_000
    """Approximate maximum of bit additions in the search for an odd sum: at most a second."""
    hermite_work = 300_000
    """Maximum number of coefficients processed in the computation of a Hermite normal form."""
    sparsify_work = 30_000_000
    """Maximum number of 64-bit words compared to make equations sparse: at most a second."""
    eliminated = 600_000
    """Maximum number of coefficients for elimination; dense boards of thousands of pegs exceed
    it."""
    clause_memory = 3 << 30
    """Maximum size of a formula in bytes, so that the whole process stays below 4 GiB."""
    small_formula = 4_000_000
    """Sum of the squared lengths of all constraints, below which every formula is smaller than
    `clause_memory`."""
    lemma_slice = 1 << 23
    """Literals of a proof processed between two checks of the deadline."""
    board_places = 100_000_000
    """Maximum of pegs times rows of a board made by a reduction: a gigabyte."""
    random_pegs = 10_000_000
    """Maximum of size times rows of a random board: some seconds."""
    input_bytes = 1 << 28
    """Maximum size of an input in bytes; a board of 10,000 rows of 1,000 pegs has a sixth of it."""
    repair_slices = 150
    """Slices of brute force for the cheapest repairs before another method is used: about a
    second."""
    few_slices = 4
    """Slices of brute force for the cheapest repairs before rows are removed instead: a fortieth of
    a second."""
    question_nodes = 1 << 17
    """Maximum number of nodes of brute force per query, before SAT is used."""
    small_game = 1 << 18
    """Maximum number of codes of a game to search for a smallest conflict without a budget."""
    hitting_rows = 12
    """Maximum number of rows for which smallest hitting sets are computed without a solver, which
    takes longer to load."""
    question_failures = 2_000
    """Maximum number of failures of the weighted search without presolve per query about a dense
    board, and per list of codes: 5 to 10 ms."""
    question_propagations = 1_000_000
    """Maximum number of propagations of SAT per query, before other engines are used."""

    extreme_codes = 8192
    """Maximum number of codes of a game in which extreme puzzles are searched; two tables of their
    scores are kept in memory."""
    puzzle_codes = 1_000_000
    """Maximum number of codes of a game in which puzzles are made."""
    puzzle_drafts = 5000
    """Maximum number of boards drawn for one puzzle."""
    puzzle_boards = 500
    """Maximum number of boards graded for one puzzle: about ten seconds in games of 4 pegs."""

    dense_failures = 30_000
    """First budget, in failures, of the search that is used first on a dense board: a twentieth of
    a second."""


LIMITS = Limits()
