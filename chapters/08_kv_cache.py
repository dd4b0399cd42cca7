# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
#   kernelspec: {display_name: Python 3, language: python, name: python3}
#   posenc:
#     title: {en: Decoding with a KV cache, zh: 带KV缓存的解码}
#     question:
#       en: "A model writes token by token: which position does each have, and where is it kept?"
#       zh: 模型一个词元一个词元地写：每个词元的位置是多少，又记在哪里？
# ---

# %% [markdown] lang="en" way="two_hours"
# # 8 · Decoding with a KV cache
#
# A model answers your question one token at a time, and each time it would have to read the whole
# conversation again. It does not: it has kept notes. But where in the text does each note belong,
# and what if pages are torn out?
#
# **The question.** A model writes one token at a time and keeps what it has computed. Which
# position does each new token have, where is that remembered, and what happens when it is not?
#
# **You will** write prefill and decode, count what a cache saves, write one decoding step for RoPE
# and for ALiBi, score compressed keys directly (DeepSeek's MLA), evict tokens and move the rest,
# mask a local layer, and fix a bug that raises no error.
#
# **You need** chapters 1 and 5; 2, 3, 4, 6 and 7 for sinusoids, the learned table, T5, dynamic NTK
# and ALiBi. About {minutes} minutes, 21 points, and 3 more for a question that a teacher grades.

# %% [markdown] lang="zh"
# # 8 · 带KV缓存的解码
#
# 模型回答你，是一个词元（token）一个词元写出来的，按理每写一个都得把整段对话重读一遍。
# 实际上它不用，因为它留了笔记。可笔记里的词各在什么位置，新写的这个又排第几？撕掉几页又会怎样？
#
# **本章的问题。** 模型一次写一个词元，并留下已经算过的东西。每个新词元的位置是多少？记在哪里？
# 没有记下又会怎样？
#
# **你将**写出预填充和解码，数一数缓存省了多少，为RoPE和ALiBi各写一步解码，
# 直接给压缩的键打分（DeepSeek的MLA），驱逐（evict，也说淘汰）一些词元并移动其余的，给局部层写掩码，
# 再修好一个运行时不报错的错误。
#
# **你需要**第1章和第5章；正弦编码、可学习的表、T5、动态NTK、ALiBi分别见第2、3、4、6、7章。
# 约{minutes}分钟，共21分，另有一道由教师评分的题，3分。

# %%
import math
import time

import torch
import torch.nn.functional as F
from torch.utils.flop_counter import FlopCounterMode

from autograde import answer, check, hint, progress, quiz
from bilingual.switch import language_switch
from posenc_glass import glass, text_part
from posenc_ref import (
    DecodingCache,
    LearnedPositionalEmbedding,
    T5Bias,
    alibi,
    alibi_slopes,
    append,
    attend,
    attention,
    cache_positions,
    causal_mask,
    dynamic_ntk,
    evict,
    frequencies,
    latent_attention,
    latent_attention_plain,
    next_positions,
    positions_from_documents,
    positions_from_mask,
    repeat_heads,
    rope_angles,
    rotate,
    shift_keys,
    sinusoidal,
    t5_bucket,
    window_mask,
)
from posenc_viz import Curve, Curves, Range, Timeline, explore, picture
from posenc_viz.labels import kv_cache as label

torch.set_num_threads(1)
language_switch()

# %% [markdown] lang="en" way="two_hours"
# ## 8.1 The same work again
#
# To write token 9 a model needs tokens 0 to 8; to write token 10, tokens 0 to 9. Run the whole
# layer each time: how many of its nine old output rows, one per token, change (after `+`: how many
# are new)? Why?

# %% [markdown] lang="zh" slide="show"
# ## 8.1 同样的活又干一遍
#
# 要写词元9，模型需要词元0到8；要写词元10，需要词元0到9。假如每次都把整层算一遍，
# 输出里旧的九行（每个词元一行）有几行会变（`+`后面是新添的行数）？为什么？

# %% tags=["predict"]
DIM, HEADS, D = 64, 4, 16
rng = torch.Generator().manual_seed(0)
words = torch.randn(1, 12, DIM, generator=rng, dtype=torch.float64)  # (B, L, d)
W = torch.randn(3, DIM, DIM, generator=rng, dtype=torch.float64) / math.sqrt(DIM)
omega = frequencies(D)  # (D/2,)


def project(x):
    """Return queries, keys and values, each (B, H, L, D)."""
    return [(x @ w).unflatten(-1, (HEADS, D)).transpose(1, 2) for w in W]


def turn(x, at):
    """RoPE: x (B, H, L, D) at positions (B, L)."""
    return rotate(x, rope_angles(at, omega), layout="half")


def whole(x):
    """One layer of causal attention over the whole text, (B, H, L, D)."""
    at, (q, k, v) = torch.arange(x.shape[1])[None], project(x)
    return F.scaled_dot_product_attention(turn(q, at), turn(k, at), v, is_causal=True)


before, after = whole(words[:, :9]), whole(words[:, :10])
change = (after[:, :, :9] - before).abs().amax((0, 1, 3))
print(f"before ≠ after: {(change > 1e-12).sum()}/9, +{after.shape[2] - 9}")

# %% [markdown] lang="en"
# None: one row is new, nine were wasted. The reason is the causal mask, which hides later keys from
# a query: row $i$ of a layer is a function of rows $0,\dots,i$ of the layer below. A new token
# leaves those rows of the input as they were, hence row $i$ of the first layer, of the second, and
# so on up: **old rows stay.**

# %% [markdown] lang="zh" slide="show"
# 一行也不变：只有一行是新的，九行都白算了。原因是因果掩码（causal mask）不让查询看到之后的键：
# 一层的第$i$行只取决于下面那层的第$0,\dots,i$行。追加词元时，只要那些行不变，
# 第$i$行就不变；而在输入处确实不变，于是**旧的各行层层不变**。

# %% [markdown] lang="en"
# The one new row is
#
# $$o_i=\sum_{j\le i}A_{ij}v_j,\qquad
# A_{i\,\cdot}=\mathrm{softmax}\Bigl(\tfrac{q_i^\top k_0}{\sqrt D},\dots,
# \tfrac{q_i^\top k_i}{\sqrt D}\Bigr).$$
#
# One query, $q_i$, but every key and every value so far (with RoPE, $q$ and $k$ are the rotated
# ones). Queries of old tokens appear nowhere, and **nothing of an old token ever changes**: not its
# keys, not its values, not its output. (As long as positions and frequencies stay: 8.5 changes the
# frequencies, 8.10 and 8.11 the positions.) So a *KV cache* keeps keys and values, layer by
# layer, and no queries. Without a causal mask (BERT) the outputs of all rows change with every
# token: beyond the first layer there is nothing to keep.

# %% [markdown] lang="zh" slide="show"
# 新的这一行是
#
# $$o_i=\sum_{j\le i}A_{ij}v_j,\qquad
# A_{i\,\cdot}=\mathrm{softmax}\Bigl(\tfrac{q_i^\top k_0}{\sqrt D},\dots,
# \tfrac{q_i^\top k_i}{\sqrt D}\Bigr).$$
#
# 它只要一个查询$q_i$，却要用到至今所有的键和值（用RoPE时，$q$和$k$指旋转过的），
# 旧词元的查询没有出现，而且**旧词元的一切都不再变化**，键、值、输出都如此。
# （前提是位置和频率不改；8.5节改频率，8.10、8.11节改位置。）
# 所以*KV缓存*（KV cache）逐层保存键和值，不保存查询。
# 没有因果掩码（如BERT）时，每来一个词元，所有行的输出都会变：除了第一层，别的层都没有可存的了。

# %% [markdown] lang="en" way="two_hours"
# ## 8.2 Prefill and decode
#
# *Prefill* reads the prompt: many tokens at once. *Decode* adds one token a step. Both are the same
# function: append the new keys and values, attend from the new queries. Only the mask needs care.

# %% [markdown] lang="zh" slide="show"
# ## 8.2 预填充与解码
#
# *预填充*（prefill）读入prompt（提示词），一次来很多词元；*解码*（decode）每步添一个词元。
# 两者其实是同一个函数：追加新的键和值，再用新的查询做注意力。要留心的只有掩码。


# %% exercise="append_attend" way="weekend"
def append_attend(q, k, v, old_k, old_v):
    """Return the output of the new tokens, and the keys and values of all tokens so far."""
    ### BEGIN SOLUTION
    keys, values = torch.cat((old_k, k), dim=2), torch.cat((old_v, v), dim=2)
    past, new = old_k.shape[2], k.shape[2]
    seen = torch.arange(past + new) <= past + torch.arange(new)[:, None]  # (new, past + new)
    scores = q @ keys.mT / math.sqrt(q.shape[3])
    return scores.masked_fill(~seen, -torch.inf).softmax(-1) @ values, keys, values
    ### END SOLUTION


# %% check="append_attend"
check("append_attend", append_attend)

# %% [markdown] lang="en"
# The course's cache remembers one thing more: the **position** of every column (one token's key
# and value). Models need it whether they add sinusoids, rotate queries and keys, or subtract a
# penalty. `append` stores it, `next_positions` reads it, `attend` masks by it (to read them, run
# `attend??` in a new cell). Here is a layer that decodes. Up to rounding, its result has to be that
# of one pass:

# %% [markdown] lang="zh" slide="show"
# 本课程的缓存还记下每一列（一个词元的键和值）的**位置**。加上正弦、旋转一个角度、
# 按距离扣分，都要用到它。`append`把它存下，`next_positions`读取它，
# `attend`按它来生成掩码（新建单元格运行`attend??`可看源码）。下面是一个会解码的层，
# 不计舍入，结果必须与一次算完相同：


# %%
def layer(x, at, cache=None):
    """Return the output of the new tokens x (B, L, d) at positions (B, L), and the cache."""
    q, k, v = project(x)
    cache = append(cache, turn(k, at), v, at)
    return attend(turn(q, at), at, cache), cache


def decode(x, prompt, step=layer):
    """Return the output for the text x: the prompt at once, then token by token."""
    out, cache = step(x[:, :prompt], torch.arange(prompt)[None])
    rows = [out]
    for t in range(prompt, x.shape[1]):
        out, cache = step(x[:, t : t + 1], next_positions(cache, batch=1), cache)
        rows.append(out)
    return torch.cat(rows, dim=2)


for prompt in (1, 5, 11):
    gap = (decode(words, prompt) - whole(words)).abs().max()
    print(f"prompt = {prompt:2}: max |Δ| < 1e-12: {gap < 1e-12}")

# %% [markdown] lang="en"
# This equality, *decoding = one pass*, is the test that every decoder should have. It finds most of
# the mistakes of this chapter. Section 8.12 shows which ones it does not find.

# %% [markdown] lang="zh"
# “*解码=一次算完*”这个等式，是每个解码器都该有的测试。本章的错误，大半靠它就能发现；哪些发现不了，
# 留到8.12节再讲。

# %% [markdown] lang="en" way="weekend"
# ## 8.3 What it costs
#
# Count the multiplications in the matrix products of this layer, in the step that makes the text
# $n$ tokens long. With a cache: three projections of one token, $3d^2$; one row of scores, $n$ dot
# products of $D$ numbers in each of $H$ heads, $nHD=nd$; one weighted sum, $nd$ again. Without a
# cache: the same for all $n$ rows (what the mask hides is computed too, and thrown away).
#
# $$C_{\mathrm{cache}}(n)=3d^2+2nd,\qquad C_{\mathrm{none}}(n)=n\,(3d^2+2nd).$$
#
# The ratio is exactly $n$. PyTorch counts for itself in the next cell, with a cache (`cached`) and
# without (`again`).

