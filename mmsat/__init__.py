"""Mastermind satisfiability: check, explain, count and play scored boards.

Is there a code that gets exactly these scores? mmsat decides this question and related ones:

    >>> import mmsat
    >>> board = mmsat.Board.parse("4x6/1122=1.1/3345=0.2")
    >>> mmsat.check(board).is_consistent
    True

Decide
    check            Decide whether some code gets the scores of a board.
    check_many       Decide many boards, one after the other.
    check_arrays     Decide many boards of one game, given as arrays.

Explain
    explain          List the minimal conflicts and the cheapest corrections of a board.
    steps            Explain a contradiction, or everything that is certain, step by step.
    suspect          List the possible scores of suspect rows.
    audit            Judge all games of log files.

Count and list
    count            Count the consistent codes.
    estimate         Estimate the number of consistent codes, without a search.
    count_arrays     Count the consistent codes of many boards, given as arrays.
    codes            Return the consistent codes as a lazy sequence, with ranks, samples and odds.

Suggest and play
    suggest          Suggest the next guess.
    suggest_many     Suggest the next guess for several boards at once.
    match_many       Compare strategies for several boards at once.
    play_round       Play a round between any players: people, programs and strategies.
    match            Play a match of several games, in which the players change roles.
    review           Judge each guess of a played game.

Analyze
    analyze          Play a strategy against every code, or against a sample of codes.
    optimal          Find a strategy with the fewest guesses on average, or in the worst case.
    static           Find the fewest guesses, all made before any score is seen.
    game_value       Find optimal mixed strategies of both sides.

Generate and reduce
    generate         Make a board of a family, with a known verdict.
    generate_many    Make many boards of a family.
    generate_log     Simulate games with known scoring errors.
    puzzle           Make a board with exactly one code.
    minimal_puzzle   Find a puzzle with the fewest or the most rows.
    reduce           Reduce a hard problem to a board.
    chain            Reduce a hard problem to a board in several steps.

Encode and certify
    encode           Write a board for another solver.
    decode           Read the answer of another solver.
    prove            Prove a verdict: make a proof that `verify` checks.
    prove_explanation  Prove that conflicts are minimal and corrections are the cheapest.
    prove_count      Prove the number of codes.
    prove_codes      Prove that a list has every code.
    prove_optimum    Prove that no strategy is better than the result of `optimal`.
    prove_value      Prove the value of a game by the mixtures of both sides.
    verify           Check a proof without any solver.

Games
    games            List the names of the published games and of the games of plug-ins.
    score            Return the score of a guess against a code.
    Game             The rules of a game: size, code space and scoring.
    Board            A game and its scored rows.
    Tolerance        The maximum number of wrong scores.
    Weights          The relative probability of each code.
    SeveralBoards    Boards that are played with the same guesses.

The other public names are the types of results, the errors, and the base classes of plug-ins.
`mmsat.testing` checks plug-ins of each kind by the laws of the built-in ones.

Rows, pegs and colors are counted from 0 in Python, and from 1 in text, JSON and messages. A code or
a guess is text as in a board line ("1122"), or a sequence or an array of colors. Whole numbers can
be ints or numpy integers. Results are immutable. `str()` of a result is the text that the command
line prints, `to_dict()` is its JSON document, and `records()` is a list of flat dictionaries for
pandas or polars.

All errors that are documented for a call are subclasses of `MmsatError`. Any call can also raise
`MissingError`, `LibraryError` or `DiedError` if a solver is not installed or fails. `InternalError`
reports a bug.

The public API is `mmsat.__all__`; anything else may change. A public name is imported when it is
first used. The list of names is in `__init__.pyi`.
"""

import sys

import lazy_loader

__version__ = "0.1.0"
_load, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


_REPLACEMENTS = {
    **dict.fromkeys(("decide", "is_consistent", "sat", "solve"), "mmsat.check(board)"),
    "diagnose": "mmsat.explain(board)",
    "list": "mmsat.codes(board), a lazy sequence",
    **dict.fromkeys(("odds", "marginals", "probabilities"), "mmsat.codes(board).odds()"),
    "sample": "mmsat.codes(board).sample(number)",
    **dict.fromkeys(("rank", "index"), "mmsat.codes(board).index(code)"),
    "unrank": "mmsat.codes(board)[rank]",
    "lift": "mmsat.reduce(name, source).decode(code)",
    **dict.fromkeys(("parse", "read", "load"), "mmsat.Board.parse(text)"),
    "parse_code": "mmsat.Game.parse_code",
    "format_code": "mmsat.Game.format_code",
    "guess": "mmsat.suggest(board)",
    "play": "mmsat.play_round(...) or mmsat.match(...)",
    **dict.fromkeys(("serve", "study", "suite"), "the command `mmsat {}`"),
    **dict.fromkeys(
        ("encodings", "families", "instances", "reductions", "strategies"),
        "the command `mmsat {}`, which lists the names",
    ),
    "engines": "the command `mmsat encodings`, which lists the names",
    "testing": "`import mmsat.testing`",
}
"""What to use instead of names that users guess, such as names of commands. "{}" is the name."""


def __getattr__(name: str) -> object:
    """Import a public name. For other names, raise an AttributeError with what to use instead.

    If that is unknown, the arguments `name` and `obj` let Python suggest the most similar name.
    """
    if name in __all__:
        return _load(name)
    message = f"module {__name__!r} has no attribute {name!r}"
    if name in _REPLACEMENTS:
        raise AttributeError(f"{message}; use {_REPLACEMENTS[name].format(name)}")
    raise AttributeError(message, name=name, obj=sys.modules[__name__])
