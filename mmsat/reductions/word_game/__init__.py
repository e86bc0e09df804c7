"""Dominating set -> the daily word game within k + 1 guesses: see README.md."""

from collections.abc import Iterator, Sequence
from functools import cached_property

from mmsat.game import Code
from mmsat.game.game import Game
from mmsat.game.scoring import SCORINGS
from mmsat.game.symbols import LETTERS, Symbols
from mmsat.game.words import Words
from mmsat.reductions.equations import Nodes
from mmsat.reductions.reduction import GameFormulas, GameReduction, GameSizes, Line, require_whole
from mmsat.reductions.sources import Graph

FIRST_LETTERS = LETTERS + "0123456789"
"""The first letters of a game; most games need no others."""
FIRST_FURTHER_LETTER = 0x4E00
"""Code point of the next letter, in a range of characters without upper case."""


class WordGame(GameReduction[Graph, Nodes]):
    """Two words for each node, which share a letter with the words of each neighbor."""

    name = "word-game"
    title = "dominating set -> a list of words, each found within k + 1 guesses"
    theorem = (
        "to win the daily word game is NP-complete (Lokshtanov and Subercaseaux 2022; Rosenbaum "
        "2022)"
    )
    source_kind = "graph"
    parameters = ("k",)
    formula = GameFormulas("2c", "n + m + i", "2n")

    def __init__(self, source: Graph, *, k: int) -> None:
        super().__init__(source, k=k)
        self.k = min(require_whole("k", k, 0), len(source.nodes))

    @cached_property
    def links(self) -> tuple[tuple[int, int], ...]:
        """The edges, and a loop at each isolated node."""
        endpoints = {node for edge in self.source.edges for node in edge}
        isolated = (node for node in range(len(self.source.nodes)) if node not in endpoints)
        return (*self.source.edges, *((node, node) for node in isolated))

    @cached_property
    def places(self) -> tuple[int, ...]:
        """The place of each link: the smallest number that no earlier link at its nodes has."""
        places_at: list[set[int]] = [set() for _ in self.source.nodes]
        places = []
        for one, other in self.links:
            taken = places_at[one] | places_at[other]
            place = next(place for place in range(len(taken) + 1) if place not in taken)
            places_at[one].add(place)
            places_at[other].add(place)
            places.append(place)
        return tuple(places)

    @property
    def guesses(self) -> int:
        return self.k + 1

    @property
    def letters(self) -> int:
        return len(self.source.nodes) + len(self.links)

    def sizes(self) -> GameSizes:
        return GameSizes(2 * (1 + max(self.places)), self.letters, 2 * len(self.source.nodes))

    @cached_property
    def words(self) -> tuple[Code, ...]:
        """The words, two per node, in the order of the nodes."""
        num_nodes = len(self.source.nodes)
        words = [[node] * self.sizes().pegs for node in range(num_nodes) for _ in range(2)]
        for letter, (link, place) in enumerate(
            zip(self.links, self.places, strict=True), num_nodes
        ):
            for node in link:
                words[2 * node][2 * place] = words[2 * node + 1][2 * place + 1] = letter
        return tuple(map(tuple, words))

    @cached_property
    def target(self) -> Game:
        sizes = self.sizes()
        further_letters = (
            chr(FIRST_FURTHER_LETTER + number)
            for number in range(sizes.colors - len(FIRST_LETTERS))
        )
        symbols = Symbols((*FIRST_LETTERS[: sizes.colors], *further_letters), "letter")
        space = Words(self.words)
        name = f"game:{self.name}.toml"
        return Game(sizes.pegs, sizes.colors, space, SCORINGS["places"], symbols, name)

    def meanings(self) -> Iterator[tuple[Code, str]]:
        for index, word in enumerate(self.words):
            yield word, f"node {self.source.nodes[index // 2]}"

    def encode(self, certificate: Nodes) -> Line:
        chosen = set(certificate)
        nodes = enumerate(self.source.nodes)
        return tuple(self.words[2 * number] for number, node in nodes if node in chosen)

    def decode(self, certificate: Sequence[Code]) -> Nodes:
        chosen = {self.words.index(tuple(word)) // 2 for word in certificate}
        return tuple(self.source.nodes[number] for number in sorted(chosen))

    def is_certificate(self, certificate: Nodes) -> bool:
        nodes = self.source.nodes
        chosen = {number for number, node in enumerate(nodes) if node in certificate}
        dominated = {node for edge in self.source.edges if chosen & {*edge} for node in edge}
        is_set = len(chosen) == len(certificate) <= self.k
        return is_set and chosen | dominated == set(range(len(nodes)))

    def spell(self, certificate: Nodes) -> str:
        return " ".join(map(str, certificate))
