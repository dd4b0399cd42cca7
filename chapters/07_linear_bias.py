# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
#   kernelspec: {display_name: Python 3, language: python, name: python3}
#   posenc:
#     title: {en: Linear biases, zh: 线性偏置}
#     question:
#       en: "Why does a plain penalty for distance keep working beyond the trained length?"
#       zh: 只按距离扣分，为什么到了比训练时更长的文本上依然管用？
#     minutes: 110
# ---

# %% [markdown] lang="en"
# # 7 · Linear biases
#
# **The question.** Press et al. (2022) throw all positional vectors away and subtract a number that
# grows with the distance. Why does that keep working at lengths never seen, and what does it *not*
# give?
#
# **You will** write ALiBi's slopes for any number of heads, its bias, its decode row, the kernels
# of KERPLE and the cosines of Sandwich, and mend three mistakes that run without an error.
#
# **You need** chapters 1 and 2; chapter 5 for the comparison. About 110 minutes, 18 points, and 3
# more for a question that a teacher grades.

# %% [markdown] lang="zh"
# # 7 · 线性偏置
#
# **本章的问题。** Press等（2022）把位置向量统统扔掉，只减去一个随距离增长的数。
# 为什么到了从没见过的长度还管用？它*没有*给你的又是什么？
#
# **你将**写出任意头数的ALiBi斜率、偏置和解码时的那一行，KERPLE的核与Sandwich的余弦，
# 并修好三个运行时都不报错的错误。
#
# **你需要**第1章和第2章的内容；做对比时要用到第5章。约110分钟，共18分，
# 另有一道由教师评分的题，3分。

# %%
import math

import torch

from autograde import check, quiz
from bilingual import Text
from bilingual.switch import language_switch
from posenc_ref import (
    FireBias,
    alibi,
    alibi_slopes,
    attention_weights,
    causal_mask,
    kerple_log,
    kerple_power,
    positions,
    rope_angles,
    rotate,
    sandwich,
)
from posenc_ref import frequencies as rope_frequencies
from posenc_viz import Choice, Curve, Curves, HeatMap, explore, picture

torch.set_num_threads(1)
language_switch()

# %% [markdown] lang="en"
# ## 7.1 A distance that training never showed
#
# A head of a model with RoPE learnt on texts of 128 tokens. To it, a key 1000 tokens back has an
# angle it never met. We cannot train here, but we can see the symptom: how strongly do the scores
# of one query and one key still move when the distance is already far?

# %% [markdown] lang="zh"
# ## 7.1 训练中从没出现过的距离
#
# 一个用RoPE的模型，在128个词元的文本上学会了一个头。1000个词元之前的键，
# 对它来说是个从没见过的角度。
# 这里没法训练，但能看见症状：距离已经很远了，同一对查询和键的得分还会变动多大？

# %%
rng = torch.Generator().manual_seed(0)
q, k = torch.randn(2, 1, 1, 1, 64, generator=rng, dtype=torch.float64)
for distance in (64, 128, 1000, 1001, 1002):
    angles = rope_angles(torch.tensor([distance]), rope_frequencies(64))
    turned = rotate(q, angles, layout="half")
    rope = (turned * k).sum() / 8
    linear = (q * k).sum() / 8 - distance / 16
    print(f"{distance:4} tokens back: RoPE {rope:6.2f}, linear penalty {linear:7.2f}")

# %% [markdown] lang="en"
# RoPE's score at 1000 and 1001 is anybody's guess; the penalty goes on as it began. A softmax that
# has learnt "far means negligible" needs no new knowledge for "further". That is the whole idea of
# *Attention with Linear Biases*, ALiBi.

# %% [markdown] lang="zh"
# RoPE在1000和1001处的得分谁也说不准，扣分则照着开头的样子继续下去。
# softmax既然学会了“远就可以忽略”，
# 对“更远”就不需要新知识。*带线性偏置的注意力*（Attention with Linear Biases，ALiBi）说的就是这些。

# %% [markdown] lang="en"
# ## 7.2 One slope a head
#
# For query $i$ and key $j\le i$, head $h$ computes
#
# $$\mathrm{softmax}_j\bigl(q_i\cdot k_j/\sqrt D-m_h\,(i-j)\bigr).$$
#
# The *slope* $m_h>0$ is fixed before training. After the softmax, one token more is a factor
# $e^{-m_h}$. The slopes form a geometric sequence, $2^{-8h/H}$ for a power of two, so that some
# heads
# look at neighbours and some at pages. Other numbers of heads have a rule of their own.

# %% [markdown] lang="zh"
# ## 7.2 每个头一个斜率
#
# 对查询$i$和键$j\le i$，第$h$个头计算
#
# $$\mathrm{softmax}_j\bigl(q_i\cdot k_j/\sqrt D-m_h\,(i-j)\bigr).$$
#
# *斜率*（slope）$m_h>0$在训练之前就定好了。经过softmax，多一个词元就是乘一个因子$e^{-m_h}$。
# 斜率成等比数列，头数为2的幂时是$2^{-8h/H}$：有的头看邻居，有的头看整页。
# 头数不是2的幂时，另有一套规则。


