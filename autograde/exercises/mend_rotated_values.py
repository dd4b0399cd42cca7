"""Exercise mend_rotated_values: the values were turned too."""

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_effect, expect_finite, expect_other, expect_shape
from autograde.kit.expect_values import expect_agreement, expect_close
from bilingual import Text
from posenc_ref.sinusoidal import frequencies

exercise = Exercise(
    id="mend_rotated_values",
    chapter="05_rope",
    title=Text(
        en="Fix: an output that depends on where the text is", zh="改错：输出随文本的位置而变"
    ),
    task=Text(
        en="""Fix `turns_everything`: causal attention with RoPE (half-split layout, base 10000)
whose values arrive as they are. The output is the same at any `start`.

In: `q`, `k`, `v` of shape `(B, H, L, D)`; the tokens are at `start`, `start + 1`, ….
Out: shape `(B, H, L, D)`.""",
        zh="""修好`turns_everything`：带RoPE的因果注意力（前后半排布，base为10000），值保持原样。
无论`start`是多少，输出都一样。

输入：`q`、`k`、`v`形状为`(B, H, L, D)`；词元位置依次为`start`、`start + 1`……
输出：形状为`(B, H, L, D)`。""",
    ),
    signature="mend_rotated_values(q, k, v, start=0) -> (B, H, L, D)",
    points=2,
    difficulty=1,
    minutes=3,
    hints=(
        Text(
            en="In which of q, k and v does the position reach the output without meeting another "
            "position?",
            zh="q、k、v三者中，哪一个带着的位置没有别的位置与它相抵，就直接进了输出？",
        ),
        Text(
            en="In q·k two rotations meet and leave their difference. The output is a weighted "
            "sum of v: nothing undoes a rotation of v.",
            zh="q·k里两个旋转相遇，只剩下差。输出是v的加权和：v上的旋转没有东西来抵消。",
        ),
        Text(
            en="So the broken code turns one tensor too many. Everything else in it stays.",
            zh="所以有错的代码多转了一个张量，其余都不用动。",
        ),
    ),
)


def _rotate(x: Tensor, start: int) -> Tensor:
    positions = torch.arange(start, start + x.shape[-2]).double()
    angles = positions[:, None] * frequencies(x.shape[-1])
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x.chunk(2, dim=-1)
    return torch.cat((a * c - b * s, a * s + b * c), dim=-1)


