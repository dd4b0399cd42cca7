"""Exercise mend_temperature: the temperature of YaRN met the scores once instead of twice."""

import math

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_shape
from autograde.kit.expect_values import expect_agreement, expect_close
from bilingual import Text

exercise = Exercise(
    id="mend_temperature",
    chapter="06_rope_scaling",
    title=Text(en="Fix: the factor on q alone", zh="改错：因子只乘了q"),
    task=Text(
        en=r"""Fix `warm_scores`: the scores $qk^\top/\sqrt D$ of YaRN at stretch $s$, with q and k
each multiplied by $0.1\ln s+1$.

In: `q` and `k` of shape `(B, H, L, D)`, rotated already; `factor` is $s\ge1$. Out: shape
`(B, H, L, L)`.""",
        zh=r"""修好`warm_scores`，使它返回扩展$s$倍时YaRN的得分$qk^\top/\sqrt D$，
其中q和k各乘以$0.1\ln s+1$。

输入：`q`和`k`形状为`(B, H, L, D)`，已经旋转过；`factor`就是$s\ge1$。
输出：形状为`(B, H, L, L)`。""",
    ),
    signature="mend_temperature(q, k, factor) -> (B, H, L, L)",
    points=2,
    difficulty=2,
    minutes=5,
    hints=(
        Text(
            en="By which factor should the scores at s = 16 exceed those at s = 1: 1.277, or its "
            "square?",
            zh="s = 16的得分应当是s = 1的多少倍？1.277，还是它的平方？",
        ),
        Text(
            en="In HF's code the number multiplies cos and sin; both q and k are turned with them.",
            zh="在HF的代码里，这个数乘在cos和sin上，而q和k都用它们来旋转。",
        ),
        Text(
            en="The broken code multiplies q alone. A score has two factors, and both carry the "
            "number.",
            zh="有错的代码只乘了q。得分是两个因子的乘积，两个都要带上这个数。",
        ),
    ),
)


def _scores(q: Tensor, k: Tensor) -> Tensor:
    return q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])


def _root(factor: float) -> float:
    return 0.1 * math.log(factor) + 1


@exercise.truth
def scaled_scores(q: Tensor, k: Tensor, factor: float) -> Tensor:
    return _scores(q, k) * _root(factor) ** 2


def _qk(
    rng: torch.Generator, batch: int = 2, heads: int = 3, length: int = 5, dim: int = 16
) -> Tensor:
    return torch.randn(2, batch, length, heads, dim, generator=rng).transpose(2, 3)


@exercise.check(en="one score for every query and key", zh="每个查询和键一个得分")
def shape(answer: Function, rng: torch.Generator) -> None:
    for *sizes, dim in ((2, 3, 5, 16), (1, 1, 1, 2), (3, 1, 4, 6), (1, 2, 1, 4)):
        expect_shape(answer(*_qk(rng, *sizes, dim), 4.0), (*sizes, sizes[-1]))


@exercise.check(en="gives the plain scores at factor 1", zh="factor为1时就是普通的得分")
def plain(answer: Function, rng: torch.Generator) -> None:
    q, k = _qk(rng)
    expect_close(answer(q, k, 1.0), _scores(q, k))


@exercise.check(
    en="grows by (0.1 ln s + 1)², as both q and k are scaled",
    zh="q和k都缩放了，得分变为(0.1 ln s + 1)²倍",
    weight=4,
)
def values(answer: Function, rng: torch.Generator) -> None:
    any_size = torch.randint(2, 9, (4,), generator=rng).tolist()
    for sizes in (any_size, (1, 2, 110, 6)):
        factor = 1.5 + 30 * torch.rand((), generator=rng).item()
        expect_agreement(answer, exercise.true_answer, *_qk(rng, *sizes), factor)


@exercise.misconception(
    en="The scores grow by 0.1 ln s + 1 alone, as in the broken version: for s = 16 by 1.277 and "
    "not by 1.631. That comes of multiplying only q or only k, or each by the root: q and k each "
    "get the number itself.",
    zh="得分只变为0.1 ln s + 1倍，与有错的那个版本相同：s = 16时是1.277倍，应为1.631倍。"
    "只有q或只有k乘了这个数，或者q和k各乘了它的平方根，都会这样；q和k应当各乘这个数本身。",
)
def unchanged(q: Tensor, k: Tensor, factor: float) -> Tensor:
    return _scores(q * _root(factor), k)


@exercise.misconception(
    en="You divided: attention becomes flatter with length, the opposite of what YaRN is for.",
    zh="你用了除法：文本越长注意力越平，与YaRN的目的正好相反。",
)
def divided(q: Tensor, k: Tensor, factor: float) -> Tensor:
    return _scores(q, k) / _root(factor) ** 2


@exercise.misconception(
    en="You applied it twice over: the squared factor on q and again on k makes the fourth power, "
    "2.66 for s = 16.",
    zh="乘多了一遍：q和k各乘了平方，得分就乘了四次方，s = 16时是2.66。",
)
def fourth_power(q: Tensor, k: Tensor, factor: float) -> Tensor:
    return _scores(q, k) * _root(factor) ** 4


