# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
#   kernelspec: {display_name: Python 3, language: python, name: python3}
#   posenc:
#     title: {en: Rotary position embedding, zh: 旋转位置编码}
#     question:
#       en: "Why do scores of rotated queries and keys contain positions only as a distance?"
#       zh: 把查询和键各转一个角度，得分里的位置为什么就只剩下两者的距离？
# ---

# %% [markdown] lang="en" way="two_hours"
# # 5 · Rotary position embedding
#
# Move two words together through a text. With sinusoids added, the score between them changes; with
# the method of Llama 3, Qwen3 and DeepSeek-V3 it does not. This takes no table and no extra
# parameter: the queries and keys are rotated, and that is all.
#
# **The question.** Why does rotating queries and keys make their score depend on position only
# through the distance, and what else could have done it?
#
# **You will** derive RoPE from one requirement, write it in both layouts that real models use,
# convert a checkpoint between them, compute the score at every distance without rotating, and fix
# three bugs that raise no error.
#
# **You need** chapters 1 and 2, complex numbers, matrices. About {minutes} minutes, 24 points,
# and 3 more for a question that a teacher grades.

# %% [markdown] lang="zh"
# # 5 · 旋转位置编码
#
# 把两个词在文本里一起挪个地方。若是加上正弦编码，它们之间的得分会变；
# Llama 3、Qwen3、DeepSeek-V3用的办法却能让它不变：不查表，不加参数，只把查询和键各转一个角度。
#
# **本章的问题。** 把查询和键各转一个角度，得分里的位置为什么就只剩下两者的距离？
# 除了转，还有没有别的办法？
#
# **你将**从一个要求出发推导出RoPE，写出真实模型用的两种排布，把checkpoint（权重文件）
# 从一种换成另一种，不旋转就算出任何距离上的得分，再修好三个运行时都不报错的错误。
#
# **你需要**第1章和第2章的内容、复数、矩阵。约{minutes}分钟，共24分，另有一道由教师评分的题，3分。

# %%
import math

import torch
import torch.nn.functional as F

from autograde import answer, check, hint, progress, quiz
from bilingual.switch import language_switch
from posenc_glass import glass, text_part
from posenc_ref import (
    frequencies,
    qk_norm,
    rope_angles,
    rotate,
    rotation_matrix,
    sinusoidal,
)
from posenc_viz import (
    Arrow,
    Clocks,
    Curve,
    Curves,
    Matrix,
    Plane,
    explore,
    picture,
)
from posenc_viz.labels import rope as label

torch.set_num_threads(1)
language_switch()

# %% [markdown] lang="en" way="two_hours"
# ## 5.1 What addition cannot promise
#
# Take the same two words, always 3 tokens apart, and move them through the text. With an encoding
# that is *added*, the score changes, as said above. Guess before you run: by how much? In the
# second decimal, or enough to change its sign?

# %% [markdown] lang="zh" slide="show"
# ## 5.1 相加保证不了什么
#
# 取同样的两个词，始终相隔3个词元（token），在文本里一起移动。位置编码如果是*相加*的，
# 它们的得分（注意力得分，attention score，即softmax之前的logits）就会变，这在开头说过。
# 变多少呢？只动小数点后几位，还是连正负都会变？先猜，再运行。

# %% tags=["predict"]
rng = torch.Generator().manual_seed(0)
cat, mouse = torch.randn(2, 64, generator=rng, dtype=torch.float64)
W_Q, W_K = torch.randn(2, 64, 64, generator=rng, dtype=torch.float64) / 8
for start in (0, 10, 100):
    here, there = sinusoidal(torch.tensor([start, start + 3]), 64, dtype=torch.float64)
    score = ((cat + here) @ W_Q) @ ((mouse + there) @ W_K) / 8
    print(f"p = {start:3}, {start + 3:3}: {score:6.2f}")

# %% [markdown] lang="en"
# Same words, same distance: even the sign changes.
#
# Multiply out $(x_i+p_i)A(x_j+p_j)^\top$, with the word $x_i$, the row $p_i$ added to it, and here
# $A=W_QW_K^\top$. Of the four terms three contain a position: $x_iAp_j^\top$, $p_iAx_j^\top$,
# $p_iAp_j^\top$. All three move, even the last: a plain $p_ip_j^\top$ would depend on the distance
# alone, like the hands in 2.2, but $A$ need not treat the two channels of a pair alike, and it
# mixes pairs. A model can learn to live with that, but what it learns at some positions need not
# hold at others. So let us write down what we want instead.

# %% [markdown] lang="zh"
# 同样的词，同样的距离，得分却连正负都变了。
#
# 展开$(x_i+p_i)A(x_j+p_j)^\top$，其中$x_i$是词，$p_i$是加给它的那一行，这里的$A=W_QW_K^\top$。
# 四项里有三项含有位置：$x_iAp_j^\top$、$p_iAx_j^\top$和$p_iAp_j^\top$。三项都会变，
# 最后一项也不例外：单看$p_ip_j^\top$，它像2.2节两根指针的夹角一样只取决于距离，
# 但$A$未必同等看待一对通道（正弦与余弦），还会把不同的对混在一起。模型可以学着适应，
# 但在一段位置上学到的，换一段未必成立。不如先把我们真正想要的写下来。

# %% [markdown] lang="en" way="two_hours"
# ## 5.2 The requirement
#
# From here on $q$ and $k$ are columns. Let $f(q,m)$ be what a query $q$ becomes at position $m$,
# and $f(k,n)$ what a key $k$ becomes at position $n$. We ask for
#
# $$\langle f(q,m),f(k,n)\rangle=g(q,k,n-m),\qquad f(q,0)=q.$$
#
# The score may depend on the two vectors and on the distance $n-m$ (key minus query), on nothing
# else; and position 0 changes nothing. Queries and keys go through **the same map** $f$. Remember
# this: in 5.3 it decides which answers there are. Su et al. (2021, §3.1) start from the same
# requirement. They write $f_q$ and $f_k$, because their maps contain the projections too, and the
# solution they choose turns both alike.

# %% [markdown] lang="zh" slide="show"
# ## 5.2 要求
#
# 从这里起，$q$和$k$都是列向量。设$f(q,m)$是位置$m$作用于查询$q$的结果，
# $f(k,n)$是位置$n$作用于键$k$的结果。我们要求
#
# $$\langle f(q,m),f(k,n)\rangle=g(q,k,n-m),\qquad f(q,0)=q.$$
#
# 得分可以取决于两个向量以及距离$n-m$（键减查询），不能再取决于别的；位置0则不作任何改动。注意，
# 查询和键走的是**同一个映射**$f$，到5.3节你会看到，有哪些解就取决于这一点。Su等（2021，§3.1）
# 也从这个要求出发。他们写的是$f_q$和$f_k$，因为把投影也算了进去；最后取的解，两边转法相同。

# %% [markdown] lang="en"
# ### In the plane: numbers instead of vectors
#
# Begin with two channels and read $(a,b)$ as the complex number $q=a+\mathrm ib$. Then $|q|$ is the
# length and $\arg q$ the angle of the vector, and multiplying by $e^{\mathrm i\alpha}$ turns it by
# $\alpha$. With $\bar q=a-\mathrm ib$, the dot product is the real part of $\bar q\,k$. We ask a
# little more, which 5.3 drops again: that the whole complex product depend on the distance alone:
#
# $$\overline{f(q,m)}\,f(k,n)=G(q,k,n-m).$$

# %% [markdown] lang="zh"
# ### 在平面上：把向量当作数
#
# 先只看两个通道。把$(a,b)$读成复数$q=a+\mathrm ib$，则$|q|$是这个向量的长度，$\arg q$是它的角度，
# 乘以$e^{\mathrm i\alpha}$就是转过$\alpha$。记$\bar q=a-\mathrm ib$，点积就是$\bar q\,k$的实部。
# 这里先提一个更强的要求（5.3节再放宽），让整个复数乘积都只取决于距离：
#
# $$\overline{f(q,m)}\,f(k,n)=G(q,k,n-m).$$

# %%
q, k = torch.tensor([[1.0, 2.0], [3.0, -1.0]], dtype=torch.float64)
z, w = torch.view_as_complex(torch.stack((q, k)))
print("q @ k:", (q @ k).item(), " (z.conj() * w).real:", (z.conj() * w).real.item())

# %% [markdown] lang="en"
# ### Step 1: the length does not change
#
# Take absolute values: $|f(q,m)|\,|f(k,n)|=|G(q,k,n-m)|$. Put $n=m$. The right side is then
# $|G(q,k,0)|$, the same for every $m$, so the left side equals its value at $m=0$, where $f$
# changes nothing:
#
# $$|f(q,m)|\,|f(k,m)|=|q|\,|k|.$$
#
# Put $k=q$: $|f(q,m)|^2=|q|^2$. **Position may not change the length of a vector.**

# %% [markdown] lang="zh" slide="show"
# ### 第一步：长度不变
#
# 取模：$|f(q,m)|\,|f(k,n)|=|G(q,k,n-m)|$。令$n=m$，右边成了$|G(q,k,0)|$，对每个$m$都一样，
# 所以左边等于它在$m=0$时的值，那时$f$什么也不变：
#
# $$|f(q,m)|\,|f(k,m)|=|q|\,|k|.$$
#
# 再令$k=q$：$|f(q,m)|^2=|q|^2$。**位置不能改变向量的长度。**

# %% [markdown] lang="en"
# ### Step 2: every vector turns by the same angle
#
# So $f(q,m)=q\,e^{\mathrm i\varphi(q,m)}$, where the angle might still depend on $q$. Compare
# arguments at $n=m$ (for vectors other than 0):
#
# $$\arg k+\varphi(k,m)-\arg q-\varphi(q,m)=\arg G(q,k,0)=\arg k-\arg q.$$
#
# Hence $\varphi(k,m)=\varphi(q,m)$ for all $q$ and $k$. **The angle depends on the position
# alone:** call it $\varphi(m)$. (Angles are equal up to full turns, here and below.)

# %% [markdown] lang="zh" slide="show"
# ### 第二步：所有向量转同一个角度
#
# 于是$f(q,m)=q\,e^{\mathrm i\varphi(q,m)}$，只是角度也许还和$q$有关。在$n=m$处比较辐角
# （向量不为零）：
#
# $$\arg k+\varphi(k,m)-\arg q-\varphi(q,m)=\arg G(q,k,0)=\arg k-\arg q.$$
#
# 因此对所有$q$、$k$都有$\varphi(k,m)=\varphi(q,m)$。**角度只取决于位置**，记作$\varphi(m)$。
# （这里和下文，相差整数圈的角度算作相等。）

# %% [markdown] lang="en"
# ### Step 3: equal steps
#
# Put $n=m+1$ and compare arguments again:
#
# $$\varphi(m+1)-\varphi(m)=\arg G(q,k,1)-\arg k+\arg q.$$
#
# The right side does not contain $m$. So all steps are equal, say $\theta$. From $f(q,0)=q$ we have
# $\varphi(0)=0$, so the angles form an arithmetic progression, $\varphi(m)=m\theta$:
#
# $$f(q,m)=q\,e^{\mathrm im\theta}.$$
#
# **If queries and keys share one map, and the whole complex product depends on the distance alone,
# the only solution is to turn by an angle proportional to the position.** And it is a solution:
#
# $$\overline{q\,e^{\mathrm im\theta}}\,k\,e^{\mathrm in\theta}
# =\bar q\,k\,e^{\mathrm i(n-m)\theta}.$$
#
# (The dot product alone would allow one thing more: to mirror once per token, by
# $(a,b)\mapsto(a,-b)$ for instance. 5.3 shows what rules it out.)

# %% [markdown] lang="zh" slide="show"
# ### 第三步：每步转角相等
#
# 令$n=m+1$，再比较辐角：
#
# $$\varphi(m+1)-\varphi(m)=\arg G(q,k,1)-\arg k+\arg q.$$
#
# 右边不含$m$，所以每一步转过的角度都相等，记作$\theta$。又由$f(q,0)=q$得$\varphi(0)=0$，
# 于是角度成等差数列$\varphi(m)=m\theta$：
#
# $$f(q,m)=q\,e^{\mathrm im\theta}.$$
#
# **只要查询和键用同一个映射，而且整个复数乘积只取决于距离，
# 唯一的解就是转过一个与位置成正比的角度。** 它也确实是解：
#
# $$\overline{q\,e^{\mathrm im\theta}}\,k\,e^{\mathrm in\theta}
# =\bar q\,k\,e^{\mathrm i(n-m)\theta}.$$
#
# （如果只要求点积，还会多出一种解：每走一个词元作一次镜像反射，例如$(a,b)\mapsto(a,-b)$。
# 它为什么要排除，5.3节再说。）