# %% [markdown] lang="zh" slide="show"
# ## 8.3 代价
#
# 文本长到$n$个词元的那一步，这一层的矩阵乘法要做多少次乘法？有缓存：一个词元的三次投影，$3d^2$；
# 一行得分，$H$个头里各有$n$个$D$维点积，共$nHD=nd$；一次加权和，又是$nd$。
# 没有缓存：$n$行全都要（被掩码遮住的也算了，只是扔掉）。
#
# $$C_{\mathrm{cache}}(n)=3d^2+2nd,\qquad C_{\mathrm{none}}(n)=n\,(3d^2+2nd).$$
#
# 两者之比恰好是$n$。下一个单元格让PyTorch自己数，有缓存的是`cached`，没有的是`again`。


# %%
def multiplications(run, *given):
    with FlopCounterMode(display=False) as counter:
        run(*given)
    return counter.get_total_flops() // 2  # a multiplication and an addition count as two


rng = torch.Generator().manual_seed(0)
print("    n  cached   3d²+2nd       again  n(3d²+2nd)")
for n in (10, 100, 1000):
    text = torch.randn(1, n, DIM, generator=rng, dtype=torch.float64)
    _, cache = layer(text[:, :-1], torch.arange(n - 1)[None])
    cached = multiplications(layer, text[:, -1:], torch.tensor([[n - 1]]), cache)
    again = multiplications(layer, text, torch.arange(n)[None])
    one = 3 * DIM**2 + 2 * n * DIM
    print(f"{n:5} {cached:7} {one:9} {again:11} {n * one:11}")

# %% [markdown] lang="en"
# Writing $L$ tokens costs the sum over $n=1,\dots,L$. With $\sum n=\tfrac12L(L+1)$ and
# $\sum n^2=\tfrac16L(L+1)(2L+1)$ that is
#
# $$\sum_{n=1}^LC_{\mathrm{cache}}(n)=3d^2L+dL(L+1),\qquad
# \sum_{n=1}^LC_{\mathrm{none}}(n)=\tfrac32d^2L(L+1)+\tfrac13dL(L+1)(2L+1).$$
#
# For long texts: quadratic against cubic. A cache does **not** make a step constant: $2nd$ still
# grows. Which term leads, and when? Move the width and the length.

# %% [markdown] lang="zh" slide="show"
# 写出$L$个词元的总代价是对$n=1,\dots,L$求和。由$\sum n=\tfrac12L(L+1)$和
# $\sum n^2=\tfrac16L(L+1)(2L+1)$得
#
# $$\sum_{n=1}^LC_{\mathrm{cache}}(n)=3d^2L+dL(L+1),\qquad
# \sum_{n=1}^LC_{\mathrm{none}}(n)=\tfrac32d^2L(L+1)+\tfrac13dL(L+1)(2L+1).$$
#
# 文本长了以后，一个按平方增长，一个按立方增长。缓存**并不能**让一步的代价变成常数，
# 因为$2nd$仍在增长。哪一项占上风，从什么时候起？改变宽度和长度看看。


# %%
def cost(dim=512, length=1000):
    length = round(length)
    n = torch.logspace(0, 5, 60).round()
    projections, scores = torch.full_like(n, 3 * dim**2), 2 * n * dim
    share = 2 * length / (3 * dim + 2 * length)
    return Curves(
        [
            Curve(n, n * (projections + scores), label.no_cache),
            Curve(n, projections + scores, label.cache),
            Curve(n, scores, label.scores_and_sum),
        ],
        **label.work(length=length, share=share),
        x_scale="log",
        y_scale="log",
        y_limits=(1e2, 1e14),
        vlines=(length,),
    )


explore(cost, **label.cost, dim=[64, 512, 4096], length=Range(1, 20000, log=True))

# %% [markdown] lang="en"
# *Picture: three curves against the length, both axes logarithmic. Without a cache the curve climbs
# with slope 1, then 2; with a cache it lies flat, then climbs with slope 1. The third, scores and
# weighted sum alone, approaches the cached one where $n$ is large. Dashed: the chosen length.*
#
# The bend of the cached curve is at $n=\tfrac32d$, where scores and sum cost as
# much as the projections. (A real layer has more projections: output and feed-forward.)

# %% [markdown] lang="zh"
# *图：三条曲线，横轴为长度，两轴都是对数。无缓存的曲线先以斜率1、再以斜率2上升；
# 有缓存的先是平的，再以斜率1上升。第三条只含得分与加权和，$n$大时向有缓存的那条靠拢。
# 虚线标出所选的长度。*
#
# 有缓存的那条曲线在$n=\tfrac32d$处转弯，那里，得分与加权和的代价正好等于投影的代价。
# （真实的层还有输出投影和前馈层。）

# %% [markdown] lang="en"
# Multiplications are not seconds. Time a step with and without a cache, on this machine:

# %% [markdown] lang="zh"
# 乘法次数不等于耗时。有缓存和没有缓存各走一步，在这台机器上量一量：


# %% tags=["nbval-ignore-output"] reason="times differ from machine to machine"
def milliseconds(run, *given):
    times = []
    for _ in range(5):
        start = time.perf_counter()
        run(*given)
        times.append(1000 * (time.perf_counter() - start))
    return min(times)


rng = torch.Generator().manual_seed(0)
for n in (64, 256, 1024):
    text = torch.randn(1, n, DIM, generator=rng, dtype=torch.float64)
    _, cache = layer(text[:, :-1], torch.arange(n - 1)[None])
    cached = milliseconds(layer, text[:, -1:], torch.tensor([[n - 1]]), cache)
    again = milliseconds(layer, text, torch.arange(n)[None])
    print(f"n = {n:4}: cached {cached:5.2f} ms, again {again:7.2f} ms, × {again / cached:5.1f}")

# %% [markdown] lang="en"
# The ratio is not $n$, because both steps also cost what the formula does not count. With a cache:
# function calls, equally many at each length, and a copy of the whole cache in `append`. Without
# one, the $n\times n$ scores are also copied, masked and put through softmax. In a large model on a
# GPU, decoding reads all the weights and the whole cache from memory to do the arithmetic of a
# single token (Shazeer 2019): it is bound by memory bandwidth. When many texts decode as a batch,
# one reading of the weights serves them all, but each has a cache of its own. So it matters how
# large that is: $2NH_{kv}D$ numbers a token (keys and values), with $N$ layers and $H_{kv}$ heads
# of keys and values. Below, for one token and for 32768.

# %% [markdown] lang="zh"
# 比值不等于$n$，因为两边都还有公式没算的开销。有缓存时是函数调用（不论多长都一样多），
# 还有`append`每步把整个缓存复制一遍；没有缓存时，$n\times n$的得分表还要复制、加掩码、做softmax。
# 在GPU上跑大模型时，为了一个词元的运算，就要把全部权重和整个缓存从显存里读一遍（Shazeer，2019），
# 也就是说，解码受访存带宽限制。许多文本成批解码时，权重读一遍，大家共用；缓存却各有各的。
# 所以缓存有多大很要紧：每个词元要存$2NH_{kv}D$个数（键和值），
# 其中$N$是层数，$H_{kv}$是KV头数，即键和值有几个头。下面算一个词元和32768个词元各占多少。

# %%
LAYERS, WIDTH, BYTES = 32, 128, 2  # 32 layers, heads of 128, 16 bits per number
for kv_heads in (32, 8, 1):
    token = 2 * LAYERS * kv_heads * WIDTH * BYTES
    gib = token * 32768 / 2**30
    print(f"H_kv = {kv_heads:2}: {token // 1024:3} KiB × 32768 = {gib:5.2f} GiB")

# %% [markdown] lang="en"
# ### Grouped-query attention
#
# Hence *grouped-query attention* (GQA, Ainslie et al. 2023; with a single KV head *multi-query
# attention*, MQA): several query heads share one head of keys and values, and only those are
# cached. Counted from 0, query head $h$ reads KV head $\lfloor h\,H_{kv}/H\rfloor$: neighbours
# share. Tiling the heads instead, $h\bmod H_{kv}$, has the same shape. With 2 KV heads, how many of
# 8 query heads would then read keys that are not theirs?

# %% [markdown] lang="zh" slide="show"
# ### 分组查询注意力
#
# 于是有了*分组查询注意力*（grouped-query attention，GQA，Ainslie等，2023；
# 只剩一个KV头时叫multi-query attention，MQA）：几个查询头共用一个KV头，只缓存后者。
# 头都从0数起，查询头$h$读的是KV头$\lfloor h\,H_{kv}/H\rfloor$，也就是相邻的头共用。
# 如果改成整份平铺，即$h\bmod H_{kv}$，形状也一样；这样，8个查询头、2个KV头时，
# 有几个查询头会读到别人的键？

# %%
k2 = torch.arange(2.0).view(1, 2, 1, 1)  # two KV heads, called 0 and 1
print("⌊h · 2/8⌋:", repeat_heads(k2, 8).flatten().int().tolist())
print("h mod 2:  ", k2.repeat(1, 4, 1, 1).flatten().int().tolist())
rng = torch.Generator().manual_seed(0)
q8 = torch.randn(1, 8, 1, D, generator=rng)
kv = torch.randn(2, 1, 2, 5, D, generator=rng)
cache = append(None, *kv, torch.arange(5))
right = attend(q8, torch.tensor([[4]]), cache)
wrong = attention(q8, *(x.repeat(1, 4, 1, 1) for x in kv))
changed = (right - wrong).abs().amax((0, 2, 3)) > 1e-6  # (H,)
print(f"right ≠ wrong: {changed.sum()}/8")

# %% [markdown] lang="en"
# Half of them, and no shape shows it.
#
# Grouping makes no difference to the encoding: RoPE turns the $H_{kv}$ keys before they are
# stored, ALiBi still has one slope for each of the $H$ *query* heads.
# (DeepSeek's MLA goes further and stores one short vector per token in place of all keys and
# values; what RoPE has to do with that: end of 8.5.)

# %% [markdown] lang="zh"
# 一半的头读了别人的键，从形状上却看不出来。
#
# 至于位置编码，分不分组都一样：RoPE在存入之前旋转那$H_{kv}$个键，
# ALiBi仍给$H$个*查询*头各一个斜率。（DeepSeek的MLA更进一步，
# 每个词元只存一个短向量，代替全部的键和值；这与RoPE有什么关系，见8.5节末尾。）

# %% [markdown] lang="en" way="weekend"
# ## 8.4 Which position does the new token have?
#
# One more than the last: as long as the cache is whole, that is the number of columns. Two things
# break this. Padding adds columns that are not *real tokens*. Eviction takes columns away, but the
# tokens that remain do not move. So count neither columns nor tokens: look at the positions stored.

# %% [markdown] lang="zh" slide="show"
# ## 8.4 新词元的位置是多少？
#
# 是最后一个的位置加1。只要缓存是完整的，这就等于列数。但在两种情形下，两者不再相等：
# 填充添了一些列，它们不是*实际词元*；驱逐拿走了一些列，
# 而留下的词元并没有移动。所以既不能数有几列，也不能数有几个词元，要看存下的位置。


# %% exercise="decode_positions"
def decode_positions(positions, visible, count=1):
    """Return the positions of the next tokens of each row, int64, shape (B, count)."""
    ### BEGIN SOLUTION
    largest = positions.masked_fill(~visible, -1).amax(1, keepdim=True)  # (B, 1)
    return largest + 1 + torch.arange(count)
    ### END SOLUTION


# %% check="decode_positions"
check("decode_positions", decode_positions)

# %% [markdown] lang="en"
# How bad is a wrong position? Decode the last token with each position from 0 to 23 and compare
# with the right output, that of position 11; the cell prints the error at some of them. How large
# is it, relative to the right output, if the position is one off, and does it keep growing further
# away?

# %% [markdown] lang="zh" slide="show"
# 位置错了有多糟？让最后一个词元依次取0到23的每个位置，各解码一次，与正确的输出（位置11）相比，
# 并打印其中几个位置的误差。只差1时，误差是正确输出的几分之几？离得更远，误差会一直变大吗？

# %% tags=["predict"]
_, cache = layer(words[:, :11], torch.arange(11)[None])
q, k, v = project(words[:, 11:])


