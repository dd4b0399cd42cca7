# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
#   kernelspec: {display_name: Python 3, language: python, name: python3}
#   posenc:
#     title: {en: The extrapolation laboratory, zh: 外推实验室}
#     question:
#       en: "Trained on 128 bytes, tested on 1024: what breaks, and how would you know?"
#       zh: 用128字节训练、用1024字节测试：什么会坏？你怎么知道它坏了？
#     minutes: 110
# ---

# %% [markdown] lang="en"
# # 9 · The extrapolation laboratory
#
# **The question.** "Train at length 128, test at 256, 512, 1024, and compare." Every text on
# positional encodings sets this homework; here it is done, for seven encodings and four scalings of
# RoPE, and you can repeat it. How do you measure so that the answer is about positions?
#
# **You will** write a measure that compares every byte with itself, at all lengths at once, say
# which orderings the seeds support, take a step of fine-tuning after interpolation, mend three
# faults around an evaluation, and train two small models in this notebook.
#
# **You need** chapters 2 to 7, above all 6 and 7. About 110 minutes, 16 points, and 3 more for a
# question that a teacher grades.

# %% [markdown] lang="zh"
# # 9 · 外推实验室
#
# **本章的问题。** “用长度128训练，在256、512、1024上测试，比较一下。”
# 讲位置编码的文章都留这道作业；这里把它真正做了一遍，七种编码，外加RoPE的四种缩放，
# 你也可以自己重做。
# 怎样测量，结果说的才是位置？
#
# **你将**写出一种测量方法，让每个字节和自己比，一次得出所有长度的结果；
# 判断哪些次序得到了所有种子的支持，在插值之后走一步微调，修好评测前后的三处错误，
# 并在这个notebook里亲手训练两个小模型。
#
# **你需要**第2章到第7章，尤其是第6章和第7章。约110分钟，共16分，另有一道由教师评分的题，3分。

# %%
import math
import pydoc_data.topics

import torch
import torch.nn.functional as F

from autograde import check, quiz
from bilingual import Text
from bilingual.switch import language_switch
from posenc_ref import TinyLM, frequencies, ntk_by_parts
from posenc_viz import Choice, Curve, Curves, Range, Switch, Try, explore, picture
from posenc_viz.stored import stored

torch.set_num_threads(1)
language_switch()

# %% [markdown] lang="en"
# ## 9.1 A curve that means nothing
#
# A small model with RoPE was trained on windows of 128 bytes. We cut a text that it has never seen
# into windows of 128, 256, 512 and 1024 bytes and pick the bytes in the second half of each. But
# every one of them is shown to the model in a fresh window of 128, where no position is new to it.
# Its loss in nats a byte (natural logarithm) should then be the same for all four lengths. Is it?

# %% [markdown] lang="zh"
# ## 9.1 一条什么也没说明的曲线
#
# 一个用RoPE的小模型，在128字节的窗口上训练过。把一段它没见过的文本切成128、256、512、
# 1024字节的窗口，各取后一半的字节。但给模型看时，每个字节都放在128字节的新窗口里，
# 没有一个位置是陌生的。那么每字节的损失（取自然对数，单位是奈特，nat）在四种长度上应该一样。
# 真的一样吗？

# %%
results = stored("extrapolation")
for row in results["rows"]:
    if (row["method"], row["seed"]) == ("rope", 0):
        print(f"second halves of {row['length']:4}: {row['fresh']:.3f} nats a byte")

# %% [markdown] lang="en"
# It is not: other lengths pick other bytes, and some bytes are harder to guess. This *text
# confound* has nothing to do with positions. Whoever plots the plain loss over the length plots it
# along. A few hundredths of a nat look small; what length costs the best encodings is smaller
# still. A loss over whole windows has a second confound: early tokens have little context, and cut
# into longer pieces a text has fewer of them.

# %% [markdown] lang="zh"
# 不一样：长度不同，选中的字节就不同，而有些字节本来就更难猜。
# 这种*文本混杂*（text confound）与位置无关。谁直接画损失随长度的变化，谁就把它一起画了进去。
# 百分之几奈特看似不大，可对最好的几种编码来说，长度的代价比这还小。
# 对整个窗口求损失还有第二个混杂：开头的词元缺少上下文，而文本切得越长，这样的词元就越少。

# %% [markdown] lang="en"
# ## 9.2 Every byte is its own control
#
# Let $\ell_T(p)$ be the loss of the byte at position $p$ of a window of length $T$, and
# $\ell_L$ its loss in a fresh window of the trained length $L$, in whose second half it stands.
# The *excess loss* at $T$ is
#
# $$\Delta_T=\operatorname{mean}_{p\ge T/2}\bigl(\ell_T(p)-\ell_L\bigr).$$
#
# The same byte stands in both terms, so its difficulty cancels; at $T=L$ the terms are the same and
# $\Delta_L=0$. In the second term it has between $L/2$ and $L-1$ bytes of context. $\Delta>0$: the
# length hurts. $\Delta\approx0$: it does no harm on balance. $\Delta<0$ would be a gain from more
# context.

# %% [markdown] lang="zh"
# ## 9.2 每个字节都和自己比
#
# 记$\ell_T(p)$为长度$T$的窗口中位置$p$处字节的损失，
# $\ell_L$为同一字节在训练长度$L$的新窗口中的损失，
# 它站在新窗口的后一半里。长度$T$上的*超额损失*（excess loss）是
#
# $$\Delta_T=\operatorname{mean}_{p\ge T/2}\bigl(\ell_T(p)-\ell_L\bigr).$$
#
# 两项里是同一个字节，难度相互抵消；$T=L$时两项相同，$\Delta_L=0$。
# 第二项里，它前面有$L/2$到$L-1$个字节的上下文。
# $\Delta>0$：长度有害。$\Delta\approx0$：总的来说无害。$\Delta<0$才说明从更多的上下文里得了好处。


# %% exercise="excess_by_length"
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
# A check of the measure itself, on made-up losses: bytes that get harder along the text, and a
# model that pays 0, then 0.2 nats more for each byte from position 128 on. The plain loss rises
# either way; the excess is the cost alone.

# %% [markdown] lang="zh"
# 先用编造的损失检验这个测量本身：字节沿着文本越来越难猜；从位置128起，
# 模型每个字节多付0奈特，再换成0.2奈特。普通损失怎样都会升，超额损失只剩那笔代价。

# %%
difficulty = torch.linspace(1.0, 2.0, 1024).repeat(8, 1)  # (windows, T)
for cost in (0.0, 0.2):
    losses = difficulty + cost * (torch.arange(1024) >= 128)
    rise = losses[:, 512:].mean() - losses[:, 64:128].mean()
    excess = (losses - difficulty)[:, 512:].mean()
    print(f"cost {cost}: the plain loss rises by {rise:.2f}, excess {excess:.2f}")

# %% [markdown] lang="en"
# ## 9.3 What was run
#
# A decoder of 2 layers, 64 channels, 4 heads; the bytes of Python's own help texts, of which the
# last eighth is held out; AdamW, 2048 bytes a step. One thing is not the same for all: T5's table
# and KERPLE's two numbers a head learn at ten times the rate of the weights, or they lag behind.
# The table of learned positions has 1024 rows, and those from 128 on are never trained: they stay
# as drawn (weight decay shrinks them by 2 %). `python experiments/extrapolation.py` runs it all
# again: it shows how far it is, may be stopped at any moment, and goes on where it was. What the
# stored run was:

