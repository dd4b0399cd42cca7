# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
#   kernelspec: {display_name: Python 3, language: python, name: python3}
#   posenc:
#     title: {en: Sinusoidal encoding, zh: 正弦位置编码}
#     question:
#       en: "How do waves tell a model where a token is, and how far apart two tokens are?"
#       zh: 一组波怎样告诉模型词元在哪里、两个词元相隔多远？
# ---

# %% [markdown] lang="en" way="two_hours"
# # 2 · Sinusoidal encoding
#
# Attention cannot see order. The first Transformer cured that in one line: it added a row of sines
# and cosines to each embedding. Why waves, of all things? Why 10000? And is it true, as many texts
# say, that the dot product of two encodings falls with their distance?
#
# **You will** build the table of the first Transformer, derive why a shift is a rotation, prove
# that nothing but waves would do, find where the dot product stops falling, and fix two common
# mistakes. ("Two hours" goes on to chapter 5 once the table is built; "a weekend" leaves out the
# mistakes.)
#
# **You need** chapter 1, matrix products, sine and cosine, basic PyTorch. About {minutes} minutes,
# 21 points.

# %% [markdown] lang="zh"
# # 2 · 正弦位置编码
#
# 注意力看不见顺序，最早的Transformer只用一行代码就治好了这个毛病：给每个嵌入加上一组正弦和余弦。
# 为什么偏偏是波？10000从哪里来？网上常说，两个位置编码的点积随距离下降，真是这样吗？
#
# **你将**亲手写出最早的Transformer所用的编码表，推导出“平移就是旋转”，证明除了波别无选择，
# 找到点积不再下降的地方，并修好两个常见的错误。
# （“两小时”写出编码表就转到第5章，“一个周末”不含改错。）
#
# **你需要**第1章的内容、矩阵乘法、正弦余弦和基本的PyTorch。约{minutes}分钟，共21分。

# %%
import math

import torch
import torch.nn.functional as F

from autograde import answer, check, hint, progress, quiz
from bilingual.switch import language_switch
from posenc_glass import NOTHING, TASKS, glass
from posenc_ref import frequencies, shift_matrix, sinusoidal
from posenc_viz import Clocks, Curve, Curves, HeatMap, Matrix, explore, picture
from posenc_viz.labels import sinusoidal as label

torch.set_num_threads(1)
language_switch()

# %% [markdown] lang="en" way="two_hours"
# ## 2.1 Three attempts that fail
#
# Why not add the position itself to every channel, that is, to each number of the vector? Before
# you run the cell, guess: two *different* random tokens are both at position 1000. How alike are
# their vectors then (1 means the same direction)? The cell prints their cosine similarity.

# %% [markdown] lang="zh" slide="show"
# ## 2.1 三次失败的尝试
#
# 为什么不干脆把位置本身加到每个通道，也就是向量的每个分量上？运行之前先猜一猜：
# 两个*不同*的随机词元（token）都在位置1000，它们的向量有多像？下面打印余弦相似度，1表示方向相同。

