# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
#   kernelspec: {display_name: Python 3, language: python, name: python3}
#   posenc:
#     title: {en: Beyond one dimension, zh: 一维之外}
#     question:
#       en: "What is a position when the input is an image, a video, or a text with a gap?"
#       zh: 输入是图像、视频，或者有空缺的文本时，“位置”是什么？
# ---

# %% [markdown] lang="en" way="everything"
# # 10 · Beyond one dimension
#
# Read an image row by row, and the patch just below is ten tokens away, or sixteen, or thirty:
# it depends on how wide the image is. For a picture, the difference of two such numbers is not
# enough.
#
# **The question.** A sentence is a line; an image is a grid, a video a stack of grids, and a text
# with a gap has two kinds of "next". What is a position there, and how does one head carry several?
#
# **You will** derive all rotations whose scores depend on the displacement alone, write axial RoPE,
# resize a learned table, count positions as ChatGLM-6B and Qwen2-VL do, and fix three mistakes
# that run without an error.
#
# **You need** chapters 2, 3 and 5 (for 10.6 also 6, for one bug also 8), matrices, complex numbers.
# About {minutes} minutes, 22 points, and 3 more for a question that a teacher grades.

# %% [markdown] lang="zh"
# # 10 · 一维之外
#
# 把图像按行读成一串词元（token），正下方那一块离你有多远？10个词元，16个，还是30个，
# 全看图像有多宽。对图像来说，只看两个编号的差是不够的。
#
# **本章的问题。** 句子是一条线；图像是网格，视频是一叠网格，有空缺的文本则有两种“下一个”。
# 这时位置是什么？一个头又怎样同时带上好几个位置？
#
# **你将**推导出网格上所有只看位移的旋转，写出轴向RoPE，给可学习的表换分辨率，
# 按ChatGLM-6B和Qwen2-VL的办法数位置，并修好三个运行时都不报错的错误。
#
# **你需要**第2、3、5章的内容（10.6节还要第6章，有一个错误还要第8章）、矩阵、复数。约{minutes}分钟，
# 共22分，另有一道由教师评分的题，3分。

# %%
import math

import torch
import torch.nn.functional as F

from autograde import answer, check, hint, progress, quiz
from bilingual.switch import language_switch
from posenc_ref import (
    axial_angles,
    axial_sinusoidal,
    frequencies,
    mixed_angles,
    mixed_waves,
    mrope_angles,
    mrope_positions,
    rope_angles,
    rotate,
    rotate_2d,
    sinusoidal,
)
from posenc_viz import Clocks, Curve, Curves, HeatMap, Matrix, explore, picture
from posenc_viz.labels import beyond_1d as label

torch.set_num_threads(1)
language_switch()

# %% [markdown] lang="en" way="everything"
# ## 10.1 A grid in one line
#
# A vision Transformer cuts an image into square *patches* and reads them row by row, as one long
# sequence. Take 8 rows of 12, and write a patch as (row, column), counted from 0. Guess before you
# run: how many steps along the sequence is it from (3, 5) to (4, 4), *below and to the left*, and
# how many from the end of a row to the start of the next?

# %% [markdown] lang="zh" slide="show"
# ## 10.1 网格排成一条线
#
# 视觉Transformer把图像切成正方形的*图像块*（patch），按行读成一个长序列。取8行12列，
# 一块记作（行，列），从0数起。运行之前先猜：在序列里，从(3, 5)到*左下方*的(4, 4)要走几步？
# 从一行的末尾到下一行的开头，又是几步？

# %% tags=["predict"]
height, width = 8, 12
number = torch.arange(height * width).view(height, width)  # place in the sequence
for here, there in (((3, 5), (3, 6)), ((3, 5), (4, 5)), ((3, 5), (4, 4)), ((3, 11), (4, 0))):
    print(f"{here} → {there}: {number[there] - number[here]}")

# %% [markdown] lang="en"
# Neighbours across are 1 apart, neighbours below 12, and (4, 4) is 11 away. From the end of a row
# to the start of the next, a whole image away, it is only 1. And the 12 is the width.
#
# The figure shows, from the patch you choose, the distance in the sequence and the score of RoPE
# for *equal vectors* (query equal to key, all pairs equally long: a mean of cosines). Change the
# width: what happens to the patch below? Choose column 0: which patches are deep red, and is each
# of them a neighbour?

# %% [markdown] lang="zh" slide="show"
# 左右的邻居隔1步，上下的邻居隔12步，到(4, 4)是11步；而一行的末尾与下一行的开头隔着整幅图像，
# 反倒只有1步。
# 这个12就是宽度。
#
# 下面两图都从你选的那一块算起，左图是序列中的距离，
# 右图是*向量相等*时RoPE的得分（查询等于键，各对一样长，得分就是余弦的平均）。改变宽度，
# 下方那一块会怎样？再选第0列，哪些块是深红的，它们都是邻居吗？


# %%
def flattened(row=3, column=5, width=12):
    number = torch.arange(8 * width).view(8, width)
    steps = number - number[row, column]
    score = torch.cos(steps[..., None] * frequencies(32)).mean(-1)  # all pairs of q and k alike
    return (
        HeatMap(
            steps.abs(),
            **label.steps(row=row, column=column),
            limits=(0, 8 * width - 1),
            square=True,
        ),
        HeatMap(score, **label.line_scores(), limits=(-1, 1), colours="RdBu_r", square=True),
    )


explore(flattened, **label.flattened, row=(0, 7), column=(0, 7), width=[8, 12, 16])

# %% [markdown] lang="en"
# *Picture: left, the chosen row is a dark band, and the rows get brighter away from it. Right, the
# score is high close to the chosen patch in its row; from there it rises and falls along the line,
# across the ends of rows.*
#
# From column 0, the last patch of the row above is deep red, one step away. How red the patch below
# is depends on the width: 12 steps are almost two full turns of the fastest pair, 16 are not. A
# model can learn that "12 back" means "above"; at another width it is wrong. The score of the patch
# below, as a share of the largest, at each width:

# %% [markdown] lang="zh"
# *图：左图中，所选的那一行是一条暗带，离它越远的行越亮。右图中，得分在所选块左右较高，
# 再往外沿着序列起起伏伏，越过行尾也不停。*
#
# 选第0列时，上一行最后一块成了深红，它只在一步之外。下方那一块有多红，全看宽度：
# 12步差不多够最高频的一对转两圈，16步就不是了。模型可以学会“12步之前”就是“上方”，
# 换一个宽度就错了。各个宽度上，下方那一块的得分与最大值之比：

# %%
for width in (8, 12, 16):
    score = torch.cos(width * frequencies(32)).mean()
    print(f"{width:2}: {score:.2f}")

# %% [markdown] lang="en" way="everything"
# ## 10.2 The requirement, with two numbers
#
# Give each patch its row $y$ and column $x$. What we want is what chapter 5 wanted, with a
# displacement in place of the distance, and again one map for queries and keys. By 5.3 that map is
# linear: let $A_{y,x}$ be its matrix at $(y,x)$, with $A_{0,0}=I$. For all $q$ and $k$:
#
# $$(A_{y,x}\,q)\cdot(A_{y',x'}\,k)=q\cdot B_{y'-y,\,x'-x}\,k.$$
#
# As in 5.3, put $(y,x)=(0,0)$: then $B=A$. So $A_{y,x}^\top A_{y',x'}=A_{y'-y,x'-x}$; equal
# positions give $A^\top A=I$: every $A$ is orthogonal.

# %% [markdown] lang="zh" slide="show"
# ## 10.2 同样的要求，两个数
#
# 给每一块一个行号$y$和一个列号$x$。要求和第5章一样，只是把距离换成位移，查询和键仍用同一个映射。
# 由5.3节，这个映射必定是线性的，记它在$(y,x)$处的矩阵为$A_{y,x}$，$A_{0,0}=I$。对所有$q$和$k$：
#
# $$(A_{y,x}\,q)\cdot(A_{y',x'}\,k)=q\cdot B_{y'-y,\,x'-x}\,k.$$
#
# 像5.3节那样，令$(y,x)=(0,0)$，就有$B=A$。于是$A_{y,x}^\top A_{y',x'}=A_{y'-y,x'-x}$；
# 两个位置相同时得$A^\top A=I$，可见每个$A$都是正交矩阵。

# %% [markdown] lang="en"
# ### Two rotations that commute
#
# Multiply by $A_{y,x}$ from the left: $A_{y',x'}=A_{y,x}A_{y'-y,x'-x}$. So every step multiplies by
# one more matrix, and steps can be taken in any order. With $U=A_{1,0}$ (one row down) and
# $V=A_{0,1}$ (one column on):
#
# $$A_{y,x}=U^yV^x,\qquad UV=A_{1,1}=VU.$$
#
# Conversely, orthogonal $U$ and $V$ with $UV=VU$ fulfil the requirement:
# $(U^yV^x)^\top U^{y'}V^{x'}=U^{y'-y}V^{x'-x}$. **Down and across must commute.** And if they do
# not? The cell keeps the displacement (2, 1), moves the two patches over the image, and prints the
# smallest and the largest score.

# %% [markdown] lang="zh" slide="show"
# ### 两个可交换的旋转
#
# 左乘$A_{y,x}$：$A_{y',x'}=A_{y,x}A_{y'-y,x'-x}$。每走一步就多乘一个矩阵，先走哪一步都行。
# 令$U=A_{1,0}$（向下一行），$V=A_{0,1}$（向右一列）：
#
# $$A_{y,x}=U^yV^x,\qquad UV=A_{1,1}=VU.$$
#
# 反过来，正交的$U$和$V$只要$UV=VU$，就满足要求：$(U^yV^x)^\top U^{y'}V^{x'}=U^{y'-y}V^{x'-x}$。
# **向下和向右必须可交换。** 不可交换会怎样？下面的单元格固定位移(2, 1)，把这一对块在图像上平移，
# 打印得分的最小值和最大值。

# %%
rng = torch.Generator().manual_seed(0)
S, T = torch.randn(2, 6, 6, generator=rng, dtype=torch.float64)
S, T = (S - S.T) / 2, (T - T.T) / 2  # antisymmetric: their exponentials are orthogonal
q, k = torch.randn(2, 6, generator=rng, dtype=torch.float64)
U, power = torch.linalg.matrix_exp(S), torch.linalg.matrix_power
for name, exponent in {"UV = VU": S @ S @ S / 4, "UV ≠ VU": T}.items():
    V = torch.linalg.matrix_exp(exponent)  # S³ is antisymmetric too, and commutes with S
    A = [[power(U, y) @ power(V, x) for x in range(8)] for y in range(8)]
    scores = [(A[y][x] @ q) @ (A[y + 2][x + 1] @ k) for y in range(6) for x in range(7)]
    print(f"{name}: {min(scores):.3f} … {max(scores):.3f}")