# %% [markdown] lang="zh"
# ## 9.3 做了什么
#
# 一个2层、64个通道、4个头的解码器；文本是Python自带帮助的字节，最后八分之一留作测试；
# AdamW，每步2048字节。只有一点并非一视同仁：T5的表和KERPLE每个头的两个数，学习率是权重的十倍，
# 否则会跟不上。可学习的位置表有1024行，从第128行起从未训练过，保持随机初值
# （权重衰减使它们缩小了2%）。运行`python experiments/extrapolation.py`可以全部重做：
# 它会显示进度，随时可以中断，再次运行便从断处继续。存下的这次运行是：

# %%
settings, machine, used = results["settings"], results["machine"], results["text"]
print(f"{used['name']}: {used['bytes']} bytes, held out {used['held_out']}")
print(f"{settings['steps']} steps at length {settings['length']}, seeds {results['seeds']}")
tested = settings["tested"] * settings["lengths"][-1]
print(f"tested at {settings['lengths']}, on {tested} bytes of what is held out")
print(f"run on {machine['device']}, torch {machine['torch']}")

# %% [markdown] lang="en"
# Has every model *learnt to use positions*? Before you look: which of the seven do you expect to be
# slow? Each point of the figure is the loss at the trained length on the first 8192 held-out bytes
# (the tests below read four times as many, so their level is another), first seed.

# %% [markdown] lang="zh"
# 每个模型都*学会利用位置*了吗？看之前先猜：七个里哪些学得慢？
# 图中每一点是训练长度上、留出文本最前面8192字节的损失，第一个种子
# （下面的测试读四倍的字节，所以数值高低不同）。

# %%
NAMES = {
    "learned": Text(en="learned", zh="可学习"),
    "sinusoidal": Text(en="sinusoidal", zh="正弦"),
    "t5": "T5",
    "rope": "RoPE",
    "alibi": "ALiBi",
    "kerple": "KERPLE",
    "nope": "NoPE",
}
courses = {run["method"]: run["history"] for run in results["training"] if run["seed"] == 0}
picture(
    Curves(
        [Curve(*zip(*courses[method][1:], strict=True), NAMES[method]) for method in NAMES],
        x=Text(en="training step", zh="训练步"),
        y=Text(en="held-out loss (nats a byte)", zh="留出文本的损失（奈特/字节）"),
        title=Text(en="Learning at length 128", zh="在长度128上学习"),
        markers=True,
    )
)
for method in NAMES:
    (step, early), (_, last) = courses[method][3], courses[method][-1]
    print(f"{method:10}: {early:.2f} after {step} steps, {last:.2f} at the end")

# %% [markdown] lang="en"
# *Picture: seven falling curves. KERPLE, T5, ALiBi and RoPE fall at once; learned and sinusoidal
# lie above them for some hundred steps and then drop; NoPE stays on top.* Stop after 300 steps, and
# learned and sinusoidal stand near NoPE: they hardly use positions yet, and an encoding that a
# model ignores cannot break. A small excess after short training is then no merit. NoPE has hardly
# begun even at the end.

# %% [markdown] lang="zh"
# *图：七条下降的曲线。KERPLE、T5、ALiBi、RoPE一开始就往下走；
# 可学习的和正弦的在上面停了几百步才掉下来；
# NoPE始终最高。* 若训练300步就停下，可学习的和正弦的还在NoPE附近，几乎没用上位置：
# 模型不理会的编码是坏不了的。训练很短时超额损失小，不算优点。NoPE到训练结束也才刚刚起步。

# %% [markdown] lang="en"
# ## 9.4 The result
#
# The excess of all seven at 256, 512 and 1024: mean ± standard deviation over the seeds. Guess
# first: who is near 0, who is worst?

# %% [markdown] lang="zh"
# ## 9.4 结果
#
# 七种编码在256、512、1024上的超额损失：各种子的平均±标准差。先猜：谁接近0？谁最差？


# %%
def values(method, length, what="excess"):
    """Return one number a seed, shape (seeds,)."""
    chosen = [
        row[what] for row in results["rows"] if (row["method"], row["length"]) == (method, length)
    ]
    return torch.tensor(chosen)


for method in NAMES:
    cells = [values(method, length) for length in settings["lengths"][1:]]
    shown = ", ".join(f"{cell.mean():+.3f} ± {cell.std():.3f}" for cell in cells)
    print(f"{method:10}: loss at 128 {values(method, 128, 'loss').mean():.3f}; excess {shown}")

# %% [markdown] lang="en"
# Choose two methods and a length. Each line is one seed, so you see the spread; those of a
# method share colour and stroke. The dashed guide is the trained length. Where does the loss leave
# the axis, and how suddenly?

# %% [markdown] lang="zh"
# 选两种方法和一个长度。每条线是一个种子，散布一目了然；同一方法的几条颜色和线型相同。
# 竖的虚线是训练长度。损失从哪里开始离开横轴？来得多突然？

# %%
SCALED = {
    "rope+pi": "RoPE + PI",
    "rope+ntk": "RoPE + NTK",
    "rope+parts": Text(en="RoPE by parts", zh="RoPE分段处理"),
    "rope+yarn": "RoPE + YaRN",
    "rope+pi+tuning": Text(en="RoPE + PI, tuned", zh="RoPE + PI，微调后"),
}
OFFERED = {label: method for method, label in (NAMES | SCALED).items()}


def by_position(one, other, doublings, closer):
    length, half = 128 * 2**doublings, 64
    curves = []
    for colour, (method, stroke) in enumerate(((one, "-"), (other, "--o"))):
        for row in results["rows"]:
            if (row["method"], row["length"]) == (method, length):
                at = [half * (b + 1.5) for b in range(len(row["by_position"]))]
                name = (NAMES | SCALED)[method] if row["seed"] == 0 else ""
                curves.append(Curve(at, row["by_position"], name, stroke, colour))
    means = [f"{values(method, length).mean():+.2f}" for method in (one, other)]
    return Curves(
        curves,
        x=Text(en="position in the window (bytes)", zh="窗口中的位置（字节）"),
        y=Text(en="excess loss (nats a byte)", zh="超额损失（奈特/字节）"),
        title=Text(
            en=f"length {length}: excess {means[0]} and {means[1]}",
            zh=f"长度{length}：超额损失{means[0]}与{means[1]}",
        ),
        x_limits=(0, 1024),
        y_limits=(-0.02, 0.3) if closer else (-0.2, 4.0),
        vlines=[128],
    )


explore(
    by_position,
    one=Choice(OFFERED, value="rope"),
    other=Choice(OFFERED, value="alibi"),
    doublings=Range(1, 3, 1, 3),
    closer=Switch(False),
    labels={
        "one": Text(en="method (solid)", zh="方法（实线）"),
        "other": Text(en="method (dashed)", zh="方法（虚线）"),
        "doublings": Text(en="trained length doubled (times)", zh="训练长度翻倍（次）"),
        "closer": Text(en="look closely at 0", zh="放大0附近"),
    },
    tries=[
        Try(
            en="rows never trained, angles never seen: who jumps, who climbs?",
            zh="没训练过的行，没见过的角度：谁跳上去，谁爬上去？",
            one="learned",
            other="rope",
        ),
        Try(
            en="T5 from close by: a jump or a drift?",
            zh="凑近看T5：是跳上去，还是慢慢漂移？",
            one="t5",
            other="alibi",
            closer=True,
        ),
        Try(
            en="windows of 256: is it the same curve, cut off?",
            zh="256的窗口：是同一条曲线的前一段吗？",
            doublings=1,
        ),
    ],
)

