"""Prints what the kit's own test counted, also when all is well."""

from collections import defaultdict

import pytest

COUNTED = (
    "mutants killed {killed} / {mutants}, misconceptions named {named} / {misconceptions}, "
    "alternatives full {full} / {alternatives}, exercises {exercises}, checks {checks}"
)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    values = defaultdict(list)
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, value in report.user_properties if report.when == "call" else ():
            values[name].append(value)
    survivors = [survivor for of_one in values.pop("survivors", []) for survivor in of_one]
    counts = {name: sum(numbers) for name, numbers in values.items()}
    if counts.keys() >= {"killed", "named", "full", "exercises"}:
        terminalreporter.section("exercise kit")
        terminalreporter.write_line(COUNTED.format(**counts))
        terminalreporter.write_line("mutants that live are right answers too:")
        for name, mutant, why in survivors:
            terminalreporter.write_line(f"  {name}: {mutant}  ({why})")
