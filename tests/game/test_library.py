"""Every board of the library is decided, counted and hashed with a plain list of codes."""

from __future__ import annotations

import hashlib
import tomllib

import pytest

from mmsat._util.files import folder
from mmsat.errors import InputError, Place
from mmsat.game.board import PRINTERS, Board
from mmsat.game.library import families, find, instances
from mmsat.game.notation.speller import speller
from tests.support import twins

EVERY = instances()
SMALL = 600_000  # codes that a twin may list
listed = pytest.mark.parametrize("instance", EVERY, ids=lambda item: item.name)
slipped = pytest.mark.parametrize(
    "instance", [entry for entry in EVERY if entry.slips], ids=lambda item: item.name
)


def secret_code(instance):
    faults = []
    code = speller(instance.board.game).read_code(instance.secret, Place(1, 1), faults)
    assert faults == []
    return code


@pytest.mark.parametrize(
    "instance",
    [entry for entry in EVERY if entry.board.game.size <= SMALL],
    ids=lambda item: item.name,
)
def test_the_verdict_and_the_count_are_true(instance):
    """Instances with few codes only; the laws over solvers decide the others."""
    codes = twins.consistent(instance.board)
    assert instance.verdict == ("consistent" if codes else "inconsistent")
    assert instance.count == len(codes)


@listed
def test_the_hash_is_that_of_the_board_line(instance):
    line = str(instance.board).encode()
    assert instance.sha256 == hashlib.sha256(line).hexdigest()


@listed
def test_every_notation_prints_the_board_and_reads_it_back(instance):
    for print_board in PRINTERS.values():
        assert Board.parse(print_board(instance.board)) == instance.board


@listed
def test_text_files_tell_a_reader_what_they_are(instance):
    if instance.file.endswith(".json"):
        assert instance.text == PRINTERS["json"](instance.board)
    else:
        assert instance.text.startswith("# ")
        assert instance.text.endswith("\n")


@listed
def test_every_entry_says_what_it_is_and_where_it_comes_from(instance):
    assert instance.verdict in ("consistent", "inconsistent", "unknown")
    for words in (instance.title, instance.source, instance.generator):
        assert words.strip() == words
        assert words
    assert instance.generator == "by hand" or instance.generator.startswith("mmsat ")


@slipped
def test_undoing_the_slips_brings_back_the_game_that_was_played(instance):
    board, secret = instance.board, secret_code(instance)
    for slip in instance.slips:
        assert board.rows[slip.row].score == slip.before
        assert slip.before != slip.after
    mended = board.changed({slip.row: slip.after for slip in instance.slips})
    assert secret in twins.consistent(mended)


@slipped
def test_no_correction_changes_fewer_rows_than_the_slips(instance):
    board, secret = instance.board, secret_code(instance)
    assert twins.wrong_rows(board, secret) == [slip.row for slip in instance.slips]
    assert twins.least_wrong(board) == len(instance.slips)


def test_a_game_without_a_slip_was_scored_for_its_secret():
    hidden = [entry for entry in EVERY if entry.secret is not None and not entry.slips]
    assert hidden
    for instance in hidden:
        assert secret_code(instance) in twins.consistent(instance.board)


def test_all_mistakes_are_slips_with_a_secret():
    mistakes = instances("mistakes")
    assert len(mistakes) >= 12
    assert all(mistake.slips and mistake.secret for mistake in mistakes)


def test_the_index_and_the_files_are_the_same_list():
    for family in families():
        here = folder("instances") / family
        names = [
            entry["name"] for entry in tomllib.loads((here / "index.toml").read_text())["instance"]
        ]
        files = [instance.file for instance in instances(family)]
        assert len(set(names)) == len(names) == len(files)
        assert sorted([*files, "index.toml"]) == sorted(path.name for path in here.iterdir())
        assert all(
            instance.file.rpartition(".")[0] == instance.short_name
            for instance in instances(family)
        )


def test_names_are_unique_sorted_and_found():
    names = [entry.name for entry in EVERY]
    assert names == sorted(set(names))
    assert all(find(name) is entry for name, entry in zip(names, EVERY, strict=True))
    assert families() == sorted({name.partition("/")[0] for name in names})
    assert instances("no-such-family") == []


def test_hashes_tell_the_boards_apart():
    assert len({entry.sha256 for entry in EVERY}) == len(EVERY)


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("classic/knuth-1122-0.9", "classic/knuth-1122-0."),
        ("knuth-1122-0.2", "classic/knuth-1122-0.2"),
        ("clasic/rafler-3", "classic/rafler-3"),
        ("mistakes", "mistakes/"),
        ("???", "one of classic, hard, mistakes"),
    ],
)
def test_a_name_that_is_not_there_gets_the_nearest(name, near):
    with pytest.raises(InputError) as caught:
        find(name)
    (fault,) = caught.value.faults
    assert fault.found == name
    assert near in str(fault)


def test_each_of_raflers_guesses_is_consistent_and_takes_the_published_number():
    boards = [find(f"classic/rafler-{rows}").board for rows in range(10)]
    remaining = [set(twins.consistent(board)) for board in boards]
    assert [len(codes) for codes in remaining] == [1296, 625, 120, 20, 6, 5, 4, 3, 2, 1]
    for codes, board in zip(remaining[:-1], boards[1:], strict=True):
        assert board.rows[-1].guess in codes


def test_the_scores_of_knuths_first_guess_share_out_all_codes():
    counts = [entry.count for entry in EVERY if entry.short_name.startswith("knuth-1122-")]
    assert sum(counts) == 6**4
    assert sorted(counts) == [0, 0, 1, 1, 4, 16, 20, 32, 36, 96, 114, 208, 256, 256, 256]


def test_the_wrong_rule_for_duplicates_gives_the_score_that_was_put_down():
    """It gives a white for every peg whose color is in the code, however often it was paired."""
    instance = find("mistakes/duplicates-counted-twice")
    (slip,) = instance.slips
    guess, code = instance.board.rows[slip.row].guess, secret_code(instance)
    black = sum(peg == secret for peg, secret in zip(guess, code, strict=True))
    hits = sum(peg in code for peg in guess)
    assert slip.before == (black, hits - black) != slip.after


@pytest.mark.parametrize(
    ("name", "count"),
    [("permanent-3", 6), ("derangements-4", 9), ("cover-cycle-5-3", 5), ("sat-3", 7)],
)
def test_the_papers_boards_have_the_counts_known_from_elsewhere(name, count):
    assert find(f"papers/{name}").count == count
