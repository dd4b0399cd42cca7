"""Exercise mend_decode_padded: the length of the cache taken for a position."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_shape
from autograde.kit.expect_values import expect_agreement, expect_close
from bilingual import Text

exercise = Exercise(
    id="mend_decode_padded",
    chapter="03_learned",
    title=Text(en="Fix: the first new token", zh="改错：第一个新词元"),
    task=Text(
        en=r"""Fix `counts_the_cache`: return the positions of the tokens that a model generates
after a batch of prompts which were padded on the left. The first new token of a row goes on from
the *tokens* of that row.

In: `mask` $(B,L)$, booleans, true at the tokens of the prompts; `new`, how many tokens were
generated. Out: integers, shape $(B,\text{new})$.""",
        zh=r"""修好`counts_the_cache`：一批prompt（提示词）做了左填充，返回模型随后生成的词元的位置。
每一行的第一个新词元，要接着这一行的*词元*往下数。

输入：`mask` $(B,L)$，布尔型，prompt的词元处为真；`new`是生成了多少个词元。
输出：整数，形状为$(B,\text{new})$。""",
    ),
    signature="mend_decode_padded(mask, new) -> (B, new)",
    points=2,
    difficulty=2,
    minutes=6,
    hints=(
        Text(
            en="A prompt of 3 tokens uses positions 0, 1, 2, however wide the batch is. What "
            "comes next?",
            zh="3个词元的prompt占用位置0、1、2，不管批次有多宽。下一个是几？",
        ),
        Text(
            en="Count the true entries of each row, then go on: n, n + 1, n + 2, ….",
            zh="数出每一行有几个真，接着往下：n、n + 1、n + 2……。",
        ),
        Text(
            en="The counts as a column (B, 1) and the steps as a row (new,) broadcast to (B, new).",
            zh="个数写成一列(B, 1)，步数写成一行(new,)，会广播成(B, new)。",
        ),
    ),
)


@exercise.truth
def after_its_tokens(mask: Tensor, new: int) -> Tensor:
    return torch.tensor([[sum(row) + step for step in range(new)] for row in mask.tolist()])


def _mask(batch: int, length: int, rng: torch.Generator) -> Tensor:
    """Return a mask of prompts that end together, the first neither the longest nor the shortest.

    Of two it is the longer.
    """
    tokens = torch.randint(2, max(length, 3), (batch, 1), generator=rng).clamp(max=length)
    tokens[1:2] = length if batch > 2 else 1
    tokens[2:] = 1
    return torch.arange(length) >= length - tokens


@exercise.check(
    en="one position per new token in each row, as integers",
    zh="每一行的每个新词元一个位置，都是整数",
)
def shape(answer: Function, rng: torch.Generator) -> None:
    for batch, new in ((3, 4), (1, 4), (3, 1)):
        got = expect_shape(answer(_mask(batch, 5, rng), new), (batch, new))
        expect(
            not got.is_floating_point(),
            f"the dtype is {got.dtype}: only integers can look up rows of a table",
            f"dtype为{got.dtype}：只有整数才能用来查表",
        )


@exercise.check(
    en="each row goes on from the number of its own tokens",
    zh="每一行接着自己的词元个数往下数",
    weight=3,
)
def values(answer: Function, rng: torch.Generator) -> None:
    for batch, length, new in ((3, 6, 2), (2, 5, 4), (1, 4, 1), (2, 1, 3), (3, 140, 101)):
        expect_agreement(answer, after_its_tokens, _mask(batch, length, rng), new, rtol=0.0)


@exercise.check(
    en="more padding on the left changes nothing", zh="左边再多填充一些，结果不变", weight=2
)
def more_padding(answer: Function, rng: torch.Generator) -> None:
    mask = _mask(3, 5, rng)
    padding = torch.zeros(3, int(torch.randint(2, 9, (), generator=rng)), dtype=torch.bool)
    got = answer(torch.cat((padding, mask), dim=1), 2)
    expect_close(got, after_its_tokens(mask, 2), rtol=0.0)


@exercise.misconception(
    en="Still the broken version: the length of the cache counts padding. A row with n places of "
    "padding leaves a gap of n rows before its next token.",
    zh="还是有错的那个版本：缓存的长度把填充也算了进去。某一行有n处填充，下一个词元就会跳过n行。",
)
def unchanged(mask: Tensor, new: int) -> Tensor:
    return (mask.shape[1] + torch.arange(new)).expand(len(mask), new).contiguous()


@exercise.misconception(
    en="The new tokens start at 0 again, as if the prompt were not there.",
    zh="新词元又从0数起，好像prompt不存在一样。",
)
def starts_again(mask: Tensor, new: int) -> Tensor:
    return torch.arange(new).expand(len(mask), new).contiguous()


@exercise.misconception(
    en="One too far: n tokens are at 0 … n − 1, so the next is at n.",
    zh="多了1：n个词元占了0到n−1，下一个就是n。",
)
def one_too_far(mask: Tensor, new: int) -> Tensor:
    return mask.sum(1, keepdim=True) + 1 + torch.arange(new)


@exercise.misconception(
    en="One too few: the first new token got the position of the last token of the prompt.",
    zh="少了1：第一个新词元的位置，和prompt的最后一个词元重了。",
)
def one_too_few(mask: Tensor, new: int) -> Tensor:
    return mask.sum(1, keepdim=True) - 1 + torch.arange(new)


@exercise.misconception(
    en="All rows go on from the shortest prompt. Each row has a length of its own.",
    zh="所有行都接着最短的prompt往下数。每一行有自己的长度。",
)
def shortest(mask: Tensor, new: int) -> Tensor:
    return (mask.sum(1).min() + torch.arange(new)).expand(len(mask), new).contiguous()


@exercise.misconception(
    en="All rows go on from the longest prompt. Each row has a length of its own.",
    zh="所有行都接着最长的prompt往下数。每一行有自己的长度。",
)
def longest(mask: Tensor, new: int) -> Tensor:
    return (mask.sum(1).max() + torch.arange(new)).expand(len(mask), new).contiguous()


@exercise.misconception(
    en="`mask.sum()` without an axis counts the tokens of the whole batch. Each row has a length "
    "of its own.",
    zh="`mask.sum()`没有指定沿哪个轴，数的是整个批次的词元。每一行有自己的长度。",
)
def whole_batch(mask: Tensor, new: int) -> Tensor:
    return (mask.sum() + torch.arange(new)).expand(len(mask), new).contiguous()


@exercise.misconception(
    en="All new tokens of a row got the same position. They go on one by one: n, n + 1, n + 2, ….",
    zh="一行里所有新词元的位置都一样。它们要一个接一个往下数：n、n + 1、n + 2……。",
)
def all_at_one_place(mask: Tensor, new: int) -> Tensor:
    return mask.sum(1, keepdim=True).expand(len(mask), new).contiguous()


@exercise.misconception(
    en="You counted the padding instead of the tokens: `mask` is true at tokens.",
    zh="你数的是填充，而不是词元：`mask`在词元处为真。",
)
def counts_padding(mask: Tensor, new: int) -> Tensor:
    return (~mask).sum(1, keepdim=True) + torch.arange(new)


down_axis_0 = exercise.misconception(
    en="The sum runs down the batch, axis 0: it counts the rows that have a token at each place. "
    "Sum along the text, axis 1.",
    zh="求和沿着批次（第0轴）做了：数的是每一处有几行是词元。应沿着文本（第1轴）求和。",
)


@down_axis_0
def down_the_batch(mask: Tensor, new: int) -> Tensor:
    return mask.sum(0)[:, None] + torch.arange(new)


@down_axis_0
def running_down_the_batch(mask: Tensor, new: int) -> Tensor:
    return mask.cumsum(0)[:, -1:] + torch.arange(new)


with_the_prompt = exercise.misconception(
    en="The positions of the prompt came back as well. Return those of the `new` tokens alone.",
    zh="连prompt的位置也返回了。只返回`new`个新词元的位置。",
)


@with_the_prompt
def prompt_as_well(mask: Tensor, new: int) -> Tensor:
    return prompt_as_well_unclamped(mask, new).clamp(min=0)


@with_the_prompt
def prompt_as_well_unclamped(mask: Tensor, new: int) -> Tensor:
    every = torch.cat((mask, mask.new_ones(len(mask), new)), dim=1)
    return every.long().cumsum(1) - 1
