# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
#   kernelspec: {display_name: Python 3, language: python, name: python3}
#   posenc:
#     title: {en: Relative positions, zh: 相对位置编码}
#     question:
#       en: "How can attention see how far apart two tokens are, instead of where each one is?"
#       zh: 怎样直接告诉注意力两个词元相隔多远，而不是各自在哪里？
# ---

# %% [markdown] lang="en" way="weekend"
# # 4 · Relative positions
#
# "The word before" means the same on page 1 and on page 40. To the model of the last two chapters
# it does not: it counts positions from the start of the text, and they get into its scores. Between
# 2018 and 2021 five papers took them out again, each in its own way, and each left traces in models
# that you load today.
#
# **You will** split a score into its four terms, see what Shaw, Transformer-XL, XLNet, T5 and
# DeBERTa do to each, write the core of four of the five, and fix two bugs that raise no error.
#
# **You need** chapters 1 and 2; chapter 3 for the comparison. About {minutes} minutes, 23 points,
# and 3 more for a question that a teacher grades.

# %% [markdown] lang="zh"
# # 4 · 相对位置编码
#
# “前一个词”在第1页和第40页是一个意思，前两章的模型却不这么看：它从文本开头数词元（token），
# 数出的位置也进了得分。2018年到2021年，五篇论文各用各的办法把这样的位置从得分里请了出去，
# 每一种都在你今天加载的模型里留下了痕迹。
#
# **你将**把一个得分拆成四项，看Shaw、Transformer-XL、XLNet、T5和DeBERTa各自怎样处理每一项，
# 写出其中四种的核心代码，再修好两个运行时不报错的错误。
#
# **你需要**第1章和第2章的内容；做对比时要用到第3章。约{minutes}分钟，共23分，
# 另有一道由教师评分的题，3分。

# %%
import math

import torch
import torch.nn.functional as F

from autograde import answer, check, hint, progress, quiz
from bilingual.switch import language_switch
from posenc_ref import (
    attention,
    attention_weights,
    bert_relative_scores,
    deberta_bucket,
    deberta_scores,
    deberta_terms,
    positions,
    rel_shift_bidirectional,
    relative_positions,
    shaw_scores,
    shaw_values,
    t5_bucket,
    transformer_xl_terms,
    xlnet_scores,
)
from posenc_viz import Curve, Curves, HeatMap, Matrix, Ruler, explore, picture
from posenc_viz.labels import relative as label

torch.set_num_threads(1)
language_switch()

# %% [markdown] lang="en" way="weekend"
# ## 4.1 The same sentence, forty tokens later
#
# Six words are at the start of a text. Then the same six words come forty tokens later. Among
# themselves nothing has changed. With a position vector added to every word, as in chapters 2 and
# 3, how much do their attention scores change? Guess: how large is the largest change, $|\Delta|$,
# compared with the largest score, $|S|$?

# %% [markdown] lang="zh" slide="show"
# ## 4.1 同一句话，晚了四十个词元
#
# 六个词位于文本开头；再让同样的六个词晚四十个词元出现，它们彼此的距离毫无变化。
# 像第2、3章那样给每个词加上位置向量，
# 它们之间的注意力得分（attention score，也叫注意力分数）会变多少？
# 猜一猜：最大的变化$|\Delta|$与最大的得分$|S|$相比，有多大？

# %%
rng = torch.Generator().manual_seed(0)
L, D = 6, 32
x = torch.randn(L, D, generator=rng, dtype=torch.float64)  # six words
table = torch.randn(100, D, generator=rng, dtype=torch.float64)  # stands for a learned table
W_Q, W_K = torch.randn(2, D, D, generator=rng, dtype=torch.float64) / math.sqrt(D)


def absolute_scores(start):
    h = x + table[start : start + L]  # (L, D)
    return (h @ W_Q) @ (h @ W_K).T / math.sqrt(D)


change = (absolute_scores(40) - absolute_scores(0)).abs().max()
print(f"max |S| = {absolute_scores(0).abs().max():.1f}, max |Δ| = {change:.1f}")

# %% [markdown] lang="en"
# The largest change is about three quarters of the largest score. (The table is random.) To such a
# model this is a new sentence: nothing guarantees that what a head learned at positions 0 to 5
# holds at 40 to 45.
#
# With sinusoids the vectors at both places are related (chapter 2), but the scores still change;
# 5.1 measures it.

# %% [markdown] lang="zh"
# 变化的最大值约为得分最大值的四分之三（这里的表是随机数）。在模型眼里，这等于换了一句话：
# 一个头在位置0到5学到的东西，换到位置40到45，就不能保证还管用。
#
# 换成正弦编码，两处的向量有联系（第2章），但得分照样会变，5.1节会实测。

# %% [markdown] lang="en" way="weekend"
# ## 4.2 Four terms
#
# Write the score of query $i$ and key $j$ with $A=W_QW_K^\top/\sqrt D$, $D$ the dimension of the
# head, and multiply out:
#
# $$(x_i+p_i)A(x_j+p_j)^\top=\underbrace{x_iAx_j^\top}_{\text{word–word}}
# +\underbrace{x_iAp_j^\top}_{\text{word–position}}+\underbrace{p_iAx_j^\top}_{\text{position–word}}
# +\underbrace{p_iAp_j^\top}_{\text{position–position}}$$
#
# (For word–position, papers also say content-to-position, and so on.)

# %% [markdown] lang="zh" slide="show"
# ## 4.2 四项
#
# 记$A=W_QW_K^\top/\sqrt D$，$D$是头的维度，把查询$i$与键$j$的得分展开：
#
# $$(x_i+p_i)A(x_j+p_j)^\top=\underbrace{x_iAx_j^\top}_{\text{word–word}}
# +\underbrace{x_iAp_j^\top}_{\text{word–position}}+\underbrace{p_iAx_j^\top}_{\text{position–word}}
# +\underbrace{p_iAp_j^\top}_{\text{position–position}}$$
#
# 依次是“词对词”“词对位置”“位置对词”“位置对位置”
# （“词对位置”在论文里也写作content-to-position，余类推）。

# %%
A = W_Q @ W_K.T / math.sqrt(D)


def terms_of_absolute(start):
    p = table[start : start + L]
    return x @ A @ x.T, x @ A @ p.T, p @ A @ x.T, p @ A @ p.T


print(torch.allclose(sum(terms_of_absolute(7)), absolute_scores(7)))

# %% [markdown] lang="en"
# They add up. Now move the sentence. Which of the four maps stay as they are?

# %% [markdown] lang="zh" slide="show"
# 四项之和就是得分。现在把句子挪一挪，四张图里哪些不变？


# %%
def four_maps(terms, start):
    looks = {"limits": (-3, 3), "colours": "RdBu_r", "square": True}
    return tuple(
        HeatMap(term, **label.scores(name=name, start=start), **looks)
        for term, name in zip(terms, label.terms, strict=True)
    )


def moved_sentence(start):
    return four_maps(terms_of_absolute(start), start)


explore(moved_sentence, **label.moved_sentence, start=(0, 90))

# %% [markdown] lang="en"
# *Picture: four 6 × 6 heat maps of signed scores, without any pattern.*
#
# While the start moves, only the first map, word–word, keeps its colours: the other three terms
# contain a position counted from the start of the text. Every method in this chapter **keeps the
# first term and takes the absolute positions out of the other three: each gets the relative
# position $j-i$ instead, or a learned constant, or is dropped.**

# %% [markdown] lang="zh" slide="show"
# *图：四张6×6的热力图，得分有正有负，看不出规律。*
#
# 拖动起点时，只有第一张“词对词”颜色不变，其余三项都含有从文本开头数起的位置。
# 本章所有方法的思路都是：
# **保留第一项；其余各项，要么把位置换成相对位置$j-i$，要么换成可学习的常量，要么干脆丢掉。**

# %% [markdown] lang="en"
# | method | word–word | word–position | position–word | position–position |
# |---|---|---|---|---|
# | Shaw 2018 | kept | query · distance vector | dropped | dropped |
# | Transformer-XL 2019 | kept | query · sinusoid | a vector · key | a vector · sinusoid |
# | T5 2020 | kept | dropped | dropped | a number |
# | DeBERTa 2021 | kept | query · distance vector | key · distance vector | dropped |
#
# The sinusoid and the number depend on the distance, too; XLNet has Transformer-XL's row; 4.7
# writes all of it out in symbols. Some of the papers' code counts $j-i$, some $i-j$: only a
# convention, but trained weights depend on it. In this course "relative position" is always key
# minus query, $j-i$.

# %% [markdown] lang="zh" slide="show"
# | 方法 | 词对词 | 词对位置 | 位置对词 | 位置对位置 |
# |---|---|---|---|---|
# | Shaw 2018 | 保留 | 查询·距离向量 | 丢掉 | 丢掉 |
# | Transformer-XL 2019 | 保留 | 查询·正弦向量 | 一个向量·键 | 一个向量·正弦向量 |
# | T5 2020 | 保留 | 丢掉 | 丢掉 | 一个数 |
# | DeBERTa 2021 | 保留 | 查询·距离向量 | 键·距离向量 | 丢掉 |
#
# 正弦向量和那一个数也都随距离而定；XLNet与Transformer-XL相同；写成公式的表在4.7节。
# 各论文的代码有的数$j-i$，有的数$i-j$，这只是约定，但模型是按这个约定训练的，改不得。
# 本课程说“相对位置”，一律指键减查询，即$j-i$。

# %% [markdown] lang="en" way="weekend"
# ## 4.3 Shaw: a vector for each distance
#
# Shaw et al. (2018) give each distance a learned vector. Distances have no limit, but a table has
# only so many rows, so the distance is *clipped*: a key more than $m$ tokens before the query
# counts as $-m$, one more than $m$ after it as $m$. The table then has $2m+1$ rows.

# %% [markdown] lang="zh" slide="show"
# ## 4.3 Shaw：每个距离一个向量
#
# Shaw等（2018）给每个距离一个可学习的向量。距离没有上限，表的行数却有限，所以要*截断*（clip），
# 键在查询之前、相距超过$m$个词元的，一律算作$-m$；在查询之后、超过$m$个的，一律算作$m$。
# 这样表有$2m+1$行。


