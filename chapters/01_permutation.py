# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
#   kernelspec: {display_name: Python 3, language: python, name: python3}
#   posenc:
#     title: {en: "Order: what attention cannot see", zh: 注意力看不见的顺序}
#     question:
#       en: "The same words in another order: what does attention make of the difference?"
#       zh: 同样的词，换个次序：注意力分得出来吗？
# ---

# %% [markdown] lang="en" way="two_hours"
# # 1 · Order: what attention cannot see
#
# "The cat catches the mouse" and "the mouse catches the cat" hold the same words. Take a
# Transformer with 96 layers and any weights you like, in which every word sees every other, and
# leave the positions out. Append the question "who is caught?" and read the answer from the output
# at its last word: can the two answers differ? This chapter settles it. Then see what a mask that
# hides later words does to order, without any positional encoding.
#
# **You will** write attention from scratch, prove in four steps that it carries a reordering from
# input to output, build a position counter out of a causal mask and a start token, and fix
# two common mistakes. ("Two hours" goes on to chapter 2 once attention is written; "a weekend"
# leaves out the mistakes.)
#
# **You need** matrix products and basic PyTorch. About {minutes} minutes, 22 points.

# %% [markdown] lang="zh"
# # 1 · 注意力看不见的顺序
#
# “猫抓老鼠”和“老鼠抓猫”，用的词一模一样。拿一个96层的Transformer，每个词都看得见所有词，
# 权重随你怎么设，只是不加位置编码。在句子后面接着问“谁被抓了”，从最后一个词的输出读答案：
# 两句话的答案会不同吗？这一章给出答案，并加以证明。
# 接着用掩码遮住后面的词，仍不用任何位置编码，看看次序会怎样。
#
# **你将**从零写出注意力，分四步证明“输入怎么重排，输出就怎么重排”，
# 用因果掩码和一个起始词元（token）做出位置计数器，并修好两个常见的错误。
# （“两小时”写完注意力就转到第2章，“一个周末”不含改错。）
#
# **你需要**会矩阵乘法和基本的PyTorch。约{minutes}分钟，共22分。

# %%
import itertools

import torch
import torch.nn.functional as F

import posenc_ref
from autograde import answer, check, hint, progress, quiz
from bilingual.switch import language_switch
from posenc_glass import NOTHING, TASKS, glass
from posenc_viz import Bars, Curve, Curves, Head, Matrix, explore, picture
from posenc_viz.labels import permutation as label

torch.set_num_threads(1)
language_switch()

# %% [markdown] lang="en" way="two_hours"
# ## 1.1 Who catches whom?
#
# A Transformer first replaces each *token* (here: each word) by a vector, its *embedding*: one row
# of a table `E`. Ours has four words and $d=8$ random numbers for each. A sentence of $L$ tokens
# becomes a matrix $X$ of shape `(L, d)`.

# %% [markdown] lang="zh"
# ## 1.1 谁抓谁？
#
# Transformer首先把每个*词元*（token，这里就是一个词）换成一个向量，即表`E`中的一行，
# 叫作它的*嵌入*（embedding）。我们的表里有四个词，每个词是$d=8$个随机数。
# $L$个词元的句子就成了一个矩阵$X$，形状为`(L, d)`。

# %%
words = label.words  # cat, catches, mouse, big
rng = torch.Generator().manual_seed(4)
E = torch.randn(4, 8, generator=rng, dtype=torch.float64)  # (words, d)
W_Q, W_K, W_V = torch.randn(3, 8, 8, generator=rng, dtype=torch.float64) / 8**0.5  # for attention
cat_first, mouse_first = [0, 1, 2], [2, 1, 0]
x, y = E[cat_first], E[mouse_first]  # (L, d) each

# %% [markdown] lang="en"
# ### The embedding alone does not know order
#
# Row $t$ of $X$ is `E[id]`, where `id` is the number of the word, its row in the table. The word is
# in this expression; the position $t$ is not. So "cat" has the same vector wherever it is, and the
# two sentences are the same three rows in another order.

# %% [markdown] lang="zh"
# ### 嵌入本身不知道顺序
#
# $X$的第$t$行是`E[id]`，`id`是词的编号，也就是它在表里的行号。式子里只有词，没有位置$t$。
# 所以无论“猫”在哪里，向量都一样；两句话就是同样的三行，只是次序不同。

# %%
print("x[0] = y[2]:     ", torch.equal(x[0], y[2]))  # cat
print("y = x[[2, 1, 0]]:", torch.equal(y, x[[2, 1, 0]]))

# %% [markdown] lang="en"
# Then comes *attention*: every token looks at all tokens and divides its attention among them.
# 1.2 builds it; here we watch. Who looks at whom is computed from the words' vectors by two fixed
# random matrices, `W_Q` and `W_K`. **Predict:** when cat and mouse change places, will "catches"
# look at the cat more, less or just as much?

# %% [markdown] lang="zh" slide="show"
# 接下来轮到*注意力*（attention）：每个词元都看所有词元，把自己的注意力分给它们。怎么实现留到1.2节，
# 这里先看结果。谁把多少注意力给谁，由词的向量经两个固定的随机矩阵`W_Q`和`W_K`算出。**先猜一猜**：
# 猫和老鼠换了位置以后，“抓”分给猫的注意力会变多、变少，还是不变？


# %% tags=["predict"]
def weights(x, mask=None):  # (L, d) -> (L, L): row i is where token i looks
    q, k = x @ W_Q, x @ W_K  # the reference wants (B, H, L, d): one sentence, one head
    return posenc_ref.attention_weights(q[None, None], k[None, None], mask)[0, 0]


def labelled(matrix, order, title):
    rows = [words[i] for i in order]
    columns = [label.to.format(word=word) for word in rows]
    return Matrix(matrix, rows, columns, title, limits=(0, 1))


picture(
    labelled(weights(x), cat_first, label.cat_first),
    labelled(weights(y), mouse_first, label.mouse_first),
)
cat, catches, mouse = (word.label() for word in words[:3])
print(f"{catches} → {cat}: {weights(x)[1, 0]:.4f}, {weights(y)[1, 2]:.4f}")
print(f"{cat} → {mouse}: {weights(x)[0, 2]:.4f}, {weights(y)[2, 0]:.4f}")

# %% [markdown] lang="en"
# *Picture: two 3 × 3 tables of attention weights, one for each sentence. Rows look, columns are
# looked at; every row sums to 1. Printed: two of the nine pairs, with their weights in both
# tables.*
#
# Neither more nor less: the same in every digit printed. Read by name, not by position: the second
# table has the nine numbers of the first, rows and columns in the other order. Who looks at whom
# settles the number, not where. Hunter or hunted, the cat is treated the same.
#
# What the tables show holds for *all* matrices `W_Q` and `W_K`: no training changes it. Why?

# %% [markdown] lang="zh"
# *图：两张3×3的注意力权重表，每句话一张。行是看的词，列是被看的词，每行之和为1。
# 打印的两行，各是一对词在两张表里的权重。*
#
# 不多也不少，打印的各位都相同。请按词读，不要按位置读。第二张表仍是第一张的九个数，
# 行和列换了次序。数由谁看谁决定，与位置无关。猫是抓的一方还是被抓的一方，待遇相同。
#
# 表里所见，对*任何*矩阵`W_Q`和`W_K`都成立，再怎么训练也没用。为什么？

# %% [markdown] lang="en" way="two_hours"
# ## 1.2 Attention from scratch
#
# Each token gets three vectors: a *query* (what it looks for), a *key* (what it offers to be found
# by) and a *value* (what it hands over). In matrices, $Q=XW_Q$, $K=XW_K$, $V=XW_V$. Then
#
# $$S=\frac{QK^\top}{\sqrt d},\qquad A=\mathrm{softmax}(S),\qquad O=AV,$$
#
# where the *attention score* $S_{ij}$ compares query $i$ with key $j$, and softmax turns each *row*
# into weights that sum to 1:
#
# $$A_{ij}=\frac{e^{S_{ij}}}{\sum_le^{S_{il}}}.$$
#
# Why the root? A sum of $d$ independent products of mean 0 and variance 1 has variance $d$. Without
# the division, scores have standard deviation $\sqrt d$: for large $d$ they are so far apart
# that softmax gives nearly all weight to one key.

# %% [markdown] lang="zh" slide="show"
# ## 1.2 从零写注意力
#
# 每个词元有三个向量：*查询*（query）说它在找什么，*键*（key）供别的词元找到它，
# *值*（value）是它要交出的内容。写成矩阵就是$Q=XW_Q$、$K=XW_K$、$V=XW_V$。于是
#
# $$S=\frac{QK^\top}{\sqrt d},\qquad A=\mathrm{softmax}(S),\qquad O=AV,$$
#
# 其中$S_{ij}$是查询$i$与键$j$的*得分*（attention score，也叫注意力分数，
# 即softmax之前的logits），softmax把每一*行*变成和为1的权重：
#
# $$A_{ij}=\frac{e^{S_{ij}}}{\sum_le^{S_{il}}}.$$
#
# 为什么要除以平方根？$d$个相互独立、均值为0、方差为1的乘积相加，方差是$d$。
# 不除的话，得分的标准差是$\sqrt d$，$d$一大，得分相差悬殊，softmax就几乎把权重全给了一个键。


# %% exercise="attention_weights"
def attention_weights(q, k):
    """Return how each query divides its attention among the keys, shape (Lq, Lk)."""
    ### BEGIN SOLUTION
    scores = q @ k.T / q.shape[-1] ** 0.5  # (Lq, Lk)
    return scores.softmax(dim=-1)
    ### END SOLUTION


# %% check="attention_weights"
check("attention_weights", attention_weights)

