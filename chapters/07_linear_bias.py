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
# ---

# %% [markdown] lang="en" way="two_hours"
# # 7 · Linear biases
#
# Trained on 512-token texts, tested on 15512: with sinusoids, *perplexity*, roughly the number of
# words a model hesitates between, goes from 20 to 406. With a plain penalty for distance, no
# vectors and nothing learned, it goes from 19.7 to 18.3.
#
# **The question.** Press et al. (2022) throw all positional vectors away and subtract a number that
# grows with the distance. Why does that keep working at lengths never seen, and what does it *not*
# give?
#
# **You will** write ALiBi's slopes for any number of heads, its bias, queries and keys that carry
# the bias themselves, KERPLE's logarithm and Sandwich's cosines, and fix one of three mistakes that
# run without an error.
#
# **You need** chapters 1 and 2; for comparisons chapter 5 and T5's buckets (chapter 4). About
# {minutes} minutes, 15 points, and 3 more for a question that a teacher grades.

# %% [markdown] lang="zh"
# # 7 · 线性偏置
#
# 训练长度512个词元（token），拿15512个来测：正弦编码的*困惑度*（perplexity，
# 大致相当于模型平均在多少个词之间拿不定主意）从20涨到406。换成“隔得越远扣得越多”，
# 既没有位置向量，也不学任何参数，困惑度却从19.7降到18.3。
#
# **本章的问题。** Press等（2022）把位置向量统统扔掉，只减去一个随距离增长的数。
# 为什么到了从没见过的长度还管用？它又*给不了*什么？
#
# **你将**写出任意头数的ALiBi斜率和偏置，把偏置装进查询和键的通道里，
# 再写出KERPLE的对数核与Sandwich的余弦；看三个运行时都不报错的错误，修好其中一个。
#
# **你需要**第1章和第2章的内容；做对比时要用到第5章，以及第4章里T5的分桶。约{minutes}分钟，共15分，
# 另有一道由教师评分的题，3分。

# %%
import math

import torch
import torch.nn.functional as F

from autograde import answer, check, hint, progress, quiz
from bilingual.switch import language_switch
from posenc_glass import glass, text_part
from posenc_ref import (
    FireBias,
    alibi,
    alibi_slopes,
    attention_weights,
    causal_mask,
    forgetting_bias,
    kerple_log,
    kerple_power,
    positions,
    rope_angles,
    rotate,
    sandwich,
)
from posenc_ref import frequencies as rope_frequencies
from posenc_viz import Curve, Curves, HeatMap, explore, picture
from posenc_viz.labels import linear_bias as label

torch.set_num_threads(1)
language_switch()

# %% [markdown] lang="en" way="two_hours"
# ## 7.1 A distance that training never showed
#
# A head with RoPE has been trained on texts of 128 tokens. It has never met a key 1000 tokens back.
# What its score does there can be seen without training: fix one query and one key, and change
# the distance alone. Each line: the distance, RoPE's score, then the score without rotation, less
# $1/16$ per token. Does RoPE's score settle down out there?

# %% [markdown] lang="zh" slide="show"
# ## 7.1 训练中从没出现过的距离
#
# 一个用RoPE的头，只在128个词元的文本上训练过，从没遇到过1000个词元之前的键。
# 那里的得分（注意力得分，即softmax之前的logits）怎么变，不训练也看得见：固定一对查询和键，
# 只改距离。每行先打印RoPE的得分，再打印不旋转、但每远一个词元就扣$1/16$的得分。
# 到了那么远，RoPE的得分会趋于平稳吗？

# %%
rng = torch.Generator().manual_seed(0)
q, k = torch.randn(2, 1, 1, 1, 64, generator=rng, dtype=torch.float64)
for distance in (4, 5, 6, 1000, 1001, 1002):
    angles = rope_angles(torch.tensor([distance]), rope_frequencies(64))
    turned = rotate(q, angles, layout="half")
    rope = (turned * k).sum() / 8
    linear = (q * k).sum() / 8 - distance / 16
    print(f"{distance:4}: RoPE {rope:4.2f}, q·k/8 − {distance:4}/16 = {linear:6.2f}")

# %% [markdown] lang="en"
# At 1000 tokens RoPE's score still changes by about 0.3 from token to token, hardly less than it
# does nearby (other vectors give other heights). Most of this comes from the channels that turn
# fast (chapter 5).
#
# Training never saw RoPE's score at such distances, so nothing has shaped it there; the penalty
# stays $1/16$ per token. A head for which far keys already weigh next to nothing needs no new
# knowledge for keys further back. That is the whole idea of *Attention with Linear Biases*, ALiBi.

# %% [markdown] lang="zh"
# 距离到了1000，RoPE的得分还在逐个词元地变，每步约0.3，比近处小不了多少（换一对向量，数值就不同）。
# 这主要来自转得快的通道（第5章）。
#
# RoPE在这么远处的得分，训练没见过，也就没管过；扣分则照旧是每词元$1/16$。
# 既然远处的键本来就几乎没有权重，遇到更远的键，这个头也就不需要学新东西。
# *带线性偏置的注意力*（Attention with Linear Biases，ALiBi）的全部想法就是这样。

# %% [markdown] lang="en" way="two_hours"
# ## 7.2 One slope a head
#
# A *causal mask* hides later keys from a query. For query $i$ and key $j\le i$, head $h$ computes
#
# $$\mathrm{softmax}_j\bigl(q_i\cdot k_j/\sqrt D-m_h\,(i-j)\bigr).$$
#
# The *slope* $m_h>0$ is fixed before training. The softmax takes $e^{\,\cdot}$ of each score, and
# $e^{s-m_h(i-j)}=e^s\,e^{-m_h(i-j)}$: each token of distance costs one factor $e^{-m_h}$. If the
# number of heads $H$ is a power of two, head $h=1,\dots,H$ has the slope $2^{-8h/H}$, a geometric
# sequence that ends at $1/256$: some heads look at neighbours and some at pages. For 12 heads take
# the slopes of 8, then 4 of those of 16; the exercise states the rule for any $H$.

# %% [markdown] lang="zh" slide="show"
# ## 7.2 每个头一个斜率
#
# *因果掩码*（causal mask）不让查询看到之后的键。对查询$i$和键$j\le i$，第$h$个头计算
#
# $$\mathrm{softmax}_j\bigl(q_i\cdot k_j/\sqrt D-m_h\,(i-j)\bigr).$$
#
# *斜率*（slope）$m_h>0$在训练之前就定好了。softmax对每个得分取$e^{\,\cdot}$，
# 而$e^{s-m_h(i-j)}=e^s\,e^{-m_h(i-j)}$：距离每多一个词元，就多乘一个因子$e^{-m_h}$。
# 头数$H$是2的幂时，第$h=1,\dots,H$个头的斜率是$2^{-8h/H}$，成等比数列，最后一个是$1/256$：
# 有的头只看邻近几个词元，有的头看得到整页。12个头先取8个头的斜率，再从16个头的斜率里取4个；
# 任意$H$的规则，练习里会给出。


# %% exercise="alibi_head_slopes" way="weekend"
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
# How far does a head see? Call its *reach* the distance at which the factor $e^{-m(i-j)}$ has
# fallen to $1/1000$. Take logarithms: $m\,(i-j)=\ln1000$, so $i-j=\ln1000/m\approx6.9/m$. For 8
# heads:

# %% [markdown] lang="zh" slide="show"
# 一个头能看多远？把因子$e^{-m(i-j)}$降到$1/1000$时的距离叫作它的*有效范围*（reach）。
# 两边取对数得$m\,(i-j)=\ln1000$，所以$i-j=\ln1000/m\approx6.9/m$。8个头时：

# %%
slopes = alibi_slopes(8)
for h, m in enumerate(slopes.tolist(), start=1):
    print(f"h = {h}: m = 1/{1 / m:<4.0f} ln(1000)/m = {math.log(1000) / m:6.1f}")

# %% [markdown] lang="en"
# Drag the head, the number of heads and the length. With equal content, where does the weight of
# the last query go? With 16 heads, how do the reaches fill the range? Why is the last of 12 heads
# not the one that sees furthest?

# %% [markdown] lang="zh" slide="show"
# 拖动头、头数和长度。内容完全相同时，最后一个查询的权重落在哪里？
# 16个头时，各个头的有效范围怎样分布？
# 12个头时，看得最远的为什么不是最后一个头？


# %%
def reach(head=4, heads=8, length=200):
    slopes = alibi_slopes(heads)
    shown = [slopes[0], slopes[min(head, heads) - 1], slopes[-1]]
    back = torch.arange(length)
    names = [label.first_head, label.this_head.format(head=min(head, heads)), label.last_head]
    curves = [
        Curve(back, (-m * back).softmax(0), name) for m, name in zip(shown, names, strict=True)
    ]
    return Curves(
        curves,
        **label.weights(head=min(head, heads), reach=math.log(1000) / shown[1]),
        x_limits=(0, 500),
        y_limits=(1e-6, 1),
        y_scale="log",
    )


