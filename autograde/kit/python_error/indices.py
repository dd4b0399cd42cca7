"""Errors of indices: places, rows and keys that do not exist."""

from __future__ import annotations

from autograde.kit.python_error.explanation import ORIGINS, VALUES, Known
from bilingual import Text


def _index(index: str, axis: str, size: str) -> Text:
    if size == "0":
        return Text(
            en="An element is taken out of something empty: for this call no place fulfils the "
            "condition, or a slice such as `x[5:3]` has none.",
            zh="从空的张量里取元素：对这次调用，没有满足条件的位置，或者`x[5:3]`这样的切片是空的。",
        )
    last = int(size) - 1
    return Text(
        en=f"Index {index} does not exist: axis {axis} has length {size}, so its "
        f"last index is {last}.",
        zh=f"没有下标{index}：第{axis}轴的长度是{size}，最后一个下标是{last}。",
    )


def _index_somewhere() -> Text:
    return Text(
        en="An index goes beyond the end of what it is used on. In a table with N rows the last "
        "row is N − 1.",
        zh="下标超出了范围：有N行的表，最后一行是第N−1行。",
    )


def _not_long() -> Text:
    return Text(
        en="Only integers can be indices and sizes, and yours are floats: a division `/`, a mean "
        "or a square root gives floats. `//` keeps integers; `.long()` converts floats.",
        zh="下标和大小只能是整数，你的却是浮点数：`/`、求平均、开方都会得到浮点数。"
        "`//`的结果仍是整数；`.long()`可把浮点数转成整数。",
    )


def _not_of_a_list(kind: str, index: str) -> Text:
    if index == "str":
        return Text(
            en=f"A name in brackets looks into a dictionary, and this is a {kind}: its entries are "
            "counted 0, 1, 2, …",
            zh=f"方括号里写名字是查字典，这里却是{kind}：它的各项按0、1、2……编号。",
        )
    if index == "NoneType":
        return Text(en=f"The index is None: {ORIGINS.en}.", zh=f"下标是None：{ORIGINS.zh}。")
    if index != "tuple":
        return _not_long()
    return Text(
        en="`x[i, j]` works for tensors alone: with nested lists use `x[i][j]`. And `max`, "
        f"`min`, `sort` or `topk` along an axis {VALUES.en}",
        zh=f"`x[i, j]`只能用于张量：列表套列表要写`x[i][j]`。另外，沿某一轴的`max`、`min`、`sort`、"
        f"`topk`{VALUES.zh}",
    )


def _joined(kind: str) -> Text:
    return Text(
        en=f"`+` joins a {kind} to another. `max`, `min`, `sort` or `topk` along an axis "
        f"{VALUES.en}",
        zh=f"`+`用在{kind}上是拼接。沿某一轴的`max`、`min`、`sort`、`topk`{VALUES.zh}",
    )


def _too_many_indices(axes: str) -> Text:
    return Text(
        en=f"There are more indices in the brackets than axes: the tensor has {axes}. With `...` "
        "an index works for any number of axes in front.",
        zh=f"方括号里的下标比维数还多：这个张量有{axes}维。用`...`，前面有几维都行。",
    )


def _empty() -> Text:
    return Text(
        en="There is nothing here to take the largest or smallest of: nothing fulfils the "
        "condition, or a slice such as `x[5:3]` or `x[:0]` is empty, and no error says so before.",
        zh="这里没有元素，取不了最大值或最小值：没有满足条件的元素，或者`x[5:3]`、`x[:0]`这样的切片"
        "是空的，而且不会报错。",
    )


KNOWN: Known = (
    (r"(list|tuple) indices must be integers or slices, not (\w+)", _not_of_a_list),
    (r"can only concatenate (tuple|list) \(not", _joined),
    (r"index (-?\d+) is out of bounds for dimension (\d+) with size (\d+)", _index),
    (r"index out of range|out of bounds", _index_somewhere),
    (r"tensors used as indices must be|indices must be integers|Expected dtype int64 for index|"
     r"'float' object cannot be interpreted as an integer|index\w* .*of type Float|"
     r"only integers, slices|must be (?:tuple of ints|int)\b.*\bfloat|"
     r"(?:view|repeat_interleave)\(\) received an invalid .* got \([^)]*\bfloat", _not_long),
    (r"\(\) (?:arg|iterable argument) is (?:an )?empty|input\.numel\(\) == 0|"
     r"cannot perform reduction .* no identity|numel\(\) == 0|empty tensor", _empty),
    (r"too many indices for tensor of dimension (\d+)", _too_many_indices),
)  # fmt: skip