# %% [markdown] lang="en"
# The output of a token is the average of all values, weighted by its row of $A$. That is all there
# is to attention. A Transformer runs several side by side, its *heads*, each with its own, narrower
# $Q$, $K$, $V$, whose width is then the $d$ under the root; one more matrix mixes the heads of each
# token. Here is one head, line by line, compared with PyTorch's own function:

# %% [markdown] lang="zh"
# 一个词元的输出，就是以$A$中它那一行为权重，对所有的值求加权平均。注意力就这么简单；
# Transformer并行做几个这样的注意力，每一个叫作一个*头*（head），各有自己较窄的$Q$、$K$、$V$，
# 根号下的$d$就是它们的宽度；最后再用一个矩阵，在每个词元内部把各头混合起来。
# 下面把一个头逐行写出来，再和PyTorch自带的函数对一对：

# %%
Q, K, V = x @ W_Q, x @ W_K, x @ W_V  # (L, d) each
S = Q @ K.T / 8**0.5  # (L, L): every query with every key
A = S.softmax(dim=-1)  # (L, L): rows sum to 1
out = A @ V  # (L, d): averages of values
print("A.sum(dim=1):", [round(row, 4) for row in A.sum(dim=1).tolist()])
print("out = sdpa:  ", torch.allclose(out, F.scaled_dot_product_attention(Q, K, V)))

# %% [markdown] lang="en"
# `dim=-1` is always the axis of the keys, with or without a batch or heads in front. A `dim=1` that
# was right for `(L, L)` means the *queries* once there is a batch: they compete for each key, and
# the weights of one query no longer sum to 1.

# %% [markdown] lang="zh"
# 无论前面有没有批次和多头，`dim=-1`总是键那一轴。`dim=1`对`(L, L)`是对的，
# 加上批次之后却成了*查询*那一轴，各个查询争抢同一个键，一个查询的权重之和就不再是1。

# %%
batched = S[None]  # (B, L, L)
for axis in (1, -1):
    totals = batched.softmax(dim=axis)[0].sum(dim=-1)  # of the weights of each query
    print(f"dim={axis:2}:", [round(s, 2) for s in totals.tolist()])

# %% [markdown] lang="en"
# From here on we use the function below (`mask` is for 1.6). Nothing in it contains a position $t$:
# tokens meet only in the product of a query with a key, and in a sum over all tokens. That is why,
# in 1.1, the weights followed the words and not their places. So do values and outputs, in every
# layer: the two answers of the opening cannot differ (1.4 has the proof).

# %% [markdown] lang="zh"
# 以后都用下面的函数（`mask`用于1.6节）。它里面没有位置$t$，词元之间的联系只有“查询乘键”，以及对所有
# 词元的求和，所以在1.1节里，权重跟着词走，不跟着位置走。值和输出也一样，叠多少层都如此，
# 开头那两句话的答案必定相同（证明见1.4节）。


# %%
def attend(x, mask=None):  # (L, d) -> (L, d)
    return weights(x, mask) @ (x @ W_V)


print("attend(x) = out:", torch.allclose(attend(x), out))

# %% [markdown] lang="en" way="weekend"
# ## 1.3 Reordering is a matrix
#
# To prove something about reordering, write it as a formula. A *permutation* lists the old
# positions in their new order: `[1, 2, 0]` says "row 1 first, then row 2, then row 0". For every
# permutation there is a *permutation matrix* $P$ such that $PX$ is `X[order]`.

# %% [markdown] lang="zh" slide="show"
# ## 1.3 重排就是乘一个矩阵
#
# 要证明和重排有关的事，先得把重排写成公式。*置换*（permutation）按新的次序列出原来的位置：
# `[1, 2, 0]`的意思是“先放第1行，再放第2行，最后放第0行”。
# 每个置换都对应一个*置换矩阵*（permutation matrix）$P$，使得$PX$就是`X[order]`。


# %% exercise="permutation_matrix"
def permutation_matrix(order):
    """Return the matrix P with P @ x equal to x[order], shape (L, L), float32."""
    ### BEGIN SOLUTION
    return torch.eye(len(order))[order]
    ### END SOLUTION


# %% check="permutation_matrix"
check("permutation_matrix", permutation_matrix)

# %% [markdown] lang="en"
# $P$ is the identity matrix with its rows reordered. The proof needs two facts. $P^\top P=I$: each
# column of $P$ has a single 1, each in a different row, so $P^\top$ puts the rows back. And
# $P^\top$ on the *right* reorders *columns*, so $PSP^\top$ reorders rows and columns of $S$ in the
# same way.

# %% [markdown] lang="zh"
# 把单位矩阵的各行重排一下，就得到$P$。1.4节的证明要用它的两条性质。一是$P^\top$把各行放回原处，
# 即$P^\top P=I$，因为$P$的每一列只有一个1，而且各在不同的行。二是在*右边*乘$P^\top$，
# 重排的就是*列*，所以$PSP^\top$把$S$的行和列按同样的次序重排。

# %%
order = [1, 2, 0]
P = torch.eye(3, dtype=torch.float64)[order]
print(P.int().tolist())
print("P X = X[order]:             ", torch.equal(P @ x, x[order]))
print("Pᵀ P = I:                   ", torch.equal(P.T @ P, torch.eye(3, dtype=torch.float64)))
print("P S Pᵀ = S[order][:, order]:", torch.equal(P @ S @ P.T, S[order][:, order]))

# %% [markdown] lang="en" way="weekend"
# ## 1.4 Equivariant or invariant?
#
# Two words are often mixed up. A function $f$ of a sequence is
#
# - permutation *invariant* if reordering the input changes nothing: $f(PX)=f(X)$ for all $P$;
# - permutation *equivariant* if reordering the input reorders the output likewise:
#   $f(PX)=P\,f(X)$ for all $P$.
#
# A sum over the tokens is invariant. A function applied to each token alone is equivariant. And
# attention? It is **equivariant**, and here is the proof, in four steps with a cell each.

# %% [markdown] lang="zh" slide="show"
# ## 1.4 等变还是不变？
#
# 有两个词经常被混为一谈。设$f$作用于一个序列：
#
# - 置换*不变*（invariant）：输入重排，结果毫无变化，即对所有$P$有$f(PX)=f(X)$；
# - 置换*等变*（equivariant）：输入怎么重排，输出就怎么重排，即对所有$P$有
#   $f(PX)=P\,f(X)$。
#
# 对所有词元求和，是不变的；对每个词元单独作用的函数，是等变的。注意力呢？
# 下面分四步证明它是**等变**的，每一步配一个单元格。

# %% [markdown] lang="en"
# **Step 1: the projections.** Matrix products can be bracketed in any way:
#
# $$(PX)W_Q=P(XW_Q)=PQ,\qquad(PX)W_K=PK,\qquad(PX)W_V=PV.$$
#
# $P$ acts from the left, on the tokens (rows); $W$ from the right, on the *channels* (columns).
# Neither gets in the way of the other.

# %% [markdown] lang="zh" slide="show"
# **第一步：投影。** 矩阵乘法可以任意加括号：
#
# $$(PX)W_Q=P(XW_Q)=PQ,\qquad(PX)W_K=PK,\qquad(PX)W_V=PV.$$
#
# $P$在左边，管词元（行）；$W$在右边，管*通道*（channel，即列）。两边互不干涉。

# %%
print("(PX) W_Q = P Q:", torch.allclose((P @ x) @ W_Q, P @ Q))
print("(PX) W_K = P K:", torch.allclose((P @ x) @ W_K, P @ K))
print("(PX) W_V = P V:", torch.allclose((P @ x) @ W_V, P @ V))

# %% [markdown] lang="en"
# **Step 2: the scores.** Since $(PK)^\top=K^\top P^\top$,
#
# $$\frac{(PQ)(PK)^\top}{\sqrt d}=P\,\frac{QK^\top}{\sqrt d}\,P^\top=PSP^\top.$$
#
# The scores are the same, with rows and columns reordered, as we saw with cat and mouse.

# %% [markdown] lang="zh" slide="show"
# **第二步：得分。** 因为$(PK)^\top=K^\top P^\top$，
#
# $$\frac{(PQ)(PK)^\top}{\sqrt d}=P\,\frac{QK^\top}{\sqrt d}\,P^\top=PSP^\top.$$
#
# 得分还是那些得分，只是行和列都重排了，这正是我们在猫和老鼠那里看到的。

# %%
print("(PQ)(PK)ᵀ / √d = P S Pᵀ:", torch.allclose((P @ Q) @ (P @ K).T / 8**0.5, P @ S @ P.T))

# %% [markdown] lang="en"
# **Step 3: the softmax.** Let $\pi(i)$ be the old position of the token now at $i$, that is
# `order[i]`, so that $(PSP^\top)_{ij}=S_{\pi(i)\pi(j)}$. Then
#
# $$\mathrm{softmax}(PSP^\top)_{ij}=\frac{e^{S_{\pi(i)\pi(j)}}}{\sum_le^{S_{\pi(i)\pi(l)}}}
# =\frac{e^{S_{\pi(i)\pi(j)}}}{\sum_me^{S_{\pi(i)m}}}=A_{\pi(i)\pi(j)}.$$
#
# In the middle, $m=\pi(l)$ runs over all positions just as $l$ does, only in another order, and a
# sum does not care. So $\mathrm{softmax}(PSP^\top)=P\,\mathrm{softmax}(S)\,P^\top=PAP^\top$.

# %% [markdown] lang="zh" slide="show"
# **第三步：softmax。** 设$\pi(i)$是现在位于$i$的词元原来的位置，也就是`order[i]`，于是
# $(PSP^\top)_{ij}=S_{\pi(i)\pi(j)}$。那么
#
# $$\mathrm{softmax}(PSP^\top)_{ij}=\frac{e^{S_{\pi(i)\pi(j)}}}{\sum_le^{S_{\pi(i)\pi(l)}}}
# =\frac{e^{S_{\pi(i)\pi(j)}}}{\sum_me^{S_{\pi(i)m}}}=A_{\pi(i)\pi(j)}.$$
#
# 中间那个等号：$m=\pi(l)$和$l$一样取遍所有位置，只是次序不同，而求和不在乎次序。
# 所以$\mathrm{softmax}(PSP^\top)=P\,\mathrm{softmax}(S)\,P^\top=PAP^\top$。

