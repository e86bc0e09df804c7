"""Certificates of optimal strategies prove the optimum, and nothing false is accepted."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache, lru_cache
from itertools import permutations, product

import pytest

import mmsat
from mmsat.proof.bundle import Bundle
from mmsat.proof.check_strategy import (
    LINES_PER_REPORT,
    Line,
    Map,
    Notation,
    ScoreTable,
    SizeBounds,
    merge_guesses,
)
from mmsat.strategy.optimal import prove as module
from mmsat.strategy.optimal.prove import compose
from tests.support import twins
from tests.support.random_boards import random_game
from tests.support.tampering import changed_lines, changed_numbers, is_rejected
from tests.support.tiers import at_least, share

GAMES = ["1x5", "2x3", "2x4", "3x2", "4x2", "2x3b", "2x4b", "3x3d", "3x2p", "2x3p", "3x4d"]


def least_cost(game, *, is_worst, codes_only):
    """Return the least cost of a strategy by the definition, trying every guess."""
    codes = list(twins.codes(game))

    @cache
    def cost(remaining):
        best = None
        for guess in sorted(remaining) if codes_only else codes:
            classes = {}
            for code in remaining:
                classes.setdefault(twins.score(game.scoring, code, guess), set()).add(code)
            classes.pop(twins.score(game.scoring, guess, guess), None)
            if any(len(members) == len(remaining) for members in classes.values()):
                continue
            costs = [cost(frozenset(members)) for members in classes.values()]
            total = 1 + max(costs, default=0) if is_worst else len(remaining) + sum(costs)
            best = total if best is None else min(best, total)
        return best

    return cost(frozenset(codes))


@lru_cache(maxsize=1)
def proofs():
    """Return proofs for small games and both objectives, each with its bundle."""
    results = []
    for game, objective, only in product(GAMES, ("average", "worst"), (False, True)):
        optimum = mmsat.optimal(game, objective=objective, consistent_only=only)
        results.append(mmsat.prove_optimum(optimum))
    return results


def claimed(bundle):
    """Return the objective, the rule of the guesses and the cost of a proof."""
    return bundle.fields["objective"], bundle.fields["guesses"], int(bundle.fields["cost"])


@cache
def true_cost(game, objective, guesses):
    """Return the least cost of a game."""
    game = mmsat.Board.parse(game).game
    return least_cost(game, is_worst=objective == "worst", codes_only=guesses == "codes")


def test_small_games_are_proved():
    for proof in proofs():
        report = mmsat.verify(proof)
        assert report.holds, (proof, report.reason)
        assert (report.verdict, report.method, report.lemmas) == (
            "optimal",
            "strategy",
            proof.bounds,
        )
        bundle = Bundle.read(proof.text)
        objective, guesses, cost = claimed(bundle)
        assert cost == true_cost(bundle.board, objective, guesses) == proof.cost
        assert proof.objective == objective


def test_random_games_of_every_kind():
    """Games with words and with every kind of scoring, or a clear refusal."""
    rng = random.Random(4)
    proved = refused = 0
    for _ in range(share(120)):
        game = random_game(rng, 3, 3)
        optimum = mmsat.optimal(game)
        win = {code: game.score(code, code) for code in twins.codes(game)}
        is_clear = all(
            (game.score(code, guess) == win[guess]) == (code == guess)
            for code, guess in product(win, repeat=2)
        )
        if not is_clear or getattr(game.space, "allows_any_guess", False) or game.size > 60:
            refused += 1
            if game.size <= 60:
                with pytest.raises(mmsat.InputError, match=r"a game (whose|in which)"):
                    mmsat.prove_optimum(optimum)
            continue
        proved += 1
        proof = mmsat.prove_optimum(optimum)
        assert mmsat.verify(proof).holds
        if game.size < 20:
            assert proof.cost == least_cost(game, is_worst=False, codes_only=False)
    assert proved > at_least(20)
    assert refused > at_least(10)


def is_true(text):
    """Return whether the claim of a proof is true, by the definition."""
    bundle = Bundle.read(text)
    objective, guesses, cost = claimed(bundle)
    return cost == true_cost(bundle.board, objective, guesses)


def test_nothing_false_is_accepted_with_recomputed_digests():
    """What still holds has a true claim: superfluous lines may change."""
    rng = random.Random(3)
    accepted = rejected = 0
    bundles = [Bundle.read(proof.text) for proof in proofs()]
    while accepted + rejected < share(6000):
        bundle = rng.choice(bundles)
        change = rng.choice((changed_numbers, changed_lines))
        match rng.randrange(6):
            case 0:
                changed = replace(bundle, board=rng.choice(bundles).board)
            case 1:
                name = rng.choice(sorted(bundle.fields))
                value = rng.choice(bundles).fields[name]
                changed = replace(bundle, fields=bundle.fields | {name: value})
            case 2:
                cost = str(int(bundle.fields["cost"]) + rng.choice((-1, 1)))
                changed = replace(bundle, fields=bundle.fields | {"cost": cost})
            case 3:
                text = change(rng, bundle.sections["tree"])
                changed = replace(bundle, sections=bundle.sections | {"tree": text})
            case _:
                text = change(rng, bundle.sections["bounds"])
                changed = replace(bundle, sections=bundle.sections | {"bounds": text})
        if changed == bundle:
            continue
        report = mmsat.verify(str(changed))
        assert report.reason
        accepted += bool(report.holds)
        rejected += not report.holds
        if report.holds:
            assert is_true(str(changed)), str(changed)
    assert rejected > at_least(4000)
    assert accepted > 0


def test_a_bound_that_is_too_large_is_rejected():
    """Each bound of a proof, raised by one beyond the true cost of its set."""
    rejected = 0
    for proof in proofs():
        bundle = Bundle.read(proof.text)
        lines = bundle.sections["bounds"].splitlines(keepends=True)
        for place, line in enumerate(lines):
            rows, bound, *rest = line.split(" ", 2)
            raised = " ".join([rows, str(int(bound) + 1000), *rest])
            if not rest:
                raised = f"{rows} {int(bound) + 1000}\n"
            sections = bundle.sections | {
                "bounds": "".join([*lines[:place], raised, *lines[place + 1 :]])
            }
            report = mmsat.verify(str(replace(bundle, sections=sections)))
            assert report.holds is False
            assert f"line {place + 1} of [bounds]" in report.reason
            rejected += 1
    assert rejected > 60


def test_each_beginning_of_a_proof_is_rejected():
    text = proofs()[-1].text
    for end in range(0, len(text), 3):
        assert is_rejected(text[:end])


def with_fields(bundle, **fields):
    return str(replace(bundle, fields=bundle.fields | fields))


def test_reasons():
    bundle = Bundle.read(mmsat.prove_optimum(mmsat.optimal("3x4")).text)
    tree, bounds = bundle.sections["tree"], bundle.sections["bounds"]
    for text, reason in [
        (
            with_fields(bundle, objective="best"),
            "expected objective average or worst, found 'best'",
        ),
        (with_fields(bundle, guesses="some"), "expected guesses all or codes, found 'some'"),
        (with_fields(bundle, cost="0206"), "expected the cost as a number, found '0206'"),
        (with_fields(bundle, cost="205"), "the head states a cost of 205, but the tree has 206"),
        (with_tree(bundle, tree[4:]), "tree"),
        (with_tree(bundle, tree[:-4]), "the tree is incomplete"),
        (with_tree(bundle, f"{tree}111\n"), "the tree is complete before"),
        (with_tree(bundle, f"119\n{tree[4:]}"), "line 1 of [tree]: '119' is not a code"),
        (with_bounds(bundle, ""), "the last line of [bounds] is not the bound 206 of all codes"),
        (with_bounds(bundle, f"{bounds}all 4 \n"), "is not a bound in its canonical form"),
        (with_bounds(bundle, "all 206\n"), "may need less than 206"),
        (with_bounds(bundle, "all 206 as 1 1.2.3:1.2.3.4\n"), "there is no earlier line 1"),
        (with_bounds(bundle, "111=3.0 1\nall 9 as 1 1.2.3:1.2.3.4\n"), "line 1 does not prove it"),
        (with_bounds(bundle, "111=0.0 9 with 1.2.3:2.1.3.4\n"), "does not keep the set"),
        (str(replace(bundle, board="3x4/111=1.0")), "has rows"),
        (str(replace(bundle, board="3x4w")), "do not identify every code"),
        (str(replace(bundle, board="6x6")), "up to 4,096 codes"),
        (str(replace(bundle, board="3x4p")), "tree"),
        (str(replace(bundle, verdict="consistent")), "cannot prove 'consistent'"),
    ]:
        report = mmsat.verify(text)
        assert report.holds is False
        assert reason in report.reason, (reason, report.reason)


def with_tree(bundle, text):
    return str(replace(bundle, sections=bundle.sections | {"tree": text}))


def with_bounds(bundle, text):
    return str(replace(bundle, sections=bundle.sections | {"bounds": text}))


def test_bounds_by_size_are_those_of_the_best_shapes():
    """All shapes of trees with limited numbers of classes, for up to nine codes."""
    for own, others, is_worst in product(range(1, 5), range(5), (False, True)):

        @cache
        def least(number, own=own, others=others, is_worst=is_worst):
            if number < 2:
                return number
            costs = [
                1 + max(parts) if is_worst else number + sum(parts)
                for size, classes in ((number - 1, own), (number, others))
                for sizes in splits(size, classes)
                if number not in sizes
                for parts in [[least(part) for part in sizes]]
            ]
            return min(costs)

        table = SizeBounds(own, others, 9, is_worst=is_worst).table
        for number in range(10):
            assert table[number] <= least(number)
            if own >= others:
                assert table[number] == least(number)


def splits(number, classes):
    """Yield the ways to write a number as a sum of this many parts or fewer."""
    if classes == 0:
        return
    for parts in product(range(1, number + 1), repeat=min(classes, number)):
        if sum(parts) == number and list(parts) == sorted(parts):
            yield parts
    if classes > 1:
        yield from splits(number, min(classes, number) - 1)


def test_maps():
    game = mmsat.Board.parse("3x3").game
    table = ScoreTable(game, is_worst=False, codes_only=False)
    maps = [Map(*both) for both in product(permutations(range(3)), repeat=2)]
    for one in maps:
        assert Map.read(str(one), game) == one
        moved = [table.codes[index] for index in table.moved(one)]
        assert moved == [one.move(code) for code in table.codes]
        for guess, code in product(table.codes[::4], table.codes[::5]):
            assert game.score(one.move(code), one.move(guess)) == game.score(code, guess)
        for other in maps[::7]:
            back = compose(one, other)
            for code in table.codes:
                assert other.move(back.move(code)) == one.move(code)
    orbits = merge_guesses(table, maps)
    assert len({*orbits.tolist()}) == 3
    assert {*merge_guesses(table, ()).tolist()} == {*range(27)}
    for text in ["1.2.3", "1.2.3:1.2", "1.2.2:1.2.3", "1.2.3:1.2.4", "01.2.3:1.2.3", "a:b", ":"]:
        assert Map.read(text, game) is None


def test_lines_read_back():
    for proof in proofs():
        bundle = Bundle.read(proof.text)
        game = mmsat.Board.parse(bundle.board).game
        notation = Notation(ScoreTable(game, is_worst=False, codes_only=False))
        for text in bundle.sections["bounds"].splitlines(keepends=True):
            line = notation.read_line(text[:-1])
            assert isinstance(line, Line)
            assert notation.print_line(line) == text


def test_the_table_of_scores():
    """The scores of all pairs of codes, for games of every kind."""
    rng = random.Random(6)
    for _ in range(share(60, least=5)):
        game = random_game(rng, 3, 3)
        table = ScoreTable(game, is_worst=False, codes_only=False)
        codes = [*twins.codes(game)]
        expected = [[twins.score(game.scoring, code, guess) for code in codes] for guess in codes]
        assert table.scores == sorted({score for scores in expected for score in scores})
        found = [[table.scores[number] for number in row] for row in table.answers.tolist()]
        assert found == expected


def test_small_files_about_large_games_are_refused_early(monkeypatch):
    """Before the table of scores is made, or as soon as it has too many scores."""
    bundle = Bundle.read(mmsat.prove_optimum(mmsat.optimal("3x4")).text)
    padded = replace(bundle, sections=bundle.sections | {"tree": "1\n" * 256})
    report = mmsat.verify(str(replace(padded, board="8x2o")))
    assert "expected a game of up to 254 different scores, found 8x2o" in report.reason
    monkeypatch.setattr(ScoreTable, "_scored", None)
    report = mmsat.verify(str(replace(bundle, board="4x8")))
    number = bundle.sections["tree"].count("\n")
    assert report.reason == f"[tree] has {number} guesses for 4,096 codes: the tree is incomplete"


def test_what_is_not_supported():
    for options, reason in [
        ({"max_guesses": 4}, "no maximum number of guesses"),
        ({"objective": "worst-then-average"}, "the objective average or worst"),
        ({"hard": True}, "no rule for the guesses"),
    ]:
        with pytest.raises(mmsat.InputError, match=reason):
            mmsat.prove_optimum(mmsat.optimal("3x3", **options))
    with pytest.raises(mmsat.InputError, match="a strategy that is proven to be optimal"):
        mmsat.prove_optimum(mmsat.optimal("4x7", timeout=0.000001))
    with pytest.raises(mmsat.InputError, match="a game whose scores identify every code"):
        mmsat.prove_optimum(mmsat.optimal("3x3w"))
    with pytest.raises(mmsat.InputError, match="an Optimum"):
        mmsat.prove_optimum("3x4")


def test_limits(monkeypatch):
    optimum = mmsat.optimal("4x4")
    assert mmsat.prove_optimum(optimum, timeout=0.0) is None
    proof = mmsat.prove_optimum(optimum)
    monkeypatch.setattr(module, "MAX_PROOF_BYTES", 100)
    with pytest.raises(mmsat.SizeError, match="the proof exceeds 0 MB"):
        mmsat.prove_optimum(optimum)
    lines = Bundle.read(proof.text).sections["bounds"]
    padded = replace(Bundle.read(proof.text))
    padded = with_bounds(padded, "111=1.0 1\n".replace("111", "1111") * LINES_PER_REPORT + lines)
    report = mmsat.verify(padded, timeout=0.0)
    assert report.holds is None
    assert f"time limit reached at line {LINES_PER_REPORT + 1} of [bounds]" in report.reason


@pytest.mark.long
def test_the_optimum_of_the_standard_game():
    proof = mmsat.prove_optimum(mmsat.optimal("4x5"))
    report = mmsat.verify(proof, board="4x5")
    assert report.holds
    assert report.reason.startswith(
        "the strategy finds the 625 codes of 4x5 in 2,463 guesses in total, and no strategy in "
        "fewer"
    )
