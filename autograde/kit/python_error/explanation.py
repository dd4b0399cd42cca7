"""An explanation: a function of the groups that its pattern captures in a message."""

from __future__ import annotations

from collections.abc import Callable

from bilingual import Text

ORIGINS = Text(  # of None
    en="an argument that was left out, `.get` of a key that is not there, an entry of a dictionary "
    "that is None, or the result of a function without `return`",
    zh="要么是没有传的参数，要么是`.get`没有找到的键，要么是字典里值为None的项，"
    "要么是没写`return`的函数的结果",
)
VALUES = Text(  # of max, min, sort and topk along an axis
    en="gives two things, values and places: take `x.max(dim).values`, or `x.amax(dim)`.",
    zh="返回两样东西，值和下标：请写`x.max(dim).values`，或用`x.amax(dim)`。",
)

Known = tuple[tuple[str, Callable[..., Text]], ...]  # pattern of a message, explanation
