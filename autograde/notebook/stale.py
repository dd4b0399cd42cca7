"""Whether the function that is checked is older than what stands in its cell."""

from __future__ import annotations

import ast
from collections.abc import Callable

from IPython import get_ipython

from bilingual import Text

OLD = Text(
    en="The last time you ran the cell of {name} it was not Python (line {line}: {why}), so what "
    "is checked here is {name} as it was before.",
    zh="你上次运行{name}所在的单元格时，里面的代码不合Python语法（第{line}行：{why}），"
    "所以这里检查的还是之前的{name}。",
)


def stale(answer: Callable) -> list[Text]:
    """Return a sentence if the newest cell that defines `answer` could not be parsed, else []."""
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
    return []
