"""Errors of shapes: axes that do not fit, and numbers that do not fill a shape."""

from __future__ import annotations

from autograde.kit.python_error.explanation import Known
from bilingual import Text


def _broadcast(left: str, right: str, axis: str) -> Text:
    return Text(
        en=f"Two tensors do not go together: along axis {axis}, counted in the larger shape, one "
        f"has {left} places and the other {right}. Axes are matched from the last; sizes must be "
        "equal, or one of them 1. After `sum`, `mean`, `max` or `norm`, `keepdim=True` keeps the "
        "axis; `x[:, None]` puts one in.",
        zh=f"两个张量的形状对不上：在第{axis}轴（从0数起，以轴数较多的张量为准），一个长{left}，一个长{right}。"
        "各轴从最后一轴起对齐，大小要相等，或其中之一为1。`sum`、`mean`、`max`、`norm`之后写"
        "`keepdim=True`可保留这一轴；`x[:, None]`可插入一轴。",
    )


def _product(left: str, right: str) -> Text:
    if not {*left.split("x")} & {*right.split("x")}:
        return Text(
            en=f"The shapes of this matrix product do not fit: {left} and {right}. They have no "
            "size in common, so no transpose helps: is one of the two a variable of the notebook "
            "that the function does not take, or did it get a wrong shape in a step before?",
            zh=f"矩阵乘法的形状对不上：{left}和{right}。两者没有一个轴一样长，怎么转置都不行："
            "其中之一是不是notebook里的变量，而不是函数的参数？或者前面某一步就把形状弄错了？",
        )
    return Text(
        en=f"The shapes of this matrix product do not fit: {left} and {right}. The last axis of "
        "the left one must be as long as the last but one of the right one; is a transpose "
        "missing or one too many, `k.transpose(-2, -1)`?",
        zh=f"矩阵乘法的形状对不上：{left}和{right}。左边的最后一轴要与右边的倒数第二轴一样长；"
        "是不是少了或多了转置，例如`k.transpose(-2, -1)`？",
    )


def _product_of_batches(*sizes: str) -> Text:
    return Text(
        en="The shapes of this matrix product do not fit: the last axis of the left tensor must be "
        "as long as the last but one of the right one, and the axes before them equal. Is a "
        "transpose missing or one too many, `k.transpose(-2, -1)`?",
        zh="矩阵乘法的形状对不上：左边的最后一轴要与右边的倒数第二轴一样长，前面各轴也要一致。"
        "是不是少了或多了转置，例如`k.transpose(-2, -1)`？",
    )


def _letter(letter: str, size: str, operand: str, before: str) -> Text:
    return Text(
        en=f"In `einsum` a letter stands for one size everywhere, and here `{letter}` has two: "
        f"{before}, and {size} in operand {operand}, counted from 0. Check which axis each letter "
        "names.",
        zh=f"在`einsum`里，一个字母处处代表同一个大小，这里的`{letter}`却有两个：先是{before}，"
        f"到第{operand}个张量（从0数起）成了{size}。看看每个字母指的是哪一轴。",
    )


def _letter_twice(letter: str, operand: str, left: str, right: str) -> Text:
    return Text(
        en=f"In `einsum` a letter stands for one size everywhere, and here `{letter}` names two "
        f"axes of operand {operand}, counted from 0, whose sizes are {left} and {right}. Give each "
        "axis its own letter.",
        zh=f"在`einsum`里，一个字母处处代表同一个大小，这里的`{letter}`却指了第{operand}个张量"
        f"（从0数起）的两轴，大小是{left}和{right}。两轴要各用一个字母。",
    )


def _axis(low: str, high: str, axis: str) -> Text:
    return Text(
        en=f"Axis {axis} does not exist here: this tensor has only axes {low} to {high}. Did a "
        "step before take one away?",
        zh=f"这里没有第{axis}轴：这个张量只有第{low}到第{high}轴。是不是前面某一步少了一轴？",
    )


def _number_of_places(shape: str, size: str) -> Text:
    return Text(
        en=f"`view` and `reshape` keep every number: {size} of them do not fill the shape {shape}.",
        zh=f"`view`和`reshape`不增减数的个数：{size}个数排不成形状{shape}。",
    )


def _sizes_of_cat(*sizes: str) -> Text:
    return Text(
        en="`torch.cat` and `torch.stack` join tensors whose other axes are equally long, and "
        "these are not. Is it the right `dim`?",
        zh="`torch.cat`和`torch.stack`要求其余各轴一样长，这里却不一样。`dim`写对了吗？",
    )


def _output_shape(output: str, other: str) -> Text:
    return Text(
        en=f"An operation in place cannot make a tensor of shape {output} larger, and the other "
        f"side asks for {other}. Does one of them have too many rows or columns?",
        zh=f"原地运算不能把形状为{output}的张量变大，另一边却要求{other}。是不是有一边多了行或列？",
    )


def _view() -> Text:
    return Text(
        en="`view` needs the numbers in their order in memory, and after a transposition they are "
        "not: use `reshape`, or `contiguous()` before `view`.",
        zh="`view`要求数在内存里按次序排列，转置之后就不是了：改用`reshape`，或先`contiguous()`再`view`。",
    )


def _pairs() -> Text:
    return Text(
        en="`torch.view_as_complex` takes a last axis of size 2: first `x.unflatten(-1, (-1, 2))`, "
        "and `contiguous()` if x was transposed or sliced.",
        zh="`torch.view_as_complex`要求最后一轴大小为2：先`x.unflatten(-1, (-1, 2))`；"
        "x若经过转置或切片，还要`contiguous()`。",
    )


def _side_by_side() -> Text:
    return Text(
        en="`torch.view_as_complex` takes pairs whose two numbers lie side by side in memory, and "
        "after a transposition or a slice they do not: `x.contiguous()` first.",
        zh="`torch.view_as_complex`要求每一对的两个数在内存里相邻，转置或切片之后就不相邻了："
        "先`x.contiguous()`。",
    )


KNOWN: Known = (
    (r"size of tensor a \((\d+)\) must match .* b \((\d+)\) at .*dimension (\d+)", _broadcast),
    (r"mat1 and mat2 shapes cannot be multiplied \((\S+) and (\S+)\)", _product),
    (r"inconsistent tensor size|size mismatch, got|batch2 tensor|"
     r"vector of size|must be 3D|1D tensors expected", _product_of_batches),
    (r"subscript (\w) has size (\d+) for operand (\d+) which does not broadcast with previously "
     r"seen size (\d+)", _letter),
    (r"subscript (\w) is repeated for operand (\d+) but the sizes don't match, (\d+) != (\d+)",
     _letter_twice),
    (r"Dimension out of range \(expected to be in range of \[(-?\d+), (-?\d+)\], but got (-?\d+)",
     _axis),
    (r"shape '(\[.*\])' is invalid for input of size (\d+)", _number_of_places),
    (r"Sizes of tensors must match except|stack expects each tensor to be equal size",
     _sizes_of_cat),
    (r"output with shape (\[.*?\]) doesn't match the broadcast shape (\[.*?\])", _output_shape),
    (r"view size is not compatible", _view),
    (r"Tensor must have a last dimension of size 2", _pairs),
    (r"Tensor must have a last dimension with stride 1", _side_by_side),
)  # fmt: skip
