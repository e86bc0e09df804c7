"""A part of the consistent codes, as lazy as the whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, overload

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmsat.enumeration.codes import Codes
    from mmsat.game.row import Code


class Slice(Sequence["Code"]):
    """The codes of some numbers."""

    def __init__(self, codes: Codes, numbers: range) -> None:
        """The numbers in the order wanted."""
        self.codes = codes
        self.numbers = numbers

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, number: int) -> Code: ...
    @overload
    def __getitem__(self, number: slice) -> Slice: ...
    def __getitem__(self, number: int | slice) -> Code | Slice:
        """A code by its number within the part, or a part of the part."""
        if isinstance(number, slice):
            return Slice(self.codes, self.numbers[number])
        return self.codes.ranking.code(self.numbers[number])

    def __iter__(self) -> Iterator[Code]:
        ranking = self.codes.ranking
        if self.numbers.step == 1:
            left = self.numbers.stop - self.numbers.start
            for code in ranking.codes(self.numbers.start) if left > 0 else ():
                yield code
                left -= 1
                if left == 0:
                    return
        else:
            yield from map(ranking.code, self.numbers)

    def __contains__(self, code: object) -> bool:
        return (
            isinstance(code, tuple)
            and code in self.codes
            and self.codes.ranking.number(code) in self.numbers
        )

    def __repr__(self) -> str:
        start, stop, step = self.numbers.start, self.numbers.stop, self.numbers.step
        return f"{self.codes!r}[{start}:{stop}:{step}]"
