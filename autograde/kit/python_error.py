"""Explains the errors that Python and torch raise most in these exercises, in both languages.

An error is known by the name of its type and by its message: an answer that runs in a worker sends
no more. The message itself stands in the reason of the check.
"""

from __future__ import annotations

import difflib
import inspect
import re
from collections.abc import Callable, Sequence
from typing import Any

import torch

from autograde.kit.answer import Call
from autograde.kit.exercise import Exercise
from autograde.kit.verdict import Cause
from bilingual import Text

LONGEST = 80  # characters of a name or size out of a message
SHAPES = 6  # inputs whose shapes are repeated
MODULES = ("torch", "math", "F")

Explanation = Callable[..., Text]


def _broadcast(left: str, right: str, axis: str) -> Text:
    return Text(
        en=f"Two tensors do not go together: along axis {axis}, counted in the larger shape, one "
        f"has {left} places and the other {right}. Axes are matched from the last; sizes must be "
        "equal, or one of them 1. After `sum`, `mean`, `max` or `norm`, `keepdim=True` keeps the "
        "axis; `x[:, None]` puts one in.",
        zh=f"两个张量的形状对不上：在第{axis}维（按维数多的那个数），一个有{left}位，一个有{right}位。"
        "各维从最后一维起对齐，大小要相等，或其中之一为1。`sum`、`mean`、`max`、`norm`之后写"
        "`keepdim=True`可保留这一维；`x[:, None]`可插入一维。",
    )


def _product(left: str, right: str) -> Text:
    return Text(
        en=f"The shapes of this matrix product do not fit: {left} and {right}. The last axis of "
        "the left one must be as long as the last but one of the right one; is a transpose "
        "missing, `k.transpose(-2, -1)`?",
        zh=f"矩阵乘法的形状对不上：{left}和{right}。左边的最后一维要与右边的倒数第二维一样长；"
        "是不是少了转置，例如`k.transpose(-2, -1)`？",
    )


def _product_of_batches(*sizes: str) -> Text:
    return Text(
        en="The shapes of this matrix product do not fit: the last axis of the left tensor must be "
        "as long as the last but one of the right one, and the axes before them equal. Is a "
        "transpose missing, `k.transpose(-2, -1)`?",
        zh="矩阵乘法的形状对不上：左边的最后一维要与右边的倒数第二维一样长，前面各维也要一致。"
        "是不是少了转置，例如`k.transpose(-2, -1)`？",
    )


def _index(index: str, axis: str, size: str) -> Text:
    if size == "0":
        return Text(
            en="An element is taken out of something empty: for this call no place fulfils the "
            "condition, or a slice such as `x[5:3]` has none.",
            zh="从空的张量里取元素：对这次调用，没有满足条件的位置，或者`x[5:3]`这样的切片是空的。",
        )
    last = int(size) - 1
    return Text(
        en=f"Index {index} does not exist: axis {axis} has {size} places, 0 to {last}.",
        zh=f"没有下标{index}：第{axis}维有{size}位，下标是0到{last}。",
    )


def _index_somewhere() -> Text:
    return Text(
        en="An index goes beyond the end of what it is used on. In a table with N rows the last "
        "row is N − 1.",
        zh="下标超出了范围：有N行的表，最后一行是第N−1行。",
    )


def _axis(low: str, high: str, axis: str) -> Text:
    return Text(
        en=f"Axis {axis} does not exist here: this tensor has only axes {low} to {high}. Did a "
        "step before take one away?",
        zh=f"这里没有第{axis}维：这个张量只有第{low}到第{high}维。是不是前面某一步少了一维？",
    )


def _not_long() -> Text:
    return Text(
        en="Only integers can be indices, and yours are floats: a division `/`, a mean or a square "
        "root makes floats. `//` stays with integers; `.long()` makes integers of floats.",
        zh="下标只能是整数，你的却是浮点数：`/`、求平均、开方都会得到浮点数。"
        "`//`的结果仍是整数；`.long()`可把浮点数转成整数。",
    )


