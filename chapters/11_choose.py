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
# ---

# %% [markdown] lang="en" way="weekend"
# # 11 · Choosing an encoding
#
# "Why RoPE, and not ALiBi?" If your answer is "because it is better", you have not answered. Ten
# chapters have given you what an answer needs: what each encoding can say, what it costs, where it
# breaks, and which number shows it.
#
# **The question.** A model is to be built, or stretched, or served. Which positional encoding, and
# why?
#
# **You will** decide with a list whose every line is backed by this course, measure what each
# encoding costs on your machine, read a config, write the rule as a function, prepare for an
# interview, and take a quiz over the whole course.
#
# **You need** chapters 1 to 10, or the will to look things up: numbers such as (4.8) name the
# section that backs a sentence. 5 exercises, 10 points, about {minutes} minutes, and 3 more for a
# question that a teacher grades.

# %% [markdown] lang="zh"
# # 11 · 怎样选择位置编码
#
# “为什么用RoPE，不用ALiBi？”答一句“因为更好”，等于没答。前面十章已经给了你回答所需的一切：
# 每种编码能表达什么，要花多少代价，到哪里会失效，拿什么数字来证明。
#
# **本章的问题。** 要训练、扩展或部署一个模型，该用哪种位置编码，为什么？
#
# **你将**用一份处处有依据的清单来做决定；在自己的机器上测量每种编码的代价；读懂一份config；
# 把规则写成函数；准备面试；最后做一份覆盖全课的测验。
#
# **你需要**第1到10章，或者愿意随时去查，因为(4.8)这样的编号会指出依据在哪一节。共5道练习，10分，
# 约{minutes}分钟，另有一道由教师评分的题，3分。

# %%
import time

import torch
import torch.nn.functional as F

from autograde import answer, check, hint, progress, quiz
from autograde.quizzes.choose import draw
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
from posenc_viz import Curve, Curves, HeatMap, History, explore, picture
from posenc_viz.labels import choose as label

torch.set_num_threads(1)
language_switch()

# %% [markdown] lang="en" way="weekend"
# ## 11.1 Two kinds
#
# An *absolute* encoding says where a token is; it is added once and every layer can read it (2.9).
# A *relative* one says how far apart two tokens are; it is part of the scores, in every layer
# (4.8). Move a sentence, and scores change with the first kind and stay with the second. Guess how
# much:

# %% [markdown] lang="zh"
# ## 11.1 两类编码
#
# *绝对位置编码*（absolute）给出一个词元（token）在哪里，只加一次，每一层都读得到（2.9）。
# *相对位置编码*（relative）给出两个词元相隔多远，体现在每一层的注意力得分（attention score，
# 即softmax之前的logits）里（4.8）。把整句话挪个位置，用前者得分会变，用后者不变。先猜猜变多少：

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
# "field 3 of the form" it cannot express: with relative scores alone, an encoder gives eight equal
# words the same output eight times (4.8). RoPE uses absolute positions and yields relative scores:
# it turns queries and keys by their absolute places, and the score keeps the difference (5.2).

# %% [markdown] lang="zh"
# 没有哪一类更好。对相对位置来说，“前一个词”是一条处处有效的规则，“表单第3栏”却表达不了：
# 只有相对得分的编码器，对八个相同的词给出八个相同的输出（4.8）。RoPE用绝对的手段达到相对的目的，
# 它按绝对位置旋转查询和键，得分里只留下两者之差（5.2）。

# %% [markdown] lang="en" way="weekend"
# ## 11.2 Which for what
#
# So the task decides. What must the model be able to say about places, how long do its inputs get,
# and does a checkpoint exist already? The list goes from short texts to long ones, then to running
# systems, then to images, and ends with what cannot be chosen any more.
#
# - **Short texts of fixed length: a learned table or RoPE.** Every row of the table is trained
#   (3.2), as long as texts never grow beyond it (3.5).
# - **A form with fixed fields: a learned table.** Each place has a meaning of its own (4.8). The
#   form must not move.
# - **A new model for text: RoPE with a large base.** It has no parameters, and a key is rotated
#   once (5.5, 8.5). For long texts it is also trained on long texts (6.2).
# - **A RoPE model, texts a few times longer, no tuning: static YaRN with $s=4$.** Qwen2.5 and Qwen3
#   are run this way (6.14). Switch it on for long texts only, and measure both short and long ones.
# - **A RoPE model, far longer texts: RoPE + YaRN.** Angles stay in range (6.7). Tune, then measure,
#   beside tuning without it (9.6).
# - **A new model that must survive any length: ALiBi.** Its loss stays flat; far words may count
#   little (7.7).
# - **Streaming: RoPE or ALiBi, with a window.** Stored keys can be renumbered, and a bias is one
#   row per step (8.6, 8.11). The sinks must stay (8.10).
# - **Dialogue: RoPE with a rotated cache.** A common beginning is reused (8.5). Padding must be
#   masked (8.8).
# - **Images: axial RoPE or a learned table.** Neighbours above and below are as near as those to
#   the side (10.3, 10.5). Decide beforehand what happens at another resolution (10.6).
# - **Text and images: M-RoPE.** Text alone is exactly RoPE (10.9). Compare `mrope_section` with the
#   config (10.13).
# - **An existing checkpoint: its own encoding.** Other positions are noise to it (5.6). Read its
#   config (11.4).