# %% [markdown] lang="en" way="weekend"
# ### A check of the three steps
#
# The first three candidates break one step each, in order; the last turns by $m\theta$. The cell
# prints how far at most, in absolute value, $\overline{f(q,m)}\,f(k,m+3)$ gets from its value at
# $m=0$ while $m$ runs through 50 positions.

# %% [markdown] lang="zh"
# ### 验证这三步
#
# 四个候选里，前三个依次各违反一步，最后一个转过$m\theta$。
# 打印的是$m$走过50个位置时，$\overline{f(q,m)}\,f(k,m+3)$与$m=0$时之差的模，取最大的一个。

# %%
m, theta = torch.arange(50, dtype=torch.float64), 0.3
candidates = {
    "x (1 + 0.01m) exp(imθ)": lambda x, m: x * (1 + 0.01 * m) * torch.exp(1j * m * theta),
    "x exp(imθ|x|)": lambda x, m: x * torch.exp(1j * m * theta * x.abs()),
    "x exp(im²θ)": lambda x, m: x * torch.exp(1j * m**2 * theta),
    "x exp(imθ)": lambda x, m: x * torch.exp(1j * m * theta),
}
for name, f in candidates.items():
    products = f(z, m).conj() * f(w, m + 3)
    print(f"{name:22}: {(products - products[0]).abs().max():7.4f}")

# %% [markdown] lang="en" way="two_hours"
# ### In the plane, by hand
#
# In coordinates, multiplication by $e^{\mathrm i\alpha}$ is
# $(a,b)\mapsto(a\cos\alpha-b\sin\alpha,\;a\sin\alpha+b\cos\alpha)$. Write it.

# %% [markdown] lang="zh" slide="show"
# ### 在平面上动手转
#
# 写成坐标，乘以$e^{\mathrm i\alpha}$就是
# $(a,b)\mapsto(a\cos\alpha-b\sin\alpha,\;a\sin\alpha+b\cos\alpha)$。请写出来。


# %% exercise="rotate_pair"
def rotate_pair(x, angles):
    """Return the points turned anticlockwise, each by its own angle, shape (N, 2)."""
    ### BEGIN SOLUTION
    a, b = x[:, 0], x[:, 1]  # (N,)
    c, s = angles.cos(), angles.sin()
    return torch.stack((a * c - b * s, a * s + b * c), dim=-1)
    ### END SOLUTION


# %% check="rotate_pair"
check("rotate_pair", rotate_pair)

# %% [markdown] lang="en"
# Now see it, with the vectors $q$ and $k$ from the first cell of 5.2. The query is at position $m$,
# the key $r$ tokens later. Drag the position: both arrows turn. What does *not* change? Then, with
# $\theta=0.3$, drag the distance. At which two do the arrows point nearly the same way? Why two?

# %% [markdown] lang="zh" slide="show"
# 现在亲眼看一看，用的还是5.2节第一个代码单元格里的向量$q$和$k$。查询在位置$m$，
# 键在它之后$r$个词元处。拖动位置，两支箭头都在转，什么*没有*变？$\theta=0.3$时再拖动距离：
# 取哪两个值时，两支箭头几乎同向？为什么会有两个？


# %%
def f(x, m, theta):
    return x * torch.exp(1j * theta * torch.as_tensor(m))  # a complex number, like x


def plane(position=5, distance=-4, theta=0.3):
    query, key = f(z, position, theta), f(w, position + distance, theta)
    score = (query.conj() * key).real.item()
    apart = abs(math.degrees((query.conj() * key).angle()))
    r = torch.linspace(-20, 20, 401)
    return (
        Plane(
            [Arrow(torch.view_as_real(query), "q"), Arrow(torch.view_as_real(key), "k")],
            4,
            **label.pair(m=position, n=position + distance, apart=apart),
            circles=[abs(z), abs(w)],
            between=(0, 1),
        ),
        Curves(
            [Curve(r, (z.conj() * f(w, r, theta)).real), Curve([distance], [score], style="o")],
            **label.score(distance=distance, score=score),
            y_limits=(-8, 8),
        ),
    )


explore(plane, **label.plane, position=(0, 60), distance=(-20, 20), theta=[0.1, 0.3, 1.0])

# %% [markdown] lang="en"
# *Picture: left, two arrows from the origin, each on a dotted circle of its own, an arc from q to
# k. Right, the score against the distance, a cosine wave, with a dot at the chosen distance.*
#
# Dragging the position turns both arrows and the arc with them; lengths, angle and dot stay. The
# distance alone moves the key against the query, and the dot along the wave: the score is
# $|q|\,|k|$ times the cosine of the angle between them. With $\theta=0.3$ the arrows are 4° apart
# at distance 5 and 3° at −16: the two are 21 tokens apart, and a full turn takes
# $2\pi/\theta\approx20.9$. With $\theta=1$ a turn takes 6.3 tokens, so the wave has six peaks on
# the slider.

# %% [markdown] lang="zh"
# *图：左图是从原点出发的两支箭头，各在自己的虚线圆上，一段弧从q连到k；右图是得分随距离的变化，
# 一条余弦曲线，圆点标出所选的距离。*
#
# 拖动位置，两支箭头带着弧一起转，长度、夹角和圆点都不变。拖动距离，键才会相对查询转开，
# 圆点才会沿曲线移动，因为得分就是$|q|\,|k|$乘以夹角的余弦。$\theta=0.3$时，距离为5，夹角是4°；
# 距离为−16，夹角是3°。这两处相隔21个词元，而转一整圈要走$2\pi/\theta\approx20.9$个。
# $\theta=1$时，6.3个词元就转一圈，所以滑块范围内有六个峰。

# %% [markdown] lang="en" way="weekend"
# ## 5.3 From the plane to the head
#
# Real heads often have $D=64$ or 128 channels. Now we ask for the dot product alone, and assume
# nothing about $f$ but that it is one map for both and that $f(q,0)=q$.
#
# **Dot products are preserved.** Put $n=m$ in the requirement. The distance is then 0, so the score
# is what it is at $m=0$:
#
# $$\langle f(q,m),f(k,m)\rangle=g(q,k,0)=\langle q,k\rangle.$$
#
# **So the map is linear.** Take any $x,y$ and any numbers $a,b$, and multiply out
#
# $$\lVert f(ax+by,m)-a\,f(x,m)-b\,f(y,m)\rVert^2$$
#
# until only dot products of values of $f$ are left. Each equals the dot product of the vectors
# themselves; put those in, and what you get is $\lVert(ax+by)-ax-by\rVert^2=0$. Linearity
# comes free.

# %% [markdown] lang="zh" slide="show"
# ## 5.3 从平面到整个头
#
# 真实的头常有$D=64$或128个通道。现在只对点积提要求；
# 除了“同一个映射”和$f(q,0)=q$，对$f$不再作任何假设。
#
# **所有点积都不变。** 在要求里令$n=m$，距离为0，得分就等于$m=0$时的值：
#
# $$\langle f(q,m),f(k,m)\rangle=g(q,k,0)=\langle q,k\rangle.$$
#
# **所以映射是线性的。** 任取向量$x,y$和数$a,b$，把
#
# $$\lVert f(ax+by,m)-a\,f(x,m)-b\,f(y,m)\rVert^2$$
#
# 展开，其中$f$值之间的点积都等于原向量之间的点积，逐一代入，得到的正是
# $\lVert(ax+by)-ax-by\rVert^2=0$。线性是白送的。

# %% [markdown] lang="en"
# ### Four lines
#
# A linear map is a matrix: $f(q,m)=A_mq$. With $m=0$ the requirement says that the score at
# distance $r$ has a matrix too, $g(q,k,r)=q^\top B_rk$. For all $q,k$ it reads
#
# $$A_m^\top A_n=B_{n-m},\qquad A_0=I,$$
#
# and the rest follows line by line:
#
# 1. $m=0$: $A_n=B_n$, so $A_m^\top A_n=A_{n-m}$.
# 2. $n=m$: $A_m^\top A_m=I$. Every $A_m$ is orthogonal.
# 3. $n=m+1$: $A_m^\top A_{m+1}=A_1$, so $A_{m+1}=A_mA_1$ and $A_m=A_1^m$.
# 4. In a suitable orthonormal basis, an orthogonal matrix is block-diagonal: rotations of planes,
#    and single entries $\pm1$ (the real normal form).

# %% [markdown] lang="zh" slide="show"
# ### 矩阵形式：四步推完
#
# 线性映射就是矩阵：$f(q,m)=A_mq$。令$m=0$，可知距离$r$处的得分也由一个矩阵给出，
# $g(q,k,r)=q^\top B_rk$。要求对所有$q,k$成立，就是
#
# $$A_m^\top A_n=B_{n-m},\qquad A_0=I,$$
#
# 剩下的逐行就能推出来：
#
# 1. $m=0$：$A_n=B_n$，所以$A_m^\top A_n=A_{n-m}$。
# 2. $n=m$：$A_m^\top A_m=I$，每个$A_m$都是正交矩阵。
# 3. $n=m+1$：$A_m^\top A_{m+1}=A_1$，所以$A_{m+1}=A_mA_1$，$A_m=A_1^m$。
# 4. 选一组合适的标准正交基，正交矩阵就成了分块对角的：若干平面旋转，
#    加上单个的$\pm1$（实正交矩阵的标准形）。

# %% [markdown] lang="en"
# Try it in a cell: a random orthogonal $A$ of determinant 1 (no blocks in sight), its powers as
# positions. The score of a random query and key depends on the distance alone, since an orthogonal
# $A$ has $(A^m)^\top A^n=A^{n-m}$. What absolute values do the six eigenvalues of $A$ have, and how
# are their angles related?

# %% [markdown] lang="zh" slide="show"
# 用代码试一遍。随机取一个行列式为1的正交矩阵$A$（看不出任何分块），用它的幂表示位置，
# 再随机取查询和键，得分只取决于距离，因为$A$正交时$(A^m)^\top A^n=A^{n-m}$。
# 那么$A$的六个特征值，模各是多少？辐角之间又有什么关系？

# %%
rng = torch.Generator().manual_seed(0)
S = torch.randn(6, 6, generator=rng, dtype=torch.float64)
A = torch.linalg.matrix_exp(S - S.T)  # orthogonal, determinant 1
q, k = torch.randn(2, 6, generator=rng, dtype=torch.float64)
at = [torch.linalg.matrix_power(A, p) for p in range(60)]
scores = torch.stack([(at[m] @ q) @ (at[m + 3] @ k) for m in range(50)])
print("scores = scores[0]:", torch.allclose(scores, scores[0]))
eigenvalues = torch.linalg.eigvals(A)
print("eigenvalues.abs():", [round(x, 6) for x in eigenvalues.abs().tolist()])
print("eigenvalues.angle():", sorted(round(x, 3) for x in eigenvalues.angle().tolist()))

# %% [markdown] lang="en"
# All eigenvalues lie on the unit circle, and their angles come in pairs $\pm\theta_i$: three
# planes, each turning by its own angle per token. The basis can be left to $W_Q$ and $W_K$, which
# are learned anyway.
#
# What of step 4's single $\pm1$? Two $+1$ are a plane that stands still, two $-1$ a half turn. A
# $-1$ left alone is the mirror of 5.2: at integer positions it is a solution too. Positions between
# two tokens, which chapter 6 uses, rule it out, since $A_1=A_{1/2}^2$ has determinant 1. What
# remains to be chosen is the angles. **RoPE is this general solution with one choice of angles.**

# %% [markdown] lang="zh" slide="show"
# 特征值全在单位圆上，辐角两两成对，$\pm\theta_i$：也就是三个平面，每走一个词元各转各的角度。
# 选哪组基可以交给$W_Q$和$W_K$，反正它们是学出来的。
#
# 第4步里那些单个的$\pm1$呢？两个$+1$合成一个不动的平面，两个$-1$是转半圈。
# 落单的$-1$就是5.2节说的镜像，位置都是整数时，它也是解。
# 不过第6章要用到落在两个词元之间的位置，这就排除了它，
# 因为$A_1=A_{1/2}^2$的行列式为1。剩下要选的只有角度。**RoPE就是这个一般解，再选定一组角度。**

# %% [markdown] lang="en" way="everything"
# ### Two maps: much more is possible
#
# All of this needed one map for queries and keys. Allow two, and any invertible matrix $M$ will do:
#
# $$f_q(q,m)=(M^{-m})^\top q,\qquad f_k(k,n)=M^{n}k,\qquad
# \langle f_q(q,m),f_k(k,n)\rangle=q^\top M^{-m}M^{n}k=q^\top M^{n-m}k.$$
#
# No rotation, and lengths may grow and shrink. In the cell, a random $M$, used for both sides alike
# and then in this way, with $m=0,1,5,9$. The formula promises that the score in the second line
# stays. The first line changes: by a few percent, or many times over?

