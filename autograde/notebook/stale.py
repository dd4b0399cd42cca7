"""Whether the function that is checked is older than what stands in its cell."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable

from IPython import get_ipython

from bilingual import Text

OLD = Text(
    en="The last time you ran the cell of {name} it was not Python (line {line}: {why}), so what "
    "is checked here is {name} as it was before.",
    zh="你上次运行{name}所在的单元格时，里面的代码不合Python语法（第{line}行：{why}），"
    "所以这里检查的还是之前的{name}。",
)

ANOTHER = Text(
    en="What is checked here is not the {name} defined in the cell you ran last: did that cell end "
    "in an error before the def? Mend that, and run it again.",
    zh="这里检查的{name}，不是你上次运行的那个单元格里写的{name}：那个单元格是不是还没到def就报错了？"
    "改好后请再运行一次。",
)


def stale(answer: Callable) -> list[Text]:
    """Return a sentence if the newest cell that defines `answer` did not come so far, else []."""
    shell, name = get_ipython(), getattr(answer, "__name__", "")
    if shell is None or not name:
        return []
    begins = f"def {name}("
    newest = next((cell for cell in reversed(shell.user_ns.get("In", [])) if begins in cell), "")
    try:
        source = shell.transform_cell(newest)
        compile(source, "<cell>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None) or 1
        why = getattr(error, "msg", None) or str(error)
        return [OLD.format(name=name, line=line, why=why)]
    return [ANOTHER.format(name=name)] if _is_another(answer, name, source) else []


def _is_another(answer: Callable, name: str, cell: str) -> bool:
    """Return whether `cell` defines a function of this name, and none with this one's code."""
    functions = [one for one in ast.parse(cell).body if isinstance(one, ast.FunctionDef)]
    codes = [ast.dump(one) for one in functions if one.name == name]
    try:
        own = ast.parse(inspect.getsource(answer)).body[0]
    except (OSError, TypeError, SyntaxError):  # no def with a source: nothing to compare
        return False
    return bool(codes) and ast.dump(own) not in codes
