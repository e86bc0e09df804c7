"""The reductions by name, and functions that reduce a source to a board, directly or in a chain.

`MODULES` lists the reductions of each module of this package; a class is imported when it is first
looked up. The folder of a reduction, such as `k_permanent/`, has its page, its example and the
golden board of the example. If the target is a game, there is a golden game instead of the board.

A chain composes links between problems into one reduction to a board. After the first reduction to
a board, reductions of boards may follow: each reduces the board of the one before it. For example,
this chain reduces a formula to a two-color board, and maps its codes back to models:

    chain(["three-sat", "one-in-three", "one-in-three-3sat"], formula)

Links between formulas keep the variables of the source and add others, each of which is a function
of the variables before it. So the solutions correspond one to one.
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from inspect import cleandoc
from itertools import pairwise
from math import prod
from pathlib import Path
from typing import Any, Literal, overload

from mmsat._util.arguments import (
    RULES,
    Rule,
    check_arguments,
    check_constructor,
    instance_of,
    list_of,
)
from mmsat._util.registry import Extensible, Registry, UnknownName
from mmsat._util.text import join_words
from mmsat.errors import Fault, InputError
from mmsat.game import Code
from mmsat.game.board import Board
from mmsat.reductions import LINK_SEPARATOR, MODULES, Gadgets, Sizes, unknown_reduction
from mmsat.reductions.reduction import GameReduction, Link, Reduction
from mmsat.reductions.sources import (
    Assignment,
    Clause,
    Formula,
    read_source,
    source_sizes,
    spell_assignment,
)

Truth = Callable[[int], bool]
"""Function that returns whether a literal is true."""
Definition = Callable[[Truth], bool]
"""Function that returns the value of a variable, given the values before it."""


class FormulaBuilder:
    """A formula under construction, and the definitions of its new variables."""

    def __init__(self, variables: int) -> None:
        """Start with the variables of the source and without clauses."""
        self.variables = variables
        self.clauses: list[Clause] = []
        self.definitions: list[Definition] = []

    def variable(self, definition: Definition) -> int:
        """Add a variable and return its number."""
        self.definitions.append(definition)
        return self.variables + len(self.definitions)

    def clause(self, *literals: int) -> None:
        """Add a clause."""
        self.clauses.append(literals)

    def formula(self) -> Formula:
        """Return the formula with all variables and clauses."""
        return Formula(self.variables + len(self.definitions), tuple(self.clauses))

    def assignment(self, values: Sequence[bool]) -> Assignment:
        """Extend values of the source's variables to all variables."""
        all_values = list(values)

        def is_true(literal: int) -> bool:
            return all_values[abs(literal) - 1] == (literal > 0)

        for definition in self.definitions:
            # A definition reads the values before it, so this cannot be a comprehension.
            all_values.append(definition(is_true))  # noqa: PERF401
        return tuple(all_values)


class FormulaLink(Link[Formula, Assignment]):
    """A link that adds variables to a formula, so that it has as many solutions as the source."""

    source_kind = target_kind = "formula"
    expected_certificate = "a model of the formula"

    @abstractmethod
    def write(self, builder: FormulaBuilder) -> None:
        """Add the variables and clauses of the target."""

    @cached_property
    def builder(self) -> FormulaBuilder:
        """The target with the definitions of its new variables, built once."""
        builder = FormulaBuilder(self.source.variables)
        self.write(builder)
        return builder

    @cached_property
    def target(self) -> Formula:
        return self.builder.formula()

    def read_certificate(self, certificate: object) -> Assignment:
        return self.source.read_assignment(certificate)

    def encode_solution(self, certificate: Assignment) -> Assignment:
        return self.builder.assignment(certificate)

    def decode(self, certificate: Sequence[bool]) -> Assignment:
        return tuple(certificate[: self.source.variables])

    def is_solution(self, certificate: Assignment) -> bool:
        return self.source.is_model(certificate)

    @abstractmethod
    def is_target_certificate(self, certificate: Assignment) -> bool:
        """Return whether this is a certificate of the target."""

    def spell_solution(self, certificate: Assignment) -> str:
        return spell_assignment(certificate)


