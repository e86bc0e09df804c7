"""Limits: budgets and sizes at which another method takes over, and maximum sizes of inputs.

Budgets, and sizes for methods, decide which method finds an answer, but not what the answer is. The
exception is a puzzle, which is the best of a limited number of drafts. Maximum sizes decide which
inputs are refused. Tests lower all limits, so that small boards are treated like large ones.
"""


class Limits:
    """The limits of this process and of its child processes."""

    large_board = 100_000
    """A board is large if its pegs times the sum of its rows and colors exceed this number. Then
    even the set-up of a search takes long."""
    algebra_pegs = 32
    """Number of pegs above which two-color boards are counted by linear algebra; for fewer pegs, it
    is slower."""
    listed_codes = 500_000
    """Maximum number of codes that are listed for ranks if the decision diagram is too large."""
    surrogate_rounds = 3000
    """Maximum number of updates of the weights by which `surrogate_filter` in
    constraints/histograms.py adds up constraints."""
    parity_work = 400_000_000
    """Approximate maximum number of bit additions in the search for equations whose sum has even
    coefficients and an odd total. They take up to a second."""
    hermite_work = 300_000
    """Maximum number of coefficients processed in the computation of an echelon form
    over the integers."""
    sparsify_work = 30_000_000
    """Maximum number of 64-bit words that are compared to make equations sparse, which takes up to
    a second."""
    elimination_coefficients = 600_000
    """Maximum number of coefficients of equations for elimination. Boards of thousands of pegs have
    more if each equation has most of the pegs."""
    clause_memory = 3 << 30
    """Maximum size of a formula in bytes, so that the whole process stays below 4 GiB."""
    small_formula = 4_000_000
    """Sum of the squared lengths of all constraints below which a formula in any encoding is
    smaller than `clause_memory`."""
    lemma_slice = 1 << 23
    """Number of literals of a proof that are processed between two checks of the deadline."""
    proof_edges = 100_000
    """Maximum number of edges between states in a proof of a count, which then has some 50 MB."""
    proof_states = 100_000
    """Maximum number of states that are visited for a proof of a count."""
    proof_layered_states = 5_000_000
    """Maximum number of states in a layered proof of a count (proof/layered_count.py)."""
    proof_support_bits = 1 << 32
    """Maximum product of nodes and variables in a proof of a count, whose check then needs half a
    gigabyte."""
    proof_codes = 100_000
    """Maximum number of codes in a proof that a list has all of them."""
    reduction_cells = 100_000_000
    """Maximum product of pegs and rows of a board made by a reduction, which then needs up to a
    gigabyte."""
    random_cells = 10_000_000
    """Maximum product of the size and the rows of a random board, which is then made in seconds."""
    input_bytes = 1 << 28
    """Maximum size of an input in bytes; a board of 10,000 rows of 1,000 pegs needs a sixth of
    it."""
    repair_slices = 150
    """Maximum number of slices of brute force (`SlicedSearch`) in the search for the cheapest
    repairs, about a second. Then another method is used."""
    first_repair_slices = 4
    """The same for a first try, a fortieth of a second, before sets of rows to remove are tried."""
    query_nodes = 1 << 17
    """Maximum number of nodes of brute force per query, before SAT is used."""
    small_game = 1 << 18
    """Maximum number of codes of a game in which a smallest conflict is searched without budget."""
    listed_rows = 12
    """Maximum number of rows for which smallest hitting sets, and the sets that MARCO has not
    explored, are found without a solver, because loading it takes longer."""
    query_failures = 2_000
    """Maximum number of failures of the weighted search without presolve (5 to 10 ms) per query
    about a dense board (see `is_dense` in solving/sat.py), and per list of codes."""
    query_propagations = 1_000_000
    """Maximum number of propagations of SAT per query, before other engines are used."""

    extreme_codes = 8192
    """Maximum number of codes of a game in which puzzles with the fewest or the most rows are
    searched, because two tables of the scores of all pairs are kept in memory."""
    puzzle_codes = 1_000_000
    """Maximum number of codes of a game for which puzzles are made."""
    puzzle_drafts = 5000
    """Maximum number of boards drawn for one puzzle."""
    puzzle_boards = 500
    """Maximum number of boards graded for one puzzle, in about ten seconds in games of 4 pegs."""

    dense_failures = 30_000
    """Initial budget, in failures (a twentieth of a second), of the search that is used first on a
    dense board. Other budgets of queries about rows are multiples or fractions of it."""


LIMITS = Limits()