# %% [markdown] lang="zh"
# ### 用两个映射，解就多得多
#
# 以上推导都要求查询和键用同一个映射。允许用两个的话，任取一个可逆矩阵$M$就行：
#
# $$f_q(q,m)=(M^{-m})^\top q,\qquad f_k(k,n)=M^{n}k,\qquad
# \langle f_q(q,m),f_k(k,n)\rangle=q^\top M^{-m}M^{n}k=q^\top M^{n-m}k.$$
#
# 这里没有旋转，向量的长度也会变。单元格里随机取一个$M$，先让两边都用它，再按上式来用，
# $m=0,1,5,9$。上式保证第二行的得分不变；第一行会变，是变百分之几，还是变好几倍？

# %%
rng = torch.Generator().manual_seed(2)
M = torch.randn(6, 6, generator=rng, dtype=torch.float64) / 2  # not orthogonal
power = torch.linalg.matrix_power
for name, back in (("Mᵐq", M), ("(M⁻ᵐ)ᵀq", M.inverse().T)):
    scores = [(power(back, m) @ q) @ (power(M, m + 3) @ k) for m in (0, 1, 5, 9)]
    print(f"{name:8}:", *(f"{score:8.2f}" for score in scores))

# %% [markdown] lang="en"
# With $M$ on both sides the size of the score first falls from 5 to 4, and at $m=9$ is twelve times
# what it was; with two maps it stays.
#
# xPos (Sun et al. 2023) uses two maps. Besides the rotation, queries are multiplied by
# $\zeta^{\,m/512}$ and keys by $\zeta^{-n/512}$, with its own $0<\zeta<1$ for each pair, so that
# pairs count less the further back the key is. The formula shows the price: the factor on the keys
# grows with the position, that on the queries shrinks. The smallest $\zeta$ is about 0.286, so the
# factor on the keys passes 65504, the largest number of float16, near position 4500.
#
# With one map for both nothing can grow: what is left is turning (and, at integer positions,
# mirrors). So "one map" is a choice, and for good reasons: lengths stay, nothing overflows, one
# function serves both. (The methods of chapters 4 and 7, which put the distance into the score and
# leave $q$ and $k$ alone, lie outside all this.)

# %% [markdown] lang="zh"
# 两边都用$M$，得分的绝对值先从5降到4，到$m=9$时已是原来的十二倍；用两个映射，就不变了。
#
# xPos（Sun等，2023）用的就是两个映射：旋转之外，查询再乘$\zeta^{\,m/512}$，键再乘$\zeta^{-n/512}$，
# 每一对各有一个$0<\zeta<1$，于是键越早，各对的贡献就越小。代价从式子里就看得出来：一边缩小，
# 另一边就随位置放大。最小的$\zeta$约为0.286，键上的因子到位置4500附近就超过65504，
# 即float16能表示的最大数。
#
# 两边用同一个映射，就谁也不能放大，只剩下转（位置都是整数时，还有镜像）。所以“同一个映射”
# 是一种选择，理由很充分：长度不变，不会溢出，代码也只有一份。
# （第4章和第7章的方法把距离直接写进得分，根本不动$q$和$k$，更不在这个结论之内。）

# %% [markdown] lang="en" way="two_hours"
# ## 5.4 The angles
#
# *Rotary position embedding* (RoPE) turns each of the $D/2$ pairs of a head with $D$ channels in a
# plane of its own. The score adds up the pairs, so it too depends on the distance alone. RoPE takes
# the frequencies of chapter 2: pair $i$ turns by $\omega_i=\text{base}^{-2i/D}$ radians per token
# (the paper writes $\theta_i$ and counts from 1). An odd $D$ leaves a channel without a partner, so
# $D$ must be even. (The base is called `rope_theta` in configs.)

# %% [markdown] lang="zh" slide="show"
# ## 5.4 角度
#
# *旋转位置编码*（rotary position embedding，RoPE）把一个头的$D$个通道分成$D/2$对，
# 每一对在自己的平面里转。得分是各对之和，所以同样只取决于距离。
# 频率沿用第2章的：每走一个词元，第$i$对通道转$\omega_i=\text{base}^{-2i/D}$弧度
# （论文记作$\theta_i$，从1数起）。这里的base也叫底数，配置文件里写作`rope_theta`。
# $D$为奇数时会剩下一个没有同伴的通道，所以$D$必须是偶数。


# %% exercise="rope_pair_angles" way="weekend"
def rope_pair_angles(positions, dim, base=10000.0):
    """Return the angle of every position and pair in float64 radians, shape (L, dim/2)."""
    ### BEGIN SOLUTION
    i = torch.arange(dim // 2, dtype=torch.float64)
    return positions.double()[:, None] * base ** (-2 * i / dim)  # (L, dim/2)
    ### END SOLUTION


# %% check="rope_pair_angles"
check("rope_pair_angles", rope_pair_angles)

# %% [markdown] lang="en"
# Each pair is a clock again, with one hand for the query and one for the key. In a head, a hand's
# length and starting angle come from the word; here every hand has length 1 and, as in chapter 2,
# starts at twelve and turns clockwise (the formulas turn anticlockwise, by the same angles). Drag
# the position far: which pairs come round, which hardly move? With a larger base, which slow down?

# %% [markdown] lang="zh" slide="show"
# 每一对又是一只钟，查询和键各一根指针。在头里，指针的长度和初始角由词决定；图中为看清转角，
# 每根指针长度都画成1，和第2章一样从十二点出发，顺时针转（公式里是逆时针，转角相同）。
# 把位置拖远，哪些对转了好几圈，哪些几乎不动？再把base调大，哪些对慢了下来？


# %%
def hands(position=20, distance=-5, base=10000.0):
    omega = frequencies(16, base=base)  # (8,)
    turned = rope_angles(torch.tensor([position, position + distance]), omega)  # (2, 8)
    names = [f"ω={w:.2g}" for w in omega.tolist()]
    title = label.eight_pairs.format(m=position, n=position + distance)
    return Clocks(turned, names, title, hands=(label.query, label.key))


explore(
    hands, **label.hands, position=(0, 300), distance=(-50, 50), base=[100.0, 10000.0, 500000.0]
)

# %% [markdown] lang="en"
# *Picture: eight circles with two hands each; on the left they spin, on the right they crawl.*
#
# At six tokens the first pair has turned 6 radians, 16° short of a full turn. By position 300 the
# first four pairs have come round, while the last has turned 5°. The fast (high-frequency) pairs
# tell neighbours apart, the slow (low-frequency) ones paragraphs. A larger base slows all but the
# first; chapter 6 uses that.

# %% [markdown] lang="zh"
# *图：八个圆，各有两根指针；左边转得飞快，右边几乎不动。*
#
# 隔6个词元，第一对转了6弧度，离一整圈只差16°。到位置300，前四对都转满过一圈，最后一对才转了5°。
# 高频对分辨相邻的词元，低频对分辨相隔很远的段落。base越大，除第一对外全都越慢，
# 第6章就在这上面做文章。

# %% [markdown] lang="en" way="two_hours"
# ## 5.5 The block-diagonal matrix, and never building it
#
# With neighbours in pairs, position $m$ multiplies by
#
# $$R_m=\operatorname{diag}\left(\begin{bmatrix}\cos m\omega_0&-\sin m\omega_0\\
# \sin m\omega_0&\cos m\omega_0\end{bmatrix},\dots\right),\qquad R_m^\top R_n=R_{n-m}.$$
#
# The identity holds because $R_m^\top=R_{-m}$ (the transpose of a rotation is its inverse), and
# angles add. Hence $(R_mq)^\top(R_nk)=q^\top R_{n-m}k$. Watch the order of $m$ and $n$; the cell
# compares it with a common misprint. (From 5.8 on, code mostly pairs channel $i$ with $i+D/2$,
# `layout="half"`: the same rotations, the channels in another order.)

# %% [markdown] lang="zh" slide="show"
# ## 5.5 分块对角矩阵：写得出，但不必真去构造
#
# 相邻两个为一对时，位置$m$乘的矩阵是
#
# $$R_m=\operatorname{diag}\left(\begin{bmatrix}\cos m\omega_0&-\sin m\omega_0\\
# \sin m\omega_0&\cos m\omega_0\end{bmatrix},\dots\right),\qquad R_m^\top R_n=R_{n-m}.$$
#
# 等式成立，是因为$R_m^\top=R_{-m}$（旋转矩阵的转置就是它的逆），而角度可以相加。
# 于是$(R_mq)^\top(R_nk)=q^\top R_{n-m}k$。$m$和$n$的次序不能写反，下面拿它与一种常见的误写比一比。
# （从5.8节起，代码多把$i$与$i+D/2$配成一对，即`layout="half"`：旋转相同，只是通道次序不同。）


# %%
def matrix(p):
    return rotation_matrix(p, 8, layout="interleaved", dtype=torch.float64)


picture(
    Matrix(
        matrix(1)[:6, :6],
        rows=[str(i) for i in range(6)],
        columns=[str(i) for i in range(6)],
        **label.blocks(),
        limits=(-1, 1),
        colours="RdBu_r",
    )
)
for r in (-2, 2):
    print(f"max |R(5)ᵀR(3) − R({r:+})| = {(matrix(5).T @ matrix(3) - matrix(r)).abs().max():.2f}")

# %% [markdown] lang="en"
# *Picture: a 6 × 6 matrix with three 2 × 2 blocks on the diagonal, all else 0.* Multiplying by it
# would cost $D^2$ per token, though only $2D$ entries are not zero. So compute pair by pair:
# four multiplications and two additions for two channels.

# %% [markdown] lang="zh" slide="show"
# *图：6×6的矩阵，对角线上有三个2×2的块，其余为0。* 真用它去乘，每个词元要$D^2$次乘法，
# 而不为零的元素只有$2D$个。所以实际上是一对一对地算，每两个通道四次乘法、两次加法。


# %% exercise="rope_interleaved"
def rope_interleaved(x, angles):
    """Return x with neighbours (2i, 2i+1) turned by angles[:, i], shape (B, H, L, D)."""
    ### BEGIN SOLUTION
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)  # (L, D/2)
    a, b = x[..., 0::2], x[..., 1::2]  # (B, H, L, D/2)
    pairs = torch.stack((a * c - b * s, a * s + b * c), dim=-1)  # (B, H, L, D/2, 2)
    return pairs.flatten(-2)
    ### END SOLUTION


# %% check="rope_interleaved"
check("rope_interleaved", rope_interleaved)

# %% [markdown] lang="en"
# Two consequences, measured below: a rotation keeps every norm, however late the token; and moving
# the whole text leaves all scores as they are.

# %% [markdown] lang="zh"
# 由此有两个推论，下面实测。旋转不改变范数，词元再靠后也一样；整段文本平移，所有得分都不变。

# %%
rng = torch.Generator().manual_seed(0)
q, k = torch.randn(2, 1, 1, 12, 64, generator=rng, dtype=torch.float64)  # (B, H, L, D)


def scores_from(start):
    angles = rope_angles(torch.arange(start, start + 12), frequencies(64))  # (12, 32)
    turned = [rotate(x, angles, layout="interleaved") for x in (q, k)]
    return turned[0] @ turned[1].mT / 8


far = rotate(q, rope_angles(torch.arange(12) + 5000, frequencies(64)), layout="interleaved")
print("‖far‖ = ‖q‖:", torch.allclose(far.norm(dim=-1), q.norm(dim=-1)))
same = torch.allclose(scores_from(5000), scores_from(0), rtol=0, atol=1e-9)
print("|scores_from(5000) - scores_from(0)| ≤ 1e-9:", same)

# %% [markdown] lang="en" way="weekend"
# ## 5.6 Two layouts
#
# Which channels form a pair is a convention. RoFormer, GPT-J and Meta's Llama code pair
# *neighbours* (interleaved, or GPT-J style). GPT-NeoX and Hugging Face's Llama pair channel $i$
# with $i+D/2$ (half-split, or NeoX style, the one of `rotate_half`).

# %% [markdown] lang="zh"
# ## 5.6 两种排布：谁和谁配成一对
#
# 哪两个通道为一对，只是约定。RoFormer、GPT-J和Meta的Llama代码让*相邻*两个为一对，
# 叫交错排布（interleaved，也叫GPT-J式）。GPT-NeoX和Hugging Face的Llama让通道$i$与$i+D/2$为一对，
# 叫前后半排布（half-split，也叫NeoX式，就是`rotate_half`那一种）。


