"""How long each part of the tests took: one line a folder at the end of a run."""

from collections import defaultdict
from pathlib import PurePosixPath

import pytest


def seconds_by_part(reports):
    """Return {part: seconds, slowest first}; a part is a folder of `tests`, or a file in it."""
    parts = defaultdict(float)
    for report in reports:
        path = PurePosixPath(report.nodeid.partition("::")[0])
        parts["/".join(path.parts[:2])] += report.duration
    return dict(sorted(parts.items(), key=lambda part: -part[1]))


def pytest_terminal_summary(terminalreporter):
    every = [report for reports in terminalreporter.stats.values() for report in reports]
    # a subtest's seconds are in those of its test
    timed = [
        report
        for report in every
        if isinstance(report, pytest.TestReport) and not isinstance(report, pytest.SubtestReport)
    ]
    terminalreporter.section("seconds per part")
    for part, seconds in seconds_by_part(timed).items():
        terminalreporter.write_line(f"{seconds:8.1f}  {part}")