# %% exercise="shaw_rows"
def shaw_rows(q_positions, k_positions, largest):
    """Return clip(key − query, ±largest) + largest, shape (Lq, Lk)."""
    ### BEGIN SOLUTION
    relative = k_positions[None, :] - q_positions[:, None]  # (Lq, Lk)
    return relative.clamp(-largest, largest) + largest
    ### END SOLUTION


# %% check="shaw_rows"
check("shaw_rows", shaw_rows)

# %% [markdown] lang="en"
# The vector of the distance is added to the key, $e_{ij}=q_i\cdot(k_j+a^K_{ij})/\sqrt D$ (equation
# 4 of the paper), where $a^K_{ij}$ is the row of the table that you have just numbered ($K$: the
# table of the keys). That is the word–word term, and a word–position term with a distance in place
# of the position. Both are divided by $\sqrt D$.

# %% [markdown] lang="zh"
# 距离向量加在键上，$e_{ij}=q_i\cdot(k_j+a^K_{ij})/\sqrt D$（论文的式4），
# 其中$a^K_{ij}$就是刚才算出行号的那一行（$K$指键的表）。
# 展开就是“词对词”和“词对位置”两项，只是位置换成了距离；两项都除以$\sqrt D$。


# %% exercise="shaw_logits"
def shaw_logits(q, k, rows, table):
    """Return q · (k + table[rows]) / √D, shape (Lq, Lk)."""
    ### BEGIN SOLUTION
    distance = (q[:, None] * table[rows]).sum(dim=2)  # (Lq, Lk)
    return (q @ k.T + distance) / q.shape[1] ** 0.5
    ### END SOLUTION


# %% check="shaw_logits"
check("shaw_logits", shaw_logits)

# %% [markdown] lang="en"
# Why a vector and not a number? Because what a distance is worth depends on the query. Below are
# two queries and one table. Drag $m$: what happens to the ends of the curves?

# %% [markdown] lang="zh" slide="show"
# 为什么用向量，而不用一个数？因为同一个距离，对不同的查询价值不同。下面是两个查询、同一张表。
# 拖动$m$：曲线的两端会怎样？

# %%
rng = torch.Generator().manual_seed(1)
wide_table = torch.randn(41, D, generator=rng, dtype=torch.float64)
two_queries = torch.randn(1, 1, 2, D, generator=rng, dtype=torch.float64)


def worth(largest=6):
    narrow = wide_table[20 - largest : 21 + largest]  # (2m + 1, D)
    at, keys = torch.tensor([20, 20]), positions(41)  # both queries are at 20
    no_words = torch.zeros(1, 1, 41, D, dtype=torch.float64)
    scores = shaw_scores(two_queries, no_words, at, keys, narrow)[0, 0]  # (2, 41)
    return Curves(
        [
            Curve(keys - 20, scores[0], label.first_query),
            Curve(keys - 20, scores[1], label.second_query),
        ],
        **label.added(largest=largest),
        y_limits=(-3.5, 3.5),
        vlines=(-largest, largest),
    )


explore(worth, **label.worth, largest=(1, 20))

# %% [markdown] lang="en"
# *Picture: two jagged curves over −20 to 20, different from one another, with dashed lines at ±m.*
#
# Outside the dashed lines both curves are level: beyond $m$ a head can tell the side, but not the
# distance. If the training texts are longer than $m$, training has used every row that a longer
# text will look up. (A decoder uses only the rows of the query itself and of earlier keys.)

# %% [markdown] lang="zh"
# *图：距离向量给得分加上的值，横轴是相对位置，从−20到20；两条参差的曲线互不相同，
# ±m处各有一条虚线。*
#
# 虚线以外，两条曲线都是平的，也就是说，超过$m$以后，头只分得清在哪一侧，分不清多远。
# 只要训练文本比$m$长，用得到的行就都训练过，文本再长也查不到新的行
# （解码器只用得到表里“自己”和“更早”的那些行）。

# %% [markdown] lang="en" way="everything"
# ### The values too
#
# Scores decide *which* tokens a token reads. Shaw adds a second table to the *values*, so that the
# reading token also learns *where* those tokens are: $z_i=\sum_j\alpha_{ij}(v_j+a^V_{ij})$
# (equation 3), with attention weights $\alpha_{ij}$. If all words are equal, the part with $v_j$ is
# the same for every token, and only the part with $a^V_{ij}$ can differ. Below, every token attends
# to all eight equally; the table holds −1 for tokens before, 0 for the token itself, 1 for tokens
# after. The cell prints the second part alone. What is it for token 0, and how does it change up to
# token 7?

# %% [markdown] lang="zh"
# ### 值里也加
#
# 得分决定一个词元读*哪些*词元。Shaw还给*值*加了第二张表，
# 让这个词元也知道自己读到的词元*在哪里*：
# $z_i=\sum_j\alpha_{ij}(v_j+a^V_{ij})$（式3），$\alpha_{ij}$是注意力权重。如果所有的词都一样，
# $v_j$那一部分对各词元就都相同，只有$a^V_{ij}$那一部分可能不同。
# 下面每个词元都均匀地看全部八个，表里存的是：之前的词元−1，自己0，之后的词元1。
# 只打印后一部分：0号词元的是多少？从0号到7号又怎样变？

# %%
at = positions(8)
even = torch.full((1, 1, 8, 8), 1 / 8, dtype=torch.float64)  # attention weights
value_table = torch.tensor([[-1.0], [0.0], [1.0]])  # m = 1: before, self, after
print([round(z, 3) for z in shaw_values(even, at, at, value_table).flatten().tolist()])

# %% [markdown] lang="en"
# It is ⅞ for token 0, since all seven others come after; each step moves one token from after to
# before, which takes a quarter away, down to −⅞ for token 7. So the value table tells a token how
# much of the text is on each side of it.

# %% [markdown] lang="zh"
# 0号词元的是⅞，因为其余七个都在之后；每往后一个词元，“之后”少一个，“之前”多一个，就减去¼，
# 到7号词元为−⅞。也就是说，值的表让词元知道，文本有多少在它之前，有多少在它之后。

# %% [markdown] lang="en"
# ### No vector for each pair
#
# `table[rows]` has $L_q\cdot L_k\cdot D$ numbers. But a query meets only $2m+1$ *different*
# vectors: take the dot product with each of them once, then pick (*gather*). For the values it goes
# the other way round: first add up the weights that share a row (*scatter*), then multiply by the
# $2m+1$ vectors. Take $q_i\cdot a^K_{ij}$ alone, which comes out the same both ways (the cell
# checks it). Besides `rows` and the scores, which both need, how many numbers does each way store,
# at $L=4096$, $D=64$, $m=16$?

# %% [markdown] lang="zh"
# ### 不必为每一对存一个向量
#
# `table[rows]`有$L_q\cdot L_k\cdot D$个数。可是一个查询只会遇到$2m+1$个*不同*的向量，
# 可以先和它们各乘一次，再按行号取（*gather*）。值那边反过来：
# 先把落在同一行的权重加起来（*scatter*），再乘那$2m+1$个向量。
# 单看$q_i\cdot a^K_{ij}$，两种做法结果相同（单元格会核对）。
# `rows`和得分，两种做法都要存；此外，当$L=4096$、$D=64$、$m=16$时，各要存多少个数？

# %%
rng = torch.Generator().manual_seed(8)
q = torch.randn(50, D, generator=rng, dtype=torch.float64)
rows = relative_positions(positions(50), positions(50)).clamp(-16, 16) + 16  # (50, 50)
small = wide_table[4:37]  # (33, D)
slow = (q[:, None] * small[rows]).sum(-1)  # by way of (50, 50, D)
fast = (q @ small.T).gather(1, rows)  # by way of (50, 33)
print(torch.allclose(slow, fast))
print(f"{4096**2 * 64:,} → {4096 * 33:,}")

# %% [markdown] lang="en"
# The first stores $L^2D$ numbers, the second $L(2m+1)$: nearly 8000 times fewer.

# %% [markdown] lang="zh"
# 前者存$L^2D$个数，后者只存$L(2m+1)$个，相差近八千倍。

# %% [markdown] lang="en" way="everything"
# ## 4.4 Transformer-XL: the three terms with positions are replaced
#
# Dai et al. (2019) start from the four terms. The position of each *key*, $p_j$, becomes a sinusoid
# of the distance, $R_{i-j}$, with a projection $W$ of its own ($R_{i-j}$ is written as a column,
# and $WR_{i-j}$ is what `nn.Linear` computes). The position of each *query*, $p_iW_Q$, becomes a
# learned vector that is the same for all $i$, since positions no longer count from the start of the
# text: $u$ in the term with the words, $v$ in the term with the positions.
#
# $$\frac{q_i\cdot k_j+q_i\cdot WR_{i-j}+u\cdot k_j+v\cdot WR_{i-j}}{\sqrt D}$$

# %% [markdown] lang="zh" slide="show"
# ## 4.4 Transformer-XL：含位置的三项都有替代
#
# Dai等（2019）从这四项出发。*键*的位置$p_j$换成距离的正弦向量$R_{i-j}$，并配上自己的投影$W$
# （$R_{i-j}$写成列向量，$WR_{i-j}$就是`nn.Linear`所算的）。
# 既然不再从文本开头数位置，*查询*自己的位置$p_iW_Q$对所有$i$就没有区别，
# 可以换成共用的可学习向量：乘内容的那一项用$u$，乘位置的那一项用$v$。
#
# $$\frac{q_i\cdot k_j+q_i\cdot WR_{i-j}+u\cdot k_j+v\cdot WR_{i-j}}{\sqrt D}$$


# %% exercise="four_term_scores"
def four_term_scores(q, k, r, u, v):
    """Return ((q + u)·k + (q + v)·r) / √D, shape (Lq, Lk)."""
    ### BEGIN SOLUTION
    content = (q + u) @ k.T  # (Lq, Lk)
    position = ((q + v)[:, None] * r).sum(dim=2)  # (Lq, Lk)
    return (content + position) / q.shape[1] ** 0.5
    ### END SOLUTION


# %% check="four_term_scores"
check("four_term_scores", four_term_scores)

# %% [markdown] lang="en"
# What does each term depend on? Guess before you run: which one is the same for every query, and
# which is the same along every diagonal? (The names printed are the code's, in the order of the
# formula.)

