"""Exercise breaking_lengths: the first text length at which memory, and angles, give out."""

from __future__ import annotations

import math
from typing import Any

import torch

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import excerpt, expect
from bilingual import Text

exercise = Exercise(
    id="breaking_lengths",
    chapter="11_choose",
    title=Text(en="What breaks first", zh="先坏的是哪一样"),
    task=Text(
        en=r"""A RoPE model reads longer and longer texts. Return two lengths in tokens, each the
**first** that is too long, or `math.inf` if no length is:

1. *memory*: the KV cache needs more than `memory` bytes;
2. *angles*: look at each layer and each pair. If the pair stayed below a full turn there in
training (its largest angle was less than $2\pi$), a text is too long once the key, seen from the
query, is at a larger angle than that. Pairs that completed a turn do not count.

`model` is a dictionary. `windows` has a number for each layer: how many keys a query sees, the key
of its own token among them, and how many the cache keeps; None means all. `kv_heads`, `head_dim`
($D$), `bytes_each` (of one number). `trained`: the length of each training text (all are equally
long). Pair $i$ turned by $b^{-2i/D}$ per token in training, $b$ being `base`, and turns by
$b'^{-2i/D}/s$ now, $b'$ being `used_base` and $s$ `factor`. Windows were the same in training. A
text of $L$ tokens has distances from 0 to $L-1$. Count an angle as larger only if it exceeds the
other by more than a factor of $1+10^{-9}$: equal angles may be computed in two ways.""",
        zh=r"""一个RoPE模型读的文本越来越长。返回两个长度（词元数），都是**最短的超限长度**，
即从这个长度起就不行了；永远不超限则为`math.inf`：

1. *显存*：KV缓存超过`memory`字节；
2. *角度*：逐层逐对来看。若这一对训练时在这一层没有转满一圈（最大角度小于$2\pi$），
那么现在键相对于查询的角度一旦超过那个最大角度，就算超限；转满过的不算。

`model`是一个字典。`windows`给每层一个数：一个查询看得到多少个键（包括它自己那个词元的键），
缓存也只留这么多；None表示全部。`kv_heads`、`head_dim`（$D$）、`bytes_each`（一个数占几个字节）。
`trained`：训练文本的长度，各篇都一样长。训练时第$i$对每个词元转$b^{-2i/D}$，$b$是`base`；
现在转$b'^{-2i/D}/s$，$b'$是`used_base`，$s$是`factor`。训练时窗口也一样。
$L$个词元的文本，距离从0到$L-1$。两个角度之比不超过$1+10^{-9}$的，按相等算：
同一个角度用两种算法算出来，末位可能不同。""",
    ),
    signature="breaking_lengths(model, memory) -> (length, length)",
    points=3,
    difficulty=4,
    minutes=22,
    hints=(
        Text(
            en="Memory first, for one layer: how many rows has its cache at length L, with a "
            "window and without? The sum over the layers grows by fewer rows each time a window "
            "is full.",
            zh="先算显存，先看一层：长度为L时，有窗口、没有窗口，缓存各有多少行？"
            "各层加起来，每满一个窗口，增长就慢一截。",
        ),
        Text(
            en="You need not solve anything: double L until the cache is too large, then halve the "
            "interval. It never is if all windows together fit.",
            zh="不必解方程：先把L翻倍，直到放不下，再二分。所有窗口合起来都放得下，就永远放得下。",
        ),
        Text(
            en="Angles, for one layer and one pair: the largest of training is ω · (m − 1), m "
            "being the trained length or the window, whichever is smaller. Which is the first "
            "whole distance d with ω' · d above it? The text that has this distance is one longer.",
            zh="再算角度，先看一层、一对：训练中最大的角度是ω · (m − 1)，"
            "m是训练长度与窗口中较小的一个。第一个让ω' · d超过它的整数距离d是多少？"
            "有这个距离的文本，长度还要加1。",
        ),
        Text(
            en="Of the pairs that did not go round, the smallest d counts; it is not always that "
            "of the slowest. In a layer with a window, d must be below the window to occur at all.",
            zh="没转满一圈的各对里，以d最小的为准，它不一定是最低频的那一对。有窗口的层，"
            "d小于窗口才会出现。",
        ),
    ),
)

Lengths = tuple[float, float]


