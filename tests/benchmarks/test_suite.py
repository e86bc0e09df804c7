"""The measurement of a suite, with small instances."""

from __future__ import annotations

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

    assert main([*words, "--solver", "slow=sh -c 'sleep 9'", "--limit", "0.1"]) == 0
    slow = read_times(suite.folder / "times.csv")["slow"]
    assert [*slow.values()] == [">0.1", ">0.1"]
    assert capsys.readouterr().out.count("\n") == 2
    assert "$>$0.1" in (suite.folder / "description.tex").read_text()
