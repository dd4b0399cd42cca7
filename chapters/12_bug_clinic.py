# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
#   kernelspec: {display_name: Python 3, language: python, name: python3}
#   posenc:
#     title: {en: Bug clinic, zh: Bug诊所}
#     question:
#       en: "A wrong positional encoding runs, has the right shape and trains. How do you find out?"
#       zh: 写错的位置编码照样能跑、形状也对、还训练得动。怎样才能发现？
# ---

# %% [markdown] lang="en" way="everything"
# # 12 · Bug clinic
#
# Twenty-one patients wait in the clinic. They run, they have the right shape, their loss goes down:
# every one looks the picture of health. And each is ill: a minus on the wrong side, a rounding one
# step too early, a position that is scaled twice. Today you are the doctor.
#
# **The question.** A wrong positional encoding runs, has the right shape and trains. How do you
# find out?
#
# **You will** examine 21 short programs, each with one fault of a kind that people write (12.10 has
# those found in public): name the fault and a test that would have caught it. Nine of them you fix;
# cases 4 and 6 stay as they are: one asks for an input that hides its fault, the other for weights
# that undo it. Then the tests themselves are examined: what can each of them see, and what not? At
# the end you write a test of your own, and it meets programs that you have never seen.
#
# **You need** chapters 2 and 4 to 8. To visit one ward alone, run all cells through the end of 12.1
# and know the chapters of that ward (ward 1 needs chapter 2; ward 2, chapter 5; ward 3, chapters 4
# and 7; ward 4, chapter 6; ward 5, chapter 8); 12.7 and 12.8 need all wards, 12.9 needs ward 2. 17
# exercises, 24 points, about {minutes} minutes: four sittings, say wards 1 and 2, wards 3 and 4,
# ward 5 with 12.7 and 12.8, then your own test.

# %% [markdown] lang="zh"
# # 12 · Bug诊所
#
# 诊所里有21位病人：能跑，形状对，损失也在降，个个面色红润。病根却各不相同：有的负号放错了边，
# 有的舍入早了一步，有的位置多缩放了一遍。今天你坐诊：读代码，开方子，写病历。
#
# **本章的问题。** 写错的位置编码照样能跑、形状也对、还训练得动。怎样才能发现？
#
# **你将**检查21段短程序，每段都藏着一个错误，都是写代码时真会犯的
# （公开的论文或代码里出现过的，列在12.10节）。
# 你要说出错在哪里，并指出一个本可以查出它的测试；其中九段由你修好，病例4和6则不必改代码：
# 一个要你找出它蒙混过关的输入，一个要你换权重来抵消。最后还要回头审一审自己的化验单：
# 每个测试究竟查得出什么，又对什么视而不见？然后自己写一个测试，去面对没见过的程序。
#
# **你需要**第2章和第4到8章。只看某一个病房的话，先运行到12.1节末尾，并学过对应的章（一号：第2章；
# 二号：第5章；三号：第4、7章；四号：第6章；五号：第8章）；12.7和12.8节要用到所有病房，
# 12.9节要用二号病房。共17道练习，24分，约{minutes}分钟，宜分四次：一、二号病房，三、四号病房，
# 五号病房加上12.7和12.8节，最后是你自己的测试。

# %%
import itertools
import math
from collections.abc import Callable
from typing import NamedTuple

import torch
import torch.nn.functional as F

from autograde import answer, check, hint, progress, quiz
from bilingual.switch import language_switch
from posenc_ref import (
    alibi_slopes,
    append,
    attend,
    frequencies,
    next_positions,
    ntk_aware,
    rel_shift,
    rope_angles,
    rotate,
    sinusoidal,
    t5_bucket,
)
from posenc_viz import Curve, Curves, HeatMap, explore
from posenc_viz.labels import bug_clinic as label

torch.set_num_threads(1)
language_switch()

# %% [markdown] lang="en" way="everything"
# ## 12.1 Visiting hours
#
# Here is a rotation as people write it from memory. It keeps every norm, and the score of two
# tokens depends on their distance alone. (`score(m, n)`: query at `m`, key at `n`; in the last
# line, RoPE's.) What could still be wrong?

# %% [markdown] lang="zh" slide="show"
# ## 12.1 探视时间
#
# 下面这个旋转，凭记忆写很容易写成这样。它不改变范数，两个词元（token）的得分也只取决于距离。
# （`score(m, n)`表示查询在`m`、键在`n`；末行是RoPE的得分。）还能有什么错？


# %%
def suspicious(x, angles):
    a, b = x.chunk(2, dim=-1)
    return x * angles.cos().repeat(1, 2) + torch.cat((b, -a), dim=-1) * angles.sin().repeat(1, 2)


rng = torch.Generator().manual_seed(0)
q, k = torch.randn(2, 1, 64, generator=rng)
at = torch.tensor([[3.0], [5.0], [23.0], [25.0]]) * frequencies(64).float()
turned_q, turned_k = suspicious(q.expand(4, 64), at), suspicious(k.expand(4, 64), at)
print(f"|q| = {q.norm():.3f}, suspicious: {turned_q[1].norm():.3f}")
print(f"score(3, 5) = {turned_q[0] @ turned_k[1]:.2f}")
print(f"score(23, 25) = {turned_q[2] @ turned_k[3]:.2f}")
right_q = rotate(q.view(1, 1, 1, 64), at[:1], layout="half").flatten()
right_k = rotate(k.view(1, 1, 1, 64), at[1:2], layout="half").flatten()
print(f"score(3, 5) = {right_q @ right_k:.2f} (RoPE)")

# %% [markdown] lang="en"
# It is a rotation, but not RoPE's (12.3 tells where they differ): a checkpoint trained
# with RoPE gets wrong scores from it. Two property tests pass and the number is wrong.
#
# One kind of test is not enough, and what matters about a test is what it does **not** see.
#
# The five wards work alike. First come the *tests*: functions that take a patient and return True
# if it passes; comments say what they ask. Then come the patients, each with its symptom. Read the
# code, find the fault, and where a cell asks you to, **fix** it (1 point each). Last comes the
# **chart** (2 points): the letter of each fault, and a test that catches it. Guess both. Then run
# `examine(TESTS_1, WARD_1)` in a new cell, below the one that makes `WARD_1`: it prints ✗ where a
# test caught a patient of ward 1, ✓ where it passed.

# %% [markdown] lang="zh" slide="show"
# 它确实是旋转，只不过不是RoPE的那个（哪里不同，12.3节由你来查），用RoPE训练出来的checkpoint
# （权重文件）配上它，得分就错了。两个性质测试（property-based testing）都通过了，数值却不对。
#
# 只有一类测试不够；评价一个测试，要看它查**不**出什么。
#
# 五个病房的流程一样。先是*测试*（test），也就是以病人为参数的函数，病人通过就返回True，
# 查什么写在注释里。接着病人逐个登场，各有症状。读代码，找出错误；有练习的，
# 就把他**治好**（各1分）。最后填写**病历**（2分），写明每例错误的代号，以及一个能查出它的测试。
# 两样都先猜一猜，再在定义`WARD_1`的单元格之后新建一个单元格，运行`examine(TESTS_1, WARD_1)`，
# 看一号病房里各个测试查出了谁，表中✗表示查出，✓表示通过。


# %%
def close(got, want, atol=1e-3):
    return bool(torch.allclose(got, want, atol=atol))


def named(*tests):  # shape_1 is "shape" in ward 1
    return {test.__name__[:-2]: test for test in tests}


def verdicts(tests, patients):
    """Return the result of each test for each patient: True if it passes, None: not asked."""
    return {n: {name: test(who) for name, test in tests.items()} for n, who in patients.items()}


def examine(tests, patients):
    """Print the verdicts: ✓ passed, ✗ caught, or · where a test does not apply."""
    signs = {True: "✓", False: "✗", None: "·"}
    print(" " * 9, *(f"{name:>9}" for name in tests))
    for n, row in verdicts(tests, patients).items():
        print(f"{n!s:9}", *(f"{signs[ok]:>9}" for ok in row.values()))


# %% [markdown] lang="en" way="everything"
# ## 12.2 Ward 1: tables
#
# The patients add the sinusoidal table of chapter 2 to a batch of embeddings. They take `x`
# $(B,L,d)$ and a mask $(B,L)$ that is true at tokens. A healthy program must pass all six tests
# first:

# %% [markdown] lang="zh"
# ## 12.2 一号病房：编码表
#
# 病人们把第2章的正弦编码表加到一批嵌入上，参数是`x` $(B,L,d)$和在词元处为真的掩码$(B,L)$。
# 六个测试，健康的程序首先要全部通过：


# %%
def rows(encode, length=9, dim=64):  # the table alone, (length, dim)
    return encode(torch.zeros(1, length, dim), torch.ones(1, length, dtype=torch.bool))[0]


def shape_1(encode):
    return encode(torch.zeros(3, 7, 10), torch.ones(3, 7, dtype=torch.bool)).shape == (3, 7, 10)


def norm_1(encode):  # every row has norm √(d/2)
    return close(rows(encode).norm(dim=1), torch.tensor(32.0).sqrt())


def shift_1(encode):  # PE(p) · PE(p + 2) is the same for all p
    similarity = rows(encode) @ rows(encode).T
    return close(similarity.diagonal(2), similarity[0, 2], atol=0.05)


def near_1(encode):  # neighbours are similar
    return bool(F.cosine_similarity(rows(encode)[1:], rows(encode)[:-1]).min() > 0.9)


def batch_1(encode):  # a sentence alone gets what it gets in a batch
    x, mask = torch.zeros(3, 7, 64), torch.ones(3, 7, dtype=torch.bool)
    return close(encode(x, mask)[2:], encode(x[2:], mask[2:]))


def golden_1(encode):  # PE(1) for d = 4: sin 1, cos 1, sin 0.01, cos 0.01
    mask = torch.tensor([[False, True], [True, True]])  # two sentences, one word and two
    last = encode(torch.zeros(2, 2, 4), mask)[1, 1]
    return close(last, torch.tensor([0.8415, 0.5403, 0.0100, 1.0000]))


# %%
def healthy_1(x, mask):
    return x + sinusoidal((mask.cumsum(1) - 1).clamp(min=0), x.shape[-1])


TESTS_1 = named(shape_1, norm_1, shift_1, near_1, batch_1, golden_1)
examine(TESTS_1, {"healthy": healthy_1})

# %% [markdown] lang="en"
# A *golden value* is a number known from elsewhere, here worked out by hand: $\sin 1=0.8415$. The
# other tests check a *property* and need no such number. A choice that leaves every property intact
# as long as it is made consistently, such as which way to turn, is a **convention**.
#
# **Case 1.** Symptom: two neighbouring rows have almost nothing in common.