# %% exercise="alibi_head_slopes"
def alibi_head_slopes(heads):
    """Return ALiBi's slope of each head, shape (heads,)."""
    ### BEGIN SOLUTION
    n = 2 ** (heads.bit_length() - 1)  # the largest power of two that is not above heads
    exponents = [8 * h / n for h in range(1, n + 1)]
    exponents += [4 * h / n for h in range(1, 2 * (heads - n), 2)]
    return torch.tensor([2.0**-e for e in exponents])
    ### END SOLUTION


# %% check="alibi_head_slopes"
check("alibi_head_slopes", alibi_head_slopes)

# %% [markdown] lang="en"
# How far does a head see? Call its *reach* the distance at which the factor $e^{-md}$ falls below
# $1/1000$: $d=\ln 1000/m\approx6.9/m$. Guess the reach of the first and last of 8 heads.

# %% [markdown] lang="zh"
# 一个头能看多远？把因子$e^{-md}$降到$1/1000$以下的距离叫作*视野*：$d=\ln 1000/m\approx6.9/m$。
# 先猜猜8个头里第一个和最后一个的视野。

# %%
slopes = alibi_slopes(8)
for h, m in enumerate(slopes.tolist(), start=1):
    print(f"head {h}: slope 1/{1 / m:<4.0f} reach {math.log(1000) / m:7.1f} tokens")

# %% [markdown] lang="en"
# Drag the head and the length. With equal content, where does the weight of the last query go? Set
# more heads: how do the reaches fill the range?

# %% [markdown] lang="zh"
# 拖动头和长度。内容完全相同时，最后一个查询的权重落在哪里？把头数调多：视野怎样填满整个范围？


# %%
def reach(head, heads, length):
    slopes = alibi_slopes(heads)
    shown = [slopes[0], slopes[min(head, heads) - 1], slopes[-1]]
    back = torch.arange(length)
    names = [
        Text(en="first head", zh="第一个头"),
        Text(en=f"head {min(head, heads)}", zh=f"第{min(head, heads)}个头"),
        Text(en="last head", zh="最后一个头"),
    ]
    curves = [
        Curve(back, (-m * back).softmax(0), name) for m, name in zip(shown, names, strict=True)
    ]
    return Curves(
        curves,
        x=Text(en="distance i − j (tokens)", zh="距离i − j（词元）"),
        y=Text(en="attention weight", zh="注意力权重"),
        title=Text(
            en=f"reach of head {min(head, heads)}: {math.log(1000) / shown[1]:.0f} tokens",
            zh=f"第{min(head, heads)}个头的视野：{math.log(1000) / shown[1]:.0f}个词元",
        ),
        x_limits=(0, length),
        y_limits=(1e-6, 1),
        y_scale="log",
    )


explore(
    reach,
    head=(1, 16, 1, 4),
    heads=Choice([4, 8, 12, 16], value=8),
    length=(20, 500, 20, 200),
    labels={
        "head": Text(en="head", zh="头"),
        "heads": Text(en="number of heads H", zh="头数H"),
        "length": Text(en="length", zh="长度"),
    },
)

# %% [markdown] lang="en"
# *Picture: three straight lines on a logarithmic axis, falling at different slopes; the first head
# leaves the picture after some tokens, the last is nearly level.* Equal steps in distance divide
# the
# weight by equal factors.

# %% [markdown] lang="zh"
# *图：对数纵轴上的三条直线，斜率各不相同；第一个头几个词元之后就掉出画面，最后一个几乎是平的。*
# 距离每增加同样多，权重就除以同样的倍数。

# %% [markdown] lang="en"
# ## 7.3 The bias as a table, and why you may not need one
#
# Written for all pairs, with relative position key − query, the bias is $m_h(j-i)$.

# %% [markdown] lang="zh"
# ## 7.3 写成一张表，以及为什么常常用不着这张表
#
# 对所有的对写出来，相对位置取“键减查询”，偏置就是$m_h(j-i)$。


# %% exercise="alibi_bias_table"
def alibi_bias_table(length, slopes):
    """Return slope times (key − query), shape (H, length, length)."""
    ### BEGIN SOLUTION
    p = torch.arange(length)
    relative = p[None, :] - p[:, None]  # (length, length), key − query
    return slopes[:, None, None] * relative
    ### END SOLUTION


# %% check="alibi_bias_table"
check("alibi_bias_table", alibi_bias_table)

# %% [markdown] lang="en"
# Three forms are in use. Choose a form and drag the head. Which two agree below the diagonal? Which
# one has equal rows?

# %% [markdown] lang="zh"
# 常见的形式有三种。选一种，再拖动头。哪两种在对角线以下相同？哪一种每一行都一样？


