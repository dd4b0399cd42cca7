"""Errors of what a tensor holds: integers, floats, booleans, one number or many, gradients."""

from __future__ import annotations

from autograde.kit.python_error.explanation import Known
from bilingual import Text


def _not_float(operation: str = "") -> Text:
    en, zh = (f" (`{operation}`)", f"（`{operation}`）") if operation else ("", "")
    return Text(
        en=f"This operation{en} needs floats, and the tensor holds integers, as `torch.arange` and "
        "positions do, or booleans, as a mask does. Convert it first: `.float()` or `.double()`.",
        zh=f"这个运算{zh}要浮点数，这个张量却是整数（`torch.arange`和位置都是）或布尔值（掩码就是）。"
        "请先用`.float()`或`.double()`转换。",
    )


def _no_number(kind: str) -> Text:
    if kind == "NoneType":
        return Text(
            en="`torch.tensor` finds None among the entries: does a helper lack its `return`?",
            zh="`torch.tensor`的各项里有None：是不是有辅助函数忘了`return`？",
        )
    if kind == "generator":
        return Text(
            en="`torch.tensor` needs a list: put the `… for … in …` into square brackets.",
            zh="`torch.tensor`要的是列表：请把`… for … in …`放进方括号。",
        )
    return Text(
        en=f"`torch.tensor` makes tensors of numbers and lists of numbers, not of a {kind}. To "
        "join tensors there are `torch.stack` and `torch.cat`.",
        zh=f"`torch.tensor`只能由数或数的列表得到张量，不接受{kind}。拼接张量用`torch.stack`、"
        "`torch.cat`。",
    )


def _into_integers() -> Text:
    return Text(
        en="`/=`, `*=`, `+=` and `x[…] = …` write into the tensor that stands there, and its "
        "integers cannot hold these floats. `x = x / y` makes a new tensor, and leaves the input "
        "as it is.",
        zh="`/=`、`*=`、`+=`和`x[…] = …`会写进原来的张量，而整数张量存不下浮点数。"
        "`x = x / y`得到新的张量，也不改动输入。",
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
        "is a tensor of many values, or of none. Element by element: `torch.where(condition, a, "
        "b)`, `&`, `|`, `~`, `torch.minimum`, `.clamp`.",
        zh="Python的`if`、`and`、`or`、`not`、`min`、`max`只接受一个真假值，"
        "这里的张量却有很多个元素，或者一个也没有。"
        "逐个元素判断用`torch.where(条件, a, b)`、`&`、`|`、`~`、`torch.minimum`、`.clamp`。",
    )


def _expanded() -> Text:
    return Text(
        en="`expand` shows one number in many places without a copy, so a change in one would be a "
        "change in all. Make a copy first: `.clone()`.",
        zh="`expand`并不复制，许多位置其实是同一个数，改一处就等于处处都改。先用`.clone()`复制一份再改。",
    )


def _in_place() -> Text:
    return Text(
        en="`+=`, `*=`, `x[…] = …` and methods that end in `_` overwrite a tensor that autograd "
        "still needs. Compute a new tensor: `x = x + y`, `torch.where`, `.clone()`.",
        zh="`+=`、`*=`、`x[…] = …`和以`_`结尾的方法会改写autograd还要用的张量。"
        "请计算新的张量：`x = x + y`、`torch.where`、`.clone()`。",
    )


def _one_element(*sizes: str) -> Text:
    return Text(
        en="`.item()`, `int(…)`, `float(…)` and functions of `math` take a tensor of one number, "
        "and this one has more. Use the functions of torch: `torch.sin`, `.long()`, and to join "
        "tensors `torch.stack` in place of `torch.tensor([…])`.",
        zh="`.item()`、`int(…)`、`float(…)`和`math`里的函数只接受一个数，这个张量却有多个。"
        "请用torch的函数，如`torch.sin`、`.long()`；要把几个张量拼起来，用`torch.stack`，"
        "不用`torch.tensor([…])`。",
    )


def _no_element() -> Text:
    return Text(
        en="`.item()`, `int(…)` and `float(…)` take a tensor of one number, and this one is empty: "
        "for this call nothing fulfils the condition, or a slice has no places.",
        zh="`.item()`、`int(…)`和`float(…)`要恰好一个数，这个张量却是空的：对这次调用，"
        "没有满足条件的元素，或者切片是空的。",
    )


def _needs_grad() -> Text:
    return Text(
        en="A tensor that autograd follows does not become a NumPy array by itself: "
        "`x.detach().numpy()`; or stay with torch.",
        zh="autograd跟踪的张量不能直接变成NumPy数组：请写`x.detach().numpy()`，或一直用torch计算。",
    )


def _not_a_tensor() -> Text:
    return Text(
        en="A function of torch was given a plain number, a list or None where it needs a tensor: "
        "`torch.tensor(…)` makes one; for a single number there is `math`.",
        zh="torch的函数要的是张量，这里却是普通的数、列表或None：可用`torch.tensor(…)`转换；"
        "只有一个数时用`math`。",
    )


def _minus_on_booleans() -> Text:
    return Text(
        en="True and False cannot be subtracted: `~mask` turns a mask round, `mask.long()` makes "
        "it 1 and 0.",
        zh="布尔值不能相减：`~mask`取反，`mask.long()`把它变成1和0。",
    )


KNOWN: Known = (
    (r"\"(log_softmax|[a-z]+)?\w*\" not implemented for '(?:Long|Int|Bool|Short|Byte|Char)'",
     _not_float),
    (r"Could not infer dtype of (\w+)", _no_number),
    (r"result type \w+ can't be cast to the desired output type (?:Long|Int|Short|Byte|Char|Bool)",
     _into_integers),
    (r"(?:must be floating|floating point|Integers to negative integer)",
     _not_float),
    (r"expected (?:m1 and m2|mat1 and mat2|scalar type|both|all tensors) .*(?:dtype|type)|"
     r"expected scalar type|same dtype|dtypes? do not match|can't be cast", _other_dtypes),
    (r"Boolean value of Tensor with (?:more than one|no) value", _ambiguous),
    (r"leaf [Vv]ariable that requires grad|modified by an inplace operation|"
     r"view .* is being modified inplace", _in_place),
    (r"more than one element of the written-to tensor", _expanded),
    (r"a Tensor with 0 elements cannot be converted", _no_element),
    (r"only (?:one|integer)[ -].*tensors? .*(?:convert|scalar)|"
     r"a Tensor with \d+ elements cannot be converted", _one_element),
    (r"Can't call numpy\(\) on Tensor that requires grad", _needs_grad),
    (r"argument '\w+'.* must be Tensor, not \w+|expected Tensor as element", _not_a_tensor),
    (r"Subtraction, the `-` operator, with a bool tensor", _minus_on_booleans),
)  # fmt: skip
