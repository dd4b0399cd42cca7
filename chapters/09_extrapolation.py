# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
#   kernelspec: {display_name: Python 3, language: python, name: python3}
#   posenc:
#     title: {en: The extrapolation laboratory, zh: 外推实验室}
#     question:
#       en: "Trained on windows of 128 bytes, tested on 1024: what breaks, and how would you know?"
#       zh: 训练窗口128字节，测试窗口1024字节：什么会坏？你怎么知道它坏了？
# ---

# %% [markdown] lang="en" way="weekend"
# # 9 · The extrapolation laboratory
#
# **The question.** "Train at length 128, test at 256, 512, 1024, and compare." Tutorials on
# positional encodings like to set this as homework. Here it is done, and you can repeat it: seven
# encodings (learned rows, sinusoids, T5's buckets, RoPE, ALiBi, KERPLE and NoPE) and four scalings
# of RoPE, with some of the controls that a reviewer would ask for. (KERPLE's bias
# $-r_1\ln(1+r_2|i-j|)$ has two learned numbers per head; NoPE has nothing but the causal mask.) How
# do you measure so that the answer is about positions and nothing else?
#
# **You will** write such a measure, for all lengths at once; find out which orderings the seeds
# support; take a step of fine-tuning after interpolation; fix three faults in code that loads,
# averages and evaluates; and train two small models in this notebook.
#
# **You need** chapters 1 to 7, above all 6 and 7. About {minutes} minutes, 16 points, and 3 more
# for a question that a teacher grades.

# %% [markdown] lang="zh"
# # 9 · 外推实验室
#
# 讲位置编码的文章常留一道作业：“用长度128训练，在256、512、1024上测试，比较一下。”
# 这里把它真正做了一遍，全部代码都在，可以照样重做。比较的是七种编码：可学习的行、正弦、T5的桶、
# RoPE、ALiBi、KERPLE（偏置是$-r_1\ln(1+r_2|i-j|)$，每个头学两个数）和NoPE（不加编码，
# 只有因果掩码）；外加RoPE的四种缩放，还有审稿人多半会要的几个对照。
#
# **本章的问题。** 怎样测量，才能保证测到的是位置的影响，而不是别的？
#
# **你将**写出这样的测量方法，一次得出所有长度的结果；
# 判断哪些次序得到了所有种子的支持，在插值之后走一步微调，
# 修好加载、汇总和评测代码里的三处错误，并在这个notebook里亲手训练两个小模型。
#
# **你需要**第1章到第7章，尤其是第6章和第7章。约{minutes}分钟，共16分，另有一道由教师评分的题，3分。

# %%
import math
import pydoc_data.topics

import torch
import torch.nn.functional as F

from autograde import answer, check, hint, progress, quiz
from bilingual.switch import language_switch
from posenc_glass import glass, lookup, text_part
from posenc_ref import TinyLM, frequencies, ntk_by_parts
from posenc_viz import Curve, Curves, explore, picture
from posenc_viz.labels import extrapolation as label
from posenc_viz.stored import stored

torch.set_num_threads(1)
language_switch()

# %% [markdown] lang="en" way="weekend"
# ## 9.1 A curve that means nothing
#
# A small model with RoPE was trained on windows of 128 bytes. (The runs that 9.3 describes are
# stored with the chapter; only 9.7 trains here, and 9.9 borrows models of chapter 14.) We cut a
# text that it has never seen into windows of 128, 256, 512 and 1024 bytes and pick the bytes in the
# second half of each. But every one of them is shown to the model in a fresh window of 128, where
# no position is new to it. Each line has the length and the mean loss (seed 0), in nats per byte
# (natural logarithm). The loss should then be the same for all four lengths. Is it?

# %% [markdown] lang="zh" slide="show"
# ## 9.1 一条什么也没说明的曲线
#
# 一个用RoPE的小模型，在128字节的窗口上训练过。
# （9.3节所述的训练，结果都已存好；只有9.7节在这里现场训练，9.9节借用第14章的模型。）
# 把一段它没见过的文本切成128、256、512、1024字节的窗口，各取后一半的字节。但给模型看时，
# 每个字节都放在128字节的新窗口里，没有一个位置是陌生的。
# 每行是长度和每字节的平均损失（种子0；取自然对数，单位是奈特，nat）。
# 照理，四种长度上的损失应该一样。真的一样吗？

# %%
results = stored("extrapolation")
for row in results["rows"]:
    if (row["method"], row["seed"]) == ("rope", 0):
        print(f"{row['length']:4}: {row['fresh']:.3f}")

# %% [markdown] lang="en"
# It is not: other lengths pick other bytes, and some bytes are harder to predict. This *text
# confound* has nothing to do with positions. A plot of plain loss against length mixes it with the
# effect of length. A hundredth of a nat looks small, but some encodings will lose less than that.
#
# A loss over whole windows has a second confound: early tokens have little context, and a text cut
# into longer windows has fewer of them.

# %% [markdown] lang="zh"
# 不一样：长度不同，选中的字节就不同，而有些字节本来就更难预测。这种*文本混杂*（text confound）
# 与位置无关。直接画损失随长度变化的曲线，就把这种混杂也画了进去。百分之一奈特看似不大，
# 可有的编码，长度带来的代价比这还小。
#
# 对整个窗口求损失，还有第二种混杂：开头的词元（token，这里一个字节就是一个词元）缺少上下文，
# 而窗口越长，这样的词元所占的比例就越小。

# %% [markdown] lang="en" way="weekend"
# ## 9.2 Every byte is its own control
#
# In a window of $T$ bytes the model predicts $T$ bytes, each from those before it. Let $\ell_T(p)$
# be the loss of prediction $p=0,1,\dots,T-1$, which has $p+1$ bytes of context, and $\ell_L$ the
# loss of the same byte in the second half of a fresh window of the trained length $L$. The *excess
# loss* at $T$ is
#
# $$\Delta_T=\operatorname{mean}_{p\ge T/2}\bigl(\ell_T(p)-\ell_L\bigr).$$
#
# The same byte is predicted in both terms, so its difficulty cancels; at $T=L$ the terms are the
# same and $\Delta_L=0$. In the second term the byte has between $L/2+1$ and $L$ bytes of context.
# $\Delta>0$: the length hurts. $\Delta\approx0$: it does no harm on balance. $\Delta<0$ would be a
# gain from more context.

# %% [markdown] lang="zh" slide="show"
# ## 9.2 每个字节都和自己比
#
# 在$T$个字节的窗口里，模型要预测$T$个字节，每个都根据它之前的字节来预测。
# 记$\ell_T(p)$为第$p=0,1,\dots,T-1$次预测的损失，这时上下文有$p+1$个字节；
# 记$\ell_L$为同一个字节在训练长度$L$的新窗口后一半里的损失。
# 长度$T$上的*超额损失*（excess loss）是
#
# $$\Delta_T=\operatorname{mean}_{p\ge T/2}\bigl(\ell_T(p)-\ell_L\bigr).$$
#
# 两项里是同一个字节，难度相互抵消；$T=L$时两项相同，$\Delta_L=0$。
# 第二项里，它有$L/2+1$到$L$个字节的上下文。
# $\Delta>0$：长度有害。$\Delta\approx0$：总的来说无害。$\Delta<0$才说明从更多的上下文里得了好处。