# %%
def forms(form, head):
    at, slopes = positions(10), alibi_slopes(8)
    bias = alibi(at, at, slopes, form=form)[head - 1].expand(10, 10)
    return HeatMap(
        bias,
        x=Text(en="key j", zh="键j"),
        y=Text(en="query i", zh="查询i"),
        title=Text(
            en=f"{form}, slope 1/{1 / slopes[head - 1]:.0f}",
            zh=f"{form}，斜率1/{1 / slopes[head - 1]:.0f}",
        ),
        limits=(-5, 5),
        colours="RdBu_r",
    )


explore(
    forms,
    form=Choice(["causal", "symmetric", "key_only"]),
    head=(1, 8, 1, 1),
    labels={"form": Text(en="form", zh="形式"), "head": Text(en="head", zh="头")},
)

# %% [markdown] lang="en"
# *Picture: a 10 × 10 heat map. Causal: 0 on the diagonal, blue below, red above. Symmetric: blue on
# both sides. Key only: every row the same, from 0 to red.*
#
# Rows of "causal" and "key only" differ by the constant $m\,i$, and softmax does not see a
# constant:
# $\mathrm{softmax}(s+c)=\mathrm{softmax}(s)$. So behind a causal mask one row $+m\,j$ serves all
# queries
# (BLOOM does this), and no $L\times L$ table is needed.

# %% [markdown] lang="zh"
# *图：10×10的热力图。causal：对角线为0，下方蓝，上方红。symmetric：两侧都蓝。
# key_only：每一行都相同，从0到红。*
#
# causal与key_only的同一行只差常数$m\,i$，而softmax看不见常数：
# $\mathrm{softmax}(s+c)=\mathrm{softmax}(s)$。所以有因果掩码时，一行$+m\,j$就能供所有查询使用
# （BLOOM就是这样），不需要$L\times L$的表。

# %%
rng = torch.Generator().manual_seed(0)
q, k = torch.randn(2, 1, 8, 10, 16, generator=rng, dtype=torch.float64)  # (B, H, L, D)
at = positions(10)


def weights(form, mask=None):
    bias = alibi(at, at, slopes.double(), form=form, dtype=torch.float64).expand(8, 10, 10)
    return attention_weights(q, k, mask, bias)


mask = causal_mask(at, at)
for form in ("symmetric", "key_only"):
    causal = (weights(form, mask) - weights("causal", mask)).abs().max()
    both = (weights(form) - weights("symmetric")).abs().max()
    print(f"{form:9}: against causal, masked {causal:.2f}; against symmetric, unmasked {both:.2f}")

# %% [markdown] lang="en"
# Behind the mask all three agree. Without it, in an encoder, only the symmetric form penalises
# distance. Two more traps of $+m\,j$: beside a sink logit without a bias it is no longer a
# constant,
# and in bfloat16 large $m\,j$ swallow the small differences near the query.

# %% [markdown] lang="zh"
# 有掩码时三者一致。没有掩码，比如在编码器里，只有对称形式是按距离扣分。$+m\,j$还有两个陷阱：
# 旁边若有一个不加偏置的sink logit，它就不再是常数了；在bfloat16里，
# 很大的$m\,j$会吞掉查询附近的微小差别。

# %%
j = torch.arange(2048)
for name, bias in (("+m j", 0.5 * j), ("−m (i − j)", -0.5 * (2047 - j))):
    exact, rounded = bias.softmax(0), bias.bfloat16().float().softmax(0)
    apart = (exact - rounded).abs().sum() / 2
    print(f"{name:10} in bfloat16: half of the sum of |differences| {apart:.4f}")

# %% [markdown] lang="en"
# ### One new token
#
# When a model decodes with a cache, only one row is new. It follows from the position of the query,
# without any square table.

# %% [markdown] lang="zh"
# ### 新来一个词元
#
# 带缓存解码时，新的只有一行。由查询的位置直接就能得到，不需要方阵。


# %% exercise="alibi_decode_row"
def alibi_decode_row(cached, slopes):
    """Return the bias of the token after `cached` others, shape (H, 1, cached + 1)."""
    ### BEGIN SOLUTION
    relative = torch.arange(-cached, 1)  # key − query, (cached + 1,)
    return slopes[:, None, None] * relative
    ### END SOLUTION


# %% check="alibi_decode_row"
check("alibi_decode_row", alibi_decode_row)

# %% [markdown] lang="en"
# ## 7.4 Not divided by √D
#
# The scores of content are divided by $\sqrt D$; the bias is added after and is not (footnote 10 of
# the paper). Suppose it were. The reach would grow by $\sqrt D$.

# %% [markdown] lang="zh"
# ## 7.4 不除以√D
#
# 内容的得分要除以$\sqrt D$；偏置是在那之后加的，不除（论文脚注10）。
# 假如也除了呢？视野会变成$\sqrt D$倍。

# %%
m = 0.5
for name, used in (("as published", m), ("divided by √64", m / 8)):
    print(f"{name:15}: reach {math.log(1000) / used:5.1f} tokens")