def _not_float(operation: str = "") -> Text:
    which = f" (`{operation}`)" if operation else ""
    return Text(
        en=f"This operation{which} needs floats, and the tensor holds integers, as `torch.arange` "
        "and positions do. Convert it first: `.float()` or `.double()`.",
        zh=f"这个运算（{operation}）要浮点数，这个张量却是整数：`torch.arange`和位置都是整数。"
        "请先用`.float()`或`.double()`转换。"
        if operation
        else "这个运算要浮点数，这个张量却是整数：`torch.arange`和位置都是整数。"
        "请先用`.float()`或`.double()`转换。",
    )


def _other_dtypes(*names: str) -> Text:
    return Text(
        en="The two sides have different dtypes, and a matrix product or an assignment does not "
        "convert by itself. Cast one of them: `x.to(y.dtype)`.",
        zh="两边的dtype不同，而矩阵乘法和赋值不会自动转换。请转换其中一个：`x.to(y.dtype)`。",
    )


def _ambiguous() -> Text:
    return Text(
        en="`if`, `and`, `or`, `not`, `min` and `max` of Python need one True or False, and this "
        "is a tensor of many. Element by element: `torch.where(condition, a, b)`, `&`, `|`, `~`, "
        "`torch.minimum`, `.clamp`.",
        zh="Python的`if`、`and`、`or`、`not`、`min`、`max`只接受一个真假值，这里却是有很多元素的张量。"
        "逐个元素判断用`torch.where(条件, a, b)`、`&`、`|`、`~`、`torch.minimum`、`.clamp`。",
    )


def _missing(name: str) -> Text:
    return Text(
        en=f"A call lacks the argument {name}. Does the `def` line of your function have the "
        "parameters of the task, in that order and with their defaults?",
        zh=f"有一次调用缺少参数{name}。你的`def`那一行，参数、次序和默认值都和题目一致吗？",
    )


def _too_many(takes: str, count: str) -> Text:
    return Text(
        en=f"A function takes {takes} arguments and was called with {count}. Does the `def` line "
        "have all parameters of the task?",
        zh=f"函数有{takes}个参数，调用时却给了{count}个。`def`那一行写全了题目里的参数吗？",
    )


def _unexpected(name: str) -> Text:
    return Text(
        en=f"A call names the argument {name}, and the function has none of that name: parameters "
        "are called as in the task.",
        zh=f"调用时用了参数名{name}，函数却没有这个参数：参数名要和题目一致。",
    )


def _in_place() -> Text:
    return Text(
        en="`+=`, `*=`, `x[…] = …` and methods that end in `_` overwrite a tensor that autograd "
        "still needs. Compute a new tensor: `x = x + y`, `torch.where`, `.clone()`.",
        zh="`+=`、`*=`、`x[…] = …`和以`_`结尾的方法会改写autograd还要用的张量。"
        "请计算新的张量：`x = x + y`、`torch.where`、`.clone()`。",
    )


def _unsupported(operator: str, left: str, right: str) -> Text:
    if "NoneType" in (left, right):
        return Text(
            en=f"One side of `{operator}` is None: an argument that was left out, or the result of "
            "a function without `return`.",
            zh=f"`{operator}`的一边是None：要么是没有传的参数，要么是没写`return`的函数的结果。",
        )
    return Text(
        en=f"`{operator}` does not work between {left} and {right}. A list or a tuple becomes a "
        "tensor with `torch.tensor(…)` or `torch.stack(…)`.",
        zh=f"`{operator}`不能用在{left}和{right}之间。列表或元组可用`torch.tensor(…)`或"
        "`torch.stack(…)`变成张量。",
    )