def _attend(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return scaled_dot_product_attention(q, k, v, is_causal=True)


@exercise.truth
def two_turned(q: Tensor, k: Tensor, v: Tensor, start: int = 0) -> Tensor:
    return _attend(_rotate(q, start), _rotate(k, start), v)


def _scores(q: Tensor, k: Tensor, start: int) -> Tensor:
    return _rotate(q, start) @ _rotate(k, start).mT / q.shape[-1] ** 0.5


def _qkv(
    rng: torch.Generator, batch: int = 2, heads: int = 3, length: int = 5, dim: int = 8
) -> Tensor:
    return torch.randn(3, batch, length, heads, dim, generator=rng).transpose(2, 3)


@exercise.check(en="returns one vector per token and head", zh="每个词元、每个头返回一个向量")
def shape(answer: Function, rng: torch.Generator) -> None:
    for sizes in ((2, 3, 5, 8), (1, 1, 1, 2), (1, 2, 1, 4), (3, 1, 4, 6)):
        expect_shape(answer(*_qkv(rng, *sizes)), sizes)


@exercise.check(
    en="does not change when the whole text moves along", zh="整段文本平移，输出不变", weight=2
)
def shifted(answer: Function, rng: torch.Generator) -> None:
    q, k, v = _qkv(rng)
    before = expect_effect(answer(q, k, v, 0), (2, 3, 5, 8), q, k, v).detach().clone()
    for start in (1, int(torch.randint(20, 200, (), generator=rng))):
        expect_close(answer(q, k, v, start), before, atol=3e-4)
    expect_other(before, expect_finite(answer(*_qkv(rng)), (2, 3, 5, 8)))


@exercise.check(
    en="is causal attention over rotated queries and keys",
    zh="是对旋转后的查询和键做因果注意力",
    weight=3,
)
def values(answer: Function, rng: torch.Generator) -> None:
    any_size = torch.randint(2, 6, (4,), generator=rng).tolist()
    for *sizes, pairs in (any_size, (1, 2, 110, 3)):
        start = int(torch.randint(1, 20, (), generator=rng))
        q, k, v = _qkv(rng, *sizes, 2 * pairs)
        expect_agreement(answer, exercise.true_answer, q, k, v, start, atol=5e-5)
    expect_agreement(answer, exercise.true_answer, q, k, v, atol=5e-5)


@exercise.misconception(
    en="Still the mistake of the broken version: the values are turned too. Nothing turns them "
    "back, so the output carries the positions themselves.",
    zh="还是有错的那个版本：值也被旋转了。没有东西把它们转回来，输出里就带上了位置本身。",
)
def unchanged(q: Tensor, k: Tensor, v: Tensor, start: int = 0) -> Tensor:
    return _attend(*(_rotate(x, start) for x in (q, k, v)))


one_alone = exercise.misconception(
    en="Only one of q and k is turned. Then nothing meets its rotation, and the score depends on "
    "the absolute position.",
    zh="q和k只旋转了一个。没有另一个旋转与它相遇，得分就取决于绝对位置。",
)


@one_alone
def queries_only(q: Tensor, k: Tensor, v: Tensor, start: int = 0) -> Tensor:
    return _attend(_rotate(q, start), k, v)


@one_alone
def keys_only(q: Tensor, k: Tensor, v: Tensor, start: int = 0) -> Tensor:
    return _attend(q, _rotate(k, start), v)


@exercise.misconception(
    en="Nothing is turned any more: the output no longer depends on the place, nor on the order of "
    "the earlier tokens.",
    zh="现在什么都不旋转了：输出不随位置变，但也不再随前面词元的次序变了。",
)
def nothing(q: Tensor, k: Tensor, v: Tensor, start: int = 0) -> Tensor:
    return _attend(q, k, v)


@exercise.misconception(
    en="q and k are turned, but the causal mask is gone: tokens see the future.",
    zh="q和k都旋转了，但因果掩码丢了：词元看到了未来。",
)
def no_mask(q: Tensor, k: Tensor, v: Tensor, start: int = 0) -> Tensor:
    return scaled_dot_product_attention(_rotate(q, start), _rotate(k, start), v)


@exercise.misconception(
    en="Queries are at `start`, but keys were turned as if they began at 0: a constant shift of "
    "`start` between them.",
    zh="查询的位置从`start`数起，键的却从0数起：两者之间差了固定的`start`。",
)
def keys_from_zero(q: Tensor, k: Tensor, v: Tensor, start: int = 0) -> Tensor:
    return _attend(_rotate(q, start), _rotate(k, 0), v)


@exercise.misconception(
    en="q and k turn clockwise. Their distance alone counts then as well, but with the opposite "
    "sign: the score for a key 3 back is that for a key 3 ahead.",
    zh="q和k按顺时针转了。这样也只取决于距离，但符号反了：之前第3个键，得到的是之后第3个键的得分。",
)
def clockwise(q: Tensor, k: Tensor, v: Tensor, start: int = 0) -> Tensor:
    q, k = (torch.cat(x.chunk(2, dim=-1)[::-1], dim=-1) for x in (q, k))  # (b, a) for (a, b)
    return two_turned(q, k, v, start)


@exercise.misconception(
    en="The values are turned, and the output is turned back. The distance alone counts then, but "
    "each value still arrives turned by its distance. In RoPE v passes as it is.",
    zh="值转了过去，输出又转了回来。这样确实只取决于距离，"
    "但每个值到达时还是转过了一个与距离成正比的角度。RoPE里v原样通过。",
)
def turned_back(q: Tensor, k: Tensor, v: Tensor, start: int = 0) -> Tensor:
    positions = torch.arange(start, start + q.shape[-2]).double()
    turn = torch.exp(-1j * positions[:, None] * frequencies(q.shape[-1]))
    output = torch.complex(*unchanged(q, k, v, start).double().chunk(2, dim=-1)) * turn
    return torch.cat((output.real, output.imag), dim=-1).to(v.dtype)


@exercise.misconception(
    en="The values are left alone, as they should, but neighbours are paired: this is the "
    "interleaved layout; the task has the half-split one.",
    zh="值没有动，对；但你让相邻两个为一对，那是交错排布，这里要的是前后半排布。",
)
def interleaved(q: Tensor, k: Tensor, v: Tensor, start: int = 0) -> Tensor:
    half_split = [torch.cat((x[..., 0::2], x[..., 1::2]), dim=-1) for x in (q, k)]
    return _attend(*(_rotate(x, start) for x in half_split), v)


@exercise.misconception(
    en="q and k are turned, v is not, but the scores are not divided by √D.",
    zh="旋转了q和k，没有旋转v，都对；但得分没有除以√D。",
)
def not_scaled(q: Tensor, k: Tensor, v: Tensor, start: int = 0) -> Tensor:
    return _attend(_rotate(q, start) * q.shape[-1] ** 0.5, _rotate(k, start), v)


@exercise.misconception(
    en="The values are still turned, now from 0 on. `start` no longer shows, but each value "
    "arrives turned by its own position, and nothing turns it back.",
    zh="值还是被旋转了，只是从0开始转。`start`看不出来了，但每个值到达时都转过了自己的位置，"
    "没有东西把它转回来。",
)
def unchanged_from_zero(q: Tensor, k: Tensor, v: Tensor, start: int = 0) -> Tensor:
    return unchanged(q, k, v)


@exercise.misconception(
    en="The key turns against the query, by minus its angle. The score then goes by the sum of "
    "the two positions, not by their difference.",
    zh="键与查询转向相反，转的是负角度。这样得分取决于两个位置之和，不是之差。",
)
def key_backwards(q: Tensor, k: Tensor, v: Tensor, start: int = 0) -> Tensor:
    a, b = k.chunk(2, dim=-1)
    a, b = _rotate(torch.cat((a, -b), dim=-1), start).chunk(2, dim=-1)  # mirrored: clockwise
    return _attend(_rotate(q, start), torch.cat((a, -b), dim=-1), v)


@exercise.misconception(
    en="The mask is the wrong way round: each token sees itself and the future. In `attn_mask` "
    "True means that a key is seen, so use `tril`.",
    zh="掩码反了：每个词元看到的是自己和未来。`attn_mask`里True表示看得到，所以要用`tril`。",
)
def sees_the_future(q: Tensor, k: Tensor, v: Tensor, start: int = 0) -> Tensor:
    seen = torch.ones(q.shape[2], q.shape[2], dtype=torch.bool).triu()
    return scaled_dot_product_attention(_rotate(q, start), _rotate(k, start), v, attn_mask=seen)


@exercise.misconception(
    en="The softmax runs over the queries, axis −2: each key shares its weight among them. Every "
    "query should share 1 among the keys, axis −1.",
    zh="softmax沿着查询（第−2轴）做了：每个键把权重分给各个查询。应当是每个查询把1"
    "分给各个键，即最后一个轴。",
)
def over_queries(q: Tensor, k: Tensor, v: Tensor, start: int = 0) -> Tensor:
    ahead = torch.ones(q.shape[2], q.shape[2]).triu(1).bool()
    return _scores(q, k, start).masked_fill(ahead, -torch.inf).softmax(-2) @ v


@exercise.misconception(
    en="The mask came after the softmax: the keys ahead had their share of each row before they "
    "were set to 0, so all rows but the last sum to less than 1.",
    zh="掩码加在了softmax之后：未来的键先分走了每行的一份，才被置为0，所以除最后一行外，"
    "每行之和都不到1。",
)
def mask_after_the_softmax(q: Tensor, k: Tensor, v: Tensor, start: int = 0) -> Tensor:
    return _scores(q, k, start).softmax(-1).tril() @ v


not_the_values = exercise.misconception(
    en="You stopped turning q or k instead of v: nothing meets the rotation of the other of the "
    "two, and nothing turns the values back.",
    zh="你去掉的是q或k的旋转，不是v的：q和k中另一个的旋转没有别的来相抵，"
    "值上的旋转也没有东西转回来。",
)


@not_the_values
def keys_left_alone(q: Tensor, k: Tensor, v: Tensor, start: int = 0) -> Tensor:
    return _attend(_rotate(q, start), k, _rotate(v, start))


@not_the_values
def queries_left_alone(q: Tensor, k: Tensor, v: Tensor, start: int = 0) -> Tensor:
    return _attend(q, _rotate(k, start), _rotate(v, start))