# %% [markdown] lang="zh"
# ## 11.2 什么任务用哪种
#
# 所以要看任务：模型需要表达怎样的位置，输入会有多长，有没有现成的checkpoint。
# 下面从短文本说到长文本，再到推理部署和图像，最后是没得选的情形。
#
# - **短文本，长度固定：可学习的表或RoPE。** 表的每一行都训练过（3.2），
#   只要文本绝不超过训练长度（3.5）。
# - **表单，各栏位置固定：可学习的表。** 每个位置各有含义（4.8），前提是表单不会移动。
# - **新的文本模型：RoPE，base取大些。** 没有参数，键转一次即可缓存（5.5、8.5）。要读长文本，
#   就也在长文本上训练（6.2）。
# - **已有RoPE模型，文本长几倍，不微调：静态YaRN，$s=4$。** Qwen2.5和Qwen3就是这样用的（6.14）。
#   只在文本真的很长时开启，短文本、长文本都要测。
# - **已有RoPE模型，文本长得多：RoPE + YaRN。** 角度不会超出训练过的范围（6.7），
#   微调之后要实测，并和不缩放、直接微调的比一比（9.6）。
# - **新模型，多长都不能崩：ALiBi。** 损失始终平稳，但远处的词可能影响很小（7.7）。
# - **流式生成：RoPE或ALiBi，加窗口。** 缓存的键可以重新编号，偏置每步只算一行（8.6、8.11）。
#   attention sink（汇点）必须留下（8.10）。
# - **对话：RoPE，缓存旋转后的键。** 公共的开头可以复用（8.5），填充要遮住（8.8）。
# - **图像：轴向RoPE或可学习的表。** 上下的邻居与左右的邻居一样近（10.3、10.5）。换分辨率时怎么办，
#   要事先想好（10.6）。
# - **图文混合：M-RoPE。** 纯文本时就是一维RoPE（10.9），
#   用之前核对config里的`mrope_section`（10.13）。
# - **已有checkpoint：沿用它自己的编码。** 换成别的，得分就成了噪声（5.6），
#   一切以config为准（11.4）。

# %% [markdown] lang="en"
# The same, simplified, as a picture. 1: works as is; ½: under a condition; 0: ruled out. Predict
# what is left before you press a button.

# %% [markdown] lang="zh" slide="show"
# 把它简化成一张图：1表示直接可用，½表示有条件，0表示出局。按下按钮之前，先猜还剩哪些。

# %%
REACH = {  # as long as in training, longer, a stream
    "learned": (1, 0, 0),  # 3.5
    "sinusoidal": (1, 0, 0),  # 2.11
    "T5": (1, 0.5, 0.5),  # 4.11
    "RoPE": (1, 0, 0.5),  # 6.1, 8.11
    "RoPE + YaRN": (0.5, 0.5, 0.5),  # 6.7: no need of it; s = 4 or tuned; that, in a window
    "ALiBi": (1, 1, 0.5),  # 7.7; in a window with sinks, 8.10
    "axial RoPE": (1, 0.5, 0),  # 10.6
}
ON_IMAGES = {"learned": 1, "sinusoidal": 0.5, "axial RoPE": 1}  # 10.5, 10.13, 10.3; others: 10.1
KEEPS = {"none": set(REACH), "RoPE": {"RoPE", "RoPE + YaRN"}, "learned": {"learned"}}


# %%
def chooser(length=0, images=False, checkpoint="none"):
    rows = []
    for name, reach in REACH.items():
        seen = ON_IMAGES.get(name, 0) if images else float(name != "axial RoPE")
        rows.append((reach[length], seen, float(name in KEEPS[checkpoint])))
    fits = torch.tensor([(*row, min(row)) for row in rows])
    left = [name for name, fit in zip(REACH, fits[:, 3], strict=True) if fit]
    return HeatMap(
        fits,
        **label.fit(left=label.listed(left or ["none"])),
        limits=(0, 1),
        x_ticks=label.requirements,
        y_ticks=[label.encodings[name] for name in REACH],
    )


explore(chooser, **label.chooser, length=label.lengths, images=False, checkpoint=label.checkpoints)

# %% [markdown] lang="en"
# *Picture: a row for each encoding, a column for each requirement, the last for all together.*
#
# For text as long as in training, without weights to keep, all is bright but two rows: axial RoPE
# is dark under input (a text has no rows and columns), YaRN half bright under length, and so both
# under all. The learned table with longer texts leaves nothing: untrained rows are noise (3.5),
# so it must be resized, then tuned (3.12). Plain RoPE counts as ruled out for longer texts; how
# far it really carries depends on its base (6.2).

# %% [markdown] lang="zh"
# *图：每行一种编码，每列一项要求，最后一列是全部要求合在一起。*
#
# 文本与训练同长、没有要沿用的权重时，几乎全亮，只有两行例外：
# 轴向RoPE在“输入”一列是暗的（文本没有行和列），YaRN在“长度”一列半亮，两者的“全部”一列也随之变暗。
# 可学习的表遇上更长的文本，一个也不剩，因为没训练过的行是噪声（3.5），要先给表换大小，
# 再微调（3.12）。图里把普通RoPE对更长的文本算作出局，其实它能撑多远要看base（6.2）。

# %% [markdown] lang="en" way="everything"
# ## 11.3 What it costs
#
# The list leaves some tasks two candidates, and then costs may decide. There are four: parameters,
# memory, time to read a text, time for one more token. The first two can be counted exactly. How
# many numbers does T5 learn, with 32 buckets, in a model of 12 layers and 12 heads?

# %% [markdown] lang="zh" slide="show"
# ## 11.3 代价
#
# 有的任务列出了两个候选，这时可以比代价。代价有四种：参数量、显存、读一遍文本的时间、
# 再生成一个词元的时间。前两种可以精确计数。12层、12个头的模型里，32个桶的T5要学多少个数？


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
# The matrix has one row for each query, so it is 1024 times as large as a row. Work in a decode
# step can be counted too. A learned row costs $d$ additions, once, at the input. In each layer RoPE
# costs $2D(H+H_{kv})$ multiplications, a bias $Hn$ additions for $n$ keys, and the scores
# themselves $HnD$ multiplications. Which of these grow with $n$? The slider marks an $n$.

# %% [markdown] lang="zh" slide="show"
# 有多少个查询，整张矩阵就是一行的多少倍，这里是1024倍。解码一步的计算量也数得出来。
# 可学习的表只在输入处加一行，共$d$次加法。RoPE在每一层要$2D(H+H_{kv})$次乘法，
# 偏置对$n$个键要$Hn$次加法，而得分本身要$HnD$次乘法。哪些随$n$增长？滑块标出一个$n$。