# %%
print("softmax(P S Pᵀ) = P A Pᵀ:", torch.allclose((P @ S @ P.T).softmax(dim=-1), P @ A @ P.T))

# %% [markdown] lang="en"
# **Step 4: the output.** The two reorderings in the middle cancel:
#
# $$(PAP^\top)(PV)=PA(P^\top P)V=PAV=PO.\qquad\blacksquare$$
#
# Each query finds the same keys with the same values, wherever they have moved to.

# %% [markdown] lang="zh" slide="show"
# **第四步：输出。** 中间的两次重排正好抵消：
#
# $$(PAP^\top)(PV)=PA(P^\top P)V=PAV=PO.\qquad\blacksquare$$
#
# 键和值无论搬到哪里，每个查询找到的都还是它们。

# %%
print("f(PX) = P f(X):", torch.allclose(attend(P @ x), P @ attend(x)))

# %% [markdown] lang="en"
# A proof is about a formula; a measurement is about code. The *equivariance gap* of a function $f$
# is the largest entry of $|f(PX)-P\,f(X)|$. Measured layer by layer, it shows where an unknown
# model begins to see order.

# %% [markdown] lang="zh" slide="show"
# 证明管的是公式，代码对不对还得测。函数$f$的*等变误差*（equivariance gap），
# 是$|f(PX)-P\,f(X)|$中最大的元素。逐层测一遍，就知道一个陌生的模型在哪一步引入了顺序。


# %% exercise="equivariance_gap"
def equivariance_gap(f, x, order):
    """Return the largest entry of |f(Px) - P f(x)|, a number."""
    ### BEGIN SOLUTION
    return (f(x[order]) - f(x)[order]).abs().max()
    ### END SOLUTION


# %% check="equivariance_gap"
check("equivariance_gap", equivariance_gap)

# %% [markdown] lang="en"
# Is a whole Transformer still equivariant? Several heads are several attentions side by side; the
# other parts of a block, of which a Transformer is a stack, treat each token alone: the residual
# sum adds a layer's input to its output, layer norm centres and rescales each vector, and the
# feed-forward network is two matrices with a nonlinearity between. Sums and chains of equivariant
# functions are equivariant: $f(PX)+g(PX)=P\,(f(X)+g(X))$, $f(g(PX))=f(P\,g(X))=P\,f(g(X))$. So all
# of it is, at any depth.
#
# The cell below computes two numbers for each of four functions: the largest entries of
# $|f(PX)-P\,f(X)|$ and of $|f(PX)-f(X)|$. The last function adds up the rows from the top.
# The first numbers of `attend`, `block` and `six_blocks` should be 0. **Predict** which of the
# other five are 0.

# %% [markdown] lang="zh" slide="show"
# 整个Transformer还是等变的吗？Transformer由一个个块（block）叠成。多头就是几个注意力并排；
# 块里的其他部分都对每个词元单独作用：
# 残差把层的输入加到输出上，LayerNorm（层归一化）把每个向量减去均值再缩放，前馈层是两个矩阵，
# 中间隔一个非线性函数。等变的函数相加或串起来，都还是等变的：$f(PX)+g(PX)=P\,(f(X)+g(X))$，
# $f(g(PX))=f(P\,g(X))=P\,f(g(X))$。所以整个Transformer是等变的，叠多少层都一样。
#
# 下面对四个函数各算两个数：$|f(PX)-P\,f(X)|$和$|f(PX)-f(X)|$中最大的元素。
# 最后一个函数逐行累加，用来对照。`attend`、`block`、`six_blocks`的第一个数都应是0，
# **先猜一猜**其余五个里哪些是0。


# %% tags=["predict"]
def block(x):  # (L, d) -> (L, d): attention, residual, layer norm, feed-forward
    h = F.layer_norm(x + attend(x), (8,))
    return h + F.gelu(h @ W_K) @ W_V  # feed-forward: any two matrices will do


def six_blocks(x):
    for _ in range(6):
        x = block(x)
    return x


def running_sum(x):
    return x.cumsum(dim=0)


def gap(f, x, order):
    return (f(x[order]) - f(x)[order]).abs().max()


print("               |f(PX) - P f(X)|   |f(PX) - f(X)|")
for f in (attend, block, six_blocks, running_sum):
    change = (f(x[order]) - f(x)).abs().max()
    print(f"{f.__name__:12} {gap(f, x, order):18.4f} {change:16.4f}")

# %% [markdown] lang="en"
# None of the five. The second numbers of the first three functions are not 0, and one
# counterexample is enough: they are **not invariant**. (After six blocks the second number is small
# because these random blocks have made the three outputs nearly alike.) For `running_sum` neither
# number is 0: it sees order.
#
# The opening of the chapter is settled: the answers cannot differ. The $P$ that exchanges cat and
# mouse leaves the last word of "who is caught?" where it is, so row $L-1$ of $f(PX)=P\,f(X)$ is the
# old one, 96 layers or not.
#
# Now drag: the weights of the reordered sentence are always $PAP^\top$. Then turn up the second
# slider, which adds a fixed random vector to each *position*: are they still?

# %% [markdown] lang="zh" slide="show"
# 五个都不是0。前三个函数的第二个数不是0，一个反例就够了：它们**并非不变**。
# （六个块之后第二个数很小，是因为这些随机的块把三个输出变得几乎一样。）
# `running_sum`的两个数都不是0：累加与顺序有关。
#
# 开头的问题也有了答案：两句话的答案必定相同。对调猫和老鼠的$P$没有动问句的最后一个词，
# 所以$f(PX)=P\,f(X)$的第$L-1$行还是原来那一行，叠96层也一样。
#
# 现在动手拖一拖：句子重排之后重新算出的权重，总等于$PAP^\top$。
# 然后再调第二个滑块，它给每个*位置*加上一个固定的随机向量：这时还相等吗？

# %%
orders = list(itertools.permutations(range(4)))  # 24 of them, from 0123 to 3210
sentence = [3, 0, 1, 2]  # big cat catches mouse
rng = torch.Generator().manual_seed(0)
by_position = torch.randn(4, 8, generator=rng, dtype=torch.float64)  # a vector each


def drag(number=9, strength=0.0):
    order = list(orders[number])
    here, there = [words[i] for i in sentence], [words[sentence[i]] for i in order]
    P = torch.eye(4, dtype=torch.float64)[order]
    old = weights(E[sentence] + strength * by_position)
    new = weights(E[sentence][order] + strength * by_position)
    apart = f"{(new - P @ old @ P.T).abs().max():.2f}"
    return (
        Matrix(P, there, here, label.order, limits=(0, 1), decimals=0),
        Matrix(new, there, there, label.reordered, limits=(0, 1)),
        Matrix(P @ old @ P.T, there, there, label.carried_along.format(apart=apart), limits=(0, 1)),
    )


explore(drag, **label.drag, number=(0, 23), strength=(0.0, 1.0, 0.05))

# %% [markdown] lang="en"
# *Picture: three 4 × 4 tables: the permutation matrix with a single 1 in each row and column, the
# weights of the reordered sentence, and the reordered weights. The title of the last one says how
# far the two differ.*
#
# With the second slider at 0, the last two are equal in all 24 orders. As soon as a vector for each
# position is added to the input, they differ in every order but order 0, which moves nothing.
# Breaking this equality is what a **positional encoding** is for. Adding a vector is the first way;
# the chapters to come have others.

# %% [markdown] lang="zh"
# *图：三张4×4的表。置换矩阵，每行每列只有一个1；句子重排后算出的权重；原权重重排后的结果。
# 最后一张的标题写着后两张相差多少。*
#
# 第二个滑块为0时，后两张在24种次序下都相等。一旦给输入的每个位置各加上一个向量，
# 两者就不同了，只有第0种次序例外，因为它什么也没挪动。**位置编码**（positional encoding）
# 要做的就是打破这个等式，加一个向量是第一种办法，后面各章还有别的。

# %% [markdown] lang="en" way="weekend"
# ## 1.5 Pooled, it *is* invariant
#
# A classifier needs one vector per sentence. It often takes the mean of the outputs (*pooling*),
# $\frac1L\mathbf 1^\top O$, where $\mathbf 1$ is a column of ones. Each column of $P$ has a single
# 1, so $\mathbf 1^\top P=\mathbf 1^\top$, and
#
# $$\tfrac1L\mathbf 1^\top f(PX)=\tfrac1L\mathbf 1^\top P\,f(X)=\tfrac1L\mathbf 1^\top f(X).$$
#
# An equivariant function followed by a mean is invariant. In practice the sentences of a batch are
# *padded* to one length. No query may attend to the padding (a mask sees to that), and the mean
# must leave it out too; the mean is your exercise.

# %% [markdown] lang="zh" slide="show"
# ## 1.5 池化之后，才是不变
#
# 分类器要的是每句话一个向量，常用的做法是对输出求平均（*池化*，pooling），
# 即$\frac1L\mathbf 1^\top O$，其中$\mathbf 1$是全1的列向量。$P$的每一列只有一个1，
# 所以$\mathbf 1^\top P=\mathbf 1^\top$，于是
#
# $$\tfrac1L\mathbf 1^\top f(PX)=\tfrac1L\mathbf 1^\top P\,f(X)=\tfrac1L\mathbf 1^\top f(X).$$
#
# 先等变，再求平均，就得到不变。实际使用时，同一批次的句子会被*填充*（padding）到相同长度，注意力要
# 用掩码把填充排除在键之外，求平均时也不能算上它；下面的练习只做求平均这一步。


