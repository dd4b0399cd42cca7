# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
#   kernelspec: {display_name: Python 3, language: python, name: python3}
#   posenc:
#     title: {en: Scaling RoPE to longer texts, zh: 把RoPE用到更长的文本}
#     question:
#       en: "A model with RoPE was trained at length 2K. What must change so that it reads 32K?"
#       zh: 一个用RoPE的模型在2K长度上训练，要改什么才能读32K？
# ---

# %% [markdown] lang="en" way="weekend"
# # 6 · Scaling RoPE to longer texts
#
# In training the model saw 2048 positions. Give it 4096: the cosines are computed, the shapes fit,
# nothing is reported, and *perplexity*, roughly the number of words between which a model hesitates
# (1.9), goes from 7.2 to beyond 1000. RoPE is defined everywhere. But in training its slow hands
# never once went all the way round, and the rest of the dial is new.
#
# **The question.** A model with RoPE was trained on texts of 2K tokens. What breaks beyond, which
# frequencies must change so that it reads 32K, and how do you know that it does?
#
# **You will** see why RoPE fails past its length, derive and write interpolation, NTK-aware
# scaling, the by-parts ramp, YaRN and Llama 3.1's bands, fix two mistakes that run without an
# error, and plan an extension from 2K to 32K. ("A weekend" goes on to chapter 7 after YaRN, 6.7.)
#
# **You need** chapter 5, logarithms, softmax. About {minutes} minutes, 25 points, and 3 more for a
# question that a teacher grades.

# %% [markdown] lang="zh"
# # 6 · 把RoPE用到更长的文本
#
# 训练时，模型只见过2048个位置。把文本拉到4096，余弦照算，形状照对，
# 一个报错也没有，*困惑度*（perplexity，大致是模型在多少个词之间拿不定主意，1.9节）
# 却从7.2一下冲过1000。RoPE处处有定义，可低频的指针训练时连一圈都没走完，剩下的那段表盘，
# 它从没见过。
#
# **本章的问题。** 一个用RoPE的模型，训练长度是2K个词元（token）。超过之后坏的是什么？
# 要改哪些频率才能读32K？又怎么知道它真的读了？
#
# **你将**逐个频率“验伤”，看清哪些该压缩、哪些碰不得；推导并写出位置插值、NTK-aware缩放、
# NTK-by-parts的斜坡、YaRN和Llama 3.1的频段；修好两个运行时都不报错的错误；
# 最后规划一次从2K到32K的扩展。（“一个周末”读完6.7节的YaRN就转到第7章。）
#
# **你需要**第5章的内容、对数、softmax。约{minutes}分钟，共25分，另有一道由教师评分的题，3分。

# %%
import math

import torch
import torch.nn.functional as F

from autograde import answer, check, hint, progress, quiz
from bilingual.switch import language_switch
from posenc_glass import glass, text_part
from posenc_ref import (
    RotaryEncoding,
    base_bound,
    dynamic_ntk,
    frequencies,
    length_bound,
    llama3,
    llama4_scale,
    log_n_scale,
    longrope,
    ntk_aware,
    ntk_by_parts,
    position_interpolation,
    rope_angles,
    rotate,
    self_extend_relative,
    with_encoding,
    yarn,
    yarn_temperature,
)
from posenc_viz import Curve, Curves, explore, picture
from posenc_viz.labels import rope_scaling as label

torch.set_num_threads(1)
language_switch()

# %% [markdown] lang="en" way="weekend"
# ## 6.1 A head that has never been that far
#
# Fix a query and a key. By chapter 5 their score depends on the distance alone, and for a key that
# lies $k$ tokens back it is a sum of waves with RoPE's frequencies:
#
# $$y(k)=\sum_i\bigl(a_i\cos\omega_ik+b_i\sin\omega_ik\bigr).$$
#
# The model chooses $a_i$ and $b_i$, through $W_Q$ and $W_K$; the $\omega_i$ are given. Suppose that
# a head wants "near counts, far does not", $y(k)=e^{-k/40}$, and was trained on distances below
# $L=512$. Training here is one least-squares fit, as in Figure 2 of Chen et al. (2023), who fit
# random points. (The 40 is our choice. It sets how large far scores get: 6.10 lets you move it.)
# The cell prints the largest difference between score and target below 512.

# %% [markdown] lang="zh" slide="show"
# ## 6.1 把头用到没见过的距离上
#
# 固定一个查询和一个键。由第5章，它们的得分（注意力得分，即softmax之前的logits）只取决于距离。
# 键在查询之前$k$个词元时，得分是一组波的和，波的频率就是RoPE的频率：
#
# $$y(k)=\sum_i\bigl(a_i\cos\omega_ik+b_i\sin\omega_ik\bigr).$$
#
# 模型通过$W_Q$、$W_K$选择$a_i$和$b_i$，$\omega_i$则是给定的。设想有个头要做到“近处重要，
# 远处不重要”，即$y(k)=e^{-k/40}$，而且只在小于$L=512$的距离上训练过。
# 这里的训练就是做一次最小二乘拟合，办法与Chen等（2023）的图2相同，他们拟合的是随机的点。
# （40是随手取的，远处的得分有多大要看它，6.10节可以拖动。）
# 单元格打印512以内，拟合出的得分与目标最多相差多少。

# %%
TRAINED, HEAD = 512, 64


def waves(k, omega):
    angles = rope_angles(k, omega)  # (n, D/2)
    return torch.cat((angles.cos(), angles.sin()), dim=1)  # (n, D)


near = torch.arange(TRAINED)
X = waves(near, frequencies(HEAD))
small = 1e-3 * torch.eye(HEAD, dtype=torch.float64)  # weight decay: keeps a and b small


def taught(decay):
    """Return a and b of a head that wants exp(−k / decay) on trained distances, (D,)."""
    return torch.linalg.solve(X.T @ X + small, X.T @ torch.exp(-near.double() / decay))


wanted, learned = torch.exp(-near.double() / 40), taught(40)
print(f"k < {TRAINED}: max |Δ| = {(X @ learned - wanted).abs().max():.2f}")

# %% [markdown] lang="en"
# An almost perfect fit. Now let distances grow to eight times the trained ones. The head wants 0
# for far keys. What does it give? Guess, then run.

# %% [markdown] lang="zh" slide="show"
# 拟合得几乎完美。现在把距离拉到训练时的八倍。远处的键它本想打0分，实际打了多少？先猜，再运行。

# %% tags=["predict"]
far = torch.arange(8 * TRAINED)
score = waves(far, frequencies(HEAD)) @ learned
picture(
    Curves(
        [Curve(far, score, label.score), Curve(near, wanted, label.target)],
        **label.trained_head(),
        vlines=[TRAINED],
    )
)
print(f"k ≥ {TRAINED}: max y(k) = {score[TRAINED:].max():.1f}")
print(f"y(0) = {score[0]:.1f}")

# %% [markdown] lang="en"
# *Picture: the score over eight times the trained distances; the dashed line is at 512.*
#
# Up to 512 the score falls from 1 to 0 as wanted; beyond, it swings up to 2 and down below −1.
# After the softmax, a token thousands of places earlier now outweighs the nearest one by a factor
# of about $e$. Nothing crashed, no number is infinite: the head was never told what to do there.
# **Defined everywhere is not trained everywhere.** Real models: 7.20 perplexity at 2048 tokens,
# more than 1000 from 4096 on (LLaMA-7B, Chen et al. 2023, Table 1).

# %% [markdown] lang="zh" slide="show"
# *图：得分随距离的变化，距离画到训练时的八倍；虚线在512处。*
#
# 到512为止，得分如愿从1降到0；再往右，上冲到2，下探到−1以下。过了softmax，
# 几千个词元以前的一个词元，权重反而约是近邻的$e$倍。程序没有崩溃，也没有出现无穷大，
# 只是从来没人告诉过这个头，在那里该怎么办。**处处有定义，不等于处处训练过。** 真实的模型也是这样，
# LLaMA-7B在2048个词元时困惑度是7.20，从4096起就超过1000（Chen等，2023，表1）。

# %% [markdown] lang="en" way="weekend"
# ## 6.2 Angles never seen
#
# Which waves are to blame? Pair $i$ turns $r_i=L\omega_i/2\pi=L/\lambda_i$ times within the trained
# length. A pair with $r\ge1$ has gone all the way round and has met all its angles. One with $r<1$
# has met only the first part of its circle, and at $k>L$ meets the rest for the first time; the
# title of the figure counts such pairs. Set the trained length, the stretch (how many times as long
# the new text is) and the base (`rope_theta` in a config): which of the three leaves their number
# as it is?

# %% [markdown] lang="zh" slide="show"
# ## 6.2 从没见过的角度
#
# 该怪哪些波？第$i$对在训练长度内转了$r_i=L\omega_i/2\pi=L/\lambda_i$圈。$r\ge1$的高频对转满过整圈，
# 所有角度都见过；$r<1$的低频对只见过圆的前一段，到$k>L$才第一次碰到其余部分，
# 图的标题数的就是这样的对。拖动训练长度、扩展倍数（新文本是训练长度的几倍）和base
# （底数，配置里的`rope_theta`）：三者之中，哪一个不改变这样的对的个数？


# %%
def seen(length=2048, factor=4, base=10000.0):
    turns = length * frequencies(128, base=base) / (2 * math.pi)  # (64,)
    new = int((turns < 1).sum())
    pairs = torch.arange(64)
    return Curves(
        [
            Curve(pairs, turns.clamp(max=1), label.seen_before),
            Curve(pairs, (factor * turns).clamp(max=1), label.needed),
        ],
        **label.circle(new=new),
        y_limits=(0, 1.05),
    )


explore(seen, **label.seen, length=(512, 8192, 512), factor=(1, 32), base=[10000.0, 500000.0])

# %% [markdown] lang="en"
# *Picture: two curves that stay at 1 for the fast pairs and fall towards 0 for the slow ones; the
# curve of what is needed falls later.*
#
# The gap between the two is what training never showed. A larger stretch brings in no more pairs;
# it sends the same ones further. A larger base at training time, as in Llama 3, gives more slow
# pairs, not fewer: they need less of their circle each, but what lies beyond $L$ stays new. Such a
# base is chosen for the slope of the decay (5.7), not so that more angles are seen.
#
# Try it on the head of 6.1: slow down by a factor of 8 only the pairs whose $r$ is below some
# threshold, and leave the rest. How many pairs (the number in brackets) must be slowed to make the
# far scores harmless?

# %% [markdown] lang="zh" slide="show"
# *图：每一对走过的弧占整圈的比例。两条曲线在高频对处都是1，到低频对处降向0；“现在需要”
# 的那条降得更晚。*
#
# 两条曲线之间的空隙，就是训练中从未出现的角度。扩展倍数再大，也不会多出几对来，
# 只是同样那些对走得更远。训练时base取得更大（如Llama 3），频率就更低，
# 同样的长度内转不满一圈的对只会更多，不会更少；每一对用到的弧虽然短了，
# 超过$L$之后的那一段仍然没见过。这样取不是为了多见些角度，而是为了让远程衰减更平缓（5.7节）。
#
# 拿6.1节的那个头试一试：只把圈数$r$少于某个值的对放慢到1/8，其余不动。要放慢多少对（括号里的数），
# 远处的得分才压得住？

# %%
omega_head = frequencies(HEAD)
turns = TRAINED * omega_head / (2 * math.pi)  # within the trained length
for least in (0, 1, 2, math.inf):
    chosen = turns < least
    score = waves(far, torch.where(chosen, omega_head / 8, omega_head)) @ learned
    largest = score[TRAINED:].abs().max()
    print(f"r < {least:3} ({chosen.sum():2}): max |y(k ≥ {TRAINED})| = {largest:.2f}")

# %% [markdown] lang="en"
# The 16 pairs with less than one turn are not enough; with the three of one to two turns, the far
# scores are harmless. Those three had met each of their angles, but never beside pairs slowed by a
# factor of 8: *combinations* of angles can be new as well. (The 0.20 of the last row is not a
# swing: 512 now looks the way 64 did, $e^{-64/40}=0.20$.)
#
# Every remedy that changes frequencies slows the slow pairs; they differ in how much, and in what
# they do to the rest.

# %% [markdown] lang="zh"
# 只放慢不到一圈的16对还不够，再加上转了一到两圈的那三对，远处的得分就压住了。那三对每个角度都见过，
# 却没见过与放慢到1/8的低频对搭配在一起。由此可见，角度的*组合*也可能是新的。
# （最后一行的0.20不是摆动：512处成了原来的64处，$e^{-64/40}=0.20$。）
#
# 凡是改频率的办法都要放慢低频对，区别在于放慢多少，以及其余的对怎么办。

# %% [markdown] lang="en" way="everything"
# ### How large a base does a length need?
#
# A key that resembles the query, $q+\varepsilon$, should score higher than a random one, at every
# distance $k$ below $L$. The random key and $\varepsilon$ score 0 on average. Pair $i$ of $q$,
# $(x_i,y_i)$, adds $(x_i^2+y_i^2)\cos k\omega_i$. If every $x_i^2+y_i^2$ has the same mean, the
# lead is on average proportional to $\sum_i\cos k\omega_i$.
# Ask that this sum not be negative for any $k<L$ (Su 2024; Men et al. 2024). By the law of 5.7 it
# meets 0 near $0.56\,b$ for the base $b$, but the ripples get there sooner: 5.7 found 1707 for base
# 10000 and 18438 for 500000. Now 100000 and 1000000 as well: if the base is ten times as large, how
# many times as far does it carry?