def output_at(p):
    at = torch.tensor([[p]])
    keys, values = (torch.cat(pair, 2) for pair in ((cache.keys, turn(k, at)), (cache.values, v)))
    return attention(turn(q, at), keys, values)


places = torch.arange(24)
error = [(output_at(p) - output_at(11)).norm() / output_at(11).norm() for p in range(24)]
picture(Curves([Curve(places, error, style="-o")], **label.error(), vlines=(11,)))
print(", ".join(f"{p}: {error[p]:.2f}" for p in (0, 5, 8, 10, 11, 12, 14, 17)))

# %% [markdown] lang="en"
# *Picture: the error of the output against the position given, the right one dashed.*
#
# One off already costs 0.47 and 0.40: the fastest pair of channels has turned by a whole radian.
# The error does not keep growing: it is above 1 at 8 and 14, and near 5 and 17 it is down again to
# 0.5 and 0.6. (5 and 17 are six away from 11: there that pair has nearly come round,
# $2\pi\approx6.3$; the slower ones have not.)

# %% [markdown] lang="zh"
# *图：横轴为给定的位置，纵轴为输出的误差，正确的位置是虚线。*
#
# 位置只差1，误差就有0.47和0.40，因为最高频的那对通道已经差了整整一弧度。
# 误差并不会一直变大：在8和14处超过1，到5和17附近又降到0.5和0.6。
# （5和17与11相差6，而$2\pi\approx6.3$，所以在那里，这一对差不多转满一圈，
# 回到了原处；低频的那些还没有。）

# %% [markdown] lang="en" way="weekend"
# ## 8.5 RoPE: rotate, then store
#
# A key's rotation depends on its own position alone, $R_jk_j$. So it can be done once, before the
# key is stored: a *rotated* cache. Since $R_i^\top R_j=R_{j-i}$ (chapter 5), the score with a later
# query is, before the division by $\sqrt D$,
#
# $$(R_iq_i)^\top(R_jk_j)=q_i^\top R_{j-i}k_j,$$
#
# right for every $i$ to come. Nothing has to be known about the future. One step: turn one query
# and one key, append, attend.

# %% [markdown] lang="zh" slide="show"
# ## 8.5 RoPE：先旋转，再存
#
# 键的旋转$R_jk_j$只取决于它自己的位置，所以可以在存入之前转一次，存成*旋转过的*缓存。
# 由$R_i^\top R_j=R_{j-i}$（第5章），它与以后某个查询的得分（除以$\sqrt D$之前）是
#
# $$(R_iq_i)^\top(R_jk_j)=q_i^\top R_{j-i}k_j,$$
#
# 对将来的每个$i$都对，不需要预知什么。走一步就是：旋转一个查询和一个键，追加，做注意力。


# %% exercise="rope_decode_step"
def rope_decode_step(q, k, v, keys, values, position, omega):
    """Return the output (B, H, 1, D) of one new token, and the longer keys and values."""
    ### BEGIN SOLUTION
    angles = position[:, None, None, None] * omega  # (B, 1, 1, D/2)
    c, s = angles.cos(), angles.sin()

    def turned(x):
        a, b = x.chunk(2, dim=-1)
        return torch.cat((a * c - b * s, a * s + b * c), dim=-1)

    keys, values = torch.cat((keys, turned(k)), dim=2), torch.cat((values, v), dim=2)
    scores = turned(q) @ keys.mT / math.sqrt(q.shape[3])
    return scores.softmax(-1) @ values, keys, values
    ### END SOLUTION


# %% check="rope_decode_step"
check("rope_decode_step", rope_decode_step)

# %% [markdown] lang="en"
# The other way is an *un-rotated* cache: store $k_j$, and turn all keys at every step. The scores
# are the same (checked below); the cost is rotating the whole cache each time.

# %% [markdown] lang="zh"
# 另一种做法是*未旋转的*缓存：存$k_j$，每一步全部重转。得分相同（下面验证），
# 代价是每步把整个缓存旋转一遍。

# %%
q, k, v = project(words)
at = torch.arange(12)[None]
one_by_one = zip(k.split(1, dim=2), at.split(1, dim=1), strict=True)
rotated = torch.cat([turn(key, p) for key, p in one_by_one], dim=2)  # each once, when stored
query = turn(q[:, :, 11:], at[:, 11:])
again = query @ turn(k, at).mT  # all turned at this step
print("query @ rotated.mT = again:", torch.allclose(query @ rotated.mT, again))

# %% [markdown] lang="en"
# Now let the frequencies change as the text grows (dynamic NTK, chapter 6). Here is the score of
# the last query with key 3 (first head, not divided by $\sqrt D$), from a `fresh` pass and from
# both caches (`rotated`, `unrotated`). Which cache gives that of the fresh pass?

# %% [markdown] lang="zh" slide="show"
# 现在让频率随文本变长而改变（动态NTK，第6章）。下面是最后一个查询与键3的得分
# （第一个头，未除以$\sqrt D$）：先从头重算一遍（`fresh`），
# 再用两种缓存（`rotated`、`unrotated`）各算一次。哪种缓存与从头重算的相同？

# %%
slow, _ = dynamic_ntk(D, length=12, trained_length=6)  # frequencies at length 12


def scaled(x, at):
    return rotate(x, rope_angles(at, slow), layout="half")


query = scaled(q[:, :, 11:], at[:, 11:])
stored = None
for t in range(12):
    new = slice(t, t + 1)
    stored = append(stored, k[:, :, new], v[:, :, new], at[:, new])  # as projected
unrotated = scaled(stored.keys, stored.positions)
for name, keys in (("fresh", scaled(k, at)), ("rotated", rotated), ("unrotated", unrotated)):
    print(f"{name:9}: {(query @ keys.mT)[0, 0, 0, 3]:.2f}")

# %% [markdown] lang="en"
# The un-rotated one. In the rotated cache a key stays as it was turned, with the old frequencies,
# and the new query has the new ones; the YaRN paper (§3.3) warns of this. An un-rotated cache holds
# $k$ and turns it with `slow`, which is what the fresh pass does: in this one layer it gives the
# same. (In a stack, keys further up were computed from outputs of layers that still had the old
# frequencies; only a fresh pass changes that.) So: fixed frequencies, rotated cache; frequencies or
# positions that change, un-rotated cache, or a correcting turn (sections 8.11, 8.14).

# %% [markdown] lang="zh"
# 是未旋转的缓存。在旋转过的缓存里，旧键当初按旧频率转，就一直是那样，新查询却按新频率转；
# YaRN论文（§3.3）提醒过这一点。未旋转的缓存存的是$k$，用`slow`来转，与从头重算是同一回事，
# 所以在这一层里两者相同。
# （层数多于一时，上面各层的键由下面各层的输出算出，那时用的还是旧频率，只有从头重算才改得了。）
# 所以：频率固定，用旋转过的缓存；频率或位置会变，用未旋转的缓存，或者补转一次（8.11、8.14节）。

# %% [markdown] lang="en" way="everything"
# ### One latent for all heads
#
# DeepSeek's *latent attention* (Multi-head Latent Attention, MLA; DeepSeek-V2, 2024, §2.1) stores
# one vector $c_j$ of $C$ numbers per token, a *latent*, instead of every head's keys and values.
# Each head has matrices of its own for them, $k_j=W_{UK}c_j$ and $v_j=W_{UV}c_j$. But no key has to
# be made:
#
# $$q_i^\top(W_{UK}c_j)=(W_{UK}^\top q_i)^\top c_j.$$
#
# The matrix moves to the query (it is *absorbed*), once per query, and the head scores the latents
# themselves. But RoPE turns the key in between:
#
# $$(R_iq_i)^\top(R_jW_{UK}c_j)=(W_{UK}^\top R_{i-j}\,q_i)^\top c_j.$$
#
# How many absorbed queries does the last of twelve tokens need now? Guess, then run. (In the
# output, $s$ stands for the right scores.)

# %% [markdown] lang="zh" slide="show"
# ### 所有头共用一个隐向量
#
# DeepSeek的*隐向量注意力*（Multi-head Latent Attention，MLA；DeepSeek-V2，2024，§2.1）不存键和值，
# 每个词元只存一个含$C$个数的*隐向量*（latent）$c_j$。每个头用自己的矩阵由它得到键和值：
# $k_j=W_{UK}c_j$，$v_j=W_{UV}c_j$。其实键根本不必算出来：
#
# $$q_i^\top(W_{UK}c_j)=(W_{UK}^\top q_i)^\top c_j.$$
#
# 矩阵挪到了查询一侧（叫*吸收*，absorb），每个查询只乘一次，头直接给隐向量打分。
# 但RoPE要在中间旋转键：
#
# $$(R_iq_i)^\top(R_jW_{UK}c_j)=(W_{UK}^\top R_{i-j}\,q_i)^\top c_j.$$
#
# 十二个词元里最后来的那个，现在需要几个吸收后的查询？先猜，再运行。（输出里的$s$指正确的得分。）

# %% tags=["predict"]
LATENT = 24
latent_rng = torch.Generator().manual_seed(8)
latents = torch.randn(1, 12, LATENT, generator=latent_rng, dtype=torch.float64)  # (B, L, C)
W_UK = torch.randn(HEADS, D, LATENT, generator=latent_rng, dtype=torch.float64) / math.sqrt(LATENT)
cached = latents[:, None]  # (B, 1, L, C), the same for all heads
at = torch.arange(12)[None]
q = project(words)[0][:, :, 11:]  # (B, H, 1, D), of the last token
keys = cached @ W_UK.mT  # (B, H, L, D)
print("(W_UKᵀ q)ᵀ c = qᵀ k:", torch.allclose(q @ W_UK @ cached.mT, q @ keys.mT))

right = turn(q, at[:, 11:]) @ turn(keys, at).mT  # (B, H, 1, L)
wrong = turn(q, at[:, 11:]) @ W_UK @ cached.mT
print(f"(W_UKᵀ R_i q)ᵀ c: ‖Δ‖/‖s‖ = {(wrong - right).norm() / right.norm():.0%}")
each = turn(q.expand(-1, -1, 12, -1), 11 - at) @ W_UK  # (B, H, L, C)
same = torch.allclose((each * cached).sum(-1), right[:, :, 0])
print(f"{each.shape[2]} × (W_UKᵀ R_{{i−j}} q)ᵀ c = s: {same}")

# %% [markdown] lang="en"
# Twelve keys, twelve queries. With the single $W_{UK}^\top R_iq_i$ for all keys the scores are off
# by 86% (norm of the error over norm of $s$): at every distance $W_{UK}^\top R_{i-j}$ is another
# matrix.
#
# With a rotation between query and matrix, absorbing saves nothing over making the keys. So MLA
# **decouples** the rotation (that is why only 64 of 192 channels turned in 5.12):
# the content stays as it is, absorbed, and $D_{\mathrm r}$ further channels carry the position.
# Their key is turned, and all heads share it, so it fits into the cache beside the latent:
#
# $$s_{ij}=\frac{(W_{UK}^\top q_i)^\top c_j+(R_iq_i^{\mathrm r})^\top(R_jk_j^{\mathrm r})}
# {\sqrt{D+D_{\mathrm r}}}.$$

# %% [markdown] lang="zh"
# 十二个键要十二个查询。所有键都只用$W_{UK}^\top R_iq_i$一个，得分就差了86%
# （误差的范数与$s$的范数之比）：距离不同，$W_{UK}^\top R_{i-j}$就不同。
#
# 查询与矩阵之间夹着旋转，吸收就不比算出键省事，
# 所以MLA把旋转**解耦**出来（decoupled RoPE；5.12节说的“192个通道中的64个”就是它）：
# 内容部分不转，照样吸收；另设$D_{\mathrm r}$个通道带位置。这些通道的键要旋转，但所有头共用一个，
# 所以能和隐向量一起放进缓存：
#
# $$s_{ij}=\frac{(W_{UK}^\top q_i)^\top c_j+(R_iq_i^{\mathrm r})^\top(R_jk_j^{\mathrm r})}
# {\sqrt{D+D_{\mathrm r}}}.$$