# %% [markdown] lang="zh" slide="code"
# *基准值*（golden value）是从别处得知的数，这里手算得出$\sin 1=0.8415$。其余测试检查某种*性质*，
# 不需要已知的数。有些事怎样选都行，只要前后一致就不破坏任何性质，如朝哪边转，
# 这叫**约定**（convention）。
#
# **病例1。** 症状：相邻的两行几乎毫无共同之处。


# %%
def case_1(x, mask):
    d = x.shape[-1]
    at = mask.cumsum(1) - 1  # (B, L)
    angles = at[..., None] * 10000.0 ** (torch.arange(0, d, 2) / d)  # (B, L, d/2)
    return x + torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)


for patient in (case_1, healthy_1):
    similarity = F.cosine_similarity(rows(patient)[1:], rows(patient)[:-1])
    print(f"{patient.__name__:9}: min cos(PE(p), PE(p + 1)) = {similarity.min():.2f}")


# %% exercise="clinic_sinusoidal_mask" mends="case_1"
def clinic_sinusoidal_mask(x, mask):
    """Return x plus the interleaved table, shape (B, L, d)."""
    ### BEGIN SOLUTION
    d = x.shape[2]
    at = mask.cumsum(1) - 1  # (B, L)
    angles = at[..., None] * 10000.0 ** (-torch.arange(0, d, 2) / d)  # (B, L, d/2)
    return x + torch.stack((angles.sin(), angles.cos()), dim=3).flatten(2)
    ### END SOLUTION


# %% check="clinic_sinusoidal_mask"
check("clinic_sinusoidal_mask", clinic_sinusoidal_mask)

# %% [markdown] lang="en"
# **Case 2.** Symptom: 32 columns of sines, and all are the same.

# %% [markdown] lang="zh"
# **病例2。** 症状：32列正弦，全都一样。


# %%
def case_2(x, mask):
    d = x.shape[-1]
    at = mask.cumsum(1) - 1  # (B, L)
    angles = at[..., None] * 10000.0 ** -(torch.arange(0, d, 2) // d)  # (B, L, d/2)
    return x + torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)


sines = rows(case_2)[:, ::2]
print(f"sines.shape[1] = {sines.shape[1]}, max |Δ| = {(sines - sines[:, :1]).abs().max():.1f}")

# %% [markdown] lang="en"
# **Case 3.** The embeddings come from a checkpoint trained with alternating columns. Symptom: no
# property is violated, but the model talks nonsense.

# %% [markdown] lang="zh"
# **病例3。** 词嵌入来自一个checkpoint，训练时正弦、余弦的列是交替排的。症状：性质上看不出任何问题，
# 模型却胡言乱语。


# %%
def case_3(x, mask):
    d = x.shape[-1]
    at = mask.cumsum(1) - 1  # (B, L)
    angles = at[..., None] * 10000.0 ** (-torch.arange(0, d, 2) / d)  # (B, L, d/2)
    return x + torch.stack((angles.sin(), angles.cos()), dim=-2).flatten(-2)


print("PE(0), d = 8:", rows(case_3, 1, 8)[0].int().tolist())

# %% [markdown] lang="en"
# **Case 4.** Symptom: the same sentence gets another encoding in another row of the batch. One
# character would cure it, so find something else: a batch on which nobody would notice. The cell
# takes three equal sentences and prints the encoding of the second token of each; the position of
# that token should be 1.

# %% [markdown] lang="zh"
# **病例4。** 症状：同一句话换到批次里的另一行，编码就变了。改一个字符就能治好，所以换一件事给你做：
# 找出一批句子，让这个错误显不出来。下面取三句相同的话，打印每句第二个词元的编码，
# 这个词元的位置都应是1。


# %%
def case_4(x, mask):
    d = x.shape[-1]
    at = mask.cumsum(0) - 1  # (B, L)
    angles = at[..., None] * 10000.0 ** (-torch.arange(0, d, 2) / d)  # (B, L, d/2)
    return x + torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)


three = case_4(torch.zeros(3, 2, 4), torch.ones(3, 2, dtype=torch.bool))
for sentence in three:
    print([f"{value:5.2f}" for value in sentence[1].tolist()])


# %% exercise="clinic_sinusoidal_batch"
def clinic_sinusoidal_batch(n):
    """Return the mask (n, n) of n sentences on which case 4 is right."""
    ### BEGIN SOLUTION
    return torch.ones(n, n, dtype=torch.bool).tril().flip(1)
    ### END SOLUTION


# %% check="clinic_sinusoidal_batch"
check("clinic_sinusoidal_batch", clinic_sinusoidal_batch)

# %% [markdown] lang="en"
# Compare the four with the healthy table. The picture encodes a single sentence, a batch of one.
# Case 4 goes wrong from row to row of a batch: what will it make of one sentence alone?

# %% [markdown] lang="zh" slide="show"
# 把四位病人与健康的表放在一起看。图里只编码一句话，批次里没有别的句子。
# 病例4在批次的各行之间出错，那么单独一句，它会编成什么样？

# %%
WARD_1 = {1: case_1, 2: case_2, 3: case_3, 4: case_4}
NAMES = {"healthy": healthy_1} | {f"case {n}": case for n, case in WARD_1.items()}


def table(patient="healthy", dim=32):
    return HeatMap(
        rows(NAMES[patient], 40, dim),
        **label.rows(patient=label.patients[patient]),
        limits=(-1, 1),
        colours="RdBu_r",
    )


explore(
    table, **label.table, patient={label.patients[name]: name for name in NAMES}, dim=(8, 64, 8)
)

# %% [markdown] lang="en"
# *Picture: 40 rows of the chosen table, red for 1 and blue for −1.*
#
# Healthy: fast stripes on the left, flat columns on the right. Case 4 is not right even for a
# sentence alone: it gives every token position 0, so all rows are the same. Case 1 is noise, case 2
# equal stripes everywhere. Case 3 differs at a glance, too: the fast stripes come twice.
#
# **The chart.** The faults of this ward; two of them are distractors.
#
# | letter | fault |
# |---|---|
# | a | the exponent is positive |
# | b | the cosine of a pair has an exponent of its own |
# | c | positions are counted along the batch |
# | d | sines and cosines stand in two halves |
# | e | the exponent is computed by integer division |
# | f | positions are rounded to 16 bits |

# %% [markdown] lang="zh"
# *图：所选编码表的40行，红为1，蓝为−1。*
#
# 健康的：左边的列变化快，条纹密；右边的列几乎不变。病例4单独一句也编不对：每个词元都成了位置0，
# 所以只有竖条，每一行都一样。病例1像噪声，病例2处处是同样的条纹。病例3一眼也看得出不同：
# 密条纹出现了两次。
#
# **病历。** 本病房的错误如下，其中两个是干扰项。
#
# | 代号 | 错误 |
# |---|---|
# | a | 指数取了正号 |
# | b | 同一对的余弦另有一个指数 |
# | c | 沿批次来数位置 |
# | d | 正弦和余弦分成前后两半 |
# | e | 指数按整数相除 |
# | f | 位置被舍入到16位 |


# %% exercise="clinic_chart_tables"
def clinic_chart_tables():
    """Return {case: (letter of the fault, name of a test that catches it)}."""
    ### BEGIN SOLUTION
    return {1: ("a", "near"), 2: ("e", "near"), 3: ("d", "golden"), 4: ("c", "batch")}
    ### END SOLUTION


# %% check="clinic_chart_tables"
check("clinic_chart_tables", clinic_chart_tables)

# %% [markdown] lang="en"
# <details><summary>The right code, once your chart is full</summary>
#
# - Case 2: `angles = at[..., None] * 10000.0 ** -(torch.arange(0, d, 2) / d)`
# - Case 3: `torch.stack((angles.sin(), angles.cos()), dim=-1)`. No number was missing, only the
#   columns stood in another order, so every property that does not depend on their order was still
#   there.
# - Case 4: `at = mask.cumsum(1) - 1`
#
# </details>

# %% [markdown] lang="zh"
# <details><summary>填完病历表之后再看：正确的写法</summary>
#
# - 病例2：`angles = at[..., None] * 10000.0 ** -(torch.arange(0, d, 2) / d)`
# - 病例3：`torch.stack((angles.sin(), angles.cos()), dim=-1)`。数一个不少，只是换了列，
#   所以凡是与列的次序无关的性质都还在。
# - 病例4：`at = mask.cumsum(1) - 1`
#
# </details>

# %% [markdown] lang="en" way="everything"
# ## 12.3 Ward 2: rotations
#
# The patients rotate queries and keys `(B, H, L, D)`, half-split, for tokens at `start`,
# `start + 1`, …, and return both. Of the six tests, `order` is new: it checks whether the place of
# a word matters at all.

# %% [markdown] lang="zh"
# ## 12.3 二号病房：旋转
#
# 本病房都是旋转函数：输入查询和键`(B, H, L, D)`，按前后半排布（half-split），
# 词元位置依次为`start`、`start + 1`……，返回旋转后的两者。六个测试里`order`是新来的，
# 它检查词放在哪里到底有没有区别。

# %%
rng = torch.Generator().manual_seed(1)
Q, K = torch.randn(2, 2, 4, 12, 64, generator=rng).unbind()
word = torch.randn(1, 4, 1, 64, generator=rng).expand(1, 4, 12, 64)  # one word at 12 places


def scores(turn, q, k, start=0):
    q, k = turn(q, k, start)
    return q @ k.mT


def shape_2(turn):
    return all(x.shape == Q.shape for x in turn(Q, K))


def norm_2(turn):
    return all(
        close(y.norm(dim=-1), x.norm(dim=-1)) for x, y in zip((Q, K), turn(Q, K), strict=True)
    )


def shift_2(turn):  # the whole text moved by 40 tokens
    return close(scores(turn, Q, K), scores(turn, Q, K, 40), atol=0.01)


def order_2(turn):  # the same word, 5 and 6 tokens away
    five, six = scores(turn, word, word)[..., 0, 5], scores(turn, word, word)[..., 0, 6]
    return not close(five, six, atol=0.1)


def near_2(turn):  # one step turns a vector a little: cosine 0.97 on average for D = 64
    near = (F.cosine_similarity(y[:, :, 1:], y[:, :, :-1], dim=-1) for y in turn(word, word))
    return all(bool(similar.mean() > 0.93) for similar in near)


