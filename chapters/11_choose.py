# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
#   kernelspec: {display_name: Python 3, language: python, name: python3}
#   posenc:
#     title: {en: Choosing an encoding, zh: 怎样选择位置编码}
#     question:
#       en: "A model is to be built, or stretched, or served: which positional encoding, and why?"
#       zh: 要训练、拉伸或部署一个模型：该用哪种位置编码，为什么？
#     minutes: 110
# ---

# %% [markdown] lang="en"
# # 11 · Choosing an encoding
#
# **The question.** A model is to be built, or stretched, or served. Which positional encoding, and
# why?
#
# **You will** decide with a table whose every line is backed by this course, measure what each
# encoding costs on your machine, read a config, write the rule as a function, prepare for an
# interview, and take a quiz over the whole course.
#
# **You need** chapters 1 to 10, or the will to look things up: numbers such as (4.8) name the
# section that backs a sentence. 6 exercises, 11 points, about 110 minutes, and 3 more for a
# question that a teacher grades.

# %% [markdown] lang="zh"
# # 11 · 怎样选择位置编码
#
# **本章的问题。** 要训练、拉伸或部署一个模型，该用哪种位置编码，为什么？
#
# **你将**用一张表来做决定，表里每一行在本课程中都有依据；在自己的机器上测量每种编码的代价；
# 读懂一份配置；把规则写成函数；准备面试；最后做一份覆盖全课的测验。
#
# **你需要**第1到10章，或者愿意随时去查：(4.8)这样的编号指出依据在哪一节。共6道练习，11分，
# 约110分钟，另有一道由教师评分的题，3分。

# %%
import time

import torch
import torch.nn.functional as F

from autograde import check, quiz
from autograde.quizzes.choose import paper
from bilingual import Text
from bilingual.switch import language_switch
from posenc_ref import (
    LearnedPositionalEmbedding,
    ShawEmbedding,
    T5Bias,
    alibi,
    alibi_slopes,
    attention,
    frequencies,
    positions,
    sinusoidal,
)
from posenc_viz import Choice, Curve, Curves, HeatMap, Switch, Try, explore, picture

torch.set_num_threads(1)
language_switch()

# %% [markdown] lang="en"
# ## 11.1 Two kinds
#
# An *absolute* encoding says where a token stands; it is added once and every layer can read it
# (2.9). A *relative* one says how far apart two tokens are; it lives in the scores, in every layer
# (4.8). Move a sentence and the first changes its scores, the second does not. Guess how much:

# %% [markdown] lang="zh"
# ## 11.1 两类编码
#
# *绝对位置编码*（absolute）说一个词元站在哪里，只加一次，每一层都读得到（2.9）。
# *相对位置编码*（relative）说两个词元相隔多远，存在于每一层的得分里（4.8）。
# 把句子挪一挪，前者的得分会变，后者不变。先猜猜变多少：

# %%
rng = torch.Generator().manual_seed(0)
x = torch.randn(6, 32, generator=rng, dtype=torch.float64)  # six words, (L, d)
slopes = alibi_slopes(1).double()


def scores(start, absolute):
    at = positions(6, start=start)
    placed = x + sinusoidal(at, 32) if absolute else x
    bias = 0 if absolute else alibi(at, at, slopes)[0]
    return placed @ placed.T / 32**0.5 + bias


for name, absolute in (("absolute", True), ("relative", False)):
    change = (scores(40, absolute) - scores(0, absolute)).abs().max()
    print(f"{name}: forty tokens later the scores change by up to {change:.1f}")

# %% [markdown] lang="en"
# Neither is better. "The word before" is one rule for a relative score, right at every place;
# "field 3 of the form" is nothing to it: with relative scores alone, an encoder gives eight equal
# words the same output eight times (4.8). RoPE is absolute in its means and relative in its end: it
# turns queries and keys by their absolute places, and the score keeps the difference (5.2).

# %% [markdown] lang="zh"
# 没有哪一类更好。“前一个词”对相对得分来说是一条处处有效的规则；
# “表单第3栏”对它却什么也不是：只有相对得分的编码器，对八个相同的词给出八个相同的输出（4.8）。
# RoPE用绝对的手段达到相对的目的：按绝对位置旋转查询和键，得分里只留下差（5.2）。

# %% [markdown] lang="en"
# ## 11.2 Which for what
#
# | task | take | because | on condition |
# |---|---|---|---|
# | short text, fixed length | learned or RoPE | every row is trained (3.2) | never longer (3.5) |
# | a form with fixed fields | learned | a place has a meaning (4.8) | the form does not move |
# | new model for text | RoPE | no parameters, rotated cache (5.5, 8.5) | scale it to go on (6.1) |
# | long text, no tuning | ALiBi | stays flat (7.7) | far words count little (7.7) |
# | long text, tuning | RoPE + YaRN | angles stay in range (6.7) | tune, then measure (9.6) |
# | streaming | RoPE or ALiBi + window | keys can move, a bias is a row (8.6, 8.11) | sinks (8.10) |
# | dialogue | RoPE, rotated cache | the beginning is reused (8.5) | mask the padding (8.8) |
# | images | axial RoPE or learned | neighbours both ways (10.3, 10.5) | fix the resolution (10.6) |
# | text and images | sections | text stays RoPE (10.9) | read the sections (10.13) |
# | existing checkpoint | its own | other positions are noise to it (5.6) | read its config (11.4) |

# %% [markdown] lang="zh"
# ## 11.2 什么任务用哪种
#
# | 任务 | 选 | 因为 | 条件 |
# |---|---|---|---|
# | 短文本，长度固定 | 可学习的表或RoPE | 每行都训练过（3.2） | 绝不更长（3.5） |
# | 表单，各栏位置固定 | 可学习的表 | 位置本身有含义（4.8） | 表单不移动 |
# | 新的文本模型 | RoPE | 没有参数，缓存只转一次（5.5、8.5） | 更长要缩放（6.1） |
# | 长文本，不能微调 | ALiBi | 保持平稳（7.7） | 远处的词影响很小（7.7） |
# | 长文本，可以微调 | RoPE + YaRN | 角度不出范围（6.7） | 先微调再实测（9.6） |
# | 流式 | RoPE或ALiBi，加窗口 | 键能挪位置，偏置只有一行（8.6、8.11） | 留下汇点（8.10） |
# | 对话 | RoPE，旋转过的缓存 | 开头可以复用（8.5） | 遮住填充（8.8） |
# | 图像 | 轴向RoPE或可学习的表 | 两个方向都有邻居（10.3、10.5） | 定好分辨率（10.6） |
# | 文本加图像 | 分段 | 文本仍是RoPE（10.9） | 看清分段（10.13） |
# | 已有权重 | 它自己的 | 换成别的就是噪声（5.6） | 读它的配置（11.4） |