# %% [markdown] lang="zh" slide="show"
# 每一项取决于什么？先猜再运行：哪一项对所有查询都一样？哪一项沿每条对角线都一样？
# （打印的是代码里的名字，四行依次是公式里的四项。）

# %% tags=["predict"]
rng = torch.Generator().manual_seed(2)
q, k = torch.randn(2, 1, 1, L, D, generator=rng, dtype=torch.float64)
u, v = torch.randn(2, 1, D, generator=rng, dtype=torch.float64)
W = torch.randn(D, D, generator=rng, dtype=torch.float64) / math.sqrt(D)
terms = transformer_xl_terms(q, k, positions(L), positions(L), u, v, W)
for name, term in zip(terms._fields, terms, strict=True):
    term = term.expand(1, 1, L, L)[0, 0]
    rows_equal = torch.allclose(term, term[:1].expand(L, L))
    diagonals_equal = torch.allclose(term[1:, 1:], term[:-1, :-1])
    print(f"{name:17} S[i] = S[0]: {rows_equal!s:5}  S[i+1, j+1] = S[i, j]: {diagonals_equal}")

# %% [markdown] lang="en"
# The third term (`bias_content`) is the same for every query, the fourth (`bias_position`) along
# every diagonal. $u\cdot k_j$ (the paper: *global content bias*) says "this word is worth reading,
# whichever token asks". $v\cdot WR_{i-j}$ (*global positional bias*) says "this distance is worth
# reading, whatever word is there". The other two depend on the query's word.

# %% [markdown] lang="zh"
# 对所有查询都一样的是第三项（`bias_content`），沿每条对角线都一样的是第四项（`bias_position`）。
# $u\cdot k_j$（论文叫global content bias）说的是“这个词值得看，不管谁来问”；
# $v\cdot WR_{i-j}$（global positional bias）说的是“这个距离值得看，不管那里是什么”。
# 另外两项要看查询自己的词。

# %% [markdown] lang="en"
# ### Rel-shift
#
# There are $L^2$ pairs but only $L$ distances that a causal query can see. So project each distance
# *once* and multiply: $X=(Q+v)(RW^\top)^\top$, where the rows of $R$ are the sinusoids of the
# distances. $X$ is the sum of the second and the fourth term, before the division by $\sqrt D$; in
# the other two, $(Q+u)K^\top$, the columns are keys already. $X$ has one column per distance, from
# the furthest down to 0. Every entry is there, but its column is a *distance*, and attention needs
# a *key*. In row $i$, key $j$ is $i-j$ tokens before the query, so row $i$ has to slide $L-1-i$
# columns to the left, each row one column less than the row above.

# %% [markdown] lang="zh" slide="show"
# ### rel-shift
#
# 词元对有$L^2$个，有因果掩码时，距离却只有$L$种。所以每个距离只投影*一次*再相乘：
# $X=(Q+v)(RW^\top)^\top$，$R$的各行是各个距离的正弦向量。
# $X$是带位置的两项（第二、第四项）之和，还没除以$\sqrt D$；另外两项$(Q+u)K^\top$本来就按键排列。
# $X$每列一个距离，从最远排到0。该有的数全在里面，只是按*距离*排列，
# 而注意力要的是按*键*排列。第$i$行里，键$j$在查询之前第$i-j$个，
# 所以第$i$行要左移$L-1-i$格，每往下一行少移一格。


# %% exercise="rel_shift_rows"
def rel_shift_rows(x):
    """Return scores by key from scores by distance, shape (Lq, Lk)."""
    ### BEGIN SOLUTION
    queries, keys = x.shape
    padded = F.pad(x, (1, 0))  # (Lq, Lk + 1)
    return padded.flatten()[queries:].view(queries, keys)
    ### END SOLUTION


# %% check="rel_shift_rows"
check("rel_shift_rows", rel_shift_rows)

# %% [markdown] lang="en"
# Now watch the trick. In the picture the number `21` means query 2 and the key one token before it;
# queries and keys count from 0. Go through the four steps: ① one column per distance, ② a column of
# padding on the left (0 in the code, · in the picture), ③ the first $L_q$ numbers cut and the rest
# read again in rows of $L_k$, ④ the causal mask. Then add memory: keys of an earlier segment that
# the queries can still see, numbered first.

# %% [markdown] lang="zh" slide="show"
# 现在看这个技巧怎样起作用。图中数字`21`表示查询2和它之前第1个键，查询和键都从0编号。
# 把四步走一遍：①每列一个距离；②左边补一列（代码里补的是0，图中画作·）；
# ③丢掉最前面的$L_q$个数，其余按每行$L_k$个重新读；④因果掩码。再加上记忆，
# 也就是上一个片段留下、仍然看得见的键，它们编号在前。


# %%
def slide(step=1, memory=0):
    queries, keys = 4, 4 + memory
    back = torch.arange(keys - 1, -1, -1)  # keys - 1 … 0 tokens back
    x = 10.0 * torch.arange(queries)[:, None] + back  # (4, keys)
    columns = [label.back.format(b=b) for b in back.tolist()]
    if step >= 2:
        x, columns = F.pad(x, (1, 0), value=torch.nan), [label.pad, *columns]  # nan is shown as ·
    if step >= 3:
        x = x.flatten()[queries:].view(queries, keys)
        columns = [label.key.format(j=j) for j in range(keys)]
    if step == 4:
        ahead = torch.ones(queries, keys).triu(keys - queries + 1).bool()
        x = x.masked_fill(ahead, -torch.inf)
    return Matrix(
        x,
        rows=[label.query.format(i=i) for i in range(queries)],
        columns=columns,
        **label.shifted(step=step),
        limits=(0, 36),
        decimals=0,
    )


explore(slide, **label.slide, step=label.steps, memory=(0, 2))

# %% [markdown] lang="en"
# *Picture: a table of numbers, rows are queries. In step ① the last digits in every row are 3, 2,
# 1, 0.*
#
# After step ③ (without memory) 0, 10, 20 and 30 are on the diagonal, each with the distance 0. To
# the right of it are a · and numbers of the next row; step ④ turns them into −∞.
# Each key of memory moves all this one column to the right.

# %% [markdown] lang="zh"
# *图：一张数字表，行是查询。第①步里每行各数的个位都依次是3、2、1、0。*
#
# 第③步之后（不带记忆时），对角线上是0、10、20、30，距离都是0；它右边先是一个·，再是下一行的数，
# 第④步把它们变成−∞。每多一个记忆里的键，这些都右移一列。

# %% [markdown] lang="en"
# **Why it works.** Number the entries row by row, all from 0. After the padding, row $i$ starts at
# number $i(L_k+1)$, so $x_{i,c}$ is number $i(L_k+1)+1+c$. After $L_q$ numbers have been cut, place
# $(i,j)$ holds number $L_q+iL_k+j$. The two are the same when
#
# $$c=j-i+L_q-1.$$
#
# Column $c$ holds distance $L_k-1-c=(L_k-L_q+i)-j$. Query $i$ stands at $L_k-L_q+i$, after the
# memory, so this is its distance from key $j$. As $i<L_q$, $c$ is never negative; for $j>i+L_k-L_q$
# we get $c\ge L_k$: the row has ended, and what follows is read. The cell first prints the 20
# entries of the padded table in one line, as in the picture. Then, for each row $i$: the places of
# its four numbers in that line, what is read there, and after the arrow the part of it that is
# right:

# %% [markdown] lang="zh"
# **为什么对。** 一律从0数起，逐行给各数编号。补过一列之后，第$i$行从第$i(L_k+1)$个数开始，
# 所以$x_{i,c}$是第$i(L_k+1)+1+c$个数。
# 丢掉$L_q$个数之后，$(i,j)$处放的是第$L_q+iL_k+j$个数。两者是同一个数，当且仅当
#
# $$c=j-i+L_q-1.$$
#
# 第$c$列对应的距离是$L_k-1-c=(L_k-L_q+i)-j$。查询$i$排在记忆之后，位于$L_k-L_q+i$处，
# 所以这正是它到键$j$的距离。
# 因为$i<L_q$，$c$不会是负数；若$j>i+L_k-L_q$，则$c\ge L_k$，这一行已经读完，读到的是后面的数。
# 先把补过一列的那20项打印成一行，写法同上图。再逐行打印：行号$i$，
# 这一行的四个数各取自第几个，取到的是什么，箭头后面是其中正确的：

# %%
x_by_distance = 10 * torch.arange(4)[:, None] + torch.arange(3, -1, -1)  # (4, 4)
flat = [entry for row in x_by_distance.tolist() for entry in ("·", *row)]  # 20 entries
print(*flat)
for i in range(4):
    first = 4 + 4 * i
    row = flat[first : first + 4]
    print(f"{i}: {first:2} … {first + 3:2}:", *row, "→", *row[: i + 1])

# %% [markdown] lang="en"
# ### XLNet: both directions, and segments
#
# XLNet (Yang et al. 2019) needs the keys after the query as well. It keeps the four terms and gives
# $X$ twice as many columns, with $i-j$ from $L$ down to $-L+1$. Nothing is padded: cut the first
# $L$ numbers, read again in rows of $2L-1$, keep the first $L$ of each. Place $(i,j)$ then holds
# number $L+i(2L-1)+j$, which is column $c=j-i+L$ of row $i$. That lies between 1 and $2L-1$, within
# the row, so every place is right. The printed table holds $i-j$.

# %% [markdown] lang="zh"
# ### XLNet：两个方向，还有片段
#
# XLNet（Yang等，2019）也要看查询之后的键。它保留四项，把$X$的列数加倍，$i-j$从$L$到$-L+1$。
# 这次不补列，丢掉最前面的$L$个数，按每行$2L-1$个重新读，每行留前$L$个。
# 于是$(i,j)$处放的是第$L+i(2L-1)+j$个数，也就是第$i$行的第$c=j-i+L$列，
# 它介于1与$2L-1$之间，总在本行之内，所以处处都对。打印出来的是$i-j$：

# %%
two_sided = 10 * torch.arange(4)[:, None] + torch.arange(4, -4, -1)  # (4, 8), 4 … -3 back
shifted = rel_shift_bidirectional(two_sided, keys=4)
print(shifted - 10 * torch.arange(4)[:, None])

