"""Exercise mend_channel_sections: sections cut over channels tear the pairs apart."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_effect, expect_shape
from autograde.kit.expect_values import expect_agreement, expect_close
from bilingual import Text

exercise = Exercise(
    id="mend_channel_sections",
    chapter="10_beyond_1d",
    title=Text(en="Fix: torn pairs", zh="改错：被拆散的对"),
    task=Text(
        en=r"""Fix `torn_sections`: return the angle of every *channel* in the half-split layout,
where channels $i$ and $i+D/2$ are a pair. The first pairs turn by time, the next by height, the
last by width.

In: `angles` of shape `(3, …, D/2)`: the angle of each pair, were it to turn by time, by height, by
width; `sections`: how many pairs belong to each. Out: shape `(…, D)`.""",
        zh=r"""修好`torn_sections`：返回前后半排布下每个*通道*的角度，通道$i$与$i+D/2$为一对。
最前面的对按时间转，接着的按高，最后的按宽。

输入：`angles`形状为`(3, …, D/2)`：每一对若按时间、按高、按宽转动，角度各是多少；
`sections`：三个轴各有几对。输出：形状为`(…, D)`。""",
    ),
    signature="mend_channel_sections(angles, sections) -> (…, D)",
    points=2,
    difficulty=3,
    minutes=8,
    hints=(
        Text(
            en="The two channels of a pair must turn by one angle. Which axis does channel 0 "
            "follow "
            "in the broken version, which channel D/2?",
            zh="一对的两个通道必须转同一个角度。在有错的版本里，通道0跟着哪个轴，"
            "通道D/2又跟着哪个轴？",
        ),
        Text(
            en="Choose an axis for each *pair* first, and make channels of pairs afterwards.",
            zh="先给每一*对*选轴，再由对变成通道。",
        ),
        Text(
            en="`angles.split(sections, dim=-1)` cuts the D/2 pairs; take `part[axis]` of each, "
            "join them to (…, D/2), and append a second copy of the result.",
            zh="`angles.split(sections, dim=-1)`切的是D/2对；各取`part[axis]`，拼成(…, D/2)，"
            "再把结果在自己后面接一遍。",
        ),
    ),
)


@exercise.truth
def pair_by_pair(angles: Tensor, sections: tuple[int, ...]) -> Tensor:
    """Return the angle of each pair, by its axis, for both of its channels."""
    axes = torch.repeat_interleave(torch.arange(3), torch.tensor(sections))
    pairs = torch.stack([angles[axis, ..., i] for i, axis in enumerate(axes.tolist())], dim=-1)
    return torch.cat((pairs, pairs), dim=-1)


def _cases(rng: torch.Generator) -> list[tuple[Tensor, tuple[int, ...]]]:
    """Return angles, not contiguous, of several shapes, and sections of which no two are equal."""
    low, *more = torch.randint(1, 4, (3,), generator=rng).tolist()
    sizes = [low, low + more[0], low + more[0] + more[1]]
    order = torch.randperm(3, generator=rng).tolist()
    drawn = tuple(sizes[i] for i in order)
    cases = (((1,), (16, 24, 24)), ((4,), drawn), ((2, 5), drawn), ((), drawn), ((210,), (1, 1, 1)))
    return [
        (torch.randn(sum(sections), *before, 3, generator=rng).movedim((0, -1), (-1, 0)), sections)
        for before, sections in cases
    ]


@exercise.check(en="one angle for every channel", zh="每个通道一个角度")
def shape(answer: Function, rng: torch.Generator) -> None:
    expect_shape(answer(torch.randn(3, 4, 6, generator=rng), (2, 1, 3)), (4, 12))


@exercise.check(
    en="both channels of a pair turn by one angle", zh="一对的两个通道转同一个角度", weight=2
)
def pairs_hold(answer: Function, rng: torch.Generator) -> None:
    for angles, sections in _cases(rng):
        channels = *angles.shape[1:-1], 2 * sum(sections)
        first, second = expect_effect(answer(angles, sections), channels).chunk(2, -1)
        expect_close(second, first.detach().clone())


@exercise.check(
    en="time, then height, then width, as the sections say",
    zh="先时间，再高，再宽，按轴分配",
    weight=4,
)
def values(answer: Function, rng: torch.Generator) -> None:
    for case in _cases(rng):
        expect_agreement(answer, exercise.true_answer, *case)


@exercise.misconception(
    en="Still the broken version: the sections are cut over channels, so that the two channels of "
    "a "
    "pair follow different axes. That is not a rotation.",
    zh="还是有错的那个版本：轴分配切在了通道上，一对的两个通道跟着不同的轴，那就不是旋转了。",
)
def unchanged(angles: Tensor, sections: tuple[int, ...]) -> Tensor:
    doubled = torch.cat((angles, angles), dim=-1)
    parts = doubled.split([2 * n for n in sections], dim=-1)
    return torch.cat([part[axis] for axis, part in enumerate(parts)], dim=-1)


@exercise.misconception(
    en="This would be right if the neighbours 2i and 2i + 1 were a pair. In the half-split layout "
    "the partner of channel i is i + D/2.",
    zh="若相邻的通道2i与2i + 1为一对，这样才对。前后半排布里，通道i的同伴是i + D/2。",
)
def neighbours(angles: Tensor, sections: tuple[int, ...]) -> Tensor:
    return pair_by_pair(angles, sections).chunk(2, dim=-1)[0].repeat_interleave(2, dim=-1)


@exercise.misconception(
    en="The axes are in reverse order: the first, fastest pairs belong to time.",
    zh="轴的顺序反了：最前面的高频对属于时间。",
)
def reversed_axes(angles: Tensor, sections: tuple[int, ...]) -> Tensor:
    return pair_by_pair(angles.flip(0), sections)


@exercise.misconception(
    en="Every section takes the *first* frequencies again. The frequencies go on: pair i keeps "
    "its "
    "own, only the position comes from another axis.",
    zh="每一份都重新从*最前面*的频率取起。频率是接着往下的：第i对用自己的频率，"
    "只是位置换成了另一个轴的。",
)
def starts_again(angles: Tensor, sections: tuple[int, ...]) -> Tensor:
    pairs = torch.cat([angles[axis, ..., :n] for axis, n in enumerate(sections)], dim=-1)
    return torch.cat((pairs, pairs), dim=-1)


@exercise.misconception(
    en="Each section was doubled on its own. The partner of channel i is then as far away as its "
    "section is long, not D/2: join all sections first, then append a copy of the whole.",
    zh="每一份各自在后面接了一遍。这样通道i的同伴离它只有这一份那么远，而不是D/2："
    "先把各份拼起来，再把整体接一遍。",
)
def each_section_doubled(angles: Tensor, sections: tuple[int, ...]) -> Tensor:
    parts = pair_by_pair(angles, sections).chunk(2, dim=-1)[0].split(list(sections), dim=-1)
    return torch.cat([part for part in parts for _ in range(2)], dim=-1)


@exercise.misconception(
    en="The axes take turns, 0, 1, 2, 0, …: that is the interleaved arrangement (without its "
    "limits). Here the first pairs belong to time, the next to height, the last to width.",
    zh="三个轴在轮流：0、1、2、0……，那是交错安排（还没有管各轴该有几对）。"
    "这里最前面的对归时间，接着的归高，最后的归宽。",
)
def take_turns(angles: Tensor, sections: tuple[int, ...]) -> Tensor:
    pairs = torch.stack([angles[i % 3, ..., i] for i in range(angles.shape[-1])], dim=-1)
    return torch.cat((pairs, pairs), dim=-1)


@exercise.misconception(
    en="The angles of the three axes were added in every pair. A pair follows one axis only; "
    "`sections` says which.",
    zh="每一对都把三个轴的角度加了起来。一对只跟一个轴：跟哪个轴，由`sections`决定。",
)
def all_axes_added(angles: Tensor, sections: tuple[int, ...]) -> Tensor:
    pairs = angles.sum(0)
    return torch.cat((pairs, pairs), dim=-1)


@exercise.misconception(
    en="The halves were glued along the first axis: `torch.cat` takes `dim=0` by default. The "
    "second half of the channels belongs on the last axis, `dim=-1`.",
    zh="两半沿第一个轴拼在了一起：`torch.cat`默认`dim=0`。后一半通道应接在最后一个轴上，`dim=-1`。",
)
def glued_along_the_first_axis(angles: Tensor, sections: tuple[int, ...]) -> Tensor:
    pairs = pair_by_pair(angles, sections).chunk(2, dim=-1)[0]
    return torch.cat((pairs, pairs))


@exercise.misconception(
    en="Every axis got a third of the pairs, whatever `sections` says. The sections are numbers of "
    "pairs, and need not be equal.",
    zh="不管`sections`怎么写，每个轴都分到三分之一的对。里面写的就是各轴的对的个数，不必相等。",
)
def equal_thirds(angles: Tensor, sections: tuple[int, ...]) -> Tensor:
    parts = angles.tensor_split(3, dim=-1)
    pairs = torch.cat([part[axis] for axis, part in enumerate(parts)], dim=-1)
    return torch.cat((pairs, pairs), dim=-1)


@exercise.misconception(
    en="The sections 16, 24 and 24 are written into the function. They are those of one model: "
    "take them from `sections`.",
    zh="函数里写死了16、24、24。那只是某一个模型的轴分配：要从`sections`里取。",
)
def sections_of_one_model(angles: Tensor, sections: tuple[int, ...]) -> Tensor:
    time, height, width = angles
    pairs = torch.cat((time[..., :16], height[..., 16:40], width[..., 40:64]), dim=-1)
    return torch.cat((pairs, pairs), dim=-1)


@exercise.misconception(
    en="Every pair follows time: the three parts are all taken from `angles[0]`. The second part "
    "belongs to height, `angles[1]`, and the third to width, `angles[2]`.",
    zh="每一对都跟着时间走：三段都取自`angles[0]`。第二段该取高，即`angles[1]`；"
    "第三段该取宽，即`angles[2]`。",
)
def time_alone(angles: Tensor, sections: tuple[int, ...]) -> Tensor:
    return torch.cat((angles[0], angles[0]), dim=-1)


@exercise.misconception(
    en="You return one angle for each pair. Both channels of a pair need it: append a copy of the "
    "whole.",
    zh="每一对都有了角度，但一对的两个通道都要用：把整体在后面再接一遍。",
)
def not_doubled(angles: Tensor, sections: tuple[int, ...]) -> Tensor:
    return pair_by_pair(angles, sections).chunk(2, dim=-1)[0]


@exercise.misconception(
    en="Height and width are exchanged: the second part of the pairs belongs to height, "
    "`angles[1]`, and the last to width, `angles[2]`.",
    zh="高和宽弄反了：中间那一段对归高，即`angles[1]`；最后一段归宽，即`angles[2]`。",
)
def height_and_width_exchanged(angles: Tensor, sections: tuple[int, ...]) -> Tensor:
    return pair_by_pair(angles[[0, 2, 1]], sections)


@exercise.misconception(
    en="The sections are numbers of pairs and add up to D/2, but you split the D doubled channels "
    "by them. Split `angles` itself, and double what comes out.",
    zh="轴分配写的是对的个数，加起来是D/2，你却用它去切接成两份之后的D个通道。"
    "先切`angles`本身，再把结果接成两份。",
)
def doubled_before_the_split(angles: Tensor, sections: tuple[int, ...]) -> Tensor:
    parts = torch.cat((angles, angles), dim=-1).split(list(sections), dim=-1)
    return torch.cat([part[axis] for axis, part in enumerate(parts)], dim=-1)
