"""Exercise bert_input: three look-ups, one sum, one normalisation."""

from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import layer_norm

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_shape
from autograde.kit.expect_values import expect_agreement, expect_close
from bilingual import Text

exercise = Exercise(
    id="bert_input",
    chapter="03_learned",
    title=Text(en="BERT's input", zh="BERT的输入"),
    task=Text(
        en=r"""Return $\mathrm{LayerNorm}(\text{word}+\text{segment}+\text{position})$; positions
count from 0. For each token, with mean $\mu$ and variance $\sigma^2$ over its $d$ channels
($\sigma^2$ is the mean of the squared deviations):

$$\mathrm{LayerNorm}(x)=\frac{x-\mu}{\sqrt{\sigma^2+\varepsilon}}\odot\text{gain}+\text{bias}.$$

In: `tokens`, `segments` $(B,L)$; `words` $(V,d)$; `segment_table` $(2,d)$, a row per
segment; `table` $(N,d)$; `gain`, `bias` $(d)$; `eps` is $\varepsilon$. Out: $(B,L,d)$.""",
        zh=r"""返回$\mathrm{LayerNorm}(\text{word}+\text{segment}+\text{position})$；位置从0数起。
对每个词元，用它$d$个通道的均值$\mu$和方差$\sigma^2$（$\sigma^2$是离差平方的平均）：

$$\mathrm{LayerNorm}(x)=\frac{x-\mu}{\sqrt{\sigma^2+\varepsilon}}\odot\text{gain}+\text{bias}.$$

输入：`tokens`、`segments` $(B,L)$；`words` $(V,d)$；`segment_table` $(2,d)$，每种片段一行；
`table` $(N,d)$；`gain`、`bias` $(d)$；`eps`就是$\varepsilon$。输出：$(B,L,d)$。""",
    ),
    signature="bert_input(tokens, segments, words, segment_table, table, gain, bias, eps=1e-12)"
    " -> (B, L, d)",
    points=3,
    difficulty=2,
    minutes=10,
    hints=(
        Text(
            en="First add up three look-ups. Which one needs no indices from outside?",
            zh="先把三次查表的结果加起来。哪一次查表不需要外面给的下标？",
        ),
        Text(
            en="Mean and variance run over the last axis, with `keepdim=True`; eps goes under "
            "the root.",
            zh="均值和方差都沿最后一个轴求，带上`keepdim=True`；eps在根号里面。",
        ),
        Text(
            en="`x.var(-1, keepdim=True)` divides by d − 1, with `unbiased=False` by d. Gain and "
            "bias come last, channel by channel.",
            zh="`x.var(-1, keepdim=True)`默认除以d−1，写上`unbiased=False`才除以d。"
            "最后才逐通道乘gain、加bias。",
        ),
    ),
)


@exercise.truth
def normalised_sum(
    tokens: Tensor,
    segments: Tensor,
    words: Tensor,
    segment_table: Tensor,
    table: Tensor,
    gain: Tensor,
    bias: Tensor,
    eps: float = 1e-12,
) -> Tensor:
    x = words[tokens] + segment_table[segments] + table[: tokens.shape[1]]
    return layer_norm(x, gain.shape, gain, bias, eps)


def _case(batch: int, length: int, dim: int, rng: torch.Generator) -> tuple[Tensor, ...]:
    tokens = torch.randint(7, (batch, length), generator=rng)
    first = torch.randint(length + 1, (batch, 1), generator=rng)  # tokens of the first segment
    segments = (torch.arange(length) >= first).long()
    words, segment_table, table = (
        torch.randn(rows, dim, generator=rng, dtype=torch.float64) for rows in (7, 2, length + 3)
    )
    gain, bias = torch.randn(2, dim, generator=rng, dtype=torch.float64)
    return tokens, segments, words, segment_table, table, gain, bias


@exercise.check(en="one vector per token", zh="每个词元一个向量")
def shape(answer: Function, rng: torch.Generator) -> None:
    for batch, length in ((2, 5), (1, 5), (2, 1)):
        expect_shape(answer(*_case(batch, length, 4, rng)), (batch, length, 4))