# %% exercise="rope_half"
def rope_half(x, angles):
    """Return x with channels i and i + D/2 turned by angles[:, i], shape (B, H, L, D)."""
    ### BEGIN SOLUTION
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)  # (L, D/2)
    a, b = x.chunk(2, dim=-1)  # (B, H, L, D/2)
    return torch.cat((a * c - b * s, a * s + b * c), dim=-1)
    ### END SOLUTION


# %% check="rope_half"
check("rope_half", rope_half)

# %% [markdown] lang="en"
# Take one layout for the other, and no shape, norm or error will warn you. How far off are the
# scores? Their standard deviation is $\sigma\approx1$. Rotate the same queries and keys both ways:
# what is the largest difference?

# %% [markdown] lang="zh" slide="show"
# 把一种排布误作另一种，形状对，范数也对，没有任何报错会提醒你。得分会差多少？
# 把同样的查询和键按两种方式各转一遍，得分的标准差$\sigma\approx1$，两种得分最多差多少？

# %% tags=["predict"]
angles = rope_angles(torch.arange(12), frequencies(64))
in_layout = {}
for layout in ("interleaved", "half"):
    turned = [rotate(x, angles, layout=layout) for x in (q, k)]
    in_layout[layout] = turned[0] @ turned[1].mT / 8
difference = (in_layout["half"] - in_layout["interleaved"]).abs().max()
print(f"σ = {in_layout['half'].std():.1f}, max |Δ| = {difference:.1f}")

# %% [markdown] lang="en"
# Off by up to $2.5\sigma$: enough to turn a middling score into a very high or a very low one.

# %% [markdown] lang="zh"
# 最多差到$2.5\sigma$：足以让一个中等的得分变得很高或很低。

# %% [markdown] lang="en" way="everything"
# ### Converting a checkpoint
#
# The scores do not depend on *where* a pair lies, as long as query and key agree. So a model
# trained with one layout runs in the other once the output rows of $W_Q$ and $W_K$ are reordered,
# inside each head (rows as `nn.Linear` stores them, one for each output channel; and with them,
# where a model has any, their biases and the gains of QK-norm, 5.8). This is what the conversion
# script of Llama does. $W_V$ stays: values are not rotated.

# %% [markdown] lang="zh"
# ### 转换checkpoint：两种排布互换
#
# 只要查询和键一致，一对通道放在*哪里*并不影响得分。所以按一种方式训练的模型，
# 只要在每个头之内把$W_Q$和$W_K$的输出行（按`nn.Linear`的存法，一行对应一个输出通道）重排一下，
# 就能换另一种方式来跑。若有偏置，或有QK-norm的gain（5.8节），要一起重排。
# Llama的转换脚本做的就是这件事。$W_V$不用动，因为值不旋转。