# %% [markdown] lang="zh"
# ### 多长的文本，需要多大的base？
#
# 与查询相像的键$q+\varepsilon$，在小于$L$的任何距离$k$上，得分都应当高过随机的键。
# 随机的键和$\varepsilon$得分平均为0，而$q$的第$i$对通道$(x_i,y_i)$
# 给得分贡献$(x_i^2+y_i^2)\cos k\omega_i$；各对的$x_i^2+y_i^2$平均若相同，
# 领先的幅度平均就正比于$\sum_i\cos k\omega_i$。
# 要求对一切$k<L$这个和都不为负（苏剑林，2024；Men等，2024）。按5.7节的对数律，
# base为$b$时，它要到$0.56\,b$附近才降到0，但起伏会让它更早碰到0：5.7节里，
# base为10000时是1707，500000时是18438。再加上100000和1000000：base扩大到十倍，
# 撑得住的长度扩大到几倍？

# %%
for base in (10000.0, 100000.0, 500000.0, 1000000.0):
    length = length_bound(128, base=base)  # the first k at which the sum is negative
    print(f"b = {base:7.0f}: 0.56 b = {0.56 * base:6.0f}, length_bound = {length:5}")

# %% [markdown] lang="en"
# From 10000 to 100000 the length grows 4.5 times, from there to 1000000 only 3.5 times. Base 10000
# carries 1707 tokens, yet Llama 2 was trained with it at 4096: the condition is one on averages,
# and real queries and keys are not random. The trend is right: 500000 carries Llama 3's 8192 with
# room to spare, a million Code Llama's 16K.
#
# Now ask the other way round: which base does a length need?

# %% [markdown] lang="zh"
# base从10000到100000，撑得住的长度只增到4.5倍；从100000到1000000，只增到3.5倍。
# base为10000只撑得住1707个词元，Llama 2却用它训练到了4096。这个条件只在平均意义上成立，
# 真实的查询和键并不随机。不过趋势是对的：
# 500000对Llama 3的8192绰绰有余，一百万够Code Llama的16K。
#
# 再反过来问，一个长度需要多大的base？


