# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
#   kernelspec: {display_name: Python 3, language: python, name: python3}
#   posenc:
#     title: {en: Learned positions, zh: 可学习的位置编码}
#     question:
#       en: "What does a table of trained rows know about order, and where does it end?"
#       zh: 一张训练出来的表，能学到多少顺序，又到哪里为止？
# ---

# %% [markdown] lang="en" way="weekend"
# # 3 · Learned positions
#
# BERT and GPT-2 dropped the waves. They gave every position a row of random numbers and let
# training adjust it. Nobody tells such a table that 6 and 7 are neighbours, and yet it finds out;
# section 3.2 shows it happening within 400 steps. The table has one weakness that no training
# cures: it has a last row, and not every way to step past it raises an error.
#
# **You will** watch a table learn, write the inputs of GPT-2 and BERT, count positions in padded
# batches, derive when concatenating is adding, read order with a GRU, and fix three silent
# mistakes. (The way "a weekend" covers the input of GPT-2, the end of the table and padded
# batches.)
#
# **You need** chapters 1 and 2. About {minutes} minutes, 20 points, and 3 more for a question that
# a teacher grades.

# %% [markdown] lang="zh"
# # 3 · 可学习的位置编码
#
# BERT和GPT-2没有用正弦波。它们给每个位置一行随机数，交给训练去调。没有人告诉这张表，
# 6和7是相邻的；它自己却学得出来，3.2节里400步就学会了。
# 但它有一个怎么训练也治不好的弱点：表有最后一行。
# 词元（token）的位置一旦越过这一行，有的写法会报错，有的却不会。
#
# **你将**看着一张表学会远近，写出GPT-2和BERT的输入，给一批带填充的文本数位置，推导拼接何时就是相
# 加，用GRU读出顺序，并修好三个不声不响的错误。（“一个周末”只做GPT-2的输入、越过最后一行和左填
# 充。）
#
# **你需要**第1章和第2章的内容。约{minutes}分钟，共20分，另有一道由教师评分的题，3分。

# %%
import math

import torch
import torch.nn.functional as F

from autograde import answer, check, hint, progress, quiz
from bilingual.switch import language_switch
from posenc_ref import (
    LearnedPositionalEmbedding,
    RecurrentEmbedding,
    concatenated,
    positions,
    positions_from_mask,
    sinusoidal,
)
from posenc_viz import Curve, Curves, HeatMap, Matrix, Range, explore, picture
from posenc_viz.labels import learned as label

torch.set_num_threads(1)
language_switch()

# %% [markdown] lang="en" way="everything"
# ## 3.1 A game that needs positions
#
# Texts of 32 letters, from an alphabet of eight, come in runs: each letter repeats the one before
# it with probability 0.8; otherwise it is drawn at random. One letter is hidden. You, seeing its
# neighbours, would guess well. Training will show how well a model can guess if it cannot tell near
# letters from far ones. Three such texts:

# %% [markdown] lang="zh" slide="show"
# ## 3.1 一个离不开位置的游戏
#
# 每段文本长32个字母，字母共八种，成串出现：每个字母以0.8的概率重复前一个，否则从八种里重抽。
# 遮住其中一个。你看得见它的邻居，多半能猜对。一个分不清远近的模型能猜对多少，
# 训练之后便知。先看三段这样的文本：

# %%
N, LETTERS, D = 32, 8, 32  # rows of the table, letters, channels


def texts(count, length, rng):
    """Return letters in runs, shape (count, length)."""
    drawn = torch.randint(LETTERS, (count, length), generator=rng)
    new = torch.rand(count, length, generator=rng) < 0.2
    new[:, 0] = True
    begin = torch.where(new, torch.arange(length), 0).cummax(1).values  # where each run began
    return drawn.gather(1, begin)


for text in texts(3, N, torch.Generator().manual_seed(0)).tolist():
    print("".join("abcdefgh"[letter] for letter in text))

# %% [markdown] lang="en"
# The model is what remains of BERT if you keep one layer and one attention head, and drop the
# residual connections, LayerNorm and the feed-forward network. The hidden letter is replaced by a
# blank. Only the blank asks, as the query; all positions, its own included, are keys. Positions
# enter the model in one expression only, `+ table[:length]`.

# %% [markdown] lang="zh"
# 模型由BERT删减而来：只剩一层、一个注意力头，残差连接、LayerNorm和前馈层都不要。
# 被遮住的字母换成空位，只有空位作查询，所有位置（连同空位自己）都作键。
# 位置只靠代码里的一处进入模型：`+ table[:length]`。


# %%
def guess(tokens, hidden, table, weights):
    """Return logits of the hidden letters, (B, 8); `hidden` (B,) holds their positions."""
    words, W_Q, W_K, W_V, W_O = weights
    each, length = torch.arange(len(tokens)), tokens.shape[1]
    seen = tokens.index_put((each, hidden), torch.tensor(LETTERS))  # letter number 8: the blank
    x = words[seen] + table[:length]  # (B, L, D)
    q = x[each, hidden] @ W_Q  # (B, D)
    scores = torch.einsum("bd,bld->bl", q, x @ W_K) / math.sqrt(D)  # (B, L)
    mixed = torch.einsum("bl,bld->bd", scores.softmax(-1), x @ W_V)  # (B, D)
    return mixed @ W_O


# %% [markdown] lang="en"
# Training draws texts of `longest` letters and updates the weights with Adam, and the table too if
# it requires gradients. Every 40 steps a copy of the table is kept.

# %% [markdown] lang="zh"
# 训练时抽取长度为`longest`的文本，用Adam更新权重；表若需要梯度，也一起更新。每40步存一份表的副本。


# %%
def train(table, longest=N, seed=0):
    """Return the trained weights, and the table every 40 steps; `table` is changed in place."""
    rng = torch.Generator().manual_seed(seed)
    weights = [0.02 * torch.randn(LETTERS + 1, D, generator=rng)]
    weights += [torch.randn(D, n, generator=rng) / math.sqrt(D) for n in (D, D, D, LETTERS)]
    trained = [t.requires_grad_() for t in weights] + ([table] if table.requires_grad else [])
    adam, kept = torch.optim.Adam(trained, lr=5e-3), [table.detach().clone()]
    for step in range(1, 401):
        tokens = texts(64, longest, rng)
        hidden = torch.randint(longest, (64,), generator=rng)
        logits = guess(tokens, hidden, table, weights)
        loss = F.cross_entropy(logits, tokens[torch.arange(64), hidden])
        adam.zero_grad()
        loss.backward()
        adam.step()
        if step % 40 == 0:
            kept.append(table.detach().clone())
    return weights, kept