# %% [markdown] lang="en"
# XLNet has a term for *segments*, too: to each score it adds $(q_i+b)\cdot s_{ij}/\sqrt D$, where
# $s_{ij}$ is one learned vector of the head for "same segment" and another for "other segment", and
# $b$ is learned like $u$ and $v$. BERT adds a vector `e[segment]` to each word instead (3.4).
# Exchange the numbers of the two segments, 0 and 1: in which of the two do the scores stay equal?

# %% [markdown] lang="zh"
# 输入由两句话拼成时，XLNet把*片段*（segment，这里指词元属于第一句还是第二句，
# 不是上面留下记忆的那个片段）也放进得分，多加一项$(q_i+b)\cdot s_{ij}/\sqrt D$：
# 每个头有一个“同片段”向量和一个“异片段”向量，$s_{ij}$取其中之一，看两个词元是否同段；$b$与$u$、
# $v$一样，是可学习的向量。BERT则给每个词加上片段的向量`e[segment]`（3.4）。
# 把两个片段的编号0和1对调，两种做法的得分，哪种不变，哪种会变？

# %%
rng = torch.Generator().manual_seed(9)
b = torch.randn(1, D, generator=rng, dtype=torch.float64)
s = torch.randn(2, 1, D, generator=rng, dtype=torch.float64)
e = torch.randn(2, D, generator=rng, dtype=torch.float64)
xlnet, bert = [], []
for segment in (torch.tensor([0, 0, 0, 1, 1, 1]), torch.tensor([1, 1, 1, 0, 0, 0])):
    same = (segment[:, None] == segment)[None]  # (1, L, L)
    extra = {"same_segment": same, "segment_bias": b, "segment_embedding": s}
    xlnet.append(xlnet_scores(q, k, positions(L), positions(L), u, v, W, **extra))
    bert.append((x + e[segment]) @ A @ (x + e[segment]).T)
print("XLNet:", torch.equal(*xlnet))
print("BERT: ", torch.equal(*bert))

# %% [markdown] lang="en"
# XLNet's stay equal, BERT's do not. So in XLNet segments are relative, too: the head knows whether
# two tokens share one, but not which one it is.

# %% [markdown] lang="zh"
# XLNet的不变，BERT的变了。可见在XLNet里，片段也是相对的：头只知道两个词元是否同段，
# 不知道那是第几段。

# %% [markdown] lang="en" way="weekend"
# ## 4.5 T5: one number
#
# T5 (Raffel et al. 2020) drops both mixed terms, word–position and position–word. Word–word stays;
# all that is left of positions is one learned number $b$ for each head and distance, added to the
# score. Distances share numbers in *buckets*: each near distance has a bucket of its own, further
# ones share buckets that are equally wide on a logarithmic scale, and beyond some distance all fall
# into the last one.

# %% [markdown] lang="zh" slide="show"
# ## 4.5 T5：一个数
#
# T5（Raffel等，2020）更彻底，把两个混合项（词对位置、位置对词）都丢掉了。
# 位置只剩下每个头、每个距离一个可学习的数$b$，直接加到得分上。
# 距离按*桶*（bucket）共用这些数：近的，每个距离一个桶；远的，几个距离合用一个桶，
# 各桶在对数刻度上一样宽；再远，就统统进最后一个桶。


# %% exercise="bucket_of_distance"
def bucket_of_distance(relative, bidirectional, buckets=32, max_distance=128):
    """Return T5's bucket of each relative position (key − query), integers, same shape."""
    ### BEGIN SOLUTION
    ahead = torch.zeros_like(relative)
    distance = (-relative).clamp(min=0)
    if bidirectional:
        buckets = buckets // 2
        ahead = (relative > 0) * buckets
        distance = relative.abs()
    exact = buckets // 2
    share = (distance / exact).log() / math.log(max_distance / exact)  # −inf at 0, not used
    far = (exact + (share * (buckets - exact)).long()).clamp(max=buckets - 1)
    return ahead + torch.where(distance < exact, distance, far)
    ### END SOLUTION


# %% check="bucket_of_distance"
check("bucket_of_distance", bucket_of_distance)

# %% [markdown] lang="en"
# Below is a ruler for a decoder and one for an encoder. Drag the key. Where do the buckets become
# wide? And with 32 buckets and a maximum of 128, from how many tokens back do all keys share one
# bucket, in the decoder and in the encoder?

# %% [markdown] lang="zh" slide="show"
# 下面两条标尺，一条是解码器（单向）的，一条是编码器（双向）的。拖动键：桶从哪里开始变宽？
# 32个桶、最大距离128时，查询之前从多远起，所有的键共用一个桶？解码器和编码器各是多少？


# %%
def ruler(relative=-40, buckets=32, max_distance=128, reach=125):
    def both(distances):  # the buckets of a decoder, and those of an encoder
        sizes = {"buckets": buckets, "max_distance": max_distance}
        return [t5_bucket(distances, bidirectional=way, **sizes) for way in (False, True)]

    strips = torch.stack(both(torch.arange(-reach, reach + 1)))  # (2, 2 · reach + 1): by j - i
    decoder, encoder = both(torch.tensor(relative))
    return Ruler(
        strips,
        **label.strips(relative=relative, decoder=decoder, encoder=encoder),
        strips=(label.decoder, label.encoder),
        first=-reach,
        mark=relative if abs(relative) <= reach else None,
    )


explore(
    ruler,
    **label.ruler,
    relative=(-125, 125),
    buckets=[16, 32, 48],
    max_distance=[64, 128],
    reach=[12, 125],
)

# %% [markdown] lang="en"
# *Picture: two strips over relative positions, earlier keys on the left, later keys on the right,
# with an orange line at the chosen key. Colours change where a bucket ends.*
#
# For earlier keys the decoder's buckets are one token wide up to distance 15. Bucket 16 is 2.2
# tokens wide before rounding, and from there each is 14% wider than the one before, except for the
# last, number 31, which begins at 113 and has no end. All later keys are in bucket 0. The
# encoder has only 16 on each side: they are wider than one token from distance 8 on, and the last,
# 15 before the query and 31 after it, begin at 91. Its bucket 16 goes unused: it would be for a
# later key at distance 0.

# %% [markdown] lang="zh"
# *图：横轴为相对位置的两条标尺，左边是更早的键，右边是更晚的键，橙色线标出所选的键；
# 颜色变换处就是桶的边界。*
#
# 先看解码器。对更早的键，距离不超过15时，每个距离一个桶；从16号桶起，桶就变宽了：
# 16号桶在取整之前宽2.2个词元，此后每个桶比前一个宽14%，只有最后的31号桶例外，
# 它从113开始，没有尽头。更晚的键全在0号桶。
# 再看编码器。它每侧只有16个桶，从距离8起，一个桶就不止一个距离；每侧最后一个桶，
# 即查询之前的15号桶和查询之后的31号桶，都从91开始。
# 编码器的16号桶一直空着，因为它留给“更晚、距离却是0”的键，而这样的键并不存在。

# %% [markdown] lang="en"
# Why 113 and not 128? The last bucket begins where the logarithmic part has taken 15 of its 16
# steps:
#
# $$16+\Bigl\lfloor16\,\frac{\ln(n/16)}{\ln(128/16)}\Bigr\rfloor\ge31
# \iff n\ge16\cdot8^{15/16}\approx112.4.$$
#
# At 128 the formula would give bucket 32, which does not exist, so the code takes the minimum with
# 31. (The paper says 128; the code decides.) The cell prints where the buckets from 16 on begin:
# about how many buckets does it take until the start has doubled?

# %% [markdown] lang="zh" slide="show"
# 为什么是113，不是128？对数部分共16级，走完15级的地方就是最后一个桶的开头：
#
# $$16+\Bigl\lfloor16\,\frac{\ln(n/16)}{\ln(128/16)}\Bigr\rfloor\ge31
# \iff n\ge16\cdot8^{15/16}\approx112.4.$$
#
# 到128时公式会给出32号桶，而它并不存在，所以代码要与31取最小值。（论文里写的是128，以代码为准。）
# 下面打印从16号桶起每个桶的起点：起点每翻一倍，大约要隔几个桶？

# %%
back = torch.arange(1000)
bucket = t5_bucket(-back, bidirectional=False)
starts = [int((bucket == b).nonzero()[0]) for b in range(32)]
print(starts[16:])
print(f"16 · 8^(15/16) = {16 * 8 ** (15 / 16):.1f}")

# %% [markdown] lang="en"
# A little over five: the start grows by $8^{1/16}$ per bucket and $8=2^3$, so 16 buckets double it
# three times. (16, 31, 59 and 113 are five apart, each not quite the double.)
#
# Two more conventions come with T5's weights. Scores are **not** divided by $\sqrt D$: the scale
# went into the initial size of $W_Q$. And encoder and decoder have only one table each, in the
# first layer; its result is passed on to the other layers.

# %% [markdown] lang="zh"
# 五个多一点：每过一个桶，起点乘以$8^{1/16}$，而$8=2^3$，所以16个桶翻三番
# （16、31、59、113依次隔五个桶，每次都略少于翻倍）。
#
# T5的checkpoint（权重文件）还带着两条约定。一是得分**不**除以$\sqrt D$，
# 这个尺度放进了$W_Q$的初始大小里。二是编码器和解码器各自只有一张表，放在第一层，
# 其余各层直接用它的结果。

# %% [markdown] lang="en" way="everything"
# ## 4.6 DeBERTa: content and position apart
#
# DeBERTa (He et al. 2021) keeps both mixed terms, in relative form, and drops position–position. A
# table of $2m$ distance vectors is projected twice, into keys $K^r$ and into queries $Q^r$:
#
# $$\frac{\overbrace{q_i\cdot k_j}^{\text{c2c}}+\overbrace{q_i\cdot K^r_{\delta(i,j)}}^{\text{c2p}}
# +\overbrace{k_j\cdot Q^r_{\delta(i,j)}}^{\text{p2c}}}{\sqrt{3D}},\qquad
# \delta(i,j)=\mathrm{clip}(i-j+m,0,2m-1).$$
#
# (c2c is *content to content*, c2p *content to position*, p2c *position to content*: the word–word,
# word–position and position–word of 4.2.) With p2c a key, too, can prefer queries at certain
# distances. The formula is that of the code; for p2c the paper prints another index (4.10).

