"""The registry of strategies, and their selection: by name, from a saved tree, or by the game.

A module of this package defines the strategy of its name, or the strategies in `SHARED`.
"""

from collections.abc import Sequence
from contextlib import suppress
from inspect import signature
from typing import Any

from mmsat._util.registry import Extensible, Registry, UnknownName, module_names, split_spec
from mmsat._util.text import join_words
from mmsat.errors import Description, InputError
from mmsat.game import Code
from mmsat.game.game import Game
from mmsat.strategy.answers import MAX_TABLE_CODES, kernel_form
from mmsat.strategy.candidates import require_hard_mode
from mmsat.strategy.optimal import MAX_COLORS
from mmsat.strategy.strategy import State, Strategy
from mmsat.strategy.tree import Node, OnProgress, StrategyTree, load_tree

SHARED = {
    "consistent": (
        "any-consistent",
        "first-consistent",
        "genetic",
        "next-consistent",
        "random-consistent",
        "sat-consistent",
        "six-guess",
    ),
    "heuristics": ("entropy", "expected-size", "knuth", "most-parts", "sampled", "weighing"),
    "planned": ("halving", "parallel-halving"),
}
"""The names of the strategies in each module that defines several."""
MODULES = {
    name: module
    for module in module_names(__path__)
    for name in SHARED.get(module, (module.replace("_", "-"),))
}
"""The module of each strategy."""
STRATEGIES: Extensible[type[Strategy]] = Extensible(
    "strategy",
    "strategies",
    Registry(
        __name__,
        {name: MODULES[name] for name in sorted(MODULES)},
        Strategy,  # type: ignore[type-abstract]
    ),
    Strategy,
    has_classes=True,
)


AUTO = "auto"
"""The spec (the text that names a strategy and its options) that selects a strategy to suit the
game."""
TREE_PREFIX = "tree:"
"""Prefix of a tree file in a spec."""
MAX_BUDGET_SECONDS = 86_400
"""Maximum of SECONDS in the spec `sampled:SECONDS`: the time for one guess."""
MAX_SEARCHED_CODES, MAX_SEARCHED_PEGS = 1300, 5
"""Games of up to this many codes and pegs are searched completely at each turn by `auto`. 4x6 with
its 1,296 codes is the largest classic game among them."""
TINY_GAME_STRATEGY, TABLE_STRATEGY, LARGE_GAME_STRATEGY = "optimal", "entropy", "sampled"
"""The strategies that `auto` chooses: for tiny games, for games in which all guesses are tried, and
for all other games."""


class TreeStrategy(Strategy):
    """Makes the guesses of a strategy tree."""

    name = "tree"
    summary = "the guesses of a saved strategy tree"
    source = "a file"

    def __init__(self, tree: StrategyTree) -> None:
        super().__init__()
        self.tree = tree

    def choose(self, state: State) -> Code:
        """Return the guess of the tree; raise InputError if the rows do not follow the tree."""
        return self.tree.walk(state.board)

    def check(self, game: Game) -> None:
        """Raise InputError if the tree is for another game."""
        if game != self.tree.game:
            raise InputError.of(
                "the game", str(self.tree.game), str(game), "the strategy tree is for this game"
            )

    def grow(self, game: Game, on_progress: OnProgress) -> Node:  # noqa: ARG002
        return self.tree.root

    @property
    def title(self) -> str:
        return self.tree.strategy


SYNONYMS = {
    **dict.fromkeys(("minimax", "worst-case"), ("knuth",)),
    **dict.fromkeys(("information", "max-entropy", "shannon"), ("entropy",)),
    **dict.fromkeys(("consistent", "possible", "simple"), ("any-consistent",)),
    **dict.fromkeys(("best", "perfect"), ("optimal",)),
}
"""Names from the literature, with the strategies to suggest."""