# %% tags=["predict"]
cat, mouse = torch.randn(2, 64, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
for p in (0, 3, 1000):
    alike = torch.cosine_similarity(cat + p, mouse + p, dim=0)
    print(f"p = {p:4}: {alike:.2f}")

# %% [markdown] lang="en"
# They point the same way: the position drowns the word.
#
# Second attempt: if large numbers are the trouble, divide by the length. $p/L$ stays small, but now
# the size of a step depends on the sentence. Here are one step and the place of token 5, in a short
# sentence and in a long one.

# %% [markdown] lang="zh"
# 方向几乎一样：位置这个大数把词淹没了。
#
# 第二次：既然毛病出在数值太大，就除以长度，用$p/L$。数值是小了，可“一步”有多大，又要看句子有多长。
# 下面是短句和长句里的一步，以及词元5的位置：

# %%
for length in (10, 1000):
    print(f"L = {length:4}: {1 / length}, {5 / length}")

# %% [markdown] lang="en"
# Third attempt: write the position in binary, one digit per channel. The numbers are bounded, the
# same in every sentence, and no two rows are equal: nearly right. Look at the columns. What does
# each one do, from right to left?

# %% [markdown] lang="zh" slide="show"
# 第三次：把位置写成二进制，一位一个通道。数值有界，在哪个句子里都一样，没有两行相同，差一点就成了。
# 看看各列：从右往左，每一列在做什么？

# %%
binary = torch.tensor([[p >> bit & 1 for bit in (3, 2, 1, 0)] for p in range(16)])
steps = (binary[1:] - binary[:-1]).abs().sum(1)  # how many digits flip from p to p + 1
picture(HeatMap(binary, **label.binary()))
print(steps.tolist())

# %% [markdown] lang="en"
# *Picture: 16 rows of 4 digits, 0 or 1. The rows are the numbers 0 to 15 in binary.*
#
# Each column is a square wave, half as fast as its neighbour on the right. But the printed numbers
# of flipped digits differ: four from 7 to 8, one from 8 to 9. So neighbours are not equally close.
# **The idea: keep the waves, round off their corners.**

# %% [markdown] lang="zh" slide="show"
# *图：16行，每行4位，0或1，依次是0到15的二进制写法。*
#
# 每一列都是一个方波，越往左越慢，周期逐列翻倍。可是打印的翻转位数有多有少：从7到8翻四位，
# 从8到9只翻一位，同样是邻居，远近却不一样。**办法：留下波，把棱角磨圆。**

# %% [markdown] lang="en" way="two_hours"
# ## 2.2 Frequencies
#
# A *sinusoidal positional encoding* (Vaswani et al. 2017, §3.5) replaces $d$ digits by $d/2$ pairs
# of channels, a sine and a cosine each. Pair $i$ has a *frequency* $\omega_i$, in radians per
# token:
#
# $$\omega_i=\text{base}^{-2i/d},\qquad i=0,1,\dots,d/2-1,\qquad \text{base}=10000.$$
#
# From pair to pair the frequency falls by the same *factor*, as with binary digits.

# %% [markdown] lang="zh" slide="show"
# ## 2.2 频率
#
# *正弦位置编码*（sinusoidal positional encoding，Vaswani等，2017，
# §3.5）把$d$个二进制位换成了$d/2$对通道，每对一个正弦、一个余弦。
# 第$i$对有一个*频率*（frequency，严格说是角频率）$\omega_i$，单位是弧度/词元：
#
# $$\omega_i=\text{base}^{-2i/d},\qquad i=0,1,\dots,d/2-1,\qquad \text{base}=10000.$$
#
# 式中的base也叫底数。每到下一对，频率都除以同一个*数*，和二进制位一样。


# %% exercise="sinusoidal_frequencies" way="weekend"
def sinusoidal_frequencies(dim, base=10000.0):
    """Return the frequency of each pair of channels, radians per token, shape (dim/2,)."""
    ### BEGIN SOLUTION
    i = torch.arange(dim // 2)  # (dim/2,) pairs
    return base ** (-2 * i / dim)
    ### END SOLUTION


# %% check="sinusoidal_frequencies"
check("sinusoidal_frequencies", sinusoidal_frequencies)

# %% [markdown] lang="en"
# Sine and cosine of one angle are the two coordinates of a point on a circle. So a pair of channels
# is a *clock* with one hand. It starts at twelve and turns clockwise; at position $p$ it has turned
# by $\omega_ip$: its tip is $\sin\omega_ip$ to the right and $\cos\omega_ip$ up. Drag the position.
# Which clock runs like the second hand of a watch, which like its hour hand? Set a distance and
# drag again: what stays?

# %% [markdown] lang="zh" slide="show"
# 同一个角的正弦和余弦，就是圆上一点的两个坐标。所以一对通道就是一只*钟*，只有一根指针。指针从十二点
# 出发，顺时针转；在位置$p$，它转过了$\omega_ip$，指针尖端偏右$\sin\omega_ip$，偏上
# $\cos\omega_ip$。拖动位置：哪只钟像秒针，哪只像时针？再设一个距离，继续拖：什么没有变？


# %%
def clocks(position=10, distance=3):
    omega = frequencies(16)  # (8,)
    angles = torch.stack((position * omega, (position + distance) * omega))  # (2 hands, 8 clocks)
    names = [f"ω={w:.2g}" for w in omega.tolist()]
    here, there = position, position + distance
    title = label.two_positions.format(here=here, there=there)
    return Clocks(angles, names, title, hands=("p", "p + k"))


explore(clocks, **label.clocks, position=(0, 200), distance=(0, 20))

# %% [markdown] lang="en"
# *Picture: eight clocks of $d=16$ with two hands each, at $p$ and $p+k$. On the left the hands are
# far apart, on the right they nearly coincide.*
#
# The first clock runs like a second hand; the last has hardly moved at 200. While you drag the
# position, the angle between the two hands of each clock stays $\omega_ik$. Sections 2.5 and 2.6
# follow from it.

# %% [markdown] lang="zh"
# *图：$d=16$的八只钟，各有两根指针，分别对应$p$和$p+k$。左边的钟两针分得开，右边的几乎重合。*
#
# 最左边的钟像秒针，最右边的到了位置200也几乎没动。拖动位置时，每只钟上两根指针的夹角始终是
# $\omega_ik$，2.5节和2.6节都由此而来。

# %% [markdown] lang="en" way="weekend"
# ## 2.3 Wavelengths
#
# A frequency is hard to picture; a length is easier. The *wavelength* $\lambda_i=2\pi/\omega_i$ of
# a pair is the number of tokens in which its clock makes one full turn.
#
# The shortest wave is always $2\pi$ tokens, because $\omega_0=1$. The longest, says the paper's
# text, is $10000\cdot2\pi$. Work it out from the formula of $\omega_i$: is it?

# %% [markdown] lang="zh"
# ## 2.3 波长
#
# 频率不好想象，长度就好多了。一对通道的*波长*（wavelength）$\lambda_i=2\pi/\omega_i$，
# 就是这只钟转一整圈要走过多少个词元。
#
# 最短的波长总是$2\pi$个词元，因为$\omega_0=1$。论文正文说，最长的是$10000\cdot2\pi$。
# 由$\omega_i$的公式算一算，对吗？

# %%
for dim in (64, 128, 512):
    longest = 2 * math.pi / frequencies(dim)[-1].item()
    print(f"d={dim:3}: {longest:6.0f} = {longest / 2 / math.pi:6.1f} · 2π")

# %% [markdown] lang="en"
# Not quite: it is $2\pi\cdot10000^{(d-2)/d}$, the exponent stops one step before $1$. At $d=512$
# the slowest clock needs 60611 tokens for a turn. Within 1000 tokens it covers less than 2% of its
# circle (1000 / 60611): less a wave than a coarse ruler.

# %% [markdown] lang="zh"
# 不完全对：是$2\pi\cdot10000^{(d-2)/d}$，指数在到达$1$的前一步就停了。$d=512$时，
# 最慢的钟要60611个词元才转一圈，1000个词元之内走不到一圈的2%（1000 / 60611）。
# 与其说它是波，不如说是一把刻度很稀的尺子。

# %% [markdown] lang="en" way="two_hours"
# ## 2.4 The table
#
# Now write every hand as its two coordinates. Position $p$ gets the row
#
# $$\mathrm{PE}(p,2i)=\sin(\omega_ip),\qquad\mathrm{PE}(p,2i+1)=\cos(\omega_ip).$$
#
# Here $2i$ and $2i+1$ are *columns*. Both use the frequency of pair $i$. This order of the columns
# is called *interleaved*. The row is added to the embedding of the token at $p$.

# %% [markdown] lang="zh" slide="show"
# ## 2.4 编码表
#
# 现在把每根指针写成两个坐标。位置$p$对应的一行是
#
# $$\mathrm{PE}(p,2i)=\sin(\omega_ip),\qquad\mathrm{PE}(p,2i+1)=\cos(\omega_ip).$$
#
# 这里$2i$和$2i+1$是*列号*，两列都用第$i$对的频率。这种顺序叫作*交错排布*（interleaved）。
# 这一行与位置$p$处词元的嵌入相加。


# %% exercise="sinusoidal_table"
def sinusoidal_table(positions, dim, base=10000.0):
    """Return the interleaved sinusoidal encoding of each position, shape (L, dim)."""
    ### BEGIN SOLUTION
    omega = base ** (-2 * torch.arange(dim // 2) / dim)  # (dim/2,)
    angles = positions[:, None] * omega  # (L, dim/2)
    pairs = torch.stack((angles.sin(), angles.cos()), dim=-1)  # (L, dim/2, 2)
    return pairs.flatten(-2)  # (L, dim)
    ### END SOLUTION


# %% check="sinusoidal_table"
check("sinusoidal_table", sinusoidal_table)

# %% [markdown] lang="en"
# Below are the first 50 positions in 64 dimensions, and the distance of every row to row 0. Predict
# first: on which side do columns look constant? Then break it: can fewer dimensions bring a later
# row back close to row 0? Can a small base alone?

# %% [markdown] lang="zh" slide="show"
# 下面是64维的编码表的前50行，旁边是每一行到第0行的距离。先猜一猜：哪一边的列看起来是常数？再试着
# 弄坏它：减少维度，后面会不会有某一行绕回第0行附近？维度仍是64、只把base调小呢？


# %% tags=["predict"]
def heat(dim=64, base=10000.0):
    table = sinusoidal(torch.arange(50), dim, base=base)  # (50, dim)
    distance = (table - table[0]).norm(dim=1)  # (50,)
    shown = F.pad(table, (0, 64 - dim), value=math.nan)  # white beyond dim
    return (
        HeatMap(shown, **label.table(), limits=(-1, 1), colours="RdBu_r"),
        Curves(
            Curve(torch.arange(50), distance / math.sqrt(dim / 2)),
            **label.distance(),
            y_limits=(0, 2.1),
        ),
    )


explore(heat, **label.heat, dim=(2, 64, 2), base=[3.0, 100.0, 10000.0, 1000000.0])

# %% [markdown] lang="en"
# *Picture: on the left the table, red for 1 and blue for −1; from column $d$ on it is empty. On the
# right the distance to row 0, in units of the norm.*
#
# On the right: 25 of the 64 columns change by less than 0.1 and look constant, near 0 (sines) or 1
# (cosines). They are there for longer texts. At $d=2$ one clock comes round
# again and again. A small base at $d=64$ makes every column move, but no row comes back.
#
# Every row has norm $\sqrt{d/2}$: each pair is a point on a circle of radius 1. The columns flicker
# at the left edge and change ever more slowly to the right. The distance rises steeply for a few
# tokens, then slowly and unevenly: about 0.8 at row 10, about 1 at row 49.

# %% [markdown] lang="zh"
# *图：左图是编码表，红为1，蓝为−1；从第$d$列起是空的。右图是到第0行的距离，以范数为单位。*
#
# 在右边：64列中有25列变化不到0.1，看起来是常数，正弦停在0附近，余弦停在1附近，是留给更长的文本的。
# 设成$d=2$，就能看到一只钟一圈又一圈地绕回来。$d=64$时把base调小，每一列都动了起来，
# 却没有哪一行会绕回来。
#
# 每一对是半径为1的圆上的一点，所以每一行的范数都是$\sqrt{d/2}$。最左边的列变化很快，越往右越慢。
# 距离在头几个词元之内陡升，之后起伏着缓缓上升：第10行约0.8，第49行约1。

# %% [markdown] lang="en" way="weekend"
# ### Every row has the same norm
#
# Each pair contributes $\sin^2+\cos^2=1$, and there are $d/2$ pairs:
#
# $$\|\mathrm{PE}(p)\|^2=\sum_{i=0}^{d/2-1}\left(\sin^2\omega_ip+\cos^2\omega_ip\right)=\frac d2.$$
#
# No position has a longer vector than another: what ruined the first attempt cannot happen here.

# %% [markdown] lang="zh"
# ### 每一行的范数都相同
#
# 每一对贡献$\sin^2+\cos^2=1$，共$d/2$对：
#
# $$\|\mathrm{PE}(p)\|^2=\sum_{i=0}^{d/2-1}\left(\sin^2\omega_ip+\cos^2\omega_ip\right)=\frac d2.$$
#
# 没有哪个位置的向量比别的更长，第一次尝试的毛病在这里不会出现。

# %%
for dim in (64, 512):
    norms = sinusoidal(torch.arange(5000), dim, dtype=torch.float64).norm(dim=1)
    low, high = norms.min(), norms.max()
    print(f"d={dim:3}: {low:.4f} ≤ ‖PE(p)‖ ≤ {high:.4f}, √(d/2) = {(dim / 2) ** 0.5:.4f}")

# %% [markdown] lang="en"
# That holds only while sine and cosine of a pair share their angle. There are two ways to misread
# the formula. Give every channel $c$ an exponent of its own, $c/d$, and the norm wanders: dot
# products then depend on more than the distance. Or put the channel number $2i$ where the formula
# has the pair number $i$, and the exponent becomes $4i/d$: the norm holds, but more than half of
# the columns hardly move in 200 tokens (each line ends, as in "12 / 64", with how many of the 64
# change by less than 0.05).

# %% [markdown] lang="zh"
# 前提是同一对的正弦和余弦共用一个角度。这个公式容易读错，错法有两种。
# 若每个通道$c$各用一个指数$c/d$，范数就会飘忽不定，点积也不再只取决于距离。公式里的$i$是第几对，
# 若错用成通道号$2i$，指数就成了$4i/d$：范数不变，
# 可200个词元之内一多半的列几乎不动（每行末尾的“12 / 64”之类，是64列中变化不到0.05的列数）。

# %%
p, channel = torch.arange(200, dtype=torch.float64), torch.arange(64)
for name, exponent in (
    ("2i/d", channel // 2 * 2),  # 0, 0, 2, 2, 4, 4, …
    (" c/d", channel),
    ("4i/d", channel // 2 * 4),
):
    angles = p[:, None] * 10000.0 ** (-exponent / 64)
    rows = torch.where(channel % 2 == 0, angles.sin(), angles.cos())  # (200, 64)
    norms, still = rows.norm(dim=1), (rows.amax(0) - rows.amin(0) < 0.05).sum()
    print(f"{name}: {norms.min():.2f} ≤ ‖PE(p)‖ ≤ {norms.max():.2f}, {still} / 64")

# %% [markdown] lang="en" way="weekend"
# ## 2.5 A shift is a rotation
#
# Why sines *and* cosines? Go on by $k$ tokens: each hand turns by $\omega_ik$, wherever it pointed
# before. So $\mathrm{PE}(p+k)$ must follow from $\mathrm{PE}(p)$ and $k$, with no need to know $p$.
# It even follows *linearly*: there is a matrix $M_k$, the *shift matrix*, the same for all $p$,
# with
#
# $$\mathrm{PE}(p+k)=M_k\,\mathrm{PE}(p).$$
#
# **Derive it** on paper, for one pair first: all you need is the sine and cosine of a sum. Then
# write it.

# %% [markdown] lang="zh" slide="show"
# ## 2.5 平移就是旋转
#
# 为什么正弦*和*余弦都要？位置增加$k$，每根指针都再转$\omega_ik$，无论原来指向哪里。
# 所以由$\mathrm{PE}(p)$和$k$就能得到$\mathrm{PE}(p+k)$，不必知道$p$。这个关系还是*线性*的：
# 有一个矩阵$M_k$，叫*平移矩阵*（shift matrix），对所有$p$都满足
#
# $$\mathrm{PE}(p+k)=M_k\,\mathrm{PE}(p).$$
#
# 请在纸上**把它推出来**，先看一对通道：用到的只有两角和的正弦与余弦。然后写成代码。


# %% exercise="sinusoidal_shift"
def sinusoidal_shift(offset, dim, base=10000.0):
    """Return the matrix that moves an interleaved encoding `offset` positions on, (dim, dim)."""
    ### BEGIN SOLUTION
    M = torch.zeros(dim, dim)
    for i in range(dim // 2):
        angle = offset * base ** (-2 * i / dim)  # ω_i k
        c, s = math.cos(angle), math.sin(angle)
        M[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = torch.tensor([[c, s], [-s, c]])
    return M
    ### END SOLUTION


# %% check="sinusoidal_shift"
check("sinusoidal_shift", sinusoidal_shift)

# %% [markdown] lang="en"
# With $a=\omega p$ and $b=\omega k$, $\sin(a+b)=\sin a\cos b+\cos a\sin b$ and
# $\cos(a+b)=\cos a\cos b-\sin a\sin b$. So each pair has a block
#
# $$\begin{bmatrix}\sin\omega(p+k)\\\cos\omega(p+k)\end{bmatrix}=
# \begin{bmatrix}\cos\omega k&\sin\omega k\\-\sin\omega k&\cos\omega k\end{bmatrix}
# \begin{bmatrix}\sin\omega p\\\cos\omega p\end{bmatrix},$$
#
# a rotation that contains $k$ but not $p$: the hand of a clock turns clockwise by $\omega k$. $M_k$
# has these blocks on its diagonal and zeros elsewhere. With sines alone there is no such matrix:
# row 0 would be all zeros, and every matrix leaves zeros as they are.

# %% [markdown] lang="zh" slide="show"
# 令$a=\omega p$、$b=\omega k$，则$\sin(a+b)=\sin a\cos b+\cos a\sin b$，
# $\cos(a+b)=\cos a\cos b-\sin a\sin b$。所以每一对通道对应一个块
#
# $$\begin{bmatrix}\sin\omega(p+k)\\\cos\omega(p+k)\end{bmatrix}=
# \begin{bmatrix}\cos\omega k&\sin\omega k\\-\sin\omega k&\cos\omega k\end{bmatrix}
# \begin{bmatrix}\sin\omega p\\\cos\omega p\end{bmatrix},$$
#
# 这是一个旋转，里面有$k$，没有$p$，正是钟的指针顺时针转过$\omega k$。
# $M_k$的对角线上就是这些块，其余为零。
# 若只有正弦，就没有这样的矩阵，因为第0行全为零，零向量乘上什么矩阵都还是零。

# %% [markdown] lang="en"
# Here is $M_3$ for $d=8$. Which block turns most, which is nearly the identity?

# %% [markdown] lang="zh" slide="show"
# 这是$d=8$时的$M_3$。哪一块转得最多，哪一块几乎是单位矩阵？

# %%
names = [f"{f} ω{i}" for i in range(4) for f in ("sin", "cos")]
picture(
    Matrix(
        shift_matrix(3, 8),
        rows=names,
        columns=names,
        **label.shift(),
        limits=(-1, 1),
        colours="RdBu_r",
    )
)

# %% [markdown] lang="en"
# *Picture: an 8 × 8 matrix with four 2 × 2 blocks on the diagonal and zeros elsewhere.*
#
# The first block turns by 3 radians; the last turns by 0.003 and looks like the identity. Three
# facts follow from the blocks. Rotations preserve length: $M_k^\top M_k=I$. Angles add:
# $M_jM_k=M_{j+k}$. The way back is the transpose: $M_k^\top=M_{-k}$.

# %% [markdown] lang="zh"
# *图：8×8的矩阵，对角线上有四个2×2的块，其余为零。*
#
# 第一块转了3弧度，最后一块只转了0.003弧度，看上去就是单位矩阵。由块的形状可得三条性质：
# 旋转不改变长度，$M_k^\top M_k=I$；角度可以相加，$M_jM_k=M_{j+k}$；
# 反向平移就是转置，$M_k^\top=M_{-k}$。

# %%
M2, M3, M5 = (shift_matrix(k, 8, dtype=torch.float64) for k in (2, 3, 5))
table = sinusoidal(torch.arange(20), 8, dtype=torch.float64)
print("PE(p + 3) = M₃ PE(p):", torch.allclose(table[:-3] @ M3.T, table[3:]))  # rows: transpose
print("M₃ᵀ M₃ = I:          ", torch.allclose(M3.T @ M3, torch.eye(8, dtype=torch.float64)))
print("M₂ M₃ = M₅:          ", torch.allclose(M2 @ M3, M5))
print("M₃ᵀ = M₋₃:           ", torch.allclose(M3.T, shift_matrix(-3, 8, dtype=torch.float64)))

# %% [markdown] lang="en" way="weekend"
# ## 2.6 The dot product depends on the distance
#
# Attention compares vectors by dot products. So what is $\mathrm{PE}(p)\cdot\mathrm{PE}(p+k)$?
# Write out the part of one pair: $p$ drops out again, and the dot product is a function $s(k)$ of
# the distance alone. Which one?

# %% [markdown] lang="zh" slide="show"
# ## 2.6 点积只看距离
#
# 注意力用点积来比较向量。那么$\mathrm{PE}(p)\cdot\mathrm{PE}(p+k)$是多少？
# 先写出一对通道的贡献：$p$又消去了，点积只是距离的函数$s(k)$。是什么函数？


# %% exercise="sinusoidal_similarity"
def sinusoidal_similarity(distances, dim, base=10000.0):
    """Return the dot product of two encodings for each distance between them, shape (K,)."""
    ### BEGIN SOLUTION
    omega = base ** (-2 * torch.arange(dim // 2) / dim)  # (dim/2,)
    return (distances[:, None] * omega).cos().sum(-1)  # (K, dim/2) -> (K,)
    ### END SOLUTION


# %% check="sinusoidal_similarity"
check("sinusoidal_similarity", sinusoidal_similarity)

# %% [markdown] lang="en"
# For one pair, $\sin a\sin b+\cos a\cos b=\cos(a-b)$, so
#
# $$s(k)=\mathrm{PE}(p)\cdot\mathrm{PE}(p+k)=\sum_{i=0}^{d/2-1}\cos(\omega_ik).$$
#
# Draw the curve. Many texts say that it *falls* with the distance. Drag $d$ and the range: can
# you see where it first goes up again?

# %% [markdown] lang="zh" slide="show"
# 对一对通道，$\sin a\sin b+\cos a\cos b=\cos(a-b)$，所以
#
# $$s(k)=\mathrm{PE}(p)\cdot\mathrm{PE}(p+k)=\sum_{i=0}^{d/2-1}\cos(\omega_ik).$$
#
# 把曲线画出来。很多文章说它随距离*下降*。拖动$d$和范围：看得出它在哪里第一次回升吗？


# %%
def dots(distances, dim, base=10000.0):
    omega = frequencies(dim, base=base)  # (dim/2,) float64
    return (distances[:, None] * omega).cos().sum(-1)


def falling(dim=64, reach=60):
    k = torch.arange(reach + 1)
    s = dots(k, dim) / (dim / 2)
    return Curves(Curve(k, s), **label.dot_product(dim=dim), y_limits=(-1.05, 1.05))


explore(falling, **label.falling, dim=(2, 512, 2), reach=(20, 500, 20))

# %% [markdown] lang="en"
# *Picture: a curve that starts at 1, falls at first and then ripples.*
#
# With $d=2$ it is a pure cosine. More dimensions smooth the curve and move its first rise further
# out, but it is monotone at no $d$: a finite sum of cosines always comes back near its start. The
# rise is often too small to see; comparing numbers finds it.

# %% [markdown] lang="zh"
# *图：点积与距离0处之比随距离的变化，从1开始下降，随后起伏。*
#
# $d=2$时它就是一条余弦。维度越多，曲线越平滑，第一次回升一般也越远，但无论$d$多大都不是单调的：有
# 限个余弦相加，迟早会回到起点附近。回升往往只有一点点，肉眼看不出，比较数值才知道。


# %% exercise="first_rise" way="everything"
def first_rise(dim, base=10000.0):
    """Return the smallest k >= 1 whose dot product is larger than that of k - 1, an int."""
    ### BEGIN SOLUTION
    omega = base ** (-2 * torch.arange(dim // 2, dtype=torch.float64) / dim)

    def s(k):
        return (k * omega).cos().sum()

    k = 1
    while s(k) <= s(k - 1):
        k += 1
    return k
    ### END SOLUTION


# %% check="first_rise"
check("first_rise", first_rise)

# %% [markdown] lang="en"
# At first the dot product falls at every step. Then, drawn over the logarithm of the distance, it
# falls roughly along a straight line (*long-range decay*; chapter 5 derives the law). For large $d$
# that line meets 0 at about 5600 tokens (for $d=64$ at 4900). The curve ripples about the line and
# dips below 0 sooner. Each line printed below begins with the first step up and ends with the first
# distance below 0. And how many of the steps within 4096 tokens go up?

# %% [markdown] lang="zh"
# 点积在最初一段步步下降；再往后，若以距离的对数为横轴，它大致沿一条直线走低
# （这就是常说的*远程衰减*，第5章推导这条规律）。$d$很大时，这条直线约在5600个词元处降到0
# （$d=64$时约在4900处）。曲线绕着直线起伏，更早就会低于0
# （下面每行开头是第一次回升，末尾是首次低于0之处）。
# 那么单看每一步呢？4096个词元之内，有多少步是回升的？

# %%
for dim in (64, 128, 512, 4096):
    s = dots(torch.arange(6000), dim)
    rises = s[:4096].diff() > 0
    k, below = int(rises.nonzero()[0]), int((s < 0).nonzero()[0])
    print(f"d={dim:4}: s({k + 1}) > s({k}), {int(rises.sum())} / 4095, s({below}) < 0")

# %% [markdown] lang="en"
# About half of them (43% at $d=4096$). So "the dot product falls with the distance" is true of the
# first steps and of the trend, but not of every step further out.

# %% [markdown] lang="zh"
# 大约一半（$d=4096$时也有43%）。所以“点积随距离下降”只对最初一段和总的趋势成立，
# 对远处的单独一步不成立。

# %% [markdown] lang="en"
# ### Why waves, and nothing else
#
# Turn the question round. Suppose we do not know the formula and only ask that for all $p,q\ge0$
# the product $\mathrm{PE}(p)\cdot\mathrm{PE}(q)$ depends on $q-p$ alone. Then moving every position
# on by one changes no dot product. Take any combination of rows, $\sum_pc_p\mathrm{PE}(p)$: its
# squared length is made of dot products, so it keeps its length when each $\mathrm{PE}(p)$ becomes
# $\mathrm{PE}(p+1)$. In particular, a combination that is zero stays zero. Hence the step
# $\mathrm{PE}(p)\mapsto\mathrm{PE}(p+1)$ extends to a linear map of all combinations, and it keeps
# their lengths; on directions that no row uses, let it do nothing. The matrix $M$ of a map that
# keeps all lengths is called *orthogonal*: $M^\top M=I$. So there is one orthogonal matrix with
# $\mathrm{PE}(p)=M^p\,\mathrm{PE}(0)$ for all $p$.
#
# Choose the axes well (of length 1, at right angles: an orthonormal basis), and an orthogonal
# matrix has only blocks on its diagonal: $2\times2$ rotations, each by an angle $\omega_i$, and
# single entries $\pm1$. In $M^p$ block $i$ turns by $\omega_ip$: it is a clock. (The single entries
# are waves too: $1$ has frequency $0$; $-1$, which changes sign at every step, has $\pi$.) **Sines
# and cosines are the only table whose dot products see the distance alone**, up to the choice of
# the frequencies, of a length for each pair and of an orthonormal basis.
#
# The cell takes a random orthogonal $8\times8$ matrix. It first prints
# $\mathrm{PE}(p)\cdot\mathrm{PE}(p+3)$ for four $p$, which have to agree, then the angles of the
# matrix's eight eigenvalues. Guess: what pattern do the eight angles show?

# %% [markdown] lang="zh" slide="show"
# ### 为什么只能是波
#
# 反过来问。假设不知道公式，只要求对一切$p,q\ge0$，
# $\mathrm{PE}(p)\cdot\mathrm{PE}(q)$仅取决于$q-p$。那么所有位置一起加1，点积都不变。
# 任取各行的一个线性组合$\sum_pc_p\mathrm{PE}(p)$，它长度的平方展开后只含点积，
# 所以把每个$\mathrm{PE}(p)$换成$\mathrm{PE}(p+1)$，长度不变。特别地，为零的组合换过之后仍为零。
# 于是$\mathrm{PE}(p)\mapsto\mathrm{PE}(p+1)$这一步可以延拓为所有组合上的一个线性映射，
# 而且保持长度；与各行都垂直的方向，令其不动。保持一切长度的线性映射，它的矩阵$M$叫作*正交矩阵*，
# 满足$M^\top M=I$。所以有一个正交矩阵，对所有$p$都有$\mathrm{PE}(p)=M^p\,\mathrm{PE}(0)$。
#
# 换一组合适的标准正交基（坐标轴两两垂直、长度为1），正交矩阵就只有对角线上的块：
# 一些$2\times2$的旋转，各转一个角度$\omega_i$；还有一些单独的$\pm1$。
# 在$M^p$里，第$i$块转过$\omega_ip$，这就是一只钟。（单独的数也是波：$1$的频率为$0$；
# $-1$每走一步变一次号，频率为$\pi$。）所以，**要让点积只看距离，编码表只能由正弦和余弦组成**，
# 能选的只有频率、每一对的长度和标准正交基。
#
# 下面随机取一个$8\times8$的正交矩阵，先对四个$p$打印$\mathrm{PE}(p)\cdot\mathrm{PE}(p+3)$，
# 它们必定相等；再打印这个矩阵的八个特征值的辐角。猜一猜：这八个角度有什么规律？

# %%
rng = torch.Generator().manual_seed(0)
B = torch.randn(8, 8, generator=rng, dtype=torch.float64)
M = torch.linalg.matrix_exp(B - B.T)  # orthogonal
rows = torch.stack([torch.linalg.matrix_power(M, p)[:, 0] for p in range(20)])  # PE(p) = M^p PE(0)
products = rows @ rows.T
print([round(x, 4) for x in products.diagonal(3)[:4].tolist()])  # PE(p) · PE(p + 3)
print([round(x, 2) for x in torch.linalg.eigvals(M).angle().sort().values.tolist()])

# %% [markdown] lang="en"
# The dot products agree, and the eigenvalues come in pairs $e^{\pm i\omega}$: four clocks.
#
# What the argument leaves open is which frequencies to take. $10000^{-2i/d}$ is a choice, one that
# spreads them evenly on a logarithmic scale, as binary digits do. The paper does not say why 10000;
# with that number, the longest wave is far longer than a sentence.

# %% [markdown] lang="zh"
# 点积都相等；特征值成对出现，为$e^{\pm i\omega}$，正是四只钟。
#
# 频率取哪些，这番推导并没有定下来。$10000^{-2i/d}$只是一种选择，它让频率在对数尺度上均匀分布，
# 和二进制位一样。为什么是10000，论文没有说；取这个数，最长的波远比句子长。

# %% [markdown] lang="en"
# ### The dot product does not see the direction
#
# Cosine is even, so $s(k)=s(-k)$: five tokens before and five tokens after give the same number.
# Without a weight matrix, the two sides look alike.

# %% [markdown] lang="zh"
# ### 点积不分方向
#
# 余弦是偶函数，所以$s(k)=s(-k)$：之前第五个和之后第五个，点积一样。没有权重矩阵，就分不出先后。

# %%
table = sinusoidal(torch.arange(40), 64, dtype=torch.float64)
print(f"PE(20)·PE(25) = {table[20] @ table[25]:.3f}    PE(20)·PE(15) = {table[20] @ table[15]:.3f}")

# %% [markdown] lang="en"
# But attention does have weight matrices. With row vectors, as in chapter 1, the score of query $p$
# and key $q$ before scaling is $\mathrm{PE}(p)\,A\,\mathrm{PE}(q)^\top$, where $A=W_QW_K^\top$ (in
# chapter 1 the letter $A$ meant the attention weights). Choose $A=M_k$. By 2.5 it shifts the key by
# $k$, $M_k\,\mathrm{PE}(q)^\top=\mathrm{PE}(q+k)^\top$, so the score is
# $\mathrm{PE}(p)\cdot\mathrm{PE}(q+k)=s(q+k-p)$. It is largest at distance 0, $q+k=p$: for the key
# $k$ tokens before the query. (In a head narrower than $d$, $A$ has a lower rank and uses only some
# of the clocks.) Drag $k$.

# %% [markdown] lang="zh" slide="show"
# 但注意力里恰恰有权重矩阵。和第1章一样用行向量，查询$p$与键$q$缩放之前的得分是
# $\mathrm{PE}(p)\,A\,\mathrm{PE}(q)^\top$，其中$A=W_QW_K^\top$（第1章里，字母$A$指注意力权重）。
# 取$A=M_k$：由2.5节，$M_k\,\mathrm{PE}(q)^\top=\mathrm{PE}(q+k)^\top$，它把键平移$k$，
# 得分就成了$\mathrm{PE}(p)\cdot\mathrm{PE}(q+k)=s(q+k-p)$。距离为0，即$q+k=p$时得分最大，
# 那正是查询之前的第$k$个键。（若头的维度小于$d$，$A$的秩就更低，只能用上其中几只钟。）
# 拖动$k$试试。


# %%
def look_back(offset=0):
    table = sinusoidal(torch.arange(40), 64)  # (40, 64)
    scores = table @ shift_matrix(offset, 64) @ table.T  # (40 queries, 40 keys)
    return HeatMap(scores, **label.scores(offset=offset), limits=(0, 32), square=True)


explore(look_back, **label.look_back, offset=(-10, 10))

# %% [markdown] lang="en"
# *Picture: scores of 40 queries by 40 keys, with a bright diagonal band.*
#
# For $k>0$ the band moves below the main diagonal, towards earlier keys, for $k<0$ above it. The
# next cell shows it with $k=3$: the best keys of queries 10 to 14 are 7 to 11 (its first line). But
# $s$ is flat at its top: after the softmax, query 20 gives its best key, 17, hardly more weight
# than 16 and 18 (second line). With $A=50M_k$ key 17 gets nearly all (third line). So a head *can*
# look $k$ tokens back: $M_k$ sets the place, the size of $A$ the sharpness.

# %% [markdown] lang="zh"
# *图：40个查询对40个键的得分，一条明亮的斜带。*
#
# $k>0$时斜带移到主对角线下方，也就是更早的键；$k<0$时移到上方。下一个单元格取$k=3$：查询10到14得分
# 最高的键是7到11（第一行）。但$s$的峰顶很平：softmax之后，查询20给最佳的键17的权重，比给16和18的多
# 不了多少（第二行）；换成$A=50M_k$，就几乎全给了键17（第三行）。所以一个头*可以*专看之前的第$k$个词
# 元：看哪里靠$M_k$，有多专注靠$A$的大小。

# %%
scores = table @ shift_matrix(3, 64, dtype=torch.float64) @ table.T
print(scores[10:15].argmax(dim=1).tolist())
for size in (1, 50):  # A = size · M₃
    weights = (size * scores[20] / math.sqrt(64)).softmax(-1)  # (40 keys,)
    print(f"{size:2} M₃:", [round(w, 3) for w in weights[16:19].tolist()])

# %% [markdown] lang="en" way="everything"
# ## 2.7 Two layouts, two exponents
#
# Published code differs in two ways. One is the *layout*: sines and cosines alternating, or all
# sines first and then all cosines (*concatenated*, `[sin | cos]`). That is only a permutation of
# the channels, and a model trained from scratch does not care. But a checkpoint trained with one
# layout needs that one.

# %% [markdown] lang="zh"
# ## 2.7 两种排布，两种指数
#
# 实际代码在两处有不同的写法。一是*排布*（layout）：正弦余弦轮流出现，或先放全部正弦、
# 再放全部余弦（*拼接排布*，concatenated，即`[sin | cos]`）。这只是通道的一个置换，
# 从头训练的模型不在乎用哪一种；但checkpoint（训练好的权重文件）是按哪种排布训练的，就得用哪种。


# %% exercise="sinusoidal_layout"
def sinusoidal_layout(dim):
    """Return the order of interleaved channels that gives the concatenated layout, (dim,)."""
    ### BEGIN SOLUTION
    sines = torch.arange(0, dim, 2)
    cosines = torch.arange(1, dim, 2)
    return torch.cat((sines, cosines))
    ### END SOLUTION


# %% check="sinusoidal_layout"
check("sinusoidal_layout", sinusoidal_layout)

# %% [markdown] lang="en"
# Permuting channels changes no dot product, here $\mathrm{PE}(3)\cdot\mathrm{PE}(8)$. Mixing up
# the layouts does: the last number is far from the first two. (In a model both rows come from one
# table, and it is the trained weights that expect the other layout; here the interleaved row stands
# for them.)

# %% [markdown] lang="zh"
# 置换通道不改变任何点积，这里看$\mathrm{PE}(3)\cdot\mathrm{PE}(8)$。
# 把两种排布混着用就不行了：最后一个数和前两个差得很远。
# （在模型里，两行出自同一张表，对不上的是按另一种排布训练出来的权重；
# 这里就拿交错排布的那一行代替这样的权重。）

# %%
interleaved = sinusoidal(torch.tensor([3, 8]), 64, dtype=torch.float64)
concatenated = sinusoidal(torch.tensor([3, 8]), 64, layout="concatenated", dtype=torch.float64)
print(f"interleaved, interleaved:   {interleaved[0] @ interleaved[1]:.3f}")
print(f"concatenated, concatenated: {concatenated[0] @ concatenated[1]:.3f}")
print(f"interleaved, concatenated:  {interleaved[0] @ concatenated[1]:.3f}")

# %% [markdown] lang="en"
# The second difference is the *exponent*: tensor2tensor, the paper's own code, divides by $d/2-1$
# instead of $d/2$:
#
# $$\omega_i=10000^{-i/(d/2-1)}.$$
#
# Its slowest frequency is exactly $1/10000$: here the longest wave is the $10000\cdot2\pi$ of
# section 2.3. In fairseq's copy a comment says that it "differs slightly" from the paper. Guess how
# far apart the two tables get over 4096 positions.

# %% [markdown] lang="zh"
# 二是*指数*：论文作者自己的代码tensor2tensor除的是$d/2-1$，而不是$d/2$：
#
# $$\omega_i=10000^{-i/(d/2-1)}.$$
#
# 它最低的频率恰好是$1/10000$，最长的波长也就正好是2.3节的$10000\cdot2\pi$。fairseq沿用了它，
# 注释里说这与论文“略有不同”。猜猜看，4096个位置之内，两张表最多差多少？

# %% tags=["predict"]
positions = torch.arange(4096)
paper = sinusoidal(positions, 64, dtype=torch.float64)
t2t = sinusoidal(positions, 64, exponent="tensor2tensor", dtype=torch.float64)
for length in (10, 100, 4096):
    print(f"p < {length:4}: max |Δ| = {(paper - t2t)[:length].abs().max():.2f}")

# %% [markdown] lang="en"
# "Slightly" ends at 2.00, the most there can be between entries from $-1$ to $1$.
#
# Layouts can be converted by a permutation, exponents cannot. When you load a checkpoint, check
# both.

# %% [markdown] lang="zh"
# 说是“略有不同”，却能差到2.00，已经是上限了（每一项都在$-1$到$1$之间）。
#
# 排布可以用置换互换，指数不行。加载checkpoint时，两样都要核对。

# %% [markdown] lang="en" way="everything"
# ## 2.8 Positions in 16 bits
#
# Models often run in bfloat16. It keeps 8 significant bits: enough for a sine, not for counting.
# Predict: `torch.tensor(257).to(torch.bfloat16)` is …?

# %% [markdown] lang="zh" slide="show"
# ## 2.8 用16位浮点数存位置
#
# 模型常以bfloat16运行。它只有8位二进制有效数字：存一个正弦值够用，用来数数就不够了。
# 先猜：`torch.tensor(257).to(torch.bfloat16)`等于多少？

# %% tags=["predict"]
counts = torch.arange(4096)
values, sharing = counts.to(torch.bfloat16).unique(return_counts=True)
print("bfloat16: 257 →", int(torch.tensor(257).to(torch.bfloat16)))
print(f"bfloat16: {len(counts)} → {len(values)}, sharing ≤ {sharing.max()}")
lost = counts.to(torch.float16).long() != counts
print("float16:", int(lost.nonzero()[0]), "→", int(torch.tensor(2049).to(torch.float16)))

# %% [markdown] lang="en"
# 257 becomes 256. The 4096 positions are rounded to 769 values, and up to 17 neighbours share one.
# (float16 fails later, at 2049.)
#
# The rule: **positions, frequencies and angles in float32 or better; round only the finished
# table.**

# %% [markdown] lang="zh" slide="show"
# 257成了256。4096个位置只剩769个不同的值，最多有17个相邻位置共用一个。
# （float16晚一些，到2049才出错。）
#
# 规矩是：**位置、频率、角度都用float32或更高精度，只在最后对整张表做舍入。**

# %% [markdown] lang="en" way="weekend"
# ## 2.9 Added, once, at the input
#
# The Transformer computes $h=\sqrt d\,x+p$, where $x$ is the embedding of the token and $p$, in
# this section, the whole row $\mathrm{PE}$ of its position. Why $\sqrt d$? The paper (§3.4) does
# not say. Compare mean norms at $d=512$, with embeddings drawn from $\mathcal N(0,1/d)$.

# %% [markdown] lang="zh"
# ## 2.9 只在输入处加一次
#
# Transformer计算的是$h=\sqrt d\,x+p$，$x$是词元的嵌入；$p$在本节里不是位置的编号，
# 而是这个位置的那一行$\mathrm{PE}$。
# 为什么要乘$\sqrt d$？论文（§3.4）没有解释。取$d=512$，
# 嵌入服从$\mathcal N(0,1/d)$，比一比平均范数。

# %%
rng = torch.Generator().manual_seed(0)
x = torch.randn(1000, 512, generator=rng, dtype=torch.float64) / math.sqrt(512)
p = sinusoidal(torch.arange(1000), 512, dtype=torch.float64)
for name, rows in (("x", x), ("√d · x", math.sqrt(512) * x), ("p", p)):
    print(f"‖{name}‖ = {rows.norm(dim=1).mean():.1f}")

# %% [markdown] lang="en"
# Without the factor, the position is 16 times as long as the word. Whether that matters depends on
# the initialisation: code that draws embeddings from $\mathcal N(0,1)$ has the factor built in.

# %% [markdown] lang="zh"
# 不乘这个因子，位置向量的范数就是词向量的16倍。要不要紧取决于初始化：
# 若嵌入从$\mathcal N(0,1)$抽取，因子就已经在里面了。

# %% [markdown] lang="en"
# ### What the sum mixes
#
# With $A=W_QW_K^\top$ as before and rows $x,p$, the score of tokens $i$ and $j$ has four terms:
#
# $$(x_i+p_i)A(x_j+p_j)^\top=x_iAx_j^\top+x_iAp_j^\top+p_iAx_j^\top+p_iAp_j^\top.$$
#
# They are word–word, word–position, position–word and position–position, and all four share *one*
# matrix $A$: what a head changes in its response to positions usually changes its response to words
# too. The cell checks that the four add up and prints the standard deviation of each.

# %% [markdown] lang="zh"
# ### 相加混合了什么
#
# 仍令$A=W_QW_K^\top$，$x,p$为行向量，词元$i$与$j$的得分有四项：
#
# $$(x_i+p_i)A(x_j+p_j)^\top=x_iAx_j^\top+x_iAp_j^\top+p_iAx_j^\top+p_iAp_j^\top.$$
#
# 依次是“词对词”“词对位置”“位置对词”“位置对位置”，四项共用*同一个*矩阵$A$。
# 一个头调整对位置的反应，往往也会改变它对词的反应。
# 下面核对这个等式，再打印每一项的标准差。

# %%
rng = torch.Generator().manual_seed(0)
x, A = torch.randn(2, 64, 64, generator=rng, dtype=torch.float64)  # 64 tokens, d = 64
p = sinusoidal(torch.arange(64), 64, dtype=torch.float64)
terms = {"x A xᵀ": x @ A @ x.T, "x A pᵀ": x @ A @ p.T, "p A xᵀ": p @ A @ x.T, "p A pᵀ": p @ A @ p.T}
print("(x + p) A (x + p)ᵀ = Σ:", torch.allclose((x + p) @ A @ (x + p).T, sum(terms.values())))
for name, term in terms.items():
    print(f"{name}: ± {term.std():.1f}")

# %% [markdown] lang="en"
# Here the words have the scale of $\sqrt d\,x$, and all four are of the same order. With unscaled
# words, drawn from $\mathcal N(0,1/d)$, the first would be $d=64$ times smaller, and the positions
# would drown the words: that is what $\sqrt d$ is good for. *Concatenating*, $[x;p]$, keeps word
# and position apart, at the price of more channels and weights; section 3.8 compares the two.

# %% [markdown] lang="zh"
# 这里的词带着$\sqrt d\,x$的尺度，四项同一量级。若词服从$\mathcal N(0,1/d)$，“词对词”
# 一项还要除以$d=64$，被位置淹没：$\sqrt d$的用处就在这里。改用*拼接*$[x;p]$，词和位置就能分开，
# 代价是更多的通道和权重。两者的比较见3.8节。

# %% [markdown] lang="en" way="everything"
# ### Why once is enough, and what it costs
#
# A popular interview question: why not add $p$ again in every layer? Let us measure, with six
# untrained attention layers and 128 random sentences. `share` is the part of the variance of the
# hidden states that position alone explains. `residual` keeps the residual connections, `again`
# adds $p$ before every later layer too. Printed: the share at the input and after the sixth layer.
# (An untrained network shows the mechanism, not what training makes of it.)

# %% [markdown] lang="zh" slide="show"
# ### 为什么加一次就够，代价又是什么
#
# 一道常见的面试题：为什么不在每一层都再加一次$p$？量一量就知道。
# 取六层未经训练的注意力，输入128个随机句子，`share`是隐藏状态的方差中单由位置就能解释的比例。
# `residual`表示保留残差连接，`again`表示从第二层起，每层之前都再加一次$p$。
# 图下打印输入处和第六层之后的比例。
# （未经训练的网络只能说明机制，说明不了训练之后会怎样。）


# %%
def share(h):  # (B, L, d): variance between positions / total variance
    return h.mean(0).var(0, correction=0).sum() / h.flatten(0, 1).var(0, correction=0).sum()


def layers(residual=True, again=False, count=6, d=64):
    rng = torch.Generator().manual_seed(0)
    p = sinusoidal(torch.arange(32), d, dtype=torch.float64)  # (L, d)
    h = torch.randn(128, 32, d, generator=rng, dtype=torch.float64) + p  # (B, L, d)
    shares = [share(h)]
    for layer in range(count):
        q, k, v = torch.randn(3, d, d, generator=rng, dtype=torch.float64) / math.sqrt(d)
        h = h + p if again and layer else h
        n = F.layer_norm(h, (d,))
        out = F.scaled_dot_product_attention(n @ q, n @ k, n @ v)
        h = h + out if residual else out
        shares.append(share(h))
    return torch.stack(shares)


variants = {
    label.with_residuals: layers(),
    label.no_residuals: layers(residual=False),
    label.every_layer: layers(again=True),
}
picture(
    Curves(
        [Curve(torch.arange(7), shares, name) for name, shares in variants.items()],
        **label.survival(),
        markers=True,
        y_limits=(0, 1),
    )
)
for name, shares in variants.items():
    print(f"{name.label()}: {shares[0]:.2f} → {shares[-1]:.2f}")

# %% [markdown] lang="en"
# *Picture: three lines over the layers; one sinks slowly, one drops to 0, one climbs.*
#
# With residual connections a single addition lasts: its share falls only from 0.14 to 0.10, because
# $h$ is copied forward and every layer can read $p$ from it. Without them every layer is only an
# average over tokens: after two or three, all tokens of a sentence have nearly the same vector,
# whatever their position or word. Added again before each layer, $p$ piles up in $h$ to about $6p$,
# and its share rises to 0.82. (DETR, in 2.12, also adds it in every layer, but to queries and keys,
# not to $h$, so that nothing piles up.)

# %% [markdown] lang="zh"
# *图：横轴是层数，纵轴是位置所占的比例，共三条线，一条缓缓下降，一条跌到0，一条一路上升。*
#
# 有残差连接时，加一次就能留住，比例只从0.14降到0.10，因为$h$一层层复制下去，
# 每一层都能从中读出$p$。没有残差，每一层就只是对词元加权平均，两三层之后，
# 同一句话里各词元的向量几乎一样，位置（连同词）的差别也就消失了。
# 每层都往$h$里加，$p$就累积到约$6p$，比例涨到0.82。
# （2.12节的DETR也是每层都加，但只加到查询和键上，不进$h$，就不会累积。）

# %% [markdown] lang="en"
# So once is enough, but not free. The position shares the channels with the words, goes into the
# *values* too, must last in $h$ up to the final layer, and meets $A$ only in the mixed form above.
# Most methods of later chapters (relative biases, RoPE) act in *every* layer instead, and on the
# scores only: the values stay free of position, and a head need not first extract the position
# from a sum.

# %% [markdown] lang="zh"
# 所以加一次够用，但不是没有代价：位置要和词抢通道，也混进了*值*；它要在$h$里一路留到最后一层；
# 与$A$相乘时，也只能是上面那种混在一起的形式。后面几章的方法（相对位置偏置、RoPE）大多改为
# 在*每一层*起作用，而且只作用于得分，值里不带位置，也不必先从词与位置的和里把位置分离出来。

# %% [markdown] lang="en" way="everything"
# ## 2.10 Bug clinic
#
# Two mistakes from real code. Each version runs without an error. For each case you read how it
# came about, and a symptom; the next cell defines the faulty function and shows the symptom. Find
# out where that function goes wrong, and write it correctly in the exercise below the cell.
#
# **Case 1.** A table of shape `(max_len, 1, d)` was meant for inputs `(L, B, d)`. Then somebody
# passed `(B, L, d)`, and the table was added along the batch axis. Symptom: when two tokens change
# places, so do their vectors, as if there were no encoding; but the same sentence twice in a batch
# gives two results.

# %% [markdown] lang="zh" slide="code"
# ## 2.10 Bug诊所
#
# 实际代码里常见的两个错误，运行都不报错。每个病例先说来历和症状，紧接着的单元格里是出错的函数，
# 并打印出症状。找出这个函数错在哪里，再在它下面的练习里写出正确的函数。
#
# **病例一。** 形状为`(max_len, 1, d)`的表本是配`(L, B, d)`的输入，后来有人传入了`(B, L, d)`，表就加
# 到了批次那一轴上。症状：两个词元交换位置，得到的向量只是跟着交换，好像根本没加编码；而同一句话在
# 批次里放两次，结果却不同。


# %%
def add_to_the_wrong_axis(x, base=10000.0):  # (B, L, d)
    dim = x.shape[-1]
    omega = base ** (-torch.arange(0, dim, 2) / dim)  # (d/2,)
    angles = torch.arange(100)[:, None, None] * omega  # (100, 1, d/2)
    table = torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)  # (100, 1, d)
    return x + table[: x.shape[0]]


x = torch.randn(2, 5, 8, generator=torch.Generator().manual_seed(0))
order = [1, 0, 2, 3, 4]  # the first two tokens change places
moved = torch.equal(add_to_the_wrong_axis(x[:, order]), add_to_the_wrong_axis(x)[:, order])
print("f(P x) = P f(x):", moved)
one, two = add_to_the_wrong_axis(x[:1].expand(2, 5, 8))  # the same sentence twice in a batch
print("f(x)[0] = f(x)[1]:", torch.equal(one, two))


# %% exercise="mend_batch_axis" mends="add_to_the_wrong_axis"
def mend_batch_axis(x, base=10000.0):
    """Return x plus the interleaved encoding of positions 0 … L-1, shape (B, L, d)."""
    ### BEGIN SOLUTION
    _, length, dim = x.shape
    omega = base ** (-2 * torch.arange(dim // 2) / dim)  # (d/2,)
    angles = torch.arange(length)[:, None] * omega  # (L, d/2)
    table = torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)  # (L, d)
    return x + table  # broadcast over the batch
    ### END SOLUTION


# %% check="mend_batch_axis"
check("mend_batch_axis", mend_batch_axis)

# %% [markdown] lang="en"
# **Case 2.** "The model runs in bfloat16, so I convert the positions too." Symptom: positions 256
# and 257 get the same row.

# %% [markdown] lang="zh"
# **病例二。** “模型用bfloat16，位置也转成bfloat16吧。”症状：位置256和257得到同一行。


# %%
def colliding_table(positions, dim, dtype):
    omega = 10000.0 ** (-torch.arange(0, dim, 2) / dim)
    angles = positions.to(dtype)[:, None] * omega
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1).to(dtype)


rows = colliding_table(torch.tensor([256, 257]), 64, torch.bfloat16)
print("PE(256) = PE(257):", torch.equal(rows[0], rows[1]))


# %% exercise="mend_low_precision" mends="colliding_table"
def mend_low_precision(positions, dim, dtype):
    """Return the interleaved encoding in `dtype`, rounded once at the end, shape (L, dim)."""
    ### BEGIN SOLUTION
    omega = 10000.0 ** (-2 * torch.arange(dim // 2, dtype=torch.float64) / dim)
    angles = positions.double()[:, None] * omega  # (L, dim/2), float64
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2).to(dtype)
    ### END SOLUTION


# %% check="mend_low_precision"
check("mend_low_precision", mend_low_precision)

# %% [markdown] lang="en" way="everything"
# ## 2.11 What is not true
#
# **"Low dimensions change slowly, high ones fast."** It is the reverse. Count how often the first
# and the last sine change their sign within 200 positions.

# %% [markdown] lang="zh" slide="show"
# ## 2.11 哪些说法不对
#
# **“低维变化慢，高维变化快。”**
# 恰恰相反。数一数200个位置之内，第一个和最后一个正弦各变号多少次。

# %%
sines = sinusoidal(torch.arange(1, 201), 64, dtype=torch.float64)[:, 0::2]
changes = (sines[1:].sign() != sines[:-1].sign()).sum(0)
print(changes[0].item(), changes[-1].item())

# %% [markdown] lang="en"
# **"Position vectors are (nearly) orthogonal."** Neighbours are almost parallel, and rows 100 apart
# have a cosine of about one half. Only far apart does it waver about 0: it is first negative at
# distance 725 for $d=64$, at 3284 for $d=512$ (2.6). Here it is at distances 1, 100 and 4000:

# %% [markdown] lang="zh"
# **“位置向量（近似）两两正交。”** 相邻的两个几乎平行，相隔100行的余弦也还在0.5上下。隔得很远，
# 才在0附近起伏：$d=64$时，到距离725才第一次为负，$d=512$时要到3284（2.6节）。
# 下面依次是距离为1、100和4000时的余弦：

# %%
for dim in (64, 128, 512):
    here, *there = sinusoidal(torch.tensor([0, 1, 100, 4000]), dim, dtype=torch.float64)
    print(f"d={dim:3}:", [round((here @ row).item() / (dim / 2), 3) for row in there])

# %% [markdown] lang="en"
# **"The waves repeat after 10000 tokens."** Each pair has its own period, at $d=64$ from 6 to 47117
# tokens. No row ever repeats exactly: already for the first pair, $k=2\pi m$ has no solution in
# positive whole numbers. At realistic lengths only very narrow encodings come close to a
# repetition: with $d=2$, row 710 almost equals row 0, because $710\approx113\cdot2\pi$.

# %% [markdown] lang="zh" slide="show"
# **“波每隔10000个词元重复一次。”**
# 每一对都有自己的周期，$d=64$时从6到47117个词元不等。没有哪一行会精确重复：单是第一对，
# $k=2\pi m$就没有正整数解。在实际的长度内，只有极窄的编码才会几乎绕回来：$d=2$时，
# 第710行与第0行几乎相同，因为$710\approx113\cdot2\pi$。

# %%
for dim, p in ((2, 710), (64, 10000), (512, 10000)):
    here, there = sinusoidal(torch.tensor([0, p]), dim, dtype=torch.float64)
    print(f"d={dim:3}: ‖PE({p}) - PE(0)‖ = {(there - here).norm():.4f}")
print(f"113 · 2π = {113 * 2 * math.pi:.4f}")

# %% [markdown] lang="en"
# **"It is defined for every position, so it extrapolates."** Computable is not the same as useful.
# Press et al. trained one model with sinusoids and one with their ALiBi (chapter 7) at length 512
# and tested both on longer inputs (WikiText-103 validation, perplexity, lower is better). Each line
# printed under the figure has an input length, in units of 512 tokens, and the perplexities of both
# models there, in units of those at 512:

# %% [markdown] lang="zh" slide="show"
# **“对任何位置都有定义，所以能外推。”**
# 算得出不等于用得上。Press等人以512个词元的长度训练了两个模型，一个用正弦编码，
# 一个用他们提出的ALiBi（第7章），再用更长的输入测试（WikiText-103验证集，困惑度，越低越好）。
# 图下打印：输入长度是512的多少倍，两个困惑度各是512处的多少倍。

# %%
lengths = [512, 1012, 1512, 2512, 3512, 15512]  # Press, Smith & Lewis 2022, Table 2
sinusoids = [20.05, 43.54, 76.23, 132.41, 178.97, 406.01]
alibi = [19.73, 18.73, 18.52, 18.41, 18.40, 18.31]
picture(
    Curves(
        [Curve(lengths, sinusoids, label.sinusoidal), Curve(lengths, alibi, "ALiBi")],
        **label.perplexity(),
        x_limits=(450, 18000),
        y_limits=(15, 500),
        x_scale="log",
        y_scale="log",
        markers=True,
    )
)
for n in (1, -1):
    waves, biases = (ppl[n] / ppl[0] for ppl in (sinusoids, alibi))
    ratio = lengths[n] / lengths[0]
    print(f"{lengths[n]:5} / 512 = {ratio:4.1f}: sinusoids × {waves:4.1f}, alibi × {biases:.1f}")

# %% [markdown] lang="en"
# *Picture: on logarithmic axes the sinusoidal curve climbs steadily from 20 to 406, while ALiBi
# stays just below 20.*
#
# One explanation: beyond 512 tokens the slow clocks show angles, and all clocks together show
# combinations, that the weights never met in training. Being periodic does not help. (The other
# curve of ALiBi, in 1.10, breaks before twice its trained length: another text, another model,
# another way to measure. Do not read two papers as one table.)

# %% [markdown] lang="zh"
# *图：两轴均为对数坐标，正弦编码的曲线从20一路升到406，ALiBi始终略低于20。*
#
# 一个合理的解释是：超过512个词元，慢钟走到了权重在训练中从未见过的角度，各钟合起来也出现了没见过的
# 组合，周期性帮不上忙。（1.10节里ALiBi的另一条曲线，不到训练长度的两倍就垮了。那是另一种文本、另一
# 个模型、另一种统计方法，两篇论文的数字不能拼成一张表。）

# %% [markdown] lang="en"
# **"A shift is a rotation, so the model does not care where a text begins."** The rotation is there
# (2.5); whether training makes use of it is another question. Take two of the small models of
# chapter 14 that learned with sinusoids, at positions 0 to 63: one to copy the symbol three tokens
# back, one to count how many times a special token, the mark, has appeared so far.
#
# The cell starts 32 tokens at position 0, 1, 8, 16 or 32, so that no position is new, and prints
# the share of right answers: at each start for sinusoids and for RoPE (chapter 5), and once for
# always giving the most common answer (mode). In which lines will the start matter?

# %% [markdown] lang="zh"
# **“平移就是旋转，所以文本从哪个位置开始，模型并不在乎。”**
# 旋转确实存在（2.5节），
# 训练有没有用上它，是另一回事。从第14章的小模型里取两个用正弦编码、在位置0到63上训练的：
# 一个学照抄之前第三个词元，一个学数某个特定的词元（★）出现过几次。
#
# 现在给它们32个词元，起点依次取0、1、8、16、32，没有一个位置是新的。每个任务打印三行答对的比例：正
# 弦编码、RoPE（第5章），以及一律回答最常见的答案（mode）。哪几行会随起点变？

# %% tags=["predict"]
for task in ("copy", "count"):
    rows = TASKS[task](128, 32, torch.Generator().manual_seed(0))
    asked = rows.targets != NOTHING
    for name in ("sinusoidal", "rope"):
        model, shares = glass(task, name), []
        for start in (0, 1, 8, 16, 32):
            with torch.no_grad():
                answers = model(rows.tokens, torch.arange(32) + start).argmax(-1)
            shares.append((answers == rows.targets)[asked].float().mean())
        print(f"{task:5} {name:10}:", *(f"{share:4.0%}" for share in shares))
    right = rows.targets[asked]
    print(f"{task:5} mode      : {(right == right.mode().values).float().mean():4.0%}")

# %% [markdown] lang="en"
# Copying with sinusoids goes on as before: a head like the one of 2.6 would do it from any start.
# Counting survives a start at 1 (99%) and then fails: from a start at 8 or 16 a quarter of the
# answers are right, as many as if the model always gave the commonest one; from a start at 32, half
# are (we have not examined why the share rises again). So a model with sinusoids *can* learn not to
# care; whether it does depends on the task and the training. With RoPE nothing changes: the shift
# cancels by construction, and nothing has to be learned.

# %% [markdown] lang="zh"
# 照抄的照样抄得对，2.6节那样的头从哪里开始都能做这件事。数数的却不行：起点移到1还有99%，
# 移到8或16，答对的只剩四分之一，和一律回答最常见的答案一样；移到32也只有一半（为什么又回升，
# 我们没有查）。可见用正弦编码的模型*可以*做到不在乎起点，做没做到，要看任务和训练。
# 用RoPE的两行都不变：平移在算式里就抵消了，用不着靠训练去学。

# %% [markdown] lang="en" way="everything"
# ## 2.12 In real models
#
# | code | layout | exponent | note |
# |---|---|---|---|
# | the paper (2017) | interleaved | `2i/d` | embeddings × √d |
# | tensor2tensor | concatenated | `i/(d/2−1)` | the authors' own code |
# | fairseq, M2M100 | concatenated | `i/(d/2−1)` | first position: `padding_idx + 1` |
# | Marian in transformers | concatenated | `2i/d` | positions start at 0 |
# | Whisper, audio encoder | concatenated | `i/(d/2−1)` | its text decoder learns a table |
# | DETR, image detection | interleaved | `2i/d` | both axes scaled to 0 … 2π, in *every* layer |
# | DDPM, diffusion | concatenated | `i/(d/2−1)` | encodes the time step, not a position |
#
# DETR gives half of the channels to rows and half to columns, and adds them to queries and keys,
# not to values. Before you reuse weights, print row 1 of your table and of the one that they were
# trained with, and compare (row 0 is the same for all exponents).

# %% [markdown] lang="zh" slide="show"
# ## 2.12 在真实模型中
#
# | 代码 | 排布 | 指数 | 备注 |
# |---|---|---|---|
# | 论文（2017） | 交错 | `2i/d` | 嵌入乘√d |
# | tensor2tensor | 拼接 | `i/(d/2−1)` | 论文作者自己的代码 |
# | fairseq、M2M100 | 拼接 | `i/(d/2−1)` | 第一个词元的位置是`padding_idx + 1` |
# | transformers中的Marian | 拼接 | `2i/d` | 位置从0开始 |
# | Whisper的音频编码器 | 拼接 | `i/(d/2−1)` | 它的文本解码器用可学习的表 |
# | DETR（目标检测） | 交错 | `2i/d` | 行、列各一套，坐标先归一化到0到2π；*每一层*都加 |
# | DDPM（扩散模型） | 拼接 | `i/(d/2−1)` | 编码的是时间步，不是位置 |
#
# DETR用一半通道表示行，一半表示列，只加到查询和键上，不加到值上。
# 复用checkpoint之前，把自己代码生成的表和原来代码生成的表各打印第1行，比一比
# （第0行看不出指数的差别）。

# %% [markdown] lang="en" way="everything"
# ## 2.13 Take-away
#
# - A pair of channels is a clock; the encoding is $d/2$ clocks, each slower by the same factor.
# - Every row has norm $\sqrt{d/2}$. A shift by $k$ is one orthogonal matrix $M_k$ for all
#   positions; a model may learn to use it, or not.
# - The dot product depends on the distance alone, and only waves achieve that: a step of one is an
#   orthogonal matrix, which is made of rotations (and single $\pm1$). The dot product is the same
#   for $k$ and $-k$, and *not* monotone.
# - Two layouts differ by a permutation; two exponents are different encodings.
# - Count positions in integers, compute angles in float32 or better, round at the end.
# - Adding once works thanks to residual connections; the price is that word and position mix.
# - Defined everywhere is not useful everywhere: in the measurement of Press et al., perplexity is
#   2.2 times as high at twice the training length.

# %% [markdown] lang="zh" slide="show"
# ## 2.13 本章要点
#
# - 一对通道是一只钟；编码就是$d/2$只钟，一只比一只慢，频率每次除以同一个数。
# - 每一行的范数都是$\sqrt{d/2}$。平移$k$步对所有位置都是同一个正交矩阵$M_k$；
#   模型用不用得上，要看训练。
# - 点积只取决于距离，这一点只有波做得到：移动一步是一个正交矩阵，
#   而正交矩阵由旋转（和单独的$\pm1$）拼成。点积对$k$和$-k$相同，也*不*单调。
# - 排布之间差一个置换；指数不同就是不同的编码。
# - 位置用整数数，角度用float32或更高精度算，最后才舍入。
# - 只加一次之所以可行，靠的是残差连接；代价是词和位置混在一起。
# - 处处有定义，不等于处处有用：Press等人的实验里，长度到训练时的两倍，困惑度就涨到2.2倍。

# %%
quiz("sinusoidal")

# %% [markdown] lang="en" way="everything"
# ## Further reading
#
# - A. Vaswani, N. Shazeer, N. Parmar, J. Uszkoreit, L. Jones, A. N. Gomez, Ł. Kaiser, I.
#   Polosukhin: *Attention Is All You Need*. NeurIPS 2017.
#   [arXiv:1706.03762](https://arxiv.org/abs/1706.03762). §3.4 and §3.5.
# - Su Jianlin: [*Tracing sinusoidal position encodings to their
#   source*](https://kexue.fm/archives/8231). In Chinese, 2021: why waves, from another side, and
#   the trend of the dot product as an integral.
# - O. Press, N. A. Smith, M. Lewis: *Train Short, Test Long: Attention with Linear Biases Enables
#   Input Length Extrapolation*. ICLR 2022. [arXiv:2108.12409](https://arxiv.org/abs/2108.12409).
#   Table 2 is quoted above.
# - N. Carion, F. Massa, G. Synnaeve, N. Usunier, A. Kirillov, S. Zagoruyko: *End-to-End Object
#   Detection with Transformers*. ECCV 2020. [arXiv:2005.12872](https://arxiv.org/abs/2005.12872).
#   Sines in two dimensions.
# - J. Ho, A. Jain, P. Abbeel: *Denoising Diffusion Probabilistic Models*. NeurIPS 2020.
#   [arXiv:2006.11239](https://arxiv.org/abs/2006.11239). Sines for a time step.
# - A. Radford, J. W. Kim, T. Xu, G. Brockman, C. McLeavey, I. Sutskever: *Robust Speech Recognition
#   via Large-Scale Weak Supervision*. ICML 2023.
#   [arXiv:2212.04356](https://arxiv.org/abs/2212.04356). Whisper.

# %% [markdown] lang="zh"
# ## 延伸阅读
#
# - A. Vaswani, N. Shazeer, N. Parmar, J. Uszkoreit, L. Jones, A. N. Gomez, Ł. Kaiser, I.
#   Polosukhin：*Attention Is All You Need*。NeurIPS 2017。
#   [arXiv:1706.03762](https://arxiv.org/abs/1706.03762)。见§3.4与§3.5。
# - 苏剑林：[《Transformer升级之路：1、
#   Sinusoidal位置编码追根溯源》](https://kexue.fm/archives/8231)。
#   科学空间，2021。从另一个角度推导为什么是波，并用积分估计点积的走势。
# - O. Press, N. A. Smith, M. Lewis：*Train Short, Test Long: Attention with Linear Biases Enables
#   Input Length Extrapolation*。ICLR 2022。[arXiv:2108.12409](https://arxiv.org/abs/2108.12409)。
#   上文引用的是表2。
# - N. Carion, F. Massa, G. Synnaeve, N. Usunier, A. Kirillov, S. Zagoruyko：*End-to-End Object
#   Detection with Transformers*。ECCV 2020。[arXiv:2005.12872](https://arxiv.org/abs/2005.12872)。
#   二维的正弦编码。
# - J. Ho, A. Jain, P. Abbeel：*Denoising Diffusion Probabilistic Models*。NeurIPS 2020。
#   [arXiv:2006.11239](https://arxiv.org/abs/2006.11239)。用正弦编码时间步。
# - A. Radford, J. W. Kim, T. Xu, G. Brockman, C. McLeavey, I. Sutskever：*Robust Speech Recognition
#   via Large-Scale Weak Supervision*。ICML 2023。
#   [arXiv:2212.04356](https://arxiv.org/abs/2212.04356)。Whisper。
