"""Exercise clinic_rotation_test: a test that passes every RoPE and catches what looks like one.

Learners' tests are tested here: each check runs the answer on a right program, which must pass, and
on broken ones, which must not. What a broken program does is in `_lost_rotations`.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import islice
from operator import index

import torch
from torch import Tensor

from autograde.exercises import _lost_rotations as lost
from autograde.exercises._lost_rotations import Pair, Program, Rope
from autograde.kit.callback import FLOATS, Callback, has_axes
from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import excerpt, expect, expect_something
from autograde.kit.shuffled import shuffled
from bilingual import Text

Faulty = tuple[Program, Text]  # a broken program, and what it does wrong
FARTHEST = 2**31  # a start that no arithmetic of whole numbers overflows at

exercise = Exercise(
    id="clinic_rotation_test",
    chapter="12_bug_clinic",
    title=Text(en="Your own test", zh="自己写一个测试"),
    task=Text(
        en=r"""Write one test for rotations whose code you do not have. It gets a program
`turn(q, k, start=0)` with the interface of ward 2: queries and keys `(B, H, L, D)` of float32, at
the positions `start`, `start + 1`, … in every sentence and head; it returns both, rotated. Return
True for every right RoPE, and False for each of the 18 faulty programs of the check: those of ward
2, and others that have one fault each, in the norm of the vectors, the direction, the speeds, the
use of `start`, calls with a single token ($L=1$), the heads, the sentences of a batch, far
positions, or in what is rotated: one of the two alone, or neither.

A **right RoPE** cuts the first $r$ channels of each head into pairs, and turns pair
$i=0,\dots,r/2-1$ at position $p$ anticlockwise by $p\,b^{-2i/r}$, in queries and keys alike; the
rest stay as they are. You know neither $r$ (even, from 4 to $D$, and different with another $D$)
nor $b$ (from 100 to a million) nor whether the pairs are interleaved or half-split, so no golden
table will do. Positions can reach 10000.

Choose the inputs yourself: any sizes, with an even $D$ from 8 on. Results of float32 are right
up to about 0.001. Call `turn` as often as you need; the whole check, some forty programs, has 25
seconds.""",
        zh=r"""拿不到代码的旋转程序也要能测：请写一个测试。它的参数是程序`turn(q, k, start=0)`，
接口与二号病房相同：查询和键为`(B, H, L, D)`，float32，每句、每个头里的位置都依次为`start`、
`start + 1`……，返回旋转后的两者。凡是正确的RoPE，返回True；
检查时送来的18段出错的程序，一律返回False。它们一部分是二号病房的，其余各有一处出错：
范数变了；方向不对；快慢不对；`start`用错；只给一个词元（$L=1$）时出错；各个头处理得不对；
批次里的各句处理得不对；远处的位置出错。还有的只转了查询和键之一，有的两者都没转。

**正确的RoPE**把每个头的前$r$个通道配成对，在位置$p$把第$i=0,\dots,r/2-1$对逆时针转
$p\,b^{-2i/r}$，查询和键一样转；其余通道保持原样。$r$（偶数，从4到$D$，随$D$而变）、
$b$（从100到一百万）、交错排布还是前后半排布，你都不知道，所以没有现成的基准值可用。位置最远可到10000。