def hits(table, weights):
    """Return the share of right guesses at each group of four positions, (8,)."""
    tokens, hidden = texts(8000, N, torch.Generator().manual_seed(1)), torch.arange(8000) % N
    with torch.no_grad():
        guessed = guess(tokens, hidden, table, weights).argmax(-1)
    right = (guessed == tokens[torch.arange(8000), hidden]).double()
    return torch.stack([right[hidden // 4 == group].mean() for group in range(8)])


# %% [markdown] lang="en"
# First without positions: a table $T$ of zeros that is not trained. Then a *learned* $T$ that
# starts from small random numbers, like all other weights. Guess both hit rates before you run
# (chance is 0.125). For comparison, the third line is the hit rate of always guessing the most
# frequent letter of the text (`argmax`). The fourth is not a hit rate: it says in what share of
# cases the model without positions guesses that letter, or one as frequent.

# %% [markdown] lang="zh"
# 先不给位置，表$T$全为零，不参与训练；再换成*可学习的*（learned）$T$，和其他权重一样，
# 从小随机数开始。运行之前先猜猜两者的命中率（瞎猜是0.125）。作为对照，
# 第三行一律猜文本里出现最多的字母（`argmax`）。第四行不是命中率：
# 它说的是没有位置的模型作出的猜测里，
# 有多少猜的正是文本里出现最多的字母（或并列最多的之一），不管猜得对不对。


# %% tags=["predict"]
def fresh_table(seed):
    start = 0.02 * torch.randn(N, D, generator=torch.Generator().manual_seed(seed))
    return start.requires_grad_()


nothing, learned = torch.zeros(N, D), fresh_table(1)
weights_nothing, _ = train(nothing)
weights_learned, kept = train(learned)
print(f"T = 0:  {hits(nothing, weights_nothing).mean():.1f}")
print(f"T:      {hits(learned, weights_learned).mean():.1f}")
tokens, hidden = texts(2000, N, torch.Generator().manual_seed(2)), torch.arange(2000) % N
counts = F.one_hot(tokens, LETTERS).sum(1)  # (2000, 8)
letter = tokens[torch.arange(2000), hidden]
counts[torch.arange(2000), letter] -= 1  # the hidden letter does not count
print(f"argmax: {(counts.argmax(1) == letter).double().mean():.1f}")
guessed = guess(tokens, hidden, nothing, weights_nothing).argmax(-1)
often = counts[torch.arange(2000), guessed] == counts.amax(1)  # guessed a most frequent letter
print(f"T = 0, argmax: {often.double().mean():.2f}")

# %% [markdown] lang="en"
# Without positions the model does no better than the third line, 0.4: nearly all of its guesses are
# the most frequent letter or one as frequent (last line). With the table, 0.8, it looks at the
# neighbours.
#
# Nobody told the table what a neighbour is: training changed row $p$ in whatever way made the
# guesses better. The row enters the query when the blank is at $p$; it enters the key and the value
# at $p$ wherever the blank is.
#
# The whole method is one formula:
#
# $$h_t=x_t+T_{p},\qquad T\in\mathbb R^{N\times d},$$
#
# where $x_t$ is the embedding of the token at place $t$, $p$ its position and $T$ the table of $N$
# trained rows: $T_p$ is what $\mathrm{PE}(p)$ was in chapter 2.

# %% [markdown] lang="zh" slide="show"
# 没有位置时，模型并不比第三行强，都是0.4：它猜的几乎总是出现最多的字母（或并列最多之一，见末行）。
# 有了表就是0.8，因为它会去看邻居。
#
# 没有人告诉表什么叫邻居：怎样改第$p$行能让模型猜得更准，训练就怎样改。
# 猜位置$p$的字母时，这一行进入查询；无论猜哪里，它都进入位置$p$的键和值。
#
# 整个方法只有一个式子：
#
# $$h_t=x_t+T_{p},\qquad T\in\mathbb R^{N\times d},$$
#
# 其中$x_t$是第$t$处词元的嵌入，$p$是它的位置，$T$是一张表，有$N$行训练出来的参数：
# $T_p$就相当于第2章的$\mathrm{PE}(p)$。

# %% [markdown] lang="en" way="everything"
# ## 3.2 What the table has learned
#
# Compare all pairs of rows by their cosine. At step 0 they are random. Drag the step: what appears,
# and in which order? On the right is the sinusoidal table of chapter 2, which never had to learn.

# %% [markdown] lang="zh" slide="show"
# ## 3.2 表学到了什么
#
# 用余弦比较每两行。第0步时它们是随机的。拖动步数：出现了什么，先后次序如何？
# 右边是第2章的正弦编码表，它从来不用学。


# %%
def cosines(table):
    rows = F.normalize(table.detach(), dim=1)
    return rows @ rows.T  # (N, N)


def alike(table, title):
    looks = {"limits": (-1, 1), "colours": "RdBu_r", "square": True}
    return HeatMap(cosines(table), **label.rows(), title=title, **looks)


def learning(step=400):
    return (
        alike(kept[step // 40], label.learned_at.format(step=step)),
        alike(sinusoidal(torch.arange(N), D), label.sinusoidal),
    )


explore(learning, **label.learning, step=(0, 400, 40))

# %% [markdown] lang="en"
# *Picture: two square heat maps, at the last step. On the left a broad red band along the diagonal,
# with blue on both sides and red again in the far corners. On the right everything is red,
# darkest on the diagonal, then in fainter stripes parallel to it.*
#
# At step 0 the left one is noise with a thin red diagonal; at step 160 there are two red squares.
# So the table first learns to tell the front half from the back half, then near from far. Only the
# task ties row 7 to row 8: a blank at 7 and one at 8 have to look at nearly the same letters, so
# the two rows get similar gradients. (The corners are chance: with another seed they may be blue.)
#
# The red band is not equally wide everywhere, since each row learned for itself. The stripes of the
# waves are each of one shade throughout, by construction: $\mathrm{PE}(p)\cdot\mathrm{PE}(q)$
# depends on $q-p$ alone. For each table (`T, 0` and `T, 400`: the learned one at these steps; `PE`:
# the sinusoidal one) the cell prints the smallest and the largest cosine of two rows, first for
# rows one position apart, then for rows three apart.

# %% [markdown] lang="zh"
# *图：两张方形热力图，画的是最后一步。左图沿对角线有一条宽红带，两侧为蓝色，最远的两角又变红。
# 右图一片红，对角线上最深，两侧是与它平行、深浅不一的条纹。*
#
# 第0步，左图只有噪声和一条细细的红色对角线；到第160步，出现了两个红色方块。
# 可见表先学会区分前半和后半，再学会区分远近。把第7行和第8行连在一起的只有任务：
# 空位在7还是在8，要看的几乎是同一批字母，两行得到的梯度也就差不多。
# （两角变红只是碰巧，换个种子也可能变蓝。）
#
# 红带并非处处一样宽，因为每一行都是各学各的。右图的每一道条纹从头到尾一样深，这由构造决定：
# $\mathrm{PE}(p)\cdot\mathrm{PE}(q)$只取决于$q-p$。
# 下面对三张表（`T, 0`和`T, 400`是可学习的表，分别取自第0步和第400步，`PE`是正弦编码表）
# 各打印两行余弦的最小值和最大值，先是相隔1行的，再是相隔3行的：

# %% tags=["nbval-ignore-output"] reason="trained numbers differ a little between processors"
tables = {"T, 0": kept[0], "T, 400": kept[-1], "PE": sinusoidal(torch.arange(N), D)}
for name, table in tables.items():
    for k in (1, 3):
        cosine = cosines(table).diagonal(k)  # of rows k apart
        print(f"{name:6}  q − p = {k}: {cosine.min():5.2f} … {cosine.max():5.2f}")

# %% [markdown] lang="en"
# Which places does a blank look at? Make the keys from the rows of the positions alone, without the
# letters, and see where its attention goes. Drag the blank through the text.

# %% [markdown] lang="zh" slide="show"
# 空位会看哪些位置？键里只放位置行，不放字母，看注意力落在哪里。把空位在文本里拖来拖去。


# %%
def looks(p, table, weights):
    """Return the attention of a blank at p by positions alone, (N,)."""
    words, W_Q, W_K, *_ = (w.detach() for w in weights)
    rows = table.detach()
    return ((words[LETTERS] + rows[p]) @ W_Q @ (rows @ W_K).T / math.sqrt(D)).softmax(-1)


def blank(p=12):
    return Curves(
        [
            Curve(range(N), looks(p, learned, weights_learned), label.learned),
            Curve(range(N), looks(p, nothing, weights_nothing), label.none),
        ],
        **label.weights(p=p),
        x_limits=(0, N - 1),
        y_limits=(0, 0.6),
        vlines=(p,),
    )


explore(blank, **label.blank, p=(0, N - 1))

# %% [markdown] lang="en"
# *Picture: one curve with a narrow hill around the dashed line at the blank, one flat line at
# 1/32.*
#
# The hill follows the blank, and the blank itself is under it: nothing keeps a blank from looking
# at itself. At either end of the text the hill loses one side, and what is left is higher, because
# the weights sum to 1. (A low hump at the far end, if you see one, is not the lost side come round:
# it goes with the red corners above, and is chance like them.)

# %% [markdown] lang="zh"
# *图：各个位置分到的注意力权重。一条曲线在空位所在的虚线附近隆起一座窄峰，
# 另一条是高度为1/32的平线。*
#
# 峰跟着空位走，空位自己也在峰下，毕竟没有什么禁止它看自己。到了文本两端，峰会缺掉一侧，
# 剩下的就更高，因为权重之和是1。（另一端若冒出一个小峰，那不是缺掉的一侧绕了过去，
# 而是与上面热力图里变红的两角同出一源，也是碰巧。）

# %% [markdown] lang="en" way="weekend"
# ## 3.3 GPT-2: the look-up and where it starts
#
# A learned positional encoding is a table $T$ with a row per position, trained like all other
# weights. Token $t$ of the input, with embedding $x_t$, has the row of its position $p$ added to
# it: $h_t=x_t+T_p$. In GPT-2 the table has 1024 rows, and the input is
# `wte(tokens) + wpe(positions)`. When GPT-2 generates, it keeps the keys and values of the tokens
# so far (a KV cache, chapter 8) and is fed only the new one. In that input $t=0$, but its
# *position* $p$ is the number of tokens before it.

# %% [markdown] lang="zh" slide="show"
# ## 3.3 GPT-2：查表与起点
#
# 可学习的位置编码是一张表$T$，每个位置一行，和其他权重一起训练；
# 输入里第$t$个词元的嵌入$x_t$，加上它的位置$p$那一行，$h_t=x_t+T_p$。GPT-2的表有1024行，
# 输入是`wte(tokens) + wpe(positions)`。生成时，它把已有词元的键和值存起来（KV缓存，第8章），
# 每次只送入新的词元。新词元在这次输入里排第0（$t=0$），可它的*位置*$p$是之前已有的词元数。


# %% exercise="gpt2_input"
def gpt2_input(tokens, words, table, past=0):
    """Return word embeddings plus the rows of positions past, past + 1, …, shape (B, L, d)."""
    ### BEGIN SOLUTION
    length = tokens.shape[1]
    rows = torch.arange(past, past + length)  # (L,)
    return words[tokens] + table[rows]  # (B, L, d) + (L, d)
    ### END SOLUTION


# %% check="gpt2_input"
check("gpt2_input", gpt2_input)

# %% [markdown] lang="en"
# A good test of such code: nine tokens at once, then six and three, and compare. Here only the rows
# of the table are looked up (`positions(3, start=6)` is positions 6, 7 and 8). If you pass the
# start of the second part, the rows are the same; if you forget it, they are not, and no error is
# raised.

# %% [markdown] lang="zh"
# 这种代码该这样测：九个词元一次送入，再分成六个和三个送入，得到的向量应当相同。下面只取表里的行
# （`positions(3, start=6)`就是位置6、7、8）。第二段若忘了给起点，取到的行就不同了，
# 而且不会报错。

# %%
embed = LearnedPositionalEmbedding(max_length=16, dim=4)
with torch.no_grad():
    whole, begin, rest = (embed(p) for p in (positions(9), positions(6), positions(3, start=6)))
    forgotten = embed(positions(3))
print("start = 6:", torch.equal(torch.cat((begin, rest)), whole))
print("start = 0:", torch.equal(torch.cat((begin, forgotten)), whole))

# %% [markdown] lang="en" way="everything"
# ## 3.4 BERT: a sum of three
#
# BERT (Devlin et al. 2019, §3 and Figure 2) reads two sentences at once and tells them apart by a
# third table of two rows, the *segments*. Word, segment and position are added; the released code
# then normalises the sum:
#
# $$h_t=\mathrm{LayerNorm}(\text{word}_t+\text{segment}_t+T_p).$$
#
# LayerNorm brings the sum to a fixed scale before it enters the first layer.

# %% [markdown] lang="zh" slide="show"
# ## 3.4 BERT：三者之和
#
# BERT（Devlin等，2019，§3与图2）一次读入两个句子，区分两句靠的是第三张表，
# 即*片段*（segment）嵌入，它只有两行。词、片段、位置相加，公开的代码随后再归一化：
#
# $$h_t=\mathrm{LayerNorm}(\text{word}_t+\text{segment}_t+T_p).$$
#
# LayerNorm让三者之和在进入第一层之前有了固定的尺度。


# %% exercise="bert_input"
def bert_input(tokens, segments, words, segment_table, table, gain, bias, eps=1e-12):
    """Return LayerNorm(word + segment + position), shape (B, L, d)."""
    ### BEGIN SOLUTION
    length = tokens.shape[1]
    x = words[tokens] + segment_table[segments] + table[:length]  # (B, L, d)
    mean = x.mean(-1, keepdim=True)  # (B, L, 1)
    centred = x - mean
    variance = (centred**2).mean(-1, keepdim=True)
    return centred / (variance + eps).sqrt() * gain + bias
    ### END SOLUTION


# %% check="bert_input"
check("bert_input", bert_input)

# %% [markdown] lang="en" way="weekend"
# ## 3.5 One step past the end
#
# A table of $N$ rows has positions $0$ to $N-1$. What happens at $N$ depends on how the code reads
# the table. Below, position 8 is read from a table of eight rows in three ways and added to a word.
# Guess for each way: does it raise an error? If not, what shape and which numbers come out?

# %% [markdown] lang="zh" slide="show"
# ## 3.5 越过最后一行
#
# $N$行的表只有位置$0$到$N-1$。到了$N$会怎样，要看代码怎么读。下面用三种写法从八行的表里读位置8，
# 加到一个词上。逐个猜一猜：会不会报错？不报错的话，得到什么形状、哪些数？

# %% tags=["predict"]
table, word = torch.arange(8.0)[:, None].expand(8, 4), torch.zeros(1, 1, 4)  # row p holds p
reads = {
    "index": lambda p: table[torch.tensor([p])],
    "slice": lambda p: table[p : p + 1],
    "clamp": lambda p: table[torch.tensor([p]).clamp(max=7)],
}
for name, read in reads.items():
    try:
        h = word + read(8)
        print(f"{name}: {tuple(h.shape)} {h.flatten().tolist()}")
    except (IndexError, RuntimeError) as error:
        print(f"{name}: {error}")

# %% [markdown] lang="en"
# The look-up by `index` raises an error on a CPU; on a GPU it triggers a device-side assertion,
# often reported several calls later. The slice is worse: `table[8:9]` has no rows, and broadcasting
# 1 against 0 makes the token vanish. Two new tokens at 7 and 8 find a single row, `table[7:9]`,
# which both get. (Nine tokens against the eight rows of `table[:9]` do raise an error.) The third
# way reads row 7 again. Other frameworks may not raise at all: in JAX `table[i]` clamps, like the
# third way, while `jnp.take` returns NaN; TensorFlow's `tf.gather` on a GPU returns zeros (their
# documentation says so).

# %% [markdown] lang="zh"
# 按下标查表（`index`），在CPU上会报错；在GPU上是一个设备端断言，往往隔几次调用才报出来。切片更糟，
# `table[8:9]`一行也没有，1与0一广播，词元就消失了；位置7和8上的两个新词元，
# 从`table[7:9]`只取到一行，两个都加上它，也不报错（九个词元遇上`table[:9]`的八行，才会报错）。
# 第三种写法又读了一遍第7行。有些框架根本不报错：
# JAX的`table[i]`会*截到末行*（clamp），和第三种一样，`jnp.take`则返回NaN；
# TensorFlow的`tf.gather`在GPU上返回零（均见其文档）。

# %% [markdown] lang="en" way="everything"
# ### Rows that exist, and were never trained
#
# Suppose the table has 32 rows, but training only ever showed texts of 24 letters. There is no
# error now. The first two lines are the hit rates by position, for such a table (`T`) and for waves
# instead of it (`PE`); the last one has the mean norms of the table's rows. How good are the
# guesses from position 24 on, with either?

# %% [markdown] lang="zh" slide="show"
# ### 存在、却从没训练过的行
#
# 假设表有32行，训练时却只见过24个字母的文本。这回不会报错。前两行是各段位置的命中率，
# `T`是这样的表，`PE`是用正弦编码代替它；最后一行是表中各行的平均范数。
# 从位置24起，两者各猜得准吗？

# %%
short, waves = fresh_table(1), sinusoidal(torch.arange(N), D)
weights_short, _ = train(short, longest=24)
weights_waves, _ = train(waves, longest=24)

# %% tags=["predict", "nbval-ignore-output"] reason="training differs a little between processors"
for name, t, w in (("T ", short, weights_short), ("PE", waves, weights_waves)):
    *old, new, last = hits(t, w)  # four positions each
    old = sum(old) / len(old)
    print(f"{name}: p < 24: {old:.1f}, 24 ≤ p < 28: {new:.1f}, 28 ≤ p: {last:.1f}")
norms = short.detach().norm(dim=1)
print(f"‖T_p‖: p < 24: {norms[:24].mean():.1f}, 24 ≤ p: {norms[24:].mean():.1f}")
picture(
    Curves(
        [
            Curve(torch.arange(8) * 4 + 1.5, hits(t, w), name)
            for t, w, name in (
                (learned, weights_learned, label.learned_on_32),
                (short, weights_short, label.learned_on_24),
                (waves, weights_waves, label.sinusoidal_on_24),
                (nothing, weights_nothing, label.none),
            )
        ],
        **label.guesses(),
        y_limits=(0, 1),
        markers=True,
        vlines=(23.5,),
    )
)

# %% [markdown] lang="en"
# *Picture: four lines over the position, each point the mean of four positions; the dashed line
# is where training ended.*
#
# The table trained at length 24 falls off a cliff, to about the level of no positions. No wonder:
# untrained rows are still the small random numbers of the start, a tenth as long as the others
# (last line). The waves fall too, but by degrees: to 0.6 at the first four new positions, to 0.3 at
# the last four (other seeds give other numbers). Computable rows give the model something, but
# nothing it can rely on, as chapter 2 found.
#
# In the figure the table trained at length 32 stays near 0.8, the model without positions between
# 0.3 and 0.5. (It is better in the middle because guessing is easier there: the run around the
# blank extends to both sides, so that its letter is more often the most frequent one.)

# %% [markdown] lang="zh"
# *图：横轴是位置，共四条线，每个点是四个位置的平均命中率，虚线是训练长度的尽头。*
#
# 训练长度为24的表，命中率断崖式下跌，跌到和没有位置差不多。这不奇怪：
# 没训练过的行还是初始的小随机数，范数只有其余各行的十分之一（末行）。
# 正弦编码的命中率也会下降，但降得缓：刚越过虚线的四个位置是0.6，最后四个是0.3
# （换个种子，数值会变）。
# 算得出来的行多少有点用，却靠不住，这和第2章的结论一致。
#
# 图中，训练长度为32的表始终在0.8左右，没有位置的模型在0.3到0.5之间。
# （后者在中间猜得更准，是因为那里本来就好猜：空位在中间时，
# 它所在的那一串能向两侧延伸，通常更长，被遮住的字母也就更常是全文出现最多的那个。）

# %% [markdown] lang="en" way="everything"
# ## 3.6 What the table costs
#
# A table has $N\cdot d$ parameters, and using it takes one addition. To compare, count all of GPT-2
# (small), which uses its word table once more as output layer, and of BERT-base, which ends with a
# *pooler*, one more $d\times d$ layer on the first token. A block has four $d\times d$ projections
# and two of $d\times4d$, together $12d^2$; their biases ($9d$) and two LayerNorms ($4d$) make it
# $12d^2+13d$; both models have 12 blocks and $d=768$. Each line gives the parameters of the table,
# those of the whole model, and the share of the first in the second. Is it 50%, 5% or less than 1%?

# %% [markdown] lang="zh"
# ## 3.6 表的代价
#
# 一张表有$N\cdot d$个参数，运算只有一次加法。要作比较，就把整个GPT-2（小号，
# 输出层与词嵌入共用同一张表）和BERT-base（末尾还有一个作用于首个词元的$d\times d$层，叫pooler）
# 数一遍。每个Transformer块有四个$d\times d$的投影和两个$d\times4d$的投影，合计$12d^2$；
# 再加上它们的偏置（$9d$）和两个LayerNorm（$4d$），共$12d^2+13d$个参数；两个模型都是12块，$d=768$。
# 每行依次打印位置表的参数量、整个模型的参数量和前者所占的比例。这个比例是50%、5%，还是不到1%？

# %%
d = 768
blocks = 12 * (12 * d**2 + 13 * d)  # 12 blocks
gpt2 = 50257 * d + 1024 * d + blocks + 2 * d  # words, positions, blocks, last norm
bert = 30522 * d + 512 * d + 2 * d + 2 * d + blocks + d**2 + d  # …, segments, norm, pooler
for name, rows, total in (("GPT-2 small", 1024, gpt2), ("BERT-base", 512, bert)):
    print(f"{name:11}: {rows} × {d} = {rows * d:,}; {total:,}; {rows * d / total:.2%}")

# %% [markdown] lang="en"
# The table is less than one percent of the model.
#
# Each additional row costs $d$ numbers that must be *trained*. Drag the rows to the length of a
# long-context model. At how many rows does the table have as many parameters as a whole block?

# %% [markdown] lang="zh" slide="show"
# 表占整个模型不到百分之一。
#
# 每多一行就多$d$个数，而且都得*训练*。
# 把行数拖到长上下文模型的水平：多少行时，一张表的参数抵得上整整一个块？


# %%
def cost(rows=1024, dim=768):
    lengths = torch.logspace(8, 18, 41, base=2)
    millions = rows * dim / 1e6
    return Curves(
        [
            Curve(lengths, lengths * dim / 1e6, label.table),
            Curve(lengths, torch.full_like(lengths, 12 * dim**2 / 1e6), label.block),
        ],
        **label.parameters(rows=rows, millions=millions, wan=millions * 100),
        x_limits=(256, 262144),
        y_limits=(0.1, 3000),
        x_scale="log",
        y_scale="log",
        vlines=(rows,),
    )


explore(cost, **label.cost, rows=Range(256, 262144, log=True), dim=[768, 4096, 8192])

# %% [markdown] lang="en"
# *Picture: on logarithmic axes, a rising line for the table and a level one for a block; a dashed
# guide at the chosen length.*
#
# They cross where $N\,d\approx12\,d^2$ (biases and norms left out), at $N=12\,d$: 9216 rows for
# $d=768$. The obstacle is not memory but data: row 100000 is trained only by texts of more than
# 100000 tokens.

# %% [markdown] lang="zh"
# *图：横轴是行数，纵轴是参数量，都是对数刻度；上升的线是表，水平的线是一个块，
# 虚线标出所选的行数。*
#
# 两线在$N\,d\approx12\,d^2$处相交（不计偏置和归一化），即$N=12\,d$，$d=768$时是9216行。
# 障碍不在显存，而在数据：第100000行，只有长度超过100000个词元的文本才训练得着。

# %% [markdown] lang="en" way="weekend"
# ## 3.7 Padding on the left
#
# A batch holds texts of different lengths, filled up with *padding*. Decoders are padded on the
# *left*, so that all texts end in the same column. If positions count columns, a text gets other
# rows of the table in a batch than it gets alone. The remedy: count tokens.

# %% [markdown] lang="zh" slide="show"
# ## 3.7 左填充
#
# 一批文本长短不一，要用*填充*（padding）补齐。解码器批量生成时补在*左边*，
# 这样所有文本在同一列结束，新词元都接在这一列之后。这时若按列计数，
# 同一段文本放进批次后取到的行，就与单独送入时不同。办法是按词元计数。


# %% exercise="mask_positions"
def mask_positions(mask):
    """Return the position of each token, padding not counted, int64, shape (B, L)."""
    ### BEGIN SOLUTION
    return (mask.long().cumsum(1) - 1).clamp(min=0)
    ### END SOLUTION


# %% check="mask_positions"
check("mask_positions", mask_positions)

# %% [markdown] lang="en"
# Drag the padding. Which row of numbers moves along with the words?

# %% [markdown] lang="zh" slide="show"
# 拖动填充的个数。哪一行数字始终跟着词走？


# %%
def padded(padding=3):
    mask = torch.tensor([[0] * padding + [1] * 4 + [0] * (6 - padding)])
    columns = [*"·" * padding, *"abcd", *"·" * (6 - padding)]
    return Matrix(
        torch.cat((torch.arange(10)[None], positions_from_mask(mask))),
        rows=[label.counting_columns, label.counting_tokens],
        columns=columns,
        **label.counts(padding=padding),
        limits=(0, 9),
        decimals=0,
    )


explore(padded, **label.padded, padding=(0, 6))

# %% [markdown] lang="en"
# *Picture: two rows of ten numbers over the words a, b, c, d and dots for padding. The upper row
# reads 0 to 9.*
#
# The upper row never changes, so a word that moves gets another number. In the lower one a, b, c, d
# have 0, 1, 2, 3 wherever they are. Padding gets some valid row; the attention mask hides it.

# %% [markdown] lang="zh"
# *图：两行数字，每行十个，列名是词a、b、c、d和代表填充的圆点。上面一行是0到9。*
#
# 上面一行始终不变，所以词一移动，对应的数就变；下面一行里，a、b、c、d移到哪里都是0、1、2、3。
# 填充处也给了一个有效的行号，取哪一行都无妨，反正会被注意力掩码遮住。

# %% [markdown] lang="en" way="everything"
# ### Three conventions for rows
#
# Checkpoints differ in which row is the first. RoBERTa uses the *token id* of padding, 1, in the
# position table as well: `padding_idx + cumsum·mask`. OPT subtracts 1 and adds an *offset* of 2. In
# a table without an offset, such as GPT-2's or BERT's, a token's row is its position (first line:
# the positions counted from the mask). Which rows do RoBERTa and OPT read for `· · a b c`?

# %% [markdown] lang="zh" slide="show"
# ### 行号的三种约定
#
# 不同的checkpoint（权重文件），第一个词元取第几行并不一样。RoBERTa的填充词元编号是1，位置表里也让填
# 充占第1行，词元从下一行数起，即`padding_idx + cumsum·mask`。OPT先减1，再加上*偏移*（offset）2。
# GPT-2和BERT的表没有偏移，位置就是行号（第一行打印由掩码数出的位置）。
# 对`· · a b c`，RoBERTa和OPT各取哪些行？

# %%
mask = torch.tensor([[0, 0, 1, 1, 1]])
counted = mask.cumsum(1) * mask
print("positions_from_mask:", positions_from_mask(mask).tolist())
print("RoBERTa:            ", (1 + counted).tolist())
print("OPT:                ", (counted - 1 + 2).tolist())

# %% [markdown] lang="en"
# RoBERTa and OPT count differently and come to the same rows: padding takes row 1, the first token
# row 2, and row 0 is unused. So RoBERTa needs 514 rows for 512 tokens, OPT 2050 for 2048.

# %% [markdown] lang="zh"
# RoBERTa和OPT算法不同，取到的行却一样：填充取第1行，第一个词元取第2行，第0行闲置。
# 所以RoBERTa容纳512个词元要514行，OPT容纳2048个词元要2050行。

# %% [markdown] lang="en" way="everything"
# ## 3.8 Three other ways to put position in
#
# Adding is not the only way. Three others have been tried: *multiply*, *concatenate*, *read in
# order*. In this section $x$ is the embedding of a word, and $p$ is not a number but the row of its
# position.

# %% [markdown] lang="zh"
# ## 3.8 加入位置的另外三种办法
#
# 除了相加，还有三种办法有人试过：*相乘*、*拼接*、*按顺序读*。本节里$x$是词的嵌入，
# $p$不是位置的编号，而是这个位置的那一行。

# %% [markdown] lang="en"
# ### Multiply
#
# Multiply channel by channel, $x\odot p$. In a product a row of ones changes nothing, as in a sum a
# row of zeros. So what happens if you multiply by the sinusoidal row of position 0, which is 0, 1,
# 0, 1, …? Can two words $x$ and $y$ that differ only in the even channels still be told apart
# (first line)? The second line tries the factor $1+p$ instead, which is 1 where $p$ is 0; the third
# is the smallest such factor in the first 12 rows. Is $1+p$ a cure?

# %% [markdown] lang="zh" slide="show"
# ### 相乘
#
# 逐通道相乘，$x\odot p$。相乘时，全1的行不改变任何东西，正如相加时全0的行。
# 那么乘上位置0的正弦编码，也就是0、1、0、1……，会怎样？
# 两个词$x$和$y$若只在偶数通道上不同，还分得开吗（见第一行）？第二行换一个因子$1+p$试试，
# $p$为0处它是1；第三行是前12个位置里最小的这种因子。换成$1+p$，毛病治好了吗？

# %%
rng = torch.Generator().manual_seed(0)
x = torch.randn(8, generator=rng)
y = x + torch.tensor([1.0, 0.0]).repeat(4)  # another word: it differs in channels 0, 2, 4, 6
p = sinusoidal(torch.arange(12), 8)
print("x ⊙ p = y ⊙ p:            ", torch.equal(x * p[0], y * p[0]))
print("x ⊙ (1 + p) = y ⊙ (1 + p):", torch.equal(x * (1 + p[0]), y * (1 + p[0])))
print(f"min (1 + p):               {(1 + p).min():.5f}")

# %% [markdown] lang="en"
# With $p$ they cannot be told apart: half of the word is erased. $x\odot(1+p)$ saves row 0 but is
# no cure: where a sine or a cosine is near $-1$, its channel is lost, as in row 11 with $1+\sin11$.
#
# In a product the factors should stay away from 0: in $x\odot(1+p/2)$ all of them lie between 1/2
# and 3/2. A learned table that starts at ones starts away from 0, but nothing holds it there.
#
# Sum and product also differ in what a score can see. Score a word $x$ with row $p$ against a word
# $y$ with row $q$ (no projections). In a sum, $(x+p)\cdot(y+q)$ has a term of positions alone,
# $p\cdot q$; in a product, $\sum_cx_cp_c\,y_cq_c$, every term needs both words. So a head cannot
# look three tokens back *whatever word is there*, unless all words have some component in common,
# say a channel that is always 1: times $p_c$, it becomes a term of position alone.

# %% [markdown] lang="zh"
# 乘$p$分不开：词被抹掉了一半。$x\odot(1+p)$救回了第0行，却没有根治：正弦或余弦接近$-1$的地方，
# 那个通道又没了，例如第11行的$1+\sin11$。
#
# 相乘时因子要远离0：用$x\odot(1+p/2)$，所有因子都在1/2到3/2之间。
# 从全1开始学的表，起点离0很远，但训练起来没有什么拦着它走到0。
#
# 相加与相乘，得分也不一样。设词$x$的位置行是$p$，词$y$的位置行是$q$，
# 求两者的得分（略去投影）。相加时，
# $(x+p)\cdot(y+q)$里有一项$p\cdot q$只含位置；相乘时是$\sum_cx_cp_c\,y_cq_c$，每一项都离不开两个
# 词。所以一个头做不到“*不管那里是什么词*，都看之前的第三个词元”，除非所有词都有一份共同的成分，
# 比如有一个通道恒为1：乘上$p_c$，它就成了只含位置的项。

# %% [markdown] lang="en"
# ### Concatenate
#
# Give the position channels of its own, $[x;p]$ with $d+e$ channels. It looks like more than a sum.
# But what comes next is a projection $W$ (here from the left, as in `nn.Linear`). Cut its columns
# where $x$ ends, $W=[\,W_x\;W_p\,]$. Entry $i$ of the product is
#
# $$(W[x;p])_i=\sum_{c=1}^{d}W_{ic}\,x_c+\sum_{c=1}^{e}W_{i,d+c}\,p_c=(W_xx+W_pp)_i.$$
#
# **Concatenating is adding two projections.** If $e=d$ and $W_p=W_x$, it is the plain sum,
# $W_x(x+p)$.

# %% [markdown] lang="zh" slide="show"
# ### 拼接
#
# 让位置占用自己的通道：$[x;p]$，共$d+e$个通道。看起来比相加更强。
# 可紧接着就是一个投影$W$（这里从左边乘，和`nn.Linear`一样）。
# 在$x$结束的地方把它的列切开，$W=[\,W_x\;W_p\,]$。乘积的第$i$个分量是
#
# $$(W[x;p])_i=\sum_{c=1}^{d}W_{ic}\,x_c+\sum_{c=1}^{e}W_{i,d+c}\,p_c=(W_xx+W_pp)_i.$$
#
# **拼接，就是把两个投影相加。** 若$e=d$且$W_p=W_x$，就是普通的相加$W_x(x+p)$。

# %%
rng = torch.Generator().manual_seed(0)
x = torch.randn(1, 6, 8, generator=rng, dtype=torch.float64)  # (B, L, d)
p = sinusoidal(torch.arange(6), 4, dtype=torch.float64)  # (L, e)
W = torch.randn(8, 12, generator=rng, dtype=torch.float64)
W_x, W_p = W[:, :8], W[:, 8:]
both = concatenated(x, p) @ W.T
print("W [x; p] = W_x x + W_p p:", torch.allclose(both, x @ W_x.T + p @ W_p.T))
same = torch.cat((W_x, W_x), dim=1)
q = sinusoidal(torch.arange(6), 8, dtype=torch.float64)
plain = torch.allclose(concatenated(x, q) @ same.T, (x + q) @ W_x.T)
print("W_p = W_x: W [x; p] = W_x (x + p):", plain)

# %% [markdown] lang="en"
# One step further: does the projection make any use of the concatenation, or is there a table $p'$
# whose *sum* with $x$ gives the same result? And if three projections read it, for queries, keys
# and values? **Decide on paper** before you write.

# %% [markdown] lang="zh" slide="show"
# 再进一步：拼接和相加，投影之后还有区别吗？有没有一张表$p'$，把它*加*到$x$上结果相同？
# 如果有三个投影，分别给出查询、键和值，又会怎样？动笔**推一推**，再写代码。


# %% exercise="added_table"
def added_table(weight, table):
    """Return the rows whose sum with x comes closest to concatenating `table`, shape (L, d)."""
    ### BEGIN SOLUTION
    dim = weight.shape[1] - table.shape[1]
    W_x, W_p = weight[:, :dim], weight[:, dim:]  # (m, d), (m, e)
    return torch.linalg.lstsq(W_x, W_p @ table.T).solution.T  # all rows at once
    ### END SOLUTION


# %% check="added_table"
check("added_table", added_table)

# %% [markdown] lang="en"
# For one projection there is no difference: if $W_x$ can be inverted, $p'=W_x^{-1}W_pp$ gives the
# same. So what does the concatenation buy? Queries, keys and values each have a $W$ of their own,
# hence each its own $p'$: three tables in one, which no single table can replace, and channels that
# words and positions do not share. It costs $e$ more columns in every weight that reads them.
#
# How much is lost if queries and keys have to share one added table? The cell draws $W_Q$ and $W_K$
# at random and prints three lines: whether the two agree on $p'$; the error of the best common
# table, as a share of what the position contributes (both as norms); the number of weights in one
# projection. Guess the share: 10%, 40%, 70% or 100%?

# %% [markdown] lang="zh"
# 只有一个投影时没有区别：只要$W_x$可逆，$p'=W_x^{-1}W_pp$就给出同样的结果。那拼接换来了什么？查询、
# 键、值各有自己的$W$，于是各有自己的$p'$，一份编码顶三张表用，任何单独一张表都替代不了，而且词和位
# 置不共用通道。代价是，凡是读取这些通道的权重，都要多出$e$列。
#
# 查询和键若只能合用一张加上去的表，会损失多少？下面随机抽取$W_Q$和$W_K$，打印三行：两者的$p'$是否相
# 同；最好的那张公共表，误差占位置贡献的比例（都按范数算）；一个投影有多少权重。
# 猜猜这个比例：10%、40%、70%还是100%？

# %%
rng = torch.Generator().manual_seed(1)
W_Q, W_K = torch.randn(2, 8, 12, generator=rng, dtype=torch.float64)
rows_q, rows_k = (torch.linalg.solve(W[:, :8], W[:, 8:] @ p.T).T for W in (W_Q, W_K))
print("p'_Q = p'_K:", torch.allclose(rows_q, rows_k))
stacked = torch.cat((W_Q, W_K))
position = p @ stacked[:, 8:].T  # what the position adds to queries and keys
closest = torch.linalg.lstsq(stacked[:, :8], position.T).solution.T @ stacked[:, :8].T
missed = (closest - position).norm() / position.norm()
print(f"‖W_x p' − W_p p‖ / ‖W_p p‖: {missed:.0%}")
print(f"x + p: {W_x.numel()}, [x; p]: {W_Q.numel()}")

# %% [markdown] lang="en"
# The second line is what no sum $x+p'$ can do for these two projections, whatever its table.
# Queries and keys together ask for $2d=16$ numbers at each position, and a row has only $d=8$ to
# offer: about half of the squared norm is missed, and $\sqrt{1/2}\approx71\%$ (other seeds mostly
# give 60% to 80%). The values, a third projection, would ask still more of the one table.

# %% [markdown] lang="zh"
# 第二行就是任何相加$x+p'$都补不上的那一份：只要这两个投影不变，表取什么值都一样。
# 查询和键合起来，每个位置有$2d=16$个数要凑，表的一行却只有$d=8$个数可调，平方范数大约有一半补不上，
# $\sqrt{1/2}\approx71\%$（换个种子，多半在60%到80%之间）。再加上值的投影，一张表要兼顾的就更多了。

# %% [markdown] lang="en"
# ### Read in order
#
# Or use no position at all: let a recurrent network read the embeddings first, as Neishi &
# Yoshinaga (2019) did in front of a Transformer. The state after a token depends on everything
# before it, so it contains the order.

# %% [markdown] lang="zh"
# ### 按顺序读
#
# 或者根本不用位置，让循环网络先把嵌入读一遍。Neishi和Yoshinaga（2019）就在Transformer前面放了这样
# 一个网络。读完一个词元后的状态，取决于这个词元和它之前的一切，顺序就在其中。


# %% exercise="gru_positions"
def gru_positions(x, W, U, b, c, state):
    """Return the state of a GRU after each token, shape (L, d)."""
    ### BEGIN SOLUTION
    states = []
    for token in x:
        r_x, z_x, n_x = (W @ token + b).chunk(3)
        r_h, z_h, n_h = (U @ state + c).chunk(3)
        r, z = torch.sigmoid(r_x + r_h), torch.sigmoid(z_x + z_h)
        n = torch.tanh(n_x + r * n_h)
        state = (1 - z) * n + z * state
        states.append(state)
    return torch.stack(states)
    ### END SOLUTION


# %% check="gru_positions"
check("gru_positions", gru_positions)

# %% [markdown] lang="en"
# Three tests of `RecurrentEmbedding`, the course's own GRU, which returns the state after each
# token and the last one: two tokens change places, and the outputs do not merely change places with
# them (chapter 1); 5000 tokens; and five tokens in two parts, against all at once.

# %% [markdown] lang="zh"
# 拿课程自带的GRU（`RecurrentEmbedding`，返回每一步的状态和最后的状态）检验三件事：
# 两个词元交换位置，输出并不只是跟着交换（第1章）；读5000个词元；
# 五个词元分两段读，与一口气读完相比。

# %%
torch.manual_seed(0)
reader, x = RecurrentEmbedding(dim=8), torch.randn(1, 5, 8)
order = [1, 0, 2, 3, 4]
with torch.no_grad():
    states, last = reader(x)
    moved, _ = reader(x[:, order])
    long, _ = reader(torch.randn(1, 5000, 8))
    rest, _ = reader(x[:, 3:], reader(x[:, :3])[1])  # decoding hands on the last state
print("f(P x) = P f(x):", torch.allclose(moved, states[:, order]))
print("L = 5000:", tuple(long.shape))
print("x[:, :3], x[:, 3:]:", torch.allclose(rest, states[:, 3:], atol=1e-6))

# %% [markdown] lang="en"
# There is no table, hence no last row: any length can be computed. Whether it is of use beyond the
# trained length must be measured (2.11). Reading in two parts, with the state handed on, gives the
# same states as reading all at once. The price: the 5000th token must wait for the 4999 before it,
# one after the other, and the Transformer was invented to get rid of that wait. FLOATER (Liu et al.
# 2020) keeps the idea but lets only the *position* evolve, by a differential equation, so that the
# words need not wait.

# %% [markdown] lang="zh"
# 没有表，也就没有最后一行，多长都算得出来；但算得出不等于用得上（2.11节），
# 超出训练长度之后还准不准，要测过才知道。分两段读、把状态传下去，与一次读完结果相同。
# 代价是第5000个词元要等之前4999个逐个读完，而当初提出Transformer，为的就是不用等。
# FLOATER（Liu等，2020）保留了这个想法，但只让*位置*按一个微分方程演化，词就不用等了。

# %% [markdown] lang="en" way="everything"
# ## 3.9 Two weaknesses of absolute encodings
#
# **Length.** You have seen it: past its last row a table raises an error or goes wrong silently,
# rows that exist but were never trained are noise, and the slow waves give angles that the weights
# never met.
#
# **No shared relative structure.** "The letter before me" is one rule. An absolute table has to
# learn it once per position: the score of the pair $(4,3)$ (query, key) and that of $(24,23)$ come
# from different rows. There are $32^2=1024$ pairs of positions, but only 63 differences $q-p$.
# Compare, place by place, what weight the trained models give to "the letter before me".

# %% [markdown] lang="zh" slide="show"
# ## 3.9 绝对位置编码的两个弱点
#
# **长度。** 你已经看到了：位置越过表的最后一行，有的写法报错，有的写法悄悄出错；
# 行虽然有、却从没训练过，里面就只是噪声；换成正弦编码，慢钟又会走到权重从未见过的角度。
#
# **没有共用的相对结构。** “我前面那个字母”是一条规则，绝对位置表却要在每个位置各学一遍，
# 因为$(4,3)$（查询，键）的得分和$(24,23)$的得分来自不同的行。位置对有$32^2=1024$个，
# 而$q-p$只有63种取值。比一比训练好的几个模型，在各个位置上给“我前面那个字母”多少权重。

# %%
at = range(1, N)
picture(
    Curves(
        [
            Curve(at, [looks(p, t, w)[p - 1] for p in at], name)
            for t, w, name in (
                (learned, weights_learned, label.learned_on_32),
                (short, weights_short, label.learned_on_24),
                (waves, weights_waves, label.sinusoidal_on_24),
            )
        ],
        **label.rule(),
        y_limits=(0, 0.8),
        vlines=(23.5,),
    )
)

# %% [markdown] lang="en"
# *Picture: three ragged lines. The one trained at length 32 wavers over the whole width; the one
# trained at 24 wavers and then drops, beyond the dashed line, to about 1/32, which is no preference
# at all; that of the waves is steadier inside, and falls a few places beyond the line.*
#
# Even the waves do not share the rule for free: $\mathrm{PE}(p)$ is multiplied by a learned matrix,
# $A=W_QW_K^\top$, and $\mathrm{PE}(p)A\,\mathrm{PE}(q)^\top$ depends on $q-p$ alone only for
# special $A$. In chapter 4 the score depends on the distance itself, so a rule is learned once for
# all positions.

# %% [markdown] lang="zh"
# *图：“我前面那个字母”在各个位置上所得的权重，三条起伏不平的线。训练长度32的那条从头到尾高低不一；
# 训练长度24的那条先起伏，过了虚线就跌到1/32左右，也就是毫无偏好；正弦的那条在虚线之内较平，
# 越过虚线几个位置也跌了下去。*
#
# 即使是正弦编码，也不会白得这条规则，因为$\mathrm{PE}(p)$要和学出来的矩阵$A=W_QW_K^\top$相乘，
# 只有特殊的$A$才能让$\mathrm{PE}(p)A\,\mathrm{PE}(q)^\top$只取决于$q-p$。
# 第4章让得分直接取决于距离：一条规则学一次，处处可用。

# %% [markdown] lang="en" way="everything"
# ## 3.10 Bug clinic
#
# Three mistakes from real code. None raises an error. For each case you read how it came about;
# find out where the function of the next cell goes wrong, and write it correctly in the exercise
# below.
#
# **Case 1.** A batch of prompts is padded on the left; the prompts get their positions from the
# mask, but the new tokens go on from the length of the *cache*. Symptom: in a wider batch the same
# prompt continues at another position. Below: the mask, the last position of the prompt, the next
# two positions.

# %% [markdown] lang="zh" slide="code"
# ## 3.10 Bug诊所
#
# 实际代码里的三个错误，运行都不报错。请找出每个病例之后那个函数错在哪里，再在练习里写出正确的。
#
# **病例一。** 一批prompt（提示词）做了左填充，它们的位置由掩码得到，
# 新词元却接着*缓存*的长度数下去。症状：同一个prompt，放在更宽的批次里，续写的位置就变了。
# 下面依次打印掩码、prompt的最后一个位置、接下来的两个位置。


# %%
def counts_the_cache(mask, new):
    return mask.shape[1] + torch.arange(new).expand(len(mask), new)


narrow, wide = (torch.tensor([[0] * left + [1] * 3]).bool() for left in (0, 5))
for mask in (narrow, wide):
    ends, then = int(mask.sum()) - 1, counts_the_cache(mask, 2)[0].tolist()
    print(mask[0].int().tolist(), ends, then)


# %% exercise="mend_decode_padded" mends="counts_the_cache"
def mend_decode_padded(mask, new):
    """Return the positions of the new tokens of each row, shape (B, new)."""
    ### BEGIN SOLUTION
    tokens = mask.long().sum(1, keepdim=True)  # (B, 1)
    return tokens + torch.arange(new)
    ### END SOLUTION


# %% check="mend_decode_padded"
check("mend_decode_padded", mend_decode_padded)

# %% [markdown] lang="en"
# **Case 2.** OPT's checkpoint was loaded into a plain table, and position $p$ reads row $p$. The
# shapes fit if all 2050 rows are kept (2048 positions and two additional rows in front). Symptom:
# from position 2 on, every token gets the vector of two positions earlier; positions 0 and 1 get
# rows that belong to no position (here −1).

# %% [markdown] lang="zh"
# **病例二。** 把OPT的checkpoint装进一张普通的表，位置$p$直接取第$p$行。
# 只要2050行（2048个位置，加上前面多出的两行）都在，形状就对得上，不会报错。
# 症状：从位置2起，词元拿到的是早两个位置的向量；位置0和1拿到的行不属于任何位置（这里是−1）。


# %%
def forgets_the_offset(mask, table):
    return table[(mask.cumsum(1) - 1).clamp(min=0)]  # row p: p counted from the mask


opt = torch.cat((torch.full((2, 1), -1.0), torch.arange(6.0)[:, None]))  # row p + 2 holds p
got = forgets_the_offset(torch.tensor([[0, 1, 1, 1, 1]]), opt)
print(got[0, 1:, 0].tolist())  # tokens 0, 1, 2, 3


# %% exercise="mend_opt_rows" mends="forgets_the_offset"
def mend_opt_rows(mask, table):
    """Return OPT's row for each place: p + 2 at tokens, 1 at padding, shape (B, L, d)."""
    ### BEGIN SOLUTION
    rows = mask.long().cumsum(1) * mask.long() + 1  # (B, L)
    return table[rows]
    ### END SOLUTION


# %% check="mend_opt_rows"
check("mend_opt_rows", mend_opt_rows)

# %% [markdown] lang="en"
# **Case 3.** "It crashed on long inputs, so I clamped the positions." Symptom: two long texts that
# differ only in the order of their last words give the same set of vectors.

# %% [markdown] lang="zh"
# **病例三。** “输入一长就崩，我就把位置截到末行。”
# 症状：两段长文本，只有最后几个词的顺序不同，得到的却是同一批向量。


# %%
def never_crashes(tokens, words, table):
    rows = torch.arange(tokens.shape[1]).clamp(max=len(table) - 1)
    return words[tokens] + table[rows]


words, table = torch.eye(6), torch.randn(4, 6, generator=torch.Generator().manual_seed(0))
one = never_crashes(torch.tensor([[0, 1, 2, 3, 4, 5]]), words, table)[0]
two = never_crashes(torch.tensor([[0, 1, 2, 5, 4, 3]]), words, table)[0]
print("one[3:] = two[3:].flip(0):", torch.equal(one[3:], two[3:].flip(0)))


# %% exercise="mend_clamped_end" mends="never_crashes"
def mend_clamped_end(tokens, words, table):
    """Return words plus positions of the newest tokens that fit, shape (B, min(L, N), d)."""
    ### BEGIN SOLUTION
    tokens = tokens[:, -len(table) :]
    return words[tokens] + table[: tokens.shape[1]]
    ### END SOLUTION


# %% check="mend_clamped_end"
check("mend_clamped_end", mend_clamped_end)

# %% [markdown] lang="en" way="everything"
# ## 3.11 What is not true
#
# **"A learned table is better, because it can learn anything."** Within the training length learned
# rows and sinusoids are nearly level; ALiBi is better, a model without any encoding worse.
# Translation English–German, development set (Vaswani et al. 2017, Table 3, base and row E; BLEU,
# higher is better), and language modelling on WikiText-103 (Haviv et al. 2022, Table 1; perplexity,
# lower is better):
#
# | | none | learned | sinusoidal | ALiBi |
# |---|---|---|---|---|
# | BLEU | | 25.7 | 25.8 | |
# | perplexity | 20.97 | 20.42 | 20.16 | 19.71 |
#
# **"The library works the positions out from the attention mask."** `generate` of Hugging Face
# transformers does; a direct call of BERT or GPT-2 counts columns (OPT does look at the mask). Pass
# `position_ids` yourself. Below, with padding on the left, columns are counted and then tokens;
# each result is compared with the rows that the text gets alone:

# %% [markdown] lang="zh" slide="show"
# ## 3.11 哪些说法不对
#
# **“可学习的表更好，因为它什么都能学。”**
# 在训练长度之内，可学习与正弦几乎不分上下；差距稍大的是另外两种：“无”略逊于它们，ALiBi略胜。
# 英德翻译，开发集（Vaswani等，2017，表3，base与E行；BLEU，越高越好）；
# WikiText-103语言模型（Haviv等，2022，表1；困惑度，越低越好）：
#
# | | 无 | 可学习 | 正弦 | ALiBi |
# |---|---|---|---|---|
# | BLEU | | 25.7 | 25.8 | |
# | 困惑度 | 20.97 | 20.42 | 20.16 | 19.71 |
#
# **“库会自己根据注意力掩码算出位置。”**
# Hugging Face transformers的`generate`会；直接调用BERT或GPT-2则是按列计数（OPT倒是会看掩码）。
# 请自己传入`position_ids`。下面在左边加上填充，先按列、再按词元数出位置，
# 各与这段文本单独送入时取到的行比较：

# %%
embed = LearnedPositionalEmbedding(max_length=16, dim=4)
mask = torch.tensor([[0, 0, 0, 1, 1, 1]])
with torch.no_grad():
    alone = embed(positions(3))
    by_column, by_token = embed(positions(6))[3:], embed(positions_from_mask(mask))[0, 3:]
print("arange:", torch.equal(by_column, alone))
print("cumsum:", torch.equal(by_token, alone))

# %% [markdown] lang="en" way="everything"
# ## 3.12 In real models
#
# | model | rows | row of the first token | note |
# |---|---|---|---|
# | BERT | 512 | 0 | word + segment + position, then LayerNorm |
# | RoBERTa | 514 | 2 | counted from the token ids; row 1 belongs to padding |
# | GPT-2 | 1024 | 0 | word + position; goes on at `past` when it generates |
# | OPT | 2050 | 2 | counted from the mask, offset 2 |
# | Whisper, text decoder | 448 | 0 | the audio encoder has fixed sines |
# | CLIP, text | 77 | 0 | OpenAI's code pads every text to 77 |
# | ViT-B/16 at 224 × 224 | 197 | 0 (the class token) | a row per patch; interpolated for more |
#
# Before you reuse weights, ask: how many rows are there, which row does the first token get, and
# which part of the code counts the positions? ViT (Dosovitskiy et al. 2021, §3.2) shows a way past
# the end: stretch the trained rows by interpolation, then fine-tune.

# %% [markdown] lang="zh" slide="show"
# ## 3.12 在真实模型中
#
# | 模型 | 行数 | 第一个词元的行号 | 备注 |
# |---|---|---|---|
# | BERT | 512 | 0 | 词+片段+位置，再做LayerNorm |
# | RoBERTa | 514 | 2 | 由词元编号数出；第1行属于填充 |
# | GPT-2 | 1024 | 0 | 词+位置；解码时从`past`接着数 |
# | OPT | 2050 | 2 | 由掩码数出，偏移2 |
# | Whisper的文本解码器 | 448 | 0 | 它的音频编码器用固定的正弦 |
# | CLIP的文本部分 | 77 | 0 | OpenAI的代码把每段文本补齐到77 |
# | ViT-B/16，图像224 × 224 | 197 | 0（分类词元） | 每个图像块一行；图像更大时做插值 |
#
# 复用checkpoint之前先问：有多少行？第一个词元取哪一行？位置由哪段代码来数？
# ViT（Dosovitskiy等，2021，§3.2）给出了越过最后一行的一个办法：用插值把训练好的行拉长，再微调。

# %% [markdown] lang="en"
# ### Think: a table for twice the length
#
# A model has a learned table of 1024 rows; you need 2048. Three colleagues propose: (a) 1024 new
# random rows; (b) rows 0 to 1023 once more; (c) stretch the old rows to 2048 by interpolation. For
# each: before any fine-tuning, what changes for the model on short texts, and what on long ones?
# Which would you choose, and what would you measure?
#
# On your own: write your answer first. For the short texts, check it with question 8 of the
# self-test at the end of this chapter; for the rest, see the model answer.

# %% [markdown] lang="zh" slide="show"
# ### 想一想：两倍长的表
#
# 一个模型有1024行的可学习位置表，你需要2048行。三位同事各有主意：(a)加1024行新的随机行；
# (b)把第0到1023行再抄一遍；(c)用插值把旧的行拉长到2048行。请就每一种回答：
# 微调之前，对模型来说，短文本会有什么变化，长文本又会怎样？你选哪一种，要测量什么？
#
# 自学的话，先写下自己的答案：短文本的部分用本章末尾自测的第8题核对，其余看参考答案。

# %% [markdown] thinking="longer_table" points=3
# <div lang="en">
#
# **Model answer.** (a) Short texts are untouched; beyond 1024 the rows are noise, as in the cliff
# of this chapter. (b) Short texts are untouched; beyond 1024 each row is a familiar one, so local
# patterns may work within the second half, but positions $p$ and $p+1024$ are the same row: the
# halves cannot be told apart. (c) All rows look familiar and their order is right, but a step is
# half as long as in training, so that *short* texts change too. A sound choice is (b) or (c) with
# fine-tuning on long texts; (a) has to train its rows from nothing. To measure: the loss on short
# texts (nothing lost?) and the loss by position beyond 1024, against the same texts cut to 1024.
#
# **Points.** 1 for what each does from row 1024 on; 1 for what happens to short texts, in (c)
# above all; 1 for a choice with a measurement that could refute it.
#
# </div>
# <div lang="zh">
#
# **参考答案。** (a)短文本不受影响；1024以后的行是噪声，就像本章那道断崖。
# (b)短文本不受影响；1024以后每一行都是熟悉的，后一半内部的局部规律也许还管用，
# 但位置$p$和$p+1024$是同一行，两半分不开。(c)所有行看着都熟悉，先后顺序也对，
# 可每一步只有训练时的一半，所以连*短*文本也变了。合理的选择是(b)或(c)，再用长文本微调；
# (a)要从零训练这些行。要测量：短文本的损失（有没有变差？），以及1024以后各位置的损失，
# 并与截到1024的同样文本相比。
#
# **评分。** 说清三种做法从第1024行起各会怎样，得1分；说清短文本会怎样，尤其是(c)，得1分；
# 作出选择，并给出可能推翻它的测量，得1分。
#
# </div>

# %% [markdown] lang="en" way="everything"
# ## 3.13 Take-away
#
# - A learned table is a row per position, added to the word, trained like any weight; the task
#   makes neighbours alike.
# - BERT: LayerNorm of word + segment + position. GPT-2: word + position, going on at `past`.
# - It ends: at best with an IndexError, at worst with a vanished token or many tokens on the last
#   row; rows that were never trained are noise.
# - It needs few parameters but much data: a row learns only from texts that reach it.
# - Positions come from the mask, not from the column. RoBERTa and OPT start at row 2.
# - To concatenate and project is to add two projections, $W[x;p]=W_xx+W_pp$. If you multiply, keep
#   the factors away from 0. A GRU has no last row, but reads one token after the other.
# - No absolute encoding guarantees anything past the trained length, and none shares a rule between
#   places unless the weights happen to find one.

# %% [markdown] lang="zh" slide="show"
# ## 3.13 本章要点
#
# - 可学习的表就是每个位置一行，加到词上，和别的权重一样训练；是任务让邻居变得相像。
# - BERT：词、片段、位置相加再做LayerNorm。GPT-2：词加位置，从`past`接着数。
# - 表有最后一行。越过它，好的情况是IndexError，坏的情况是词元消失，或者许多词元共用最后一行；
#   没训练过的行就是噪声。
# - 位置表省参数，却费数据：一行只能从够得着它的长文本里学。
# - 位置由掩码得到，不是列号。RoBERTa和OPT从第2行开始。
# - 拼接后投影，等于两个投影相加：$W[x;p]=W_xx+W_pp$。相乘时因子要远离0。
#   GRU没有最后一行，但只能逐个读。
# - 绝对位置编码都有两个问题：超出训练长度就没有保证；各处之间也没有共用的规则，除非权重碰巧学到。

# %%
quiz("learned")

# %% [markdown] lang="en" way="everything"
# ## Further reading
#
# - J. Devlin, M.-W. Chang, K. Lee, K. Toutanova: *BERT: Pre-training of Deep Bidirectional
#   Transformers for Language Understanding*. NAACL 2019.
#   [arXiv:1810.04805](https://arxiv.org/abs/1810.04805). §3, on input representations, and Figure
#   2.
# - A. Radford, J. Wu, R. Child, D. Luan, D. Amodei, I. Sutskever: *Language Models are Unsupervised
#   Multitask Learners*. OpenAI, 2019. GPT-2.
# - S. Zhang et al.: *OPT: Open Pre-trained Transformer Language Models*. 2022.
#   [arXiv:2205.01068](https://arxiv.org/abs/2205.01068).
# - A. Haviv, O. Ram, O. Press, P. Izsak, O. Levy: *Transformer Language Models without Positional
#   Encodings Still Learn Positional Information*. Findings of EMNLP 2022.
#   [arXiv:2203.16634](https://arxiv.org/abs/2203.16634). Table 1 is quoted above.
# - A. Vaswani et al.: *Attention Is All You Need*. NeurIPS 2017.
#   [arXiv:1706.03762](https://arxiv.org/abs/1706.03762). Table 3, row E.
# - A. Dosovitskiy et al.: *An Image is Worth 16x16 Words: Transformers for Image Recognition at
#   Scale*. ICLR 2021. [arXiv:2010.11929](https://arxiv.org/abs/2010.11929). §3.2: interpolated
#   rows.
# - M. Neishi, N. Yoshinaga: *On the Relation between Position Information and Sentence Length in
#   Neural Machine Translation*. CoNLL 2019. A recurrent network in front.
# - X. Liu, H.-F. Yu, I. Dhillon, C.-J. Hsieh: *Learning to Encode Position for Transformer with
#   Continuous Dynamical Model*. ICML 2020. [arXiv:2003.09229](https://arxiv.org/abs/2003.09229).
#   FLOATER.

# %% [markdown] lang="zh"
# ## 延伸阅读
#
# - J. Devlin, M.-W. Chang, K. Lee, K. Toutanova：*BERT: Pre-training of Deep Bidirectional
#   Transformers for Language Understanding*。NAACL 2019。
#   [arXiv:1810.04805](https://arxiv.org/abs/1810.04805)。见§3里讲输入表示的一段和图2。
# - A. Radford, J. Wu, R. Child, D. Luan, D. Amodei, I. Sutskever：*Language Models are Unsupervised
#   Multitask Learners*。OpenAI，2019。即GPT-2。
# - S. Zhang等：*OPT: Open Pre-trained Transformer Language Models*。2022。
#   [arXiv:2205.01068](https://arxiv.org/abs/2205.01068)。
# - A. Haviv, O. Ram, O. Press, P. Izsak, O. Levy：*Transformer Language Models without Positional
#   Encodings Still Learn Positional Information*。Findings of EMNLP 2022。
#   [arXiv:2203.16634](https://arxiv.org/abs/2203.16634)。上文引用的是表1。
# - A. Vaswani等：*Attention Is All You Need*。NeurIPS 2017。
#   [arXiv:1706.03762](https://arxiv.org/abs/1706.03762)。表3的E行。
# - A. Dosovitskiy等：*An Image is Worth 16x16 Words: Transformers for Image Recognition at Scale*。
#   ICLR 2021。[arXiv:2010.11929](https://arxiv.org/abs/2010.11929)。§3.2：对行做插值。
# - M. Neishi, N. Yoshinaga：*On the Relation between Position Information and Sentence Length in
#   Neural Machine Translation*。CoNLL 2019。在前面放一个循环网络。
# - X. Liu, H.-F. Yu, I. Dhillon, C.-J. Hsieh：*Learning to Encode Position for Transformer with
#   Continuous Dynamical Model*。ICML 2020。[arXiv:2003.09229](https://arxiv.org/abs/2003.09229)。
#   即FLOATER。
