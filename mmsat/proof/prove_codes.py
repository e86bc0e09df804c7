"""Prove the number of codes of a board, or that a list has all of them.

The proofs can be checked without trust in any counter or solver. Counts are proved by a
certificate if the decision diagram of the board is small, and otherwise by layers of states
(layered_count.py). A board that exceeds the limits is refused before any text is made.

A certificate of a count, in the format SCPOG (Bryant, Tan and Heule, 2025), has a node for each
state of the board (count_states.py). The node of a state is a disjoint sum over the next states.
Each of its terms is a product of a choice, which is the sum over the colors that lead to that
state, and of the next state with the new outputs of counters. Two terms of a sum exclude each other
because some output differs.

The lemmas state, from the last peg to the first, that no state within the bounds of a dead end
(count_states.py) has a completion, and that the values of a state's counters imply the node of the
state. The last lemma is the root. The kernel's trimmer, which knows nothing about boards, finds the
hints of all lemmas.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf

from mmsat._core import Check
from mmsat._util.arguments import check_arguments
from mmsat._util.text import quantity
from mmsat.constraints import System
from mmsat.counting.layout import Orders
from mmsat.counting.listing import list_codes
from mmsat.errors import Description, Fault, InputError, InternalError, SizeError
from mmsat.game import Code
from mmsat.game.board import Board, Status
from mmsat.game.notation.board_reader import speller
from mmsat.limits import LIMITS
from mmsat.proof.bundle import Bundle, canonical_board
from mmsat.proof.check_codes import (
    CountingFormula,
    exclude,
    find_fault,
    print_order,
    require_supported,
)
from mmsat.proof.count_states import Bounds, DeadEnd, Edge, Group, State, StateSearch
from mmsat.proof.layered_count import is_supported, write_layers
from mmsat.proof.prove import (
    LITERALS_PER_REPORT,
    Progress,
    Proof,
    SatisfiableError,
    make_trimmer,
    refute_by_sat,
    run_prover,
    verify_own,
)
from mmsat.solving.deadline import Deadline


@check_arguments
def prove_codes(
    board: Board | str,
    *,
    codes: Sequence[Code] | None = None,
    timeout: float | None = None,
    on_progress: Progress | None = None,
) -> Proof | None:
    """Prove that a board has exactly the codes that `codes` lists.

    Parameters
    ----------
    board : Board or str
        The game and its scored rows, or text that `Board.parse` reads, such as "4x6/1122=1.1".
    codes : sequence of tuple of int, optional
        All codes of the board in ascending order, with colors from 0. By default, they are listed
        first.
    timeout : float, optional
        Time limit in seconds. By default, there is no limit.
    on_progress : callable, optional
        Called with a text that describes the current step.

    Returns
    -------
    Proof or None
        The proof, which `verify` has already accepted; None if the time is up.

    Raises
    ------
    InputError
        If the board or another argument is invalid, or if `codes` are not the codes of the board.
    SizeError
        If the board has more than 100,000 codes, or if the proof gets too long.

    Notes
    -----
    The proof has the codes, which are scored again, and a refutation in the LRAT format of the
    board without these codes. If there is one code, it proves that a puzzle has a unique solution.
    Known codes of the board are not among the codes.

    Examples
    --------
    >>> proof = mmsat.prove_codes("4x6/1122=1.1/3345=0.2")
    >>> proof.count, mmsat.verify(proof).count
    (36, 36)
    """
    proof: Proof | None = run_prover(
        Deadline(timeout), on_progress, make_list_proof, Board.of(board), codes
    )
    return proof


def make_list_proof(board: Board, codes: Sequence[Code] | None = None) -> Iterator[str | Proof]:
    """Yield progress messages, and finally the proof that `codes` (by default, all) are all."""
    text, board = canonical_board(board)
    if codes is None:
        yield "listing the codes"
    with complete_codes(board, codes) as all_codes:
        excluded = exclude(board, all_codes)
        for item in refute_by_sat(excluded, [tuple(range(len(board.rows)))], None):
            if isinstance(item, str):
                yield item
            else:
                _, fields, sections = item
    spell = speller(board.game)
    listed = "".join(f"{spell.print_code(code)}\n" for code in all_codes)
    bundle = Bundle(
        text,
        "listed",
        "list",
        {"count": str(len(all_codes)), "encoding": fields["encoding"]},
        {"codes": listed, **sections},
    )
    yield "checking the proof"
    status = Status.CONSISTENT if all_codes else Status.INCONSISTENT
    yield verify_own(board, status, (), bundle, len(all_codes))


@contextmanager
def complete_codes(board: Board, codes: Sequence[Code] | None) -> Iterator[list[Code]]:
    """Yield the given codes of a board, or all its codes if `codes` is None.

    The `with` block makes the proof. If the proof finds that a code is missing, InputError is
    raised, as it is if a given code is wrong.
    """
    if codes is None:
        yield [*limit_codes(list_codes(board, Deadline(None)))]
        return
    given: list[Code] = []
    faults: list[Fault] = []
    for number, code in enumerate(limit_codes(iter(codes)), 1):
        if rule := find_fault(board, code, given):
            faults.append(Fault(f"code {number} {rule}", code, "all codes of the board"))
        given.append(code)
    InputError.refuse(faults, "codes")
    try:
        yield given
    except SatisfiableError:
        description = Description(quantity(len(given), "code"))
        raise InputError.of(
            "codes", "all codes of the board", description, "one is missing"
        ) from None


def limit_codes(codes: Iterator[Code]) -> Iterator[Code]:
    """Yield codes; raises SizeError as soon as there are too many for a proof."""
    for index, code in enumerate(codes):
        if index == LIMITS.proof_codes:
            raise SizeError(f"a proof of a list has up to {index:,} codes, and there are more")
        yield code


@check_arguments
def prove_count(
    board: Board | str, *, timeout: float | None = None, on_progress: Progress | None = None
) -> Proof | None:
    """Prove the number of codes of a board by a text that can be checked without the counter.

    Parameters
    ----------
    board : Board or str
        The game and its scored rows, or text that `Board.parse` reads, such as "4x6/1122=1.1".
    timeout : float, optional
        Time limit in seconds. By default, there is no limit.
    on_progress : callable, optional
        Called with a text that describes the current step.

    Returns
    -------
    Proof or None
        The proof, which `verify` has already accepted; None if the time is up.

    Raises
    ------
    InputError
        If the board or another argument is invalid.
    SizeError
        If the board has a word list, pairs or unread pegs in a guess, or if the proof would need
        more than 5,000,000 states (100,000 edges between states if scores have marks per place).

    Notes
    -----
    The proof has a formula whose models correspond to the codes one to one, and a certificate in
    the format SCPOG [1]_: a graph of disjoint sums and products, whose models are counted node by
    node, with lemmas that the formula implies the graph. The graph is the decision diagram of the
    board, peg by peg. The size is about half a kilobyte for each edge.

    If the diagram has more than 100,000 edges, the proof lists its states with their numbers of
    completions, about 20 bytes for each. `verify` computes the successors of each state again.

    References
    ----------
    .. [1] R. E. Bryant, Y. K. Tan and M. J. H. Heule, "Certifying projected knowledge compilation",
       SAT 2025.

    Examples
    --------
    >>> proof = mmsat.prove_count("4x6/1122=1.1/3345=0.2")
    >>> proof.count, mmsat.verify(proof).count
    (36, 36)
    """
    proof: Proof | None = run_prover(
        Deadline(timeout), on_progress, make_count_proof, Board.of(board)
    )
    return proof


def make_count_proof(board: Board) -> Iterator[str | Proof]:
    """Yield progress messages, and finally the proof."""
    require_supported(System.of(board))
    text, board = canonical_board(board)
    order = select_order(board)
    try:
        writer = CountWriter(CountingFormula(board, order))
        yield from writer.write()
    except SizeError:
        if not is_supported(board):
            raise
        for item in write_layers(board):
            if isinstance(item, str):
                yield item
            else:
                count, states = item
        bundle = Bundle(text, "counted", "layers", {"count": str(count)}, {"states": states})
    else:
        count = writer.count
        fields = {"count": str(count), "order": print_order(order)}
        sections = {"cnf": writer.formula.text, "scpog": writer.text}
        bundle = Bundle(text, "counted", "count", fields, sections)
    yield "checking the proof"
    status = Status.CONSISTENT if count else Status.INCONSISTENT
    yield verify_own(board, status, (), bundle, count)


def select_order(board: Board) -> tuple[int, ...]:
    """Return an order of the pegs in which few counters are in use at a time."""
    system = System.of(board)
    variables, constraints = system.variables, system.constraints
    pegs = [
        [
            variables.peg_color(literal)[0]
            for literal in constraint.literals
            if isinstance(literal, int) and variables.is_at(literal)
        ]
        for constraint in constraints
    ]
    return Orders(board.game.pegs, pegs, [constraint.high for constraint in constraints]).best


@dataclass(slots=True)
class Product:
    """A node that is true if and only if all its arguments are."""

    variable: int
    clauses: dict[int, int]
    """For each argument, the number of the clause which states that the node implies it."""


@dataclass(slots=True)
class Choice:
    """The node which states that a peg has one of several colors."""

    variable: int
    products: list[Product]
    """For each of the colors, the product which states that the peg has it."""


class CountWriter:
    """Writes the certificate of a count."""

    def __init__(self, formula: CountingFormula) -> None:
        """Prepare for a formula; `write` does the work."""
        self.formula = formula
        self.text = ""
        self.search = StateSearch(formula)
        self.clauses = [list(clause) for clause in formula.formula.clauses]
        """The clauses of the formula, followed by the definitions of the nodes."""
        self.variable_count = formula.formula.variables
        """The number of variables of the formula, plus the number of nodes."""
        self.nodes: list[str] = []
        """The lines of the nodes."""
        self.lemmas: list[tuple[int, ...]] = []
        self.choices: dict[tuple[int, tuple[int, ...]], Choice] = {}
        """The nodes by a place and several colors; see `_choice`."""
        self.color_products: dict[tuple[int, int], Product] = {}
        """The nodes by a place and a color; see `_color_product`."""
        self.target_products: dict[tuple[int, State], Product] = {}
        """The nodes by a place and a state; see `_target_product`."""
        self.state_nodes: dict[tuple[int, State], int] = {}
        """The variable of the node of each state, by the place and the state."""

    def write(self) -> Iterator[str]:
        """Yield texts that describe the current step; `text` is the certificate afterwards.

        Raises SizeError if there are too many states.
        """
        root = 0  # if there is no code
        yield "searching the states"
        if [] not in self.clauses and self.search.run():
            yield f"connecting {quantity(self.search.visited_count, 'state')}"
            for place, groups in enumerate(self.search.groups):  # the root must be the last node
                for group in groups:
                    self._choice(place, group.colors)
            for place, state in self.search.finished:
                if not isinstance(state, DeadEnd):
                    self._add_state(place, state)
            root = self.state_nodes[0, self.search.start]
        self._add_lemmas()
        yield from self._trim(root)

    @property
    def count(self) -> int:
        """The number of codes, after `write`."""
        counts: dict[tuple[int, State], int] = {}
        for place, state in self.search.finished:
            if not isinstance(state, DeadEnd):
                groups, node = self.search.groups, self.search.nodes[place][state]
                counts[place, state] = (place == self.search.pegs) + sum(
                    len(groups[place][edge.group].colors) * counts[place + 1, edge.target]
                    for edge in node.edges
                )
        return counts.get((0, self.search.start), 0)

    @property
    def _next_clause_number(self) -> int:
        return len(self.clauses) + 1

    def _add_product(self, arguments: list[int]) -> Product:
        """Add a product of literals and nodes."""
        self.variable_count += 1
        variable, first = self.variable_count, self._next_clause_number
        self.nodes.append(f"{first} p {variable} {' '.join(map(str, arguments))} 0\n")
        self.clauses.append([variable, *(-argument for argument in arguments)])
        self.clauses += [[-variable, argument] for argument in arguments]
        return Product(variable, {a: number for number, a in enumerate(arguments, first + 1)})

    def _add_sum(self, one: int, other: int, hints: Iterable[int]) -> tuple[int, int]:
        """Add the sum of two nodes, which the hints show to exclude each other.

        Return the sum, and the number of the clause which states that it implies one of the nodes.
        """
        self.variable_count += 1
        variable, first = self.variable_count, self._next_clause_number
        self.nodes.append(f"{first} s {variable} {one} {other} {' '.join(map(str, hints))} 0\n")
        self.clauses += [[-variable, one, other], [variable, -one], [variable, -other]]
        return variable, first

    def _choice(self, place: int, colors: tuple[int, ...]) -> Choice:
        """Return the node which states that the peg at a place has one of these colors."""
        if (place, colors) not in self.choices:
            products = [self._color_product(place, color) for color in colors]
            variable = products[-1].variable
            sums: list[int] = []
            for index in range(len(products) - 2, -1, -1):
                # This color refutes the products of the later colors, and so their chain of sums.
                literal = self._at(place, colors[index])
                hints = [products[index].clauses[literal]]
                for product, number in zip(products[index + 1 : -1], reversed(sums), strict=True):
                    hints += [product.clauses[-literal], number]
                hints.append(products[-1].clauses[-literal])
                variable, number = self._add_sum(products[index].variable, variable, hints)
                sums.append(number)
            self.choices[place, colors] = Choice(variable, products)
        return self.choices[place, colors]

    def _at(self, place: int, color: int) -> int:
        """Return the literal that the peg at a place has a color."""
        return self.formula.variables.at(self.formula.order[place], color)

    def _color_product(self, place: int, color: int) -> Product:
        """Return the product of all literals that are true if the peg at a place has a color."""
        if (place, color) not in self.color_products:
            arguments = [
                self._at(place, other) if other == color else -self._at(place, other)
                for other in range(self.formula.variables.colors)
            ]
            indicators = self.formula.indicators[self.formula.order[place]]
            arguments += [v if color in colors else -v for colors, v in indicators.items()]
            self.color_products[place, color] = self._add_product(arguments)
        return self.color_products[place, color]

    def _target_product(self, place: int, state: State) -> Product:
        """Return the product of a state's node and of the outputs that are new at its place.

        Without new outputs, this is the state's node alone, or 0 after the last peg.
        """
        if (place, state) not in self.target_products:
            arguments = []
            before = self.search.inputs_before
            for number in range(len(self.search.counters)):
                if before[place][number] > before[place - 1][number]:
                    outputs = self.search.outputs(place, number)
                    arguments += _unary(outputs, state[number])
            after = self.state_nodes.get((place, state), 0)  # 0 after the last peg
            if not after:
                arguments += self._tail_outputs(state)
            if arguments:
                nodes = [after] if after else []
                self.target_products[place, state] = self._add_product([*arguments, *nodes])
            else:
                self.target_products[place, state] = Product(after, {})
        return self.target_products[place, state]

    def _tail_outputs(self, state: State) -> Iterator[int]:
        """Yield the values of the outputs of all counters over counts of colors."""
        for number, counter in enumerate(self.search.counters):
            value = state[number]
            outputs = counter.outputs[len(counter.places) :]
            for (color_counter, count, is_reached), after in zip(
                counter.tail, outputs, strict=True
            ):
                value += (state[color_counter] >= count) == is_reached
                yield from _unary(after, value)

    def _add_state(self, place: int, state: State) -> None:
        """Add the node of a state whose successors have nodes."""
        if place == self.search.pegs:
            return
        groups = self.search.groups[place]
        # Each next state gives a term: the choice of a color that leads there, times its node.
        colors: dict[State, list[int]] = {}
        for edge in self.search.nodes[place][state].edges:
            colors.setdefault(edge.target, []).extend(groups[edge.group].colors)
        terms = []
        for target, target_colors in colors.items():
            choice = self._choice(place, tuple(sorted(target_colors)))
            product = self._target_product(place + 1, target)
            factors = [node for node in (choice.variable, product.variable) if node]
            term = self._add_product(factors) if len(factors) > 1 else Product(choice.variable, {})
            terms.append((term, product))
        # The terms are added up from the last to the first.
        variable = terms[-1][0].variable
        sums: list[int] = []
        for index in range(len(terms) - 2, -1, -1):
            hints = self._exclusion(terms[index], terms[index + 1 :], sums[::-1])
            variable, number = self._add_sum(terms[index][0].variable, variable, hints)
            sums.append(number)
        self.state_nodes[place, state] = variable

    @staticmethod
    def _exclusion(
        term: tuple[Product, Product],
        others: list[tuple[Product, Product]],
        sums: list[int],
    ) -> list[int]:
        """Return hints which show that a term excludes the other terms.

        A term is a product, and the product of its next state. `sums` are the numbers of the
        clauses of the sums that add up the other terms.
        """
        product, target = term
        hints = [product.clauses[target.variable]]
        hinted_literals = set()
        for position, (other_product, other_target) in enumerate(others):
            # An output of a counter on which the next states of the two terms differ.
            literal = next(output for output in target.clauses if -output in other_target.clauses)
            if literal not in hinted_literals:
                hinted_literals.add(literal)
                hints.append(target.clauses[literal])
            refute_target = other_target.clauses[-literal]
            refute_term = other_product.clauses[other_target.variable]
            if position + 1 < len(others):
                hints += [refute_target, refute_term, sums[position]]
            else:
                hints += [refute_term, refute_target]
        return hints

    def _add_lemmas(self) -> None:
        """Collect all lemmas without hints. Each is implied by the formula and earlier lemmas."""
        for place, groups in enumerate(self.search.groups):
            self._add_choice_lemmas(place, groups)
        seen_lemmas = set(self.lemmas)
        for place, state in self.search.finished:
            node: list[int] = []
            edges: list[Edge] = []
            if isinstance(state, DeadEnd):
                bounds, dead_groups = state.bounds, state.groups
            elif place < self.search.pegs:
                bounds = self.search.exact_bounds(place, state)
                edges, dead_groups = self.search.nodes[place][state]
                node = [self.state_nodes[place, state]]
            else:
                continue
            for number, group_bounds in dead_groups:
                lemma = (*self._outside(place, group_bounds), -self._group_variable(place, number))
                if lemma not in seen_lemmas:
                    seen_lemmas.add(lemma)
                    self.lemmas.append(lemma)
            outside = self._outside(place, bounds)
            for edge in edges:
                self.lemmas.append((*outside, -self._group_variable(place, edge.group), *node))
            self.lemmas.append((*outside, *node))

    def _group_variable(self, place: int, number: int) -> int:
        """Return the variable of the node of a group of colors."""
        return self._choice(place, self.search.groups[place][number].colors).variable

    def _outside(self, place: int, bounds: Bounds) -> list[int]:
        """Return the clause that some counter at a place is out of bounds."""
        literals = []
        for number, (low, high) in sorted(bounds.items()):
            outputs = self.search.outputs(place, number)
            if low > 0:
                literals.append(-outputs[low - 1])
            if high is not None:
                literals.append(outputs[high])
        return literals

    def _add_choice_lemmas(self, place: int, groups: list[Group]) -> None:
        """Collect the lemmas about the colors of a peg."""
        nodes = []
        for group in groups:
            choice = self._choice(place, group.colors)
            nodes.append(choice.variable)
            common = set.intersection(*(set(product.clauses) for product in choice.products))
            if len(group.colors) > 1:
                literals = [item for item in choice.products[0].clauses if item in common]
                self.lemmas += [(-choice.variable, literal) for literal in literals]
            self.lemmas += [(-self._at(place, color), choice.variable) for color in group.colors]
        self.lemmas.append(tuple(nodes))
        for group, node in zip(groups, nodes, strict=True):
            if len(group.colors) == 1:
                continue
            # a group implies each choice of more colors
            for (choice_place, colors), choice in self.choices.items():
                if choice_place == place and set(group.colors) < set(colors):
                    self.lemmas.append((-node, choice.variable))

    def _trim(self, root: int) -> Iterator[str]:
        """Find the needed lemmas and their hints, while yielding texts about the progress."""
        goal = [[-root]] if root else []  # the trimmer needs a contradiction
        literals = array("i")
        for clause in [*self.clauses, *goal]:
            literals.extend(clause)
            literals.append(0)
        lines = [" ".join(map(str, (*lemma, 0))) for lemma in self.lemmas]
        trimmer = make_trimmer(self.variable_count, literals, lines)
        while (state := trimmer.advance(LITERALS_PER_REPORT)) == Check.UNFINISHED:
            share = trimmer.done / max(1, trimmer.steps)
            yield f"finding hints for {quantity(len(self.lemmas), 'lemma')}, {share:.0%}"
        if state == Check.FAILS:
            raise InternalError(f"the lemmas of a counting proof are invalid: {trimmer.fault}")
        lemmas = self._named_lemmas(trimmer.lrat.decode(), root)
        self.text = "".join([*self.nodes, f"r {root}\n", *lemmas])

    def _named_lemmas(self, lrat: str, root: int) -> Iterator[str]:
        """Yield the lines of all lemmas of a refutation of the formula and the negated root.

        A lemma that uses the negated root gets the root as an additional literal. So the last one,
        the empty clause, becomes the root. The certificate does not have a clause for the negated
        root, so all numbers after it are one less.
        """
        negated_root = self._next_clause_number if root else inf
        root_dependent = {negated_root}
        for line in lrat.splitlines():
            word, *words = line.split(" ")
            number = int(word)
            if words[0] == "d":
                continue
            end = words.index("0")
            lemma, hints = words[:end], [int(word) for word in words[end + 1 : -1]]
            if not root_dependent.isdisjoint(hints):
                root_dependent.add(number)
                if str(root) not in lemma:
                    lemma.append(str(root))
            used = [hint - (hint > negated_root) for hint in hints if hint != negated_root]
            numbers = " ".join(map(str, [*lemma, 0, *used, 0]))
            yield f"{number - (number > negated_root)} a {numbers}\n"
            if lemma == [str(root)]:
                return


def _unary(outputs: list[int], value: int) -> list[int]:
    """Return the literals which state that a counter with these outputs has a value."""
    return [output if count <= value else -output for count, output in enumerate(outputs, 1)]