输入由你自己选，大小不限，$D$取不小于8的偶数。float32的结果误差在0.001左右算正常。
`turn`调用几次由你定，但整个检查约有四十段程序，要在25秒内跑完。""",
    ),
    signature="clinic_rotation_test(turn) -> bool",
    points=3,
    difficulty=5,
    minutes=60,
    seconds=25.0,  # a thorough test calls some forty programs dozens of times each
    hints=(
        Text(
            en="Write down what all right programs share, whatever r, b and layout are: what "
            "happens to norms, to scores when the text moves, to one word alone, to channel 0?",
            zh="先写下所有正确的程序共有的性质，不论r、b和排布是什么：范数怎样？"
            "文本移动后得分怎样？单独一个词怎样？第0个通道怎样？",
        ),
        Text(
            en="Then ask of each property what it does not see. If `start` is lost in queries and "
            "keys, the score of no two tokens of one call is wrong. So compare two calls: the "
            "last token of a text, and the same token alone with `start` set.",
            zh="再逐条想它查不出什么。查询和键都丢了`start`，同一次调用里任何两个词元的得分都没有错。"
            "所以要比较两次调用：文本的最后一个词元，以及设好`start`后单独算的同一个词元。",
        ),
        Text(
            en="Direction and speed: turn the identity matrix, one channel per sentence, to "
            "position 1. "
            "Row c is where channel c goes; the diagonal holds the cosines of all speeds, each "
            "twice. In row 0 the pair has speed 1, so its numbers are known after all: cos 1 on "
            "the diagonal, and + sin 1 once to the right of it.",
            zh="方向和快慢：把单位矩阵（每句一个通道）转到位置1。第c行就是通道c的去处，"
            "对角线上是各个转速的余弦，每个出现两次。第0个通道所在的那一对，转速必定是1，"
            "所以第0行的数可以事先算出来：对角线上是cos 1，右边某处有一个+ sin 1。",
        ),
        Text(
            en="Far out: rounding shows where positions are large, not at 40. Compare the scores "
            "of a text at 0 with those of the same text at some thousands.",
            zh="再看远处：舍入要到位置很大时才显出来，40处看不见。"
            "把文本放在0处的得分，与放在几千处的得分比一比。",
        ),
    ),
)


def _inputs() -> Pair:
    both = torch.randn(2, 2, 2, 6, 16, generator=torch.Generator().manual_seed(1))
    return tuple(both.unbind())


def _close(left: Pair, right: Pair) -> bool:
    return all(torch.allclose(a, b, atol=0.02) for a, b in zip(left, right, strict=True))


@dataclass(frozen=True)
class Turned:
    """A program, what it makes of some inputs, and which properties it has: asked once each."""

    turn: Program
    inputs: Pair
    whole: Pair  # the inputs, turned from position 0 on
    verdicts: dict[Function, bool] = field(default_factory=dict)

    def has(self, *properties: Function) -> bool:
        """Return whether the program has all of these properties."""
        return all(self._has(one) for one in properties)

    def has_all_but(self, *left_out: Function) -> bool:
        """Return whether it has the properties of right programs, of which some are not asked."""
        return self.has(*(one for one in PROPERTIES if one not in left_out))

    def _has(self, one: Function) -> bool:
        if one not in self.verdicts:
            self.verdicts[one] = one(self)
        return self.verdicts[one]


def look(turn: Program) -> Turned:
    inputs = _inputs()
    return Turned(turn, inputs, turn(*inputs))


def lengths(seen: Turned) -> bool:
    return _close([x.norm(dim=-1) for x in seen.whole], [x.norm(dim=-1) for x in seen.inputs])


def _keeps_scores(seen: Turned, start: int) -> bool:
    (q, k), (late_q, late_k) = seen.whole, seen.turn(*seen.inputs, start)
    return _close([q @ k.mT], [late_q @ late_k.mT])


def shift(seen: Turned) -> bool:
    return _keeps_scores(seen, 40)


def far(seen: Turned) -> bool:
    return _keeps_scores(seen, 3000)


def pieces(seen: Turned) -> bool:  # the end of a text, with start set
    q, k = seen.inputs
    return _close(seen.turn(q[:, :, 2:], k[:, :, 2:], 2), [x[:, :, 2:] for x in seen.whole])


def token(seen: Turned) -> bool:  # its last token alone
    q, k = seen.inputs
    return _close(seen.turn(q[:, :, 5:], k[:, :, 5:], 5), [x[:, :, 5:] for x in seen.whole])


def sentences(seen: Turned) -> bool:
    q, k = seen.inputs
    return _close(seen.turn(q[1:], k[1:]), [x[1:] for x in seen.whole])


def heads(seen: Turned) -> bool:
    q, k = seen.inputs
    return _close(seen.turn(q[:, 1:], k[:, 1:]), [x[:, 1:] for x in seen.whole])


def _at_one(seen: Turned, q: Tensor, k: Tensor) -> Pair:
    """Return two vectors of 16 channels, turned to position 1."""
    both = seen.turn(*(x.expand(1, 1, 2, 16) for x in (q, k)))
    return tuple(x[0, 0, 1] for x in both)


def _first_turned(seen: Turned) -> Pair:  # where channel 0 goes
    one = torch.eye(16)[0]
    return _at_one(seen, one, one)


def anticlockwise(seen: Turned) -> bool:
    first = _first_turned(seen)
    return all(abs(row[0] - 0.5403) < 0.02 and abs(row[1:].max() - 0.8415) < 0.02 for row in first)


def speeds(seen: Turned) -> bool:  # each pair slower than the one before, by one ratio
    sides = [_first_of_each_pair(row) for row in _first_turned(seen)]
    ones = (torch.zeros(16).index_fill(0, channels, 1.0) for channels in sides)
    # the second of each pair is 0: of the first its cosine is left
    for row, channels in zip(_at_one(seen, *ones), sides, strict=True):
        angles = row[channels].clamp(-1, 1).acos()
        want = angles[1] ** torch.arange(len(angles))  # 1, ω, ω², …, about 0 where nothing turns
        if bool(angles[1] > 0.6) or bool(((angles - want).abs() > 0.02).any()):
            return False
    return True


def _first_of_each_pair(row: Tensor) -> Tensor:
    partner = int(row[1:].abs().argmax()) + 1  # of channel 0
    return torch.arange(0, 16, 2) if partner == 1 else torch.arange(partner)


PROPERTIES = (
    *(lengths, shift, far, pieces, token),
    *(sentences, heads, anticlockwise, speeds),
)


@exercise.truth
def all_properties(turn: Program) -> bool:
    """Return whether a program has every property that right programs share."""
    return look(turn).has_all_but()


NEEDS = Text(
    en="turn(q, k, start=0) takes float tensors q and k (B, H, L, D) with an even D from 8 on, and "
    "a whole number start",
    zh="turn(q, k, start=0)的q和k是浮点张量(B, H, L, D)，D是不小于8的偶数，start是整数",
)


def _arguments(q: Tensor, k: Tensor, start: int = 0) -> tuple[Tensor, Tensor, int]:
    """Return what every program takes, right or broken; raise TypeError where one may not."""
    start = index(start)
    if not all(map(_fits, (q, k))) or abs(start) > FARTHEST:
        raise TypeError
    return q, k, start


def _fits(x: Tensor) -> bool:
    if not has_axes(x, 4, FLOATS) or 0 in x.shape[1:3]:
        return False
    return x.shape[3] >= 8 and x.shape[3] % 2 == 0


def _verdict(answer: Function, program: Program) -> bool:
    got = answer(Callback(program, NEEDS, _arguments))
    expect_something(got)
    if isinstance(got, Tensor) and got.numel() == 1:
        got = got.item()
    expect(
        isinstance(got, bool),
        f"it returned {excerpt(got)}, expected True or False",
        f"返回了{excerpt(got)}，应为True或False",
    )
    return got


def _expect_verdicts(
    answer: Function, rng: torch.Generator, ropes: list[Rope], faulty: list[Faulty]
) -> None:
    """Check that the right programs pass, and that of the faulty ones none does."""
    programs = [*((lost.right(rope), rope) for rope in ropes), *faulty]
    wrong = [
        about
        for program, about in shuffled(rng, programs)
        if _verdict(answer, program) != isinstance(about, Rope)
    ]
    failed = [about for about in wrong if isinstance(about, Rope)]
    expect(
        not failed,
        f"it fails {len(failed)} of {len(ropes)} right programs: " + _some(r.en for r in failed),
        f"{len(ropes)}个正确的程序，有{len(failed)}个没有通过：" + _some(r.zh for r in failed),
    )
    expect(
        not wrong,
        "it passes a program that " + _some(fault.en for fault in wrong),
        "这样的程序也能通过：" + _some(fault.zh for fault in wrong),
    )


def _expect_caught(
    answer: Function, rng: torch.Generator, *names: str, others: Iterable[Faulty] = ()
) -> None:
    """Check that a right program passes, and that none of these broken ones does."""
    faulty = [_faulty(lost.draw(rng), name) for name in names]
    _expect_verdicts(answer, rng, [lost.draw(rng)], [*faulty, *others])


def _faulty(rope: Rope, name: str) -> Faulty:
    broken, fault = lost.FAULTS[name]
    return broken(rope), fault


def _some(sentences: Iterable[str]) -> str:
    return " / ".join(islice(dict.fromkeys(sentences), 3))


@exercise.check(
    en="every right RoPE passes, but not everything does",
    zh="正确的RoPE都能通过，但不是什么都通过",
    weight=3,
)
def passes(answer: Function, rng: torch.Generator) -> None:
    ropes = [
        Rope(layout, base, share)
        for layout in ("half", "interleaved")
        for base, share in ((10000.0, 1.0), (500000.0, 1.0), (10000.0, 0.5))
    ]
    ropes += [lost.draw(rng) for _ in range(6)]
    still = Text(en="turns nothing", zh="什么也不转")
    _expect_verdicts(answer, rng, ropes, [(lambda q, k, start=0: (q.clone(), k.clone()), still)])


@exercise.check(en="vectors that get longer or shorter are caught", zh="查得出向量变长或变短")
def catches_lengths(answer: Function, rng: torch.Generator) -> None:
    _expect_caught(answer, rng, "no minus", "overwritten")


@exercise.check(
    en="queries and keys that are not turned alike are caught", zh="查得出查询和键转得不一样"
)
def catches_unlike(answer: Function, rng: torch.Generator) -> None:
    _expect_caught(answer, rng, "queries alone", "opposite", "two layouts")


@exercise.check(
    en="programs that lose `start` are caught", zh="查得出弄丢了`start`的程序", weight=2
)
def catches_start(answer: Function, rng: torch.Generator) -> None:
    _expect_caught(answer, rng, "start lost", "one too far", "piece by piece", "one token at 0")


@exercise.check(
    en="programs that mix up tokens, heads or sentences are caught",
    zh="查得出把词元、头或句子混在一起的程序",
    weight=2,
)
def catches_axes(answer: Function, rng: torch.Generator) -> None:
    _expect_caught(answer, rng, "heads counted", "width of the model", "down the batch")


@exercise.check(
    en="a wrong direction and wrong speeds are caught", zh="查得出方向反了、快慢不对", weight=2
)
def catches_speeds(answer: Function, rng: torch.Generator) -> None:
    speeds = "one speed", "equal steps", "faster and faster"
    # of four pairs in equal steps the third is as slow as a right second one may be
    four = _faulty(replace(lost.draw(rng), layout="half", share=0.5), "equal steps")
    _expect_caught(answer, rng, "clockwise", *speeds, others=[four])


@exercise.check(en="rounding far from the start is caught", zh="查得出离开头很远处的舍入")
def catches_rounding(answer: Function, rng: torch.Generator) -> None:
    _expect_caught(answer, rng, "sixteen bits")


@exercise.misconception(
    en="It stays near the start. Positions in bfloat16 are exact up to 256; what they do beyond, "
    "your test never sees.",
    zh="它只看开头附近。bfloat16里的位置在256以内是精确的，再往后怎样，你的测试从没看过。",
    look=look,
)
def without_far(seen: Turned) -> bool:
    return seen.has_all_but(far)


@exercise.misconception(
    en="It never asks whether scores stay when the text moves. Then a program may pair the "
    "channels of queries and keys in two ways, or round far positions: each vector alone looks "
    "right.",
    zh="它没有查文本移动后得分变不变。那样的话，查询和键的配对方式不同、远处的位置被舍入，都能通过："
    "单看一个向量，看不出不对。",
    look=look,
)
def without_scores(seen: Turned) -> bool:
    return seen.has_all_but(shift, far)


@exercise.misconception(
    en="It compares neither norms nor the scores of a text that moves. Even a rotation that has "
    "lost its minus sign passes.",
    zh="它既没有比较范数，也没有比较文本移动前后的得分。连丢了负号的旋转都能通过。",
    look=look,
)
def without_lengths_and_scores(seen: Turned) -> bool:
    return seen.has_all_but(lengths, shift, far)


@exercise.misconception(
    en="It never calls `turn` with a single token. In decoding that is every call, and a program "
    "may treat it apart.",
    zh="它从没用一个词元调用过`turn`。解码时每次调用都是这样，程序可能偏偏在这里出错。",
    look=look,
)
def without_token(seen: Turned) -> bool:
    return seen.has_all_but(token)


@exercise.misconception(
    en="No two calls are compared: a program that counts from 0 in every call passes. Turn the "
    "end of a text on its own, with `start` set, and compare.",
    zh="它没有比较过两次调用：每次都从0数起的程序也能通过。把文本的末尾单独转一次，设好`start`，再比较。",
    look=look,
)
def without_start(seen: Turned) -> bool:
    return seen.has_all_but(pieces, token)


@exercise.misconception(
    en="It has one sentence only, or never compares a sentence alone with the same one in a "
    "batch: positions that grow down the batch pass.",
    zh="它只用了一句，或者没有比较单独一句与在批次里是否相同：位置沿批次增大的程序也能通过。",
    look=look,
)
def without_sentences(seen: Turned) -> bool:
    return seen.has_all_but(sentences)


@exercise.misconception(
    en="It has one head only, or never compares a head alone with the same one beside others: an "
    "exponent divided by the width of the model passes.",
    zh="它只用了一个头，或者没有比较单独一个头与多个头是否相同：指数除以模型宽度的程序也能通过。",
    look=look,
)
def without_heads(seen: Turned) -> bool:
    return seen.has_all_but(heads)


@exercise.misconception(
    en="It does not see the direction: norms and distances are the same in the mirror. Channel 0 "
    "has a known speed, 1, so ask where it goes.",
    zh="它看不出方向：在镜子里，范数和距离都一样。第0个通道的转速是已知的，就是1，看看它转到哪里去。",
    look=look,
)
def without_direction(seen: Turned) -> bool:
    return seen.has_all_but(anticlockwise)


@exercise.misconception(
    en="It does not see the speeds: all pairs at one speed, speeds in equal steps, or each pair "
    "faster than the one before, pass.",
    zh="它看不出快慢：所有的对一样快、转速按等差下降、一对比一对快，都能通过。",
    look=look,
)
def without_speeds(seen: Turned) -> bool:
    return seen.has_all_but(speeds)


@exercise.misconception(
    en="It sees norms, or scores of a text that moves, and no more: the two properties of 12.1, "
    "which its patient has as well. Neither sees the direction, the speed, or what `start` does.",
    zh="它只查得出范数变了、文本移动后得分变了，正是12.1节的两项性质，那里的病人两项都通过。"
    "方向、快慢、`start`管不管用，它们都看不见。",
    look=look,
)
def norm_and_shift(seen: Turned) -> bool:
    return seen.has(lengths, shift)


@exercise.misconception(
    en="It looks at norms alone. A program can keep every length and turn the wrong way, at the "
    "wrong speed, or not at all.",
    zh="它只看范数。范数都不变的程序，照样可能转错方向、转错快慢，甚至根本没转。",
    look=look,
)
def norms_alone(seen: Turned) -> bool:
    return seen.has(lengths)


@exercise.misconception(
    en="It passes everything. A test that cannot fail finds nothing.",
    zh="它让什么都通过。不会失败的测试，什么也查不出。",
)
def passes_everything(turn: Program) -> bool:
    return True


@exercise.misconception(
    en="It wants every channel to turn. In many models a part of each head passes as it is.",
    zh="它要求每个通道都转。很多模型里，每个头有一部分通道原样通过。",
    look=look,
)
def whole_heads_alone(seen: Turned) -> bool:
    basis = torch.eye(16).view(16, 1, 1, 16)
    far_away = [x[:, 0, 0].diagonal() for x in seen.turn(basis, basis, 3000)]
    return all(bool((cosines < 1).all()) for cosines in far_away) and seen.has_all_but()


@exercise.misconception(
    en="It passes only RoPE with base 10000 on the whole head, in both layouts. Llama 3 has "
    "500000; base and share are open here.",
    zh="它只让base为10000、整个头都转的RoPE通过，两种排布都行。Llama 3的base是500000；"
    "base和旋转的比例，这里都没有规定。",
    look=look,
)
def one_base_alone(seen: Turned) -> bool:
    return (seen.has(like_half) or seen.has(like_interleaved)) and seen.has(heads)


@exercise.misconception(
    en="It passes RoPE of one layout with base 10000 on the whole head, and no other. The task "
    "leaves layout, base and share open.",
    zh="它只让一种RoPE通过：某一种排布，base为10000，整个头都转。题目没有规定排布、"
    "base和旋转的比例。",
    look=look,
)
def one_rope_alone(seen: Turned) -> bool:
    return seen.has(like_half, heads)


@exercise.misconception(
    en="It fails right programs, whatever their layout, base and share. First of all, a healthy "
    "program must pass.",
    zh="正确的程序，不论排布、base和比例，它都不让通过。首先，健康的程序必须通过。",
)
def fails_right_programs(turn: Program) -> bool:
    return False


@exercise.misconception(
    en="It is the wrong way round: it returns True for the broken programs, and False for those "
    "that are right.",
    zh="它正好反了：有错的程序返回True，正确的返回False。",
    look=look,
)
def wrong_way_round(seen: Turned) -> bool:
    return not seen.has_all_but()


@exercise.misconception(
    en="It wants scores that are equal to the last digit after a shift. Float32 rounds: right "
    "programs fail, and one that turns nothing passes. Compare with a tolerance, say 0.01.",
    zh="它要求平移前后的得分到最后一位都相等。float32有舍入：正确的程序过不了，什么也不转的反而通过。"
    "比较时要留容差，例如0.01。",
    look=look,
)
def scores_to_the_last_digit(seen: Turned) -> bool:
    (q, k), (late_q, late_k) = seen.whole, seen.turn(*seen.inputs, 40)
    return torch.equal(q @ k.mT, late_q @ late_k.mT)


def like_half(seen: Turned) -> bool:
    return _turns_like(seen, Rope("half", 10000.0, 1.0))


def like_interleaved(seen: Turned) -> bool:
    return _turns_like(seen, Rope("interleaved", 10000.0, 1.0))


def _turns_like(seen: Turned, rope: Rope) -> bool:
    turns = seen.turn, lost.right(rope)
    return all(_close(*(turn(*seen.inputs, start) for turn in turns)) for start in (0, 3, 3000))


@exercise.misconception(
    en="It looks at the queries alone: what a program does to the keys, it never sees. Keys that "
    "are not turned, or turn another way, pass.",
    zh="它只看查询：程序对键做了什么，它从来没看。键没有转，或者转法不同，都能通过。",
)
def queries_alone(turn: Program) -> bool:
    def twice(q: Tensor, k: Tensor, start: int = 0) -> Pair:
        return turn(q, k, start)[0], turn(k, q, start)[0]

    return look(twice).has_all_but()


of_one_layout = exercise.misconception(
    en="It passes RoPE of one layout alone, with whatever base and share. The layout is open as "
    "well: turn channel 0 to position 1, and see which channel is its partner.",
    zh="它只让一种排布的RoPE通过，base和比例倒是不限。排布也没有规定：把第0个通道转到位置1，"
    "看看它的同伴是哪个通道。",
    look=look,
)


@of_one_layout
def half_split_alone(seen: Turned) -> bool:
    return seen.has_all_but() and not seen.has(neighbours)


@of_one_layout
def interleaved_alone(seen: Turned) -> bool:
    return seen.has_all_but() and seen.has(neighbours)


def neighbours(seen: Turned) -> bool:  # channel 1 is the partner of channel 0
    return bool(_first_turned(seen)[0][1].abs() > 0.5)
