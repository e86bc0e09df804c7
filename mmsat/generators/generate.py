"""Make a board of a family: the library's door to `families`."""

from difflib import get_close_matches

from mmsat.english import join_words
from mmsat.errors import Fault, InputError
from mmsat.generators.families import FAMILIES
from mmsat.generators.family import Family, Generated
from mmsat.reductions.samples.sample import Answer


def generate(
    family: str,
    size: int | None = None,
    *,
    rows: int | None = None,
    seed: int = 0,
    answer: str | None = None,
) -> Generated:
    """Make a board of a family, with what is known of it by construction; see `mmsat generate`.

    The same arguments give the same board on every machine.

    - `family`: its name.
    - `size`: of the board, in the family's own measure; None for the usual one.
    - `rows`: how many, where the family leaves that open.
    - `seed`: of all random choices.
    - `answer`: what the board must be, such as "consistent", where the family can promise it.

    Raises InputError for a size, rows or an answer that the family does not have.
    """
    chosen = find_family(family)
    try:
        wanted = None if answer is None else Answer(answer)
    except ValueError:
        fault = Fault("an answer is known by name", answer, join_words(Answer))
        raise InputError([fault], "the options") from None
    return chosen.make(chosen.size if size is None else size, seed, wanted, rows)


def find_family(name: str) -> Family:
    """The family of a name; raises InputError with the nearest names when there is none."""
    if name in FAMILIES:
        return FAMILIES[name]
    near = get_close_matches(name, FAMILIES, n=3) or list(FAMILIES)
    raise InputError([Fault("there is no such family", name, " or ".join(near))], "the options")
