"""A question of `review()`: which mistake does this code make?"""

from __future__ import annotations

import ast
import inspect
import random
import sys
import textwrap
from types import CodeType

from autograde.kit.exercise import Exercise, Misconception
from autograde.kit.question import Option, Question
from bilingual import Text

OPTIONS = 4
PROMPT = Text(
    en="**{title}**: what is wrong with this code?\n\n```python\n{code}\n```",
    zh="**{title}**：这段代码错在哪里？\n\n```python\n{code}\n```",
)
THIS = Text(en="Yes: this is what the code does.", zh="对，代码正是这样。")
ANOTHER = Text(
    en="People make that mistake too, but not in this code: read it line by line.",
    zh="这种错误也有人犯，但不是这段代码：请逐行再读一遍。",
)


def which_mistake(exercise: Exercise, seed: int) -> Question | None:
    """Return a question about a drawn wrong answer; None if the exercise has too few to show."""
    drawn = random.Random(seed)
    legible = [one for one in exercise.misconceptions if _stands_alone(one)]
    # two ways to make one mistake have one sentence
    others = [*dict.fromkeys(one.sentence for one in exercise.misconceptions)]
    if not legible or len(others) < 2:
        return None
    wrong = drawn.choice(legible)
    others.remove(wrong.sentence)
    others = drawn.sample(others, min(len(others), OPTIONS - 1))
    options = [Option(wrong.sentence, THIS, right=True)]
    options += [Option(sentence, ANOTHER) for sentence in others]
    drawn.shuffle(options)
    prompt = PROMPT.format(title=exercise.title, code=_code(wrong, exercise.id))
    return Question(prompt, tuple(options))


def _code(wrong: Misconception, name: str) -> str:
    """Return the code under the exercise's name: its own name would reveal the mistake."""
    (function,) = ast.parse(textwrap.dedent(inspect.getsource(wrong.answer))).body
    function.name, function.decorator_list = name, []
    return ast.unparse(function)


def _stands_alone(wrong: Misconception) -> bool:
    """Return whether it is a function of its own that uses nothing defined in `autograde`."""
    if wrong.answer.__qualname__ != wrong.name:  # made by another function
        return False
    module = sys.modules[wrong.answer.__module__]
    used = [vars(module).get(name) for name in _names(wrong.answer.__code__)]
    return not any((getattr(one, "__module__", "") or "").startswith("autograde.") for one in used)


def _names(code: CodeType) -> set[str]:
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return set(code.co_names).union(*map(_names, inner))