# %% exercise="pooled_output"
def pooled_output(h, mask):
    """Return the mean of each sentence's token vectors, without padding, shape (B, d)."""
    ### BEGIN SOLUTION
    total = (h * mask[:, :, None]).sum(dim=1)  # (B, d)
    return total / mask.sum(dim=1, keepdim=True)
    ### END SOLUTION


# %% check="pooled_output"
check("pooled_output", pooled_output)

# %% [markdown] lang="en"
# So a classifier that reads the mean of the outputs, after six blocks or sixty, must give both
# sentences the same answer. Order is lost, and no later layer can bring it back.

# %% [markdown] lang="zh"
# 所以，不管六层还是六十层，输出取平均之后，无论接什么分类器，对这两句话都只能给出同一个答案。
# 顺序已经丢了，后面的层再也找不回来。

# %%
apart = (six_blocks(x).mean(dim=0) - six_blocks(y).mean(dim=0)).abs().max()
print(f"max |Δ| = {apart:.4f}")

# %% [markdown] lang="en" way="weekend"
# ## 1.6 A causal mask changes the story
#
# A language model predicts the next token, so it must not see that token. The *causal mask* lets
# query $i$ look at key $j$ only if $j\le i$; all other scores become $-\infty$, and their weights
# $e^{-\infty}=0$.

# %% [markdown] lang="zh" slide="show"
# ## 1.6 因果掩码改变了局面
#
# 语言模型要预测下一个词元，当然不能偷看它。*因果掩码*（causal mask）只允许查询$i$看
# 满足$j\le i$的键$j$，其余的得分一律变成$-\infty$，权重也就成了$e^{-\infty}=0$。


# %% exercise="causal_mask"
def causal_mask(length):
    """Return True where query i (row) may look at key j (column), shape (length, length)."""
    ### BEGIN SOLUTION
    positions = torch.arange(length)
    return positions[:, None] >= positions
    ### END SOLUTION


# %% check="causal_mask"
check("causal_mask", causal_mask)

# %% [markdown] lang="en"
# A mask belongs to *positions*, not to tokens: when the input is reordered, the scores become
# $PSP^\top$, but the mask $M$ stays as it is. So step 3 of the proof fails, and the gap is not 0.
# The cell prints the mask, then the equivariance gap without and with it:

# %% [markdown] lang="zh"
# 掩码是按*位置*定的，不随词元移动：输入重排，得分变成$PSP^\top$，掩码$M$却原样不变。
# 证明的第三步不再成立，等变误差也不再是0。下面先打印掩码，再打印不加掩码和加掩码时的等变误差：

# %%
mask = posenc_ref.causal_mask(torch.arange(4), torch.arange(4))  # (query, key)
print(mask.int().tolist())
print(f"|f(PX) - P f(X)|:       {gap(attend, E[sentence], [1, 2, 0, 3]):.4f}")
print(f"|f(PX, M) - P f(X, M)|: {gap(lambda x: attend(x, mask), E[sentence], [1, 2, 0, 3]):.4f}")

# %% [markdown] lang="en" way="everything"
# ### Which orders survive a mask?
#
# That depends on the mask. Others are in use: a *window*, in which each position sees those at most
# $w$ away; a *prefix* whose positions all see each other, with the rest causal; several
# *documents* packed into one row, where each token sees all of its own document and nothing of the
# others. **Derive** on paper, from the four steps, for which $P$ the relation $f(PX)=P\,f(X)$
# survives. Then count.

# %% [markdown] lang="zh" slide="show"
# ### 加了掩码，对哪些重排仍然等变？
#
# 这要看是什么掩码。除了因果掩码，常用的还有三种：*窗口*掩码里，每个位置只看相距不超过$w$的位置；
# *前缀*掩码里，前缀内部互相都看得见，其余是因果的；几篇*文档*打包（packing）成一条序列时，各篇互相
# 看不见，篇内处处可见。请在纸上从等变证明的四步**推导**：对哪些$P$，$f(PX)=P\,f(X)$仍然成立？
# 然后数一数。


# %% exercise="mask_symmetries"
def mask_symmetries(mask):
    """Return for how many orders attention behind this mask is still equivariant, an int."""
    ### BEGIN SOLUTION
    from itertools import permutations

    orders = [list(order) for order in permutations(range(len(mask)))]
    return sum(torch.equal(mask[order][:, order], mask) for order in orders)  # P M Pᵀ = M
    ### END SOLUTION


# %% check="mask_symmetries"
check("mask_symmetries", mask_symmetries)

# %% [markdown] lang="en"
# If $PMP^\top=M$, the proof goes through. If not, take $W_Q=0$: all scores are equal, each output
# is the mean of the values that it sees, and these are no longer the same ones.
#
# A window allows the reversal, and if $2w\ge L$, any order of the middle positions, which see all.
# A prefix allows any order within itself; documents any order within each, and the exchange of two
# of equal length. If they are causal inside, as when a language model is trained on packed rows,
# only that exchange is left. In the causal mask no two rows see equally many columns: $P=I$ alone.

# %% [markdown] lang="zh"
# 若$PMP^\top=M$，证明照样走得通。若不相等，令$W_Q=0$，得分就全都相等，
# 每个输出是看得见的那些值的平均，而看得见的已经不是原来那些了。
#
# 窗口允许整句倒过来；若$2w\ge L$，中间那些处处都看得见的位置还可以任意互换。前缀内部怎么排都行；每
# 篇文档内部怎么排都行，长度相等的两篇还可以对调。语言模型打包训练时，篇内是因果的，那就只剩等长
# 文档的对调。因果掩码任何两行看得见的列数都不同，只剩$P=I$。

# %% [markdown] lang="en" way="weekend"
# ### One layer: a bag of earlier words
#
# So does a causal model see order? Look at the *last* token, whose output predicts the next word.
# It may look everywhere, so the mask removes nothing from its row:
#
# $$o_{L-1}=\frac{\sum_{j=0}^{L-1}e^{s_j}v_j}{\sum_{j=0}^{L-1}e^{s_j}},\qquad
# s_j=\frac{q_{L-1}\cdot k_j}{\sqrt d}.$$
#
# Reorder the *earlier* tokens: $q_{L-1}$ stays, and both sums get the same terms in another order.
# **Nothing changes.** In the same way, output $t$ of one layer depends on token $t$ and on *which*
# tokens came before it (and how often), never on their order: they are a *bag of words*.

# %% [markdown] lang="zh" slide="show"
# ### 一层：前文只是词袋
#
# 那么因果模型看得见顺序吗？看*最后一个*词元，预测下一个词靠的就是它的输出。它哪里都能看，
# 掩码对它那一行不起作用：
#
# $$o_{L-1}=\frac{\sum_{j=0}^{L-1}e^{s_j}v_j}{\sum_{j=0}^{L-1}e^{s_j}},\qquad
# s_j=\frac{q_{L-1}\cdot k_j}{\sqrt d}.$$
#
# 把*之前*的词元重排：$q_{L-1}$没变，两个求和里还是那些项，只是次序不同。**结果毫无变化**。
# 同理，一层注意力在位置$t$的输出，只取决于词元$t$和之前*有哪些*词元（各出现几次），
# 与它们的次序无关。之前的文本只是一个*词袋*（bag of words）。

# %% [markdown] lang="en"
# ### And two layers?
#
# Below, the earlier tokens are reordered and the last one kept: "big cat catches mouse" becomes
# "cat catches big mouse". One layer is proved: no change. **Predict**: after two layers, and after
# three, is the change of the last output 0 or not?

# %% [markdown] lang="zh"
# ### 两层呢？
#
# 下面把之前的词元重排，最后一个词元不动：“大猫抓老鼠”变成“猫抓大老鼠”。一层已经证过，不变。
# **先猜一猜**：两层之后、三层之后，最后的输出变不变？


# %% tags=["predict"]
def causal_layers(x, count):  # (L, d) -> (L, d): layer norm, attention, residual
    mask = posenc_ref.causal_mask(torch.arange(len(x)), torch.arange(len(x)))
    for _ in range(count):
        x = x + attend(F.layer_norm(x, (8,)), mask)
    return x


for count in (1, 2, 3):
    change = (
        causal_layers(E[sentence], count)[-1] - causal_layers(E[sentence][[1, 2, 0, 3]], count)[-1]
    )
    print(f"{count}: max |Δ| = {change.abs().max():.4f}")

# %% [markdown] lang="en"
# One layer gives 0, two and three do not. The first layer's output at position $t$ depends on the
# words up to $t$: in the old order position 0 has seen only "big", in the new one only "cat". So
# the *set of vectors* that the second layer sums over has changed, and order shows.
#
# Now for every position. In a sentence of eight random tokens, two neighbours are exchanged; a bar
# shows how much the output at each position changes. The picture is for two layers. **Predict**
# which bars will fall to 0 when you set the slider for the layers to 1.

# %% [markdown] lang="zh" slide="show"
# 一层是0，两层、三层都不是。第一层在位置$t$的输出取决于到$t$为止的词：重排前，位置0只见过“大”，
# 重排后只见过“猫”。第二层求和所用的*那组向量*变了，顺序就这样显现出来。
#
# 再看每一个位置。在八个随机词元的句子里交换相邻的两个，柱子的高度表示该位置的输出变了多少。
# 图上是两层的情形。**先猜一猜**：把“层数”拖到1，哪些柱子会变成0？

# %% tags=["predict"]
tokens = torch.randn(8, 8, generator=torch.Generator().manual_seed(396), dtype=torch.float64)


def exchange(first=2, count=2):
    order = list(range(8))
    order[first], order[first + 1] = first + 1, first
    change = causal_layers(tokens[order], count) - causal_layers(tokens, count)
    return Bars(
        change.norm(dim=1),
        [str(t) for t in range(8)],
        **label.changes(count=count, first=first, second=first + 1),
        limits=(0, 9),
    )