# %% exercise="smallest_base"
def smallest_base(bases, dim, length):
    """Return the smallest base whose sum is nowhere negative at distances below length."""
    ### BEGIN SOLUTION
    k = torch.arange(length, dtype=torch.float64)[:, None]
    i = torch.arange(dim // 2, dtype=torch.float64)
    carry = [b for b in bases if (k * b ** (-2 * i / dim)).cos().sum(1).min() >= 0]
    return min(carry)
    ### END SOLUTION


# %% check="smallest_base"
check("smallest_base", smallest_base)

# %% [markdown] lang="en"
# To carry 2048 tokens Men et al. (2024) give base 16000, Su (2024) 12000. The cell takes the
# smallest base that suffices from a coarse grid and from a fine one, then the length that each of
# five bases carries. Does 12000 suffice?

# %% [markdown] lang="zh"
# 要撑住2048个词元，Men等（2024）给出的base是16000，苏剑林（2024）给出的是12000。
# 下面用粗细两种网格各找一次够用的最小base，再列出五个base各撑得住多长。12000够不够？

# %%
for step in (4000, 10):
    print(f"step = {step:4}: b =", base_bound(128, 2048, [*range(step, 24001, step)]))
for base in (11590, 12000, 14000, 16000, 17000):
    print(f"b = {base}: length_bound = {length_bound(128, base=base)}")

# %% [markdown] lang="en"
# No: 11590 does, and 12000, the same rounded to two digits, does not. As the check said, a larger
# base may carry less. So the bases that carry 2048 tokens are not an interval: bisection fails (Su
# 2024), and a grid finds only what it contains.

# %% [markdown] lang="zh"
# 不够：11590够，把它舍入到两位有效数字得到的12000却不够。上面的检查说过，base更大反而可能不够。
# 所以够用的base连不成区间，二分法行不通（苏剑林，2024），网格也只找得到网格上有的值。

# %% [markdown] lang="en" way="weekend"
# ## 6.3 Position interpolation
#
# The plainest remedy (*PI*, Chen et al. 2023, §2.3): squeeze the long text into the trained length.
# Position $p$ of a text $s$ times as long gets the angles of $p/s$,
#
# $$\omega_i'=\omega_i/s.$$
#
# No angle leaves the trained range: $p/s$ lies below $L$ again.

# %% [markdown] lang="zh" slide="show"
# ## 6.3 位置插值
#
# 最直接的办法是*位置插值*（position interpolation，PI，Chen等，2023，§2.3）：
# 把长文本压进训练过的长度。文本是训练长度的$s$倍时，位置$p$改用$p/s$处的角度：
#
# $$\omega_i'=\omega_i/s.$$
#
# 没有一个角度超出训练时的范围，因为$p/s$又回到了$L$以内。


# %% exercise="interpolated_angles"
def interpolated_angles(positions, dim, factor, base=10000.0):
    """Return the angles of a text `factor` times as long as in training, shape (N, dim/2)."""
    ### BEGIN SOLUTION
    i = torch.arange(dim // 2, dtype=torch.float64)
    omega = base ** (-2 * i / dim)  # (dim/2,)
    return positions[:, None] / factor * omega
    ### END SOLUTION


# %% check="interpolated_angles"
check("interpolated_angles", interpolated_angles)

# %% [markdown] lang="en"
# What does it cost? Besides the head of 6.1, take one that looks at the *previous token*, built
# from the 16 fastest pairs: $y(k)=\frac1{16}\sum_{i<16}\cos\omega_i(k-1)$, largest at $k=1$. Where
# will it look under interpolation by a factor of 8?

# %% [markdown] lang="zh" slide="show"
# 代价是什么？除了6.1节的头，再造一个只看*前一个词元*的头，用最高频的16对：
# $y(k)=\frac1{16}\sum_{i<16}\cos\omega_i(k-1)$，在$k=1$处最大。
# 扩展倍数为8的插值之后，它会看哪里？


# %%
def previous(used):
    k = torch.arange(40, dtype=torch.float64)
    return (k[:, None] * used[:16] - frequencies(HEAD)[:16]).cos().mean(1)  # (40,)


squeezed, _ = position_interpolation(HEAD, 8.0)
for name, used in (("RoPE", omega_head), ("PI", squeezed)):
    y = waves(far, used) @ learned
    print(f"{name:4}: y(40) = {y[40]:.2f}, max |y(k ≥ 512)| = {y[TRAINED:].abs().max():.1f}")
    print(f"      previous: k = {previous(used).argmax()}")

# %% [markdown] lang="en"
# Far scores are small. But a token 40 back now looks the way one 5 back did ($e^{-1}=0.37$ became
# $e^{-1/8}=0.88$), and the head for the previous token looks eight back: *near* is stretched as
# much as far. All angles are in the trained range, but the distance between neighbours is not, so
# there is no way round fine-tuning: Chen et al. (Table 3: 7B, from 2048 to 8192, PG19) measure a
# perplexity of 16.10 before it, 7.12 after 200 steps, 6.95 after 1000.

# %% [markdown] lang="zh"
# 远处果然压住了。但现在距离40的键，看来就像原来距离5的键（$e^{-1}=0.37$变成了$e^{-1/8}=0.88$），
# 只看前一个词元的头也改看之前的第八个了。整条得分曲线被拉宽到8倍，*近处*也不例外。
# 角度虽然都在见过的范围之内，相邻词元的间隔却没见过，所以微调省不掉：Chen等（表3，7B，
# 2048扩展到8192，PG19）测得，微调前困惑度是16.10，200步之后是7.12，1000步之后是6.95。

# %% [markdown] lang="en" way="weekend"
# ## 6.4 NTK-aware: a larger base
#
# Neighbours need the fast pairs as they were; far tokens need the slow ones slower: *extrapolate
# the high frequencies, interpolate the low ones*. Raise the base $b$ and both happen, since
# $\omega_0=b^0=1$ never moves. How much? Require that the slowest pair, $i=d/2-1$ if $d$ channels
# rotate, be interpolated fully, and solve for the new base $b'$.

# %% [markdown] lang="zh" slide="show"
# ## 6.4 NTK-aware：更大的base
#
# 要分清相邻的词元，高频对就得保持原样；要够到远处，低频对就得再慢些。一句话：*高频外推，低频内插*。
# 把base（记作$b$）调大正好两全，因为$\omega_0=b^0=1$从来不动。调大多少？
# 要求最低频的一对（$i=d/2-1$，$d$是一起旋转的通道数）恰好完全插值，由此解出新的base $b'$。


# %% exercise="ntk_base"
def ntk_base(dim, factor, base=10000.0):
    """Return the base whose slowest frequency is that of `base` divided by `factor`."""
    ### BEGIN SOLUTION
    return base * factor ** (dim / (dim - 2))
    ### END SOLUTION


# %% check="ntk_base"
check("ntk_base", ntk_base)

# %% [markdown] lang="en"
# The requirement is $b'^{-(d-2)/d}=b^{-(d-2)/d}/s$: the last exponent is $2i/d=(d-2)/d$, not $1$.
# Take both sides to the power $-d/(d-2)$:
#
# $$b'=b\,s^{d/(d-2)}.$$
#
# Pair $i$ is divided by
#
# $$\frac{\omega_i}{\omega_i'}=\left(\frac{b'}{b}\right)^{2i/d}=s^{\frac d{d-2}\cdot\frac{2i}d}
# =s^{2i/(d-2)},$$
#
# a smooth passage from 1 to $s$. (bloc97 posted the rule in 2023, inspired by the theory of the
# *neural tangent kernel*; the derivation needs none of it.)

# %% [markdown] lang="zh" slide="show"
# 这个要求就是$b'^{-(d-2)/d}=b^{-(d-2)/d}/s$，因为最后一个指数是$2i/d=(d-2)/d$，而不是$1$。
# 两边取$-d/(d-2)$次方：
#
# $$b'=b\,s^{d/(d-2)}.$$
#
# 第$i$对除以
#
# $$\frac{\omega_i}{\omega_i'}=\left(\frac{b'}{b}\right)^{2i/d}=s^{\frac d{d-2}\cdot\frac{2i}d}
# =s^{2i/(d-2)},$$
#
# 从1平滑地过渡到$s$。（2023年提出这条规则的bloc97受了*神经正切核*理论（neural tangent kernel）
# 的启发，推导却用不到它。）

# %%
omega_128, ntk = frequencies(128), ntk_aware(128, 8.0)[0]
divisors = omega_128 / ntk
i = torch.arange(64, dtype=torch.float64)
print("i = 0, 21, 42, 63:", [round(divisors[j].item(), 3) for j in (0, 21, 42, 63)])
print("ω_i / ω_i' = s^(2i/(d-2)):", torch.allclose(divisors, 8.0 ** (2 * i / 126)))

# %% [markdown] lang="en" way="everything"
# ### The same as digits
#
# Chapter 2 read sinusoids as digits of a number, $\lfloor p/\beta^i\rfloor\bmod\beta$ in place $i$.
# RoPE has $n=d/2$ places of base $\beta=b^{2/d}$, and takes the angle $p/\beta^i$ modulo $2\pi$.
# Train on 0 … 999 with three decimal digits, then meet 7999. The top digit would be 79, which no
# one has seen. PI writes $p/8$ instead: all digits are in range, but neighbours differ by an
# eighth. NTK keeps $p$ and enlarges the *base of the digits* until the top one fits:
# $\beta'^{\,n-1}=s\,\beta^{n-1}$, so $\beta'=\beta\,s^{1/(n-1)}$, and with $b'=\beta'^{\,n}$,
# $n=d/2$, this is $b\,s^{d/(d-2)}$ again (Su 2023). The cell prints the top digit of 7999 and the
# last digits of 7 and 8.

# %% [markdown] lang="zh"
# ### 换一种进制来写
#
# 第2章把正弦读作一个数的各位数字，第$i$位是$\lfloor p/\beta^i\rfloor\bmod\beta$。RoPE也相仿，
# 它有$n=d/2$位，进制是$\beta=b^{2/d}$，角度$p/\beta^i$则按$2\pi$取余。设想用三位十进制数训练，
# 只见过0…999，现在来了7999，最高位要写成79，这是从没见过的。PI改为写$p/8$，
# 各位数字都在见过的范围内，代价是相邻的数只差八分之一。NTK则不动$p$，而是把*进制*调大，
# 直到最高位装得下：$\beta'^{\,n-1}=s\,\beta^{n-1}$，即$\beta'=\beta\,s^{1/(n-1)}$。
# 再由$b'=\beta'^{\,n}$和$n=d/2$，得到的又是$b\,s^{d/(d-2)}$（苏剑林，2023，
# “RoPE是一种β进制编码”）。单元格打印7999的最高位，以及7和8的末位。

# %%
ways = {"RoPE": (1, 10.0), "PI": (8, 10.0), "NTK": (1, 10.0 * 8 ** (1 / 2))}  # p divided; base
for name, (divisor, beta) in ways.items():
    top = 7999 / divisor / beta**2
    step = [p / divisor % beta for p in (7, 8)]  # the last digit of two neighbours
    print(f"{name:4}: 7999 → {int(top):2}; 7, 8 → {step}")

# %% [markdown] lang="en"
# Only the top place is back in range, though: in base $10\sqrt8$ the others go up to 28. And with
# the frequencies? Take $L=4096$ and $s=8$, and the pairs with less than one turn in training: at
# the end of the long text, how many are past their largest trained angle, and how many times as far
# is the furthest?

# %% [markdown] lang="zh"
# 不过回到见过的范围的只有最高位，其余各位在$10\sqrt8$进制里要写到28。频率呢？取$L=4096$、$s=8$，
# 看训练中没转满一圈的那些对：到长文本末尾，有几对的角度超过训练时的最大角度？
# 超得最多的一对，是训练时最大角度的几倍？

# %%
length, factor = 4096, 8
slow = omega_128 * length < 2 * math.pi
past = factor * ntk / omega_128  # largest angle now / largest angle in training
print(f"{(past[slow] > 1 + 1e-9).sum()} / {slow.sum()}")
print(f"× {past[slow].max():.2f}")

# %% [markdown] lang="en"
# Of 18 pairs 17 go past it, the furthest 1.75 times as far: only the *last* is interpolated fully,
# and "NTK-aware never extrapolates" is wrong. Peng et al. (2023) say "slightly extrapolated" and in
# practice choose $s$ larger than the stretch. So the $s$ given to NTK-aware is not the stretch that
# the model can take.
#
# Perplexity of Llama 2 7B, fine-tuned for twice its 4096 tokens (Peng et al. 2023, Table 1):
#
# | | trained on | 4096 | 8192 | 10240 |
# |---|---|---|---|---|
# | PI, $s=2$ | 1B tokens | 3.51 | 3.34 | 8.07 |
# | NTK, base 20000 | 1B tokens | 3.75 | 3.59 | 6.24 |
# | YaRN, $s=2$ (6.7) | 0.4B tokens | 3.50 | 3.35 | 6.04 |
#
# Within the new length, 8192, NTK costs some perplexity; beyond it PI is the worst.

# %% [markdown] lang="zh" slide="show"
# 18对里有17对越过，最远的到了1.75倍：完全插值的只有*最后*一对，“NTK-aware从不外推”这句话不对。
# Peng等（2023）的说法是“略有外推”，
# 实践中$s$要取得比目标倍数更大。所以填给NTK-aware的$s$，并不等于模型真能承受的扩展倍数。
#
# 下面是Llama 2 7B从4096扩展到两倍、微调之后的困惑度（Peng等，2023，表1）：
#
# | | 微调数据量 | 4096 | 8192 | 10240 |
# |---|---|---|---|---|
# | PI，$s=2$ | 10亿词元 | 3.51 | 3.34 | 8.07 |
# | NTK，base为20000 | 10亿词元 | 3.75 | 3.59 | 6.24 |
# | YaRN，$s=2$（6.7节） | 4亿词元 | 3.50 | 3.35 | 6.04 |
#
# 在新长度（8192）之内，付代价的是NTK；超过之后，最差的是PI。

# %% [markdown] lang="en" way="everything"
# ### Raise the base and keep training
#
# NTK-aware computes its base from the angle of the slowest pair, and was proposed for models that
# are not trained any further. Xiong et al. (2023) raise the base fiftyfold, from 10000 to 500000,
# for eight times the length, and *continue pretraining* (*ABF*, adjusted base frequency). Try it on
# the head of 6.1, with the old base, NTK-aware and ABF: first the new frequencies alone, then 1000
# steps of gradient descent on distances up to 4096. The first line printed is the root mean square
# error of a head that says 0 everywhere. Then comes a row for each base:
#
# 1. that error before the 1000 steps,
# 2. and after them;
# 3. after them, $y(0)$, which should be 1,
# 4. and the largest $|y(k)|$ from 512 on, which should be 0;
# 5. the distance at which the sum of 6.2, $\sum_i\cos k\omega_i$, is first negative.
#
# What does the larger base gain?

# %% [markdown] lang="zh"
# ### 调大base，继续训练
#
# NTK-aware的base由最低频那一对的角度算出，提出时针对的是不再训练的模型。
# Xiong等（2023）只扩展到八倍，却把base调大到五十倍，从10000到500000，
# 然后*继续训练*（*ABF*，adjusted base frequency）。
# 拿6.1节的头来试，base不变、NTK-aware、ABF各一行；
# 都是先只换频率，再在4096以内的距离上做1000步梯度下降。
# 最上面的数用来对照：一个处处打0分的头，均方根误差有多大。
# 各行base之后的两列是梯度下降前后的均方根误差；
# 再两列是梯度下降之后的得分：$y(0)$，应为1；从512起$|y(k)|$的最大值，应为0。
# 最后一列是6.2节的和$\sum_i\cos k\omega_i$第一次为负的距离。更大的base换来了什么？


# %%
def before_and_after(used, goal, steps=1000):
    """Return the head's scores up to 4096, without and after training, (4096,) each."""
    A, head = waves(far, used), learned
    hessian, gradient = A.T @ A / len(far), A.T @ goal / len(far)
    rate = 1 / torch.linalg.eigvalsh(hessian).max()
    for _ in range(steps):
        head = head - rate * (hessian @ head - gradient)
    return A @ learned, A @ head


def size(error):
    return error.square().mean().sqrt()


goal = torch.exp(-far.double() / 40)
print(f"{size(goal):.3f}")
for name, base in (("RoPE", 10000.0), ("NTK", 10000.0 * 8 ** (64 / 62)), ("ABF", 5e5)):
    at_once, after = before_and_after(frequencies(HEAD, base=base), goal)
    errors = f"{size(at_once - goal):.3f} {size(after - goal):.3f}"
    scores = f"{after[0]:.2f} {after[TRAINED:].abs().max():.2f}"
    print(f"{name:4} {base:6.0f}  {errors}  {scores} {length_bound(HEAD, base=base):6}")

# %% [markdown] lang="en"
# Without training all three fail: their error is seven to nine times that of a head that says 0
# everywhere. Training makes far scores small for all three, the old base included; nearby none has
# learned its task yet: $y(0)$ is still below a half. The largest base is left with the largest
# error, so the fit of this head gives no reason for 500000. The last column does: only ABF's sum
# stays positive up to 4096, which means that a key like the query still stands out that far away.
# The paper agrees. For 7B models whose pretraining was continued with 80B tokens at length 32768,
# the perplexity on books is 6.548 with the old base, 6.341 with PI, 6.323 with ABF (Table 5): 0.3%
# between the last two. What set ABF apart was *retrieval*: it alone still repeats a first sentence
# from 32768 tokens back (Figure 5b). So, without further training, let the angle of the slowest
# pair set the base; if you train further, choose the base by the distance at which a matching key
# must still stand out.

# %% [markdown] lang="zh"
# 不训练，三种都不行，均方根误差是处处打0分的头的七到九倍。继续训练之后，三种的远处都压下去了，
# 连base没动的也不例外；近处却都还没学好，$y(0)$还不到一半。留下的误差，反而是base最大的那个最大。
# 可见单看这个头拟合得好不好，看不出为什么要取500000。
# 理由在最后一列：只有ABF的和到4096仍是正的，也就是说，与查询相像的键到了那么远还能突出来。
# 论文的结果也是这样。7B模型在32768长度上再训练800亿词元，书籍上的困惑度在原来的base下是6.548，
# 用PI是6.341，用ABF是6.323（表5），后两者只差0.3%。拉开差距的是*检索*：
# 只有ABF还能复述32768个词元之前的第一句话（图5b）。所以，不训练，就由最低频那一对的角度定base；
# 要继续训练，就看匹配的键隔多远还得突出来，按这个距离选base。

# %% [markdown] lang="en" way="everything"
# ## 6.5 Dynamic NTK
#
# Why pay inside the trained length? *Dynamic* scaling computes the stretch from the current text,
# of $l$ tokens: $s=\max(1,l/L)$. Short texts keep plain RoPE, and the base grows as the text does.
# Hugging Face generalises, for $l>L$, with a `factor` $f$:
#
# $$s=f\,\frac lL-(f-1).$$
#
# With $f=1$ it is the rule above. At four times the trained length, by what does $f=4$ divide the
# slowest pair?

# %% [markdown] lang="zh"
# ## 6.5 动态NTK
#
# 文本没有超出训练长度时，何必也改频率，让近处付出代价？*动态*缩放按当前文本的长度$l$来取扩展倍数：
# $s=\max(1,l/L)$。短文本仍用普通的RoPE，文本变长，base才跟着变大。$l>L$时，Hugging
# Face用`factor`（记作$f$）把它推广成
#
# $$s=f\,\frac lL-(f-1).$$
#
# 取$f=1$就是上面的规则。长度到训练的四倍时，$f=4$让最低频的一对除以几？

# %%
for f in (1.0, 2.0, 4.0):
    scaled, _ = dynamic_ntk(128, length=4 * 4096, trained_length=4096, factor=f)
    print(f"f = {f:.0f}: ω_63 / ω_63' = {(omega_128 / scaled)[-1]:.0f}")

# %% [markdown] lang="en"
# Not 4, but 13: **HF's dynamic `factor` is not the stretch**, it is how fast the stretch grows. For
# `linear` and `yarn` it is the stretch, for `llama3` what the slow pairs are divided by.
#
# Dynamic scaling has a catch: the frequencies change at every token, so keys that were rotated when
# they were stored belong to another base. See case 2 in 6.11.

# %% [markdown] lang="zh" slide="show"
# 不是4，是13。**HF动态缩放的`factor`不是扩展倍数**，而是扩展倍数增长的快慢；
# 在`linear`和`yarn`里它才是扩展倍数，在`llama3`里它是低频对要除以的数。
#
# 动态缩放有一个陷阱：每来一个词元，频率都在变，而缓存里的键早在存入时就按旧base转过了。
# 见6.11节病例二。

# %% [markdown] lang="en" way="weekend"
# ## 6.6 By parts
#
# Section 6.2 said which pairs need help: look at how often each one turned. *NTK-by-parts* (Peng et
# al. 2023, §3.2) does so, with $r=L/\lambda$:
#
# $$\omega'=(1-\gamma)\frac\omega s+\gamma\,\omega,\qquad
# \gamma(r)=\begin{cases}0&r<\alpha\\
# \dfrac{r-\alpha}{\beta-\alpha}&\alpha\le r\le\beta\\
# 1&r>\beta\end{cases}$$
#
# Pairs with less than $\alpha=1$ turn are interpolated fully: no new angle. Pairs with more than
# $\beta=32$ turns are left alone: neighbours stay apart.

# %% [markdown] lang="zh" slide="show"
# ## 6.6 NTK-by-parts：按圈数区别对待
#
# 哪些对需要放慢，要看每一对转了多少圈，6.2节已经说清了。*NTK-by-parts*（分频段插值，Peng等，2023，
# §3.2）取$r=L/\lambda$：
#
# $$\omega'=(1-\gamma)\frac\omega s+\gamma\,\omega,\qquad
# \gamma(r)=\begin{cases}0&r<\alpha\\
# \dfrac{r-\alpha}{\beta-\alpha}&\alpha\le r\le\beta\\
# 1&r>\beta\end{cases}$$
#
# 转不到$\alpha=1$圈的低频对完全插值，不会遇到新角度；超过$\beta=32$圈的高频对原样不动，
# 相邻词元照样分得开。


# %% exercise="parts_ramp"
def parts_ramp(omega, trained_length, alpha=1.0, beta=32.0):
    """Return how much of its frequency each pair keeps, 0 to 1, shape (D/2,)."""
    ### BEGIN SOLUTION
    turns = trained_length * omega / (2 * math.pi)  # r of each pair
    return ((turns - alpha) / (beta - alpha)).clamp(0, 1)
    ### END SOLUTION


# %% check="parts_ramp"
check("parts_ramp", parts_ramp)

# %% [markdown] lang="en"
# Move the thresholds. What makes the ramp steep? When $\alpha$ and $\beta$ are both large, which
# earlier method is that?

# %% [markdown] lang="zh" slide="show"
# 拖动边界试试。怎样能让斜坡变陡？$\alpha$和$\beta$都很大时，就成了前面的哪种方法？


# %%
def ramp(length=2048, alpha=1, width=31):
    omega = frequencies(128)
    turns = length * omega / (2 * math.pi)
    kept = ((turns - alpha) / width).clamp(0, 1)
    return Curves(
        Curve(2 * math.pi / omega, kept, style="-o"),
        **label.share_kept(alpha=alpha, beta=alpha + width),
        x_limits=(6, 60000),
        y_limits=(-0.05, 1.05),
        x_scale="log",
        vlines=[length / (alpha + width), length / alpha],
    )


explore(ramp, **label.ramp, length=[512, 2048, 8192], alpha=(1, 200), width=(1, 200))

# %% [markdown] lang="en"
# *Picture: share kept against wavelength on a logarithmic axis, 1 at the left, 0 at the right; two
# dashed lines mark $L/\beta$ and $L/\alpha$.*
#
# A ramp that is linear in turns looks curved over a logarithmic axis; a small $\beta-\alpha$ makes
# it steep. At $L=2048$ and $\alpha=200$ only 4 of the 64 pairs keep anything of their frequency:
# very nearly interpolation (exactly that, once $\alpha$ is above the $L/2\pi$ turns of the fastest
# pair).

# %% [markdown] lang="zh"
# *图：横轴是对数刻度的波长，纵轴是保留的比例，左边为1，右边为0；
# 两条虚线在$L/\beta$和$L/\alpha$处。*
#
# 按圈数本是直线，画在对数轴上就弯了，$\beta-\alpha$越小越陡。
# $L=2048$、$\alpha=200$时，64对里只剩4对没有完全放慢，几乎就是位置插值
# （$\alpha$大过最高频那对的圈数$L/2\pi$，就完全是了）。

# %% [markdown] lang="en" way="weekend"
# ## 6.7 YaRN: the ramp and a temperature
#
# More keys make attention flatter, whatever the frequencies. The entropy of the weights says how
# much. Scores $x_j$ give weights $A_j=e^{x_j}/Z$, hence $\ln A_j=x_j-\ln Z$, so the entropy is $\ln
# Z$ minus the mean score under the weights. Let the scores of $n$ keys be Gaussian with mean 0
# (softmax does not see the mean) and variance $\sigma^2$. Let $x$ be such a score. Then for every
# number $u$ the left equation holds, and its derivative in $u$ is the right one:
#
# $$\mathbb E\,e^{ux}=e^{u^2\sigma^2/2},\qquad\mathbb E\,xe^{ux}=u\sigma^2e^{u^2\sigma^2/2}.$$
#
# At $u=1$: the softmax's denominator $Z$ is about $n\,\mathbb E\,e^x=n\,e^{\sigma^2/2}$, and the
# mean score is $\mathbb E\,xe^x/\mathbb E\,e^x=\sigma^2$. Together:
#
# $$-\sum_jA_j\ln A_j=\ln\bigl(n\,e^{\sigma^2/2}\bigr)-\sigma^2=\ln n-\frac{\sigma^2}2.$$
#
# (As long as $\sigma^2$ is well below $2\ln n$; beyond, the few largest scores take all the
# weight.) Sixteen times the keys: $\ln16=2.77$ *nats* more (the unit of an entropy with the natural
# logarithm). To undo it, scores have to be larger.

# %% [markdown] lang="zh"
# ## 6.7 YaRN：斜坡加温度
#
# 不管频率如何，键越多，注意力就摊得越平。平多少可以用权重的熵来量。得分为$x_j$时，
# 权重是$A_j=e^{x_j}/Z$，所以$\ln A_j=x_j-\ln Z$，可见熵等于$\ln Z$减去按权重平均的得分。
# 设$n$个键的得分服从均值为0、方差为$\sigma^2$的高斯分布（softmax不受常数影响，均值取0即可）。
# 设$x$是这样一个得分，则对任意数$u$有下面左式，两边对$u$求导得右式：
#
# $$\mathbb E\,e^{ux}=e^{u^2\sigma^2/2},\qquad\mathbb E\,xe^{ux}=u\sigma^2e^{u^2\sigma^2/2}.$$
#
# 取$u=1$，softmax的分母$Z$约为$n\,\mathbb E\,e^x=n\,e^{\sigma^2/2}$，
# 按权重平均的得分是$\mathbb E\,xe^x/\mathbb E\,e^x=\sigma^2$。两者相减：
#
# $$-\sum_jA_j\ln A_j=\ln\bigl(n\,e^{\sigma^2/2}\bigr)-\sigma^2=\ln n-\frac{\sigma^2}2.$$
#
# （$\sigma^2$要比$2\ln n$小得多，否则最大的几个得分就占了全部权重，公式不再适用。）键增加到16倍，
# 熵就多$\ln16=2.77$*奈特*（nat，取自然对数时熵的单位）。要把它拉回来，得分就得放大。

# %% [markdown] lang="en"
# YaRN (§3.4) divides the logits (the scores) by a temperature $t$ fitted on LLaMA models:
#
# $$\sqrt{1/t}=0.1\ln s+1,$$
#
# and multiplies q *and* k by $\sqrt{1/t}$. For $s=16$ that is 1.277 each, so scores grow by its
# square, 1.631. Code keeps only this root, the *attention factor* (Hugging Face's
# `attention_factor`; some texts call the root the temperature too). Take 64 rows of $n$ random
# scores with $\sigma=2$, multiply them by $c$, and measure the entropy in nats (the last $c$ comes
# from the formula further below):

# %% [markdown] lang="zh" slide="show"
# YaRN（§3.4）让logits（即得分）除以温度$t$，公式是在LLaMA模型上拟合出来的：
#
# $$\sqrt{1/t}=0.1\ln s+1,$$
#
# 做法是q*和*k各乘$\sqrt{1/t}$。$s=16$时各乘1.277，得分就乘上它的平方1.631。代码里只留这个平方根，
# 叫*注意力因子*（Hugging Face的`attention_factor`；有的文章把这个平方根也叫温度）。
# 取64行随机得分，每行$n$个，$\sigma=2$，乘以$c$，量一量熵（单位奈特；
# 最后一行的$c$由下文的公式算出）：

# %%
rng = torch.Generator().manual_seed(0)
normal = torch.randn(64, 16 * 2048, generator=rng)
for n, c in (
    (2048, 1.0),
    (16 * 2048, 1.0),
    (16 * 2048, yarn_temperature(16.0) ** 2),
    (16 * 2048, math.sqrt(1 + 2 * math.log(16) / 2**2)),  # the formula below
):
    weights = (2 * normal[:, :n] * c).softmax(-1)
    entropy = -(weights * weights.log()).sum(-1).mean()
    print(f"n = {n:5}, c = {c:.2f}: {entropy:.1f}")

# %% [markdown] lang="en"
# From 5.6 up to 8.4, as the formula says, and with YaRN's 1.63 back to 5.5. The formula itself
# asks for another factor: scores times $c$ have the variance $c^2\sigma^2$, so that the entropy
# stays if $\ln s=(c^2-1)\,\sigma^2/2$:
#
# $$c=\sqrt{1+\frac{2\ln s}{\sigma^2}}\approx1+\frac{\ln s}{\sigma^2}.$$
#
# For $\sigma=2$ and $s=16$ this is 1.54, a little too low (5.9 nats, the last line above), as the
# scores then have a variance of about 10, no longer small beside $2\ln n=21$. YaRN's factor on the
# scores is $(1+0.1\ln s)^2\approx1+0.2\ln s$. So **for $s$ near 1, YaRN's 0.1 amounts to
# $\sigma^2=5$**: seen this way, the fit found the spread of the scores.
#
# An older rule is *log-n scaling* (Su 2021; Chiang & Cholak 2022): multiply the scores by
# $\ln(sL)/\ln L=1+\ln s/\ln L$, that is $\sigma^2=\ln L$. Both hold for $s$ near 1. Drag $\sigma$
# to the spread that a rule assumes: for a larger $s$, is the rule's factor still right by the
# formula, or is it too large or too small?

# %% [markdown] lang="zh" slide="show"
# 键增加到16倍，熵从5.6升到8.4，与公式相符；得分再乘上YaRN的1.63，熵又回到5.5。
# 按公式，该补的倍数略有不同：得分乘以$c$，方差就成了$c^2\sigma^2$，要让熵不变，
# 须有$\ln s=(c^2-1)\,\sigma^2/2$：
#
# $$c=\sqrt{1+\frac{2\ln s}{\sigma^2}}\approx1+\frac{\ln s}{\sigma^2}.$$
#
# $\sigma=2$、$s=16$时是1.54，略微偏低（上面最后一行，熵仍有5.9奈特），因为乘完之后，方差约为10，
# 与$2\ln n=21$相比已不算小。
# YaRN在得分上乘的是$(1+0.1\ln s)^2\approx1+0.2\ln s$。
# 可见**当$s$接近1时，0.1就相当于$\sigma^2=5$**，这样看，拟合出来的就是得分的离散程度。
#
# 更早的一条规则是*log-n缩放*（苏剑林，2021；Chiang与Cholak，2022）：
# 得分乘$\ln(sL)/\ln L=1+\ln s/\ln L$，相当于$\sigma^2=\ln L$。两者都是就$s$接近1而言的。
# 把$\sigma$拖到一条规则所假定的值：$s$再大时，按公式看，它还正好吗？是补多了，还是补少了？


# %%
def sharpened(sigma=2.0, length=4096):
    s = torch.logspace(0, 6, 61, base=2.0)  # 1 to 64
    exact = (1 + 2 * s.log() / sigma**2).sqrt()
    needed = (1 + 2 * math.log(16) / sigma**2) ** 0.5
    return Curves(
        [
            Curve(s, exact, label.exact),
            Curve(s, (1 + 0.1 * s.log()) ** 2, "YaRN"),
            Curve(s, 1 + s.log() / math.log(length), label.log_n),
        ],
        **label.temperature(sigma=sigma, needed=needed),
        x_scale="log",
        y_limits=(0.95, 3),
    )


explore(sharpened, **label.sharpened, sigma=(1.5, 3.2, 0.1), length=[512, 4096, 32768])

# %% [markdown] lang="en"
# *Picture: the factor on the scores over the stretch s, on a logarithmic axis. Three curves rise:
# YaRN's bends up, log n is a straight line, the one by the formula moves with σ.*
#
# The formula's curve starts out along YaRN's at $\sigma=2.2$ and along log n at
# $\sigma=\sqrt{\ln L}$ (2.9 for 4096); further out both rules are too large by the formula.
# Measured on random scores, with $L=4096$ and $s=16$, only YaRN is too large: at $\sigma^2=5$ it
# multiplies by 1.63, where about 1.5 keeps the entropy. Log n, at $\sigma^2=\ln L$, multiplies by
# 1.33, where about 1.37 is needed; what is too low there is the formula's 1.29, as $\sigma^2=8.3$
# is no longer small beside $2\ln n$.
# Heads differ in σ, so one number for all is a compromise: a fit, not a law. Now write YaRN as the
# paper has it.

# %% [markdown] lang="zh" slide="show"
# *图：得分该乘的倍数随扩展倍数的变化，横轴取对数，三条曲线都上升。YaRN的向上弯，log n的是直线，
# 按公式算的那条随σ移动。*
#
# $\sigma=2.2$时，公式那条起初与YaRN那条重合；$\sigma=\sqrt{\ln L}$时（4096处为2.9），
# 起初与log n那条重合；倍数再大，按公式看，两条规则都补多了。用随机得分实测（$L=4096$、$s=16$），
# 真正补多的只有YaRN：$\sigma^2=5$时它乘1.63，而保持熵不变只要约1.5。
# $\sigma^2=\ln L$时，log n乘1.33，而要约1.37才够；偏低的是公式的1.29，
# 因为$\sigma^2=8.3$与$2\ln n$相比已不算小。
# 各个头的σ并不相同，所有头共用一个数只能是折中，它是拟合出来的，不是定律。现在按论文写出YaRN。


# %% exercise="yarn_scaling"
def yarn_scaling(dim, factor, trained_length, base=10000.0):
    """Return (frequencies (dim/2,), the number by which q and k are each multiplied)."""
    ### BEGIN SOLUTION
    omega = base ** (-torch.arange(0, dim, 2, dtype=torch.float64) / dim)  # (dim/2,)
    turns = trained_length * omega / (2 * math.pi)
    kept = ((turns - 1) / 31).clamp(0, 1)  # α = 1, β = 32
    return kept * omega + (1 - kept) * omega / factor, 0.1 * math.log(factor) + 1
    ### END SOLUTION


# %% check="yarn_scaling"
check("yarn_scaling", yarn_scaling)

# %% [markdown] lang="en"
# **Two ramps go by the name of YaRN.** The published code, and with it Hugging Face and the
# checkpoints, ramps over the *index* of the pair between the indices that turn 32 times and once,
# rounded outwards and clamped to $0\dots d-1$. The index is linear in the *logarithm* of the turns,
# so the middle differs. By how much?

# %% [markdown] lang="zh"
# **叫“YaRN”的斜坡其实有两种。** 公开的代码里，斜坡按通道对的*编号*线性变化，
# 两端是恰好转32圈和1圈的编号，向外取整，再限制在$0\dots d-1$之内；Hugging
# Face和各家的checkpoint（权重文件）用的都是它。而编号与圈数的*对数*成线性关系，
# 所以两种斜坡的中段不同。差多少？

# %%
code, paper = (yarn(128, 16.0, 4096, ramp=ramp)[0] for ramp in ("code", "paper"))
print(f"code / paper ≤ {(code / paper).max():.2f}")
print(f"|code / paper - 1| > 1%: {((code / paper - 1).abs() > 0.01).sum()} / 64")

# %% [markdown] lang="en"
# Up to three times, and 25 of the 64 pairs differ by more than 1%.
#
# A checkpoint fine-tuned with one ramp must be run with that one. "YaRN" in a config nearly always
# means the code's, so derive the ends of its ramp and write it too. (The frequencies are now fit
# for the long text. Whether the model *uses* what stands far back is another measurement: 6.13,
# chapter 9.)

# %% [markdown] lang="zh"
# 最多差到三倍，64对里有25对相差超过1%。
#
# 用哪种斜坡微调出来的checkpoint，就得用哪种来跑，而配置文件里写的“YaRN”
# 几乎总是代码那种，所以把这种斜坡的两端也推导出来，写一遍。
# （到这里，频率适合长文本了；远处的内容用没用上要另外测，见6.13节和第9章。）


# %% exercise="yarn_code_frequencies" way="everything"
def yarn_code_frequencies(dim, factor, trained_length, base=10000.0):
    """Return the frequencies of YaRN with a ramp over the index of the pair, shape (dim/2,)."""
    ### BEGIN SOLUTION
    i = torch.arange(dim // 2, dtype=torch.float64)
    omega = base ** (-2 * i / dim)  # (dim/2,)

    def index(turns):  # L ω / 2π = turns, solved for i
        return dim * math.log(trained_length / (2 * math.pi * turns)) / (2 * math.log(base))

    first, last = math.floor(index(32)), math.ceil(index(1))
    lost = ((i - first) / (last - first)).clamp(0, 1)
    return (1 - lost) * omega + lost * omega / factor
    ### END SOLUTION


# %% check="yarn_code_frequencies"
check("yarn_code_frequencies", yarn_code_frequencies)

# %% [markdown] lang="en" way="everything"
# ### A factor for each query
#
# YaRN's factor is one number for the whole text, the same for a query with ten keys before it and
# for one with ten thousand. But the entropy above depends on the keys that *this* query sees: with
# a causal mask, $n=p+1$ of them at position $p$. So log-n scaling may be done query by query:
#
# $$\max\Bigl(1,\frac{\ln n}{\ln L}\Bigr).$$
#
# Up to the trained length nothing changes; short texts do not pay. Write it.

# %% [markdown] lang="zh"
# ### 每个查询一个因子
#
# YaRN的因子对整段文本只有一个，前面有十个键的查询和前面有一万个键的查询，乘的是同一个数。
# 可上面的熵取决于*这个*查询看得到多少键，而有因果掩码时，位置$p$看得到$n=p+1$个。
# 所以log-n缩放可以逐个查询来做：
#
# $$\max\Bigl(1,\frac{\ln n}{\ln L}\Bigr).$$
#
# 训练长度以内什么都不变，短文本不受影响。请写出来。


# %% exercise="log_n_factors"
def log_n_factors(positions, trained_length):
    """Return the factor on the scores of the query at each position, shape (N,)."""
    ### BEGIN SOLUTION
    keys = positions + 1  # a query sees itself too
    return (keys.log() / math.log(trained_length)).clamp(min=1)
    ### END SOLUTION


# %% check="log_n_factors"
check("log_n_factors", log_n_factors)

# %% [markdown] lang="en"
# Llama 4's factor rises in steps, one every 8192 tokens:
# $1+0.1\ln\bigl(1+\lfloor(p+1)/8192\rfloor\bigr)$, on the queries of its layers without RoPE;
# Ministral 3 has $\lfloor p/16384\rfloor$ there, in every layer. By the formula above, a factor
# $1+\ln s/\sigma^2$ is right for one spread: log n for $\sigma^2=\ln L$, Llama 4's for
# $\sigma^2=10$. In the cell the scores are random. Each row gives their variance (10, 4, 1), the
# entropy with 8192 keys, then how much it rises with 16 times as many: without a rule ($c=1$), with
# log n and with Llama 4's. At 10 a rule should take away most of the growth. How much of it at
# 4, and at 1?

# %% [markdown] lang="zh"
# Llama 4的因子按级变化，每8192个词元升一级：$1+0.1\ln\bigl(1+\lfloor(p+1)/8192\rfloor\bigr)$，
# 乘在不带RoPE的那些层的查询上；Ministral 3取整的那一项是$\lfloor p/16384\rfloor$，每层都乘。
# 上面的公式说，$1+\ln s/\sigma^2$这样的因子只对一种离散程度正好：log n对应$\sigma^2=\ln L$，
# Llama 4的对应$\sigma^2=10$。下面取方差为10、4和1的随机得分，先列出8192个键时的熵，
# 再列出键增加到16倍时熵增长多少：不补（$c=1$），以及用两条规则各补一次。
# 方差为10时应当补得掉大部分，为4、为1时补得掉多少？

# %%
L, longer = 8192, 16 * 8192
last = torch.tensor([longer - 1])
rules = {
    "c = 1": 1.0,
    "log n": log_n_scale(last, L).item(),
    "Llama 4": llama4_scale(last, floor=L).item(),
}
rng = torch.Generator().manual_seed(0)
normal = torch.randn(32, longer, generator=rng)


def entropy(scores):
    logs = scores.log_softmax(-1)
    return -(logs.exp() * logs).sum(-1).mean().item()


for variance in (10.0, 4.0, 1.0):
    scores = variance**0.5 * normal
    before = entropy(scores[:, :L])
    more = [f"{rule}: {entropy(scores * c) - before:+.1f}" for rule, c in rules.items()]
    print(f"σ² = {variance:4}: {before:.1f};", ", ".join(more))

# %% [markdown] lang="en"
# Both rules take away most of the growth at 10, half of it at 4 and little more than a tenth at 1,
# where little depends on the scores. (Here $\ln L=9$, so the two agree.) At 4 and 1 the formula
# says the same; at 10, no longer well below $2\ln n=18$, it would give $-0.8$ for log n. A rule
# suits the heads whose spread it assumes; whether those are the heads that matter has to be
# measured in the model.

# %% [markdown] lang="zh"
# 方差为10时，两条规则都补掉了增长的大部分；为4时补掉一半；为1时只补掉一成多，
# 这时得分本来就不起多少作用。（这里$\ln L=9$，所以两条规则差不多。）方差为4和1时，公式也这么说；
# 方差10与$2\ln n=18$相比已不算小，公式不再准，按它算log n应当是$-0.8$。
# 规则只适合离散程度与它的假设相符的头；真正起作用的头是不是这样，得在模型里测。

# %% [markdown] lang="en" way="everything"
# ## 6.8 Llama 3.1: bands of wavelengths
#
# Meta's code is written in wavelengths, not turns: pairs with waves shorter than $L/4$ keep their
# frequency, those with waves longer than $L$ get an eighth of it, and between the two it is
# blended, with $L=8192$ and base 500000. Write it, then compare with by-parts.

# %% [markdown] lang="zh" slide="show"
# ## 6.8 Llama 3.1：按波长划频段
#
# Meta的代码按波长写，不按圈数：波长短于$L/4$的对，频率不变；长于$L$的，频率除以8；中间的两者混合。
# 其中$L=8192$，base为500000。先写出来，再和NTK-by-parts比一比。


# %% exercise="llama3_bands"
def llama3_bands(omega, factor=8.0, low=1.0, high=4.0, trained_length=8192):
    """Return the frequencies of Llama 3.1, shape (D/2,)."""
    ### BEGIN SOLUTION
    wavelength = 2 * math.pi / omega  # tokens
    kept = (trained_length / wavelength - low) / (high - low)
    blended = (1 - kept) * omega / factor + kept * omega
    slow = torch.where(wavelength > trained_length / low, omega / factor, blended)
    return torch.where(wavelength < trained_length / high, omega, slow)
    ### END SOLUTION


# %% check="llama3_bands"
check("llama3_bands", llama3_bands)

# %% [markdown] lang="en"
# The wavelength $\lambda<L/4$ is $r=L/\lambda>4$, and $\lambda>L$ is $r<1$. So this is by-parts
# with $\alpha=1$, $\beta=4$ and no temperature. Compare with Meta's bands, written out:

# %% [markdown] lang="zh"
# 波长$\lambda<L/4$就是$r=L/\lambda>4$，$\lambda>L$就是$r<1$。所以它就是$\alpha=1$、$\beta=4$、
# 不带温度的NTK-by-parts。把Meta的规则逐段写出来，比一比：

# %%
bands = []
for w in frequencies(128, base=500000.0).tolist():
    wavelength = 2 * math.pi / w
    smooth = (8192 / wavelength - 1) / 3
    blend = (1 - smooth) * w / 8 + smooth * w
    bands.append(w if wavelength < 8192 / 4 else w / 8 if wavelength > 8192 else blend)
parts, _ = ntk_by_parts(128, 8.0, 8192, base=500000.0, alpha=1.0, beta=4.0)
print("bands = parts:", torch.allclose(torch.tensor(bands).double(), parts))
print("attention_factor:", llama3(128)[1])

# %% [markdown] lang="en" way="everything"
# ## 6.9 Search, clip, group: LongRoPE, ReRoPE, Self-Extend
#
# Ding et al. (2024) let an evolutionary search find a divisor $\lambda_i$ for each pair (their
# letter, not a wavelength), $\omega_i'=\omega_i/\lambda_i$, and leave the first $\hat n$ tokens as
# they were. Checkpoints (Phi-3) carry two lists, `short` up to the trained length and `long`
# beyond; the published code has no $\hat n$, but a step of its own (`_calc_mscale_su`): q and k are
# each multiplied by
#
# $$\sqrt{1+\frac{\ln s}{\ln L}}.$$
#
# Squared in the scores, this is $1+\ln s/\ln L=\log_L(sL)$: the log-n scaling of 6.7. The cell's
# lists are made up; real ones come with the weights.

# %% [markdown] lang="zh"
# ## 6.9 搜索、截断、分组：LongRoPE、ReRoPE、Self-Extend
#
# Ding等（2024）用进化搜索为每一对找一个除数$\lambda_i$（沿用论文的字母，不是波长），
# $\omega_i'=\omega_i/\lambda_i$，并让最前面$\hat n$个词元保持原样。Phi-3的checkpoint带着两张表，
# 训练长度以内用`short`，超过就用`long`；公开的代码里没有$\hat n$，却另有一步（`_calc_mscale_su`）：
# q和k各乘
#
# $$\sqrt{1+\frac{\ln s}{\ln L}}.$$
#
# 到得分里成了平方，就是$1+\ln s/\ln L=\log_L(sL)$，正是6.7节的log-n缩放。
# 下面的两张表是编的，真正的表随权重发布。

# %%
lists = {"short": [1.0] * 4, "long": [1.0, 1.5, 20.0, 32.0]}  # made up
for length in (4096, 4097):
    scaled, root = longrope(8, length, 4096, factor=32.0, **lists)
    print(f"l = {length}: ω / ω' = {(frequencies(8) / scaled).tolist()}; q, k × {root:.2f}")

# %% [markdown] lang="en"
# One token more, and three of the four frequencies jump: a cache of rotated keys is wrong from that
# token on. The 1.19 on q and k does not jump: it comes from `factor`, so short texts get it too.
# And the lists *divide*. Multiplying by them would make the slowest pair 32 times faster.

# %% [markdown] lang="zh"
# 只多一个词元，四个频率里就有三个跳变，从这个词元起，缓存里已旋转的键就全错了。
# q和k所乘的1.19却不跳变，因为它由`factor`算出，短文本也照乘。另外，表里的数是*除数*，误用来乘，
# 最低频的一对反而会快到原来的32倍。

# %% [markdown] lang="en" way="everything"
# ### ReRoPE: clip the distance instead
#
# All methods so far change the frequencies. Shaw *clips* (4.3): a distance beyond $w$ counts as
# $w$. With RoPE that leaves near keys as they are; for far ones, a query rotated as at
# position $w$ meets an un-rotated key:
#
# $$y_{ij}=\begin{cases}(R_iq_i)^\top(R_jk_j)&i-j<w\\(R_wq_i)^\top k_j&i-j\ge w\end{cases}$$
#
# No angle beyond that of distance $w$ ever occurs, and near keys keep their scores exactly. This is
# *ReRoPE* (Su 2023); it takes no training. First the formula with $w=16$, for distances from 39
# down to 0: near scores equal those without clipping, `plain`, and far ones all equal its score at
# distance 16, `plain[-17]`. Then the head of 6.1 with $w=256$:

# %% [markdown] lang="zh"
# ### ReRoPE：不改频率，截断距离
#
# 上面这些办法改的都是频率。还有一条路，就是Shaw的*截断*（4.3节）：超过$w$的距离一律算作$w$。
# 近处的键照用普通的RoPE；远处的键不旋转，与按位置$w$旋转的查询做点积：
#
# $$y_{ij}=\begin{cases}(R_iq_i)^\top(R_jk_j)&i-j<w\\(R_wq_i)^\top k_j&i-j\ge w\end{cases}$$
#
# 距离超过$w$才有的角度再也不会出现，近处的得分又分毫不变。这就是*ReRoPE*（苏剑林，2023），
# 不需要训练。先取$w=16$，在距离39到0上验证公式：近处的得分与不截断的`plain`相同，
# 远处的都等于它在距离16处的得分，即`plain[-17]`。再取$w=256$，用到6.1节的头上：


# %%
def clipped(q, k, window):
    """Return scores of q and k (L, D) with distances beyond the window clipped, (L, L)."""
    at, omega = torch.arange(len(q)), frequencies(q.shape[1])
    turned = [rotate(x[None, None], rope_angles(at, omega), layout="half")[0, 0] for x in (q, k)]
    by_window = rope_angles(torch.tensor([window]), omega).expand(len(q), -1)
    edge = rotate(q[None, None], by_window, layout="half")[0, 0]
    near = at[:, None] - at < window
    return torch.where(near, turned[0] @ turned[1].T, edge @ k.T)


rng = torch.Generator().manual_seed(0)
q, k = torch.randn(2, 1, 32, generator=rng, dtype=torch.float64).expand(2, 40, 32)
row = clipped(q, k, 16)[-1]  # one query and one key: the score of each distance 39 … 0
plain = clipped(q, k, 1000)[-1]  # nothing is clipped
print("i - j < 16, row = plain:     ", torch.allclose(row[-16:], plain[-16:]))
print("i - j ≥ 16, row = plain[-17]:", torch.allclose(row[:-16], plain[-17].expand(24)))
y = (waves(far, frequencies(HEAD)) @ learned)[far.clamp(max=256)]
print(f"y(40) = {y[40]:.2f}, max |y(k ≥ {TRAINED})| = {y[TRAINED:].abs().max():.2f}")

# %% [markdown] lang="en"
# Near is untouched and far is small. The price: beyond $w$ all distances look alike, two score
# matrices are computed in place of one, and keys are needed both rotated and not.

# %% [markdown] lang="zh"
# 近处分毫不动，远处也压住了。代价是超过$w$的距离不再区分，得分矩阵要算两份，
# 键也要备旋转过的和未旋转的两份。

# %% [markdown] lang="en" way="everything"
# ### Self-Extend: group what is far
#
# *Self-Extend* (Jin et al. 2024) keeps far keys apart, coarsely. Beyond the window, positions are
# divided by $G$ and rounded down, so that $G$ neighbours share one; and
# $w-\lfloor w/G\rfloor$ is added to the query's position, so that the grouped distances begin where
# the exact ones end. The relative position (key minus query) is then
#
# $$r_{ij}=\begin{cases}j-i&i-j<w\\
# \lfloor j/G\rfloor-\bigl(\lfloor i/G\rfloor+w-\lfloor w/G\rfloor\bigr)&i-j\ge w\end{cases}$$
#
# A model of trained length $L$ then reaches about $(L-w)\,G+w$ before an angle is new. $G=1$ is
# RoPE, one group for all is ReRoPE. Write these numbers as a table, one for each query and key.

# %% [markdown] lang="zh"
# ### Self-Extend：远处分组
#
# *Self-Extend*（Jin等，2024）对远处的键仍粗略区分。窗口之外，位置除以$G$再向下取整，
# 相邻的$G$个共用一个位置；查询的位置再加上$w-\lfloor w/G\rfloor$，
# 让分组后的距离正好接在精确距离之后。
# 于是，相对位置（键减查询）为
#
# $$r_{ij}=\begin{cases}j-i&i-j<w\\
# \lfloor j/G\rfloor-\bigl(\lfloor i/G\rfloor+w-\lfloor w/G\rfloor\bigr)&i-j\ge w\end{cases}$$
#
# 训练长度为$L$的模型，这样大约要读过$(L-w)\,G+w$个词元，才会遇到新角度。$G=1$就是RoPE，
# 全部归为一组就是ReRoPE。请把每个查询、每个键的这个数排成一张表。


# %% exercise="grouped_distances"
def grouped_distances(length, window, group):
    """Return key − query as Self-Extend rotates it, integers, shape (length, length)."""
    ### BEGIN SOLUTION
    p = torch.arange(length)
    near = p[None, :] - p[:, None]  # (L, L)
    moved = p // group + window - window // group  # of queries
    far = (p // group)[None, :] - moved[:, None]
    return torch.where(near > -window, near, far)
    ### END SOLUTION


# %% check="grouped_distances"
check("grouped_distances", grouped_distances)

# %% [markdown] lang="en"
# Now on the head of 6.1, trained up to 512, at eight times that. Left, the distance that the last
# query sees, against the true one; the dashed line is the trained length. Right, its score.
# With $w=128$, which is the smallest group size $G$ on offer that keeps the left curve below the
# line? Calculate, then choose. And what happens to the score where the line is crossed?

# %% [markdown] lang="zh" slide="show"
# 用到6.1节那个训练到512的头上，文本是训练时的八倍。
# 左图是最后一个查询看到的距离随真实距离的变化，虚线是训练长度；右图是它的得分。
# $w=128$时，每组个数$G$可选的几档里，最小要取哪一档，左图的曲线才不越过虚线？先算，再拨过去看。
# 一旦越线，那里的得分会怎样？


# %%
def grouped(window=128, group=8):
    last, keys = torch.tensor([8 * TRAINED - 1]), torch.arange(8 * TRAINED)
    seen = -self_extend_relative(last, keys, window=window, group=group)[0]
    true = last - keys
    score = waves(seen, frequencies(HEAD)) @ learned
    lines = [Curve(true, seen, label.seen_distance), Curve(true, 0 * true + TRAINED, label.length)]
    return (
        Curves(lines, **label.distances(largest=seen.max().item()), y_limits=(0, 1200)),
        Curves(
            Curve(true, score, label.score),
            **label.grouped_head(wildest=score[:-window].abs().max().item()),
            y_limits=(-2, 2.5),
        ),
    )


explore(grouped, **label.grouped, window=(16, 512, 16), group=[1, 4, 8, 16, 64, 4096])

# %% [markdown] lang="en"
# *Picture: left, the distance seen rises with the true one up to the window and more slowly from
# there, in steps; dashed, the trained length. Right, the score over the true distance, from 1 on.*
#
# With $G=8$, $(L-w)\,G+w=3200$ is less than the 4096 of this text: the largest distance seen is
# 623, beyond the 512 of the training, and the score comes back up far out. The next size, $G=16$,
# is enough: the largest distance seen is 375, and far scores stay near 0. With 4096 tokens in a
# group the left curve is flat beyond the window: ReRoPE. Dual Chunk Attention (Qwen2's long
# versions) follows the same idea, with chunks in place of groups.

# %% [markdown] lang="zh"
# *图：左图的实线在窗口以内随真实距离上升，之后成阶梯状，升得更慢；虚线水平，是训练长度。
# 右图是得分随真实距离的变化，从1开始。*
#
# $G=8$时$(L-w)\,G+w=3200$，不到这段文本的4096：看到的最大距离是623，超过训练时的512，
# 得分在远处又冒了上来。再大一档，$G=16$就够了，看到的最大距离是375，远处的得分都接近0。
# 4096个词元一组时，左边的曲线过了窗口就是平的，也就是ReRoPE。DCA（Dual Chunk
# Attention，用于Qwen2的长文本版）是同样的思路，只不过按块而不是按组。

# %% [markdown] lang="en" way="everything"
# ## 6.10 All of them in one picture
#
# How much is each wave slowed, $\omega_i/\omega_i'$? Fast pairs at the left, slow ones at the
# right; "NTK, f = 2" is the dynamic kind with HF's factor 2. Predict the shape of each curve before
# you look; then drag. Which curves move with the trained length, which do not?

# %% [markdown] lang="zh" slide="show"
# ## 6.10 一张图看全部
#
# 每个波被放慢了多少，也就是$\omega_i/\omega_i'$有多大？高频对在左，低频对在右；
# “NTK, f = 2”是HF factor为2的动态版。
# 先预测每条曲线的形状再看图，然后拖动：哪些曲线随训练长度移动，哪些不动？


# %%
def scaled_ways(length, s, base):  # pairs of new frequencies and attention factor
    made_up = [s ** (2 * i / 126) ** 2 for i in range(64)]  # LongRoPE's come from a search
    long = {"short": made_up, "long": made_up, "factor": s}
    return {
        "PI": position_interpolation(128, s, base=base),
        "NTK": ntk_aware(128, s, base=base),
        "NTK, f = 2": dynamic_ntk(128, round(s * length), length, factor=2.0, base=base),
        "NTK-by-parts": ntk_by_parts(128, s, length, base=base),
        "YaRN": yarn(128, s, length, base=base),
        "Llama 3.1": llama3(128, factor=s, trained_length=length, base=base),
        "LongRoPE": longrope(128, length, length, base=base, **long),
    }


# %% tags=["predict"]
def compared(length=2048, factor=16, base=10000.0):
    omega, scaled = frequencies(128, base=base), scaled_ways(length, float(factor), base)
    return Curves(
        [Curve(2 * math.pi / omega, omega / new, name) for name, (new, _) in scaled.items()],
        **label.slowed(length=length, factor=factor),
        x_limits=(6, 3e6),
        y_limits=(0.8, 80),
        x_scale="log",
        y_scale="log",
        markers=True,
        vlines=[length / 32, length],
    )


explore(
    compared, **label.compared, length=(512, 8192, 512), factor=(1, 32), base=[10000.0, 500000.0]
)

# %% [markdown] lang="en"
# *Picture: the factor by which each wave is slowed against its wavelength, both axes logarithmic;
# dashed lines at $L/32$ and $L$.*
#
# PI is flat at $s$. NTK is a straight line from 1 to $s$ ("NTK, f = 2" ends at $2s-1$). The
# by-parts methods stay at 1 on the left and reach $s$ near the right line: they alone move with
# $L$. YaRN's code rises more slowly at first than the paper's ramp ("NTK-by-parts"); Llama 3.1 is
# the last to rise, and the steepest; LongRoPE's divisors are made up.

# %% [markdown] lang="zh"
# *图：每个波放慢的倍数与波长的关系，两个轴都是对数刻度；
# 虚线在$L/32$和$L$处。*
#
# PI是高度为$s$的水平线。NTK是从1到$s$的直线（“NTK, f = 2”的终点是$2s-1$）。
# NTK-by-parts一类在左边为1，在右边虚线附近升到$s$，
# 随$L$移动的只有它们。YaRN那条（代码的斜坡）起初比论文的斜坡（图中NTK-by-parts）升得慢；Llama
# 3.1起步最晚，也最陡；LongRoPE那条用的除数是编的。

# %% [markdown] lang="en"
# Now hand the new frequencies to both heads, with nothing relearned and without YaRN's attention
# factor. Which method keeps far scores small, which leaves the neighbours alone? Then drag `decay`,
# the 40 in the target $e^{-k/40}$ of 6.1's head: does the ranking stay? In numbers, below the
# figure, for $s=8$: the score at 40; the largest $|y(k)|$ from 3072 on for a head taught with
# `decay` 40, 80 or 160 (stretched by 8, 3072 looks as 384 did, which was far for all three: their
# targets there are below 0.1); and the $k$ at which the head for the previous token looks. The row
# `6.2` applies the rule of 6.2: all pairs with fewer than two turns are slowed to $1/s$.

# %% [markdown] lang="zh" slide="show"
# 现在把新频率交给两个头，什么都不重新学，也不乘YaRN的注意力因子。哪种方法压得住远处，
# 哪种不伤近处？再拖动`decay`，即6.1节那个头的目标$e^{-k/40}$里的40，名次会不会变？
# 图下面是$s=8$时的数字：距离40处的得分；`decay`为40、80、160时，从3072起$|y(k)|$的最大值
# （拉宽到8倍，3072处成了原来的384处，三个目标在那里都不到0.1，都算远处）；
# “看前一个词元”的头在哪个$k$处得分最高。
# `6.2`那一行是6.2节的做法：不到两圈的对全都放慢到$1/s$。


# %%
def scalings(factor):
    s, plain = float(factor), frequencies(HEAD)
    return {
        "RoPE": plain,
        "PI": position_interpolation(HEAD, s)[0],
        "NTK-aware": ntk_aware(HEAD, s)[0],
        "NTK-by-parts": ntk_by_parts(HEAD, s, TRAINED)[0],
        "YaRN": yarn(HEAD, s, TRAINED)[0],
        "Llama 3.1": llama3(HEAD, factor=s, trained_length=TRAINED, base=10000.0)[0],
        "6.2": torch.where(TRAINED * plain < 2 * 2 * math.pi, plain / s, plain),
    }


# %%
def head(method="NTK-by-parts", factor=8, decay=40):
    k = torch.arange(0, 8 * TRAINED, 2)
    score = waves(k, scalings(factor)[method]) @ taught(decay)
    return Curves(
        [
            Curve(k, score, label.score),
            Curve(k, torch.exp(-k.double() / decay), label.goal),
        ],
        **label.scaled_head(method=label.scaling_names[method], factor=factor),
        x_limits=(0, 8 * TRAINED),
        y_limits=(-2.5, 2.5),
        vlines=[TRAINED],
    )


explore(head, **label.head, method=label.scalings, factor=(1, 32), decay=(20, 200, 10))

# %% [markdown] lang="en"
# *Picture: the score of the head against distance, with its target.*

# %% [markdown] lang="zh"
# *图：这个头的得分随距离的变化，以及它当初要拟合的目标。*

# %% tags=["predict"]
heads = {decay: taught(decay) for decay in (40, 80, 160)}
print("              y(40)  decay 40       80      160   argmax previous")
for name, used in scalings(8).items():
    scores = waves(far, used)
    beyond = [f"{(scores @ head)[3072:].abs().max():8.2f}" for head in heads.values()]
    print(f"{name:12} {(scores @ learned)[40]:6.2f}", *beyond, f"{previous(used).argmax():17}")

# %% [markdown] lang="en"
# Close by, only interpolation breaks the head for the previous token; but 40 tokens back no scaling
# keeps the 0.37: NTK comes closest with 0.73, the step of 6.2 is furthest off with 1.04. Far away,
# **the sizes depend on the head, the ranking hardly does**. From `decay` 40 to 160 plain RoPE goes
# from 2.02 down to 0.48; but each time interpolation is the smallest, then come `6.2`, by parts and
# Llama 3.1, then YaRN, and NTK and plain RoPE are the largest. Plain RoPE and NTK meet new angles
# there (6.2, 6.4); by parts and its kin do not, but they slow the waves by different factors, and
# what cancelled no longer does. This ranks far scores, not methods: interpolation leads and has
# just broken the neighbours. Without training, no row is right both near and far.
#
# The table in 6.4 shows how some of them do in a trained model. One number ("works to 32K") is not
# enough: report the cost nearby as well.

# %% [markdown] lang="zh"
# 先看近处。“看前一个词元”的头只被位置插值弄坏了；可是在距离40处，没有哪种缩放保住了
# 原来的0.37，最接近的NTK是0.73，
# 最远的是6.2节里以两圈为界的1.04。再看远处，**数值随头而变，名次却几乎不变**：`decay`从40到160，
# 普通RoPE从2.02降到0.48；但每次都是位置插值最小，往上依次是`6.2`、NTK-by-parts和Llama 3.1、
# YaRN，最大的是NTK和普通RoPE。普通RoPE和NTK遇到了新角度（6.2、6.4节）；NTK-by-parts一类没有，
# 可是各个波放慢的倍数不同，原来互相抵消的就不再合拍。这里排的只是远处的得分，不是方法的好坏：
# 排第一的位置插值，近处刚刚坏掉。不重新训练，没有哪一行近处、远处都对。
#
# 用在训练过的模型上如何，6.4节的表列了其中几种。只报一个数（“可用到32K”）是不够的，
# 近处付了多少代价也要报。

# %% [markdown] lang="en" way="everything"
# ## 6.11 Bug clinic
#
# **Case 1.** "YaRN multiplies the logits by $0.1\ln s+1$." Symptom: with a published checkpoint the
# attention is flatter than in the original code.

# %% [markdown] lang="zh" slide="code"
# ## 6.11 Bug诊所
#
# **病例一。** “YaRN让logits乘以$0.1\ln s+1$。”症状：用公开的checkpoint，注意力比原代码里的平。


# %%
def warm_scores(q, k, factor):
    return (q * (0.1 * math.log(factor) + 1)) @ k.mT / math.sqrt(q.shape[-1])


rng = torch.Generator().manual_seed(0)
q, k = torch.randn(2, 1, 1, 6, 16, generator=rng)  # (B, H, L, D)
growth = (warm_scores(q, k, 16.0) / warm_scores(q, k, 1.0)).mean()
print(f"warm_scores: × {growth:.3f}, 1/t = {yarn_temperature(16.0) ** 2:.3f}")


# %% exercise="mend_temperature" mends="warm_scores"
def mend_temperature(q, k, factor):
    """Return the scores of YaRN at stretch `factor`, shape (B, H, L, L)."""
    ### BEGIN SOLUTION
    root = 0.1 * math.log(factor) + 1  # √(1/t)
    return (q * root) @ (k * root).mT / math.sqrt(q.shape[-1])
    ### END SOLUTION


# %% check="mend_temperature"
check("mend_temperature", mend_temperature)

# %% [markdown] lang="en"
# **Case 2.** Dynamic NTK with an ordinary KV cache: each key is rotated once, when it is stored.
# Symptom: decoding token by token disagrees with one pass over the whole text, beyond $L$ only. For
# a text of 64 tokens, with trained length 64 and then 16, the cell prints the largest difference
# between the scores from decoding and those from one pass.

# %% [markdown] lang="zh"
# **病例二。** 动态NTK接在普通的KV缓存后面，每个键到来时旋转一次，之后不再动。症状：逐个词元解码，
# 与整段一次算完的结果不一致，而且只在超过$L$之后。下面的文本长64个词元，训练长度依次取64和16，
# 打印两种算法的得分最多相差多少。


# %%
def turn(x, position, length, trained_length):
    dim, stretch = x.shape[-1], max(1.0, length / trained_length)
    base = 10000.0 * stretch ** (dim / (dim - 2))  # dynamic NTK
    omega = base ** (-torch.arange(0, dim, 2, dtype=torch.float64) / dim)
    a, b = x.chunk(2)  # half-split
    c, s = (position * omega).cos(), (position * omega).sin()
    return torch.cat((a * c - b * s, a * s + b * c))


def stale_scores(query, keys, trained_length):
    n, dim = keys.shape
    cache = [turn(keys[j], j, j + 1, trained_length) for j in range(n)]  # as each key came
    return torch.stack(cache) @ turn(query, n - 1, n, trained_length) / math.sqrt(dim)


rng = torch.Generator().manual_seed(0)
keys = torch.randn(64, 16, generator=rng, dtype=torch.float64)
query = torch.randn(16, generator=rng, dtype=torch.float64)  # the newest, at 63
for trained in (64, 16):
    now = rope_angles(torch.arange(64), dynamic_ntk(16, length=64, trained_length=trained)[0])
    both = torch.stack((keys, query.expand(64, 16)))[None]
    turned, asking = rotate(both, now, layout="half")[0]  # in one pass
    gap = (stale_scores(query, keys, trained) - turned @ asking[-1] / 4).abs().max()
    print(f"l = 64, L = {trained}: max |Δ| = {gap:.2f}")


# %% exercise="mend_dynamic_cache" mends="stale_scores"
def mend_dynamic_cache(query, keys, trained_length):
    """Return the scores of the newest query with all n keys under dynamic NTK, shape (n,)."""
    ### BEGIN SOLUTION
    length, dim = keys.shape
    base = 10000.0 * max(1.0, length / trained_length) ** (dim / (dim - 2))
    omega = base ** (-torch.arange(0, dim, 2, dtype=torch.float64) / dim)  # (D/2,)
    r = torch.arange(length) - (length - 1)  # key - query
    c, s = (r[:, None] * omega).cos(), (r[:, None] * omega).sin()  # (n, D/2)
    a, b = keys[:, : dim // 2], keys[:, dim // 2 :]
    turned = torch.cat((a * c - b * s, a * s + b * c), dim=1)
    return turned @ query / math.sqrt(dim)
    ### END SOLUTION


# %% check="mend_dynamic_cache"
check("mend_dynamic_cache", mend_dynamic_cache)

# %% [markdown] lang="en"
# The price: the cache holds un-rotated keys, and all of them are rotated at every step. (Even then,
# from the second layer on, keys *and* values of earlier tokens come from hidden states computed
# under older frequencies: decoding and one full pass agree exactly only up to $L$.) A fixed factor
# has none of these troubles.

# %% [markdown] lang="zh"
# 治好的代价是：缓存里只能放没旋转的键，每一步都得把它们全部旋转一遍。（即便如此，从第二层起，
# 早先词元的键*和*值都来自旧频率下算出的隐藏状态，所以逐步解码与整段一次算完只在$L$以内严格一致。）
# 固定的factor就没有这些麻烦。

# %% [markdown] lang="en" way="everything"
# ## 6.12 What is not true
#
# **"Trained for 64K, it will do at 128K."** YaRN's repository (`data/proofpile-long-small.csv`)
# lists the perplexity of Llama 2 7B models on Proof-pile. Here are three, tuned with YaRN for 128K,
# with YaRN for 64K and with PI for 32K, at 65536, 98304 and 120832 tokens:

# %% [markdown] lang="zh" slide="show"
# ## 6.12 哪些说法不对
#
# **“训练到64K，128K也凑合。”** YaRN的仓库（`data/proofpile-long-small.csv`）列出了几个Llama 2
# 7B模型在Proof-pile上的困惑度。这里取三个，分别用YaRN微调到128K、用YaRN微调到64K、用PI微调到32K，
# 三列是65536、98304、120832个词元时的：

# %%
published = {
    "YaRN 128K": (2.453, 2.364, 2.362),
    "YaRN 64K": (2.422, 15.511, 50.835),
    "PI 32K": (187.653, 1920.874, 7038.256),
}
for name, perplexity in published.items():
    print(f"{name:9}:", *(f"{x:9.2f}" for x in perplexity))

# %% [markdown] lang="en"
# The 128K model stays level. At 98304 the perplexity of the 64K model is six times what it was at
# 65536, at 120832 twenty-one times; the 32K one is lost already at 65536.

# %% [markdown] lang="zh"
# 128K的模型始终平稳。64K的模型，困惑度到98304就升到65536处的六倍，到120832升到二十一倍；
# 32K的那个在65536处已经不能用了。

# %% [markdown] lang="en"
# **"Interpolation only slows the clocks: near words are as clear as before."** A small model was
# trained with RoPE, eight pairs a head, on windows of 128 bytes (chapter 14 takes it apart). Here
# it reads 512, with its frequencies scaled for a stretch of 4 and no further training. The cell
# prints by how much the *four fastest* pairs are slowed, then, after the colon, the loss of the
# first 128 bytes, of the next 128, and of the last 256. Without scaling the loss of the first 128
# bytes is 1.70: which scalings nearly keep it?

# %% [markdown] lang="zh"
# **“插值只是让钟走慢些，近处的词照样分得清。”** 有个用RoPE的小模型，训练时每段128个字节，每个头八对
# （第14章会把它拆开看）。这里让它读512个字节，按扩展倍数4缩放，不再训练。
# 每行先列出*频率最高的四对*各放慢了多少，冒号之后是前128个字节、接着128个、最后256个的损失。
# 不缩放时，前128个字节的损失是1.70，哪些缩放能大致保持住它？

# %% tags=["predict"]
stretched = {
    "RoPE": (frequencies(16), 1.0),
    "PI": position_interpolation(16, 4.0),
    "NTK-by-parts": ntk_by_parts(16, 4.0, 128),
    "NTK": ntk_aware(16, 4.0),
    "YaRN": yarn(16, 4.0, 128),
}
reader, pages = glass("text", "rope"), text_part("test").unfold(0, 513, 513)[:8]
for name, (used, factor) in stretched.items():
    with torch.no_grad():
        logits = with_encoding(reader, RotaryEncoding(used, factor))(pages[:, :-1])
    each = F.cross_entropy(logits.mT, pages[:, 1:], reduction="none").mean(0)
    parts, slowed = (each[:128], each[128:256], each[256:]), (frequencies(16) / used)[:4]
    divided = " ".join(f"÷{divisor:.2f}" for divisor in slowed)
    print(f"{name:12} {divided}:", *(f"{part.mean():.2f}" for part in parts))

# %% [markdown] lang="en"
# Slowing the fast pairs blurs the nearest bytes, and those carry most of the prediction: PI divides
# all by 4, and the loss nearly doubles. By parts slows even the fastest (in 128 bytes that pair
# turned only 20 times, fewer than $\beta=32$), and the second by 2.62. YaRN's ramp would begin at
# the index $-0.39$, rounded down to $-1$; the code clamps it to 0, which spares the fastest, and
# the second is slowed by 1.33 only. NTK spares the fastest by design.
# Yet NTK alone nearly keeps the loss of the first 128 bytes (1.74; YaRN has 1.82): sparing the
# fastest is not enough. The gap comes from the next three pairs, above all the fourth. We measured
# it. Give YaRN NTK's frequency for the fourth pair, and its loss on the first 128 bytes is 1.78;
# for the second to the fourth, 1.74. The price is in the last column: 1.98 becomes 2.36 and 2.45.
# (There, as printed, NTK and YaRN gain much without training; PI is worse than no scaling.)
#
# Heads of published models have more pairs and were trained on longer texts: at 2048 the fastest
# pair turned 326 times, so by parts leaves it alone. **Before you scale, count the turns.**

# %% [markdown] lang="zh"
# 放慢高频对，近处的字节就分不清了，而读文本主要靠的就是近处：PI把所有对都除以4，损失几乎翻倍。
# NTK-by-parts连最高频的一对也放慢，因为128个字节之内它只转了20圈，不到$\beta=32$；
# 第二对更是除以2.62。YaRN的斜坡本该从编号$-0.39$开始，向下取整成$-1$，代码再把它截到0，
# 于是最高频的一对不动，第二对也只除以1.33。NTK的设计本来就不动最高频的一对。
# 可前128个字节的损失大致保持住的只有NTK（1.74，YaRN是1.82），可见光是不动最高频的一对还不够。
# 两者之差出在接下来的三对，尤其是第四对。另外测过：把YaRN的第四对换成NTK的，
# 前128个字节的损失降到1.78，第二到第四对都换，降到1.74；代价是最后一列从1.98升到2.36和2.45。
# 再看上面打印的最后一列：NTK和YaRN不训练也好了许多，PI反倒不如不缩放。
#
# 公开的大模型每个头的对更多，训练长度也更长：到2048时最高频的一对转了326圈，
# NTK-by-parts不会动它。**缩放之前，先数一数转了几圈。**

# %% [markdown] lang="en" way="everything"
# ## 6.13 Case study: a ChatGLM-like model, from 2K to 32K
#
# ChatGLM-6B's trained length is 2048, so $s=16$. Its heads have 128 channels, and *two* position
# streams turn one half each: the place in the text, and the place within the span being written
# (10.7). The $d$ of NTK's base is the number of channels that turn together (6.4), here 64. **A
# trap:** if you take the 128 of the whole head, what is the slowest pair divided by, in place
# of 16?

# %% [markdown] lang="zh" slide="show"
# ## 6.13 案例：一个类似ChatGLM的模型，从2K到32K
#
# ChatGLM-6B的训练长度是2048个词元，所以$s=16$。它的头有128个通道，由*两串*位置各转一半，
# 一串是文本中的位置，另一串是正在生成的片段内部的位置（10.7节）。
# 算NTK的base时，$d$是一起旋转的通道数（6.4节），这里是64。**一个陷阱：**
# 误取整个头的128，最低频的一对本该除以16，这时除以多少？

# %%
TRAINED_LENGTH, LONG = 2048, 32768
s = LONG / TRAINED_LENGTH
plain = frequencies(64)
for d in (64, 128):
    base = 10000.0 * s ** (d / (d - 2))
    divided = (plain / frequencies(64, base=base))[-1]
    print(f"d = {d:3}: b' = {base:.0f}, ω_31 / ω_31' = {divided:.2f}")

# %% [markdown] lang="en"
# By 15.31 only: at the end of 32K the slowest pair, too, goes past its largest trained angle. (With
# 64, it alone of the 11 pairs with less than a turn stays within its trained angles: 6.4.)
#
# Each half is a small head of its own; the $d$ of the formula belongs to it, not to the whole head.
# The same goes for partial rotation.
#
# **What to set:**
#
# 1. The method. With fine-tuning: YaRN or by-parts, $s=16$ fixed. Without: static YaRN or dynamic
#    NTK as a stopgap (for dynamic NTK, cache keys before the rotation).
# 2. The trained length: 2048, at which the model was *trained*, not what the config now allows.
# 3. Both streams? The second counts the generated tokens; it needs scaling once an answer may
#    exceed 2048.
# 4. For YaRN its attention factor, on both q and k. For every method, angles in float32.

# %% [markdown] lang="zh"
# 只除以15.31，到32K末尾，连最低频的一对也会转到没见过的角度
# （取64时，没转满一圈的11对里，只有它不越过，见6.4节）。
#
# 每一半都是自成一体的小头，公式里的$d$是它的通道数，不是整个头的；部分旋转也一样。
#
# **要设置的：**
#
# 1. 方法。能微调，就用YaRN或NTK-by-parts，固定$s=16$。不能微调，就用静态YaRN或动态NTK先顶着；
#    用动态NTK时，键要在旋转之前缓存。
# 2. 训练长度填2048，即模型*训练*时的长度，不是配置文件里现在允许的长度。
# 3. 两串都要改吗？第二串数的是生成的词元，回答有可能超过2048时才需要缩放。
# 4. 用YaRN，q和k各乘注意力因子；不论哪种方法，角度都用float32。

# %% [markdown] lang="en"
# Why float32? Count the positions that bfloat16 can tell apart. Then do the memory arithmetic
# behind a claim such as "32K for 8% more memory": the cell prints the cache of one sequence at both
# lengths (keys and values of 28 layers of width 4096, 2 bytes each), then the weights, 6.2 billion
# numbers of 2 bytes.

# %% [markdown] lang="zh"
# 为什么用float32？数一数bfloat16能区分多少个位置就知道了。再算一笔显存账，看“到32K只多占8%显存”
# 这类说法能不能成立：28层、宽4096的键和值，每个数2字节，一条序列；
# 再加权重，62亿个数，每个也是2字节。

# %%
distinct = torch.arange(LONG).bfloat16().unique().numel()
print(f"bfloat16: {LONG} → {distinct}")
for tokens in (TRAINED_LENGTH, LONG):
    cache = 2 * 28 * 4096 * 2 * tokens / 2**30  # keys and values
    print(f"l = {tokens:5}: {cache:5.2f} GiB")
weights = 6.2e9 * 2 / 2**30
print(f"weights: {weights:.1f} GiB")

# %% [markdown] lang="en"
# Of 32768 positions bfloat16 tells 1153 apart. Weights and cache together go from 12.4 to 25.5 GiB:
# more than double, for one user. **What to measure**, before and after, on the same texts:
#
# - Loss at 2K and below. Interpolation costs something there: how much?
# - Loss by position, on the *same* last tokens with 2K and with 32K of context before them. The
#   difference is what the context gives; a plain average mixes texts of different difficulty.
# - Retrieval ("needle in a haystack"; RULER is more thorough): a fact placed at ten depths of 4K,
#   8K, 16K, 32K. One depth proves nothing.
# - Decoding token by token against one pass: equal up to rounding with fixed frequencies, with
#   dynamic NTK only up to 2K (6.11).
# - Memory and time at 32K, for the number of users you have.

# %% [markdown] lang="zh"
# 32768个位置，bfloat16只区分得出1153个。权重加缓存，显存从12.4 GiB涨到25.5 GiB，翻了一倍还多，
# 而这只是一个用户。**要测的**，改动前后用同样的文本：
#
# - 2K以内的损失。插值在那里有代价，代价有多大？
# - 按位置的损失：*同样的*末尾词元，前面给2K或32K的上下文。两者之差才是上下文带来的；
#   直接取平均，会把难易不同的文本混在一起。
# - 检索（即“大海捞针”，更系统的有RULER）：把一条事实分别放在4K、8K、16K、32K文本的十个深度。
#   只测一个深度什么也证明不了。
# - 逐个词元解码与整段一次算完的结果：频率固定时，除舍入误差外应当相等；用动态NTK时，
#   只在2K以内如此（6.11节）。
# - 32K时的显存和耗时，按你实际的用户数测。

# %% [markdown] lang="en"
# **Which claims to distrust.** "Extended to 32K: accuracy up 37%, memory up 8%." The cell above
# contradicts the second half unless the cache is shrunk by other means. Ask of any such claim:
# which data, which length, which baseline, how many runs, fine-tuned on how many tokens, measured
# at every length or only at the best one?

# %% [markdown] lang="zh"
# **哪些说法要存疑。** 比如“扩展到32K，准确率提升37%，显存只增加8%”。除非另有办法压缩缓存，
# 后半句与上面的单元格矛盾。见到这类说法就问：什么数据？什么长度？和什么比？跑了几次？
# 用多少词元微调？是每个长度都测了，还是只挑了最好的？

# %% [markdown] lang="en"
# ### Think: a colleague's long context
#
# A colleague sets dynamic NTK on a 2K model, does not fine-tune, and shows you: perplexity on 32K
# texts is only a little higher than at 2K. "It reads 32K now." Which two measurements do you ask
# for, and what could explain the flat perplexity if they fail? Three or four sentences in the next
# cell.
#
# On your own: write your answer first, then check it with question 7 of the self-test at
# the end of this chapter.

# %% [markdown] lang="zh"
# ### 想一想：同事的长上下文
#
# 一位同事给2K的模型设了动态NTK，没有微调，拿给你看：32K文本的困惑度只比2K时略高。
# “现在它能读32K了。”你会要求补哪两项测量？如果这两项都没通过，困惑度却没有明显升高，又该怎么解释？
# 在下一个单元格里写三四句话。
#
# 自学的话，先写下自己的答案，再用本章末尾自测的第7题核对。

# %% [markdown] thinking="long_context_claim" points=3
# <div lang="en">
#
# **Model answer.** Ask for the loss of the same last tokens with 2K and with 32K of context in
# front, and for retrieval of a fact at many depths. If the first shows no gain and the second fails
# for early depths, the model predicts from the last page alone: most tokens can be predicted from
# near context, so that the average hardly notices. Also acceptable: compare decoding with one pass
# (stale rotated keys), or the loss by position.
#
# **Points.** 1 for a measurement that shows whether far context *helps* (same tokens, more
# context); 1 for one that tests far content directly (retrieval at several depths); 1 for the
# explanation that a flat average needs no far context.
#
# </div>
# <div lang="zh">
#
# **参考答案。** 要求测：同样的末尾词元，前面给2K和32K上下文时的损失；
# 以及把一条事实放在许多不同深度的检索。如果前者没有改善，后者在靠前的深度失败，
# 说明模型只靠最后一页在预测：大多数词元凭近处的上下文就能猜出来，平均值几乎察觉不到。
# 比较逐步解码与整段一次算完（能查出缓存里旋转过的键已经过期），或者按位置看损失，也可以算对。
#
# **评分。** 提出能说明远处上下文是否*有帮助*的测量（同样的词元、更多的上下文）得1分；
# 提出直接检验远处内容的测量（多个深度的检索）得1分；说明平均值平稳并不需要远处上下文得1分。
#
# </div>

# %% [markdown] lang="en" way="everything"
# ## 6.14 In real models
#
# | model | method | what to set |
# |---|---|---|
# | LLaMA with PI | `linear` | factor $s$, fine-tuned |
# | Code Llama | none: base 1000000, then continued training | the base (ABF, 6.4) |
# | YaRN's Llama 2, 64K and 128K | `yarn`, the code's ramp | $s=16$ or 32, $L=4096$, fine-tuned |
# | Qwen2.5, Qwen3 (April 2025) | `yarn`, if you set it | $s=4$, $L=32768$, **not** tuned for it |
# | Llama 3.1 | `llama3` | $s=8$, $L=8192$, bands 1 and 4, base 500000 |
# | Gemma 3 | `linear`, global layers only | $s=8$, base 1000000; window layers keep 10000 |
# | Phi-3, long versions | `longrope` | both lists, from the checkpoint |
# | DeepSeek-V3 | `yarn`, `mscale` = `mscale_all_dim` = 1 | $s=40$, $L=4096$; scores × 1.874 |
#
# The names are `rope_type` in Hugging Face transformers. Take all numbers from the checkpoint's own
# config: the frequencies are part of the trained model, though they are not weights. **Qwen**
# advises adding the scaling only when texts really exceed 32K: it is static, so short texts pay
# too. **DeepSeek** multiplies cosine and sine by the quotient of two attention factors, which is 1;
# the factor that acts, $(0.1\ln40+1)^2=1.874$, is in the softmax scale, because only 64 of its 192
# channels turn and cosine and sine would not reach the others. Port only the quotient, and it is
# lost.

# %% [markdown] lang="zh"
# ## 6.14 在真实模型中
#
# | 模型 | 方法 | 要设置的 |
# |---|---|---|
# | LLaMA加PI | `linear` | 倍数$s$，微调过 |
# | Code Llama | 不缩放，base改为1000000后继续训练 | base（ABF，6.4节） |
# | YaRN的Llama 2，64K和128K | `yarn`，代码的斜坡 | $s=16$或32，$L=4096$，微调过 |
# | Qwen2.5、首批Qwen3（2025年4月） | `yarn`，由用户开启 | $s=4$，$L=32768$，**没有**为此微调 |
# | Llama 3.1 | `llama3` | $s=8$，$L=8192$，频段边界1和4，base为500000 |
# | Gemma 3 | 仅全局层用`linear` | $s=8$，base为1000000；窗口层保持10000 |
# | Phi-3的长文本版 | `longrope` | 两张表，随权重发布 |
# | DeepSeek-V3 | `yarn`，`mscale`和`mscale_all_dim`都是1 | $s=40$，$L=4096$；得分乘1.874 |
#
# 方法名是Hugging Face transformers里的`rope_type`。所有数字都以checkpoint自带的config为准，
# 因为频率虽然不是权重，却是训练好的模型的一部分。**Qwen**建议只在文本真的超过32K时才开启，
# 因为它是静态的，开了之后短文本也会受影响。**DeepSeek**让余弦和正弦乘两个注意力因子之商，
# 而这个商是1；真正起作用的$(0.1\ln40+1)^2=1.874$乘在softmax的缩放里，因为192个通道只转64个，
# 靠余弦和正弦够不到其余通道。移植时只抄那个商，它就丢了。

# %% [markdown] lang="en" way="everything"
# ## 6.15 Take-away
#
# - Slow pairs, with less than one turn in training, meet new angles beyond $L$: RoPE fails there.
# - PI divides all frequencies by $s$: no new angle, but neighbours blur, and some fine-tuning is
#   needed.
# - NTK-aware: $b'=b\,s^{d/(d-2)}$, where $d$ counts the channels that turn: positions written in a
#   larger base. All slow pairs but the slowest still go past their trained angles.
# - Dynamic NTK takes $s$ from the present length, so cache keys un-rotated. HF's factor is not the
#   stretch here.
# - By parts: look at the turns $r=L/\lambda$. The code's ramp of YaRN is not the paper's. Llama 3.1
#   is by-parts (1, 4).
# - $s$ times the keys flatten attention by $\ln s$ nats. YaRN's factor on q and k, squared in the
#   scores, undoes it for one spread of the scores only.
# - Before training goes on, raise the base (ABF): far retrieval needs it, the fit does not.
# - ReRoPE clips the distance instead; Self-Extend groups the positions of what is far.
# - A flat perplexity does not show that far context is used.

# %% [markdown] lang="zh" slide="show"
# ## 6.15 本章要点
#
# - 低频对在训练中没转满一圈，超过$L$就遇到新角度，RoPE就坏在这里。
# - PI把所有频率一律除以$s$，没有新角度，但相邻词元更难分清，要稍加微调。
# - NTK-aware把base调大到$b'=b\,s^{d/(d-2)}$，其中$d$是一起旋转的通道数。
#   这等于换更大的进制来写位置；除最低频的一对外，没转满一圈的对仍会越出训练时的角度范围。
# - 动态NTK的$s$取自当前长度，所以要缓存没旋转的键。HF的factor在这里不是扩展倍数。
# - NTK-by-parts按圈数$r=L/\lambda$区别对待。YaRN代码的斜坡不是论文的。
#   Llama 3.1就是NTK-by-parts(1, 4)。
# - 键增加到$s$倍，注意力的熵增加$\ln s$奈特。YaRN给q和k各乘一个因子，到得分里成了平方，
#   只对一种离散程度补得正好。
# - 要继续训练，就先调大base（ABF）：需要它的是远处的检索，不是拟合。
# - ReRoPE不改频率，截断的是距离；Self-Extend把远处的位置分组。
# - 困惑度平稳，不说明用上了远处的上下文。

# %%
quiz("rope_scaling")

# %% [markdown] lang="en" way="everything"
# ## Further reading
#
# - S. Chen, S. Wong, L. Chen, Y. Tian: *Extending Context Window of Large Language Models via
#   Positional Interpolation*. 2023. [arXiv:2306.15595](https://arxiv.org/abs/2306.15595).
# - B. Peng, J. Quesnelle, H. Fan, E. Shippole: *YaRN: Efficient Context Window Extension of Large
#   Language Models*. ICLR 2024. [arXiv:2309.00071](https://arxiv.org/abs/2309.00071). §3 also
#   records NTK-aware (bloc97), dynamic NTK and by-parts.
# - Y. Ding et al.: *LongRoPE: Extending LLM Context Window Beyond 2 Million Tokens*. 2024.
#   [arXiv:2402.13753](https://arxiv.org/abs/2402.13753).
# - Su Jianlin, *Scientific Spaces* (in Chinese): [RoPE as digits](https://kexue.fm/archives/9675),
#   [ReRoPE](https://kexue.fm/archives/9708),
#   [how to choose the base](https://kexue.fm/archives/10122),
#   [log-n scaling](https://kexue.fm/archives/8823),
#   [a review of length extrapolation](https://kexue.fm/archives/9948).
# - X. Men, M. Xu, B. Wang, Q. Zhang, H. Lin, X. Han, W. Chen: *Base of RoPE Bounds Context Length*.
#   2024. [arXiv:2405.14591](https://arxiv.org/abs/2405.14591).
# - H. Jin, X. Han, J. Yang, Z. Jiang, Z. Liu, C.-Y. Chang, H. Chen, X. Hu: *LLM Maybe LongLM:
#   Self-Extend LLM Context Window Without Tuning*. ICML 2024.
#   [arXiv:2401.01325](https://arxiv.org/abs/2401.01325).
# - W. Xiong et al.: *Effective Long-Context Scaling of Foundation Models*. 2023.
#   [arXiv:2309.16039](https://arxiv.org/abs/2309.16039). ABF.
# - D. Chiang, P. Cholak: *Overcoming a Theoretical Limitation of Self-Attention*. ACL 2022.
#   [arXiv:2202.12172](https://arxiv.org/abs/2202.12172). Scores times the logarithm of the length.

# %% [markdown] lang="zh"
# ## 延伸阅读
#
# - S. Chen, S. Wong, L. Chen, Y. Tian：*Extending Context Window of Large Language Models via
#   Positional Interpolation*。2023。[arXiv:2306.15595](https://arxiv.org/abs/2306.15595)。
# - B. Peng, J. Quesnelle, H. Fan, E. Shippole：*YaRN: Efficient Context Window Extension of Large
#   Language Models*。ICLR 2024。[arXiv:2309.00071](https://arxiv.org/abs/2309.00071)。
#   §3也记录了NTK-aware（bloc97）、动态NTK和NTK-by-parts。
# - Y. Ding等：*LongRoPE: Extending LLM Context Window Beyond 2 Million Tokens*。2024。
#   [arXiv:2402.13753](https://arxiv.org/abs/2402.13753)。
# - 苏剑林《科学空间》：[RoPE是一种β进制编码](https://kexue.fm/archives/9675)、
#   [无限外推的ReRoPE？](https://kexue.fm/archives/9708)、
#   [RoPE的底数选择原则](https://kexue.fm/archives/10122)、
#   [从熵不变性看Attention的Scale操作](https://kexue.fm/archives/8823)、
#   [“复盘”长度外推技术](https://kexue.fm/archives/9948)。
# - X. Men, M. Xu, B. Wang, Q. Zhang, H. Lin, X. Han, W. Chen：*Base of RoPE Bounds Context
#   Length*。2024。[arXiv:2405.14591](https://arxiv.org/abs/2405.14591)。
# - H. Jin, X. Han, J. Yang, Z. Jiang, Z. Liu, C.-Y. Chang, H. Chen, X. Hu：*LLM Maybe LongLM:
#   Self-Extend LLM Context Window Without Tuning*。ICML 2024。
#   [arXiv:2401.01325](https://arxiv.org/abs/2401.01325)。
# - W. Xiong等：*Effective Long-Context Scaling of Foundation Models*。2023。
#   [arXiv:2309.16039](https://arxiv.org/abs/2309.16039)。ABF。
# - D. Chiang, P. Cholak：*Overcoming a Theoretical Limitation of Self-Attention*。ACL 2022。
#   [arXiv:2202.12172](https://arxiv.org/abs/2202.12172)。得分乘以长度的对数。