class ThreeSat(FormulaLink):
    """Satisfiability -> 3SAT: clauses of at most three literals, and as many models.

    A clause of k literals, k above 3, gets the variables o(1) to o(k-3), where o(i) is "one of the
    first i + 1 literals is true":

        o(1) = l(1) or l(2)        o(i) = o(i-1) or l(i+1)        o(k-3) or l(k-1) or l(k)

    Each equation becomes three clauses of at most three literals, so there are 3(k - 3) + 1
    clauses. Repeated literals are removed first, and clauses with a literal and its negation are
    omitted. Proof. The equations determine all o(i), and the last clause requires that one of the k
    literals is true. (Karp's construction has fewer clauses and another number of models.)
    """

    name = "three-sat"
    title = "satisfiability -> 3SAT, as many models"
    theorem = "3SAT is NP-complete (Karp 1972)"

    def write(self, builder: FormulaBuilder) -> None:
        for _, clause in self.source.simplified_clauses():
            prefix, remaining = clause[:1], clause[1:]
            while len(remaining) > 2:
                previous, literal = prefix[0], remaining[0]
                accumulated = builder.variable(_disjunction(previous, literal))
                builder.clause(-previous, accumulated)
                builder.clause(-literal, accumulated)
                builder.clause(previous, literal, -accumulated)
                prefix, remaining = (accumulated,), remaining[1:]
            builder.clause(*prefix, *remaining)

    def is_target_certificate(self, certificate: Assignment) -> bool:
        return self.target.is_model(certificate)


def _disjunction(a: int, b: int) -> Definition:
    """Return the definition of a variable that is true if literal `a` or literal `b` is true."""
    return lambda is_true: is_true(a) or is_true(b)


class OneInThree(FormulaLink):
    """3SAT -> one-in-three 3SAT: exactly one true literal per clause, and as many solutions.

    Clauses of the source have at most three different literals. R(a, b, c) denotes a clause of the
    target, "exactly one of these"; each has three different variables.

        x or y or z     R(x, p, q), R(y, p, r), R(q, r, t), R(p, -z, s)     with p, q, r, s, t new
        x or y          R(-x, -y, s)                                        with s new
        x               R(-x, a, b), R(-x, -a, -b), R(x, a, -b)             with a, b new
        empty           these three for a new x, and R(-x, a, -b)           with x, a, b new

    Proof. Three literals: let X be 1 - x, and so on. The first two clauses mean p + q = X and
    p + r = Y, and the third means that q and r are not both 1. If X = Y = 1, then p = 0 would make
    q = r = 1, so p = 1. If X or Y is 0, then p = 0. In all cases, p is "X and Y", which determines
    q, r and t. The fourth clause means that p and Z are not both 1, and determines s. Two literals:
    X and Y are not both 1, which determines s. One literal: the first two clauses sum to
    2X + 2 = 2, so x = 1 and a + b = 1; the third then makes a = 0 and b = 1. Empty clause: with
    these values, the fourth clause has no true literal.

    Sizes: a clause of three literals adds 5 variables and becomes 4 clauses. The numbers are 1 and
    1 for two literals, 2 and 3 for one literal, and 3 and 4 for an empty clause. Clauses with a
    literal and its negation are omitted. A target with fewer than three variables is padded for
    reductions that need three: a new variable is asserted, which adds 3 variables and 3 clauses.
    The construction is new in this project, and preserves the number of solutions.
    """

    name = "one-in-three"
    title = "3SAT -> one-in-three 3SAT, as many solutions"
    theorem = "one-in-three 3SAT is NP-complete (Schaefer 1978)"

    def __init__(self, source: Formula) -> None:
        super().__init__(source)
        rule = "use the link three-sat before this one"
        faults = [
            Fault(rule, clause, "at most three literals", part=f"clause {number}")
            for number, clause in enumerate(source.clauses, 1)
            if len(set(clause)) > 3 and not any(-literal in clause for literal in clause)
        ]
        InputError.refuse(faults, "the formula")

    def write(self, builder: FormulaBuilder) -> None:
        for _, clause in self.source.simplified_clauses():
            if len(clause) == 3:
                _assert_clause(builder, *clause)
            elif len(clause) == 2:
                builder.clause(-clause[0], -clause[1], builder.variable(_conjunction(*clause)))
            elif clause:
                _assert_true(builder, clause[0])
            else:
                x = builder.variable(_false)
                a, b = _assert_true(builder, x)
                builder.clause(-x, a, -b)
        if builder.variables + len(builder.definitions) < 3:
            _assert_true(builder, builder.variable(_true))

    def is_target_certificate(self, certificate: Assignment) -> bool:
        return self.target.has_one_true(certificate)