def _attribute(kind: str, name: str) -> Text:
    if kind == "NoneType":
        return Text(
            en=f"You ask None for `.{name}`: an argument that was left out, or the result of a "
            "function without `return`. Ask `if x is None` first.",
            zh=f"你在None上用了`.{name}`：要么是没有传的参数，要么是没写`return`的函数的结果。"
            "请先判断`if x is None`。",
        )
    near = difflib.get_close_matches(name, dir(torch.Tensor), n=1) if kind == "Tensor" else []
    en = f" Did you mean `.{near[0]}`?" if near else ""
    zh = f"是不是`.{near[0]}`？" if near else ""
    return Text(en=f"A {kind} has no `.{name}`.{en}", zh=f"{kind}没有`.{name}`。{zh}")


def _empty() -> Text:
    return Text(
        en="There is nothing here to take the largest or smallest of: a slice such as `x[5:3]` or "
        "`x[:0]` is empty, and no error says so before.",
        zh="这里没有元素，取不了最大值或最小值：`x[5:3]`、`x[:0]`这样的切片是空的，而且不会报错。",
    )


def _one_element(*sizes: str) -> Text:
    return Text(
        en="`.item()`, `int(…)`, `float(…)` and functions of `math` take a tensor of one number, "
        "and this one has more. Use the functions of torch: `torch.sin`, `.long()`.",
        zh="`.item()`、`int(…)`、`float(…)`和`math`里的函数只接受一个数，这个张量却有多个。"
        "请用torch的函数，如`torch.sin`、`.long()`。",
    )


def _needs_grad() -> Text:
    return Text(
        en="A tensor that autograd follows does not become a NumPy array by itself: "
        "`x.detach().numpy()`; or stay with torch.",
        zh="autograd跟踪的张量不能直接变成NumPy数组：请写`x.detach().numpy()`，或一直用torch计算。",
    )


def _not_a_tensor(kind: str = "") -> Text:
    return Text(
        en="A function of torch was given a plain number, a list or None where it needs a tensor: "
        "`torch.tensor(…)` makes one; for a single number there is `math`.",
        zh="torch的函数要的是张量，这里却是普通的数、列表或None：可用`torch.tensor(…)`转换；"
        "只有一个数时用`math`。",
    )


def _not_callable(kind: str) -> Text:
    return Text(
        en=f"Something with `(…)` behind it is no function but a {kind}: is a `*` missing, or does "
        "a variable have the name of a function?",
        zh=f"带`(…)`的东西不是函数，而是{kind}：是不是漏了`*`，或者变量和函数重名？",
    )


def _number_of_places(shape: str, size: str) -> Text:
    return Text(
        en=f"`view` and `reshape` keep every number: {size} of them do not fill the shape {shape}.",
        zh=f"`view`和`reshape`不增减数的个数：{size}个数排不成形状{shape}。",
    )


def _unpack(*counts: str) -> Text:
    return Text(
        en="The left side of `=` has another number of names than there are values on the right. "
        "A shape has as many numbers as the tensor has axes.",
        zh="`=`左边名字的个数和右边值的个数不同。形状里有几个数，取决于张量有几维。",
    )


def _unassigned(name: str) -> Text:
    return Text(
        en=f"`{name}` is read before it has a value: a branch of `if` or a loop that gives it one "
        "was not taken.",
        zh=f"读取`{name}`时它还没有值：给它赋值的那个`if`分支或循环没有执行。",
    )


def _division() -> Text:
    return Text(
        en="A division by 0: for the inputs of this call a size, a count or a difference is 0.",
        zh="除数为0：对这次调用的输入，某个大小、个数或差是0。",
    )


def _sizes_of_cat(*sizes: str) -> Text:
    return Text(
        en="`torch.cat` and `torch.stack` join tensors whose other axes are equally long, and "
        "these are not. Is it the right `dim`?",
        zh="`torch.cat`和`torch.stack`要求其余各维一样长，这里却不一样。`dim`写对了吗？",
    )