# %% exercise="rope_checkpoint"
def rope_checkpoint(weight, heads):
    """Return the rows of an interleaved q or k projection in half-split order, (heads * D, d)."""
    ### BEGIN SOLUTION
    rows, width = weight.shape
    pairs = weight.reshape(heads, rows // heads // 2, 2, width)  # (heads, D/2, 2, d)
    return pairs.transpose(1, 2).reshape(rows, width)
    ### END SOLUTION


# %% check="rope_checkpoint"
check("rope_checkpoint", rope_checkpoint)

# %% [markdown] lang="en" way="weekend"
# ## 5.7 What a head sees at a distance
#
# Write out $q^\top R_rk$ pair by pair, and collect the terms in $\cos r\omega_i$ and
# $\sin r\omega_i$: each pair has two coefficients, and neither contains the distance. So the score
# at *every* distance follows from the two vectors, without rotating anything. What are the two
# coefficients?

# %% [markdown] lang="zh"
# ## 5.7 一个头在不同距离上看到什么
#
# 把$q^\top R_rk$一对一对写开，按$\cos r\omega_i$和$\sin r\omega_i$合并，每一对只剩下两个数，
# 都与距离无关。所以不必真的旋转，由两个向量就能直接得到*任何*距离上的得分。是哪两个数？


# %% exercise="rope_score"
def rope_score(q, k, distances, base=10000.0):
    """Return the score of q and k (not rotated) at each distance key − query, shape (N,)."""
    ### BEGIN SOLUTION
    omega = base ** (-torch.arange(0, len(q), 2, dtype=torch.float64) / len(q))  # (D/2,)
    angles = distances[:, None] * omega  # (N, D/2)
    dot = q[0::2] * k[0::2] + q[1::2] * k[1::2]  # (D/2,)
    cross = q[0::2] * k[1::2] - q[1::2] * k[0::2]
    return (dot * angles.cos() - cross * angles.sin()).sum(-1)
    ### END SOLUTION


# %% check="rope_score"
check("rope_score", rope_score)

# %% [markdown] lang="en"
# Each pair contributes its dot product times a cosine, minus its cross product times a sine:
#
# $$s(r)=\sum_i\bigl[(q_{2i}k_{2i}+q_{2i+1}k_{2i+1})\cos r\omega_i
# -(q_{2i}k_{2i+1}-q_{2i+1}k_{2i})\sin r\omega_i\bigr].$$
#
# The simplest case is $q=k$, all ones: every cross product is 0, and the score is
# $2\sum_i\cos r\omega_i$. It is largest at distance 0, and the picture shows it divided by that.
# Choose dimension and base, and see where it first rises again.

# %% [markdown] lang="zh" slide="show"
# 每一对贡献的是点积乘余弦，减去叉积乘正弦：
#
# $$s(r)=\sum_i\bigl[(q_{2i}k_{2i}+q_{2i+1}k_{2i+1})\cos r\omega_i
# -(q_{2i}k_{2i+1}-q_{2i+1}k_{2i})\sin r\omega_i\bigr].$$
#
# 最简单的情形是$q=k$且全为1，这时叉积都是0，得分是$2\sum_i\cos r\omega_i$，在距离0处最大，
# 图里画的是它与这个最大值之比。换一换维度和base，看它降到哪里第一次回升。


# %%
def decay(dim=128, base=10000.0, reach=200):
    r = torch.arange(reach + 1)
    s = rope_angles(r, frequencies(dim, base=base)).cos().mean(-1)  # 1 at distance 0
    rises = (s[1:] > s[:-1]).nonzero().flatten() + 1
    return Curves(
        Curve(r, s),
        **label.falling(rises=len(rises), reach=reach, first=rises[0]),
        y_limits=(-0.6, 1.05),
        vlines=[rises[0].item()],
    )


explore(decay, **label.decay, dim=[16, 64, 128], base=[100.0, 10000.0, 500000.0], reach=(50, 2047))

# %% [markdown] lang="en"
# *Picture: a curve that starts at 1, drops within a few tokens, then ripples around a slowly
# falling level; a dashed line marks the first rise.*
#
# With $D=128$ and base 10000 the first rise is from distance 11 to 12. With base 500000 it is at 12
# again (the whole curve is higher), with base 100 at 19. Fewer channels bring it nearer: to 6 with
# $D=64$ and base 10000. Set the largest distance to 2047: about half of all steps go up. With
# $D=16$, base 10000 again, the curve is back at 0.81 at distance 6, and above 0.7 for the last time
# at 182. The RoFormer paper says that scores decay with distance; what it proves is an upper bound
# (on the way "everything": the bound, in full). So what does decay?

# %% [markdown] lang="zh"
# *图：曲线从1开始，几个词元之内就降下来，此后绕着一条缓缓下降的线上下起伏；虚线标出第一次回升。*
#
# $D=128$、base为10000时，第一次回升是从11到12个词元。base换成500000，还是在12，只是整条曲线更高；
# base为100时推迟到19。通道少了则提前，$D=64$、base为10000时在6。最大距离拖到2047，约一半的步回升；
# 这时$D=16$、base为10000的曲线在距离6处就回到0.81，最后一次高于0.7在182处。
# RoFormer论文说得分随距离衰减，证明的却只是一个上界（“全部”路线的“完整的上界”一节）。
# 那么，衰减的究竟是什么？

# %% [markdown] lang="en" way="weekend"
# ### The law of decay
#
# Under the ripples there is a law. **Count the pairs that have hardly turned.** Where
# $r\omega_i\ll1$ the cosine is still about 1; where $r\omega_i\gg1$ the pairs point in all
# directions and average to nothing. So the mean is about the share of the first kind. Write $b$ for
# the base and $\omega=b^{-u}$, where $u=2i/D$ runs from 0 to 1. The border $r\,b^{-u}=1$ lies at
# $u=\ln r/\ln b$, so of all pairs the slower ones, with a larger $u$, make up the share
#
# $$1-\frac{\ln r}{\ln b},$$
#
# one half, for instance, at $r=100$ and $b=10000$.

# %% [markdown] lang="zh" slide="show"
# ### 远程衰减：一条对数律
#
# 起伏之下藏着一条规律。**数一数还没怎么转的对。** $r\omega_i\ll1$时，余弦仍约为1；
# $r\omega_i\gg1$时，各对朝哪个方向的都有，平均下来等于没有。所以平均值大致就是前一种对所占的比例。
# 记base为$b$，$\omega=b^{-u}$，$u=2i/D$从0到1。分界$r\,b^{-u}=1$落在$u=\ln r/\ln b$处，
# 频率比分界更低（$u$更大）的对，占全部的比例是
#
# $$1-\frac{\ln r}{\ln b},$$
#
# 例如$r=100$、$b=10000$时正好一半。

# %% [markdown] lang="en"
# The border is not sharp: near it the cosine goes down gradually. For many pairs the sum becomes an
# integral (substitute $t=r\,b^{-u}$), and the gradual border takes off another $\gamma/\ln b$,
# where $\gamma\approx0.577$ is Euler's constant:
#
# $$\frac2D\sum_i\cos r\omega_i\approx\int_0^1\cos(r\,b^{-u})\,du
# =\frac{\mathrm{Ci}(r)-\mathrm{Ci}(r/b)}{\ln b}\approx1-\frac{\ln r+\gamma}{\ln b}
# \qquad(1\ll r\ll b).$$
#
# Here $\mathrm{Ci}$ is the cosine integral: $\mathrm{Ci}(x)\approx\gamma+\ln x$ for small $x$, and
# about 0 for large $x$. Over $\ln r$ this is a straight line: each factor of ten costs $2.3/\ln b$,
# less with a larger base. The line meets 0 near $r=0.56\,b$, at 5600 tokens for base 10000, at
# 280000 for 500000. The ripples take the mean itself below 0 sooner: a little, or much?

# %% [markdown] lang="zh" slide="show"
# 分界并不是一刀切，余弦在它附近是逐渐降下来的。通道对很多时，求和近似为积分（换元$t=r\,b^{-u}$）；
# 算上分界附近的渐变，还要再减去$\gamma/\ln b$（$\gamma\approx0.577$是欧拉常数）：
#
# $$\frac2D\sum_i\cos r\omega_i\approx\int_0^1\cos(r\,b^{-u})\,du
# =\frac{\mathrm{Ci}(r)-\mathrm{Ci}(r/b)}{\ln b}\approx1-\frac{\ln r+\gamma}{\ln b}
# \qquad(1\ll r\ll b).$$
#
# 其中$\mathrm{Ci}$是余弦积分，$x$很小时$\mathrm{Ci}(x)\approx\gamma+\ln x$，$x$很大时约为0。
# 以$\ln r$为横轴，这就是一条直线，距离每扩大到十倍，就降低$2.3/\ln b$，base越大越平。
# 直线在$r=0.56\,b$附近降到0：base为10000时约在5600个词元处，为500000时约在280000处。
# 余弦的平均值带着起伏，会更早降到0以下：早一点，还是早得多？

# %% tags=["predict"]
r = torch.logspace(0.5, 5, 451)  # with 100, 1000 and 10000
lines = []
for colour, base in enumerate((10000.0, 500000.0)):
    omega = frequencies(128, base=base)
    mean = rope_angles(r, omega).cos().mean(-1)
    law = 1 - (r.log() + 0.5772) / math.log(base)
    lines += [
        Curve(r, mean, f"base {base:.0f}", style="-", colour=colour),
        Curve(r, law, label.its_law, style="--", colour=colour),
    ]
    for distance in (100, 1000, 10000):
        i = (r - distance).abs().argmin()
        print(f"b = {base:6.0f}, r = {distance:5}: mean {mean[i]:5.2f}, law {law[i]:5.2f}")
    below = rope_angles(torch.arange(20000), omega).cos().mean(-1) < 0
    print(f"b = {base:6.0f}: min {{r: mean < 0}} = {below.nonzero()[0].item()}")
picture(Curves(lines, **label.law(), x_scale="log", y_limits=(-0.4, 1.05)))

# %% [markdown] lang="en"
# *Picture: two wavy curves that fall along two straight dashed lines over a logarithmic axis.*
#
# Much sooner: the mean is first below 0 at 1707 tokens, not 5600, and at 18438, not 280000 (which
# is outside the picture).
#
# To choose the base by the point where the mean falls below 0 is the idea of Men et al. (2024,
# [arXiv:2405.14591](https://arxiv.org/abs/2405.14591)), which chapter 6 uses. For $r\gg b$ even the
# slowest pair has turned many times, and the mean wanders about 0.
#
# This is one reason why long-context models raise the base: far keys that *resemble* the query keep
# an advantage for longer. It says nothing about keys that do not: for independent random $q$ and
# $k$ the mean score is 0 at every distance (5.11). (The integral: Su Jianlin, further reading.)

# %% [markdown] lang="zh"
# *图：余弦的平均随距离的变化，横轴取对数，两条起伏的曲线各沿一条虚线直线下降。*
#
# 早得多：平均值第一次低于0，分别是在1707和18438处，而不是5600和280000（后者已在图外）。
#
# 按平均值首次低于0的位置来选base，出自Men等（2024，
# [arXiv:2405.14591](https://arxiv.org/abs/2405.14591)），第6章会用到。$r\gg b$时，
# 频率最低的一对也已转过许多圈，平均值便在0附近徘徊。
#
# 长上下文模型把base调大，这是原因之一：与查询*相像*的键，优势能保持到更远的距离。
# 至于不相像的键，这条对数律什么也没说：独立随机的$q$和$k$在任何距离上的平均得分都是0（5.11节）。
# 积分的写法见苏剑林的《科学空间》（延伸阅读）。

# %% [markdown] lang="en" way="everything"
# ### The bound, in full
#
# Let $h_i=\bar q_i k_i$ be the complex product of pair $i$. The score $s(r)$ is the real part of
# $\sum_ih_ie^{\mathrm ir\omega_i}$. With $S_j=\sum_{i<j}e^{\mathrm ir\omega_i}$ we have
# $e^{\mathrm ir\omega_i}=S_{i+1}-S_i$. As $S_0=0$, and with $h_{D/2}=0$ put at the end, summation
# by parts moves the difference over to $h$:
#
# $$\sum_{i=0}^{D/2-1}h_i(S_{i+1}-S_i)=-\sum_{i=0}^{D/2-1}S_{i+1}(h_{i+1}-h_i).$$
#
# Take absolute values, put the largest difference in place of each, and the bound is there:
#
# $$|s(r)|\le\max_i|h_{i+1}-h_i|\;\sum_{j=1}^{D/2}|S_j(r)|.$$
#
# The paper (§3.4.3, eq. 35–37) proves this inequality. That the second factor falls it does not
# prove: it *plots* it, averaged over $j$.

# %% [markdown] lang="zh"
# ### 完整的上界
#
# 令$h_i=\bar q_i k_i$为第$i$对的复数乘积，得分$s(r)$就是$\sum_ih_ie^{\mathrm ir\omega_i}$的实部。
# 令$S_j=\sum_{i<j}e^{\mathrm ir\omega_i}$，则$e^{\mathrm ir\omega_i}=S_{i+1}-S_i$。
# 由于$S_0=0$，末尾再补上$h_{D/2}=0$，分部求和就把差分移到了$h$上：
#
# $$\sum_{i=0}^{D/2-1}h_i(S_{i+1}-S_i)=-\sum_{i=0}^{D/2-1}S_{i+1}(h_{i+1}-h_i).$$
#
# 两边取模，再把每个差分都换成其中最大的一个，就得到上界：
#
# $$|s(r)|\le\max_i|h_{i+1}-h_i|\;\sum_{j=1}^{D/2}|S_j(r)|.$$
#
# 论文（§3.4.3，式35–37）证明的是这个不等式。至于第二个因子会下降，论文并没有证明，
# 只是把它对$j$的平均*画*了出来。

# %%
omega, r = frequencies(128), torch.arange(1, 2001)
turns = torch.exp(1j * r[:, None] * omega)  # (N, 64)
bound = turns.cumsum(-1).abs().mean(-1)  # mean over j of |S_j|
score = turns.real.mean(-1) * 64  # q = k = (1, 0, 1, 0, …): every h_i = 1
rng = torch.Generator().manual_seed(0)
h = torch.randn(64, generator=rng, dtype=torch.complex128)
left = (h * turns).sum(-1).real.abs()
right = (h - F.pad(h[1:], (0, 1))).abs().max() * turns.cumsum(-1).abs().sum(-1)
print("|s(r)| ≤ max |Δh| Σ |S_j|, r ≤ 2000:", bool((left <= right).all()))
picture(
    Curves(Curve(r, bound), **label.bound(), y_limits=(0, 35)),
    Curves(Curve(r, score), **label.equal_vectors(), y_limits=(-5, 70)),
)

# %% [markdown] lang="en"
# *Picture: two curves over distances up to 2000. Left, the mean falls from above 30 to about 5, in
# ripples. Right, the score of $q=k$ with all $h_i=1$ falls from 62, in larger ripples: over the
# last 300 distances it runs between −2 and 17, on average 7.* The law agrees: at 2000 it gives
# $64\times0.11\approx7$. Even the bound is not monotone. And below it content decides: a key that
# looks like the query *already turned by 1000 tokens* has its peak at distance −1000.

# %% [markdown] lang="zh"
# *图：距离到2000的两条曲线。左图的平均从30多降到5左右，带着起伏；右图是$q=k$且处处$h_i=1$时的得分，
# 从62起下降，起伏更大，最后300个距离上在−2和17之间来回，平均约7。* 这与对数律相符：它在2000处给出
# $64\times0.11\approx7$。连上界也不是单调的。上界之下全由内容决定：
# 如果某个键恰好长得像*转过1000个词元之后*的查询，得分的峰值就落在距离−1000处。

# %%
rng = torch.Generator().manual_seed(0)
q = torch.randn(128, generator=rng, dtype=torch.float64)
k = rotation_matrix(1000, 128, layout="interleaved", dtype=torch.float64) @ q
pairs = torch.view_as_complex(q.view(-1, 2)).conj() * torch.view_as_complex(k.view(-1, 2))
distances = torch.arange(-2000, 1)
s = (pairs * torch.exp(1j * distances[:, None] * omega)).sum(-1).real
print(f"max s = s({distances[s.argmax()]}) = {s.max():.0f}")
print(f"s(0) = {s[-1]:.0f}")

# %% [markdown] lang="en" way="weekend"
# ### What a trained head sees
#
# Equal vectors are one case; what does a **trained** head see? A small model with RoPE was trained
# on 128 bytes of text at a time (chapter 14 takes it apart). On text that the model never saw, the
# cell takes the mean score of each head at each distance up to 63. Softmax sees differences of
# scores only, so the cell prints how far below the head's highest mean score the others lie. For
# comparison, the first line has $q=k$, all ones, with the 16 channels of these heads. Guess: at
# which distance does a head score highest? How much lower is its score at 0, and how much lower on
# average from 10 bytes on? These are the columns; the last counts the rises among the 63 steps.

# %% [markdown] lang="zh" slide="show"
# ### 训练好的头看到什么
#
# 相等的向量只是一种情形，**训练好的**头又怎样？这里有一个用RoPE的字节级小模型，训练时每段128个字节
# （第14章会拆开看）。让它读没见过的文本，对每个头，把同一距离上的得分取平均，距离到63为止。
# softmax只看得分之差，所以打印的是比最高的那个低多少。第一行是同样16个通道、$q=k$且全为1的情形。
# 先猜：一个头在哪个距离上得分最高？距离0处低多少？从距离10起平均低多少？这就是前三列，
# 最后一列是63步里回升的步数。

# %% tags=["predict"]
record, rows = [], text_part("test").unfold(0, 128, 128)[:16]
with torch.no_grad():
    glass("text", "rope")(rows, record=record)  # each layer's attention, as it is computed
means = {"q = k": 4 * rope_angles(torch.arange(64), frequencies(16)).cos().mean(-1)}
for layer, attention in enumerate(record):
    for head, scores in enumerate(attention.scores.unbind(1)):  # (rows, 128, 128)
        diagonals = [scores.diagonal(-back, -2, -1) for back in range(64)]
        means[f"layer {layer}, head {head}"] = torch.stack([x.mean() for x in diagonals])
print(f"{'':15} argmax   r = 0  r ≤ -10     ↑")
for name, mean in means.items():
    below, rises = mean - mean.max(), (mean[1:] > mean[:-1]).sum()
    print(f"{name:15} {-mean.argmax():6} {below[0]:7.1f} {below[10:].mean():8.1f} {rises:5}")

# %% [markdown] lang="en"
# No head scores highest at distance 0: six of them do at the byte before, two at the one before
# that. Then their scores fall: from 10 bytes on they are lower by 4.9 to 12.6 on average. A key
# that is lower by just so much has $e^{-4.9}\approx0.7\%$ of the weight at the peak, or less (real
# keys scatter, so this is not the ratio of the mean weights). So there is a decay, but of the 63
# steps 25 to 33 go up.
#
# Neither the peak nor the depth of a decay follows from RoPE: **where a trained head scores high is
# decided by its parameters.**

# %% [markdown] lang="zh" slide="show"
# 没有一个头在距离0处得分最高：六个头最高在前一个字节上，另外两个在再前面那个字节上。
# 过了峰，得分就降下来：从距离10起，平均比峰值低4.9到12.6。一个得分恰好低这么多的键，
# 权重是峰处的$e^{-4.9}\approx0.7\%$，或者更小（实际的键有高有低，所以这不是平均权重之比）。
# 衰减确实有，不过63步里有25到33步是回升的。
#
# 峰在哪里、降多深，都不是RoPE本身定的：**训练好的头在哪里得分高，由学到的参数决定。**

# %% [markdown] lang="en" way="weekend"
# ## 5.8 Queries and keys, not values
#
# The output is $\sum_j\alpha_{ij}v_j$, with attention weights $\alpha_{ij}$. In the scores each
# key's rotation meets the query's, and only the difference is left. Nothing cancels a rotation of
# the values: if they are rotated too, the output carries the absolute position. Flip the switch,
# then drag the start of the text.

# %% [markdown] lang="zh" slide="show"
# ## 5.8 旋转查询和键，不旋转值
#
# 输出是$\sum_j\alpha_{ij}v_j$，$\alpha_{ij}$是注意力权重。在得分里，键的旋转会碰上查询的旋转，
# 相抵之后只剩下差。值却没有东西与它相抵，如果也旋转了，输出里就带上了绝对位置。拨动开关，
# 再拖动文本的起点。

# %%
rng = torch.Generator().manual_seed(1)
words = torch.randn(3, 1, 1, 6, 8, generator=rng, dtype=torch.float64)  # q, k, v


def attend(start, values_too):
    angles = rope_angles(torch.arange(start, start + 6), frequencies(8))
    q, k, v = words
    q, k = (rotate(x, angles, layout="half") for x in (q, k))
    v = rotate(v, angles, layout="half") if values_too else v
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)[0, 0]  # (L, D)


def output(start, values_too):
    moved = (attend(start, values_too) - attend(0, values_too)).abs().max()
    return Matrix(
        attend(start, values_too),
        rows=[label.token.format(t=t) for t in range(6)],
        columns=[str(c) for c in range(8)],
        **label.outputs(start=start, moved=moved),
        limits=(-2.5, 2.5),
        colours="RdBu_r",
    )


explore(output, **label.output, start=(0, 100), values_too=False)

# %% [markdown] lang="en"
# *Picture: the output of six tokens in eight channels.* With the switch off, dragging the start
# changes nothing. With it on, the matrix changes at every step.

# %% [markdown] lang="zh"
# *图：六个词元、八个通道的输出。* 开关关着时，拖动起点，输出毫无变化。打开之后，
# 起点每挪一步矩阵都在变。

# %% [markdown] lang="en" way="everything"
# ### Unless the output is rotated back
#
# What is missing there is the way back. Rotate the output at $i$ back by its own angle, and the
# values are relative again:
#
# $$R_i^\top\sum_j\alpha_{ij}R_jv_j=\sum_j\alpha_{ij}R_{j-i}v_j.$$
#
# Each value then carries its distance from the query, which RoPE alone does not give it. Write it
# for an encoder. There, with plain RoPE, eight equal words get eight equal outputs, as with T5's
# bias (4.8): only the weights differ, and the values are equal. Are the outputs equal here too?
# (The cell after the exercise's check contains a solution.)