explore(exchange, **label.exchange, first=(0, 6), count=(1, 3))

# %% [markdown] lang="en"
# *Picture: eight bars, one for each position: none before the exchanged pair, two high ones at the
# pair, lower ones after it.*
#
# Before the pair nothing changes, since earlier tokens cannot see later ones. At the pair the bars
# are high because other words are there. After it (positions 4 to 7), one layer leaves all bars at
# 0. With two or three they are above 0, though mostly small: the pair shown first changes the later
# outputs most, and with two layers every other pair changes them by less than 0.4. But not by 0:
# even an exchange of tokens 0 and 1 still changes the last output.

# %% [markdown] lang="zh"
# *图：每个位置一根柱子，共八根。被交换的两个位置之前，高度为0；这两个位置上很高；之后的较低。*
#
# 之前的词元看不见之后的，所以两个位置之前毫无变化；这两个位置上换了词，柱子当然高。两个位置之后
# （图上是4到7）的柱子，一层时全是0，两层、三层时大于0，但多半很小。图上默认的这一对变化特别大；
# 换成别的一对，两层时后面的柱子都不到0.4，几乎贴着横轴。
# 就算交换的是最开头的词元0和1，到最后一个位置也还能察觉。

# %% [markdown] lang="en"
# Order *can* show. Does a **trained** model make use of it? Two small models of two layers were
# trained for 400 steps without any encoding, on rows of 64 tokens (chapter 14 takes them apart):
# one to count how many times a special token, the *mark*, has appeared so far (15 at most); one to
# copy the symbol, one of 24, that stood three tokens back. Two more have RoPE, the encoding of
# chapter 5. Each line gives the share of right answers, the last one for always naming the most
# frequent earlier symbol. Which task will those without an encoding solve?

# %% [markdown] lang="zh" slide="show"
# 顺序*可以*显现。**训练好的**模型用得上吗？有两个小模型，各两层，不用任何编码，训练了400步，
# 每条序列长64个词元（第14章会把它们拆开看）：
# 一个要数出某个特定的词元（记作★）到此为止出现过几次（最多数到15），
# 一个要说出之前第三个词元是24个符号里的哪一个。另有两个作对照，用第5章的位置编码RoPE。
# 每行打印答对的比例，最后一行是一律猜之前出现最多的符号。不用编码的模型，做得出哪个任务？

# %% tags=["predict"]
for task in ("count", "copy"):
    rows = TASKS[task](64, 64, torch.Generator().manual_seed(0))
    for encoding in ("none", "rope"):
        with torch.no_grad():
            answers = glass(task, encoding)(rows.tokens).argmax(-1)
        right = (answers == rows.targets)[rows.targets != NOTHING].float().mean()
        print(f"{task:5} {encoding:4}: {right:.1%}")
often = F.one_hot(rows.tokens[:, 1:-1]).cumsum(dim=1).argmax(-1)  # of the earlier symbols
bag = (often == rows.targets[:, 2:])[rows.targets[:, 2:] != NOTHING].float().mean()
print(f"copy  bag : {bag:.1%}")

# %% [markdown] lang="en"
# Counting, which asks for no order among what is counted: 98.5%. "Three back" asks for order. A
# model that knows the earlier symbols only as a bag can do no better than name the most frequent
# one, which is right for 14% of the answers here; a blind guess for 4%. The 36% without an encoding
# is more than either, and far less than RoPE's 100%. **A causal mask gives a model some order, but
# two layers, in 400 steps, learned little of it.**
#
# Now the counting model without an encoding. Each row begins with a token that names the task.
# Below, this token is hidden. The first line is then the model's share of right answers, the second
# that of always giving the commonest answer. Will the first be much above the second?

# %% [markdown] lang="zh" slide="show"
# 做得出计数：它只问到此为止有几个★，不问它们的先后，不用编码的模型答对98.5%。
# “之前第三个”要问先后。随便猜是4%；只知道之前有哪些词元、不知先后，每次都猜出现最多的那个，能对
# 14%。不用编码的模型答对36%，比两者都高，又远低于RoPE的100%。
# **因果掩码能给模型一点顺序，但这两层训练400步，学到的不多。**
#
# 再看负责计数、不用编码的那个模型。每条序列都以一个表示任务的词元开头。下面把它遮住：
# 第一行是这时模型答对的比例，第二行是每次都猜最常见的答案所答对的比例。第一行会比第二行高很多吗？

# %% tags=["predict"]
rows = TASKS["count"](64, 64, torch.Generator().manual_seed(0))
visible = (torch.arange(64) > 0).repeat(64, 1)  # all but the first token of each row
with torch.no_grad():
    answers = glass("count", "none")(rows.tokens, visible=visible).argmax(-1)[:, 1:]
counts = rows.targets[:, 1:]
for guess in (answers, counts.flatten().mode().values):
    print(f"{(guess == counts).float().mean():.1%}")

# %% [markdown] lang="en"
# No: without that token the model hardly counts at all. The mask alone cannot count: in a row of
# marks only, all outputs are equal. What use the token is, 1.7 shows.

# %% [markdown] lang="zh"
# 高不了多少：遮住那个词元，模型就几乎数不出来了。
# 只靠掩码数不了：一条序列若全是★，各处的输出都一样。那个词元有什么用，见1.7节。

# %% [markdown] lang="en" way="weekend"
# ## 1.7 The position counter
#
# Can a token in a causal model find out *which position* it is at? Suppose the text starts with a
# special token, BOS (beginning of sequence), and one channel of the embedding is 1 for BOS and 0
# for all other tokens. Let all scores be equal (for instance $W_Q=0$). Then the query at position
# $t$, which sees the $t+1$ tokens $0,\dots,t$, gives each the weight $\frac1{t+1}$. What does it
# read in that channel?

# %% [markdown] lang="zh" slide="show"
# ## 1.7 位置计数器
#
# 在因果模型里，一个词元能知道自己是*第几个*吗？设文本以一个特殊词元BOS（序列开始）开头，
# 嵌入中有一个通道，BOS处为1，其他词元处为0。再让所有得分都相等（例如$W_Q=0$）。
# 位置$t$的查询看得见$0,\dots,t$这$t+1$个词元，给每个的权重都是$\frac1{t+1}$。
# 它在那个通道里读到什么？


# %% exercise="position_counter"
def position_counter(flag):
    """Return what each token reads when it attends equally to itself and the past, shape (L,)."""
    ### BEGIN SOLUTION
    visible = torch.ones(len(flag), len(flag)).tril()  # (L, L): query, key
    uniform = visible / visible.sum(dim=1, keepdim=True)  # rows sum to 1
    return uniform @ flag
    ### END SOLUTION


# %% check="position_counter"
check("position_counter", position_counter)

# %% [markdown] lang="en"
# $1,\frac12,\frac13,\frac14,\dots$: that is the position, without any positional encoding. The same
# with the real attention function, its queries set to 0; the second line undoes the fraction.

# %% [markdown] lang="zh"
# 读到的是$1,\frac12,\frac13,\frac14,\dots$：没有任何位置编码，却得到了位置。用真正的注意力函数再算
# 一遍，查询设为0；第二行取倒数再减1，还原出位置。

# %%
length = 8
flag = torch.zeros(length, 1, dtype=torch.float64)
flag[0] = 1  # BOS
positions = torch.arange(length)
nothing = torch.zeros_like(flag)[None, None]  # queries and keys, (1, 1, L, 1)
seen = posenc_ref.causal_mask(positions, positions)
counter = posenc_ref.attention(nothing, nothing, flag[None, None], seen).flatten()
print([round(c, 4) for c in counter.tolist()])
print([round(1 / c - 1) for c in counter.tolist()])

# %% [markdown] lang="en"
# Kazemnejad et al. (2023) build their Theorem 1 on this idea: a causal Transformer *can* recover
# absolute positions. (The theorem says that such a counter is possible, not that trained models use
# it.) But the counter fades: neighbours differ by only
# $\frac1{t+1}-\frac1{t+2}=\frac1{(t+1)(t+2)}$. How far can it count in bfloat16, which keeps 8
# significant bits? **Predict**: about 20, 200, 2000 or 20000 tokens?

# %% [markdown] lang="zh" slide="show"
# Kazemnejad等人（2023）的定理1用的正是这个想法：因果Transformer*能够*恢复绝对位置。
# （定理说的是这样的计数器可能存在，不是说训练出来的模型就用它。）
# 但这个计数器越数越模糊，相邻两个位置只差$\frac1{t+1}-\frac1{t+2}=\frac1{(t+1)(t+2)}$。
# bfloat16只有8位二进制有效数字，它能数多远？**先猜一猜**：大约20、200、2000还是20000个词元？

# %% tags=["predict"]
t = torch.arange(64)
picture(
    Curves(
        [Curve(t, 1 / (t + 1), label.counter), Curve(t, 1 / ((t + 1) * (t + 2)), label.step_on)],
        **label.counters(),
        y_scale="log",
    )
)
rounded = (1 / torch.arange(1, 1001)).to(torch.bfloat16)
collision = int((rounded[1:] == rounded[:-1]).nonzero()[0])
print(f"bfloat16: 1/{collision + 1} = 1/{collision + 2}")

# %% [markdown] lang="en"
# *Picture: on a logarithmic axis, the counter falls from 1 to 1/64, and the step between neighbours
# falls almost twice as fast.*
#
# In bfloat16, positions 189 and 190 are the first to get the same count. Between $2^{-8}$ and
# $2^{-7}$ its numbers are $2^{-15}$ apart, and the counter takes smaller steps from position 180
# on. So in bfloat16 it tells positions near the start apart, but not those far out.