# %% [markdown] lang="zh" slide="show"
# ## 4.6 DeBERTa：内容与位置分开
#
# DeBERTa（He等，2021）保留两个混合项，换成相对的形式，丢掉“位置对位置”。
# 一张$2m$行的距离向量表投影两次，一次成键$K^r$，一次成查询$Q^r$：
#
# $$\frac{\overbrace{q_i\cdot k_j}^{\text{c2c}}+\overbrace{q_i\cdot K^r_{\delta(i,j)}}^{\text{c2p}}
# +\overbrace{k_j\cdot Q^r_{\delta(i,j)}}^{\text{p2c}}}{\sqrt{3D}},\qquad
# \delta(i,j)=\mathrm{clip}(i-j+m,0,2m-1).$$
#
# （c2c即content-to-content，c2p即content-to-position，p2c即position-to-content，
# 依次是4.2节的“词对词”“词对位置”“位置对词”。）有了p2c，键这一方也能表达“我该被多远处的查询关注”。
# 这里的公式照代码写；p2c这一项，论文印的是另一个下标（4.10节）。


# %% exercise="disentangled_scores"
def disentangled_scores(q, k, relative_q, relative_k):
    """Return (c2c + c2p + p2c) / √(3D), shape (L, L)."""
    ### BEGIN SOLUTION
    length, dim = q.shape
    span = len(relative_k) // 2  # m
    p = torch.arange(length)
    row = (p[:, None] - p[None, :] + span).clamp(0, 2 * span - 1)  # (L, L), δ(i, j)
    c2p = (q @ relative_k.T).gather(1, row)  # (L, 2m) → (L, L)
    p2c = (k @ relative_q.T).gather(1, row.T).T  # rows are keys: turn, pick, turn back
    return (q @ k.T + c2p + p2c) / (3 * dim) ** 0.5
    ### END SOLUTION


# %% check="disentangled_scores"
check("disentangled_scores", disentangled_scores)

# %% [markdown] lang="en"
# Drag the span $m$ and look at $\delta$. The table has $2m$ rows, an even number, but there are
# $2m+1$ distances $-m,\dots,m$. Which side loses one? For $m=4$ the cell prints $\delta(11,j)$ for
# $j=11,\dots,0$ (earlier keys) and $\delta(0,j)$ for $j=0,\dots,11$ (later keys).

# %% [markdown] lang="zh" slide="show"
# 拖动$m$，看$\delta$。表的行数是偶数$2m$，而距离$-m,\dots,m$有$2m+1$个：哪一侧少了一个？
# 单元格还打印$m=4$时的两行：$\delta(11,j)$，$j=11,\dots,0$（更早的键）；
# $\delta(0,j)$，$j=0,\dots,11$（更晚的键）。


# %%
def delta(span=4):
    p = torch.arange(12)
    row = (p[:, None] - p + span).clamp(0, 2 * span - 1)
    return HeatMap(row, **label.rows(rows=2 * span), limits=(0, 19), square=True)


explore(delta, **label.delta, span=(1, 10))
p = torch.arange(12)
ends = (p[:, None] - p + 4).clamp(0, 7)
print("δ(11, 11 … 0):", ends[11].flip(0).tolist())
print("δ(0, 0 … 11): ", ends[0].tolist())

# %% [markdown] lang="en"
# *Picture: a 12 × 12 heat map, one colour along each diagonal near the main one, one flat colour in
# each far corner; the larger m, the smaller the corners.*
#
# The side of earlier keys loses one: their distances share row $2m-1$ from $m-1$ on, while later
# keys share row 0 only from $m$ on.

# %% [markdown] lang="zh"
# *图：12×12的热力图，主对角线附近每条对角线一种颜色，两个远角各是一整块颜色；m越大，角越小。*
#
# 少了一个的，是更早的键那一侧：距离从$m-1$起，它们就共用第$2m-1$行；更晚的键那一侧，
# 距离到了$m$才开始共用第0行。

# %% [markdown] lang="en"
# ### Why $\sqrt{3D}$
#
# If the entries of $q$, $k$, $K^r$ and $Q^r$ are independent with mean 0 and variance 1, each term
# is a sum of $D$ products of variance 1, so it has variance $D$. The terms are uncorrelated: in
# $\mathbb E[(q\cdot k)(q\cdot K^r)]$ each summand has a factor $\mathbb E[k]=0$, and likewise for
# the other pairs. So the sum has variance $3D$, and dividing by $\sqrt{3D}$ makes it 1. In general,
# with $n$ relative terms the divisor is $\sqrt{(1+n)\,D}$. Each line prints terms, divisor and the
# standard deviation of the scores; the last has three terms and $\sqrt D$:

# %% [markdown] lang="zh"
# ### 为什么是$\sqrt{3D}$
#
# 设$q$、$k$、$K^r$、$Q^r$的各分量相互独立，均值0、方差1。每一项都是$D$个方差为1的乘积之和，
# 方差为$D$。各项两两不相关：$\mathbb E[(q\cdot k)(q\cdot K^r)]$的每个加项都含因子$\mathbb E[k]=0$，
# 另外两对同理。所以三项之和方差为$3D$，除以$\sqrt{3D}$就成了1。一般地，相对项有$n$个，
# 就除以$\sqrt{(1+n)\,D}$。每行打印有哪几项、除以多少、得分的标准差；
# 最后一行是三项却只除以$\sqrt D$：

# %%
rng = torch.Generator().manual_seed(3)
q, k = torch.randn(2, 1, 1, 400, 64, generator=rng, dtype=torch.float64)
Q_r, K_r = torch.randn(2, 1, 1024, 64, generator=rng, dtype=torch.float64)
at = positions(400)
for terms in ((), ("c2p",), ("c2p", "p2c")):
    scores = deberta_scores(q, k, at, at, Q_r, K_r, terms=terms)
    names = f"({' + '.join(('c2c', *terms))})"
    print(f"{names:17} / √({1 + len(terms)}D): ± {scores.std():.2f}")
three = sum(deberta_terms(q, k, at, at, Q_r, K_r))
print(f"{names:17} / √D:    ± {three.std() / 8:.2f}")

# %% [markdown] lang="en"
# DeBERTa v2 and v3 see as far with half of the rows: the distance is first put into a signed log
# bucket (256 on each side, exact up to 128, logarithmic beyond), then clipped. Distance → bucket:

# %% [markdown] lang="zh"
# DeBERTa v2和v3用一半的行数看得同样远：先把距离放进带正负号的对数桶
# （每侧256个，128以内精确，再远按对数），然后再截断。距离→桶：

# %%
for distance in (5, 128, 129, 200, 511):
    print(f"{distance:3} → {deberta_bucket(torch.tensor(distance)).item()}")

# %% [markdown] lang="en" way="everything"
# ## 4.7 Side by side
#
# Here is the picture of 4.2 again. Choose a method, then move the sentence. Which maps change?

# %% [markdown] lang="zh" slide="show"
# ## 4.7 放在一起看
#
# 再看4.2节的那组图。选一种方法，然后挪动句子：哪些图会变？

# %%
rng = torch.Generator().manual_seed(4)
a = torch.randn(11, D, generator=rng, dtype=torch.float64)  # Shaw's table, W R, K^r: -5 … 5
c = torch.randn(11, D, generator=rng, dtype=torch.float64)  # Q^r
u, v, number = (torch.randn(n, generator=rng, dtype=torch.float64) for n in (D, D, 11))
Q, K = x @ W_Q, x @ W_K  # (L, D)


def four_parts(method, start):
    at = positions(L, start=start)
    row = relative_positions(at, at) + 5  # (L, L); start is gone
    words = Q @ K.T / math.sqrt(D)
    by_query = (Q @ a.T).gather(1, row) / math.sqrt(D)
    by_key = (K @ c.T).gather(1, row.T).T / math.sqrt(D)
    none = torch.full((L, L), math.nan, dtype=torch.float64)  # dropped: white
    match method:
        case "absolute":
            return terms_of_absolute(start)
        case "Shaw":
            return words, by_query, none, none
        case "Transformer-XL":
            favoured = (K @ u / math.sqrt(D)).expand(L, L)
            return words, by_query, favoured, (a @ v)[row] / math.sqrt(D)
        case "T5":
            return words * math.sqrt(D), none, none, number[row]
        case "DeBERTa":
            return tuple(part / math.sqrt(3) for part in (words, by_query, by_key)) + (none,)


# %%
def side_by_side(method="Transformer-XL", start=0):
    return four_maps(four_parts(method, start), start)


explore(side_by_side, **label.side_by_side, method=label.methods, start=(0, 90))

# %% [markdown] lang="en"
# *Picture: four 6 × 6 heat maps; a dropped term is white. Transformer-XL: word–word and
# word–position without pattern, position–word in vertical stripes, position–position in diagonal
# ones.*
#
# With "absolute", three maps change as the sentence moves; with any other method none does. A map
# that is white all over is a dropped term; elsewhere white is a score near 0. T5 does not divide by
# $\sqrt D$, so its word–word map has much stronger colours.

# %% [markdown] lang="zh"
# *图：四张6×6的热力图，丢掉的项是白的。Transformer-XL：“词对词”“词对位置”没有规律，
# “位置对词”是竖条纹，“位置对位置”是斜条纹。*
#
# 选“绝对”时，句子一移动，有三张图跟着变；选其他任何方法，一张都不变。
# 整张都白的图，是丢掉的项；别处的白，是得分接近0。T5不除以$\sqrt D$，所以它的“词对词”颜色深得多。