def golden_2(turn):  # one head, D = 4: (1, 0, 0, 0) at position 1
    x = torch.eye(4)[:1].expand(1, 1, 2, 4)
    return all(close(y[0, 0, 1], torch.tensor([0.5403, 0, 0.8415, 0])) for y in turn(x, x))


# %%
def healthy_2(q, k, start=0):
    angles = rope_angles(torch.arange(start, start + q.shape[2]), frequencies(q.shape[3]))
    return rotate(q, angles, layout="half"), rotate(k, angles, layout="half")


TESTS_2 = named(shape_2, norm_2, shift_2, order_2, near_2, golden_2)
examine(TESTS_2, {"healthy": healthy_2})

# %% [markdown] lang="en"
# Two snippets that the patients of this ward share:

# %% [markdown] lang="zh"
# 本病房的病人共用这两段代码：


# %%
def angles_of(q, start):  # (L, D/2)
    D = q.shape[3]
    omega = 10000.0 ** (-torch.arange(0, D, 2) / D)
    return torch.arange(start, start + q.shape[2])[:, None] * omega


def halves(x, angles):
    (a, b), c, s = x.chunk(2, dim=-1), angles.cos(), angles.sin()
    return torch.cat((a * c - b * s, a * s + b * c), dim=-1)


# %% [markdown] lang="en"
# **Case 5.** Queries are rotated by your own code, keys by a library. Symptom: scores change when
# the text moves.

# %% [markdown] lang="zh" slide="code"
# **病例5。** 查询用你自己写的代码旋转，键用某个库来旋转。症状：文本一移动，得分就变。


# %%
def neighbours(x, angles):  # the library
    a, b, c, s = x[..., 0::2], x[..., 1::2], angles.cos(), angles.sin()
    return torch.stack((a * c - b * s, a * s + b * c), dim=-1).flatten(-2)


def case_5(q, k, start=0):
    return halves(q, angles_of(q, start)), neighbours(k, angles_of(k, start))


for start in (0, 40):
    print(f"start = {start:2}: S[3, 5] = {scores(case_5, Q, K, start)[0, 0, 3, 5]:.2f}")

# %% [markdown] lang="en"
# **Case 6.** The patient of section 12.1 again. Symptom: past and future are swapped.
# This one you cure without touching the program.

# %% [markdown] lang="zh" slide="code"
# **病例6。** 又是12.1节的那位病人。症状：过去和未来对调了。这一位，请在不改程序的前提下把他治好。


# %%
def case_6(q, k, start=0):
    c, s = (t.repeat(1, 2) for t in (angles_of(q, start).cos(), angles_of(q, start).sin()))

    def turned(x):
        a, b = x.chunk(2, dim=-1)
        return x * c + torch.cat((b, -a), dim=-1) * s

    return turned(q), turned(k)


same = [x[:1, :1, :1].expand(1, 1, 12, 64) for x in (Q, K)]  # two words at 12 places
ours, right = scores(case_6, *same)[0, 0], scores(healthy_2, *same)[0, 0]
print(f"case_6: score(5, 3) = {ours[5, 3]:5.2f}, score(3, 5) = {ours[3, 5]:5.2f}")
print(f"RoPE:   score(5, 3) = {right[5, 3]:5.2f}, score(3, 5) = {right[3, 5]:5.2f}")


# %% exercise="clinic_rope_llama"
def clinic_rope_llama(weight, heads):
    """Return the weight (H·D, d) with which case 6 gives the scores of RoPE."""
    ### BEGIN SOLUTION
    first, second = weight.unflatten(0, (heads, 2, -1)).unbind(1)  # each (H, D/2, d)
    return torch.stack((first, -second), dim=1).flatten(0, 2)
    ### END SOLUTION


# %% check="clinic_rope_llama"
check("clinic_rope_llama", clinic_rope_llama)

# %% [markdown] lang="en"
# **Case 7.** From a code base whose tensors are `(B, L, H, D)`. Symptom: for the same word, every
# place gives the same score.

# %% [markdown] lang="zh"
# **病例7。** 来自一个张量形状为`(B, L, H, D)`的代码库。症状：同一个词，放在哪里得分都一样。


# %%
def case_7(q, k, start=0):
    D = q.shape[-1]
    omega = 10000.0 ** (-torch.arange(0, D, 2) / D)
    angles = torch.arange(start, start + q.shape[1])[:, None, None] * omega
    return halves(q, angles), halves(k, angles)


row = scores(case_7, word, word)[0, 3, 0, :5]
print("score(0, 0 … 4) =", [f"{score:.2f}" for score in row.tolist()])


# %% exercise="clinic_rope_heads_first" mends="case_7"
def clinic_rope_heads_first(q, k, start=0):
    """Return both rotated along the tokens, each (B, H, L, D)."""
    ### BEGIN SOLUTION
    D = q.shape[3]
    omega = 10000.0 ** (-torch.arange(0, D, 2) / D)
    angles = torch.arange(start, start + q.shape[2])[:, None] * omega  # (L, D/2)
    c, s = angles.cos(), angles.sin()

    def turned(x):
        a, b = x.chunk(2, dim=3)
        return torch.cat((a * c - b * s, a * s + b * c), dim=3)

    return turned(q), turned(k)
    ### END SOLUTION


# %% check="clinic_rope_heads_first"
check("clinic_rope_heads_first", clinic_rope_heads_first)

# %% [markdown] lang="en"
# **Case 8.** Symptom: no pair is slow. Right with one head, wrong with four.

# %% [markdown] lang="zh"
# **病例8。** 症状：没有低频对。只有一个头时没错，四个头就错了。


# %%
def case_8(q, k, start=0):
    B, H, L, D = q.shape
    omega = 10000.0 ** (-torch.arange(0, D, 2) / (H * D))
    angles = torch.arange(start, start + L)[:, None] * omega
    return halves(q, angles), halves(k, angles)


for heads in (1, 4):
    unit = torch.eye(64)[31].expand(1, heads, 2, 64)  # pair 31 is channels 31 and 63
    a, b = case_8(unit, unit)[0][0, 0, 1, [31, 63]]
    print(f"H = {heads}: ω_31 = {torch.atan2(b, a):.5f}")

# %% [markdown] lang="en"
# **Case 9.** "Saves a copy." Symptom: vectors get shorter or longer.

# %% [markdown] lang="zh"
# **病例9。** “省一份拷贝。”症状：向量变短或变长。


# %%
def case_9(q, k, start=0):
    q, k = q.clone(), k.clone()  # so that the tests keep their own
    angles = angles_of(q, start)
    for x in (q, k):
        a, b = x.chunk(2, dim=-1)
        a[:] = a * angles.cos() - b * angles.sin()
        b[:] = a * angles.sin() + b * angles.cos()
    return q, k


ratio = case_9(Q, K)[0].norm(dim=-1) / Q.norm(dim=-1)
print(f"|q'| / |q| = {ratio.min():.2f} … {ratio.max():.2f}")

# %% [markdown] lang="en"
# Watch the score of one pair of words while the key moves away, for two places of the query. Where
# the patient's two curves agree, only the distance counts. Does any patient agree with the healthy
# curve?

# %% [markdown] lang="zh" slide="show"
# 看同一对词的得分怎样随键远离而变化，查询取两个位置。
# 病人的两条曲线重合，说明只有距离起作用。有没有哪一位还与健康的曲线重合？

# %%
WARD_2 = {5: case_5, 6: case_6, 7: case_7, 8: case_8, 9: case_9}
TURNS = {f"case {n}": case for n, case in WARD_2.items()}
pair = [x[:1, :, :1].expand(1, 4, 40, 64) for x in (Q, K)]  # one query and one key at 40 places


def profile(patient="case 5", start=7):
    def of(turn, first):
        return scores(turn, *pair, first)[0, 3, 0]  # head 3, query at `first`

    return Curves(
        [
            Curve(range(40), of(healthy_2, 0), label.healthy),
            Curve(range(40), of(TURNS[patient], 0), label.query_at_0),
            Curve(range(40), of(TURNS[patient], start), label.query_moved),
        ],
        **label.scores(patient=label.patients[patient], start=start),
        y_limits=(-25, 25),
        markers=True,
    )


explore(
    profile, **label.profile, patient={label.patients[name]: name for name in TURNS}, start=(1, 60)
)

# %% [markdown] lang="en"
# *Picture: three curves of the score over the distance, the healthy one and two of the patient.*
#
# No patient does. For cases 6, 7 and 8 the last two coincide: moving the text changes nothing, and
# still none of them is the healthy curve. For cases 5 and 9 the curves separate.
#
# **The chart.** (In every ward two letters are left over.)
#
# | letter | fault |
# |---|---|
# | a | the exponent is divided by the width of the model |
# | b | everything turns the other way |
# | c | the minus sign in the rotation is missing |
# | d | the first half is overwritten before the second is computed |
# | e | queries and keys are paired in two ways |
# | f | positions go to heads, not to tokens |
# | g | values are rotated too |

# %% [markdown] lang="zh"
# *图：得分随距离变化的三条曲线，一条是健康的，两条是病人的。*
#
# 病例6、7、8的后两条重合：移动文本什么也不变，但没有一个与健康的曲线相同。病例5和9的曲线则分开了。
#
# **病历。**（各病房都有两个干扰项。）
#
# | 代号 | 错误 |
# |---|---|
# | a | 指数除以了模型的宽度 |
# | b | 全都转反了方向 |
# | c | 旋转里少了负号 |
# | d | 后一半还没算，前一半就被覆盖了 |
# | e | 查询和键的配对方式不同 |
# | f | 位置给了头，没给词元 |
# | g | 值也被旋转了 |


# %% exercise="clinic_chart_rotations"
def clinic_chart_rotations():
    """Return {case: (letter of the fault, name of a test that catches it)}."""
    ### BEGIN SOLUTION
    return {
        5: ("e", "shift"),
        6: ("b", "golden"),
        7: ("f", "order"),
        8: ("a", "near"),
        9: ("d", "norm"),
    }
    ### END SOLUTION


# %% check="clinic_chart_rotations"
check("clinic_chart_rotations", clinic_chart_rotations)

# %% [markdown] lang="en"
# <details><summary>The right code, once your chart is full</summary>
#
# - Case 5: `return halves(q, angles_of(q, start)), halves(k, angles_of(k, start))`
# - Case 8: `omega = 10000.0 ** (-torch.arange(0, D, 2) / D)`
# - Case 9: `a[:], b[:] = a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()`
#
# </details>

