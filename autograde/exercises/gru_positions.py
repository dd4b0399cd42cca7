"""Exercise gru_positions: order from reading in order."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_shape
from autograde.kit.expect_values import expect_agreement, expect_close
from bilingual import Text

exercise = Exercise(
    id="gru_positions",
    chapter="03_learned",
    title=Text(en="Positions by a GRU", zh="用GRU得到位置"),
    task=Text(
        en=r"""Read the tokens one after the other and return the state after each. For a token $x$
and the state $h$ before it:

$$r=\sigma(W_rx+b_r+U_rh+c_r),\qquad z=\sigma(W_zx+b_z+U_zh+c_z),$$
$$n=\tanh\bigl(W_nx+b_n+r\odot(U_nh+c_n)\bigr),\qquad h'=(1-z)\odot n+z\odot h.$$

In: `x` $(L,d)$; `W`, `U` $(3d,d)$ and `b`, `c` $(3d)$, each stacked as $r$, $z$, $n$, as in
`torch.nn.GRU`; `state` $(d)$ before the first token. Out: $(L,d)$.""",
        zh=r"""逐个读入词元，返回每读一个之后的状态。设词元为$x$，读它之前的状态为$h$：

$$r=\sigma(W_rx+b_r+U_rh+c_r),\qquad z=\sigma(W_zx+b_z+U_zh+c_z),$$
$$n=\tanh\bigl(W_nx+b_n+r\odot(U_nh+c_n)\bigr),\qquad h'=(1-z)\odot n+z\odot h.$$