# %%
def step_work(heads=32, kv_heads=8, length=1000):
    n, width = torch.logspace(0, 5, 60), 128
    flat = torch.ones_like(n)
    rope = 2 * width * (heads + kv_heads)
    percent = 100 / width
    return Curves(
        [
            Curve(n, heads * n * width, label.scores),
            Curve(n, 2 * width * kv_heads * n, label.rope_unrotated),
            Curve(n, heads * n, label.bias_row),
            Curve(n, rope * flat, label.rope_rotated),
            Curve(n, heads * width * flat, label.learned_once),
        ],
        **label.operations(length=length, bias=heads * length, percent=percent, rope=rope),
        x_scale="log",
        y_scale="log",
        y_limits=(1, 1e10),
        vlines=(length,),
    )


explore(step_work, **label.step_work, heads=[8, 16, 32], kv_heads=[1, 4, 8], length=(1, 20000))

# %% [markdown] lang="en"
# *Picture: operations per layer over the number of keys, both axes logarithmic. Two lines are flat:
# RoPE with a rotated cache, and the learned row. Three climb with slope 1: the scores on top,
# un-rotated RoPE near them, the bias far below. A dashed line marks the chosen length.* A bias is
# always $1/D$ of the scores: here 1/128, as the heads of this picture have 128 channels. An
# un-rotated cache costs $2H_{kv}/H$ times the scores: twice as much when every query head has its
# own KV head. Where does the bias overtake RoPE?

# %% [markdown] lang="zh" slide="show"
# *图：横轴为键数，纵轴为每层的运算次数，两轴都是对数。两条线是平的：缓存旋转过的RoPE，
# 以及可学习的一行。三条以斜率1上升：最上面是得分，未旋转的RoPE紧随其后，偏置在下面很远处。
# 虚线标出所选的长度。* 偏置的计算量始终是得分的$1/D$，图中每个头有128个通道，也就是1/128。
# 未旋转缓存的计算量是得分的$2H_{kv}/H$倍，每个查询头各有一个KV头时就是两倍。偏置从哪里起超过RoPE？


# %% exercise="bias_overtakes"
def bias_overtakes(heads, kv_heads, head_dim):
    """Return the smallest number of keys at which a bias costs more than RoPE, an int."""
    ### BEGIN SOLUTION
    return 2 * head_dim * (heads + kv_heads) // heads + 1
    ### END SOLUTION


# %% check="bias_overtakes"
check("bias_overtakes", bias_overtakes)

# %% [markdown] lang="en"
# Operations are not seconds: memory must be read, functions must be called. So measure: run every
# method once in every round, then take the median of the ratios to attention without positions (a
# busy machine slows both sides of a ratio). Which will be the most expensive when a text is read?

# %% [markdown] lang="zh" slide="show"
# 运算次数不等于秒数，读内存、调用函数都要时间，所以要实测。每一轮把各种方法依次跑一遍，
# 取它们与“无位置编码的注意力”之比的中位数（机器忙时，比值的两边一起变慢）。读一遍文本时，
# 你猜哪种最贵？

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
# Read your own ratios; they differ between machines. Three things usually stand out. Building a
# bias matrix costs more than using it, so keep it and share it between layers. Turning a whole
# cache at each step costs more than any row. And with a rotated cache, decoding is about as fast as
# without positions; a row that is kept must still be read and added at each step (ratios between
# 1.4 and 2.5 in our runs), which is far less than turning the cache. (These are plain PyTorch calls
# on a CPU. Fused kernels such as FlashAttention take ALiBi's slopes as an argument and never store
# a matrix.)

# %% [markdown] lang="zh"
# 看看你自己的比值，各台机器不尽相同，通常有三点比较明显。第一，建一张偏置矩阵比用它更贵，
# 所以要留着它，各层共用。第二，每一步把整个缓存转一遍，比哪种“一行”都贵。第三，
# 缓存里存的是旋转后的键，解码就和没有位置编码时差不多快；偏置那一行即使不重建，
# 每一步也得读出来加上去（我们几次测得的比值在1.4到2.5之间），但远少于重转整个缓存。
# （这里测的是CPU上普通的PyTorch调用。FlashAttention一类的融合算子直接接收ALiBi的斜率，
# 根本不存矩阵。）

# %% [markdown] lang="en" way="everything"
# ## 11.4 A checkpoint that exists
#
# Costs matter to those who can still choose. With a checkpoint the choice has been made, and the
# work is to read it. The frequencies, slopes and buckets are not weights, but they are part of the
# trained model. How wrong is another base?

# %% [markdown] lang="zh" slide="show"
# ## 11.4 已有checkpoint时
#
# 能比代价，是因为还能选。有了checkpoint就没得选了，要做的是把config读对。频率、
# 斜率和桶虽然不是权重，却是训练好的模型的一部分。base换一个，会错得多离谱？

# %%
for p in (1, 10, 100):
    trained, used = p * frequencies(128, base=500000.0), p * frequencies(128, base=10000.0)
    apart = (trained - used).cos().acos()  # whole turns make no difference
    wrong = int((apart > 0.5).sum())
    print(f"position {p:3}: {wrong} of 64 pairs are off by more than half a radian")

# %% [markdown] lang="en"
# At position 100 nearly half of the pairs are wrong: read the base, do not guess it. The
# `config.json` says what to do, in several dialects. (Some files hardly do: GPT-NeoX writes
# `rotary_pct`, the first LLaMA files say nothing of RoPE, and BLOOM's have no `alibi` key; there
# `model_type` decides.) Write a reader for the most common ones:

# %% [markdown] lang="zh" slide="show"
# 到了位置100，将近一半的对都错了，所以base要去查，不能猜。该怎么设置，`config.json`里写着，
# 只是写法有好几种。（有的文件几乎没写：GPT-NeoX写的是`rotary_pct`，最早的LLaMA文件对RoPE只字不提，
# BLOOM的文件里没有`alibi`这个键，这时都由`model_type`决定。）写一个函数，读懂最常见的几种：


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

# %% [markdown] lang="en" way="everything"
# ## 11.5 A rule simple enough to test
#
# The list of 11.2 cannot be tested: nearly every line carries a condition that someone has to
# weigh. A function can. So here is a rule that leaves those conditions out and decides every case
# in five lines. Take it as an exercise in being exact, not as advice: in two places it is wrong
# today, and once it is code you can point at them. Write it first, then name the two.