# %% [markdown] lang="en"
# ## 7.5 KERPLE: how fast should a penalty grow?
#
# A straight line is one choice. KERPLE (Chi et al. 2022) asks which functions of $|i-j|$ may serve:
# those whose negative is *conditionally positive definite*, so that adding a large enough constant
# makes them an inner product of positions. Softmax does not see the constant. Two families are
# learned, with $r_1,r_2>0$ for each head:
#
# $$-r_1\,|i-j|^{r_2}\;(0<r_2\le2),\qquad-r_1\ln(1+r_2\,|i-j|).$$
#
# The first with $r_2=1$ is ALiBi. Write the second.

# %% [markdown] lang="zh"
# ## 7.5 KERPLE：扣分该增长多快？
#
# 直线只是一种选择。KERPLE（Chi等，2022）问：$|i-j|$的哪些函数可以用？
# 答案是负的条件正定（conditionally positive definite）函数：加上一个足够大的常数，
# 它就成了位置之间的内积，而softmax看不见常数。学习的是两族函数，每个头有自己的$r_1,r_2>0$：
#
# $$-r_1\,|i-j|^{r_2}\;(0<r_2\le2),\qquad-r_1\ln(1+r_2\,|i-j|).$$
#
# 第一族取$r_2=1$就是ALiBi。请写出第二族。


# %% exercise="kerple_log_bias"
def kerple_log_bias(length, r1, r2):
    """Return −r1 ln(1 + r2 |i − j|), shape (H, length, length)."""
    ### BEGIN SOLUTION
    p = torch.arange(length)
    distance = (p[None, :] - p[:, None]).abs()  # (length, length)
    return -r1[:, None, None] * torch.log1p(r2[:, None, None] * distance)
    ### END SOLUTION


# %% check="kerple_log_bias"
check("kerple_log_bias", kerple_log_bias)

# %% [markdown] lang="en"
# After the exponential the logarithm becomes a *power law*, $(1+r_2d)^{-r_1}$: heavy tails instead
# of
# exponential decay. Drag $r_1$ and $r_2$ and compare with ALiBi's line.

# %% [markdown] lang="zh"
# 取指数之后，对数变成了*幂律*$(1+r_2d)^{-r_1}$：尾巴很重，不是指数衰减。拖动$r_1$和$r_2$，
# 与ALiBi的直线比一比。


# %%
def tails(r1, r2):
    here, back = torch.tensor([0]), torch.arange(1, 1001)
    one, two = torch.tensor([r1]), torch.tensor([r2])
    log = kerple_log(here, back, one, two).exp().flatten()
    power = kerple_power(here, back, one, two.clamp(max=2.0)).exp().flatten()
    linear = alibi(here, back, alibi_slopes(8)[4:5], form="symmetric").exp().flatten()
    return Curves(
        [
            Curve(back, log, Text(en="KERPLE log", zh="KERPLE对数核")),
            Curve(back, power, Text(en="KERPLE power", zh="KERPLE幂核")),
            Curve(back, linear, Text(en="ALiBi, slope 1/32", zh="ALiBi，斜率1/32")),
        ],
        x=Text(en="distance |i − j| (tokens)", zh="距离|i − j|（词元）"),
        y=Text(en="factor after softmax", zh="softmax之后的因子"),
        title=Text(en="How fast is the past forgotten?", zh="过去被遗忘得多快？"),
        x_scale="log",
        y_scale="log",
        x_limits=(1, 1000),
        y_limits=(1e-6, 1),
    )


explore(
    tails,
    r1=(0.1, 3.0, 0.1, 1.0),
    r2=(0.1, 2.0, 0.1, 1.0),
    labels={"r1": Text(en="r₁", zh="r₁"), "r2": Text(en="r₂", zh="r₂")},
)

# %% [markdown] lang="en"
# *Picture: on two logarithmic axes the logarithmic kernel is almost a straight line; the power
# kernel
# and ALiBi bend down and drop out.* At distance 1000 the logarithm with $r_1=r_2=1$ still leaves
# $1/1001$; a slope of $1/32$ leaves nothing.

# %% [markdown] lang="zh"
# *图：两个坐标轴都取对数，对数核几乎是一条直线，幂核和ALiBi弯下去、掉出画面。*
# 距离1000处，$r_1=r_2=1$的对数核还留着$1/1001$；斜率$1/32$什么也不剩。

# %%
one = torch.ones(1)
for d in (1, 10, 100, 1000):
    log = kerple_log(torch.tensor([0]), torch.tensor([d]), one, one).exp().item()
    print(f"distance {d:4}: KERPLE log {log:.4f}, ALiBi with slope 1/32 {math.exp(-d / 32):.4f}")

# %% [markdown] lang="en"
# ## 7.6 Sandwich and FIRE
#
# Sandwich (Chi et al. 2023) gets its penalty from chapter 2: the dot product of two sinusoids is
# $\sum\cos$ of the distance, largest at 0. Shifted by $d/2$ it is a bias without any parameter; it
# falls fast at first and slowly later, rather like a logarithm.