# %% [markdown] lang="en"
# The table shows what each method adds to the score (divisors left out), what it costs, and up to
# which distance it tells keys apart; keys further away are still seen, but all look alike. There
# are $L$ tokens, read at once, and $H$ heads of dimension $D$, with $d=HD$; for "absolute" the last
# column gives the length of the longest text.
#
# | method | added to $q_i\cdot k_j$ | parameters | multiplications a layer | tells apart |
# |---|---|---|---|---|
# | absolute | ($p$ added to $x$) | $L_{\max}d$, or 0 | none; $Ld$ sums, once | $L_{\max}$, or any |
# | Shaw | $q_i\cdot a^K_{j-i}$§ | $2(2m+1)D$ a layer | $2HL(2m+1)D$, gather, scatter | ±m |
# | Transformer-XL | $(q_i+v)\cdot WR_{i-j}+u\cdot k_j$ | $d^2+2d$ a layer† | $Ld^2+HL^2D$ | any |
# | T5 | $b_{j-i}$ | $32H$ a stack | none; $HL^2$ look-ups, once | 113 (encoder: 91)‡ |
# | DeBERTa | $q_i\cdot K^r+k_j\cdot Q^r$¶ | $2md$; $2d^2$ a layer | $4md^2+4mLd$ + 2 gathers | ±m |
#
# († XLNet, with segments: $d^2+5d$. ‡ From distance 16 on (encoder: 8) only by bucket. Stack:
# encoder or decoder. § And $a^V_{j-i}$ is added to the value $v_j$. ¶ With the rows
# $K^r_{\delta(i,j)}$, $Q^r_{\delta(i,j)}$; among earlier keys up to $m-1$.) The cell prints the
# numbers of parameters for 12 layers of 12 heads with $d=768$, 512 learned positions, one stack
# (T5), $m=16$ (Shaw) and $m=512$ (DeBERTa). The table counts separate projections in every layer;
# DeBERTa v2 and v3 reuse those of the words.

# %% [markdown] lang="zh"
# 下表列出各种方法给得分加了什么（除数从略）、开销多大、最远能分辨到多远（更远的键照样看得到，
# 只是分不清多远；绝对位置一行指能编码的长度）。一次读入$L$个词元，有$H$个$D$维的头，$d=HD$：
#
# | 方法 | 与$q_i\cdot k_j$相加的项 | 参数量 | 每层多做的乘法 | 能分辨到 |
# |---|---|---|---|---|
# | 绝对位置 | （$p$加到$x$上） | $L_{\max}d$，或0 | 无；全模型$Ld$次加法 | $L_{\max}$，或任意 |
# | Shaw | $q_i\cdot a^K_{j-i}$§ | 每层$2(2m+1)D$ | $2HL(2m+1)D$，gather，scatter | ±m |
# | Transformer-XL | $(q_i+v)\cdot WR_{i-j}+u\cdot k_j$ | 每层$d^2+2d$† | $Ld^2+HL^2D$ | 任意距离 |
# | T5 | $b_{j-i}$ | 每个栈$32H$ | 无；每个栈查一遍表，$HL^2$个数 | 113（编码器91）‡ |
# | DeBERTa | $q_i\cdot K^r+k_j\cdot Q^r$¶ | $2md$一份，每层$2d^2$ | $4md^2+4mLd$，两次gather | ±m |
#
# （†XLNet带片段，为$d^2+5d$。‡从16起，编码器从8起，只分到桶。栈指编码器或解码器。
# §另把$a^V_{j-i}$加到值$v_j$上。
# ¶取$K^r_{\delta(i,j)}$、$Q^r_{\delta(i,j)}$这两行；更早的键那一侧是$m-1$。）
# 取12层、12个头、$d=768$，可学习的表512行，T5按一个栈算，Shaw取$m=16$，DeBERTa取$m=512$，
# 算出具体的参数量。
# 这里按“每层都有单独的投影”计算；DeBERTa v2和v3与内容共用投影，省掉了这部分。

# %%
layers, d, H, head_dim, m = 12, 768, 12, 64, 512
parameters = {
    "T5": 32 * H,
    "Shaw": layers * 2 * (2 * 16 + 1) * head_dim,
    "learned": 512 * d,
    "Transformer-XL": layers * (d * d + 2 * d),
    "DeBERTa": 2 * m * d + layers * 2 * d * d,
}
for name, count in parameters.items():
    print(f"{name:14} {count:12,}")

# %% [markdown] lang="en" way="weekend"
# ## 4.8 Absolute against relative: what each is for
#
# With relative scores alone some things cannot be done: finding the third word of a text that
# repeats a single word, for instance. Repeat one word eight times, in an encoder with T5's bias.
# All values are equal, and scores only decide how they are mixed, so every token gets the same
# output. An absolute vector $p$ added to each word is in the *values* too, and the outputs differ.
# In the scores alone $p$ would not help either, as the last line shows. Each line has the largest
# difference of an output $o_i$ from the first, $o_0$:

# %% [markdown] lang="zh"
# ## 4.8 绝对与相对：各管什么
#
# 只靠相对的得分，有些事做不到，例如在一串相同的词里认出第三个。
# 在用T5偏置的编码器里把一个词重复八遍：所有的值都相同，得分只决定怎样混合它们，
# 所以每个词元的输出都一样。给每个词加上绝对位置向量$p$，它也就进了*值*，输出就不同了；
# $p$若只进得分、不进值，仍然没有用，见最后一行。每行打印各个输出$o_i$与第一个$o_0$最多相差多少：

# %%
rng = torch.Generator().manual_seed(5)
word = torch.randn(D, generator=rng, dtype=torch.float64).expand(1, 1, 8, D)
at = positions(8)
bias = torch.randn(32, generator=rng, dtype=torch.float64)[
    t5_bucket(relative_positions(at, at), bidirectional=True)
]  # (8, 8)
relative_out = attention(word, word, word, bias=bias, scale=1.0)[0, 0]  # (8, D)
placed = word + table[:8]
absolute_out = attention(placed, placed, placed)[0, 0]
scores_only = attention(placed, placed, word)[0, 0]  # no p in the values
outputs = {"x, b(j - i)": relative_out, "x + p": absolute_out, "x + p, values x": scores_only}
for name, out in outputs.items():
    print(f"{name:15}: max |o_i - o_0| = {(out - out[0]).abs().max():.1f}")

# %% [markdown] lang="en"
# So an encoder with nothing but relative scores cannot tell the first of eight equal words from the
# fifth. Nor can a decoder: a causal mask, too, only changes the weights of equal values. What helps
# must be in the values: Shaw's second table (4.3, "The values too"), or a special token at the
# start (with a causal mask its weight even tells how many tokens came before, chapter 1). DeBERTa
# adds absolute positions after all, just before the masked words are predicted (He et al. 2021,
# §3.2).

# %% [markdown] lang="zh"
# 所以，只有相对得分的编码器，分不清八个相同的词里第一个和第五个。解码器也不行：
# 因果掩码改变的还是权重，值仍然全都相同。要分得清，值就得有差别：
# Shaw另有一张加在值上的表（4.3节“值里也加”）；在开头放一个特殊词元也行；若还有因果掩码，
# 各词元分给这个特殊词元的权重，甚至能说明自己之前有多少个词元（第1章）。
# DeBERTa到最后预测被遮住的词之前，还是补上了绝对位置（He等，2021，§3.2）。

# %% [markdown] lang="en"
# The reverse: for T5, "attend to the word before" is one number, and once learned it is right at
# every position. With absolute positions a head has to fit it through $p_iAp_j^\top$, and rows that
# training never used stay random. T5 reads $j-i$ alone, so its two lines below, for a start at 0
# and at 5000, have to agree. But does the number win against random words? The word before gets a
# bias of 40; the words' scores, which T5 does not divide, have the standard deviation
# $\sqrt D=\sqrt{32}\approx5.7$. What is the smallest weight that the word before gets?

# %% [markdown] lang="zh"
# 反过来，“看前一个词”对T5来说只是一个数，一旦学会，处处有效。绝对位置要靠$p_iAp_j^\top$去拟合，
# 训练没用到的行则始终是随机数。T5只用$j-i$，所以无论从0还是从5000开始，下面两行必然相同；
# 要看的是这个数压不压得住随机的内容：“前一个词”的偏置是40，而内容的得分（T5不除以根号）标准差是
# $\sqrt D=\sqrt{32}\approx5.7$。“前一个词”所得的最小权重是多少？

# %%
rng = torch.Generator().manual_seed(10)
numbers = torch.zeros(32, dtype=torch.float64)
numbers[1] = 40.0  # bucket 1: one token back
content = torch.randn(2, 1, 1, 6, D, generator=rng, dtype=torch.float64)
for start in (0, 5000):
    here = positions(6, start=start)
    bucket = t5_bucket(relative_positions(here, here), bidirectional=False)
    weights = attention_weights(*content, bias=numbers[bucket], scale=1.0)[0, 0]
    print(f"start = {start:4}: {weights.diagonal(-1).min():.2f}")

# %% [markdown] lang="en"
# It wins: after rounding, 1.00 for all five tokens that have a word before them, at both starts.
#
# | you want | take |
# |---|---|
# | the same rule at every position, sentences that move, stored keys of earlier text | relative |
# | "first token", "title line", a fixed form with fields | absolute |
# | texts longer than in training | relative, and *measure* (4.11, chapters 6 and 7) |
# | few or no parameters, little code | T5's number, ALiBi's slope (chapter 7) |
# | no parameters and no bias, only $q$ and $k$ changed | RoPE (chapter 5) |

# %% [markdown] lang="zh" slide="show"
# 压得住：五个前面有词的词元，这个权重四舍五入后都是1.00，两个起点都一样。
#
# | 你想要 | 选 |
# |---|---|
# | 规则处处相同，句子会移动，要接着用上一段文本留下的键和值 | 相对位置 |
# | 认出“第一个词元”“标题行”，处理各栏固定的表单 | 绝对位置 |
# | 处理比训练时更长的文本 | 相对位置，而且要*实测*（4.11节，第6、7章） |
# | 参数很少或没有，代码也少 | T5的一个数，或ALiBi的斜率（第7章） |
# | 不加参数，也不加偏置，只改$q$和$k$ | RoPE（第5章） |

# %% [markdown] lang="en" way="everything"
# ### Think: once, or in every layer?
#
# Absolute vectors are added once, at the input. The methods of this chapter act in every layer. Why
# is once enough for the former and not for the latter? And T5 uses *one* table for all layers,
# while Transformer-XL has a projection $W$ in each: why can T5 do without new parameters? Write
# three or four sentences in the next cell.
#
# On your own: write your answer first. For the first half, check it with question 7 of the
# self-test at the end of this chapter; for T5 and Transformer-XL, see the model answer.