# %% [markdown] lang="en"
# The same as a picture. 1: as it is; ½: on a condition; 0: out. Predict what is left before you
# press a button.

# %% [markdown] lang="zh"
# 画成图：1表示直接可用，½表示有条件，0表示出局。按下按钮之前，先猜还剩哪些。

# %%
REACH = {  # as long as in training, longer, a stream
    "learned": (1, 0, 0),  # 3.5
    "sinusoidal": (1, 0, 0),  # 2.11
    "T5": (1, 0.5, 0.5),  # 4.11
    "RoPE": (1, 0, 0.5),  # 6.1, 8.11
    "RoPE + YaRN": (0.5, 0.5, 0.5),  # 6.7: no need of it; tuned; tuned, in a window
    "ALiBi": (1, 1, 0.5),  # 7.7; in a window with sinks, 8.10
    "axial RoPE": (1, 0.5, 0),  # 10.6
}
ON_IMAGES = {"learned": 1, "sinusoidal": 0.5, "axial RoPE": 1}  # 10.5, 10.13, 10.3; others: 10.1
KEEPS = {"none": set(REACH), "RoPE": {"RoPE", "RoPE + YaRN"}, "learned": {"learned"}}
CHINESE = {"learned": "可学习的表", "sinusoidal": "正弦", "axial RoPE": "轴向RoPE", "none": "无"}


def named(name):
    return Text(en=name, zh=CHINESE.get(name, name))


def chooser(length, images, checkpoint):
    rows = []
    for name, reach in REACH.items():
        seen = ON_IMAGES.get(name, 0) if images else float(name != "axial RoPE")
        rows.append((reach[length], seen, float(name in KEEPS[checkpoint])))
    fits = torch.tensor([(*row, min(row)) for row in rows])
    left = [named(n) for n, fit in zip(REACH, fits[:, 3], strict=True) if fit] or [named("none")]
    return HeatMap(
        fits,
        x=Text(en="asked for", zh="要求"),
        y=Text(en="encoding", zh="编码"),
        title=Text(
            en="still in: " + ", ".join(each.en for each in left),
            zh="剩下：" + "、".join(each.zh for each in left),
        ),
        limits=(0, 1),
        x_ticks=[
            Text(en="length", zh="长度"),
            Text(en="input", zh="输入"),
            Text(en="weights", zh="权重"),
            Text(en="all", zh="全部"),
        ],
        y_ticks=[named(name) for name in REACH],
        colour_label=Text(en="fits", zh="可用"),
    )


LENGTHS = {
    Text(en="as in training", zh="与训练同长"): 0,
    Text(en="longer", zh="更长"): 1,
    Text(en="a stream", zh="流式"): 2,
}
explore(
    chooser,
    length=Choice(LENGTHS, value=0),
    images=Switch(False),
    checkpoint=Choice({named(name): name for name in KEEPS}),
    labels={
        "length": Text(en="text", zh="文本"),
        "images": Text(en="images", zh="图像"),
        "checkpoint": Text(en="weights to keep", zh="要沿用的权重"),
    },
    tries=[
        Try(en="a stream: is anything left as it is?", zh="流式：还有直接可用的吗？", length=2),
        Try(
            en="a learned table, longer texts",
            zh="可学习的表，文本更长",
            length=1,
            checkpoint="learned",
        ),
        Try(
            en="images, finer than in training",
            zh="图像，比训练时更细",
            length=1,
            images=True,
        ),
    ],
)

# %% [markdown] lang="en"
# *Picture: a row for each encoding, a column for each requirement, the last for all together. For
# text as long as in training, without weights to keep, all is bright but two rows: axial RoPE is
# dark under input (a text has no rows and columns), YaRN half bright under length, and so both
# under all.* The learned table with longer texts leaves nothing: untrained rows are noise (3.5), so
# it must be resized, then tuned (3.12).

# %% [markdown] lang="zh"
# *图：每行一种编码，每列一项要求，最后一列是全部要求合在一起。文本与训练同长、没有要沿用的权重时，
# 几乎全亮，只有两行例外：轴向RoPE在“输入”一列是暗的（文本没有行和列），YaRN在“长度”一列半亮，
# 两者的“全部”一列也随之变暗。*
# 可学习的表遇上更长的文本，一个也不剩：没训练过的行是噪声（3.5），要先拉伸这张表，再微调（3.12）。

# %% [markdown] lang="en"
# ## 11.3 What it costs
#
# Four costs: parameters, memory, time to read a text, time for one more token. The first two can be
# counted exactly. How many numbers does T5 learn in a model of 12 layers and 12 heads?

# %% [markdown] lang="zh"
# ## 11.3 代价
#
# 代价有四种：参数、内存、读一遍文本的时间、再来一个词元的时间。前两种可以精确计数。
# 12层、12个头的模型里，T5要学多少个数？


# %% exercise="encoding_parameters"
def encoding_parameters(name, layers, heads, dim, rows):
    """Return how many numbers training learns for the positions, an int."""
    ### BEGIN SOLUTION
    if name == "learned":
        return rows * dim
    if name == "T5":
        return rows * heads
    if name == "Shaw":
        return layers * 2 * rows * dim // heads
    return 0
    ### END SOLUTION


# %% check="encoding_parameters"
check("encoding_parameters", encoding_parameters)


# %%
def count(module, copies=1):
    return copies * sum(p.numel() for p in module.parameters())


