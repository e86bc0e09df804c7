"""The boards of the library: their verdicts, counts, hashes, files and slips."""

from __future__ import annotations

import hashlib
import tomllib

import pytest

from mmsat._util.files import catalogue_folder
from mmsat.errors import InputError, Place
from mmsat.game.board import PRINTERS, Board
from mmsat.game.library import families, find, instances
from mmsat.game.notation.board_reader import speller
from tests.support import twins

INSTANCES = instances()
MAX_TWIN_CODES = 600_000
"""The maximum number of codes of a game whose consistent codes a twin lists."""
each_instance = pytest.mark.parametrize("instance", INSTANCES, ids=lambda item: item.name)
each_slipped_instance = pytest.mark.parametrize(
    "instance", [entry for entry in INSTANCES if entry.slips], ids=lambda item: item.name
)


def secret_code(instance):
    faults = []
    code = speller(instance.board.game).read_code(instance.secret, Place(1, 1), faults)
    assert faults == []
    return code


@pytest.mark.parametrize(
    "instance",
    [entry for entry in INSTANCES if entry.board.game.size <= MAX_TWIN_CODES],
    ids=lambda item: item.name,
)
def test_the_verdict_and_the_count_of_a_small_board_are_right(instance):
    """The other instances are decided by solvers, in tests/laws/."""
    codes = twins.consistent(instance.board)
    assert instance.verdict == ("consistent" if codes else "inconsistent")
    assert instance.count == len(codes)


@each_instance
def test_the_hash_is_that_of_the_board_line(instance):
    line = str(instance.board).encode()
    assert instance.sha256 == hashlib.sha256(line).hexdigest()


@each_instance
def test_every_notation_prints_the_board_and_reads_it_back(instance):
    for print_board in PRINTERS.values():
        assert Board.parse(print_board(instance.board)) == instance.board


@each_instance
def test_text_files_start_with_a_comment(instance):
    if instance.file.endswith(".json"):
        assert instance.text == PRINTERS["json"](instance.board)
    else:
        assert instance.text.startswith("# ")
        assert instance.text.endswith("\n")


@each_instance
def test_every_entry_has_a_verdict_a_title_a_source_and_a_generator(instance):
    assert instance.verdict in ("consistent", "inconsistent", "unknown")
    for text in (instance.title, instance.source, instance.generator):
        assert text.strip() == text
        assert text
    assert instance.generator == "by hand" or instance.generator.startswith("mmsat ")


@each_slipped_instance
def test_the_secret_is_consistent_once_the_slips_are_corrected(instance):
    board, secret = instance.board, secret_code(instance)
    for slip in instance.slips:
        assert board.rows[slip.row].score == slip.recorded
        assert slip.recorded != slip.correct
    corrected = board.changed({slip.row: slip.correct for slip in instance.slips})
    assert secret in twins.consistent(corrected)


@each_slipped_instance
def test_no_correction_changes_fewer_rows_than_the_slips(instance):
    board, secret = instance.board, secret_code(instance)
    assert twins.wrong_rows(board, secret) == [slip.row for slip in instance.slips]
    assert twins.least_wrong(board) == len(instance.slips)


def test_the_secret_is_consistent_if_there_are_no_slips():
    with_secret = [entry for entry in INSTANCES if entry.secret is not None and not entry.slips]
    assert with_secret
    for instance in with_secret:
        assert secret_code(instance) in twins.consistent(instance.board)


def test_all_boards_of_mistakes_have_slips_and_a_secret():
    mistakes = instances("mistakes")
    assert len(mistakes) >= 12
    assert all(mistake.slips and mistake.secret for mistake in mistakes)


def test_the_index_lists_exactly_the_files():
    for family in families():
        family_folder = catalogue_folder("instances") / family
        names = [
            entry["name"]
            for entry in tomllib.loads((family_folder / "index.toml").read_text())["instance"]
        ]
        files = [instance.file for instance in instances(family)]
        assert len(set(names)) == len(names) == len(files)
        assert sorted([*files, "index.toml"]) == sorted(
            path.name for path in family_folder.iterdir()
        )
        assert all(
            instance.file.rpartition(".")[0] == instance.short_name
            for instance in instances(family)
        )


def test_names_are_unique_and_sorted_and_can_be_found():
    names = [entry.name for entry in INSTANCES]
    assert names == sorted(set(names))
    assert all(find(name) is entry for name, entry in zip(names, INSTANCES, strict=True))
    assert families() == sorted({name.partition("/")[0] for name in names})
    assert instances("no-such-family") == []


def test_boards_have_different_hashes():
    assert len({entry.sha256 for entry in INSTANCES}) == len(INSTANCES)


@pytest.mark.parametrize(
    ("name", "suggestion"),
    [
        ("classic/knuth-1122-0.9", "classic/knuth-1122-0."),
        ("knuth-1122-0.2", "classic/knuth-1122-0.2"),
        ("clasic/rafler-3", "classic/rafler-3"),
        ("mistakes", "mistakes/"),
        ("???", "one of classic, hard, mistakes"),
    ],
)
def test_the_error_for_an_unknown_name_suggests_similar_names(name, suggestion):
    with pytest.raises(InputError) as caught:
        find(name)
    (fault,) = caught.value.faults
    assert fault.found == name
    assert suggestion in str(fault)


def test_raflers_guesses_are_consistent_and_leave_the_published_numbers_of_codes():
    boards = [find(f"classic/rafler-{rows}").board for rows in range(10)]
    remaining = [set(twins.consistent(board)) for board in boards]
    assert [len(codes) for codes in remaining] == [1296, 625, 120, 20, 6, 5, 4, 3, 2, 1]
    for codes, board in zip(remaining[:-1], boards[1:], strict=True):
        assert board.rows[-1].guess in codes


def test_the_scores_of_knuths_first_guess_partition_all_codes():
    counts = [entry.count for entry in INSTANCES if entry.short_name.startswith("knuth-1122-")]
    assert sum(counts) == 6**4
    assert sorted(counts) == [0, 0, 1, 1, 4, 16, 20, 32, 36, 96, 114, 208, 256, 256, 256]


def test_counting_duplicates_twice_gives_the_recorded_score():
    """The wrong rule counts every peg of the guess whose color is in the code."""
    instance = find("mistakes/duplicates-counted-twice")
    (slip,) = instance.slips
    guess, code = instance.board.rows[slip.row].guess, secret_code(instance)
    black = sum(peg == secret for peg, secret in zip(guess, code, strict=True))
    num_colored = sum(peg in code for peg in guess)
    assert slip.recorded == (black, num_colored - black) != slip.correct


@pytest.mark.parametrize(
    ("name", "count"),
    [("permanent-3", 6), ("derangements-4", 9), ("cover-cycle-5-3", 5), ("sat-3", 7)],
)
def test_boards_of_papers_have_the_known_numbers_of_codes(name, count):
    assert find(f"papers/{name}").count == count