# %% [markdown] lang="zh"
# *图：纵轴为对数坐标，计数器从1降到1/64，相邻位置之差的下降速度接近它的两倍。*
#
# 用bfloat16时，位置189和190最先得到同一个数。在$2^{-8}$与$2^{-7}$之间，bfloat16相邻两数相差
# $2^{-15}$，而从位置180起，计数器的步子就比这更小了。所以用bfloat16时，它只分得清离开头近的位置。

# %% [markdown] lang="en" way="everything"
# ### Order without BOS
#
# Last, do without BOS. Stack two layers of uniform causal attention: the output at the last
# position is a weighted sum of the inputs, $\sum_sw_sx_s$. With one layer all weights are the same,
# $w_s=\frac1L$, and the order makes no difference. What are the weights with two layers?

# %% [markdown] lang="zh"
# ### 没有BOS也能看出顺序
#
# 最后，连BOS也不要。把两层均匀的因果注意力叠起来，最后一个位置的输出是输入的加权和$\sum_sw_sx_s$。
# 只有一层时，权重全都是$w_s=\frac1L$，与顺序毫无关系。有两层时，权重是多少？


# %% exercise="two_layer_weights"
def two_layer_weights(length):
    """Return the weight of each token in the last output of two uniform layers, (length,)."""
    ### BEGIN SOLUTION
    visible = torch.ones(length, length).tril()
    layer = visible / visible.sum(dim=1, keepdim=True)  # (L, L), entries 1/(t+1)
    return (layer @ layer)[-1]
    ### END SOLUTION


# %% check="two_layer_weights"
check("two_layer_weights", two_layer_weights)

# %% [markdown] lang="en"
# Token $s$ reaches the end by way of every middle position $t\ge s$, each with the weight
# $\frac1L\cdot\frac1{t+1}$:
#
# $$w_s=\frac1L\sum_{t=s}^{L-1}\frac1{t+1},\qquad w_{s}-w_{s+1}=\frac1{L(s+1)}>0.$$
#
# The weights fall strictly. Exchange two different tokens, and the last output changes. That is the
# proof: even two uniform layers see order.

# %% [markdown] lang="zh"
# 词元$s$经过每个满足$t\ge s$的中间位置到达终点，每条路的权重是$\frac1L\cdot\frac1{t+1}$：
#
# $$w_s=\frac1L\sum_{t=s}^{L-1}\frac1{t+1},\qquad w_{s}-w_{s+1}=\frac1{L(s+1)}>0.$$
#
# 权重严格递减，所以交换两个不同的词元，最后的输出就会变。
# 这就证明了：哪怕是两层均匀的注意力，也看得见顺序。

# %%
L = 8
steps = 1 / torch.arange(1, L + 1, dtype=torch.float64)  # 1/(t+1)
two = torch.stack([steps[s:].sum() / L for s in range(L)])  # (L,)
names = [str(s) for s in range(L)]
picture(
    Bars(torch.full((L,), 1 / L), names, **label.one_layer(), limits=(0, 0.36)),
    Bars(two, names, **label.two_layers(), limits=(0, 0.36)),
)
print([round(w, 4) for w in two.tolist()], f"Σ = {two.sum():.4f}")

# %% [markdown] lang="en"
# *Picture: eight equal bars for one layer; for two layers bars that fall from token 0 to token 7.*
#
# Let one channel be 1 for "cat" and 0 for all other words: in that channel the last output is then
# the weight of the cat's position, and no two positions have the same weight. So at a given length
# the model can tell where the cat is.

# %% [markdown] lang="zh"
# *图：一层时是八根等高的柱子；两层时柱子从词元0到词元7逐渐降低。*
#
# 设输入只有一个通道，“猫”为1，其他词为0，最后一个输出就是猫所在位置的权重。各个位置的权重互不相
# 同，于是在给定的长度下，猫在哪里，模型就分得出来了。

# %% [markdown] lang="en" way="everything"
# ## 1.8 Bug clinic
#
# Two mistakes from real code. Each version runs without an error, and its output has the right
# shape. For each case you read how it came about, and a symptom; the next cell defines the faulty
# function and shows the symptom in numbers. Find out where that function goes wrong, and write it
# correctly in the exercise below the cell.
#
# **Case 1.** Attention code written for `(L, B, d)` receives `(B, L, d)`. In PyTorch itself,
# `nn.MultiheadAttention` expects `(L, B, d)` unless you pass `batch_first=True`. Symptom: change
# another word of the *same* sentence, and the output of "mouse" stays the same; change the word at
# its place in *another* sentence of the batch, and it changes.

# %% [markdown] lang="zh" slide="code"
# ## 1.8 Bug诊所
#
# 实际代码里常见的两个错误，运行都不报错，输出的形状也都对。每个病例先说来历和症状，紧接着的单元格里
# 是出错的函数，并打印出症状。找出这个函数错在哪里，再在它下面的练习里写出正确的函数。
#
# **病例一。** 为`(L, B, d)`写的注意力代码，收到的却是`(B, L, d)`。
# PyTorch自己的`nn.MultiheadAttention`默认要的就是`(L, B, d)`，除非写上`batch_first=True`。
# 症状：改*本句*里的另一个词，“老鼠”的输出纹丝不动；改*另一句话*里同一位置的词，它却变了。


# %%
def across_the_batch(x):  # (B, L, d)
    scores = torch.einsum("ibd,jbd->bij", x, x) / x.shape[-1] ** 0.5
    return torch.einsum("bij,jbd->ibd", scores.softmax(dim=-1), x)


batch = torch.stack((y, x))  # (2, L, d); position 0 of sentence 0 is "mouse"
before = across_the_batch(batch)[0, 0]
for sentence_number, t in ((0, 2), (1, 0)):  # of the same sentence, of the other one
    changed = batch.clone()
    changed[sentence_number, t] = E[3]  # "big" instead
    change = (across_the_batch(changed)[0, 0] - before).abs().max()
    print(f"batch[{sentence_number}, {t}] → |Δ out[0, 0]| = {change:.2f}")


# %% exercise="mend_attended_axis" mends="across_the_batch"
def mend_attended_axis(x):
    """Return self-attention within each sentence, queries = keys = values = x, (B, L, d)."""
    ### BEGIN SOLUTION
    scores = torch.einsum("bid,bjd->bij", x, x) / x.shape[-1] ** 0.5  # (B, L, L)
    return torch.einsum("bij,bjd->bid", scores.softmax(dim=-1), x)
    ### END SOLUTION


# %% check="mend_attended_axis"
check("mend_attended_axis", mend_attended_axis)

# %% [markdown] lang="en"
# **Case 2.** The causal mask is multiplied in *after* the softmax. No weight lies on later tokens,
# so all seems well. Symptom: no row but the last sums to 1, and when the score of a *later* token
# grows, the weights on the visible ones shrink. In training, how much a row falls short of 1 gives
# the model a clue to what comes.

# %% [markdown] lang="zh"
# **病例二。** 因果掩码在softmax*之后*才乘上去。后文词元的权重确实是0，看上去没问题。
# 症状：除最后一行外，各行之和都不是1；而且*后文*某个词元的得分一变大，
# 这一行里看得见的各个权重就变小。训练时，模型从一行之和比1少了多少，就能得到后文的线索。


# %%
def late_mask(scores):  # (L, L) -> (L, L)
    return scores.softmax(dim=-1).tril()


scores = torch.zeros(3, 3, dtype=torch.float64)
print("Σ A[i] =", [round(s, 2) for s in late_mask(scores).sum(dim=1).tolist()])
for later in (0.0, 5.0):
    scores[0, 2] = later  # token 0 must not know about token 2
    print(f"S[0, 2] = {later} → A[0, 0] = {late_mask(scores)[0, 0]:.4f}")


# %% exercise="mend_late_mask" mends="late_mask"
def mend_late_mask(scores):
    """Return causal attention weights, nothing of the future in them, shape (L, L)."""
    ### BEGIN SOLUTION
    visible = torch.ones_like(scores).tril().bool()
    return scores.masked_fill(~visible, -torch.inf).softmax(dim=-1)
    ### END SOLUTION


# %% check="mend_late_mask"
check("mend_late_mask", mend_late_mask)

# %% [markdown] lang="en" way="everything"
# ## 1.9 What is not true
#
# **"Self-attention is permutation invariant."** You read it often, and 1.4 refutes it: it is
# equivariant, and only what you *pool* from its outputs is invariant (1.5).
#
# **"Without positional encodings a causal language model sees a bag of words."** The counter of
# section 1.7 and the two layers of 1.6 refute it, and so do trained models. Haviv et al. (2022,
# Table 1) give the *perplexity*, roughly the number of words a model hesitates between; lower is
# better. `NoPos` has no encoding at all (others call it NoPE), `learned` a vector per position
# (chapter 3), `sinusoidal` the waves of chapter 2, and ALiBi a penalty on the score that grows with
# distance (chapter 7). Left WikiText-103, right the Pile:

# %% [markdown] lang="zh" slide="show"
# ## 1.9 哪些说法不对
#
# **“自注意力是置换不变的。”** 这句话到处都能读到，而1.4节已经推翻了它：它是等变的，
# 输出经过*池化*之后才不变（1.5节）。
#
# **“没有位置编码，因果语言模型看到的就只是词袋。”** 1.7节的计数器和1.6节的两层已经推翻了它，
# 训练出来的模型也推翻了它。下面是Haviv等人（2022，表1）给出的*困惑度*（perplexity），
# 大致是模型在多少个词之间犹豫，越低越好。`NoPos`完全不用位置编码（别处多叫NoPE），
# `learned`是每个位置学一个向量（第3章），`sinusoidal`是正弦编码（第2章），
# ALiBi按距离扣得分（第7章）。左边是WikiText-103，右边是the Pile：