def _endless_calls() -> Text:
    return Text(
        en="A function calls itself without end. Is a variable or helper named like the function?",
        zh="函数不停地调用自己。是不是有变量或辅助函数和它重名？",
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


def _as_complex() -> Text:
    return Text(
        en="`torch.view_as_complex` takes a last axis of size 2, whose two numbers lie side by "
        "side: first `x.unflatten(-1, (-1, 2))`, and `contiguous()` if x was transposed or sliced.",
        zh="`torch.view_as_complex`要求最后一维大小为2，且两个数在内存里相邻："
        "先`x.unflatten(-1, (-1, 2))`；x若经过转置或切片，还要`contiguous()`。",
    )


def _too_many_indices(axes: str) -> Text:
    return Text(
        en=f"There are more indices in the brackets than axes: the tensor has {axes}. With `...` "
        "an index works for any number of axes in front.",
        zh=f"方括号里的下标比维数还多：这个张量有{axes}维。用`...`，前面有几维都行。",
    )


def _minus_on_booleans() -> Text:
    return Text(
        en="True and False cannot be subtracted: `~mask` turns a mask round, `mask.long()` makes "
        "it 1 and 0.",
        zh="布尔值不能相减：`~mask`取反，`mask.long()`把它变成1和0。",
    )


def _missing_key(key: str) -> Text:
    return Text(
        en=f"The dictionary of this call has no key {key}. `.get({key})` returns None then, "
        f"`.get({key}, 1)` a number of yours; `{key} in …` asks first.",
        zh=f"这次调用的字典里没有键{key}。此时`.get({key})`返回None，`.get({key}, 1)`返回你给的值；"
        f"也可以先用`{key} in …`判断。",
    )


KNOWN: tuple[tuple[str, Explanation], ...] = (
    (r"size of tensor a \((\d+)\) must match .* b \((\d+)\) at .*dimension (\d+)", _broadcast),
    (r"mat1 and mat2 shapes cannot be multiplied \((\S+) and (\S+)\)", _product),
    (r"inconsistent tensor size|size mismatch, got|batch2 tensor|subscript \w has size|"
     r"vector of size|must be 3D|1D tensors expected", _product_of_batches),
    (r"index (-?\d+) is out of bounds for dimension (\d+) with size (\d+)", _index),
    (r"index out of range|out of bounds", _index_somewhere),
    (r"Dimension out of range \(expected to be in range of \[(-?\d+), (-?\d+)\], but got (-?\d+)",
     _axis),
    (r"tensors used as indices must be|indices must be integers|Expected dtype int64 for index|"
     r"'float' object cannot be interpreted as an integer|index\w* .*of type Float", _not_long),
    (r"\"(\w+?)_?\w*\" not implemented for '(?:Long|Int|Bool|Short|Byte|Char)'", _not_float),
    (r"(?:Could not infer dtype|must be floating|floating point|Integers to negative integer)",
     _not_float),
    (r"expected (?:m1 and m2|mat1 and mat2|scalar type|both|all tensors) .*(?:dtype|type)|"
     r"expected scalar type|same dtype|dtypes? do not match|can't be cast", _other_dtypes),
    (r"Boolean value of Tensor with (?:more than one|no) value", _ambiguous),
    (r"missing \d+ required (?:positional|keyword-only) arguments?: (.+)", _missing),
    (r"takes (?:from )?([\d to]+) positional arguments? but (\d+)", _too_many),
    (r"unexpected keyword argument ('\w+')", _unexpected),
    (r"leaf [Vv]ariable that requires grad|modified by an inplace operation|"
     r"view .* is being modified inplace|more than one element of the written-to tensor|"
     r"unsupported operation: .*single memory location", _in_place),
    (r"unsupported operand type\(s\) for (\S+?):? '(\w+)' and '(\w+)'", _unsupported),
    (r"'(\w+)' object has no attribute '(\w+)'", _attribute),
    (r"\(\) (?:arg|iterable argument) is (?:an )?empty|input\.numel\(\) == 0|"
     r"cannot perform reduction .* no identity|numel\(\) == 0|empty tensor", _empty),
    (r"only (?:one|integer)[ -].*tensors? .*(?:convert|scalar)|"
     r"a Tensor with \d+ elements cannot be converted", _one_element),
    (r"Can't call numpy\(\) on Tensor that requires grad", _needs_grad),
    (r"argument '\w+'.* must be Tensor, not (\w+)|expected Tensor as element", _not_a_tensor),
    (r"'(\w+)' object is not callable", _not_callable),
    (r"shape '(\[.*\])' is invalid for input of size (\d+)", _number_of_places),
    (r"values to unpack", _unpack),
    (r"cannot access local variable '(\w+)'", _unassigned),
    (r"division by zero|float modulo|modulo by zero", _division),
    (r"Sizes of tensors must match except|stack expects each tensor to be equal size",
     _sizes_of_cat),
    (r"maximum recursion depth", _endless_calls),
    (r"output with shape (\[.*?\]) doesn't match the broadcast shape (\[.*?\])", _output_shape),
    (r"view size is not compatible", _view),
    (r"Tensor must have a last dimension (?:of size 2|with stride 1)", _as_complex),
    (r"too many indices for tensor of dimension (\d+)", _too_many_indices),
    (r"Subtraction, the `-` operator, with a bool tensor", _minus_on_booleans),
)  # fmt: skip


def explained_error(exercise: Exercise, calls: Sequence[Call]) -> Cause | None:
    """Return the explanation of the first error among `calls`, None if it is not a known one."""
    call = next((call for call in calls if call.error is not None), None)
    if call is None:
        return None
    # an error out of a worker says which type it had
    name = getattr(call.error, "name", None) or ""
    name = name if _from_worker(call.error) else type(call.error).__name__
    text = _unknown_name(exercise, str(call.error)) if name == "NameError" else None
    text = text or (_missing_key(str(call.error)[:LONGEST]) if name == "KeyError" else None)
    text = text or _explanation(str(call.error)[:1000])
    return Cause("error", name, _with_shapes(text, exercise, call)) if text else None


def _from_worker(error: BaseException) -> bool:
    return type(error).__name__ == "RemoteError"


def _explanation(message: str) -> Text | None:
    for pattern, explain in KNOWN:
        if match := re.search(pattern, message):
            groups = [part[:LONGEST] for part in match.groups() if part is not None]
            return explain(*_fitting(explain, groups))
    return None


def _fitting(explain: Explanation, groups: list[str]) -> list[str]:
    return groups[: len(inspect.signature(explain).parameters)]


def _unknown_name(exercise: Exercise, message: str) -> Text | None:
    match = re.search(r"name '(\w+)' is not defined", message)
    if match is None:
        return None
    name = match.group(1)[:LONGEST]
    near = difflib.get_close_matches(name, [*_parameters(exercise), *MODULES], n=1)
    if not near:
        return None  # first aid knows what to do about a cell that has not run
    return Text(
        en=f"There is no `{name}` here. Did you mean `{near[0]}`?",
        zh=f"这里没有`{name}`。是不是`{near[0]}`？",
    )


def _parameters(exercise: Exercise) -> list[str]:
    inside = exercise.signature.partition("(")[2].partition(") ->")[0]
    return [part.partition("=")[0].strip() for part in inside.split(",")]


def _with_shapes(text: Text, exercise: Exercise, call: Call) -> Text:
    shapes = ", ".join(_shapes(exercise, call))
    if not shapes:
        return text
    return Text(en=f"{text.en} In this call: {shapes}.", zh=f"{text.zh}这次调用中：{shapes}。")


def _shapes(exercise: Exercise, call: Call) -> list[str]:
    names = zip(_parameters(exercise), call.args, strict=False)
    inputs: dict[str, Any] = {**dict(names), **call.kwargs}
    tensors = {name: x for name, x in inputs.items() if isinstance(x, torch.Tensor)}
    return [f"`{name}` {tuple(x.shape)}" for name, x in list(tensors.items())[:SHAPES]]