# %% [markdown] lang="zh" slide="show"
# ## 11.5 一条简单到可以测试的规则
#
# 11.2节的清单没法测试，因为几乎每条都带着要人来权衡的条件；函数却可以。所以这里把那些条件去掉，
# 只留五条，什么情况都给得出答案。它练的是把话说准，不是让你照着选：以今天的眼光看，它有两处不对，
# 写成了代码才指得出来。先写，再想想是哪两处。


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
# **Where it is wrong today.** First, for a *new* model: "longer than in training: ALiBi" was the
# answer of 2022. Since 2023 nearly all keep RoPE, raise the base and add a stage of training on
# long texts, so that `length` is no longer above `trained`, and the question does not come up.
# Second, "RoPE + YaRN" says nothing of tuning: a factor of 4 is often used without, larger ones
# with it.

# %% [markdown] lang="zh" slide="show"
# **今天看，它错在哪里。** 其一，对*新*模型来说，“比训练更长就用ALiBi”是2022年的答案。
# 2023年以来，几乎都是保留RoPE，调大base，再加一个长文本训练阶段，这样`length`就不再超过`trained`，
# 这一行也就用不上了。其二，“RoPE + YaRN”没有提微调：4倍左右常常不微调直接用，倍数更大才要微调。

# %% [markdown] lang="en" way="everything"
# ## 11.6 From 2017 on
#
# A rule of 2022 was out of date a year later, so it helps to know how the field moved. An arXiv
# number begins with year and month, so references make a history by themselves. Here are
# the main works on positions that this course cites. Which family do you expect first, which last?

# %% [markdown] lang="zh" slide="show"
# ## 11.6 2017年以来
#
# 2022年的规则，一年后就过时了，所以值得看看这个领域是怎么走过来的。arXiv编号的开头就是年份和月份，
# 参考文献自己就能排成一部历史。下面是本课程引用的、关于位置的主要工作。你猜哪一类最先出现，
# 哪一类最晚？

# %% tags=["predict"]
HISTORY = {
    "absolute": "1706.03762 Transformer, 1810.04805 BERT, 2003.09229 FLOATER, 2103.10360 GLM",
    "relative": "1803.02155 Shaw, 1901.02860 Transformer-XL, 1906.08237 XLNet, "
    "2006.03654 DeBERTa, 2009.13658 Huang et al.",
    "bias": "1910.10683 T5, 2108.12409 ALiBi, 2205.09921 KERPLE, 2212.10356 Sandwich, "
    "2310.04418 FIRE",
    "cache": "1911.02150 multi-query, 2305.13245 GQA, 2309.17453 StreamingLLM, 2405.04434 MLA",
    "images": "2005.12872 DETR, 2010.11929 ViT, 2403.13298 RoPE-ViT, 2409.12191 Qwen2-VL, "
    "2511.21631 Qwen3-VL",
    "rotary": "2104.09864 RoPE, 2212.10554 xPos, 2306.15595 PI, 2309.00071 YaRN, 2309.16039 ABF, "
    "2402.13753 LongRoPE, 2405.14591 base bound, 2410.06205 Barbero et al.",
    "none": "1905.04226 Irie et al., 2203.16634 Haviv et al., 2305.19466 Kazemnejad et al., "
    "2404.12224 Wang et al., 2501.18795 RoPE and NoPE layers",
}
works = {label.families[family]: [] for family in HISTORY}
for family, listed in HISTORY.items():
    for number, name in (work.split(" ", 1) for work in listed.split(", ")):
        date = 2000 + int(number[:2]) + (int(number[2:4]) - 1) / 12  # the month it came out
        works[label.families[family]].append((date, name))
picture(History(works, **label.history()))

# %% [markdown] lang="en"
# *Picture: a band for each of seven families, every work by its name.*
#
# Absolute starts in 2017, relative runs from 2018 to 2020, biases from 2019 to 2023; rotary begins
# last, in 2021, and runs to 2024; decoders without any encoding are studied from 2019 to 2025.
# One sentence for each step: the position is added (2017); distance enters the score as a vector
# (2018), as a number (2019); the position turns the vectors themselves (2021), or the number
# becomes a fixed slope (August 2021); from 2023 on the question is how to extend what was trained;
# since 2024 models mix: layers with RoPE and layers without, channels that turn and channels that
# do not, small bases for windows and large ones for the whole text.
#
# Three steps are not on arXiv: RoPE came out in Su Jianlin's blog in March 2021, NTK-aware scaling
# in a forum in June 2023, ReRoPE in the blog again in August 2023. Dates are not a ranking, and the
# list is a choice, not the field.

# %% [markdown] lang="zh"
# *图：七个类别各占一条，每项工作都写着名字。*
#
# 绝对位置从2017年开始，相对位置从2018到2020年，偏置从2019到2023年，旋转最晚，从2021到2024年；
# 没有位置编码的解码器，从2019到2025年一直有人研究。每一步用一句话说：先是把位置加上去（2017）；
# 接着距离进入得分，起初是向量（2018），后来是一个数（2019）；然后按位置旋转向量本身（2021），
# 或把那个数换成固定的斜率（2021年8月）；2023年起，问题变成怎样扩展已经训练好的模型；
# 2024年以来则是混用：有的层用RoPE、有的层不用，有的通道旋转、有的不旋转，窗口层用小base、
# 全局层用大base。
#
# 有三步不在arXiv上：RoPE最早见于苏剑林2021年3月的博客，NTK-aware缩放是2023年6月的一个论坛帖子，
# ReRoPE又是2023年8月的博客。日期不是排名，这里列的只是一部分，不是整个领域。

# %% [markdown] lang="en" way="everything"
# ## 11.7 Bug clinic
#
# Back from history to a number that decides about real hardware: the cache. All of chapter 12 is a
# clinic, so here is one case only: a common estimate of the KV cache, hidden size times layers
# times two. Symptom: for a model with grouped queries (8.3) it gives four times the memory that is
# really used.