# %% exercise="absorbed_query"
def absorbed_query(q, key_up, positions, omega):
    """Return queries for a cache of latents and shared rotated keys, (B, H, L, C + Dr)."""
    ### BEGIN SOLUTION
    D = key_up.shape[1]
    content, (a, b) = q[..., :D], q[..., D:].chunk(2, dim=-1)
    angles = positions[:, None] * omega  # (L, Dr/2)
    c, s = angles.cos(), angles.sin()
    return torch.cat((content @ key_up, a * c - b * s, a * s + b * c), dim=-1)
    ### END SOLUTION


# %% check="absorbed_query"
check("absorbed_query", absorbed_query)

# %% [markdown] lang="en"
# Values are not made either. A weight is the same for all channels, so the latents can be summed
# first: $\sum_jA_{ij}W_{UV}c_j=W_{UV}\sum_jA_{ij}c_j$. `latent_attention` does all this,
# `latent_attention_plain` makes all keys and values. Is the output the same? Does it change when
# the text moves by 40 positions? Last, the cache of DeepSeek-V3 (61 layers; 128 heads with 128
# channels of content, 64 rotated, 128 of values; a latent of 512) in three ways: every head stored,
# 8 KV heads of 128 for comparison (DeepSeek-V3 does not group its heads), and as it is, the latent
# and the shared rotated key. Each line has the numbers per token and layer, then GiB for 32768
# tokens. How much is saved?

# %% [markdown] lang="zh"
# 值也不必算出来：权重对各通道都一样，所以可以先对隐向量加权求和，
# $\sum_jA_{ij}W_{UV}c_j=W_{UV}\sum_jA_{ij}c_j$。`latent_attention`就是这样算的，
# `latent_attention_plain`则算出全部键和值。两者的输出相同吗？
# 整段平移40个位置，结果变不变？最后三行算DeepSeek-V3的缓存。它有61层、128个头，
# 每个头的键有128个内容通道、64个旋转通道，值有128个通道；隐向量512维。三行依次是：
# 所有头都存；假如改用GQA，存8个128维的KV头（仅供对比）；它实际的存法，即隐向量加共用的旋转键。
# 每行先是每个词元每层要存几个数，再是32768个词元占多少GiB。省了多少？


# %%
def read_from(start, how):
    angles = rope_angles(torch.arange(start, start + 12), frequencies(8))
    turned_q, turned_k = (rotate(x, angles, layout="half") for x in (q_r, k_r))
    mask = causal_mask(at[0], at[0])
    return how(q, turned_q, latents, turned_k[:, 0], W_UK, W_UV, mask)


q = project(words)[0]  # (B, H, L, D), of all tokens
latent_rng = torch.Generator().manual_seed(9)
W_UV = torch.randn(W_UK.shape, generator=latent_rng, dtype=torch.float64)
q_r, k_r = torch.randn(2, 1, HEADS, 12, 8, generator=latent_rng, dtype=torch.float64)
k_r = k_r[:, :1]  # one key for all heads
absorbed = read_from(0, latent_attention)
print("latent_attention_plain:", torch.allclose(absorbed, read_from(0, latent_attention_plain)))
print("start = 40:            ", torch.allclose(absorbed, read_from(40, latent_attention)))
sizes = {"H = 128": 128 * (128 + 64 + 128), "H_kv = 8": 2 * 8 * 128, "MLA": 512 + 64}
for name, numbers in sizes.items():
    cache_size = 61 * numbers * 2 * 32768 / 2**30  # 16 bits per number
    print(f"{name:8}: {numbers:5} → {cache_size:6.2f} GiB")

# %% [markdown] lang="en"
# The same, and a shift changes nothing. The cache is 1/71 of every head's keys and values, and less
# than a third of eight KV heads'.
#
# The price of MLA is arithmetic: a score takes 576 products, not 192. Decoding waits for memory
# anyway (8.3), so for it that is a good bargain; a prefill does not wait and may as well make keys
# and values.

# %% [markdown] lang="zh"
# 相同，平移也不变。缓存只剩全部键和值的71分之一，不到8个KV头所占的三分之一。
#
# MLA的代价是运算：一个得分要乘576次，而不是192次。
# 解码的瓶颈本来就在访存（8.3节），用运算换显存，这笔交易划算；
# 预填充不受访存限制，不妨照常算出键和值。

# %% [markdown] lang="en" way="everything"
# ## 8.6 A bias has one row
#
# ALiBi and T5 add $b(j-i)$ to the scores. A new token has one query, so it needs one row: the last
# of the full table. Hand the position of the query and those of the keys to the same function;
# nothing is rebuilt.

# %% [markdown] lang="zh"
# ## 8.6 偏置只要一行
#
# ALiBi和T5给得分加上$b(j-i)$。新词元只有一个查询，所以只要一行：整张表的最后一行。
# 把查询的位置和各个键的位置交给同一个函数就行，什么都不用重建。

# %%
keys_at, slopes = torch.arange(12), alibi_slopes(HEADS)
t5 = T5Bias(HEADS, bidirectional=False)
with torch.no_grad():
    for name, bias in (("ALiBi", lambda i, j: alibi(i, j, slopes)), ("T5", t5)):
        row = bias(torch.tensor([11]), keys_at)  # (H, 1, L)
        print(f"{name:5}: row = b[-1]:", torch.equal(row, bias(keys_at, keys_at)[:, -1:]))

# %% [markdown] lang="en"
# Now for a cache with gaps. Columns are not positions any more, and a bias counted in columns
# brings far tokens near.

# %% [markdown] lang="zh" slide="show"
# 再看有缺口的缓存。列号不再是位置，按列号来算的偏置会把远处的词元拉近。


# %% exercise="alibi_decode_bias"
def alibi_decode_bias(position, positions, visible, slopes):
    """Return what is added to the scores of one new token, shape (B, H, 1, L)."""
    ### BEGIN SOLUTION
    relative = positions - position[:, None]  # key - query, (B, L)
    bias = slopes[:, None, None] * relative[:, None, None]  # (B, H, 1, L)
    return bias.masked_fill(~visible[:, None, None], -torch.inf)
    ### END SOLUTION


# %% check="alibi_decode_bias"
check("alibi_decode_bias", alibi_decode_bias)

# %% [markdown] lang="en"
# What if the query is taken to be at 0, an easy slip? Flip the switch. ALiBi's row becomes $m_hj$,
# which differs from $m_h(j-i)$ by a constant, and softmax does not see constants. And T5?

# %% [markdown] lang="zh" slide="show"
# 如果误把查询的位置当作0（这种错很容易犯），会怎样？拨动开关看看。ALiBi的那一行变成$m_hj$，
# 与$m_h(j-i)$只差一个常数，softmax不受常数影响。那么T5呢？


# %%
def one_row(position=60, query_at_zero=False):
    j = torch.arange(position + 1)
    i = torch.tensor([0 if query_at_zero else position])
    rows = alibi(i, j, alibi_slopes(8))[:3, 0]  # (3, L): the three steepest of eight heads
    names = [label.head.format(number=h + 1) for h in range(3)]
    buckets = t5_bucket(j - i, bidirectional=False)
    x = label.key_position
    return (
        Curves(
            [Curve(j, row, name) for row, name in zip(rows, names, strict=True)],
            x=x,
            **label.alibi_row(),
            x_limits=(0, 150),
            y_limits=(-80, 80),
        ),
        Curves(
            [Curve(j, buckets, style="o")],
            x=x,
            **label.t5_row(),
            x_limits=(0, 150),
            y_limits=(-1, 33),
        ),
    )


explore(one_row, **label.one_row, position=(1, 150), query_at_zero=False)

# %% [markdown] lang="en"
# *Picture: on the left three lines that rise to 0 at the new token; on the right a staircase of
# buckets that falls to 0.*
#
# With the switch on, the lines rise from 0, parallel to before, and the staircase collapses:
# every key falls into bucket 0, as if it were the token itself. How far the output moves:

# %% [markdown] lang="zh"
# *图：横轴都是键的位置。左图是ALiBi的三个头，三条直线都在新词元处升到0；
# 右图是T5的桶号，像阶梯一样一级级降到0。*
#
# 打开开关后，直线从0升起，与原来平行；阶梯则塌了，所有键都落进0号桶，
# 仿佛每个键都是新词元自己。输出因此差多少，看数字：

# %%
rng = torch.Generator().manual_seed(0)
q1, kv = torch.randn(1, HEADS, 1, D, generator=rng), torch.randn(2, 1, HEADS, 60, D, generator=rng)
j = torch.arange(60)
with torch.no_grad():
    t5.weight.copy_(torch.randn(t5.weight.shape, generator=rng))
    for name, bias in (("ALiBi", lambda i, j: alibi(i, j, slopes)), ("T5", t5)):
        right, zero = (attention(q1, *kv, bias=bias(torch.tensor([i]), j)) for i in (59, 0))
        print(f"{name:5}: max |Δ| = {(right - zero).abs().max():.2f}")

# %% [markdown] lang="en" way="everything"
# ## 8.7 The end of the learned table
#
# A cache makes long texts cheap, but a learned table has an end. A model with 16 positions keeps
# writing, step by step. The cell reads row 15, the last (rows count from 0), then row 16, and
# prints the shape of what comes back, or the error.

# %% [markdown] lang="zh" slide="show"
# ## 8.7 可学习的表有尽头
#
# 有了缓存，长文本变便宜了，可学习的表却有尽头。一个只有16个位置的模型一步步往下写。
# 行从0数起：下面先读第15行，也就是最后一行，再读第16行，打印读到的形状或错误。

# %%
table = LearnedPositionalEmbedding(max_length=16, dim=4)
for p in (15, 16):
    try:
        print(f"table([{p}]):", tuple(table(torch.tensor([p])).shape))
    except (IndexError, ValueError) as error:
        print(f"table([{p}]): {type(error).__name__}")

# %% [markdown] lang="en"
# It stops at the seventeenth token, and that is the good case. Clamping (chapter 3) would give all
# later tokens one row and say nothing. Evicting the oldest does not help: the next token is still
# at 16 (8.4). To free a position, the kept tokens would have to move; but their rows were added to
# the *embedding*, went through LayerNorm, projections and whole layers, and sit in every stored
# key. They cannot be taken out and replaced, as a rotation can (8.11), so the window has to be
# computed again.

# %% [markdown] lang="zh"
# 写到第十七个词元，它停下来报错，这还算好的。
# 截到末行（clamp，第3章）会让之后所有词元共用一行，而且不声不响。
# 驱逐最旧的词元也没有用：下一个词元的位置仍是16（8.4节）。要腾出号码，就得给留下的词元重新编号；
# 而它们各自的位置行早已加进*嵌入*，经过LayerNorm、投影和一层层计算，留在了每个存下的键里，
# 不能像旋转那样（8.11节）拿出来换掉，所以只能把窗口从头算一遍。

# %% [markdown] lang="en" way="everything"
# ## 8.8 Left padding and batches
#
# Texts of a batch end together, so that all decode in one step: short ones are padded on the left.
# Positions can count columns, or real tokens (`positions_from_mask`). Does a text give the same
# output in a batch as alone? RoPE and added sinusoids ($x+p$) are tried three times each: numbered
# by real tokens (`counted`) and by `columns`, both with the mask; then by real tokens again, the
# mask forgotten. Guess which of the six lines are not 0.

# %% [markdown] lang="zh" slide="show"
# ## 8.8 左填充与批次
#
# 一批文本要在同一处结束，才能一起解码，所以短的在左边填充。位置可以按列编号，
# 也可以只按实际词元编号（`positions_from_mask`）。一段文本放在批次里与单独算，输出一样吗？
# RoPE和相加的正弦编码（$x+p$）各试三次：按实际词元编号（`counted`），按列编号（`columns`），
# 这两次都有掩码；再按实际词元编号，但忘了掩码。每行打印输出的差，猜猜这六行里哪几行不是0。