# %%
causal = {  # Haviv et al. 2022, Table 1: WikiText-103, the Pile
    "NoPos": (20.97, 13.10),
    "learned": (20.42, 13.05),
    "sinusoidal": (20.16, 12.93),
    "ALiBi": (19.71, 12.51),
}
for name, (wikitext, pile) in causal.items():
    print(f"{name:10}: {wikitext:.2f}, {pile:.2f}")
ratios = [none / table for none, table in zip(causal["NoPos"], causal["learned"], strict=True)]
print(f"NoPos / learned = {ratios[0]:.3f}, {ratios[1]:.3f}")

# %% [markdown] lang="en"
# Without positions the perplexity is only 2.7% and 0.4% higher than with learned ones (last line).
# Models that read a mere bag of words would hardly come so close.
#
# **"Then one causal layer is enough."** For the last token it is not: section 1.6 proved that the
# order of earlier tokens is invisible to it. With BOS, one layer lets a token count *its own*
# position, but it takes two to see which word was where.
#
# **"So masked language models can do without, too."** No: models like BERT look both ways, and
# without positions they are equivariant. Put the same [MASK] token in two positions and let $P$
# exchange them: $PX=X$, hence $f(X)=f(PX)=P\,f(X)$, so both get the same output and the same guess.
# The cell lets the six blocks of 1.4 read "[MASK] catches [MASK]" and prints the largest difference
# between the outputs `h` at the two masks; then the perplexities of trained masked models (Haviv et
# al. 2022, Table 4), 36 times as high without positions as with learned ones.

# %% [markdown] lang="zh"
# 不用位置编码，困惑度只比可学习的高2.7%和0.4%（末行）。看到的若只是词袋，很难这么接近。
#
# **“那么一层因果注意力就够了。”** 对最后一个词元来说不够，1.6节已经证明，它看不见之前词元的次序。
# 有了BOS，一层就能让词元数出*自己*在第几个位置；但要看出哪个词在哪里，至少要两层。
#
# **“所以掩码语言模型也可以不用位置编码。”** 不行。BERT一类的模型双向都看，不加位置编码就是等变的。
# 在两个地方放上同样的[MASK]，让$P$互换它们，那么$PX=X$，于是$f(X)=f(PX)=P\,f(X)$，两处的输出相同，
# 猜出来的词也就相同。下面让1.4节的六个块读“[MASK]抓[MASK]”，先打印两个[MASK]处的输出`h`最多
# 相差多少；再列出训练好的掩码语言模型的困惑度（Haviv等，2022，表4），
# 不用位置编码时是用可学习的位置编码时的36倍。

# %%
rng = torch.Generator().manual_seed(1)
blank = torch.randn(1, 8, generator=rng, dtype=torch.float64)  # the embedding of [MASK]
h = six_blocks(torch.cat((blank, E[[1]], blank)))  # [MASK] catches [MASK]
print(f"|h[0] - h[2]| = {(h[0] - h[2]).abs().max():.4f}")

masked = {"NoPos": 147.18, "learned": 4.06, "sinusoidal": 4.07, "ALiBi": 4.00}  # Table 4
for name, perplexity in masked.items():
    print(f"{name:10}: {perplexity:6.2f}")
print(f"NoPos / learned = {masked['NoPos'] / masked['learned']:.0f}")

# %% [markdown] lang="en" way="everything"
# ## 1.10 In real models
#
# | model or paper | how it treats order |
# |---|---|
# | BERT, GPT-2 | add a learned vector per position to the embedding |
# | Llama, Qwen | rotate queries and keys by position (RoPE) |
# | Haviv et al. (2022) | causal, no encoding (NoPE): perplexity 0.4% to 2.7% above learned (1.9) |
# | Kazemnejad et al. (2023) | NoPE among the best on longer inputs, in small reasoning tasks |
# | SmolLM3 | every fourth layer is NoPE: `no_rope_layer_interval` is 4 |
# | Set Transformer (2019) | leaves order out *on purpose*: its inputs are sets |
#
# For points in space or objects in a picture, equivariance is just what you want. For text, order
# must come from somewhere.

# %% [markdown] lang="zh"
# ## 1.10 在真实模型中
#
# | 模型或论文 | 怎么处理顺序 |
# |---|---|
# | BERT、GPT-2 | 每个位置学一个向量，加到嵌入上 |
# | Llama、Qwen | 按位置旋转查询和键（RoPE） |
# | Haviv等（2022） | 因果模型完全不用位置编码（NoPE），困惑度比可学习的高0.4%到2.7%（1.9节） |
# | Kazemnejad等（2023） | 在小型的推理和算术任务上，输入比训练时更长时，NoPE名列前茅 |
# | SmolLM3 | 每四层有一层是NoPE：`no_rope_layer_interval`为4 |
# | Set Transformer（2019） | *故意*不要顺序：它的输入是集合 |
#
# 空间中的点、图片里的物体，要的正是等变。至于文本，顺序总得有个来处。

# %% [markdown] lang="en"
# Does NoPE *extrapolate*, to inputs longer than in training? Kazemnejad et al. (2023, Tables 3 and
# 4) trained on source code with a context of 1024 tokens and measured the perplexity of NoPE, RoPE
# and ALiBi with up to 2048 tokens of input (below, from texts of 2750 to 3000 tokens).

# %% [markdown] lang="zh" slide="show"
# 那么，NoPE能*外推*（extrapolation）到比训练时更长的输入吗？Kazemnejad等人（2023，表3和表4）用程序
# 源码训练，上下文为1024个词元，再把输入从1024个词元逐步加长到2048个，测NoPE、RoPE、ALiBi的困惑度
# （下面的输入取自长2750到3000个词元的文本）。

# %%
lengths = [1024, 1200, 1400, 1600, 1800, 2048]  # Kazemnejad et al. 2023, bucket [2750, 3000]
longer = {
    "NoPE": [2.666, 2.620, 2.504, 3.839, 41.2, 151.8],
    "RoPE": [2.607, 3.323, 156, 507, 675, 677],
    "ALiBi": [2.735, 2.742, 2.741, 3.680, 13.8, 43.0],
}
picture(
    Curves(
        [Curve(lengths, perplexity, name) for name, perplexity in longer.items()],
        **label.perplexity(),
        y_scale="log",
        x_limits=(980, 2090),
        y_limits=(2, 1000),
        markers=True,
    )
)
print("L    ", *(f"{length:6}" for length in lengths))
for name, perplexity in longer.items():
    print(f"{name:5}", *(f"{value:6.1f}" for value in perplexity))

# %% [markdown] lang="en"
# *Picture: three curves on a logarithmic axis, perplexity over input length.*
#
# RoPE's perplexity has already risen at 1200, and at 1400 the model is broken. Up to 1400 NoPE even
# improves a little, and ALiBi stays level. At 1600 they are a half and a third higher than at 1400,
# and from 1800 on they are broken too: at 2048 NoPE is at 152, ALiBi at 43. "Needs no encoding" is
# not "works at any length". (Numbers of two papers do not make one table: their texts and models
# differ. Chapter 9 compares under the same conditions.)

# %% [markdown] lang="zh"
# *图：三条曲线，纵轴为对数坐标，困惑度随输入长度变化。*
#
# RoPE到1200已经抬头，1400就垮了；到1400，NoPE还略有下降，ALiBi持平，1600比1400分别高出五成和三
# 成，1800起也垮了，2048处NoPE是152，ALiBi是43。“不需要编码”不等于“多长都行”。
# （各篇论文的数据和模型不同，不能拼成一张表；第9章在同样的条件下比较。）

# %% [markdown] lang="en"
# PyTorch's own layers contain no position either; adding one is your job. And beware of a trap. In
# `nn.MultiheadAttention` a boolean mask is True where attention is *forbidden*; in
# `scaled_dot_product_attention`, and in this course, True means *may attend*. Pass the wrong one,
# and row 0 sees only later tokens, while the last row sees none. With the weights returned
# (`need_weights=True`, the default) that row is NaN, and you notice. With `need_weights=False`, as
# in `nn.TransformerEncoderLayer` in training, its output is 0 before the bias: nothing warns you,
# and the other rows look into the future.
#
# For each mask the cell prints the weight of row 0 on later tokens, that of row 3 on token 0, and
# the size of the largest entry in row 3 of the output when no weights are returned.

# %% [markdown] lang="zh"
# PyTorch自带的层里同样没有位置，得由你来加。还要当心一个坑。
# 在`nn.MultiheadAttention`里，布尔掩码为True表示*禁止*看；
# 在`scaled_dot_product_attention`和本课程里，True表示*可以*看。传反了，第0行只看得见之后的词元，
# 最后一行则一个也看不见。连权重一起返回时（默认的`need_weights=True`），这一行就是NaN，你会发现；
# 写`need_weights=False`（`nn.TransformerEncoderLayer`训练时正是如此），这一行的输出（不计偏置）
# 是0：既不报错，也没有警告，其余各行却在偷看未来。
#
# 下面对两种掩码各打印三个数：第0行落在之后词元上的权重，第3行落在词元0上的权重，
# 不返回权重时，输出第3行各数的绝对值最大是多少。

# %%
torch.manual_seed(0)  # its weights are drawn
heads = torch.nn.MultiheadAttention(8, 2, batch_first=True, dtype=torch.float64).eval()
h = E[sentence][None]
for name, passed in (("~mask", ~mask), ("mask", mask)):
    A = heads(h, h, h, attn_mask=passed)[1][0]  # (L, L) weights, averaged over heads
    out = heads(h, h, h, attn_mask=passed, need_weights=False)[0][0]  # (L, d)
    print(
        f"attn_mask={name:5}: Σ A[0, 1:] = {A[0, 1:].sum():.2f}, A[3, 0] = {A[3, 0]:.2f}, "
        f"|out[3]| ≤ {out[3].abs().max():.2f}"
    )

