# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
#   kernelspec: {display_name: Python 3, language: python, name: python3}
#   posenc:
#     title: {en: Choosing an encoding, zh: 怎样选择位置编码}
#     question:
#       en: "A model is to be built, or stretched, or served: which positional encoding, and why?"
#       zh: 要训练、扩展或部署一个模型：该用哪种位置编码，为什么？
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
# encoding costs on your machine, read a config, compute at which length a model breaks, prepare for
# an interview with twenty-five questions, and take a quiz over chapters 0 to 11.
#
# **You need** chapters 1 to 10, or the will to look things up: numbers such as (4.8) name the
# section that backs a sentence. (Six answers of 11.8 point ahead, to chapters 12 to 14; you need
# not have read those.) 5 exercises, about {minutes} minutes (your own answers in 11.8 not counted),
# 11 points, and 3 more for a question that a teacher grades. Take eight sittings, say 11.1 to
# 11.5, then 11.6 and 11.7, then 11.8 in five (five questions each), then the rest.

# %% [markdown] lang="zh"
# # 11 · 怎样选择位置编码
#
# “为什么用RoPE，不用ALiBi？”答一句“因为更好”，等于没答。前面十章已经给了你回答所需的一切：
# 每种编码能表达什么，要花多少代价，到哪里会失效，拿什么数字来证明。
#
# **本章的问题。** 要训练、扩展或部署一个模型，该用哪种位置编码，为什么？
#
# **你将**用一份处处有依据的清单来做决定；在自己的机器上测量每种编码的代价；读懂一份config；
# 算出模型读到多长会出问题；用二十五道题准备面试；最后做一份覆盖第0到11章的测验。
#
# **你需要**第1到10章；没学全也行，边读边查：（4.8）这样的编号就是依据所在的那一节。
# （11.8节有六个回答引到后面的第12到14章，没读过也不要紧。）共5道练习，11分，
# 约{minutes}分钟（不含11.8节自己作答的时间），宜分八次：11.1到11.5一次，11.6和11.7一次，
# 11.8五次，每次五题，其余各节一次。另有一道由教师评分的题，3分。

# %%
import math
import random
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
# An *absolute* encoding says where a token is; it is added once, at the input, and later layers
# read what is left of it (2.9). A *relative* one says how far apart two tokens are; it is part of
# the scores, in every layer (4.8). Move a sentence, and scores change with the first kind and stay
# with the second (4.1).
#
# Neither is better. "The word before" is one rule for a relative score, right at every place;
# "field 3 of the form" it cannot express without a mark to count from: with relative scores alone,
# an encoder gives eight equal words the same output eight times, unless a special token comes first
# (4.8). RoPE uses absolute positions and yields relative scores: it turns queries and keys by their
# absolute places, and the score keeps the difference (5.2).

# %% [markdown] lang="zh"
# ## 11.1 两类编码
#
# *绝对位置编码*（absolute）给出一个词元（token）在哪里，只在输入处加一次，
# 传到后面各层，就只剩一部分了（2.9）。*相对位置编码*（relative）给出两个词元相隔多远，
# 体现在每一层的注意力得分（attention score，即softmax之前的logits）里（4.8）。把整句话挪个位置，
# 用前者得分会变，用后者不变（4.1）。
#
# 没有哪一类更好。对相对位置来说，“前一个词”是一条处处有效的规则，“表单第3栏”却表达不了，
# 除非有个标记可以从它数起：只有相对得分的编码器，对八个相同的词给出八个相同的输出，
# 开头另有一个特殊词元才分得开（4.8）。RoPE用绝对的手段达到相对的目的，
# 它按绝对位置旋转查询和键，得分里只留下两者之差（5.2）。

# %% [markdown] lang="en" way="weekend"
# ## 11.2 Which for what
#
# So the task decides. What must the model be able to say about places, how long do its inputs get,
# and does a checkpoint exist already? Texts come first, by length; then serving and images; last,
# the case in which nothing is left to choose:
#
# - **Short texts of fixed length: a learned table or RoPE.** Every row of the table is trained
#   (3.2); texts must never grow beyond its last row (3.5).
# - **A form with fixed fields: a learned table.** Each place has a meaning of its own (4.8). Every
#   form must begin at the same position.
# - **A new model for text: RoPE with a large base.** It has no parameters, and a key is rotated
#   once (5.5, 8.5). For long texts it is also trained on long texts (6.2).
# - **A RoPE model, texts a few times longer, no tuning: static YaRN with a stretch of $s=4$.**
#   Qwen2.5 and the first Qwen3 models are run this way (6.14). Switch it on for long texts only,
#   and measure both short and long ones.
# - **A RoPE model, far longer texts: RoPE + YaRN.** Angles stay in range (6.7). Tune, measure, and
#   compare with tuning alone (9.6).
# - **A new model for very long texts: RoPE in layers with a window, and a few layers that see all,
#   without positions or with a larger base.** The windows bound cache and distances (11.5); Gemma
#   3, Llama 4 and Command A are built this way (8.10, 11.10).
# - **A new model that needs near words only, in texts longer than in training: ALiBi.** Its loss
#   stays flat in its own paper (7.7) and in this course (9.4), but in another paper only up to 1.4
#   times the trained length (1.10): measure. Far words may count little; whoever needs them takes
#   RoPE, as nearly all newer text models do (11.6), and trains on long texts (6.2) or scales (6.7).
# - **Streaming: RoPE or ALiBi, with a window.** RoPE's stored keys can be renumbered; ALiBi's
#   bias is one row per step (8.6, 8.11). In most models the first tokens, their sinks, must stay
#   (8.10): measure it.
# - **Dialogue: RoPE with a rotated cache.** A common beginning is reused (8.15). Padding must be
#   masked (8.8).
# - **Images: axial RoPE or a learned table.** With axial RoPE, neighbours above and below are as
#   near as those to the side (10.3); a table has to learn it (10.5). Decide beforehand what happens
#   at another resolution (10.6).
# - **Text and images: M-RoPE.** Text alone is exactly RoPE (10.9). Take `mrope_section` from the
#   checkpoint's config, and how the sections are dealt out as well (10.13).
# - **An existing checkpoint: its own encoding.** Other positions are noise to it (5.6). Read its
#   config (11.4).

# %% [markdown] lang="zh"
# ## 11.2 什么任务用哪种
#
# 所以要看任务：模型需要表达怎样的位置，输入会有多长，有没有现成的checkpoint（权重文件）。
# 下面从短文本说到长文本，再到推理部署和图像，最后是没得选的情形。
#
# - **短文本，长度固定：可学习的表或RoPE。** 只要文本绝不超过训练长度（3.5），
#   用到的每一行就都训练过（3.2）。
# - **表单，各栏位置固定：可学习的表。** 每个位置各有含义（4.8），前提是每份表单都从同一个位置开始。
# - **新的文本模型：RoPE，base（底数）取大些。** 没有参数，键转一次即可缓存（5.5、8.5）。
#   要读长文本，就也在长文本上训练（6.2）。
# - **已有RoPE模型，文本长几倍，不微调：静态YaRN，扩展倍数$s=4$。**
#   Qwen2.5和首批Qwen3就是这样用的（6.14）。只在文本真的很长时开启，短文本、长文本都要测。
# - **已有RoPE模型，文本长得多：RoPE + YaRN。** 角度不会超出训练过的范围（6.7），
#   微调之后要实测，并和不缩放、直接微调的比一比（9.6）。
# - **新模型，文本极长：多数层用RoPE加窗口，少数层看全部，不加位置或用更大的base。**
#   窗口限住了缓存和距离（11.5），Gemma 3、Llama 4、Command A都是这样（8.10、11.10）。
# - **新模型，只需要近处的词，文本会比训练时长：ALiBi。**
#   损失在它自己的论文（7.7）和本课程的测量（9.4）里平稳，
#   另一篇论文里只平稳到训练长度的1.4倍（1.10），所以要自己测。用ALiBi，远处的词可能影响很小；
#   若也要用到它们，就选RoPE，并在长文本上训练（6.2）或做扩展（6.7）；
#   近年的文本模型几乎都用RoPE（11.6）。
# - **流式生成：RoPE或ALiBi，加窗口。** RoPE缓存的键可以重新编号，ALiBi的偏置每步只算一行
#   （8.6、8.11）。
#   多数模型的attention sink（汇点，即收走多余权重的开头几个词元）必须留下（8.10），要自己测。
# - **对话：RoPE，缓存旋转后的键。** 公共的开头可以复用（8.15），填充要遮住（8.8）。
# - **图像：轴向RoPE或可学习的表。** 轴向RoPE让一半的对按行号转、一半按列号转，
#   上下相邻的图像块与左右相邻的一样近（10.3）；可学习的表要靠训练自己发现（10.5）。
#   换分辨率时怎么办，要事先想好（10.6）。
# - **图文混合：M-RoPE。** 它给每个词元时间、高、宽三个位置，纯文本时就是一维RoPE（10.9），
#   用之前核对config里的`mrope_section`（10.13）。
# - **已有checkpoint：沿用它自己的编码。** 换成别的，得分就成了噪声（5.6），
#   一切以config为准（11.4）。

# %% [markdown] lang="en"
# The same, simplified, as a picture. 1: works as is; ½: under a condition; 0: ruled out. The three
# buttons below it set one case each: a stream; a learned table that is kept, with longer texts;
# images at a higher resolution than in training. Predict what the last one leaves,
# before you press it.

# %% [markdown] lang="zh" slide="show"
# 把它简化成一张图：1表示直接可用，½表示有条件，0表示出局。图下有三个预设按钮，各代表一种情形：
# 流式生成；沿用可学习的表，文本却更长；图像分辨率比训练时高。先猜最后一个剩下哪些，再按。