def _assert_clause(builder: FormulaBuilder, x: int, y: int, z: int) -> None:
    """Assert x or y or z."""
    p = builder.variable(_conjunction(-x, -y))
    q = builder.variable(_conjunction(-x, y))
    r = builder.variable(_conjunction(x, -y))
    t = builder.variable(_conjunction(-q, -r))
    s = builder.variable(_conjunction(-p, z))
    builder.clause(x, p, q)
    builder.clause(y, p, r)
    builder.clause(q, r, t)
    builder.clause(p, -z, s)


def _assert_true(builder: FormulaBuilder, x: int) -> tuple[int, int]:
    """Assert x, and return a false variable and a true variable."""
    a = builder.variable(_false)
    b = builder.variable(_true)
    builder.clause(-x, a, b)
    builder.clause(-x, -a, -b)
    builder.clause(x, a, -b)
    return a, b


def _conjunction(a: int, b: int) -> Definition:
    """Return the definition of a variable that is true if the literals `a` and `b` are true."""
    return lambda is_true: is_true(a) and is_true(b)


def _false(_: object) -> bool:
    return False


def _true(_: object) -> bool:
    return True


LINKS: dict[str, type[FormulaLink]] = {link.name: link for link in (OneInThree, ThreeSat)}
"""The links between formulas, by name."""
PACKAGE = Path(__file__).parent  # each reduction has a folder in it


def find_modules(file: str) -> dict[str, str]:
    """Return the modules of the reductions whose folders contain a file, by name of reduction."""
    modules = {name: module for module, names in MODULES.items() for name in names}
    return {name: modules[name] for name in sorted(modules) if (folder(name) / file).exists()}


def folder(name: str) -> Path:
    """Return the folder of a reduction."""
    return PACKAGE / name.replace("-", "_")


REDUCTIONS: Extensible[type[Reduction[Any, Any]]] = Extensible(
    "reduction",
    "reductions",
    Registry(
        "mmsat.reductions",
        find_modules("board.txt"),
        Reduction,  # type: ignore[type-abstract]
    ),
    Reduction,
    has_classes=True,
)
"""The reductions to a board, by name."""
GAME_REDUCTIONS: Mapping[str, type[GameReduction[Any, Any]]] = Registry(
    "mmsat.reductions",
    find_modules("game.toml"),
    GameReduction,  # type: ignore[type-abstract]
)
"""The reductions to a game and a number of guesses, by name."""


def page(name: str) -> str:
    """Return the page of a reduction, in Markdown; for a plug-in, the docstring of its class."""
    if name not in (*REDUCTIONS, *GAME_REDUCTIONS):
        return f"# {name}\n\n{cleandoc(REDUCTIONS[name].__doc__ or REDUCTIONS[name].title)}\n"
    return (folder(name) / "README.md").read_text("utf-8")


def example(name: str) -> str:
    """Return the text of the example source of a reduction."""
    (file,) = folder(name).glob("example.*")
    return file.read_text("utf-8")


RULES["Chain.links"] = list_of("a list of links, such as reductions", instance_of("", Link).read)
RULES["Chain.last"] = instance_of("a Reduction", Reduction)
RULES["reduce.name"] = REDUCTIONS.rule()
RULES["chain.names"] = Rule(
    "a list of names, or names joined by +",
    lambda value: (
        [name.strip() for name in value.split(LINK_SEPARATOR)]
        if isinstance(value, str)
        else RULES["names"].read(value)
    ),
)


@overload
def reduce(
    name: Literal["word-game"], source: Any, **parameters: int
) -> GameReduction[Any, Any]: ...


@overload
def reduce(
    name: str | type[Reduction[Any, Any]], source: Any, **parameters: int
) -> Reduction[Any, Any]: ...