explore(reach, **label.reach, head=(1, 16), heads=[4, 8, 12, 16], length=(20, 500, 20))

# %% [markdown] lang="en"
# *Picture: the first, the chosen and the last of 8 heads, three straight lines on a logarithmic
# axis, falling at different slopes; the first leaves the picture after 25 tokens, the last is
# nearly level.*
#
# Equal steps in distance divide the weight by equal factors. With 16 heads the reaches lie closer,
# up to the same 1768; with 12 the last 4 slopes come from 16 heads and are steep again.

# %% [markdown] lang="zh"
# *图：8个头；对数纵轴上的三条直线，斜率各不相同；第一个头25个词元之后就掉出画面，
# 最后一个几乎是平的。*
#
# 距离每增加同样多，权重就除以同样的倍数。16个头时，有效范围排得更密，最远仍是1768；
# 12个头时，后4个斜率取自16个头，又变陡了。

# %% [markdown] lang="en" way="two_hours"
# ## 7.3 The bias as a table, and why you may not need one
#
# Written for all pairs, with relative position key − query, the bias is $m_h(j-i)$.

# %% [markdown] lang="zh" slide="show"
# ## 7.3 写成一张表，以及为什么常常用不着它
#
# 把每一对查询和键都写出来，相对位置取“键减查询”，偏置就是$m_h(j-i)$。


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
# With a causal mask even the table is not needed: in a row the part $-m\,i$ is constant, softmax
# does not see it, and one row $+m\,j$ serves all queries.
#
# What ALiBi does not give is the far text: what is far weighs next to nothing (7.2). The level
# perplexity at the top of this chapter shows that nothing breaks, not that the far text is read
# (7.7 tests it).

# %% [markdown] lang="zh"
# 有因果掩码时，连这张表也用不着：一行里的$-m\,i$是常数，softmax不受它影响，
# 一行$+m\,j$就够所有查询使用。
#
# ALiBi给不了的，是远处的内容：那里的键几乎没有权重（7.2节）。
# 本章开头那个没有升高的困惑度，只说明模型没坏，不说明它读了远处（7.7节会测）。

# %% [markdown] lang="en" way="weekend"
# ### Three forms
#
# Three forms are in use. Choose a form and drag the head. Which two agree below the diagonal? Which
# one has equal rows?

# %% [markdown] lang="zh" slide="show"
# ### 三种写法
#
# 常见的形式有三种。选一种，再拖动头。哪两种在对角线以下相同？哪一种每一行都一样？


# %%
def forms(form, head):
    at, slopes = positions(10), alibi_slopes(8)
    bias = alibi(at, at, slopes, form=form)[head - 1].expand(10, 10)
    if form != "symmetric":  # the two others are for a causal mask
        bias = bias.where(causal_mask(at, at), -torch.inf)
    text, looks = label.bias(form=form, inverse=1 / slopes[head - 1]), {"colours": "RdBu_r"}
    return HeatMap(bias, **text, limits=(-5, 5), **looks, square=True)


explore(forms, **label.forms, form=["causal", "symmetric", "key_only"], head=(1, 8))

# %% [markdown] lang="en"
# *Picture: a 10 × 10 heat map. Blue lowers a score, red raises it; what the causal mask hides is
# white, 0 a very light grey.*
#
# Causal and symmetric agree below the diagonal: 0 on it, ever deeper blue to the left. In "key
# only", all rows are equal as far as the mask shows them: 0, then redder.
#
# Row $i$ of "causal" is $m\,j-m\,i$, that of "key only" is $m\,j$. They differ by the constant
# $m\,i$, and softmax does not see a constant: in $e^{s_j+c}/\sum_{j'}e^{s_{j'}+c}$ the factor $e^c$
# cancels. BLOOM uses the row of "key only".
#
# The cell prints, for each form, the largest difference of a weight from that of "causal", with the
# mask, and from that of "symmetric", without it.

# %% [markdown] lang="zh"
# *图：10×10的热力图。蓝色压低得分，红色抬高得分，因果掩码挡住的是白色，0是极浅的灰色。*
#
# causal和symmetric在对角线以下相同：对角线为0，越往左越蓝。
# key_only露出来的部分每一行都一样，从0开始变红。
#
# causal的第$i$行是$m\,j-m\,i$，key_only的是$m\,j$，只差常数$m\,i$。而softmax不受常数影响，
# 因为$e^{s_j+c}/\sum_{j'}e^{s_{j'}+c}$里的因子$e^c$上下约掉。BLOOM用的就是key_only的那一行。
#
# 下面打印每种形式的权重最多差多少：前一个数是有掩码时与causal的差，
# 后一个是没有掩码时与symmetric的差。

# %%
rng = torch.Generator().manual_seed(0)
q, k = torch.randn(2, 1, 8, 10, 16, generator=rng, dtype=torch.float64)  # (B, H, L, D)
at = positions(10)


def weights(form, mask=None):
    bias = alibi(at, at, slopes.double(), form=form, dtype=torch.float64).expand(8, 10, 10)
    return attention_weights(q, k, mask, bias)


mask = causal_mask(at, at)
for form in ("causal", "symmetric", "key_only"):
    masked = (weights(form, mask) - weights("causal", mask)).abs().max()
    unmasked = (weights(form) - weights("symmetric")).abs().max()
    print(f"{form:9}: masked {masked:.2f}, unmasked {unmasked:.2f}")

# %% [markdown] lang="en"
# With the mask all three agree. Without it, in an encoder, only the symmetric form penalises
# distance; the two others favour the end of the text. And $+m\,j$ has two more traps.
#
# - **A sink that is not a key.** Some models put one more score into the softmax, which takes the
#   weight that no key needs (8.10). It has no bias, so it is not shifted with the others.
# - **bfloat16.** A large $m\,j$ swallows the small differences near the query.
#
# Take $m=1/2$ and 2048 keys of equal content. How much weight does the rounding move to other keys
# (`½Σ|Δ|`), and what is left for a sink of score 0?

# %% [markdown] lang="zh"
# 有掩码时三者一致。没有掩码，比如在编码器里，只有对称形式是按距离扣分，
# 另外两种都偏爱文本末尾。$+m\,j$还有两个陷阱。
#
# - **不属于任何键的attention sink（汇点，8.10节）。** 有的模型在softmax里多放一个得分，
#   专门收走多余的权重。它不加偏置，也就没有跟着一起平移。
# - **bfloat16。** 很大的$m\,j$会吞掉查询附近的微小差别。
#
# 取$m=1/2$，2048个内容相同的键。舍入会把多少权重挪到别的键上（`½Σ|Δ|`）？
# 得分为0的汇点（sink）还能分到多少？

# %%
j = torch.arange(2048)
for name, bias in (("+m j", 0.5 * j), ("−m (i − j)", -0.5 * (2047 - j))):
    exact, rounded = bias.softmax(0), bias.bfloat16().float().softmax(0)
    apart = (exact - rounded).abs().sum() / 2
    sink = torch.cat((torch.zeros(1), bias)).softmax(0)[0]
    print(f"{name:10}: ½Σ|Δ| = {apart:.4f}, sink {sink:.2f}")

# %% [markdown] lang="en"
# $+m\,j$ moves a quarter of the weight: near 1000 neighbouring bfloat16 numbers are 4 apart. And
# the sink gets nothing, for the nearest keys are a thousand above it. Counted from the query,
# $-m(i-j)$ is small where the weight is, and both problems are gone.

# %% [markdown] lang="zh"
# $+m\,j$把四分之一的权重挪到了别的键上，因为1000附近bfloat16相邻两数差4；汇点什么也分不到，
# 因为最近的键比它高出一千左右。从查询算起的$-m(i-j)$，在有权重的近处绝对值很小，两个毛病都没有。

# %% [markdown] lang="en" way="everything"
# ### A kernel without a bias
#
# Fast attention kernels, the fused programs that a GPU runs, take queries and keys but not always a
# bias. Each entry $m\,j$ of the row $+m\,j$ is a product of a factor that depends only on the head
# and one that depends only on the key. A dot product can hold it: append the one to every query,
# the other to every key. In float32 one channel would be enough. Two things are in the way, the
# kernel's own scale and the few digits of bfloat16, for which there is a second channel.

# %% [markdown] lang="zh" slide="show"
# ### 不收偏置的算子
#
# GPU上很快的融合算子（kernel）都收查询和键，却不一定收偏置。$+m\,j$那一行里，
# 每个$m\,j$都是两个数的乘积，一个只取决于头，一个只取决于键，而点积正好容得下它：
# 前一个添给每个查询，后一个添给每个键，float32里各添一个通道就够。碍事的有两件：算子自带的缩放，
# 和bfloat16有限的位数（为此要再添一个通道）。


