"""Exercise section_axes: which axis each pair belongs to in interleaved sections."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_shape
from autograde.kit.expect_values import expect_agreement
from bilingual import Text
from posenc_ref.mrope import mrope_angles

exercise = Exercise(
    id="section_axes",
    chapter="10_beyond_1d",
    title=Text(en="Deal the pairs out in turn", zh="轮流发牌"),
    task=Text(
        en=r"""Return the axis of each pair in the *interleaved* arrangement: 0 for time, 1 for
height, 2 for width. The pairs are dealt out in turn, 0, 1, 2, 0, 1, 2, …. Height and width each
take their turns until they have their number; the turns that one of them no longer takes go to
time.

In: `sections` = (pairs of time, of height, of width), such that this rule gives every axis its
number, as it does for (24, 20, 20). Out: integers, shape `(sum(sections),)`.""",
        zh=r"""返回*交错*安排下每一对所属的轴：0是时间，1是高，2是宽。各对轮流发放，0、1、2、0、1、2……。
高和宽各自轮到够数为止；其中一个够数之后，本该轮到它的对都归时间。

输入：`sections` = （时间有几对，高有几对，宽有几对），按这条规则每个轴恰好得到自己的数目，
例如(24, 20, 20)。输出：整数，形状为`(sum(sections),)`。""",
    ),
    signature="section_axes(sections) -> (sum(sections),)",
    points=3,
    difficulty=3,
    minutes=12,
    hints=(
        Text(
            en="Pair i would be dealt to axis `i % 3`. How many pairs has that axis received "
            "before?",
            zh="第i对本该发给轴`i % 3`。在它之前，这个轴已经拿到几对？",
        ),
        Text(
            en="The n-th pair of an axis (from 0) is `3 * n + axis`, so it has received all of its "
            "pairs once i ≥ 3 · its number.",
            zh="某个轴的第n对（从0数）是`3 * n + axis`，所以i一达到它应得个数的3倍，它就拿够了。",
        ),
        Text(
            en="Start from zeros (time). For axes 1 and 2, set `axes[(pair % 3 == axis) & (pair < "
            "3 * sections[axis])] = axis`.",
            zh="先全部置0（时间）。再对轴1和轴2，令"
            "`axes[(pair % 3 == axis) & (pair < 3 * sections[axis])] = axis`。",
        ),
    ),
)


@exercise.truth
def read_off(sections: tuple[int, int, int]) -> Tensor:
    """Read the axes off the reference: axis a is at position a, all frequencies are 1."""
    at, ones = torch.tensor([[0], [1], [2]]), torch.ones(sum(sections))
    return mrope_angles(at, ones, sections, arrangement="interleaved")[0].long()


def _sections(rng: torch.Generator) -> list[tuple[int, int, int]]:
    """Return sections that the rule can fill; in one, time takes turns of both other axes."""
    low, more, time = torch.randint(1, 6, (3,), generator=rng).tolist()
    high = low + more

    def filled(height: int, width: int, time: int) -> tuple[int, int, int]:
        pairs = max(3 * height - 1, 3 * width)  # the last pair of either axis, and those before
        return pairs - height - width + time, height, width

    return [
        (24, 20, 20),
        filled(high, low, time),
        filled(low, high, time),
        filled(70 + low, 70 + high, time),
        (low, low, low),
        filled(low, 0, 1),
        (1, 1, 1),
        (1, 0, 0),
    ]


@exercise.check(en="one axis for each pair, an integer", zh="每一对一个轴，是整数")
def shape(answer: Function, rng: torch.Generator) -> None:
    got = expect_shape(answer((2, 1, 1)), (4,))
    expect(not got.is_floating_point(), "an axis should be an integer", "轴应当是整数")
    expect(
        bool(torch.isin(got, torch.tensor([0, 1, 2])).all()),
        "an axis is 0, 1 or 2",
        "轴只能是0、1或2",
    )


@exercise.check(en="each axis gets its number of pairs", zh="每个轴得到的对不多不少", weight=2)
def numbers(answer: Function, rng: torch.Generator) -> None:
    for sections in _sections(rng):
        got = expect_shape(answer(sections), (sum(sections),))
        for axis, name in enumerate((("time", "时间"), ("height", "高"), ("width", "宽"))):
            count = int((got == axis).sum())
            expect(
                count == sections[axis],
                f"of {sections}, {name[0]} got {count} pairs, expected {sections[axis]}",
                f"{sections}中，{name[1]}得到{count}对，应为{sections[axis]}对",
            )


@exercise.check(en="the pairs are dealt out in turn", zh="各对是轮流发放的", weight=4)
def dealt(answer: Function, rng: torch.Generator) -> None:
    for sections in _sections(rng):
        expect_agreement(answer, exercise.true_answer, sections)


@exercise.misconception(
    en="This is the chunked arrangement of Qwen2-VL: time has the fastest pairs, width the "
    "slowest.",
    zh="这是Qwen2-VL的连续分配：频率最高的对归了时间，最低的归了宽。",
)
def chunked(sections: tuple[int, int, int]) -> Tensor:
    return torch.repeat_interleave(torch.arange(3), torch.tensor(sections))


@exercise.misconception(
    en="Plain turns 0, 1, 2 to the end: every axis gets a third, whatever `sections` says.",
    zh="一直0、1、2轮到底：不管`sections`怎么写，每个轴都拿三分之一。",
)
def thirds(sections: tuple[int, int, int]) -> Tensor:
    return torch.arange(sum(sections)) % 3


@exercise.misconception(
    en="When an axis was full its turns went to the *other* axes in a shorter cycle. They go to "
    "time: height and width keep their places, every third pair.",
    zh="一个轴拿够之后，你让剩下的轴以更短的周期轮流。多出的轮次应归时间："
    "高和宽各守自己的位置，每三对一次。",
)
def shorter_cycle(sections: tuple[int, int, int]) -> Tensor:
    left, axes = list(sections), []
    while any(left):
        for axis in range(3):
            if left[axis]:
                left[axis] -= 1
                axes.append(axis)
    return torch.tensor(axes)


@exercise.misconception(
    en="You compared the pair number with the section itself. An axis has its n-th pair at "
    "3n + axis, so the limit is three times its number.",
    zh="你拿对的编号直接和这个轴的对的个数相比了。某个轴的第n对在3n+axis处，所以界限是个数的三倍。",
)
def without_three(sections: tuple[int, int, int]) -> Tensor:
    pair = torch.arange(sum(sections))
    limits = torch.tensor(sections)[pair % 3]
    return torch.where(pair < limits, pair % 3, 0)


@exercise.misconception(
    en="The turn begins with height. Pair 0, the fastest, belongs to time.",
    zh="轮次从高开始了。频率最高的第0对归时间。",
)
def height_first(sections: tuple[int, int, int]) -> Tensor:
    pair = torch.arange(sum(sections))
    turn = (pair + 1) % 3
    limits = 3 * torch.tensor(sections)[turn]
    return torch.where(pair < limits, turn, 0)


@exercise.misconception(
    en="Dealing stopped for both as soon as one of height and width was full. Each drops out by "
    "itself: the other takes its turns until it has its own number.",
    zh="高和宽只要有一个够数，两个就都停了。应当各停各的：另一个照样轮下去，直到自己也够数。",
)
def both_stop(sections: tuple[int, int, int]) -> Tensor:
    pair = torch.arange(sum(sections))
    return torch.where(pair < 3 * min(sections), pair % 3, 0)


@exercise.misconception(
    en="Height and width are exchanged: the turns should go time, height, width.",
    zh="高和宽弄反了：应按时间、高、宽的次序轮流。",
)
def width_before_height(sections: tuple[int, int, int]) -> Tensor:
    _, height, width = sections
    pair = torch.arange(sum(sections))
    axes = torch.zeros_like(pair)
    axes[(pair % 3 == 1) & (pair < 3 * width)] = 2
    axes[(pair % 3 == 2) & (pair < 3 * height)] = 1
    return axes


@exercise.misconception(
    en="Height and width got one pair too few each. The n-th pair of an axis, from 0, is at 3n + "
    "axis. For its last pair, n is the number of its pairs less 1, and a slice must reach beyond "
    "that pair.",
    zh="高和宽各少了一对。某个轴的第n对（从0数起）在3n+axis处，最后一对的n等于对的个数减1："
    "切片要越过它才行。",
)
def one_turn_too_few(sections: tuple[int, int, int]) -> Tensor:
    time, height, width = sections
    axes = torch.zeros(time + height + width, dtype=torch.int64)
    axes[1 : max(3 * (height - 1), 0) : 3] = 1
    axes[2 : max(3 * (width - 1), 0) : 3] = 2
    return axes


@exercise.misconception(
    en="The pairs left over for time come first here. Dealing begins with pair 0; time gets its "
    "extra pairs later, once height or width has its number.",
    zh="时间多出来的对被放在了最前面。从第0对起就要轮流；高或宽够数之后，时间才会多得。",
)
def rest_of_time_first(sections: tuple[int, int, int]) -> Tensor:
    time, height, width = sections
    most = max(height, width)
    axes = [0] * (time - most) + [0, 1, 2] * most
    return torch.tensor(axes[: sum(sections)], dtype=torch.int64)


@exercise.misconception(
    en="What is left when an axis is full goes to width here. It should go to time: that axis has "
    "no limit of its own.",
    zh="一个轴拿够之后，剩下的轮次被你给了宽。应当给时间：只有它自己没有上限。",
)
def rest_to_width(sections: tuple[int, int, int]) -> Tensor:
    left, axes = list(sections), []
    for i in range(sum(sections)):
        axis = i % 3 if left[i % 3] > 0 else 2
        left[axis] -= 1
        axes.append(axis)
    return torch.tensor(axes, dtype=torch.int64)


@exercise.misconception(
    en="The turns end at pair 60 whatever `sections` says: 20 pairs each for height and width are "
    "those of one model.",
    zh="不管`sections`怎么写，轮到第60对就停：高和宽各20对，那只是某一个模型的轴分配。",
)
def limits_of_one_model(sections: tuple[int, int, int]) -> Tensor:
    pair = torch.arange(sum(sections))
    return torch.where(pair < 60, pair % 3, 0)


@exercise.misconception(
    en="Both stop with the number of height. Width takes its turns until it has its own number.",
    zh="高和宽都在高够数时停下了。宽要一直轮到自己够数为止。",
)
def both_stop_with_height(sections: tuple[int, int, int]) -> Tensor:
    pair = torch.arange(sum(sections))
    return torch.where(pair < 3 * sections[1], pair % 3, 0)