# %% [markdown] lang="zh"
# ## 7.6 Sandwich与FIRE
#
# Sandwich（Chi等，2023）的扣分来自第2章：两个正弦编码的点积就是距离的$\sum\cos$，在0处最大。
# 减去$d/2$，就成了一个没有参数的偏置；它先降得快、后降得慢，很像对数。


# %% exercise="sandwich_similarity"
def sandwich_similarity(length, heads, dim):
    """Return Sandwich's bias of every head, query and key, shape (heads, length, length)."""
    ### BEGIN SOLUTION
    p = torch.arange(length)
    n = torch.arange(1, dim // 2 + 1, dtype=torch.float64)  # from 1
    angles = (p[None, :] - p[:, None])[..., None] * 10000.0 ** (-2 * n / dim)  # (L, L, dim/2)
    penalty = angles.cos().sum(-1) - dim / 2  # (L, L)
    scale = 8 * torch.arange(1, heads + 1) / heads
    return (penalty / scale[:, None, None]).float()
    ### END SOLUTION


# %% check="sandwich_similarity"
check("sandwich_similarity", sandwich_similarity)

# %%
here, back = torch.tensor([0]), torch.arange(1, 2001)
shape = sandwich(here, back, heads=8, dim=128, pairs="nemo")[7, 0]
log = kerple_log(here, back, one, one)[0, 0]
picture(
    Curves(
        [
            Curve(back, shape, Text(en="Sandwich, head 8 of 8", zh="Sandwich，8个头中的第8个")),
            Curve(back, log, "−ln(1 + d)"),
        ],
        x=Text(en="distance d (tokens)", zh="距离d（词元）"),
        y=Text(en="bias", zh="偏置"),
        title=Text(en="A sum of cosines beside a logarithm", zh="余弦之和与对数"),
        x_scale="log",
    )
)
print(f"bias of head 8 at distance 10: {shape[9]:.1f}, at 1000: {shape[999]:.1f}")

# %% [markdown] lang="en"
# *Picture: two falling curves over a logarithmic axis; the sum of cosines wavers about a straight
# line.* FIRE (Li et al. 2024) lets a small network read the distance, but divided by how far the
# query has come, once that passes a threshold $L$. So its bias is *not* a function of $i-j$ alone.
# (We know FIRE from third-party code; its paper's equation is not checked here.)

# %% [markdown] lang="zh"
# *图：横轴取对数的两条下降曲线；余弦之和绕着一条直线起伏。* FIRE（Li等，
# 2024）让一个小网络去读距离，
# 但查询走过阈值$L$之后，要先除以查询走了多远。所以它的偏置*不*只是$i-j$的函数。
# （我们对FIRE的了解来自第三方代码，没有核对论文中的公式。）

# %%
torch.manual_seed(0)
fire = FireBias(heads=1, threshold=16.0)
with torch.no_grad():
    beside = fire(positions(64), positions(64))[0].diagonal(-1)  # distance 1, queries 1, 2, …
print("same up to query 16:", torch.allclose(beside[:15], beside[0].expand(15), atol=1e-6))
print("same at query 60:", torch.allclose(beside[59], beside[0], atol=1e-6))

# %% [markdown] lang="en"
# ## 7.7 What extrapolation means here
#
# Trained on 512 tokens, tested on longer inputs, WikiText-103 (Press et al. 2022, Table 2). Before
# you look: which of the four lines do you expect to stay level?

# %% [markdown] lang="zh"
# ## 7.7 这里说的外推是什么意思
#
# 训练长度512，用更长的输入测试，WikiText-103（Press等，2022，表2）。看之前先猜：
# 四条线里哪条会保持平稳？

# %%
lengths = [512, 1012, 1512, 2512, 3512, 15512]  # Press, Smith & Lewis 2022, Table 2
measured = {
    Text(en="sinusoidal", zh="正弦"): [20.05, 43.54, 76.23, 132.41, 178.97, 406.01],
    Text(en="rotary", zh="旋转"): [20.07, 21.37, 25.99, 31.58, 35.54, 79.25],
    "T5": [19.65, 18.79, 18.91, 20.41, 22.91, math.nan],  # out of memory at the last
    "ALiBi": [19.73, 18.73, 18.52, 18.41, 18.40, 18.31],
}
picture(
    Curves(
        [Curve(lengths, values, name) for name, values in measured.items()],
        x=Text(en="input length (tokens)", zh="输入长度（词元）"),
        y=Text(en="perplexity", zh="困惑度"),
        title=Text(en="Trained on 512 tokens", zh="训练长度为512个词元"),
        x_scale="log",
        y_scale="log",
        x_limits=(450, 18000),
        y_limits=(15, 500),
        markers=True,
    )
)
for name, values in measured.items():
    print(f"{getattr(name, 'en', name):10}: {values[0]:.2f} at 512, {values[3]:.2f} at 2512")

# %% [markdown] lang="en"
# *Picture: four lines on logarithmic axes; sinusoidal climbs steeply, rotary less, T5 sinks and
# then
# rises until memory ends, ALiBi sinks a little and stays level.* So ALiBi *keeps working*. Does it
# *use* the longer
# context? Slide a window so that every token has the full context of 512 … 3072 tokens:

# %% [markdown] lang="zh"
# *图：对数坐标上的四条线；正弦陡升，旋转升得少些，T5先降后升，到内存不足为止，
# ALiBi略降之后保持平稳。*
# 可见ALiBi*依然管用*。那它*用上*更长的上下文了吗？滑动窗口，
# 让每个词元都有512…3072个词元的完整上下文：

# %%
full_context = {512: 17.98, 1024: 17.92, 1536: 18.2, 2048: 18.28, 3072: 18.3}  # Table 15
for length, perplexity in full_context.items():
    print(f"{length:4} tokens of context: perplexity {perplexity:.2f}")

# %% [markdown] lang="en"
# Level, even slightly worse. The gain in Table 2 comes from the *early-token curse*: cut into
# longer
# pieces, fewer tokens stand at the beginning of a piece with little context (appendix B of the
# paper). Flat means "does not break", not "reads more". With 8 heads the reach ends at 1768 tokens.

# %% [markdown] lang="zh"
# 持平，甚至略差。表2里的改善来自*开头词元的劣势*（early-token curse）：切成更长的段，
# 站在段首、上下文很少的词元就更少了（论文附录B）。平稳的意思是“没坏”，不是“读得更多”。
# 8个头时，视野到1768个词元为止。

# %% [markdown] lang="en"
# ### ALiBi beside RoPE
#
# | | ALiBi | RoPE |
# |---|---|---|
# | acts on | the scores, added | queries and keys, turned |
# | parameters | none | none |
# | what a head can prefer | nearer, at a fixed rate | any distance, by content |
# | beyond the trained length | keeps working, within its reach | breaks; chapter 6 mends it |
# | with a KV cache | a row of numbers | rotated keys have their position for good |
# | memory of its own | a row, or $L\times L$ if carelessly done | cosine and sine, $L\times D$ |

# %% [markdown] lang="zh"
# ### ALiBi与RoPE
#
# | | ALiBi | RoPE |
# |---|---|---|
# | 作用于 | 得分，相加 | 查询和键，旋转 |
# | 参数 | 无 | 无 |
# | 一个头能偏爱什么 | 越近越好，速率固定 | 任何距离，由内容决定 |
# | 超过训练长度 | 在视野之内照常工作 | 失效，第6章来修 |
# | 带KV缓存时 | 一行数 | 旋转过的键，位置就定死了 |
# | 自身占用的内存 | 一行；不小心就是$L\times L$ | 余弦和正弦，$L\times D$ |

# %% [markdown] lang="en"
# ## 7.8 Bug clinic
#
# **Case 1.** "Slopes in equal steps, `i / H`." Symptom: the reaches crowd together near 7 … 55
# tokens
# and no head sees a page.

# %% [markdown] lang="zh"
# ## 7.8 Bug诊所
#
# **病例一。** “斜率等差排列，`i / H`。”症状：视野全挤在7…55个词元，没有哪个头看得到一整页。


# %%
def equal_steps(heads):
    return torch.arange(1, heads + 1) / heads


for name, slopes in (("broken", equal_steps(8)), ("right", alibi_slopes(8))):
    print(f"{name:6} reaches:", [round(math.log(1000) / m) for m in slopes.tolist()])


# %% exercise="mend_arithmetic_slopes"
def mend_arithmetic_slopes(heads):
    """Return the geometric slopes of `heads` heads, a power of two, shape (heads,)."""
    ### BEGIN SOLUTION
    h = torch.arange(1, heads + 1)
    return 2.0 ** (-8 * h / heads)
    ### END SOLUTION


# %% check="mend_arithmetic_slopes"
check("mend_arithmetic_slopes", mend_arithmetic_slopes)

# %% [markdown] lang="en"
# **Case 2.** A pair of brackets too many. Symptom: with equal content one token further back should
# cost a factor $e^{-m}=0.61$, and costs less.

# %% [markdown] lang="zh"
# **病例二。** 多了一对括号。症状：内容相同时，往前一个词元本应乘$e^{-m}=0.61$，实际却扣得少。


# %%
def scaled_together(q, k, slope):
    p = torch.arange(len(q))
    scores = (q @ k.T + slope * (p[None, :] - p[:, None])) / q.shape[-1] ** 0.5
    ahead = p[None, :] > p[:, None]
    return scores.masked_fill(ahead, -torch.inf).softmax(dim=-1)


last = scaled_together(torch.zeros(6, 64), torch.zeros(6, 64), 0.5)[-1]
print(f"factor per token: {last[-2] / last[-1]:.3f}, should be {math.exp(-0.5):.3f}")


# %% exercise="mend_scaled_bias"
def mend_scaled_bias(q, k, slope):
    """Return causal weights softmax(q kᵀ/√D + slope · (key − query)), shape (L, L)."""
    ### BEGIN SOLUTION
    p = torch.arange(len(q))
    relative = p[None, :] - p[:, None]  # key − query
    scores = q @ k.T / q.shape[-1] ** 0.5 + slope * relative
    return scores.masked_fill(relative > 0, -torch.inf).softmax(dim=-1)
    ### END SOLUTION


# %% check="mend_scaled_bias"
check("mend_scaled_bias", mend_scaled_bias)

# %% [markdown] lang="en"
# **Case 3.** The decoder's shortcut $+m\,j$, copied into an encoder. Symptom: with equal content
# every
# token looks at the end of the text.

# %% [markdown] lang="zh"
# **病例三。** 把解码器的捷径$+m\,j$抄进了编码器。症状：内容相同时，每个词元都看向文本末尾。


# %%
def decoder_shortcut(length, slopes):
    return slopes[:, None, None] * torch.arange(length).expand(length, length)


seen = decoder_shortcut(8, torch.tensor([0.5]))[0].softmax(-1)
print("where tokens 0 … 7 look most:", seen.argmax(-1).tolist())


# %% exercise="mend_key_only"
def mend_key_only(length, slopes):
    """Return the symmetric bias −slope · |i − j|, shape (H, length, length)."""
    ### BEGIN SOLUTION
    p = torch.arange(length)
    return -slopes[:, None, None] * (p[None, :] - p[:, None]).abs()
    ### END SOLUTION


# %% check="mend_key_only"
check("mend_key_only", mend_key_only)

# %% [markdown] lang="en"
# ## 7.9 What is not true
#
# **"ALiBi's slopes are learned."** They are fixed; the paper tried learning them and found it did
# not
# help (footnote 11). **"KERPLE decays exponentially."** Its logarithm is a power law; the ratio of
# neighbouring distances goes to 1, in ALiBi it stays $e^{-m}$:

# %% [markdown] lang="zh"
# ## 7.9 哪些说法不对
#
# **“ALiBi的斜率是学出来的。”** 是固定的；论文试过去学，没有好处（脚注11）。
# **“KERPLE是指数衰减。”** 它的对数核是幂律：相邻距离的因子之比趋于1，而ALiBi始终是$e^{-m}$。

# %%
for d in (1, 100, 1000):
    pair = torch.tensor([d, d + 1])
    log = kerple_log(torch.tensor([0]), pair, one, one)[0, 0]
    ratio = (log[1] - log[0]).exp()
    print(f"distance {d:4}: KERPLE log {ratio:.4f}, ALiBi 1/32 {math.exp(-1 / 32):.4f}")

# %% [markdown] lang="en"
# **"The formula $2^{-8h/H}$ holds for any number of heads."** For 12 heads the published slopes are
# those of 8, then 4 in between; a checkpoint trained with them is read wrongly by the formula.

# %% [markdown] lang="zh"
# **“公式$2^{-8h/H}$对任何头数都成立。”** 12个头时，公开的斜率是8个头的那些，再加上插在中间的4个；
# 用这个公式去读按它们训练的权重，就读错了。

# %%
formula = 2.0 ** (-8 * torch.arange(1, 13) / 12)
print("published:", [round(m, 3) for m in alibi_slopes(12).tolist()])
print("formula:  ", [round(m, 3) for m in formula.tolist()])

# %% [markdown] lang="en"
# ## 7.10 In real models
#
# | model | method | note |
# |---|---|---|
# | BLOOM | ALiBi | key-only row $+m\,j$ |
# | MPT | ALiBi | the row ends in 0 at the newest key |
# | Falcon-RW | ALiBi | product in bfloat16: 641 values of 2048 positions |
# | T5, and many after it | buckets (chapter 4) | learned, no fixed shape |
#
# What to set: the slopes of the checkpoint, the form that fits your mask, and float32 for the
# product.

# %% [markdown] lang="zh"
# ## 7.10 在真实模型中
#
# | 模型 | 方法 | 备注 |
# |---|---|---|
# | BLOOM | ALiBi | 只看键的一行$+m\,j$ |
# | MPT | ALiBi | 这一行在最新的键处为0 |
# | Falcon-RW | ALiBi | 用bfloat16相乘：2048个位置只剩641个值 |
# | T5及其后的许多模型 | 分桶（第4章） | 学习得到，形状不固定 |
#
# 要设置的是：与权重一致的斜率、与你的掩码相配的形式，以及用float32做乘法。

# %% [markdown] lang="en"
# ### Think: a thousand tokens back
#
# A colleague trained a model with ALiBi and 8 heads on 1024 tokens and wants to use it for question
# answering over 30000 tokens, because "ALiBi extrapolates". What do you tell them, and what would
# you
# measure? Three or four sentences.

# %% [markdown] lang="zh"
# ### 想一想：一千个词元之前
#
# 同事用ALiBi、8个头、1024个词元训练了一个模型，想拿它在30000个词元上做问答，理由是“ALiBi能外推”。
# 你会怎么说？会测量什么？写三四句话。

# %% [markdown] thinking="alibi_far_answers" points=3
# <div lang="en">
#
# **Model answer.** Level perplexity on long inputs means that the model does not break. It does not
# mean that it reads far: with 8 heads the furthest reach is about 1768 tokens, so an answer 20000
# tokens back has weight near 0 in every head, whatever the content. Measure whether the loss of the
# *last* tokens falls when context is added (sliding window), and put a needle at several distances.
#
# **Points.** 1 for "does not break" against "uses"; 1 for the reach, or an argument from the
# slopes;
# 1 for a measurement that separates the two.
#
# </div>
# <div lang="zh">
#
# **参考答案。** 长输入上困惑度平稳，只说明模型没有坏，不说明它读得远：
# 8个头时最远的视野约1768个词元，
# 20000个词元之前的答案，无论内容如何，在每个头里权重都接近0。
# 应当测量：增加上下文时*最后*若干词元的损失是否下降（滑动窗口）；再把关键信息放在不同距离处去找。
#
# **评分。** 区分“没坏”与“用上”得1分；说到视野，或从斜率出发论证，得1分；提出能区分两者的测量，
# 得1分。
#
# </div>

# %% [markdown] lang="en"
# ## 7.11 Take-away
#
# - ALiBi subtracts $m_h(i-j)$ from the scaled scores: fixed slopes, geometric, no parameter.
# - Three forms; they agree behind a causal mask. Without one, only the symmetric form is a
#   distance.
# - KERPLE learns the shape: the logarithm is a power law. Sandwich gets a similar shape from
#   cosines.
# - Penalties of distance keep working beyond the trained length because far is already negligible.
# - Level perplexity is not the use of long context.

# %% [markdown] lang="zh"
# ## 7.11 本章要点
#
# - ALiBi从缩放后的得分里减去$m_h(i-j)$：斜率固定、等比、没有参数。
# - 三种形式，有因果掩码时一致；没有掩码时，只有对称形式才是按距离。
# - KERPLE学习形状：对数核是幂律。Sandwich用余弦得到类似的形状。
# - 按距离扣分能超出训练长度照常工作，因为远处本来就已经可以忽略。
# - 困惑度平稳，不等于用上了长上下文。

# %%
quiz("linear_bias")

# %% [markdown] lang="en"
# ## Further reading
#
# - O. Press, N. A. Smith, M. Lewis: *Train Short, Test Long: Attention with Linear Biases Enables
#   Input Length Extrapolation*. ICLR 2022. [arXiv:2108.12409](https://arxiv.org/abs/2108.12409).
#   Tables 2 and 15, appendix B.
# - T.-C. Chi, T.-H. Fan, P. J. Ramadge, A. I. Rudnicky: *KERPLE: Kernelized Relative Positional
#   Embedding for Length Extrapolation*. NeurIPS 2022.
#   [arXiv:2205.09921](https://arxiv.org/abs/2205.09921).
# - T.-C. Chi, T.-H. Fan, A. I. Rudnicky, P. J. Ramadge: *Dissecting Transformer Length
#   Extrapolation
#   via the Lens of Receptive Field Analysis*. ACL 2023.
#   [arXiv:2212.10356](https://arxiv.org/abs/2212.10356). Sandwich.
# - S. Li, C. You, G. Guruganesh, J. Ainslie, S. Ontanon, M. Zaheer, S. Sanghai, Y. Yang, S. Kumar,
#   S.
#   Bhojanapalli: *Functional Interpolation for Relative Positions Improves Long Context
#   Transformers*. ICLR 2024. [arXiv:2310.04418](https://arxiv.org/abs/2310.04418). FIRE.

# %% [markdown] lang="zh"
# ## 延伸阅读
#
# - O. Press, N. A. Smith, M. Lewis：*Train Short, Test Long: Attention with Linear Biases Enables
#   Input Length Extrapolation*。ICLR 2022。[arXiv:2108.12409](https://arxiv.org/abs/2108.12409)。
#   见表2、表15和附录B。
# - T.-C. Chi, T.-H. Fan, P. J. Ramadge, A. I. Rudnicky：*KERPLE: Kernelized Relative Positional
#   Embedding for Length Extrapolation*。NeurIPS 2022。
#   [arXiv:2205.09921](https://arxiv.org/abs/2205.09921)。
# - T.-C. Chi, T.-H. Fan, A. I. Rudnicky, P. J. Ramadge：*Dissecting Transformer Length
#   Extrapolation
#   via the Lens of Receptive Field Analysis*。ACL 2023。
#   [arXiv:2212.10356](https://arxiv.org/abs/2212.10356)。Sandwich。
# - S. Li, C. You, G. Guruganesh, J. Ainslie, S. Ontanon, M. Zaheer, S. Sanghai, Y. Yang, S. Kumar,
#   S.
#   Bhojanapalli：*Functional Interpolation for Relative Positions Improves Long Context
#   Transformers*。ICLR 2024。[arXiv:2310.04418](https://arxiv.org/abs/2310.04418)。FIRE。