# %% [markdown] lang="zh" slide="show"
# ### 想一想：加一次，还是每层都加？
#
# 绝对位置向量只在输入处加一次，本章的方法却在每一层都起作用。为什么前者一次就够，后者不行？
# 再有，T5所有层共用*一张*表，Transformer-XL却每层都有自己的投影$W$：为什么T5不需要新的参数？
# 在下一个单元格里写三四句话。
#
# 自学的话，先写下自己的答案：第一问用本章末尾自测的第7题核对，第二问看参考答案。

# %% [markdown] thinking="relative_every_layer" points=3
# <div lang="en">
#
# **Model answer.** An added vector becomes part of the residual stream (the $h$ of 2.9), which is
# copied from layer to layer, so every later query, key and value can read it. A relative term
# belongs to a *pair* of tokens and is added to a score; no single token's vector can hold it, and
# after the softmax only its effect on the mixture goes on, so it has to be added to each layer's
# scores again. T5's term is a number that is not multiplied by the words, so it means the same in
# each layer and can be shared. Transformer-XL's term is a dot product with the layer's own queries,
# whose space differs from layer to layer, so the distance has to be projected into each.
#
# **Points.** 1 for "the residual stream carries what was added to the token"; 1 for "a relative
# term belongs to a pair and lives in the scores alone"; 1 for "a number does not depend on the
# layer's query space, a dot product does".
#
# </div>
# <div lang="zh">
#
# **参考答案。** 加上去的向量成了残差流（residual stream，即2.9节里逐层累加、一路传下去的$h$）
# 的一部分，残差流逐层复制，所以后面每一层的查询、键、值都能读到它。相对项属于*一对*词元，
# 加在得分上，任何单个词元的向量都装不下它；softmax之后，传下去的只有它对混合结果的影响，
# 所以每一层的得分都要重新加。T5的项只是一个数，不与词做点积，在各层含义相同，可以共用。
# Transformer-XL的项要与本层的查询做点积，各层查询所在的空间不同，所以每一层都要把距离投影进去。
#
# **评分。** 说出“加到词元上的东西由残差流带下去”得1分；
# 说出“相对项属于一对词元，只存在于得分里”得1分；
# 说出“一个数与本层的查询空间无关，点积则有关”得1分。
#
# </div>

# %% [markdown] lang="en" way="everything"
# ## 4.9 Bug clinic
#
# Two bugs from real code. Neither raises an error. For each case you read a symptom; the next cell
# defines the faulty function and shows the symptom. Find out what is wrong in that function, and
# write it correctly in the exercise below.
#
# **Case 1.** Transformer-XL's rel-shift, used in an encoder. Symptom: change the *second* query,
# row 1, and some scores of the *first*, row 0, change too. In the cell, the score of row $i$ and
# key $j$ is the number $100+10i+(i-j)$, so row 0 should be 100, 99, 98, 97. The last line of output
# lists the numbers of the rows whose scores change.

# %% [markdown] lang="zh" slide="code"
# ## 4.9 Bug诊所
#
# 实际代码里的两个错误，运行都不报错。每个病例先说症状，紧接着的单元格里是出错的函数，
# 并打印出症状。找出这个函数错在哪里，再在它下面的练习里写出正确的函数。
#
# **病例一。** 把Transformer-XL的rel-shift用在了编码器里。症状：只改了*第二个*查询（第1行），
# *第一个*查询（第0行）的得分却也变了。打印的数代替得分：第$i$行、键$j$的那个数是$100+10i+(i-j)$，
# 所以第0行应当是100、99、98、97。最后打印的是得分变了的各行的行号。


# %%
def shifted_both_ways(x):  # (L, 2L-1), query - key from L-1 to -(L-1)
    length = len(x)
    seen = x[:, :length]
    return F.pad(seen, (1, 0)).flatten()[length:].view(length, length)


x_wide = 100 + 10 * torch.arange(4)[:, None] + torch.arange(3, -4, -1)  # (4, 7)
changed = x_wide.clone()
changed[1] += 500
print(shifted_both_ways(x_wide))
moved = (shifted_both_ways(changed) != shifted_both_ways(x_wide)).any(1)
print(moved.nonzero().flatten().tolist())  # rows that changed


# %% exercise="mend_shift_ahead" mends="shifted_both_ways"
def mend_shift_ahead(x):
    """Return scores by key, right in both directions, shape (L, L)."""
    ### BEGIN SOLUTION
    p = torch.arange(len(x))
    column = p[None, :] - p[:, None] + len(x) - 1  # L - 1 - c = i - j
    return x.gather(1, column)
    ### END SOLUTION


# %% check="mend_shift_ahead"
check("mend_shift_ahead", mend_shift_ahead)

# %% [markdown] lang="en"
# **Case 2.** T5's weights were loaded into an attention function that other models use, too.
# Symptom: a head that looked at one word in training (here word 3 of words 0 to 7) now gives most
# of its attention to the other seven. Below, the weight of word 3: in this code, then as trained.

# %% [markdown] lang="zh"
# **病例二。** 把T5的checkpoint装进了一份常见的注意力代码。症状：训练时只盯一个词的头
# （这里是八个词里的3号），注意力大半分给了另外七个。下面打印3号所得的权重，先是这份代码的，
# 再是训练时的。


# %%
def biased_attention(q, k, bias):  # (H, Lq, D), (H, Lk, D), (H, Lq, Lk)
    return (q @ k.mT / math.sqrt(q.shape[-1]) + bias).softmax(-1)


key = torch.eye(8, 64, dtype=torch.float64)[None]  # (1, 8, 64)
query = 8 * key[:, 3:4]  # the score of word 3 is 8
no_bias = torch.zeros(1, 1, 8, dtype=torch.float64)
print(f"biased_attention: {biased_attention(query, key, no_bias)[0, 0, 3]:.3f}")
trained = torch.tensor([0.0, 0, 0, 8, 0, 0, 0, 0]).softmax(0)
print(f"trained:          {trained[3]:.3f}")


# %% exercise="mend_t5_divided" mends="biased_attention"
def mend_t5_divided(q, k, bias):
    """Return T5's attention weights, shape (H, Lq, Lk)."""
    ### BEGIN SOLUTION
    return (q @ k.mT + bias).softmax(dim=2)
    ### END SOLUTION


# %% check="mend_t5_divided"
check("mend_t5_divided", mend_t5_divided)

# %% [markdown] lang="en" way="everything"
# ## 4.10 What is not true
#
# **"BERT's `relative_key` is Shaw's method."** It counts query − key, and nothing is clipped: a
# pair that is too far apart raises an error. In the cell $m=1$, and the three rows of the table
# hold −1, 0 and 1 throughout; queries are all 1 with $D=4$, keys all 0. So only the distance's term
# is left, and every score is $\pm4/\sqrt4=\pm2$, or 0. After two tokens side by side come a query
# at 5 and a key at 0, whose distance Shaw clips to −1.

# %% [markdown] lang="zh" slide="show"
# ## 4.10 哪些说法不对
#
# **“BERT的`relative_key`就是Shaw的方法。”** 它数的是查询−键，而且不截断，
# 两个词元离得太远就报错。下面取$m=1$，表的三行依次全是−1、全是0、全是1；
# 查询全是1，$D=4$，键全是0。于是只剩下距离那一项，得分不是$\pm4/\sqrt4=\pm2$，就是0。
# 先是相邻的两个词元，再是查询在5、键在0，这个距离Shaw截断成−1：

# %%
ask = torch.ones(1, 1, 2, 4, dtype=torch.float64)
ramp = torch.tensor([[-1.0] * 4, [0.0] * 4, [1.0] * 4], dtype=torch.float64)  # m = 1
two = positions(2)
print("Shaw:        ", shaw_scores(ask, 0 * ask, two, two, ramp)[0, 0].tolist())
print("relative_key:", bert_relative_scores(ask, 0 * ask, two, two, ramp)[0, 0].tolist())
try:
    bert_relative_scores(ask, 0 * ask, torch.tensor([0, 5]), two, ramp)
except IndexError:
    print("relative_key, i = 5, j = 0: IndexError")
far = shaw_scores(ask, 0 * ask, torch.tensor([0, 5]), two, ramp)
print(f"Shaw, i = 5, j = 0: {far[0, 0, 1, 0].item()}")

# %% [markdown] lang="en"
# **"DeBERTa's code reads $\delta(j,i)$ in p2c, as printed."** The paper prints $\delta(j,i)$;
# Microsoft's code and Hugging Face's read $\delta(i,j)$. Trained weights fit one of
# the two only. Below, with random weights and scores of standard deviation about 1 (4.6), the
# largest difference:

# %% [markdown] lang="zh"
# **“DeBERTa的代码在p2c里读的是$\delta(j,i)$，和论文印的一样。”** 论文印的是$\delta(j,i)$；
# 微软的代码和Hugging Face的代码读的都是$\delta(i,j)$。训练好的权重只配其中一种。
# 下面用随机权重，得分的标准差约为1（4.6节），两种读法最多相差：

# %%
rng = torch.Generator().manual_seed(7)
q, k = torch.randn(2, 1, 1, 8, 16, generator=rng, dtype=torch.float64)
Q_r, K_r = torch.randn(2, 1, 6, 16, generator=rng, dtype=torch.float64)
at = positions(8)
as_code, as_printed = (
    deberta_scores(q, k, at, at, Q_r, K_r, p2c_index=index) for index in ("code", "paper")
)
print(f"max |Δ| = {(as_code - as_printed).abs().max():.2f}")

# %% [markdown] lang="en" way="everything"
# ## 4.11 Does it extrapolate?
#
# **"Relative, so it works at any length."** Every distance has a row, a bucket or a sinusoid, so
# nothing is undefined. Whether it *works* has to be measured. Press et al. (2022, Table 2) trained
# a model with T5's bias on 512 tokens (WikiText-103 validation, perplexity, lower is better). Below
# the picture: each length as a multiple of 512, and T5's perplexity divided by its perplexity at
# 512.

# %% [markdown] lang="zh" slide="show"
# ## 4.11 能外推吗？
#
# **“既然是相对的，多长都行。”** 每个距离都有一行、一个桶或一个正弦向量，哪里都有定义。
# 可到底*好不好用*，要测了才知道。Press等（2022，表2）用T5的偏置训练了一个模型，
# 训练长度512个词元（WikiText-103验证集，困惑度，越低越好）。
# 图之后打印的是T5的：长度是512的几倍，困惑度是512处的几倍。

