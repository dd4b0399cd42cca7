"""A released notebook in a learner's hands."""

from __future__ import annotations

import ast
import copy
from itertools import islice
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from autograde.kit.catalogue import exercise
from autograde.kit.misconception_source import answer_source, written_alone
from autograde.teacher.questions import questions_of
from bilingual import Text, language

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
POINTS = Text(en="**Points.**", zh="**评分。**")  # in a key, after the model answer


class Workbook:
    """The released notebook of a chapter, and the solutions to write into it."""

    def __init__(self, released: Path, solved: Path) -> None:
        """Read both notebooks."""
        self.notebook = nbformat.read(released, as_version=4)
        self.solved = nbformat.read(solved, as_version=4)
        self.names = {
            cell.metadata.nbgrader.grade_id: _answer_name(cell)
            for cell in self.notebook.cells
            if cell.metadata.get("nbgrader", {}).get("grade") and cell.cell_type == "code"
        }
        self.exercises = list(self.names)
        self.questions = questions_of(self.solved.cells)

    def solution(self, exercise_id: str) -> str:
        """Return the solution of an exercise, without nbgrader's markers."""
        lines = _cell(self.solved, f"{exercise_id}-answer").source.split("\n")
        return "\n".join(line for line in lines if line.strip() not in (BEGIN, END))

    def write(self, exercise_id: str, source: str) -> None:
        """Fill in the answer cell of an exercise."""
        _cell(self.notebook, f"{exercise_id}-answer").source = source

    def solve(self, *exercise_ids: str) -> None:
        """Write the solutions of these exercises."""
        for exercise_id in exercise_ids:
            self.write(exercise_id, self.solution(exercise_id))

    def explain(self, answer: str = "") -> None:
        """Answer the written questions with `answer`, or with their model answers if empty."""
        for name, question in self.questions.items():
            spoken = "zh" if language() == "zh" else "en"
            key, points = (text.in_language(spoken) for text in (question.key, POINTS))
            model_answer = key.partition(points)[0].split("**", 2)[-1]  # without its heading
            _cell(self.notebook, name).source = answer or model_answer.strip()

    def mistake(self, exercise_id: str, number: int) -> None:
        """Write misconception `number` of an exercise; its solution, if it has fewer.

        Misconceptions that use the reference are left out: a graded answer cannot use it.
        """
        name = self.names[exercise_id]
        sources = (
            answer_source(misconception.answer, name)
            for misconception in written_alone(exercise(exercise_id))
        )
        alone = (source for source in sources if "posenc_ref" not in source)
        self.solve(exercise_id)
        for source in islice(alone, number, number + 1):
            self.write(exercise_id, source)

    def copy_cell(self, grade_id: str) -> NotebookNode:
        """Paste a copy of a cell below it, with its metadata, as JupyterLab does; return it."""
        original = _cell(self.notebook, grade_id)
        pasted = copy.deepcopy(original)
        pasted.id = f"{original.id}-copy"
        self.notebook.cells.insert(self.notebook.cells.index(original) + 1, pasted)
        return pasted

    def text(self) -> str:
        """Return the file that is handed in."""
        return nbformat.writes(self.notebook) + "\n"


def _cell(notebook: NotebookNode, grade_id: str) -> NotebookNode:
    return next(
        cell
        for cell in notebook.cells
        if cell.metadata.get("nbgrader", {}).get("grade_id") == grade_id
    )


def _answer_name(check_cell: NotebookNode) -> str:
    """Return what the check cell checks: `table` for `check("sinusoidal_table", table)`."""
    call = ast.parse(check_cell.source).body[-1].value
    return ast.unparse(call.args[1])
