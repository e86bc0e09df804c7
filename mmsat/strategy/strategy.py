"""The base classes of strategies, and the state of a game.

The state is what the codebreaker knows: the rows so far, and the remaining codes. The modules of
strategies/ define the strategies.

**Hard mode**: each guess must use the information of all earlier scores. If scores mark each letter
as in place, elsewhere or absent, this is the rule of the daily word game, "any revealed hints must
be used in subsequent guesses". A letter marked as in place must keep its place. A guess must have
each letter at least as often as any single row marked it in place or elsewhere. An absent letter
may be guessed again, and a letter marked as elsewhere may keep its place. In all other games, a
guess must be a code that is consistent with all scores so far. Unread pegs and scores impose no
condition.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from mmsat._util import Array, np
from mmsat._util.arguments import OPTIONAL, RULES, instance_of, require
from mmsat._util.registry import extension_rule
from mmsat._util.text import quantity
from mmsat.errors import Fault, InputError, PluginError
from mmsat.game import UNREAD, Code, Row, Score
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.scoring import ABSENT, IN_PLACE
from mmsat.game.tolerance import STRICT, Tolerance
from mmsat.game.unread import agrees_all
from mmsat.strategy.answers import all_codes, is_listed, split_codes
from mmsat.strategy.tree import Node, OnProgress

if TYPE_CHECKING:
    from random import Random


def has_hints(game: Game) -> bool:
    """Return whether the scores of this game mark letters, so that hard mode uses these hints."""
    return game.scoring.name == "places"


def uses_row(game: Game, guesses: Array, row: Row) -> Array:
    """Return for each guess whether it uses the information of a row, as an array of booleans."""
    if not has_hints(game):
        return agrees_all(game, guesses, row)
    is_used = np.ones(len(guesses), dtype=bool)
    min_counts: Counter[int] = Counter()
    for peg, (color, mark) in enumerate(zip(*row, strict=True)):
        if color == UNREAD or mark is None or mark == ABSENT:
            continue
        min_counts[color] += 1
        if mark == IN_PLACE:
            is_used &= guesses[:, peg] == color
    for color, min_count in min_counts.items():
        is_used &= (guesses == color).sum(axis=1) >= min_count
    return is_used


def find_breach(game: Game, rows: Iterable[Row], guess: Sequence[int]) -> int | None:
    """Return the index of the first row whose information a guess does not use, or None.

    Colors are numbered from 0. None means that hard mode allows the guess after these rows.
    """
    candidate = np.array([guess], dtype=np.int64)
    return next(
        (row_index for row_index, row in enumerate(rows) if not uses_row(game, candidate, row)[0]),
        None,
    )


def list_allowed(game: Game, rows: Iterable[Row], guesses: Array) -> Array:
    """Return the guesses that hard mode allows after some rows; shape (guesses, pegs)."""
    for row in rows:
        guesses = guesses[uses_row(game, guesses, row)]
    return guesses


class State:
    """A board and its consistent codes, which are listed when they are first needed.

    Parameters
    ----------
    board : Board or str
        The game and the rows so far.
    codes : array of int, shape (codes, pegs), optional
        Its consistent codes in lexicographic order, if already known.
    before : State, optional
        The state without the last row, if known, whose codes are then filtered.
    tolerance : Tolerance, optional
        The allowed errors in the scores of a consistent code; by default, none.
    """

    def __init__(
        self,
        board: Board | str,
        codes: Array | None = None,
        *,
        before: State | None = None,
        tolerance: Tolerance = STRICT,
    ) -> None:
        self.board = Board.of(board)
        self.before = before
        self.tolerance = tolerance
        require("State", before=before, tolerance=tolerance)
        if codes is not None:
            code_array = np.asarray(codes)
            if code_array.ndim != 2 or code_array.shape[1] != self.game.pegs:
                expected = f"an array of codes, of shape (codes, {self.game.pegs}), or None"
                raise InputError([Fault("", codes, expected, part="codes")], "the arguments")
            self.__dict__["codes"] = code_array

    @classmethod
    def start(cls, game: Game) -> State:
        """Return the state before the first guess.

        Parameters
        ----------
        game : Game
            The game.

        Returns
        -------
        State
            The state without rows.
        """
        return cls(Board(game))

    @property
    def game(self) -> Game:
        """The game of the board."""
        return self.board.game

    @property
    def rows(self) -> tuple[Row, ...]:
        """The guesses so far, with their scores."""
        return self.board.rows

    @cached_property
    def codes(self) -> Array:
        """The consistent codes, colors from 0, in lexicographic order; a read-only array.

        The shape is (codes, pegs). The codes are filtered in one pass over those of `before`, or
        over all codes of the game if `before` is None. Raises SizeError if the game has too many
        codes to list them.
        """
        if self.before is not None:
            codes, rows = self.before.codes, self.rows[-1:]
        else:
            codes, rows = all_codes(self.game), self.rows
        if self.tolerance.lies:
            codes = codes[count_lies(self.board, codes, self.tolerance.by) <= self.tolerance.lies]
        else:
            for row in rows:
                codes = codes[agrees_all(self.game, codes, row)]
        codes.flags.writeable = False
        return codes

    @property
    def is_listed(self) -> bool:
        """Whether the codes are known, or the game is small enough to list them."""
        return "codes" in self.__dict__ or is_listed(self.game)

    def after(self, guess: Code, score: Score) -> State:
        """Return the state after one more row.

        Parameters
        ----------
        guess : tuple of int
            The guess, with colors from 0.
        score : tuple of int
            The score, one number per part.

        Returns
        -------
        State
            The state with the row.
        """
        board = self.board.with_row(guess, score)
        return State(board, before=self, tolerance=self.tolerance)

    def allows(self, guess: Code) -> bool:
        """Return whether a guess is a possible code.

        Parameters
        ----------
        guess : tuple of int
            The guess, with colors from 0.

        Returns
        -------
        bool
            True if the guess is a consistent code.
        """
        return self.tolerance.allows(self.board, guess)

    def code(self, index: int) -> Code:
        """Return the consistent code with an index.

        Parameters
        ----------
        index : int
            The index from 0, in lexicographic order.

        Returns
        -------
        tuple of int
            The code, with colors from 0.
        """
        return tuple(self.codes[index].tolist())

    def __len__(self) -> int:
        return len(self.codes)

    def __repr__(self) -> str:
        return f"State({self.board!r})"


def count_lies(board: Board, codes: Array, by: str) -> Array:
    """Return, for each of `codes`, the number of lies on the board if that code is the secret.

    Lies are counted `by` "rows" or "pegs", as in `Tolerance`.
    """
    if by == "pegs" and board.has_unread_pegs:
        # A guess with unread pegs has several possible scores, of which `misses` uses the nearest.
        tolerance = Tolerance(1, by)  # `misses` and `price` do not depend on the limit of 1 lie
        lie_counts = [
            tolerance.price(tolerance.misses(board, tuple(code))) for code in codes.tolist()
        ]
        return np.array(lie_counts, dtype=np.int64)
    scoring = board.game.scoring
    lies = np.zeros(len(codes), dtype=np.int64)
    for guess, score in board.rows:
        if by == "rows":
            lies += ~agrees_all(board.game, codes, Row(guess, score))
            continue
        distinct_scores, inverse = np.unique(
            scoring.score_all(codes, guess), axis=0, return_inverse=True
        )
        distances = [scoring.distance(row, score) for row in distinct_scores.tolist()]
        lies += np.array(distances, dtype=np.int64)[inverse.reshape(-1)]
    return lies


@dataclass(eq=False, repr=False)
class Strategy(ABC):
    """A way to choose the next guess: the same state and the same seed give the same guess.

    A subclass defines `choose`. With any strategy, the first guesses can be given as an opening,
    and every guess can be required to be a possible code (`consistent_only`) or to use all hints
    (`hard`).

    Parameters
    ----------
    opening : sequence of guesses, default ()
        The first guesses, as text or as colors from 0. They are made regardless of the scores, even
        if they cannot be the code. A guess that `consistent_only` or `hard` forbids is replaced by
        the choice of the strategy.
    consistent_only : bool, default False
        Whether every guess must be a possible code.
    hard : bool, default False
        Whether every guess must use all hints.

    Examples
    --------
    >>> class First(mmsat.Strategy):
    ...     name = "first"
    ...     def choose(self, state):
    ...         return state.code(0)
    >>> mmsat.analyze("3x4", First()).average
    Fraction(125, 32)
    """

    name: ClassVar[str] = "custom"
    """Name in commands, results and files."""
    summary: ClassVar[str]
    """One line for the list of strategies."""
    source: ClassVar[str]
    """Publication or inventor."""
    is_consistent: ClassVar[bool] = False
    """Whether every guess that `choose` returns is a possible code."""
    knows_hard_mode: ClassVar[bool] = False
    """Whether `choose` considers all guesses that hard mode allows. If not, `consistent_only` is
    set in hard mode, as possible codes are always allowed."""

    opening: Sequence[Sequence[int] | str] = ()
    """The first guesses, in order; `check` parses those given as text."""
    consistent_only: bool = field(default=False, kw_only=True)
    """Whether every guess must be a possible code."""
    hard: bool = field(default=False, kw_only=True)
    """Whether every guess must use all hints (hard mode)."""
    must_opening_fit: bool = field(init=False)
    """Whether the guesses of the opening must be possible codes: the value of `consistent_only`
    that was passed, before `hard` changed it."""

    def __post_init__(self) -> None:
        options = {"consistent_only": self.consistent_only, "hard": self.hard}
        self.opening = tuple(require("Strategy", opening=self.opening, **options)["opening"])
        self.must_opening_fit = self.consistent_only
        self.consistent_only |= self.hard and not self.knows_hard_mode

    def guess(self, state: State) -> Code:
        """Return the next guess, from the opening or by the choice of the strategy.

        Parameters
        ----------
        state : State
            The rows so far, and the remaining codes. There must be at least one.

        Returns
        -------
        tuple of int
            The guess, with colors from 0.

        Raises
        ------
        InputError
            If the guess does not have one color of the game for each peg.
        """
        # A forbidden guess of the opening is skipped, but later ones keep their turns.
        turn = len(state.rows)
        if turn < len(self.opening):
            (forced,) = state.game.require(guess=self.opening[turn])
            is_allowed = not self.hard or find_breach(state.game, state.rows, forced) is None
            if is_allowed and (not self.must_opening_fit or state.allows(forced)):
                return forced
        chosen = self.choose(state)
        try:
            if not isinstance(chosen, str):
                (guess,) = state.game.require(guess=chosen)
                return guess
        except InputError:
            pass
        pegs = quantity(state.game.pegs, "color")
        rule = f"choose returns a tuple of {pegs} from 0 to {state.game.colors - 1}"
        fault = Fault(rule, chosen, "such a guess")
        raise PluginError([fault], f"the strategy {self.name}")

    @abstractmethod
    def choose(self, state: State) -> Code:
        """Return the next guess, regardless of the opening.

        Parameters
        ----------
        state : State
            The rows so far, and the remaining codes.

        Returns
        -------
        tuple of int
            The guess, with colors from 0; a possible code if `consistent_only`.
        """

    def promise(self, state: State) -> Fraction | None:  # noqa: ARG002
        """Return the average number of further guesses if it is proven to be minimal.

        Parameters
        ----------
        state : State
            The rows so far, and the remaining codes.

        Returns
        -------
        Fraction or None
            The average, over play with possible codes only if `consistent_only`; None if it is
            unknown.
        """
        return None

    def check(self, game: Game) -> None:
        """Check that the strategy supports a game, and parse the guesses of the opening.

        Parameters
        ----------
        game : Game
            The game.

        Raises
        ------
        InputError
            If the strategy does not support the game, or if the opening is invalid.
        """
        self.opening = game.require_guesses(self.opening, "the opening")

    def grow(self, game: Game, on_progress: OnProgress) -> Node:
        """Return the strategy tree of a whole game: a guess for every state that can occur.

        Parameters
        ----------
        game : Game
            The game.
        on_progress : callable
            Called with the number of finished codes and the total number of codes.

        Returns
        -------
        Node
            The root of the tree.
        """
        return self.grow_from(State.start(game), on_progress)

    def grow_from(self, start: State, on_progress: OnProgress) -> Node:
        """Return the strategy tree that starts at a state, by calling `guess` in every state.

        Parameters
        ----------
        start : State
            The state of the root.
        on_progress : callable
            Called with the number of finished codes and the total number of codes.

        Returns
        -------
        Node
            The root of the tree.

        Raises
        ------
        InputError
            If the strategy repeats a guess that gives no information.
        """
        game = start.game
        parent_of_root = Node((), 0)
        num_won = 0
        # A stack instead of recursion: states without nodes, with the parent node and the score.
        tasks: list[tuple[State, Node, Score]] = [(start, parent_of_root, ())]
        while tasks:
            state, parent, score = tasks.pop()
            guess = self.guess(state)
            classes = split_codes(game, state.codes, guess)
            wins = len(classes.pop(game.score(guess, guess), ()))
            is_progress = wins or len(classes) > 1
            is_chosen = len(state.rows) >= len(self.opening)
            # A repeated guess that wins nothing and splits nothing would be repeated forever.
            if is_chosen and not is_progress and any(row.guess == guess for row in state.rows):
                expected = f"a guess that gives information at {state.board}"
                rule = "choose repeats a guess without progress"
                raise PluginError([Fault(rule, guess, expected)], f"the strategy {self.name}")
            node = parent.branches[score] = Node(guess, wins)
            num_won += wins
            on_progress(num_won, len(start))
            for next_score in sorted(classes, reverse=True):
                board = Board(game, (*state.rows, Row(guess, next_score)))
                tasks.append((State(board, classes[next_score]), node, next_score))
        return parent_of_root.branches[()]

    @property
    def title(self) -> str:
        """The name, with `consistent_only` or `hard` if set."""
        option = "hard mode" if self.hard else "consistent only" if self.consistent_only else ""
        return f"{self.name}, {option}" if option else self.name


@dataclass(eq=False, repr=False, kw_only=True)
class SeededStrategy(Strategy):
    """A strategy with random choices: the same seed and the same rows give the same guess."""

    seed: int | None = None
    """Seed of the random choices; None draws one."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.seed is None:
            from random import randrange

            self.seed = randrange(1 << 31)

    def random(self, state: State) -> Random:
        """Return a random number generator that depends only on the seed and the board."""
        from random import Random

        return Random(f"{self.seed} {state.board}")


# The rules by which `check_arguments` and `require` check arguments of these names.
RULES["State.before"] = instance_of("a State", State)
OPTIONAL.add("State.before")
RULES["strategy"] = extension_rule("strategy", Strategy, has_classes=True)
