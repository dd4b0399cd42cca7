"""What a student does to the released notebook before handing it in."""

from __future__ import annotations

from autograde.demo.workbook import Workbook
from bilingual import Text

DO_NOT_KNOW = Text(en="I do not know.", zh="不知道。")
SYNTAX_ERROR = "def {name}(*args, **kwargs)\n    return args[0]"
FAILING_IMPORT = "import a_module_that_is_not_installed\n\n{solution}"
# they sleep, so that the rest of the class has all cores meanwhile
ENDLESS_ANSWER = """import time


def {name}(*args, **kwargs):
    while True:
        time.sleep(1)"""
ENDLESS_CELL = """import time

{solution}

while True:
    time.sleep(1)"""
CHATTY = """import sys
import warnings

{solution}

_quiet = {name}


def {name}(*args, **kwargs):
    print("debug:", len(args), "arguments")
    warnings.warn("is this right?")
    print("to stderr", file=sys.stderr)
    return _quiet(*args, **kwargs)


print("defined", {name}.__name__)
warnings.warn("a warning outside of the function")"""


def right(book: Workbook) -> None:
    """Solve everything."""
    book.solve(*book.exercises)
    book.explain()


def half(book: Workbook) -> None:
    """Solve the first half, leave the rest as released."""
    book.solve(*book.exercises[: len(book.exercises) // 2])


def nothing(book: Workbook) -> None:
    """Leave the notebook as released."""


def mistaken(number: int, book: Workbook) -> None:
    """Make mistake `number` of every exercise."""
    for exercise_id in book.exercises:
        book.mistake(exercise_id, number)
    book.explain(DO_NOT_KNOW.label())


def spoilt(number: int, template: str, book: Workbook) -> None:
    """Solve everything but exercise `number`, whose cell becomes `template`."""
    right(book)
    exercise_id = book.exercises[number % len(book.exercises)]
    book.write(exercise_id, _filled(template, book, exercise_id))


def chatty(book: Workbook) -> None:
    """Solve everything, with prints and warnings everywhere."""
    for exercise_id in book.exercises:
        book.write(exercise_id, _filled(CHATTY, book, exercise_id))


def copied(book: Workbook) -> None:
    """Work in a copy of each of two answer cells, and copy a check cell too."""
    right(book)
    for exercise_id in book.exercises[:2]:
        pasted = book.copy_cell(f"{exercise_id}-answer")
        pasted.source = book.solution(exercise_id)
        book.write(exercise_id, "# my first try, see below")
    book.copy_cell(book.exercises[0])


def cut_off(text: str) -> str:
    """Return the first half of a file, as a broken upload leaves it."""
    return text[: len(text) // 2]


def _filled(template: str, book: Workbook, exercise_id: str) -> str:
    return template.format(name=book.names[exercise_id], solution=book.solution(exercise_id))