@exercise.misconception(
    en="The factor is gone. Then nothing counters the many more keys of a long text.",
    zh="因子没了。那样就没有什么来抵消长文本里多出来的那些键。",
)
def no_temperature(q: Tensor, k: Tensor, factor: float) -> Tensor:
    return _scores(q, k)


@exercise.misconception(
    en="One root too many: 0.1 ln s + 1 is √(1/t) already. The scores get its square, not its "
    "root.",
    zh="多开了一次根号：0.1 ln s + 1已经是√(1/t)。得分要乘它的平方，不是它的平方根。",
)
def rooted(q: Tensor, k: Tensor, factor: float) -> Tensor:
    return _scores(q, k) * _root(factor) ** 0.5


@exercise.misconception(
    en="You divided by 0.1 ln s + 1. The paper's t is what one divides by; this is √(1/t), and "
    "both q and k are multiplied by it.",
    zh="你除以了0.1 ln s + 1。论文里要除的是t；这个数是√(1/t)，q和k都要乘。",
)
def divided_once(q: Tensor, k: Tensor, factor: float) -> Tensor:
    return _scores(q, k) / _root(factor)


@exercise.misconception(
    en="√D is gone: the factor comes on top of it and does not replace it.",
    zh="√D不见了：这个因子是在它之外再乘的，不能代替它。",
)
def without_width(q: Tensor, k: Tensor, factor: float) -> Tensor:
    return _scores(q, k) * _root(factor) ** 2 * math.sqrt(q.shape[-1])


@exercise.misconception(
    en="The logarithm is to base 10. ln is the natural one: for s = 16 it is 2.77, not 1.20.",
    zh="你用了以10为底的对数。ln是自然对数：s = 16时是2.77，不是1.20。",
)
def decadic(q: Tensor, k: Tensor, factor: float) -> Tensor:
    return _scores(q, k) * (0.1 * math.log10(factor) + 1) ** 2


@exercise.misconception(
    en="The + 1 is missing: without any stretch, ln 1 = 0 would wipe out all scores.",
    zh="漏了+ 1：没有扩展时ln 1 = 0，所有得分都被抹成0。",
)
def without_one(q: Tensor, k: Tensor, factor: float) -> Tensor:
    return _scores(q, k) * (_root(factor) - 1) ** 2


@exercise.misconception(
    en="The 0.1 is missing: ln s + 1 is 3.77 for s = 16, where YaRN has 1.277.",
    zh="漏了0.1：s = 16时ln s + 1是3.77，而YaRN的是1.277。",
)
def without_tenth(q: Tensor, k: Tensor, factor: float) -> Tensor:
    return _scores(q, k) * (math.log(factor) + 1) ** 2


@exercise.misconception(
    en="Only the logarithm is squared, 0.1 (ln s)² + 1. Square the whole number: (0.1 ln s + 1)².",
    zh="只有对数取了平方，成了0.1 (ln s)² + 1。要对整个数取平方：(0.1 ln s + 1)²。",
)
def logarithm_squared(q: Tensor, k: Tensor, factor: float) -> Tensor:
    return _scores(q, k) * (0.1 * math.log(factor) ** 2 + 1)


@exercise.misconception(
    en="The scores are divided by √L, the number of tokens. Divide by √D, where D is the size of "
    "a head: a longer text must not flatten the attention.",
    zh="得分除以的是√L，即词元数的平方根。应为√D，D是头的维度：文本变长不应让注意力变平。",
)
def divided_by_length(q: Tensor, k: Tensor, factor: float) -> Tensor:
    return scaled_scores(q, k, factor) * math.sqrt(q.shape[3] / q.shape[2])


of_the_brackets = exercise.misconception(
    en="There is a + 1 inside of a bracket. 0.1 ln s + 1 is the logarithm of s itself, times 0.1, "
    "and then 1 more: at s = 1 it is 1, and the scores stay. Yours change there.",
    zh="有个+ 1写进了括号。0.1 ln s + 1是先取s本身的对数，乘0.1，最后再加1："
    "s = 1时它等于1，得分不变；你的却变了。",
)


@of_the_brackets
def one_in_the_logarithm(q: Tensor, k: Tensor, factor: float) -> Tensor:
    return _scores(q, k) * (0.1 * math.log(factor + 1)) ** 2


@of_the_brackets
def one_in_the_logarithm_too(q: Tensor, k: Tensor, factor: float) -> Tensor:
    return scaled_scores(q, k, factor + 1)


@of_the_brackets
def tenth_of_both(q: Tensor, k: Tensor, factor: float) -> Tensor:
    return _scores(q, k) * (0.1 * (math.log(factor) + 1)) ** 2


@exercise.misconception(
    en="You doubled the logarithm, 0.2 ln s + 1. It is the whole factor that is squared, once for "
    "q and once for k: (0.1 ln s + 1)².",
    zh="你把对数乘了2，成了0.2 ln s + 1。要平方的是整个因子，q一次、k一次：(0.1 ln s + 1)²。",
)
def logarithm_doubled(q: Tensor, k: Tensor, factor: float) -> Tensor:
    return _scores(q, k) * (2 * _root(factor) - 1)