# %% [markdown] lang="zh"
# ### 除非把输出转回来
#
# 上面错在只转过去，没有转回来。把位置$i$的输出按它自己的角度转回来，值就又是相对的了：
#
# $$R_i^\top\sum_j\alpha_{ij}R_jv_j=\sum_j\alpha_{ij}R_{j-i}v_j.$$
#
# 这样一来，值里也带上了它与查询的距离，这是单靠RoPE得不到的。请为编码器写出来。
# 单用RoPE，八个相同的词在编码器里输出还是八个相同的向量：和T5的偏置一样（4.8节），
# 变的只是权重，值全都相同。那么这样做呢？（练习后面那一格含有一种解法。）


# %% exercise="values_turned_back"
def values_turned_back(q, k, v, start=0):
    """Return attention whose values arrive turned by their distance, shape (B, H, L, D)."""
    ### BEGIN SOLUTION
    length, dim = q.shape[-2:]
    omega = 10000.0 ** (-torch.arange(0, dim, 2, dtype=torch.float64) / dim)  # (D/2,)
    angles = torch.arange(start, start + length)[:, None] * omega  # (L, D/2)
    c, s = angles.cos().to(v.dtype), angles.sin().to(v.dtype)

    def turned(x, s):
        a, b = x.chunk(2, dim=-1)
        return torch.cat((a * c - b * s, a * s + b * c), dim=-1)

    out = F.scaled_dot_product_attention(turned(q, s), turned(k, s), turned(v, s))
    return turned(out, -s)
    ### END SOLUTION


# %% check="values_turned_back"
check("values_turned_back", values_turned_back)

# %% [markdown] lang="en"
# The check says that a shift changes nothing and that equal words get different outputs. Now
# measure. First the six words from above, the start moved from 0 to 40. Then eight equal words,
# whose value has channels of size 1.5 (root mean square): by how much do their outputs differ,
# nearer to 0.01 or to 1?

# %% [markdown] lang="zh"
# 检查说：平移不改变输出，相同的词输出却不同。现在来量一量。先是前面那六个词，起点从0移到40。
# 再把同一个词重复八次，它的值各通道大小约1.5（均方根），八个输出相差多少？
# 更接近0.01，还是更接近1？


# %%
def turned_back(words, start):
    angles = rope_angles(torch.arange(start, start + words.shape[3]), frequencies(8))
    q, k, v = (rotate(x, angles, layout="half") for x in words)
    out = F.scaled_dot_product_attention(q, k, v)  # an encoder: no mask
    return rotate(out, -angles, layout="half")


moved = (turned_back(words, 40) - turned_back(words, 0)).abs().max()
print(f"start = 0, 40: max |Δ| = {moved:.2f}")
eight = words[..., :1, :].expand(3, 1, 1, 8, 8)  # one word, eight times
out = turned_back(eight, 0)[0, 0]
print(f"eight: max |o_i - o_0| = {(out - out[0]).abs().max():.2f}")

# %% [markdown] lang="en"
# Nothing after a shift, up to 0.98 between equal words: nearer to 1.
#
# Su Jianlin described this method in 2025 as a second kind of rotary encoding (VO-RoPE); the
# released code of DeepSeek-V4, whose keys serve as values too, turns the last channels of each
# output back.

# %% [markdown] lang="zh"
# 平移之后毫无变化；相同的词最多相差0.98，更接近1。
#
# 苏剑林2025年把这种做法叫作“第二类旋转位置编码”（VO-RoPE）；DeepSeek-V4公开的代码里键和值共用一份，
# 输出的最后一段通道就是这样转回来的。

# %% [markdown] lang="en" way="everything"
# ### Normalise first, then rotate
#
# Qwen3, Gemma 3 and OLMo 2 normalise queries and keys before they meet, so that the scale of the
# projections no longer matters and a learned gain alone bounds the scores: *QK-norm*. Each vector
# is divided by the root of its mean square and multiplied by a **gain per channel**,
# $g\in\mathbb R^D$ (one for queries, $g_q$, and one for keys, $g_k$):
#
# $$\hat q=\frac{q}{\sqrt{\frac1D\sum_cq_c^2+\varepsilon}},\qquad g\odot\hat q.$$
#
# Without a gain the order makes no difference, since a rotation keeps the length: Llama 4 has no
# gain, and normalises after rotating. With
# $G_q=\operatorname{diag}(g_q)$ and $G_k=\operatorname{diag}(g_k)$ the score is
#
# $$(R_mG_q\hat q)^\top(R_nG_k\hat k)=\hat q^\top G_q\,R_{n-m}\,G_k\hat k,\qquad
# (G_qR_m\hat q)^\top(G_kR_n\hat k)=\hat q^\top R_m^\top G_qG_kR_n\hat k.$$
#
# The score on the left normalises first: the two rotations meet. Write this order, for a `gain` in
# the dtype of `x`. The one on the right rotates first: which gains would let the two meet there
# too?

# %% [markdown] lang="zh"
# ### 先归一化，再旋转
#
# Qwen3、Gemma 3和OLMo 2先把查询和键归一化再求点积，投影把向量放大多少就不再影响得分，
# 得分的上限只由学出来的gain决定，这就是*QK-norm*。每个向量除以自己的均方根，再**逐通道**乘上gain，
# $g\in\mathbb R^D$（查询的记作$g_q$，键的记作$g_k$）：
#
# $$\hat q=\frac{q}{\sqrt{\frac1D\sum_cq_c^2+\varepsilon}},\qquad g\odot\hat q.$$
#
# 没有gain时，两种次序都一样，因为旋转不改变长度。Llama 4就没有gain，它先旋转再归一化。
# 记$G_q=\operatorname{diag}(g_q)$，$G_k=\operatorname{diag}(g_k)$，得分是
#
# $$(R_mG_q\hat q)^\top(R_nG_k\hat k)=\hat q^\top G_q\,R_{n-m}\,G_k\hat k,\qquad
# (G_qR_m\hat q)^\top(G_kR_n\hat k)=\hat q^\top R_m^\top G_qG_kR_n\hat k.$$
#
# 前者先归一化，两个旋转碰到了一起，请把这种次序写出来，`gain`与`x`的dtype相同。后者先旋转：
# gain取什么样的，那里的两个旋转也能碰到一起？


# %% exercise="norm_then_rotate"
def norm_then_rotate(x, gain, angles, eps=1e-6):
    """Return x normed, with its gain, and turned, in the right order, shape (B, H, L, D)."""
    ### BEGIN SOLUTION
    y = x * (x.square().mean(-1, keepdim=True) + eps).rsqrt() * gain
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)  # (L, D/2)
    a, b = y.chunk(2, dim=-1)
    return torch.cat((a * c - b * s, a * s + b * c), dim=-1)
    ### END SOLUTION


# %% check="norm_then_rotate"
check("norm_then_rotate", norm_then_rotate)

# %% [markdown] lang="en"
# Now measure both orders, $RG$ (norm and gain first) and $GR$ (rotation first). The same two
# vectors, 3 tokens apart, at three positions; once with a random gain $g_c$ per channel (the same
# for $q$ and $k$, for simplicity), once with one gain $g_i$ for each *pair*. Which lines change,
# and by how much: by a hundredth of the score, or by more than half of it?

# %% [markdown] lang="zh"
# 两种次序都测一测，$RG$是先归一化（含gain），$GR$是先旋转。同样的两个向量，相隔3个词元，
# 放在三个地方；先用逐通道的随机gain，记作$g_c$（$q$、$k$共用），再让每一*对*通道共用一个$g_i$。
# 哪些行会变？变动是得分的百分之几，还是一半以上？

# %%
rng = torch.Generator().manual_seed(0)
q, k = torch.randn(2, 1, 1, 1, 64, generator=rng, dtype=torch.float64)
channels = 0.5 + torch.rand(64, generator=rng, dtype=torch.float64)


def at_place(x, p):
    return rotate(x, rope_angles(torch.tensor([p]), frequencies(64)), layout="half")


for name, gain in (("g_c", channels), ("g_i", channels[:32].repeat(2))):
    for order in ("RG", "GR"):
        scores = []
        for m in (0, 10, 100):
            if order == "RG":
                pair = at_place(qk_norm(q, gain), m), at_place(qk_norm(k, gain), m + 3)
            else:
                pair = qk_norm(at_place(q, m), gain), qk_norm(at_place(k, m + 3), gain)
            scores.append((pair[0] * pair[1]).sum().item())
        print(f"{name}, {order}:", *(f"{score:7.2f}" for score in scores))

# %% [markdown] lang="en"
# Only one line changes, from 3.33 to 5.53, by two thirds: rotated first, with a gain per channel.
# $G_qG_k$ is between the rotations, and they meet only if it commutes with them, which it does
# where both channels of each pair have the same entry in it. No norm, shape or loss tells you: with
# such a gain after the rotation the model still trains; it merely sees absolute positions too.
#
# (OLMo 2 takes the mean square over all heads of a token, Qwen3 over each head. Either way each
# vector is divided by a single number, and a number commutes with a rotation.)

# %% [markdown] lang="zh"
# 只有一行在变，从3.33到5.53，多了三分之二：先旋转、gain逐通道的那一行。两个旋转之间夹着$G_qG_k$，
# 只有它与旋转可交换，两个旋转才碰得到一起；这要求它在每一对的两个通道上取值相同。
# 范数、形状、损失都不会提醒你：gain放在旋转之后，模型照样能训练，只是还看见了绝对位置。
#
# （OLMo 2的均方根对一个词元的所有头一起取，Qwen3只在一个头内取。不管哪一种，
# 每个向量都只除以一个数，这个数与旋转可交换。）

# %% [markdown] lang="en" way="everything"
# ## 5.9 Cost, precision, partial rotation
#
# RoPE adds no parameter and no $L\times L$ table. It costs $3D$ operations for each query and as
# many for each key, in every layer. Its weak spot is precision. Here is the error of the score at
# one distance, the root mean square over 300 random queries with a random key each (whose scores
# are about ±1), in three dtypes. Columns are positions 100, 1000, 100000. How far do you trust
# bfloat16?

# %% [markdown] lang="zh"
# ## 5.9 代价、精度、部分旋转
#
# RoPE不增加参数，也不需要$L\times L$的表，只是每层给每个查询、每个键各加$3D$次运算。
# 它的软肋是精度。
# 下面是三种dtype下同一距离的得分误差，取300对随机向量的均方根（这些得分约为±1），
# 三列依次是位置100、1000、100000。bfloat16能用到多远？

# %% tags=["nbval-ignore-output"] reason="rounding errors differ between processors"
rng = torch.Generator().manual_seed(0)
q, k = torch.randn(2, 300, 128, generator=rng, dtype=torch.float64)


def score_at(start, dtype):
    """The angle itself is computed in dtype: position times frequency."""
    angles = torch.tensor([start, start + 3]).to(dtype)[:, None] * frequencies(128).to(dtype)
    c, s = angles.double().cos(), angles.double().sin()
    (qa, qb), (ka, kb) = q.chunk(2, dim=-1), k.chunk(2, dim=-1)  # (300, 64)
    a, b = qa * c[0] - qb * s[0], qa * s[0] + qb * c[0]
    return (a * (ka * c[1] - kb * s[1]) + b * (ka * s[1] + kb * c[1])).sum(-1) / math.sqrt(128)


for dtype in (torch.float64, torch.float32, torch.bfloat16):
    errors = [score_at(p, dtype) - score_at(0, torch.float64) for p in (100, 1000, 100000)]
    drift = [error.square().mean().sqrt().item() for error in errors]
    print(f"{str(dtype):15}", *(f"{x:8.0e}" if x > 1e-9 else "       0" for x in drift))

# %% [markdown] lang="en"
# Hardly to 100: with its 8 significant bits the error there is 0.07 already, and at 1000 half as
# large as a typical score, since frequency and product are rounded, and above 256 the position too
# (257 becomes 256). At 100000 both positions become 99840, so no distance is left at all. Even
# float32 loses digits far out.
#
# Compute angles in float32 or better, and cast the cosine and sine.
#
# *Partial* rotation turns the first $D'$ channels and lets the rest pass (GPT-J: 64 of 256). The
# frequencies then use $D'$ in the exponent, not $D$. The cell has $D'=16$, $D=64$; it prints the
# slowest of the first 8 pairs, $\omega_7$, as it should be and with the mistake.

