"""Errors of Python itself: arguments, names, None, division by 0, calls without end."""

from __future__ import annotations

import difflib

import torch

from autograde.kit.python_error.explanation import ORIGINS, VALUES, Known
from bilingual import Text

METHOD = "builtin_function_or_method"


def _missing(called: str, names: str) -> Text:
    argument = "arguments" if " and " in names else "argument"
    chinese = names.replace(", and ", "、").replace(" and ", "和").replace(", ", "、")
    return Text(
        en=f"The call of `{called}` lacks the {argument} {names}. If it is your own function: does "
        "its `def` line have the parameters of the task, in that order and with their defaults?",
        zh=f"调用`{called}`时缺少参数{chinese}。如果它是你写的函数：`def`那一行，"
        "参数、次序和默认值都和题目一致吗？",
    )


def _too_many(called: str, takes: str, count: str) -> Text:
    arguments = "argument" if takes == "1" else "arguments"
    return Text(
        en=f"`{called}` takes {takes} {arguments} and was called with {count}. If it is your own "
        "function: does its `def` line have all parameters of the task?",
        zh=f"`{called}`有{takes.replace(' to ', '到')}个参数，调用时却给了{count}个。"
        "如果它是你写的函数：`def`那一行写全了题目里的参数吗？",
    )


def _unexpected(called: str, name: str) -> Text:
    return Text(
        en=f"The call of `{called}` names the argument {name}, but `{called}` has no such "
        "parameter. If it is your own function: name its parameters as the task does.",
        zh=f"调用`{called}`时用了参数名{name}，而`{called}`没有这个参数。"
        "如果它是你写的函数：参数名要和题目一致。",
    )


def _unsupported(operator: str, left: str, right: str = "") -> Text:
    if "NoneType" in (left, right):
        return Text(
            en=f"One side of `{operator}` is None: {ORIGINS.en}.",
            zh=f"`{operator}`的一边是None：{ORIGINS.zh}。",
        )
    if METHOD in (left, right):
        return _no_brackets()
    if any(side.startswith("torch.return_types.") for side in (left, right)):
        return Text(
            en=f"`max`, `min`, `sort` or `topk` along an axis {VALUES.en}",
            zh=f"沿某一轴的`max`、`min`、`sort`、`topk`{VALUES.zh}",
        )
    return Text(
        en=f"`{operator}` does not work between {left} and {right}. A list or a tuple becomes a "
        "tensor with `torch.tensor(…)` or `torch.stack(…)`.",
        zh=f"`{operator}`不能用在{left}和{right}之间。列表或元组可用`torch.tensor(…)`或"
        "`torch.stack(…)`变成张量。",
    )


def _no_brackets() -> Text:
    return Text(
        en="A method stands here without its brackets, so it is not called: `x.cos()`, not "
        "`x.cos`; `x.size(0)`, not `x.size[0]`.",
        zh="方法名后面少了括号，没有调用：应写`x.cos()`而不是`x.cos`，`x.size(0)`而不是`x.size[0]`。",
    )


def _attribute(kind: str, name: str) -> Text:
    if kind == "NoneType":
        return Text(
            en=f"You use `.{name}` on None: {ORIGINS.en}. Test `if x is None` first.",
            zh=f"你在None上用了`.{name}`：{ORIGINS.zh}。请先判断`if x is None`。",
        )
    near = difflib.get_close_matches(name, dir(torch.Tensor), n=1) if kind == "Tensor" else []
    en = f" Did you mean `.{near[0]}`?" if near else ""
    zh = f"是不是`.{near[0]}`？" if near else ""
    return Text(en=f"A {kind} has no `.{name}`.{en}", zh=f"{kind}没有`.{name}`。{zh}")


def _holds_nothing(kind: str) -> Text:
    if kind == "NoneType":
        return Text(
            en=f"You look into None, by `[…]`, `in`, `for`, `len` or `**`: {ORIGINS.en}. "
            "The default of `.get(key, default)` is for a missing key; `.get(key) or default` is "
            "for None too.",
            zh=f"你用`[…]`、`in`、`for`、`len`或`**`去看None里面有什么：{ORIGINS.zh}。"
            "`.get(key, default)`的默认值只管键缺失；`.get(key) or default`连None也管。",
        )
    if kind == METHOD:
        return _no_brackets()
    return Text(
        en=f"You look into a value of type {kind} as if it held several, by `[…]`, `in`, `for`, "
        "`len` or `**`.",
        zh=f"{kind}类型的值里没有别的值，却用了`[…]`、`in`、`for`、`len`或`**`。",
    )


def _not_callable(kind: str) -> Text:
    return Text(
        en=f"You call something that is not a function but a {kind}: is a `*` missing before "
        "`(…)`, or does a variable have the name of a function?",
        zh=f"带`(…)`的东西不是函数，而是{kind}：是不是漏了`*`，或者变量和函数重名？",
    )


def _unpack(*counts: str) -> Text:
    return Text(
        en="The number of names to the left of `=` is not the number of values to its right. "
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


def _endless_calls() -> Text:
    return Text(
        en="A function calls itself without end. Is a variable or helper named like the function?",
        zh="函数不停地调用自己。是不是有变量或辅助函数和它重名？",
    )


KNOWN: Known = (
    (r"(\S+)\(\) missing \d+ required (?:positional|keyword-only) arguments?: (.+)", _missing),
    (r"(\S+)\(\) takes (?:from )?([\d to]+) positional arguments? but (\d+)", _too_many),
    (r"(\S+)\(\) got an unexpected keyword argument ('\w+')", _unexpected),
    (r"unsupported operand type\(s\) for (\S+?)(?: or pow\(\))?:? '([\w.]+)' and '([\w.]+)'",
     _unsupported),
    (r"'(\S+)' not supported between instances of '([\w.]+)' and '([\w.]+)'", _unsupported),
    (r"bad operand type for unary (\S+): '(NoneType)'", _unsupported),
    (r"'(\w+)' object has no attribute '(\w+)'", _attribute),
    (r"'(\w+)' object is not (?:subscriptable|iterable|a mapping)|argument of type '(\w+)' is not|"
     r"object of type '(\w+)' has no len|cannot unpack non-iterable (\w+)", _holds_nothing),
    (r"'(\w+)' object is not callable", _not_callable),
    (r"values to unpack", _unpack),
    (r"cannot access local variable '(\w+)'", _unassigned),
    (r"division by zero|float modulo|modulo by zero", _division),
    (r"maximum recursion depth", _endless_calls),
)  # fmt: skip