print("parameters, 12 layers, d = 768, 12 heads")
print(f"  learned, 1024 rows  {count(LearnedPositionalEmbedding(1024, 768)):8,}")
print(f"  Shaw, ±16           {count(ShawEmbedding(16, 64), copies=12):8,}")
print(f"  T5                  {count(T5Bias(12, bidirectional=False)):8,}")
print("  sinusoidal, RoPE, ALiBi    0")
at = positions(1024)
matrix, row = alibi(at, at, alibi_slopes(12)), alibi(at, at, alibi_slopes(12), form="key_only")
print("memory of a bias for 1024 tokens, float32")
print(f"  matrix {matrix.nbytes / 2**20:.0f} MiB, key-only row {row.nbytes / 2**10:.0f} KiB")
print(f"  RoPE, cos and sin: {2 * 1024 * 32 * 4 / 2**10:.0f} KiB")

# %% [markdown] lang="en"
# The matrix is as many times larger than the row as there are queries: 1024. Work in a decode step
# can be counted too. A learned row costs $d$ additions, once. In each layer RoPE costs
# $2D(H+H_{kv})$ multiplications, a bias $Hn$ additions for $n$ keys, and the scores themselves
# $HnD$ multiplications. Move the length: where do the lines cross?

# %% [markdown] lang="zh"
# 查询有多少个，矩阵就是那一行的多少倍：1024倍。解码一步的计算量也能数出来。
# 可学习的一行要$d$次加法，只有一次。每一层里，RoPE要$2D(H+H_{kv})$次乘法，
# 偏置对$n$个键要$Hn$次加法，得分本身要$HnD$次乘法。改变长度：几条线在哪里相交？


# %%
def step_work(heads, kv_heads, length):
    n, width = torch.logspace(0, 5, 60), 128
    flat = torch.ones_like(n)
    rope = 2 * width * (heads + kv_heads)
    percent = 100 / width
    return Curves(
        [
            Curve(n, heads * n * width, Text(en="scores", zh="得分")),
            Curve(n, 2 * width * kv_heads * n, Text(en="RoPE, un-rotated", zh="RoPE，未旋转缓存")),
            Curve(n, heads * n, Text(en="ALiBi, T5: a row", zh="ALiBi、T5：一行")),
            Curve(n, rope * flat, Text(en="RoPE, rotated", zh="RoPE，旋转过的缓存")),
            Curve(n, heads * width * flat, Text(en="learned: once", zh="可学习：仅一次")),
        ],
        x=Text(en="keys n", zh="键数n"),
        y=Text(en="operations", zh="运算次数"),
        title=Text(
            en=f"n = {length}: bias {heads * length:,} ({percent:.1f}% of scores), RoPE {rope:,}",
            zh=f"n = {length}：偏置{heads * length:,}（得分的{percent:.1f}%），RoPE {rope:,}",
        ),
        x_scale="log",
        y_scale="log",
        y_limits=(1, 1e10),
        vlines=(length,),
    )


explore(
    step_work,
    heads=Choice([8, 16, 32], value=32),
    kv_heads=Choice([1, 4, 8], value=8),
    length=(1, 20000, 1, 1000),
    labels={
        "heads": Text(en="query heads", zh="查询头"),
        "kv_heads": Text(en="key heads", zh="键头"),
        "length": Text(en="keys n", zh="键数n"),
    },
    tries=[
        Try(
            en="100 keys: is the bias more expensive than RoPE yet?",
            zh="100个键：偏置比RoPE更贵了吗？",
            length=100,
        ),
        Try(
            en="as many key heads as query heads: which line is on top?",
            zh="键头与查询头一样多：最上面是哪条线？",
            heads=8,
            kv_heads=8,
        ),
        Try(en="one key head for all", zh="所有查询头共用一个键头", kv_heads=1),
    ],
)

# %% [markdown] lang="en"
# *Picture: operations a layer over the number of keys, both axes logarithmic. Two lines lie flat:
# RoPE with a rotated cache, and the learned row. Three climb with slope 1: the scores on top,
# un-rotated RoPE near them, the bias far below. A dashed line marks the chosen length.* A bias is
# always 1/128 of the scores. An un-rotated cache costs $2H_{kv}/H$ times the scores: twice as much
# when every query head has its own key head. Where does the bias overtake RoPE?

# %% [markdown] lang="zh"
# *图：横轴为键数，纵轴为每层的运算次数，两轴都是对数。两条线是平的：
# 缓存旋转过的RoPE，以及可学习的一行。三条以斜率1上升：最上面是得分，
# 未旋转的RoPE紧随其后，偏置在下面很远处。虚线标出所选的长度。*
# 偏置始终是得分的1/128。未旋转缓存的代价是得分的$2H_{kv}/H$倍：每个查询头各有一个键头时，
# 就是两倍。偏置在哪里超过RoPE？


# %% exercise="bias_overtakes"
def bias_overtakes(heads, kv_heads, head_dim):
    """Return the smallest number of keys at which a bias costs more than RoPE, an int."""
    ### BEGIN SOLUTION
    return 2 * head_dim * (heads + kv_heads) // heads + 1
    ### END SOLUTION


# %% check="bias_overtakes"
check("bias_overtakes", bias_overtakes)

# %% [markdown] lang="en"
# Operations are not seconds: memory must be read, functions be called. So measure, every method in
# turn in every round, and give the median of the ratios to attention without positions (a busy
# machine slows both sides of a ratio). Which will be the most expensive when a text is
# read?

# %% [markdown] lang="zh"
# 运算次数不是秒数：还要读内存，还要调用函数。所以要实测：每一轮把各种方法依次跑一遍，
# 取“相对于无位置编码的注意力”之比的中位数（机器忙时，比值的两边一起变慢）。
# 读一遍文本时，你猜哪种最贵？

# %% tags=["nbval-ignore-output"] reason="times differ from machine to machine"
HEADS, D = 8, 64
omega = frequencies(D).float()
slopes, t5 = alibi_slopes(HEADS), T5Bias(HEADS, bidirectional=False).requires_grad_(False)


def turn(x, at):  # x (B, H, L, D), at (L,)
    c, s = (at[:, None] * omega).cos(), (at[:, None] * omega).sin()
    a, b = x.chunk(2, dim=-1)
    return torch.cat((a * c - b * s, a * s + b * c), dim=-1)


