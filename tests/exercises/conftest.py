"""Prints what the kit's own test counted, also when all is well."""

import pytest

from tests.exercises.equivalent import EQUIVALENT

COUNTED = (
    "mutants killed {killed} / {mutants}, misconceptions named {named} / {misconceptions}, "
    "alternatives full {full} / {alternatives}, exercises {exercises}, checks {checks}"
)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    counts: dict[str, int] = {}
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, value in report.user_properties if report.when == "call" else ():
            counts[name] = counts.get(name, 0) + value
    if counts.keys() >= {"killed", "named", "full", "exercises"}:
        terminalreporter.section("exercise kit")
        terminalreporter.write_line(COUNTED.format(**counts))
        terminalreporter.write_line("mutants that live are right answers too (equivalent.py):")
        for name, mutants in EQUIVALENT.items():
            for mutant, why in mutants.items():
                terminalreporter.write_line(f"  {name}: {mutant}  ({why})")