@check_arguments
def reduce(
    name: str | type[Reduction[Any, Any]], source: Any, **parameters: int
) -> Reduction[Any, Any] | GameReduction[Any, Any]:
    r"""Reduce a problem to a board, with conversion of certificates both ways.

    The reduction "word-game" makes a game and a number of guesses instead of a board.

    Parameters
    ----------
    name : str or type
        Name of the reduction, or its class. `mmsat reductions` lists the names.
    source : str, Board, networkx.Graph, sequence or array
        The problem: its text, a graph or its edges, the clauses of a formula, the sets of a cover,
        triples, the rows of a matrix, or pairs of coefficients and a total. Clauses, sets and
        triples have numbers from 1.
    **parameters : int
        The parameters of the reduction, such as `k`.

    Returns
    -------
    Reduction
        The reduction of this problem. Its board is built when it is first used. The result for
        "word-game" has a `target`, the game, and a number of `guesses` instead.

    Raises
    ------
    InputError
        If the name, a parameter or the source is invalid, or if the board would be too large.

    Examples
    --------
    >>> reduction = mmsat.reduce("vertex-cover", "p edge 3 2\ne 1 2\ne 2 3\n", k=1)
    >>> code = next(iter(mmsat.codes(reduction.board)))
    >>> reduction.decode(code)
    (2,)
    >>> mmsat.reduce("sat", [[1, -2], [2, 3]]).board.game.pegs
    10
    >>> reduction = mmsat.reduce("word-game", "p edge 3 2\ne 1 2\ne 2 3\n", k=1)
    >>> mmsat.optimal(reduction.target, max_guesses=reduction.guesses).tree is not None
    True
    """
    reduction_class: type[Reduction[Any, Any] | GameReduction[Any, Any]]
    if not isinstance(name, str):
        reduction_class = name
    elif name in GAME_REDUCTIONS:
        reduction_class = GAME_REDUCTIONS[name]
    elif name in REDUCTIONS:
        reduction_class = REDUCTIONS[name]
    else:
        raise InputError([unknown_reduction(name, (*REDUCTIONS, *GAME_REDUCTIONS), LINKS)], "")
    check_parameters(reduction_class.name, reduction_class.parameters, parameters)
    reduction = reduction_class(read_source(reduction_class.source_kind, source), **parameters)
    reduction.require_size()
    return reduction


def check_parameters(name: str, parameter_names: Sequence[str], given: dict[str, int]) -> None:
    """Raise InputError if parameters are missing or unknown."""
    expected = ", ".join(f"{parameter}=NUMBER" for parameter in parameter_names) or "none"
    faults = [
        Fault(f"{name} needs the parameter {parameter}", None, expected)
        for parameter in parameter_names
        if parameter not in given
    ]
    faults += [
        Fault(f"{name} has no parameter {parameter}", value, expected)
        for parameter, value in given.items()
        if parameter not in parameter_names
    ]
    InputError.refuse(faults, "the parameters")


@check_constructor
class Chain(Reduction[Any, Any]):
    """A problem reduced to a board through intermediate problems; `self.links` has all links.

    Parameters
    ----------
    links : sequence of Link
        The links before `last`. The source of each link is the target of the previous one.
    last : Reduction
        The last link, whose target is the board.
    """

    def __init__(self, links: Sequence[Link[Any, Any]], last: Reduction[Any, Any]) -> None:
        self.links = (*links, last)
        self.last = last
        settings = {key: value for link in self.links for key, value in link.settings.items()}
        super().__init__(self.links[0].source, **settings)
        self.name = "+".join(link.name for link in self.links)
        self.title = "; ".join(link.title for link in self.links)
        self.theorem = last.theorem
        self.source_kind = self.links[0].source_kind
        self.parameters = tuple(settings)
        self.formula = last.formula
        self.black_suffices = last.black_suffices

    def build(self) -> Board:
        """Return the board of the last reduction."""
        return self.last.board

    def sizes(self) -> Sizes:
        """Return the size of the last board, by the formula of its reduction."""
        return self.last.sizes()

    @property
    def expected_certificate(self) -> str:
        return self.links[0].expected_certificate

    def read_certificate(self, certificate: object) -> Any:
        return self.links[0].read_certificate(certificate)

    def encode_solution(self, certificate: Any) -> Code:
        for link in self.links:
            certificate = link.encode_solution(certificate)
        return tuple(certificate)

    def decode_colors(self, code: Sequence[int]) -> Any:
        """Return the certificate of the first source for a consistent code.

        Parameters
        ----------
        code : sequence of int
            The code, with colors from 0. It is not checked.

        Returns
        -------
        object
            The certificate.
        """
        certificate: Any = code
        for link in reversed(self.links):
            certificate = link.decode(certificate)
        return certificate

    def is_solution(self, certificate: Any) -> bool:
        return self.links[0].is_solution(certificate)

    def gadgets(self) -> Gadgets:
        """Return the meaning of pegs and rows in terms of the last source."""
        return self.last.gadgets()

    @property
    def ratio(self) -> int:
        """The number of codes per certificate of the source: the product over all links."""
        return prod(link.ratio for link in self.links)

    @property
    def known(self) -> tuple[Code, ...]:
        """The known certificates of each link, mapped to codes by the links after it."""
        certificates: list[Code] = []
        for link in self.links:
            certificates = [
                *(link.encode_solution(certificate) for certificate in certificates),
                *link.known,
            ]
        return tuple(certificates)

    @property
    def question(self) -> str:
        """The question about the board of the last link."""
        return self.last.question

    def spell_solution(self, certificate: Any) -> str:
        return self.links[0].spell_solution(certificate)

    def stages(self) -> tuple[tuple[str, dict[str, int]], ...]:
        """Return the sizes of the source and of the target of each link."""
        targets = ((link.name, source_sizes(link.target)) for link in self.links)
        return ((self.source_kind, source_sizes(self.source)), *targets)