# %% [markdown] lang="zh" slide="code"
# ## 11.7 Bug诊所
#
# 说完历史，回到部署时绕不开的一个数：缓存有多大。第12章整章都是诊所，这里只看一例，
# 是对KV缓存的一种常见估算：隐藏宽度乘层数再乘二。症状：
# 模型用了分组查询（GQA，8.3），估出来的显存是实际的四倍。


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

# %% [markdown] lang="en" way="everything"
# ## 11.8 Interview
#
# Choosing is half of the work; the other half is to defend the choice. Here are fourteen questions.
# Say your own answer aloud before you read on. Each has a short answer, what an expert adds, and
# what a bluffer says.
#
# ### Why does a Transformer need positions?
# **In short:** attention is a weighted sum over a set. Reorder the tokens, and the outputs are
# reordered in the same way; nothing else changes (1.4). **An expert adds** that this is
# *equivariance*, which becomes invariance only after pooling (1.5), and that a causal mask alone
# already lets two layers see order (1.6). **A bluffer says** "attention is permutation invariant".
#
# ### Why sines and cosines?
# **In short:** pair $i$ turns by $\omega_i$ per token, so a shift by $k$ is a rotation that depends
# on $k$ alone (2.5), and the dot product of two encodings depends on their distance (2.6). **An
# expert adds** that it does not show the direction (2.6), and that being defined everywhere does
# not mean being trained everywhere (2.11). **A bluffer says** "they are periodic, so they
# extrapolate".
#
# ### Absolute or relative?
# **In short:** an absolute encoding says where a token is. It is added once, and beyond the trained
# length it either ends or no longer works (3.9). A relative one says how far apart two tokens are,
# in every layer, and does not change when a sentence moves (4.1). **An expert adds** what relative
# scores cannot do: tell eight equal words apart (4.8). **A bluffer says** "relative is better".
#
# ### Derive RoPE.
# **In short:** put queries and keys through the same map, which leaves position 0 as it is, and
# require that the score depend on $q$, $k$ and $n-m$ alone. At equal positions all dot products
# must stay, so the map is linear and keeps lengths, and each step multiplies by the same orthogonal
# matrix: planes that turn by $\omega p$ (5.2, 5.3). **An expert adds** that with *two* maps any
# invertible matrix will do, xPos for instance (5.3); that values are not turned, unless the output
# is turned back (5.8); and that the two layouts are different models (5.6). **A bluffer says**
# "RoPE adds rotated sines to the embedding".
#
# ### Do RoPE's scores decay with distance?
# **In short:** for $q=k$ they do on average, like $1-(\ln r+0.577)/\ln b$, in ripples; for other
# vectors content decides, and the paper proves only an upper bound (5.7). **An expert adds** that a
# key can be chosen so that the score peaks at any distance you like (5.7). **A bluffer says** "yes,
# that is why it works on long text".
#
# ### Why has the base grown from 10000 to a million?
# **In short:** a larger base makes that decay flatter, so far keys that resemble the query keep
# their lead. With 128 channels per head this mean lead, ripples included, first falls below 0 near
# 1700 tokens for base 10000 and near 18000 for 500000 (6.2); the smooth law gets there only at 5600
# and 280000 (5.7). **An expert adds** that it gives *more* pairs with unseen angles, not fewer
# (6.2), and that it is done together with training on long texts. **A bluffer says** "so that the
# angles do not repeat".

# %% [markdown] lang="zh"
# ## 11.8 面试
#
# 选对只是一半，另一半是说得清为什么。下面是十四个问题。先把自己的答案说出来，再往下看。
# 每题都有一个简短的回答、行家会补充什么，以及外行怎么蒙混。
#
# ### Transformer为什么需要位置？
# **简答：** 注意力是对一个集合求加权和。把token重排，输出也跟着以同样的方式重排，
# 除此之外毫无变化（1.4）。**行家补充：** 这叫*等变*，池化之后才是不变（1.5）；而且单凭因果掩码，
# 两层就能看出顺序（1.6）。**外行会说：** “注意力具有置换不变性”。
#
# ### 为什么用正弦和余弦？
# **简答：** 每走一个token，第$i$对就转$\omega_i$，所以平移$k$就是一个只取决于$k$的旋转（2.5），
# 两个编码的点积也只取决于距离（2.6）。**行家补充：** 点积看不出方向（2.6）；而且处处有定义，
# 不等于处处训练过（2.11）。**外行会说：** “它是周期函数，所以能外推”。
#
# ### 绝对还是相对？
# **简答：** 绝对位置给出“在哪里”，只加一次，超出训练长度，要么没有行可查，要么失灵（3.9）。
# 相对位置给出“隔多远”，每层都有，句子整体移动也不变（4.1）。**行家补充：** 相对位置也有做不到的事，
# 比如分不清八个相同的词（4.8）。**外行会说：** “相对位置更好”。
#
# ### 推导RoPE。
# **简答：** 让查询和键走同一个映射，位置0不作改动，并要求得分只取决于$q$、$k$和$n-m$。
# 位置相同时所有点积都不变，所以这个映射是线性的，而且保持长度；每走一步乘同一个正交矩阵，
# 也就是若干平面各转$\omega p$（5.2、5.3）。**行家补充：** 若允许*两个*映射，任意可逆矩阵都行，
# xPos就是一例（5.3）；值不旋转，除非把输出再转回来（5.8）；两种排布是两个不同的模型（5.6）。
# **外行会说：** “RoPE把旋转过的正弦加到嵌入上”。
#
# ### RoPE的得分随距离衰减吗？
# **简答：** $q=k$时平均来说是衰减的，大致按$1-(\ln r+0.577)/\ln b$，还带着起伏；
# 换成别的向量就由内容决定，论文证明的只是一个上界（5.7）。**行家补充：** 选一个合适的键，
# 可以让得分在你想要的任何距离处最大（5.7）。**外行会说：** “衰减，所以它适合长文本”。
#
# ### 底数（base）为什么从10000涨到了一百万？
# **简答：** base越大，远程衰减越平缓，与查询相像的键隔得再远也还领先。头有128个通道时，
# 带着起伏的平均领先幅度第一次降到0以下，base为10000时在1700个token左右，
# 500000时在18000个左右（6.2）；不带起伏的对数律要到5600和280000才降到0（5.7）。**行家补充：**
# 这样做，含有没见过的角度的对只会*更多*，不会更少（6.2）；而且调大base总是和长文本训练一起做的。
# **外行会说：** “为了让角度不重复”。

