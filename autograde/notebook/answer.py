"""`answer(id)`: the model answer of a question that a teacher grades, for those who study alone.

It is read from `solutions/`, which lies beside the kit in a clone of the course. The package that
a class installs has no solutions: there only the teacher has them.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from IPython.display import display

from autograde.kit.catalogue import UnknownName, exercise_ids
from autograde.kit.cell_role import ANSWER_HERE, KEY
from autograde.notebook.place import SESSION_NAME
from bilingual import Text, page_languages

SOLUTIONS = Path(__file__).resolve().parents[2] / "solutions"
ENOUGH = 40  # characters that are letters or digits; a hanzi counts as two

NOT_HERE = Text(
    en="The model answers are not on this machine: your teacher has them.",
    zh="这台机器上没有参考答案：请问你的老师。",
)
NOT_OPEN = Text(
    en="Your own answer to {name!r} cannot be seen from here: run this in JupyterLab, in the "
    "notebook that asks the question.",
    zh="这里看不到你对{name!r}的回答：请在JupyterLab里、在提出这道题的notebook中运行。",
)
EXERCISE = Text(
    en="{name!r} is an exercise that `check` scores; `hint({name!r})` helps. `answer` is for the "
    "questions that a teacher grades.",
    zh="{name!r}是由`check`判分的练习，可以用`hint({name!r})`要提示；`answer`只用于由教师评分的思考题。",
)
FIRST = Text(
    en="Your own answer comes first, and what is saved is empty or very short: write a few "
    "sentences in the cell below the question, save (Ctrl-S), then run this again.",
    zh="请先写出自己的回答；现在存下的是空的，或者太短。请在题目下面的单元格里写上几句话，"
    "保存（Ctrl-S），再运行一次。",
)


def answer(question: str) -> None:
    """Show the model answer, and what each point is for, once the reader has written their own.

    question: its id, e.g. "longer_table", given below the question.
    Raises `UnknownName` for a question that does not exist.
    """
    models = _models()
    if not models:
        print(NOT_HERE)
    elif question in exercise_ids():
        print(EXERCISE.format(name=question))
    elif question not in models:
        raise UnknownName(Text(en="question", zh="思考题"), question, sorted(models))
    elif (own := _own(question)) is None:
        print(NOT_OPEN.format(name=question))
    elif _length(own) < ENOUGH:
        print(FIRST)
    else:
        text = "\n\n".join(_part(models[question], one) for one in page_languages())
        display({"text/markdown": text, "text/plain": text}, raw=True)


def _models() -> dict[str, str]:
    """Return the model answers by the ids of their questions; {} if there are no solutions."""
    paths = sorted(SOLUTIONS.glob("*/*.ipynb"))
    return {name: text for path in paths for name, text in _thinking(path).items()}


def _own(question: str) -> str | None:
    """Return what the reader has written and saved, None if the notebook is unknown."""
    try:
        return _thinking(Path(os.environ[SESSION_NAME])).get(question)
    except (KeyError, OSError, ValueError, TypeError, AttributeError):
        return None


def _thinking(path: Path) -> dict[str, str]:
    cells: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["cells"]
    roles = ((cell["metadata"].get(KEY, {}), cell["source"]) for cell in cells)
    return {
        role["exercise"]: source if isinstance(source, str) else "".join(source)
        for role, source in roles
        if role.get("role") == "thinking"
    }


def _length(own: str) -> int:
    for stub in (ANSWER_HERE.en, ANSWER_HERE.zh):
        own = own.replace(stub, "")
    return sum(1 if letter.isascii() else 2 for letter in own if letter.isalnum())


def _part(model: str, language: str) -> str:
    """Return one language of a model answer, in the <div> that the language buttons switch."""
    begin = f'<div lang="{language}">'
    return begin + model.partition(begin)[2].partition("</div>")[0] + "</div>"
