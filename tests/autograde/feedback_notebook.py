"""A graded notebook as generate_feedback's page finds it, made without a kernel or a gradebook."""

from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from autograde.grading.notebook import verdict_outputs
from autograde.kit.catalogue import exercise
from autograde.kit.scoring import evaluate
from autograde.kit.verdict_record import VerdictRecord
from autograde.pages.feedback.page import PageWriter

NBGRADER = {"notebook": "77_kit", "student": "ada", "score": 0.5, "max_score": 5.0}
NBGRADER |= {"late_penalty": 0}
MISTAKE = "def double(x):\n    return x ** 2"


def check_outputs(answer):
    """Return the outputs of a check cell, as the grader writes them."""
    verdict = evaluate(exercise("double"), answer)
    return verdict_outputs(verdict, 1, VerdictRecord.of(verdict, seed=4711, tier=1))


def squares():
    """Return the outputs for an answer with a misconception."""
    return check_outputs(exercise("double").misconceptions[0].answer)


def check_cell(outputs, score=0.5):
    facts = {"grade_id": "double", "grade": True, "solution": False, "score": score, "points": 2.0}
    metadata = {"nbgrader": facts}
    return new_code_cell('check("double", double)', metadata=metadata, outputs=outputs)


def answer_cell(source=MISTAKE, outputs=(), comment=None):
    metadata = {"grade_id": "double-answer", "grade": False, "solution": True, "comment": comment}
    return new_code_cell(source, metadata={"nbgrader": metadata}, outputs=list(outputs))


def written_cell(source, score=2.5, comment=None):
    metadata = {"grade_id": "a_why", "grade": True, "solution": True, "score": score, "points": 3.0}
    return new_markdown_cell(source, metadata={"nbgrader": {**metadata, "comment": comment}})


def page(cells, language="en", hints=2, **nbgrader):
    """Return the page on these cells."""
    return PageWriter(language, hints).write(new_notebook(cells=cells), {**NBGRADER, **nbgrader})


def everywhere(words):
    """Return a notebook that has these words in every place that a submission can write to."""
    data = [{kind: words} for kind in ("text/plain", "text/html", "text/markdown", "text/latex")]
    svg = {"image/svg+xml": f'<svg xmlns="http://www.w3.org/2000/svg">{words}</svg>'}
    png = {"image/png": f'iVBORw0"> {words}', "application/javascript": words}
    outputs = [
        *(new_output("display_data", data=bundle) for bundle in [*data, svg, png]),
        new_output("stream", name="stdout", text=words),
        new_output("error", ename=words, evalue=words, traceback=[words]),
    ]
    verdict = squares()
    for reason in verdict[0].metadata["posenc"]["reasons"].values():
        reason["en"] = reason["zh"] = words
    return [
        new_markdown_cell(words),
        new_markdown_cell(f'<div lang="en">\n\n{words}\n\n</div>'),
        new_code_cell(words, outputs=outputs),
        answer_cell(words, outputs, comment=words),
        check_cell(verdict),
        written_cell(words, comment=words),
    ]