# %% [markdown] lang="en"
# ### A RoPE model must read longer texts. What do you do?
# **In short:** low-frequency pairs would meet angles never seen (6.2). So interpolate those and
# leave the high frequencies alone: NTK-aware by a larger base (6.4), or by parts with a
# temperature, which is YaRN (6.7). A factor of about 4 is often used without tuning, switched on
# for long texts only; beyond that, tune. Then measure. **An expert adds** that dynamic scaling and
# a rotated cache do not go together (8.5), that YaRN's factor on queries and keys is squared in the
# scores (6.7), and that clipping the distance needs no new angles at all (ReRoPE, 6.9). **A bluffer
# says** "set a larger maximum in the config".
#
# ### What is ALiBi, and what does it show?
# **In short:** it adds $-m_h(i-j)$ to the scores, with a fixed slope for each head and no
# parameters (7.2). **An expert adds** that the bias is not divided by $\sqrt D$ (7.4), and that a
# flat curve does not show that far words are used (7.7). **A bluffer says** "the slopes are
# learned" or "it uses the whole context".
#
# ### How far does T5 see?
# **In short:** it sees every key. Its numbers, one for each bucket, tell distances apart: exactly
# when near, by the logarithm further off, and not at all within the last bucket (4.5). **An expert
# adds** that a decoder's last bucket begins at 113, not 128, and that the scores are not divided by
# $\sqrt D$ (4.5). **A bluffer says** "up to 128 tokens".
#
# ### What about positions in a KV cache?
# **In short:** the new token's position is the largest stored position plus one (8.4). RoPE's keys
# are turned once, then stored (8.5); a bias needs one row (8.6). **An expert adds** what happens on
# eviction, why the sinks stay (8.10), and that keys stored in 16 bits must not be turned step by
# step (8.11). **A bluffer says** "the position is the length of the cache".
#
# ### Why does DeepSeek set 64 channels apart for RoPE?
# **In short:** MLA stores one short vector $c$ per token and need not build the keys, because the
# score $q^\top W_K\,c$ becomes $(W_K^\top q)^\top c$. With RoPE on the keys it would be
# $q^\top R_{n-m}W_K\,c$, and $R_{n-m}$, between the two matrices, differs for each distance, so
# that nothing can be multiplied beforehand. Therefore 64 extra channels carry the rotation, and the
# others none: the key's 64 are shared by all heads, while each head has a query of its own (5.12).
# **An expert adds** the cache: 512 + 64 = 576 numbers per token and layer. **A bluffer says** "to
# save computation in RoPE".
#
# ### Some models have layers without any positions. Why?
# **In short:** a layer without positions has no angle that could be new, so one cause of failure at
# great length is gone. Order comes from the causal mask (1.6) and from the layers with RoPE in
# between, which often have a window. Llama 4 and SmolLM3 leave RoPE out in every fourth layer. **An
# expert adds** that attention in such layers still flattens with length, so scores are sharpened
# with $\ln n$ (6.7), and that Gemma 3 does something related with two bases (6.14). **A bluffer
# says** "they forgot to add them".
#
# ### How do three positions fit into one head?
# **In short:** a pair can turn by one angle only, so each pair is given to one axis: time, height
# or width (10.9). Text has three equal positions and stays RoPE. **An expert adds** that the share
# decides which frequencies an axis gets, which is why Qwen3-VL interleaves them (10.9). **A bluffer
# says** "each axis gets a third of the head".
#
# ### A paper says that its encoding extrapolates. What do you ask?
# **In short:** which loss, on which bytes, at which length, over how many seeds? Compare the
# same bytes in a fresh window (9.2). **An expert adds** that an ordering must be stable over seeds
# (9.5), and that failing late is not the same as using far context (9.9). **A bluffer says** "37 %
# better".

