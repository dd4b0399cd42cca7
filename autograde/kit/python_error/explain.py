"""Finds the explanation of an error by the name of its type and by its message.

A worker sends nothing else about an error. The check's reason quotes the message itself.
"""

from __future__ import annotations

import difflib
import inspect
import re
from collections.abc import Callable, Sequence

import torch

from autograde.kit.answer import Call
from autograde.kit.call_inputs import in_python, inputs, parameters
from autograde.kit.exercise import Exercise
from autograde.kit.python_error import dtypes, indices, language, shapes
from autograde.kit.verdict import Cause
from bilingual import Text

LONGEST = 80  # characters of a name or size from a message
SHAPES = 6  # inputs listed, of each kind
MODULES = {
    "torch": "import torch",
    "math": "import math",
    "F": "import torch.nn.functional as F",
}
ENDS_PYTHON = Text(
    en="This ends Python, and the notebook's kernel with it: leave a function with `return`.",
    zh="这会结束Python，笔记本的内核也随之结束：离开函数请用`return`。",
)
KNOWN = (*shapes.KNOWN, *indices.KNOWN, *dtypes.KNOWN, *language.KNOWN)


def explained_error(exercise: Exercise, calls: Sequence[Call]) -> Cause | None:
    """Return the explanation of the first error among `calls`, None if it is not a known one."""
    call = next((call for call in calls if call.error is not None), None)
    if call is None:
        return None
    name = name_of(call.error)
    text = _unknown_name(exercise, str(call.error)) if name == "NameError" else None
    text = text or (_missing_key(str(call.error)[:LONGEST], call) if name == "KeyError" else None)
    text = text or (ENDS_PYTHON if name == "SystemExit" else None)
    text = text or _explanation(str(call.error)[:1000])
    return Cause("error", name, _with_shapes(text, exercise, call)) if text else None


def name_of(error: BaseException | None) -> str:
    """Return the name of an error's type; an error from a worker carries its original type."""
    kind = type(error).__name__
    return (getattr(error, "name", None) or "") if kind == "RemoteError" else kind


def _explanation(message: str) -> Text | None:
    for pattern, explain in KNOWN:
        if match := re.search(pattern, message):
            groups = [part[:LONGEST] for part in match.groups() if part is not None]
            return explain(*_fitting(explain, groups))
    return None


def _fitting(explain: Callable[..., Text], groups: list[str]) -> list[str]:
    return groups[: len(inspect.signature(explain).parameters)]


def _unknown_name(exercise: Exercise, message: str) -> Text | None:
    match = re.search(r"name '(\w+)' is not defined", message)
    if match is None:
        return None
    name = match.group(1)[:LONGEST]
    if not parameters(exercise) and (len(name) == 1 or f"`{name}`" in exercise.task.en):
        return Text(  # a chart: its answer is made of letters and of names that the task lists
            en=f'Without quotes `{name}` is a variable, and there is none: write `"{name}"`.',
            zh=f'不加引号，`{name}`就是变量，而这里没有这个变量：请写`"{name}"`。',
        )
    near = difflib.get_close_matches(name, [*parameters(exercise), *MODULES], n=1)
    if not near:
        return None  # first aid knows what to do about a cell that has not run
    if near[0] == name in MODULES:
        return Text(
            en=f"`{name}` has not been imported: `{MODULES[name]}`.",
            zh=f"还没有导入`{name}`：`{MODULES[name]}`。",
        )
    if near[0] == name:
        return Text(
            en=f"Your function uses `{name}` but does not take it: give it the parameters of "
            "the task.",
            zh=f"函数里用了`{name}`，参数里却没有它：请让参数与题目给出的一致。",
        )
    return Text(
        en=f"There is no `{name}` here. Did you mean `{near[0]}`?",
        zh=f"这里没有`{name}`。是不是`{near[0]}`？",
    )


def _missing_key(key: str, call: Call) -> Text:
    of_input = any(isinstance(one, dict) for one in (*call.args, *call.kwargs.values()))
    which = (
        Text(en="The dictionary of this call", zh="这次调用的字典")
        if of_input
        else Text(en="A dictionary of yours", zh="你的字典")
    )
    return Text(
        en=f"{which.en} has no key {key}. `.get({key})` returns None then, "
        f"`.get({key}, default)` your default; `{key} in …` tests first.",
        zh=f"{which.zh}里没有键{key}。此时`.get({key})`返回None，"
        f"`.get({key}, default)`返回你给的值；也可以先用`{key} in …`判断。",
    )


def _with_shapes(text: Text, exercise: Exercise, call: Call) -> Text:
    values = ", ".join(_shapes(exercise, call))
    if not values:
        return text
    return Text(en=f"{text.en} In this call: {values}.", zh=f"{text.zh}这次调用中：{values}。")


def _shapes(exercise: Exercise, call: Call) -> list[str]:
    listed = [(f"`{name}`", x) for name, x in inputs(exercise, call).items()]
    tensors = [f"{name} {tuple(x.shape)}" for name, x in listed if isinstance(x, torch.Tensor)]
    plain = [f"{name} = {words}" for name, x in listed if (words := in_python(x))]
    return [*tensors[:SHAPES], *plain[:SHAPES]]