# %% exercise="excess_by_length" way="everything"
def excess_by_length(long, short, lengths):
    """Return the mean excess of the bytes from l/2 to l − 1 for each l, shape (len(lengths),)."""
    ### BEGIN SOLUTION
    half = short.shape[1] // 2
    fresh = short[:, half:].flatten()  # bytes L/2, L/2 + 1, …
    control = torch.cat((torch.full((half,), math.nan), fresh))[: long.numel()]  # bytes 0, 1, …
    excess = long - control.view(long.shape)  # (n, T), NaN without a control
    return torch.stack([excess[:, length // 2 : length].nanmean() for length in lengths])
    ### END SOLUTION


# %% check="excess_by_length"
check("excess_by_length", excess_by_length)

# %% [markdown] lang="en"
# Made-up losses show what the subtraction does. Within each window the bytes get harder, and their
# difficulty is known here, so it serves as a perfect control. From position 128 on the model pays
# an extra cost per byte: in the first line 0, in the second 0.2 nats. Next to it stands the rise of
# the plain loss from 128 to 1024, then the excess: what is left after the subtraction is the cost
# alone.

# %% [markdown] lang="zh"
# 用一组编造的损失看看相减的作用：在每个窗口里，字节越往后越难预测，而这里的难度是已知的，
# 正好当作理想的对照。从位置128起，模型每字节多付一笔代价：第一行是0，第二行是0.2奈特。
# 每行随后是普通损失从128到1024上升多少，最后是超额损失：减去对照之后，剩下的只有那笔代价。

# %%
difficulty = torch.linspace(1.0, 2.0, 1024).repeat(8, 1)  # (windows, T): a perfect control
for cost in (0.0, 0.2):
    plain = difficulty + cost * (torch.arange(1024) >= 128)
    rise = plain[:, 512:].mean() - plain[:, 64:128].mean()
    excess = (plain - difficulty)[:, 512:].mean()
    print(f"{cost}: {rise:+.2f} → {excess:.2f}")

# %% [markdown] lang="en" way="weekend"
# ## 9.3 What was run
#
# A decoder of 2 layers, 64 channels, 4 heads; AdamW (otherwise PyTorch's defaults) with a learning
# rate that falls to 0 along a cosine, 1024 bytes per step. The text is 40000 lines of Shakespeare,
# kept in the repository. The first eight tenths are for training, the next tenth for choosing
# learning rates, the last for the test. `python -m experiments.extrapolation` runs it all again.
# The stored run: bytes of each part, in this order; steps × windows per step × bytes per window;
# tested lengths, and the bytes that they are cut from:

# %% [markdown] lang="zh"
# ## 9.3 做了什么
#
# 一个2层、64个通道、4个头的解码器；AdamW，学习率按余弦降到0，其余用PyTorch的默认设置，
# 每步1024字节。文本是莎士比亚剧作中的4万行，就放在仓库里。前十分之八用来训练，
# 接下来的十分之一用来选学习率，最后十分之一用来测试。
# 运行`python -m experiments.extrapolation`可以全部重做。存下的这次运行依次是：三个部分的字节数；
# 步数×每步的窗口数×每个窗口的字节数；测试的各个长度，以及切成这些窗口的字节总数：

# %%
settings, used, seeds = results["settings"], results["text"], results["seeds"]
print(used["name"] + ":", [used[part] for part in ("train", "validation", "test")])
print(f"{settings['steps']} × {settings['rows']} × {settings['length']}, seeds {seeds}")
tested = settings["blocks"] * settings["lengths"][-1]
print(f"T = {settings['lengths']}, {tested}; torch {results['machine']['torch']}")

# %% [markdown] lang="en"
# Two settings that readers seldom ask about can decide such a comparison.
#
# **The start.** All models of one seed start from the same weights, drawn before those that an
# encoding adds. The byte embeddings are drawn with norm about 1; a sinusoidal row has norm
# $\sqrt{d/2}\approx5.7$. Vaswani et al. multiply the embeddings by $\sqrt d$; every other method
# here leaves them unscaled. So the sinusoidal encoding is here twice: added to unscaled embeddings,
# and to embeddings times $\sqrt d$. Learned rows are drawn from $N(0,\,0.02^2)$, with norm about
# 0.16; rows 128 and above get no gradient: they keep their directions, and AdamW's weight decay
# leaves them about 9% shorter.

# %% [markdown] lang="zh" slide="show"
# 有两项设置很少有人留意，却足以左右这类比较的结果。
#
# **起点。** 同一个种子的所有模型从同样的权重出发，编码自己的参数在此之后才抽取。
# 字节的嵌入（embedding）初始时范数约为1，而正弦表每行的范数是$\sqrt{d/2}\approx5.7$。
# Vaswani等人把嵌入乘以$\sqrt d$，这里其他方法的嵌入都不缩放。所以正弦编码出现两次：
# 一次加在不缩放的嵌入上，一次加在乘了$\sqrt d$的嵌入上。
# 可学习编码的行取自$N(0,\,0.02^2)$，范数约0.16；第128行起从未得到梯度，方向始终是初始时的，
# 只被AdamW的权重衰减缩短了约9%。

# %% [markdown] lang="en"
# **The learning rate.** One rule for all: with seed 0 each candidate is trained to the end, and the
# lowest loss on the validation text wins (on the second halves of windows of the trained length;
# for two of the tunings of 9.6 that is 1024, so their losses cannot be compared with the others).
# The candidates are two rates for all weights alike, 0.003 and 0.01 (for the three tunings 0.001
# and 0.003); and where an encoding has weights of its own (the learned rows, T5's table, KERPLE's
# two numbers per head), the lower rate with ten times as much for these. Each line below has the
# winner, as rate × factor for the encoding's own weights, and in brackets the loss of each
# candidate. Guess which of learned, T5 and KERPLE gains most from the factor.

# %% [markdown] lang="zh" slide="show"
# **学习率。** 所有方法用同一条规则：用种子0把每个候选都训练到底，验证文本上损失最低的入选
# （窗口长度与训练时相同，取后一半；9.6节有两种微调用的是1024，它们的损失不能与其余各行比）。
# 候选是两种学习率，0.003和0.01（三种微调是0.001和0.003），用于全部权重；
# 编码自己有参数的（可学习编码的行、T5的表、KERPLE每个头的两个数），再加一个候选，即较低的学习率，
# 而这些参数取它的十倍。每行先是入选的（学习率×编码自己参数的倍数），
# 括号里是每个候选的验证损失。先猜：可学习编码、T5、KERPLE里，哪种从十倍得益最多？

# %% tags=["predict"]
for method in dict.fromkeys(one["method"] for one in results["tried"]):
    tried = [one for one in results["tried"] if one["method"] == method]
    best = min(tried, key=lambda one: one["validation"])
    shown = [f"{one['rate']:g}×{one['factor']:g}: {one['validation']:.3f}" for one in tried]
    print(f"{method:17} {best['rate']:g}×{best['factor']:g}   ({', '.join(shown)})")

# %% [markdown] lang="en"
# All three encodings with weights of their own are better with ten times the rate for these: T5's
# table gains most, KERPLE's numbers least. With the lower rate for all weights T5 has a higher loss
# than RoPE, KERPLE and ALiBi; with the third candidate it has the lowest loss of all.
#
# Among the models trained from the start, only sinusoidal × $\sqrt d$ takes the higher rate. The
# last three lines are the fine-tuning of 9.6.

# %% [markdown] lang="zh"
# 编码自己有参数的三种，都是给这些参数十倍学习率时更好：T5的表得益最多，KERPLE的两个数最少。
# 所有权重都用较低的学习率时，T5的损失高于RoPE、KERPLE和ALiBi；用第三个候选，它的损失最低。
#
# 从头训练的各种方法里，只有嵌入乘$\sqrt d$的正弦编码选了较高的学习率。最后三行是9.6节的微调。

# %% [markdown] lang="en"
# Has every model *learnt to use positions*? One that is no better than NoPE has gained nothing from
# its encoding yet, and in the list above learned and the two sinusoidal rows are closest to NoPE.
# Guess how many of the 600 steps they need to get below it, and whether the excess falls or rises
# while a model learns to use positions. First the loss at the trained length, below it the excess
# at 1024, both on the first bytes of the validation text, first seed; then both as numbers, at four
# of the steps.

# %% [markdown] lang="zh" slide="show"
# 每个模型都*学会利用位置*了吗？不比NoPE好，就是还没从编码里得到好处；上面的列表里，
# 最接近NoPE的是可学习编码和两行正弦。先猜：600步里，它们要几步才能降到NoPE以下？
# 模型学着利用位置时，超额损失是降还是升？
# 上图是训练长度上的损失，下图是1024上的超额损失，都在验证文本开头的一段上测，第一个种子；
# 之后再列出其中四步的这两个数。

# %% tags=["predict"]
METHODS = ("learned", "sinusoidal", "t5", "rope", "alibi", "kerple", "nope")
VARIANT = "sinusoidal_scaled"
courses = {run["method"]: run["history"] for run in results["training"] if run["seed"] == 0}


def course(title, number):
    curves = [
        Curve(
            [point[0] for point in points],
            [number(point) for point in points],
            label.methods[method],
        )
        for method, points in ((method, courses[method][1:]) for method in METHODS)
    ]
    return Curves(curves, **label.training(), title=title, markers=True)


picture(course(label.loss_at_128, lambda point: point[1]))
picture(course(label.excess_at_1024, lambda point: point[2] - point[1]))
for method in (*METHODS, VARIANT):
    steps = [(step, loss, long - loss) for step, loss, long in courses[method][2::2]]
    shown = ", ".join(f"{step}: {loss:.2f} {excess:+.2f}" for step, loss, excess in steps)
    print(f"{method:17}: {shown}")

# %% [markdown] lang="en"
# *Picture: above the loss at 128, below the excess at 1024, a line for each encoding.*
#
# Above, T5, KERPLE, RoPE and ALiBi fall at once, to below 2; learned and sinusoidal are above NoPE
# at first, get below it between 150 and 300 (at 225, in the figure, sinusoidal is below it and
# learned level with it) and end 0.1 to 0.2 nats below. (Sinusoidal × $\sqrt d$, in the numbers
# only, is level with NoPE at 300.) Below, RoPE and sinusoidal climb from the start, learned climbs
# later; T5, ALiBi, KERPLE and NoPE stay below 0.2. After 150 steps learned is still no better than
# NoPE, and its excess is 0.1, against RoPE's 0.6. It hardly uses its rows yet, and they are small,
# so the untrained ones do little harm. Then its loss falls and its excess rises to 0.6. Sinusoidal
# is no better than NoPE at step 150 either, but its excess is already above 1; with embeddings
# times $\sqrt d$ (and the higher rate) it is 0.04.

# %% [markdown] lang="zh"
# *图：横轴是训练步；上图是长度128上的损失，下图是长度1024上的超额损失，每种编码一条线。*
#
# 上图中，T5、KERPLE、RoPE、ALiBi一开始就往下走，降到2以下；可学习编码和正弦起初都高于NoPE，
# 在150到300步之间才降到它以下（图中225步处，正弦已低于它，可学习编码与它持平），
# 最后比它低0.1到0.2奈特。（乘了$\sqrt d$的正弦只列出了数字，到300步还与NoPE持平。）
# 下图中，RoPE和正弦从一开始就往上爬，可学习编码爬得晚；T5、ALiBi、KERPLE和NoPE始终低于0.2。
# 150步时，可学习编码还不比NoPE好，超额损失只有0.1，而RoPE已有0.6。
# 这时模型几乎没用上它的行，这些行的数值又小，没训练过的行也就伤不了多少。
# 之后损失往下走，超额损失升到0.6。正弦在150步时同样不比NoPE好，超额损失却已超过1；
# 嵌入乘了$\sqrt d$的（学习率也更高）只有0.04。

# %% [markdown] lang="en"
# Unscaled sinusoidal does harm before it helps, probably because its numbers are large. The learned
# rows are the converse: small, and nearly harmless while unused. So a small excess after short
# training is not a merit. Our 600 steps are short, too: every loss at 128 is still falling, and a
# longer run may give another excess.

# %% [markdown] lang="zh"
# 不缩放的正弦还没带来好处，就已经造成了损害，多半因为数值大。可学习编码的行则相反，数值小，
# 没用上时也伤不了多少：所以训练很短时超额损失小，不算优点。我们的600步也嫌短：
# 各种方法在128上的损失都还在下降，再训练下去，超额损失也可能不同。

# %% [markdown] lang="en" way="weekend"
# ## 9.4 The result
#
# First the loss at 128, then the excess at 256, 512 and 1024, for the seven encodings, sinusoidal
# twice: mean ± standard deviation over the seeds, and in brackets the standard error over the text
# (48 blocks of 1024 bytes) for the first seed. 9.3 has shown the excess at 1024 for one seed, on
# validation text. Guess the rest: who pays most of that at 256 already, and who hardly anything?
# Does the excess vary more from seed to seed, or over the text?

# %% [markdown] lang="zh" slide="show"
# ## 9.4 结果
#
# 七种编码，正弦有两种，共八行。128那一列是损失，256、512、1024三列是超额损失：
# 各个种子的平均±标准差，括号里是第一个种子在文本上的标准误（48段，每段1024字节）。
# 1024上的超额损失，9.3节已经看过一个种子在验证文本上的。
# 先猜其余的：哪些在256上就付了大半代价，哪些几乎没付？
# 超额损失随种子变得多，还是随文本变得多？


# %% tags=["predict"]
def values(method, length, what="excess"):
    """Return what the rows of each seed hold, shape (seeds,) or (seeds, bins)."""
    chosen = [
        row[what] for row in results["rows"] if (row["method"], row["length"]) == (method, length)
    ]
    return torch.tensor(chosen)


def mean_and_spread(method, length):
    excess, error = values(method, length), values(method, length, "text_error")[0]
    return f"{excess.mean():+.3f} ± {excess.std():.3f} ({error:.3f})"


print(" " * 18, "128  ", *(f"{length:^22}" for length in settings["lengths"][1:]))
for method in (*METHODS, VARIANT):
    cells = [mean_and_spread(method, length) for length in settings["lengths"][1:]]
    print(f"{method:18} {values(method, 128, 'loss').mean():.3f}", *(f"{c:^22}" for c in cells))

# %% [markdown] lang="en"
# ALiBi and KERPLE lose nothing that can be measured, NoPE 0.03 to 0.06 nats. T5 loses 0.01 at twice
# the length, but 0.16 at eight times it; RoPE 0.5 and 1.2. Learned and sinusoidal pay about three
# quarters at 256 already, sinusoidal × $\sqrt d$ all of it. Where there is an excess, it varies
# more from seed to seed than over the text.
#
# The two sinusoidal rows are one and the same encoding. Added to embeddings of norm 1 it costs more
# than RoPE at every length; with embeddings times $\sqrt d$ it costs less at all three, in the mean
# (seed by seed in 9.9). When training starts, the table is most of what the first layer reads in
# the first case, and the smaller part in the second. But the two rows also differ in the learning
# rate that the rule of 9.3 chose; a control with equal rates was not measured.

# %% [markdown] lang="zh"
# ALiBi和KERPLE测不出超额损失；NoPE的是0.03到0.06奈特。T5的在两倍长度上只有0.01奈特，
# 到八倍长度就有0.16奈特；RoPE的则分别是0.5和1.2奈特。可学习编码和正弦在256上就付了大约四分之三，
# 乘了$\sqrt d$的正弦全付了。凡有超额损失的，不同种子之间的差异都大于文本带来的误差。
#
# 两行正弦其实是同一种编码。直接加在范数为1的嵌入上，它在每个长度上的代价都大于RoPE；
# 嵌入乘了$\sqrt d$，三个长度上的平均代价就都小于RoPE（逐个种子的数见9.9节）。训练开始时，
# 前一种情形下第一层读到的主要是位置表，后一种情形下，位置表（范数5.7）比嵌入（约8）小一些。
# 不过，按9.3节的规则选出的学习率，两行也不同；学习率相同的对照没有测。

# %% [markdown] lang="en"
# KERPLE's 0.000 calls for an explanation. Two measurements, first seed: the loss of a byte in fresh
# windows, by the number of bytes before it; and in each head $h$ the factor by which KERPLE's bias
# multiplies the weight (before normalisation) of a key $k$ bytes back, $(1+r_2k)^{-r_1}$, for
# $k=1$, 8, 64, 512. From how much context on do these four hardly gain?

# %% [markdown] lang="zh" slide="show"
# KERPLE的0.000需要解释。用第一个种子从两个角度看：一是新窗口里的损失随上下文字节数的变化；
# 二是每个头$h$里，KERPLE的偏置把距离为$k$的键的权重（归一化之前）乘以多少，
# 即$(1+r_2k)^{-r_1}$，$k=1$、8、64、512。
# 从多长的上下文起，这四种方法几乎不再变好？

# %%
contexts = [f"{2**i}" if i == 0 else f"{2**i}–{2 ** (i + 1) - 1}" for i in range(7)]
print(" " * 7, *(f"{context:>7}" for context in contexts))
runs = {run["method"]: run for run in results["training"] if run["seed"] == 0}
for method in ("kerple", "alibi", "t5", "rope"):
    print(f"{method:7}", *(f"{loss:7.3f}" for loss in runs[method]["by_context"]))
for head, (r1, r2) in enumerate(zip(runs["kerple"]["r1"], runs["kerple"]["r2"], strict=True)):
    far = [f"{(1 + r2 * k) ** -r1:.0e}" for k in (1, 8, 64, 512)]
    print(f"h = {head}: r₁ = {r1:.2f}, r₂ = {r2:.2f};", ", ".join(far))

# %% [markdown] lang="en"
# From the column 16–31 on, no line changes by more than about a hundredth of a nat, which is no
# more than the text confound of 9.1: the columns hold different bytes. So context beyond some
# twenty bytes, three or four words, hardly makes these four models predict better.
#
# KERPLE's bias has learnt to fade what is far: 64 bytes back the factor is below a ten-thousandth,
# in every head. Unless the score there is higher by 9 or more, the model looks only at what is
# near, and what it does not look at cannot hurt it, and cannot help. ALiBi has 0.000 too, but its
# gentlest head, with a slope of $1/256$, can see far past 128 bytes and is not disturbed by what is
# there. So 0.000 alone does not tell a short view from a long one.

# %% [markdown] lang="zh"
# 从16–31那一列往后，每一行的变化都不超过百分之一奈特左右；各列的字节本来就不相同，
# 单是9.1节的文本混杂也有这么大。可见二十来个字节（三四个词）以外的上下文，
# 几乎没有让这四个小模型预测得更准。
#
# KERPLE的偏置学会了让远处淡出：在每个头里，距离64处的权重都被乘以不到万分之一。
# 除非那里的得分高出9以上，模型就只看近处；不看的远处，伤不到它，也帮不了它。
# ALiBi同样是0.000，但最平缓的头斜率为$1/256$，看得到的远远不止128个字节，又没有受远处干扰。
# 可见单看0.000，分不出模型看得远还是看得近。

# %% [markdown] lang="en"
# Choose two methods and a length. For each method the figure shows the mean over the seeds and,
# dotted in the same colour, the lowest and the highest value of any seed at each position. The
# dashed vertical line marks the trained length. (Not in the lists: KERPLE, whose lines lie on
# ALiBi's, and sinusoidal × $\sqrt d$, see the figure of 9.5.) Where does the excess leave 0, and
# how suddenly?

# %% [markdown] lang="zh" slide="show"
# 选两种方法和一个长度。每种方法画各个种子的平均，同色的点线是每个位置上各个种子中的最低值和最高值，
# 离散程度一目了然。竖的虚线是训练长度。
# （列表里没有KERPLE和正弦×$\sqrt d$：前者的线与ALiBi的重合，后者见9.5节的图。）
# 超额损失从哪里开始离开0？来得多突然？


# %%
def by_position(one="rope", other="alibi", doublings=3, closer=False):
    length, curves = 128 * 2**doublings, []
    for colour, (method, stroke) in enumerate(((one, "-"), (other, "--o"))):
        bins = values(method, length, "by_position")  # (seeds, bins)
        at = 64 * (torch.arange(bins.shape[1]) + 1.5)
        curves.append(Curve(at, bins.mean(0), label.methods[method], stroke, colour))
        curves += [Curve(at, edge, "", ":", colour) for edge in (bins.amin(0), bins.amax(0))]
    means = [f"{values(method, length).mean():+.2f}" for method in (one, other)]
    return Curves(
        curves,
        **label.excess_by_position(length=length, one=means[0], other=means[1]),
        x_limits=(0, 1024),
        y_limits=(-0.02, 0.3) if closer else (-0.2, 4.0),
        vlines=[128],
    )


explore(
    by_position,
    **label.by_position,
    one=label.offered,
    other=label.offered,
    doublings=(1, 3),
    closer=False,
)

# %% [markdown] lang="en"
# *Picture: excess over position, RoPE solid, ALiBi dashed, the dashed vertical line at 128.*
#
# RoPE leaves 0 just past 128 (a point is the mean of 64 bytes; 128 to 191 are drawn at 160) and
# climbs to more than 1, the lowest and the highest seed half a nat apart; ALiBi stays on 0. The
# learned table jumps at the first rows that were never trained. T5 drifts: all distances from 113
# on share one number (chapter 4), and the later the position, the more keys get it.

# %% [markdown] lang="zh"
# *图：超额损失随位置的变化，RoPE是实线，ALiBi是虚线，竖的虚线在128处。*
#
# RoPE一过128就离开0（每个点是64个字节的平均，128到191画在160处），一直爬到1以上，
# 最低与最高的种子相差约半奈特；ALiBi始终在0上。可学习编码一到没训练过的行就跳上去。T5慢慢漂移：
# 从113起所有距离共用一个数（第4章），位置越靠后，得到这个数的键就越多。

# %% [markdown] lang="en"
# Each length was measured in a pass of its own. Was that necessary? For PI, NTK, NTK-by-parts and
# YaRN as they are used here, with $s=T/L$, yes: their frequencies change with the length. For an
# encoding that does not look at the length, one long pass holds all shorter ones;
# `excess_by_length` of 9.2 makes use of this. The stored means over 64 bytes show it: RoPE's excess
# at 256 can be read off its pass of 1024. Each line has the seed, the excess measured at 256, and
# the value read off. The windows start at other bytes, so the numbers are close, not equal.

# %% [markdown] lang="zh" slide="show"
# 每种长度都单独做了一次前向计算，这有必要吗？这里的位置插值（PI）、NTK、NTK-by-parts和YaRN有必要，
# 因为扩展倍数$s=T/L$，频率随长度而变。编码不看长度的话，一次长的前向计算就包含了所有更短的结果，
# 9.2节的练习`excess_by_length`用的就是这一点。存下的结果里有每64个字节的平均值，可以验证：
# RoPE在256上的超额损失，从1024的那次前向计算里就读得出来。每行依次是种子、256上的实测值、读出的值。
# 两次的窗口从不同的字节开始，所以数值接近而不相等。

# %%
for seed in seeds:
    rows = {
        row["length"]: row
        for row in results["rows"]
        if (row["method"], row["seed"]) == ("rope", seed)
    }
    # bins of 64 from position 64 on: those of 128 … 255 are numbers 1 and 2
    read = sum(rows[1024]["by_position"][1:3]) / 2
    print(f"{seed}: {rows[256]['excess']:.3f} ≈ {read:.3f}")

# %% [markdown] lang="en" way="everything"
# ## 9.5 Which orderings are stable?
#
# Means over seeds invite a ranking. But how much of it would a new seed confirm? The models
# of one seed started from the same weights and saw the same batches in the same order, so compare
# them seed by seed, and believe an ordering only if it holds in each.

# %% [markdown] lang="zh" slide="show"
# ## 9.5 哪些次序是稳定的？
#
# 有了各个种子的平均值，人就想排名次。但换一个种子，名次中哪几级还站得住？
# 同一个种子的各个模型，初始权重、训练批次及其先后都相同，所以应当逐个种子比较；
# 每个种子都成立的次序才可信。


# %% exercise="stable_orderings"
def stable_orderings(excess):
    """Return whether row a is smaller than row b in every seed, (methods, methods) booleans."""
    ### BEGIN SOLUTION
    smaller = excess[:, None] < excess[None, :]  # (methods, methods, seeds)
    return smaller.all(dim=-1)
    ### END SOLUTION


# %% check="stable_orderings"
check("stable_orderings", stable_orderings)

# %% [markdown] lang="en"
# Even if two methods do not differ at all, all $n$ seeds order them the same way with a probability
# of $2^{1-n}$. Below are 26 comparisons, **fixed before the test text was read**. All others in
# this chapter are *post hoc*, not fixed before the results were seen: those at 512, RoPE against
# sinusoidal × $\sqrt d$ (9.9), NTK-by-parts or YaRN against plain RoPE. If no two methods differed,
# how many of the 26 would look stable?

# %% [markdown] lang="zh" slide="show"
# 即使两种方法毫无差别，$n$个种子碰巧全部一致（不论哪个方向）的概率也有$2^{1-n}$。
# 下面26个比较，**在读测试文本之前就定好了**。本章其余的比较都没有事先定好（*事后比较*）：
# 长度512上的、RoPE对乘了$\sqrt d$的正弦（9.9节）、NTK-by-parts和YaRN对不缩放的RoPE。
# 假如任何两种方法都没有差别，这26个里看上去“稳定”的会有几个？

# %%
compared = results["comparisons"]
by_chance = 2 ** (1 - len(seeds))
print(f"{len(compared)} × {by_chance:.4f} = {len(compared) * by_chance:.1f}")

# %% [markdown] lang="en"
# Less than one.
#
# Agreement is not enough: the size counts too. Each line below is the mean over the seeds of the
# paired difference $a-b$, with an interval: Student's $t$ over the seeds, at the level $1-0.05/m$
# for each of the $m$ comparisons (Bonferroni; here $m=26$). If the experiment were repeated many
# times with new seeds only, and the seeds' differences are about normal, in 95% of them or more all
# $m$ intervals would contain the true values: the means over all seeds, on this text, at these
# rates. ± is the standard error of the difference over the text, here of blocks averaged over the
# seeds. ✓: the interval leaves 0 out, and the difference is more than twice the error over text. ∀:
# the order is the same in every seed. `rope+pi`, `rope+ntk`, `rope+parts` and `rope+yarn` are the
# trained RoPE with a scaling of chapter 6; those in `tuning` had another 100 steps (9.6):
# `rope+pi+tuning` after PI, at 1024; `rope+tuning` without it, at 1024; `rope+short_tuning` without
# it, at 128.

# %% [markdown] lang="zh"
# 不到一个。
#
# 只看是否一致还不够，也要看大小。下面每一行是成对差$a-b$对各个种子的平均，并给出区间：
# 用各个种子的差做Student $t$区间，$m$个比较中每一个取$1-0.05/m$的置信水平（Bonferroni校正）。
# 假如只换种子，把实验重做许多次，而各个种子的差近似正态，那么至少95%的次数里，
# 这$m$个区间（这里$m=26$）会全部盖住各自的真值，即同一段文本、同样的学习率下，
# 对所有可能的种子取的平均差。±之后是同一个差在文本上的标准误，这里每段先对各个种子取平均。
# ✓表示区间不含0，而且差超过文本标准误的两倍；∀表示次序在每个种子上都相同。
# `rope+pi`、`rope+ntk`、`rope+parts`、`rope+yarn`是训练好的RoPE加上第6章的缩放；
# 名字以`tuning`结尾的又训练了100步（9.6节）：
# `rope+pi+tuning`先做位置插值，在1024上训练；`rope+tuning`不插值，也在1024上；
# `rope+short_tuning`不插值，在128上。

# %%
for length in (256, 1024):
    print(f"T = {length}")
    for one in (one for one in compared if one["length"] == length):
        low, high = one["interval"]
        gap = values(one["a"], length) - values(one["b"], length)
        stable = (gap < 0).all() or (gap > 0).all()
        print(
            f"  {one['a']:>11} − {one['b']:17} {one['difference']:+.3f} [{low:+.3f}, {high:+.3f}]"
            f" ± {one['text_error']:.3f} {'∀' if stable else ' '} {'✓' if one['holds'] else ' '}"
        )

# %% [markdown] lang="en"
# In 22 of the 26 all seven seeds agree, where chance would give less than one. Of these, 18 have an
# interval that leaves 0 out, among them ALiBi below T5, T5 below RoPE, NTK-by-parts below NTK, and
# direct tuning below tuning after interpolation, each at both lengths. Four have one that includes
# 0, such as RoPE below sinusoidal at 1024: all seeds agree which is lower, but differ so much in
# the size (0.26 to 1.42 nats) that seven do not settle it. In the last four the seeds do not even
# agree on the sign: KERPLE and ALiBi differ by less than a thousandth of a nat, and whether
# interpolation alone is better than nothing depends on the seed. None of these differences is shown
# to be zero. The error over the text is small beside the spread over the seeds, so more seeds would
# help here, more text only a little.

# %% [markdown] lang="zh"
# 26个比较里，有22个在七个种子上方向完全一致，而只凭碰巧，连一个都不到。其中18个的区间不含0，
# 例如：ALiBi低于T5，T5低于RoPE，NTK-by-parts低于NTK，直接微调低于先插值再微调，两种长度上都是。
# 另外4个的区间含0，例如1024上的RoPE与正弦：七个种子上都是RoPE更低，
# 但低多少，各个种子相差悬殊（0.26到1.42奈特），单凭七个种子还下不了结论。最后4个连方向都不一致：
# KERPLE与ALiBi相差不到千分之一奈特；只插值是不是好过什么都不做，要看种子。
# 没有定论，并不说明差别为零。
# 与种子之间的离散程度相比，文本带来的误差很小，所以这里值得多跑几个种子，多用文本帮助不大。

# %% [markdown] lang="en"
# Choose a group, drag the seed, and watch which lines change places. Then show the loss in place of
# the excess.

# %% [markdown] lang="zh" slide="show"
# 选一组方法，拖动种子，看哪些线换了位置。再把超额损失换成损失看看。

# %%
GROUPS = {
    "break": ("learned", "sinusoidal", VARIANT, "rope", "nope"),
    "hold": ("t5", "alibi", "kerple"),
    "scaled": ("rope", "rope+pi", "rope+ntk", "rope+parts", "rope+yarn"),
}
RANGES = {"break": (-0.1, 2.6), "hold": (-0.05, 0.5), "scaled": (-0.1, 2.6)}


# %%
def by_length(group, seed, what):
    curves = []
    for method in GROUPS[group]:
        rows = [row for row in results["rows"] if (row["method"], row["seed"]) == (method, seed)]
        points = sorted((row["length"], row[what]) for row in rows)
        curves.append(Curve(*zip(*points, strict=True), label.methods[method]))
    return Curves(
        curves,
        **label.by_length_curves(what=label.losses[what], seed=seed),
        x_scale="log",
        x_limits=(120, 1100),
        y_limits=(1.8, 5.0) if what == "loss" else RANGES[group],
        markers=True,
    )


explore(
    by_length,
    **label.by_length,
    group=label.groups,
    seed=(0, len(seeds) - 1),
    what=label.quantities,
)

# %% [markdown] lang="en"
# *Picture: excess over length, a line for each encoding of the group. In the first group sinusoidal
# is at the top and NoPE just above 0, with RoPE, learned and sinusoidal × √d between them.* In the
# second, on an axis of its own, ALiBi and KERPLE lie on 0, one over the other, and T5 rises. Switch
# to the loss: NoPE's excess is low, but at 128 its loss is the highest.
#
# Drag the seed, and sinusoidal stays at the top of the first group, NoPE at the bottom; the three
# between change places at some lengths (9.9). Of the scalings, NTK-by-parts is always the lowest;
# YaRN is below NTK except in seed 0 (at 256 also in 5), and PI is above plain RoPE except in 2 and
# 6 (at 256: in 4 and 6).

# %% [markdown] lang="zh"
# *图：超额损失随长度的变化，组里每种编码一条线。第一组里，正弦在最上面，NoPE略高于0，
# RoPE、可学习编码、嵌入放大后的正弦在两者之间。* 第二组的纵轴另有刻度：ALiBi和KERPLE重叠在0上，
# T5往上走。切换到损失：NoPE的超额损失低，但它在128处的损失最高。
#
# 拖动种子，第一组里，正弦总在最上，NoPE总在最下；中间三条在有的长度上会换次序（9.9节）。
# RoPE的各种缩放里，NTK-by-parts总是最低；
# YaRN低于NTK，只有种子0例外（256上还有种子5）；位置插值高于不缩放的RoPE，
# 只有种子2和6例外（256上是4和6）。

# %% [markdown] lang="en" way="everything"
# ## 9.6 Interpolate, then tune
#
# The scalings of chapter 6, with $s=8$, on the trained RoPE, without further training: where in a
# window of 1024 does each of them hurt? The cell prints means over the 64 positions from $p$ on.
# Predict for position interpolation: near the start, near the end, everywhere?

# %% [markdown] lang="zh" slide="show"
# ## 9.6 先插值，再微调
#
# 把第6章的各种缩放（$s=8$）直接用在训练好的RoPE上，不再训练：在1024的窗口里，各自伤在哪里？
# 打印的是从$p$起64个位置的平均。先猜位置插值：伤在开头、末尾，还是处处都伤？

# %% tags=["predict"]
for method in GROUPS["scaled"]:
    bins = [
        row["by_position"]
        for row in results["rows"]
        if (row["method"], row["length"]) == (method, 1024)
    ]
    first, middle, last = torch.tensor(bins).mean(0)[[0, 4, 14]].tolist()
    print(f"{method:10} p = 64: {first:+.2f}, p = 320: {middle:+.2f}, p = 960: {last:+.2f}")

# %% [markdown] lang="en"
# Interpolation alone hurts everywhere, because neighbours are at an eighth of the distance that the
# model knows.
#
# NTK leaves what is near almost as it was: it costs 0.1 nats up to position 320, and 0.2 from there
# to 384, three times the trained length. Then it breaks. Pair $i$ is slowed by $8^{i/7}$ (6.4), so
# beyond $127\cdot8^{i/7}$ it reaches angles that training never showed: pairs 3 to 6 (from 0) one
# after the other from 310 on, the slowest from 1017 on. (Pairs 0 to 2 had turned all the way
# round.)
#
# YaRN costs 0.7 to 0.8 nats everywhere; NTK-by-parts begins with 0.4, rises to between 0.6 and 0.7
# at about 192, and is flat from there (whole curves: the figure of 9.4). Both cost less than PI.

# %% [markdown] lang="zh"
# 只做位置插值时，处处都受损，因为相邻字节的间距只有模型熟悉的八分之一。
#
# NTK几乎不动近处，到位置320为止，代价约0.1奈特，从320到384（训练长度的三倍）约0.2奈特；
# 再往后就失效了：第$i$对放慢到$8^{i/7}$分之一（6.4节），
# 过了$127\cdot8^{i/7}$就转到训练中没见过的角度。第3至第6对（从0数起）从310起依次越界，
# 频率最低的一对要到1017。（第0至第2对在训练中已转满一圈。）
#
# YaRN的代价处处是0.7到0.8奈特；NTK-by-parts的从0.4奈特开始，到192附近升到0.6至0.7，此后持平
# （完整的曲线在9.4节的图里）。两者都比位置插值轻。

# %% [markdown] lang="en"
# NTK-by-parts has Llama 3.1's borders here, 1 and 4 turns, and no temperature; YaRN has the
# *paper's* ramp (6.7), from 1 to 32 turns, and a temperature. (The names of 6.12 differ: its row
# `NTK-by-parts` has these borders of 1 and 32, its row `YaRN` the code's ramp.) The cell prints
# what each multiplies the eight frequencies by, for heads of 16 channels trained at length 128. How
# many pairs does NTK-by-parts leave alone? YaRN's ramp leaves none alone: what share of its
# frequency does the fastest pair keep?

# %% [markdown] lang="zh"
# 这里的NTK-by-parts用Llama 3.1的边界，1圈和4圈，没有温度；YaRN用*论文*的斜坡（6.7节），
# 从1圈到32圈，另加温度。
# （6.12节的叫法不同：用1圈和32圈作边界的是`NTK-by-parts`那一行，`YaRN`行用的是代码的斜坡。）
# 下面打印的是：每个头16个通道、训练长度128时，八个频率各乘以多少。
# NTK-by-parts有几对原样不动？用YaRN的斜坡，没有一对原样不动；频率最高的那对，频率还留下几成？

# %%
for name, beta in (("rope+parts", 4.0), ("rope+yarn", 32.0)):
    scaled, _ = ntk_by_parts(16, 8.0, 128, alpha=1.0, beta=beta)  # 4 heads in 64 channels
    kept = (scaled / frequencies(16)).tolist()
    print(f"{name:10}:", ", ".join(f"{share:.3f}" for share in kept))

# %% [markdown] lang="en"
# Two; and two thirds, since within 128 tokens even the fastest turns only $128/2\pi\approx20$
# times. (The code's ramp of 6.12 would spare the fastest; it was not run here.)
#
# YaRN's 32 turns were chosen for trained lengths of thousands of tokens, so our numbers do not
# judge YaRN.

# %% [markdown] lang="zh"
# 前者两对；后者约三分之二，因为128个词元之内，频率最高的一对也只转$128/2\pi\approx20$圈。
# （6.12节用的是代码的斜坡，频率最高的一对会原样不动；这里没有跑。）
#
# YaRN的32圈是为训练长度有几千个词元的模型选的，所以不能凭这里的结果评判YaRN。

# %% [markdown] lang="en"
# Chapter 6 said that a little fine-tuning repairs interpolation. Here it is done: frequencies
# divided by 8, then trained for 100 more steps at length 1024, one window of 1024 bytes each
# (`rope+pi+tuning`). But what would the same steps have brought *without* interpolation? Two
# controls start from the same checkpoint: **direct tuning** (`rope+tuning`), at 1024 with the
# frequencies as they were, on the same windows in the same order; and **short**
# (`rope+short_tuning`), with as many bytes at 128. The learning rate of each follows the rule of
# 9.3. The cell prints the excess at 128, 256, 512 and 1024, mean ± standard deviation over the
# seeds; here the control is, at all four, the model *before* tuning, on the same byte in a fresh
# window of 128. 9.5 has shown how far the three are apart at 256 and 1024. Predict what it has not:
# what does each cost at 128?

# %% [markdown] lang="zh" slide="show"
# 第6章说过，稍加微调就能修好插值。这里照做：频率除以8，在长度1024上再训练100步，
# 每步一个1024字节的窗口（`rope+pi+tuning`）。但如果*不*插值，同样多的步数又能带来多少？
# 两个对照从同一个checkpoint（权重文件）出发：**直接微调**（`rope+tuning`），频率不变，
# 在1024上训练，窗口及其先后都相同；**短窗口微调**（`rope+short_tuning`），在128上训练，字节数相同。
# 学习率各按9.3节的规则来选。
# 下面打印128、256、512、1024上的超额损失，是各个种子的平均±标准差；
# 四个长度的对照都是微调*之前*的模型，它在128字节的新窗口里读同一个字节。
# 256和1024上三者相差多少，9.5节已经给出。先猜没给的：在128上各付多少代价？

# %% tags=["predict"]
TUNED = {
    "rope+pi+tuning": label.interpolated_by_8,
    "rope+tuning": label.direct,
    "rope+short_tuning": label.short_windows,
}


def tuned_course(number, title):
    curves = [
        Curve(
            [point[0] for point in courses[method]],
            [point[number] for point in courses[method]],
            name,
        )
        for method, name in TUNED.items()
    ]
    return Curves(curves, **label.fine_tuning(), title=title, y_limits=(1.8, 3.4), markers=True)


picture(tuned_course(2, label.loss_at_1024), tuned_course(1, label.same_bytes))
print(" " * 17, *(f"{length:^16}" for length in settings["lengths"]))
for method in TUNED:
    shown = [
        f"{values(method, n).mean():+.3f} ± {values(method, n).std():.3f}"
        for n in settings["lengths"]
    ]
    print(f"{method:17}", *(f"{one:^16}" for one in shown))

# %% [markdown] lang="en"
# *Picture: loss over steps of fine-tuning, at 1024 on the left, for the same bytes at 128 on the
# right.*
#
# On the left, direct tuning falls within two dozen steps to near 2.1 and ends below 2;
# interpolation stays above it all the way, and short windows stay up. On the right, direct tuning
# first rises, then comes most of the way back; interpolation begins far up and ends above both.
# Tuning on short windows costs nothing at 128 and gains nothing beyond, so more training as such is
# not what helps.
# Direct tuning at 1024 leaves 0.06 to 0.07 nats, whether the test is at 128 or at 1024 bytes.
# Tuning after interpolation is flat too, but at about 0.3 nats: after 100 steps the model has not
# fully relearnt its neighbours, which are now at an eighth of the distance.

# %% [markdown] lang="zh"
# *图：损失随微调步数的变化。左图的窗口是1024个字节，右图把同样的字节放在128个字节的窗口里。*
#
# 左图里，直接微调的那条在二十几步内就降到2.1附近，最后到2以下；先插值的那条一路都在它上方，
# 短窗口的那条居高不下。右图里，直接微调的先升，再降回大半；先插值的从很高处开始，
# 最后仍高于另外两条。短窗口微调在128上不付代价，对128以外也毫无帮助，
# 可见起作用的不是“多训练一会儿”。
# 直接在1024上微调之后，1024处的超额损失只剩0.06至0.07奈特，128处也只付出这么多。
# 先插值再微调，各个长度上的超额损失也差不多，但都在0.3奈特左右：
# 相邻字节的间距缩到了八分之一，只用100步，模型还没有完全重新学会。

# %% [markdown] lang="en"
# So with the same 100 steps direct tuning does better: part of what the other run learns repairs
# the interpolation itself. Is the paper that proposed it wrong? It has this control (Chen et al.,
# §3.2 and §3.3). LLaMA tuned directly for 10000 steps had, at longer windows, perplexities between
# 0.12 lower and 0.48 higher than its own at 2048 (0.48 up from 7.21 is 0.06 nats): nearly harmless,
# as here. But it could find a number hidden in the text only up to 2560 tokens back, while the
# interpolated models found it anywhere and gained from longer windows. **Not to be disturbed by far
# context is one thing, to read it another.** Our models gain only from the last twenty bytes or so
# (9.4), not from what is farther back; and the near bytes are what interpolation moves.

# %% [markdown] lang="zh" slide="show"
# 同样100步，直接微调更好：先插值的那一次，有一部分步数用来修补插值本身。那么提出插值的论文错了吗？
# 那篇论文做了这个对照（Chen等，§3.2和§3.3）。直接微调10000步的LLaMA，在更长的窗口上，
# 困惑度比它自己在2048上的最多降低0.12，最多升高0.48（从7.21升高0.48，约合0.06奈特），
# 和这里一样近乎无害。但藏在文中的一个数，它最远只能在2560个词元之前找到；
# 插值过的模型在任何地方都找得到，窗口越长困惑度还越低。
# **不受远处干扰是一回事，读懂远处是另一回事。** 我们的模型只从最近二十来个字节里得到好处（9.4节），
# 更远的内容它本来就没有用上；而它真正用到的近处，正是插值改动的地方。

# %% [markdown] lang="en"
# ### What the steps do
#
# One head is enough to see it. For a fixed query and key its score at distance $k$ is a sum of
# waves (chapter 5), $\hat y_k=\sum_ia_i\cos(\omega_ik/s)+b_i\sin(\omega_ik/s)$. Let the
# coefficients be learnt at $s=1$, so that the head looks three tokens back. Interpolation stretches
# the picture; gradient steps on the coefficients, at the *new* angles, pull it back.

# %% [markdown] lang="zh" slide="show"
# ### 这些步骤在做什么
#
# 看一个头就够了。查询和键固定时，它在距离$k$处的得分是若干波之和（第5章），
# $\hat y_k=\sum_ia_i\cos(\omega_ik/s)+b_i\sin(\omega_ik/s)$。设系数是在$s=1$时学的，
# 让它看向三个词元之前。插值把这条曲线拉宽；在*新的*角度上对系数做梯度下降，再把它拉回来。


# %% exercise="tuning_step"
def tuning_step(c, y, k, omega, factor, rate):
    """Return the coefficients after one step of gradient descent, shape (2m,)."""
    ### BEGIN SOLUTION
    angles = k[:, None] * omega / factor  # (n, m), interpolated
    waves = torch.cat((angles.cos(), angles.sin()), dim=1)  # (n, 2m)
    error = waves @ c - y
    return c - rate * 2 * waves.T @ error / len(k)
    ### END SOLUTION


# %% check="tuning_step"
check("tuning_step", tuning_step)

# %% [markdown] lang="en"
# Drag the steps from 0 on. The head has learnt to prefer distance 3; how many steps until it does
# again? Then raise $s$.

# %% [markdown] lang="zh" slide="show"
# 从0开始拖动步数。这个头原本最偏爱距离3；要走多少步，峰才会回到3？然后把$s$调大。

# %%
k, omega = torch.arange(33, dtype=torch.float64), frequencies(64)
wanted = torch.exp(-((k - 3) ** 2) / 8)  # about three tokens back


def waves_of(s):
    angles = k[:, None] * omega / s
    return torch.cat((angles.cos(), angles.sin()), dim=1)  # (33, 64)


learnt = torch.linalg.lstsq(waves_of(1), wanted, driver="gelsd", rcond=1e-3).solution


def tuned_head(steps=0, factor=2.0):
    c, waves = learnt.clone(), waves_of(factor)
    for _ in range(steps):
        c = c - 0.015 * 2 * waves.T @ (waves @ c - wanted) / len(k)
    return Curves(
        [Curve(k, wanted, label.goal, "--"), Curve(k, waves @ c, label.tuned, "-")],
        **label.head(factor=factor, steps=steps, back=(waves @ c).argmax()),
        y_limits=(-0.6, 1.2),
    )


explore(tuned_head, **label.tuned_head, steps=(0, 500, 20), factor=(1.5, 4.0, 0.5))

# %% [markdown] lang="en"
# *Picture: a dashed peak at distance 3, and a solid one, at first at 6 and twice as wide, which
# moves back to it as the steps go up.* With $s=2$ it is back at 3 by step 40, but blunter; with
# $s=4$ it slides past 3 and ends as a broad hump, nearly flat from 0 to 3, whose highest point says
# little. Once the frequencies are divided by $s$, the fastest wave is $2\pi s$ tokens long:
# anything narrower takes large coefficients of opposite signs, and gradient steps find those very
# slowly. See how little the last 400 steps change the distance $k$ of the peak and the mean squared
# error:

# %% [markdown] lang="zh"
# *图：虚线在距离3处有一个峰；实线的峰起初在6处，宽了一倍；步数增加，它就一步步移回3处。*
# $s=2$时，走到40步，峰就回到3，但变钝了；$s=4$时峰滑过了3，最后只剩一个宽包，
# 从0到3几乎是平的，最高点落在哪里说明不了什么。除以$s$之后，频率最高的波，波长也有$2\pi s$个词元。
# 比这更窄的峰，要用正负相抵的大系数来拼，而梯度下降要走很多步才能找到这样的系数。
# 看看最后400步给峰的距离$k$和均方误差带来了多少：

# %%
for factor in (2, 4):
    for steps in (0, 100, 500):
        after = tuned_head(steps, factor).curves[1].y
        loss = ((after - wanted.numpy()) ** 2).mean()
        print(f"s = {factor}, {steps:3}: k = {after.argmax():2}, {loss:.3f}")

# %% [markdown] lang="en" way="everything"
# ## 9.7 Train it yourself
#
# Now two models of your own, small enough to train in seconds: length 32, two layers of 32
# channels, RoPE against ALiBi, tested up to 256. First the text and the windows. The text is
# Python's built-in help, which differs a little from version to version.

# %% [markdown] lang="zh"
# ## 9.7 亲手训练
#
# 现在来训练你自己的两个模型，小到几秒就够：长度32，两层，32个通道，RoPE对ALiBi，最长测到256。
# 先准备文本和窗口。这次的文本是Python自带的帮助，它随Python的小版本略有不同。

# %%
topics = pydoc_data.topics.topics
words = "\n".join(topics[name] for name in sorted(topics)).encode()[:200_000]
text = torch.tensor(list(words)).unique(return_inverse=True)[1]  # bytes as 0, 1, 2, …
seen, held_out = text[:170_000], text[170_000:]
SHORT, LONG = 32, 256


def trained(encoding, steps=300):
    torch.manual_seed(0)
    model = TinyLM(int(text.max()) + 1, dim=32, heads=2, layers=2, encoding=encoding)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    rng = torch.Generator().manual_seed(0)  # the same batches for every encoding
    for step in range(steps):
        optimizer.param_groups[0]["lr"] = 5e-3 * (1 + math.cos(math.pi * step / steps))
        start = torch.randint(len(seen) - SHORT, (16, 1), generator=rng)
        window = seen[start + torch.arange(SHORT + 1)]  # (16, 33): inputs and targets
        loss = F.cross_entropy(model(window[:, :-1]).mT, window[:, 1:])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model


# %% [markdown] lang="en"
# Then the measure: every byte in a long window, and the same byte in a fresh short one. Here short
# windows are cut out of each long one, every 16 bytes, and of each the second half counts.

# %% [markdown] lang="zh"
# 然后是测量：每个字节在长窗口里的损失，以及同一个字节在新的短窗口里的损失。
# 这里的短窗口从每个长窗口里切出，每隔16个字节切一个，各取后一半。


# %%
@torch.no_grad()
def losses(model, windows):  # (n, length + 1) → (n, length)
    parts = windows.split(1100 // windows.shape[1])  # some 1000 bytes; all at once is slower
    each = [F.cross_entropy(model(p[:, :-1]).mT, p[:, 1:], reduction="none") for p in parts]
    return torch.cat(each)


def excess_by_position(model):
    window = held_out.unfold(0, LONG + 1, LONG)  # (n, 257)
    inside = window.unfold(1, SHORT + 1, SHORT // 2)  # (n, 15, 33), fresh windows within each
    fresh = losses(model, inside.flatten(0, 1))[:, SHORT // 2 :]  # (15 n, 16)
    late = losses(model, window)[:, SHORT // 2 :]  # (n, 240)
    excess = (late - fresh.reshape(late.shape)).mean(0)
    return F.pad(excess, (SHORT // 2, 0), value=math.nan)  # (256,), NaN for the first 16


# %% [markdown] lang="en"
# Run it; it takes some seconds. Below the figure is the excess at 256. Your numbers will differ a
# little from ours: the text is not quite the same, and processors round differently.

# %% [markdown] lang="zh"
# 运行它，要花几秒。图下面是256上的超额损失。文本不尽相同，处理器的舍入也有差别，
# 你的数会和我们的略有出入。

# %%
yours = {name: excess_by_position(trained(name)) for name in ("rope", "alibi")}

# %% tags=["nbval-ignore-output"] reason="trained numbers differ a little between processors"
middles = torch.arange(SHORT // 2, LONG, SHORT // 2) + 8
picture(
    Curves(
        [
            Curve(
                middles,
                excess[SHORT // 2 :].unflatten(0, (-1, SHORT // 2)).mean(1),
                label.methods.get(name, name),
            )
            for name, excess in yours.items()
        ],
        **label.yours(),
        vlines=[SHORT],
        markers=True,
    )
)
for name, excess in yours.items():
    print(f"{name:5}: {excess[LONG // 2 :].mean():+.1f}")

# %%
assert yours["rope"][LONG // 2 :].mean() > yours["alibi"][LONG // 2 :].mean() + 0.2

# %% [markdown] lang="en"
# *Picture: two curves from position 24 on; RoPE's leaves 0 just past the dashed line at 32 and
# rises to about one nat, ALiBi's stays within a few hundredths of 0.* The same picture as in 9.4,
# at a quarter of the length and with a fraction of the work.
#
# Now change the seed or the number of steps in `trained`, or add an encoding to the tuple in the
# cell of `yours`: `"t5"`, `"kerple_log"`, `"sinusoidal"`, `"learned"`, `"none"`. (The `assert` is
# about the settings above; with others it need not hold.)

# %% [markdown] lang="zh"
# *图：从位置24开始的两条曲线；RoPE那条刚过32处的虚线就离开0，升到约一奈特；
# ALiBi那条与0的差始终不超过百分之几奈特。* 情形和9.4节一样，而长度只有那里的四分之一，
# 计算量更是小得多。
#
# 现在改改`trained`里的种子、步数，或者在`yours`那个单元格的元组里加一种编码试试：
# `"t5"`、`"kerple_log"`、`"sinusoidal"`、`"learned"`、`"none"`。
# （`assert`只针对上面的设置，改了以后不一定成立。）

# %% [markdown] lang="en" way="everything"
# ## 9.8 Beside the published tables
#
# Choose a table. It has perplexities over the authors' own tokens, models and texts, so levels
# cannot be compared with ours, and hardly with each other. What you can compare is which lines
# leave their starting level, and at what length.

# %% [markdown] lang="zh"
# ## 9.8 与发表的表格对照
#
# 选一张表。表里是困惑度，而各篇论文的词元、模型大小和文本都不同，所以数值高低不能与我们的比，
# 彼此之间也很难比。能比的是：哪条线离开了自己的起始水平，从哪里开始离开。

# %%
nan = math.nan
PUBLISHED = {
    "alibi_2": (  # Press et al. 2022, trained at length 512, WikiText-103
        [512, 1012, 1512, 2512, 3512, 15512],
        {
            "sinusoidal": [20.05, 43.54, 76.23, 132.41, 178.97, 406.01],
            "rope": [20.07, 21.37, 25.99, 31.58, 35.54, 79.25],
            "t5": [19.65, 18.79, 18.91, 20.41, 22.91, nan],
            "alibi": [19.73, 18.73, 18.52, 18.41, 18.40, 18.31],
        },
    ),
    "alibi_3": (  # trained at length 1024
        [1024, 2024, 3024, 5024, 10024],
        {
            "sinusoidal": [19.34, 51.09, 96.46, 182.31, 337.48],
            "rope": [19.33, 31.17, 35.67, 48.31, 77.70],
            "t5": [18.80, 18.34, 18.62, 20.47, 29.54],
            "alibi": [18.66, 18.05, 17.92, 17.92, 17.97],
        },
    ),
    "kerple_3": (  # Chi et al. 2022, trained at length 512, OpenWebText2
        [512, 2048, 16384],
        {
            "sinusoidal": [33, 5507, 30046],
            "rope": [24.2, 62.4, 269],
            "t5": [23.7, 21.7, 31.4],
            "alibi": [23.9, 22.5, 22.5],
            "kerple": [23.9, 21.6, 21.4],
        },
    ),
    "yarn_1": (  # Peng et al. 2023, Llama 2 tuned for 2 × 4096, Proof-pile
        [2048, 4096, 6144, 8192, 10240],
        {
            "rope+pi": [3.92, 3.51, 3.51, 3.34, 8.07],
            "rope+ntk": [4.20, 3.75, 3.74, 3.59, 6.24],
            "rope+yarn": [3.91, 3.50, 3.51, 3.35, 6.04],
        },
    ),
}


# %%
def published(table):
    lengths, lines = PUBLISHED[table]
    known = [value for line in lines.values() for value in line if not math.isnan(value)]
    return Curves(
        [Curve(lengths, line, label.methods[method]) for method, line in lines.items()],
        **label.perplexity(),
        title=label.tables[table],
        x_scale="log",
        y_scale="log",
        x_limits=(0.9 * lengths[0], 1.1 * lengths[-1]),
        y_limits=(0.9 * min(known), 1.1 * max(known)),
        markers=True,
    )


explore(published, **label.published, table=label.sources)

# %% [markdown] lang="en"
# *Picture: perplexity over length on two logarithmic axes, one line for each method of the chosen
# table.*
#
# In the first three tables the sinusoidal line climbs most, rotary less, T5 late, ALiBi and
# KERPLE not at all; in the last, whose models were tuned for 8192, all three are lower there than
# at 2048 (by about 0.16 nats) and turn up past it. Expressed in nats, a change of perplexity is
# $\ln(\mathrm{PPL}_T/\mathrm{PPL}_L)$. Put the first table (nats per word), at 2 and at 7 times the
# trained length, beside ours (nats per byte; `sinusoidal` with unscaled embeddings), at 2 and at 8
# times:

# %% [markdown] lang="zh"
# *图：双对数坐标上困惑度随长度的变化，选中的表里每种方法一条线。*
#
# 前三张表里，正弦的线升得最多，RoPE的升得少些，T5的很晚才升，ALiBi和KERPLE的不升；
# 最后一张的模型为8192微调过，三条线在8192处都比2048处低（约0.16奈特），之后翘起。
# 困惑度的变化换算成奈特是$\ln(\mathrm{PPL}_T/\mathrm{PPL}_L)$。
# 左边是第一张表在训练长度的2倍和7倍上的（奈特/词），
# 右边是我们在2倍和8倍上的（奈特/字节；其中`sinusoidal`是嵌入不缩放的那一种）：

# %%
_, table = PUBLISHED["alibi_2"]
for method, line in table.items():
    theirs = [math.log(line[i] / line[0]) for i in (1, 4)]  # 2 and 7 times the trained length
    ours = [values(method, length).mean() for length in (256, 1024)]
    print(
        f"{method:10}: ×2 {theirs[0]:+.2f}, ×7 {theirs[1]:+.2f};"
        f"   ×2 {ours[0]:+.2f}, ×8 {ours[1]:+.2f}"
    )

# %% [markdown] lang="en"
# In kind they agree: the sinusoid breaks at once, T5 rises late and little, ALiBi holds. (With
# embeddings times $\sqrt d$ ours breaks at once too, but then goes no higher, and RoPE's mean is
# above it: 9.4.) In size they do not. At ×2 the paper's T5 and ALiBi even gain: its windows do not
# overlap, and longer ones have fewer early tokens (the second confound of 9.1). And its RoPE loses
# far less at ×2, though that loss is per word, not per byte. A table speaks for its own model, text
# and measure.

# %% [markdown] lang="zh"
# 性质相同：正弦立刻失效，T5很晚才升、升得也少，ALiBi撑得住。
# （嵌入乘$\sqrt d$的，也立刻失效，但之后不再升高，平均起来反而是RoPE更高，见9.4节。）大小却不同。
# 在×2处，论文里的T5和ALiBi甚至变好了：那张表用的是不重叠的窗口，窗口越长，
# 开头的词元所占比例越小（9.1节说的第二个混杂）。论文里的RoPE在×2处损失增加得也少得多，
# 尽管那里是按词计，我们是按字节计。一张表只代表它自己的模型、文本和测法。

# %% [markdown] lang="en" way="everything"
# ## 9.9 What is not true
#
# **"A small excess means a good encoding."** NoPE's is small beside RoPE's, and its loss at the
# trained length is the highest of all. Excess tells what length costs, not how good the model is.
# Look at the loss itself, at 128 and at 1024:

# %% [markdown] lang="zh" slide="show"
# ## 9.9 哪些说法不对
#
# **“超额损失小，编码就好。”** NoPE的超额损失远小于RoPE的，可它在训练长度上的损失是最高的。
# 超额损失说的是长度让它付出多少，不是模型有多好。看看128和1024上的损失本身：

# %%
for method in ("nope", "alibi", "rope"):
    short, long = values(method, 128, "loss").mean(), values(method, 1024, "loss").mean()
    print(f"{method:5}: {short:.2f} → {long:.2f}")

# %% [markdown] lang="en"
# **"Flat means that it uses the long context."** If 1024 bytes of context helped more than they
# disturb, the excess would be *negative*: the control has at most 128. The lowest that any method
# reaches here is 0 to three decimals, no gain that could be measured:

# %% [markdown] lang="zh" slide="show"
# **“平稳就说明用上了长上下文。”** 如果1024字节的上下文利大于弊，
# 超额损失应当是*负的*：对照最多只有128字节。
# 这里所有方法达到的最低值，取三位小数是0，测不出得益：

# %%
beyond = [row for row in results["rows"] if row["length"] > 128]
least = min(beyond, key=lambda row: row["excess"])
print(f"{least['method']}, T = {least['length']}: {least['excess']:z.3f}")

# %% [markdown] lang="en"
# The mean loss of this text can hardly tell more: most of its bytes need nothing far back. A task
# that needs it can. Chapter 14 takes small models apart, two layers each. For every encoding one of
# them was trained on windows of 128 bytes of text, another to look up the one marked symbol among
# 64 tokens of noise. Test both at four times their trained length: the excess of bytes 256 to 511,
# and how often the symbol is found, at 64 tokens and at 256 (it stands in the middle, 31 and 127
# tokens back). There are 24 symbols, so guessing finds 4%. Does a smaller excess mean
# that more is found?

# %% [markdown] lang="zh" slide="show"
# 这段文本的平均损失很难说明更多，因为多数字节用不着远处的词。换成非用远处不可的任务，就看得出来。
# 第14章要拆开看一批两层的小模型，每种编码都有两个：一个读文本，训练时的窗口为128个字节；
# 另一个在64个词元的噪声里查找唯一做了标记的符号。把两者都放到训练长度的四倍：
# 读文本的模型，算第256到511个字节的超额损失；查找的模型，分别在64和256个词元里找，算找对的百分比，
# 要找的符号都放在正中间（距末尾31和127个词元）。
# 符号有24种，瞎猜也能蒙对4%。超额损失越小，找到的就越多吗？

# %% tags=["predict"]
pages = text_part("test").unfold(0, 513, 513)[:32]  # 512 predictions each, 4 × 128
inside = pages[:, 192:].unfold(1, 129, 64).flatten(0, 1)  # second halves: bytes 256 … 511 again
for name in ("alibi", "none", "t5", "rope"):  # "none" is NoPE
    reader, finder, found = glass("text", name), glass("lookup", name), []
    fresh = losses(reader, inside)[:, 64:].reshape(32, 256)
    excess = (losses(reader, pages)[:, 256:] - fresh).mean()
    for length in (64, 256):
        noise = lookup(128, length, torch.Generator().manual_seed(0), depth=0.5)
        with torch.no_grad():
            logits = torch.cat([finder(part)[:, -1] for part in noise.tokens.split(8)])
        answers = logits.argmax(-1)
        found.append((answers == noise.targets[:, -1]).float().mean())
    print(f"{name:5}: {excess:.2f}; {found[0]:4.0%}, {found[1]:4.0%}")

# %% [markdown] lang="en"
# Not by itself. ALiBi has no excess and finds every symbol. T5's excess is a ninth of RoPE's, but
# at 256 the two find equally little. NoPE is another matter: it has not learnt the task even at 64,
# so its small excess says nothing about finding; nor has RoPE learnt all of it. LLaMA tuned
# directly (9.6) was flat and yet blind to what is far.
#
# **A small excess does not show that far text is read**: that takes a task that needs it. Each
# share is of 128 rows, with a standard error of at most 4.5 percentage points; each excess is of 32
# pages; for each task there is one model per encoding.

# %% [markdown] lang="zh" slide="show"
# 不一定。ALiBi没有超额损失，符号也全找到了。T5的超额损失只有RoPE的九分之一，到了256个词元，
# 两者找到的却差不多一样少。NoPE另当别论：在64个词元上就没学会这个任务，
# 超额损失小也说明不了它能不能找到；RoPE在64上也没有学全。
# 困惑度平稳，却找不到远处内容的例子，是9.6节里直接微调的LLaMA。
#
# **超额损失小，不说明读得到远处**：要知道读不读得到，就得用非读到不可的任务来量。
# 每个百分数出自128段，标准误不超过4.5个百分点；超额损失出自32段；
# 每项任务里，每种编码只有一个模型。

# %% [markdown] lang="en"
# **"RoPE extrapolates better than the sinusoidal encoding."** The ALiBi paper's tables show it at
# all longer lengths. In the means of 9.4 it depends on what the embeddings are multiplied by:
# unscaled, RoPE's excess is the lower one at all three lengths; times $\sqrt d$, the higher one. Do
# the seeds agree? Each line has RoPE's excess minus that of one of the two sinusoidal rows, for
# each seed, then mean ± standard error over the seeds. Three of the six lines you know: at
# `sinusoidal` all seeds agree (9.5; for 512 its figure). In which of the three with $\sqrt d$ does
# the sign depend on the seed?

# %% [markdown] lang="zh" slide="show"
# **“RoPE的外推比正弦编码好。”** ALiBi论文的表在所有更长的长度上都是如此。
# 从9.4节的平均值看，要看嵌入乘了多少：不缩放时，三个长度上都是RoPE的低；乘了$\sqrt d$，
# 三个长度上都是RoPE的高。各个种子一致吗？
# 每行是RoPE的超额损失减去两种正弦之一的，逐个种子列出，最后是各个种子的平均±标准误。
# 六行里有三行已经知道：`sinusoidal`的，各个种子都一致（9.5节，其中512的在图里）。
# 先猜：乘$\sqrt d$的三行里，哪几行的正负随种子而变？

# %%
for other in ("sinusoidal", VARIANT):
    for length in settings["lengths"][1:]:
        difference = values("rope", length) - values(other, length)
        error = difference.std() / math.sqrt(len(seeds))
        each = " ".join(f"{d:+.2f}" for d in difference)
        print(f"{length:4}: − {other:17} {each}   {difference.mean():+.2f} ± {error:.2f}")

# %% [markdown] lang="en"
# In only one: at 256. With embeddings times $\sqrt d$, RoPE's excess is the higher one at 512 and
# 1024 in every seed; with unscaled embeddings it is the lower one at every length in every seed.
#
# Two of the six comparisons were fixed beforehand, those with unscaled embeddings at 256 and 1024;
# the other four are post hoc (9.5).

# %% [markdown] lang="zh"
# 只有长度为256的那一行。嵌入乘$\sqrt d$时，在512和1024上，每个种子都是RoPE的超额损失更高；
# 嵌入不缩放时，每个长度、每个种子上都是RoPE的更低。
#
# 六个比较里事先定好的只有两个，即嵌入不缩放时256和1024上的，另外四个是事后看的（9.5节）。

# %% [markdown] lang="en"
# ### Think: the table of a new paper
#
# A paper proposes an encoding. Its table: one seed, 300 steps of training, plain perplexity over
# non-overlapping windows; at 8 times the trained length it is 3% below ALiBi, "so it makes better
# use of long context". Name three things that you would ask for, and say what each could reveal.
# Four or five sentences.
#
# On your own: write your answer first, then check it with questions 1, 2, 4 and 8 of the self-test
# at the end of this chapter.

# %% [markdown] lang="zh"
# ### 想一想：新论文里的表
#
# 一篇论文提出了一种编码。它的表：一个种子，训练300步，不重叠窗口上的普通困惑度；
# 在训练长度的8倍上比ALiBi低3%，“可见它更好地利用了长上下文”。说出你会要求补的三样东西，
# 以及每一样能揭示什么。写四五句话。
#
# 自学的话，先写下自己的答案，再用本章末尾自测的第1、2、4、8题核对。

# %% [markdown] thinking="new_encoding_table" points=3
# <div lang="en">
#
# **Model answer.** Several seeds, compared pair by pair: 3% is 0.03 nats, which two seeds of the
# same method can differ by. The loss at the trained length and after longer training: after 300
# steps the model may hardly use the encoding yet, and a small encoding that is hardly used does
# little harm at any length. A control for the text and for early tokens (each byte against itself
# in a fresh window, or a sliding window with constant context): longer non-overlapping windows have
# fewer tokens with little context. And for the claim about use: the loss of the same last tokens
# with more and with less context; only a fall shows use.
#
# **Points.** One for each of three different requests with what it could reveal, 3 at most; asking
# for "more data" or "larger models" without a reason earns nothing.
#
# </div>
# <div lang="zh">
#
# **参考答案。** 多个种子，成对比较：3%就是0.03奈特，同一方法的两个种子之间也可能差这么多。
# 训练长度上的损失，以及训练更久之后的结果：300步时模型可能还几乎没用上编码，
# 而数值小、又没用上的编码，窗口再长也造不成多大损害。
# 针对文本和开头词元的对照（每个字节与它在新窗口里的自己比，或上下文长度固定的滑动窗口）：
# 不重叠窗口越长，缺少上下文的词元就越少。至于“利用”：要看同样的末尾词元，上下文多与少时的损失；
# 只有下降才说明用上了。
#
# **评分。** 提出三项不同的要求，并说明各能揭示什么，每项1分，最多3分；
# 只说“更多数据”“更大模型”而不给理由的，不得分。
#
# </div>

# %% [markdown] lang="en" way="everything"
# ## 9.10 Bug clinic
#
# **Case 1.** A checkpoint was tuned with frequencies divided by 8, and saved like that. The loader
# reads "stretch: 8" in its config and divides again. Symptom: after loading, the loss is high at
# every length, as if nothing had been tuned: position 1024 looks like 16, not like 128.

# %% [markdown] lang="zh" slide="code"
# ## 9.10 Bug诊所
#
# **病例一。** 某个checkpoint微调时，频率已经除以8，并原样保存了下来。加载程序在配置里读到
# “扩展倍数8”，又除了一遍。症状：加载之后，每个长度上的损失都很高，仿佛从没微调过；
# 位置1024看上去是16，而不是128。


# %%
def scaled_on_load(saved, saved_factor, factor):
    return saved / factor


saved = frequencies(16) / 8
for name, used in (("saved", saved), ("loaded", scaled_on_load(saved, 8.0, 8.0))):
    print(f"{name:6}: 1024 → {(1024 * used[0]).item():.0f}")


# %% exercise="mend_scaled_twice" mends="scaled_on_load"
def mend_scaled_twice(saved, saved_factor, factor):
    """Return the frequencies for a total stretch of `factor`, shape (D/2,)."""
    ### BEGIN SOLUTION
    return saved * saved_factor / factor
    ### END SOLUTION


# %% check="mend_scaled_twice"
check("mend_scaled_twice", mend_scaled_twice)

# %% [markdown] lang="en"
# **Case 2.** "The perplexity of the text is the mean over its windows." Symptom: the same text, cut
# into windows of 6, 3 or 2 tokens, gets another perplexity: one odd window pulls the mean up.

# %% [markdown] lang="zh"
# **病例二。** “文本的困惑度就是各窗口困惑度的平均。”症状：同一篇文本，窗口从6个词元改成3个、2个，
# 困惑度就变了，一个反常的窗口就能把平均值拉高。


# %%
def mean_of_windows(losses, counts):
    return losses.exp().mean()


tokens = torch.tensor([1.0, 1.0, 1.0, 1.0, 7.0, 1.0])  # nats; one rare word
for size in (6, 3, 2):
    pieces = tokens.split(size)
    means = torch.stack([piece.mean() for piece in pieces])
    counts = torch.tensor([len(piece) for piece in pieces])
    print(f"{size}: {mean_of_windows(means, counts):.1f}")


# %% exercise="mend_mean_perplexity" mends="mean_of_windows"
def mend_mean_perplexity(losses, counts):
    """Return the perplexity of the whole text, shape ()."""
    ### BEGIN SOLUTION
    total = (losses * counts).sum()
    return (total / counts.sum()).exp()
    ### END SOLUTION


# %% check="mend_mean_perplexity"
check("mend_mean_perplexity", mend_mean_perplexity)

# %% [markdown] lang="en"
# **Case 3.** The evaluation forgot the shift by one: it asks the logits at $p$ for token $p$, which
# the model has just read. Symptom: a "parrot" that only repeats its input has a loss of almost 0.

# %% [markdown] lang="zh"
# **病例三。** 评测忘了错开一位：拿位置$p$的logits去比词元$p$，而模型刚刚读过它。
# 症状：一个只会复读输入的“鹦鹉”模型，损失几乎是0。


# %%
def loss_of_the_input(logits, tokens):
    return F.cross_entropy(logits[:, 1:].mT, tokens[:, 1:], reduction="none")


tokens = torch.arange(8)[None]
parrot = 10.0 * F.one_hot(tokens, 8)  # (1, 8, 8)
print(f"{loss_of_the_input(parrot, tokens).mean():.4f}")


# %% exercise="mend_unshifted_targets" mends="loss_of_the_input"
def mend_unshifted_targets(logits, tokens):
    """Return the loss of every token but the first, shape (B, L − 1)."""
    ### BEGIN SOLUTION
    predicted = logits[:, :-1]  # (B, L − 1, vocabulary)
    return F.cross_entropy(predicted.mT, tokens[:, 1:], reduction="none")
    ### END SOLUTION


# %% check="mend_unshifted_targets"
check("mend_unshifted_targets", mend_unshifted_targets)

# %% [markdown] lang="en" way="everything"
# ## 9.11 In real evaluations
#
# | protocol | context of a token | use it to ask |
# |---|---|---|
# | non-overlapping windows | from 1 to $T$ | roughly what is the loss, at the least cost? |
# | sliding window, stride $S$ | from $T-S+1$ to $T$ | does a constant long context help? |
# | excess (here) | long against fresh | does length do harm? |
# | same last tokens, more context | chosen | is far context *used*? |
# | needle in a haystack | chosen | can one planted fact be found, at each depth and length? |
# | RULER | chosen | also: several facts, links between them, counts? |
#
# The first flatters long windows by itself. ALiBi's Table 2 is of that kind; its Tables 13 to 15
# slide with $S=1$, and there its gain is gone (chapter 7).
#
# The last two measure answers, not loss. A *needle in a haystack* is one sentence hidden in
# unrelated text; the model is asked for it. Copying what stands out is easy: in RULER (Hsieh et al.
# 2024) nearly all models do it almost perfectly. So RULER also hides several needles, and asks to
# follow chains of variables (`X2 = X1`, `X3 = X2`, …) and to find the words that occur most. Of its
# models, which all claim 32K tokens or more, only half kept a satisfactory level at 32K.
#
# What to state: tokens, stride, seeds, steps, trained length, and the loss at the trained length.

# %% [markdown] lang="zh" slide="show"
# ## 9.11 真实的评测
#
# | 做法 | 一个词元的上下文 | 用来回答 |
# |---|---|---|
# | 不重叠的窗口 | 从1到$T$ | 花最少的计算，损失大致是多少？ |
# | 滑动窗口，步幅$S$ | 从$T-S+1$到$T$ | 固定的长上下文有没有用？ |
# | 超额损失（本章） | 长窗口对新窗口 | 长度有没有害？ |
# | 同样的末尾词元，更多上下文 | 自选 | 远处的上下文*用上了*吗？ |
# | 大海捞针（needle in a haystack） | 自选 | 各种深度和长度下，埋进去的一条事实找得到吗？ |
# | RULER | 自选 | 再加上：几条事实、彼此的关联、计数，做得到吗？ |
#
# 第一种本来就会让长窗口显得更好。ALiBi的表2就属于它；表13到表15以$S=1$滑动，
# 那里的改善就不见了（第7章）。
#
# 最后两种测的是答案，不是损失。*大海捞针*把一句话藏进不相干的长文本，再让模型答出来。
# 照抄一句显眼的话并不难：单是这一项，RULER（Hsieh等，2024）测的模型几乎都接近满分。
# 所以RULER还藏进几根针，要模型追踪一串变量（`X2 = X1`、`X3 = X2`……），数一数哪些词出现得最多。
# 参评模型都自称支持32K词元以上，到32K时仍保持合格水平的却只有一半。
#
# 报告时要写明：词元、步幅、种子、步数、训练长度，以及训练长度上的损失。

# %% [markdown] lang="en"
# ### What a reviewer would ask of this chapter
#
# - *Were the models finished?* No. 600 steps of 1024 bytes are less than one pass over the training
#   text. At the end every loss was still falling; from step 450 to 600 RoPE's excess rose by
#   another 0.12 nats, and NoPE's was flat (9.3). But the learning rate falls to 0, so a flat end is
#   no proof either.
# - *Were the learning rates the best?* The best of two candidates (of three where the encoding has
#   weights of its own), with one seed; with so few, every choice lies at an edge of what was tried,
#   and so does the factor of ten. Rates beyond these edges might do better.
# - *Are 100 steps of tuning enough?* Not after interpolation: 0.3 nats are left, and what more
#   steps would leave was not tried. 9.6 says that the same 100 steps do better directly, no more.
# - *Would other starts of the learned rows give another excess?* Very likely: ours is for
#   rows from $N(0,\,0.02^2)$. This was not varied.
# - *One text, one size, one trained length?* Yes. The error over text is that of 48 blocks of the
#   same plays.
# - *Why was the use of far context not tested?* The models of 9.3 gain nothing from it (9.4). Only
#   the search in 9.9 needs it, with one seed of other models.

# %% [markdown] lang="zh"
# ### 审稿人会对本章问什么
#
# - *模型训练完了吗？* 没有。每步1024字节，600步加起来还不够把训练文本读完一遍。
#   到最后，各种方法的损失都还在下降；从450步到600步，RoPE的超额损失还升了0.12奈特，
#   NoPE的已经持平（9.3节）；
#   但学习率最后降到0，末尾持平也不能说明已经训练完。
# - *学习率是最好的吗？* 是两个候选里最好的（编码自己有参数的是三个），只用一个种子选；
#   候选这么少，选中的必在范围的边上，“十倍”也是。范围之外也许还有更好的。
# - *微调100步够吗？* 对先插值的不够：它到最后还剩约0.3奈特，多走几步会剩多少，没有试。
#   所以9.6节说的是“同样100步，直接微调更好”，不是“插值没有用”。
# - *可学习编码的行换一种初始化，超额损失会变吗？* 很可能会：现在的结果是行取自$N(0,\,0.02^2)$时的。
#   这一点没有试。
# - *只有一种文本、一种大小、一个训练长度？* 是的。文本上的标准误，只是同一批剧本里48段的误差。
# - *远处的上下文呢？* 9.3节的模型没有从中得到好处（9.4节）。离不开它的只有9.9节的查找，
#   那是另一批模型，而且只有一个种子。

# %% [markdown] lang="en" way="everything"
# ## 9.12 Take-away
#
# - Compare every byte with itself in a fresh window; otherwise you measure the text too.
# - Say where the models start, what the embeddings are multiplied by, and how each learning rate
#   was chosen, on which text. Here scaling the embeddings, together with the learning rate chosen
#   for that, reversed the order of RoPE and sinusoidal at 512 and 1024 (seen post hoc), and the
#   learning rate of T5's table alone took T5's loss from above RoPE's to the lowest.
# - State the loss at the trained length beside the excess, and train until positions are used.
# - Fix the comparisons beforehand, and call the others post hoc. Compare seeds in pairs, with an
#   interval that allows for the number of comparisons, and the error over the text beside it.
# - A treatment needs a control: the same tuning without it.
# - Here ALiBi and KERPLE, whose biases make far keys fade, lose nothing measurable, NoPE little
#   (0.06 nats at 1024), T5 hardly anything at 256 and 0.16 at 1024; learned, sinusoidal and plain
#   RoPE break. In the mean over the seeds NTK, NTK-by-parts (borders 1 and 4) and YaRN (the paper's
#   ramp) cost less than plain RoPE, NTK-by-parts least; not all of this is settled (9.5). Direct
#   tuning leaves less than 0.1 nats, the same tuning after interpolation about 0.3. Harmless is not
#   useful.
# - Two layers and 128 bytes show mechanisms, not rankings of large models.

# %% [markdown] lang="zh" slide="show"
# ## 9.12 本章要点
#
# - 让每个字节与它在新窗口里的自己比，否则把文本的差别也量了进去。
# - 写明模型从什么权重出发、嵌入乘了多少、学习率怎样选、在哪段文本上选。
#   在这里，缩放嵌入，连同为此选的学习率，在512和1024上把RoPE与正弦的次序颠倒了过来
#   （事后看的）；而单凭T5那张表的学习率，T5的损失就从高于RoPE变成了最低。
# - 超额损失旁边要写出训练长度上的损失；要训练到位置真正被用上。
# - 要做哪些比较，事先定好；其余的写明是事后看的。种子要成对比较，区间要考虑比较的个数，
#   旁边再给出文本带来的误差。
# - 一种处理要有对照，也就是不做这种处理、其余完全相同的那一次。
# - 在这里，靠偏置让远处的键淡出的ALiBi和KERPLE测不出超额损失，
#   NoPE的很小（1024上0.06奈特），T5的在256上几乎没有，到1024有0.16奈特；
#   可学习编码、正弦和频率不缩放的RoPE都失效了。
#   就各个种子的平均而言，NTK、NTK-by-parts（边界1和4）和YaRN（论文的斜坡）的代价小于不缩放的RoPE，
#   NTK-by-parts最小，但其中有些差别还没有定论（9.5节）。直接微调之后，每个长度上剩下的不到0.1奈特；
#   先插值再做同样的微调，还剩约0.3奈特。无害不等于有用。
# - 两层、128字节，能看清机制，看不出大模型的名次。

# %%
quiz("extrapolation")

# %% [markdown] lang="en" way="everything"
# ## Further reading
#
# - O. Press, N. A. Smith, M. Lewis: *Train Short, Test Long: Attention with Linear Biases Enables
#   Input Length Extrapolation*. ICLR 2022. [arXiv:2108.12409](https://arxiv.org/abs/2108.12409).
#   Tables 2, 3 and 13 to 15, appendix B.
# - T.-C. Chi, T.-H. Fan, P. J. Ramadge, A. I. Rudnicky: *KERPLE: Kernelized Relative Positional
#   Embedding for Length Extrapolation*. NeurIPS 2022.
#   [arXiv:2205.09921](https://arxiv.org/abs/2205.09921). Table 3.
# - S. Chen, S. Wong, L. Chen, Y. Tian: *Extending Context Window of Large Language Models via
#   Positional Interpolation*. 2023. [arXiv:2306.15595](https://arxiv.org/abs/2306.15595). §3.2,
#   §3.3.
# - B. Peng, J. Quesnelle, H. Fan, E. Shippole: *YaRN: Efficient Context Window Extension of Large
#   Language Models*. ICLR 2024. [arXiv:2309.00071](https://arxiv.org/abs/2309.00071). Table 1.
# - A. Kazemnejad, I. Padhi, K. Natesan Ramamurthy, P. Das, S. Reddy: *The Impact of Positional
#   Encoding on Length Generalization in Transformers*. NeurIPS 2023.
#   [arXiv:2305.19466](https://arxiv.org/abs/2305.19466).
# - C.-P. Hsieh, S. Sun, S. Kriman, S. Acharya, D. Rekesh, F. Jia, Y. Zhang, B. Ginsburg: *RULER:
#   What's the Real Context Size of Your Long-Context Language Models?* COLM 2024.
#   [arXiv:2404.06654](https://arxiv.org/abs/2404.06654).

# %% [markdown] lang="zh"
# ## 延伸阅读
#
# - O. Press, N. A. Smith, M. Lewis：*Train Short, Test Long: Attention with Linear Biases Enables
#   Input Length Extrapolation*。ICLR 2022。[arXiv:2108.12409](https://arxiv.org/abs/2108.12409)。
#   见表2、表3、表13至表15和附录B。
# - T.-C. Chi, T.-H. Fan, P. J. Ramadge, A. I. Rudnicky：*KERPLE: Kernelized Relative Positional
#   Embedding for Length Extrapolation*。NeurIPS 2022。
#   [arXiv:2205.09921](https://arxiv.org/abs/2205.09921)。见表3。
# - S. Chen, S. Wong, L. Chen, Y. Tian：*Extending Context Window of Large Language Models via
#   Positional Interpolation*。2023。[arXiv:2306.15595](https://arxiv.org/abs/2306.15595)。见§3.2、
#   §3.3。
# - B. Peng, J. Quesnelle, H. Fan, E. Shippole：*YaRN: Efficient Context Window Extension of Large
#   Language Models*。ICLR 2024。[arXiv:2309.00071](https://arxiv.org/abs/2309.00071)。见表1。
# - A. Kazemnejad, I. Padhi, K. Natesan Ramamurthy, P. Das, S. Reddy：*The Impact of Positional
#   Encoding on Length Generalization in Transformers*。NeurIPS 2023。
#   [arXiv:2305.19466](https://arxiv.org/abs/2305.19466)。
# - C.-P. Hsieh, S. Sun, S. Kriman, S. Acharya, D. Rekesh, F. Jia, Y. Zhang, B. Ginsburg：*RULER:
#   What's the Real Context Size of Your Long-Context Language Models?* COLM 2024。
#   [arXiv:2404.06654](https://arxiv.org/abs/2404.06654)。