def measured(runs, rounds=9):
    """Print the median ratio of each run to the first, and the median time of the first."""
    times = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            run()  # what the method before it left in the processor's cache must not count
            start = time.perf_counter()
            run()
            times[name].append(time.perf_counter() - start)
    first, *_ = seconds = [torch.tensor(each) for each in times.values()]
    print(f"without positions: {1000 * first.median():.2f} ms")
    for name, each in zip(times, seconds, strict=True):
        print(f"  {name:28} {(each / first).median():5.2f}")


L = 512
at = positions(L)
q, k, v = torch.randn(3, 1, HEADS, L, D, generator=rng)
hidden = torch.full((L, L), -torch.inf).triu(1)
kept = alibi(at, at, slopes) + hidden
sdpa = F.scaled_dot_product_attention
reading = {
    "none": lambda: sdpa(q, k, v, is_causal=True),
    "RoPE": lambda: sdpa(turn(q, at), turn(k, at), v, is_causal=True),
    "ALiBi, matrix kept": lambda: sdpa(q, k, v, attn_mask=kept[None]),
    "ALiBi, matrix rebuilt": lambda: sdpa(
        q, k, v, attn_mask=(alibi(at, at, slopes) + hidden)[None]
    ),
    "T5, matrix rebuilt": lambda: sdpa(q, k, v, attn_mask=(t5(at, at) + hidden)[None], scale=1.0),
}
measured(reading)

# %% [markdown] lang="en"
# And one more token, with 4096 keys in the cache:

# %% [markdown] lang="zh"
# 再看缓存里有4096个键时，多来一个词元：

# %% tags=["nbval-ignore-output"] reason="times differ from machine to machine"
n = 4096
at, now = positions(n), torch.tensor([n - 1])
q1 = torch.randn(1, HEADS, 1, D, generator=rng)
k, v = torch.randn(2, 1, HEADS, n, D, generator=rng)
row = alibi(now, at, slopes)
decoding = {
    "none": lambda: sdpa(q1, k, v),
    "RoPE, rotated cache": lambda: (turn(k[:, :, :1], now), sdpa(turn(q1, now), k, v)),
    "RoPE, un-rotated cache": lambda: sdpa(turn(q1, now), turn(k, at), v),
    "ALiBi, row kept": lambda: sdpa(q1, k, v, attn_mask=row[None]),
    "ALiBi, row rebuilt": lambda: sdpa(q1, k, v, attn_mask=alibi(now, at, slopes)[None]),
    "T5, row rebuilt": lambda: sdpa(q1, k, v, attn_mask=t5(now, at)[None], scale=1.0),
}
measured(decoding)

# %% [markdown] lang="en"
# Read your own ratios. Three things should stand out. Building a bias matrix costs more than using
# it: keep it, and share it between layers. Turning a whole cache at each step costs more than any
# row. And with a rotated cache or a row that is kept, the encoding is not what makes decoding slow.

# %% [markdown] lang="zh"
# 看看你自己的比值。有三点应该很明显。建一张偏置矩阵比用它更贵：留着它，各层共用。
# 每一步把整个缓存转一遍，比哪种“一行”都贵。缓存旋转过，或那一行留着不重建时，
# 解码慢就不是位置编码造成的。

# %% [markdown] lang="en"
# ## 11.4 A checkpoint that exists
#
# Then the choice is made, and the work is to read it. The frequencies, slopes and buckets are
# not weights, but they are part of the trained model. How wrong is another base?

# %% [markdown] lang="zh"
# ## 11.4 已有的权重
#
# 这时已经没得选了，要做的是把它读对。频率、斜率和桶虽然不是权重，却是训练好的模型的一部分。
# base换一个，错得有多远？

# %%
for p in (1, 10, 100):
    trained, used = p * frequencies(128, base=500000.0), p * frequencies(128, base=10000.0)
    apart = (trained - used).cos().acos()  # whole turns make no difference
    wrong = int((apart > 0.5).sum())
    print(f"position {p:3}: {wrong} of 64 pairs are off by more than half a radian")

# %% [markdown] lang="en"
# At position 100 nearly half of the pairs are wrong: read the base, do not guess it. The
# `config.json` says what to do, in several dialects. (Some files hardly do: GPT-NeoX writes
# `rotary_pct`, the first LLaMA files say nothing of RoPE; there `model_type` decides.) Write a
# reader for the commonest:

# %% [markdown] lang="zh"
# 到了位置100，将近一半的对都错了：base要去读，不要猜。该怎么做，`config.json`里写着，
# 只是方言有好几种。（有的文件几乎没写：GPT-NeoX写的是`rotary_pct`，最早的LLaMA文件对RoPE只字不提，
# 这时由`model_type`决定。）写一个函数，读懂最常见的几种：


# %% exercise="config_positions"
def config_positions(config):
    """Return the name of the encoding and the length it was trained for."""
    ### BEGIN SOLUTION
    if "relative_attention_num_buckets" in config:
        return "T5", None
    length = config.get("max_position_embeddings", config.get("n_positions"))
    if config.get("alibi") or config.get("position_embedding_type") == "alibi":
        return "ALiBi", length
    if not {"rope_theta", "rope_scaling", "rope_parameters"} & config.keys():
        return "learned", length
    scaling = config.get("rope_parameters") or config.get("rope_scaling") or {}
    kind = scaling.get("rope_type", scaling.get("type", "default"))
    name = "RoPE" if kind == "default" else f"RoPE + {kind}"
    return name, scaling.get("original_max_position_embeddings", length)
    ### END SOLUTION


# %% check="config_positions"
check("config_positions", config_positions)

# %% [markdown] lang="en"
# ## 11.5 The rule
#
# A decision that cannot be written down is a whim. Here is one that can; it is simpler than the
# table, and you may come to disagree with it. Write it first.

# %% [markdown] lang="zh"
# ## 11.5 规则
#
# 写不下来的决定只是一时的心情。下面这条规则写得下来；它比那张表简单，你以后也许不同意它。
# 先把它写出来。


