"""Changed proofs, with recomputed digests, so that the checks behind the digests are tested."""

from __future__ import annotations

import random
from dataclasses import replace

import mmsat
from mmsat.encoding import ENCODINGS
from tests.support.tiers import share


def is_rejected(text):
    """Return whether the proof in a text is rejected, with a reason."""
    try:
        report = mmsat.verify(text)
    except mmsat.InputError as error:
        return bool(error.faults)
    return report.holds is False and bool(report.reason)


def accepted_changes(change, draw, seed, *, is_rejected=is_rejected, cases=500):
    """Yield changed proofs that are accepted, until enough changed proofs have been rejected.

    `draw(rng)` returns a proof, and `change(rng, proof)` a changed copy. The number of rejected
    proofs is `cases` in the full tier. A test checks that each accepted proof is right.
    """
    rng = random.Random(seed)
    rejected = 0
    while rejected <= share(cases, least=20):
        bundle = draw(rng)
        changed = change(rng, bundle)
        if changed == bundle:
            continue
        if is_rejected(str(changed)):
            rejected += 1
        else:
            yield changed


def is_rejected_count(text):
    """Return whether a proof of a count is rejected; a report of a rejected proof has no count."""
    report = mmsat.verify(text)
    assert report.reason
    assert report.holds or report.count is None
    return report.holds is False


def changed_numbers(rng, text):
    """Return a text with one of its numbers changed."""
    words = text.replace("\n", " \n ").split(" ")
    spots = [place for place, word in enumerate(words) if word.lstrip("-").isdigit()]
    if spots:
        spot = rng.choice(spots)
        number = int(words[spot])
        words[spot] = str(rng.choice([-number, number + 1, number - 1, 0, rng.randint(-60, 60)]))
    return " ".join(words).replace(" \n ", "\n")


def changed_lines(rng, text):
    """Return a text in which a line is removed, copied, exchanged with another one, or cut."""
    lines = text.splitlines(keepends=True) or [""]
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(4):
        case 0:
            del lines[one]
        case 1:
            lines.insert(one, lines[other])
        case 2:
            lines[one], lines[other] = lines[other], lines[one]
        case _:
            lines[one] = lines[one][: rng.randrange(len(lines[one]) + 1)]
    return "".join(lines)


def changed_field(name):
    """Return a change of one field."""

    def change(rng, bundle):
        text = changed_numbers(rng, bundle.fields[name])
        return replace(bundle, fields=bundle.fields | {name: text})

    return change


def changed_section(name):
    """Return a change of a line or a number of a section."""

    def change(rng, bundle):
        text = rng.choice((changed_numbers, changed_lines))(rng, bundle.sections[name])
        return replace(bundle, sections=bundle.sections | {name: text})

    return change


def tampered(rng, bundle, others):
    """Return a proof with one change and recomputed digests."""
    section = rng.choice(sorted(bundle.sections)) if bundle.sections else None
    change = rng.choice((changed_numbers, changed_lines))
    match rng.randrange(7):
        case 0:
            board = rng.choice(others)[0]
            return replace(bundle, board=str(board))
        case 1:
            return replace(bundle, board=change(rng, bundle.board))
        case 2:
            pieces = bundle.board.split("/")
            del pieces[rng.randrange(len(pieces))]
            return replace(bundle, board="/".join(pieces))
        case 3:
            name = rng.choice(sorted(bundle.fields))
            return replace(bundle, fields=bundle.fields | {name: change(rng, bundle.fields[name])})
        case 4:
            named = bundle.fields | {"encoding": rng.choice(sorted(ENCODINGS))}
            return replace(bundle, fields=named if "encoding" in bundle.fields else bundle.fields)
        case _:
            texts = dict(bundle.sections)
            if section is not None:
                texts[section] = change(rng, texts[section])
            return replace(bundle, sections=texts)