# %% [markdown] lang="zh"
# 连100都勉强：bfloat16只有8位有效二进制位，位置100处误差已有0.07，到1000就有得分的一半，
# 因为频率和乘积都被舍入；超过256，连位置也被舍入（257变成256）。到100000，
# 两个位置都成了99840，距离荡然无存。float32到了远处也会丢掉若干位。
#
# 角度要用float32或更高精度来算，算完余弦和正弦再转成低精度。
#
# *部分旋转*（partial RoPE）只转前$D'$个通道，其余原样通过，例如GPT-J只转256个中的64个。
# 这时频率的指数里除的是$D'$，不是$D$。单元格里取$D'=16$，$D=64$，
# 打印前8对里频率最低的$\omega_7$，先是对的，后是写错的。

# %%
for name, dim in (("D'", 16), ("D", 64)):
    print(f"{name:2} = {dim}: ω_7 = {frequencies(dim)[7].item():.1e}")

# %% [markdown] lang="en" way="everything"
# ### Which pairs may stand still?
#
# Partial rotation gives fewer pairs the whole range of frequencies. *Proportional* rotation (Gemma
# 4; Barbero et al. 2024 call it p-RoPE) keeps the whole $D$ in the exponent and sets the lowest
# frequencies to 0: those pairs stand still. Which pairs does a head need for what? Here is one
# **made by hand**, with 32 pairs of equal weight. It has two jobs, half of the pairs for each.
#
# - *The token before*: in the fast half keys are the query turned by one step, so each pair gives
#   $\cos\omega_i(r+1)$, which is 1 at distance $r=-1$.
# - *The same word*, wherever it stands: in the slow half keys equal the query, and each pair gives
#   $\cos\omega_ir$.
#
# Choose which eight pairs stand still (1: the fastest eight, 4: the slowest). Which job suffers? Is
# any choice better than none?

# %% [markdown] lang="zh"
# ### 哪些对可以不转？
#
# 部分旋转让较少的对占满整个频率范围。*按比例旋转*（proportional，Gemma 4采用，
# Barbero等2024年称为p-RoPE）的指数里除的仍是整个$D$，只把最低的几个频率改成0，那几对就不动。
# 一个头的各个频段都拿来做什么？下面这个头是**手工搭出来的**，没有训练，32对通道权重相同，
# 它有两个目标，各用一半的对。
#
# - *前一个词元*：高频的一半里，键等于转过一步的查询，每一对贡献$\cos\omega_i(r+1)$，
#   在距离$r=-1$处为1。
# - *同一个词*，不管在哪里：低频的一半里，键等于查询，每一对贡献$\cos\omega_ir$。
#
# 选八对让它们不动（1是频率最高的八对，4是最低的）。哪个目标受影响？有没有哪八对，停掉反而更好？


# %%
def standing(band=0):
    omega = frequencies(64).clone()  # (32,)
    if band:
        omega[8 * band - 8 : 8 * band] = 0.0
    near, far = torch.arange(-12, 1), -torch.logspace(0, 5, 301)
    before = rope_angles(near + 1, omega[:16]).cos().mean(-1)
    same = rope_angles(far, omega[16:]).cos().mean(-1)
    return (
        Curves(Curve(near, before), **label.token_before(), y_limits=(-0.4, 1.1), vlines=[-1]),
        Curves(Curve(-far, same), **label.same_word(), y_limits=(-0.4, 1.1), x_scale="log"),
    )


explore(standing, **label.standing, band=(0, 4))

# %% [markdown] lang="en"
# *Picture: two curves. Left, the score of the token before, a peak at distance −1. Right, the score
# of the same word against its distance over a logarithmic axis, from 1 down to below 0, then in
# waves.*
#
# In numbers. Left of the bar: the score of the token before at −1, −2 and −3, and its mean from
# −100 to −1000. Right of it: the lowest score that the same word ever gets within 1000, 10000 and
# 100000 tokens. Each row says which frequencies are set to 0; in the first, none are.

# %% [markdown] lang="zh"
# *图：两条曲线。左图是“前一个词元”那一半的得分随距离的变化，在−1处有一个峰；右图是“同一个词”
# 那一半的得分，横轴是距离，取对数，从1降到0以下，再起伏。*
#
# 用数字来说。竖线左边是“前一个词元”那一半在−1、−2、−3处的得分，以及−100到−1000的平均；
# 竖线右边是“同一个词”那一半在1000、10000、100000个词元之内的最低分。行首写明哪几对的频率改成了0，
# 第一行一对也没有。

# %%
back = -torch.arange(100001)
for first, last in ((0, 0), (0, 8), (8, 16), (16, 24), (24, 32), (16, 32)):
    omega = frequencies(64).clone()
    omega[first:last] = 0.0
    before = rope_angles(back[:1000], omega[:16]).cos().mean(-1)  # r + 1 = 0 … −999
    left = [*before[:3], before[99:].mean()]
    alike = rope_angles(back, omega[16:]).cos().mean(-1)
    lowest = [alike[: reach + 1].min() for reach in (1000, 10000, 100000)]
    numbers = [f"{x:5.2f}" for x in (*left, *lowest)]
    print(f"omega[{first:2}:{last:2}] = 0:", *numbers[:4], " | ", *numbers[4:])

# %% [markdown] lang="en"
# Without the fastest eight the peak is flat: neighbours cannot be told apart, and far keys are no
# longer kept down (0.49). Without the next eight the peak stays as sharp, but far keys still have a
# mean of 0.50, not −0.01.
#
# The slow half does better standing still. While it rotates, the same word some thousands of tokens
# away can score *below* 0, the mean score of an unrelated random word (5.11): down to −0.27 within
# 10000 tokens. Whichever eight of the sixteen stand still, they give 0.5, and the others take away
# at most 0.5: never below 0. (Within 1000 tokens stopping 16–23 helps far more: there 24–31 turn by
# at most 1 radian, and cost little.) With all sixteen standing still, the word is found wherever it
# is. The price is what these pairs carry, the coarse distance: "the same word, about 3000 tokens
# back" is no longer something this head can look for. Here it was we who divided up the pairs.
# Barbero et al. (2024) found a similar division in Gemma 7B: positional heads use the highest
# frequencies, and the lowest, they suspect, carry meaning.

# %% [markdown] lang="zh"
# 最高频的八对一停，峰就平了，相邻的词元分不出来，远处的键也压不住了（平均0.49）。
# 接下来的八对停掉，峰还是一样尖，可远处的键同样压不住：平均从−0.01升到0.50。
#
# 低频的一半则是不转更好。转着的时候，同一个词隔了几千个词元，得分可能降到0*以下*
# （10000之内最低−0.27），而与之无关的随机词，得分平均是0（5.11节）。十六对里不管停哪八对，
# 它们贡献的0.5总在，另外八对最多减0.5，得分就不会低于0。
# （1000个词元之内，停16–23比停24–31有用得多，因为后者这时最多转1弧度，本来就没掉多少。）
# 十六对全停，放到哪里都找得到。代价是这些对所携带的东西，即粗略的距离：
# “同一个词，大约在3000个词元之前”这样的目标，这个头就无法表达了。这里怎样分配各对，是我们规定的；
# Barbero等（2024）在Gemma 7B上发现了类似的分工：看位置的头用最高的频率；
# 最低的频率，他们猜测携带的是语义。

# %% [markdown] lang="en" way="everything"
# ## 5.10 Bug clinic
#
# Three versions that people really wrote. None raises an error. **Case 1.** `rotate_half` without
# its minus sign. Symptom: the same distance gives another score at another position.

# %% [markdown] lang="zh" slide="code"
# ## 5.10 Bug诊所
#
# 三种真有人写过的错法，跑起来都不报错。**病例一。** `rotate_half`少了负号。症状：距离相同，
# 换个地方得分就变了。


# %%
def swap_halves(x):
    a, b = x.chunk(2, dim=-1)
    return torch.cat((b, a), dim=-1)


def turn(x, position, half):
    angles = (position * frequencies(64)).repeat(2)
    return x * angles.cos() + half(x) * angles.sin()


rng = torch.Generator().manual_seed(0)
q, k = torch.randn(2, 64, generator=rng, dtype=torch.float64)
for m, n in ((3, 5), (23, 25)):
    print(f"score({m}, {n}) = {turn(q, m, swap_halves) @ turn(k, n, swap_halves):.2f}")


# %% exercise="mend_rotate_half" mends="swap_halves"
def mend_rotate_half(x):
    """Return a quarter turn of every pair (i, i + D/2), same shape as x."""
    ### BEGIN SOLUTION
    a, b = x.chunk(2, dim=-1)
    return torch.cat((-b, a), dim=-1)
    ### END SOLUTION


# %% check="mend_rotate_half"
check("mend_rotate_half", mend_rotate_half)

# %% [markdown] lang="en"
# **Case 2.** Two snippets from two repositories, put together: the table of one layout, the
# rotation of the other. Symptom: norms change.

# %% [markdown] lang="zh"
# **病例二。** 两个仓库的代码拼到了一起，表按一种排布来做，旋转按另一种做。症状：范数变了。


# %%
def mixed_table(positions, dim, base=10000.0):
    omega = base ** (-torch.arange(0, dim, 2) / dim)
    return positions[:, None] * omega.repeat_interleave(2)  # (L, dim)


angles = mixed_table(torch.tensor([5.0]), 64)[0].double()
a, b = q.chunk(2)
broken = q * angles.cos() + torch.cat((-b, a)) * angles.sin()
print(f"‖q‖: {q.norm():.2f} → {broken.norm():.2f}")


# %% exercise="mend_mixed_layout" mends="mixed_table"
def mend_mixed_layout(positions, dim, base=10000.0):
    """Return the angle of every channel for pairs (i, i + D/2), shape (L, dim)."""
    ### BEGIN SOLUTION
    omega = base ** (-torch.arange(0, dim, 2) / dim)  # (dim/2,)
    return positions[:, None] * omega.repeat(2)
    ### END SOLUTION


# %% check="mend_mixed_layout"
check("mend_mixed_layout", mend_mixed_layout)

# %% [markdown] lang="en"
# **Case 3.** "Rotate everything that enters attention." Symptom: the output depends on where the
# sentence is in the text.

# %% [markdown] lang="zh"
# **病例三。** “进注意力的全都转一转。”症状：句子放在文本的不同地方，输出就不一样。


# %%
def turns_everything(q, k, v, start=0):
    length, dim = q.shape[-2:]
    omega = 10000.0 ** (-torch.arange(0, dim, 2, dtype=torch.float64) / dim)  # (D/2,)
    angles = torch.arange(start, start + length)[:, None] * omega  # (L, D/2)
    c, s = angles.cos().to(q.dtype), angles.sin().to(q.dtype)

    def turned(x):
        a, b = x.chunk(2, dim=-1)
        return torch.cat((a * c - b * s, a * s + b * c), dim=-1)

    q, k, v = turned(q), turned(k), turned(v)
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)


change = turns_everything(*words, start=40) - turns_everything(*words)
print(f"start = 0, 40: max |Δ| = {change.abs().max():.2f}")


# %% exercise="mend_rotated_values" mends="turns_everything"
def mend_rotated_values(q, k, v, start=0):
    """Return causal attention with RoPE (half-split) on q and k, shape (B, H, L, D)."""
    ### BEGIN SOLUTION
    length, dim = q.shape[-2:]
    omega = 10000.0 ** (-torch.arange(0, dim, 2, dtype=torch.float64) / dim)  # (D/2,)
    angles = torch.arange(start, start + length)[:, None] * omega  # (L, D/2)
    c, s = angles.cos().to(q.dtype), angles.sin().to(q.dtype)

    def turned(x):
        a, b = x.chunk(2, dim=-1)
        return torch.cat((a * c - b * s, a * s + b * c), dim=-1)

    return F.scaled_dot_product_attention(turned(q), turned(k), v, is_causal=True)
    ### END SOLUTION


# %% check="mend_rotated_values"
check("mend_rotated_values", mend_rotated_values)

# %% [markdown] lang="en" way="everything"
# ## 5.11 What is not true
#
# **"RoPE necessarily makes far tokens count less."** Rotation by itself does not make far scores
# lower on average: for random queries and keys the mean score is 0 at distance 10000 just as at 0,
# and the spread (after the ±) is the same. The decay in the heads of 5.7 was learned.

# %% [markdown] lang="zh" slide="show"
# ## 5.11 哪些说法不对
#
# **“RoPE必然让远处的词元不那么重要。”** 不对，旋转本身并不使远处的得分平均更低：对随机的查询和键，
# 得分在距离10000处与在距离0处一样，平均为0，分散程度（±之后）也相同。
# 5.7节那些头的衰减是训练出来的。

# %%
rng = torch.Generator().manual_seed(0)
q, k = torch.randn(2, 4000, 64, 2, generator=rng, dtype=torch.float64)  # 4000 pairs of vectors
h = torch.view_as_complex(q).conj() * torch.view_as_complex(k)
for distance in (0, 100, 10000):
    s = (h * torch.exp(1j * distance * frequencies(128))).sum(-1).real
    print(f"r = {distance:5}: {s.mean():4.1f} ± {s.std():.1f}")