# %% exercise="choose_encoding"
def choose_encoding(needs):
    """Return the name of the encoding that the rule gives."""
    ### BEGIN SOLUTION
    own, longer = needs.get("checkpoint"), needs["length"] > needs["trained"]
    if own:
        stretched = {"RoPE": "RoPE + YaRN", "learned": "learned + resize"}
        return stretched.get(own, own) if longer else own
    if needs.get("images"):
        return "axial RoPE"
    if longer:
        return "ALiBi"
    return "learned" if needs.get("fixed_form") else "RoPE"
    ### END SOLUTION


# %% check="choose_encoding"
check("choose_encoding", choose_encoding)

# %% [markdown] lang="en"
# ## 11.6 From 2017 on
#
# An arXiv number begins with year and month, so the references of these chapters make a history by
# themselves. Which family do you expect first, which last?

# %% [markdown] lang="zh"
# ## 11.6 2017年以来
#
# arXiv编号的开头就是年份和月份，所以各章的参考文献自己就能排成一部历史。
# 你猜哪一类最先出现，哪一类最晚？

# %%
HISTORY = {
    "absolute": "1706.03762 Transformer, 1810.04805 BERT, 2003.09229 FLOATER",
    "relative": "1803.02155 Shaw, 1901.02860 Transformer-XL, 1906.08237 XLNet, "
    "2006.03654 DeBERTa, 2009.13658 Huang et al.",
    "bias": "1910.10683 T5, 2108.12409 ALiBi, 2205.09921 KERPLE, 2212.10356 Sandwich, "
    "2310.04418 FIRE",
    "cache": "1911.02150 multi-query, 2305.13245 GQA, 2309.17453 StreamingLLM",
    "images": "2005.12872 DETR, 2010.11929 ViT, 2403.13298 RoPE-ViT, 2409.12191 Qwen2-VL",
    "rotary": "2104.09864 RoPE, 2306.15595 PI, 2309.00071 YaRN, 2402.13753 LongRoPE, "
    "2410.06205 Barbero et al.",
    "none": "1905.04226 Irie et al., 2203.16634 Haviv et al., 2305.19466 Kazemnejad et al., "
    "2404.12224 Wang et al.",
}
CHINESE |= {"absolute": "绝对", "relative": "相对", "bias": "偏置"}
CHINESE |= {"cache": "缓存", "images": "图像", "rotary": "旋转"}
YEARS = list(range(2017, 2025))
counts = torch.zeros(len(HISTORY), len(YEARS))
for family, works in enumerate(HISTORY.values()):
    for work in works.split(", "):
        counts[family, 2000 + int(work[:2]) - YEARS[0]] += 1
picture(
    HeatMap(
        counts,
        x=Text(en="year of the arXiv number", zh="arXiv编号的年份"),
        y=Text(en="family", zh="类别"),
        title=Text(en="works on positions, cited in this course", zh="本课程引用的位置编码工作"),
        x_ticks=[str(year) for year in YEARS],
        y_ticks=[named(family) for family in HISTORY],
        colour_label=Text(en="works", zh="篇数"),
    )
)
for year in YEARS:
    names = [
        w[11:] for works in HISTORY.values() for w in works.split(", ") if w[:2] == str(year)[2:]
    ]
    print(year, ", ".join(names))

# %% [markdown] lang="en"
# *Picture: seven families by eight years. Absolute starts in 2017, relative runs from 2018 to 2020,
# biases from 2019 to 2023, rotary from 2021 to 2024; decoders without any encoding are studied
# from 2019 on.* One sentence for each step: place is added (2017); distance enters the score as a
# vector (2018), as a number (2019); place turns the vectors themselves (April 2021), or the number
# becomes a fixed slope (August 2021); from 2023 on the question is how to stretch what was trained.
#
# Dates of papers are no ranking. The list is what *this course* cites, not the field.

# %% [markdown] lang="zh"
# *图：七个类别、八个年份。绝对位置从2017年开始，相对位置从2018到2020年，偏置从2019到2023年，
# 旋转从2021到2024年；没有位置编码的解码器，从2019年起就有人研究。*
# 每一步一句话：先是把位置加上去（2017）；距离以向量进入得分（2018），再以一个数进入（2019）；
# 接着是按位置旋转向量本身（2021年4月），或把那个数换成固定的斜率（2021年8月）；
# 2023年起，问题变成如何拉伸已经训练好的东西。
#
# 论文的日期不是排名。这里列的是*本课程*引用的工作，不是整个领域。

# %% [markdown] lang="en"
# ## 11.7 Bug clinic
#
# All of chapter 12 is a clinic, so here is one case only: a common estimate, hidden size times
# layers times two.
# Symptom: a model with grouped queries (8.3) seems to need four times the memory that it takes.

# %% [markdown] lang="zh"
# ## 11.7 Bug诊所
#
# 第12章整章都是诊所，这里只看一例：一种常见的估算，隐藏宽度乘层数再乘二。
# 症状：用了分组查询（8.3）的模型，估出来的内存是实际的四倍。


# %%
def cache_of_all_heads(config, length):
    return 2 * config["num_hidden_layers"] * config["hidden_size"] * length * 2  # the mistake


eight = {"num_hidden_layers": 32, "hidden_size": 4096, "num_attention_heads": 32}
eight["num_key_value_heads"] = 8
stored = torch.empty(2, 32, 8, 1000, 128, dtype=torch.float16, device="meta")  # what is kept
print(f"estimated {cache_of_all_heads(eight, 1000) / 2**20:.0f} MiB")
print(f"stored    {stored.nbytes / 2**20:.0f} MiB")