# %% exercise="alibi_channels"
def alibi_channels(q, k, positions, slopes):
    """Return q and k with two more channels that make a kernel without bias compute ALiBi."""
    ### BEGIN SOLUTION
    width = q.shape[-1] + 2  # the kernel divides by √width
    m = slopes * math.sqrt(width)
    of_heads = torch.stack((256 * m, m), dim=-1)[:, None].expand(-1, q.shape[1], -1)  # (H, Lq, 2)
    digits = torch.stack((positions // 256, positions % 256), dim=-1)  # exact in 16 bits
    of_keys = digits.expand(len(k), -1, -1)  # (H, Lk, 2)
    q = q * math.sqrt(width / (width - 2))
    return torch.cat((q, of_heads.to(q.dtype)), -1), torch.cat((k, of_keys.to(k.dtype)), -1)
    ### END SOLUTION


# %% check="alibi_channels"
check("alibi_channels", alibi_channels)

# %% [markdown] lang="en" way="weekend"
# ## 7.4 Not divided by √D
#
# The scores of content are divided by $\sqrt D$; the bias is added afterwards and is not divided
# (footnote 10 of the paper). Suppose it were. The slope would be $m/\sqrt D$, and the reach
# $\ln1000\,\sqrt D/m$, longer by a factor of $\sqrt D$ (case 2 of 7.8).

# %% [markdown] lang="zh"
# ## 7.4 不除以√D
#
# 内容的得分要除以$\sqrt D$；偏置是在那之后加的，不除（论文脚注10）。假如也除了呢？
# 斜率就成了$m/\sqrt D$，有效范围成了$\ln1000\,\sqrt D/m$，是原来的$\sqrt D$倍（见7.8节病例二）。

# %% [markdown] lang="en" way="everything"
# ## 7.5 KERPLE: how fast should a penalty grow?
#
# A straight line is one choice. Softmax takes any bias; T5's numbers, one per bucket, obey no rule.
# KERPLE (Chi et al. 2022) keeps to biases $b(i,j)$ that depend on $|i-j|$ alone and are
# *conditionally positive definite*: for all numbers $w_i$ with $\sum_iw_i=0$,
#
# $$\sum_{i,j}w_iw_j\,b(i,j)\ge0.$$
#
# Why that condition? Softmax does not see a constant, so we may add one, $c$, to every entry. The
# double sum then grows by $c\,(\sum_iw_i)^2$: by nothing where $\sum_iw_i=0$, and by as much as we
# like for all other $w$. If some $c$ makes it non-negative for *every* $w$, the table is a Gram
# matrix: its entries are the inner products of one vector per position. A function with such tables
# is called a *kernel* (nothing to do with a GPU's), hence the K of KERPLE. For its two families,
# below, there is such a $c$ (but for one borderline case); how large depends on the length.
#
# A Gram matrix has no negative eigenvalue. So take 16 positions, three biases (the line $-|i-j|$,
# the logarithm $-\ln(1+|i-j|)$, the cube $-|i-j|^3$) and the constants $c=0$, $10^6$ and $10^9$,
# one for each column, and print the smallest eigenvalue. Which of the three can be made a Gram
# matrix?

# %% [markdown] lang="zh" slide="show"
# ## 7.5 KERPLE：扣分该增长多快？
#
# 直线只是一种选择。softmax什么偏置都收，T5每个桶学一个数，就不受任何约束。KERPLE（Chi等，2022）
# 在只看$|i-j|$的偏置$b(i,j)$里，只取*条件正定*（conditionally positive definite）的那些，
# 也就是对任何满足$\sum_iw_i=0$的一组数$w_i$，都有
#
# $$\sum_{i,j}w_iw_j\,b(i,j)\ge0.$$
#
# 为什么是这个条件？softmax不受常数影响，所以每一项都可以加上一个常数$c$。
# 这时上面的双重和增加$c\,(\sum_iw_i)^2$：$\sum_iw_i=0$时增量为0，其余的$w$，增量要多大有多大。
# 如果有一个$c$，使双重和对*所有*的$w$都不为负，这张表就是一个Gram矩阵，也就是每个位置给一个向量、
# 两两做内积。这样的函数叫*核函数*（kernel），KERPLE的K就是它。
# 对下文KERPLE的两族函数，这样的$c$都有（只有一种边界情形例外），要多大则取决于长度。
#
# Gram矩阵没有负的特征值。所以取16个位置，三种偏置（直线$-|i-j|$、对数$-\ln(1+|i-j|)$、
# 立方$-|i-j|^3$），三个常数$c=0$、$10^6$、$10^9$（各占一列），打印最小的特征值。
# 三种里哪几种能变成Gram矩阵？

# %%
p = torch.arange(16, dtype=torch.float64)
distance = (p[None, :] - p[:, None]).abs()
for name, bias in (("line", -distance), ("log", -distance.log1p()), ("cube", -(distance**3))):
    smallest = [torch.linalg.eigvalsh(bias + c).min().item() for c in (0, 10**6, 10**9)]
    print(f"{name:4}:", *(f"{value:8.1f}" for value in smallest))

# %% [markdown] lang="en"
# For the line and the logarithm some constant suffices; the cube never gets past $-1552$.
#
# KERPLE offers two families; a model uses one, and each head learns its $r_1,r_2>0$:
#
# $$-r_1\,|i-j|^{r_2}\;(0<r_2\le2),\qquad-r_1\ln(1+r_2\,|i-j|).$$
#
# The first with $r_2=1$ is ALiBi with the slope $r_1$. ($r_2=2$ is the border: conditionally
# positive definite, but from 3 positions on no constant is large enough. A third family, the
# paper's *3-para-log* of §5.3, joins the two: $-r_1\ln(1+r_2\,|i-j|^{r_3})$ with $0<r_3\le2$; in
# tables 3 and 5 it is hardly better than the logarithm.) Write the logarithm.

# %% [markdown] lang="zh" slide="show"
# 直线和对数加上足够大的常数就行，立方停在$-1552$，加多少都不行。
#
# KERPLE给出两族函数，任选一族，参数$r_1,r_2>0$由每个头自己学：
#
# $$-r_1\,|i-j|^{r_2}\;(0<r_2\le2),\qquad-r_1\ln(1+r_2\,|i-j|).$$
#
# 第一族取$r_2=1$，就是斜率为$r_1$的ALiBi。（$r_2=2$是边界：仍是条件正定，
# 但从3个位置起，加多大的常数都不够。论文§5.3的*3-para-log*把两族合成一族，
# 即$-r_1\ln(1+r_2\,|i-j|^{r_3})$，其中$0<r_3\le2$；从表3和表5看，它比对数核好不了多少。）
# 请写出对数那一族。


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
# After the exponential the logarithm becomes a *power law*,
# $e^{-r_1\ln(1+r_2|i-j|)}=(1+r_2|i-j|)^{-r_1}$: a heavy tail instead of exponential decay. Drag
# $r_1$ and $r_2$ and compare with ALiBi.

# %% [markdown] lang="zh" slide="show"
# 取指数之后，对数变成了*幂律*（power law），$e^{-r_1\ln(1+r_2|i-j|)}=(1+r_2|i-j|)^{-r_1}$，
# 也就是说它是重尾的，不是指数衰减。拖动$r_1$和$r_2$，与ALiBi比一比。


# %%
def tails(r1=1.0, r2=1.0):
    here, back = torch.tensor([0]), torch.arange(1, 1001)
    one, two = torch.tensor([r1]), torch.tensor([r2])
    log = kerple_log(here, back, one, two).exp().flatten()
    power = kerple_power(here, back, one, two.clamp(max=2.0)).exp().flatten()
    linear = alibi(here, back, alibi_slopes(8)[4:5], form="symmetric").exp().flatten()
    return Curves(
        [
            Curve(back, log, label.kerple_log),
            Curve(back, power, label.kerple_power),
            Curve(back, linear, label.alibi_slope_1_32),
        ],
        **label.factors(),
        x_scale="log",
        y_scale="log",
        x_limits=(1, 1000),
        y_limits=(1e-6, 1),
    )


explore(tails, **label.tails, r1=(0.1, 3.0, 0.1), r2=(0.1, 2.0, 0.1))

# %% [markdown] lang="en"
# *Picture: on two logarithmic axes the logarithmic kernel is almost a straight line; the power
# kernel and ALiBi bend down and drop out.*
#
# At distance 1000 the logarithm with $r_1=r_2=1$ still leaves $1/1001$; a slope of $1/32$ leaves
# $e^{-31}$, next to nothing. One more token of distance multiplies ALiBi's factor by $e^{-m}$
# everywhere; in KERPLE's logarithm that multiplier approaches 1 with distance.

# %% [markdown] lang="zh"
# *图：两个坐标轴都取对数，对数核几乎是一条直线，幂核和ALiBi弯下去、掉出画面。*
#
# 距离1000处，$r_1=r_2=1$的对数核还留着$1/1001$，而斜率$1/32$的只剩$e^{-31}$，等于没有。
# 距离再多一个词元，ALiBi的因子处处再乘$e^{-m}$，KERPLE对数核的这个乘数则越远越接近1。

# %% [markdown] lang="en" way="everything"
# ## 7.6 Sandwich and FIRE
#
# Sandwich (Chi et al. 2023) gets its penalty from chapter 2: the dot product of two sinusoidal
# encodings of dimension $d$ is a sum of $d/2$ cosines, $\sum\cos\omega_n(j-i)$. At distance 0 all
# are 1, so after subtracting $d/2$ it is 0 there and negative elsewhere: a bias without any
# parameter. The frequencies are geometric, so each doubling of the distance takes about equally
# many cosines away from 1: in trend the sum falls like a logarithm (the law of 5.7). Each head
# divides it by a number of its own. The exercise follows NVIDIA NeMo's code: the sum begins at
# $n=1$, and head $h$ divides by $8h/H$.

# %% [markdown] lang="zh" slide="show"
# ## 7.6 Sandwich与FIRE
#
# Sandwich（Chi等，2023）的扣分来自第2章：两个$d$维正弦编码的点积是$d/2$个余弦之和，
# $\sum\cos\omega_n(j-i)$。距离为0时每一项都是1，所以减去$d/2$之后，那里为0，别处为负：
# 这就是一个没有参数的偏置。频率成等比数列，所以距离每翻一倍，就又有差不多同样多的余弦离开1，
# 这个和也就大体按5.7节的对数律下降。
# 每个头再各自除以一个数。练习采用NVIDIA NeMo代码的约定：求和从$n=1$开始，第$h$个头除以$8h/H$。


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

# %% [markdown] lang="en"
# How close is it to a logarithm? The cell takes $d=128$ and head 8 of 8, which divides by 8
# (`shape`), and puts it beside $-\ln(1+|i-j|)$ (`log`).

# %% [markdown] lang="zh"
# 它与对数有多接近？取$d=128$和8个头里的第8个，也就是除以8（`shape`），
# 与$-\ln(1+|i-j|)$（`log`）放在一起看。

# %%
here, back = torch.tensor([0]), torch.arange(1, 2001)
one = torch.ones(1)
shape = sandwich(here, back, heads=8, dim=128, pairs="nemo")[7, 0]
log = kerple_log(here, back, one, one)[0, 0]
picture(
    Curves(
        [Curve(back, shape, label.sandwich_head_8_of), Curve(back, log, "−ln(1 + |i − j|)")],
        **label.cosines(),
        x_scale="log",
    )
)
for distance in (10, 100, 1000):
    print(f"{distance:4}: shape {shape[distance - 1]:.1f}, log {log[distance - 1]:.1f}")

# %% [markdown] lang="en"
# *Picture: on a logarithmic axis the logarithm falls almost in a straight line; the sum of
# cosines wavers near it, mostly above.* At the three distances printed the two are within half a
# unit of each other, elsewhere up to 1.7 apart.
#
# FIRE (Li et al. 2024) lets a small network $f$ read a quotient:
#
# $$f\bigl(\psi(i-j)/\psi(\max(L,i))\bigr),\qquad\psi(x)=\ln(c\,x+1).$$
#
# Why a quotient? Since $i-j\le i$, it stays between 0 and 1 at any length. If training had queries
# beyond $L$, $f$ knows that whole range, and extrapolation becomes interpolation. ($L$ is a
# threshold here, not a length; it and $c>0$ are learned.) Up to $L$ the denominator is fixed;
# beyond, it grows with the query. The price: the bias is *not* a function of $i-j$ alone. The cell
# has $L=16$ and prints whether the bias at distance 1 is that of query 1.

# %% [markdown] lang="zh"
# *图：横轴取对数，对数几乎沿直线下降，余弦之和在它附近起伏，大多在它上方。*
# 打印的三个距离上，两者相差不到0.5，别处最多差1.7。
#
# FIRE（Li等，2024）让一个小网络$f$去读一个商：
#
# $$f\bigl(\psi(i-j)/\psi(\max(L,i))\bigr),\qquad\psi(x)=\ln(c\,x+1).$$
#
# 为什么要除？因为$i-j\le i$，文本再长，这个商也在0和1之间。只要训练时有超过$L$的查询，
# $f$就见过这整个范围，外推就变成了内插。（这里的$L$是阈值，不是长度；它和$c>0$都是学出来的。）
# 查询位置不超过$L$时，分母固定；超过之后，分母随查询增长。代价是它的偏置*不*只是$i-j$的函数。
# 下面取$L=16$，只看距离1处的偏置，打印它与查询1的是否相同。

# %%
torch.manual_seed(0)
fire = FireBias(heads=1, threshold=16.0)
with torch.no_grad():
    beside = fire(positions(64), positions(64))[0].diagonal(-1)  # distance 1, queries 1, 2, …
print("i ≤ 16:", torch.allclose(beside[:16], beside[0].expand(16), atol=1e-6))
print("i = 60:", torch.allclose(beside[59], beside[0], atol=1e-6))

# %% [markdown] lang="en" way="everything"
# ### A bias that content decides
#
# So far a penalty knew positions only. But a reader does not count tokens: after a full stop the
# last sentence may be done with, however near it is. The *Forgetting Transformer* (FoX, Lin et al.
# 2025) reads a gate off each token, $f_t=\sigma(w\cdot x_t+b)$, one for each head. The sigmoid
# $\sigma(x)=1/(1+e^{-x})$ puts it between 0 and 1. The logarithms of all gates between key and
# query add up:
#
# $$\mathrm{softmax}_j\bigl(q_i\cdot k_j/\sqrt D+d_{ij}\bigr),\qquad
# d_{ij}=\sum_{l=j+1}^{i}\ln f_l,\qquad e^{d_{ij}}=f_{j+1}\cdots f_i.$$
#
# Here $j\le i$. (At keys ahead `forgetting_bias` gives $-\infty$: it is the causal mask as well.)
# With equal gates $f=e^{-m}$ we get $d_{ij}=-m\,(i-j)$, which is ALiBi. So FoX is **ALiBi with a
# slope that the text sets.** Below, ten tokens with equal content and a full stop at 4. Set its
# gate to 0.05: which weights fall? Then set all other gates to 1: what is left of distance?

# %% [markdown] lang="zh" slide="show"
# ### 由内容决定的偏置
#
# 到此为止，扣分只看位置。但人读文章时，问的不是“隔了多远”：句号一过，上一句话离得再近，
# 也许就用不着了。*Forgetting Transformer*（FoX，Lin等，2025）从每个词元读出一个门
# $f_t=\sigma(w\cdot x_t+b)$，每个头一个，其中$\sigma(x)=1/(1+e^{-x})$（sigmoid），
# 所以门在0与1之间。再把键与查询之间所有门的对数加起来：
#
# $$\mathrm{softmax}_j\bigl(q_i\cdot k_j/\sqrt D+d_{ij}\bigr),\qquad
# d_{ij}=\sum_{l=j+1}^{i}\ln f_l,\qquad e^{d_{ij}}=f_{j+1}\cdots f_i.$$
#
# 这里$j\le i$；对之后的键，`forgetting_bias`给出$-\infty$，也就兼作因果掩码。
# 所有门都等于$f=e^{-m}$时，$d_{ij}=-m\,(i-j)$，正是ALiBi。
# 所以FoX可以看作**斜率由文本来定的ALiBi**。下面是十个词元，内容相同，位置4是句号。
# 把句号的门设成0.05，哪些权重降了？再把其余的门都设成1，距离还剩下什么？


# %%
def doors(stop=0.5, others=0.9):
    gates = torch.full((1, 1, 10), others)
    gates[..., 4] = stop
    at = positions(10)  # all queries and keys have the same content: the bias alone decides
    weights = forgetting_bias(gates.log(), at, at)[0, 0].softmax(-1)  # (Lq, Lk)
    fixed = forgetting_bias(torch.full_like(gates, others).log(), at, at)[0, 0, -1].softmax(-1)
    return (
        HeatMap(weights, **label.gated(stop=stop, others=others), limits=(0, 0.5), square=True),
        Curves(
            [Curve(at, weights[-1], label.with_gates), Curve(at, fixed, label.fixed_slope)],
            **label.last_query(),
            y_limits=(0, 0.45),
        ),
    )


explore(doors, **label.doors, stop=[0.5, 0.05, 0.9, 1.0], others=[0.9, 0.7, 1.0])

# %% [markdown] lang="en"
# *Picture: left, a lower triangle of weights with a step at token 4. Right, the weights of the last
# query against the keys: with the gate of the stop, and with all gates like the others, which is
# ALiBi.*
#
# For every query from the stop on, the factors of the keys *before* the stop contain its gate as
# well. Its own factor does not, since $d_{ij}$ starts after the key. After normalising, the stop
# and the keys after it gain what the earlier ones lose. With all other gates at 1, distance no
# longer counts: that one gate divides the text in two.

# %% [markdown] lang="zh"
# *图：左边是下三角的权重，在词元4处有个台阶；
# 右边是最后一个查询对各个键的权重，一条用上了句号的门，
# 另一条的门全取其余词元的那个值，也就是固定斜率的ALiBi。*
#
# 从句号起的每个查询，都让句号*之前*的键多乘这一个门，少掉的权重由其余的键分走。句号自己也分到一份，
# 因为$d_{ij}$从键的下一个算起，自己的门不作用于自己。其余的门都是1时，距离完全不起作用，
# 只剩那一个门把文本分成前后两段。

# %% [markdown] lang="en"
# Where does the formula come from? Linear attention with a forget gate, a recurrent network, keeps
# a state, $S_t=f_tS_{t-1}+\varphi(k_t)v_t^\top$ and $z_t=f_tz_{t-1}+\varphi(k_t)$, and reads
# $\varphi(q_t)^\top S_t/\varphi(q_t)^\top z_t$, where $\varphi$ makes queries and keys into vectors
# with positive entries (it is not the angle of chapter 5). Unrolled, the value $v_j$ has the factor
# $f_{j+1}\cdots f_i\;\varphi(q_i)^\top\varphi(k_j)$; put $e^{q_i\cdot k_j/\sqrt D}$ for the last
# product, and it is the softmax above. The cell runs both on random gates.

# %% [markdown] lang="zh"
# 公式从哪来？带遗忘门的线性注意力（一种循环网络）存着一个状态，
# $S_t=f_tS_{t-1}+\varphi(k_t)v_t^\top$，$z_t=f_tz_{t-1}+\varphi(k_t)$，
# 读出的是$\varphi(q_t)^\top S_t/\varphi(q_t)^\top z_t$，
# 其中$\varphi$把查询和键变成各分量都为正的向量（与第5章的角度无关）。展开来，
# 分子里$v_j$的系数是$f_{j+1}\cdots f_i\;\varphi(q_i)^\top\varphi(k_j)$，分母就是这些系数之和；
# 把最后这个乘积换成$e^{q_i\cdot k_j/\sqrt D}$，就是上面的softmax。下面的单元格取随机的门，
# 两种算法都跑一遍。

# %%
rng = torch.Generator().manual_seed(0)
q, k, v = torch.rand(3, 30, 4, generator=rng, dtype=torch.float64)  # φ of queries, keys; values
f = torch.rand(30, generator=rng, dtype=torch.float64)
S, z, step_by_step = torch.zeros(4, 4).double(), torch.zeros(4).double(), []
for t in range(30):
    S, z = f[t] * S + torch.outer(k[t], v[t]), f[t] * z + k[t]
    step_by_step.append(q[t] @ S / (q[t] @ z))
bias = forgetting_bias(f.log()[None, None], positions(30), positions(30))[0, 0]  # (30, 30)
at_once = ((q @ k.T).log() + bias).softmax(-1) @ v
print("step_by_step = at_once:", torch.allclose(torch.stack(step_by_step), at_once))

# %% [markdown] lang="en"
# **PaTH** (Yang et al. 2025) does to RoPE what FoX does to ALiBi. Between key and query stands a
# product of matrices that the tokens choose,
#
# $$s_{ij}=k_j^\top\Bigl(\prod_{l=j+1}^{i}H_l\Bigr)q_i,\qquad H_l=I-\beta_lw_lw_l^\top,\quad
# 0<\beta_l<2,$$
#
# with $H_{j+1}$ on the left and $H_i$ on the right. RoPE has one fixed rotation in place of each
# $H_l$.
#
# In the limit $\beta=2$, with $w=(e_a-e_b)/\sqrt2$, a token *exchanges* channels $a$ and $b$: "swap
# the cups at places $a$ and $b$" (the ball goes with its cup). The key $k_j=e_0$ says "the ball is
# at place 0", the query $q_i=e_c$ asks "is it at place $c$?" After any swaps the score is 1 if the
# ball is at place $c$ and 0 if not, in one layer. The moves are in the first line. Follow them by
# hand, then run: each line ends with the scores of the queries $c=0,1,2$.

# %% [markdown] lang="zh"
# **PaTH**（Yang等，2025）之于RoPE，正如FoX之于ALiBi。键与查询之间是一串由词元选定的矩阵的乘积，
#
# $$s_{ij}=k_j^\top\Bigl(\prod_{l=j+1}^{i}H_l\Bigr)q_i,\qquad H_l=I-\beta_lw_lw_l^\top,\quad
# 0<\beta_l<2,$$
#
# 其中$H_{j+1}$在最左，$H_i$在最右。RoPE则是每个$H_l$都换成同一个固定的旋转。
#
# 取极限$\beta=2$、$w=(e_a-e_b)/\sqrt2$，一个词元就把通道$a$和$b$*对调*，
# 相当于一句“对调$a$号位和$b$号位上的杯子”（球跟着杯子走）。键$k_j=e_0$说“球在0号位”，
# 查询$q_i=e_c$问“球在$c$号位吗？”。不管对调多少次，只要球正在$c$号位，得分就是1，否则是0；
# 一层就够。每一步写在代码第一行里，先自己跟着走一遍，再运行：
# 每行末尾依次是$c=0,1,2$三个查询的得分。

# %% tags=["predict"]
moves = [(0, 1), (1, 2), (0, 1), (0, 2)]  # places whose cups are swapped; the ball starts at 0
places, ball = torch.eye(3), torch.eye(3)[0]
for step, (a, b) in enumerate(moves, start=1):
    w = (places[a] - places[b]) / 2**0.5
    ball = ball - 2 * w * (w @ ball)  # H, with β = 2
    scores = ball.round().int().tolist()
    print(f"{step}. {a} ↔ {b}: {scores}")

# %% [markdown] lang="en"
# ### When would each matter?
#
# Each of these methods was made for a property of the task. Ask first whether yours has it.
#
# - **FoX**: some of the past is *done with*, and the text shows when. In a long document with one
#   subject, gates near 1 everywhere make a model without positions.
# - **PaTH**: answers depend on *following states* through many steps (variables in code, a game),
#   and you train from scratch: a checkpoint with RoPE has no such matrices.
#
# The papers report gains, but neither FoX nor PaTH, nor any of the seven folded below, is in a
# model of 5.12 or 7.10 (Gemma 4 comes near to HoPE: it lets slow pairs rest, 5.9), and this course
# has measured none of them. Biases by distance alone are cheap, and common kernels take them or can
# be made to (7.3).
#
# <details><summary>Seven more, a paragraph each, and when each would matter</summary>
#
# **CoPE** (Golovneva et al. 2024) lets each query choose what is counted. A gate
# $g_{ij}=\sigma(q_i\cdot k_j)$ says how much key $j$ counts, its position is the sum
# $\sum_{l=j}^{i}g_{il}$, and where that is not a whole number, two rows of a learned table are
# interpolated. Try it where you ask in units that the text shows ("two sentences ago"). The price:
# all gates of a row are needed before its first score.
#
# **Stick-breaking** (Tan et al. 2024) has no softmax. Each key, the newest first, breaks off the
# share $\beta_{ij}=\sigma(s_{ij})$ of what is left:
# $A_{ij}=\beta_{ij}\prod_{l=j+1}^{i-1}(1-\beta_{il})$. The latest match wins, without any position.
# That fits where the latest is the right one, you train from scratch, and your hardware has a
# kernel for it.
#
# **DAPE** (Zheng et al. 2024) takes a bias $B$ such as ALiBi's and lets a small network read scores
# and biases of all heads: $S+B+f(S,B)$. This pays if the right bias differs from text to
# text. The price: the whole score matrix in memory, which fused kernels never write.
#
# **TAPE** (Zhu et al. 2025, [arXiv:2501.00712](https://arxiv.org/abs/2501.00712)) keeps the
# positions in a stream of their own and lets each layer update it by content, in such a way that
# turning all positions at once still changes no score. Think of it when *where* has to
# be computed, as in arithmetic. The price: a second stream through all layers.
#
# **GRAPE** (Zhang et al. 2025, [arXiv:2512.07805](https://arxiv.org/abs/2512.07805)) is a
# framework, not one method: position $n$ acts by the matrix $\exp(n\omega L)$. Skew-symmetric $L$
# give rotations, RoPE among them; nilpotent $L$ give biases, ALiBi and FoX among them. It matters
# if you want to learn the planes themselves, not only the frequencies.
#
# **HoPE** (Chen et al. 2024, [arXiv:2410.21216](https://arxiv.org/abs/2410.21216); other papers use
# the name too) turns the fast pairs and lets the slow ones rest, like 5.9's proportional rotation.
# It is an answer if unseen angles of slow pairs are what breaks your long texts (6.2).
#
# **DroPE** (Gelberg et al. 2025, [project page](https://pub.sakana.ai/DroPE)) trains with RoPE,
# then takes it out and trains a little more at the old length: NoPE (1.10) that started as RoPE. It
# is for whoever can train a little longer (by their account, for less than one percent of the
# original cost) but has no long texts.
#
# </details>

# %% [markdown] lang="zh"
# ### 什么时候才用得上？
#
# 两种都是针对任务的某种性质设计的。先问你的任务有没有这种性质。
#
# - **FoX**：过去的某些部分*已经用不着了*，而且文本里看得出是什么时候。一篇长文若始终围绕一个主题，
#   门处处接近1，它就只是一个没有位置编码的模型。
# - **PaTH**：答案取决于*一步步跟踪状态*（代码里的变量、棋局），而且你从头训练：
#   用RoPE训练的checkpoint（权重文件）里没有这样的矩阵。
#
# 各篇论文都报告了收益；但这两种和折叠起来的七种，5.12节和7.10节的模型里一种也没有
# （与HoPE做法相近的有Gemma 4，它的低频对也不转，见5.9节），本课程也都没有测过。
# 只看距离的方法便宜，常见的算子或者直接支持，或者有办法装上（7.3节）。
#
# <details><summary>还有七种，每种一段：做什么，什么情况下才用得上</summary>
#
# **CoPE**（Golovneva等，2024）让每个查询自己决定数什么。
# 门$g_{ij}=\sigma(q_i\cdot k_j)$表示键$j$算多少，它的位置是门之和$\sum_{l=j}^{i}g_{il}$，
# 落在两行之间就对可学习的表插值。如果要找的东西按文本里看得见的单位来数，比如“两句话之前”，
# 它就用得上。代价是算第一个得分之前，先得有整行的门。
#
# **stick-breaking**（Tan等，2024）不用softmax。从最新的键开始，每个键从剩下的棍子上掰走一段，
# 比例是$\beta_{ij}=\sigma(s_{ij})$：$A_{ij}=\beta_{ij}\prod_{l=j+1}^{i-1}(1-\beta_{il})$。
# 不需要位置，最近的匹配就会胜出。如果该找的就是最近的一个，你又从头训练，硬件上也有现成的算子，
# 它就用得上。
#
# **DAPE**（Zheng等，2024）在ALiBi那样的偏置$B$之外，再让一个小网络同时读所有头的得分和偏置：
# $S+B+f(S,B)$。如果合适的偏置因文本而异，它就用得上。代价是整个得分矩阵都要放在显存里，
# 而融合算子从不写出这个矩阵。
#
# **TAPE**（Zhu等，2025，[arXiv:2501.00712](https://arxiv.org/abs/2501.00712)）
# 把位置放在单独的一路里，每层按内容更新它，并且保证把所有位置一起旋转时，得分仍然不变。如果“在哪里”
# 本身需要计算，比如做算术，它就用得上。代价是所有层都多出一路。
#
# **GRAPE**（Zhang等，2025，[arXiv:2512.07805](https://arxiv.org/abs/2512.07805)）是一个框架，
# 不是一种方法：位置$n$的作用是矩阵$\exp(n\omega L)$。$L$反对称时是旋转，RoPE是其中之一；
# $L$幂零时是偏置，ALiBi和FoX都在其中。如果除了频率，连平面也想学，它就用得上。
#
# **HoPE**（Chen等，2024，[arXiv:2410.21216](https://arxiv.org/abs/2410.21216)；
# 另有论文也叫这个名字）只转高频对，低频对不转，做法与5.9节的按比例旋转一样。
# 如果你的长文本坏在低频对没见过的角度上（6.2节），它就用得上。
#
# **DroPE**（Gelberg等，2025，[项目主页](https://pub.sakana.ai/DroPE)）先用RoPE训练，再把它拿掉，
# 在原来的长度上再训练一小段：一个从RoPE起步的NoPE（1.10节）。
# 如果你能继续训练（作者说不到预训练开销的百分之一），手头却没有长文本，它就用得上。
#
# </details>

# %% [markdown] lang="en" way="weekend"
# ## 7.7 What extrapolation means here
#
# Trained on 512-token texts, tested on longer ones, WikiText-103 (Press et al. 2022, Table 2). The
# opening gave sinusoidal and ALiBi, 4.11 gave T5's buckets; **beyond the trained length, rotary
# runs between sinusoidal and T5.** Below the figure, the input lengths and the perplexity at each.

# %% [markdown] lang="zh" slide="show"
# ## 7.7 这里说的外推是什么意思
#
# 训练长度512，用更长的输入测试，WikiText-103（Press等，2022，表2）。
# 正弦（sinusoidal）和ALiBi见本章开头，T5的分桶见4.11节；
# **超过训练长度之后，旋转（rotary）介于正弦与T5之间。** 图下面打印各个输入长度上的困惑度。

# %%
lengths = [512, 1012, 1512, 2512, 3512, 15512]  # Press, Smith & Lewis 2022, Table 2
measured = {
    label.sinusoidal: [20.05, 43.54, 76.23, 132.41, 178.97, 406.01],
    label.rotary: [20.07, 21.37, 25.99, 31.58, 35.54, 79.25],
    "T5": [19.65, 18.79, 18.91, 20.41, 22.91, math.nan],  # out of memory at the last
    "ALiBi": [19.73, 18.73, 18.52, 18.41, 18.40, 18.31],
}
picture(
    Curves(
        [Curve(lengths, values, name) for name, values in measured.items()],
        **label.perplexity(),
        x_scale="log",
        y_scale="log",
        x_limits=(450, 18000),
        y_limits=(15, 500),
        markers=True,
    )
)
print(" " * 10, *(f"{length:6}" for length in lengths))
for name, values in measured.items():
    print(f"{getattr(name, 'en', name):10}", *(f"{value:6.2f}" for value in values))

# %% [markdown] lang="en"
# *Picture: four lines on logarithmic axes, one for each encoding.*
#
# Sinusoidal climbs steeply, rotary less, T5 falls as far as 1012 tokens and then rises until memory
# runs out (`nan`), ALiBi falls a little and stays level. So ALiBi *keeps working*.
#
# Does its line fall **because there is more context**? Change the context alone. Two small models
# of this course, trained on windows of 128 bytes of text (chapter 14 takes them apart), read the
# last 64, 128, … 1024 bytes of four pieces of text. Whatever they read, the loss printed is that of
# the same last 64 bytes (mean, in nats per byte). From which length on does ALiBi gain nothing
# more, and from which does RoPE get worse?

# %% [markdown] lang="zh" slide="show"
# *图：对数坐标上的四条线，每种编码一条。*
#
# 正弦陡升，旋转升得少些，T5在1012个词元以内是降的，之后上升，直到显存不足（`nan`）；
# ALiBi略降之后保持平稳。可见ALiBi*依然管用*。
#
# 那条线起初在降，**是不是因为上下文更长**？要弄清这一点，就只改上下文的长短。
# 本课程有两个小模型，训练时每段128个字节（第14章会把它们拆开看），
# 让它们读四段文本的最后64、128……1024个字节。
# 无论读多少，打印的都是同样的最后64个字节的损失（平均，每字节，单位是奈特，nat）。
# ALiBi读到多长就不再变好？RoPE读到多长开始变坏？

# %% tags=["predict"]
pages = text_part("test").unfold(0, 1025, 1025)[:4]  # (4, 1025)
contexts = (64, 128, 256, 512, 1024)
print(" " * 5, *(f"{n:5}" for n in contexts))
for name in ("alibi", "rope"):
    model, losses = glass("text", name), []
    for n in contexts:
        with torch.no_grad():
            logits = model(pages[:, -1 - n : -1])  # (4, n, 256)
        losses.append(F.cross_entropy(logits[:, -64:].mT, pages[:, -64:]))
    print(f"{name:5}", *(f"{loss:5.2f}" for loss in losses))

# %% [markdown] lang="en"
# ALiBi gains up to 128 bytes (2.09 to 1.98: of 64 bytes the first have little context), and nothing
# from there on: 896 bytes more, and not a hundredth of a nat, although they lie within the reach of
# its last head (slope $1/256$, 7.2). RoPE's loss rises from 256 on. The paper measures this too
# (Table 15): a window slides along by one token at a time, so that every predicted token has the
# full context; ALiBi's perplexity is 17.98 with 512 tokens, 18.30 with 3072.
#
# ALiBi's gain in Table 2 comes from the *early-token curse*: when a text is cut into longer pieces,
# fewer of its tokens are at the beginning of a piece, with little context (appendix B). Flat means
# "does not break", not "reads more".

# %% [markdown] lang="zh"
# ALiBi到128为止：只读64个字节是2.09，因为其中开头的字节上下文很少；128个字节是1.98，
# 再多读896个，连百分之一奈特也没换来，尽管这些字节
# 都在最后一个头的有效范围之内（斜率$1/256$，7.2节）。RoPE的损失则从256起就往上升。
# 论文的表15也做了这样的测量：窗口每次只滑动一个词元，每个待预测的词元都有完整的上下文，
# 这时ALiBi读512个词元的困惑度是17.98，3072个是18.30。
#
# 表2里ALiBi的改善要归于*开头词元的劣势*（early-token curse）：文本切成更长的片段，
# 落在片段开头、上下文很少的词元就少了（附录B）。
# 平稳的意思是“没坏”，不是“读得更多”。

# %% [markdown] lang="en"
# ### ALiBi beside RoPE
#
# | | ALiBi | RoPE |
# |---|---|---|
# | acts on | the scores, added | queries and keys, turned |
# | parameters | none | none |
# | what position lets a head prefer | nearer keys, at a fixed rate | one distance, set by content |
# | beyond the trained length | often works (1.10), within its reach | fails unless rescaled (6.2) |
# | with a KV cache | one row of numbers per step | rotated keys; one more turn moves them (8.11) |
# | memory of its own | a row, or $L\times L$ if carelessly done | cosine and sine, $L\times D$ |

# %% [markdown] lang="zh" slide="show"
# ### ALiBi与RoPE
#
# | | ALiBi | RoPE |
# |---|---|---|
# | 作用于 | 得分，相加 | 查询和键，旋转 |
# | 参数 | 无 | 无 |
# | 位置能让一个头偏爱什么 | 近处的键，衰减的快慢固定 | 某一个距离，由内容决定 |
# | 超过训练长度 | 往往照常工作（见1.10节），但只看得到有效范围之内 | 不缩放就失效（6.2节） |
# | 带KV缓存时 | 每步加一行数字 | 键里带着位置，补转一次就能移动（8.11节） |
# | 自身占用的显存 | 一行；不小心就是$L\times L$ | 余弦和正弦，$L\times D$ |

# %% [markdown] lang="en" way="everything"
# ## 7.8 Bug clinic
#
# **Case 1.** "Slopes in equal steps, `h / H`." Symptom: the reaches crowd together at 7 … 55
# tokens, and no head sees a page.

# %% [markdown] lang="zh"
# ## 7.8 Bug诊所
#
# **病例一。** “斜率等差排列，`h / H`。”症状：有效范围全挤在7…55个词元，没有哪个头看得到一整页。


# %%
def equal_steps(heads):
    return torch.arange(1, heads + 1) / heads


for name, slopes in (("h/H", equal_steps(8)), ("2^(−8h/H)", alibi_slopes(8))):
    print(f"{name:9}:", [round(math.log(1000) / m) for m in slopes.tolist()])

# %% [markdown] lang="en"
# **Case 2.** A pair of brackets too many. Symptom: with equal content and $m=1/2$, a token one
# place earlier should have its weight multiplied by $e^{-m}=0.61$; it loses less.

# %% [markdown] lang="zh" slide="code"
# **病例二。** 多了一对括号。症状：内容相同、$m=1/2$时，早一个词元，权重本应再乘$e^{-m}=0.61$，
# 实际却扣得少。


# %%
def scaled_together(q, k, slope):
    p = torch.arange(len(q))
    scores = (q @ k.T + slope * (p[None, :] - p[:, None])) / q.shape[-1] ** 0.5
    ahead = p[None, :] > p[:, None]
    return scores.masked_fill(ahead, -torch.inf).softmax(dim=-1)


last = scaled_together(torch.zeros(6, 64), torch.zeros(6, 64), 0.5)[-1]
print(f"last[-2] / last[-1] = {last[-2] / last[-1]:.3f}, exp(−m) = {math.exp(-0.5):.3f}")


# %% exercise="mend_scaled_bias" mends="scaled_together"
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
# every token looks at the end of the text. An encoder needs the symmetric form of 7.3.

# %% [markdown] lang="zh"
# **病例三。** 把解码器的捷径$+m\,j$抄进了编码器。症状：内容相同时，每个词元都看向文本末尾。
# 编码器要用7.3节的对称形式。


# %%
def decoder_shortcut(length, slopes):
    return slopes[:, None, None] * torch.arange(length).expand(length, length)


seen = decoder_shortcut(8, torch.tensor([0.5]))[0].softmax(-1)
print("argmax:", seen.argmax(-1).tolist())

# %% [markdown] lang="en" way="everything"
# ## 7.9 What is not true
#
# **"ALiBi's slopes are learned."** They are fixed; the paper tried learning them, which "did not
# yield strong extrapolation results" (§3) and was 3% slower (footnote 11).
#
# **"The formula $2^{-8h/H}$ holds for any number of heads."** For 12 heads the published slopes are
# those of 8, then 4 of those of 16. A checkpoint trained with the published slopes gets other
# penalties from the formula: its ninth head 0.016 a token in place of 0.707.

# %% [markdown] lang="zh" slide="show"
# ## 7.9 哪些说法不对
#
# **“ALiBi的斜率是学出来的。”** 斜率是固定的。论文试过让它可学习，外推效果并不好（§3），
# 训练还慢3%（脚注11）。
#
# **“公式$2^{-8h/H}$对任何头数都成立。”** 12个头时，公开的斜率是8个头的那些，再加上16个头里的4个。
# checkpoint是按这些斜率训练的，换成公式算出的，扣分就变了：
# 第九个头每个词元本该扣0.707，却只扣0.016。

# %%
formula = 2.0 ** (-8 * torch.arange(1, 13) / 12)
print("alibi_slopes(12):", [round(m, 3) for m in alibi_slopes(12).tolist()])
print("2^(−8h/12):      ", [round(m, 3) for m in formula.tolist()])

# %% [markdown] lang="en"
# **"ALiBi holds its level only in its authors' tables."** Four small models, the two of 7.7 and two
# trained like them, read all 1024 bytes of the `pages` of 7.7. The cell prints the mean loss (nats
# per byte) in four parts of the 1024. Do the three besides ALiBi end in the order of Table 2: T5
# lowest, then rotary, then sinusoidal?

# %% [markdown] lang="zh" slide="show"
# **“ALiBi只在作者自己的表里才平稳。”** 四个小模型，7.7节的两个，再加两个同样训练的，
# 把7.7节的`pages`各读满1024个字节。按位置分四部分，打印平均损失（每字节，单位是奈特，nat）。
# 到最后一部分，除ALiBi外的三个，次序与表2一样吗：T5最低，旋转其次，正弦最高？

# %% tags=["predict"]
print("              0–127  128–255  256–511  512–1023")
for name in ("sinusoidal", "rope", "t5", "alibi"):
    with torch.no_grad():
        logits = glass("text", name)(pages[:, :-1])
    each = F.cross_entropy(logits.mT, pages[:, 1:], reduction="none").mean(0)
    parts = (each[:128], each[128:256], each[256:512], each[512:])
    print(f"{name:11}", *(f"{part.mean():8.2f}" for part in parts))

# %% [markdown] lang="en"
# T5 drifts, and ends lowest of the three. The other two exchange places: RoPE ends above
# sinusoidal. (Sinusoidal is the weakest within its 128 bytes already; from there its loss rises by
# 0.74, that of RoPE by 1.89.) Which encoding comes last depends on the model.
#
# ALiBi is level here too. **Its shape favours this and guarantees nothing: trained at length
# 1024 in another paper (1.10), it is level up to 1400, but by 1800 its perplexity has gone from
# 2.7 to 13.8.**

# %% [markdown] lang="zh" slide="show"
# T5缓缓上升，三个里最低。另外两个却换了位置：最后RoPE比正弦还高。
# （正弦在训练过的128个字节以内就最弱；从那里算起，它升了0.74，RoPE升了1.89。）
# 谁垫底，要看是什么模型。
#
# ALiBi在这里也是平的。**它撑得住，靠的是它的构造，但这不是保证：
# 另一篇论文（1.10节）里训练长度1024的ALiBi，到1400还是平的，到1800困惑度已从2.7涨到13.8。**

# %% [markdown] lang="en" way="everything"
# ## 7.10 In real models
#
# | model | method | note |
# |---|---|---|
# | BLOOM | ALiBi | key-only row $+m\,j$ |
# | MPT | ALiBi | one row, 0 at the newest key: large numbers near earlier queries (7.3, bfloat16) |
# | Falcon-RW | ALiBi | $m\,j$ computed in bfloat16: at most 641 values for 2048 positions |
# | T5, and many after it | buckets (chapter 4) | learned, no fixed shape |
#
# (641 values of $j$: bfloat16 has all integers up to 256, then every 2nd, 4th and 8th.)
#
# What to set: the checkpoint's slopes, the form that fits your mask, float32 for the product and
# its sum with the scores. (FlashAttention takes the slopes as `alibi_slopes`; in PyTorch there is
# FlexAttention.)

# %% [markdown] lang="zh"
# ## 7.10 在真实模型中
#
# | 模型 | 方法 | 备注 |
# |---|---|---|
# | BLOOM | ALiBi | 只用键的位置，一行$+m\,j$ |
# | MPT | ALiBi | 各查询共用一行，最新的键处为0；靠前的查询附近仍是很大的数（7.3节，bfloat16） |
# | Falcon-RW | ALiBi | $m\,j$用bfloat16算：2048个位置最多剩641个值 |
# | T5及其后的许多模型 | 分桶（第4章） | 学习得到，形状不固定 |
#
# （641是$j$剩下的值：256以内的整数，bfloat16都分得开；再往后，依次每2个、4个、8个才有一个。）
#
# 要设置的有三样：与checkpoint一致的斜率，与你的掩码相配的形式，以及用float32做乘法、再与得分相加。
# （FlashAttention直接接收斜率`alibi_slopes`，PyTorch里可以用FlexAttention。）

# %% [markdown] lang="en"
# ### Think: question answering over 30000 tokens
#
# A colleague trained a model with ALiBi and 8 heads on texts of 1024 tokens, to use it for question
# answering over 30000 tokens, because "ALiBi extrapolates". What do you tell them, and what
# would you measure? Three or four sentences.
#
# On your own: write your answer first, then check it with question 5 of the self-test at
# the end of this chapter.

# %% [markdown] lang="zh" slide="show"
# ### 想一想：在30000个词元上做问答
#
# 同事训练了一个ALiBi模型，8个头，训练长度1024个词元，想拿它在30000个词元上做问答，
# 理由是“ALiBi能外推”。你会怎么跟他说？会测量什么？写三四句话。
#
# 自学的话，先写下自己的答案，再用本章末尾自测的第5题核对。

# %% [markdown] thinking="alibi_far_answers" points=3
# <div lang="en">
#
# **Model answer.** Level perplexity on long inputs means that the model does not break. It does not
# mean that it reads far: with 8 heads the furthest reach is about 1768 tokens. An answer 20000
# tokens back has the factor $e^{-20000/256}=e^{-78}$ even in the last head, which no ordinary
# content score can make up for (and whether several layers hand it on has to be measured). Measure
# whether the loss of the *last* tokens falls when context is added (sliding window), and hide
# a fact (a *needle*) at several distances and ask for it.
#
# **Points.** 1 for "does not break" against "uses"; 1 for the reach, or an argument from the
# slopes; 1 for a measurement that separates the two.
#
# </div>
# <div lang="zh">
#
# **参考答案。** 长输入上困惑度平稳，只说明模型没有坏，不说明它读得远，
# 因为8个头时有效范围最远约1768个词元。20000个词元之前的答案，就算在最后一个头里，
# 因子也只有$e^{-20000/256}=e^{-78}$，通常的内容得分补不回来（能不能靠多层接力传过来，
# 要测了才知道）。应当测量：增加上下文时*最后*若干词元的损失是否下降（滑动窗口）；
# 再把关键信息放在不同距离处，看它能不能找到。
#
# **评分。** 区分“没坏”与“用上”得1分；说到有效范围，或从斜率出发论证，得1分；提出能区分两者的测量，
# 得1分。
#
# </div>

# %% [markdown] lang="en" way="everything"
# ## 7.11 Take-away
#
# - ALiBi subtracts $m_h(i-j)$ after the division by $\sqrt D$: fixed, geometric slopes.
# - Three forms; with a causal mask they agree. Without one, only the symmetric form penalises
#   distance. $+m\,j$ also needs float32, and does not go with a sink that is not a key.
# - KERPLE learns the shape: the logarithm is a power law. Sandwich gets a similar shape from
#   cosines.
# - Gates in place of a slope (FoX) let the text decide what is far.
# - ALiBi often keeps working beyond the trained length: in most heads next to no weight lies there,
#   and in the gentlest the penalty goes on as it began. That is a reason, not a guarantee (1.10);
#   heavy tails (KERPLE's logarithm, Sandwich) lack even that: measure.
# - Level perplexity does not show that long context is used.

# %% [markdown] lang="zh" slide="show"
# ## 7.11 本章要点
#
# - ALiBi在除以$\sqrt D$之后减去$m_h(i-j)$：斜率固定，成等比数列。
# - 三种形式，有因果掩码时一致；没有掩码时，只有对称形式才是按距离扣分。
#   $+m\,j$还有两个条件：用float32计算，没有不属于任何键的汇点。
# - KERPLE学习形状：对数核是幂律。Sandwich用余弦得到类似的形状。
# - 用门代替斜率（FoX），就由文本来决定什么算远。
# - ALiBi超出训练长度往往照常工作：多数头里，那里几乎没有权重；最平缓的头里，扣分照原样继续。
#   这是道理，不是保证（1.10节）；重尾的偏置（KERPLE的对数、Sandwich）连这层道理也没有，要测。
# - 困惑度平稳，不等于用上了长上下文。

# %%
quiz("linear_bias")

# %% [markdown] lang="en" way="everything"
# ## Further reading
#
# - O. Press, N. A. Smith, M. Lewis: *Train Short, Test Long: Attention with Linear Biases Enables
#   Input Length Extrapolation*. ICLR 2022. [arXiv:2108.12409](https://arxiv.org/abs/2108.12409).
#   Tables 2 and 15, appendix B.
# - T.-C. Chi, T.-H. Fan, P. J. Ramadge, A. I. Rudnicky: *KERPLE: Kernelized Relative Positional
#   Embedding for Length Extrapolation*. NeurIPS 2022.
#   [arXiv:2205.09921](https://arxiv.org/abs/2205.09921).
# - T.-C. Chi, T.-H. Fan, A. I. Rudnicky, P. J. Ramadge: *Dissecting Transformer Length
#   Extrapolation via the Lens of Receptive Field Analysis*. ACL 2023.
#   [arXiv:2212.10356](https://arxiv.org/abs/2212.10356). Sandwich.
# - S. Li, C. You, G. Guruganesh, J. Ainslie, S. Ontanon, M. Zaheer, S. Sanghai, Y. Yang, S. Kumar,
#   S. Bhojanapalli: *Functional Interpolation for Relative Positions Improves Long Context
#   Transformers*. ICLR 2024. [arXiv:2310.04418](https://arxiv.org/abs/2310.04418). FIRE.
# - Z. Lin, E. Nikishin, X. O. He, A. Courville: *Forgetting Transformer: Softmax Attention with a
#   Forget Gate*. ICLR 2025. [arXiv:2503.02130](https://arxiv.org/abs/2503.02130). FoX.
# - S. Yang, Y. Shen, K. Wen, S. Tan, M. Mishra, L. Ren, R. Panda, Y. Kim: *PaTH Attention: Position
#   Encoding via Accumulating Householder Transformations*. 2025.
#   [arXiv:2505.16381](https://arxiv.org/abs/2505.16381).
# - O. Golovneva, T. Wang, J. Weston, S. Sukhbaatar: *Contextual Position Encoding: Learning to
#   Count What's Important*. 2024. [arXiv:2405.18719](https://arxiv.org/abs/2405.18719). CoPE:
#   positions counted in other units than tokens, such as sentences.
# - S. Tan, S. Yang, A. Courville, R. Panda, Y. Shen: *Scaling Stick-Breaking Attention: An
#   Efficient Implementation and In-depth Study*. 2024.
#   [arXiv:2410.17980](https://arxiv.org/abs/2410.17980). Weights broken
#   off a stick, newest key first, in place of a softmax.
# - C. Zheng et al.: *DAPE: Data-Adaptive Positional Encoding for Length Extrapolation*. 2024.
#   [arXiv:2405.14722](https://arxiv.org/abs/2405.14722). A network reads scores and biases of all
#   heads together.

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
#   Extrapolation via the Lens of Receptive Field Analysis*。ACL 2023。
#   [arXiv:2212.10356](https://arxiv.org/abs/2212.10356)。Sandwich。
# - S. Li, C. You, G. Guruganesh, J. Ainslie, S. Ontanon, M. Zaheer, S. Sanghai, Y. Yang, S. Kumar,
#   S. Bhojanapalli：*Functional Interpolation for Relative Positions Improves Long Context
#   Transformers*。ICLR 2024。[arXiv:2310.04418](https://arxiv.org/abs/2310.04418)。FIRE。
# - Z. Lin, E. Nikishin, X. O. He, A. Courville：*Forgetting Transformer: Softmax Attention with a
#   Forget Gate*。ICLR 2025。[arXiv:2503.02130](https://arxiv.org/abs/2503.02130)。FoX。
# - S. Yang, Y. Shen, K. Wen, S. Tan, M. Mishra, L. Ren, R. Panda, Y. Kim：*PaTH Attention: Position
#   Encoding via Accumulating Householder Transformations*。2025。
#   [arXiv:2505.16381](https://arxiv.org/abs/2505.16381)。
# - O. Golovneva, T. Wang, J. Weston, S. Sukhbaatar：*Contextual Position Encoding: Learning to
#   Count What's Important*。2024。[arXiv:2405.18719](https://arxiv.org/abs/2405.18719)。CoPE：
#   位置按词元以外的单位来数，例如句子。
# - S. Tan, S. Yang, A. Courville, R. Panda, Y. Shen：*Scaling Stick-Breaking Attention: An
#   Efficient Implementation and In-depth Study*。2024。
#   [arXiv:2410.17980](https://arxiv.org/abs/2410.17980)。
#   不用softmax，权重像一段段从棍子上掰下来，最新的键先掰。
# - C. Zheng等：*DAPE: Data-Adaptive Positional Encoding for Length Extrapolation*。2024。
#   [arXiv:2405.14722](https://arxiv.org/abs/2405.14722)。
#   小网络同时读所有头的得分和偏置。
