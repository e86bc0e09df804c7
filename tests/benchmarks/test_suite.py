"""The measurement of a suite, with small instances."""

from __future__ import annotations

import pytest

from benchmarks.suite import main
from mmsat.studies.suites import SuiteRequest, open_suite, read_times, write_suite
from tests.support.external import program as external


def test_runs_are_recorded_once_and_shown_in_the_description(tmp_path, capsys):
    suite = open_suite(tmp_path / "suite", SuiteRequest("sat", 0, 15))
    write_suite(suite, 2, 2, lambda *_: None)
    external("minisat")
    words = [str(suite.folder), "--limit", "60"]
    assert main(words) == 0
    assert capsys.readouterr().out.count("\n") == 4
    times = read_times(suite.folder / "times.csv")
    assert [*times] == ["MiniSat", "mmsat"]
    assert all({*by_name} == {*suite.instances} for by_name in times.values())
    assert all(float(text) >= 0 for by_name in times.values() for text in by_name.values())
    text = (suite.folder / "description.tex").read_text()
    assert "& MiniSat & mmsat \\\\" in text
    assert "MiniSat solved 2 of 2 instances. mmsat solved 2 of 2 instances." in text

    assert main([*words, "--solver", "slow=sh -c 'sleep 9'", "--limit", "0.1"]) == 0
    slow = read_times(suite.folder / "times.csv")["slow"]
    assert [*slow.values()] == [">0.1", ">0.1"]
    assert capsys.readouterr().out.count("\n") == 2
    text = (suite.folder / "description.tex").read_text()
    assert "$>$0.1" in text
    assert "slow solved 0 of 2 instances" in text


def test_a_run_without_an_answer_and_a_wrong_answer(tmp_path):
    suite = open_suite(tmp_path / "suite", SuiteRequest("sat", 0, 15))
    write_suite(suite, 1, 2, lambda *_: None)
    ((name, instance),) = suite.instances.items()
    assert main([str(suite.folder), "--solver", "tired=sh -c 'exit 0'"]) == 0
    assert read_times(suite.folder / "times.csv")["tired"] == {name: ">0"}
    wrong = {"consistent": 20, "inconsistent": 10}[instance["verdict"]]
    with pytest.raises(AssertionError, match=f"liar: {name} is {instance['verdict']}, not"):
        main([str(suite.folder), "--solver", f"liar=sh -c 'exit {wrong}'"])