# %% [markdown] lang="en"
# ### Commuting matrices share their planes
#
# (What follows is the proof; to skip it, go on to the last formula of 10.2.) Let
# $Uv=e^{\mathrm i\alpha}v$. Then $U(Vv)=V(Uv)=e^{\mathrm i\alpha}\,Vv$: $V$ maps each
# eigenspace of $U$ into itself. There $V$ is unitary, so the eigenspace has an orthonormal basis of
# eigenvectors of $V$; and the eigenspaces of $U$ are orthogonal to each other. Hence a common basis
# with
#
# $$Uv=e^{\mathrm i\alpha}v,\qquad Vv=e^{\mathrm i\beta}v.$$
#
# $U$ and $V$ are real, so $\bar v$ is an eigenvector too, with $-\alpha$ and $-\beta$. If one of
# the two angles is neither 0 nor $\pi$, then $\bar v$ lies in another eigenspace of $U$ or of $V$,
# so $\bar v\perp v$, and it can serve as another vector of the basis. (Both angles 0 or $\pi$:
# after the cell.) But $\bar v\perp v$ means $v^\top v=0$, that is, the real and imaginary part of
# $v$ are orthogonal and equally long. They span a plane in which $U$ turns by $\alpha$ and $V$, in
# the same sense, by $\beta$. The cell takes the eigenvectors of $U$ as a basis and prints the
# largest entry of $V$ off the diagonal, then each eigenvector's $\alpha$ and $\beta$.

# %% [markdown] lang="zh" slide="show"
# ### 可交换的矩阵共用平面
#
# （以下是证明，可以先接受结论，直接看10.2节最后的公式。）设$Uv=e^{\mathrm i\alpha}v$。
# 那么$U(Vv)=V(Uv)=e^{\mathrm i\alpha}\,Vv$，即$V$把$U$的每个特征子空间映到自身。$V$在其中是酉的，
# 所以这个子空间有一组由$V$的特征向量组成的标准正交基；$U$的不同特征子空间又彼此正交。
# 于是有一组公共的基，满足
#
# $$Uv=e^{\mathrm i\alpha}v,\qquad Vv=e^{\mathrm i\beta}v.$$
#
# $U$和$V$是实矩阵，所以$\bar v$也是特征向量，对应$-\alpha$和$-\beta$。只要两个角中有一个既不是0，
# 也不是$\pi$，$\bar v$就落在$U$或$V$的另一个特征子空间里，于是$\bar v\perp v$，
# 可以把它也取作基的一个向量。（两个角都是0或$\pi$的情形，单元格之后再说。）
# 而$\bar v\perp v$就是$v^\top v=0$，即$v$的实部与虚部正交且等长。两者张成一个平面，
# $U$在其中转$\alpha$，$V$沿同一方向转$\beta$。下面的单元格以$U$的特征向量为基，
# 先打印$V$的非对角元中最大的，再打印每个特征向量的$\alpha$和$\beta$。

# %%
V = torch.linalg.matrix_exp(S @ S @ S / 4)  # the one that commutes with U
values, v = torch.linalg.eig(U)  # columns of v: eigenvectors of U
seen = v.mH @ V.to(v.dtype) @ v  # V in that basis
off = (seen - seen.diagonal().diag()).abs().max()
print(f"max |V[i, j]|, i ≠ j: {off:.6f}")
angles = torch.stack((values.angle(), seen.diagonal().angle()), dim=1)  # (6, 2)
for alpha, beta in sorted(angles.tolist()):
    print(f"α = {alpha:+.3f}, β = {beta:+.3f}")

# %% [markdown] lang="en"
# Six eigenvectors, three conjugate pairs, three planes. What is left is the case set aside above:
# both angles are 0 or $\pi$, so $U$ and $V$ multiply $v$ by $\pm1$, and $\bar v$ by the same; so
# these vectors have a real basis. The $-1$ can be ruled out. A finer image needs positions halfway
# between patches, so run the argument again, for $A_{1/2,0}$ and $A_{0,1/2}$. What is left *then*
# these two multiply by $\pm1$; $U$ and $V$ are their squares, so multiply it by $1$. (Whatever
# else $U$ or $V$ multiplies by $-1$ now lies in one of the planes, and is turned by $\pi$ there.)
#
# Such vectors stand still, and as $D$ is even there is an even number of them: planes at rest. So,
# in a suitable basis, pair $i$ of the patch $(y,x)$ turns by
#
# $$\theta_i(y,x)=\alpha_iy+\beta_ix.$$
#
# **With one map for queries and keys, nothing else is possible.** $(\alpha_i,\beta_i)$ is the *wave
# vector* of the pair, in radians per patch. (Su Jianlin derived the two-dimensional case in 2021;
# see further reading.)

# %% [markdown] lang="zh" slide="show"
# 六个特征向量，三对共轭，三个平面。还剩下前面搁下的情形：两个角都是0或$\pi$，
# $U$和$V$只把$v$乘以$\pm1$，对$\bar v$也一样，所以这些向量能取一组实的基。其中的$-1$可以排除。
# 更细的图像要用到块与块正中间的位置，那就改对$A_{1/2,0}$和$A_{0,1/2}$做一遍同样的论证。
# 这一回剩下的向量，在这两个矩阵下只乘$\pm1$；而$U$和$V$正是这两个矩阵的平方，乘的便是$1$。
# （$U$或$V$乘以$-1$的其余向量，这一回已经归入某个平面，在其中转$\pi$。）
#
# 这样的向量原地不动；又因为$D$是偶数，它们有偶数个，两两合成不动的平面。所以，选一组合适的基，
# 图像块$(y,x)$的第$i$对转过
#
# $$\theta_i(y,x)=\alpha_iy+\beta_ix.$$
#
# **只要查询和键用同一个映射，就没有别的可能。** $(\alpha_i,\beta_i)$是这一对的*波矢*（wave
# vector），单位是弧度/块。（二维的情形，苏剑林2021年就推导过，见延伸阅读。）

# %% [markdown] lang="en" way="everything"
# ## 10.3 Axial RoPE
#
# The simplest choice: every wave vector lies on an axis. Half of the pairs turn by the row, half by
# the column, each half with the frequencies of a head of $D/2$ channels:
#
# $$(\alpha_i,\beta_i)=(\omega_i,0),\qquad
# (\alpha_{D/4+i},\beta_{D/4+i})=(0,\omega_i),\qquad\omega_i=\text{base}^{-4i/D},\qquad i<D/4.$$
#
# That is *axial* RoPE. It needs $D$ divisible by 4.

# %% [markdown] lang="zh" slide="show"
# ## 10.3 轴向RoPE
#
# 最简单的选择是让每个波矢都落在坐标轴上：一半的对按行号转，一半按列号转，
# 每一半的频率都与$D/2$个通道的头相同（base即底数）：
#
# $$(\alpha_i,\beta_i)=(\omega_i,0),\qquad
# (\alpha_{D/4+i},\beta_{D/4+i})=(0,\omega_i),\qquad\omega_i=\text{base}^{-4i/D},\qquad i<D/4.$$
#
# 这就是*轴向RoPE*（axial RoPE）。它要求$D$能被4整除。