# %% [markdown] lang="en"
# *Picture: excess over position. RoPE's solid lines leave 0 right behind 128 and climb; ALiBi's
# dashed lines stay on the axis.* The learned table jumps with the first rows that were never
# trained. T5 drifts, and ends at 0.11 to 0.16 nats: every distance from 113 on shares one number
# (chapter 4), and ever more keys get it.

# %% [markdown] lang="zh"
# *图：超额损失随位置的变化。RoPE的实线一过128就离开0、往上爬；ALiBi的虚线始终贴着横轴。*
# 可学习的表一到没训练过的行就跳上去。T5慢慢漂移，末尾到了0.11至0.16奈特：
# 从113起所有距离共用一个数（第4章），而得到这个数的键越来越多。

# %% [markdown] lang="en"
# Do three lengths cost three passes? For PI, NTK or YaRN, whose frequencies change with $s=T/L$,
# yes. For an encoding that does not look at the length, one long pass holds all shorter ones, as
# your function of 9.2 has it.

# %% [markdown] lang="zh"
# 三种长度要三次前向吗？PI、NTK和YaRN要，它们的频率随$s=T/L$而变。
# 编码不看长度的话，一次长的前向就包含了所有更短的结果，9.2节里你写的函数用的就是这一点。

# %% [markdown] lang="en"
# The stored bins show it: RoPE's excess at 256 can be read off its pass of 1024. The windows start
# at other bytes, so the numbers are close, not equal.

# %% [markdown] lang="zh"
# 存下的分段值可以验证：RoPE在256上的超额损失，从1024的那次前向里就读得出来。
# 两次的窗口从不同的字节开始，所以数值接近而不相等。

# %%
for seed in results["seeds"]:
    rows = {
        row["length"]: row
        for row in results["rows"]
        if (row["method"], row["seed"]) == ("rope", seed)
    }
    # bins of 64 from position 64 on: those of 128 … 255 are numbers 1 and 2
    read = sum(rows[1024]["by_position"][1:3]) / 2
    print(f"seed {seed}: measured at 256 {rows[256]['excess']:.3f}, read off 1024 {read:.3f}")

# %% [markdown] lang="en"
# ## 9.5 Which orderings are stable?
#
# A mean over seeds invites a ranking. But which of its steps would a new seed confirm? The models
# of one seed saw the same batches in the same order, so compare them seed by seed, and believe an
# ordering only if it holds in each.

# %% [markdown] lang="zh"
# ## 9.5 哪些次序是稳定的？
#
# 有了各种子的平均值，人就想排名次。可换一个种子，名次中哪几级还站得住？
# 同一个种子的各个模型，训练批次及其先后都相同，所以应当逐个种子比较；每个种子都成立的次序才可信。


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
# The same question put to the stored results, for neighbours in the ranking by mean. Two methods
# that do not differ at all still agree in all of $n$ seeds, one way or the other, with a
# probability of $2^{1-n}$. So look at sizes too: the least lead in any seed, beside how far the
# seeds of one method lie apart. "Clear" means that the lead is the larger of the two, "thin" that
# it is not.

# %% [markdown] lang="zh"
# 用同样的问题去问存下的结果：按平均值排名，看相邻两名。即使两种方法毫无差别，
# $n$个种子碰巧全部一致（不论哪个方向）的概率也有$2^{1-n}$。所以还要看大小：
# 各种子中最小的领先，与同一方法各种子之间的差距相比如何。领先更大的记作clear（分明），
# 否则记作thin（勉强）；seeds disagree是各种子不一致。


# %%
def ranking(length):
    methods = [m for m in NAMES | SCALED if len(values(m, length)) and m != "rope+pi+tuning"]
    methods.sort(key=lambda method: values(method, length).mean())
    for a, b in zip(methods, methods[1:], strict=False):
        one, other = values(a, length), values(b, length)
        lead = (other - one).min()
        apart = max(one.max() - one.min(), other.max() - other.min())
        verdict = "clear" if lead > apart else "thin" if lead > 0 else "seeds disagree"
        print(f"  {a:10} < {b:10}: lead {lead:+.3f}, seeds {apart:.3f} apart: {verdict}")


seeds = len(results["seeds"])
print(f"{seeds} seeds agree by chance with a probability of {2 ** (1 - seeds):.2f}")
for length in (256, 1024):
    print(f"length {length}")
    ranking(length)

# %% [markdown] lang="en"
# At 256 two steps are thin, and in one the seeds disagree; at 1024 one is thin, and in three they
# disagree. Take the step between sinusoidal and learned, seed by seed:

# %% [markdown] lang="zh"
# 在256处有两级勉强，一级各种子不一致；在1024处有一级勉强，三级不一致。
# 把正弦和可学习之间的那一级，逐个种子拿出来看：

# %%
for length in settings["lengths"][1:]:
    lead = values("learned", length) - values("sinusoidal", length)
    print(f"{length:4}: learned minus sinusoidal, each seed:", [f"{d:+.2f}" for d in lead])

# %% [markdown] lang="en"
# The first two seeds agree at every length that sinusoidal is better, by a tenth of a nat at least;
# the third turns it round. With two seeds it would have passed as stable, and two seeds agree by
# chance half of the time. So neither "clear" nor a lead in all of three seeds is proof, and "clear"
# is not large either (at 256 KERPLE leads ALiBi by 0.001). What holds in each seed at each of the
# three lengths: KERPLE, ALiBi and T5 below every RoPE; by parts and YaRN below NTK, NTK below plain
# RoPE. Interpolation alone is worse than no scaling at all at 256, and better at 512 and 1024.

# %% [markdown] lang="zh"
# 前两个种子在每个长度上都说正弦更好，至少差十分之一奈特；第三个却把次序翻了过来。
# 若只有两个种子，它会被当作稳定的次序；而两个种子碰巧一致的概率有一半。
# 所以，“分明”也好，三个种子全都领先也好，都不是证明；
# 而且“分明”不等于差得多（在256处KERPLE只领先ALiBi 0.001）。
# 三种长度、每个种子上都成立的是：KERPLE、ALiBi、T5低于所有的RoPE；
# 分段处理和YaRN低于NTK，NTK低于不缩放的RoPE。
# 还有：只插值，在256处比完全不缩放还差，在512和1024处则好一些。

# %% [markdown] lang="en"
# Choose a group, drag the seed, and watch which lines change places. Then show the loss in place of
# the excess.

# %% [markdown] lang="zh"
# 选一组方法，拖动种子，看哪些线换了位置。再把超额损失换成损失看看。

# %%
MENDED = ("rope", *SCALED)
GROUPS = {
    Text(en="seven encodings", zh="七种编码"): tuple(NAMES),
    Text(en="RoPE, mended", zh="修补RoPE"): MENDED,
}


def by_length(group, seed, what):
    curves = []
    for method in group:
        rows = [row for row in results["rows"] if (row["method"], row["seed"]) == (method, seed)]
        points = sorted((row["length"], row[what]) for row in rows)
        curves.append(Curve(*zip(*points, strict=True), (NAMES | SCALED)[method]))
    return Curves(
        curves,
        x=Text(en="length of the test (bytes)", zh="测试长度（字节）"),
        y=Text(en="nats a byte", zh="奈特/字节"),
        title=Text(
            en=f"{'excess loss' if what == 'excess' else 'loss'}, seed {seed}",
            zh=f"{'超额损失' if what == 'excess' else '损失'}，种子{seed}",
        ),
        x_scale="log",
        x_limits=(120, 1100),
        y_limits=(-0.1, 4.5),
        markers=True,
    )


