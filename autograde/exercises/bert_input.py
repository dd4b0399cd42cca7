"""Exercise bert_input: three look-ups, one sum, one normalisation."""

import torch
from torch import Tensor
from torch.nn.functional import layer_norm

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_close, expect_shape
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

In: `tokens`, `segments` $(B,L)$; `words` $(V,d)$; `kinds` $(2,d)$, the segments' rows; `table`
$(N,d)$; `gain`, `bias` $(d)$; `eps` is $\varepsilon$. Out: $(B,L,d)$.""",
        zh=r"""返回$\mathrm{LayerNorm}(\text{word}+\text{segment}+\text{position})$；位置从0数起。
对每个词元，用它$d$个通道的均值$\mu$和方差$\sigma^2$（$\sigma^2$是离差平方的平均）：

$$\mathrm{LayerNorm}(x)=\frac{x-\mu}{\sqrt{\sigma^2+\varepsilon}}\odot\text{gain}+\text{bias}.$$

输入：`tokens`、`segments` $(B,L)$；`words` $(V,d)$；`kinds` $(2,d)$是两种句段的行；
`table` $(N,d)$；`gain`、`bias` $(d)$；`eps`就是$\varepsilon$。输出：$(B,L,d)$。""",
    ),
    signature="bert_input(tokens, segments, words, kinds, table, gain, bias, eps=1e-12)"
    " -> (B, L, d)",
    points=3,
    difficulty=2,
    minutes=10,
    hints=(
        Text(
            en="First the sum of three look-ups. Which one needs no indices from outside?",
            zh="先把三次查表的结果加起来。哪一次查表不需要外面给的下标？",
        ),
        Text(
            en="Mean and variance run over the last axis, with `keepdim=True`; eps goes under "
            "the root.",
            zh="均值和方差都沿最后一维求，带上`keepdim=True`；eps在根号里面。",
        ),
        Text(
            en="`x = words[tokens] + kinds[segments] + table[:length]`, then "
            "`(x - mean) / (variance + eps).sqrt() * gain + bias`.",
            zh="`x = words[tokens] + kinds[segments] + table[:length]`，然后"
            "`(x - mean) / (variance + eps).sqrt() * gain + bias`。",
        ),
    ),
)


def _case(batch: int, length: int, dim: int, rng: torch.Generator) -> tuple[Tensor, ...]:
    tokens = torch.randint(7, (batch, length), generator=rng)
    segments = (torch.arange(length) >= length // 2).long().expand(batch, length).contiguous()
    words, table = torch.randn(2, 9, dim, generator=rng, dtype=torch.float64)
    kinds, (gain, bias) = torch.randn(2, 2, dim, generator=rng, dtype=torch.float64)
    return tokens, segments, words, kinds, table, gain, bias


def _sum(tokens: Tensor, segments: Tensor, words: Tensor, kinds: Tensor, table: Tensor) -> Tensor:
    return words[tokens] + kinds[segments] + table[: tokens.shape[1]]


def _want(given: tuple[Tensor, ...], eps: float) -> Tensor:
    return layer_norm(_sum(*given[:5]), given[2].shape[-1:], *given[5:], eps)


@exercise.check(en="one vector per token", zh="每个词元一个向量")
def shape(answer: Function, rng: torch.Generator) -> None:
    expect_shape(answer(*_case(2, 5, 4, rng)), (2, 5, 4))


@exercise.check(
    en="with gain 1 and bias 0 every token has mean 0 and variance 1",
    zh="gain为1、bias为0时，每个词元的均值为0，方差为1",
)
def normalised(answer: Function, rng: torch.Generator) -> None:
    *given, gain, bias = _case(2, 6, 16, rng)
    got = answer(*given, torch.ones_like(gain), torch.zeros_like(bias))
    got = expect_shape(got, (2, 6, 16)).double()
    expect_close(got.mean(-1), torch.zeros(2, 6))
    expect_close((got**2).mean(-1), torch.ones(2, 6))


@exercise.check(en="equals LayerNorm of the sum", zh="等于三者之和的LayerNorm", weight=4)
def values(answer: Function, rng: torch.Generator) -> None:
    for batch, length, dim in ((2, 5, 4), (3, 8, 16), (1, 2, 6)):
        given = _case(batch, length, dim, rng)
        expect_close(answer(*given), _want(given, 1e-12))


@exercise.check(
    en="eps stands under the root, and is 1e-12 unless said otherwise",
    zh="eps在根号里面；不另外给出时是1e-12",
)
def epsilon(answer: Function, rng: torch.Generator) -> None:
    given = _case(2, 5, 4, rng)
    expect_close(answer(*given, 0.5), _want(given, 0.5))
    tokens, segments, words, kinds, table, *rest = given
    tiny = (tokens, segments, *(1e-6 * t for t in (words, kinds, table)), *rest)
    expect_close(answer(*tiny), _want(tiny, 1e-12))


@exercise.misconception(
    en="The sum is not normalised. BERT applies LayerNorm to it; GPT-2 does not.",
    zh="没有归一化。BERT会对这个和做LayerNorm；GPT-2才不做。",
)
def no_norm(
    tokens: Tensor,
    segments: Tensor,
    words: Tensor,
    kinds: Tensor,
    table: Tensor,
    gain: Tensor,
    bias: Tensor,
    eps: float = 1e-12,
) -> Tensor:
    return _sum(tokens, segments, words, kinds, table)


@exercise.misconception(
    en="The segment is missing: the two sentences of a pair look alike.",
    zh="漏了句段：一对句子里的两句就分不开了。",
)
def no_segment(
    tokens: Tensor,
    segments: Tensor,
    words: Tensor,
    kinds: Tensor,
    table: Tensor,
    gain: Tensor,
    bias: Tensor,
    eps: float = 1e-12,
) -> Tensor:
    x = words[tokens] + table[: tokens.shape[1]]
    return layer_norm(x, x.shape[-1:], gain, bias, eps)


@exercise.misconception(
    en="Only the word was normalised; segment and position were added afterwards. The norm comes "
    "after the sum of all three.",
    zh="只归一化了词，之后才加句段和位置。应当三者先相加，再归一化。",
)
def norm_too_early(
    tokens: Tensor,
    segments: Tensor,
    words: Tensor,
    kinds: Tensor,
    table: Tensor,
    gain: Tensor,
    bias: Tensor,
    eps: float = 1e-12,
) -> Tensor:
    x = layer_norm(words[tokens], words.shape[-1:], gain, bias, eps)
    return x + kinds[segments] + table[: tokens.shape[1]]


@exercise.misconception(
    en="Variance with d − 1 in the denominator, the default of `torch.var` and `torch.std`. "
    "LayerNorm divides by d: `unbiased=False`.",
    zh="方差除的是d−1，这是`torch.var`和`torch.std`的默认做法。LayerNorm除以d：`unbiased=False`。",
)
def unbiased(
    tokens: Tensor,
    segments: Tensor,
    words: Tensor,
    kinds: Tensor,
    table: Tensor,
    gain: Tensor,
    bias: Tensor,
    eps: float = 1e-12,
) -> Tensor:
    x = _sum(tokens, segments, words, kinds, table)
    scale = (x.var(-1, keepdim=True) + eps).sqrt()
    return (x - x.mean(-1, keepdim=True)) / scale * gain + bias


@exercise.misconception(
    en="You divided by σ + ε. The ε stands under the root: √(σ² + ε).",
    zh="你除的是σ + ε。ε应在根号里面：√(σ² + ε)。",
)
def outside_the_root(
    tokens: Tensor,
    segments: Tensor,
    words: Tensor,
    kinds: Tensor,
    table: Tensor,
    gain: Tensor,
    bias: Tensor,
    eps: float = 1e-12,
) -> Tensor:
    x = _sum(tokens, segments, words, kinds, table)
    scale = x.std(-1, keepdim=True, unbiased=False) + eps
    return (x - x.mean(-1, keepdim=True)) / scale * gain + bias


@exercise.misconception(
    en="Mean and variance were taken over the tokens of a text. LayerNorm works on each token "
    "alone, over its d channels.",
    zh="均值和方差是沿着一段文本的各个词元求的。LayerNorm对每个词元单独做，沿它的d个通道求。",
)
def over_the_tokens(
    tokens: Tensor,
    segments: Tensor,
    words: Tensor,
    kinds: Tensor,
    table: Tensor,
    gain: Tensor,
    bias: Tensor,
    eps: float = 1e-12,
) -> Tensor:
    x = _sum(tokens, segments, words, kinds, table)
    scale = (x.var(1, keepdim=True, unbiased=False) + eps).sqrt()
    return (x - x.mean(1, keepdim=True)) / scale * gain + bias


@exercise.misconception(
    en="Two slips at once: `x.std()` divides by d − 1 (LayerNorm by d: `unbiased=False`), and ε "
    "was added to σ. It stands under the root: √(σ² + ε).",
    zh="一下错了两处：`x.std()`除的是d−1（LayerNorm除以d：`unbiased=False`），"
    "ε又加到了σ上。ε应在根号里面：√(σ² + ε)。",
)
def std_plus_eps(
    tokens: Tensor,
    segments: Tensor,
    words: Tensor,
    kinds: Tensor,
    table: Tensor,
    gain: Tensor,
    bias: Tensor,
    eps: float = 1e-12,
) -> Tensor:
    x = _sum(tokens, segments, words, kinds, table)
    return (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + eps) * gain + bias


@exercise.misconception(
    en="The argument `eps` is not used: it may be another than the default.",
    zh="没有用到参数`eps`：传进来的不一定是默认值。",
)
def eps_unused(
    tokens: Tensor,
    segments: Tensor,
    words: Tensor,
    kinds: Tensor,
    table: Tensor,
    gain: Tensor,
    bias: Tensor,
    eps: float = 1e-12,
) -> Tensor:
    x = _sum(tokens, segments, words, kinds, table)
    return layer_norm(x, x.shape[-1:], gain, bias)


@exercise.misconception(
    en="Positions start again at the second segment. In BERT they run on through the whole input.",
    zh="到了第二个句段，位置又从0数起。在BERT里，位置贯穿整个输入，一直往下数。",
)
def starts_again(
    tokens: Tensor,
    segments: Tensor,
    words: Tensor,
    kinds: Tensor,
    table: Tensor,
    gain: Tensor,
    bias: Tensor,
    eps: float = 1e-12,
) -> Tensor:
    before = (segments == 0).sum(1, keepdim=True)  # tokens of the first segment
    x = words[tokens] + kinds[segments] + table[torch.arange(tokens.shape[1]) - before * segments]
    return layer_norm(x, x.shape[-1:], gain, bias, eps)