def _rows(windows: list[int | None], length: float) -> float:
    return sum(length if window is None else min(length, window) for window in windows)


def _memory(
    model: dict[str, Any], memory: int, *, numbers: int = 2, windows: list[int | None] | None = None
) -> float:
    """Return the first length whose cache needs more bytes than there are."""
    windows = model["windows"] if windows is None else windows
    fitting = memory // (numbers * model["kv_heads"] * model["head_dim"] * model["bytes_each"])
    if None not in windows and _rows(windows, math.inf) <= fitting:
        return math.inf
    low, high = 0, 1  # low fits
    while _rows(windows, high) <= fitting:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _rows(windows, middle) <= fitting else (low, middle)
    return high


def _angles(
    model: dict[str, Any],
    *,
    longest: int | None = None,  # the length of training texts, as counted
    windows: list[int | None] | None = None,
    training_windows: bool = True,
    around: float = 2 * math.pi,
    slack: float = 1e-9,
    up_to: float = 0.0,  # an angle that counts as seen, even if training did not reach it
    slowest: bool = False,  # that pair alone counts
    beyond_window: int = 0,
) -> float:
    """Return the first length with an angle that training did not show."""
    pairs = torch.arange(0, model["head_dim"], 2, dtype=torch.float64) / model["head_dim"]
    before, now = model["base"] ** -pairs, model["used_base"] ** -pairs / model["factor"]
    trained = model["trained"] if longest is None else longest
    first = math.inf
    for window in model["windows"] if windows is None else windows:
        reach = math.inf if window is None else window
        seen = before * (min(trained, reach if training_windows else trained) - 1)
        beyond = (seen.clamp(min=up_to) * (1 + slack) / now).floor() + 1  # (D/2,) distances
        new = beyond[-1:][seen[-1:] < around] if slowest else beyond[seen < around]
        distance = new.min().item() if len(new) else math.inf
        first = min(first, distance + 1 if distance < reach + beyond_window else math.inf)
    return first if math.isinf(first) else int(first)


@exercise.truth
def both(model: dict[str, Any], memory: int) -> Lengths:
    """Return the first length too long for the memory, and for the angles."""
    return _memory(model, memory), _angles(model)


def _model(**changes: Any) -> dict[str, Any]:
    model = {"windows": [None, None], "kv_heads": 2, "head_dim": 16, "bytes_each": 2}
    model |= {"trained": 512, "base": 10000.0, "used_base": 10000.0, "factor": 1.0}
    return model | changes


def _expect(answer: Function, which: int, model: dict[str, Any], memory: int) -> None:
    got, want = answer(model, memory), exercise.true_answer(model, memory)
    pair = isinstance(got, tuple | list) and len(got) == 2
    expect(
        pair,
        f"it returned {excerpt(got)}, expected two lengths",
        f"返回了{excerpt(got)}，应为两个长度",
    )
    expect(
        got[which] == want[which],
        f"for model = {model} and memory = {memory} yours is {excerpt(got[which])}, expected "
        f"{want[which]}",
        f"model = {model}、memory = {memory}时，你的结果是{excerpt(got[which])}，应为{want[which]}",
    )


def _several(low: int, high: int, count: int, rng: torch.Generator) -> list[int]:
    return torch.randint(low, high, (count,), generator=rng).tolist()


@exercise.check(en="memory, every layer sees all", zh="显存：每层都看全部")
def memory_alone(answer: Function, rng: torch.Generator) -> None:
    layers, kv_heads, length, rest = _several(3, 40, 4, rng)
    each = 2 * kv_heads * 16 * 4
    model = _model(windows=[None] * layers, kv_heads=kv_heads, bytes_each=4)
    _expect(answer, 0, model, each * layers * length + rest)  # the last that fits, and a rest
    _expect(answer, 0, model, each * layers * length)
    _expect(answer, 0, _model(head_dim=64, trained=100), 10**9)
    _expect(answer, 0, _model(), 1)