explore(
    by_length,
    group=Choice(GROUPS),
    seed=Range(0, seeds - 1, 1, 0),
    what=Choice({Text(en="excess", zh="超额损失"): "excess", Text(en="loss", zh="损失"): "loss"}),
    labels={
        "group": Text(en="methods", zh="方法"),
        "seed": Text(en="seed", zh="种子"),
        "what": Text(en="show", zh="显示"),
    },
    tries=[
        Try(
            en="seed 2: is sinusoidal still below learned?",
            zh="种子2：正弦还在可学习的下面吗？",
            seed=2,
        ),
        Try(
            en="the loss: who is worst at 128 and beats RoPE at 1024?",
            zh="损失：谁在128处最差，到1024却胜过RoPE？",
            what="loss",
        ),
        Try(
            en="RoPE, mended: which mend makes 256 worse?",
            zh="修补RoPE：哪种修法让256处更差？",
            group=MENDED,
        ),
    ],
)

# %% [markdown] lang="en"
# *Picture: excess over length, a line for each encoding. KERPLE and ALiBi lie on the axis, T5 and
# NoPE just above, plain RoPE, sinusoidal and learned far above.* Switch to the loss: NoPE's low
# excess sits on the highest loss at 128.

# %% [markdown] lang="zh"
# *图：超额损失随长度的变化，每种编码一条线。KERPLE和ALiBi贴着横轴，T5和NoPE略高，
# 不缩放的RoPE、正弦和可学习的远在上方。* 切换到损失：NoPE的超额低，可它在128处的损失就是最高的。

# %% [markdown] lang="en"
# ## 9.6 Interpolate, then tune
#
# The scalings of chapter 6, with $s=8$, on the trained RoPE, without further training: where in a
# window of 1024 does each of them hurt? Predict for position interpolation: near the start, near
# the end, everywhere?

# %% [markdown] lang="zh"
# ## 9.6 先插值，再微调
#
# 把第6章的各种缩放（$s=8$）直接用在训练好的RoPE上，不再训练：在1024的窗口里，各自伤在哪里？
# 先猜位置插值：伤在开头、末尾，还是处处都伤？

# %%
for method in MENDED[:-1]:  # all but the tuned one
    bins = [
        row["by_position"]
        for row in results["rows"]
        if (row["method"], row["length"]) == (method, 1024)
    ]
    first, middle, last = torch.tensor(bins).mean(0)[[0, 4, 14]].tolist()
    print(f"{method:10}: at 64 {first:+.2f}, at 320 {middle:+.2f}, at 960 {last:+.2f}")

# %% [markdown] lang="en"
# Each bin has 64 positions. Interpolation alone hurts everywhere, from the first bytes on:
# neighbours are eight times as close as the model knows them. NTK leaves what is near almost as it
# was and holds to some three times the trained length, then breaks: its slow pairs reach angles
# that training never showed ("slightly extrapolated", chapter 6). By parts and YaRN hurt near the
# start, but less than interpolation, and soon stay level. By parts has Llama 3's borders here, 1
# and 4 turns, and no temperature; YaRN has 1, 32 and a temperature. How many pairs of such a head,
# trained on 128 tokens, does each leave alone?

# %% [markdown] lang="zh"
# 每一段有64个位置。只插值的话处处都伤，从最初的字节起就是：相邻的字节比模型熟悉的近了八倍。
# NTK几乎不动近处，撑到训练长度的三倍左右才坏：它的慢对到了训练中没见过的角度
# （第6章说的“略有外推”）。分段处理和YaRN在开头就伤，但比插值轻，很快就保持平稳。
# 这里的分段处理用Llama 3的边界，1圈和4圈，没有温度；YaRN用1圈和32圈，另加温度。
# 这个头是在128个词元上训练的：两种方法各有几对原样不动？

# %%
for name, beta in (("by parts", 4.0), ("YaRN", 32.0)):
    scaled, _ = ntk_by_parts(16, 8.0, 128, alpha=1.0, beta=beta)  # 4 heads in 64 channels
    kept = (scaled / frequencies(16)).tolist()
    print(f"{name:8}: frequencies times", ", ".join(f"{share:.3f}" for share in kept))

# %% [markdown] lang="en"
# Two, and none: within 128 tokens even the fastest pair turns only $128/2\pi\approx20$ times.
# YaRN's 32 turns were chosen for models trained on thousands of tokens. So this is no verdict on
# YaRN.

# %% [markdown] lang="zh"
# 前者两对，后者一对也没有：128个词元之内，最快的一对也只转$128/2\pi\approx20$圈。
# YaRN的32圈是为在几千个词元上训练的模型选的。所以这里不是对YaRN的判决。

# %% [markdown] lang="en"
# Chapter 6 said that a little fine-tuning repairs interpolation. Here it is done: frequencies
# divided by 8, then trained on at length 1024 for a fifth as many steps as before, at a third of
# the rate. Predict: is the excess halved? Gone?

# %% [markdown] lang="zh"
# 第6章说过，稍加微调就能修好插值。这里照做：频率除以8，在长度1024上再训练，
# 步数是原来的五分之一，学习率是三分之一。先猜：超额损失会减半？还是消失？

# %%
tuning = {run["seed"]: run["history"] for run in results["training"] if "tuning" in run["method"]}
picture(
    Curves(
        [
            Curve(*zip(*history, strict=True), Text(en=f"seed {seed}", zh=f"种子{seed}"))
            for seed, history in tuning.items()
        ],
        x=Text(en="step of fine-tuning (2048 bytes each)", zh="微调步（每步2048字节）"),
        y=Text(en="excess at 1024 (nats a byte)", zh="1024上的超额损失（奈特/字节）"),
        title=Text(en="RoPE, interpolated by 8", zh="RoPE，插值8倍"),
        y_limits=(0, 2.5),
        markers=True,
    )
)
for seed, history in tuning.items():
    print(f"seed {seed}:", ", ".join(f"{step:.0f} steps {value:+.2f}" for step, value in history))

# %% [markdown] lang="en"
# *Picture: curves that fall steeply in the first fifty steps, then ever more slowly, and flatten at
# about a quarter of a nat.* Nine tenths are gone, not all. What is left? Look at the same tuned
# model at every length. Remember that the control is the model *before* tuning, in fresh windows of
# 128, where it had no interpolation to suffer from:

# %% [markdown] lang="zh"
# *图：曲线在最初五十步陡降，之后越来越慢，在约四分之一奈特处变平。* 去掉了九成，没有全去掉。
# 剩下的是什么？
# 看同一个微调后的模型在每个长度上的值。别忘了对照是微调*之前*的模型，用的是128的新窗口，
# 那时没有插值拖累它：

# %%
for length in settings["lengths"]:
    tuned = values("rope+pi+tuning", length)
    print(f"tuned, at {length:4}: excess over the model before tuning {tuned.mean():+.3f}")