# %% exercise="mend_cache_estimate"
def mend_cache_estimate(config, length, bytes_each=2):
    """Return the bytes of the KV cache of `length` tokens, an int."""
    ### BEGIN SOLUTION
    heads = config["num_attention_heads"]
    kv_heads = config.get("num_key_value_heads", heads)
    head_dim = config.get("head_dim", config["hidden_size"] // heads)
    return 2 * config["num_hidden_layers"] * kv_heads * head_dim * length * bytes_each
    ### END SOLUTION


# %% check="mend_cache_estimate"
check("mend_cache_estimate", mend_cache_estimate)

# %% [markdown] lang="en"
# ## 11.8 Interview
#
# Ten questions. Say your own answer aloud before you read on. Each has the answer in two minutes,
# what an expert adds, and what a bluffer says.
#
# ### Why does a Transformer need positions?
# **Two minutes.** Attention is a weighted sum over a set: reorder the tokens and the outputs are
# reordered, nothing else (1.4). **An expert adds** that it is *equivariant*, becomes invariant only
# after pooling (1.5), and that a causal mask alone already lets two layers see order (1.6).
# **A bluffer says** "attention is permutation invariant".
#
# ### Why sines and cosines?
# **Two minutes.** Pair $i$ turns by $\omega_i$ a token, so a shift is a rotation that depends on
# the shift alone (2.5), and dot products know the distance (2.6). **An expert adds** that they do
# not know the direction (2.6) and that defined everywhere does not mean trained everywhere (2.11).
# **A bluffer says** "they are periodic, so they extrapolate".
#
# ### Absolute or relative?
# **Two minutes.** Absolute says where, is added once, ends or wears out past training (3.9);
# relative says how far, in every layer, the same for a sentence that moves (4.1). **An expert
# adds** what relative cannot do: eight equal words (4.8). **A bluffer says** "relative is better".
#
# ### Derive RoPE.
# **Two minutes.** Ask for a score of $n-m$ alone; lengths may not change, at one place every vector
# must turn by the same angle, and each place adds an equal step: a rotation by $\omega p$ (5.2).
# **An expert adds** that queries and keys turn, values do not (5.8), and that the two layouts are
# different models (5.6).
# **A bluffer says** "RoPE adds rotated sines to the embedding".
#
# ### Do RoPE's scores decay with distance?
# **Two minutes.** A bound tends to fall; the score need not (5.7). **An expert adds** that a key
# can be chosen so that the score peaks at any distance you like (5.7).
# **A bluffer says** "yes, that is why it works on long text".

# %% [markdown] lang="zh"
# ## 11.8 面试
#
# 十个问题。先把自己的答案说出来，再往下看。每题都有两分钟的回答、行家会补充什么，以及外行怎么蒙混。
#
# ### Transformer为什么需要位置？
# **两分钟。** 注意力是对一个集合求加权和：词元重排，输出只是跟着重排（1.4）。
# **行家补充：** 这叫*等变*，池化之后才是不变（1.5）；仅凭因果掩码，两层就能看出顺序（1.6）。
# **外行会说：** “注意力具有置换不变性”。
#
# ### 为什么用正弦和余弦？
# **两分钟。** 每走一个词元，第$i$对就转$\omega_i$，所以平移就是只取决于平移量的旋转（2.5），
# 点积知道距离（2.6）。**行家补充：** 点积不知道方向（2.6）；处处有定义，不等于处处训练过（2.11）。
# **外行会说：** “它是周期函数，所以能外推”。
#
# ### 绝对还是相对？
# **两分钟。** 绝对位置说在哪里，只加一次，超出训练长度就走到头或失灵（3.9）；
# 相对位置说隔多远，每层都有，句子移动也不变（4.1）。
# **行家补充：** 相对位置做不到什么：八个相同的词（4.8）。**外行会说：** “相对位置更好”。
#
# ### 推导RoPE。
# **两分钟。** 要求得分只取决于$n-m$：长度不能变，同一位置上所有向量转同一个角度，
# 每往后一个位置多转的角度也一样，于是就是转$\omega p$（5.2）。
# **行家补充：** 转的是查询和键，不转值（5.8）；两种排布是两个不同的模型（5.6）。
# **外行会说：** “RoPE把旋转过的正弦加到嵌入上”。
#
# ### RoPE的得分随距离衰减吗？
# **两分钟。** 上界大体下降，得分却不一定（5.7）。
# **行家补充：** 选一个合适的键，可以让得分在你想要的任何距离处最大（5.7）。
# **外行会说：** “衰减，所以它适合长文本”。

# %% [markdown] lang="en"
# ### A RoPE model must read longer texts. What do you do?
# **Two minutes.** Slow pairs meet angles never seen (6.2). Interpolate (6.3), raise the base (6.4),
# or by parts with a temperature, YaRN (6.7); tune, measure. **An expert adds** that dynamic scaling
# and a rotated cache do not go together (8.5), and that YaRN's factor on queries and keys is
# squared in the scores (6.7). **A bluffer says** "set a larger maximum in the config".
#
# ### What is ALiBi, and what does it show?
# **Two minutes.** $-m_h(i-j)$ on the scores, fixed slopes, no parameters (7.2). **An expert adds**
# that it is not divided by $\sqrt D$ (7.4), and that a flat curve does not show that far words are
# used (7.7). **A bluffer says** "the slopes are learned" or "it uses the whole context".
#
# ### How far does T5 see?
# **Two minutes.** It sees every key. Its numbers, one for each bucket, tell distances apart:
# exactly when near, by the logarithm further off, not at all within the last bucket (4.5). **An
# expert adds** that a decoder's last bucket begins at 113, not 128, and that the scores are not
# divided (4.5). **A bluffer says** "up to 128 tokens".
#
# ### What about positions in a KV cache?
# **Two minutes.** The new token stands at the largest stored position plus one (8.4); RoPE keys are
# turned once, then stored (8.5); a bias needs one row (8.6). **An expert adds** eviction, sinks
# (8.10), and that 16 bits forbid turning keys step by step (8.11). **A bluffer says** "the position
# is the length of the cache".
#
# ### A paper says that its encoding extrapolates. What do you ask?
# **Two minutes.** Which loss, on which bytes, at which length, over how many seeds? Compare the
# same bytes in a fresh window (9.2). **An expert adds** that an ordering must be stable over seeds
# (9.5), and that failing late is not the same as using far context (9.9). **A bluffer says** "37 %
# better".

# %% [markdown] lang="zh"
# ### 要让RoPE模型读更长的文本，你怎么做？
# **两分钟。** 慢的那些对会遇到没见过的角度（6.2）。插值（6.3）、加大base（6.4），
# 或分段处理加温度，即YaRN（6.7）；微调，实测。
# **行家补充：** 动态缩放与旋转过的缓存不能并用（8.5）；
# YaRN乘在查询和键上的因子，到得分里成了平方（6.7）。
# **外行会说：** “把配置里的最大长度改大”。
#
# ### ALiBi是什么，它说明了什么？
# **两分钟。** 得分加$-m_h(i-j)$，斜率固定，没有参数（7.2）。
# **行家补充：** 它不除以$\sqrt D$（7.4）；曲线平稳并不说明用上了远处的词（7.7）。
# **外行会说：** “斜率是学出来的”，或“它用上了全部上下文”。
#
# ### T5能看多远？
# **两分钟。** 每个键都看得到。它靠每个桶一个数来分辨距离：近处精确，远处按对数，
# 同在最后一个桶里就分不出了（4.5）。
# **行家补充：** 解码器的最后一个桶从113开始，不是128；得分不做缩放（4.5）。
# **外行会说：** “最远128个词元”。
#
# ### KV缓存里的位置怎么办？
# **两分钟。** 新词元的位置是存下的最大位置加1（8.4）；RoPE的键转一次再存（8.5）；
# 偏置只要一行（8.6）。**行家补充：** 驱逐与汇点（8.10）；16位下不能一步步转键（8.11）。
# **外行会说：** “位置就是缓存的长度”。
#
# ### 论文说它的编码能外推，你问什么？
# **两分钟。** 什么损失、哪些字节、多长、几个种子？拿同样的字节放进新窗口来比（9.2）。
# **行家补充：** 次序要在各个种子上都稳定（9.5）；崩得晚不等于用上了远处的上下文（9.9）。
# **外行会说：** “好37%”。

# %% [markdown] lang="en"
# ## 11.9 What is not true
#
# **"Relative is always better."** Then it would lose nothing. One word eight times, in an encoder:

# %% [markdown] lang="zh"
# ## 11.9 哪些说法不对
#
# **“相对位置总是更好。”** 那它就什么也不会丢。在编码器里把一个词重复八遍：

# %%
word = torch.randn(1, 1, 1, 32, generator=rng).expand(1, 1, 8, 32)
at = positions(8)
bias = alibi(at, at, alibi_slopes(1), form="symmetric")
out = attention(word, word, word, bias=bias)[0, 0]
placed = word + sinusoidal(at, 32).float()
told = attention(placed, placed, placed)[0, 0]
for name, rows in (("relative", out), ("absolute", told)):
    print(f"{name}: outputs differ by up to {(rows - rows[0]).abs().max():.1f}")

# %% [markdown] lang="en"
# **"A method without parameters costs nothing."** ALiBi's matrix has none, and at 32 heads and 4096
# tokens it takes far more memory than a learned table of 4096 rows of 4096 numbers:

# %% [markdown] lang="zh"
# **“没有参数的方法没有代价。”** ALiBi的矩阵没有参数；但32个头、4096个词元时，
# 它占的内存比4096行、宽4096的可学习的表多得多：

# %%
matrix = torch.empty(32, 4096, 4096, device="meta").nbytes
table = torch.empty(4096, 4096, device="meta").nbytes
print(f"matrix {matrix / 2**20:.0f} MiB, learned table {table / 2**20:.0f} MiB")

# %% [markdown] lang="en"
# **"More parameters, better positions."** At the trained length the perplexities in Table 1 of
# Haviv et al. 2022 (WikiText-103) are 20.42 for a learned table, 20.16 for sinusoidal and 19.71 for
# ALiBi. The table alone has parameters, and it is the worst of the three.

# %% [markdown] lang="zh"
# **“参数越多，位置编码越好。”** 在训练长度上，Haviv等（2022）表1（WikiText-103）的困惑度是：
# 可学习的表20.42，正弦20.16，ALiBi 19.71。只有那张表有参数，三者中它最差。

# %% [markdown] lang="en"
# ## 11.10 In real models
#
# | model | encoding | what to watch |
# |---|---|---|
# | BERT | learned | texts up to 512; the table ends (3.12) |
# | GPT-2 | learned | 1024 rows; take positions from the mask (8.15) |
# | T5 | buckets | one table for all layers (4.5) |
# | BLOOM | ALiBi | key-only row, causal only (7.10) |
# | Llama 3.1 | RoPE, `llama3` | base 500000, trained 8192 first (6.14) |
# | Qwen2-VL | sections | text is RoPE, images are a grid (10.13) |

# %% [markdown] lang="zh"
# ## 11.10 在真实模型中
#
# | 模型 | 编码 | 要留意什么 |
# |---|---|---|
# | BERT | 可学习 | 文本不超过512；表有尽头（3.12） |
# | GPT-2 | 可学习 | 1024行；位置要由掩码算出（8.15） |
# | T5 | 桶 | 所有层共用一张表（4.5） |
# | BLOOM | ALiBi | 只看键的一行，仅限因果（7.10） |
# | Llama 3.1 | RoPE，`llama3` | base为500000，先训练到8192（6.14） |
# | Qwen2-VL | 分段 | 文本是RoPE，图像是网格（10.13） |

# %% [markdown] lang="en"
# ### Think: the legal archive
#
# A company has a RoPE checkpoint trained on 8192 tokens and wants answers over contracts of 60000
# tokens. A consultant proposes to replace RoPE by ALiBi, "because it extrapolates". Say what is
# wrong with that, what you would do instead, and which measurement would convince you. Three or
# four sentences in the next cell.
#
# On your own: write your answer first, then check it with questions 23, 30 and 34 of the quiz in
# 11.11.

# %% [markdown] lang="zh"
# ### 想一想：合同档案
#
# 某公司有一份在8192个词元上训练的RoPE权重，想对60000个词元的合同做问答。
# 一位顾问建议把RoPE换成ALiBi，“因为它能外推”。
# 请说明这有什么不对，你会怎么做，以及什么样的测量能让你信服。在下一个单元格里写三四句话。
#
# 自学的话，先写下自己的答案，再用11.11节测验的第23、30、34题核对。

# %% [markdown] thinking="legal_archive" points=3
# <div lang="en">
#
# **Model answer.** The weights were trained with rotated queries and keys; without the rotation
# their scores mean nothing, so the swap would need training anew. And ALiBi's flat loss does not
# show that far words are used, which is what answers about long contracts need. Instead: scale the
# angles by about 8 (by parts, YaRN), tune on long texts, keep an eye on short ones. Convincing
# would be questions whose answer stands far away, at several depths, against the same model that
# sees the near part alone; not the perplexity.
#
# **Points.** 1 for "the checkpoint is trained for its own encoding"; 1 for a scaling with tuning,
# factor near 8; 1 for a measurement that only far context can win.
#
# </div>
# <div lang="zh">
#
# **参考答案。** 权重是用旋转过的查询和键训练的，去掉旋转，得分就没有意义，换编码等于重新训练。
# 再说，ALiBi的损失平稳，并不说明它用上了远处的词，而长合同问答要的正是这个。
# 应当把角度缩放约8倍（分段处理，YaRN），用长文本微调，同时留意短文本。
# 能让人信服的，是答案位于远处、分布在不同深度的问题，并与只看近处的同一模型对比；不是困惑度。
#
# **评分。** 说出“权重是按它自己的编码训练的”得1分；给出缩放加微调、倍数约为8得1分；
# 给出只有靠远处上下文才能赢的测量得1分。
#
# </div>

# %% [markdown] lang="en"
# ## 11.11 The quiz over the course
#
# First for yourself: all questions, each option with its reason. Nobody sees how you do.

# %% [markdown] lang="zh"
# ## 11.11 全课测验
#
# 先自测：这里是全部题目，每个选项都附有理由。没有人看得到你的结果。

# %%
quiz("choose")

# %% [markdown] lang="en"
# Then a paper of your own: one question from each of chapters 0 to 11, drawn with a number. Put
# your number (the digits of your student number, for instance) in place of 2026 and run the cell:
# your neighbour's paper has other questions, and other letters for the same ones. The key is part
# of the course that you have installed, so the paper is a self-test too: it counts one point.

# %% [markdown] lang="zh"
# 再做一份自己的试卷：第0到11章各出一题，由一个编号抽取。把2026换成你自己的编号
# （例如学号里的数字），运行单元格：邻座的试卷题目不同，同一题的字母也不同。
# 答案就在你安装的课程里，所以这份试卷也是自测，只计一分。

# %%
print(paper(2026))


# %% exercise="course_quiz"
def course_quiz():
    """Return {"seed": your number, 1: letter, …, 12: letter}."""
    ### BEGIN SOLUTION
    return {
        "seed": 2026,
        1: "B",
        2: "A",
        3: "C",
        4: "A",
        5: "B",
        6: "C",
        7: "B",
        8: "C",
        9: "A",
        10: "B",
        11: "B",
        12: "A",
    }
    ### END SOLUTION


# %% check="course_quiz"
check("course_quiz", course_quiz)

# %% [markdown] lang="en"
# ## 11.12 Take-away
#
# - Absolute says where, relative says how far; RoPE is the one by means of the other.
# - A checkpoint has chosen already: read its config, keep its encoding, stretch it knowingly.
# - New text model: RoPE. Fixed form: a table. Images: two axes. Stream: a window with sinks.
# - Longer texts: scale and tune, or a bias; then measure what far words are worth.
# - Parameters hardly matter. What costs is a bias that is rebuilt, or a cache that is turned anew.
# - A number without measure, length, seeds and source is no reason.

# %% [markdown] lang="zh"
# ## 11.12 本章要点
#
# - 绝对位置说在哪里，相对位置说隔多远；RoPE用前者的手段实现后者。
# - 已有权重就是已经选好了：读配置，沿用它的编码，要拉伸就要明白自己在做什么。
# - 新的文本模型：RoPE。固定表单：一张表。图像：两个轴。流式：窗口加汇点。
# - 更长的文本：缩放并微调，或用偏置；然后实测远处的词究竟有没有用。
# - 参数量几乎不要紧。真正花钱的，是反复重建的偏置，或每步重转的缓存。
# - 没有指标、长度、种子和出处的数字，算不上理由。

# %% [markdown] lang="en"
# ## Further reading
#
# - O. Press, N. A. Smith, M. Lewis: *Train Short, Test Long: Attention with Linear Biases Enables
#   Input Length Extrapolation*. ICLR 2022. [arXiv:2108.12409](https://arxiv.org/abs/2108.12409).
#   Table 2 is quoted in the quiz.
# - A. Haviv, O. Ram, O. Press, P. Izsak, O. Levy: *Transformer Language Models without Positional
#   Encodings Still Learn Positional Information*. Findings of EMNLP 2022.
#   [arXiv:2203.16634](https://arxiv.org/abs/2203.16634). Table 1 is quoted above.
# - A. Kazemnejad, I. Padhi, K. Natesan Ramamurthy, P. Das, S. Reddy: *The Impact of Positional
#   Encoding on Length Generalization in Transformers*. NeurIPS 2023.
#   [arXiv:2305.19466](https://arxiv.org/abs/2305.19466). Four encodings and none, same tasks.
# - The references of chapters 1 to 10; those on positions stand in section 11.6 by arXiv number.

# %% [markdown] lang="zh"
# ## 延伸阅读
#
# - O. Press, N. A. Smith, M. Lewis：*Train Short, Test Long: Attention with Linear Biases Enables
#   Input Length Extrapolation*。ICLR 2022。[arXiv:2108.12409](https://arxiv.org/abs/2108.12409)。
#   测验里引用了表2。
# - A. Haviv, O. Ram, O. Press, P. Izsak, O. Levy：*Transformer Language Models without Positional
#   Encodings Still Learn Positional Information*。Findings of EMNLP 2022。
#   [arXiv:2203.16634](https://arxiv.org/abs/2203.16634)。上文引用了表1。
# - A. Kazemnejad, I. Padhi, K. Natesan Ramamurthy, P. Das, S. Reddy：*The Impact of Positional
#   Encoding on Length Generalization in Transformers*。NeurIPS 2023。
#   [arXiv:2305.19466](https://arxiv.org/abs/2305.19466)。四种编码与无编码，同样的任务。
# - 第1到10章的参考文献；其中关于位置的，按arXiv编号列在11.6节。