# %% [markdown] lang="zh"
# <details><summary>填完病历表之后再看：正确的写法</summary>
#
# - 病例5：`return halves(q, angles_of(q, start)), halves(k, angles_of(k, start))`
# - 病例8：`omega = 10000.0 ** (-torch.arange(0, D, 2) / D)`
# - 病例9：`a[:], b[:] = a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()`
#
# </details>

# %% [markdown] lang="en" way="everything"
# ## 12.4 Ward 3: biases
#
# ALiBi, T5 and Transformer-XL: numbers that depend on a distance. Each patient is wrapped as a
# function of the length `L` that returns a bias `(H, L, L)`, with one golden value known for it.
# Three tests are new: `falls` requires a smaller bias one token back than at the token itself, and
# no increase further back; `crop` requires the last rows and columns of a longer text to hold the
# same numbers (for the past alone); `direction` is for encoders alone, and prints `·` elsewhere.

# %% [markdown] lang="zh"
# ## 12.4 三号病房：偏置
#
# ALiBi、T5、Transformer-XL，都是由距离决定的数。每位病人都包成长度`L`的函数，返回偏置`(H, L, L)`，
# 并附有一个已知的基准值。新来的测试有三个：`falls`要求前一个词元处的偏置比自身处小，
# 再远也不回升；`crop`要求长文本的最后几行几列与短文本相同（只比过去的那些键）；
# `direction`只查编码器，其余显示`·`。


# %%
class Bias(NamedTuple):
    of_length: Callable[[int], torch.Tensor]  # L → (H, L, L)
    golden: tuple[int, float]  # distance into the past, bias of the first head
    encoder: bool = False

    def __call__(self, length):
        return self.of_length(length)


def shape_3(bias):
    return bias(7).shape[1:] == (7, 7)


def shift_3(bias):  # one number for each distance into the past
    diagonals = (bias(40).diagonal(-k, 1, 2) for k in range(40))
    return all(close(x, x[:, :1].expand_as(x)) for x in diagonals)


def falls_3(bias):  # the last query, from itself back to the beginning
    row = bias(40)[:, -1].flip(-1)  # (H, 40)
    return bool((row.diff() <= 0).all() and (row[:, 1] < row[:, 0]).all())


def crop_3(bias):
    return close(bias(7).tril(), bias(40)[:, -7:, -7:].tril())


def direction_3(bias):  # an encoder tells 3 tokens back from 3 ahead
    return not close(bias(9)[:, 6, 3], bias(9)[:, 3, 6]) if bias.encoder else None


def golden_3(bias):
    distance, value = bias.golden
    return close(bias(80)[0, -1, -1 - distance], torch.tensor(value))


TESTS_3 = named(shape_3, shift_3, falls_3, crop_3, direction_3, golden_3)

# %% [markdown] lang="en"
# The golden values come from the papers and the released code, by hand: ALiBi's first of 8 heads
# loses ½ per token; T5 puts distance 40 into bucket 23, its encoder puts 3 tokens back into bucket
# 3; `rel_shift` must bring distance 3 to the key 3 tokens back.
#
# The wrappers below turn each kind into a bias, so that the same tests fit all: minus the bucket
# number, minus the distance. A healthy one then falls with distance. You need not read them; run
# them and go on to case 10. The table has a row for each healthy program (`T5 both`: T5's encoder).

# %% [markdown] lang="zh"
# 基准值出自论文和公开的代码，手算得出：ALiBi的8个头中，第一个头每个词元扣½；T5把距离40放进23号桶，
# 它的编码器把3个词元之前的键放进3号桶；`rel_shift`应把距离3送到3个词元之前的键那里。
#
# 下面的代码把各类病人都包成偏置，以便用同一组测试来查：桶号、距离一律取负，健康的就都随距离下降。
# 这段代码不必细读，运行即可，直接去看病例10。打印的表每行一个健康的程序（`T5 both`是T5的编码器）。


# %%
def relative(length):  # key - query, (L, L)
    return torch.arange(length) - torch.arange(length)[:, None]


def slopes(line):  # from line(length, heads)
    return Bias(lambda length: line(length, 8), (1, -0.5))


def past(bucket):  # from bucket(distance)
    return Bias(lambda length: -bucket(-relative(length).clamp(max=0)).float()[None], (40, -23.0))


def both(bucket):  # from bucket(key - query)
    return Bias(lambda length: -bucket(relative(length)).float()[None], (3, -3.0), encoder=True)


def shifted(shift):  # from shift(x), where x holds minus the distances
    return Bias(
        lambda length: shift(torch.arange(1.0 - length, 1).expand(1, length, length)), (3, -3.0)
    )


def alibi(length, heads):
    return alibi_slopes(heads)[:, None, None] * -relative(length).abs()


HEALTHY_3 = {
    "ALiBi": slopes(alibi),
    "T5": past(lambda n: t5_bucket(-n, bidirectional=False)),
    "T5 both": both(lambda r: t5_bucket(r, bidirectional=True)),
    "rel_shift": shifted(rel_shift),
}
examine(TESTS_3, HEALTHY_3)

# %% [markdown] lang="en"
# **Case 10.** Symptom: no head reaches as far as in the paper.

# %% [markdown] lang="zh" slide="code"
# **病例10。** 症状：每个头都比论文里看得近。


# %%
def case_10(length, heads):
    slopes = 2.0 ** (-8 * torch.arange(heads) / heads)
    at = torch.arange(length)
    return -slopes[:, None, None] * (at[:, None] - at).abs()


print("b[h, 1, 0] =", [f"{x:.4f}" for x in case_10(2, 8)[:, 1, 0].tolist()])

# %% [markdown] lang="en"
# **Case 11.** T5's buckets as a paper prints them (Chi et al. 2022, KERPLE). Symptom: a token 16
# back shares a bucket with the token itself.

# %% [markdown] lang="zh"
# **病例11。** T5的桶，照一篇论文印的公式写（Chi等，2022，KERPLE）。症状：
# 16个词元之前的键与词元自身同在一个桶。


# %%
def case_11(distance):
    far = 16 * (distance.clamp(min=1) / 16).log() / math.log(128 / 16)
    return torch.where(distance < 16, distance, far.long().clamp(max=31))


print("14, 15, 16, 40 →", case_11(torch.tensor([14, 15, 16, 40])).tolist())

# %% [markdown] lang="en"
# **Case 12.** For an encoder that sees both sides. Symptom: half of the table is never used.

# %% [markdown] lang="zh"
# **病例12。** 用于两边都看的编码器。症状：表有一半从来没用到。


# %%
def case_12(relative):
    n = relative.abs()
    far = 8 + 8 * (n.clamp(min=1) / 8).log() / math.log(128 / 8)
    return torch.where(n < 8, n, far.long().clamp(max=15))


print("−500 … 500 →", case_12(torch.arange(-500, 501)).unique().tolist())


# %% exercise="clinic_bucket_encoder" mends="case_12"
def clinic_bucket_encoder(relative):
    """Return the bucket of T5's encoder for key - query, int64, same shape."""
    ### BEGIN SOLUTION
    n = relative.abs()
    far = 8 + 8 * (n.clamp(min=1) / 8).log() / math.log(128 / 8)
    side = torch.where(n < 8, n, far.long().clamp(max=15))
    return torch.where(relative > 0, side + 16, side)
    ### END SOLUTION


# %% check="clinic_bucket_encoder"
check("clinic_bucket_encoder", clinic_bucket_encoder)

# %% [markdown] lang="en"
# **Case 13.** Transformer-XL's trick with one more column. Its input here is the distances
# themselves. Symptom: every distance is one too small. Only the token itself has the right 0, and
# it comes from the padding.

# %% [markdown] lang="zh"
# **病例13。** Transformer-XL添一列的技巧，这里直接输入距离。症状：每个距离都少了1。
# 只有自身处的0是对的，却是填充来的。


# %%
def case_13(x):
    length = x.shape[-1]
    padded = F.pad(x, (0, 1))  # (H, L, L + 1)
    return padded.flatten(-2)[..., length:].unflatten(-1, (length, length))


distances = torch.arange(4, -1, -1).expand(1, 5, 5)
print("case_13:  ", case_13(distances)[0, -1].tolist())
print("rel_shift:", rel_shift(distances)[0, -1].tolist())

# %% [markdown] lang="en"
# **The chart.** (A test can also be called alone, as in the next cell.)
#
# | letter | fault |
# |---|---|
# | a | the 16 exact buckets are not added back |
# | b | the padding is at the wrong end |
# | c | the bias is divided by √D together with the scores |
# | d | heads are counted from 0 |
# | e | past and future share buckets |
# | f | slopes go down in equal steps |

# %% [markdown] lang="zh"
# **病历。**（也可以像下一个单元格那样，单独调用一个测试。）
#
# | 代号 | 错误 |
# |---|---|
# | a | 没有把16个精确的桶加回来 |
# | b | 填充加在了错误的一端 |
# | c | 偏置和得分一起除以了√D |
# | d | 头从0数起 |
# | e | 过去和未来共用桶 |
# | f | 斜率按等差下降 |

# %%
WARD_3 = {
    10: slopes(case_10),
    11: past(case_11),
    12: both(case_12),
    13: shifted(case_13),
}
print("falls_3(WARD_3[10]) =", falls_3(WARD_3[10]))


# %% exercise="clinic_chart_biases"
def clinic_chart_biases():
    """Return {case: (letter of the fault, name of a test that catches it)}."""
    ### BEGIN SOLUTION
    return {
        10: ("d", "golden"),
        11: ("a", "falls"),
        12: ("e", "direction"),
        13: ("b", "falls"),
    }
    ### END SOLUTION


# %% check="clinic_chart_biases"
check("clinic_chart_biases", clinic_chart_biases)

# %% [markdown] lang="en"
# <details><summary>The right code, once your chart is full</summary>
#
# - Case 10: `slopes = 2.0 ** (-8 * torch.arange(1, heads + 1) / heads)`
# - Case 11: `far = 16 + 16 * (distance.clamp(min=1) / 16).log() / math.log(128 / 16)`
# - Case 13: `padded = F.pad(x, (1, 0))`
#
# </details>

# %% [markdown] lang="zh"
# <details><summary>填完病历表之后再看：正确的写法</summary>
#
# - 病例10：`slopes = 2.0 ** (-8 * torch.arange(1, heads + 1) / heads)`
# - 病例11：`far = 16 + 16 * (distance.clamp(min=1) / 16).log() / math.log(128 / 16)`
# - 病例13：`padded = F.pad(x, (1, 0))`
#
# </details>