@exercise.check(
    en="with gain 1 and bias 0 every token has mean 0 and variance 1",
    zh="gain为1、bias为0时，每个词元的均值为0，方差为1",
)
def normalised(answer: Function, rng: torch.Generator) -> None:
    *inputs, gain, bias = _case(2, 6, 16, rng)
    got = answer(*inputs, torch.ones_like(gain), torch.zeros_like(bias))
    got = expect_shape(got, (2, 6, 16)).double()
    expect_close(got.mean(-1), torch.zeros(2, 6))
    expect_close((got**2).mean(-1), torch.ones(2, 6))


@exercise.check(en="equals LayerNorm of the sum", zh="等于三者之和的LayerNorm", weight=4)
def values(answer: Function, rng: torch.Generator) -> None:
    for batch, length, dim in ((2, 5, 4), (3, 8, 16), (1, 2, 6), (2, 1, 5), (1, 105, 3)):
        expect_agreement(answer, normalised_sum, *_case(batch, length, dim, rng))


@exercise.check(
    en="eps is under the root, and is 1e-12 unless a different one is passed",
    zh="eps在根号里面；不另外给出时是1e-12",
)
def epsilon(answer: Function, rng: torch.Generator) -> None:
    tokens, segments, words, segment_table, table, *rest = _case(2, 5, 4, rng)
    eps = 0.2 + torch.rand((), generator=rng).item()
    expect_agreement(
        answer, normalised_sum, tokens, segments, words, segment_table, table, *rest, eps
    )
    tiny = (1e-6 * t for t in (words, segment_table, table))
    expect_agreement(answer, normalised_sum, tokens, segments, *tiny, *rest)


def _parts(
    tokens: Tensor,
    segments: Tensor,
    words: Tensor,
    segment_table: Tensor,
    table: Tensor,
    gain: Tensor,
    bias: Tensor,
    eps: float = 1e-12,
) -> tuple[Tensor, Tensor, Tensor, tuple[Tensor, Tensor, float]]:
    """Return word, segment and position of each token, and gain, bias and eps."""
    return words[tokens], segment_table[segments], table[: tokens.shape[1]], (gain, bias, eps)


def _norm(x: Tensor, gain: Tensor | float, bias: Tensor | float, eps: float) -> Tensor:
    deviation = x - x.mean(-1, keepdim=True)
    return deviation / (deviation.square().mean(-1, keepdim=True) + eps).sqrt() * gain + bias


@exercise.misconception(
    en="The sum is not normalised. BERT applies LayerNorm to it; GPT-2 does not.",
    zh="没有归一化。BERT会对这个和做LayerNorm；GPT-2才不做。",
)
def no_norm(*inputs: Any) -> Tensor:
    word, segment, position, _ = _parts(*inputs)
    return word + segment + position


@exercise.misconception(
    en="The segment has no effect. Its row of `segment_table` is missing, or a single number was "
    "added to all channels of a token: LayerNorm takes that out again.",
    zh="片段不起作用：要么没有加`segment_table`里的那一行，"
    "要么给词元的所有通道加了同一个数，LayerNorm又把它减掉了。",
)
def no_segment(*inputs: Any) -> Tensor:
    word, _, position, rest = _parts(*inputs)
    return _norm(word + position, *rest)


@exercise.misconception(
    en="The position is missing: words in a different order give the same vectors, reordered "
    "likewise.",
    zh="漏了位置：词换个次序，得到的还是那些向量，只是跟着换了次序。",
)
def no_position(*inputs: Any) -> Tensor:
    word, segment, _, rest = _parts(*inputs)
    return _norm(word + segment, *rest)


@exercise.misconception(
    en="Only the word was normalised; segment and position were added afterwards. The norm comes "
    "after the sum of all three.",
    zh="只归一化了词，之后才加片段和位置。应当三者先相加，再归一化。",
)
def norm_of_the_word(*inputs: Any) -> Tensor:
    word, segment, position, rest = _parts(*inputs)
    return _norm(word, *rest) + segment + position