@exercise.check(en="memory, layers with windows", zh="显存：有窗口的层", weight=2)
def memory_windows(answer: Function, rng: torch.Generator) -> None:
    small, large, length = torch.tensor(_several(5, 400, 3, rng)).cumsum(0).tolist()
    mixed = _model(windows=[small, None, large, small, None])
    for tokens in (small - 1, small + 1, (small + large) // 2, length + 1000):
        _expect(answer, 0, mixed, 128 * int(_rows(mixed["windows"], tokens)) + 1)
    only = _model(windows=[small, large])
    for memory in (128 * (small + large), 128 * (small + large) - 1, 10**9):
        _expect(answer, 0, only, memory)


@exercise.check(en="angles without scaling", zh="角度：没有缩放")
def angles_plain(answer: Function, rng: torch.Generator) -> None:
    trained, half = _several(200, 3000, 2, rng)
    for dim in (16, 2 * (4 + half % 30), 128):
        _expect(answer, 1, _model(trained=trained, head_dim=dim), 10**7)
    _expect(answer, 1, _model(base=20.0, used_base=20.0), 10**7)  # all have gone round
    _expect(answer, 1, _model(trained=1, head_dim=2), 10**7)


@exercise.check(en="angles with a different base or factor", zh="角度：换了base或倍数", weight=3)
def angles_scaled(answer: Function, rng: torch.Generator) -> None:
    trained, tenths, thousands = _several(21, 90, 3, rng)
    trained *= 10
    _expect(answer, 1, _model(trained=trained, factor=4.0, head_dim=64), 10**7)
    _expect(answer, 1, _model(trained=trained, factor=tenths / 9, head_dim=32), 10**7)
    raised = {"used_base": 10000.0 + 1000.0 * thousands}
    _expect(answer, 1, _model(trained=trained, head_dim=64, **raised), 10**7)
    _expect(answer, 1, _model(trained=trained, head_dim=128, factor=2.0, **raised), 10**7)
    _expect(answer, 1, _model(trained=trained, head_dim=32, base=500000.0), 10**7)  # too low


@exercise.check(en="angles in layers with windows", zh="角度：有窗口的层", weight=2)
def angles_windows(answer: Function, rng: torch.Generator) -> None:
    window, trained = torch.tensor(_several(20, 400, 2, rng)).cumsum(0).tolist()
    _expect(answer, 1, _model(windows=[window, window], trained=trained), 10**7)
    _expect(answer, 1, _model(windows=[window, None], trained=trained, factor=2.0), 10**7)
    _expect(answer, 1, _model(windows=[3 * trained], trained=trained, factor=2.0), 10**7)
    _expect(answer, 1, _model(windows=[3 * trained], trained=trained, factor=3.0), 10**7)
    just_safe = 3 * trained - 2  # no distance is beyond 3 (trained - 1)
    _expect(answer, 1, _model(windows=[just_safe], trained=trained, factor=3.0), 10**7)
    low = {"base": 500000.0, "used_base": 10000.0, "head_dim": 32}
    _expect(answer, 1, _model(windows=[window], trained=trained, **low), 10**7)
    for windows in ([window, None], [None, window]):
        _expect(answer, 1, _model(windows=windows, trained=trained, **low), 10**7)
    double = {"used_base": 20000.0, "head_dim": 64}  # some pairs stay below the window, some not
    between = trained * 17 // 10
    _expect(answer, 1, _model(windows=[between], trained=trained, **double), 10**7)


@exercise.misconception(
    en="You return the last length that still fits in memory. The task asks for the first "
    "that does not.",
    zh="显存一项，你给的是还放得下的最后一个长度。要的是第一个放不下的。",
)
def last_that_fits(model: dict[str, Any], memory: int) -> Lengths:
    return _memory(model, memory) - 1, _angles(model)


@exercise.misconception(
    en="You count the cache once. Keys and values are both kept: two numbers for each channel.",
    zh="缓存你只算了一份。键和值都要存：每个通道两个数。",
)
def keys_alone(model: dict[str, Any], memory: int) -> Lengths:
    return _memory(model, memory, numbers=1), _angles(model)


@exercise.misconception(
    en="A cache that needs exactly the memory that is there still fits: only more than `memory` "
    "is too much.",
    zh="缓存恰好用完显存时还放得下：超过`memory`才算放不下。",
)
def full_is_too_much(model: dict[str, Any], memory: int) -> Lengths:
    return _memory(model, memory - 1), _angles(model)


@exercise.misconception(
    en="For memory, you let the layers with a window grow like the others. They keep `window` "
    "rows, and no more.",
    zh="算显存时，有窗口的层你也让它一直增长。它最多只留`window`行。",
)
def windows_forgotten(model: dict[str, Any], memory: int) -> Lengths:
    return _memory(model, memory, windows=[None] * len(model["windows"])), _angles(model)


@exercise.misconception(
    en="You leave the layers with a window out of the cache. They fill up to their window.",
    zh="你没有把有窗口的层算进缓存。它们也要存，直到窗口装满。",
)
def windows_for_nothing(model: dict[str, Any], memory: int) -> Lengths:
    full = [window for window in model["windows"] if window is None]
    return _memory(model, memory, windows=full) if full else math.inf, _angles(model)


@exercise.misconception(
    en="You return the distance of the first new angle. A text that has distance d is d + 1 tokens "
    "long.",
    zh="角度一项，你给的是第一个新角度的距离。距离为d，文本就有d + 1个词元。",
)
def distance_for_length(model: dict[str, Any], memory: int) -> Lengths:
    return _memory(model, memory), _angles(model) - 1


@exercise.misconception(
    en="A text of `trained` tokens has distances up to trained − 1, so no pair turned by "
    "ω · trained in training.",
    zh="`trained`个词元的文本，距离最大是trained − 1，训练中没有哪一对转到过ω · trained。",
)
def distance_trained(model: dict[str, Any], memory: int) -> Lengths:
    return _memory(model, memory), _angles(model, longest=model["trained"] + 1)


@exercise.misconception(
    en="You count the pairs that have gone all the way round. They have met every angle.",
    zh="已经转满一圈的对你也算进去了。它们什么角度都见过。",
)
def circles_forgotten(model: dict[str, Any], memory: int) -> Lengths:
    return _memory(model, memory), _angles(model, around=math.inf)


@exercise.misconception(
    en="You look at the slowest pair alone. With a larger base the faster ones are slowed less, so "
    "a faster one that never went round meets its new angle earlier.",
    zh="你只看了最低频的那一对。base调大时，频率越高的对放慢得越少，"
    "没转满一圈的对里，频率较高的反而先遇到新角度。",
)
def slowest_alone(model: dict[str, Any], memory: int) -> Lengths:
    return _memory(model, memory), _angles(model, slowest=True)


@exercise.misconception(
    en="You look at the slowest pair alone, and at that even where it went all the way round. Of "
    "the pairs that did not, the first to meet a new angle counts; one that did has met them all.",
    zh="你只看了最低频的那一对，而且它转满了一圈你也照算。没转满一圈的各对都要看，"
    "以最先遇到新角度的为准；转满了的，什么角度都见过。",
)
def slowest_whatever_it_met(model: dict[str, Any], memory: int) -> Lengths:
    return _memory(model, memory), _angles(model, slowest=True, around=math.inf)


@exercise.misconception(
    en="You return the last length that still works, for memory and for angles. The task asks for "
    "the first that is too long: one more each.",
    zh="显存和角度两项，你给的都是还能用的最后一个长度。要的是第一个不行的，各大1。",
)
def last_that_works(model: dict[str, Any], memory: int) -> Lengths:
    return _memory(model, memory) - 1, _angles(model) - 1


@exercise.misconception(
    en="You do not look at `factor`: divided by s, an angle needs s times the distance.",
    zh="你没有用到`factor`：角度除以了s，就要s倍的距离才达到。",
)
def factor_forgotten(model: dict[str, Any], memory: int) -> Lengths:
    return _memory(model, memory), _angles(model | {"factor": 1.0})


@exercise.misconception(
    en="You do not look at `used_base`: the model runs with it, whatever it was trained with.",
    zh="你没有用到`used_base`：不管训练时用的是哪个base，现在跑的是它。",
)
def base_kept(model: dict[str, Any], memory: int) -> Lengths:
    return _memory(model, memory), _angles(model | {"used_base": model["base"]})


@exercise.misconception(
    en="For the angles you do not look at the windows: a layer with a window never has a distance "
    "of `window` or more.",
    zh="算角度时你没有看窗口：有窗口的层，距离永远到不了`window`。",
)
def angles_without_windows(model: dict[str, Any], memory: int) -> Lengths:
    return _memory(model, memory), _angles(model, windows=[None] * len(model["windows"]))


@exercise.misconception(
    en="You take a layer with a window to be safe. If the window is wider than the training texts "
    "were, or the pairs turn faster than in training, it too meets new angles.",
    zh="你认为有窗口的层总是安全的。窗口比训练文本还宽，或者现在转得比训练时快，它同样会遇到新角度。",
)
def windows_are_safe(model: dict[str, Any], memory: int) -> Lengths:
    full = [window for window in model["windows"] if window is None]
    return _memory(model, memory), _angles(model, windows=full)


@exercise.misconception(
    en="In training, too, a layer with a window had no distance beyond it: its largest angle is "
    "that of window − 1.",
    zh="训练时，有窗口的层同样没有超出窗口的距离：它的最大角度是window − 1处的角度。",
)
def no_windows_in_training(model: dict[str, Any], memory: int) -> Lengths:
    return _memory(model, memory), _angles(model, training_windows=False)


@exercise.misconception(
    en="You take it that s times the trained length is fine and the next token is not. The "
    "distances are what is stretched: the largest of training is trained − 1.",
    zh="你认为训练长度的s倍以内都没问题，多一个就不行。"
    "拉长的是距离，训练中最大的距离是trained − 1。",
)
def times_the_factor(model: dict[str, Any], memory: int) -> Lengths:
    right = _angles(model)
    longer = math.floor(model["factor"] * model["trained"]) + 1
    return _memory(model, memory), right if math.isinf(right) else longer


@exercise.misconception(
    en="You divide and round down: equal angles, computed in two ways, come out as a distance too "
    "small by one. Leave room for rounding, or compare products.",
    zh="你做了除法再向下取整：同一个角度用两种算法算，会得到小1的距离。给舍入留点余地，或者比较乘积。",
)
def rounded_down(model: dict[str, Any], memory: int) -> Lengths:
    return _memory(model, memory), _angles(model, slack=-1e-12)


@exercise.misconception(
    en="You count numbers, not bytes: each takes `bytes_each`.",
    zh="你数的是数的个数，不是字节数：每个数占`bytes_each`个字节。",
)
def numbers_for_bytes(model: dict[str, Any], memory: int) -> Lengths:
    return _memory(model | {"bytes_each": 1}, memory), _angles(model)


@exercise.misconception(
    en="You let a pair off after half a turn. It has met all angles after a whole one, 2π.",
    zh="转了半圈的对，你就不算了。要转满一圈，2π，才算什么角度都见过。",
)
def half_a_turn(model: dict[str, Any], memory: int) -> Lengths:
    return _memory(model, memory), _angles(model, around=math.pi)


@exercise.misconception(
    en="You multiply the frequencies by `factor`. It divides them: pairs turn more slowly now.",
    zh="你把频率乘了`factor`。应当是除：现在各对转得更慢。",
)
def factor_multiplied(model: dict[str, Any], memory: int) -> Lengths:
    return _memory(model, memory), _angles(model | {"factor": 1 / model["factor"]})


one_distance_too_many = exercise.misconception(
    en="You allow a window one distance too many. Of `window` keys one is the token's own: the "
    "largest distance is window − 1.",
    zh="窗口里的距离你多放了一个。`window`个键里有一个是词元自己的，距离最大是window − 1。",
)


@one_distance_too_many
def window_reached(model: dict[str, Any], memory: int) -> Lengths:
    return _memory(model, memory), _angles(model, beyond_window=1)


@one_distance_too_many
def window_reached_in_training_too(model: dict[str, Any], memory: int) -> Lengths:
    wider = [None if window is None else window + 1 for window in model["windows"]]
    return _memory(model, memory), _angles(model, windows=wider)


@exercise.misconception(
    en="You let a pair that stayed below a full turn go on to 2π. It is new from the largest angle "
    "of training onwards, however small that was.",
    zh="没转满一圈的对，你一直放到2π才算超限。训练中最大的角度不管多小，超过它就是没见过的角度。",
)
def up_to_a_full_turn(model: dict[str, Any], memory: int) -> Lengths:
    return _memory(model, memory), _angles(model, up_to=2 * math.pi)


@exercise.misconception(
    en="The two lengths are exchanged: memory should come first.",
    zh="两个长度写反了：应当显存在前。",
)
def exchanged(model: dict[str, Any], memory: int) -> Lengths:
    return _angles(model), _memory(model, memory)