# %% [markdown] lang="en" way="everything"
# ## 12.5 Ward 4: stretching and rounding
#
# The patients compute the cosines and sines of RoPE, `(2, L, dim/2)`, for a stretch $s$ and in 16
# or 32 bits. Three tests are new. `reach` requires that, with a stretch of 8, the slowest pair have
# at position $8p$ the angle that it has at $p$ without a stretch. NTK-aware scaling (what the
# healthy program does, and case 14 attempts) and interpolation (what cases 15 to 17 are meant to
# do) both do that if they are right. In bfloat16, `precise` allows one rounding, and `apart` wants
# 2048 different rows.

# %% [markdown] lang="zh"
# ## 12.5 四号病房：扩展与舍入
#
# 病人们计算RoPE的余弦和正弦，形状为`(2, L, dim/2)`，扩展$s$倍，用16位或32位。新来的测试有三个。
# `reach`要求：扩展8倍时，最低频的一对在位置$8p$的角度等于不扩展时$p$处的角度；
# NTK-aware（病例14和健康的程序）与位置插值（病例15到17）写对了都满足。
# 在bfloat16下，`precise`只许舍入一次，`apart`要求2048行各不相同。


# %%
def shape_4(tables):
    return tables(torch.arange(7), 10).shape == (2, 7, 5)


def norm_4(tables):  # cos² + sin² = 1
    return close(tables(torch.arange(9), 64, 4.0).square().sum(0), torch.ones(()))


def golden_4(tables):  # dim 4, position 1: cos 1, cos 0.01, sin 1, sin 0.01
    want = torch.tensor([0.5403, 1.0000, 0.8415, 0.0100])
    return close(tables(torch.tensor([1]), 4).flatten(), want)


def reach_4(tables):
    far, trained = tables(torch.tensor([8000]), 64, 8.0), tables(torch.tensor([1000]), 64)
    return close(far[:, :, -1], trained[:, :, -1])


def precise_4(tables):  # bfloat16 is float32, rounded once
    at = torch.arange(4096)
    return close(tables(at, 64, dtype=torch.bfloat16).float(), tables(at, 64), atol=2**-8)


def apart_4(tables):  # 2048 positions, 2048 different rows
    found = torch.cat(tuple(tables(torch.arange(2048), 64, dtype=torch.bfloat16)), dim=1)
    return len(found.float().unique(dim=0)) == 2048


def healthy_4(at, dim, factor=1.0, dtype=torch.float32):
    angles = rope_angles(at, ntk_aware(dim, factor)[0])
    return torch.stack((angles.cos(), angles.sin())).to(dtype)


TESTS_4 = named(shape_4, norm_4, golden_4, reach_4, precise_4, apart_4)
examine(TESTS_4, {"healthy": healthy_4})

# %% [markdown] lang="en"
# **Case 14.** NTK-aware scaling, from memory. Symptom: the slowest pair goes beyond what was
# trained, by a little. At $s=8$ its frequency should be divided by exactly 8; the cell prints what
# this code divides it by.

# %% [markdown] lang="zh" slide="code"
# **病例14。** 凭记忆写的NTK-aware缩放。症状：最低频的一对略微超出了训练过的范围。
# $s=8$时，它的频率应当恰好除以8；打印的是这段代码实际除以了多少。


# %%
def case_14(at, dim, factor=1.0, dtype=torch.float32):
    base = 10000.0 * factor
    angles = at[:, None] * base ** (-torch.arange(0, dim, 2) / dim)
    return torch.stack((angles.cos(), angles.sin())).to(dtype)


slowest = [case_14(torch.tensor([1]), 64, s)[1, 0, -1].asin() for s in (1.0, 8.0)]
print(f"s = 8: ω_31 / ω'_31 = {slowest[0] / slowest[1]:.2f}")

# %% [markdown] lang="en"
# **Case 15.** Two colleagues have each added position interpolation. Symptom: with $s=8$ every pair
# turns at 1/64 of its speed. The cell prints the angle of pair 0 at position 16: by this code, then
# as it should be, $p/s$.

# %% [markdown] lang="zh"
# **病例15。** 两位同事各自加了一遍位置插值。症状：$s=8$时，每一对的转速都只剩原来的1/64。
# 下面打印位置16处第0对的角度，先是这段代码的，再是应有的$p/s$。


# %%
def case_15(at, dim, factor=1.0, dtype=torch.float32):
    omega = 10000.0 ** (-torch.arange(0, dim, 2) / dim) / factor
    angles = (at / factor)[..., None] * omega
    return torch.stack((angles.cos(), angles.sin())).to(dtype)


cos, sin = case_15(torch.tensor([16]), 4, 8.0)
print(f"p = 16, s = 8: p · ω'_0 = {torch.atan2(sin, cos)[0, 0]:.2f}, p / s = {16 / 8:.2f}")

# %% [markdown] lang="en"
# **Case 16.** "The same dtype as the model." Symptom: from 256 on, some neighbours share a row.

# %% [markdown] lang="zh"
# **病例16。** “和模型用同一个dtype。”症状：从256起，有些相邻的位置共用一行。


# %%
def case_16(at, dim, factor=1.0, dtype=torch.float32):
    omega = 10000.0 ** (-torch.arange(0, dim, 2) / dim)
    angles = (at.to(dtype).float() / factor)[:, None] * omega
    return torch.stack((angles.cos(), angles.sin())).to(dtype)


pairwise = case_16(torch.arange(255, 260), 64, dtype=torch.bfloat16).float().diff(dim=1)
print("p = 255 … 258, row(p + 1) ≠ row(p):", pairwise.abs().amax((0, 2)).gt(0).tolist())


# %% exercise="clinic_rope_dtype" mends="case_16"
def clinic_rope_dtype(at, dim, factor=1.0, dtype=torch.float32):
    """Return cosines and sines, rounded once to dtype, shape (2, L, dim/2)."""
    ### BEGIN SOLUTION
    omega = 10000.0 ** (-torch.arange(0, dim, 2).double() / dim)
    angles = (at.double() / factor)[:, None] * omega
    return torch.stack((angles.cos(), angles.sin())).to(dtype)
    ### END SOLUTION


# %% check="clinic_rope_dtype"
check("clinic_rope_dtype", clinic_rope_dtype)

# %% [markdown] lang="en"
# **Case 17.** `model.to(torch.bfloat16)` converts every floating-point buffer, also the one with
# the frequencies. Symptom: correct at the beginning of a text, noise at its end.

# %% [markdown] lang="zh"
# **病例17。** `model.to(torch.bfloat16)`会转换所有浮点缓冲区，存频率的那个也不例外。
# 症状：文本开头没问题，到末尾成了噪声。


# %%
def case_17(omega, at):
    angles = at[:, None] * omega.float()
    return torch.stack((angles.cos(), angles.sin())).to(omega.dtype)


omega, at = frequencies(64).float(), torch.tensor([10, 100, 1000, 4000])
error = (case_17(omega.bfloat16(), at).float() - case_17(omega, at)).abs().amax((0, 2))
print("p = 10, 100, 1000, 4000: max |Δ| =", [f"{x:.2f}" for x in error.tolist()])


# %% exercise="clinic_frequency_buffer" mends="case_17"
def clinic_frequency_buffer(omega, at):
    """Return cosines and sines in the dtype of omega, shape (2, L, D/2)."""
    ### BEGIN SOLUTION
    exact = 10000.0 ** (-torch.arange(len(omega)) / len(omega))  # (D/2,)
    angles = at[:, None] * exact
    return torch.stack((angles.cos(), angles.sin())).to(omega.dtype)
    ### END SOLUTION


# %% check="clinic_frequency_buffer"
check("clinic_frequency_buffer", clinic_frequency_buffer)

# %% [markdown] lang="en"
# Case 16 makes a staircase of each cosine. How many tokens share a step near position 4000? Does
# case 17 make steps as well? Walk along the text, and choose a pair.

# %% [markdown] lang="zh" slide="show"
# 病例16把余弦变成了一级一级的台阶。到位置4000附近，几个词元共用一级？病例17也有台阶吗？
# 沿着文本走一走，再换一对看看。


# %%
def moved_model(at, dim, factor=1.0, dtype=torch.float32):  # case 17, called like its neighbours
    return case_17(frequencies(dim).to(dtype), at / factor)


def rounding(start=1000, pair=6):
    at = torch.arange(start, start + 40)
    exact = case_16(at, 64)[0, :, pair]
    stairs = case_16(at, 64, dtype=torch.bfloat16)[0, :, pair].float()
    moved = moved_model(at, 64, dtype=torch.bfloat16)[0, :, pair].float()
    return Curves(
        [
            Curve(at, exact, label.float32),
            Curve(at, stairs, label.case_16),
            Curve(at, moved, label.case_17),
        ],
        **label.cosines(start=start, pair=pair),
        y_limits=(-1.1, 1.1),
        markers=True,
    )


explore(rounding, **label.rounding, start=(0, 4000, 10), pair=(0, 31))

# %% [markdown] lang="en"
# *Picture: three curves over 40 positions. Near position 0 all three coincide.*
#
# From 256 on a step of case 16 holds two tokens on average, from 512 on four, from 2048 on sixteen.
# Case 17 has no such steps (only those of its result, rounded to bfloat16 at the end: 1/256 at
# most, too small to see), but its angle drifts further from the true one with every token (but for
# pair 0, whose frequency 1 needs no rounding; the cosines of pairs 22 to 31 stay within 0.01 of the
# true ones).
#
# **The chart.** (The tests call case 17 through `moved_model`, above, which divides positions by
# $s$.)
#
# | letter | fault |
# |---|---|
# | a | positions are rounded before they are multiplied |
# | b | the ramp runs the wrong way |
# | c | the stretch is applied to positions and to frequencies |
# | d | the temperature acts on one of q and k |
# | e | the base grows by $s$ instead of $s^{d/(d-2)}$ |
# | f | frequencies are rounded before they are multiplied |

# %% [markdown] lang="zh"
# *图：40个位置上的三条曲线。在位置0附近三条重合。*
#
# 从256起病例16平均每两个词元一级台阶，从512起每四个一级，从2048起每十六个一级。
# 病例17没有这样的台阶（只有结果最后舍入到bfloat16时的小台阶，至多1/256，图上看不出），
# 角度却越走越偏（第0对例外，频率1不必舍入；第22到31对的余弦始终差不到0.01）。
#
# **病历。**（测试通过上面的`moved_model`调用病例17，由它把位置除以$s$。）
#
# | 代号 | 错误 |
# |---|---|
# | a | 位置在相乘之前被舍入 |
# | b | 斜坡方向反了 |
# | c | 扩展倍数既用在位置上，又用在频率上 |
# | d | 温度只作用于q和k中的一个 |
# | e | base（底数）只乘以$s$，而不是乘以$s^{d/(d-2)}$ |
# | f | 频率在相乘之前被舍入 |