@check_arguments
def chain(names: Sequence[str] | str, source: Any, **parameters: int) -> Chain:
    r"""Reduce a problem to a board through intermediate problems.

    Parameters
    ----------
    names : str or sequence of str
        Names of the links, in order, as a list or joined by "+". The last link is a reduction.
    source : str, Board, networkx.Graph, sequence or array
        The first problem, as for `reduce`.
    **parameters : int
        The parameters of all links by name, such as `k`.

    Returns
    -------
    Chain
        The composed reduction, which converts certificates both ways.

    Raises
    ------
    InputError
        If a name, a parameter or the source is invalid, or if the board would be too large.

    Examples
    --------
    >>> mmsat.chain("three-sat+one-in-three+one-in-three-3sat", "p cnf 2 1\n1 2 0\n").sizes()
    Sizes(pegs=6, colors=2, rows=5)
    """
    assert not isinstance(names, str)  # noqa: S101  (the rule has split it)
    link_classes = _find_links(names)
    required = dict.fromkeys(name for link_class in link_classes for name in link_class.parameters)
    check_parameters("the chain", list(required), parameters)
    target = read_source(link_classes[0].source_kind, source)
    links: list[Link[Any, Any]] = []
    for link_class in link_classes:
        links.append(
            link_class(target, **{name: parameters[name] for name in link_class.parameters})
        )
        if len(links) < len(link_classes):
            target = links[-1].target
    last = links.pop()
    assert isinstance(last, Reduction)  # noqa: S101  (`_find_links` checked it)
    last.require_size()
    return Chain(links, last)


def _find_links(names: Sequence[str]) -> list[type[Link[Any, Any]]]:
    """Return the links with these names. Raises InputError if they do not form a chain."""
    link_names = (*LINKS, *REDUCTIONS)  # without plug-ins, whose names REDUCTIONS accepts as well
    faults = [
        Fault("it makes a game, and a chain makes a board", name, ", ".join(link_names))
        if name in GAME_REDUCTIONS
        else UnknownName.of("link or reduction", name, link_names)
        for name in names
        if name not in link_names and name not in REDUCTIONS
    ]
    link_classes = [_find_link(name) for name in names if name in link_names or name in REDUCTIONS]
    if not faults:
        faults = [
            Fault(
                f"{link.name} makes a {link.target_kind}",
                next_link.name,
                f"after {link.name} {_list_readers(link.target_kind)}",
            )
            for link, next_link in pairwise(link_classes)
            if link.target_kind != next_link.source_kind
        ]
    if not faults and (not names or names[-1] in LINKS):
        rule = "a chain ends with a reduction"
        kind = LINKS[names[-1]].target_kind if names else ""
        last = ", ".join(name for name in REDUCTIONS if kind in ("", REDUCTIONS[name].source_kind))
        expected = f"{'+'.join((*names, 'NAME'))}, where NAME is one of {last}"
        faults.append(Fault(rule, "+".join(names), expected))
    InputError.refuse(faults, "the chain")
    return link_classes


def _find_link(name: str) -> type[Link[Any, Any]]:
    return LINKS[name] if name in LINKS else REDUCTIONS[name]


def _list_readers(kind: str) -> str:
    """Return the names of the links and reductions with this kind of source, joined by "or"."""
    names = [name for name in (*LINKS, *REDUCTIONS) if _find_link(name).source_kind == kind]
    return join_words(names, "or")