# %% [markdown] lang="zh"
# ### 要让RoPE模型读更长的文本，你怎么做？
# **简答：** 低频对会遇到没见过的角度（6.2）。所以高频外推、低频内插：要么调大base，
# 即NTK-aware（6.4），要么用NTK-by-parts再加温度，即YaRN（6.7）。4倍左右常常不微调，
# 只在文本真的很长时开启；倍数再大就要微调。最后一定要实测。**行家补充：**
# 动态缩放与旋转过的缓存不能并用（8.5）；YaRN乘在查询和键上的因子，到得分里成了平方（6.7）；
# 截断距离则根本用不到新角度（ReRoPE，6.9）。**外行会说：** “把config里的最大长度改大”。
#
# ### ALiBi是什么，它说明了什么？
# **简答：** 给得分加上$-m_h(i-j)$，每个头的斜率固定，没有参数（7.2）。**行家补充：**
# 这个偏置不除以$\sqrt D$（7.4）；曲线平稳并不说明用上了远处的词（7.7）。**外行会说：**
# “斜率是学出来的”，或“它用上了全部上下文”。
#
# ### T5能看多远？
# **简答：** 每个键都看得到。它靠每个桶一个数来分辨距离，近处精确，远处按对数，
# 同在最后一个桶里就分不出了（4.5）。**行家补充：** 解码器的最后一个桶从113开始，不是128；
# 得分不除以$\sqrt D$（4.5）。**外行会说：** “最远128个token”。
#
# ### KV缓存里的位置怎么办？
# **简答：** 新token的位置是存下的最大位置加1（8.4）。RoPE的键转一次再存（8.5），
# 偏置每步只要一行（8.6）。**行家补充：** 驱逐时怎么编号，为什么要留下attention sink（8.10）；
# 键存成16位时，不要一步一步累加着转（8.11）。**外行会说：** “位置就是缓存的长度”。
#
# ### DeepSeek为什么单独拿出64个通道做RoPE？
# **简答：** MLA为每个token只存一个短向量$c$，并不真的算出键，
# 因为得分$q^\top W_K\,c$可以写成$(W_K^\top q)^\top c$。键上如果有RoPE，
# 就成了$q^\top R_{n-m}W_K\,c$，夹在两个矩阵之间的$R_{n-m}$随距离而变，没法预先乘进去。
# 所以旋转只放在另设的64个通道上，其余通道不转：键的这64个通道各头共用，
# 查询的则每个头各有一份（5.12）。**行家补充：** 算得出缓存：每个token每层512 + 64 = 576个数。
# **外行会说：** “为了省RoPE的计算量”。
#
# ### 有的模型某些层完全没有位置编码，为什么？
# **简答：** 没有位置编码的层（NoPE）不存在没见过的角度，文本超长时就少了一个失效的原因。
# 顺序来自因果掩码（1.6），也来自夹在中间的RoPE层，那些层往往还带窗口。Llama
# 4和SmolLM3都是每四层有一层不用RoPE。**行家补充：** 这些层的注意力照样会随长度变平，
# 所以要按$\ln n$把得分放大（6.7）；Gemma 3用两个base，是类似的思路（6.14）。**外行会说：**
# “忘了加”。
#
# ### 三个位置怎样装进一个头？
# **简答：** 一对通道只能转一个角度，所以每一对只归一个轴：时间、高或宽（10.9）。
# 文本的三个位置相等，仍是一维RoPE。**行家补充：** 怎么分，决定了每个轴拿到哪些频率，
# 所以Qwen3-VL改成了交错分配（10.9）。**外行会说：** “三个轴各占头的三分之一”。
#
# ### 论文说它的编码能外推，你问什么？
# **简答：** 什么损失、哪些字节、多长、几个种子？拿同样的字节放进新窗口来比（9.2）。**行家补充：**
# 次序要在各个种子上都稳定（9.5）；崩得晚不等于用上了远处的上下文（9.9）。**外行会说：** “好37%”。

# %% [markdown] lang="en" way="everything"
# ## 11.9 What is not true
#
# What the bluffer says is short and sounds right. Three such sentences can be refuted by numbers.
#
# **"Relative is always better."** If so, a purely relative model would lose nothing. One word eight
# times, in an encoder:

# %% [markdown] lang="zh" slide="show"
# ## 11.9 哪些说法不对
#
# 外行的话往往简短又顺耳。有三句，拿数字就能推翻。
#
# **“相对位置总是更好。”** 若真如此，换成相对位置就不该有任何损失。在编码器里把一个词重复八遍：

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
# **"A method without parameters costs nothing."** ALiBi has none. But its matrix, if you build it
# for 32 heads and 4096 tokens, takes far more memory than a learned table of 4096 rows of 4096
# numbers:

# %% [markdown] lang="zh" slide="show"
# **“没有参数的方法没有代价。”** ALiBi没有参数，但如果真把矩阵造出来，32个头、4096个词元时，
# 它占的显存比4096行、宽4096的可学习的表多得多：

# %%
matrix = torch.empty(32, 4096, 4096, device="meta").nbytes
table = torch.empty(4096, 4096, device="meta").nbytes
print(f"matrix {matrix / 2**20:.0f} MiB, learned table {table / 2**20:.0f} MiB")

# %% [markdown] lang="en"
# **"More parameters, better positions."** At the trained length the perplexities in Table 1 of
# Haviv et al. 2022 (WikiText-103) are 20.42 for a learned table, 20.16 for sinusoidal and 19.71 for
# ALiBi. Only the table has parameters, and it is the worst of the three.

# %% [markdown] lang="zh" slide="show"
# **“参数越多，位置编码越好。”** 在训练长度上，Haviv等（2022）表1（WikiText-103）的困惑度是：
# 可学习的表20.42，正弦20.16，ALiBi 19.71。只有那张表有参数，三者中它最差。

# %% [markdown] lang="en" way="everything"
# ## 11.10 In real models
#
# What did the builders of real models choose? Each row is a decision of 11.2, with the thing to
# watch.
#
# | model | encoding | what to watch |
# |---|---|---|
# | BERT | learned table | texts up to 512; the table ends there (3.12) |
# | GPT-2 | learned table | 1024 rows; with padding, take positions from the mask (8.15) |
# | T5 | buckets | one table serves all layers (4.5) |
# | BLOOM | ALiBi | one row for all queries, with a causal mask only (7.10) |
# | Llama 3.1 | RoPE, `llama3` | base 500000; trained on 8192 tokens first (6.14) |
# | Llama 4 | RoPE, but not in every fourth layer | there scores grow with length (11.8) |
# | Qwen2.5, Qwen3 | RoPE | base 1000000; YaRN with $s=4$ only when texts are long (6.14) |
# | Gemma 3 | RoPE with two bases | 10000 in window layers, 1000000 in global ones (6.14) |
# | DeepSeek-V3 | RoPE on 64 of 192 channels | the temperature is in the softmax scale (6.14) |
# | Qwen2-VL | M-RoPE | text is RoPE, images are a grid of *merged* patches (10.13) |

# %% [markdown] lang="zh"
# ## 11.10 在真实模型中
#
# 真正要做决定的人是怎么选的？每一行都是11.2节里的一种选择，外加一点要留意的地方。
#
# | 模型 | 编码 | 要留意什么 |
# |---|---|---|
# | BERT | 可学习的表 | 文本不能超过512，表到此为止（3.12） |
# | GPT-2 | 可学习的表 | 表有1024行；有填充时，位置要由掩码算出（8.15） |
# | T5 | 桶 | 所有层共用一张表（4.5） |
# | BLOOM | ALiBi | 所有查询共用一行，只适用于因果掩码（7.10） |
# | Llama 3.1 | RoPE，`llama3` | base为500000，最初在8192个词元上训练（6.14） |
# | Llama 4 | RoPE，每四层有一层不用 | 不用的那些层按长度放大得分（11.8） |
# | Qwen2.5、Qwen3 | RoPE | base为1000000；文本很长时才开$s=4$的YaRN（6.14） |
# | Gemma 3 | RoPE，两个base | 窗口层10000，全局层1000000（6.14） |
# | DeepSeek-V3 | RoPE，只转192个通道中的64个 | 温度乘在softmax的缩放里（6.14） |
# | Qwen2-VL | M-RoPE | 文本是RoPE，图像是*合并后*的块组成的网格（10.13） |

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
# 某公司有一个在8192个词元上训练的RoPE模型，想对60000个词元的合同做问答。
# 一位顾问建议把RoPE换成ALiBi，“因为它能外推”。这有什么不对？你会怎么做？什么样的测量能让你信服？
# 在下一个单元格里写三四句话。
#
# 自学的话，先写下自己的答案，再用11.11节测验的第23、30、34题核对。