# %% [markdown] lang="en"
# ### Where a position can come in
#
# Here is all that a head does, with its shapes: from $x$ through $Q$, $K$, $V$, the scores $S$ and
# the weights $A$ to the output $O$ (three tokens, $d=4$, no mask, small random matrices). The
# chapters to come put the position in mostly at three places, framed below once you choose one: it
# is *added* to $x$ (chapters 2 and 3), it *turns* $Q$ and $K$ (5 and 6), or it adds a *bias* to $S$
# (4 and 7). Choose one, then move the sentence. How far does the change spread?

# %% [markdown] lang="zh"
# ### 位置可以从哪里进来
#
# 下面是一个头所做的全部计算，写出了形状：从$x$经过$Q$、$K$、$V$、得分$S$和权重$A$，到输出$O$
# （三个词元，$d=4$，没有掩码，投影矩阵里是不大的随机数）。后面几章主要在三处放入位置，
# 选定之后图中会用框标出：*加*到$x$上（第2、3章），*旋转*$Q$和$K$（第5、6章），
# 或者给$S$加*偏置*（第4、7章）。选一种，再移动句子。变化一直传到哪里？


# %%
def head(method="none", start=0, swapped=False):
    at = torch.arange(start, start + 3)
    order = mouse_first if swapped else cat_first
    x = E[order, :4]  # (L, d)
    x = x + posenc_ref.sinusoidal(at, 4) if method == "added" else x
    q, k, v = x @ W_Q[:4, :4], x @ W_K[:4, :4], x @ W_V[:4, :4]
    if method == "turned":
        angles = posenc_ref.rope_angles(at, posenc_ref.frequencies(4))
        q, k = posenc_ref.rotate(torch.stack((q, k))[None], angles, layout="interleaved")[0]
    S = q @ k.T / 2  # √d = 2
    if method == "bias":
        S = S + posenc_ref.alibi(at, at, torch.tensor([1.0]), form="symmetric")[0]
    A = S.softmax(-1)
    names, title = [words[i] for i in order], label.computed(start=start, end=start + 2)
    return Head(x, q, k, v, S, A, A @ v, names, **title, marks=label.marks[method])


explore(head, **label.head, method=label.ways, start=(0, 60), swapped=False)

# %% [markdown] lang="en"
# *Picture: seven small matrices, joined by arrows from left to right, each with its numbers;
# once you choose a way, an orange frame where the position comes in.*
#
# With no position, exchanging two words exchanges rows (in $S$ and $A$ columns too), and nothing
# else. Added to $x$, the position reaches every matrix, $V$ too: a moved sentence has another
# output. If it turns $Q$ and $K$, moving the sentence changes these two but not $S$: the rotation
# that both have in common cancels in the product, and of the positions only the relative position
# is left. A bias depends on distances alone, so moving the sentence changes none of the seven.

# %% [markdown] lang="zh"
# *图：七个小矩阵，从左到右用箭头连着，每个都写着数；选了一种放法之后，位置进来的地方有橙色的框。*
#
# 没有位置时，对调两个词，各矩阵的行跟着对调（$S$和$A$的列也是），别的什么都不变。位置加到$x$上，就
# 传遍每一个矩阵，连$V$也不例外，句子一移动，输出就不同。若是旋转$Q$和$K$，句子移动时变的只有这两
# 个，从$S$起就不变了：两者共同的旋转在相乘时抵消，只剩下相对位置。若是加偏置，它只取决于距离，所以
# 怎么移动句子，七个矩阵都不变。

# %% [markdown] lang="en" way="weekend"
# ## 1.11 Take-away
#
# - An embedding depends on the word, not on its position; attention compares contents.
# - Attention is permutation *equivariant*: $f(PX)=P\,f(X)$, at any depth. Pooled, it is
#   *invariant*. Say which one you mean.
# - A causal mask is tied to positions and breaks equivariance. One layer still sees the earlier
#   words as a bag; two layers see their order; with BOS, uniform attention counts $\frac1{t+1}$.
# - Models that look both ways need a positional encoding. Causal ones can do without: in Haviv et
#   al. (1.9) at a perplexity 0.4% to 2.7% higher than with learned ones.
# - Take the softmax over the keys, attend within a sentence, and mask before the softmax.
#
# (The way "a weekend" skips 1.8 to 1.10. Most of the last two items above, and questions 7 and 8
# below, come from there.)

# %% [markdown] lang="zh" slide="show"
# ## 1.11 本章要点
#
# - 嵌入只取决于是哪个词，与它在哪里无关；注意力比较的是内容，不是位置。
# - 注意力是置换*等变*的：$f(PX)=P\,f(X)$，叠多深都一样。池化之后才是*不变*的。
#   说的时候要分清是哪一个。
# - 因果掩码固定在位置上，打破了等变。一层看之前的词，仍是词袋；两层就看得见它们的顺序；
#   有了BOS，均匀的注意力能读出$\frac1{t+1}$，词元由此知道自己是第几个。
# - 双向的模型需要位置编码；因果模型可以不用，Haviv等人测得困惑度比用可学习的编码时
#   高0.4%到2.7%（1.9节）。
# - softmax沿着键做；注意力只在本句之内；掩码要在softmax之前加上。
#
# （“一个周末”的路线不含1.8到1.10节，最后两条的大部分和下面的第7、8题就出自那里。）

# %%
quiz("permutation")

# %% [markdown] lang="en" way="everything"
# ## Further reading
#
# - A. Vaswani, N. Shazeer, N. Parmar, J. Uszkoreit, L. Jones, A. N. Gomez, Ł. Kaiser, I.
#   Polosukhin: *Attention Is All You Need*. NeurIPS 2017.
#   [arXiv:1706.03762](https://arxiv.org/abs/1706.03762). §3.2 and §3.5.
# - A. Haviv, O. Ram, O. Press, P. Izsak, O. Levy: *Transformer Language Models without Positional
#   Encodings Still Learn Positional Information*. Findings of EMNLP 2022.
#   [arXiv:2203.16634](https://arxiv.org/abs/2203.16634). Tables 1 and 4 are quoted above.
# - A. Kazemnejad, I. Padhi, K. Natesan Ramamurthy, P. Das, S. Reddy: *The Impact of Positional
#   Encoding on Length Generalization in Transformers*. NeurIPS 2023.
#   [arXiv:2305.19466](https://arxiv.org/abs/2305.19466). Theorem 1; Tables 3 and 4 are quoted
#   above.
# - J. Wang, T. Ji, Y. Wu, H. Yan, T. Gui, Q. Zhang, X. Huang, X. Wang: *Length Generalization of
#   Causal Transformers without Position Encoding*. Findings of ACL 2024.
#   [arXiv:2404.12224](https://arxiv.org/abs/2404.12224). Why NoPE stops extrapolating.
# - K. Irie, A. Zeyer, R. Schlüter, H. Ney: *Language Modeling with Deep Transformers*. Interspeech
#   2019. [arXiv:1905.04226](https://arxiv.org/abs/1905.04226). Causal models without positions,
#   already in 2019.
# - J. Lee, Y. Lee, J. Kim, A. R. Kosiorek, S. Choi, Y. W. Teh: *Set Transformer: A Framework for
#   Attention-based Permutation-Invariant Neural Networks*. ICML 2019.
#   [arXiv:1810.00825](https://arxiv.org/abs/1810.00825). Equivariant layers, invariant pooling.
# - M. Zaheer, S. Kottur, S. Ravanbakhsh, B. Póczos, R. Salakhutdinov, A. Smola: *Deep Sets*.
#   NeurIPS 2017. [arXiv:1703.06114](https://arxiv.org/abs/1703.06114). Which functions are
#   invariant or equivariant.

# %% [markdown] lang="zh"
# ## 延伸阅读
#
# - A. Vaswani, N. Shazeer, N. Parmar, J. Uszkoreit, L. Jones, A. N. Gomez, Ł. Kaiser, I.
#   Polosukhin：*Attention Is All You Need*。NeurIPS 2017。
#   [arXiv:1706.03762](https://arxiv.org/abs/1706.03762)。见§3.2与§3.5。
# - A. Haviv, O. Ram, O. Press, P. Izsak, O. Levy：*Transformer Language Models without Positional
#   Encodings Still Learn Positional Information*。Findings of EMNLP 2022。
#   [arXiv:2203.16634](https://arxiv.org/abs/2203.16634)。上文引用的是表1和表4。
# - A. Kazemnejad, I. Padhi, K. Natesan Ramamurthy, P. Das, S. Reddy：*The Impact of Positional
#   Encoding on Length Generalization in Transformers*。NeurIPS 2023。
#   [arXiv:2305.19466](https://arxiv.org/abs/2305.19466)。见定理1；上文引用的是表3和表4。
# - J. Wang, T. Ji, Y. Wu, H. Yan, T. Gui, Q. Zhang, X. Huang, X. Wang：*Length Generalization of
#   Causal Transformers without Position Encoding*。Findings of ACL 2024。
#   [arXiv:2404.12224](https://arxiv.org/abs/2404.12224)。NoPE的外推为什么会失效。
# - K. Irie, A. Zeyer, R. Schlüter, H. Ney：*Language Modeling with Deep Transformers*。Interspeech
#   2019。[arXiv:1905.04226](https://arxiv.org/abs/1905.04226)。2019年就有了不用位置编码的因果模型。
# - J. Lee, Y. Lee, J. Kim, A. R. Kosiorek, S. Choi, Y. W. Teh：*Set Transformer: A Framework for
#   Attention-based Permutation-Invariant Neural Networks*。ICML 2019。
#   [arXiv:1810.00825](https://arxiv.org/abs/1810.00825)。等变的层，不变的池化。
# - M. Zaheer, S. Kottur, S. Ravanbakhsh, B. Póczos, R. Salakhutdinov, A. Smola：*Deep Sets*。
#   NeurIPS 2017。[arXiv:1703.06114](https://arxiv.org/abs/1703.06114)。哪些函数是不变的或等变的。