# %%
REACH = {  # as long as in training, longer, a stream
    "learned": (1, 0, 0),  # 3.5
    "sinusoidal": (1, 0, 0),  # 2.11
    "T5": (1, 0.5, 0.5),  # 4.11
    "RoPE": (1, 0, 0.5),  # 6.1, 8.11
    "RoPE + YaRN": (0.5, 0.5, 0.5),  # 6.7: not needed; s = 4 or tuned; same, in a window
    "ALiBi": (1, 0.5, 0.5),  # 7.7, but 1.10; in a window with sinks, 8.10
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
# is dark under input, since a text has no rows and columns; YaRN is half bright under length. The
# last column repeats the darkest of each row. Plain RoPE counts as ruled out for longer texts: its
# slow pairs meet new angles there, and a larger base does not change that (6.2).
#
# A stream leaves four, each under a condition: RoPE and ALiBi with a window; RoPE + YaRN likewise,
# though no distance is new then, so plain RoPE is enough; T5, whose bias has to be measured (4.11).
#
# A learned table that is kept, with longer texts, leaves nothing: untrained rows are noise (3.5),
# so the table must be resized, then tuned (3.12).
#
# <details><summary>Guess first, then read on</summary>
#
# Images at a higher resolution leave axial RoPE alone, under a condition (10.6).
#
# </details>

# %% [markdown] lang="zh"
# *图：每行一种编码，每列一项要求，最后一列是全部要求合在一起。*
#
# 文本与训练同长、没有要沿用的权重时，几乎全亮，只有两行例外：
# 轴向RoPE在“输入”一列是暗的（文本没有行和列），YaRN在“长度”一列半亮；“全部”一列取该行最暗的一格。
# 图里把普通RoPE对更长的文本算作出局：超过训练长度，低频对会转到没见过的角度，
# base取大些也免不了（6.2）。
#
# 流式生成剩下四种，都有条件：RoPE和ALiBi要加窗口；RoPE加了窗口就没有新的距离，用不着YaRN；
# T5的偏置要实测（4.11）。
#
# 沿用可学习的表、文本却更长，就一种也不剩：没训练过的行是噪声（3.5），
# 要先给表换大小，再微调（3.12）。
#
# <details><summary>先猜，再往下读</summary>
#
# 图像分辨率更高时，只剩轴向RoPE，而且有条件（10.6）。
#
# </details>

# %% [markdown] lang="en" way="everything"
# ## 11.3 What it costs
#
# For some tasks the list leaves two candidates, and then cost may decide. There are four costs:
# parameters, memory, time to read a text, time for one more token. The first two can be counted
# exactly. How many numbers does T5 learn, with 32 buckets, in a model of 12 layers and 12 heads?

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


# %% [markdown] lang="en"
# The cell counts, with $d=768$, the parameters of a table of 1024 rows, of Shaw's with distances
# clipped at ±16, and of T5's; sines, RoPE and ALiBi have none. Then the memory for 1024 tokens in
# float32: ALiBi's bias as a matrix and as one row for all queries, and RoPE's cosines and sines for
# heads of 64 channels, that is 32 pairs, which all layers and heads share.

# %% [markdown] lang="zh"
# 下面先数参数量（$d=768$）：1024行的可学习的表、Shaw的表（距离截断在±16）、T5的表；
# 正弦、RoPE和ALiBi没有参数。再数1024个词元要占的显存（float32）：ALiBi的偏置，
# 存成矩阵，或所有查询共用一行；还有RoPE的余弦和正弦，每个头64个通道，即32对，
# 所有层、所有头共用一份。


# %%
def count(module, copies=1):
    return copies * sum(p.numel() for p in module.parameters())


print(f"learned {count(LearnedPositionalEmbedding(1024, 768)):8,}")
print(f"Shaw    {count(ShawEmbedding(16, 64), copies=12):8,}")
print(f"T5      {count(T5Bias(12, bidirectional=False)):8,}")
at = positions(1024)
matrix, row = alibi(at, at, alibi_slopes(12)), alibi(at, at, alibi_slopes(12), form="key_only")
print(f"matrix {matrix.nbytes / 2**20:.0f} MiB, row {row.nbytes / 2**10:.0f} KiB")
print(f"cos, sin {2 * 1024 * 32 * 4 / 2**10:.0f} KiB")

# %% [markdown] lang="en"
# The matrix has one row for each query, so it is 1024 times as large as a row. Work in a decode
# step can be counted too. A learned row costs $d$ additions, once, at the input. In each layer,
# with $H$ query heads and $H_{kv}$ KV heads of $D$ channels, RoPE costs $2D(H+H_{kv})$
# multiplications, a bias $Hn$ additions for $n$ keys, and the scores themselves $HnD$
# multiplications. RoPE's work does not grow with $n$, as long as keys are stored rotated. If not,
# all $n$ are turned again at each step, in $2D(H+H_{kv}n)$ multiplications. (The controls below set
# $H$, $H_{kv}$ and $n$, the dashed line.) With $H=32$, $H_{kv}=8$ and many keys, does RoPE with an
# un-rotated cache take more work than the scores, or less?

# %% [markdown] lang="zh" slide="show"
# 有多少个查询，整张矩阵就是一行的多少倍，这里是1024倍。解码一步的计算量也数得出来。
# 可学习的表只在输入处加一行，共$d$次加法。设每层有$H$个查询头、$H_{kv}$个KV头，每个头$D$个通道：
# RoPE在每一层要$2D(H+H_{kv})$次乘法，偏置对$n$个键要$Hn$次加法，而得分本身要$HnD$次乘法。
# 键转好了再存，RoPE的计算量就不随$n$增长；存的若是没转过的键，每一步都要把$n$个全部转一遍，
# 共$2D(H+H_{kv}n)$次乘法。下图可以调$H$、$H_{kv}$和$n$（虚线处）。
# $H=32$、$H_{kv}=8$而键很多时，缓存未旋转的RoPE比算得分的计算量大，还是小？


# %%
def step_work(heads=32, kv_heads=8, length=1000):
    n, width = torch.logspace(0, 5, 60), 128
    flat = torch.ones_like(n)
    rope = 2 * width * (heads + kv_heads)
    percent = 100 / width
    return Curves(
        [
            Curve(n, heads * n * width, label.scores),
            Curve(n, 2 * width * (heads + kv_heads * n), label.rope_unrotated),
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
# RoPE with a rotated cache, and the learned row (once for the whole model). Three climb: the scores
# and the bias with slope 1, the bias far below, and un-rotated RoPE, which leaves the flat line of
# rotated RoPE and soon climbs beside the scores. A dashed line marks the chosen length.*
#
# A bias is always $1/D$ of the scores: here 1/128, as the heads of this picture have 128 channels.
# An un-rotated cache costs $2H_{kv}/H+2/n$ times the scores. With many keys that is half as much
# for 32 and 8 heads, and twice as much when every query head has its own KV head. Where does the
# bias overtake RoPE with a rotated cache?

# %% [markdown] lang="zh" slide="show"
# *图：横轴为键数，纵轴为每层的运算次数，两轴都是对数。两条线是平的：缓存旋转过的RoPE，
# 以及可学习的一行（整个模型只加一次）。三条上升：得分和偏置的斜率为1，偏置在下面很远处；
# 缓存未旋转的RoPE从旋转过的那条平线出发，很快就与得分并排上升。虚线标出所选的长度。*
#
# 偏置的计算量始终是得分的$1/D$，图中每个头有128个通道，也就是1/128。
# 未旋转缓存的计算量是得分的$2H_{kv}/H+2/n$倍。键很多时，32个头配8个是一半，
# 每个查询头各有一个KV头就是两倍。偏置从哪里起超过缓存旋转过的RoPE？


# %% exercise="bias_overtakes"
def bias_overtakes(heads, kv_heads, head_dim):
    """Return the smallest number of keys at which a bias costs more than RoPE, an int."""
    ### BEGIN SOLUTION
    return 2 * head_dim * (heads + kv_heads) // heads + 1
    ### END SOLUTION


# %% check="bias_overtakes"
check("bias_overtakes", bias_overtakes)

# %% [markdown] lang="en"
# Operations are not seconds: memory must be read, functions must be called. So the cell measures.
# In every round it runs each method twice and times the second run; it prints the median of the
# ratios to attention without positions, `none` (a busy machine slows both sides of a ratio), and in
# the last line the median time of `none` itself. ALiBi's matrix is `kept`, or made again by a call,
# as T5's is. Which will be the most expensive when a text is read?

# %% [markdown] lang="zh" slide="show"
# 运算次数不等于秒数，读内存、调用函数都要时间，所以要实测。每一轮里，每种方法连跑两遍，
# 只计第二遍的时间，再除以同一轮里无位置编码的注意力（`none`）的时间；
# 打印的是这个比值在各轮中的中位数（机器忙时，比值的两边一起变慢），末行是`none`自己耗时的中位数。
# ALiBi的矩阵或者留着用（`kept`），或者每次调用函数重建；T5的矩阵每次重建。
# 读一遍文本时，你猜哪种最贵？

# %% tags=["nbval-ignore-output"] reason="times differ from machine to machine"
rng = torch.Generator().manual_seed(0)
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
    seconds = [torch.tensor(each) for each in times.values()]
    first = seconds[0]
    for name, each in zip(times, seconds, strict=True):
        print(f"{name:31} {(each / first).median():5.2f}")
    print(f"1.00 = {1000 * first.median():.2f} ms")


L = 512
at = positions(L)
q, k, v = torch.randn(3, 1, HEADS, L, D, generator=rng)
hidden = torch.full((L, L), -torch.inf).triu(1)
kept = alibi(at, at, slopes) + hidden
sdpa = F.scaled_dot_product_attention
reading = {
    "none": lambda: sdpa(q, k, v, is_causal=True),
    "RoPE": lambda: sdpa(turn(q, at), turn(k, at), v, is_causal=True),
    "ALiBi, kept": lambda: sdpa(q, k, v, attn_mask=kept[None]),
    "ALiBi, alibi(at, at, slopes)": lambda: sdpa(
        q, k, v, attn_mask=(alibi(at, at, slopes) + hidden)[None]
    ),
    "T5, t5(at, at)": lambda: sdpa(q, k, v, attn_mask=(t5(at, at) + hidden)[None], scale=1.0),
}
measured(reading)

# %% [markdown] lang="en"
# Usually T5: building a bias matrix costs more than using it, so keep it and share it between
# layers.
#
# And one more token, with 4096 keys in the cache (short times vary more, so more rounds). If keys
# are stored rotated, RoPE turns the new token alone, its query, `turn(q1, now)`, and its key; if
# not, all keys, `turn(k, at)`. ALiBi's `row` is kept, or made again by a call:

# %% [markdown] lang="zh"
# 通常是T5：建一张偏置矩阵比用它更贵，所以要留着它，各层共用。
#
# 再看缓存里有4096个键时，多来一个词元（时间短，起伏就大，所以多跑几轮）。存的键若是转过的，
# RoPE只转新来词元的查询`turn(q1, now)`和键；若没转过，就要转全部的键，`turn(k, at)`。
# ALiBi的一行（`row`）留着用，或每次调用函数重建：

# %% tags=["nbval-ignore-output"] reason="times differ from machine to machine"
n = 4096
at, now = positions(n), torch.tensor([n - 1])
rng = torch.Generator().manual_seed(1)
q1 = torch.randn(1, HEADS, 1, D, generator=rng)
k, v = torch.randn(2, 1, HEADS, n, D, generator=rng)
row = alibi(now, at, slopes)
decoding = {
    "none": lambda: sdpa(q1, k, v),
    # k[:, :, :1] stands in for the new key: turned for its time only
    "RoPE, turn(q1, now)": lambda: (turn(k[:, :, :1], now), sdpa(turn(q1, now), k, v)),
    "RoPE, turn(k, at)": lambda: sdpa(turn(q1, now), turn(k, at), v),
    "ALiBi, row": lambda: sdpa(q1, k, v, attn_mask=row[None]),
    "ALiBi, alibi(now, at, slopes)": lambda: sdpa(q1, k, v, attn_mask=alibi(now, at, slopes)[None]),
    "T5, t5(now, at)": lambda: sdpa(q1, k, v, attn_mask=t5(now, at)[None], scale=1.0),
}
measured(decoding, rounds=31)

# %% [markdown] lang="en"
# Read your own ratios; they differ between machines. Two things usually stand out. Turning a whole
# cache at each step costs far more than any row, and far more than the count suggests (twice the
# scores): this plain code computes all cosines and sines each time and writes the keys several
# times. And with a rotated cache, or with ALiBi's row, kept or rebuilt, decoding costs little more
# than without positions, usually less than 30% more, partly noise. Of the biases, each one row,
# T5's costs the most, as its buckets are looked up again. (These are plain PyTorch calls on a CPU.
# Fused kernels such as FlashAttention take ALiBi's slopes as an argument and never store a matrix.)

# %% [markdown] lang="zh"
# 看看你自己的比值，各台机器不尽相同，通常有两点比较明显。
# 第一，每一步把整个缓存转一遍，比哪种“一行”都贵，
# 而且远不止前面数出的“得分的两倍”：这段朴素的代码每步都重算余弦和正弦，还把键反复写了几遍。第二，
# 缓存里存的是旋转后的键，或者只加ALiBi的一行，不论留着还是重建，
# 解码都比没有位置编码时贵不了多少，往往不到三成，其中还有测量的起伏。几种“一行”里T5的最贵，
# 因为每步还要重新分桶。（这里测的是CPU上普通的PyTorch调用。
# FlashAttention一类的融合算子直接接收ALiBi的斜率，根本不存矩阵。）

# %% [markdown] lang="en" way="everything"
# ## 11.4 A checkpoint that exists
#
# Costs matter to those who can still choose. With a checkpoint the choice has been made, and the
# work is to read it. The frequencies, slopes and buckets are not weights, but they are part of the
# trained model. How wrong is another base? Take 10000 in place of 500000: of 64 pairs, how many are
# off by more than half a radian at position $p$ = 1, 10 and 100?

# %% [markdown] lang="zh" slide="show"
# ## 11.4 已有checkpoint时
#
# 能比代价，是因为还能选。有了checkpoint就没得选了，要做的是把config读对。频率、
# 斜率和桶虽然不是权重，却是训练好的模型的一部分。base换一个，会错得多离谱？把500000换成10000，
# 在位置$p$ = 1、10、100，64对里有几对的角度会差半弧度以上？

# %%
for p in (1, 10, 100):
    trained, used = p * frequencies(128, base=500000.0), p * frequencies(128, base=10000.0)
    apart = (trained - used).cos().acos()  # whole turns make no difference
    wrong = int((apart > 0.5).sum())
    print(f"p = {p:3}: {wrong:2} / 64")

# %% [markdown] lang="en"
# At position 100 nearly half of the pairs are off by more than that: read the base, do not guess.
#
# The `config.json` says what to do, in several dialects. (Some files use names of their own, or say
# nothing: GPT-NeoX writes `rotary_pct` and `rotary_emb_base`, the first LLaMA files say nothing of
# RoPE, and BLOOM's have no `alibi` key; there `model_type` decides.) Write a reader for the most
# common ones:

# %% [markdown] lang="zh" slide="show"
# 到了位置100，将近一半的对差了半弧度以上，所以base要去查，不能猜。
#
# 该怎么设置，`config.json`里写着，只是写法有好几种。（有的文件另有名字，有的干脆没写：
# GPT-NeoX写的是`rotary_pct`和`rotary_emb_base`，最早的LLaMA文件对RoPE只字不提，
# BLOOM的文件里没有`alibi`这个键，这时都由`model_type`决定。）写一个函数，读懂最常见的几种：


# %% exercise="config_positions"
def config_positions(config):
    """Return the name of the encoding and the length before any extension."""
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
# ## 11.5 What breaks first
#
# The config has been read: RoPE, this base, that length. How far will it carry? Two limits follow
# from a handful of its numbers, before anything is run.
#
# - **Memory.** Every layer keeps keys and values, but a layer with a window keeps no more than the
#   window, so the cache grows in fewer and fewer layers.
# - **Angles.** A pair that did not go all the way round in training meets a new angle at some
#   distance (6.2). Scaling moves that distance, and pairs differ in how far; in a layer with a
#   window it may never occur.
#
# Take 36 layers, 8 KV heads of 128 channels, 2 bytes a number, base 500000, trained length 8192,
# and 16 GiB for the cache. Which limit comes first if all layers see everything, and which
# if 30 of them have a window of 1024? Work it out on paper before you write the function.

# %% [markdown] lang="zh" slide="show"
# ## 11.5 先坏的是哪一样
#
# config读好了：RoPE，base是多少，训练长度是多少。那么它能撑多远？还没开始跑，
# 凭config里的几个数就能算出两个限度。
#
# - **显存。** 每一层都存键和值，但有窗口的层最多只留一个窗口，所以文本越长，还在增长的层越少。
# - **角度。** 训练时没转满一圈的对，到了某个距离会遇到新角度（6.2）。缩放会推远这个距离，
#   各对推得不一样远；有窗口的层，也许永远到不了。
#
# 设有36层，8个KV头，每个头128个通道，每个数2字节，base为500000，训练长度8192，留给缓存16 GiB。
# 各层都看全部，先到的是哪一个？其中30层只看1024的窗口呢？先在纸上算，再写函数。


# %% exercise="breaking_lengths"
def breaking_lengths(model, memory):
    """Return the first lengths at which the cache, and an angle, is too large."""
    ### BEGIN SOLUTION
    row = 2 * model["kv_heads"] * model["head_dim"] * model["bytes_each"]
    windows = [math.inf if window is None else window for window in model["windows"]]
    fitting, rows, length, too_long = memory // row, 0, 0, math.inf
    for growing, window in zip(range(len(windows), 0, -1), sorted(windows), strict=True):
        more = (window - length) * growing  # rows, until this window is full
        if rows + more > fitting:
            too_long = length + (fitting - rows) // growing + 1
            break
        rows, length = rows + more, window
    pairs = torch.arange(0, model["head_dim"], 2, dtype=torch.float64) / model["head_dim"]
    before, now = model["base"] ** -pairs, model["used_base"] ** -pairs / model["factor"]
    new = math.inf
    for window in windows:
        seen = before * (min(model["trained"], window) - 1)  # the largest angle of each pair
        distances = (seen / now * (1 + 1e-9)).floor()[seen < 2 * math.pi] + 1
        if len(distances) and distances.min() < window:
            new = min(new, int(distances.min()) + 1)
    return too_long, new
    ### END SOLUTION


# %% check="breaking_lengths"
check("breaking_lengths", breaking_lengths)

# %% [markdown] lang="en"
# The cell computes both lengths by hand (`model` is there for your function). A row: the number of
# layers with a window, the base in use, the two lengths (memory, then angles). The base is also
# read too small, 10000 in place of 500000, which turns the slowest pair 47 times as fast. Which
# limit comes first now?

# %% [markdown] lang="zh"
# 下面按手算的办法再算一遍（`model`可以传给你的函数）。每行是有窗口的层数、所用的base和
# 两个限度（先显存，后角度）。
# base还有读错的时候：不是500000而是10000，最低频的一对就转得有原来的47倍快。这时先到的是哪一个？

# %%
model = {"windows": [None] * 36, "kv_heads": 8, "head_dim": 128, "bytes_each": 2, "trained": 8192}
model |= {"base": 5e5, "used_base": 5e5, "factor": 1.0}  # breaking_lengths(model, 16 * 2**30)
fitting = 16 * 2**30 // (2 * 8 * 128 * 2)  # rows of keys and values, in all layers together
for windows in (0, 30):
    longest = (fitting - windows * 1024) // (36 - windows)  # the cache still fits
    for base in (5e5, 1e4):
        faster = (5e5 / base) ** (126 / 128)  # the slowest pair, against training
        # windows have seen distances up to 1023; with the trained base they meet none beyond
        seen = 1023 if windows and faster > 1 else 8191  # the largest one seen, where it limits
        print(f"{windows:2} {base:6.0f} {(longest + 1, int(seen / faster) + 2)}")

# %% [markdown] lang="en"
# Angles, all four times. With the right base one layer that sees everything keeps that limit where
# it is, and the windows move only the other one. With 10000, 8191 / 47 is 174: the first distance
# over the limit is 175, and a length is one more. In training, a layer with a window has seen
# distances only up to 1023, and 1023 / 47 is 21.8: hence 23.
#
# Two limits, and no promise: below both of them, the cache fits and no angle is new. That does not
# say that the angles are the trained ones (11.4), nor that far words are used (9.9). Beyond the
# second, more and more pairs follow, and the loss may explode soon: in one RoPE model of trained
# length 1024, perplexity is 3.3 at 1200 and 156 at 1400 (1.10). A base that is read too small shows
# in your second number; one that is read too large moves it out, and is as wrong.

# %% [markdown] lang="zh"
# 四次都是角度先到。base读对时，只要还有一层看全部，角度的限度就不动，
# 加窗口推远的只是显存那个限度。
# base读成10000时，8191 / 47是174，第一个超限的距离是175，长度还要加1；
# 窗口层训练时只见过1023以内的距离，1023 / 47是21.8，所以是23。
#
# 这只是两个限度，不是保证：两个都没到，只说明缓存放得下、没有新角度，
# 不等于角度就是训练时的角度（11.4），也不等于用上了远处的词（9.9）。过了第二个限度，
# 遇到新角度的对越来越多，损失可能很快失控：一个训练长度为1024个词元的RoPE模型，
# 困惑度在1200处是3.3，1400处已是156（1.10）。base读小了，第二个数会报警；
# 读大了却不报，第二个数反而变大，模型照样是错的。

# %% [markdown] lang="en" way="everything"
# ## 11.6 From 2017 on
#
# In 2022 a list like that of 11.2 would have sent long texts to ALiBi; a year later it was out of
# date. So it helps to know how the field moved. An arXiv number begins with year and month, so
# references make a history by themselves. Here are the main works that this course cites, on
# positions and on the cache. Below the picture we count which of these encodings real models
# use. Guess: of the 365 architectures of Hugging Face transformers 5.23, how many have ALiBi?

# %% [markdown] lang="zh" slide="show"
# ## 11.6 2017年以来
#
# 11.2节那样的清单，要是写在2022年，会让长文本都去用ALiBi，一年后就过时了，
# 所以值得看看这个领域是怎么走过来的。arXiv编号的开头就是年份和月份，
# 参考文献自己就能排成一部历史。下面是本课程引用的、关于位置和缓存的主要工作。
# 图之后再统计哪些真正用进了模型。先猜：Hugging Face transformers 5.23里的365个架构，
# 用ALiBi的有几个？

# %%
HISTORY = {
    "absolute": "1706.03762 Transformer, 1810.04805 BERT, 2003.09229 FLOATER, 2103.10360 GLM",
    "relative": "1803.02155 Shaw, 1901.02860 Transformer-XL, 1906.08237 XLNet, "
    "2006.03654 DeBERTa, 2009.13658 Huang et al.",
    "bias": "1910.10683 T5, 2108.12409 ALiBi, 2205.09921 KERPLE, 2212.10356 Sandwich, "
    "2310.04418 FIRE, 2405.18719 CoPE, 2503.02130 Forgetting Transformer",
    "cache": "1911.02150 multi-query, 2305.13245 GQA, 2309.17453 StreamingLLM, 2401.18079 KVQuant, "
    "2405.04434 MLA",
    "images": "2005.12872 DETR, 2010.11929 ViT, 2403.13298 RoPE-ViT, 2409.12191 Qwen2-VL, "
    "2511.21631 Qwen3-VL",
    "rotary": "2104.09864 RoPE, 2212.10554 xPos, 2306.15595 PI, 2309.00071 YaRN, 2309.16039 ABF, "
    "2401.01325 Self-Extend, 2402.13753 LongRoPE, 2402.17463 DCA, 2405.14591 base bound, "
    "2410.06205 Barbero et al., 2505.16381 PaTH",
    "none": "1905.04226 Irie et al., 2203.16634 Haviv et al., 2305.19466 Kazemnejad et al., "
    "2404.12224 Wang et al., 2501.18795 RoPE and NoPE layers, 2510.26692 Kimi Linear",
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
# The absolute family is the first to begin, the rotary one the last, in 2021. A clause for each
# step: the position is added (2017); distance enters the score as a vector (2018), as a number
# (2019); the position turns the vectors themselves (2021), or the number becomes a fixed slope
# (August 2021); from 2023 on the question is how to extend what was trained; since 2024 models mix:
# layers with RoPE and layers without, small bases for windows and large ones for the whole text.
# (Channels that turn beside channels that do not are older: GPT-J and GPT-NeoX.)
#
# <details><summary>Guess first, then read on</summary>
#
# Two of the 365 architectures have ALiBi, from 2022 and 2023: the museum (`docs/museum.md`) counts
# all by the years of their files (eight files give no year). Of the 25 from 2018 to 2020 none has
# RoPE; of the 237 from 2024 to 2026, 192 have it, in one dimension or two, and another 37 a learned
# table, most of them for images. Layers without positions are in thirteen, two bases in twelve, all
# since 2024.
#
# </details>
#
# Three steps did not begin on arXiv: RoPE came out in Su Jianlin's blog in March 2021, a month
# before the paper, NTK-aware scaling in a forum in June 2023, ReRoPE in the blog again in August
# 2023. The list is a choice, not the field.

# %% [markdown] lang="zh"
# *图：七个类别各占一条，每项工作都写着名字。*
#
# 最先出现的是绝对位置，最晚的是旋转，从2021年开始。每一步用一句话说：先是把位置加上去（2017）；
# 接着距离进入得分，起初是向量（2018），后来是一个数（2019）；然后按位置旋转向量本身（2021），
# 或把那个数换成固定的斜率（2021年8月）；2023年起，问题变成怎样扩展已经训练好的模型；
# 2024年以来则是混用：有的层用RoPE、有的层不用，窗口层用小base、全局层用大base。
# （一个头里有的通道旋转、有的不旋转，则更早就有：GPT-J和GPT-NeoX。）
#
# <details><summary>先猜，再往下读</summary>
#
# 用ALiBi的只有两个，是2022和2023年的：博物馆（`docs/museum.md`）
# 按文件年份统计了这365个架构（其中八个的文件没写年份）。2018到2020年的25个，没有一个用RoPE；
# 2024到2026年的237个里，用RoPE（一维或二维）的有192个，
# 另有37个用可学习的表，大多用于图像。
# 某些层不加位置的有13个，用两个base的有12个，全都出自2024年及以后。
#
# </details>
#
# 有三步不是从arXiv开始的：RoPE最早见于苏剑林2021年3月的博客，比论文早一个月；
# NTK-aware缩放是2023年6月的一个论坛帖子，ReRoPE又是2023年8月的博客。这里列的只是一部分，
# 不是整个领域。

# %% [markdown] lang="en" way="everything"
# ## 11.7 Bug clinic
#
# All of chapter 12 is a clinic, so here is one case only: a common estimate of the KV cache, hidden
# size × layers × 2 (keys and values) × tokens × bytes per number. Symptom: for a model with
# grouped-query attention (GQA, 8.3) it gives four times the memory that is really used.

# %% [markdown] lang="zh" slide="code"
# ## 11.7 Bug诊所
#
# 第12章整章都是诊所，这里只看一例，是对KV缓存的一种常见估算：
# 隐藏宽度×层数×2（键和值）×词元数×每个数的字节数。症状：
# 模型用了分组查询注意力（GQA，8.3），估出来的显存是实际的四倍。


# %%
def cache_of_all_heads(config, length):
    return 2 * config["num_hidden_layers"] * config["hidden_size"] * length * 2  # the mistake


eight = {"num_hidden_layers": 32, "hidden_size": 4096, "num_attention_heads": 32}
eight["num_key_value_heads"] = 8
stored = torch.empty(2, 32, 8, 1000, 128, dtype=torch.float16, device="meta")  # what is kept
print(f"cache_of_all_heads {cache_of_all_heads(eight, 1000) / 2**20:.0f} MiB")
print(f"stored             {stored.nbytes / 2**20:.0f} MiB")


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
# Choosing is half of the work; the other half is to defend the choice. These questions open an
# interview; here is what gives a bluffer away. Answer aloud, then compare with the section.
#
# | question | a bluffer says | compare with |
# |---|---|---|
# | Why does a Transformer need positions? | "Attention is permutation invariant." | 1.4, 1.5 |
# | Why sines and cosines? | "They are periodic, so they extrapolate." | 2.5, 2.11 |
# | Do RoPE's scores decay with distance? | "Yes, so it works on long texts." | 5.7 |
# | What is ALiBi? | "A bias whose slopes are learned." | 7.2, 7.9 |
# | How far does T5 see? | "Up to 128 tokens." | 4.5 |
# | What position does the next token get? | "The length of the cache." | 8.4, 8.6 |
#
# The twenty-five below decide it; five in one sitting are plenty. Give each about two minutes, with
# the formulas on paper, and only then unfold our answer. (This section's minutes count the reading
# alone; all twenty-five with your own answers take a little over two hours.) The cell draws one.

# %% [markdown] lang="zh"
# ## 11.8 面试
#
# 选对只是一半，另一半是说得清为什么。面试往往从下面这些题开始，这里只列出外行一开口就露馅的说法。
# 先把自己的答案说出来，再翻到表里所列的那一节去对照。（面试时多半直接说token，本节也这样写。）
#
# | 问题 | 外行会说 | 对照 |
# |---|---|---|
# | Transformer为什么需要位置？ | “注意力具有置换不变性。” | 1.4、1.5 |
# | 为什么用正弦和余弦？ | “它是周期函数，所以能外推。” | 2.5、2.11 |
# | RoPE的得分随距离衰减吗？ | “衰减，所以它适合长文本。” | 5.7 |
# | ALiBi是什么？ | “一种偏置，斜率是学出来的。” | 7.2、7.9 |
# | T5能看多远？ | “最远128个token。” | 4.5 |
# | 下一个token的位置是多少？ | “就是缓存的长度。” | 8.4、8.6 |
#
# 真正见分晓的是下面二十五道题，一次做五道就够了。每题给自己两分钟左右，公式写在纸上，
# 说完再展开我们的回答。（章首的分钟数里，本节只算了阅读；二十五题都先自己答、再读我们的回答，
# 一共要两个多小时。）下一个单元格替你抽一题。

# %% tags=["nbval-ignore-output"] reason="another question each time"
print(f"Q{random.randint(1, 25)}")

# %% [markdown] lang="en"
# ### Q1 · Sines are relative too, and decay as well. Why does everybody use RoPE?
#
# <details><summary>Answer</summary>
#
# **Say:** Because with RoPE the relation holds in every layer, by construction and not by training.
# In a sine table the relation is there, and so is the decay, but only in the product
# $p_i\cdot p_j$, and the model never sees that product alone. The table is *added* to the
# embedding, so when I write out one score, $(x_i+p_i)A(x_j+p_j)^\top$, I get four terms: word with
# word, word with place, place with word, place with place. The last three hold an absolute
# position. Even the last one need not keep the relation, because the learned matrix $A$ need not
# treat the two channels of a pair alike. In 5.1, with random words and weights, the same two words,
# always three tokens apart, score −0.11 at position 0, 0.37 at position 10 and −0.71 at position
# 100. A model can learn to live with that, but what it learns at some positions need not hold at
# others.
#
# The sum is also made only once, at the input. What the tenth layer still knows of it is up to the
# nine layers before. RoPE acts on queries and keys in every layer, after the projections:
# $(R_mq)^\top R_nk=q^\top R_{n-m}k$. Nothing learned comes between the two rotations, so of the
# positions only the distance is left, and values stay free of positions.
#
# **An expert adds:** Transformer-XL had made the same repair before, term by term (4.4): a sinusoid
# of the distance in place of the key's position, a learned vector in place of the query's. The
# price is extra parameters and a second product. RoPE has no parameters, and any fused attention
# kernel runs as it is. But relative does not mean any length: the perplexity of LLaMA-7B is 7.20 at
# 2048 tokens and more than 1000 from 4096 on (6.1).
#
# **A bluffer says** "RoPE is relative and sines are absolute", and cannot say where the relation is
# lost.
#
# **Proof:** relation and decay in 2.6, the four terms in 4.2, what addition cannot promise in 5.1,
# what RoPE does not promise in 6.1.
#
# </details>
#
# ### Q2 · Why has the base grown from 10000 to a million?
#
# <details><summary>Answer</summary>
#
# **Say:** A larger base makes the decay flatter, so that far keys that resemble the query keep
# their lead. Take a key that equals the query up to noise. At distance $k$ its mean lead over a
# random key is proportional to $\sum_i\cos k\omega_i$ (6.2). A pair that has hardly turned by then
# still contributes 1, and those that have turned many times average to nothing. Counting the first
# kind, and taking off a little for the gradual border, gives the mean cosine, about
# $1-(\ln k+0.577)/\ln b$ (5.7). Over $\ln k$ that is a straight line: each factor of ten costs
# $2.3/\ln b$, so a larger base makes it flatter. With 128 channels the mean at 1000 tokens is 0.16
# with base 10000 and 0.49 with 500000; the line says 0.19 and 0.43, the rest is ripple.
#
# Now ask that the sum never be negative, so that a matching key is ahead on average at every
# distance in the text. It first falls below 0 at 1707 tokens for base 10000 and at 18438 for
# 500000. The straight line alone gets there only at 5600 and 280000, as it has no ripples. So a
# longer text asks for a larger base: 500000 in Llama 3, a million in Qwen2.5, five million in
# SmolLM3.
#
# **An expert adds:** A larger base gives *more* pairs with unseen angles, not fewer: after 2048
# tokens 23 of 64 pairs have not gone round with base 10000, and 35 with 500000 (6.2). So a larger
# base alone is not enough: it goes together with training on long texts. The lead is an average,
# not a hard limit: Llama 2 was trained at 4096 with base 10000. Nor does a larger base
# always carry further: 800000 carries 30187 tokens, a million 27115. What a larger base buys shows
# in retrieval, hardly in perplexity: on books Xiong et al. measure 6.323 with the larger base and
# 6.341 with interpolation, but only the former repeats a first sentence from 32768 tokens back
# (6.4).
#
# **A bluffer says** "so that the angles do not repeat".
#
# **Proof:** the cells of 6.2 (put other bases in), the law in 5.7, the measurements of Xiong et al.
# in 6.4.
#
# </details>
#
# ### Q3 · What do high and low frequencies do?
#
# <details><summary>Answer</summary>
#
# **Say:** High frequencies say where a key is, low ones what it is, and that follows from the
# angles. Pair $i$ turns by $\omega_i=b^{-2i/d}$ radians per token, and the fastest pair comes round
# in about six tokens. Two equal vectors, equally long in every pair and $k$ tokens apart, have a
# score proportional to the mean of $\cos k\omega_i$. In the first cell below, with 128 channels,
# the fast half gives 0.94 one token away, 0.34 at ten and 0.01 at a hundred. The slow half still
# gives 0.94 at a hundred and 0.34 at a thousand.
#
# So a head that wants "the word before" builds on the fast half, and loses every key some tens of
# tokens away, as it should. A head that uses the slow half alone compares content: to it all near
# keys look as if at one place, and it can hardly tell neighbours apart. Barbero et al. found just
# that in Gemma 7B: positional heads on the fastest pairs, and the largest norms on the slowest. The
# small model of 14.2 that learned induction (after AB … A comes B) shows both. With its fast half
# standing still the loss rises to 6.74, with its slow half standing still it stays at 0.00. But
# take the channels of the slow half out of layer 1, which compares content, and it is 3.52.
#
# **An expert adds:** This is a tendency, not a law. In the text model of 14.2 the slow channels
# cost 0.15 at most, since it guesses bytes by the few before them. And low frequencies are not
# robust either: over a long enough text even they turn, and the same word scores below 0 (5.9).
# That is one reason for a larger base, and for leaving some channels out of the rotation (next
# question).
#
# **A bluffer says** "low frequencies are for long texts, high ones for short texts".
#
# **Proof:** the first cell below, for the mean of the cosines; 14.2 for trained models; 5.9 for the
# same word far away.
#
# </details>
#
# ### Q4 · Some models turn a quarter of each head. Does that not lose positions?
#
# <details><summary>Answer</summary>
#
# **Say:** No, a few pairs are enough to say where, and the channels that stand still gain
# something. They add the same dot product at every distance, so a key that resembles the query
# keeps that part of its lead, however far away it is. Let $\rho$ be the share that turns and $c(k)$
# the mean cosine of the turning pairs. Then the mean lead is $1-\rho+\rho\,c(k)$, and as no cosine
# is below −1, it cannot fall below $1-2\rho$, which is 0.5 for a quarter. The second cell below
# computes it with base 10000, within 20000 tokens: the mean lead sinks as low as −0.28 with the
# whole head turning, 0.29 with half of it, 0.60 with a quarter.
#
# So part of the head works without positions (NoPE) and finds content at any distance; the rest
# tells where. In that rest the fastest pair still turns by one radian per token, so neighbours stay
# apart. GPT-NeoX turns a quarter, GLM-4 half, Qwen3-Next a quarter.
#
# **An expert adds:** The exponent is divided by the width that turns, not by that of the head: with
# 16 of 64 channels the slowest pair has the frequency $3.2\times10^{-4}$, and by mistake it would
# be 0.13 (5.9). The $d$ of NTK and YaRN is that width as well; with another the slowest pair of
# 6.13 is divided by 15.31, not 16. Gemma 4 does it differently: it keeps the whole width in the
# exponent and stops the slowest pairs. In the head that 5.9 makes by hand, the same word, within
# 100000 tokens, scores as low as −0.47 while the slow half turns, and 1.00 everywhere once it is
# stopped. The price is coarse distance: it can no longer look for "the same word, about 3000 tokens
# back".
#
# **A bluffer says** "it saves computation".
#
# **Proof:** the second cell below; 5.9 for the exponent and for pairs that stand still.
#
# </details>
#
# The two cells below belong to the answers of Q3 and Q4; open them after your own. First: in a head
# of 128 channels, the mean of $\cos k\omega_i$ over the fast half (pairs 0 to 31) and the slow half
# (32 to 63), at $k$ = 1, 10, 100, 1000. Second: when only a share $\rho$ of the 128 channels turns,
# the smallest mean lead within 20000 tokens.

# %% [markdown] lang="zh"
# ### Q1 · 正弦编码也有相对性，也有远程衰减，为什么大家都用RoPE？
#
# <details><summary>回答</summary>
#
# **可以这样答：** 大家都用RoPE，是因为它的相对性在每一层都成立，而且是构造出来的，不靠训练。
# 正弦编码里确实有相对关系，也有衰减，但都在$p_i\cdot p_j$这一项里，模型从来看不到单独的它。
# 编码是*加*到嵌入上的，把得分写开，$(x_i+p_i)A(x_j+p_j)^\top$有四项：词对词、词对位置、位置对词、
# 位置对位置，后三项都含绝对位置。就连最后一项也未必保得住相对关系，因为中间隔着学出来的矩阵$A$，
# 它不必对一对里的两个通道一视同仁。5.1里用随机的词、随机的权重算过：同样两个词，
# 始终相隔三个token，放在位置0，得分是−0.11，放在10是0.37，放在100是−0.71，连正负都会变。
# 模型可以学着应付，可在这些位置学到的，换到别的位置未必还成立。
#
# 再说，编码只在输入处加一次，到第十层还剩多少，全看前九层。RoPE在每一层、投影之后作用于查询和键：
# $(R_mq)^\top R_nk=q^\top R_{n-m}k$。旋转矩阵的转置就是反着转，两次旋转合成一次，
# 之间没有任何学出来的东西，位置就只剩下距离。值不参加旋转，读出来的内容里也就不掺位置。
#
# **行家会补充：** Transformer-XL早就逐项修过（4.4）：键的位置换成距离的正弦向量，
# 查询的位置换成学出来的向量，代价是多出参数和一次矩阵乘法。RoPE事先把查询和键转一下就得到了，
# 不添参数，现成的融合算子也不用改。不过，相对不等于多长都行：
# LLaMA-7B的困惑度在2048个token时是7.20，从4096个起就超过1000（6.1）。
#
# **外行会说：** “RoPE是相对的，正弦是绝对的”，却说不出相对关系丢在了哪里。
#
# **证据：** 相对关系和衰减见2.6，四项展开见4.2，加法保证不了什么见5.1，RoPE保证不了什么见6.1。
#
# </details>
#
# ### Q2 · 底数（base）为什么从10000涨到了一百万？
#
# <details><summary>回答</summary>
#
# **可以这样答：** base越大，远程衰减越平缓，与查询相像的键隔得更远也还能领先。
# 取一个与查询相像的键，就当它是查询加上噪声。在距离$k$处，它比随机的键平均领先多少，
# 正比于$\sum_i\cos k\omega_i$（6.2）。到这个距离还没怎么转的对，每对贡献1；已经转过许多圈的，
# 平均下来是0。数一数前一种占了多少，再因分界处是逐渐过渡而扣掉一点，就是余弦的平均值，
# 大约为$1-(\ln k+0.577)/\ln b$（5.7）。以$\ln k$为横轴，这是一条直线，距离每远十倍，
# 就降$2.3/\ln b$，base越大，线越平：衰减的快慢只看base的对数。头有128个通道、隔1000个token时，
# 平均值在base为10000时是0.16，500000时是0.49；直线给出的是0.19和0.43，差的那点就是起伏。
#
# 再要求这个和始终不为负，意思是文本里不论多远，相像的键平均都不输给随机的键。
# 它第一次降到0以下，base为10000时在1707个token，500000时在18438个。
# 那条直线要到5600和280000才降到0，因为它不带起伏。base就是这样随着文本长度涨上来的：
# Llama 3取500000，Qwen2.5取一百万，SmolLM3取五百万。
#
# **行家会补充：** 调大base，会遇到没见过的角度的对只会*更多*，不会更少：训练长度是2048个token时，
# 64对里没转完一圈的，base为10000时有23对，500000时有35对（6.2）。所以光改配置不够，
# 总要和长文本训练一起做。这个领先只是平均值，不是硬限度，Llama 2用的base是10000，
# 照样训练到4096的长度。base能撑多远也不单调：800000能撑30187个token，一百万反而只有27115个。
# 好处主要体现在检索上，困惑度上几乎看不出来：同样用长文本接着训练，Xiong等在书籍上测得，
# 调大base是6.323，位置插值是6.341；可是要复述32768个token之前的第一句话，只有前者做得到（6.4）。
#
# **外行会说：** “为了让角度不重复”。
#
# **证据：** 6.2节的单元格（可以换别的base试试），5.7节的对数律，Xiong等的测量见6.4。
#
# </details>
#
# ### Q3 · 高频和低频各管什么？
#
# <details><summary>回答</summary>
#
# **可以这样答：** 高频管“在哪里”，低频管“是什么”，从角度就看得出来。
# 第$i$对每个token转$\omega_i=b^{-2i/d}$弧度，最高频的一对六个token左右就转一整圈。两个相同的向量，
# 如果各对一样长，相距$k$个token时，得分就正比于$\cos k\omega_i$的平均值。下面第一个单元格里，
# 头有128个通道：高频的一半，隔一个token是0.94，隔十个是0.34，隔一百个只剩0.01；低频的一半，
# 隔一百个还有0.94，隔一千个也有0.34。
#
# 所以想看“前一个词”的头靠的是高频的一半，隔几十个token的键它就认不出了，这正合需要。
# 低频对在近处几乎不转，只用低频一半的头，比的就是内容：近处的键在它看来像在同一个地方，
# 相邻的键几乎分不清。Barbero等在Gemma 7B里看到的正是这样：看位置的头用最高频的几对，
# 最大的范数落在最低频的几对上。
# 14.2里有个学归纳任务的小模型（induction：前面出现过AB，再见到A就接B），正反两面都看得到：
# 让高频的一半停住不转，损失升到6.74；让低频的一半停住，损失仍是0.00；可是在负责比较内容的第1层里，
# 把低频一半的通道整个去掉，损失就是3.52。
#
# **行家会补充：** 不过这只是一种倾向，不是定律。14.2里那个读文本的小模型，去掉低频的通道，
# 损失最多增加0.15，因为它只靠前面几个字节来猜下一个。低频也不是永远可靠：文本够长，
# 它们照样会转过去，同一个词的得分会降到0以下（5.9）。这是调大base的理由之一，
# 也是让一部分通道干脆不转的理由（见下一题）。
#
# **外行会说：** “低频管长文本，高频管短文本”。
#
# **证据：** 下面第一个单元格是余弦的平均；训练好的模型见14.2；远处的同一个词见5.9。
#
# </details>
#
# ### Q4 · 有的模型每个头只转四分之一，位置信息不会丢吗？
#
# <details><summary>回答</summary>
#
# **可以这样答：** 不会。要表达位置，转几对通道就够了，不转的通道另有好处：
# 它们在任何距离都贡献同样的点积，与查询相像的键隔得再远，这部分领先也不会丢。
# 设转动的比例是$\rho$，转动的各对余弦的平均值是$c(k)$，平均领先幅度就是$1-\rho+\rho\,c(k)$。
# 余弦不会小于−1，所以它不会低于$1-2\rho$，转四分之一时就是0.5：哪怕转动的那些对余弦全都是−1，
# 领先也还剩一半。下面第二个单元格取base为10000，算到两万个token：整个头都转，
# 平均领先幅度最低跌到−0.28；只转一半，最低0.29；只转四分之一，最低0.60。
#
# 这相当于头里有一部分是NoPE：内容由不转的通道管，不论多远；位置由转的通道管。转的那部分里，
# 最高频的一对仍是每个token转一弧度，相邻的token照样分得清。GPT-NeoX转四分之一，GLM-4转一半，
# Qwen3-Next转四分之一。
#
# **行家会补充：** 指数除以的是旋转部分的宽度，不是整个头的宽度：64个通道里转16个时，最低频的一对，
# 频率应该是$3.2\times10^{-4}$，除错了就成了0.13（5.9）。NTK、YaRN公式里的$d$也是这个宽度，填错了，
# 6.13里最低频的一对就只除以15.31，而不是应有的16。Gemma 4的做法不同：指数里仍用整个头的宽度，
# 只让最低频的几对停住。5.9有一个手工搭出来的头：低频的一半都转时，同一个词在十万个token以内，
# 得分最低跌到−0.47；让这一半停住，不论多远都是1.00。代价是丢了粗略的距离：“同一个词，
# 大约在3000个token之前”，这样的要求它就提不出来了。
#
# **外行会说：** “为了省计算量”。
#
# **证据：** 下面第二个单元格；指数和停住的对见5.9。
#
# </details>
#
# 下面两个单元格供Q3、Q4的回答引用，自己答完再打开。第一个：头有128个通道，
# 高频的一半（第0到31对）和低频的一半（第32到63对）里，$\cos k\omega_i$的平均值，
# $k$ = 1、10、100、1000。第二个：128个通道里只转一部分（比例$\rho$），
# 平均领先幅度在两万个token以内的最低值。

# %% tags=["predict"]
for pairs, part in zip((" 0 … 31", "32 … 63"), frequencies(128).chunk(2), strict=True):
    agree = [(distance * part).cos().mean() for distance in (1, 10, 100, 1000)]
    print(f"i = {pairs}, k = 1, 10, 100, 1000:", *(f"{mean:5.2f}" for mean in agree))

# %% tags=["predict"]
distance = torch.arange(1, 20001)
for turning in (128, 64, 32):
    mean = (distance[:, None] * frequencies(turning)).cos().mean(1)
    lead = 1 - turning / 128 * (1 - mean)
    print(f"ρ = {turning:3} / 128: lead.min() = {lead.min():5.2f}")

# %% [markdown] lang="en"
# ### Q5 · What is xPos, and why does hardly anybody use it?
#
# <details><summary>Answer</summary>
#
# **Say:** xPos is RoPE with a decay. It turns like RoPE and also multiplies queries by
# $\zeta^{m/512}$ and keys by $\zeta^{-n/512}$, with its own $\zeta$ between 0 and 1 for each pair.
# The score gets a factor $\zeta^{(m-n)/512}$, so a pair counts less the further back the key is.
# The smallest $\zeta$ is about 0.286: that is what is left of such a pair at 512 tokens. It is
# still relative. If queries and keys go through *one* map, only rotations are left (RoPE is one
# choice of angles); with two maps any invertible $M$ will do, since $f_q=(M^{-m})^\top q$ and
# $f_k=M^{n}k$ give $q^\top M^{n-m}k$. xPos takes
# a rotation times a scaling. In 5.3 a random matrix used in this way scores −5.25 at all four
# positions; if it acts on both sides alike, the scores are −5.25, 3.92, −59.84 and −63.64.
#
# It fails in two ways. It works in one direction only: for later keys the same factor grows, so
# encoders are out. And though the product stays small, the factor on the keys alone grows without
# bound: float16, whose largest number is 65504, overflows near position 4500. So whoever caches
# such keys has to move the origin along, or needs a dtype with a larger range. RoPE, with one map,
# keeps all lengths.
#
# **An expert adds:** Under a softmax, hardly any new model still has a decay that ignores content;
# ALiBi's has gone out of use too (11.6). Where a decay is wanted, gates compute it from the words
# (Q15). A trained model makes its own: in the small RoPE model of 5.7 each head scores on average
# 4.9 to 12.6 below its peak from 10 bytes on. Linear attention still has a fixed one: each head of
# MiniMax-01's lightning attention decays at ALiBi's slope, times a factor for the layer.
#
# **A bluffer says** "it extrapolates better, people just do not know it".
#
# **Proof:** 5.3; the decay of trained heads in 5.7.
#
# </details>

# %% [markdown] lang="zh"
# ### Q5 · xPos是什么，为什么几乎没人用？
#
# <details><summary>回答</summary>
#
# **可以这样答：** xPos就是带衰减的RoPE。它和RoPE一样旋转，另外给查询乘$\zeta^{m/512}$、
# 给键乘$\zeta^{-n/512}$，每一对有自己的$\zeta$，在0与1之间。
# 于是得分多出一个因子$\zeta^{(m-n)/512}$，键越早，这一对的分量越小。最小的$\zeta$约为0.286：
# 隔512个token，这一对就只剩这么多。它仍然是相对的，这与“只能旋转”并不矛盾：
# 那个结论的前提是查询和键走同一个映射（RoPE是其中一种角度的取法）。允许两个映射时，
# 任意可逆矩阵$M$都行：$f_q=(M^{-m})^\top q$，$f_k=M^{n}k$，得分就是$q^\top M^{n-m}k$。
# 映射不必是旋转，长度也可以变，xPos取的就是旋转乘上缩放。
# 5.3随机取了一个矩阵，这样用，四个位置的得分都是−5.25；如果两边都直接乘它，四个得分就成了−5.25、
# 3.92、−59.84和−63.64，连正负都变了。
#
# 它有两处行不通。一是只有一个方向可用：对之后的键，同一个因子反而随距离增长，编码器两边都要看，
# 就不能用。二是乘积虽小，键上的因子单独看却无限增长：float16最大只能表示65504，
# 到位置4500附近就溢出。谁要缓存这样的键，就得不断挪动位置的起点，或者换一个范围更大的dtype。
# RoPE只用一个映射，长度全都不变，就没有这个麻烦。
#
# **行家会补充：** softmax注意力里，与内容无关的衰减新模型已很少用，ALiBi也是这样退场的（11.6）；
# 要衰减，就让门由词来决定（Q15）。何况模型训练之后自己就有衰减：5.7的小模型用的是普通的RoPE，
# 从相隔10个字节起，每个头的得分平均比最高处低4.9到12.6。线性注意力里倒还有固定的衰减：
# MiniMax-01的lightning attention，每个头按ALiBi的斜率衰减，再乘一个随层而变的系数。
#
# **外行会说：** “它外推更好，只是大家不知道”。
#
# **证据：** 5.3；训练好的头怎样衰减见5.7。
#
# </details>

# %% [markdown] lang="en"
# ### Q6 · Position interpolation against NTK, in one sentence?
#
# <details><summary>Answer</summary>
#
# **Say:** In one sentence: interpolation divides every frequency by $s$, while NTK-aware scaling
# raises the base so that high frequencies extrapolate and low ones interpolate. The picture behind
# it: a position is a number, and the pairs are its digits. Interpolation divides the number, and
# the last digit must then tell apart what it never had to; a larger base keeps the number and gives
# each digit more values. Say training showed 0 to 999, and 7999 comes: its top digit would be 79.
# Divided by 8 it is 9, but the last digits of 7 and 8 become 0.875 and 1.0; in base
# $10\sqrt8\approx28.3$ it is 9 as well, and they stay 7 and 8 (the two lower places now go up to
# 28). So interpolation does its harm nearby: in 6.3, with a stretch of 8, a head made to look one
# token back looks eight back. Hence it needs fine-tuning: at a stretch of 4, Chen et al. measure a
# perplexity of 16.10 before it and 7.12 after 200 steps.
#
# The exponent of NTK follows from one wish, that the slowest pair be divided by exactly $s$. The
# slowest frequency is $b^{-(d-2)/d}$, so I solve $b'^{-(d-2)/d}=b^{-(d-2)/d}/s$ and get
# $b'=b\,s^{d/(d-2)}$. Pair $i$ is then divided by $s^{2i/(d-2)}$: with 128 channels and a stretch
# of 8, pairs 0, 21, 42 and 63 by 1, 2, 4 and 8.
#
# **An expert adds:** So NTK does extrapolate: only that last pair is interpolated fully. With 128
# channels, base 10000, $L=4096$ and $s=8$, 17 of the 18 slow pairs exceed their largest trained
# angle, by up to 75%. That is why $s$ is chosen above the stretch, or by parts and YaRN are used
# (6.7). After fine-tuning Llama 2 for 8192 tokens, interpolation is even ahead at that length,
# perplexity 3.34 against 3.59, and behind at 10240, 8.07 against 6.24 (YaRN paper, Table 1).
#
# **A bluffer says** "NTK comes from neural tangent kernels, so it is about training dynamics". (The
# name does come from there; the derivation needs none of it.)
#
# **Proof:** 6.3, 6.4.
#
# </details>
#
# ### Q7 · ABF and NTK both raise the base. What is the difference?
#
# <details><summary>Answer</summary>
#
# **Say:** The difference is when: NTK-aware changes the base of a finished model, ABF that of a
# model whose training goes on. So NTK-aware may only move angles as far as the heads forgive, and
# its base is computed from the stretch, $b'=b\,s^{d/(d-2)}$. For eight times the length and 64
# channels that is 85550, from 10000. ABF, adjusted base frequency, sets a larger base *and then
# trains on* with long texts: Xiong et al. took Llama 2 from 10000 to 500000, also for eight times
# the length. The heads learn the new angles, so nothing has to be interpolated. Code Llama did the
# same with a million.
#
# So the criteria differ. Without training I look at the angles. With training I ask up to which
# distance a matching key must stand out, that is, how far $\sum_i\cos k\omega_i$ stays positive. In
# 6.4, where the goal is 4096 tokens, the sum first turns negative at 2089 for NTK's base and at
# 9937 for 500000. The same cell shows that, without training, both fail: a head whose highest score
# is 1 is off by 0.67 and 0.52 (root mean square). After 1000 steps they are off by 0.042 and 0.046
# (a head that says 0 everywhere: 0.071), the larger base no less, so the fit is not a reason for
# 500000; the reach is.
#
# **An expert adds:** In transformers the dynamic kind of NTK shows as `rope_type: dynamic`. The
# static kind has no type of its own: it is a larger `rope_theta`, just as ABF is, so the config
# alone does not tell whether training went on with that base; the model's page may. A raised base
# can be scaled as well: SmolLM3's was raised to 5 million while training to 64K, and YaRN doubles
# that length at inference. And after 80B tokens perplexity hardly tells ABF from interpolation,
# 6.323 and 6.341; retrieval does (6.4).
#
# **A bluffer says** "they are the same trick with two names".
#
# **Proof:** 6.2, 6.4, the table of 6.14.
#
# </details>
#
# ### Q8 · The first Qwen3 models were trained on 32K. Make one read 128K: what config, what cost?
#
# <details><summary>Answer</summary>
#
# **Say:** I add the scaling to the config: `rope_type` is `yarn`, `factor` is 4.0,
# `original_max_position_embeddings` is 32768; and `max_position_embeddings`, the allowed length,
# becomes 131072 (13.6). Nothing is trained. A larger limit alone would change no angle, and slow
# pairs would meet new ones. Pairs that turn more than 32 times within 32768 tokens stay as they
# are, so neighbours are told apart as before. Pairs that turn less than once are divided by 4, so
# they meet no new angle. In between there is a ramp. And as more keys make attention flatter,
# queries and keys are multiplied by $0.1\ln4+1=1.14$ each, so the scores by its square, 1.30.
#
# It costs three things. The scaling is static: short texts get the changed angles as well and may
# lose a little, so I switch it on for long texts only, as Qwen's own page asks. The cache is four
# times as large: Qwen3-8B, with 36 layers and 8 KV heads of 128 channels, takes 4.5 GiB for 32K
# (counted as in 8.3), so 18 GiB for 128K, for each user. And it has to be measured, on the same
# texts with and without scaling: the loss on short ones, the loss of the same last tokens with 32K
# and with 128K before them, and retrieval at many depths, because a loss can stay flat although
# nothing far away is used.
#
# **An expert adds:** `factor` is the stretch here, but not in dynamic NTK, where a `factor` of 4 at
# four times the length divides the slowest pair by 13 (6.5). And a cache that was filled without
# the scaling cannot be used with it as it is, as its keys are turned already (8.5). The ramp must
# be that of the published code: with this config its frequencies are up to 1.71 times the paper's
# (the cell of 6.7 prints 3.04 for numbers of its own; put those of the config there).
#
# **A bluffer says** "set `max_position_embeddings` to 131072, and that is all".
#
# **Proof:** 6.6, 6.7, 6.14; the size of the cache in 8.3, what to measure in 6.13.
#
# </details>
#
# ### Q9 · ReRoPE, Self-Extend, Dual Chunk Attention: what is the common idea?
#
# <details><summary>Answer</summary>
#
# **Say:** They meet no new angles because they meet no new distances. Interpolation, NTK and YaRN
# change frequencies; here they stay, and what changes is the distance at which a far key is shown.
# Beyond a window $w$ it is clipped (ReRoPE), or divided and rounded (Self-Extend), or counted
# within chunks (DCA). Near keys keep their exact RoPE score, $(R_iq)^\top R_jk$, so short texts do
# not change. For far ones ReRoPE turns the query by $w$ and the key not at all: $(R_wq)^\top k$.
# Self-Extend gives $G$ neighbours one position, $\lfloor j/G\rfloor$, and adds
# $w-\lfloor w/G\rfloor$ to that of the query, so that grouped distances begin where the exact ones
# end. One token to a group is RoPE again, one group for all is ReRoPE. DCA, in Qwen2's long
# versions, has chunks in place of groups. None of them needs training, because within their reach
# the model has seen every distance.
#
# How far that carries can be computed. ReRoPE has no end: the head of 6.1, trained up to 512,
# should score 0 beyond; it scores up to 2.0, and 0.00 with its distances clipped at 256.
# Self-Extend carries a model of trained length $L$ to about $(L-w)\,G+w$. With $L=512$, $w=128$ and
# $G=8$ that is 3200, so at 4096 tokens the last query of 6.9 meets a distance of 623, which is new.
# With $G=16$ the largest is 375, and all is quiet.
#
# **An expert adds:** The price is two score matrices in place of one (three for DCA), so kernels
# and caches must be rewritten, since each key is needed in two forms. And what is far gets coarse:
# with ReRoPE all far keys look equally far, with Self-Extend those of one group do. It is Shaw's
# clip (4.3) again. So I take them where I must not train; where I may, a larger base or YaRN leaves
# the kernel as it is.
#
# **A bluffer says** "they change the base dynamically".
#
# **Proof:** 6.9, with the head of 6.1.
#
# </details>
#
# ### Q10 · Where does log-n scaling come from?
#
# <details><summary>Answer</summary>
#
# **Say:** From the wish that attention stay as sharp when there are more keys. Measure sharpness by
# the entropy of the weights, and let the scores of $n$ keys be normal with variance $\sigma^2$. The
# softmax's denominator is about $n\,e^{\sigma^2/2}$, and the mean score under the weights is
# $\sigma^2$. The entropy is the logarithm of the first minus the second, $\ln n-\sigma^2/2$. So
# sixteen times the keys add $\ln16=2.77$ nats; in the cell of 6.7, with $\sigma=2$, it goes from
# 5.6 to 8.4.
#
# To undo what $s$ times the keys add, multiply the scores by $c$. Their variance becomes
# $c^2\sigma^2$, so $c=\sqrt{1+2\ln s/\sigma^2}$, about $1+\ln s/\sigma^2$. If one sets
# $\sigma^2=\ln L$ and $n=sL$, that is $\ln n/\ln L$: log-n scaling. It is best done query by query,
# as $\max(1,\ln n/\ln L)$ with the $n=p+1$ keys that position $p$ sees, so up to the trained length
# nothing changes. YaRN's temperature, one number for the whole text, is, to first order, the same
# formula with $\sigma^2=5$, and in the same cell it brings the 8.4 back to 5.5. Qwen-7B had log n
# as `use_logn_attn`. Llama 4 multiplies queries by $1+0.1\ln(1+\lfloor(p+1)/8192\rfloor)$, in its
# layers without positions: it rises in steps, and fits $\sigma^2=10$.
#
# **An expert adds:** Each rule is right for one spread, and heads differ in $\sigma$, so one number
# for all is a compromise. With sixteen times the keys log n leaves 0.3 of 2.5 nats of growth at
# variance 10, but 2.4 of 2.8 at variance 1, where little depends on the scores anyway. Whether the
# heads that matter have the right spread must be measured in the model. The formula itself ends
# where $\sigma^2$ is no longer small beside $2\ln n$, since then the few largest scores take all
# the weight. In practice log n is cheap: its factor belongs to the query alone, so it needs no
# change in the cache.
#
# **A bluffer says** "it is there for numerical stability".
#
# **Proof:** 6.7.
#
# </details>

# %% [markdown] lang="zh"
# ### Q6 · 能不能用一句话说清位置插值和NTK的区别？
#
# <details><summary>回答</summary>
#
# **可以这样答：** 一句话：位置插值把每个频率都除以$s$；NTK-aware调大base，做到高频外推、低频内插。
# 可以这样想：位置是一个数，各对通道是它的各位数字。插值是把数除小，
# 最低位就必须区分从没区分过的东西；换更大的进制，数不变，每一位多几个取值。比方说，
# 训练时只见过0到999，现在来了7999，最高位就成了79，从来没见过。插值除以8，最高位变成9，
# 可是位置7和8除以8之后，末位成了0.875和1.0，只差八分之一；
# 换成$10\sqrt8\approx28.3$进制，最高位同样是9，末位却还是7和8（只是后两位如今要数到28）。
# 所以插值吃亏在近处：6.3里扩展倍数取8，一个专看前一个token的头，看到的变成了八个之前的那个。
# 角度都在训练范围之内，可是相邻两个token之间的角度差从没见过，所以位置插值不微调不行：
# 扩展倍数为4时，Chen等测得，微调前困惑度是16.10，微调200步之后是7.12。
#
# NTK的指数由一个要求定下来，就是最低频的一对恰好除以$s$，而最高频的一对原样不动。
# 最低的频率是$b^{-(d-2)/d}$，解方程$b'^{-(d-2)/d}=b^{-(d-2)/d}/s$，得到$b'=b\,s^{d/(d-2)}$。
# 于是第$i$对除以$s^{2i/(d-2)}$，从头到尾平滑过渡：128个通道、扩展倍数为8时，第0、21、42、
# 63对分别除以1、2、4、8。
#
# **行家会补充：** 可见NTK并不是不外推，完全插值的只有最后那一对。128个通道、base 10000、$L=4096$、
# $s=8$时，18个低频对里有17个会超出训练过的最大角度，最多超出75%，所以$s$要取得比目标倍数大些，
# 或者改用NTK-by-parts（分频段插值）、YaRN（6.7）。如果两者都为8192个token微调过，
# 在这个长度上反而是插值领先，Llama 2的困惑度是3.34对3.59；再长，到10240个，插值就落后了，
# 8.07对6.24（YaRN论文表1）。
#
# **外行会说：** “NTK来自神经正切核，所以它改的是训练动力学”。（名字确实由此而来，推导却用不到它。）
#
# **证据：** 6.3、6.4。
#
# </details>
#
# ### Q7 · ABF和NTK都是调大base，区别在哪里？
#
# <details><summary>回答</summary>
#
# **可以这样答：** 区别在时机：NTK-aware改的是训练好的模型，改完就用；ABF改完还要接着训练。
# 所以用NTK-aware，角度只能动到各个头还受得了的程度，base由扩展倍数算出来，$b'=b\,s^{d/(d-2)}$：
# 长度扩到8倍、头有64个通道时，10000变成85550。ABF（adjusted base frequency）先把base调大，
# *再用长文本接着训练*：Xiong等把Llama 2从10000改到500000，同样是扩到8倍。训练够了，
# 各个头会学会新角度，也就不需要内插。Code Llama用一百万，做法相同。
#
# 所以选base的依据也不一样。不再训练，就看角度：最低频的一对转到头，不能超出训练时的范围。
# 还要训练，就看相像的键要在多远之外仍能突出来，也就是$\sum_i\cos k\omega_i$到多远还是正的。
# 6.4的目标是4096个token：用NTK算出的base，这个和到2089个就第一次变负，用500000要到9937个，
# 只有后者够用。同一个单元格也说明，不训练的话两个都不行：一个头最高的得分不过是1，
# 均方根误差却有0.67和0.52。训练一千步之后，误差降到0.042和0.046（处处打0分的头是0.071），
# base更大的并没有更好，可见要用500000，理由不在拟合得好，而在相像的键到了远处仍能突出来。
#
# **行家会补充：** 在transformers里，动态NTK写作`rope_type: dynamic`；静态NTK没有自己的类型，
# 和ABF一样只是一个大的`rope_theta`，所以单看config看不出有没有接着训练过，要看模型的说明。
# 调大了的base还可以再缩放：SmolLM3训练到64K时把base调到500万，推理时再用YaRN把长度翻一倍。还有，
# 同样再训练80B个token，困惑度几乎分不出ABF和插值，一个6.323，一个6.341；分得出来的是检索：
# 要复述很远之前的第一句话，插值做不到，ABF做得到（6.4）。
#
# **外行会说：** “一回事，两个名字”。
#
# **证据：** 6.2、6.4，以及6.14的表。
#
# </details>
#
# ### Q8 · 首批Qwen3的训练长度是32K，要读128K，怎么写配置，代价是什么？
#
# <details><summary>回答</summary>
#
# **可以这样答：** 在config里加上缩放：`rope_type`写`yarn`，`factor`写4.0，
# `original_max_position_embeddings`写32768，允许的长度`max_position_embeddings`改成131072（13.6），
# 不做任何训练。只把长度上限改大是不行的：角度一个也没变，过了32K，低频对就会遇到从没见过的角度。
# YaRN则按圈数分别处理：高频对在32768个token里转过32圈以上，原样不动，相邻的token照样分得清；
# 低频对转不到一圈，频率除以4，这样就遇不到没见过的角度；两者之间是斜坡，逐渐过渡。另外，键多了，
# 注意力会变平，所以查询和键各乘$0.1\ln4+1=1.14$，得分也就乘了它的平方，1.30。
#
# 代价有三项。第一，它是静态的：短文本也用改过的角度，效果可能会差一点，
# 所以我只在文本真的很长时开启，Qwen自己的说明就是这样要求的。第二，缓存也要变成四倍：
# Qwen3-8B有36层、8个KV头、每头128个通道，按8.3的算法，32K时是4.5 GiB，128K时就是18 GiB，
# 而且每个用户都要这么多。第三，必须实测，用同样的文本，开和不开各测一遍：短文本的损失有没有变差；
# 末尾同样的那些token，前面放32K和放128K，损失差多少；再把一处事实放在不同的深度，看找不找得到。
# 单看损失不够，远处的内容一点没用上，损失也可能是平的。
#
# **行家会补充：** 这里的`factor`就是扩展倍数，动态NTK里却不是：那里`factor`写4，
# 文本长到四倍时，最低频的一对会除以13（6.5）。没开缩放时填的缓存，也不能原样接着用，
# 因为键已经按原来的角度转过了（8.5）。斜坡要用公开代码里的那一种：照这份配置，
# 它的频率最多是论文写法的1.71倍（6.7的单元格用的是另一组数，打印3.04；
# 换成这份配置的数就能验证）。
#
# **外行会说：** “把`max_position_embeddings`改成131072就行”。
#
# **证据：** 6.6、6.7、6.14；缓存多大见8.3，该测什么见6.13。
#
# </details>
#
# ### Q9 · ReRoPE、Self-Extend、Dual Chunk Attention的共同思路是什么？
#
# <details><summary>回答</summary>
#
# **可以这样答：** 没有新距离，就没有新角度。位置插值、NTK、YaRN改的是频率；这三种方法都不动频率，
# 改的是把远处的键当成多远。超过窗口$w$的距离，要么截断（ReRoPE），
# 要么除一个数再取整（Self-Extend），要么按块来数（DCA）。近处的键得分与RoPE完全一样，
# 还是$(R_iq)^\top R_jk$，所以短文本毫不受影响。对远处的键，ReRoPE把查询转$w$，键根本不转：
# $(R_wq)^\top k$。Self-Extend让$G$个相邻的键共用一个位置$\lfloor j/G\rfloor$，
# 再把查询的位置加上$w-\lfloor w/G\rfloor$，这样分组的距离正好接在准确的距离后面。一个token一组，
# 就还是RoPE；所有token一组，就是ReRoPE。DCA用块代替组，Qwen2的长文本版本用的就是它。
# 三者都不需要训练，因为在够得着的范围内，每一个距离模型训练时都见过。
#
# 能撑多远，也算得出来。ReRoPE没有尽头：6.1那个头训练到512个token，超出之后得分最高冲到2.0，
# 而把距离截断在256，超出之后就是0.00。Self-Extend能把训练长度为$L$的模型带到$(L-w)\,G+w$左右。
# 取$L=512$、$w=128$、$G=8$，算出来是3200，所以6.9里文本长4096个token时，
# 最后一个查询会遇到623这样的新距离，得分又升了起来；换成$G=16$，最大的距离只有375，就平静了。
#
# **行家会补充：** 代价也清楚：得分矩阵要算两份（DCA要三份），每个键也要有两种形式，
# 所以算子和缓存都得改写。远处还会变粗：用ReRoPE时，远处的键看上去都一样远；用Self-Extend时，
# 同一组的键看上去一样远。说到底，这是Shaw的截断（4.3）又回来了。所以我只在不能训练时才用它们；
# 能训练，就调大base或者用YaRN，得分矩阵还是一个，算子不必改。
#
# **外行会说：** “就是动态改base”。
#
# **证据：** 6.9，用的是6.1的那个头。
#
# </details>
#
# ### Q10 · log-n缩放是怎么来的？
#
# <details><summary>回答</summary>
#
# **可以这样答：** 出发点是键变多了，注意力还要一样集中。集中的程度用权重的熵来量。
# 设$n$个键的得分服从正态分布，方差为$\sigma^2$。softmax的分母约为$n\,e^{\sigma^2/2}$，
# 按权重平均的得分是$\sigma^2$，前者取对数再减去后者，就是熵，$\ln n-\sigma^2/2$。所以方差不变，
# 键增加到16倍，熵就多$\ln16=2.77$奈特。6.7的单元格取$\sigma=2$，随机的得分，
# 键从两千多个增加到三万多个，熵从5.6升到8.4，正与公式相符。
#
# 键增加到$s$倍时，要抵消这一项，就把得分都乘以$c$。方差变成$c^2\sigma^2$，要熵不变，
# 就得$c=\sqrt{1+2\ln s/\sigma^2}$，约等于$1+\ln s/\sigma^2$。取$\sigma^2=\ln L$，$n=sL$，
# 这就是$\ln n/\ln L$，即log-n缩放。最好逐个查询来算，位置$p$的查询看得到$n=p+1$个键，
# 就乘$\max(1,\ln n/\ln L)$，训练长度以内一点不变，短文本不吃亏。YaRN的温度是整段文本共用一个数，
# 取一阶近似也是这个公式，相当于$\sigma^2=5$，在同一个单元格里，它把8.4拉回到5.5。
# Qwen-7B里有log-n，叫`use_logn_attn`。Llama 4在没有位置编码的层里，
# 给查询乘$1+0.1\ln(1+\lfloor(p+1)/8192\rfloor)$，按位置一级一级升上去，相当于$\sigma^2=10$。
#
# **行家会补充：** 每条规则只适合一种方差，而各个头的$\sigma$不同，一个数管所有头只能是折中。
# 键增加到16倍，方差为10时，熵本来要增加两奈特多，用了log-n就几乎不变（6.7里是2.5和0.3）；
# 方差为1时，本来多2.8，用了还是多2.4，不过那时得分本来就没有多大作用。要紧的那些头，
# 方差合不合适，只能在模型里实际去测。公式也有边界：$\sigma^2$同$2\ln n$相比不再小的时候，
# 少数几个最大的得分会占去全部权重，公式就不成立了。好在log-n用起来便宜：它只乘在查询上，
# 缓存完全不用动。
#
# **外行会说：** “为了数值稳定”。
#
# **证据：** 6.7。
#
# </details>

# %% [markdown] lang="en"
# ### Q11 · Windows with RoPE, and some full layers without positions: why does that fit together?
#
# <details><summary>Answer</summary>
#
# **Say:** Because each part removes one cause of failure at great length. A distance can be new: in
# a window of $w$ tokens none exceeds $w-1$. An angle can be new: a layer without positions has none
# that could be. And the attention of a full layer flattens as the text grows, since its entropy
# grows with $\ln n$, so its scores are sharpened with $\ln n$ (Q10). Order comes from the
# causal mask and from the layers with RoPE, whose output holds the local order. And windows need
# the full layers: in 8.10 three windows of 4 tokens reach 9 tokens back, and with a global layer as
# the third the last of 40 tokens sees all of them.
#
# Su Jianlin put the three together in [his blog in 2023](https://kexue.fm/archives/9603), as
# *HWFA*, hybrid window and full attention: the last layer alone is a full one. Llama 4, Command A
# and SmolLM3 mix in the same way, with every fourth layer without RoPE; they differ in the windows
# and in the logarithm. Windows save memory as well: with Gemma 3 4B's 34 layers, every sixth
# global, 131072 tokens take 2.6 GiB of cache in place of 17.0 (8.10).
#
# **An expert adds:** Only the full layers reach far, and their scores know no distance, so a task
# such as "the third item of that list" takes both kinds of layers. The mask alone gives a model
# little order: in 1.6 two layers, trained for 400 steps, copy the symbol three tokens back in 36.1%
# of the cases without an encoding, in 100.0% with RoPE. And NoPE in *all* layers is level
# up to about 1.4 times the trained length and broken at 1.8: Kazemnejad et al., with a trained
# length of 1024, measure a perplexity of 2.504 at 1400, 3.839 at 1600 and 41.2 at 1800 (1.10).
#
# **A bluffer says** "without positions a model reads any length".
#
# **Proof:** 1.6 for the mask, 1.10 for NoPE alone, 8.9 and 8.10 for windows, 6.7 for $\ln n$, 8.10
# and 11.10 for the models that do.
#
# </details>
#
# ### Q12 · RoPE in a sliding window: what about length, and why keep the first tokens?
#
# <details><summary>Answer</summary>
#
# **Say:** Within such a layer length is no longer a problem; for the whole model it still is. In a
# window of $w$ keys no distance exceeds $w-1$: trained on at least that length, the layer meets no
# unseen angle, however long the text is. What lies further back can only arrive through other
# layers, at most $w-1$ tokens further with each, so $N$ such layers reach $N(w-1)$ tokens. In 8.10
# three windows of 4 reach 9 tokens back; beyond, the gradient is exactly 0.
#
# But drop the first tokens and many models break down. Weights sum to 1, so heads with nothing to
# say park theirs there, on tokens whose values say little; without these *sinks* the weight lands
# on words. In the first cell of 8.10 a sink with score 6 holds 86% of the weight and the output is
# 0.135. A window of 40 without the sink gives 1.000, more than seven times what the next layer was
# trained on; with it, 0.090. StreamingLLM (Table 1) has perplexity 5158 without them and 5.40 with
# four, and finds that they need not be important words.
#
# **An expert adds:** What is kept has to be renumbered, or the distance to the sinks grows with the
# text and is new again. StreamingLLM numbers it by its place in the cache, so no distance exceeds
# the size of the cache. And whether a model has sinks must be measured: the small model of 8.14 has
# a loss of 1.62 with a window alone, and of 1.78 with four sinks that keep their numbers;
# renumbered they cost nothing. Newer models learn the sink instead: gpt-oss has one extra logit per
# head in the softmax, and windows of 128 in every other layer. So no token has to be kept for that.
#
# **A bluffer says** "the first tokens matter because they hold the prompt".
#
# **Proof:** 8.9, 8.10; a model without sinks: 8.14.
#
# </details>

# %% [markdown] lang="zh"
# ### Q11 · 窗口层用RoPE，有些全注意力层不加位置，这样搭配为什么行得通？
#
# <details><summary>回答</summary>
#
# **可以这样答：** 因为它把文本变长后失效的几个原因逐个解决了。第一个原因是距离没见过：
# 窗口里有$w$个token，距离就不超过$w-1$。第二个是角度没见过：不加位置的层（NoPE）根本没有角度可言。
# 第三个是全注意力层的注意力会随长度变平，因为熵随$\ln n$增长，那就按$\ln n$放大得分（Q10）。
# 顺序从哪里来？来自因果掩码，也来自用RoPE的层，近处的次序已经写在它们的输出里，再往上传。反过来，
# 只有窗口也不行：8.10里，三层窗口，各有4个token，最远只看得到9个token之前；把第三层换成全局层，
# 40个token就都看得到了。
#
# 苏剑林[2023年在博客里](https://kexue.fm/archives/9603)把三样合在一起，
# 叫*HWFA*（混合窗口与全注意力），只有最后一层是全注意力。Llama 4、Command A、
# SmolLM3也是这样混用的，每四层有一层不用RoPE，差别在于窗口和对数：有的有窗口，有的没有；
# 有的放大得分，有的不放大。窗口还省显存：按Gemma 3 4B的34层、每六层有一层全局来算，
# 131072个token的缓存只要2.6 GiB，不用窗口就要17.0 GiB（8.10）。
#
# **行家会补充：** 只有全注意力层看得远，而它们的得分里没有距离，“那份列表里的第三项”这种任务，
# 得靠两类层合作。单靠掩码，模型得到的顺序很少：1.6里有个两层的小模型，训练了四百步，
# 要抄出三个token之前的符号，不加位置编码时答对36.1%，用RoPE时答对100.0%。如果*所有*层都是NoPE，
# 只平稳到训练长度的1.4倍左右，到1.8倍就坏了：Kazemnejad等的训练长度是1024个token，
# 测得的困惑度，1400时是2.504，1600时是3.839，到1800就是41.2了（1.10）。
#
# **外行会说：** “不加位置，多长都能读”。
#
# **证据：** 掩码见1.6，单用NoPE见1.10，窗口见8.9和8.10，$\ln n$见6.7，有哪些模型见8.10和11.10。
#
# </details>
#
# ### Q12 · RoPE加滑动窗口：长度还成问题吗，为什么要留住开头几个token？
#
# <details><summary>回答</summary>
#
# **可以这样答：** 对这样的一层，长度不再是问题；对整个模型，它还是问题。窗口里有$w$个键，
# 距离就不超过$w-1$；只要训练文本不短于窗口，文本再长，这一层也遇不到没见过的角度。
# 更早的内容只能靠别的层传过来，每多一层，最多远$w-1$个token，$N$层窗口合起来，
# 最多到$N(w-1)$个token之前。8.10里，三层窗口，各有4个token，最远到9个之前，再早的token，
# 梯度恰好是0。
#
# 可是丢掉开头几个token，许多模型就垮了。权重加起来必须是1，没什么可看的头总得把权重停在某处，
# 就停在开头几个token上，因为那里的值没有多少内容，读了也不碍事。
# 没有了这些*attention sink*（汇点），权重就落到普通的词上。8.10的第一个单元格里，汇点的得分是6，
# 占去86%的权重，输出是0.135；只留40个token的窗口，不留汇点，输出是1.000，
# 是下一层训练时所见的七倍多；把汇点留住，输出是0.090。
# 真实模型也是这样：StreamingLLM表1的困惑度，不留是5158，留四个是5.40。论文还发现，
# 那几个token写的是什么并不要紧。
#
# **行家会补充：** 留下的token还要重新编号，不然文本越长，它们就离得越远，距离又成了新的。
# StreamingLLM按它们在缓存里的次序编号，任何距离就都不超过缓存的大小。有没有汇点也要实测：
# 8.14的小模型只用窗口，损失是1.62，可见它并不依赖开头的token；留四个汇点而不重新编号，反而是1.78，
# 重新编号之后又回到1.62。新的模型改为直接学一个汇点：gpt-oss的softmax里每个头多一个logit，
# 隔一层用一个128的窗口。这样就不必专门留token了。
#
# **外行会说：** “开头几个token重要，因为prompt就在那里”。
#
# **证据：** 8.9、8.10；没有汇点的模型见8.14。
#
# </details>

# %% [markdown] lang="en"
# ### Q13 · Derive RoPE on paper.
#
# <details><summary>Answer</summary>
#
# **Say:** RoPE is what follows from one requirement. Put queries and keys through the same map $f$,
# which leaves position 0 as it is, and require that the score depend on $q$, $k$ and $n-m$ alone:
# $\langle f(q,m),f(k,n)\rangle=g(q,k,n-m)$. First put $n=m$. The distance is 0, so all dot products
# are what they were at position 0. Then the map is linear, because the squared length of
# $f(ax+by)-af(x)-bf(y)$ is made of such dot products and comes out as 0; and it keeps lengths. So
# $f(q,m)=A_mq$, with $A_m$ orthogonal.
#
# Now put $m=0$: the score at distance $r$ has the matrix $A_r$, so $A_m^\top A_n=A_{n-m}$. One
# step, $n=m+1$, gives $A_{m+1}=A_mA_1$, hence $A_n=A_1^n$. In a suitable basis, which $W_Q$ and
# $W_K$ can absorb, the orthogonal matrix $A_1$ turns planes, so position $n$ turns them by
# $\omega_in$. (With two channels, read as a complex number, that is $q\,e^{\mathrm in\omega}$.
# Directions that $A_1$ leaves at rest pair up into planes with $\omega_i=0$. If positions may also
# be halves, $A_1=A_{1/2}^2$ has determinant 1, which rules out a single $-1$.) The score is
# $q^\top R_{n-m}k$. The derivation leaves the angles free, and RoPE chooses $\omega_i=b^{-2i/d}$.
#
# **An expert adds:** All of it depends on the one map: with *two* maps any invertible matrix will
# do (Q5). Nobody builds the matrix: a pair takes four multiplications and two additions,
# and only queries and keys are turned, since nothing would undo a rotation of the values (5.8). In
# code I check the sign and the layout. $R_5^\top R_3$ differs from $R_{-2}$ by 0.00 and from $R_2$,
# a common misprint, by 1.82 (5.5). And the two layouts are different models: on the same vectors
# their scores differ by up to 2.5, and no shape or norm shows it (5.6).
#
# **A bluffer says** "RoPE adds rotated sines to the embedding".
#
# **Proof:** 5.2, 5.3; the sign in 5.5, the layouts in 5.6.
#
# </details>
#
# ### Q14 · QK-norm: before or after the rotation?
#
# <details><summary>Answer</summary>
#
# **Say:** Before the rotation, if the norm has a learned gain for each channel, as in Qwen3 and
# Gemma 3.
#
# QK-norm does two things. It divides each vector by the root of its mean square, and then it
# multiplies every channel by a gain of its own. The division is harmless in either order, because a
# rotation keeps the length, so we divide by the same number before and after. What matters is the
# gain. I write it as a diagonal matrix $G$, for simplicity the same one for queries and keys. If I
# normalise first, the score is $(R_mGq)^\top R_nGk=q^\top GR_{n-m}Gk$. The two rotations meet, only
# the distance $n-m$ is left, and the gain acts like a part of the projection. If I rotate first, I
# get $q^\top R_m^\top G^2R_nk$. Now $G^2$ is in between, and the rotations meet only if it commutes
# with them, so only if both channels of each pair have the same entry. A learned gain has no reason
# to be like that, and then the score depends on absolute positions.
#
# Take the same two vectors, three tokens apart, and a random gain. At positions 0, 10 and 100 the
# score is 4.15 each time if we normalise first. If we rotate first, it is 3.33, 5.53 and 4.03.
#
# **An expert adds:** Without a gain the order is free: Llama 4 has none and normalises after the
# rotation. One gain for each pair would be fine as well. Nothing in training reports the wrong
# order: shapes and norms are right and the model learns; it merely sees absolute positions too. So
# I test it: the same two vectors, moved by 40, must give the same score. When I port a checkpoint,
# I keep the order it was trained with.
#
# **A bluffer says** "after, so that the scores are bounded".
#
# **Proof:** "Normalise first, then rotate" in 5.8; the last cell there prints the scores.
#
# </details>

# %% [markdown] lang="zh"
# ### Q13 · 在纸上推导RoPE。
#
# <details><summary>回答</summary>
#
# **可以这样答：** RoPE不是凑出来的，是由一个要求推出来的。让查询和键走同一个映射$f$，
# 它在位置0什么也不改，并要求得分只取决于$q$、$k$和$n-m$，
# 写下来就是$\langle f(q,m),f(k,n)\rangle=g(q,k,n-m)$。先令$n=m$，距离是0，所以在任何位置，
# 所有点积都和位置0处一样。由此可知映射是线性的：把$f(ax+by)-af(x)-bf(y)$的长度平方展开，
# 里面全是这样的点积，换成原来的点积，算出来正好是0。它还保持长度。所以$f(q,m)=A_mq$，
# $A_m$是正交矩阵。
#
# 再令$m=0$，可知距离$r$处的得分由矩阵$A_r$给出，于是$A_m^\top A_n=A_{n-m}$。只走一步，$n=m+1$，
# 得到$A_{m+1}=A_mA_1$，所以$A_n=A_1^n$：每一步都一样。换一组合适的基（$W_Q$和$W_K$能把它吸收掉），
# 正交矩阵$A_1$就是若干平面各转一个角度，到位置$n$就转了$\omega_in$。只有两个通道时，
# 把它们看成一个复数，就是$q\,e^{\mathrm in\omega}$。（$A_1$不动的方向两两合成$\omega_i=0$的平面；
# 若位置可以取半步，$A_1=A_{1/2}^2$的行列式就是1，不会有落单的$-1$。）得分就是$q^\top R_{n-m}k$。
# 推到这里，角度仍然任选，RoPE选的是$\omega_i=b^{-2i/d}$。
#
# **行家会补充：** 整个推导靠的是同一个映射：若允许*两个*映射，任意可逆矩阵都行（Q5）。
# 写成代码时，谁也不会真的造出这个矩阵，每一对通道只要四次乘法、两次加法。转的只有查询和键；
# 值若也转，得分里没有东西与它相抵，还得把输出再转回来（5.8，Q21）。然后我会查正负号和排布。
# $R_5^\top R_3$与$R_{-2}$相差0.00，与$R_2$相差1.82，后面这个是常见的误印（5.5）。
# 两种排布则是两个不同的模型：同样的向量，得分最多相差2.5，形状和范数却一点都看不出来（5.6）。
#
# **外行会说：** “RoPE把旋转过的正弦加到嵌入上”。
#
# **证据：** 5.2、5.3；正负号见5.5，排布见5.6。
#
# </details>
#
# ### Q14 · QK-norm放在旋转之前还是之后？
#
# <details><summary>回答</summary>
#
# **可以这样答：** 只要归一化带有逐通道学出来的gain（系数），就放在旋转之前，Qwen3和Gemma
# 3都是这样做的。
#
# QK-norm其实分两步：先把每个向量除以它的均方根，再让每个通道乘上自己的gain。
# 除法放在旋转之前还是之后都一样，因为旋转不改变长度，除以的是同一个数。要紧的是第二步，也就是gain。
# 我把它写成对角矩阵$G$，为简单起见，查询和键用同一个。先归一化，
# 得分是$(R_mGq)^\top R_nGk=q^\top GR_{n-m}Gk$：两个旋转碰到了一起，只剩下距离$n-m$，
# gain就像是投影的一部分，学成什么样都没有关系。先旋转，得到的是$q^\top R_m^\top G^2R_nk$：
# $G^2$夹在两个旋转中间，除非它与旋转可交换，也就是每一对的两个通道取值相同，
# 否则两个旋转碰不到一起，得分里就不只有距离了。学出来的gain没有理由恰好成对相等，
# 所以得分会取决于绝对位置。
#
# 拿数字看一下：同样两个向量，始终相隔3个token，gain取随机数，查询依次放在位置0、10、100。先归一化，
# 三次得分都是4.15；先旋转，就成了3.33、5.53、4.03，距离没变，得分却变了。
#
# **行家会补充：** 没有gain，先后就无所谓：Llama 4没有gain，它在旋转之后归一化。
# 每一对共用一个gain也没有问题。次序错了，训练时什么也看不出来：形状对，范数对，损失照样下降，
# 模型只是还看见了绝对位置。所以要直接测：同样两个向量一起平移40，得分应当不变。
# 移植别人的checkpoint，就照它训练时的次序，因为权重是按那个次序学出来的。
#
# **外行会说：** “之后，这样得分才有界”。
#
# **证据：** 5.8的“先归一化，再旋转”，得分由那里最后一个单元格打印。
#
# </details>

# %% [markdown] lang="en"
# ### Q15 · What would an encoding look like if the words decided?
#
# <details><summary>Answer</summary>
#
# **Say:** In such an encoding each token decides how far the position advances at it. RoPE advances
# by the same step at every token, whatever the word is.
#
# From key $j$ to query $i$, RoPE's steps make $R_{j-i}$, and only the number of tokens counts. If
# each token chooses its step, $R_{j-i}$ becomes a product of what lies in between. The smallest
# step is one number. The Forgetting Transformer reads a gate $f_l$ between 0 and 1 off each token
# and adds $\sum_{l=j+1}^{i}\ln f_l$ to the score. If all gates are $e^{-m}$, that is $-m(i-j)$,
# exactly ALiBi; so it is ALiBi with a slope that the text sets. A gate near 0 at a full stop makes
# all that came before it fade.
#
# The next larger step is a matrix: PaTH takes $I-\beta ww^\top$ for each token. In the limit
# $\beta=2$ it can exchange two channels, and then a score can follow a ball under three cups,
# through any number of swaps, in one layer. The cell in 7.6 makes four swaps, and the score is 1
# for the cup with the ball and 0 for the other two.
#
# **An expert adds:** Linear attention with the delta rule, as in Kimi Linear, has such steps in its
# state already, so the full layers beside it go without positions. The cost is that plain distances
# are gone: a cached prefix still works, but no single rotation moves a key (8.11), and each method
# needs its own kernel. A checkpoint trained with RoPE has neither gates nor these matrices, so one
# decides before training. I would ask whether the task has the property: some of the past is done
# with, or a state has to be followed. If not, gates near 1 everywhere leave a model without
# positions.
#
# **A bluffer says** "linear attention has no positions, that is its weakness".
#
# **Proof:** "A bias that content decides" in 7.6, for gates and for PaTH.
#
# </details>

# %% [markdown] lang="zh"
# ### Q15 · 让词自己决定的位置编码是什么样的？
#
# <details><summary>回答</summary>
#
# **可以这样答：** 就是让每个token自己决定位置在它那里走多大一步。RoPE每一步都转同样的角度，
# 不管那里是什么词。
#
# 从键$j$走到查询$i$，RoPE的各步合起来是$R_{j-i}$，只与隔了几个token有关。
# 让每一步由那里的token来定，$R_{j-i}$就换成途中各步之积。最简单的一步是一个数：Forgetting
# Transformer从每个token读出一个0到1之间的遗忘门$f_l$，给得分加上$\sum_{l=j+1}^{i}\ln f_l$。
# 所有的门都等于$e^{-m}$时，它就是$-m(i-j)$，恰好是ALiBi，所以可以把它看作斜率由文本来定的ALiBi。
# 句号的门若接近0，句号之前的内容隔得再近，权重也都降下去。
#
# 再复杂一点，一步是一个矩阵：PaTH的每个token用$I-\beta ww^\top$。取极限$\beta=2$，
# 它可以把两个通道对调，于是一层就能跟踪“球在哪个杯子下”，不论对调多少次。7.6的单元格里对调了四次，
# 球所在的杯子得分是1，另外两个是0。
#
# **行家会补充：** Kimi Linear那样用delta规则的线性注意力，状态里本来就有这样的步，
# 所以夹在中间的全注意力层不加位置。代价是不再有通常意义上的距离：缓存的前缀还能用，
# 但不能再靠一次旋转给键重新编号（8.11），而且每种方法都要有自己的算子。
# 用RoPE训练好的checkpoint里既没有门，也没有这样的矩阵，所以要用就得在训练之前定下来。
# 我会先问任务有没有这种性质：过去的某些内容用完就不再需要，或者答案要靠一步步跟踪状态。如果没有，
# 门处处接近1，它就只是一个没有位置编码的模型。
#
# **外行会说：** “线性注意力没有位置，这是它的缺点”。
#
# **证据：** 7.6的“由内容决定的偏置”，门和PaTH都在那里。
#
# </details>

# %% [markdown] lang="en"
# ### Q16 · Why does DeepSeek set 64 channels apart for RoPE?
#
# <details><summary>Answer</summary>
#
# **Say:** Because a rotation on the keys would destroy what makes its latent attention (MLA) cheap,
# the rotation gets 64 channels of its own.
#
# MLA stores one short vector $c$ per token, 512 numbers, in place of the keys and values of all
# heads. The keys need not be made at all: the score $q^\top W_K\,c$ is $(W_K^\top q)^\top c$, so I
# multiply the query by the matrix once, and the head scores the stored vectors themselves. The
# matrix is said to be absorbed. Now rotate the keys: the score becomes $q^\top R_{n-m}W_K\,c$. What
# is between the query and $c$ now differs for each distance. In the example of 8.5 the last of
# twelve tokens would need twelve absorbed queries, and that saves nothing over making the keys; if
# we use one query all the same, the scores there are off by 86%.
#
# So DeepSeek leaves the 128 content channels of each head as they are, absorbed, and adds 64 that
# are rotated. The key has these 64 once for all heads, so they are stored beside $c$; the query has
# its own 64 in each head. The score is the sum of both dot products.
#
# **An expert adds:** I would count the cache: 512 + 64 = 576 numbers per token and layer. Keys and
# values of all 128 heads would be $128\cdot(192+128)=40960$, 71 times as many. For 32768 tokens in
# 61 layers that is 2.14 GiB against 152.50. The price is arithmetic, since a score takes 576
# products and not 192. While decoding waits for memory, that is a good exchange; a prefill does not
# wait, and may as well make the keys. And with a third of the channels turning it is partial RoPE
# too (Q4): in NTK and YaRN, $d$ is then 64.
#
# **A bluffer says** "to save computation in RoPE".
#
# **Proof:** "One latent for all heads" in 8.5: the two cells there print the 86% and the sizes.
#
# </details>

# %% [markdown] lang="zh"
# ### Q16 · DeepSeek为什么单独拿出64个通道做RoPE？
#
# <details><summary>回答</summary>
#
# **可以这样答：** 因为键一旦旋转，隐向量注意力赖以省显存的那一步就做不成了，
# 所以旋转只好另占64个通道。
#
# MLA为每个token只存一个短向量$c$，512个数，代替所有头的键和值。键其实不必算出来：
# 得分$q^\top W_K\,c$可以写成$(W_K^\top q)^\top c$，也就是把矩阵挪到查询一侧，每个查询只乘一次，
# 头直接给存着的向量打分，这叫“吸收”。现在给键加上旋转，得分变成$q^\top R_{n-m}W_K\,c$，
# 夹在查询和$c$之间的东西随距离而变，没法预先乘好。十二个token里最后来的那个，
# 要准备十二个吸收后的查询，这并不比把键算出来省事；硬要只用一个，8.5的例子里得分就差了86%，
# 完全不能用。
#
# 所以DeepSeek把内容和位置分开：每个头的128个内容通道不转，照样吸收；另外加64个通道来转，
# 位置由它们来带。键的这64个通道所有头共用一份，和$c$一起存；查询的64个通道则每个头各有一份，
# 因为查询本来就不存。得分就是内容和位置两部分点积之和，softmax看到的仍是一个数。
#
# **行家会补充：** 我会当场把缓存算一遍：每个token每层存512 + 64 = 576个数，
# 而128个头的键和值要$128\cdot(192+128)=40960$个，是71倍。61层、32768个token，就是2.14 GiB对152.50
# GiB。代价是运算变多，一个得分要乘576次，不是192次。解码的时间主要花在读显存上，这样换很合算；
# 预填充不受读显存的限制，不妨照常把键算出来。另外，192个通道里只有三分之一在转，
# 所以它也算部分旋转（Q4），NTK和YaRN的公式里，$d$也要取64，不取整个头的宽度。
#
# **外行会说：** “为了省RoPE的计算量”。
#
# **证据：** 8.5的“所有头共用一个隐向量”，86%和缓存大小由那里的两个单元格打印。
#
# </details>

# %% [markdown] lang="en"
# ### Q17 · You quantise the KV cache. Keys before or after RoPE?
#
# <details><summary>Answer</summary>
#
# **Say:** Before, if I can pay for a rotation of the whole cache at every step.
#
# Some channels of the keys are outliers: they are large for every token. In such a channel the
# numbers are large but lie close together. With a scale for each channel, four bits cut the range
# between the smallest and the largest number into 15 steps, so the error depends on that range, not
# on how large the numbers are. The rotation changes this. It mixes a large channel $a$ with its
# partner $b$ into $a\cos\theta-b\sin\theta$, and $\theta$ is another angle at each position. Along
# the text the channel swings between plus and minus its large value, and the partner takes over
# what it loses. Both then range over about twice the outlier's value, and their steps become
# coarser in proportion.
#
# The cell below does this with 1024 keys in which one channel is 12 higher than the rest. Quantised
# before the rotation, the error of this pair is 0.12; quantised after it, 0.54, between 4 and 5
# times as large. KVQuant stores keys before RoPE for that reason.
#
# **An expert adds:** The price is real. Keys that are stored un-rotated have to be turned at every
# step, all of them; in the timings of 11.3 that is by far the slowest way to decode, unless a
# kernel turns them while it reads. It also depends on the pair. A slow pair hardly turns within the
# text, so its outlier stays where it was and either order will do; it matters most in fast pairs.
# Values are not rotated, so the question is about keys alone. And a small error of the keys is not
# yet a good model: I would compare the loss as well, over long texts.
#
# **A bluffer says** "a rotation keeps norms, so it makes no difference".
#
# **Proof:** the cell below, the cost in 11.3.
#
# </details>
#
# The cell below belongs to the answer of Q17: 1024 keys, one channel 12 higher, quantised to four
# bits by channel. It prints the root-mean-square error of that pair, quantised before the rotation
# and after it.

# %% [markdown] lang="zh"
# ### Q17 · KV缓存要量化，键在RoPE之前量化还是之后？
#
# <details><summary>回答</summary>
#
# **可以这样答：** 如果每一步都把整个缓存转一遍的代价付得起，就在旋转之前量化。
#
# 键里有些通道是离群的：对每个token都很大。这样的通道，数值虽大，彼此却很接近。按通道定步长，
# 4比特就是把这个通道最小值到最大值的范围分成15格，误差取决于范围有多宽，与数值本身多大无关，
# 所以离群通道量化起来和普通通道一样准。可是一旋转就不同了：
# 大通道$a$和它的搭档$b$混成$a\cos\theta-b\sin\theta$，$\theta$在每个位置都不一样。沿着文本走下去，
# 这个通道就在正负之间来回摆，它少掉的部分跑到搭档那里去。
# 结果两个通道的范围都扩大到离群值的两倍左右，还是15格，步长自然就粗了。
#
# 下面的单元格就是这样做的：1024个键，其中一个通道整体加12。先量化、后旋转，这一对的误差是0.12；
# 先旋转、后量化，误差是0.54，是前者的4到5倍。KVQuant正是因此存旋转之前的键。
#
# **行家会补充：** 代价是实实在在的：存未旋转的键，每一步都要全部转一遍，在11.3的计时里，
# 它是最慢的一种解码方式，差得很多，除非算子边读边转。还要看离群值落在哪一对上：
# 低频对在整段文本里几乎不转，离群值留在原来的通道，先后都行；落在高频对上，影响才最大。值不旋转，
# 所以这个问题只与键有关。最后，键的误差小不等于模型好，我还会在长文本上比较损失。
#
# **外行会说：** “旋转不改变范数，所以没区别”。
#
# **证据：** 下面的单元格，代价见11.3。
#
# </details>
#
# 下面的单元格供Q17的回答引用：1024个键，其中一个通道整体加12，按通道量化成4比特；
# 打印先量化后旋转、先旋转后量化时，这一对通道的均方根误差。


# %% tags=["predict"]
def four_bits(x):  # a scale for each channel
    low, high = x.amin(0), x.amax(0)
    return low + ((x - low) / (high - low) * 15).round() * (high - low) / 15


rng = torch.Generator().manual_seed(5)
keys, at = torch.randn(1024, D, generator=rng), positions(1024)
keys[:, 10] += 12  # an outlier: large for every token
stored = {
    "turn(four_bits(keys))": turn(four_bits(keys), at),
    "four_bits(turn(keys))": four_bits(turn(keys, at)),
}
for name, approximate in stored.items():
    error = (approximate - turn(keys, at))[:, [10, 10 + D // 2]].square().mean().sqrt()
    print(f"{name}: {error:.2f}")

# %% [markdown] lang="en"
# ### Q18 · A converted checkpoint talks nonsense, without an error. Where do you look first?
#
# <details><summary>Answer</summary>
#
# **Say:** At the layout of the pairs, because a wrong one gets past every test of shapes and of
# properties.
#
# RoPE rotates channels in pairs, and which two are a pair is a convention. GPT-J and Meta's Llama
# pair neighbours; NeoX and Hugging Face pair channel $i$ with $i+D/2$. Both have the same shapes,
# norms and parameters, and in both the score depends on the distance alone, so property tests pass.
# But the scores are not the ones that the model was trained for: on random vectors of 64 channels,
# whose scores are about ±1, the two layouts differ by up to 2.5.
#
# I can find out in a minute. I compute scores of the first layer with the original code and with
# mine. At distance 0 the two rotations cancel in any layout, $R_m^\top R_m=I$, so the scores agree.
# If they disagree at distance 1, it is the layout or the angles. The cure is to permute the rows of
# $W_Q$ and $W_K$ inside each head, together with their biases and the gains of QK-norm, or to set
# the flag that changes the layout. Never both.
#
# **An expert adds:** This has happened in good libraries. vLLM calls the flag `is_neox_style`: it
# came with pull request 941, before which GPT-J was run with halves, and issue 49290 reports the
# same of a newer multimodal kernel. A mix, with queries in one layout and keys in the other, is
# easier to find, because scores then change when the text moves: in case 5 of 12.3 one goes from
# −0.45 to −3.64 when the text moves by 40 tokens. If the layout is right, I look at the base, at
# the share of channels that turns, and for a scaling applied twice.
#
# **A bluffer says** "probably the tokenizer".
#
# **Proof:** 5.6; for a mix, queries in one layout and keys in the other, case 5 in 12.3.
#
# </details>
#
# ### Q19 · Everything runs in bfloat16. What must not?
#
# <details><summary>Answer</summary>
#
# **Say:** Positions, frequencies and angles must not be in bfloat16. The finished cosines and sines
# may.
#
# bfloat16 has the range of float32, but only 8 significant bits. That is enough for a sine, not for
# counting: above 256 it skips numbers, 257 is stored as 256, and of the first 4096 positions 769
# values are left, with up to 17 neighbours on one of them. Such neighbours get the same angle, so
# RoPE cannot tell them apart.
#
# Rounding the frequencies is no better. The angle is $p\,\omega$, so the error of $\omega$, up to
# $2^{-8}$ of it, is multiplied by the position. In 12.5 the positions are exact and the frequencies
# have been rounded; the largest error of a cosine or sine is 0.03 at position 100, 0.43 at 1000 and
# 1.50 at 4000, of numbers that lie between −1 and 1. Therefore I compute the angle in float32 or
# better, take cosine and sine, and cast those. With float32 the error then stays
# below $2^{-8}$ up to some 30000 positions. Further out the error of float32 itself exceeds that of
# the last rounding, and the same precision takes float64.
#
# **An expert adds:** It need not be you. `model.to(torch.bfloat16)` also converts the buffer of
# frequencies, and under autocast the product of positions and frequencies drops to bfloat16 (fixed
# by pull request 29285 of transformers). Both go wrong only far from the start, where short tests
# do not look, so I test near the end of the context. And float32 is not always float32: a matrix
# product of positions and frequencies may run in TF32, where counting ends at 2048 (issue 48428
# there). True float32 loses digits as well, only later: the error of a score is about 0.00001 at
# position 1000 and 0.0007 at 100000 (5.9).
#
# **A bluffer says** "bfloat16 has the range of float32, so it is safe".
#
# **Proof:** 2.8, 5.9, cases 16 and 17 in 12.5.
#
# </details>

# %% [markdown] lang="zh"
# ### Q18 · 转换来的checkpoint胡言乱语，又不报错，先查哪里？
#
# <details><summary>回答</summary>
#
# **可以这样答：** 先查通道怎么配对，因为配错了，形状检查和性质测试（property-based testing）
# 都查不出来。
#
# RoPE成对地旋转通道，哪两个算一对只是约定。GPT-J和Meta的Llama让相邻的通道配对，NeoX和Hugging
# Face让通道$i$与$i+D/2$配对。两种排布的形状、范数、参数量都一样，得分又都只取决于距离，
# 所以性质测试全都通过，程序也不报错。可是算出来的得分，已经不是模型训练时的那些：
# 取64个通道的随机向量，得分本身在±1左右，两种排布最多能差2.5。
#
# 要查清只需一分钟：输入同一段短文本，用原来的代码和我的代码各算一遍第一层的得分，两边对照，
# 不必把整个模型跑通。距离为0时，不管哪种排布，两个旋转都相抵，$R_m^\top R_m=I$，所以得分相同。
# 如果到了距离1就不同，问题就出在排布或者角度上。改法有两种：要么在每个头内部重排$W_Q$、$W_K$的行，
# 偏置和QK-norm的gain也跟着排；要么改那个表示排布的标志。两样只做一样，都做就又错回去了。
#
# **行家会补充：** 这种错在知名的库里也出过。vLLM里这个标志叫`is_neox_style`，是pull request
# 941加的，此前它一直用前后半配对跑GPT-J；issue 49290报告的是同样的错，出在较新的多模态算子里。
# 如果查询用一种排布、键用另一种，反而容易发现，因为文本一平移，得分就变：12.3的病例5里，
# 整段平移40个token，同一个得分从−0.45变成了−3.64。排布没问题的话，再往下查base、旋转的比例，
# 还有缩放是不是用了两遍。
#
# **外行会说：** “多半是分词器的问题”。
#
# **证据：** 5.6；查询和键排布不同的情形，见12.3的病例5。
#
# </details>
#
# ### Q19 · 全都用bfloat16跑，哪些不行？
#
# <details><summary>回答</summary>
#
# **可以这样答：** 位置、频率和角度不行，算好的余弦和正弦可以。
#
# bfloat16的范围和float32一样大，所以不会溢出，但它只有8位二进制有效数字，存一个正弦值够用，
# 用来数数就不够了：范围大，不等于数得准。超过256它就开始跳着数，257存成256；
# 前4096个位置只剩769个不同的数，最多有17个相邻的位置落在同一个数上。这些token转的角度完全一样，
# 在RoPE看来它们就在同一个地方，分不出谁先谁后。
#
# 频率舍入了也一样糟。角度是$p\,\omega$，$\omega$的相对误差最多$2^{-8}$，看着不大，可是要乘上位置，
# 越到后面偏得越远。12.5里位置是准的，只有频率舍入过，余弦和正弦的最大误差在位置100处是0.03，
# 1000处是0.43，4000处是1.50，而它们本身只在−1到1之间。所以角度要用float32或更高的精度来算，
# 取完余弦和正弦再转成bfloat16。用float32算角度，位置到三万左右，误差都小于$2^{-8}$；
# 再远，float32自身的误差就超过最后这次舍入，要同样准得用float64。
#
# **行家会补充：** 不一定是你自己写错。`model.to(torch.bfloat16)`会把存频率的缓冲区一起转掉；
# 混合精度训练时，autocast会把位置乘频率降到bfloat16（transformers的pull request
# 29285修的就是这个）。两者都只在离开头很远处才错，短测试看不到，
# 所以我会专门测接近上下文末尾的位置，不只看开头几十个token。float32也未必真是float32：
# 位置乘频率若写成矩阵乘法，可能走TF32，超过2048就数不准了（同一仓库的issue 48428）。
# 真正的float32到了远处也会丢掉几位，只是来得晚：得分的误差在位置1000处约为0.00001，
# 在100000处是0.0007（5.9）。
#
# **外行会说：** “bfloat16范围和float32一样大，所以没事”。
#
# **证据：** 2.8、5.9，以及12.5的病例16、17。
#
# </details>

# %% [markdown] lang="en"
# ### Q20 · A paper says that its encoding extrapolates. What do you ask?
#
# <details><summary>Answer</summary>
#
# **Say:** Two things: what exactly was measured, and whether far words are used at all.
#
# First, which loss, on which bytes, at which length, over how many seeds? A longer window gives
# every token more context, so the loss may fall by itself; and it is taken over other text. So I
# compare every byte with itself, $\Delta_T=\operatorname{mean}(\ell_T-\ell_L)$: its loss in the
# window of length $T$, minus its loss in a fresh window of the trained length $L$. Zero means that
# length does no harm, and no more than that. I also ask for the loss at the trained length: in our
# small models NoPE's rises only from 2.47 at 128 bytes to 2.52 at 1024, and still it is far above
# ALiBi's, which is 2.06 at both.
#
# Then, whether far words are *used*. A flat loss cannot show it, because most bytes need nothing
# far back, so I need a task that only far text can answer. Needle in a haystack is the least one
# can ask, and nearly all models pass. RULER adds several needles, chains of variables and counting,
# and there half of the models that claim 32K or more fall short at 32K. So I ask for the effective
# length, not for the one in the config.
#
# **An expert adds:** An ordering must be stable over seeds (9.5): if two methods did not differ at
# all, seven seeds would still agree once in 64 times, so I ask for the size as well. And failing
# late is not the same as using far context (9.9): at four times the trained length T5's excess is
# 0.14 and RoPE's 1.31, but in the lookup task, at the same stretch, they find 23% and 21% of the
# symbols.
#
# **A bluffer says** "it does, perplexity is still flat at 128K".
#
# **Proof:** 9.2, 9.5, 9.9, 9.11.
#
# </details>

# %% [markdown] lang="zh"
# ### Q20 · 论文说它的编码能外推，你问什么？
#
# <details><summary>回答</summary>
#
# **可以这样答：** 我问两件事：到底量的是什么，以及远处的词有没有用上。
#
# 先问测量：什么损失、哪些字节、多长、几个种子？窗口越长，每个token的上下文越多，损失自己就会降；
# 窗口一变，里面的文本也换了，难易又不同。所以要让每个字节跟它自己比，
# $\Delta_T=\operatorname{mean}(\ell_T-\ell_L)$，也就是它在长度为$T$的窗口里的损失，
# 减去它在训练长度$L$的新窗口里的损失。等于零，说明变长没有坏处，也只说明这一点。
# 还要问在训练长度上的损失是多少：在我们的小模型里，从128字节到1024字节，NoPE只从2.47升到2.52，
# 看上去很稳，可ALiBi在两个长度上都是2.06，本来就更好。
#
# 再问远处的词有没有*用上*。这从平稳的损失里看不出来，因为大多数字节本来就用不着远处的内容，
# 得拿只有靠远处才答得出的任务来测。大海捞针是最起码的，几乎所有模型都能过；RULER加上多根针、
# 变量链和计数，号称支持32K或更长的模型，有一半在32K处就不达标。所以我问的是有效长度，
# 不是config里写的长度。
#
# **行家会补充：** 次序要在各个种子上都稳定（9.5）：两种方法就算毫无差别，
# 七个种子也有64分之一的机会碰巧一致，所以还要看差多少。崩得晚也不等于用上了远处的上下文（9.9）：
# 在训练长度的四倍上，T5的超额损失是0.14，RoPE是1.31，相差很大；可换成查找任务，同样是四倍，
# 它们找到的符号分别只有23%和21%，几乎一样。
#
# **外行会说：** “能外推，到128K困惑度还是平的”。
#
# **证据：** 9.2、9.5、9.9、9.11。
#
# </details>

# %% [markdown] lang="en"
# ### Q21 · Could one rotate the values as well?
#
# <details><summary>Answer</summary>
#
# **Say:** Yes, if the output is turned back. Rotated values alone are a bug.
#
# The output at $i$ is a weighted sum, $\sum_jA_{ij}v_j$. In a score, the rotation of the key meets
# that of the query, and only the difference is left. A value meets nothing of the kind. If I rotate
# values as well, I get $\sum_jA_{ij}R_jv_j$, and that depends on where the text begins. But the
# missing partner can be supplied: I turn the whole output back by the angle of its own position.
# Then $R_i^\top\sum_jA_{ij}R_jv_j=\sum_jA_{ij}R_{j-i}v_j$, which is relative again. In the cell of
# 5.8 a shift by 40 tokens changes it by 0.00.
#
# What is it good for? Now a value knows how far away it came from, which scores alone cannot give.
# Take an encoder, without a mask, and one word eight times. With plain RoPE the weights differ from
# place to place, but all values are equal, and any weighted mean of equal vectors is that same
# vector, so we get eight equal outputs. With values turned and the output turned back, these
# outputs differ by up to 0.98: the encoder tells eight equal words apart.
#
# **An expert adds:** It is not a curiosity. Su Jianlin described it in 2025 as a second kind of
# rotary encoding, and in DeepSeek-V4 keys serve as values too, so values arrive turned, and the
# code turns the last channels of each output back with $-\sin$. It costs no parameters, but one
# more rotation of every value and of every output. It is a choice made before training, since the
# output projection of a finished model has never seen turned values.
#
# **A bluffer says** "values must never be rotated".
#
# **Proof:** the exercise in 5.8, and the cell after it, which prints 0.00 and 0.98.
#
# </details>
#
# ### Q22 · How did DeepSeek-V3 get from 4K to 128K?
#
# <details><summary>Answer</summary>
#
# **Say:** By training on, in two stages, 4K to 32K and then 32K to 128K, with YaRN set once for the
# end.
#
# The config says $s=40$ and $L=4096$, so the frequencies are made for 163840 tokens, somewhat more
# than was trained. YaRN changes two things. The first is the frequencies. Pairs that make more than
# 32 turns within $L$ keep theirs, pairs that do not make one full turn are divided by $s$, and in
# between there is a ramp. In latent attention only 64 of the 192 channels of a head turn, so this
# concerns 32 pairs and nothing else.
#
# The second is the temperature. With more keys attention gets flatter, and YaRN makes up for it by
# multiplying queries and keys by $0.1\ln s+1$ each, so scores by its square. Most code puts that
# factor on the cosines and sines, because every channel passes through them. Here 128 channels do
# not rotate, so they would be left out, and the two parts of the score would be weighted
# differently. So the factor is in the scale of the softmax, where it reaches the whole score:
# $(0.1\ln40+1)^2=1.874$.
#
# **An expert adds:** In the config `mscale` and `mscale_all_dim` are equal, so the factor on cosine
# and sine is their quotient, 1. If a port takes over that quotient alone, the 1.874 is lost without
# an error: the model loads and writes, with attention flatter than it was trained. So I would print
# the scale itself, which must be $1.874/\sqrt{192}$. And 163840 in the config is $40\cdot4096$, not
# a length that was trained.
#
# **A bluffer says** "they trained on 128K from the start".
#
# **Proof:** 6.14 for the numbers, 6.7 for ramp and temperature, 13.2 and 13.11 for the config.
#
# </details>
#
# ### Q23 · Why does Gemma 3 have two bases?
#
# <details><summary>Answer</summary>
#
# **Say:** Because its layers see different distances, and a base has to suit the distances that
# occur.
#
# Of every six layers five look back through a window, of 1024 tokens in the 4B model. In them the
# largest distance is that of the window, however long the text is, and base 10000 is plenty. I can
# say what plenty means: at distance $k$, a key that resembles the query leads by the mean of $\cos
# k\omega_i$ over the pairs. A head of Gemma 3 has 256 channels. With base 10000 that mean first
# falls below 0 at 2653 tokens, beyond the window. The sixth layer sees everything, so it needs
# more, and a million carries the mean to 71627. (This is an average, not a hard limit.)
#
# For 128K the global layers also divide positions by 8, linearly, so there the mean stays above 0
# up to about 8 × 71627 tokens, far beyond 131072. The local ones need no scaling, since no distance
# beyond the window ever occurs there, so no angle can be new. The division costs resolution, since
# eight steps now look like one, but only in the global layers: in the 4B model those are five of
# 34. The 29 local ones tell neighbours apart as before.
#
# **An expert adds:** The windows are for the cache first of all. For 131072 tokens the 4B model
# would need 17.0 GiB if all layers saw everything; with windows it needs 2.6 (8.10). A port that
# applies one `rope_theta` to all layers runs without an error, and is wrong in 29 layers or in
# five. And the published file of this model holds neither base: both are defaults in a Python class
# (13.5), so other code may read other numbers.
#
# **A bluffer says** "larger is better, so a million will do for all layers".
#
# **Proof:** 6.14; the cell of 6.2, with 256 channels, for what a base carries; 8.10, 13.4, 13.5,
# and the exercise of 11.5.
#
# </details>
#
# ### Q24 · Documents are packed into one row. Is it enough to restart the positions?
#
# <details><summary>Answer</summary>
#
# **Say:** No. It is a mask that separates documents; positions alone do not.
#
# Restarted positions change angles, not who may look. With the usual triangle over the columns the
# second document still attends to all of the first, and at distances that mean nothing: if the
# first has four tokens, its last one is at 3 and the next document begins at 0, so a key that came
# earlier looks like one in the future. And if the mask is computed from positions, it is worse,
# since positions repeat and documents then read even what comes later in the row.
#
# The cell in 8.8 packs three documents of 4, 5 and 3 tokens. With a mask by position, other words
# in the last document change the output of the first by up to 2.63. With a mask by column that is
# 0.00, but the second document still differs by up to 2.83 from what it gives alone. With a mask by
# document (`cu_seqlens` in fused kernels) both are 0.00. Then, with an encoding that is relative,
# restarting is not even needed: a whole document moves by the same $c$, and $(n+c)-(m+c)=n-m$. It
# is needed for a learned table, where the position picks the row.
#
# **An expert adds:** transformers 5.23 finds the borders where positions start again, but only if
# it is given neither a mask nor a cache. The same thought says which cached chunks may be reused. A
# prefix always may: its keys were computed from the prefix alone. A chunk from the middle may not,
# even if one rotation moves its keys to the right place (8.11): from the second layer on, they and
# the values were computed with another text before them.
#
# **A bluffer says** "yes, that is what `position_ids` are for".
#
# **Proof:** "Packed documents" in 8.8.
#
# </details>
#
# ### Q25 · How do three positions fit into one head?
#
# <details><summary>Answer</summary>
#
# **Say:** A pair can turn by one angle only, so each pair is given to one axis: time, height or
# width.
#
# A head of 128 channels has 64 pairs, and Qwen2-VL deals them out in three blocks: the first 16 to
# time, the next 24 to height, the last 24 to width. Text has three equal positions, $(p,p,p)$, so
# all pairs turn by $p\,\omega_i$ as before, and the language model keeps its weights. Over an image
# time stays level, and height and width count rows and columns.
#
# The weakness is in the blocks. Frequencies fall along the head, so time gets all the fast pairs
# and width only slow ones. A step to the side turns even width's fastest pair by only 0.0002
# radians, and lowers the score of two equal vectors by $7\cdot10^{-10}$ of itself. (Luckily the
# vision part has already told the patches apart.) Time has the opposite trouble: its slowest pair
# has a wavelength of 160, so after 80 steps no single pair can tell before from after. Qwen3-VL
# therefore interleaves them, t, h, w, t, h, w, with 24, 20 and 20 pairs. Every axis has fast pairs
# as well as slow ones: with Qwen2-VL's base, a step along the three axes would lower the score by
# 0.010, 0.0067 and 0.0044.
#
# **An expert adds:** Positions count *merged* patches, each made of 2 × 2 patches of two frames.
# After an image the text goes on at the largest position plus one, not at the number of tokens
# (10.8), so 16 × 16 tokens take 16 positions and not 256. A decoder that takes the length of the
# cache instead says 263, in 10.10, where a single pass has 23. And if Qwen2-VL's three blocks were
# thirds of the head, 9 of the 64 pairs would turn by another axis (10.11).
#
# **A bluffer says** "each axis gets a third of the head".
#
# **Proof:** 10.9; 10.8, 10.10 and 10.11 for what the expert adds.
#
# </details>

# %% [markdown] lang="zh"
# ### Q21 · 值也能旋转吗？
#
# <details><summary>回答</summary>
#
# **可以这样答：** 可以，但转了值，就要把输出转回来。只转值不转回来，是个错误。
#
# 位置$i$的输出是加权和$\sum_jA_{ij}v_j$。在得分里，键的旋转碰上查询的旋转，相抵之后只剩下差；
# 值却不同，它只被加权求和，碰不到能与它相抵的东西。如果值也转，得到的是$\sum_jA_{ij}R_jv_j$，
# 它随文本的起点而变，同一句话挪个地方，输出就不一样了。不过，缺的那一半可以补上：
# 把整个输出按它自己位置的角度转回来，就有$R_i^\top\sum_jA_{ij}R_jv_j=\sum_jA_{ij}R_{j-i}v_j$，
# 又是相对的了。5.8的单元格里把文本平移40个token，输出的变化是0.00。
#
# 这样做有什么用？值里带上了自己从多远来，单靠得分做不到这一点。设想一个不带掩码的编码器，
# 把同一个词重复八遍。只用普通的RoPE，各处的权重虽然不同，八个值却完全相同，
# 而相同的向量不管怎样加权平均，结果都还是它，所以八个输出也完全相同。值转过去、输出再转回来，
# 八个输出之间最多相差0.98，编码器就分得清这八个相同的词了。
#
# **行家会补充：** 这不是摆设。苏剑林2025年把它叫作“第二类旋转位置编码”；DeepSeek-V4的键同时当值用，
# 值本来就是转过的，代码里用$-\sin$把每个输出的最后一段通道转回来。它不添参数，代价只是每个值、
# 每个输出各多转一次。不过这要在训练之前定好：已经训练好的模型，输出投影从没见过转过的值，
# 不能临时加上去。
#
# **外行会说：** “值绝对不能转”。
#
# **证据：** 5.8的练习，以及练习之后的单元格，0.00和0.98由它打印。
#
# </details>
#
# ### Q22 · DeepSeek-V3怎样从4K到128K？
#
# <details><summary>回答</summary>
#
# **可以这样答：** 靠继续训练，分两个阶段，先从4K到32K，再从32K到128K；
# YaRN的设置则从一开始就按最终的长度定好，中间不再改。
#
# config里写的是$s=40$，$L=4096$，也就是频率按163840个token来定，比实际训练到的长度还多一些。
# YaRN改两样东西。第一样是频率：在$L$之内转满32圈以上的对保持不变，一圈都转不满的对除以$s$，
# 两者之间有一段斜坡，从一头过渡到另一头。也就是高频照旧外推，低频内插。
# 隐向量注意力的每个头有192个通道，只有64个在转，所以这一步只涉及32对，别的都不动。
#
# 第二样是温度。文本一长，键就多，注意力会变平，每个键分到的权重都少了。
# YaRN的补救办法是给查询和键各乘$0.1\ln s+1$，得分里两边各有一个，就乘上它的平方。
# 多数代码把这个因子乘在余弦和正弦上，因为平常每个通道都要经过它们，顺手就乘到了。
# 可这里有128个通道不转，余弦和正弦够不着，真这么做，得分里的内容部分和位置部分就不成比例了。
# 所以它放进了softmax的缩放，作用于整个得分：$(0.1\ln40+1)^2=1.874$。
#
# **行家会补充：** config里`mscale`和`mscale_all_dim`相等，余弦和正弦上的因子是两者之商，等于1。
# 移植时如果只抄了这个商，1.874就不声不响地丢了：模型照样能加载，也照样能生成文本，
# 只是注意力比训练时平。所以我会把缩放的数直接打印出来，它应当等于$1.874/\sqrt{192}$。还有，
# config里的163840是$40\cdot4096$，不是训练过的长度，别拿它当承诺。
#
# **外行会说：** “从头就用128K训练”。
#
# **证据：** 数字见6.14，斜坡和温度见6.7，config见13.2和13.11。
#
# </details>
#
# ### Q23 · Gemma 3为什么有两个base？
#
# <details><summary>回答</summary>
#
# **可以这样答：** 因为各层看到的距离不同，而base要配得上实际会出现的距离。
#
# 每六层里有五层只看一个窗口，4B模型的窗口是1024个token。文本再长，
# 这些层里最大的距离也只有窗口那么大，base取10000绰绰有余。怎么算绰绰有余？一个与查询相像的键，
# 隔着距离$k$平均能领先多少，要看各对$\cos k\omega_i$的平均，这个平均总的来说随距离下降，base越大，
# 降得越慢。Gemma 3的头有256个通道，base为10000时，它第一次降到0以下是在2653个token处，
# 已经在窗口之外。第六层看全部，需要的就多了：换成一百万，能撑到71627个。（这是平均值，
# 不是硬限度。）
#
# 要读128K，全局层还把位置线性地除以8，上面那个距离的8倍远远超过131072。局部层不用缩放，
# 因为超出窗口的距离根本不会出现，角度也就不会有新的。除以8当然有代价，八步看起来只像原来的一步，
# 近处就分得粗了。但这个代价只由全局层承担：4B模型的34层里全局层只有五层，另外29个局部层没有动过，
# 照原来的样子分辨近处的词。
#
# **行家会补充：** 窗口首先是为了省缓存：131072个token，如果各层都看全部，4B模型要17.0 GiB，
# 有了窗口只要2.6 GiB（8.10）。移植时若让所有层共用一个`rope_theta`，照样能跑，不报错，
# 却不是错了29层，就是错了五层。还有，这个模型公开的config里两个base都没写，
# 它们是Python类里的默认值（13.5），换一份代码来读，读到的可能就是别的数。
#
# **外行会说：** “base越大越好，所有层都用一百万就行”。
#
# **证据：** 6.14；一个base能撑多远，把6.2的单元格改成256个通道来算；8.10、13.4、13.5，
# 以及11.5节的练习。
#
# </details>
#
# ### Q24 · 几篇文档拼成一行训练，位置重新从0数起就够了吗？
#
# <details><summary>回答</summary>
#
# **可以这样答：** 不够。把文档隔开靠的是掩码，光改位置隔不开。
#
# 位置重新数，改的是角度，不是谁能看谁。按列生成的三角形掩码下，第二篇照样看得到整个第一篇，
# 而且距离全乱了：第一篇若有四个token，最后一个在位置3，第二篇却又从0开始，明明在前面的键，
# 看上去倒像在后面。要是连掩码也按位置来生成，那就更糟：位置会重复，
# 一篇文档连这一行里排在它之后的内容都读得到。
#
# 8.8的单元格把4、5、3个token的三篇文档放在一行。按位置的掩码，换掉最后一篇的词，
# 第一篇的输出最多变2.63。按列的掩码，这一项是0.00，可第二篇与它单独算时最多仍差2.83。
# 按文档的掩码（融合算子里是`cu_seqlens`），两项都是0.00。有了它，又是相对的编码，甚至不必重新数：
# 整篇文档一起平移$c$，$(n+c)-(m+c)=n-m$，距离不变。可学习的表才需要重新数，
# 因为查哪一行由绝对位置决定，接着数下去，后面的文档就用上了别的行，甚至超出表的末尾。
#
# **行家会补充：** transformers 5.23看到位置重新数起，就知道那里是文档的边界，
# 但前提是既没有给它掩码，也没有给它缓存。缓存的块什么时候能复用，也是这个道理：前缀总可以，
# 因为它的键只看过自己；中间的一块不行，哪怕转一次就能把键挪到正确的位置（8.11），因为从第二层起，
# 键和值是看着前面的文本算出来的，而那时前面是另一段文本。
#
# **外行会说：** “够了，`position_ids`就是干这个的”。
#
# **证据：** 8.8的“打包的文档”。
#
# </details>
#
# ### Q25 · 三个位置怎样装进一个头？
#
# <details><summary>回答</summary>
#
# **可以这样答：** 位置有三个，可一对通道只能转一个角度，所以每一对只归一个轴：时间、高或宽。
#
# 一个头128个通道，共64对。Qwen2-VL把它们分成连续的三段：前16对归时间，接着24对归高，最后24对归宽。
# 文本的三个位置相等，都是$(p,p,p)$，每一对照旧转$p\,\omega_i$，和一维RoPE完全一样，
# 所以语言模型的权重可以照用。到了图像上，整幅图的时间都一样，高和宽分别数第几行、第几列。
#
# 毛病就出在这三段上。频率沿着通道越来越低，于是高频对都给了时间，宽只拿到低频对。往旁边走一步，
# 宽轴最高频的一对也只转0.0002弧度，两个相等的向量，得分只降低自身的$7\cdot10^{-10}$，
# 等于什么也看不出来。（好在此前视觉部分已经把各块区分开了。）
# 时间的毛病正好相反：它最低频的一对波长是160，走过80步，没有哪一对单凭自己分得清先后。
# 所以Qwen3-VL改成交错分配，t、h、w、t、h、w，分别得24、20、20对，
# 每个轴高频低频都有。同样走一步，若仍用Qwen2-VL的base，三个轴上得分分别降低0.010、0.0067、0.0044，
# 都看得出来，也相差不大了。
#
# **行家会补充：** 位置数的是*合并后*的块，2 × 2个块、两帧合成一个。
# 图像之后的文本从最大位置加1接着数，不是从token数接着数（10.8），
# 所以16 × 16个token的图像只占16个位置，不是256个。解码时若把缓存的长度当位置，
# 只要前面有图像就会错：10.10里它给出263，而一次算完是23。另外，并不是每个轴各占三分之一：
# Qwen2-VL的三段若那样切，64对里会有9对换到别的轴上（10.11）。
#
# **外行会说：** “三个轴各占头的三分之一”。
#
# **证据：** 10.9；行家补充的几点见10.8、10.10和10.11。
#
# </details>

# %% [markdown] lang="en" way="everything"
# ## 11.9 What is not true
#
# What the bluffer says is short and sounds right. Here are two more such sentences, and the numbers
# against them.
#
# **"Relative is always better."** If so, a purely relative model would lose nothing. One word eight
# times, in an encoder: the cell prints the largest difference between any of the eight outputs
# $o_i$ and the first, $o_0$.

# %% [markdown] lang="zh" slide="show"
# ## 11.9 哪些说法不对
#
# 外行的话往往简短又顺耳。这里再添两句，看看数字怎么说。
#
# **“相对位置总是更好。”** 若真如此，换成相对位置就不该有任何损失。在编码器里把一个词重复八遍，
# 打印的是八个输出$o_i$与第一个$o_0$最多相差多少：

# %%
rng = torch.Generator().manual_seed(3)
word = torch.randn(1, 1, 1, 32, generator=rng).expand(1, 1, 8, 32)
at = positions(8)
bias = alibi(at, at, alibi_slopes(1), form="symmetric")
relative = attention(word, word, word, bias=bias)[0, 0]
placed = word + sinusoidal(at, 32).float()
absolute = attention(placed, placed, placed)[0, 0]
for name, rows in (("relative", relative), ("absolute", absolute)):
    print(f"{name}: max |o_i - o_0| = {(rows - rows[0]).abs().max():.1f}")

# %% [markdown] lang="en"
# This 0.0 shows what is lost: with relative scores alone, eight equal words get eight equal
# outputs, and where each stood is gone; with absolute positions they differ (4.8).
#
# **"More parameters, better positions."** At the trained length the perplexities in Table 1 of
# Haviv et al. 2022 (WikiText-103) are 20.42 for a learned table, 20.16 for sinusoidal and 19.71 for
# ALiBi. Only the table has parameters, and it is no better: about level with the sines (3.11),
# behind ALiBi.

# %% [markdown] lang="zh" slide="show"
# 这个0.0说明丢了东西：只有相对得分时，八个相同的词得到八个相同的输出，谁在哪里就看不出了；
# 加了绝对位置，才分得开（4.8）。
#
# **“参数越多，位置编码越好。”** 在训练长度上，Haviv等（2022）表1（WikiText-103）的困惑度是：
# 可学习的表20.42，正弦20.16，ALiBi 19.71。只有那张表有参数，却并没有更好：
# 与正弦几乎不分上下（3.11），不如ALiBi。

# %% [markdown] lang="en" way="everything"
# ## 11.10 In real models
#
# What did the builders of real models choose? Most rows are decisions of 11.2, each with what to
# watch.
#
# | model | encoding | what to watch |
# |---|---|---|
# | BERT | learned table | texts up to 512; the table ends there (3.12) |
# | GPT-2 | learned table | 1024 rows; with padding, take positions from the mask (8.15) |
# | T5 | buckets | one table serves all layers (4.5) |
# | BLOOM | ALiBi | one row for all queries, with a causal mask only (7.10) |
# | Llama 3.1 | RoPE, `llama3` | base 500000; trained at length 8192 first (6.14) |
# | Llama 4 | RoPE in three layers of four | in the rest, queries grow with position (Q10 of 11.8) |
# | Command A | RoPE in window layers, every fourth sees all | no positions there (Q11 of 11.8) |
# | Qwen2.5, the first Qwen3 models | RoPE | base 1000000; YaRN, $s=4$, for long texts only (6.14) |
# | Qwen3 of July 2025 | RoPE | reads 262144 tokens as it is |
# | Gemma 3 | RoPE with two bases | 10000 in window layers, 1000000 in global ones (6.14) |
# | DeepSeek-V3 | RoPE on 64 of 192 channels | the temperature is in the softmax scale (6.14) |
# | Qwen2-VL | M-RoPE | text is RoPE, images are a grid of *merged* patches (10.13) |

# %% [markdown] lang="zh"
# ## 11.10 在真实模型中
#
# 真正要做决定的人是怎么选的？下表的多数行都能在11.2节的清单里找到，末列写的是各自要留意的地方。
#
# | 模型 | 编码 | 要留意什么 |
# |---|---|---|
# | BERT | 可学习的表 | 文本不能超过512，表到此为止（3.12） |
# | GPT-2 | 可学习的表 | 表有1024行；有填充时，位置要由掩码算出（8.15） |
# | T5 | 桶 | 所有层共用一张表（4.5） |
# | BLOOM | ALiBi | 所有查询共用一行，只适用于因果掩码（7.10） |
# | Llama 3.1 | RoPE，`llama3` | base为500000，最初的训练长度是8192（6.14） |
# | Llama 4 | RoPE，每四层有一层不用 | 不用的那些层，查询随位置放大（11.8节Q10） |
# | Command A | 窗口层用RoPE，每四层有一层看全部 | 看全部的那层不加位置（11.8节Q11） |
# | Qwen2.5、首批Qwen3 | RoPE | base为1000000；文本很长时才开$s=4$的YaRN（6.14） |
# | 2025年7月的Qwen3 | RoPE | 本身就能读262144个词元 |
# | Gemma 3 | RoPE，两个base | 窗口层10000，全局层1000000（6.14） |
# | DeepSeek-V3 | RoPE，只转192个通道中的64个 | 温度乘在softmax的缩放里（6.14） |
# | Qwen2-VL | M-RoPE | 文本是RoPE，图像是*合并后*的块组成的网格（10.13） |

# %% [markdown] lang="en"
# ### Think: the legal archive
#
# A company has a RoPE checkpoint of trained length 8192 and wants answers over contracts of 60000
# tokens. A consultant proposes to replace RoPE by ALiBi, "because it extrapolates". Say what is
# wrong with that, what you would do instead, and which measurement would convince you. Three or
# four sentences in the next cell.
#
# On your own: write your answer first, then check it with questions 23, 30 and 34 of the quiz in
# 11.11.

# %% [markdown] lang="zh"
# ### 想一想：合同档案
#
# 某公司有一个训练长度为8192个词元的RoPE模型，想对60000个词元的合同做问答。
# 一位顾问建议把RoPE换成ALiBi，“因为它能外推”。这有什么不对？你会怎么做？什么样的测量能让你信服？
# 在下一个单元格里写三四句话。
#
# 自学的话，先写下自己的答案，再用11.11节测验的第23、30、34题核对。

# %% [markdown] thinking="legal_archive" points=3
# <div lang="en">
#
# **Model answer.** The weights were trained with rotated queries and keys; without the rotation
# their scores mean nothing, so the swap would mean training again. And ALiBi's flat loss does not
# show that far words are used, which is what answers about long contracts need. Instead: by parts
# or YaRN with a stretch of about 8, tune on long texts, keep an eye on short ones. Convincing
# would be questions whose answer is far away, at several depths, against the same model that sees
# the near part alone; not the perplexity.
#
# **Points.** 1 for "the checkpoint is trained for its own encoding"; 1 for a scaling with a
# stretch of about 8, or a larger base, with tuning; 1 for a test that only far context can answer.
#
# </div>
# <div lang="zh">
#
# **参考答案。** 模型是用旋转过的查询和键训练的，去掉旋转，得分就没有意义，换编码等于重新训练。
# 再说，ALiBi的损失平稳，并不说明它用上了远处的词，而长合同问答要的正是这个。
# 应当用扩展倍数约为8的NTK-by-parts或YaRN（低频对的角度缩到约1/8），用长文本微调，
# 同时留意短文本有没有变差。
# 能让人信服的不是困惑度，而是这样的测试：问题的答案放在远处、分布在不同深度，
# 并与只看近处的同一模型对比。
#
# **评分。** 说出“模型是按它自己的编码训练的”得1分；给出扩展倍数约为8的缩放，或调大base，并微调，
# 得1分；
# 给出只有用上远处上下文才答得对的测试得1分。
#
# </div>

# %% [markdown] lang="en" way="everything"
# ## 11.11 The quiz over chapters 0 to 11
#
# All questions, each option with its reason. Nobody sees your result.

# %% [markdown] lang="zh"
# ## 11.11 第0到11章的测验
#
# 下面是全部题目，每个选项都附有理由。没有人看得到你的结果。

# %%
quiz("choose")

# %% [markdown] lang="en"
# Some days later, a test paper of your own from the same questions: one for each of chapters 0 to
# 11, drawn with a number, the options in another order. Put any whole number from 0 on in place of
# 2026; another number makes another selection, which may share some questions. The test counts no
# points: its key is part of the course that you have installed.

# %% [markdown] lang="zh"
# 过几天再做一份自己的试卷：从上面的题里，第0到11章各抽一题，由一个编号决定，选项次序也重新打乱。
# 把2026换成任意非负整数，就另抽一份，其中可能有几题重复。试卷不计分，因为答案就在你安装的课程里。

# %%
quiz("choose", draw(2026))

# %% [markdown] lang="en" way="everything"
# ## 11.12 Take-away
#
# - A checkpoint has chosen already: read its config, keep its encoding, and extend it knowingly.
# - New text model: RoPE with a large base and a stage of long texts; for very long ones, windows in
#   most layers. Fixed form: a table. Images: two axes. Stream: a window with sinks.
# - Longer texts: YaRN, with a small factor as it is, with a large one after tuning; then measure
#   what far words are worth.
# - Parameters hardly matter. What costs time is a bias matrix that is rebuilt, or a cache that is
#   turned again at every step.
# - A number that comes without its measure, its length, its seeds and its source is not an
#   argument.

# %% [markdown] lang="zh" slide="show"
# ## 11.12 本章要点
#
# - 已有checkpoint就是已经选好了：读config，沿用它的编码；要扩展，就要明白自己在做什么。
# - 新的文本模型：RoPE，base取大些，再加一个长文本训练阶段；文本极长，就让多数层加窗口。
#   固定表单：一张表。图像：两个轴。流式：窗口加attention sink。
# - 更长的文本：用YaRN，倍数小可以直接用，倍数大就要微调；然后实测远处的词究竟有没有用。
# - 参数量几乎不要紧。真正费时的，是反复重建的偏置矩阵，或每步重转的缓存。
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
# - S. Yang, Y. Shen, K. Wen, S. Tan, M. Mishra, L. Ren, R. Panda, Y. Kim: *PaTH Attention: Position
#   Encoding via Accumulating Householder Transformations*. NeurIPS 2025.
#   [arXiv:2505.16381](https://arxiv.org/abs/2505.16381). Positions that the words decide.
# - B. Yang et al.: *Rope to Nope and Back Again: A New Hybrid Attention Strategy*. 2025.
#   [arXiv:2501.18795](https://arxiv.org/abs/2501.18795). Layers with and without RoPE.

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
# - S. Yang, Y. Shen, K. Wen, S. Tan, M. Mishra, L. Ren, R. Panda, Y. Kim：*PaTH Attention: Position
#   Encoding via Accumulating Householder Transformations*。NeurIPS 2025。
#   [arXiv:2505.16381](https://arxiv.org/abs/2505.16381)。由词来决定的位置。
# - B. Yang等：*Rope to Nope and Back Again: A New Hybrid Attention Strategy*。2025。
#   [arXiv:2501.18795](https://arxiv.org/abs/2501.18795)。有RoPE的层与没有RoPE的层。