def find_strategy(
    spec: str | Strategy | type[Strategy],
    *,
    opening: Sequence[Sequence[int] | str] = (),
    consistent_only: bool = False,
    hard: bool = False,
    seed: int | None = None,
) -> Strategy:
    """Return the strategy for a spec: a name, `sampled:SECONDS`, or `tree:FILE` for a tree file.

    `sampled:SECONDS` limits the time for each guess. Strategies without random choices ignore the
    seed. If the spec is a class, an object is created with the options. If it is an object, it has
    its own options, and none may be given. Raises InputError if the spec or an option is invalid.
    """
    options: dict[str, Any] = {"opening": opening, "consistent_only": consistent_only, "hard": hard}
    if isinstance(spec, Strategy):
        if any(options.values()):
            rule = "the Strategy object has its own options"
            raise InputError.of("the options", "none", Description("options"), rule)
        return spec
    if not isinstance(spec, str):
        return _create(STRATEGIES.adapt(spec), options, seed)
    if spec.startswith(TREE_PREFIX):
        if opening or consistent_only:
            rule = "a saved tree has fixed guesses"
            description = Description("an opening" if opening else "consistent guesses only")
            raise InputError.of("the options", "no options of the strategy", description, rule)
        tree = load_tree(spec.removeprefix(TREE_PREFIX))
        if hard:
            require_hard_mode(tree)
        return TreeStrategy(tree)
    name, settings = split_spec(spec, STRATEGIES)
    if name not in STRATEGIES:
        names = [*STRATEGIES, f"{TREE_PREFIX}FILE"]
        near = SYNONYMS.get(name, ())
        raise InputError([UnknownName.of("strategy", name, names, suggestions=near)], "")
    strategy_class = STRATEGIES[name]
    if settings:
        if "timeout" not in signature(strategy_class).parameters:
            raise InputError.of("the strategy", name, spec, f"{name} has no time limit")
        options["timeout"] = _read_timeout(name, ":".join(settings))
    return _create(strategy_class, options, seed)


def _create(strategy_class: type[Strategy], options: dict[str, Any], seed: int | None) -> Strategy:
    """Return a strategy with these options, and with the seed if it has one.

    Raises InputError for options that the constructor of a plug-in does not accept.
    """
    parameters = signature(strategy_class).parameters
    arguments = options | {"seed": seed} if "seed" in parameters else options
    unknown = [name for name in arguments if name not in parameters]
    if any(arguments[name] for name in unknown):
        description = Description(join_words(unknown, "and"))
        raise InputError.of("the options", f"options of {strategy_class.name}", description)
    accepted = {name: value for name, value in arguments.items() if name in parameters}
    return strategy_class(**accepted)


def _read_timeout(name: str, text: str) -> float:
    """Return the time limit after the name of a strategy; raise InputError if it is invalid."""
    with suppress(ValueError):
        if 0 < float(text) <= MAX_BUDGET_SECONDS:
            return float(text)
    expected = f"{name}:SECONDS with up to {MAX_BUDGET_SECONDS:,} seconds, such as {name}:0.5"
    raise InputError.of("the strategy", expected, f"{name}:{text}")


def choose_strategy(
    game: Game,
    spec: str | Strategy | type[Strategy] = AUTO,
    *,
    opening: Sequence[Sequence[int] | str] = (),
    consistent_only: bool = False,
    hard: bool = False,
    seed: int | None = None,
) -> Strategy:
    """Return the strategy for a spec; `auto` selects a strategy to suit the game.

    Raises InputError as `find_strategy` does, or if the strategy does not support the game or the
    opening; some strategies raise SizeError for large games.
    """
    strategy = find_strategy(
        suitable_spec(game) if spec == AUTO else spec,
        opening=opening,
        consistent_only=consistent_only,
        hard=hard,
        seed=seed,
    )
    strategy.check(game)
    return strategy


def suitable_spec(game: Game) -> str:
    """Return the name of the strategy that suits a game and needs little time per turn.

    In a tiny game, the remaining game is searched completely. If codes are words, small changes of
    a guess rarely improve it. If the scoring needs a table, the table has the answers to all
    guesses anyway. In these games, a heuristic evaluates all guesses. In all other games, a sample
    of guesses is improved step by step, which finds codes in fewer turns than the heuristic.
    """
    is_list = game.space.table() is not None
    is_tiny = (
        game.size <= MAX_SEARCHED_CODES
        and game.pegs <= MAX_SEARCHED_PEGS
        and game.colors <= MAX_COLORS
    )
    if is_tiny and game.scoring.name == "black-white" and not is_list:
        return TINY_GAME_STRATEGY
    has_table = game.colors <= 256 and (is_list or kernel_form(game) is None)
    return TABLE_STRATEGY if has_table and game.size <= MAX_TABLE_CODES else LARGE_GAME_STRATEGY