# %% tags=["predict"]
short = words[:, :5]
padding = torch.randn(1, 7, DIM, generator=torch.Generator().manual_seed(7), dtype=torch.float64)
batch = torch.cat((padding, short), 1)
mask = torch.tensor([[False] * 7 + [True] * 5])
columns, counted = torch.arange(12)[None], positions_from_mask(mask)


def last_row(x, at, seen, rope):
    """Return the last token's output; the encoding is RoPE, or sinusoids added to x."""
    x = x if rope else x + sinusoidal(at, DIM, dtype=x.dtype)
    q, k, v = project(x)
    q, k = (turn(q, at), turn(k, at)) if rope else (q, k)
    return attention(q[:, :, -1:], k, v, mask=seen[:, None, None])


for rope, name in ((True, "RoPE"), (False, "x + p")):
    alone = last_row(short, torch.arange(5)[None], torch.ones(1, 5).bool(), rope)
    for at, seen, how in (
        (counted, mask, "counted, mask"),
        (columns, mask, "columns, mask"),
        (counted, torch.ones_like(mask), "counted"),
    ):
        gap = (last_row(batch, at, seen, rope) - alone).abs().max()
        print(f"{name:5}, {how:13}: {gap:.2f}")

# %% [markdown] lang="en"
# "Left padding breaks RoPE" is not true: a shift of all positions changes no distance. It does
# break what is *added* at absolute positions, and forgetting the mask breaks everything.
#
# Count real tokens: as long as nothing has been evicted, that is right for every encoding.

# %% [markdown] lang="zh"
# “左填充会弄坏RoPE”是误解：所有位置一起平移，距离不变。被弄坏的是按绝对位置*相加*的编码；
# 而忘了掩码，什么都会坏。
#
# 应按实际词元编号：只要没有驱逐过，无论哪种编码，这样编号都对。

# %% [markdown] lang="en"
# ### Packed documents
#
# Pretraining mostly does without padding: it packs documents into one row. Each document counts its
# positions from 0, so positions repeat, and a mask by position no longer tells earlier from later.
# Three documents of 4, 5 and 3 tokens share a row. Three masks: by `position`, by `column` (the
# usual triangle), and by position *within a* `document`. The first line has the positions. Then
# one line per mask: by how much the *first* document changes when the third gets other tokens, and
# how far the second is from what it gives alone. (The last line: the document mask again, and by
# how much the output changes if positions run on from 0 to 11 in place of starting again.) Which of
# the six numbers of the three masks are 0?

# %% [markdown] lang="zh"
# ### 打包的文档
#
# 预训练时多半不填充，而是把几篇文档打包（packing）成一行。每篇的位置都从0数起，于是位置会重复，
# 按位置生成的掩码也就分不清先后了。三篇文档各有4、5、3个词元，放在一行里。试三种掩码：
# 按位置（`position`）；按列（`column`，常见的三角形）；按位置但*限于同一篇文档*（`document`）。
# 第一行打印位置。接着每种掩码一行，各两个数：第三篇换成别的词元时*第一篇*的输出变了多少，
# 第二篇的输出与它单独算时差多少。（最后一行仍用文档掩码，但位置一路数到11，
# 看输出与每篇从0数起时差多少。）三种掩码的六个数里，哪几个是0？

# %% tags=["predict"]
documents = torch.tensor([0] * 4 + [1] * 5 + [2] * 3)  # (L,)
at = positions_from_documents(documents)[None]
print(at[0].tolist())
strangers = torch.randn(1, 3, DIM, generator=torch.Generator().manual_seed(5), dtype=torch.float64)
other = torch.cat((words[:, :9], strangers), 1)


def packed(x, how, at=at):
    q, k, v = project(x)
    q, k = turn(q, at), turn(k, at)
    if how == "column":
        return F.scaled_dot_product_attention(q, k, v, is_causal=True)
    cache = append(None, k, v, at)
    return attend(q, at, cache, documents=documents if how == "document" else None)


for how in ("position", "column", "document"):
    leak = (packed(other, how) - packed(words, how))[:, :, :4].abs().max()
    mixed = (packed(words, how)[:, :, 4:9] - whole(words[:, 4:9])).abs().max()
    print(f"{how:8}: {leak:.2f} {mixed:.2f}")
on = packed(words, "document", torch.arange(12)[None]) - packed(words, "document")
print(f"document, at = 0 … 11: max |Δ| = {on.abs().max():.2f}")

# %% [markdown] lang="en"
# Three: the first number of `column`, and both of `document`. By position alone documents read
# even the *future* of the row; by column, all before them. Nothing reports an error.
#
# Positions that start again need a document mask. With RoPE the mask alone is
# enough: a shift of a whole document changes no distance, so positions may as well run on, as in
# the last line. FlashAttention takes the borders as `cu_seqlens`; transformers 5.23 reads them off
# the positions, if given neither a mask nor a cache.

# %% [markdown] lang="zh"
# 三个：`column`的第一个数，`document`的两个数。
# 只按位置生成掩码，一篇文档连行里*之后*的内容都读得到；按列，则读得到之前的所有文档。
# 形状都不变，也不报错。
#
# 位置既然每篇重新数起，就要配上文档掩码。
# 用RoPE时，只要有这个掩码就够了：整篇平移不改变距离，位置一路接着数下去也行，
# 见最后一行。FlashAttention用`cu_seqlens`接收文档的边界；
# transformers 5.23能从位置看出边界，但前提是既没有给掩码，也没有给缓存。

# %% [markdown] lang="en" way="everything"
# ## 8.9 A window
#
# The cache grows without end, so people keep only the latest tokens (Mistral's *sliding window*,
# stored in a ring buffer). Here the last 4 columns stay; counting the arriving token, as 8.10 does,
# that is a window of 5. If positions stay as stored, this is exactly attention with a mask. Watch
# the position of the next token.

# %% [markdown] lang="zh"
# ## 8.9 窗口
#
# 缓存会无止境地变大，于是有人只留最后若干个词元（Mistral的*滑动窗口*就是这样，
# 存放在环形缓冲区里）。这里留下缓存的最后4列，加上这一步新来的词元
# （8.10节也这样数），就是大小为5的窗口。位置若保持存下时的样子，这恰好等价于带掩码的注意力。
# 注意下一个词元的位置是多少。

# %%
_, cache = layer(words[:, :11], torch.arange(11)[None])
kept = evict(cache, sinks=0, window=4)
at = next_positions(kept, batch=1)
out, _ = layer(words[:, 11:], at, kept)
q, k, v = project(words)
allowed = torch.tensor([[c >= 7 for c in range(12)]])
p = torch.arange(12)[None]
masked = attention(turn(q, p)[:, :, 11:], turn(k, p), v, mask=allowed)
print("kept.positions:", kept.positions[0].tolist(), " at:", at.item())
print("out = masked:", torch.allclose(out, masked))

# %% [markdown] lang="en"
# In a stack of layers a kept key was computed while older tokens were still visible, so the layers
# below let it reach further than one window (8.10 shows how far).

# %% [markdown] lang="zh"
# 多层堆叠时，留下的键是在更早的词元还看得见的时候算出的。所以即使每层都有窗口，借助下面各层，
# 能间接看到的也不止这一个窗口（能看多远，见8.10节）。

# %% [markdown] lang="en" way="everything"
# ## 8.10 Sinks
#
# Softmax must put its weight somewhere. Trained models often park it on the first tokens, whose
# values say little: *attention sinks*. Let one sink, token 0, have score 6 and value 0, the other
# 63 tokens score 0 and value 1. The cell keeps all (and prints the sink's weight, `A[0]`), then a
# window of 40, then sink and window: what happens to the output when the sink is evicted?

# %% [markdown] lang="zh" slide="show"
# ## 8.10 attention sink（汇点）
#
# softmax的权重总得放在某处。训练好的模型常把多余的权重放在最前面几个词元上，
# 而它们的值几乎不含信息，这就是*attention sink*（汇点）。设词元0是汇点，得分为6、值为0，
# 其余63个词元的得分为0、值为1。先全部留下（并打印汇点的权重`A[0]`），再只留大小为40的窗口，
# 最后留汇点和窗口：汇点被驱逐后，输出会怎样？

# %%
scores, values = torch.tensor([6.0] + [0.0] * 63), torch.tensor([0.0] + [1.0] * 63)
everything = scores.softmax(-1) @ values
print(f"0 … 63:     {everything:.3f}, A[0] = {scores.softmax(-1)[0]:.0%}")
print(f"24 … 63:    {scores[-40:].softmax(-1) @ values[-40:]:.3f}")
kept = torch.tensor([0, *range(24, 64)])
print(f"0, 24 … 63: {scores[kept].softmax(-1) @ values[kept]:.3f}")

# %% [markdown] lang="en"
# Without the sink the output is more than seven times what the next layer was trained on; with it,
# only the share of the 23 evicted tokens is missing. Xiao et al. (2024, Table 1) measure
# Llama-2-13B on the first book of PG-19 with a cache of 1024 tokens: perplexity is 5158.07 with a
# window alone, 5.40 with four sinks kept.
#
# Xiao et al. (2024), besides keeping the sinks, also **renumber**: what is kept gets the positions
# $0,1,2,\dots$ *in the cache*. Below, the tokens A to J arrive, one per step; a number is the
# position that a key has in that step. Drag the sinks, the window and the step. How far do the
# sinks get from the newest token in each of the two tables, if the text goes on and on?

# %% [markdown] lang="zh" slide="show"
# 没有汇点，输出成了原来的七倍多，下一层在训练中从没见过这样的输入；留下汇点，
# 少的只是被驱逐的23个词元的那一份。Xiao等（2024，表1）用Llama-2-13B在PG-19的第一本书上测过，
# 缓存为1024个词元：只留窗口，困惑度5158.07；留下四个汇点，5.40。
#
# Xiao等（2024）除了留下汇点，还把留下的词元**重新编号**：
# 它们*在缓存里*依次取位置$0,1,2,\dots$。
# 下面，词元A到J每步到来一个，格子里的数是那一步里这个键的位置。
# 拖动汇点数、窗口和步：文本一直写下去的话，两张表里汇点与最新词元的距离各会变得多大？


# %%
TOKENS = "ABCDEFGHIJ"


def arriving(sinks=2, window=4, step=9):
    stored, renumbered = torch.full((2, 10, 10), torch.nan)  # (steps, keys)
    for t in range(10):
        kept = [j for j in range(t + 1) if j < sinks or j > t - window]
        stored[t, kept] = torch.tensor(kept).float()
        renumbered[t, kept] = torch.arange(len(kept)).float()
    names = label.as_stored, label.renumbered
    panels = []
    for positions, name in zip((stored, renumbered), names, strict=True):
        now = positions[step][~positions[step].isnan()]
        back = int(now.max() - now.min())
        panels.append(Timeline(positions, TOKENS, **label.table(name=name, back=back), step=step))
    return panels


explore(arriving, **label.arriving, sinks=(0, 3), window=(1, 7), step=(0, 9))

# %% [markdown] lang="en"
# *Picture: two staircases with a row for each step and a column for each key, the present step
# framed, evicted keys crossed out. The band along the diagonal is the window, the columns at the
# left are the sinks.*
#
# As stored, a key keeps its number, and with sinks the oldest gets ever further from the newest.
# Renumbered, each row counts 0, 1, 2, …; once the cache is full, the number of each key in the
# window falls by one at every step, and the largest distance stays the same: less than the cache's
# size, however long the text. A query has the position of its own key, the last of its row.

# %% [markdown] lang="zh"
# *图：两张阶梯状的表，每步一行，每个键一列；当前这一步加了框，已驱逐的键打了叉。
# 沿对角线的一条带是窗口，左边几列是汇点。*
#
# 按存下的位置，键的编号一直不变；有汇点时，最旧的键离最新的键越来越远。重新编号后，
# 每一行都从0依次数起；缓存满了以后，窗口里每个键的编号每步减1，最大的距离不再变大，
# 无论文本多长都小于缓存的大小。
# 查询的位置就是它自己那个键的位置，也就是这一行的最后一个数。