# %% exercise="patch_angles"
def patch_angles(height, width, dim, base=10000.0):
    """Return the axial angles of all patches, row by row, shape (height * width, dim/2)."""
    ### BEGIN SOLUTION
    patch = torch.arange(height * width)
    rows, columns = patch // width, patch % width  # (N,)
    omega = base ** (-4 * torch.arange(dim // 4) / dim)  # (dim/4,)
    return torch.cat((rows[:, None] * omega, columns[:, None] * omega), dim=1)
    ### END SOLUTION


# %% check="patch_angles"
check("patch_angles", patch_angles)

# %% [markdown] lang="en"
# Look at the phases on the grid. Left, the cosine of the angle between one pair's hand at each
# patch and its hand at the chosen patch: 1 where both point the same way. Right, all eight hands of
# the chosen patch. Move the row, then the column: which clocks turn? Which pairs draw
# horizontal stripes, which vertical ones?

# %% [markdown] lang="zh" slide="show"
# 看看网格上的相位。左图取某一对，画它在每一块上的指针与在所选块上的指针之间夹角的余弦，同向为1。
# 右图是所选块的全部八根指针。移动行，再移动列，哪些钟在转？哪些对画出横条纹，哪些画出竖条纹？


# %%
def phases(pair=0, row=4, column=6):
    at = torch.cartesian_prod(torch.arange(10), torch.arange(14)).T  # (2, patches)
    angles = axial_angles(at, frequencies(8, base=100.0)).view(10, 14, 8)  # D = 16
    here = angles[row, column]
    names = [f"{axis}{i}" for axis in "yx" for i in range(4)]
    return (
        HeatMap(
            torch.cos(angles - here)[..., pair],
            **label.cosines(pair=pair, row=row, column=column),
            limits=(-1, 1),
            colours="RdBu_r",
            highlight_rows=[row],
            square=True,
        ),
        Clocks(here, names, label.patch.format(row=row, column=column)),
    )


explore(phases, **label.phases, pair=(0, 7), row=(0, 9), column=(0, 13))

# %% [markdown] lang="en"
# *Picture: left, a grid of 10 × 14 patches in stripes, the chosen row framed. Right, eight
# clocks, y0 to y3 for the row and x0 to x3 for the column.*
#
# Pairs 0 to 3 draw horizontal stripes, pairs 4 to 7 vertical ones, narrow for the fast pairs and
# broad for the slow ones, for pairs 2, 3, 6 and 7 broader than the image (a stripe is half a
# period). Moving down a row turns the first four clocks only, moving across the last four only.

# %% [markdown] lang="zh"
# *图：左边是10×14块的网格，画着条纹，所选的行有框。右边是八只钟，y0到y3对应行，x0到x3对应列。*
#
# 第0到3对画横条纹，第4到7对画竖条纹，高频对条纹窄，低频对条纹宽，第2、3、6、7对的比整幅图像还宽
# （一条条纹是半个周期）。
# 向下走一行，只有前四只钟在转；向右走一列，只有后四只在转。

# %% [markdown] lang="en" way="everything"
# ## 10.4 What the score sees
#
# Read pair $i$ of $q$ and $k$ as complex numbers $q_i$, $k_i$. As $\theta_i$ is linear, the two
# turns subtract:
#
# $$\overline{e^{\mathrm i\theta_i(y,x)}}\,e^{\mathrm i\theta_i(y',x')}
# =e^{\mathrm i\theta_i(y'-y,\,x'-x)}.$$
#
# So with $\Delta y,\Delta x$ key minus query, the score depends on these two alone:
#
# $$s(\Delta y,\Delta x)=\mathrm{Re}\sum_i\bar q_ik_i\,
# e^{\mathrm i(\alpha_i\Delta y+\beta_i\Delta x)}.$$
#
# The cell moves a query and a key about the image, always (2, −3) apart: the score should stay. Its
# last two lines turn the displacement round, (−2, 3), and exchange row and column, (−3, 2): does
# the score change?

# %% [markdown] lang="zh" slide="show"
# ## 10.4 得分看见了什么
#
# 把$q$和$k$的第$i$对读成复数$q_i$、$k_i$。因为$\theta_i$是线性的，两次旋转合起来，角度就相减：
#
# $$\overline{e^{\mathrm i\theta_i(y,x)}}\,e^{\mathrm i\theta_i(y',x')}
# =e^{\mathrm i\theta_i(y'-y,\,x'-x)}.$$
#
# 设$\Delta y,\Delta x$为键减查询，得分就只取决于它们：
#
# $$s(\Delta y,\Delta x)=\mathrm{Re}\sum_i\bar q_ik_i\,
# e^{\mathrm i(\alpha_i\Delta y+\beta_i\Delta x)}.$$
#
# 下面把一个查询和一个键在图像上平移，始终相差(2, −3)，得分应当不变；最后两行把位移反过来（−2, 3）、
# 把行列对调（−3, 2），看得分变不变。

# %%
rng = torch.Generator().manual_seed(0)
q, k = torch.randn(2, 1, 1, 1, 64, generator=rng, dtype=torch.float64)


def axial_score(y, x, dy, dx):
    at = torch.tensor([[y, y + dy], [x, x + dx]])  # rows, then columns, of query and key
    here, there = axial_angles(at, frequencies(32)).split(1)  # (1, 32) each
    return (rotate(q, here, layout="half") * rotate(k, there, layout="half")).sum().item()


for y, x in ((0, 3), (5, 20), (40, 7)):
    print(f"({y:2}, {x:2}) + ( 2, -3): {axial_score(y, x, 2, -3):.4f}")
for dy, dx in ((-2, 3), (-3, 2)):
    print(f"( 5, 20) + ({dy:2}, {dx:2}): {axial_score(5, 20, dy, dx):.4f}")

# %% [markdown] lang="en"
# Both change: for random $q$ and $k$ a direction counts, and rows and columns have pairs of their
# own. With $q=k$, turning the displacement round would leave the score as it is; exchanging row and
# column would still change it.

# %% [markdown] lang="zh"
# 两次都变了：$q$和$k$是随机的，方向就要紧，行和列又各用各的对。如果$q=k$，把位移反过来，得分不变；
# 对调行列，得分仍然会变。

# %% [markdown] lang="en"
# ### A sum, never a product
#
# With axial wave vectors the pairs fall into two groups, and the score into two terms:
#
# $$s(\Delta y,\Delta x)=f(\Delta y)+g(\Delta x).$$
#
# So the corners of a rectangle obey $s(\Delta y,\Delta x)-s(\Delta y,0)-s(0,\Delta x)+s(0,0)=0$,
# whatever $q$ and $k$ are. A logit of axial RoPE cannot say "exactly there" without raising its
# whole row and its whole column.

# %% [markdown] lang="zh" slide="show"
# ### 是和，不是积
#
# 波矢都在轴上时，各对分成两组，得分也分成两项：
#
# $$s(\Delta y,\Delta x)=f(\Delta y)+g(\Delta x).$$
#
# 所以矩形的四个角满足$s(\Delta y,\Delta x)-s(\Delta y,0)-s(0,\Delta x)+s(0,0)=0$，
# 不管$q$和$k$是什么。也就是说，轴向RoPE的logits没法只突出某一处：
# 要让它高过别处，它所在的整行和整列都得跟着抬高。

# %%
a, b, c, d = (axial_score(9, 9, dy, dx) for dy, dx in ((2, -3), (2, 0), (0, -3), (0, 0)))
print(f"s(2, -3) = {a:.3f}, s(2, 0) = {b:.3f}, s(0, -3) = {c:.3f}, s(0, 0) = {d:.3f}")
print(f"|s(2, -3) - s(2, 0) - s(0, -3) + s(0, 0)| = {abs(a - b - c + d):.6f}")

# %% [markdown] lang="en"
# The softmax turns the sum into a product, $e^{f+g}=e^f\,e^g$: the *weights* can still single out a
# place where row and column are both good. With wave vectors in more directions the logits need no
# longer obey the rule for rectangles. Below, the score of equal vectors from the chosen patch, with
# all wave vectors along a few directions. With 2, down and across, it is axial RoPE: look for the
# cross. Then take 4 or 8: what becomes of it?

# %% [markdown] lang="zh" slide="show"
# 不过softmax会把和变成积，$e^{f+g}=e^f\,e^g$，所以*权重*仍能挑出行和列都合适的那一处。
# 波矢若有更多方向，logits就不再受四角这条限制。
# 下面是向量相等时从所选块出发的得分，波矢只取几个方向。取2个方向（向下和向右）就是轴向RoPE，
# 找找图中的十字。再换成4个或8个方向，它变成了什么？


# %%
def directions(row=7, column=7, count=2):
    turned = math.pi * torch.arange(count) / count  # the directions, in radians
    omega = frequencies(64 // count)  # (32 / count,): 32 pairs in all

    def score(dy, dx):
        along = dy[..., None] * turned.cos() + dx[..., None] * turned.sin()  # (…, count)
        return torch.cos(along[..., None] * omega).mean((-2, -1))

    y, x = torch.meshgrid(torch.arange(15) - row, torch.arange(15) - column, indexing="ij")
    far = torch.linspace(0, 10, 41)
    return (
        HeatMap(score(y, x), **label.scores(row=row, column=column), limits=(0.3, 1), square=True),
        Curves(
            [
                Curve(far, score(0 * far, far), label.along_the_row),
                Curve(far, score(far / 2**0.5, far / 2**0.5), label.diagonally),
            ],
            **label.cuts(count=count),
            y_limits=(0, 1.05),
        ),
    )


explore(directions, **label.directions, row=(0, 14), column=(0, 14), count=[2, 4, 8])

# %% [markdown] lang="en"
# *Picture: left, scores on 15 × 15 patches, with 2 directions a bright cross through the chosen
# one. Right, the score against the distance, along the row and diagonally.*
#
# With 4 directions the cross becomes a compact spot in an eightfold pattern; with 8 directions,
# round rings. With 2 directions the two curves differ; with 4 and 8 they coincide, as the diagonal
# is then one of the directions, like the row. More directions mean fewer frequencies for each,
# hence the rings. Which trade-off is best is open (10.12).

# %% [markdown] lang="zh"
# *图：左边是15×15块的得分，2个方向时是穿过所选块的亮十字。右边是得分随距离的变化，一条沿着行，
# 一条沿对角线。*
#
# 4个方向时，十字变成一个集中的亮斑，周围的图案有八重对称；8个方向是一圈圈圆环。
# 两条曲线在2个方向时分开，4个和8个方向时合成一条，因为对角线也成了和行一样的方向。方向多了，
# 每个方向分到的频率就少了，圆环由此而来。怎样取舍最好，尚无定论（10.12节）。

# %% [markdown] lang="en" way="everything"
# ### Learned directions, different in each head
#
# *RoPE-Mixed* (Heo et al. 2024) does not choose: the wave vectors $(\alpha_{h,i},\beta_{h,i})$ are
# parameters, of each head $h$ and each layer. Any wave vectors fulfil the requirement of 10.2, so
# the score still sees the displacement alone, whatever is learned. Training begins with wave
# vectors along two directions at a right angle, turned by a random angle for each head, and with a
# base of 10, since an image has tens of patches a side where a text has thousands of tokens. Here
# are four such heads, one of them not turned: the scores of equal vectors, as a share of the
# largest, and below the picture one number per head, at the displacements (0, 7) and (5, 5), almost
# equally far. Which head has the largest number at each?

# %% [markdown] lang="zh" slide="show"
# ### 学出来的方向，每个头各有各的
#
# *RoPE-Mixed*（Heo等，2024）不作选择：波矢$(\alpha_{h,i},\beta_{h,i})$就是参数，
# 每一层的每个头$h$各有一组。任何波矢都满足10.2节的要求，所以不论学成什么样，得分都只看位移。
# 训练从两族互相垂直的波矢开始，每个头各转一个随机的角度，base为10，因为图像每边只有几十块，
# 而文本有成千上万个词元。
# 下面是四个这样的头，其中一个没有转，图中是向量相等时的得分与最大值之比；
# 图下每行四个数，一个头一个，是这个比在位移(0, 7)和(5, 5)处的值，这两处差不多一样远。
# 在这两处，各是哪个头的数最大？

# %%
turns = torch.tensor([0.0, 0.4, 0.8, 1.2], dtype=torch.float64)  # radians, of each head
waves = mixed_waves(turns, dim=64)  # (2, 4, 32): radians per row, per column
at = torch.cartesian_prod(torch.arange(15), torch.arange(15)).T - 7  # from the patch in the middle
seen = mixed_angles(*at, waves).cos().mean(-1)[0].view(4, 15, 15)  # q = k: the score / largest
picture(
    *(
        HeatMap(head, **label.turned(turn=turn), limits=(0, 1), square=True)
        for head, turn in zip(seen, turns.tolist(), strict=True)
    )
)
print("(0, 7):", [round(x, 2) for x in seen[:, 7, 14].tolist()])
print("(5, 5):", [round(x, 2) for x in seen[:, 12, 12].tolist()])

# %% [markdown] lang="en"
# *Picture: four heat maps of 15 × 15 patches. In each a bright cross through the middle, with its
# arms along the axes in the first, turned a little further in each of the others.*
#
# Each column of numbers is one head: the one turned by 0 is highest along the row, the one turned
# by 0.8 (about 45°) on the diagonal.
#
# Each head has axes of its own; together the heads cover more directions than any one of them, and
# training may move every wave vector from there. The price: the angles differ from head to head, so
# cosine and sine are tables per head (and query heads that share a key have to share one set of
# waves).
#
# *LieRE* (Ostmeier et al. 2024, [arXiv:2406.10322](https://arxiv.org/abs/2406.10322)) learns the
# *generators* whole: the matrices $G$ in the exponent of $R=\exp(yG_y+xG_x)$, dense and
# skew-symmetric. In general these do not commute, and then the score depends on more than the
# displacement (10.2): absolute position can matter too. What that is worth, this course has not
# measured.

# %% [markdown] lang="zh"
# *图：四张15×15块的热力图，每张正中有一个亮十字，第一张是正的，其余的依次多转一点。*
#
# 数字的每一列是一个头：沿行的方向，转0的头最大；在对角线上，转0.8（约45°）的头最大。
#
# 每个头有自己的一对轴，合起来的方向比单个头多，训练还可以把每个波矢从这里移开。
# 代价是各个头的角度不同，余弦和正弦要每个头一张表（几个查询头若共用一个键，就只能共用一组波矢）。
#
# *LieRE*（Ostmeier等，2024，[arXiv:2406.10322](https://arxiv.org/abs/2406.10322)）
# 把*生成元*（generator）整个学出来，也就是$R=\exp(yG_y+xG_x)$指数里的$G$，
# 它们是稠密的反对称矩阵，一般不可交换，
# 得分就不再只取决于位移（10.2节），“在哪里”也能影响得分。这有多大好处，本课程没有测量。

# %% [markdown] lang="en" way="everything"
# ## 10.5 A learned table for an image
#
# ViT, the Vision Transformer of 2020, did none of this: it *added* a learned table with one row for
# each place in the sequence, one-dimensional, as BERT does (chapter 3), and one more row for a
# *class token*, which comes first and whose output is used to classify the image. Take two tables
# instead, one looked up by the row of a patch and one by its column: how many vectors do they hold
# together, for 14 and for 32 patches a side, and how many does the one table hold? (Leave out the
# row of the class token in both questions. In ViT's own trial each of the two is $d/2$ wide, so the
# parameters are halved once more.) Then the one table again: in an image 14 patches wide, patch 6
# (counted from 0) is on the right of patch 5, patch 19 below it, and patch 103 seven rows below.
# What is the cosine of row 5 of the table $T$ with each of theirs before training?

# %% [markdown] lang="zh"
# ## 10.5 图像用的可学习的表
#
# 前面这些，2020年的ViT（Vision Transformer）一样也没用，而是像BERT（第3章）那样，
# *加*上一张可学习的一维表，序列中每个位置一行，另有一行给排在最前面的*分类词元*（class token），
# 图像的类别就从它的输出读出。要是改成行号、列号各查一张表，两张表总共有多少个向量？
# 每边14块、32块时，各与一张表比一比。（分类词元的那一行，这里和下一问都不算。
# ViT试过的那种，两张表各宽$d/2$，所以参数还要再减半。）
# 再看一张表的情形：图像宽14块时，第5块（从0数）的右边是第6块，
# 下方是第19块，往下7行是第103块。训练之前，表$T$里第5行与这三行的余弦各是多少？

# %% tags=["predict"]
for side in (14, 32):
    print(f"{side} × {side} = {side * side}, {side} + {side} = {side + side}")
start = torch.randn(14 * 14, 768, generator=torch.Generator().manual_seed(0))
for other in (6, 19, 103):
    alike = torch.cosine_similarity(start[5], start[other], dim=0)
    print(f"cos(T[5], T[{other}]) = {alike:.2f}")

# %% [markdown] lang="en"
# Before training, nothing in the table says who is a neighbour.
#
# **Or learn nothing.** ViT-MAE (He et al. 2022) adds fixed sinusoids, *sincos2d*: half of the
# channels hold chapter 2's row for one axis, the other half that for the other axis, each as all
# sines, then all cosines. Its code calls the first half `emb_h`, for the height. The cell does as
# that code does, for four patches, two rows of two, and prints the first half for each (row,
# column). Which of the four agree: those of one *row* of the image, or of one *column*?

# %% [markdown] lang="zh"
# 训练之前，表里没有任何东西说明谁和谁相邻。
#
# **也可以什么都不学。** ViT-MAE（He等，2022）加的是固定的正弦，叫*sincos2d*：
# 一半通道是某个轴的正弦编码（第2章），另一半是另一个轴的；每一半里先放全部正弦，再放全部余弦。
# 它的代码把前一半叫作`emb_h`，h即高。下面照那段代码的写法取四块，两行两列，
# 按（行，列）打印每一块的前一半。四块里哪些相同：是图像里同*行*的，还是同*列*的？

# %% tags=["predict"]
grid_h, grid_w = torch.arange(2), torch.arange(2)
grid = torch.meshgrid(grid_w, grid_h, indexing="xy")  # as in ViT-MAE's get_2d_sincos_pos_embed
emb_h, emb_w = (sinusoidal(axis.flatten(), 4, layout="concatenated") for axis in grid)  # (4, 4)
for patch, row in enumerate(emb_h.tolist()):
    print(f"{divmod(patch, 2)}:", [round(x, 2) for x in row])

# %% [markdown] lang="en"
# The first half is the *column*: `meshgrid(grid_w, grid_h)` puts the width first. Hugging Face
# transformers 5 calls it a "variable naming bug that swapped h and w", builds new tables with rows
# first, and exchanges the halves for ViT-MAE, because the weights rely on it.
#
# Which axis is first belongs to the checkpoint. Nothing fails if you take the wrong one: in a
# square image every patch then gets the position of its mirror image across the diagonal.
#
# The reference is given the axes in the order of ViT-MAE's code (the cell is silent if the two are
# equal):

# %% [markdown] lang="zh"
# 前一半是*列*：`meshgrid(grid_w, grid_h)`把宽放在了前面。Hugging Face transformers 5的注释说，
# 这是把h和w弄反的变量命名错误（variable naming bug），这个库新建的表是行在前，
# 但为ViT-MAE又把两半换了回来，因为权重依赖于此。
#
# 哪个轴在前，要看checkpoint（权重文件）；用错了也不报错，正方形图像里，
# 每一块只是拿到了沿对角线翻过去的那一块的位置。
#
# 用参考实现时，两个轴要照ViT-MAE的代码排先后（两者相等，单元格就什么也不打印）：

# %%
rows, columns = torch.tensor([0, 0, 1, 1]), torch.tensor([0, 1, 0, 1])
assert torch.equal(torch.cat((emb_h, emb_w), 1), axial_sinusoidal((columns, rows), 8))  # (4, 8)

# %% [markdown] lang="en"
# ### Another resolution
#
# At twice the resolution there are four times the patches, and no rows for them. The usual cure is
# to interpolate the old rows. But along what? Take a toy table for 4 × 4 patches whose only channel
# is the column, and stretch it to 8 × 8: once along the sequence (`line`), once on the grid
# (`grid`). The first two new rows of each are printed.

# %% [markdown] lang="zh" slide="show"
# ### 换一个分辨率
#
# 分辨率翻倍，块数就变成四倍，表里没有那么多行。通常的办法是对旧的行插值，但沿着什么来插值？
# 取一张4×4块的玩具表，唯一的通道就是列号，把它放大到8×8，一次沿着序列插值（`line`），
# 一次在网格上插值（`grid`）。各自的前两行打印在下面。

# %%
toy = torch.arange(4.0).repeat(4)  # (16,): the column of every patch
line = F.interpolate(toy[None, None], size=64, mode="linear")[0, 0].view(8, 8)
grid = F.interpolate(toy.view(1, 1, 4, 4), size=(8, 8), mode="bilinear")[0, 0]
across, down = label.new_column, label.new_row
picture(
    HeatMap(line, across, down, label.along_the_sequence, limits=(0, 3), square=True),
    HeatMap(grid, across, down, label.on_the_grid, limits=(0, 3), square=True),
)
for row in (0, 1):
    print(f"line[{row}]: {line[row].tolist()}")
    print(f"grid[{row}]: {grid[row].tolist()}")

# %% [markdown] lang="en"
# *Picture: left, dark and bright rows take turns; right, one smooth rise from left to right in
# every row.* Stretched along the sequence, each new row holds *half* of an old one, alternately its
# left and its right half. The table has lost its rows and columns, so you must restore the grid
# before you interpolate.

# %% [markdown] lang="zh" slide="show"
# *图：左边暗行和亮行交替；右边每一行都从左到右平滑上升。* 沿着序列放大，
# 新的一行只对应旧行的*一半*，轮流是左半和右半。一维的表丢了行列信息，插值之前要先还原成网格。


# %% exercise="resized_table"
def resized_table(table, old, new):
    """Return the table for a new grid, the class row first, shape (1 + H * W, d)."""
    ### BEGIN SOLUTION
    height, width = old
    grid = table[1:].view(height, width, -1).permute(2, 0, 1)  # (d, h, w)
    grid = F.interpolate(grid[None], size=new, mode="bilinear")[0]  # (d, H, W)
    return torch.cat((table[:1], grid.flatten(1).T))
    ### END SOLUTION


# %% check="resized_table"
check("resized_table", resized_table)

# %% [markdown] lang="en" way="everything"
# ## 10.6 Another resolution with RoPE
#
# RoPE has no rows to run out of: a larger image only means larger numbers. But which numbers?
# Either keep the *step* (one patch, one position) or keep the *extent* (the image always ends just
# short of position 8, and patches have fractional positions: position interpolation of chapter 6,
# on two axes). Below, the score of equal vectors; suppose that training was on 8 × 8 patches.

# %% [markdown] lang="zh" slide="show"
# ## 10.6 换分辨率时的RoPE
#
# RoPE没有表，也就不会缺行，图像更大，无非是数更大。问题是坐标怎么取。
# 要么保持*步长*，一块一个位置；要么保持*范围*，坐标总不到8，块的坐标于是变成小数，
# 这就是第6章的位置插值，只是用在两个轴上。下图是向量相等时的得分；假定训练用的是8×8块。


# %%
def resolution(side=16, keep="step"):
    step = 1.0 if keep == "step" else 8 / side
    at = (torch.arange(side) - side // 2) * step  # from the patch in the middle
    wave = torch.cos(at[:, None] * frequencies(32)).mean(-1)  # (side,): one axis
    score = (wave[:, None] + wave) / 2
    ticks = {0: "0", side - 1: str(side - 1)}
    kept = {"step": label.step, "extent": label.extent}[keep]
    return HeatMap(
        score,
        **label.kept_scores(side=side, kept=kept),
        limits=(0.4, 1),
        x_ticks=ticks,
        y_ticks=ticks,
        square=True,
    )


explore(
    resolution,
    **label.resolution,
    side=(8, 32, 4),
    keep={label.step: "step", label.extent: "extent"},
)

# %% [markdown] lang="en"
# *Picture: scores from the middle patch. With the step kept, the bright cross covers an ever
# smaller part of a finer image. With the extent kept, the picture stays what it was at 8 × 8, only
# finer.* If the step is kept, eight patches cover a smaller piece of the scene than in training,
# and patches far apart meet angles that training never showed. If the extent is kept, neighbours
# are closer than they ever were in training. Chapter 6 applies, axis by axis. For 16 and 32 patches
# a side: the angle of the slowest pair against the largest of training if the step is kept; how far
# apart neighbours are if the extent is kept.

# %% [markdown] lang="zh"
# *图：从正中那一块出发的得分。保持步长时，图像越细，亮十字占的部分越小。保持范围时，
# 图案始终是8×8时的样子，只是更细。* 保持步长，同样八块覆盖的景物就比训练时少，
# 相距远的块还会转到训练中没见过的角度；保持范围，邻居之间又比训练时近得多。
# 第6章的结论照样适用，两个轴各算各的。每边16块和32块时：保持步长，
# 频率最低的一对转到训练时最大角度的几倍；保持范围，邻居相距多少。

# %%
largest = 7 * frequencies(32)[-1].item()  # the slowest pair, 8 patches per side
for side in (16, 32):
    kept = (side - 1) * frequencies(32)[-1].item()
    print(f"{side}: × {kept / largest:.2f}; {8 / side}")

# %% [markdown] lang="en" way="everything"
# ## 10.7 Two streams for a text with a gap
#
# Two numbers help text, too. GLM is trained to fill gaps: the prompt holds a `[MASK]`, and what
# belongs there is written *after* the prompt. Which position should a written word have: that of
# the end, where it is written, or that of the gap, where it belongs? ChatGLM-6B gives every token
# two positions: its place in the text, and its place inside what is being written.

# %% [markdown] lang="zh" slide="show"
# ## 10.7 有空缺的文本：两串位置
#
# 两个数对文本也有用。GLM的训练方式是填空：prompt（提示词）里有一个`[MASK]`，
# 要补的内容接在prompt*后面*生成。补出的词该用哪个位置，是它写出来的地方，也就是序列末尾，
# 还是它该在的地方，也就是空缺处？ChatGLM-6B给每个词元两个位置：在文本中的位置，
# 以及在补全内容内部的位置。


# %% exercise="glm_two_positions"
def glm_two_positions(context, gap, written):
    """Return place in the text and place inside the filling, shape (2, context + written)."""
    ### BEGIN SOLUTION
    place = torch.cat((torch.arange(context), torch.full((written,), gap)))
    inside = torch.cat((torch.zeros(context, dtype=torch.long), torch.arange(1, written + 1)))
    return torch.stack((place, inside))
    ### END SOLUTION


# %% check="glm_two_positions"
check("glm_two_positions", glm_two_positions)

# %% [markdown] lang="en"
# Move the gap and write more words. Which numbers of "chased the mouse" change? (In the original
# code the first written token is a start mark; it counts as 1.)

# %% [markdown] lang="zh" slide="show"
# 移动空缺，多写几个词，“chased the mouse”这几个词的数字哪些会变？（原始代码里，
# 写出的第一个词元是起始标记，它算作1。）


# %%
def gap_filling(gap=1, written=3):
    prompt = ["the", "chased", "the", "mouse", "."]
    prompt.insert(gap, "[MASK]")
    place = [*range(6), *[gap] * written]
    inside = [*[0] * 6, *range(1, written + 1)]
    return Matrix(
        [place, inside],
        rows=[label.in_the_text, label.in_the_filling],
        columns=[*prompt, *[f"w{n}" for n in range(1, written + 1)]],
        **label.two_positions(),
        limits=(0, 6),
        decimals=0,
    )


explore(gap_filling, **label.gap_filling, gap=(0, 5), written=(1, 6))

# %% [markdown] lang="en"
# *Picture: two rows of numbers under six tokens of a prompt and the written words w1, w2, …; the
# upper row counts the prompt and repeats the number of `[MASK]`, the lower is 0 in the prompt and
# then counts.* Moving the gap renumbers the words that it jumps over; however long the
# filling, no word of the prompt moves: the model need not know the length of what it will write.

# %% [markdown] lang="zh"
# *图：prompt的六个词元和写出的词w1、w2……下方各有两行数。上面一行给prompt编号，
# 之后一直重复`[MASK]`的编号；下面一行在prompt处为0，之后开始数。* 移动空缺，
# 被它跳过的词才改编号；不管补多长，prompt的词都不动，模型不必事先知道自己要写多长。

# %% [markdown] lang="en"
# GLM adds a learned row for each of the two positions. ChatGLM-6B turns: each half of the head is a
# small RoPE of its own, the first $D/2$ channels by the first stream, the others by the second,
# both with `frequencies(D // 2)`. So the score depends on two differences. The cell puts 5 words
# before the sentence, and then doubles the second stream instead. It prints the largest change of a
# score: in the first case; in the second inside the prompt (`[:6, :6]`); and in the second in the
# rows of the written words (`[6:]`). Which of the three are 0?

# %% [markdown] lang="zh"
# GLM给两个位置各加一行可学习的向量，ChatGLM-6B则是旋转：头的每一半各是一个小RoPE，
# 前$D/2$个通道按第一串转，其余按第二串转，都用`frequencies(D // 2)`。所以得分取决于两个差。
# 下面先在句子开头加5个词，再改为把第二串乘以2，各看得分最多变多少；
# 后一种分两行打印：prompt内部（`[:6, :6]`），写出的词那几行（`[6:]`）。三个数里哪些是0？

# %%
rng = torch.Generator().manual_seed(0)
q, k = torch.randn(2, 1, 1, 9, 32, generator=rng, dtype=torch.float64)
place = torch.tensor([0, 1, 2, 3, 4, 5, 1, 1, 1])  # a gap at 1, three words written
inside = torch.tensor([0, 0, 0, 0, 0, 0, 1, 2, 3])


def stream_scores(place, inside):
    angles = [rope_angles(at, frequencies(16)) for at in (place, inside)]  # (9, 8) each
    return (rotate_2d(q, *angles) @ rotate_2d(k, *angles).transpose(-1, -2))[0, 0]  # (9, 9)


before = stream_scores(place, inside)
change = (stream_scores(place + 5, inside) - before).abs()
print(f"place + 5:  max |Δ| = {change.max():.6f}")
change = (stream_scores(place, inside * 2) - before).abs()
print(f"inside * 2: max |Δ[:6, :6]| = {change[:6, :6].max():.6f}")
print(f"inside * 2: max |Δ[6:]| = {change[6:].max():.2f}")

# %% [markdown] lang="en"
# Only differences count in each stream, and inside the prompt the second one is 0 everywhere: so
# doubling it changes nothing there, but does at the written words.
#
# In a chat another token marks the gap, `[gMASK]`, at the end of the prompt. Then the first stream
# stays where it is while the answer is written: for half of the channels a word of the prompt is
# equally far from every word of the answer, and only in the other half does the distance grow. With
# plain RoPE it grows in all channels. The key is the token at 2 in a prompt of 6, the queries are
# four written words; key − query:

# %% [markdown] lang="zh"
# 每一串都只看差。第二串在prompt内处处为0，乘以2毫无变化，到了写出的词才变。
#
# 对话时，空缺由另一个词元`[gMASK]`标出，它在prompt的末尾。生成期间第一串位置不变，
# 所以对一半的通道来说，prompt里的某个词到回答里每个词的距离都相同；
# 只有在另一半通道里，距离才随生成逐步变大。换成普通的RoPE，所有通道里的距离都随生成变大。
# 以prompt（共6个词元）里位置2的词元为键，写出的四个词为查询，键减查询：

# %%
mask, written = 5, torch.arange(1, 5)  # the mask ends a prompt of 6 tokens; four are written
first = (2 - torch.full_like(written, mask)).tolist()
print("place: ", first)
print("inside:", (0 - written).tolist())
print("RoPE:  ", (2 - (mask + written)).tolist())

# %% [markdown] lang="en" way="everything"
# ## 10.8 Text, images and video in one sequence
#
# A multimodal model reads "look at this ⟨image⟩, what is it?" as one sequence. Qwen2-VL gives
# *every* token three positions: time $t$, height $h$, width $w$. A word has the position $(p,p,p)$,
# and so do the marks `<|vision_start|>` and `<|vision_end|>` around each image. An image keeps one
# $t$ and spreads in $h$ and $w$; a video also counts steps of time in $t$. What follows begins at
# the largest position so far plus 1.
#
# Qwen2-VL cuts patches of 14 × 14 pixels, then *merges* each 2 × 2 of them into one token, and one
# step in time is two frames. All grids in this chapter are merged ones: divide height and width of
# the processor's `image_grid_thw` by `spatial_merge_size`; its time counts steps already.

# %% [markdown] lang="zh"
# ## 10.8 文本、图像和视频排成一列
#
# 多模态模型把“看这个⟨图像⟩，是什么？”读成一个序列。Qwen2-VL给*每个*词元三个位置：时间$t$、高$h$、
# 宽$w$。词的三个位置相等，即$(p,p,p)$，图像前后的标记`<|vision_start|>`、`<|vision_end|>`也算词。
# 图像的$t$不变，在$h$和$w$上铺开；视频还在$t$上计时。后面的内容从至今最大的位置加1开始。
#
# Qwen2-VL先把图像切成14×14像素的块，再把每2×2个块*合并*成一个词元；时间上的一步是两帧。
# 本章的网格都是合并之后的，拿真实的checkpoint核对时，要把预处理器（processor）
# 给出的`image_grid_thw`里的高和宽除以`spatial_merge_size`；其中的时间已经是步数。


# %% exercise="mixed_positions"
def mixed_positions(is_patch, grids):
    """Return time, height and width of every token of a mixed sequence, shape (3, L)."""
    ### BEGIN SOLUTION
    token, begun, columns = 0, 0, []
    sizes = iter(grids)
    while token < len(is_patch):
        piece = next(sizes) if is_patch[token] else (1, 1, 1)  # a word: one cell
        cells = torch.cartesian_prod(*map(torch.arange, piece)).T  # (3, t·h·w)
        columns.append(begun + cells)
        begun = columns[-1].max().item() + 1
        token += cells.shape[1]
    return torch.cat(columns, dim=1)
    ### END SOLUTION


# %% check="mixed_positions"
check("mixed_positions", mixed_positions)

# %% [markdown] lang="en"
# Some words, a video (with a single step in time it is an image), five more words. Make the image
# wide, then tall, then add steps in time: which of the three lines decides where the text goes on?

# %% [markdown] lang="zh" slide="show"
# 几个词，一段视频（时间上只有一步就是图像），再来五个词。先把图像拉宽，再拉高，再在时间上多加几步。
# 三条线里，哪一条决定文本从哪里继续？


# %%
def sequence(words=4, steps=1, height=4, width=6):
    t, h, w = mrope_positions([words, (steps, height, width), 5])
    token = torch.arange(len(t))
    return Curves(
        [
            Curve(token, t, label.time_axis),
            Curve(token, h, label.height_axis),
            Curve(token, w, label.width_axis),
        ],
        **label.positions(patches=steps * height * width, taken=max(steps, height, width)),
        x_limits=(0, 2 ** math.ceil(math.log2(len(t)))),
        y_limits=(0, 18),
    )


explore(sequence, **label.sequence, words=(1, 4), steps=[1, 2, 4, 8], height=(1, 8), width=(1, 8))

# %% [markdown] lang="en"
# *Picture: three lines over the sequence. They climb together through the words; over the image
# time is level, height rises in steps, width is a sawtooth; after the image all three climb
# together again, from one above the highest.* Three sequences (a bare number stands for that many
# words, a tuple `(t, h, w)` for one image or video), with their length and the position of the last
# word:

# %% [markdown] lang="zh"
# *图：横轴是序列，共三条线。在词上三条线一起上升；在图像上，时间是平的，高像台阶，宽像锯齿；
# 图像之后三条线又一起上升，从最高处再加1开始。*
# 下面三个序列（单个的数表示有几个词，元组`(t, h, w)`表示一幅图像或一段视频），
# 各打印长度和最后一个词的位置：

# %%
for parts in ([3, (1, 16, 16), 1], [3, (1, 1, 256), 1], [3, (4, 8, 8), 1]):
    at = mrope_positions(parts)
    print(f"{parts}: L = {at.shape[1]}, {at[:, -1].tolist()}")

# %% [markdown] lang="en" way="everything"
# ## 10.9 M-RoPE: three positions, one head
#
# Three positions, but a pair can turn by one angle only. The argument of 10.2 works for three
# rotations too: the angle of a pair may be any linear mix of the three positions. The choice made
# is one axis for each pair. Of the 64 pairs of a head of 128 channels, Qwen2-VL gives the first 16
# to time, the next 24 to height, the last 24 to width: its *sections* (16, 24, 24), `mrope_section`
# in the config. This is *M-RoPE*, multimodal RoPE. First, what it does to text.

# %% [markdown] lang="zh"
# ## 10.9 M-RoPE：三个位置，一个头
#
# 位置有三个，一对却只能转一个角度。10.2节的论证对三个旋转同样成立，
# 所以一对的角度可以是三个位置的任意线性组合。实际的选择是每一对只归一个轴。一个头128个通道，
# 共64对，Qwen2-VL把前16对给时间，接着24对给高，最后24对给宽，
# 这个*轴分配*在config里写作`mrope_section`，即(16, 24, 24)。这就是*M-RoPE*（多模态RoPE）。
# 先看它对文本做了什么。

# %%
omega = frequencies(128, base=1e6)  # (64,), the base of Qwen2-VL
text = mrope_positions([50])  # (3, 50): only words
same = torch.equal(mrope_angles(text, omega, (16, 24, 24)), rope_angles(text[0], omega))
print("M-RoPE = RoPE:", same)

# %% [markdown] lang="en"
# Nothing: all three positions are equal, so a language model keeps its weights. Now images. Which
# frequencies $\omega$ (radians per step) and wavelengths $\lambda$ did each axis get? Guess how far
# the fastest hand of *width* turns from one column to the next.

# %% [markdown] lang="zh" slide="show"
# 毫无变化，因为三个位置相等，语言模型的权重可以照用。再看图像：每个轴分到了哪些频率$\omega$
# （弧度/步）和波长$\lambda$？猜一猜，从一列到下一列，*宽*这个轴最快的指针转多少。

# %% tags=["predict"]
for axis, part in zip("thw", omega.split((16, 24, 24)), strict=True):
    fast, slow = part[0].item(), part[-1].item()
    wavelengths = f"{2 * math.pi / fast:.0f} … {2 * math.pi / slow:.0f}"
    print(f"{axis}: ω = {fast:.2g} … {slow:.2g}, λ = {wavelengths}")

# %% [markdown] lang="en"
# Width has low frequencies only: a step across turns its fastest hand by 0.0002 radians, so that
# even the far sides of an image look much the same to these pairs. (The vision part, with an axial
# RoPE of its own, has already told the patches apart: 10.13.) Time has high frequencies only: its
# slowest hand has turned halfway after 80 steps, and beyond that the same angle fits a later time
# as well as an earlier one, so that no single pair can tell which came first. Both follow from
# which pairs an axis got.
#
# Qwen3-VL deals the pairs out in turn (Interleaved-MRoPE), with sections (24, 20, 20): t, h, w, t,
# h, w, …, and every axis gets fast pairs as well as slow ones. *VideoRoPE* (Wei et al. 2025,
# [arXiv:2502.05173](https://arxiv.org/abs/2502.05173)) gives time the slowest pairs instead, which
# do not come round even in a long video, and stretches the steps of time by a factor of its own.

# %% [markdown] lang="zh" slide="show"
# 宽分到的全是低频，向右走一步，最快的指针也只转0.0002弧度，对这些对来说，连图像最左和最右的块，
# 角度都几乎一样。（好在此前视觉部分已用自己的轴向RoPE把各块区分开了，见10.13节。）
# 时间分到的全是高频，最慢的指针过80步也转了半圈；超过80步，同一个角度既可能是在前，也可能是在后，
# 没有哪一对单凭自己的角度分得清先后。两种毛病都出在频率的分配上。
#
# Qwen3-VL改成交错分配（Interleaved-MRoPE），三个轴分别得到24、20、20对，按t、h、w、t、h、
# w……的次序轮流分发，每个轴都既有高频对，又有低频对。*VideoRoPE*（Wei等，2025，
# [arXiv:2502.05173](https://arxiv.org/abs/2502.05173)）则把最低频的对给时间，
# 它们在长视频里也转不满一圈；时间的步长另乘一个倍数。


# %% exercise="section_axes"
def section_axes(sections):
    """Return the axis of each pair (0 time, 1 height, 2 width), interleaved, (sum(sections),)."""
    ### BEGIN SOLUTION
    pair = torch.arange(sum(sections))
    axes = torch.zeros_like(pair)
    for axis in (1, 2):
        axes[(pair % 3 == axis) & (pair < 3 * sections[axis])] = axis
    return axes
    ### END SOLUTION


# %% check="section_axes"
check("section_axes", section_axes)

# %% [markdown] lang="en"
# The pairs of each axis, in both arrangements and with the same base, read off the reference: an
# axis at position 1, the others at 0, shows its own frequencies. Below the pictures: how much a
# step along $t$, $h$ or $w$ lowers the score of equal vectors, as a share of the largest.

# %% [markdown] lang="zh"
# 两种安排（base相同）下每个轴分到的对，可以直接从参考实现里读出来：把一个轴设为1，其余设为0，
# 得到的角度就是分给它的频率。图下是沿$t$、$h$、$w$各走一步，向量相等时的得分降低多少
# （与最大值之比）。

# %%
at = torch.eye(3, dtype=torch.long)  # token n is at 1 on axis n only
kinds = {"chunked": (16, 24, 24), "interleaved": (24, 20, 20)}
shown = {kind: mrope_angles(at, omega, parts, arrangement=kind) for kind, parts in kinds.items()}
for kind, angles in shown.items():  # (3, 64): white where a pair does not follow the axis
    picture(HeatMap(angles.log10(), **label.speeds(kind=label.kinds[kind]), y_ticks=label.axes))
for kind, angles in shown.items():
    drop = (1 - torch.cos(angles).mean(-1)).tolist()  # equal vectors, one step along an axis
    print(f"{kind:11}:", ", ".join(f"{d:.1e}" for d in drop))

# %% [markdown] lang="en"
# *Pictures: a row for each axis, a column for each pair, fast pairs bright, white where a pair does
# not follow the axis. Above, three blocks, time, then height, then width. Below, the three take
# turns nearly all the way; the last four pairs are left to time.* Chunked, a step across is all but
# invisible to equal vectors; interleaved, the three drops are within a factor of 2.3. (The
# interleaved *layout* of chapter 5 is something else: that says which channels make a pair, this
# says which axis a pair follows.)

# %% [markdown] lang="zh"
# *图：每个轴一行，每一对一列，越亮频率越高，白色表示这一对不归这个轴。上图是三段，依次是时间、高、
# 宽。下图三个轴轮流出现，几乎一路到底，最后四对归时间。* 连续分配时，对相等的向量来说，
# 向右走一步几乎看不出来；交错分配时，三个轴的降幅相差不超过2.3倍。（别和第5章的交错*排布*混为一谈，
# 那说的是哪两个通道成一对，这里说的是一对归哪个轴。）

# %% [markdown] lang="en" way="everything"
# ## 10.10 Bug clinic
#
# Three pieces of code, each with a mistake; all run without an error. **Case 1.** Positions made
# with `meshgrid`. The shape returned is always right; on a square image so are those of the two
# grids before they are flattened. Symptom (2 rows of 3 patches): the right neighbour of patch 0
# gets the coordinates of the patch one *row* down.

# %% [markdown] lang="zh" slide="code"
# ## 10.10 Bug诊所
#
# 三种错法，跑起来都不报错。**病例一。** 用`meshgrid`造位置。返回的形状总是对的；图像是正方形时，
# 连展平之前两张网格的形状也对。症状（2行3列）：第0块右边那块，拿到的却是下一*行*那块的坐标。


# %%
def sideways_grid(height, width):
    rows, columns = torch.meshgrid(torch.arange(height), torch.arange(width), indexing="xy")
    return torch.stack((rows.flatten(), columns.flatten()))  # (2, height · width)


print("rows:   ", sideways_grid(2, 3)[0].tolist())
print("columns:", sideways_grid(2, 3)[1].tolist())


# %% exercise="mend_column_first" mends="sideways_grid"
def mend_column_first(height, width):
    """Return row and column of every patch, row by row, shape (2, height * width)."""
    ### BEGIN SOLUTION
    rows, columns = torch.meshgrid(torch.arange(height), torch.arange(width), indexing="ij")
    return torch.stack((rows.flatten(), columns.flatten()))
    ### END SOLUTION


# %% check="mend_column_first"
check("mend_column_first", mend_column_first)

# %% [markdown] lang="en"
# **Case 2.** The table of cosines has $D$ columns, so every section was made twice as wide, and the
# sections were cut from that table. The layout is half-split. Symptom: the norm changes, so it is
# not a rotation any more.

# %% [markdown] lang="zh"
# **病例二。** 余弦表有$D$列，写的人就把轴分配里的三个数各乘以2，照此切表，
# 可是排布是前后半排布（half-split）。症状：范数变了，可见已经不是旋转。


# %%
def torn_sections(angles, sections):  # (3, L, D/2) → (L, D)
    doubled = torch.cat((angles, angles), dim=-1)
    parts = doubled.split([2 * n for n in sections], dim=-1)
    return torch.cat([part[axis] for axis, part in enumerate(parts)], dim=-1)


at = torch.tensor([[3], [7], [20]])  # one patch: time, height, width
angles = torn_sections(rope_angles(at, frequencies(16)), (2, 3, 3))[0]  # (16,)
x = torch.randn(16, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
a, b = x.chunk(2)
broken = x * angles.cos() + torch.cat((-b, a)) * angles.sin()
print(f"‖x‖: {x.norm():.2f} → {broken.norm():.2f}")


# %% exercise="mend_channel_sections" mends="torn_sections"
def mend_channel_sections(angles, sections):
    """Return the angle of every channel, pairs (i, i + D/2), from (3, …, D/2) to (…, D)."""
    ### BEGIN SOLUTION
    parts = angles.split(sections, dim=-1)  # (3, …, n) each
    pairs = torch.cat([part[axis] for axis, part in enumerate(parts)], dim=-1)  # (…, D/2)
    return torch.cat((pairs, pairs), dim=-1)
    ### END SOLUTION


# %% check="mend_channel_sections"
check("mend_channel_sections", mend_channel_sections)

# %% [markdown] lang="en"
# (The Qwen2-VL code of transformers, `mrope_section * 2`, is right: `*` repeats a Python list.)
#
# **Case 3.** While decoding, "the position is the length of the cache". That holds for a complete
# cache of text (chapter 8), but not with an image in the prompt. Symptom: the answer is not the one
# that a single pass over prompt and answer gives. The position of its first word, by the cache and
# in one pass:

# %% [markdown] lang="zh"
# （transformers的Qwen2-VL代码里的`mrope_section * 2`倒没错：`*`是把Python列表重复一遍。）
#
# **病例三。** 解码时“位置就是缓存的长度”。纯文本、缓存又完整，才是这样（第8章）；
# prompt里有图像就不对了。症状：结果与一次算完的不同。回答的第一个词的位置，先是按缓存数的，
# 再是一次算完的：


# %%
def counts_the_cache(positions, step):
    return torch.full((3,), positions.shape[1] + step)


prompt = [3, (1, 16, 16), 4]
print(counts_the_cache(mrope_positions(prompt), 0).tolist())
print(mrope_positions([*prompt, 1])[:, -1].tolist())


# %% exercise="mend_decode_after_image" mends="counts_the_cache"
def mend_decode_after_image(positions, step):
    """Return time, height and width of new token number `step`, shape (3,)."""
    ### BEGIN SOLUTION
    return (positions.max() + 1 + step).expand(3)
    ### END SOLUTION


# %% check="mend_decode_after_image"
check("mend_decode_after_image", mend_decode_after_image)

# %% [markdown] lang="en" way="everything"
# ## 10.11 What is not true
#
# **"A one-dimensional table cannot know that an image has rows."** It can hold anything, the grid
# included: for patch $(y,x)$, fill half of its row with the sines of $y$, half with those of $x$.
# And it learns what it needs: with a linear classifier on 5 images per ImageNet class, the authors
# of ViT measured an accuracy of 64.2% with one table, 64.0% with a table for rows and one for
# columns, 61.4% with none (Table 8). In a table $T$ of sines, the cosines of patch 5 with the patch
# on its right, the one below and the one 7 rows below:

# %% [markdown] lang="zh" slide="show"
# ## 10.11 哪些说法不对
#
# **“一维的表不可能知道图像有行。”** 表的容量足够，网格也存得下，只要表里第$(y,x)$块的那一行，
# 前一半填$y$的正弦编码，后一半填$x$的；需要时训练也学得到。
# ViT的作者在ImageNet上每类用5张图训练线性分类器，测得的准确率是一张表64.2%，行、列各一张表64.0%，
# 不用表61.4%（表8）。在这样一张正弦填成的表$T$里，第5块与右边一块、下方一块、下方第7行那块的余弦：

# %%
patch = torch.arange(14 * 14)
table = torch.cat((sinusoidal(patch // 14, 32), sinusoidal(patch % 14, 32)), dim=1)  # (196, 64)
alike = F.normalize(table, dim=1) @ F.normalize(table, dim=1).T
for other in (6, 19, 103):
    print(f"cos(T[5], T[{other}]) = {alike[5, other]:.3f}")

# %% [markdown] lang="en"
# **"Axial RoPE prefers what is near in the image."** It sums over two axes, so "same row" counts
# even from afar. For equal vectors, a patch 8 columns away scores higher than one 3 down and 3
# across, though it is about twice as far. (At 6 columns it is higher still: 6 steps are almost a
# full turn of the fastest pair.) For each displacement: the distance, and the score as a share of
# the largest.

# %% [markdown] lang="zh" slide="show"
# **“轴向RoPE偏爱图像上近的块。”** 它的得分是两个轴之和，所以“同一行”隔得再远也算数。向量都相等时，
# 8列之外的块，得分高于向下3行、向右3列的块，尽管后者的距离只有一半左右。
# （6列之外的更高，因为走6步，最高频的一对差不多转了一圈。）每行是位移、距离、得分与最大值之比。

# %%
wave = torch.cos(torch.arange(9)[:, None] * frequencies(32)).mean(-1)  # (9,): one axis
for dy, dx in ((0, 6), (3, 3), (0, 8)):
    score = (wave[dy] + wave[dx]) / 2
    print(f"({dy}, {dx}): {math.hypot(dy, dx):.2f}, {score:.3f}")

# %% [markdown] lang="en"
# **"Multimodal RoPE gives each axis a third of the head."** The sections are unequal, and 64 pairs
# cannot even be shared equally among three. Thirds would also be a different function from what the
# weights were trained with: some pairs follow another axis, and the larger the image, the further
# the angles come apart. In an image of 6 × 6: how many of the 64 turn differently, and the largest
# difference in radians.

# %% [markdown] lang="zh" slide="show"
# **“多模态RoPE把头平分给三个轴。”** 各轴分到的对数并不相同，64也不能被3整除。而且按三分之一来切，
# 就不是训练时所用的那个函数了：有几对换了轴，图像越大，角度差得越多。
# 6×6的图像里，64对中有多少对转得不同，最多差多少弧度：

# %%
patches = mrope_positions([2, (1, 6, 6)])
right = mrope_angles(patches, omega, (16, 24, 24))
thirds = mrope_angles(patches, omega, (22, 21, 21))
print((right != thirds).any(0).sum().item(), "/", len(omega))
print(f"max |Δθ| = {(right - thirds).abs().max():.2f}")

# %% [markdown] lang="en" way="everything"
# ## 10.12 What is open
#
# - **Which wave vectors?** Axial ones leave logits a sum (10.4); more directions leave each fewer
#   frequencies; they can also be learned, for each head (RoPE-Mixed).
# - **How many pairs for each axis, and which?** Two arrangements from one family of models (10.9)
#   show that the question is not closed.
# - **What is a step in time?** Qwen2-VL counts pairs of frames, so that one second is more steps in
#   a clip sampled at a higher rate; Qwen2.5-VL ties the count to seconds; Qwen3-VL writes time
#   stamps into the text.
# - **Where does text go on after an image?** "Largest plus 1" is one rule (think about it in
#   10.13). Su Jianlin's RoPE-Tie (2024) proposes positions in which the text before and after an
#   image lies symmetrically about it.
#
# This course has measured none of these. Distrust an answer that comes without a measurement.

# %% [markdown] lang="zh"
# ## 10.12 尚无定论的问题
#
# - **用哪些波矢？** 波矢都在轴上，logits就只能是和（10.4节）；方向多了，每个方向的频率就少；
#   波矢也可以学出来，每个头各一组（RoPE-Mixed）。
# - **每个轴该有多少对？** 该是哪些对？同一系列的模型就有两种安排（10.9节），可见问题还没有答案。
# - **时间上的一步是什么？** Qwen2-VL按帧数计（两帧一步），采样率越高，同样一秒的步数就越多；
#   Qwen2.5-VL让计数对应秒数；Qwen3-VL把时间戳写进文本。
# - **图像之后文本从哪里继续？** “最大值加1”只是一种规则（10.13节请你想一想它）。
#   苏剑林的RoPE-Tie（2024）提出过另一种排法，让图像前后的文本以图像为中心对称。
#
# 这些问题，本课程一个也没有测量过。没有实测的答案，都别轻信。

# %% [markdown] lang="en" way="everything"
# ## 10.13 In real models
#
# | model | positions | how they enter |
# |---|---|---|
# | ViT | one, row by row | learned table, added once |
# | ViT-MAE | column and row | sincos2d, added once, column first |
# | DETR | row and column | sines, added to queries and keys (2.12) |
# | Qwen2-VL, vision part | row and column, before merging | axial RoPE, half-split, height first |
# | Qwen2-VL, language part | t, h, w, of merged patches | M-RoPE (16, 24, 24), chunked |
# | Qwen3-VL, language part | t, h, w, of merged patches | M-RoPE (24, 20, 20), interleaved |
# | ChatGLM-6B | in the text, in the filling | a RoPE on each half of the head |
#
# `rotary-embedding-torch` has axial angles too (`get_axial_freqs`), in the interleaved layout.
# Before you reuse weights: which axis first, which layout, which sections, are patches merged,
# where does the text go on?

# %% [markdown] lang="zh" slide="show"
# ## 10.13 在真实模型中
#
# | 模型 | 位置 | 怎样进入模型 |
# |---|---|---|
# | ViT | 一个，逐行编号 | 可学习的表，加一次 |
# | ViT-MAE | 列与行 | sincos2d，加一次，列在前 |
# | DETR | 行与列 | 正弦，加到查询和键上（2.12节） |
# | Qwen2-VL的视觉部分 | 行与列，合并之前 | 轴向RoPE，前后半排布，高在前 |
# | Qwen2-VL的语言部分 | 合并后各块的t、h、w | M-RoPE，轴分配(16, 24, 24)，连续 |
# | Qwen3-VL的语言部分 | 合并后各块的t、h、w | M-RoPE，轴分配(24, 20, 20)，交错 |
# | ChatGLM-6B | 文本中、补全中 | 头的两半各一个RoPE |
#
# `rotary-embedding-torch`也有轴向角度（`get_axial_freqs`），用的是交错排布（interleaved）。
# 拿别人的checkpoint来用，先问：哪个轴在前？哪种排布？各轴分到哪些对？块合并过没有？文本从哪里继续？

# %% [markdown] lang="en"
# ### Think: where does the text go on?
#
# After an image, Qwen2-VL lets the text go on at the largest position plus 1. Two other rules would
# be: after as many positions as there are patches; or after a single position, as if the image were
# one word: the next word has the image's time plus 1 on all three axes. Give one advantage of the
# rule over each of the two, and one weakness that it has itself. Two or three sentences in the next
# cell.
#
# On your own: write your answer first. For the rule itself, check it with question 7 of the
# self-test at the end of this chapter; for the comparison, see the model answer.

# %% [markdown] lang="zh"
# ### 想一想：文本从哪里继续？
#
# 图像之后，Qwen2-VL让文本从最大位置加1继续。另外两种可能的规则是：有多少块就占多少个位置；
# 或者只占一个位置，好像图像只是一个词：后面那个词的三个位置都是图像的时间加1。
# 请说出这条规则相对于这两种规则各有什么好处，再说出它自己的一个弱点。在下一个单元格里写两三句话。
#
# 自学的话，先写下自己的答案：规则本身用本章末尾自测的第7题核对，好坏的比较看参考答案。

# %% [markdown] thinking="text_after_image" points=3
# <div lang="en">
#
# **Model answer.** Counting patches spends far more positions (256 instead of 16 for 16 × 16), so
# that a text with a few images soon leaves the trained range, and the image is far from the words
# about it. Counting the image as one word lets the next words have positions on the height and
# width axes that patches have as well: words fall among the patches, and order on those axes is
# lost. The weakness: the gap depends on the shape of the image (a strip of 1 × 256 costs 256), and
# the distance from the text to a patch depends on where in the image the patch is.
#
# **Points.** 1 for the number of positions (or distance, or trained range) against counting
# patches; 1 for the collision on height and width against counting one; 1 for a sound weakness.
#
# </div>
# <div lang="zh">
#
# **参考答案。** 按块数来数，用掉的位置多得多（16×16要256个而不是16个），
# 几幅图之后文本就超出训练范围，图像也离描述它的词很远。把图像只当一个词，
# 后面的词在高和宽两个轴上就会与图像块的位置重叠，在这两个轴上分不出先后。弱点：
# 间隔取决于图像的形状（1×256的长条要256个），而且文本到某一块的距离取决于这一块在图像里的位置。
#
# **评分。** 对“按块数”：说出位置数（或距离、训练范围）得1分；对“只加1”：
# 说出在高和宽上重叠得1分；给出一个合理的弱点得1分。
#
# </div>

# %% [markdown] lang="en" way="everything"
# ## 10.14 Take-away
#
# - Flattening keeps neighbours across and moves neighbours below as far away as the image is wide.
# - With one map for queries and keys, scores that see the displacement alone force commuting
#   rotations: pair $i$ turns by $\alpha_iy+\beta_ix$, nothing else.
# - Axial RoPE takes wave vectors on the axes; its logit is a sum $f(\Delta y)+g(\Delta x)$.
# - A learned table must be made a grid again before it is resized.
# - Two streams (ChatGLM-6B) leave the words after a gap where they are, however long the filling.
# - M-RoPE (Qwen2-VL) has three positions: words at $(p,p,p)$, then on from the largest plus 1; text
#   stays RoPE.
# - Which pairs an axis gets decides what it can tell apart.

# %% [markdown] lang="zh" slide="show"
# ## 10.14 本章要点
#
# - 展平保住了左右的邻居，上下的邻居却被推开，图像多宽就推多远。
# - 查询和键用同一个映射、得分又只看位移的话，旋转就必须可交换，第$i$对转$\alpha_iy+\beta_ix$，
#   别无选择。
# - 轴向RoPE把波矢放在轴上；它的logits是和，$f(\Delta y)+g(\Delta x)$。
# - 可学习的表要先还原成网格，再插值到新分辨率。
# - 有了两串位置（ChatGLM-6B），补多长都不会挪动空缺之后的词。
# - M-RoPE（Qwen2-VL）有三个位置：词在$(p,p,p)$，图像之后从最大值加1继续；纯文本仍是RoPE。
# - 一个轴分到哪些对，决定了它能分辨什么。

# %%
quiz("beyond_1d")

# %% [markdown] lang="en" way="everything"
# ## Further reading
#
# - A. Dosovitskiy, L. Beyer, A. Kolesnikov, D. Weissenborn, X. Zhai, T. Unterthiner, M. Dehghani,
#   M. Minderer, G. Heigold, S. Gelly, J. Uszkoreit, N. Houlsby: *An Image is Worth 16x16 Words:
#   Transformers for Image Recognition at Scale*. ICLR 2021.
#   [arXiv:2010.11929](https://arxiv.org/abs/2010.11929). ViT; Table 8
#   compares tables.
# - Z. Du, Y. Qian, X. Liu, M. Ding, J. Qiu, Z. Yang, J. Tang: *GLM: General Language Model
#   Pretraining with Autoregressive Blank Infilling*. ACL 2022.
#   [arXiv:2103.10360](https://arxiv.org/abs/2103.10360). §2.2.1 holds the two positions.
# - P. Wang, S. Bai, S. Tan et al.: *Qwen2-VL: Enhancing Vision-Language Model's Perception of the
#   World at Any Resolution*. 2024. [arXiv:2409.12191](https://arxiv.org/abs/2409.12191). §2.1 and
#   Figure 3.
# - S. Bai, Y. Cai, R. Chen et al.: *Qwen3-VL Technical Report*. 2025.
#   [arXiv:2511.21631](https://arxiv.org/abs/2511.21631). Interleaved sections, time stamps.
# - Su Jianlin, *Scientific Spaces* (in Chinese):
#   [RoPE in two dimensions](https://kexue.fm/archives/8397),
#   [positions of text and images](https://kexue.fm/archives/10040).
# - B. Heo, S. Park, D. Han, S. Yun: *Rotary Position Embedding for Vision Transformer*. ECCV 2024.
#   [arXiv:2403.13298](https://arxiv.org/abs/2403.13298). Axial and learned wave vectors.
# - K. He, X. Chen, S. Xie, Y. Li, P. Dollár, R. Girshick: *Masked Autoencoders Are Scalable Vision
#   Learners*. CVPR 2022. [arXiv:2111.06377](https://arxiv.org/abs/2111.06377). ViT-MAE.
# - N. Carion, F. Massa, G. Synnaeve, N. Usunier, A. Kirillov, S. Zagoruyko: *End-to-End Object
#   Detection with Transformers*. ECCV 2020. [arXiv:2005.12872](https://arxiv.org/abs/2005.12872).
#   DETR.

# %% [markdown] lang="zh"
# ## 延伸阅读
#
# - A. Dosovitskiy, L. Beyer, A. Kolesnikov, D. Weissenborn, X. Zhai, T. Unterthiner, M. Dehghani,
#   M. Minderer, G. Heigold, S. Gelly, J. Uszkoreit, N. Houlsby：*An Image is Worth 16x16 Words:
#   Transformers for Image Recognition at Scale*。ICLR 2021。
#   [arXiv:2010.11929](https://arxiv.org/abs/2010.11929)。ViT；表8比较了几种表。
# - Z. Du, Y. Qian, X. Liu, M. Ding, J. Qiu, Z. Yang, J. Tang：*GLM: General Language Model
#   Pretraining with Autoregressive Blank Infilling*。ACL 2022。
#   [arXiv:2103.10360](https://arxiv.org/abs/2103.10360)。两个位置见§2.2.1。
# - P. Wang, S. Bai, S. Tan等：*Qwen2-VL: Enhancing Vision-Language Model's Perception of the
#   World at Any Resolution*。2024。[arXiv:2409.12191](https://arxiv.org/abs/2409.12191)。
#   见§2.1与图3。
# - S. Bai, Y. Cai, R. Chen等：*Qwen3-VL Technical Report*。2025。
#   [arXiv:2511.21631](https://arxiv.org/abs/2511.21631)。交错的轴分配，时间戳。
# - 苏剑林《科学空间》：[二维位置的旋转式位置编码](https://kexue.fm/archives/8397)、
#   [多模态位置编码的简单思考](https://kexue.fm/archives/10040)。
# - B. Heo, S. Park, D. Han, S. Yun：*Rotary Position Embedding for Vision Transformer*。ECCV 2024。
#   [arXiv:2403.13298](https://arxiv.org/abs/2403.13298)。轴向的和学出来的波矢。
# - K. He, X. Chen, S. Xie, Y. Li, P. Dollár, R. Girshick：*Masked Autoencoders Are Scalable Vision
#   Learners*。CVPR 2022。[arXiv:2111.06377](https://arxiv.org/abs/2111.06377)。ViT-MAE。
# - N. Carion, F. Massa, G. Synnaeve, N. Usunier, A. Kirillov, S. Zagoruyko：*End-to-End Object
#   Detection with Transformers*。ECCV 2020。[arXiv:2005.12872](https://arxiv.org/abs/2005.12872)。
#   DETR。