# %% [markdown] thinking="legal_archive" points=3
# <div lang="en">
#
# **Model answer.** The weights were trained with rotated queries and keys; without the rotation
# their scores mean nothing, so the swap would mean training again. And ALiBi's flat loss does not
# show that far words are used, which is what answers about long contracts need. Instead: scale the
# angles by about 8 (by parts, YaRN), tune on long texts, keep an eye on short ones. Convincing
# would be questions whose answer is far away, at several depths, against the same model that sees
# the near part alone; not the perplexity.
#
# **Points.** 1 for "the checkpoint is trained for its own encoding"; 1 for a scaling with tuning,
# factor near 8; 1 for a test that only far context can answer.
#
# </div>
# <div lang="zh">
#
# **参考答案。** 模型是用旋转过的查询和键训练的，去掉旋转，得分就没有意义，换编码等于重新训练。
# 再说，ALiBi的损失平稳，并不说明它用上了远处的词，而长合同问答要的正是这个。
# 应当把角度缩放约8倍（NTK-by-parts、YaRN），用长文本微调，同时留意短文本有没有变差。
# 能让人信服的不是困惑度，而是这样的测试：问题的答案放在远处、分布在不同深度，
# 并与只看近处的同一模型对比。
#
# **评分。** 说出“模型是按它自己的编码训练的”得1分；给出缩放加微调、倍数约为8得1分；
# 给出只有用上远处上下文才答得对的测试得1分。
#
# </div>

# %% [markdown] lang="en" way="everything"
# ## 11.11 The quiz over the course
#
# First for yourself: all questions, each option with its reason. Nobody sees your result.

# %% [markdown] lang="zh"
# ## 11.11 全课测验
#
# 先自测：这里是全部题目，每个选项都附有理由。没有人看得到你的结果。

# %%
quiz("choose")

# %% [markdown] lang="en"
# Then a paper of your own: one question from each of chapters 0 to 11, drawn with a number, the
# options in another order. Put any whole number in place of 2026; each number draws other
# questions. The paper counts no points: its key is part of the course that you have installed. A
# question that you got right above counts as right here too.

# %% [markdown] lang="zh"
# 再做一份自己的试卷：第0到11章各出一题，由一个编号抽取，选项次序也重新打乱。
# 把2026换成任意整数，编号不同，抽到的题就不同。试卷不计分，因为答案就在你安装的课程里。
# 上面已经答对的题，在这里也算答对。

# %%
quiz("choose", draw(2026))

# %% [markdown] lang="en" way="everything"
# ## 11.12 Take-away
#
# - Absolute says where, relative says how far; RoPE uses absolute positions and yields relative
#   scores.
# - A checkpoint has chosen already: read its config, keep its encoding, and extend it knowingly.
# - New text model: RoPE with a large base and a stage of long texts. Fixed form: a table. Images:
#   two axes. Stream: a window with sinks.
# - Longer texts: YaRN, with a small factor as it is, with a large one after tuning; then measure
#   what far words are worth.
# - Parameters hardly matter. What costs is a bias that is rebuilt, or a cache that is turned again
#   at every step.
# - A number without measure, length, seeds and source is no reason.

# %% [markdown] lang="zh" slide="show"
# ## 11.12 本章要点
#
# - 绝对位置给出在哪里，相对位置给出隔多远；RoPE用前者的手段实现后者。
# - 已有checkpoint就是已经选好了：读config，沿用它的编码；要扩展，就要明白自己在做什么。
# - 新的文本模型：RoPE，base取大些，再加一个长文本训练阶段。固定表单：一张表。图像：两个轴。流式：
#   窗口加attention sink。
# - 更长的文本：用YaRN，倍数小可以直接用，倍数大就要微调；然后实测远处的词究竟有没有用。
# - 参数量几乎不要紧。真正花钱的，是反复重建的偏置，或每步重转的缓存。
# - 没有指标、长度、种子和出处的数字，算不上理由。

# %% [markdown] lang="en" way="everything"
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
# - DeepSeek-AI: *DeepSeek-V2*. 2024. [arXiv:2405.04434](https://arxiv.org/abs/2405.04434). MLA and
#   decoupled RoPE; Su Jianlin's [account of it](https://kexue.fm/archives/10091) (in Chinese).
# - B. Yang et al.: *Rope to Nope and Back Again: A New Hybrid Attention Strategy*. 2025.
#   [arXiv:2501.18795](https://arxiv.org/abs/2501.18795). Layers with and without RoPE.
# - The references of chapters 1 to 10; the main ones on positions are in section 11.6 by arXiv
#   number.

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
# - DeepSeek-AI：*DeepSeek-V2*。2024。[arXiv:2405.04434](https://arxiv.org/abs/2405.04434)。
#   MLA与解耦RoPE；
#   另见苏剑林[《缓存与效果的极限拉扯：从MHA、MQA、GQA到MLA》](https://kexue.fm/archives/10091)。
# - B. Yang等：*Rope to Nope and Back Again: A New Hybrid Attention Strategy*。2025。
#   [arXiv:2501.18795](https://arxiv.org/abs/2501.18795)。有RoPE的层与没有RoPE的层。
# - 第1到10章的参考文献；其中关于位置的主要工作，按arXiv编号列在11.6节。
