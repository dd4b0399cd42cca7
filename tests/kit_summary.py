"""Prints what the kit's own test counted, also when all is well."""

from collections import Counter, defaultdict
from collections.abc import Mapping

import pytest

COUNTED = (
    "mutants killed {killed} / {mutants}, misconceptions named {named} / {misconceptions}, "
    "alternatives full {full} / {alternatives}, exercises {exercises}, checks {checks}"
)


NAMED = {"misconception": "exercise", "relation": "relation", "error": "error", "": "unnamed"}


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    values = defaultdict(list)
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, value in report.user_properties if report.when == "call" else ():
            values[name].append(value)
    _bank(terminalreporter, values.pop("bank", []))
    survivors = [survivor for of_one in values.pop("survivors", []) for survivor in of_one]
    counts = {name: sum(numbers) for name, numbers in values.items()}
    if counts.keys() >= {"killed", "named", "full", "exercises"}:
        terminalreporter.section("exercise kit")
        terminalreporter.write_line(COUNTED.format(**counts))
        terminalreporter.write_line("mutants that live are right answers too:")
        for name, mutant, why in survivors:
            terminalreporter.write_line(f"  {name}: {mutant}  ({why})")


def _bank(terminalreporter: pytest.TerminalReporter, rows: list[dict[str, int | str]]) -> None:
    """Print, by exercise, how the mistakes of the bank's wrong answers are named."""
    if not rows:
        return
    terminalreporter.section("bank of answers: right ones, wrong ones by what names the mistake")
    total: Counter[str] = Counter()
    for row in rows:
        counts = {title: row.get(kind, 0) for kind, title in {"right": "right", **NAMED}.items()}
        total.update(counts)
        terminalreporter.write_line(f"  {row['exercise']:26}{_counted(counts)}")
    terminalreporter.write_line(f"  {'all':26}{_counted(total)}")


def _counted(counts: Mapping[str, int]) -> str:
    return "  ".join(f"{title} {count:4}" for title, count in counts.items())