# %%
WARD_4 = {14: case_14, 15: case_15, 16: case_16, 17: moved_model}


# %% exercise="clinic_chart_stretching"
def clinic_chart_stretching():
    """Return {case: (letter of the fault, name of a test that catches it)}."""
    ### BEGIN SOLUTION
    return {14: ("e", "reach"), 15: ("c", "reach"), 16: ("a", "apart"), 17: ("f", "precise")}
    ### END SOLUTION


# %% check="clinic_chart_stretching"
check("clinic_chart_stretching", clinic_chart_stretching)

# %% [markdown] lang="en"
# <details><summary>The right code, once your chart is full</summary>
#
# - Case 14: `base = 10000.0 * factor ** (dim / (dim - 2))`
# - Case 15: `omega = 10000.0 ** (-torch.arange(0, dim, 2) / dim)`
#
# </details>

# %% [markdown] lang="zh"
# <details><summary>填完病历表之后再看：正确的写法</summary>
#
# - 病例14：`base = 10000.0 * factor ** (dim / (dim - 2))`
# - 病例15：`omega = 10000.0 ** (-torch.arange(0, dim, 2) / dim)`
#
# </details>

# %% [markdown] lang="en" way="everything"
# ## 12.6 Ward 5: decoding
#
# The patients continue a text. To feed all of them in the same ways, each is wrapped as a function
# of the pieces into which the text is cut. `run([12], q, k, v)` is one pass, and
# `run([1] * 12, q, k, v)` goes token by token. `chunks` reads 5, 5 and 2 tokens; `group` changes
# the keys of the last KV head (not its values) and checks that its query heads notice, and no
# others.

# %% [markdown] lang="zh"
# ## 12.6 五号病房：解码
#
# 病人们接着生成文本。为了用同一组测试，我们把他们都包成函数，参数是文本怎样分块：
# `run([12], q, k, v)`一次算完，`run([1] * 12, q, k, v)`逐个词元。`chunks`按5、5、2个词元读入；
# `group`改动最后一个KV头的键（值不动），要求受影响的恰好是读它的那几个查询头。

# %%
rng = torch.Generator().manual_seed(2)
TEXT = torch.randn(3, 1, 4, 12, 16, generator=rng)  # q, k, v of 4 heads


def given(run):
    q, k, v = TEXT
    kv_heads = getattr(run, "kv_heads", 4)
    return q, k[:, :kv_heads], v[:, :kv_heads]


def shape_5(run):
    return run([12], *given(run)).shape == (1, 4, 12, 16)


def decode_5(run):
    return close(run([1] * 12, *given(run)), run([12], *given(run)))


def chunks_5(run):
    return close(run([5, 5, 2], *given(run)), run([12], *given(run)))


def causal_5(run):  # another last key changes the last output alone
    q, k, v = given(run)
    other = torch.cat((k[:, :, :-1], -k[:, :, -1:]), dim=2)
    return close(run([12], q, other, v)[:, :, :-1], run([12], q, k, v)[:, :, :-1])