# %% [markdown] lang="en"
# ### Local and global layers
#
# A window does more than save memory: no query of its layer sees a key more than $w-1$ back, so a
# model trained on texts of $w$ tokens or more meets no new angle there, however long the text. Far
# tokens are left to *global* layers: some have a base of their own, some no RoPE, and those of
# gpt-oss have the same RoPE as its local layers. Defaults in transformers 5.23, and for Gemma 3 4B
# the window and the scaling (6.14) of its own config:
#
# | model | local layers | global layers |
# |---|---|---|
# | Gemma 3 4B | RoPE, base 10000, window 1024 | every sixth: RoPE, base 1000000, `linear`, $s=8$ |
# | gpt-oss | RoPE, window 128 | every second: RoPE |
# | Cohere 2 | RoPE, window 4096 | every fourth: no RoPE |
# | Llama 4 | RoPE, own chunk of 8192 only | every fourth: no RoPE, scores grow with the length |
# | SmolLM3 | (RoPE, no window) | every fourth: no RoPE |
#
# In gpt-oss each head of every layer has a learned score $s_h$, and so one more term $e^{s_h}$ in
# the softmax's denominator: a sink that is not a token. Where sinks are tokens, the mask of a local
# layer has to let them through, and they get ever further away unless what is kept is renumbered.

# %% [markdown] lang="zh"
# ### 局部层与全局层
#
# 窗口不只省显存：在有窗口的层里，查询只看得到距离不超过$w-1$的键；
# 只要训练长度不短于$w$，文本再长也遇不到新角度。远处的词元交给*全局*层。
# 这些层有的另用一个base（底数），有的干脆不用RoPE，也有的照旧（gpt-oss）。
# 下表是transformers 5.23里config类的默认值；
# Gemma 3 4B的窗口和全局层的缩放（6.14节）取自它自己的config：
#
# | 模型 | 局部层 | 全局层 |
# |---|---|---|
# | Gemma 3 4B | RoPE，base 10000，窗口1024 | 每六层一层：RoPE，base 1000000，`linear`，$s=8$ |
# | gpt-oss | RoPE，窗口128 | 每两层一层：RoPE |
# | Cohere 2 | RoPE，窗口4096 | 每四层一层：不用RoPE |
# | Llama 4 | RoPE，每8192个一块，只看本块 | 每四层一层：不用RoPE，得分随长度放大 |
# | SmolLM3 | （RoPE，没有窗口） | 每四层一层：不用RoPE |
#
# gpt-oss每层的每个头都有一个可学习的得分$s_h$，softmax的分母里因此多出一项$e^{s_h}$，
# 相当于一个不是词元的汇点。
# 如果拿词元作汇点，局部层的掩码就要放它们通过；不重新编号的话，它们会离得越来越远。


# %% exercise="local_mask"
def local_mask(q_positions, k_positions, window, sinks):
    """Return True where a query may look in a layer with a window and sinks, (Lq, Lk)."""
    ### BEGIN SOLUTION
    back = q_positions[:, None] - k_positions  # (Lq, Lk)
    return (back >= 0) & ((back < window) | (k_positions < sinks))
    ### END SOLUTION


# %% check="local_mask"
check("local_mask", local_mask)

# %% [markdown] lang="en"
# The gradient is exactly 0 where nothing gets through, so it tells which tokens are reached. (The
# last line below is about memory: the cache of Gemma 3 4B at 131072 tokens, 34 layers, if all were
# global, then with every sixth global.) How far back can the last of 40 tokens reach through three
# layers with a window of 4? With two sinks? With the last layer global and without RoPE, and no
# sinks?

# %% [markdown] lang="zh"
# 看得到哪些词元，看梯度就知道：传不过来的地方恰好是0。
# （最后一行另算显存：Gemma 3 4B有34层，131072个词元的缓存，全是全局层时占多少，
# 每六层一个全局层时又占多少。）
# 40个词元，三层窗口都是4，最后一个词元最远能看到哪里？加上两个汇点呢？
# 不加汇点，而把最后一层换成不用RoPE的全局层呢？

# %%
text = torch.randn(1, 40, DIM, generator=torch.Generator().manual_seed(6), dtype=torch.float64)
at = torch.arange(40)[None]
everything_before = causal_mask(at, at)
local = everything_before & window_mask(at, at, window=4)
with_sinks = everything_before & window_mask(at, at, window=4, sinks=2)


def reached(*layers):
    """Return the tokens on which the last output depends; a layer: its mask, and whether RoPE."""
    x = start = text.clone().requires_grad_()
    for mask, rope in layers:
        q, k, v = project(x)
        q, k = (turn(q, at), turn(k, at)) if rope else (q, k)
        x = x + attention(q, k, v, mask[:, None]).transpose(1, 2).flatten(2)
    x[0, -1].sum().backward()
    return start.grad[0].abs().amax(-1).nonzero().flatten().tolist()


print("3 × local:                    ", reached(*[(local, True)] * 3))
print("3 × with_sinks:               ", reached(*[(with_sinks, True)] * 3))
far = reached((local, True), (local, True), (everything_before, False))
print(f"2 × local + everything_before: {far[0]} … {far[-1]}")
tokens, window, number = 131072, 1024, 2 * 4 * 256  # keys and values, 4 KV heads of 256
all_global, mixed = 34 * tokens, 5 * tokens + 29 * window
gib = [2 * number * columns / 2**30 for columns in (all_global, mixed)]  # 2 bytes a number
print(f"all_global → mixed: {gib[0]:.1f} GiB → {gib[1]:.1f} GiB")

# %% [markdown] lang="en"
# Each layer looks $w-1=3$ tokens further back, so three of them reach $3(w-1)=9$; sinks add only
# themselves, one global layer everything.
#
# The scores of a global layer without RoPE hold no distance. Order reaches it in two ways: its
# inputs carry the local order from the layers below, and the causal mask itself gives order away
# (chapter 1); whether that is enough depends on the task. It has no angle that could be new, only
# ever more keys to share one softmax, which is why Llama 4 lets its scores grow (6.7).

# %% [markdown] lang="zh"
# 每层能往更早处多看$w-1=3$个词元，三层共$3(w-1)=9$个；加上汇点，多看到的只有汇点自己；
# 把最后一层换成全局层，就看到了全部。
#
# 全局层不用RoPE时，得分不直接含距离，次序的信息从两处来：
# 它读到的向量里，已有下面的局部层带来的近处次序；
# 因果掩码本身也透露顺序（第1章）。够不够用，要看任务。
# 它什么都不旋转，也就不会遇到新角度；不过一个softmax的权重要分给越来越多的键，
# 所以Llama 4让它的得分随长度放大（6.7节）。

# %% [markdown] lang="en" way="everything"
# ## 8.11 Moving a key that has turned
#
# In a rotated cache a kept key carries its old position in its angle. To move it from $p$ to $p'$,
# turn by the difference, since angles add, $R_aR_b=R_{a+b}$:
#
# $$R_{p'-p}\,R_p\,k=R_{p'}\,k.$$
#
# No un-rotated copy is needed.

# %% [markdown] lang="zh" slide="show"
# ## 8.11 移动一个转过的键
#
# 在旋转过的缓存里，留下的键把旧位置带在角度里。要把它从$p$移到$p'$，转过差值即可，
# 因为角度可以相加，$R_aR_b=R_{a+b}$：
#
# $$R_{p'-p}\,R_p\,k=R_{p'}\,k.$$
#
# 不需要未旋转的副本。


# %% exercise="evict_and_shift"
def evict_and_shift(keys, positions, sinks, window, omega):
    """Return the kept keys (B, H, n, D), turned to stand at 0 … n - 1, and those positions."""
    ### BEGIN SOLUTION
    column = torch.arange(len(positions))
    columns = column[(column < sinks) | (column >= len(positions) - window)]  # (n,)
    new = torch.arange(len(columns))
    angles = (new - positions[columns])[:, None] * omega  # (n, D/2)
    c, s = angles.cos(), angles.sin()
    a, b = keys[:, :, columns].chunk(2, dim=-1)
    return torch.cat((a * c - b * s, a * s + b * c), dim=-1), new
    ### END SOLUTION


# %% check="evict_and_shift"
check("evict_and_shift", evict_and_shift)

# %% [markdown] lang="en"
# The reference does the same with `shift_keys`. To check a shift, turn the un-rotated keys afresh,
# at their new positions (`cache` is that of 8.9, tokens 0 to 10).

# %% [markdown] lang="zh"
# 参考实现用`shift_keys`做同样的事。验证的办法是：把未旋转的键按新位置从头转一遍，两者应当相同
# （`cache`是8.9节的那个，存着词元0到10）。

# %%
kept = evict(cache, sinks=2, window=3)
new = cache_positions(kept)
moved = shift_keys(kept.keys, kept.positions, new, omega, layout="half")
fresh = turn(project(words)[1][:, :, kept.positions[0]], new)
print(kept.positions[0].tolist(), "→", new[0].tolist())
print("moved = fresh:", torch.allclose(moved, fresh))

# %% [markdown] lang="en"
# The window moves along by one token per step, so it is tempting to turn the stored keys back by 1
# at *every* step and store them again. In exact arithmetic that is the same. Each time, though, the
# key is rounded to the dtype of the cache. Guess the error after 1024 steps in bfloat16, relative
# to the key.

# %% [markdown] lang="zh"
# 窗口每步移动一个词元，所以很容易想到*每*一步都把存着的键反向转1个位置，再存回去。算术精确的话，
# 这没有区别；但每存一次，键就按缓存的dtype舍入一次。猜猜bfloat16走1024步之后，
# 键的相对误差有多大。

# %% tags=["nbval-ignore-output", "predict"] reason="roundings of 1024 steps vary by processor"
STEPS = 1024
rng = torch.Generator().manual_seed(0)
key = torch.randn(1, 1, 1, 128, generator=rng)
turns = frequencies(128)


def shifted(x, start, to):
    return shift_keys(x, torch.tensor([start]), torch.tensor([to]), turns, layout="half")


def drift(dtype, every):
    """Return the relative errors of a key that goes from STEPS down to 0, stored in dtype."""
    errors, stored = [], shifted(key, 0, STEPS).to(dtype)
    first = stored
    for p in range(STEPS - 1, -1, -1):
        stored = shifted(stored, p + 1, p) if every else shifted(first, STEPS, p)
        if p % 32 == 0:
            want = shifted(first.double(), STEPS, p)
            errors.append(((stored - want).norm() / want.norm()).item())
    return errors


ways = {"bfloat16": torch.bfloat16, "float16": torch.float16, "float32": torch.float32}
stepwise = {name: drift(dtype, every=True) for name, dtype in ways.items()}
once = drift(torch.bfloat16, every=False)
steps = torch.arange(32, STEPS + 1, 32)
picture(
    Curves(
        [
            *(Curve(steps, e, label.every_step.format(n=n)) for n, e in stepwise.items()),
            Curve(steps, once, label.bfloat16_once),
        ],
        **label.moved_key(),
        y_scale="log",
        y_limits=(1e-7, 2),
        markers=True,
    )
)

for name, errors in stepwise.items():
    print(f"{name:8}, every=True:  {errors[-1]:.0e}")
print(f"bfloat16, every=False: {once[-1]:.0e}")

# %% [markdown] lang="en"
# *Picture: error against steps, logarithmic: three dtypes turned at every step, bfloat16 also
# turned once.*
#
# Turned at every step, bfloat16 climbs to half the size of the key; float16, with three bits
# more, ends at about a seventh of that; float32 stays below $10^{-4}$. Turned once, bfloat16 stays
# at about 0.002.
#
# Keep the key as first stored, with its position, and turn once. The `SinkCache` of
# Hugging Face transformers 4.38 turned at every step, with cosines and sines rounded too.