# %% [markdown] lang="en"
# The same at 128 as at 1024: length as such does no more harm. What remains is paid at every
# length, also at the one where the model was good before: the neighbours, eight times as close, are
# not fully relearnt. Would longer tuning do it? This run cannot say; its curve is flat at the end
# also because its learning rate ends at 0. And the tuning read a fifth of the bytes of the first
# training: "brief" is not the same as small.

# %% [markdown] lang="zh"
# 128处和1024处一样：长度本身不再有害。剩下的在每个长度上都要付，
# 连原来表现很好的长度也不例外：相邻的字节近了八倍，模型还没有完全重新学会。
# 再调久一些行不行？这次运行回答不了：曲线末端变平，也因为学习率最后降到了0。
# 另外，微调读的字节有最初训练的五分之一：“短暂”不等于“很少”。

# %% [markdown] lang="en"
# ### What the steps do
#
# One head is enough to see it. For a fixed query and key its score at distance $k$ is a sum of
# waves (chapter 5), $\hat y_k=\sum_ia_i\cos(\omega_ik/s)+b_i\sin(\omega_ik/s)$. Let the
# coefficients be learnt at $s=1$, so that it looks three tokens back. Interpolation stretches the
# picture; gradient steps on the coefficients, at the *new* angles, pull it back.

# %% [markdown] lang="zh"
# ### 这些步骤在做什么
#
# 看一个头就够了。查询和键固定时，它在距离$k$处的得分是若干波之和（第5章），
# $\hat y_k=\sum_ia_i\cos(\omega_ik/s)+b_i\sin(\omega_ik/s)$。设系数是在$s=1$时学的，
# 让它看向三个词元之前。插值把这幅图拉宽；在*新的*角度上对系数做梯度下降，再把它拉回来。


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

# %% [markdown] lang="zh"
# 从0开始拖动步数。这个头学的是偏爱距离3；要多少步它才重新如此？然后把$s$调大。

# %%
k, omega = torch.arange(33, dtype=torch.float64), frequencies(64)
wanted = torch.exp(-((k - 3) ** 2) / 8)  # about three tokens back


def waves_of(s):
    angles = k[:, None] * omega / s
    return torch.cat((angles.cos(), angles.sin()), dim=1)  # (33, 64)


learnt = torch.linalg.lstsq(waves_of(1), wanted, driver="gelsd", rcond=1e-3).solution


def tuned_head(steps, factor):
    c, waves = learnt.clone(), waves_of(factor)
    for _ in range(steps):
        c = c - 0.015 * 2 * waves.T @ (waves @ c - wanted) / len(k)
    return Curves(
        [
            Curve(k, wanted, Text(en="wanted", zh="想要的"), "--"),
            Curve(k, waves @ c, Text(en="after these steps", zh="走完这些步之后"), "-"),
        ],
        x=Text(en="distance k (tokens)", zh="距离k（词元）"),
        y=Text(en="score", zh="得分"),
        title=Text(
            en=f"stretch {factor:g}, {steps} steps: looks {(waves @ c).argmax()} back",
            zh=f"拉伸{factor:g}倍，{steps}步：看向{(waves @ c).argmax()}个词元之前",
        ),
        y_limits=(-0.6, 1.2),
    )


explore(
    tuned_head,
    steps=Range(0, 500, 20, 0),
    factor=Range(1.5, 4.0, 0.5, 2.0),
    labels={
        "steps": Text(en="steps", zh="步数"),
        "factor": Text(en="stretch s", zh="拉伸倍数s"),
    },
    tries=[
        Try(en="100 steps: is it back at 3?", zh="100步：回到3了吗？", steps=100),
        Try(
            en="s = 4, all steps: where does it end?",
            zh="s = 4，走完所有步：停在哪里？",
            steps=500,
            factor=4.0,
        ),
    ],
)

# %% [markdown] lang="en"
# *Picture: a dashed peak at distance 3, and a solid one at 6, twice as wide, which moves towards it
# step by step.* With $s=2$ it comes back to 3, but blunter; with $s=4$ it passes its place.
# Divided by $s$, the fastest wave has a wavelength of $2\pi s$ tokens: what is narrower takes large
# coefficients of opposite signs, and gradient steps find those very slowly. See how little the last
# 400 steps bring:

# %% [markdown] lang="zh"
# *图：虚线在距离3处有一个峰；实线是宽了一倍、挪到6处的峰，一步步移过去。*
# $s=2$时峰回到3，但变钝了；$s=4$时走过了头。除以$s$之后，最快的波波长也有$2\pi s$个词元：
# 比这更窄的东西，要用正负相抵的大系数来拼，梯度下降找到它们极慢。看看最后400步带来的有多少：

# %%
for factor in (2, 4):
    for steps in (0, 100, 500):
        after = tuned_head(steps, factor).curves[1].y
        loss = ((after - wanted.numpy()) ** 2).mean()
        print(f"s = {factor}, {steps:3} steps: looks {after.argmax():2} back, loss {loss:.3f}")

# %% [markdown] lang="en"
# ## 9.7 Train it yourself
#
# Now two models of your own, small enough for seconds: length 32, two layers of 32 channels, RoPE
# against ALiBi, tested up to 256. First the text and the windows.

# %% [markdown] lang="zh"
# ## 9.7 亲手训练
#
# 现在来训练你自己的两个模型，小到几秒就够：长度32，两层，32个通道，RoPE对ALiBi，最长测到256。
# 先准备文本和窗口。

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
# 这里的短窗口从每个长窗口里切出，每16字节开始一个，各取后一半。


# %%
@torch.no_grad()
def losses(model, window):  # (n, length + 1) → (n, length)
    return F.cross_entropy(model(window[:, :-1]).mT, window[:, 1:], reduction="none")