# %%
lengths = [512, 1012, 1512, 2512, 3512]  # Press, Smith & Lewis 2022, Table 2
t5 = [19.65, 18.79, 18.91, 20.41, 22.91]
sinusoid = [20.05, 43.54, 76.23, 132.41, 178.97]
picture(
    Curves(
        [Curve(lengths, sinusoid, label.sinusoidal), Curve(lengths, t5, "T5")],
        **label.perplexity(),
        y_limits=(15, 200),
        y_scale="log",
        markers=True,
    )
)
for length, perplexity in zip(lengths, t5, strict=True):
    print(f"{length / 512:.1f} × 512: ppl × {perplexity / t5[0]:.2f}")

# %% [markdown] lang="en"
# *Picture: on a logarithmic axis the sinusoidal curve climbs from 20 to 179; T5's dips to 19 at
# twice the length, then rises to 23.*
#
# T5's bias does far better than absolute sinusoids. The dip is not a gain: in longer pieces fewer
# tokens have little context (chapter 7). With a window that slides by one token, so that every
# predicted token has a full context, T5 gets worse at once, from 17.92 at 512 to 18.51 at 1024
# (appendix B of the paper). A likely reason: more and more keys share the last bucket, and the
# softmax has to weigh more of them than it ever met in training.

# %% [markdown] lang="zh"
# *图：横轴是输入长度，纵轴是困惑度，取对数刻度。正弦的曲线从20升到179；
# T5的在两倍长度处降到19，然后回升到23。*
#
# T5的偏置远好于正弦编码这种绝对位置编码。先降的那一段并不是进步：片段越长，
# 缺少上下文的词元所占的比例就越小（第7章）。若让窗口每次只滑动一个词元，
# 每个待预测的词元都有完整的上下文，
# T5一超出训练长度就变差，从512处的17.92升到1024处的18.51（论文附录B）。
# 一个可能的原因是，越来越多的键挤在最后一个桶里，softmax要权衡的键比训练时见过的都多。

# %% [markdown] lang="en" way="everything"
# ## 4.12 In real models
#
# | model | method | what to set or watch |
# |---|---|---|
# | T5, mT5, Flan-T5 | T5 | `relative_attention_num_buckets`, `…_max_distance`; no √D |
# | Transformer-XL | four terms | one direction, memory; all terms divided by √D |
# | XLNet | four terms, segments | both directions; distances from `klen` to `-qlen + 1` |
# | DeBERTa v1 | c2p, p2c | `pos_att_type` sets the terms, and so the divisor |
# | DeBERTa v2, v3 | the same, log buckets | `position_buckets` |
# | BERT in transformers 4 | `relative_key`, `relative_key_query` | query − key, not clipped |
# | Wav2Vec2-BERT | `relative_key` | Shaw's key term, clipped |
#
# Before you reuse weights, ask three questions. Which sign do distances have? Which terms are
# scaled, and by what? What happens to the furthest distance?

# %% [markdown] lang="zh"
# ## 4.12 在真实模型中
#
# | 模型 | 方法 | 要设置或留意的 |
# |---|---|---|
# | T5、mT5、Flan-T5 | T5 | `relative_attention_num_buckets`、`…_max_distance`；不除以√D |
# | Transformer-XL | 四项 | 单向，带记忆；四项都除以√D |
# | XLNet | 四项，加片段 | 双向；距离从`klen`到`-qlen + 1` |
# | DeBERTa v1 | c2p、p2c | `pos_att_type`决定有哪几项，也就决定了除以多少 |
# | DeBERTa v2、v3 | 同上，对数桶 | `position_buckets` |
# | transformers 4中的BERT | `relative_key`、`relative_key_query` | 查询−键，不截断 |
# | Wav2Vec2-BERT | `relative_key` | Shaw的键那一项，有截断 |
#
# 复用checkpoint之前问三件事：距离的正负号是哪一种？哪些项做了缩放，除以多少？最远的距离怎么处理？

# %% [markdown] lang="en" way="everything"
# ## 4.13 Take-away
#
# - A score with added positions has four terms; three of them depend on the start of the text.
# - Relative methods keep word–word; each other term gets the distance or a learned constant, or is
#   dropped.
# - Shaw adds a vector for each clipped distance to keys and values. Transformer-XL has sinusoids of
#   the distance, and $u$, $v$ instead of the query's position. T5 has a number for each head and
#   bucket, and no √D. DeBERTa keeps both mixed terms and divides by $\sqrt{3D}$; a checkpoint with
#   only one of them divides by $\sqrt{2D}$.
# - Rel-shift turns scores by distance into scores by key by reading the same numbers again.
#   Transformer-XL's is wrong at keys after the query, and the causal mask must hide that; XLNet's
#   is right on both sides.
# - Relative scores alone leave the tokens of a text of equal words alike; a rule learned from
#   absolute positions need not hold at other positions.

# %% [markdown] lang="zh" slide="show"
# ## 4.13 本章要点
#
# - 把位置加到词上，得分就有四项，其中三项取决于从文本开头数起的位置。
# - 相对的方法保留“词对词”，其余各项要么换成距离或可学习的常量，要么丢掉。
# - Shaw给每个截断后的距离一个向量，键和值都加。Transformer-XL用距离的正弦向量，并以$u$、
#   $v$代替查询的位置。T5给每个头、每个桶一个数，得分不除以√D。
#   DeBERTa保留两个混合项，除以$\sqrt{3D}$；只有其中一项的checkpoint除以$\sqrt{2D}$。
# - rel-shift把同样的数换一个行长重新读一遍，得分就从按距离排变成按键排。
#   Transformer-XL的做法在查询之后的键处是错的，要靠因果掩码盖住；XLNet的两边都对。
# - 只靠相对得分，词全都相同时就分不清谁是第一个；只靠绝对位置，在一处学到的规则未必适用于别处。

# %%
quiz("relative")

# %% [markdown] lang="en" way="everything"
# ## Further reading
#
# - P. Shaw, J. Uszkoreit, A. Vaswani: *Self-Attention with Relative Position Representations*.
#   NAACL 2018. [arXiv:1803.02155](https://arxiv.org/abs/1803.02155). Equations 3 and 4; §3.2 on
#   clipping.
# - Z. Dai, Z. Yang, Y. Yang, J. Carbonell, Q. V. Le, R. Salakhutdinov: *Transformer-XL: Attentive
#   Language Models Beyond a Fixed-Length Context*. ACL 2019.
#   [arXiv:1901.02860](https://arxiv.org/abs/1901.02860). §3.3 and appendix B.
# - Z. Yang, Z. Dai, Y. Yang, J. Carbonell, R. Salakhutdinov, Q. V. Le: *XLNet: Generalized
#   Autoregressive Pretraining for Language Understanding*. NeurIPS 2019.
#   [arXiv:1906.08237](https://arxiv.org/abs/1906.08237).
# - C. Raffel, N. Shazeer, A. Roberts, K. Lee, S. Narang, M. Matena, Y. Zhou, W. Li, P. J. Liu:
#   *Exploring the Limits of Transfer Learning with a Unified Text-to-Text Transformer*. JMLR 2020.
#   [arXiv:1910.10683](https://arxiv.org/abs/1910.10683). §2.1.
# - P. He, X. Liu, J. Gao, W. Chen: *DeBERTa: Decoding-enhanced BERT with Disentangled Attention*.
#   ICLR 2021. [arXiv:2006.03654](https://arxiv.org/abs/2006.03654).
# - Z. Huang, D. Liang, P. Xu, B. Xiang: *Improve Transformer Models with Better Relative Position
#   Embeddings*. Findings of EMNLP 2020. [arXiv:2009.13658](https://arxiv.org/abs/2009.13658). What
#   BERT's `relative_key_query` is.
# - O. Press, N. A. Smith, M. Lewis: *Train Short, Test Long: Attention with Linear Biases Enables
#   Input Length Extrapolation*. ICLR 2022. [arXiv:2108.12409](https://arxiv.org/abs/2108.12409).
#   Table 2 and appendix B are quoted above.

# %% [markdown] lang="zh"
# ## 延伸阅读
#
# - P. Shaw, J. Uszkoreit, A. Vaswani：*Self-Attention with Relative Position Representations*。
#   NAACL 2018。[arXiv:1803.02155](https://arxiv.org/abs/1803.02155)。式3与式4；截断见§3.2。
# - Z. Dai, Z. Yang, Y. Yang, J. Carbonell, Q. V. Le, R. Salakhutdinov：*Transformer-XL: Attentive
#   Language Models Beyond a Fixed-Length Context*。ACL 2019。
#   [arXiv:1901.02860](https://arxiv.org/abs/1901.02860)。见§3.3与附录B。
# - Z. Yang, Z. Dai, Y. Yang, J. Carbonell, R. Salakhutdinov, Q. V. Le：*XLNet: Generalized
#   Autoregressive Pretraining for Language Understanding*。NeurIPS 2019。
#   [arXiv:1906.08237](https://arxiv.org/abs/1906.08237)。
# - C. Raffel, N. Shazeer, A. Roberts, K. Lee, S. Narang, M. Matena, Y. Zhou, W. Li, P. J. Liu：
#   *Exploring the Limits of Transfer Learning with a Unified Text-to-Text Transformer*。JMLR 2020。
#   [arXiv:1910.10683](https://arxiv.org/abs/1910.10683)。§2.1。
# - P. He, X. Liu, J. Gao, W. Chen：*DeBERTa: Decoding-enhanced BERT with Disentangled Attention*。
#   ICLR 2021。[arXiv:2006.03654](https://arxiv.org/abs/2006.03654)。
# - Z. Huang, D. Liang, P. Xu, B. Xiang：*Improve Transformer Models with Better Relative Position
#   Embeddings*。Findings of EMNLP 2020。[arXiv:2009.13658](https://arxiv.org/abs/2009.13658)。
#   BERT的`relative_key_query`出自这里。
# - O. Press, N. A. Smith, M. Lewis：*Train Short, Test Long: Attention with Linear Biases Enables
#   Input Length Extrapolation*。ICLR 2022。[arXiv:2108.12409](https://arxiv.org/abs/2108.12409)。
#   上文引用的是表2与附录B。