# %% [markdown] lang="zh"
# *图：横轴为步数，纵轴为键的误差，取对数刻度；三条线是三种dtype，每一步都转，
# 另一条是只转一次的bfloat16。*
#
# 每一步都转时，bfloat16的误差一直升到键本身大小的一半；
# float16的尾数多三位，最后的误差约为bfloat16的七分之一；float32的始终在$10^{-4}$以下。
# 只转一次时，bfloat16的误差停在0.002左右，不随步数增长。
#
# 要保留最初存下的键和它的位置，用时一次转到位。Hugging Face transformers 4.38的`SinkCache`
# 就是每步转的，连余弦和正弦也舍入过。

# %%
# The text above holds on this machine too.
assert stepwise["bfloat16"][-1] > 0.1 > 10 * once[-1]
assert stepwise["bfloat16"][-1] > stepwise["float16"][-1] > stepwise["float32"][-1]

# %% [markdown] lang="en" way="everything"
# ## 8.12 Six ways it goes wrong, silently
#
# Here is the layer of 8.2 once more, right (`none`) and then with five of the faults put in one by
# one: new tokens counted from 0 (`zero`); decoded tokens, not the prompt, one place too far
# (`off_by_one`); the mask aligned with the `top_left`; cached keys turned once more at every step
# (`twice`); `columns` counted as positions. None raises an error, and no shape changes. First the
# test of section 8.2, *decoding = one pass*: it catches a fault if the difference is not 0. Which
# ones?

# %% [markdown] lang="zh" slide="show"
# ## 8.12 六种悄无声息的错法
#
# 还是8.2节的那个层，先不植入错误（`none`），再逐一植入前五种：新词元一律从位置0算起（`zero`）；
# prompt之后的词元，位置都多1（`off_by_one`）；掩码与左上角对齐（`top_left`）；
# 缓存里的键每步都再转一遍（`twice`）；把列数当作位置（`columns`）。哪一种都不报错，形状也都不变。
# 先用8.2节的测试“*解码=一次算完*”，差不为0就是查出来了。它查得出哪几种？


# %%
def faulty(fault):
    def step(x, at, cache=None):
        past = 0 if cache is None else cache.keys.shape[2]
        stand = at  # where the new tokens are taken to stand
        if fault == "zero":
            stand = at - at[:, :1]
        if fault == "off_by_one" and past:
            stand = at + 1
        if fault == "columns":
            stand = past + torch.arange(x.shape[1])[None]
        if fault == "twice" and past:
            cache = cache._replace(keys=turn(cache.keys, cache.positions))
        q, k, v = project(x)
        cache = append(cache, turn(k, stand), v, at)
        mask = causal_mask(at, cache.positions)
        if fault == "top_left":
            mask = torch.ones_like(mask).tril()
        return attention(turn(q, stand), cache.keys, cache.values, mask[:, None]), cache

    return step


for fault in ("none", "zero", "off_by_one", "top_left", "twice", "columns"):
    gap = (decode(words, 6, faulty(fault)) - whole(words))[:, :, 6:].abs().max()
    print(f"{fault:10}: {gap:.2f}")

# %% [markdown] lang="en"
# Four are caught. The fifth is not: on a whole cache columns *are* positions.
#
# `top_left` needs no mistake in a mask of your own: `is_causal=True` aligns its triangle with the
# top left, which for one query hides every key but the first. Its output is then the value of key
# 0, as the next cell checks.

# %% [markdown] lang="zh"
# 查出了四种。第五种没查出来，因为缓存完整时列号*就是*位置。
#
# `top_left`这种错，不必自己写掩码也会犯：`is_causal=True`的三角形与左上角对齐，只有一个查询时，
# 除第一个键外全被遮住，输出就是键0的值。下面验证。

# %%
q, k, v = project(words)
seen = F.scaled_dot_product_attention(q[:, :, 11:], k, v, is_causal=True)
print("seen = v[:, :, :1]:", torch.allclose(seen, v[:, :, :1]))

# %% [markdown] lang="en"
# Now a second test, *after eviction = attention with a mask*, with the `masked` of section 8.9,
# for `none` and `columns`:

# %% [markdown] lang="zh"
# 再做第二个测试“*驱逐之后=带掩码的注意力*”，后者就是8.9节的`masked`；
# 用它查`none`和`columns`：

# %%
for fault in ("none", "columns"):
    _, cache = layer(words[:, :11], torch.arange(11)[None])
    kept = evict(cache, sinks=0, window=4)
    out, _ = faulty(fault)(words[:, 11:], next_positions(kept, batch=1), kept)
    gap = (out - masked).abs().max()
    print(f"{fault:10}: {gap:.2f}")

# %% [markdown] lang="en"
# A sixth fault, rotated *values* (chapter 5), passes both tests if there is no correct reference
# such as `whole` to compare with: prefill and decode are then wrong in the same way. It takes a
# third test: moving the whole text must change nothing (where scores see distances alone, as with
# RoPE, ALiBi and T5; added sinusoids and learned rows do change). **No single test is enough.** You
# need three: decoding = one pass; evicted (not renumbered) = masked; shifted = unshifted. The cell
# runs them in this order, the third on the correct layer too.

# %% [markdown] lang="zh" slide="show"
# 第六种错误是把*值*也旋转了（第5章）。平时手边没有`whole`这样正确的层，
# 只能拿同一层的结果互相对照；这时预填充和解码错得一模一样，前两个测试都能通过。
# 所以还要第三个测试：整段文本平移，结果不变
# （只适用于得分只看距离的编码，如RoPE、ALiBi、T5；相加的正弦和可学习的行本来就会变）。
# **单靠一个测试不够。** 要三个：解码=一次算完；驱逐（不重新编号）=掩码；平移=不平移。
# 下面依次做这三个，最后一行对没有错的层再做一次平移。


# %%
def turns_values(x, at, cache=None):
    q, k, v = project(x)
    cache = append(cache, turn(k, at), turn(v, at), at)
    return attend(turn(q, at), at, cache), cache


at = torch.arange(12)[None]
one_pass = turns_values(words, at)[0]
print(f"decode − one_pass: {(decode(words, 6, turns_values) - one_pass).abs().max():.2f}")
kept = evict(turns_values(words[:, :11], at[:, :11])[1], sinks=0, window=4)
out, _ = turns_values(words[:, 11:], at[:, 11:], kept)
q, k, v = project(words)
own = attention(turn(q, at)[:, :, 11:], turn(k, at), turn(v, at), mask=allowed)
print(f"out − own:         {(out - own).abs().max():.2f}")
print(f"at + 40:           {(turns_values(words, at + 40)[0] - one_pass).abs().max():.2f}")
moved = (layer(words, at + 40)[0] - layer(words, at)[0]).abs().max()
print(f"layer, at + 40:    {moved:.2f}")

# %% [markdown] lang="en" way="everything"
# ## 8.13 Bug clinic
#
# The fourth fault as people write it: half of the code assumes that the cache holds rotated keys,
# the other half that it does not. **Symptom:** a stored key, here key 2, moves at every step.
# (`turned` is right; so is `first`, while the cache has no gaps.) Where does it stand after token
# $t=3,4,5$?

# %% [markdown] lang="zh" slide="show"
# ## 8.13 Bug诊所
#
# 第四种错误，平时是这样写出来的：一半代码把缓存当作旋转过的，另一半当作没有旋转过。
# **症状：** 存好的键（这里看键2）每一步都在移动。（`turned`本身没有错；缓存没有缺口时，
# `first`也没有错。）词元$t=3,4,5$之后，它各到了哪个位置？


# %%
def turned(x, at, omega):  # x (B, H, L, D), half-split, at positions (L,)
    (a, b), angles = x.chunk(2, dim=-1), at[:, None] * omega
    c, s = angles.cos(), angles.sin()
    return torch.cat((a * c - b * s, a * s + b * c), dim=-1)


def rotates_what_it_reads(keys, k, position, omega):
    grown = torch.cat((keys, k), dim=2)
    first = int(position[0]) - keys.shape[2]
    return turned(grown, torch.arange(first, first + grown.shape[2]), omega)


_, k, _ = project(words)
cached = turn(k[:, :, :3], torch.arange(3)[None])
for t in (3, 4, 5):
    cached = rotates_what_it_reads(cached, k[:, :, t : t + 1], torch.tensor([t]), omega)
    at_each = turn(k[:, :, 2:3].expand(-1, -1, 30, -1), torch.arange(30)[None])  # at 0 … 29
    place = (at_each - cached[:, :, 2:3]).norm(dim=-1).sum(1).argmin()
    print(f"t = {t}: p = {place}")

# %% [markdown] lang="en"
# At 4, 6, 8: key 2 goes on by 2 at every step, key 1 by 1; only key 0 stays.

# %% [markdown] lang="zh"
# 到了4、6、8：键2每步多走2，键1每步多走1，只有键0不动。


# %% exercise="mend_double_rotation" mends="rotates_what_it_reads"
def mend_double_rotation(keys, k, position, omega):
    """Return the rotated cache with the new keys, shape (B, H, L + new, D)."""
    ### BEGIN SOLUTION
    angles = position[:, None] * omega  # (new, D/2)
    c, s = angles.cos(), angles.sin()
    a, b = k.chunk(2, dim=-1)
    return torch.cat((keys, torch.cat((a * c - b * s, a * s + b * c), dim=-1)), dim=2)
    ### END SOLUTION


# %% check="mend_double_rotation"
check("mend_double_rotation", mend_double_rotation)

# %% [markdown] lang="en" way="everything"
# ## 8.14 What is not true
#
# **"A cache is an approximation."** In section 8.2 it differs by rounding alone: matrix products of
# another shape add their terms in another order. Eviction is an approximation, a cache is not.
#
# **"A rotated cache cannot be moved."** It can, by the difference (section 8.11). Other
# *frequencies* take more: the position of each key, and the frequencies that it was turned with.
# With dynamic NTK these differ from key to key; here they are one `omega` (`slow` and `scaled` are
# those of 8.5):

# %% [markdown] lang="zh" slide="show"
# ## 8.14 哪些说法不对
#
# **“缓存是一种近似。”** 8.2节里只差舍入，因为形状不同，求和次序就不同。驱逐是近似，缓存不是。
#
# **“旋转过的缓存不能移动。”** 能，按差值转就行（8.11节）。但要换*频率*，
# 就得知道每个键的位置和当初转它所用的频率。用动态NTK时，各个键的频率不同；
# 这里都是同一个`omega`（`slow`和`scaled`取自8.5节）：

# %%
p, (_, k, _) = torch.arange(12)[None], project(words)
back = rotate(turn(k, p), rope_angles(-p, omega), layout="half")  # undone: positions are known
refitted = rotate(back, rope_angles(p, slow), layout="half")
print("refitted = scaled(k, p):", torch.allclose(refitted, scaled(k, p)))

# %% [markdown] lang="en"
# **"Without sinks a window ruins a model."** It ruined Llama 2 (8.10). A small model of this
# course, two layers trained on windows of 128 bytes (chapter 14 takes it apart), reads 384 bytes,
# eight at a time; after each eight, the cache is treated in one of four ways: keep all; keep the
# latest 64; keep four sinks and the latest 60; the same, renumbered. (Its cache holds un-rotated
# keys, so renumbering changes the stored positions alone.) Each way has a line, which begins with
# the numbers kept, sinks + latest columns. The loss is the mean over the last 128 bytes of eight
# such texts, in nats per byte (in 7.9 about 1.7 within 128 bytes): which way is the worst?

# %% [markdown] lang="zh"
# **“没有汇点，只留窗口，模型就垮了。”** Llama 2确实如此（8.10节）。本课程有个两层的小模型，
# 训练时每段128个字节（第14章会把它拆开看），这里让它每次读八个字节，一共读384个；每读八个，
# 就按下面的一种做法处理一次缓存。（它的缓存存的是未旋转的键，用时才转，所以重新编号只要改位置。）
# 做法有四种：全部保留；只留最后64列；留四个汇点和最后60列；同上，再重新编号。
# 每种一行，行首是“汇点数 + 留下的最后几列”。
# 损失是八段这样的文本里最后128个字节的平均
# （每字节，单位是奈特，nat；7.9节里，128个字节以内约为1.7）：哪种做法最差？