@exercise.misconception(
    en="The position was added after LayerNorm, so that it is not normalised with the rest. The "
    "norm comes after the sum of all three.",
    zh="位置是在LayerNorm之后才加的，没有和其他部分一起归一化。应当三者先相加，再归一化。",
)
def position_after_the_norm(*inputs: Any) -> Tensor:
    word, segment, position, rest = _parts(*inputs)
    return _norm(word + segment, *rest) + position


@exercise.misconception(
    en="`gain` is not used: every channel keeps the same scale, whatever training has learned.",
    zh="没有用到`gain`：不管训练学到什么，每个通道的尺度都一样。",
)
def no_gain(*inputs: Any) -> Tensor:
    word, segment, position, (_, bias, eps) = _parts(*inputs)
    return _norm(word + segment + position, 1.0, bias, eps)


@exercise.misconception(
    en="`bias` is not used: no channel is shifted, whatever training has learned.",
    zh="没有用到`bias`：不管训练学到什么，各通道都没有平移。",
)
def no_bias(*inputs: Any) -> Tensor:
    word, segment, position, (gain, _, eps) = _parts(*inputs)
    return _norm(word + segment + position, gain, 0.0, eps)


@exercise.misconception(
    en="You divided by the variance. Only its root, the standard deviation, brings the variance "
    "of the result to 1.",
    zh="你除的是方差。要让方差变成1，应当除以它的平方根，即标准差。",
)
def no_root(*inputs: Any) -> Tensor:
    word, segment, position, (gain, bias, eps) = _parts(*inputs)
    x = word + segment + position
    scale = x.var(-1, keepdim=True, unbiased=False) + eps
    return (x - x.mean(-1, keepdim=True)) / scale * gain + bias


@exercise.misconception(
    en="You took the variance with d − 1 in the denominator, the default of `torch.var` and "
    "`torch.std`. LayerNorm divides by d: `unbiased=False`.",
    zh="你求方差时除的是d−1，这是`torch.var`和`torch.std`的默认做法。LayerNorm除以d："
    "`unbiased=False`。",
)
def unbiased(*inputs: Any) -> Tensor:
    word, segment, position, (gain, bias, eps) = _parts(*inputs)
    x = word + segment + position
    scale = (x.var(-1, keepdim=True) + eps).sqrt()
    return (x - x.mean(-1, keepdim=True)) / scale * gain + bias


@exercise.misconception(
    en="You divided by σ + ε. The ε belongs under the root: √(σ² + ε).",
    zh="你除的是σ + ε。ε应在根号里面：√(σ² + ε)。",
)
def outside_the_root(*inputs: Any) -> Tensor:
    word, segment, position, (gain, bias, eps) = _parts(*inputs)
    x = word + segment + position
    scale = x.std(-1, keepdim=True, unbiased=False) + eps
    return (x - x.mean(-1, keepdim=True)) / scale * gain + bias


@exercise.misconception(
    en="Two slips at once: `x.std()` divides by d − 1 (LayerNorm by d: `unbiased=False`), and ε "
    "was added to σ. It belongs under the root: √(σ² + ε).",
    zh="一下错了两处：`x.std()`除的是d−1（LayerNorm除以d：`unbiased=False`），"
    "ε又加到了σ上。ε应在根号里面：√(σ² + ε)。",
)
def std_plus_eps(*inputs: Any) -> Tensor:
    word, segment, position, (gain, bias, eps) = _parts(*inputs)
    x = word + segment + position
    return (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + eps) * gain + bias


@exercise.misconception(
    en="Mean and variance were taken over the tokens of a text. LayerNorm works on each token "
    "alone, over its d channels.",
    zh="均值和方差是沿着一段文本的各个词元求的。LayerNorm对每个词元单独做，沿它的d个通道求。",
)
def over_the_tokens(*inputs: Any) -> Tensor:
    word, segment, position, (gain, bias, eps) = _parts(*inputs)
    x = word + segment + position
    return _norm(x.transpose(1, 2), 1.0, 0.0, eps).transpose(1, 2) * gain + bias