def group_5(run):
    q, k, v = given(run)
    other = torch.cat((k[:, :-1], -k[:, -1:]), dim=1)
    noticed = (run([12], q, other, v) - run([12], q, k, v)).abs().amax((0, 2, 3)) > 1e-6
    return noticed.tolist() == [h >= 4 - 4 // k.shape[1] for h in range(4)]


def golden_5(run):  # one token attends to itself: the output is its value
    v = torch.tensor([1.0, 2.0]).expand(1, 1, 1, 2)
    return close(run([1], torch.ones(1, 1, 1, 2), torch.ones(1, 1, 1, 2), v), v)


TESTS_5 = named(shape_5, decode_5, chunks_5, causal_5, group_5, golden_5)

# %% [markdown] lang="en"
# A patient is wrapped in one of three ways: `from_step` takes a decoding step with a cache,
# `from_positions` a rule for the positions of the pieces, `from_attention` attention without a
# cache, which reads the whole text again for each piece. Patients call `turn` and `causal` too:
# read their first lines. The rest you need not read; run it and go on to case 18.

# %% [markdown] lang="zh"
# 包法有三种：`from_step`用来包带缓存的单步解码；`from_positions`用来包给出各块位置的规则；
# `from_attention`用来包不带缓存的注意力，每来一块，就把整段重算一遍。
# 病人们也会调用`turn`和`causal`，先看清它们的参数；其余不必细读，运行之后直接去看病例18。


# %%
def turn(x, at):  # RoPE, half-split, at positions (L,) or (B, L)
    omega = 10000.0 ** (-torch.arange(0, x.shape[3], 2) / x.shape[3])
    angles = (at[..., None] * omega).unsqueeze(-3)  # (1, L, D/2) or (B, 1, L, D/2)
    (a, b), c, s = x.chunk(2, dim=-1), angles.cos(), angles.sin()
    return torch.cat((a * c - b * s, a * s + b * c), dim=-1)


def causal(q, k, v, at_q, at_k, bias=0.0):  # at_q (Lq,), at_k (Lk,)
    k, v = (x.repeat_interleave(q.shape[1] // x.shape[1], dim=1) for x in (k, v))
    future = torch.where(at_k > at_q[:, None], -torch.inf, 0.0)  # (Lq, Lk)
    return F.scaled_dot_product_attention(q, k, v, attn_mask=future + bias)


def from_step(step):
    def run(sizes, q, k, v):
        outs, cache = [], None
        for piece in zip(*(x.split(sizes, dim=2) for x in (q, k, v)), strict=True):
            out, cache = step(*piece, cache)
            outs.append(out)
        return torch.cat(outs, dim=2)

    return run


def from_positions(positions):
    def run(sizes, q, k, v):
        turned, order = positions(sizes), torch.arange(q.shape[2])
        return causal(turn(q, turned), turn(k, turned), v, order, order)

    return run


def from_attention(attend, kv_heads):
    def run(sizes, q, k, v):
        ends = torch.tensor(sizes).cumsum(0).tolist()
        outs = [attend(*(x[:, :, :end] for x in (q, k, v))) for end in ends]
        return torch.cat([out[:, :, -size:] for out, size in zip(outs, sizes, strict=True)], dim=2)

    run.kv_heads = kv_heads
    return run


def healthy_attention(q, k, v):
    at = torch.arange(q.shape[2])
    return causal(q, k, v, at, at)


def healthy_step(q, k, v, cache=None):  # the cache of chapter 8, which keeps positions
    at = next_positions(cache, len(q), q.shape[2])  # (B, new)
    cache = append(cache, turn(k, at), v, at)
    return attend(turn(q, at), at, cache), cache


HEALTHY_5 = {
    "step": from_step(healthy_step),
    "positions": from_positions(lambda lengths: torch.arange(sum(lengths))),
    "attention": from_attention(healthy_attention, kv_heads=2),
}
examine(TESTS_5, HEALTHY_5)

# %% [markdown] lang="en"
# **Case 18.** Symptom: token by token, the first output is right and all later ones are off.

# %% [markdown] lang="zh" slide="code"
# **病例18。** 症状：逐个词元算，第一个输出对，后面的全都偏了。


# %%
def case_18(q, k, v, cache=None):
    start = 0 if cache is None else cache[0].shape[2] + 1
    at = torch.arange(start, start + q.shape[2])
    keys, values = turn(k, at), v
    if cache is not None:
        keys, values = torch.cat((cache[0], keys), dim=2), torch.cat((cache[1], values), dim=2)
    column = torch.arange(keys.shape[2])
    return causal(turn(q, at), keys, values, column[-q.shape[2] :], column), (keys, values)


run_18 = from_step(case_18)
gap = (run_18([1] * 12, *TEXT) - run_18([12], *TEXT)).abs().amax((0, 1, 3))
print("p = 0 … 3: max |Δ| =", [f"{x:.2f}" for x in gap[:4].tolist()])


# %% exercise="clinic_decode_rope" mends="case_18"
def clinic_decode_rope(q, k, v, cache=None):
    """Return the output (B, H, new, D), and the pair (keys, values)."""
    ### BEGIN SOLUTION
    D, new = q.shape[3], q.shape[2]
    past = 0 if cache is None else cache[0].shape[2]
    at = torch.arange(past, past + new)
    angles = at[:, None] * 10000.0 ** (-torch.arange(0, D, 2) / D)
    c, s = angles.cos(), angles.sin()

    def turned(x):
        a, b = x.chunk(2, dim=3)
        return torch.cat((a * c - b * s, a * s + b * c), dim=3)

    keys, values = turned(k), v
    if cache is not None:
        keys, values = torch.cat((cache[0], keys), dim=2), torch.cat((cache[1], values), dim=2)
    seen = torch.arange(past + new) <= at[:, None]  # (new, past + new)
    return F.scaled_dot_product_attention(turned(q), keys, values, attn_mask=seen), (keys, values)
    ### END SOLUTION


# %% check="clinic_decode_rope"
check("clinic_decode_rope", clinic_decode_rope)

# %% [markdown] lang="en"
# **Case 19.** A long prompt is read in pieces. Symptom: none, as long as all pieces are equal.

# %% [markdown] lang="zh"
# **病例19。** 很长的prompt（提示词）分块读入。症状：各块等长时一切正常，最后一块短了，位置就错。


# %%
def case_19(lengths):
    return torch.cat([n * length + torch.arange(length) for n, length in enumerate(lengths)])


print("4, 4, 4:", case_19([4, 4, 4]).tolist())
print("4, 4, 2:", case_19([4, 4, 2]).tolist())


# %% exercise="clinic_chunk_positions" mends="case_19"
def clinic_chunk_positions(lengths):
    """Return the positions of all tokens, int64, shape (sum(lengths),)."""
    ### BEGIN SOLUTION
    pieces, start = [], 0
    for length in lengths:
        pieces.append(torch.arange(start, start + length))
        start += length
    return torch.cat(pieces)
    ### END SOLUTION


# %% check="clinic_chunk_positions"
check("clinic_chunk_positions", clinic_chunk_positions)

# %% [markdown] lang="en"
# **Case 20.** Grouped-query attention. Symptom: a converted checkpoint talks nonsense; prefill and
# decoding agree.

# %% [markdown] lang="zh" slide="code"
# **病例20。** 分组查询注意力。症状：转换来的checkpoint胡言乱语，预填充与解码却一致。


# %%
def case_20(q, k, v):
    k, v = (x.repeat(1, q.shape[1] // x.shape[1], 1, 1) for x in (k, v))
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)


run_20 = from_attention(case_20, kv_heads=2)
print("decode_5(run_20) =", decode_5(run_20))


# %% exercise="clinic_grouped_heads" mends="case_20"
def clinic_grouped_heads(q, k, v):
    """Return causal attention with grouped queries, shape (B, H, L, D)."""
    ### BEGIN SOLUTION
    k, v = (x.repeat_interleave(q.shape[1] // x.shape[1], dim=1) for x in (k, v))
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)
    ### END SOLUTION


# %% check="clinic_grouped_heads"
check("clinic_grouped_heads", clinic_grouped_heads)

# %% [markdown] lang="en"
# **Case 21.** ALiBi with a cache. Symptom: while decoding, the nearest key is penalised most. The
# cell prints the weights that the last of four tokens gives to the four keys, when only the bias
# tells them apart: first in one pass, then with three tokens in the cache.

# %% [markdown] lang="zh"
# **病例21。** 带缓存的ALiBi。症状：解码时，离得最近的键被扣得最多。
# 下面让四个键只差在偏置上，打印四个词元中最后一个分给各键的权重：先是一次算完，
# 再是前三个已在缓存里。


# %%
def case_21(q, k, v, slopes, cache=None):
    if cache is not None:
        k, v = torch.cat((cache[0], k), dim=2), torch.cat((cache[1], v), dim=2)
    at, new = torch.arange(k.shape[2]), q.shape[2]
    bias = -slopes[:, None, None] * (at[:, None] - at).abs()  # (H, L, L)
    return causal(q, k, v, at[-new:], at, bias[:, :new]), (k, v)


def step_21(q, k, v, cache=None):
    return case_21(q, k, v, alibi_slopes(q.shape[1]), cache)


same, units = torch.zeros(1, 8, 4, 4), torch.eye(4).expand(1, 8, 4, 4)  # outputs are weights
for sizes in ([4], [3, 1]):
    weights = from_step(step_21)(sizes, same, same, units)[0, 0, -1]  # slope ½
    print(f"{sizes!s:6}:", [f"{weight:.2f}" for weight in weights.tolist()])


# %% exercise="clinic_decode_alibi" mends="case_21"
def clinic_decode_alibi(q, k, v, slopes, cache=None):
    """Return the output (B, H, new, D), and the pair (keys, values)."""
    ### BEGIN SOLUTION
    if cache is not None:
        k, v = torch.cat((cache[0], k), dim=2), torch.cat((cache[1], v), dim=2)
    at, new = torch.arange(k.shape[2]), q.shape[2]
    bias = slopes[:, None, None] * (at - at[:, None])  # (H, L, L), 0 on the diagonal
    bias = bias.masked_fill(at > at[:, None], -torch.inf)[:, -new:]
    return F.scaled_dot_product_attention(q, k, v, attn_mask=bias), (k, v)
    ### END SOLUTION


# %% check="clinic_decode_alibi"
check("clinic_decode_alibi", clinic_decode_alibi)

# %% [markdown] lang="en"
# **The chart.**
#
# | letter | fault |
# |---|---|
# | a | the rows of the bias are taken from the top |
# | b | KV heads are tiled, not repeated one by one |
# | c | cached keys are rotated again |
# | d | new tokens are one position too far |
# | e | new tokens see later ones |
# | f | a piece begins at its index times its own length |

# %% [markdown] lang="zh"
# **病历。**
#
# | 代号 | 错误 |
# |---|---|
# | a | 偏置的行取自最上面 |
# | b | KV头整份平铺，而不是逐个重复 |
# | c | 缓存的键又转了一次 |
# | d | 新词元的位置多了1 |
# | e | 新词元看得到之后的词元 |
# | f | 一块的起点是块号乘以它自己的长度 |

# %%
WARD_5 = {18: run_18, 19: from_positions(case_19), 20: run_20, 21: from_step(step_21)}


# %% exercise="clinic_chart_decoding"
def clinic_chart_decoding():
    """Return {case: (letter of the fault, name of a test that catches it)}."""
    ### BEGIN SOLUTION
    return {
        18: ("d", "decode"),
        19: ("f", "chunks"),
        20: ("b", "group"),
        21: ("a", "decode"),
    }
    ### END SOLUTION


# %% check="clinic_chart_decoding"
check("clinic_chart_decoding", clinic_chart_decoding)

# %% [markdown] lang="en" way="everything"
# ## 12.7 Which test catches which case
#
# So far `examine` printed one ward at a time. Here are all of them in one picture, a row for each
# kind of test and a column for each case. Tests of the same name in different wards count as one
# kind here, though each is a program of its own. Choose the two kinds that miss the fewest cases:
# how many do they miss?

# %% [markdown] lang="zh" slide="show"
# ## 12.7 哪个测试查得出谁
#
# 到此为止，各病房的结果要用`examine`分别看。现在把它们画进同一张图，每行一种测试，每列一个病例。
# 各病房里名字相同的测试在这里算同一种，其实各是各的程序。选两种测试，最少会漏诊几例？

# %%
ALL_TESTS = (TESTS_1, TESTS_2, TESTS_3, TESTS_4, TESTS_5)
KINDS = list(dict.fromkeys(name for tests in ALL_TESTS for name in tests))
found = {}
for tests, ward in zip(ALL_TESTS, (WARD_1, WARD_2, WARD_3, WARD_4, WARD_5), strict=True):
    found |= verdicts(tests, ward)


def catches(*names):  # the cases that these tests catch
    return {n for n, row in found.items() if any(row.get(name) is False for name in names)}


# %%
def matrix(one="golden", two="near"):
    shades = {True: 0.0, False: 1.0, None: math.nan}
    told = [[shades[found[n].get(name)] for n in found] for name in KINDS]
    missed = len(found) - len(catches(one, two))
    return HeatMap(
        torch.tensor(told),
        **label.tests(one=one, two=two, missed=missed),
        limits=(0, 1),
        x_ticks=[str(n) for n in found],
        y_ticks=KINDS,
        highlight_rows=[KINDS.index(one), KINDS.index(two)],
    )


explore(matrix, **label.matrix, one=KINDS, two=KINDS)

# %% [markdown] lang="en"
# *Picture: a row for each kind of test, a column for each case; 1 is caught, 0 is passed, white
# means that the test does not apply; the chosen tests are framed. `golden` catches ten cases
# and none of the last eight; `shape`, `crop` and `causal` are dark wherever they apply.*
#
# No row is bright from end to end. How many kinds of tests does it take to catch all 21? Look for
# columns with a single bright cell, and guess before the next cell tries all choices.

# %% [markdown] lang="zh" slide="show"
# *图：每行一种测试，每列一个病例；1为查出，0为通过，白色表示该测试不适用；选中的测试加了框。
# `golden`查出十例，最后八例一例也没查出；`shape`、`crop`和`causal`三行凡适用之处都是暗的。*
#
# 没有哪一行从头亮到尾。那么要查出全部21例，需要几种测试？找找只有一格亮着的列，先猜一个数，
# 再让下一个单元格把所有选法都试一遍。

# %% tags=["predict"]
best = ()
while len(catches(*best)) < len(found):
    size = len(best) + 1
    best = max(itertools.combinations(KINDS, size), key=lambda names: len(catches(*names)))
    print(f"{size} → {len(catches(*best)):2} / 21:", *best)

# %% [markdown] lang="en"
# It takes eight kinds. (Two catch at most 13 cases, `golden` and `chunks`: they miss 8, which
# answers the question above the picture.)
#
# Could another choice of equal size do as well? Look for cases that only one kind of test catches:
# which are they?

# %% [markdown] lang="zh"
# 需要八种。（两种最多查出13例，即`golden`加`chunks`；所以图前那一问的答案是漏8例。）
#
# 换一组同样多的，行不行？找找只有一种测试查得出的病例：是哪几例？

# %% tags=["predict"]
for name in KINDS:  # the cases that no other test catches
    if alone := catches(name) - catches(*(other for other in KINDS if other != name)):
        print(f"{name:9}", sorted(alone))

# %% [markdown] lang="en"
# No other eight would do: each of these catches a case that no other sees. Cases 3, 6 and 10 have
# every property that is tested, and the wrong numbers: only `golden` sees a convention.
#
# `golden` misses eleven cases, all because of its **sample**: a batch of one word and two (4), the
# first pair of one head (8), one head (20), the past alone (12), no stretch (14, 15), 32 bits (16,
# 17), one token (18, 19, 21).

# %% [markdown] lang="zh"
# 不行：这八种里，每一种都至少有一例是别的测试查不出的。病例3、6、10，
# 该有的性质样样具备，只有数值不对：错在约定，只有`golden`查得出。
#
# `golden`漏诊了十一例，原因都出在**样本**上：一批里恰好是一个词和两个词的句子（4），
# 只看一个头的第一对（8），只有一个头（20），只看过去（12），没有扩展（14、15），32位（16、17），
# 只有一个词元（18、19、21）。

# %% [markdown] lang="en" way="everything"
# ## 12.8 What is not true
#
# **"The loss goes down, so the encoding is right."** Case 6 turns everything the other way, and
# signs make up for it: with the second half of every query and key negated it gives exactly the
# scores of RoPE. A model trained *from scratch* can learn those signs as part of its projections:
# the mirror costs it nothing. Only a checkpoint from elsewhere shows the fault.

# %% [markdown] lang="zh" slide="show"
# ## 12.8 哪些说法不对
#
# **“损失在下降，所以编码是对的。”** 病例6把一切都转反了方向，而正负号可以补救：
# 把每个查询和键的后一半取负，它给出的就恰好是RoPE的得分。*从头训练*的模型可以把这些符号学进投影里，
# 转反了也毫无损失。只有用别处来的checkpoint，才看得出错误。

# %%
flip = torch.cat((torch.ones(32), -torch.ones(32)))
print(
    "scores(case_6, Q * flip, K * flip) = scores(healthy_2, Q, K):",
    close(scores(case_6, Q * flip, K * flip), scores(healthy_2, Q, K)),
)

# %% [markdown] lang="en"
# **"A golden value settles it."** It settles its sample. In ward 2 that is one head and the first
# pair, whose frequency is 1 whatever the exponent is divided by. Take four heads *and* the second
# pair, and case 8 is caught:

# %% [markdown] lang="zh" slide="show"
# **“有基准值就够了。”** 它只担保那个样本。二号病房的样本是一个头、第一对，而第一对的频率总是1，
# 指数除以什么都一样。换成四个头*和*第二对，病例8就查出来了：


# %%
def golden_at(turn, heads, channel):  # D = 4: channel 0 turns by 1 a token, channel 1 by 0.01
    x = torch.eye(4)[channel].expand(1, heads, 2, 4)
    angle = torch.tensor([1.0, 0.01])[channel]
    want = torch.eye(4)[channel] * angle.cos() + torch.eye(4)[channel + 2] * angle.sin()
    return close(turn(x, x)[0][0, 0, 1], want)


for heads, channel in itertools.product((1, 4), (0, 1)):
    healthy, eighth = (golden_at(turn, heads, channel) for turn in (healthy_2, case_8))
    print(f"heads={heads}, channel={channel}: healthy_2 {healthy}, case_8 {eighth}")

# %% [markdown] lang="en"
# **"The tests pass, so the program is right."** It is not wrong in any way that they can see, and
# whether a test can see at all has to be shown. Of the 30 test functions, 13 caught nobody in their
# ward, all five `shape` among them. A name proves nothing: `norm_2` caught case 9, `norm_1` has
# never failed. So plant faults for all 13:

# %% [markdown] lang="zh" slide="show"
# **“测试通过，说明程序对。”** 它只说明程序没有犯这些测试查得出的错，而测试到底查不查得出什么，
# 也要拿事实来说。三十个测试函数里，有十三个在自己的病房一例也没查出，五个`shape`全在其中。
# 名字相同不等于同一个测试：`norm_2`查出了病例9，`norm_1`却从没失败过。
# 给这十三个测试各准备一段植入了错误的程序（有的两个测试合用一段），看它们能不能失败：

# %%
planted = [
    ([shape_1], lambda x, mask: healthy_1(x, mask)[:, 1:]),  # a row is lost
    ([norm_1, shift_1], lambda x, mask: healthy_1(x, mask) * mask.cumsum(1)[..., None]),
    ([shape_2], lambda q, k, start=0: (q[..., :32], k[..., :32])),  # half of the vector
    ([shape_3], slopes(lambda length, heads: alibi(length, heads)[:, -1:])),  # one query
    ([shift_3, crop_3], slopes(lambda length, heads: alibi(length, heads) * torch.arange(length))),
    ([shape_4], lambda *args: healthy_4(*args)[0]),  # no sines
    ([norm_4, golden_4], lambda *args: 1.1 * healthy_4(*args)),
    ([shape_5, golden_5], from_attention(lambda q, k, v: v[..., :1], kv_heads=4)),
    ([causal_5], from_attention(F.scaled_dot_product_attention, kv_heads=4)),  # no mask
]
for tests, patient in planted:
    print(*(f"{test.__name__}: {test(patient)}" for test in tests), sep=", ")

# %% [markdown] lang="en"
# **A test that has never failed is not known to work.**

# %% [markdown] lang="zh" slide="show"
# **从没失败过的测试，没人知道它管不管用。**

# %% [markdown] lang="en" way="everything"
# ## 12.9 Your own test
#
# Now a test of yours is examined. A rotation arrives without its code, and without a word about its
# layout, its base, or how many channels turn, so no golden table fits. (If only the first $r$ turn,
# half-split pairs channel $i$ with $i+r/2$, and the rest are left as they are.) What do *all* right
# rotations have in common, and which fault slips past each of these properties? One number is known
# after all: the first pair always turns by 1 a token. Put the rows of the identity matrix into the
# batch, one token each, `(D, 1, 1, D)`, and turn them with `start=1`: the first sentence then has
# the cosine of 1 in channel 0, and the sine in its partner.

# %% [markdown] lang="zh" slide="show"
# ## 12.9 自己写一个测试
#
# 现在轮到你的测试受检。送来一个旋转程序，没有代码，也没说是哪种排布、base是多少、转几个通道，
# 现成的基准表都用不上。（若只转前$r$个通道，前后半排布就是$i$与$i+r/2$成对，其余通道保持原样。）
# *所有*正确的旋转有哪些共同的性质？每条性质又会漏掉哪种错误？
# 好在有一个数是已知的：第一对的转速总是1。把单位矩阵的各行放进批次，每句一个词元，
# 形状`(D, 1, 1, D)`，用`start=1`转一次：第一句的第0个通道是1的余弦，与它配对的通道是1的正弦。


# %% exercise="clinic_rotation_test"
def clinic_rotation_test(turn):
    """Return True for every right RoPE turn(q, k, start=0), False for the faulty programs."""
    ### BEGIN SOLUTION
    q, k = torch.randn(2, 2, 2, 6, 16, generator=torch.Generator().manual_seed(0))
    whole, moved = turn(q, k), turn(q, k, 5000)
    pairs = [(whole[0] @ whole[1].mT, moved[0] @ moved[1].mT)]
    later = turn(q[:, :, 2:], k[:, :, 2:], 2)
    alone = turn(q[1:, 1:, 5:], k[1:, 1:, 5:], 5)  # one sentence, one head, one token
    pairs += [(x[:, :, 2:], y) for x, y in zip(whole, later, strict=True)]
    pairs += [(x[1:, 1:, 5:], y) for x, y in zip(whole, alone, strict=True)]
    spikes = torch.eye(16)[:, None, None]  # (16, 1, 1, 16), one channel each
    matrix = turn(spikes, spikes, 1)[0].flatten(1)  # where they go
    partner = int(matrix[0, 1:].argmax()) + 1  # of channel 0, anticlockwise by 1 radian
    pairs += [(matrix[0, partner], torch.tensor(1.0).sin())]
    other = 2 if partner == 1 else 1  # a channel of the second pair, which is slower
    same = all(torch.allclose(x, y, atol=0.02) for x, y in pairs)
    return same and bool(matrix[other, other] > 0.8)
    ### END SOLUTION


# %% check="clinic_rotation_test"
check("clinic_rotation_test", clinic_rotation_test)

# %% [markdown] lang="en" way="everything"
# ## 12.10 In real models
#
# Some of these faults appear in published text or code, or have a close relative there:
#
# | case | where |
# |---|---|
# | 1 | a positive exponent in the docstring of labml-nn 0.5.1 (its code is right) |
# | 2 | `torch.arange(0, d, 2) / d` itself, in PyTorch up to 1.5 (pull request 34570) |
# | 3 | tensor2tensor: sines, then cosines; the paper alternates |
# | 4 | the PyTorch tutorial's class counts along axis 0 of `(L, B, d)`; many feed it `(B, L, d)` |
# | 5 | Llama's own code is interleaved, Hugging Face's is half-split; weights are permuted |
# | 11 | the formula of T5 as printed in the KERPLE paper |
# | 16 | rotary-embedding-torch 0.9.1 with bfloat16 inputs |
# | 17 | `model.to(torch.bfloat16)` in transformers 5.23; compare issue 25681 |
# | 21 | a close relative: `tril` on a row of one query, NeMo 1.23 (KERPLE, Sandwich) |

# %% [markdown] lang="zh"
# ## 12.10 在真实模型中
#
# 其中一些错误，或它们的近亲，就出现在公开的论文或代码里：
#
# | 病例 | 出处 |
# |---|---|
# | 1 | labml-nn 0.5.1的文档字符串里指数为正（代码是对的） |
# | 2 | `torch.arange(0, d, 2) / d`本身，在PyTorch 1.5及更早的版本里（pull request 34570） |
# | 3 | tensor2tensor先排正弦、后排余弦；论文里是交替的 |
# | 4 | PyTorch教程里的类沿`(L, B, d)`的第0轴数位置；不少人喂给它的是`(B, L, d)` |
# | 5 | Llama自己的代码是交错排布（interleaved），Hugging Face的是前后半排布，权重的行要重排 |
# | 11 | KERPLE论文里印的T5公式 |
# | 16 | rotary-embedding-torch 0.9.1，输入为bfloat16时 |
# | 17 | transformers 5.23中的`model.to(torch.bfloat16)`；参见issue 25681 |
# | 21 | 一个近亲：对只有一个查询的一行用`tril`，NeMo 1.23（KERPLE、Sandwich） |

# %% [markdown] lang="en" way="everything"
# ## 12.11 Take-away
#
# - Write a golden value first, from the paper or the released code, with several heads, a pair
#   other than the first, a position other than 0 and a stretch other than 1.
# - Then test properties: the norm is kept, a shift changes nothing, order matters, neighbours are
#   near.
# - Then compare two ways to the same result: token by token, in pieces and in one pass; alone and
#   in a batch; in 16 bits and in 32, rounded once.
# - Make every test fail once, on a program with a known fault.
# - Where no number is known, ask what all right programs share, and compare calls: moved, alone, in
#   pieces, far out.
# - No property shows a convention, and no golden value shows anything beyond its sample.

# %% [markdown] lang="zh" slide="show"
# ## 12.11 本章要点
#
# - 先写基准值，出自论文或公开的代码；多取几个头，不要只取第一对，位置不要是0，扩展倍数不要是1。
# - 再写性质：范数不变，平移不影响结果，顺序有影响，相邻的彼此相近。
# - 再用两种办法算同一个结果来比较：逐个词元算或分块算，与一次算完；
#   单独算，与放在批次里算；直接用16位算，与用32位算完再舍入一次。
# - 让每个测试都失败一次，用一段错误已知的程序。
# - 没有现成的数可比，就问所有正确的程序有什么共同点，再拿几次调用互相比：移动、单独、分块、远处。
# - 性质测试查不出约定弄错了，基准值查不出样本以外的错。

# %%
quiz("bug_clinic")

# %% [markdown] lang="en" way="everything"
# ## Further reading
#
# - K. Claessen, J. Hughes: *QuickCheck: A Lightweight Tool for Random Testing of Haskell Programs*.
#   ICFP 2000. Where property tests come from.
# - T.-C. Chi, T.-H. Fan, P. J. Ramadge, A. I. Rudnicky: *KERPLE: Kernelized Relative Positional
#   Embedding for Length Extrapolation*. NeurIPS 2022.
#   [arXiv:2205.09921](https://arxiv.org/abs/2205.09921). Prints the formula of case 11.

# %% [markdown] lang="zh"
# ## 延伸阅读
#
# - K. Claessen, J. Hughes：*QuickCheck: A Lightweight Tool for Random Testing of Haskell
#   Programs*。ICFP 2000。性质测试（property-based testing）的由来。
# - T.-C. Chi, T.-H. Fan, P. J. Ramadge, A. I. Rudnicky：*KERPLE: Kernelized Relative Positional
#   Embedding for Length Extrapolation*。NeurIPS 2022。
#   [arXiv:2205.09921](https://arxiv.org/abs/2205.09921)。病例11的公式就印在这里。