# %% [markdown] lang="en"
# **"Sine and cosine are periodic, so RoPE extrapolates."** Published numbers say otherwise: trained
# on 512 tokens, rotary has almost four times the perplexity at 15512, 79.25 against 20.07 (Press et
# al. 2022, Table 2). The slow pairs reach angles that training never showed; chapter 6 is about
# that.

# %% [markdown] lang="zh" slide="show"
# **“正弦和余弦是周期函数，所以RoPE能外推。”** ALiBi论文里的数字并不支持：训练长度512，
# 输入15512个词元时，困惑度从20.07涨到79.25，近四倍（Press等，2022，表2）。
# 低频对转到了训练中从未出现过的角度，第6章讲的就是这件事。

# %% [markdown] lang="en"
# **"The sign of the angle does not matter."** For training from scratch, it does not. For a
# checkpoint it mirrors time: the score of (5, 3) becomes that of (3, 5). Norms, shifts, gradients:
# no property test notices; only a comparison with a value from the original code does.

# %% [markdown] lang="zh" slide="show"
# **“角度取正取负随意。”** 从头训练时的确如此。但对现成的checkpoint，这等于把时间镜像过来，(5,
# 3)的得分变成了(3, 5)的。查范数、查平移、查梯度，哪种性质测试（property-based testing）都察觉不到，
# 只有拿原代码的数值来比才行。

# %%
query, key = q[0].flatten(), k[0].flatten()  # (128,), neighbours in pairs


def score(m, n, sign):
    at = [rotation_matrix(sign * p, 128, layout="interleaved", dtype=q.dtype) for p in (m, n)]
    return ((at[0] @ query) @ (at[1] @ key)).item()


print(f"score(5, 3, 1) = {score(5, 3, 1):.2f}, score(3, 5, 1) = {score(3, 5, 1):.2f}")
print(f"score(5, 3, -1) = {score(5, 3, -1):.2f}")

# %% [markdown] lang="en" way="everything"
# ## 5.12 In real models
#
# | model | layout | rotated channels | base |
# |---|---|---|---|
# | RoFormer | interleaved | whole head | 10000 |
# | GPT-J | interleaved | 64 of 256 channels | 10000 |
# | GPT-NeoX-20B | half-split | a quarter of the head | 10000 |
# | Llama, Llama 2 (Meta's code) | interleaved | whole head | 10000 |
# | the same in transformers | half-split, rows reordered | whole head | 10000 |
# | Llama 3 | as Llama | whole head | 500000 |
# | Qwen2.5, the first Qwen3 models | half-split | whole head | 1000000 |
# | DeepSeek-V3 | interleaved | 64 of 192 channels of q and k | 10000 |
#
# Three questions before you reuse weights: which layout, which base, how many channels are rotated?
# (DeepSeek's MLA sets 64 channels apart to carry the position: *decoupled RoPE*; 8.5 builds it and
# says why.)

# %% [markdown] lang="zh" slide="show"
# ## 5.12 在真实模型中
#
# | 模型 | 排布 | 旋转的部分 | base |
# |---|---|---|---|
# | RoFormer | 交错 | 整个头 | 10000 |
# | GPT-J | 交错 | 256个通道中的64个 | 10000 |
# | GPT-NeoX-20B | 前后半 | 头的四分之一 | 10000 |
# | Llama、Llama 2（Meta的代码） | 交错 | 整个头 | 10000 |
# | 同上，transformers版 | 前后半，行已重排 | 整个头 | 10000 |
# | Llama 3 | 同Llama | 整个头 | 500000 |
# | Qwen2.5、首批Qwen3 | 前后半 | 整个头 | 1000000 |
# | DeepSeek-V3 | 交错 | q、k的192个通道中的64个 | 10000 |
#
# 拿别人的checkpoint来用，先问三件事：哪种排布？base是多少？转多少个通道？
# （DeepSeek的MLA另辟64个通道专门带位置，叫*解耦RoPE*（decoupled RoPE），
# 8.5节会把它做出来，并说明原因。）

# %% [markdown] lang="en"
# ### Think: RoPE in the first layer only
#
# Take a model that applies RoPE in its first layer only. What information about positions reaches
# layer 2, by what route, and what can the scores of layer 2 not see? Two or three sentences in the
# next cell.
#
# On your own: write your answer first. For the route, check it with question 5 of the self-test at
# the end of this chapter; for the rest, see the model answer.

# %% [markdown] lang="zh"
# ### 想一想：只在第一层用RoPE
#
# 设想一个模型只在第一层用RoPE：有关位置的哪些信息会到达第2层，经由什么途径？
# 第2层的得分又看不到什么？在下一个单元格里写两三句话。
#
# 自学的话，先写下自己的答案，再用本章末尾自测的第5题核对途径那一问，其余看参考答案。

# %% [markdown] thinking="rope_every_layer" points=3
# <div lang="en">
#
# **Model answer.** RoPE rotates queries and keys inside attention only, so the first layer's
# attention weights are the only route. Through them its output depends on which words are near a
# token, and on which side. Layer 2 compares such outputs: for one query, two keys with equal
# vectors get the same score at any distance.
#
# **Points.** 1 for the route: only q and k are rotated, so positions pass through the first layer's
# weights into the mixture; 1 for what arrives: something about each token's neighbourhood (or, with
# a causal mask, a count); 1 for what layer 2 cannot see: the distance between a query and a key.
#
# </div>
# <div lang="zh">
#
# **参考答案。** RoPE只在注意力内部旋转查询和键，所以唯一的途径是第一层的注意力权重。
# 经由这些权重，它的输出取决于每个词元附近有哪些词、在哪一侧。第2层比较的只是这些输出：
# 对同一个查询，两个键只要向量相同，不管隔多远，得分都相同。
#
# **评分。** 说出途径（只旋转q和k，位置经第一层的权重进入混合结果）得1分；
# 说出到达的是什么（各词元附近的情况；有因果掩码时还有计数）得1分；
# 说出第2层看不到什么（查询与键的距离）得1分。
#
# </div>

# %% [markdown] lang="en" way="weekend"
# ## 5.13 Take-away
#
# - Use one map for queries and keys, and let the score depend only on content and distance:
#   rotation is all that is left (at integer positions also a mirror). Lengths stay; in each
#   plane all vectors turn alike, in equal steps. With two maps much more is possible (xPos).
# - $R_m^\top R_n=R_{n-m}$; in $D$ dimensions, $D/2$ planes with frequencies $\omega_i$.
# - Two layouts, related by a reordering of the rows of $W_Q$ and $W_K$ (with biases and gains).
#   Nothing warns you.
# - Rotate queries and keys, not values (or rotate the output back); in every layer (the question at
#   the end of 5.12). A norm with a gain per channel comes before the rotation.
# - For $q=k$ with pairs of equal length and $1\ll r\ll b$ the score falls like $1-(\ln r+0.577)/\ln
#   b$, in ripples. For other vectors content decides, and in a trained head its parameters; the
#   paper proves an upper bound only.
# - Angles in float32 or better. RoPE as it is does not extrapolate.
#
# On the way "a weekend", answer questions 1, 2 and 4 only. The others, and the points above on
# xPos, reordered rows, the output rotated back, every layer, norms, precision and extrapolation,
# belong to sections that only "everything" has.

# %% [markdown] lang="zh" slide="show"
# ## 5.13 本章要点
#
# - 要求得分只取决于内容和距离，而且查询和键用同一个映射，就只能旋转（位置都是整数时还有镜像）：
#   长度不变；在每个平面里，同一位置上所有向量转角相同，相邻位置的转角差相等。
#   允许用两个映射的话，解就多得多（如xPos）。
# - $R_m^\top R_n=R_{n-m}$；$D$维就是$D/2$个平面，频率为$\omega_i$。
# - 两种排布，差的是$W_Q$和$W_K$的行序（连同偏置和gain）。用错了也不会报错。
# - 旋转查询和键，不旋转值（要旋转，就得把输出转回来）；每层都做（5.12节末的“想一想”）。
#   归一化若带逐通道的gain，要放在旋转之前。
# - $q=k$、各对长度相同、$1\ll r\ll b$时，得分按$1-(\ln r+0.577)/\ln b$起伏着下降；
#   换成别的向量由内容决定，训练好的头由学到的参数决定。论文证明的只是一个上界。
# - 角度用float32或更高精度。RoPE本身不能外推。
#
# 走“一个周末”路线的，下面只做第1、2、4题。其余各题，以及上面讲xPos、行的重排、把输出转回来、
# 每层都做、归一化、精度和外推的几条，都属于只有“全部”路线才读的小节。

# %%
quiz("rope")

# %% [markdown] lang="en" way="everything"
# ## Further reading
#
# - J. Su, Y. Lu, S. Pan, A. Murtadha, B. Wen, Y. Liu: *RoFormer: Enhanced Transformer with Rotary
#   Position Embedding*. 2021. [arXiv:2104.09864](https://arxiv.org/abs/2104.09864). §3 holds the
#   derivation, §3.4.3 the bound.
# - Su Jianlin, *Scientific Spaces* (in Chinese), where RoPE was first published in March 2021:
#   [RoPE](https://kexue.fm/archives/8265), [the general solution](https://kexue.fm/archives/9403),
#   [how to choose the base](https://kexue.fm/archives/10122), [a second kind of
#   RoPE](https://kexue.fm/archives/10862) (values rotated, outputs rotated back).
# - Y. Sun, L. Dong, B. Patra, S. Ma, S. Huang, A. Benhaim, V. Chaudhary, X. Song, F. Wei: *A
#   Length-Extrapolatable Transformer*. ACL 2023.
#   [arXiv:2212.10554](https://arxiv.org/abs/2212.10554). xPos.
# - F. Barbero, A. Vitvitskyi, C. Perivolaropoulos, R. Pascanu, P. Veličković: *Round and Round We
#   Go! What makes Rotary Positional Encodings useful?* 2024.
#   [arXiv:2410.06205](https://arxiv.org/abs/2410.06205). Why decay is not guaranteed.
# - A. Henry, P. R. Dachapally, S. Pawar, Y. Chen: *Query-Key Normalization for Transformers*. 2020.
#   [arXiv:2010.04245](https://arxiv.org/abs/2010.04245). Where QK-norm comes from.
# - O. Press, N. A. Smith, M. Lewis: *Train Short, Test Long: Attention with Linear Biases Enables
#   Input Length Extrapolation*. ICLR 2022. [arXiv:2108.12409](https://arxiv.org/abs/2108.12409).
#   Table 2 is quoted above.

# %% [markdown] lang="zh"
# ## 延伸阅读
#
# - J. Su, Y. Lu, S. Pan, A. Murtadha, B. Wen, Y. Liu：*RoFormer: Enhanced Transformer with Rotary
#   Position Embedding*。2021。[arXiv:2104.09864](https://arxiv.org/abs/2104.09864)。
#   §3是推导，§3.4.3是上界。
# - 苏剑林《科学空间》。RoPE最早就发表在这里（2021年3月）：
#   [博采众长的旋转式位置编码](https://kexue.fm/archives/8265)、
#   [旋转位置编码的完备性分析](https://kexue.fm/archives/9403)、
#   [RoPE的底数选择原则](https://kexue.fm/archives/10122)、
#   [第二类旋转位置编码](https://kexue.fm/archives/10862)。
# - Y. Sun, L. Dong, B. Patra, S. Ma, S. Huang, A. Benhaim, V. Chaudhary, X. Song, F. Wei：*A
#   Length-Extrapolatable Transformer*。ACL 2023。
#   [arXiv:2212.10554](https://arxiv.org/abs/2212.10554)。xPos。
# - F. Barbero, A. Vitvitskyi, C. Perivolaropoulos, R. Pascanu, P. Veličković：*Round and Round We
#   Go! What makes Rotary Positional Encodings useful?* 2024。
#   [arXiv:2410.06205](https://arxiv.org/abs/2410.06205)。为什么衰减没有保证。
# - A. Henry, P. R. Dachapally, S. Pawar, Y. Chen：*Query-Key Normalization for Transformers*。
#   2020。[arXiv:2010.04245](https://arxiv.org/abs/2010.04245)。QK-norm的出处。
# - O. Press, N. A. Smith, M. Lewis：*Train Short, Test Long: Attention with Linear Biases Enables
#   Input Length Extrapolation*。ICLR 2022。[arXiv:2108.12409](https://arxiv.org/abs/2108.12409)。
#   上文引用的是表2。