@exercise.misconception(
    en="Mean and variance were taken over a whole text, tokens and channels. LayerNorm works on "
    "each token alone: otherwise a token changes with its neighbours.",
    zh="均值和方差是对整段文本的所有词元和通道求的。LayerNorm对每个词元单独做：否则邻居一变，它也跟着变。",
)
def over_the_text(*inputs: Any) -> Tensor:
    word, segment, position, (gain, bias, eps) = _parts(*inputs)
    x = word + segment + position
    return _norm(x.flatten(1), 1.0, 0.0, eps).view_as(x) * gain + bias


@exercise.misconception(
    en="The argument `eps` is not used: it may differ from the default.",
    zh="没有用到参数`eps`：传进来的不一定是默认值。",
)
def eps_unused(*inputs: Any) -> Tensor:
    word, segment, position, (gain, bias, _) = _parts(*inputs)
    return layer_norm(word + segment + position, gain.shape, gain, bias)  # 1e-5 by default


@exercise.misconception(
    en="Positions start again at the second segment. In BERT they run on through the whole input.",
    zh="到了第二个片段，位置又从0数起。在BERT里，位置贯穿整个输入，一直往下数。",
)
def starts_again(*inputs: Any) -> Tensor:
    tokens, segments, _, _, table, *_ = inputs
    word, segment, _, rest = _parts(*inputs)
    before = (segments == 0).sum(1, keepdim=True)  # tokens of the first segment
    rows = torch.arange(tokens.shape[1]) - before * segments
    return _norm(word + segment + table[rows], *rest)


@exercise.misconception(
    en="Positions count from 1 here: the first token got row 1 of `table`. It is at position 0.",
    zh="你从1开始数位置：第一个词元拿到的是`table`的第1行。它的位置是0。",
)
def from_one(*inputs: Any) -> Tensor:
    word, segment, _, rest = _parts(*inputs)
    table = inputs[4]
    return _norm(word + segment + table[1 : word.shape[1] + 1], *rest)


@exercise.misconception(
    en="The sum is normalised, but neither `gain` nor `bias` is used: what training has learned "
    "for each channel is lost.",
    zh="归一化做了，但`gain`和`bias`都没有用到：训练为每个通道学到的东西就丢了。",
)
def no_gain_no_bias(*inputs: Any) -> Tensor:
    word, segment, position, (_, _, eps) = _parts(*inputs)
    return _norm(word + segment + position, 1.0, 0.0, eps)


@exercise.misconception(
    en="The mean was not subtracted: that is RMSNorm, as in Llama. LayerNorm first centres the d "
    "channels of each token.",
    zh="没有减去均值：那是Llama所用的RMSNorm。LayerNorm要先把每个词元的d个通道减去均值。",
)
def not_centred(*inputs: Any) -> Tensor:
    word, segment, position, (gain, bias, eps) = _parts(*inputs)
    x = word + segment + position
    return x / (x.square().mean(-1, keepdim=True) + eps).sqrt() * gain + bias


@exercise.misconception(
    en="Word, segment and position were normalised one by one and then added. LayerNorm comes "
    "once, after the sum: only then does the sum have variance 1.",
    zh="词、片段和位置是各自归一化之后才相加的。LayerNorm只做一次，在求和之后：这样和的方差才是1。",
)
def each_normalised(*inputs: Any) -> Tensor:
    word, segment, position, rest = _parts(*inputs)
    return _norm(word, *rest) + _norm(segment, *rest) + _norm(position, *rest)


@exercise.misconception(
    en="`bias` was added before the multiplication by `gain`, which scales it too. The gain comes "
    "first: x̂ ⊙ gain + bias.",
    zh="`bias`加在了乘`gain`之前，于是它也被缩放了。先乘gain，再加bias：x̂ ⊙ gain + bias。",
)
def bias_scaled(*inputs: Any) -> Tensor:
    word, segment, position, (gain, bias, eps) = _parts(*inputs)
    return _norm(word + segment + position, gain, gain * bias, eps)