def excess_by_position(model):
    window = held_out.unfold(0, LONG + 1, LONG)  # (n, 257)
    inside = window.unfold(1, SHORT + 1, SHORT // 2)  # (n, 15, 33), fresh windows within each
    fresh = losses(model, inside.flatten(0, 1))[:, SHORT // 2 :]  # (15 n, 16)
    late = losses(model, window)[:, SHORT // 2 :]  # (n, 240)
    excess = (late - fresh.reshape(late.shape)).mean(0)
    return F.pad(excess, (SHORT // 2, 0), value=math.nan)  # (256,), NaN for the first 16


# %% [markdown] lang="en"
# Run it; it takes some seconds. Then change the seed, the number of steps, or add an encoding:
# `"t5"`, `"kerple_log"`, `"sinusoidal"`, `"learned"`, `"none"`. Your numbers will differ a little
# from ours, as processors round differently.

# %% [markdown] lang="zh"
# 运行它，要花几秒。然后改改种子、步数，或者加一种编码试试：`"t5"`、`"kerple_log"`、
# `"sinusoidal"`、`"learned"`、`"none"`。处理器的舍入各不相同，你的数会和我们的略有出入。

# %% tags=["nbval-ignore-output"] reason="trained numbers differ a little between processors"
yours = {name: excess_by_position(trained(name)) for name in ("rope", "alibi")}
middles = torch.arange(SHORT // 2, LONG, SHORT // 2) + 8
picture(
    Curves(
        [
            Curve(middles, excess[SHORT // 2 :].unflatten(0, (-1, SHORT // 2)).mean(1), name)
            for name, excess in yours.items()
        ],
        x=Text(en="position (bytes)", zh="位置（字节）"),
        y=Text(en="excess loss (nats a byte)", zh="超额损失（奈特/字节）"),
        title=Text(en="Yours: trained at 32", zh="你的结果：训练长度32"),
        vlines=[SHORT],
        markers=True,
    )
)
for name, excess in yours.items():
    print(f"{name:5}: excess at 256 {excess[LONG // 2 :].mean():+.1f}")

# %%
assert yours["rope"][LONG // 2 :].mean() > yours["alibi"][LONG // 2 :].mean() + 0.2

# %% [markdown] lang="en"
# *Picture: two curves from position 24 on; RoPE's leaves 0 right behind the guide at 32 and rises
# to about one nat, ALiBi's stays at 0.* The same picture as in 9.4, at a fourth of the length and a
# hundredth of the work. That it needs so little is part of the message: the break is not subtle.

# %% [markdown] lang="zh"
# *图：从位置24开始的两条曲线；RoPE的一过32处的虚线就离开0，升到约一奈特；ALiBi的一直在0。*
# 和9.4是同一幅图，长度只有四分之一，计算量只有百分之一。这么点计算就能看到，本身就说明：
# 坏得一目了然。

# %% [markdown] lang="en"
# ## 9.8 Beside the published tables
#
# Choose a table. The unit is perplexity of the authors' own tokens, models of another size, other
# texts; levels cannot be compared with ours, and hardly with each other. What can: which lines
# leave their start, and where.

# %% [markdown] lang="zh"
# ## 9.8 与发表的表格对照
#
# 选一张表。单位是作者各自词元的困惑度，模型大小不同、文本不同；数值高低不能与我们的比，
# 彼此之间也很难比。
# 能比的是：哪条线离开了起点，从哪里离开。

# %%
nan = math.nan
PUBLISHED = {
    "ALiBi, Table 2": (  # Press et al. 2022, trained on 512, WikiText-103
        [512, 1012, 1512, 2512, 3512, 15512],
        {
            "sinusoidal": [20.05, 43.54, 76.23, 132.41, 178.97, 406.01],
            "rope": [20.07, 21.37, 25.99, 31.58, 35.54, 79.25],
            "t5": [19.65, 18.79, 18.91, 20.41, 22.91, nan],
            "alibi": [19.73, 18.73, 18.52, 18.41, 18.40, 18.31],
        },
    ),
    "ALiBi, Table 3": (  # trained on 1024
        [1024, 2024, 3024, 5024, 10024],
        {
            "sinusoidal": [19.34, 51.09, 96.46, 182.31, 337.48],
            "rope": [19.33, 31.17, 35.67, 48.31, 77.70],
            "t5": [18.80, 18.34, 18.62, 20.47, 29.54],
            "alibi": [18.66, 18.05, 17.92, 17.92, 17.97],
        },
    ),
    "KERPLE, Table 3": (  # Chi et al. 2022, trained on 512, OpenWebText2
        [512, 2048, 16384],
        {
            "sinusoidal": [33, 5507, 30046],
            "rope": [24.2, 62.4, 269],
            "t5": [23.7, 21.7, 31.4],
            "alibi": [23.9, 22.5, 22.5],
            "kerple": [23.9, 21.6, 21.4],
        },
    ),
    "YaRN, Table 1": (  # Peng et al. 2023, Llama 2 tuned for 2 × 4096, Proof-pile
        [2048, 4096, 6144, 8192, 10240],
        {
            "rope+pi": [3.92, 3.51, 3.51, 3.34, 8.07],
            "rope+ntk": [4.20, 3.75, 3.74, 3.59, 6.24],
            "rope+yarn": [3.91, 3.50, 3.51, 3.35, 6.04],
        },
    ),
}


def published(table):
    lengths, lines = PUBLISHED[table]
    known = [value for line in lines.values() for value in line if not math.isnan(value)]
    return Curves(
        [Curve(lengths, line, (NAMES | SCALED)[method]) for method, line in lines.items()],
        x=Text(en="input length (tokens)", zh="输入长度（词元）"),
        y=Text(en="perplexity", zh="困惑度"),
        title=table,
        x_scale="log",
        y_scale="log",
        x_limits=(0.9 * lengths[0], 1.1 * lengths[-1]),
        y_limits=(0.9 * min(known), 1.1 * max(known)),
        markers=True,
    )


explore(
    published,
    table=Choice(list(PUBLISHED)),
    labels={"table": Text(en="table", zh="表")},
    tries=[
        Try(
            en="32 times the trained length: which two lines take off?",
            zh="训练长度的32倍：哪两条线升上去了？",
            table="KERPLE, Table 3",
        ),
        Try(
            en="tuned for 8192: where do the lines turn up?",
            zh="为8192微调过：线从哪里翘起？",
            table="YaRN, Table 1",
        ),
    ],
)

# %% [markdown] lang="en"
# *Picture: perplexity over length on two logarithmic axes, one line for each method of the chosen
# table; in the first three the sinusoidal line climbs most, rotary less, T5 late, ALiBi and KERPLE
# not at all; in the last, whose models were tuned for 8192, all three are nearly level up to there
# and turn up behind it.* Expressed in nats, a change of perplexity is
# $\ln(\mathrm{PPL}_T/\mathrm{PPL}_L)$. Put the first table (nats a word) beside ours (nats a byte):

# %% [markdown] lang="zh"
# *图：双对数坐标上困惑度随长度的变化，选中的表里每种方法一条线；前三张表里正弦的线升得最多，
# 旋转的少些，T5很晚才升，ALiBi和KERPLE不升；最后一张的模型为8192微调过，
# 三条线到8192为止都大致是平的，之后翘起。*
# 困惑度的变化换算成奈特是$\ln(\mathrm{PPL}_T/\mathrm{PPL}_L)$。
# 把第一张表（奈特/词）放到我们的结果（奈特/字节）旁边：

# %%
_, table = PUBLISHED["ALiBi, Table 2"]
for method, line in table.items():
    theirs = [math.log(line[i] / line[0]) for i in (1, 4)]  # 2 and 7 times the trained length
    ours = [values(method, length).mean() for length in (256, 1024)]
    print(
        f"{method:10}: theirs ×2 {theirs[0]:+.2f}, ×7 {theirs[1]:+.2f};"
        f" ours ×2 {ours[0]:+.2f}, ×8 {ours[1]:+.2f}"
    )

# %% [markdown] lang="en"
# In kind they agree: the sinusoid breaks at once, T5 and ALiBi hold. In size they do not. At ×2 the
# paper's T5 and ALiBi even gain: its windows do not overlap, and longer ones have fewer early
# tokens (the second confound of 9.1). And its RoPE is far milder. A table is a fact about its
# model, text and measure.

# %% [markdown] lang="zh"
# 性质相同：正弦立刻就坏，T5和ALiBi撑得住。大小却不同。在×2处，论文里的T5和ALiBi甚至变好了：
# 它的窗口不重叠，窗口越长，开头的词元越少（9.1说的第二个混杂）。论文里的RoPE也温和得多。
# 一张表说的是它那个模型、那段文本、那种测法下的事。

# %% [markdown] lang="en"
# PI's Table 3 (Chen et al. 2023; chapter 6) is the counterpart of 9.6: LLaMA-7B, interpolated from
# 2048 to 8192 and fine-tuned there. In nats above the value after 1000 steps:

# %% [markdown] lang="zh"
# PI的表3（Chen等，2023；见第6章）对应9.6：LLaMA-7B从2048插值到8192，再在那里微调。
# 比1000步之后的值高出的奈特数：

# %%
for steps, perplexity in ((0, 16.10), (200, 7.12), (1000, 6.95)):
    print(f"{steps:4} steps: {math.log(perplexity / 6.95):+.2f} nats a token")

# %% [markdown] lang="en"
# ## 9.9 What is not true
#
# **"A small excess means a good encoding."** NoPE's is small beside RoPE's, and its loss at the
# trained length is the highest of all. Excess tells what length costs, not how good the model is.
# Look at both:

# %% [markdown] lang="zh"
# ## 9.9 哪些说法不对
#
# **“超额损失小，编码就好。”** NoPE的超额远小于RoPE，可它在训练长度上的损失是最高的。
# 超额损失说的是长度让它付出多少，不是模型有多好。两个数都要看：

# %%
for method in ("nope", "alibi", "rope"):
    short, long = values(method, 128, "loss").mean(), values(method, 1024, "loss").mean()
    print(f"{method:5}: loss {short:.2f} at 128, {long:.2f} at 1024")

# %% [markdown] lang="en"
# And would NoPE's excess stay small? At 1500 steps it had hardly begun (9.3). Here it is once more,
# trained for 6000. Guess: which way does the excess go?

# %% [markdown] lang="zh"
# 而且，NoPE的超额会一直这么小吗？1500步时它才刚刚起步（9.3）。下面是训练6000步的NoPE。
# 先猜：超额损失往哪边走？

# %%
longer = stored("extrapolation_nope")
for run in (results, longer):
    print(f"{run['settings']['steps']} steps")
    for seed in longer["seeds"]:
        rows = [row for row in run["rows"] if (row["method"], row["seed"]) == ("nope", seed)]
        loss = {row["length"]: row["loss"] for row in rows}
        shown = ", ".join(f"{row['excess']:+.2f} at {row['length']}" for row in rows[1:])
        levels = f"{loss[128]:.2f} at 128, {loss[1024]:.2f} at 1024"
        print(f"  seed {seed}: loss {levels}; excess {shown}")

# %% [markdown] lang="en"
# It grows: four times the training made NoPE better at 128, and its excess at each length more than
# twice as large; at 1024 even the loss itself has risen. So it was so small partly because the
# model was unfinished, as after the 300 steps of 9.3. What this does not show: how NoPE compares
# with the others. They had a quarter of these steps, and are still far ahead of it at 128.

# %% [markdown] lang="zh"
# 它变大了：训练量是原来的四倍，NoPE在128处变好了，各个长度上的超额却都翻了一倍还多；
# 在1024处连损失本身也升高了。可见，超额那么小，部分原因是模型没训练完，
# 和9.3里只训练300步时一样。
# 它没有说明的是：NoPE与其他编码相比如何。其他编码的步数只有它的四分之一，在128处却仍远远领先。

# %% [markdown] lang="en"
# **"Flat means that it uses the long context."** If 1024 bytes of context helped, the excess would
# be *negative*: the control has at most 127. The lowest that any method reaches here is 0, no gain:

# %% [markdown] lang="zh"
# **“平稳就说明用上了长上下文。”** 如果1024字节的上下文有用，超额损失应当是*负的*：
# 对照最多只有127字节。
# 这里所有方法达到的最低值是0，没有得益：

# %%
beyond = [
    row for row in results["rows"] if row["length"] > 128 and row["method"] != "rope+pi+tuning"
]
least = min(beyond, key=lambda row: row["excess"])
print(f"{least['method']} at {least['length']}, seed {least['seed']}: {least['excess']:z.3f}")

# %% [markdown] lang="en"
# **"RoPE extrapolates better than the sinusoidal encoding."** The ALiBi paper's tables show it at
# all longer lengths. Here it depends on where you look:

# %% [markdown] lang="zh"
# **“RoPE的外推比正弦编码好。”** ALiBi论文的表在所有更长的长度上都是如此。
# 在这里，要看你看的是哪个长度：

# %%
for length in settings["lengths"][1:]:
    difference = values("rope", length, "loss") - values("sinusoidal", length, "loss")
    print(f"{length:4}: RoPE minus sinusoidal, each seed:", [f"{d:+.2f}" for d in difference])

# %% [markdown] lang="en"
# ### Think: the table of a new paper
#
# A paper proposes an encoding. Its table: one seed, 300 steps of training, plain perplexity over
# non-overlapping windows; at 8 times the trained length it is 3 % below ALiBi, "so it makes better
# use of long context". Name three things that you would ask for, and say what each could reveal.
# Four or five sentences.
#
# On your own: write your answer first, then check it with questions 2, 4 and 8 of the self-test at
# the end of this chapter.

# %% [markdown] lang="zh"
# ### 想一想：新论文里的表
#
# 一篇论文提出了一种编码。它的表：一个种子，训练300步，不重叠窗口上的普通困惑度；
# 在训练长度的8倍上比ALiBi低3%，“可见它更好地利用了长上下文”。说出你会要求补的三样东西，
# 以及每一样能揭示什么。写四五句话。
#
# 自学的话，先写下自己的答案，再用本章末尾自测的第2、4、8题核对。

# %% [markdown] thinking="new_encoding_table" points=3
# <div lang="en">
#
# **Model answer.** Several seeds, compared pair by pair: 3 % is 0.03 nats, which two seeds of the
# same method can differ by. The loss at the trained length and after longer training: after 300
# steps an encoding may hardly be used yet, and then it cannot break. A control for the text and for
# early tokens (each byte against itself in a fresh window, or a sliding window with constant
# context): longer non-overlapping windows have fewer tokens with little context. And for the claim
# about use: the loss of the same last tokens with more and with less context; only a fall shows
# use.
#
# **Points.** One for each of three different requests with what it could reveal, 3 at most; asking
# for "more data" or "larger models" without a reason earns nothing.
#
# </div>
# <div lang="zh">
#
# **参考答案。** 多个种子，成对比较：3%就是0.03奈特，同一方法的两个种子之间也可能差这么多。
# 训练长度上的损失，以及训练更久之后的结果：300步时编码可能还几乎没被用上，没用上就坏不了。
# 对文本和开头词元的控制（每个字节与它在新窗口里的自己比，或上下文长度固定的滑动窗口）：
# 不重叠窗口越长，缺少上下文的词元就越少。至于“利用”：要看同样的末尾词元，上下文多与少时的损失；
# 只有下降才说明用上了。
#
# **评分。** 提出三项不同的要求，并说明各能揭示什么，每项1分，最多3分；
# 只说“更多数据”“更大模型”而不给理由的，不得分。
#
# </div>

# %% [markdown] lang="en"
# ## 9.10 Bug clinic
#
# **Case 1.** A checkpoint was tuned with frequencies divided by 8, and saved like that. The loader
# reads "stretch: 8" in its config and divides again. Symptom: after loading, the loss is high at
# every length, as if nothing had been tuned: position 1024 looks like 16, not like 128.

# %% [markdown] lang="zh"
# ## 9.10 Bug诊所
#
# **病例一。** 一份权重是用除以8的频率微调的，并原样保存。加载程序在配置里读到“拉伸：8”，
# 又除了一遍。症状：加载之后，每个长度上的损失都很高，仿佛从没微调过：
# 位置1024看上去是16，而不是128。


# %%
def scaled_on_load(saved, saved_factor, factor):
    return saved / factor


saved = frequencies(16) / 8
for name, used in (("saved", saved), ("loaded", scaled_on_load(saved, 8.0, 8.0))):
    print(f"{name:6}: position 1024 looks like position {(1024 * used[0]).item():.0f} in training")


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
# otherwise, has another perplexity, and one odd window decides a ranking.

# %% [markdown] lang="zh"
# **病例二。** “文本的困惑度就是各窗口困惑度的平均。”症状：同一篇文本，换个切法困惑度就变了，
# 一个古怪的窗口就能左右名次。


# %%
def mean_of_windows(losses, counts):
    return losses.exp().mean()


tokens = torch.tensor([1.0, 1.0, 1.0, 1.0, 7.0, 1.0])  # nats; one rare word
for size in (6, 3, 2):
    pieces = tokens.split(size)
    means = torch.stack([piece.mean() for piece in pieces])
    counts = torch.tensor([len(piece) for piece in pieces])
    print(f"windows of {size}: perplexity {mean_of_windows(means, counts):.1f}")


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
# the model has just read. Symptom: a parrot, whose logits repeat the input, is nearly perfect.

# %% [markdown] lang="zh"
# **病例三。** 评测忘了错开一位：拿位置$p$的logits去比词元$p$，而模型刚刚读过它。
# 症状：一只logits只会复读输入的鹦鹉，成绩近乎完美。


# %%
def loss_of_the_input(logits, tokens):
    return F.cross_entropy(logits[:, 1:].mT, tokens[:, 1:], reduction="none")


tokens = torch.arange(8)[None]
parrot = 10.0 * F.one_hot(tokens, 8)  # (1, 8, 8)
print(f"loss of a parrot: {loss_of_the_input(parrot, tokens).mean():.4f}")


# %% exercise="mend_unshifted_targets" mends="loss_of_the_input"
def mend_unshifted_targets(logits, tokens):
    """Return the loss of every token but the first, shape (B, L − 1)."""
    ### BEGIN SOLUTION
    predicted = logits[:, :-1]  # (B, L − 1, vocabulary)
    return F.cross_entropy(predicted.mT, tokens[:, 1:], reduction="none")
    ### END SOLUTION


# %% check="mend_unshifted_targets"
check("mend_unshifted_targets", mend_unshifted_targets)

# %% [markdown] lang="en"
# ## 9.11 In real evaluations
#
# | protocol | context of a token | use it to ask |
# |---|---|---|
# | non-overlapping windows | from 0 to $T-1$ | what a cheap run gives |
# | sliding window, stride $S$ | from $T-S$ to $T-1$ | does a constant long context help? |
# | excess (here) | long against fresh | does length harm? |
# | same last tokens, more context | chosen | is far context *used*? |
# | retrieval at several depths | chosen | can one far fact be found? |
#
# The first flatters long windows by itself. ALiBi's Table 2 is of that kind; its Tables 13 to 15
# slide with $S=1$, and there its gain is gone (chapter 7). What to state: tokens, stride, seeds,
# steps, trained length, and the loss at the trained length.

# %% [markdown] lang="zh"
# ## 9.11 真实的评测
#
# | 做法 | 一个词元的上下文 | 用来回答 |
# |---|---|---|
# | 不重叠的窗口 | 从0到$T-1$ | 便宜地跑一遍是多少 |
# | 滑动窗口，步幅$S$ | 从$T-S$到$T-1$ | 固定的长上下文有没有用？ |
# | 超额损失（本章） | 长窗口对新窗口 | 长度有没有害？ |
# | 同样的末尾词元，更多上下文 | 自选 | 远处的上下文*用上了*吗？ |
# | 几个深度上的检索 | 自选 | 远处的一条事实找得到吗？ |
#
# 第一种本来就会让长窗口显得更好。ALiBi的表2就属于它；表13到表15以$S=1$滑动，
# 那里的改善就不见了（第7章）。报告时要写明：词元、步幅、种子、步数、训练长度，
# 以及训练长度上的损失。

# %% [markdown] lang="en"
# ## 9.12 Take-away
#
# - Compare every byte with itself in a fresh window; else you measure the text.
# - State the loss at the trained length beside the excess, and train until positions are used.
# - Compare seeds in pairs; report an ordering only if each pair agrees, and say how many there
#   were.
# - Biases that fade with distance do not break here; learned rows, sinusoids and plain RoPE do, and
#   which of them is worst depends on length and seed. NTK, by parts and YaRN cost less than plain
#   RoPE. Interpolation alone breaks everywhere, at twice the length worse than no scaling; tuning
#   after it closes nine tenths of the gap, at a price for short texts.
# - Two layers and 128 bytes show mechanisms, not rankings of large models.

# %% [markdown] lang="zh"
# ## 9.12 本章要点
#
# - 让每个字节与它在新窗口里的自己比，否则量到的是文本。
# - 超额损失旁边要写出训练长度上的损失；要训练到位置真正被用上。
# - 种子要成对比较；每一对都一致才报告次序，并说明有几对。
# - 随距离减弱的偏置在这里没有坏；可学习的行、正弦和不缩放的RoPE都坏了，谁最差要看长度和种子。
#   NTK、分段处理和YaRN的代价小于不缩放的RoPE。只插值则处处都坏，在两倍长度上比不缩放还差；
#   之后再微调能补上九成差距，但短文本要付出代价。
# - 两层、128字节，能看清机制，看不出大模型的名次。

# %%
quiz("extrapolation")

# %% [markdown] lang="en"
# ## Further reading
#
# - O. Press, N. A. Smith, M. Lewis: *Train Short, Test Long: Attention with Linear Biases Enables
#   Input Length Extrapolation*. ICLR 2022. [arXiv:2108.12409](https://arxiv.org/abs/2108.12409).
#   Tables 2, 3 and 13 to 15, appendix B.
# - T.-C. Chi, T.-H. Fan, P. J. Ramadge, A. I. Rudnicky: *KERPLE: Kernelized Relative Positional
#   Embedding for Length Extrapolation*. NeurIPS 2022.
#   [arXiv:2205.09921](https://arxiv.org/abs/2205.09921). Table 3.
# - S. Chen, S. Wong, L. Chen, Y. Tian: *Extending Context Window of Large Language Models via
#   Positional Interpolation*. 2023. [arXiv:2306.15595](https://arxiv.org/abs/2306.15595). Table 3.
# - B. Peng, J. Quesnelle, H. Fan, E. Shippole: *YaRN: Efficient Context Window Extension of Large
#   Language Models*. ICLR 2024. [arXiv:2309.00071](https://arxiv.org/abs/2309.00071). Table 1.
# - A. Kazemnejad, I. Padhi, K. Natesan Ramamurthy, P. Das, S. Reddy: *The Impact of Positional
#   Encoding on Length Generalization in Transformers*. NeurIPS 2023.
#   [arXiv:2305.19466](https://arxiv.org/abs/2305.19466).

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
#   Positional Interpolation*。2023。[arXiv:2306.15595](https://arxiv.org/abs/2306.15595)。见表3。
# - B. Peng, J. Quesnelle, H. Fan, E. Shippole：*YaRN: Efficient Context Window Extension of Large
#   Language Models*。ICLR 2024。[arXiv:2309.00071](https://arxiv.org/abs/2309.00071)。见表1。
# - A. Kazemnejad, I. Padhi, K. Natesan Ramamurthy, P. Das, S. Reddy：*The Impact of Positional
#   Encoding on Length Generalization in Transformers*。NeurIPS 2023。
#   [arXiv:2305.19466](https://arxiv.org/abs/2305.19466)。