输入：`x` $(L,d)$；`W`、`U` $(3d,d)$和`b`、`c` $(3d)$，都按$r$、$z$、$n$的顺序叠放，
与`torch.nn.GRU`相同；`state` $(d)$是读第一个词元之前的状态。输出：$(L,d)$。""",
    ),
    signature="gru_positions(x, W, U, b, c, state) -> (L, d)",
    points=3,
    difficulty=3,
    minutes=14,
    hints=(
        Text(
            en="A loop over the tokens; the state after one token is the state before the next.",
            zh="对词元写一个循环；读完一个词元的状态，就是读下一个之前的状态。",
        ),
        Text(
            en="`(W @ token + b).chunk(3)` gives the three parts that come from the word; the "
            "same with `U`, `state`, `c`.",
            zh="`(W @ token + b).chunk(3)`给出来自词的三部分；换成`U`、`state`、`c`再来一次。",
        ),
        Text(
            en="The first two parts of both are added and go through the sigmoid. The third parts "
            "stay apart, for r multiplies only the one that comes from the state.",
            zh="两边的前两部分各自相加，再过sigmoid。第三部分先不要相加，因为r只乘来自状态的那一份。",
        ),
        Text(
            en="Make a new `state` at every step, after n and z are known; append it, and "
            "`torch.stack` the list at the end. Overwriting it in place changes every row.",
            zh="每一步算出n和z之后，都要得到一个新的`state`；把它存进列表，最后用`torch.stack`。"
            "若原地改写，已存下的每一行都会跟着变。",
        ),
    ),
)


def _case(length: int, dim: int, rng: torch.Generator) -> tuple[Tensor, ...]:
    x = torch.randn(length, dim, generator=rng)
    W, U = torch.randn(2, 3 * dim, dim, generator=rng)
    b, c = torch.randn(2, 3 * dim, generator=rng)
    return x, W, U, b, c, torch.randn(dim, generator=rng)


@exercise.truth
def states_of_torch(x: Tensor, W: Tensor, U: Tensor, b: Tensor, c: Tensor, state: Tensor) -> Tensor:
    rows, h = [], state[None]
    for token in x:
        h = torch.gru_cell(token[None], h, W, U, b, c)
        rows.append(h[0])
    return torch.stack(rows)


@exercise.check(en="one state per token", zh="每个词元一个状态")
def shape(answer: Function, rng: torch.Generator) -> None:
    for length, dim in ((5, 4), (1, 4), (3, 1)):
        expect_shape(answer(*_case(length, dim, rng)), (length, dim))


@exercise.check(en="the first step is right", zh="第一步正确", weight=2)
def first(answer: Function, rng: torch.Generator) -> None:
    expect_agreement(answer, states_of_torch, *_case(1, 4, rng))


@exercise.check(
    en="all states equal those of torch.nn.GRU", zh="各步状态与torch.nn.GRU一致", weight=3
)
def values(answer: Function, rng: torch.Generator) -> None:
    for length, dim in ((6, 4), (3, 2), (2, 5), (4, 1), (103, 3)):
        expect_agreement(answer, states_of_torch, *_case(length, dim, rng))


@exercise.check(
    en="reading in two parts, the state handed on, gives the same as reading at once",
    zh="分两段读、把状态传下去，与一口气读完相同",
    weight=2,
)
def decoding(answer: Function, rng: torch.Generator) -> None:
    x, *weights, state = _case(7, 3, rng)
    whole = expect_shape(answer(x, *weights, state), (7, 3)).detach().clone()
    begin = expect_shape(answer(x[:4], *weights, state), (4, 3))
    rest = answer(x[4:], *weights, begin[-1].detach().clone())
    expect_close(rest, whole[4:])
    expect(
        not torch.allclose(whole[4], answer(x[4:5], *weights, state)[0], atol=1e-4),
        "a token's state does not depend on the tokens before it: order is invisible",
        "一个词元的状态与它之前的词元无关：顺序看不见",
    )


def _variant(x: Tensor, state: Tensor, step: Function) -> Tensor:
    rows = []
    for token in x:
        state = step(token, state)
        rows.append(state)
    return torch.stack(rows)


@exercise.misconception(
    en="The update gate is upside down: here z = 1 *keeps* the old state, h' = (1−z)n + zh. (Some "
    "papers write it the other way round.)",
    zh="更新门反了：这里z = 1表示*保留*旧状态，h' = (1−z)n + zh。（有些论文的写法正好相反。）",
)
def gate_reversed(x: Tensor, W: Tensor, U: Tensor, b: Tensor, c: Tensor, state: Tensor) -> Tensor:
    def step(token: Tensor, h: Tensor) -> Tensor:
        r_x, z_x, n_x = (W @ token + b).chunk(3)
        r_h, z_h, n_h = (U @ h + c).chunk(3)
        z = torch.sigmoid(z_x + z_h)
        return z * torch.tanh(n_x + torch.sigmoid(r_x + r_h) * n_h) + (1 - z) * h

    return _variant(x, state, step)


@exercise.misconception(
    en="The reset gate was applied to h before the product, U_n(r⊙h), as in the first GRU paper. "
    "torch.nn.GRU applies it after: r⊙(U_n h + c_n).",
    zh="重置门在相乘之前就作用到h上了，U_n(r⊙h)，最初的GRU论文是这样。"
    "torch.nn.GRU是之后才作用：r⊙(U_n h + c_n)。",
)
def reset_before(x: Tensor, W: Tensor, U: Tensor, b: Tensor, c: Tensor, state: Tensor) -> Tensor:
    def step(token: Tensor, h: Tensor) -> Tensor:
        r_x, z_x, n_x = (W @ token + b).chunk(3)
        r_h, z_h, _ = (U @ h + c).chunk(3)
        r, z = torch.sigmoid(r_x + r_h), torch.sigmoid(z_x + z_h)
        n_h = U.chunk(3)[2] @ (r * h) + c.chunk(3)[2]
        return (1 - z) * torch.tanh(n_x + n_h) + z * h

    return _variant(x, state, step)


@exercise.misconception(
    en="The blocks were read in the order z, r, n. In torch the order is r, z, n.",
    zh="三块权重按z、r、n的顺序读了。torch里的顺序是r、z、n。",
)
def blocks_exchanged(
    x: Tensor, W: Tensor, U: Tensor, b: Tensor, c: Tensor, state: Tensor
) -> Tensor:
    def step(token: Tensor, h: Tensor) -> Tensor:
        z_x, r_x, n_x = (W @ token + b).chunk(3)
        z_h, r_h, n_h = (U @ h + c).chunk(3)
        r, z = torch.sigmoid(r_x + r_h), torch.sigmoid(z_x + z_h)
        return (1 - z) * torch.tanh(n_x + r * n_h) + z * h

    return _variant(x, state, step)


@exercise.misconception(
    en="Every token starts from the initial state: nothing is handed on, so a state does not know "
    "what came before it.",
    zh="每个词元都从给定的初始状态开始：状态没有传下去，之前读过的词元也就丢了。",
)
def not_handed_on(x: Tensor, W: Tensor, U: Tensor, b: Tensor, c: Tensor, state: Tensor) -> Tensor:
    return torch.cat([states_of_torch(token[None], W, U, b, c, state) for token in x])


@exercise.misconception(
    en="The argument `state` is ignored and reading starts from zeros: decoding forgets the text.",
    zh="没有用给定的`state`，总是从零开始读：解码时就忘了前文。",
)
def from_zero(x: Tensor, W: Tensor, U: Tensor, b: Tensor, c: Tensor, state: Tensor) -> Tensor:
    return states_of_torch(x, W, U, b, c, torch.zeros_like(state))


@exercise.misconception(
    en="The bias c_n is outside the reset gate, r⊙(U_n h) + c_n. It is gated with the "
    "rest: r⊙(U_n h + c_n).",
    zh="偏置c_n放到了重置门外面：r⊙(U_n h) + c_n。它也受门控制：r⊙(U_n h + c_n)。",
)
def bias_outside(x: Tensor, W: Tensor, U: Tensor, b: Tensor, c: Tensor, state: Tensor) -> Tensor:
    def step(token: Tensor, h: Tensor) -> Tensor:
        r_x, z_x, n_x = (W @ token + b).chunk(3)
        r_h, z_h, n_h = (U @ h).chunk(3)
        c_r, c_z, c_n = c.chunk(3)
        r, z = torch.sigmoid(r_x + r_h + c_r), torch.sigmoid(z_x + z_h + c_z)
        return (1 - z) * torch.tanh(n_x + r * n_h + c_n) + z * h

    return _variant(x, state, step)


@exercise.misconception(
    en="The state was stored *before* each token was read: the first row is `state` itself, and "
    "the last token is missing.",
    zh="存下来的是读每个词元*之前*的状态：第一行就是`state`本身，最后一个词元没有读进来。",
)
def stored_too_early(
    x: Tensor, W: Tensor, U: Tensor, b: Tensor, c: Tensor, state: Tensor
) -> Tensor:
    return torch.cat((state[None], states_of_torch(x, W, U, b, c, state)[:-1]))


@exercise.misconception(
    en="The reset gate r is not used: n = tanh(W_n x + b_n + U_n h + c_n). The gate decides how "
    "much of the past goes into the new content.",
    zh="没有用到重置门r：n = tanh(W_n x + b_n + U_n h + c_n)。它决定新内容里要带多少过去的信息。",
)
def no_reset(x: Tensor, W: Tensor, U: Tensor, b: Tensor, c: Tensor, state: Tensor) -> Tensor:
    def step(token: Tensor, h: Tensor) -> Tensor:
        _, z, n = (W @ token + b + U @ h + c).chunk(3)
        return (1 - torch.sigmoid(z)) * torch.tanh(n) + torch.sigmoid(z) * h

    return _variant(x, state, step)


@exercise.misconception(
    en="The biases b and c are not used: a token of zeros after a state of zeros must still move "
    "the state.",
    zh="没有用到偏置b和c：即使词元和状态全为0，读一步之后状态也应当改变。",
)
def no_biases(x: Tensor, W: Tensor, U: Tensor, b: Tensor, c: Tensor, state: Tensor) -> Tensor:
    return states_of_torch(x, W, U, torch.zeros_like(b), torch.zeros_like(c), state)


@exercise.misconception(
    en="Only the last state came back. Each token needs its own: it is what the token knows of "
    "everything before it.",
    zh="只返回了最后一个状态。每个词元都要有自己的状态：那是读到它为止的一切。",
)
def last_state(x: Tensor, W: Tensor, U: Tensor, b: Tensor, c: Tensor, state: Tensor) -> Tensor:
    return states_of_torch(x, W, U, b, c, state)[-1]


@exercise.misconception(
    en="All rows are the last state: the list holds one tensor many times, and each step overwrote "
    "it in place. Make a new tensor at every step.",
    zh="每一行都是最后一个状态：列表里存的是同一个张量，每一步都在原地改写它。每一步都要得到新的张量。",
)
def one_tensor(x: Tensor, W: Tensor, U: Tensor, b: Tensor, c: Tensor, state: Tensor) -> Tensor:
    last = states_of_torch(x, W, U, b, c, state)[-1]
    return last.expand(len(x), -1).clone()


@exercise.misconception(
    en="The reset gate multiplies everything inside the tanh. It holds back the past alone, "
    "r⊙(U_n h + c_n); what comes from the word passes.",
    zh="重置门乘到了tanh里的全部内容上。它只拦住过去，即r⊙(U_n h + c_n)；来自词的那一份照样通过。",
)
def resets_the_word(x: Tensor, W: Tensor, U: Tensor, b: Tensor, c: Tensor, state: Tensor) -> Tensor:
    def step(token: Tensor, h: Tensor) -> Tensor:
        r_x, z_x, n_x = (W @ token + b).chunk(3)
        r_h, z_h, n_h = (U @ h + c).chunk(3)
        r, z = torch.sigmoid(r_x + r_h), torch.sigmoid(z_x + z_h)
        return (1 - z) * torch.tanh(r * (n_x + n_h)) + z * h

    return _variant(x, state, step)


@exercise.misconception(
    en="The new content n goes through a sigmoid, too, and is never negative. Only the gates r "
    "and z are between 0 and 1; n is a tanh, from −1 to 1.",
    zh="新内容n也过了sigmoid，于是永远不会为负。只有门r和z在0到1之间；n用的是tanh，取值从−1到1。",
)
def sigmoid_for_the_content(
    x: Tensor, W: Tensor, U: Tensor, b: Tensor, c: Tensor, state: Tensor
) -> Tensor:
    def step(token: Tensor, h: Tensor) -> Tensor:
        r_x, z_x, n_x = (W @ token + b).chunk(3)
        r_h, z_h, n_h = (U @ h + c).chunk(3)
        r, z = torch.sigmoid(r_x + r_h), torch.sigmoid(z_x + z_h)
        return (1 - z) * torch.sigmoid(n_x + r * n_h) + z * h

    return _variant(x, state, step)


@exercise.misconception(
    en="Each block is transposed, as in `x @ W_r`: in the formula the matrix is on the left, "
    "W_r x. The blocks are square, so no shape shows it. Write `W_r @ x`, or `x @ W_r.T`.",
    zh="每一块都转置了，写成`x @ W_r`就会这样：公式里矩阵在左边，即W_r x。各块都是方阵，"
    "从形状看不出来。应写`W_r @ x`或`x @ W_r.T`。",
)
def blocks_transposed(
    x: Tensor, W: Tensor, U: Tensor, b: Tensor, c: Tensor, state: Tensor
) -> Tensor:
    turned = (torch.cat([block.T for block in blocks.chunk(3)]) for blocks in (W, U))
    return states_of_torch(x, *turned, b, c, state)