# %% tags=["predict"]
reader, stream = glass("text", "rope"), text_part("test").unfold(0, 385, 385)[:8]
ways = ((0, 384, False), (0, 64, False), (4, 60, False), (4, 60, True))
for sinks, window, renumber in ways:
    decoding, each = DecodingCache(layers=2), []
    for begin in range(0, 384, 8):
        with torch.no_grad():
            logits = reader(stream[:, begin : begin + 8], cache=decoding)
        each.append(F.cross_entropy(logits.mT, stream[:, begin + 1 : begin + 9]))
        layers = [evict(layer, sinks=sinks, window=window) for layer in decoding.layers]
        if renumber:
            layers = [layer._replace(positions=cache_positions(layer)) for layer in layers]
        decoding.layers = layers
    loss = torch.stack(each[-16:]).mean()
    print(f"{sinks} + {window:3}, renumber={renumber!s:5}: {loss:.2f}")

# %% [markdown] lang="en"
# Keeping all is worst, since its distances grow past 128. The window alone does well: this model
# does not lean on its first tokens (chapter 14 prints the weights). As long as all keys keep their
# positions, four sinks *cost* something: they drift ever further away. Once what is kept is
# renumbered, they are free.
#
# **Whether a model has sinks must be measured; with RoPE, distances have to stay within training
# either way.**

# %% [markdown] lang="zh"
# 全部保留最差，因为距离超出了128。只留窗口反而好：这个模型并不依赖开头的词元
# （权重见第14章）。各键都不改编号时，四个汇点会越离越远，反而*有害*；
# 把留下的都重新编号，就没有代价了。
#
# **有没有汇点，要量了才知道；而用RoPE时，不管有没有，距离都不能超出训练的范围。**

# %% [markdown] lang="en" way="everything"
# ## 8.15 In real models
#
# | where | what it does | what to set |
# |---|---|---|
# | Meta's Llama code | rotated cache, `start_pos` tokens came before | `start_pos` |
# | GPT-2 (OpenAI) | learned row `past + t`, up to 1024 | positions from the mask, if padded |
# | transformers, `generate` | positions counted from the mask | `position_ids` in your own loop |
# | BLOOM | ALiBi as $m_hj$, the same row for every query | the mask, if padded |
# | vLLM | paged cache (PagedAttention), prefixes reused | positions in the text, not page slots |
# | T5's decoder | the bias of layer 0, rows from `past_seen_tokens` on | pass it on to all layers |
# | StreamingLLM | un-rotated keys, positions in the cache | 4 sinks, a window |

# %% [markdown] lang="zh"
# ## 8.15 在真实模型中
#
# | 哪里 | 怎么做 | 要设什么 |
# |---|---|---|
# | Meta的Llama代码 | 旋转过的缓存，前面有`start_pos`个词元 | `start_pos` |
# | GPT-2（OpenAI） | 可学习的第`past + t`行，到1024为止 | 有填充时，由掩码得到位置 |
# | transformers的`generate` | 由掩码数出位置 | 自己写循环时的`position_ids` |
# | BLOOM | ALiBi写成$m_hj$，一行供所有查询用 | 有填充时，给出掩码 |
# | vLLM | KV缓存分页存放（PagedAttention），公共前缀可复用 | 位置按文本来数，不按页里的槽位 |
# | T5的解码器 | 第0层算出偏置，从第`past_seen_tokens`行取起 | 把它交给每一层 |
# | StreamingLLM | 未旋转的键，缓存内的位置 | 4个汇点，一个窗口 |

# %% [markdown] lang="en"
# ### Think: one cache, two uses
#
# A server keeps the rotated cache of a long common beginning (a system prompt of 500 tokens) and
# reuses it for every conversation (*prefix caching*). A colleague wants to go further: cache a
# paragraph once and insert it into different texts at different places. For which of the two are
# the stored keys and values right? In the other, what can be put right by turning, of keys and of
# values, and what stays wrong? Two or three sentences in the next cell.
#
# On your own: write your answer first, then check it with question 8 of the self-test at
# the end of this chapter.

# %% [markdown] lang="zh"
# ### 想一想：一份缓存，两种用法
#
# 某服务器为一段很长的公共开头（500个词元的system prompt）保存了旋转过的缓存，每次对话都拿来复用，
# 这叫前缀缓存（prefix caching）。一位同事想更进一步，把某个段落缓存一次，插到不同文本的不同位置。
# 哪种用法里存下的键和值是对的？另一种里，键和值各要不要靠旋转来修正？修正之后还有什么不对？
# 在下一个单元格里写两三句话。
#
# 自学的话，先写下自己的答案，再用本章末尾自测的第8题核对。

# %% [markdown] thinking="cached_paragraph" points=3
# <div lang="en">
#
# **Model answer.** The common beginning is right: its tokens have the same positions every time,
# and with a causal mask their keys and values depend only on themselves, in every layer. The
# paragraph is not: turning its keys by the difference fixes the positions (values need no
# turn), but from the second layer on its keys *and values* were computed from what came before it
# when it was cached. In another text other words are there, so the stored vectors are those of the
# wrong context; only the first layer is exact. (It may still be a useful approximation, and has to
# be measured as one.)
#
# **Points.** 1 for "the prefix is exact, because nothing before it changes (causal mask, same
# positions)"; 1 for "keys can be moved by turning by the difference, values need no turn"; 1 for
# "from the second layer on keys and values depend on the earlier context, so the inserted paragraph
# is not exact".
#
# </div>
# <div lang="zh">
#
# **参考答案。** 公共开头是对的。它的词元每次都在同样的位置；有因果掩码时，
# 它们的键和值在每一层都只取决于它们自己。段落则不对：按差值旋转键可以修正位置
# （值不必转），但从第二层起，它的键*和值*是由缓存时前面的内容算出来的。换一篇文本，前面的词不同，
# 存下的向量属于错误的上下文；只有第一层是精确的。（它或许仍是有用的近似，但要当作近似来测量。）
#
# **评分。** 说出“开头是精确的，因为它前面没有东西会变（因果掩码、位置相同）”得1分；
# 说出“键可以按差值旋转来移动，值不用转”得1分；
# 说出“从第二层起键和值取决于前文，所以插入的段落不精确”得1分。
#
# </div>

# %% [markdown] lang="en" way="everything"
# ## 8.16 Take-away
#
# - With a causal mask nothing of an old token changes: keep keys and values, not queries.
# - $3d^2+2nd$ instead of $n(3d^2+2nd)$ multiplications for token $n$. Linear, not constant.
# - The new token's position is the largest stored position, padding aside, plus one. Do not count
#   columns.
# - RoPE: turn once, then store; turn by the difference to move. Other frequencies need the
#   un-rotated key, or its position and old frequencies.
# - A rotation between two matrices forbids multiplying them beforehand: latent attention gives RoPE
#   channels of its own.
# - A bias needs one row. A learned table ends. Packed documents need a document mask.
# - Through $n$ local layers a token reaches $n(w-1)$ back; one global layer reaches everything.
# - If the model has sinks, keep them and renumber all that is kept; if not, a window alone will do.
#   Move keys in one turn, never step by step in 16 bits.
# - Three tests: decoding = one pass; evicted (not renumbered) = masked; where scores see distances
#   alone, shifted = unshifted.

# %% [markdown] lang="zh" slide="show"
# ## 8.16 本章要点
#
# - 有因果掩码时，旧词元的一切都不变：保存键和值，不保存查询。
# - 第$n$个词元的乘法从$n(3d^2+2nd)$次降到$3d^2+2nd$次：仍随长度线性增长，不是常数。
# - 新词元的位置是存下的最大位置（填充不算）加1。不要按列数推算。
# - RoPE：转一次再存；要移动，就按差值转。要换频率，需要未旋转的键，或者它的位置和旧频率。
# - 两个矩阵之间夹着旋转，就没法预先乘到一起，所以隐向量注意力给RoPE另设通道。
# - 偏置只要一行。可学习的表有尽头。打包的文档要有文档掩码。
# - $n$个局部层叠起来，最远看到$n(w-1)$个词元之前；有一个全局层，就看得到全部。
# - 模型若有attention sink，就留下它，并把留下的都重新编号；没有的，只留窗口也行。
#   移动键要一次转到位；存成16位时，绝不能一步一步累加着转。
# - 三个测试：解码=一次算完；驱逐（不重新编号）=掩码；得分只看距离时，平移=不平移。

# %%
quiz("kv_cache")

# %% [markdown] lang="en" way="everything"
# ## Further reading
#
# - J. Ainslie, J. Lee-Thorp, M. de Jong, Y. Zemlyanskiy, F. Lebrón, S. Sanghai: *GQA: Training
#   Generalized Multi-Query Transformer Models from Multi-Head Checkpoints*. EMNLP 2023.
#   [arXiv:2305.13245](https://arxiv.org/abs/2305.13245). Grouped-query attention.
# - G. Xiao, Y. Tian, B. Chen, S. Han, M. Lewis: *Efficient Streaming Language Models with Attention
#   Sinks*. ICLR 2024. [arXiv:2309.17453](https://arxiv.org/abs/2309.17453). §3.2 renumbers in the
#   cache.
# - B. Peng, J. Quesnelle, H. Fan, E. Shippole: *YaRN: Efficient Context Window Extension of Large
#   Language Models*. ICLR 2024. [arXiv:2309.00071](https://arxiv.org/abs/2309.00071). §3.3 on
#   dynamic scaling and caches.
# - DeepSeek-AI: *DeepSeek-V2: A Strong, Economical, and Efficient Mixture-of-Experts Language
#   Model*. 2024. [arXiv:2405.04434](https://arxiv.org/abs/2405.04434). §2.1 on latent attention.
# - M. M. Krell, M. Kosec, S. P. Perez, A. Fitzgibbon: *Efficient Sequence Packing without
#   Cross-contamination*. 2021. [arXiv:2107.02027](https://arxiv.org/abs/2107.02027).
# - N. Shazeer: *Fast Transformer Decoding: One Write-Head is All You Need*. 2019.
#   [arXiv:1911.02150](https://arxiv.org/abs/1911.02150). Why decoding is bound by memory bandwidth.

# %% [markdown] lang="zh"
# ## 延伸阅读
#
# - J. Ainslie, J. Lee-Thorp, M. de Jong, Y. Zemlyanskiy, F. Lebrón, S. Sanghai：*GQA: Training
#   Generalized Multi-Query Transformer Models from Multi-Head Checkpoints*。EMNLP 2023。
#   [arXiv:2305.13245](https://arxiv.org/abs/2305.13245)。分组查询注意力。
# - G. Xiao, Y. Tian, B. Chen, S. Han, M. Lewis：*Efficient Streaming Language Models with Attention
#   Sinks*。ICLR 2024。[arXiv:2309.17453](https://arxiv.org/abs/2309.17453)。
#   §3.2讲在缓存里重新编号。
# - B. Peng, J. Quesnelle, H. Fan, E. Shippole：*YaRN: Efficient Context Window Extension of Large
#   Language Models*。ICLR 2024。[arXiv:2309.00071](https://arxiv.org/abs/2309.00071)。
#   §3.3谈到动态缩放与缓存。
# - DeepSeek-AI：*DeepSeek-V2: A Strong, Economical, and Efficient Mixture-of-Experts Language
#   Model*。2024。[arXiv:2405.04434](https://arxiv.org/abs/2405.04434)。§2.1讲隐向量注意力。
# - M. M. Krell, M. Kosec, S. P. Perez, A. Fitzgibbon：*Efficient Sequence Packing without
#   Cross-contamination*。2021。[arXiv:2107.02027](https://arxiv.org/abs/2107.02027)。
# - N. Shazeer：*Fast Transformer Decoding: One Write-Head is All You Need*。2019。
#   [arXiv:1911.02150](https://arxiv.org/abs/1911.02150)。解码为什么受访存带宽限制。
