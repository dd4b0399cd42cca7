# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
#   kernelspec: {display_name: Python 3, language: python, name: python3}
#   posenc:
#     title: {en: Reading a real model, zh: 读懂一个真实模型}
#     question:
#       en: "Given a config.json: what does the model do with positions, and how far does it reach?"
#       zh: 拿到一份config.json：这个模型怎样处理位置，能用到多长？
# ---

# %% [markdown] lang="en" way="everything"
# # 13 · Reading a real model
#
# You have downloaded a folder of weights, and in it is a `config.json` of some forty lines. A dozen
# of them decide what the model does with positions. Read one of these wrongly, and the model loads,
# answers short questions well, and falls apart at ten thousand tokens.
#
# **The question.** Given a config.json: what does the model do with positions, how far does it
# reach, and what may you change?
#
# **You will** read six published configs, first by eye and then with a tool; write functions that
# read heads and layers; write the JSON for texts up to eight times as long, and count what short
# texts pay; find contradictions; check weights against their config; and fix three mistakes from
# public issues and pull requests.
#
# **You need** chapters 5, 6 and 8, 7 for BLOOM, 10.9 for M-RoPE. 7 exercises, 17 points, about
# {minutes} minutes.

# %% [markdown] lang="zh"
# # 13 · 读懂一个真实模型
#
# 下载来的权重文件夹里，有一份四十来行的`config.json`，其中十几行决定了模型怎样处理位置。
# 读错一行，模型照样加载，短问题照样答得好，到一万个词元（token）就散了架。
#
# **本章的问题。** 拿到一份config.json：这个模型怎样处理位置，能用到多长，你可以改什么？
#
# **你将**先用眼睛、再用工具读六份公开的配置；写函数读出头和层的设置；
# 为长到八倍的文本写出JSON配置，并算清短文本要付的代价；找出自相矛盾之处；
# 拿权重核对配置；最后修好三个来自公开的issue和pull request的错误。
#
# **你需要**第5、6、8章，BLOOM看第7章，M-RoPE看10.9节。共7道练习，17分，约{minutes}分钟。

# %%
import json
import math
import tempfile
from pathlib import Path

import torch
import torch.nn.functional as F

from autograde import answer, check, hint, progress, quiz
from bilingual.switch import language_switch
from posenc_ref import frequencies, from_config, rope_angles, rotate
from posenc_ref.command.arguments import main as explain
from posenc_ref.command.stretch import after, far_reaching, stretched
from posenc_ref.config.remarks import ConfigError
from posenc_ref.published import SOURCES, published
from posenc_viz import Curve, Curves, explore
from posenc_viz.labels import real_models as label

torch.set_num_threads(1)
language_switch()

# %% [markdown] lang="en" way="everything"
# ## 13.1 The field that nobody used
#
# In July 2026 someone looked through a library that runs vision models and found ten that read
# `rope_scaling` from the config and never used it ([mlx-vlm#1710][1710]). Nobody had noticed. One
# of them is Llama 3.2 Vision, which rotates as Llama 3.1 8B does: its `rope_scaling` says `llama3`,
# factor 8. What if the angles are computed without it? The right key and the wrong one differ by a
# rotation, and for random keys their cosine averages to
#
# $$\frac1n\sum_i\cos\bigl((\omega_i-\omega_i')\,p\bigr),$$
#
# with $n$ pairs, $\omega_i$ the scaled frequencies and $\omega_i'$ the plain ones. Guess it at
# positions 10, 1000, 8192 and 60000. (1: no harm.)
#
# [1710]: https://github.com/Blaizzy/mlx-vlm/pull/1710

# %% [markdown] lang="zh" slide="show"
# ## 13.1 没人用的字段
#
# 2026年7月，有人翻看一个运行视觉模型的库，发现其中十个模型从配置里读了`rope_scaling`，
# 却从来没有用上（[mlx-vlm#1710][1710]），此前一直没人察觉。
# 其中的Llama 3.2 Vision旋转方式与Llama 3.1 8B相同，`rope_scaling`写的是`llama3`，factor为8。
# 算角度时不理会它，会怎样？转错的键与转对的键之间差一个旋转；对随机的键，两者夹角余弦的平均值是
#
# $$\frac1n\sum_i\cos\bigl((\omega_i-\omega_i')\,p\bigr),$$
#
# 共$n$对，$\omega_i$是缩放后的频率，$\omega_i'$是缩放前的。
# 猜猜它在位置10、1000、8192、60000各是多少？（1表示毫无损害。）
#
# [1710]: https://github.com/Blaizzy/mlx-vlm/pull/1710

# %% tags=["predict"]
llama = from_config(published("llama_3_1_8b")).layers[0].rotary
omega, _ = llama.frequencies()
plain = frequencies(llama.rotated, base=llama.base)
for p in (0, 10, 1000, 8192, 60000):
    print(f"p = {p:5}: {((omega - plain) * p).cos().mean():.3f}")

# %% [markdown] lang="en"
# No difference at the start, 0.96 at 1000, 0.77 at 8192, 0.54 at 60000. (The thread measured 0.959
# at 1000 and 0.757 at 8192, on one input.)
#
# Below, a query at 60000 and a key 5 tokens back, then the same key 59990 back: the right score
# (not divided by $\sqrt D$), and that without scaling. Are both spoilt?

# %% [markdown] lang="zh" slide="show"
# 开头一点不差，到1000处是0.96，到8192处是0.77，到60000处只剩0.54。
# （那个帖子在一份输入上测得1000处0.959、8192处0.757。）
#
# 下面的查询在60000处，先看5个词元之前的键，再看59990个词元之前的同一个键，
# 每行先是正确的得分（未除以$\sqrt D$），再是漏掉缩放的得分。
# 两处都错了吗？

# %% tags=["predict"]
pair = torch.randn(1, 1, 2, 128, generator=torch.Generator().manual_seed(0))  # query, key
for back in (5, 59990):
    at = torch.tensor([60000, 60000 - back])
    turned = [rotate(pair, rope_angles(at, w), layout="half")[0, 0] for w in (omega, plain)]
    print(f"{back:5}:", *(f"{query @ key:.2f}" for query, key in turned))

# %% [markdown] lang="en"
# No: the near key is scored nearly right, the far one gets −4.93 for 4.62. Short questions pass, as
# does a test of ten tokens.
#
# **An error that is zero at distance 0 and grows with it is not found by short prompts.** A score
# sees differences (5.2): read $p$ in the formula as the distance back to the key. It is the
# figure's axis. For which model does the curve fall soonest?

# %% [markdown] lang="zh" slide="show"
# 没有：近处的键，得分几乎不差；远处的从4.62变成−4.93。
# 问十个短问题都能过，只跑十个词元的测试也能过。
#
# **误差在距离0处为零、随距离增长的错误，短prompt（提示词）查不出来。**
# 得分只看差（5.2），所以公式里的$p$要读作到那个键的距离，下图的横轴也是它。
# 哪个模型的曲线降得最早？


# %%
def ignored(model="llama_3_1_8b", position=1000):
    # far_reaching: the rotary encodings of the layers that see everything
    rotary = far_reaching(from_config(published(model)))[0]
    omega, _ = rotary.frequencies()
    gap = omega - frequencies(rotary.rotated, base=rotary.base)  # (D/2,)
    p = torch.logspace(0, 5, 101)
    cosine = (p[:, None] * gap).cos().mean(1)
    return Curves(
        Curve(p, cosine),
        **label.apart(position=position, cosine=(position * gap).cos().mean().item()),
        x_scale="log",
        x_limits=(1, 1e5),
        y_limits=(-0.2, 1.05),
        vlines=[position],
    )


explore(ignored, **label.ignoring, model=label.models, position=(200, 40000, 200))

# %% [markdown] lang="en"
# *Picture: the cosine against the distance on a logarithmic axis, 1 at the left, on the whole
# falling to the right, in waves; a dashed line at the chosen distance.*
#
# Llama and Qwen leave their fast pairs alone: nothing shows for hundreds of tokens. DeepSeek-V3,
# stretched by 40, is down to 0.44 at 600 (over the 64 channels that turn; over all 192 of a key it
# is 0.81). Gemma 3 falls soonest: it divides *all* frequencies by 8, and its curve is down to 0.8
# at 10. Even so, Gemma 3 4B without the scaling passed a short prompt in the same library: after
# 195 tokens the ranks of the top 100 tokens still correlated at 0.96 with the reference. (It may
# help that only five of the 34 layers are scaled.) After 2916 the correlation was 0.53, and the
# model repeated itself ([mlx-vlm#1709][1709]).
#
# [1709]: https://github.com/Blaizzy/mlx-vlm/pull/1709

# %% [markdown] lang="zh"
# *图：横轴是对数刻度的距离，纵轴是余弦，左端为1，向右起伏着下降；虚线是所选的距离。*
#
# Llama和Qwen的高频对没有动，几百个词元以内什么也看不出。DeepSeek-V3扩展40倍，到600处只剩0.44
# （只算旋转的64个通道；整个键192个通道，是0.81）。
# 降得最早的是Gemma 3：它把*所有*频率除以8，才到距离10，曲线就跌到0.8。即便如此，
# 那个库里漏掉了缩放的Gemma 3 4B，短prompt还是过了：拿前100个候选词元的排序与参考实现比，
# 文本长195个词元时，秩相关还有0.96（也许与34层里只有五层缩放有关）；
# 长2916个时只剩0.53，模型开始复读（[mlx-vlm#1709][1709]）。
#
# [1709]: https://github.com/Blaizzy/mlx-vlm/pull/1709

# %% [markdown] lang="en" way="everything"
# ## 13.2 Six configs, as published
#
# So read the file yourself. Here are six, cut down to little more than the fields on which
# positions and heads depend; names, values and order are those of the published files, but for
# `model_type`, put first (three were read from copies: 13.12). Look in each for two things: which
# encoding it is, and how long the texts were before any stretch.

# %% [markdown] lang="zh" slide="show"
# ## 13.2 六份公开的配置
#
# 所以要自己读。下面是六份文件，主要留下与位置、与头有关的字段，名称、数值、次序都与公开的文件一致，
# 只有`model_type`挪到了最前（有三份是从副本读来的，见13.12）。
# 每份先找两样：用的是什么编码，扩展之前的训练长度是多少。

# %%
MODELS = ("llama_3_1_8b", "qwen_2_5_7b_yarn", "gemma_3_4b", "deepseek_v3", "bloomz_1b7")
MODELS += ("qwen_2_vl_7b",)
CONFIGS = {name: json.loads(published(name).read_text()) for name in MODELS}
for name, config in CONFIGS.items():
    print(name)
    for field, value in config.items():
        print(f"    {field}: {json.dumps(value)}")

# %% [markdown] lang="en"
# Before you look at the answer, four traps. `max_position_embeddings` is 131072 in two of them, and
# means two things. Two have a `sliding_window` that no layer uses. One of the five with RoPE does
# not name its base (`rope_theta`) at all. And one names its encoding only in a field that no
# program reads. Now the tool, for each kind of layer: encoding, how far it sees, window; then base,
# channels that turn, layout, scaling, and length before the stretch → allowed length. (`unsaid`:
# the file does not say; None: it does not say, or there is no window. Gemma 3's file has two parts,
# `text_config` and `vision_config`, each with rows of its own.)

# %% [markdown] lang="zh" slide="code"
# 看答案之前，先提醒四处容易看错的地方：有两份的`max_position_embeddings`都是131072，意思却不同；
# 有两份写着`sliding_window`，却没有一层用它；用RoPE的五份里，有一份根本没写base（底数，
# 即`rope_theta`）；还有一份对自己的编码只字不提，唯一沾边的字段谁也不读。
# 现在用工具来读，每种层依次是：编码、看到多远、窗口；
# 再是base、旋转的通道、排布、缩放、扩展前的长度→允许长度。
# （`unsaid`是文件没说；None是文件没说，或者没有窗口。Gemma 3的文件分两部分，
# `text_config`和`vision_config`，各有自己的行。）

# %% tags=["predict"]
for name in MODELS:
    whole = from_config(published(name))
    for stack, part in ({name: whole} | whole.parts).items():
        for i, layer in enumerate(part.layers):
            if layer in part.layers[:i]:
                continue  # each kind of layer once
            print(f"{stack}: {layer.kind}, reach={layer.reach}, window={layer.window}")
            if (r := layer.rotary) is not None:
                print(f"    base={r.base}, rotated={r.rotated}, {r.layout}, {r.scaling},", end=" ")
                print(f"{r.trained_length} → {r.max_length}")

# %% [markdown] lang="en"
# **131072 twice.** Qwen's is 4 × 32768, a stretch that nobody tuned for; Llama, stretched
# from 8192, was then trained further, on texts of up to 131072. **A window that is off**, in
# Qwen2.5 and Qwen2-VL: `use_sliding_window` is false, so the width says nothing. **Gemma**: no
# field of `text_config` gives the base or the length, or says which layers have the window; the
# tool says None and `unsaid`, and guesses nothing. `vision_config` is the image encoder, which adds
# positions at the input and rotates nothing. **BLOOM**: the word ALiBi is only in `offset_alibi`, a
# relic of its training code that no program reads; what decides is `model_type`. Its length is
# `seq_length`, 2048; the tool printed lengths for RoPE only. **Qwen2-VL**: `"mrope"` scales
# nothing: it gives pairs to three axes (10.9). Its `vision_config` gives no number of layers, so it
# has no row; that encoder has axial RoPE (10.13).

# %% [markdown] lang="zh" slide="show"
# **两个131072。** Qwen的是4 × 32768，没有在这么长的文本上微调过；Llama从8192扩展之后，
# 又继续训练到131072。**关着的窗口**，Qwen2.5和Qwen2-VL都是：`use_sliding_window`为false，
# 宽度写了也没用。
# **Gemma：** `text_config`没有一个字段写着base，也没写长度，没写哪些层有窗口，
# 工具给出None和`unsaid`，不去猜；`vision_config`是图像编码器，位置加在输入上，不旋转。
# **BLOOM：** 只有`offset_alibi`提到ALiBi，那是训练代码留下的字段，谁也不读；
# 程序靠`model_type`认出ALiBi。
# 长度写在`seq_length`里，是2048；上面只给RoPE打印了长度。
# **Qwen2-VL：** `"mrope"`不是缩放，它把各对分给三个轴（10.9）。它的`vision_config`没写层数，
# 所以没有自己的行；那个图像编码器用的是轴向RoPE（10.13）。

# %% [markdown] lang="en" way="everything"
# ## 13.3 How much of a head turns
#
# Start with the smallest question: how wide is a head, and how much of it turns? The rest is
# computed from the answer: the exponent $2i/d$, how often each pair goes round within a text and,
# except in latent attention, the size of the cache.
# `hidden_size` divided by the heads is the answer for the Llama and both Qwens of 13.2 (Qwen3-4B
# would get 80, and has 128). For Gemma 3 it would be 2560 / 8 = 320, but a head has 256 (its file
# gives neither the number of heads nor their width). For DeepSeek-V3 it would be 56, and a head has
# 192, of which 64 turn (5.12). In Phi-2 only four tenths of a head turns. Write a function that
# reads both:

# %% [markdown] lang="zh" slide="show"
# ## 13.3 一个头里转多少
#
# 先问最基本的：一个头有多宽，其中多少通道在转？指数$2i/d$、每一对在文本里转的圈数，
# 都由转的通道数算出；缓存的大小则由头宽算出（隐向量注意力除外）。
# 用`hidden_size`除以头数，对13.2里的Llama和两个Qwen是对的（Qwen3-4B会得到80，其实是128）；
# 对Gemma 3会得到2560 / 8 = 320，其实一个头有256（头数和头宽，它的文件都没写）；
# 对DeepSeek-V3会得到56，其实一个头有192个通道，只转其中64个（5.12）。
# Phi-2的头则只转四成。写一个函数，把这两个数读出来：


# %% exercise="rotated_channels"
def rotated_channels(config):
    """Return the channels of a query head, and how many of them turn."""
    ### BEGIN SOLUTION
    if "qk_rope_head_dim" in config:
        turning = config["qk_rope_head_dim"]
        return config["qk_nope_head_dim"] + turning, turning
    head = config.get("head_dim") or config["hidden_size"] // config["num_attention_heads"]
    return head, int(head * config.get("partial_rotary_factor", 1.0))
    ### END SOLUTION


# %% check="rotated_channels"
check("rotated_channels", rotated_channels)

# %% [markdown] lang="en" way="everything"
# ## 13.4 Layer by layer
#
# "Gemma 3 has a window of 1024" is half true: 29 of its layers have one, with base 10000, and five
# see everything, with base 1000000. Files say which is which in four ways: a list `layer_types`,
# the newest; a period (every so many layers, one sees everything); one window for all, which may be
# switched off; and, in Qwen2 and Qwen2.5, a window from layer `max_window_layers` on (28 of 28 in
# 13.2: even switched on, it would reach no layer). The exercise leaves the fourth out. SmolLM3 and
# Llama 4 leave RoPE out in some layers, and say so in `no_rope_layers`, where 1 means that a layer
# does rotate.

# %% [markdown] lang="zh" slide="show"
# ## 13.4 一层一层地读
#
# 说“Gemma 3的窗口是1024”只对了一半：它有29层带窗口，base为10000；另有五层看得到全部，
# base为1000000。哪层是哪种，文件里有四种写法：逐层写明的列表`layer_types`，这是最新的；
# 一个周期，即每隔几层有一层看得到全部；所有层共用一个窗口，这时还可以整个关掉；
# Qwen2和Qwen2.5则是从第`max_window_layers`层起才有窗口（13.2里一共28层，这个数也是28，
# 开关打开了也没有一层有窗口）。练习里不管第四种。SmolLM3和Llama 4的某些层不用RoPE，
# 写在列表`no_rope_layers`里，其中1却表示这一层要转。


# %% exercise="layer_plan"
def layer_plan(config):
    """Return (base or None, window or None) of every layer."""
    ### BEGIN SOLUTION
    n, width = config["num_hidden_layers"], config.get("sliding_window")
    types, every = config.get("layer_types"), config.get("sliding_window_pattern")
    turns, plan = config.get("no_rope_layers", [1] * n), []
    for i in range(n):
        if types is not None:
            local = types[i] == "sliding_attention"
        elif every is not None:
            local = (i + 1) % every != 0
        else:
            local = width is not None and config.get("use_sliding_window") is not False
        base = config["rope_theta"]
        if local:
            base = config.get("rope_local_base_freq", base)
        plan.append((base if turns[i] else None, width if local else None))
    return plan
    ### END SOLUTION


# %% check="layer_plan"
check("layer_plan", layer_plan)

# %% [markdown] lang="en"
# The tool answers the same question for most architectures of Hugging Face transformers, and prints
# the answer in your language. In a terminal it is `python -m posenc_ref config.json`. Gemma 3 4B
# again, in a file that transformers saved later:

# %% [markdown] lang="zh" slide="show"
# 对Hugging Face transformers的大多数架构，工具都能回答同样的问题，用你的语言打印出来；
# 在终端里是`python -m posenc_ref config.json`。还是Gemma 3 4B，这次的文件是transformers后来存的：

# %%
explain([str(published("gemma_3_4b_saved_again"))])

# %% [markdown] lang="en" way="everything"
# ## 13.5 What the file does not say
#
# Google's own file lacks the bases, the pattern of the windows, the heads and their width, as you
# saw above. Below is what this second one, which transformers saved after fine-tuning, has beyond
# the `text_config` of the first (where `torch_dtype` stands outside it).

# %% [markdown] lang="zh"
# ## 13.5 文件没有说的
#
# 前面看到，Google自己那份没写base，没写哪些层有窗口，也没写头数和头宽。
# 下面看看微调之后由transformers另存的这一份，
# 比Google那份的`text_config`多了哪些字段（`torch_dtype`在那里写在外层）。

# %%
own = CONFIGS["gemma_3_4b"]["text_config"]
again = json.loads(published("gemma_3_4b_saved_again").read_text())
print("again − own:", {name: again[name] for name in again if name not in own})

# %% [markdown] lang="en"
# Now what `from_config` reports as missing from the first file. Which of the fields above will it
# not report, since no layer's encoding depends on them?

# %% [markdown] lang="zh"
# 再看`from_config`说第一份缺了哪些。
# 上面这些字段里，有几个与各层的编码无关，它不会算作缺少：是哪几个？

# %% tags=["predict"]
print("unsaid:", from_config(own).unsaid)

# %% [markdown] lang="en"
# Five: the numbers of query and of KV heads and the allowed length, of use for the cache and for
# longer texts, `query_pre_attn_scalar` and `torch_dtype`. (In `unsaid`, `layer_types` stands for
# the pattern and `rope_theta` for both bases; it also names the trained length, which neither file
# gives.)
#
# Both bases, the heads and their width, the pattern and the allowed length: the first file leaves
# all of them to the *defaults of a Python class*. Whoever reads it with other code, or with another
# version, gets other numbers or none.
#
# A program can also look in the wrong place. Newer files keep `rope_theta` and the scaling together
# in a dictionary `rope_parameters`, older ones have the base at the top level; whoever looks in the
# other place finds nothing and takes a default of the program's own, 10000. On one server a model
# with a far larger base therefore repeated itself from the first token on ([vllm#56066][56066]).
#
# **What none of the five files with RoPE says**: which two channels are a pair. Llama in this
# format pairs $i$ with $i+D/2$, DeepSeek-V3 neighbours; `model_type` decides (5.6). Only some newer
# files have a field for it, `rope_interleave`.
#
# [56066]: https://github.com/vllm-project/vllm/pull/56066

# %% [markdown] lang="zh"
# 五个：查询头数、KV头数、允许的长度（这三个是算缓存、加长文本用的），
# 还有`query_pre_attn_scalar`和`torch_dtype`。
# （`unsaid`里的`layer_types`指的就是周期，`rope_theta`指两个base；
# 另外还列了训练长度，那是两份文件都没写的。）
#
# 两个base、头数和头宽、周期、允许的长度，第一份文件一个也没写，
# 读它时取的全是*某个Python类的默认值*。换一套代码、换一个版本来读，得到的数就不同，或者根本没有。
#
# 程序也可能找错地方。新文件把`rope_theta`和缩放一起写进字典`rope_parameters`，
# 旧文件的base写在顶层；程序若只在这两处中的一处找，
# 而文件恰好写在另一处，就会用自己的默认值10000。有个推理服务器就因此让一个base远大于此的模型，
# 从第一个词元起就不停重复（[vllm#56066][56066]）。
#
# **用RoPE的五份文件都没有说的：** 哪两个通道是一对。这种格式的Llama是$i$与$i+D/2$配对，
# DeepSeek-V3是相邻的配对，由`model_type`决定（5.6）。
# 一些较新的文件才有字段`rope_interleave`来说明。
#
# [56066]: https://github.com/vllm-project/vllm/pull/56066

# %% [markdown] lang="en"
# BLOOM's file has no slopes: they follow from the number of heads. It does have a length, and that
# was 4096 until somebody corrected it to the 2048 of the paper. What changed in the model?

# %% [markdown] lang="zh" slide="show"
# BLOOM的文件没写斜率，因为由头数就能算出。它倒写着一个长度，原来是4096，
# 后来有人按论文改成了2048。模型因此有什么变化？

# %% tags=["predict"]
bloom = from_config(CONFIGS["bloomz_1b7"])
before = from_config(CONFIGS["bloomz_1b7"] | {"seq_length": 4096})
print("bloom.layers == before.layers:", bloom.layers == before.layers)

# %% [markdown] lang="en"
# Nothing: ALiBi needs no length, and neither transformers' BLOOM nor this tool builds anything from
# `seq_length`. The number only says how long the training texts were.

# %% [markdown] lang="zh"
# 毫无变化。ALiBi用不着长度，transformers的BLOOM和这个工具都不拿`seq_length`来算什么，
# 它只说明训练文本有多长。

# %% [markdown] lang="en" way="everything"
# ## 13.6 Texts several times as long
#
# Now you change the file. In chapter 6 you scaled frequencies; a server is given JSON. This JSON
# has two lengths that are easily confused: the trained length before any stretch, from which YaRN
# and `llama3` work out how often each pair turned in training, and the longest that is allowed. The
# figure shows what share of its circle each pair covers in a whole text; a full turn or more counts
# as 1. First look at what happens if nothing is written. Which pairs reach angles where they have
# never been, and what does the config that the tool writes do about it?

# %% [markdown] lang="zh" slide="show"
# ## 13.6 长到几倍的文本
#
# 现在来改文件。第6章里你缩放的是频率，部署时给服务器的却是JSON。其中有两个容易混的长度：
# 一个是扩展之前的训练长度，YaRN和`llama3`用它算出每一对在训练中转过几圈；一个是允许的最大长度。
# 下图画的是每一对在整段文本里走过整圈的几分之几，转满一圈就是1。先看什么也不改会怎样：
# 哪些对走到了从没去过的角度？工具写出的配置又是怎样应对的？


# %%
def longer(model, times):
    """Return (rotary encoding, allowed length) before and after the stretch by the tool."""
    config = json.loads(published(model).read_text())
    old = from_config(config)
    new = after(config, stretched(config, old, times))
    return [(far_reaching(one)[0], one.max_length) for one in (old, new)]


# %%
def reach(model="llama_3_1_8b", times=4):
    (old, length), (new, _) = longer(model, times)
    seen, now = (r.frequencies()[0] * length / (2 * math.pi) for r in (old, new))  # turns
    left = int(((seen < 1) & (times * now > 1.001 * seen)).sum())
    beyond = int((seen < 1).sum()) if times > 1 else 0
    pairs = torch.arange(len(seen))
    return Curves(
        [
            Curve(pairs, seen.clamp(max=1), label.before),
            Curve(pairs, (times * seen).clamp(max=1), label.nothing_set),
            Curve(pairs, (times * now).clamp(max=1), label.as_written),
        ],
        **label.circle(length=times * length, beyond=beyond, left=left),
        y_limits=(0, 1.05),
    )


explore(reach, **label.reaching, model=label.models, times=(1, 8))

# %% [markdown] lang="en"
# *Picture: three curves against the pairs, 1 for the fast ones, falling towards 0; that of "nothing
# set" falls latest, that of the written config lies on the first.*
#
# With the new config every pair stays on the arc that it covered before, in all four models of the
# figure; the pairs on the ramp, which are slowed only in part, had gone right round already.
# `llama3` and `yarn` reach that by slowing some pairs, position interpolation by slowing all.

# %% [markdown] lang="zh"
# *图：横轴是各对，三条曲线在高频对处为1，向低频对降到0；“什么也不改”那条降得最晚，“按写出的配置”
# 那条与第一条重合。*
#
# 改了配置之后，图里四个模型的每一对都留在原先用过的那段圆弧里；斜坡上的那些对放慢得少些，
# 但它们原先就已转满整圈，不会遇到新角度。`llama3`和`yarn`只需放慢其中一些对，
# 位置插值则要放慢每一对。

# %% [markdown] lang="en"
# Now you write that config. There are four kinds of scaling and files without any, two
# spellings, and fields that must *not* change. (Here `yarn` and `llama3` always come with their
# `original_max_position_embeddings`.)

# %% [markdown] lang="zh" slide="show"
# 现在由你来写这份配置。要照顾到四种缩放和不缩放的文件、两种写法，还有*不能*动的字段。
# （`yarn`和`llama3`在这里都写着`original_max_position_embeddings`。）


# %% exercise="stretched_config"
def stretched_config(config, times):
    """Return the config for texts `times` as long as this one allows."""
    ### BEGIN SOLUTION
    name = "rope_parameters" if config.get("rope_parameters") else "rope_scaling"
    scaling, longest = dict(config.get(name) or {}), config["max_position_embeddings"]
    kind = scaling.get("rope_type", scaling.get("type", "default"))
    if kind == "dynamic":
        return dict(config)
    if kind in ("default", "mrope"):
        scaling.pop("type", None)
        scaling |= {"rope_type": "yarn", "factor": times}
        scaling["original_max_position_embeddings"] = longest
    else:
        scaling["factor"] = scaling["factor"] * times
    return config | {name: scaling, "max_position_embeddings": longest * times}
    ### END SOLUTION


# %% check="stretched_config"
check("stretched_config", stretched_config)

# %% [markdown] lang="en" way="everything"
# ## 13.7 What short texts pay
#
# A static scaling is in force at position 3 as at position 300000, however long the text. What does
# that change for a text of 100 tokens? In 6.2 you computed the lead of a key that resembles the
# query over the others at distance $r$. Averaged over random vectors, with the lead at distance 0
# and no temperature as 1, it is $f^2\,\frac1n\sum_i\cos\omega_ir$ over the channels that turn, with
# $f$ the factor on q and k; a temperature on the scores (`score_factor`, as in DeepSeek) multiplies
# this as well. Guess for the four models of 13.6 (Llama 3.1, Qwen2.5, Gemma 3's global layers,
# DeepSeek-V3), at four times the length: does this curve rise, fall, or move sideways? (Below: the
# new factor on the scores divided by the old one, then the curve at $r=1$, 10 and 100, old → new.)

# %% [markdown] lang="zh" slide="show"
# ## 13.7 短文本付的代价
#
# 静态缩放不管文本多长都起作用，位置3和位置300000一视同仁。那么对只有100个词元的文本，它改变了什么？
# 一个与查询相像的键在距离$r$处能领先别的键多少，6.2节里算过：对随机向量取平均，
# 以距离0处、没有温度时的领先为1，就是$f^2\,\frac1n\sum_i\cos\omega_ir$，只算旋转的通道，
# 其中$f$是乘在q和k上的因子；温度若乘在得分上（`score_factor`，如DeepSeek），也要一并乘上。
# 13.6的四个模型（Llama 3.1、Qwen2.5、Gemma 3的全局层、DeepSeek-V3），逐个猜一猜：加长到四倍时，
# 这条曲线是升、是降，还是左右移动？（下面先是得分上新旧因子之比，
# 再是曲线在$r=1$、10、100处的值，旧→新。）


# %% tags=["predict"]
def growth(rotary):  # of the scores, by temperatures
    return rotary.frequencies()[1] ** 2 * rotary.score_factor


def lead(rotary, r):  # of a key like the query, at distances r
    return growth(rotary) * (r[:, None] * rotary.frequencies()[0]).cos().mean(1)


distances = torch.tensor([1.0, 10.0, 100.0])
for name in label.models.values():
    (old, _), (new, _) = longer(name, 4)
    pairs = zip(lead(old, distances), lead(new, distances), strict=True)
    leads = ", ".join(f"{before:.2f} → {then:.2f}" for before, then in pairs)
    print(f"{name:22}: × {growth(new) / growth(old):.3f}; {leads}")

# %% [markdown] lang="en"
# Llama 3.1's curve hardly moves: `llama3` has no temperature, and its fast pairs stay. The YaRN
# curves rise as a whole: *all* scores grow, by a quarter for Qwen, a fifth for DeepSeek, near and
# far alike, and attention in short texts becomes sharper than it was trained to be. Gemma's moves
# right, in the five layers that see all: a token ten back looks like one two or three back.

# %% [markdown] lang="zh"
# Llama 3.1的曲线几乎不动，因为`llama3`没有温度，高频对也不动。YaRN的整条升高：*所有*得分都变大，
# Qwen约大四分之一，DeepSeek约大五分之一，不分远近，短文本里的注意力就变得比训练时更尖锐。
# Gemma的向右移，只在看得到全部的那五层：隔十个词元的键，现在看起来只隔两三个。


# %%
def short_text(model="qwen_2_5_7b_yarn", times=4):
    (old, _), (new, _) = longer(model, times)
    r = torch.logspace(0, 3, 121)
    before, then = lead(old, r), lead(new, r)
    return Curves(
        [Curve(r, before, label.now), Curve(r, then, label.stretched)],
        **label.lead(scores=growth(new) / growth(old), near=(then[0] / before[0]).item()),
        x_scale="log",
        x_limits=(1, 1000),
        y_limits=(0, 2.6),
    )


explore(short_text, **label.paying, model=label.models, times=(1, 8))

# %% [markdown] lang="en"
# *Picture: two curves against the distance up to 1000, as published and stretched.*
#
# Since short texts pay for it as well, Qwen now ships its models *without* YaRN and asks users to
# switch it on for long texts only. These curves say what changes, not how much worse the model
# gets. Measure short texts and long ones (6.13).

# %% [markdown] lang="zh"
# *图：横轴是不超过1000的距离，两条曲线，一条是发布时的，一条是加长之后的。*
#
# 短文本也要为YaRN付代价，所以Qwen现在发布的模型*不开*它，要求只在文本真的很长时才开。
# 不过曲线只说明变了什么，
# 没说明质量受多大影响，长短两种文本都要实测（6.13）。

# %% [markdown] lang="en" way="everything"
# ## 13.8 A config that contradicts itself
#
# Files are edited by hand, and then they contradict themselves. Here are three: `length`, published
# like that (in another model), and `kind` and `base`, mistakes that are easily made. Which will the
# tool refuse (`ConfigError`), and which will it read, with a remark?

# %% [markdown] lang="zh" slide="show"
# ## 13.8 自相矛盾的配置
#
# 文件一经手改，就容易前后矛盾。下面三份里，`length`真有人这样发布过（在另一个模型上），
# `kind`和`base`是手改时很容易犯的错。
# 工具会拒绝哪几份（`ConfigError`），又会照读哪几份，只附一条说明？

# %% tags=["predict"]
yarn = {"factor": 4.0, "original_max_position_embeddings": 32768, "type": "yarn"}
qwen = CONFIGS["qwen_2_5_7b_yarn"]
plain_qwen = {field: value for field, value in qwen.items() if field != "rope_scaling"}
EDITED = {
    "length": qwen | {"max_position_embeddings": 32768},
    "kind": qwen | {"rope_scaling": yarn | {"rope_type": "dynamic"}},
    "base": plain_qwen | {"rope_parameters": yarn | {"rope_theta": 10000.0}},
}
for name, config in EDITED.items():
    try:
        remarks = from_config(config).remarks
    except ConfigError as error:
        remarks, name = [error.remark], f"{name}, ConfigError"
    print(f"{name}: {[(remark.name, remark.values) for remark in remarks]}")

# %% [markdown] lang="en"
# The first is real: a fine-tune of Qwen2.5 72B is published like that. Programs split: some allow
# 32768 tokens, some 131072, and one version of transformers took the *ratio* of the two lengths, 1,
# for the factor (case 2 below). The second is refused, since there is no telling which holds. The
# third is read as transformers reads it, base 10000 from `rope_parameters`, with a remark.
#
# The tool's rule is: an error where nothing tells which frequencies hold; otherwise one reading and
# a remark. You write the first step of such a check: find every contradiction. (If a file has both
# dictionaries, see 13.6; in that case the exercise, to keep it simple, reads `rope_parameters`
# alone, unlike transformers.)

# %% [markdown] lang="zh" slide="show"
# 第一份是真的：有一个Qwen2.5 72B的微调版就是这样发布的。各家程序做法不一，有的允许32768个词元，
# 有的允许131072，还有一个版本的transformers把两个长度之*商*，也就是1，当成了factor（见病例二）。
# 第二份会被拒绝，因为无从知道以哪个为准。第三份按transformers的读法，
# 取`rope_parameters`里的10000，并附一条说明。
#
# 工具的规则是：无从确定用哪组频率，就报错；否则按一种读法算下去，并附一条说明。
# 下面由你写这种检查的第一步，找出所有矛盾。（一份文件里两个字典都有时，见13.6。
# 练习从简，这时只读`rope_parameters`，与transformers不同。）


# %% exercise="config_contradictions"
def config_contradictions(config):
    """Return the set of names of what contradicts itself."""
    ### BEGIN SOLUTION
    scaling = config.get("rope_parameters") or config.get("rope_scaling") or {}
    kinds = {scaling[name] for name in ("rope_type", "type") if name in scaling}
    bases = {place["rope_theta"] for place in (scaling, config) if "rope_theta" in place}
    trained, factor = scaling.get("original_max_position_embeddings"), scaling.get("factor")
    longest, layers = config.get("max_position_embeddings"), config.get("num_hidden_layers")
    width, heads = config.get("hidden_size"), config.get("num_attention_heads")
    found = set()
    if len(kinds) > 1:
        found.add("kind")
    if len(bases) > 1:
        found.add("base")
    if "yarn" in kinds and None not in (trained, factor, longest) and trained * factor != longest:
        found.add("length")
    if "head_dim" not in config and None not in (width, heads) and width % heads:
        found.add("heads")
    if "layer_types" in config and layers is not None and len(config["layer_types"]) != layers:
        found.add("layers")
    return found
    ### END SOLUTION


# %% check="config_contradictions"
check("config_contradictions", config_contradictions)

# %% [markdown] lang="en" way="everything"
# ## 13.9 If you have the weights
#
# The shapes of the weights can be checked against the config, and no weight is read for that: a
# `.safetensors` file begins with eight bytes, the length of a header, and the header is JSON with
# the shape of every tensor. The rows of `q_proj` are heads times channels, those of `k_proj` KV
# heads times channels. **If you have a model on this machine, put its folder in place of None.**
# The model must have the two as separate weights, as Llama and Qwen do. As long as FOLDER is None,
# the second cell makes a small folder with a mistake in it. Printed: heads by the config
# (`counts`), rows by the weights (`rows`); then for each matrix its rows as heads × channels, by
# the weights and by the config.

# %% [markdown] lang="zh"
# ## 13.9 手头有权重时
#
# 权重的形状可以用来核对配置，而且不必读权重本身：`.safetensors`文件的开头八个字节是文件头的长度，
# 文件头是JSON，写着每个张量的形状。`q_proj`的行数是头数乘通道数，`k_proj`的是KV头数乘通道数。
# **如果这台机器上有模型，把它的文件夹填在None的位置**，这两个矩阵须是分开存的，如Llama和Qwen。
# 没有模型就不用填，第二个单元格会造一个小文件夹，里面藏着一个错误。
# 先打印配置里的头数（`counts`）和权重里的行数（`rows`）；
# 然后每行一个矩阵，把行数写成头数×通道数，先按权重，再按配置。

# %%
FOLDER = None  # such as "models/Qwen2.5-0.5B", with config.json and *.safetensors


def shapes(folder):
    """Return {name: shape} of all tensors in a folder, from the headers of its files."""
    tensors = {}
    for file in sorted(Path(folder).glob("*.safetensors")):
        with file.open("rb") as stream:
            header = json.loads(stream.read(int.from_bytes(stream.read(8), "little")))
        tensors |= {k: v["shape"] for k, v in header.items() if k != "__metadata__"}
    return tensors


def make_folder(folder, config, tensors):
    """Write a config and a file of weights, header only."""
    header = {name: {"dtype": "BF16", "shape": shape} for name, shape in tensors.items()}
    text = json.dumps(header).encode()
    (folder / "model.safetensors").write_bytes(len(text).to_bytes(8, "little") + text)
    (folder / "config.json").write_text(json.dumps(config))


# %%
def check_against_weights(folder):
    """Print the rows of the first layer's projections, by the weights and by the config."""
    config = json.loads((folder / "config.json").read_text())
    config = config.get("text_config", config)
    heads = config.get("num_attention_heads")
    counts = {"q_proj": heads, "k_proj": config.get("num_key_value_heads") or heads}
    tensors = {name: shape for name, shape in shapes(folder).items() if "vision" not in name}
    ends = {f"layers.0.self_attn.{name}.weight": name for name in counts}
    rows = {ends[end]: tensors[t][0] for t in tensors for end in ends if t.endswith(end)}
    print(f"{counts=}, {rows=}")
    for name, count in (rows if heads else {}).items():
        width = config.get("head_dim") or config["hidden_size"] // heads
        print(f"{name}: {count} = {counts[name]} × {count / counts[name]:g};", end=" ")
        print(f"config: {counts[name]} × {width} = {counts[name] * width}")


if FOLDER:
    explain([f"{FOLDER}/config.json"])
    check_against_weights(Path(FOLDER))
else:
    sizes = {"num_attention_heads": 4, "num_key_value_heads": 2, "hidden_size": 96}
    attention = "model.layers.0.self_attn"
    tensors = {f"{attention}.q_proj.weight": [128, 96], f"{attention}.k_proj.weight": [64, 96]}
    with tempfile.TemporaryDirectory() as made:
        make_folder(Path(made), sizes, tensors)
        check_against_weights(Path(made))

# %% [markdown] lang="en"
# (If the config gives no heads, or the file has no such rows, there is nothing to compare.) In this
# made-up folder the config lets four heads share 96 channels, 24 each, but the weights have 32 rows
# per head: `head_dim` was lost. A program that cuts the rows by the config stops at a reshape if
# you are lucky; otherwise it pairs channels of different heads. For a learned table, check the rows
# of `wpe` or `position_embeddings` against the length in the same way.

# %% [markdown] lang="zh"
# （配置没写头数，或者权重里没有这样的行，就没法比。）造出来的文件夹里，
# 按配置是四个头平分96个通道，每头24；权重却是每头32行：`head_dim`丢了。
# 按配置去切行的程序，运气好会在reshape时报错，运气不好就把不同头的通道配成了对。
# 可学习的位置编码表也能这样核对：拿`wpe`或`position_embeddings`的行数与配置里的长度比。

# %% [markdown] lang="en" way="everything"
# ## 13.10 Bug clinic
#
# Five cases from public threads; three are yours to fix.
#
# **Case 1**, from [vllm#56446][56446]. Symptom: the server accepts texts of five million tokens.
# For the kind `"yarn"` it took the trained length times the factor. Two vendors had named YaRN
# differently; under those names it multiplied `max_position_embeddings` instead:
#
# [56446]: https://github.com/vllm-project/vllm/pull/56446

# %% [markdown] lang="zh" slide="show"
# ## 13.10 Bug诊所
#
# 五个病例，都来自公开的帖子，其中三个由你来修。
#
# **病例一**，来自[vllm#56446][56446]。症状：服务器肯接收五百万个词元的文本。种类为`"yarn"`时，
# 它取训练长度乘factor；有两家厂商给YaRN另起了名字，
# 乘的就成了`max_position_embeddings`：
#
# [56446]: https://github.com/vllm-project/vllm/pull/56446

# %%
for model, longest, factor in (("TeleChat3-36B", 32768, 4), ("sarvam-105b", 131072, 40)):
    print(f"{model:13}: {longest} × {factor} = {longest * factor}")

# %% [markdown] lang="en"
# That field held the stretch already, and was stretched again. The cure was to multiply nowhere:
# with YaRN, `max_position_embeddings` *is* the allowed length. So the number before the × is right
# in each line: 32768 and 131072.
#
# **Case 2**, from [transformers#38224][38224]. Symptom: whatever `factor` a user sets, the model
# behaves the same. Qwen3's file allows 40960 tokens; users write 32768 as the trained length. The
# cell sets 4 and prints what is used.
#
# [38224]: https://github.com/huggingface/transformers/issues/38224

# %% [markdown] lang="zh" slide="code"
# 这个字段里已经含有扩展，又被扩展了一遍。改法是哪里都不乘：
# 用YaRN时，`max_position_embeddings`*就是*允许的长度，所以每行乘号前的数才对：32768和131072。
#
# **病例二**，来自[transformers#38224][38224]。症状：`factor`不管设成几，模型都一样。
# Qwen3的文件允许40960个词元，用户写的训练长度是32768。单元格里设的是4，打印的是实际用上的。
#
# [38224]: https://github.com/huggingface/transformers/issues/38224


# %%
def factor_from_lengths(config):
    scaling, longest = config["rope_scaling"], config["max_position_embeddings"]
    if "original_max_position_embeddings" in scaling:
        return longest / scaling["original_max_position_embeddings"]
    return scaling.get("factor") or 1.0


print(factor_from_lengths({"max_position_embeddings": 40960, "rope_scaling": yarn}))


# %% exercise="mend_ignored_factor" mends="factor_from_lengths"
def mend_ignored_factor(config):
    """Return the stretch of a model with YaRN."""
    ### BEGIN SOLUTION
    scaling, longest = config["rope_scaling"], config["max_position_embeddings"]
    if scaling.get("factor") is not None:
        return scaling["factor"]
    return max(longest / scaling.get("original_max_position_embeddings", longest), 1.0)
    ### END SOLUTION


# %% check="mend_ignored_factor"
check("mend_ignored_factor", mend_ignored_factor)

# %% [markdown] lang="en"
# **Case 3**, from [llama.cpp#3364][3364]. A converter reorders the rows of $W_Q$ and $W_K$ from one
# layout to the other (5.6). Symptom: Llama 2 70B, with 64 heads and 8 KV heads, converts well;
# TinyLlama, with 32 and 4, writes gibberish. The cell prints in which order the rows of the first
# KV head come out. Of its four channels 0 and 2 are a pair, so `[0, 2, 1, 3]` is right.
#
# [3364]: https://github.com/ggml-org/llama.cpp/pull/3364

# %% [markdown] lang="zh" slide="code"
# **病例三**，来自[llama.cpp#3364][3364]。转换程序要重排$W_Q$、$W_K$的行，
# 从一种排布换到另一种（5.6）。症状：Llama 2 70B有64个头、8个KV头，转换得很好；TinyLlama是32和4，
# 转换之后满口胡话。单元格打印的是第一个KV头的各行重排之后的次序。
# 这个头有四个通道，0和2是一对，所以`[0, 2, 1, 3]`才对。
#
# [3364]: https://github.com/ggml-org/llama.cpp/pull/3364


# %%
def to_interleaved(weight, heads, kv_heads, is_key):
    h = heads
    if is_key and heads != kv_heads:
        h = heads // kv_heads
    pairs = weight.reshape(h, 2, -1, weight.shape[1]).transpose(1, 2)
    return pairs.reshape(weight.shape)


for heads, kv_heads in ((64, 8), (32, 4)):
    rows = torch.arange(kv_heads * 4)[:, None]  # D = 4: the first head has rows 0 to 3
    order = to_interleaved(rows, heads, kv_heads, True)[:4, 0].tolist()
    print(f"{heads=}, {kv_heads=}: {order}")


# %% exercise="mend_grouped_rows" mends="to_interleaved"
def mend_grouped_rows(weight, heads, kv_heads, is_key):
    """Return the rows, pair after pair within each head, shape (h * D, d)."""
    ### BEGIN SOLUTION
    h = kv_heads if is_key else heads
    pairs = weight.reshape(h, 2, -1, weight.shape[1]).transpose(1, 2)
    return pairs.reshape(weight.shape)
    ### END SOLUTION


# %% check="mend_grouped_rows"
check("mend_grouped_rows", mend_grouped_rows)

# %% [markdown] lang="en"
# The 70B was lucky: 64 // 8 is 8, its number of KV heads as well. For TinyLlama 32 // 4 is 8 too,
# but it has 4 KV heads: each was cut in two, and rows were paired within the halves.
#
# **Case 4**, from [candle#3520][3520]. Positions and frequencies are cast to bfloat16 before they
# are multiplied. Symptom: embeddings of long documents drift, those of short ones agree. What is
# left of position 15962, and of the fastest pair's cosine there?
#
# [3520]: https://github.com/huggingface/candle/pull/3520

# %% [markdown] lang="zh" slide="show"
# 70B碰巧没事：64 // 8 = 8，正好也是KV头数；TinyLlama的32 // 4也是8，KV头却只有4个，
# 每个头被从中间切开，在半个头里配成了对。
#
# **病例四**，来自[candle#3520][3520]。位置和频率在相乘之前就转成了bfloat16。症状：
# 长文档的嵌入越走越偏，短文档的一致。位置15962还剩下什么？那里最高频的一对，余弦又是多少？
#
# [3520]: https://github.com/huggingface/candle/pull/3520

# %% tags=["predict"]
at = torch.tensor([15950.0, 15962.0, 15970.0])
for right, rounded in zip(at, at.bfloat16().float(), strict=True):
    print(f"{right:.0f} → {rounded:.0f}; cos: {right.cos():6.3f} → {rounded.cos():6.3f}")

# %% [markdown] lang="en"
# The position becomes 15936, the cosine −0.27 instead of −0.91: up there bfloat16 goes in steps of
# 64, so about 64 neighbours share one angle. You fixed this in chapter 2; it comes back with every
# new port, because no short test sees it.
#
# **Case 5**, from [transformers#38156][38156]. The position of the next token is read off the cache
# of the first layer. Symptom: in a hand-written generation loop, with a cache but no positions,
# Gemma 3 writes sensibly up to its window, and nonsense after it. Tokens so far → next position:
#
# [38156]: https://github.com/huggingface/transformers/pull/38156

# %% [markdown] lang="zh" slide="code"
# 位置剩下15936，余弦从−0.91变成−0.27：到了那么远，bfloat16的步长是64，
# 相邻的约64个位置共用一个角度。第2章里你修过这个错误；
# 代码每移植一次它就回来一次，因为短的测试发现不了。
#
# **病例五**，来自[transformers#38156][38156]。下一个词元的位置，取的是第一层缓存里有几个键。症状：
# 自己写循环调用，只给缓存、不给位置时，Gemma 3在窗口以内说话还通顺，超过窗口就不知所云。
# 已有的词元数→下一个位置：
#
# [38156]: https://github.com/huggingface/transformers/pull/38156


# %%
def position_from_first_layer(stored, windows):
    return stored[0]


windows = [1024, 1024, 1024, 1024, 1024, None]
for length in (1000, 1024, 1025, 5000):
    stored = [min(length, window or length) for window in windows]
    print(f"{length} → {position_from_first_layer(stored, windows)}")


# %% exercise="mend_next_position" mends="position_from_first_layer"
def mend_next_position(stored, windows):
    """Return the position of the next token."""
    ### BEGIN SOLUTION
    return stored[windows.index(None)]
    ### END SOLUTION


# %% check="mend_next_position"
check("mend_next_position", mend_next_position)

# %% [markdown] lang="en" way="everything"
# ## 13.11 What is not true
#
# **"It loaded without an error, so the config was read."** DeepSeek-R1-0528-Qwen3-8B has
# `attn_factor` in its scaling. Hugging Face's name is `attention_factor`; the library warns about
# an unknown field and leaves it out ([DeepSeek-R1#684][684]). Below, that number in the Qwen2.5 of
# 13.2 (`qwen`; factor 4 too): the tool's remark, then YaRN's factor on q and k times it. What was
# it for?
#
# [684]: https://github.com/deepseek-ai/DeepSeek-R1/issues/684

# %% [markdown] lang="zh" slide="show"
# ## 13.11 哪些说法不对
#
# **“加载没报错，说明配置读进去了。”** DeepSeek-R1-0528-Qwen3-8B的缩放里写着`attn_factor`。
# Hugging Face的名字是`attention_factor`；不认识的字段，
# 它警告一声就不管了（[DeepSeek-R1#684][684]）。下面把那个数放进13.2的Qwen2.5
# （`qwen`，factor也是4）：先是工具的说明，再是YaRN乘在q、k上的因子与那个数的积。
# 那个数是做什么用的？
#
# [684]: https://github.com/deepseek-ai/DeepSeek-R1/issues/684

# %% tags=["predict"]
named = yarn | {"attn_factor": 0.8782488562869419}
remarks = from_config(qwen | {"rope_scaling": named}).remarks
print([(remark.name, remark.values["field"]) for remark in remarks])
temperature = from_config(qwen).layers[0].rotary.frequencies()[1]
print(f"{temperature:.4f} × {named['attn_factor']:.4f} = {temperature * named['attn_factor']:.4f}")

# %% [markdown] lang="en"
# The product is 1: it switched the temperature *off*. Without it, the scores are 1.30 times what
# was meant.
#
# **"Factor 8 means eight times as long."** For `yarn` it does as a rule. But with factor 8,
# `linear` took Gemma 3 from 32K to 128K, four times as long (its report), and Llama 3.1 goes from
# 8192 to 131072 (13.2). Which factor would YaRN need for the latter?

# %% [markdown] lang="zh" slide="show"
# 两者之积是1：它把温度*关掉*了。漏读之后，得分是本意的1.30倍。
#
# **“factor为8就是八倍长。”** 对`yarn`一般是这样。可同样是8，Gemma 3用`linear`只从32K到128K，
# 是四倍（见它的技术报告）；Llama 3.1却从8192到了131072（13.2）。
# Llama 3.1换成YaRN，factor要写几？

# %%
trained, longest = llama.trained_length, llama.max_length
print(f"{longest} / {trained} = {longest / trained:g}")

# %% [markdown] lang="en"
# 16: Llama 3.1 allows sixteen times its 8192 with half that factor, since it was *trained on* ever
# longer texts.
#
# Llama's factor, like Gemma's, is a choice of frequencies, not a ratio of lengths; in dynamic NTK
# (6.5) the factor says how fast the stretch grows.
#
# **"`max_position_embeddings` is what the model was trained on."** It is for Llama 3.1: stretched
# from 8192, it was then trained on texts of up to 131072. That of Qwen2.5 with YaRN on is four
# times its trained length, and DeepSeek-V3's 163840 is 40 × 4096, though its training stopped at
# 128K. The field is a promise; how well it is kept, a config cannot say.

# %% [markdown] lang="zh" slide="show"
# 16。Llama 3.1的factor只有一半，却允许8192的十六倍，因为它又在逐步加长的文本上*训练*过。
#
# Llama的factor和Gemma的一样，是选定频率用的，不是两个长度之商；
# 动态NTK（6.5）的factor说的则是扩展倍数增长得多快。
#
# **“`max_position_embeddings`就是训练中用过的最长长度。”** 对Llama 3.1是这样：从8192扩展之后，
# 又训练到了131072。
# 这里这份开着YaRN的Qwen2.5，是训练长度的四倍；DeepSeek-V3的163840是40 × 4096，训练却只到128K。
# 这个字段只是一句许诺，兑现得怎样，从配置里看不出来。

# %% [markdown] lang="en" way="everything"
# ## 13.12 In real models
#
# What to watch in each of the six:

# %% [markdown] lang="zh"
# ## 13.12 在真实模型中
#
# 六个模型各要留意什么：

# %% [markdown] lang="en"
# | model | positions | what to watch |
# |---|---|---|
# | Llama 3.1 8B | RoPE, `llama3` × 8, base 500000 | the factor is not the ratio of the lengths |
# | Qwen2.5 7B | RoPE, base 1000000 | this revision has YaRN on; the newest has not |
# | Gemma 3 4B | two bases, window in five layers of six | its own file leaves both bases out |
# | DeepSeek-V3 | RoPE on 64 of 192, neighbours paired | the temperature is in the scores |
# | BLOOMZ 1.7B | ALiBi, 16 slopes | `model_type` alone decides that; the length is not read |
# | Qwen2-VL 7B | M-RoPE, sections 16, 24, 24 | `"mrope"` or `"default"`: no scaling |
#
# Where each file was read (Gemma has two): first the repository on the Hugging Face Hub, with its
# revision after "@" where one was noted; after "in", the repository of the copy that was read. In
# parentheses: for DeepSeek the folder in the copy, for Gemma's second file what version of
# transformers saved it.

# %% [markdown] lang="zh"
# | 模型 | 位置编码 | 要留意什么 |
# |---|---|---|
# | Llama 3.1 8B | RoPE，`llama3` × 8，base为500000 | factor不是两个长度之商 |
# | Qwen2.5 7B | RoPE，base为1000000 | 这个版本开着YaRN，最新的没开 |
# | Gemma 3 4B | 两个base，六层里五层有窗口 | 它自己的文件没写base |
# | DeepSeek-V3 | RoPE，转192个通道中的64个，相邻配对 | 温度乘在得分上 |
# | BLOOMZ 1.7B | ALiBi，16个斜率 | 用ALiBi只由`model_type`决定；长度没人读 |
# | Qwen2-VL 7B | M-RoPE，轴分配16、24、24 | `"mrope"`或`"default"`：不缩放 |
#
# 文件的出处如下，Gemma有两份。每行先是Hugging Face Hub上的仓库；有@的，后面是版本；
# in后面是实际取用的副本所在的仓库。括号里，DeepSeek那行是副本仓库里的文件夹，
# Gemma另存的那行是保存文件的transformers的版本。

# %%
for name, source in SOURCES.items():
    print(f"{name}: {source}")

# %% [markdown] lang="en"
# The architectures of transformers that the tool can read are listed by year in this course's
# museum, `docs/museum.md`, with encoding, base, share and window.

# %% [markdown] lang="zh"
# transformers里工具读得懂的架构，连同编码、base、旋转比例和窗口，
# 按年份列在本课程的博物馆`docs/museum.md`里。

# %% [markdown] lang="en" way="everything"
# ## 13.13 Take-away
#
# - Read the file before you run the model: kind, base, channels that turn, trained and allowed
#   length, windows layer by layer; and write down what it does *not* say.
# - Test a port on long texts too: many faults, such as an ignored scaling, are zero at distance 0
#   and grow.
# - To stretch: the trained length stays, the factor is multiplied, the allowed length grows, and
#   the kind is named once (`rope_type` or `type`, not both). Dynamic NTK needs nothing.
# - Short texts pay by temperature (YaRN) or by distance (interpolation); Llama 3.1's bands cost
#   them little.
# - A factor is declared, not recomputed; a length that holds the stretch already is not multiplied
#   again; keys are counted by KV heads; the length of the text is read off a layer that sees
#   everything.

# %% [markdown] lang="zh" slide="show"
# ## 13.13 本章要点
#
# - 跑模型之前先读文件，看种类、base、旋转的通道、训练长度与允许长度、逐层的窗口，
#   还要记下它*没有*说的。
# - 移植之后，长文本也要测：许多错误（比如漏掉缩放）在距离0处误差为零，随距离增长。
# - 要加长时，训练长度不变，factor相乘，允许长度变大，种类只写一处
#   （`rope_type`或`type`，不要两个都写）。动态NTK什么也不用改。
# - 短文本的代价，YaRN付在温度上，位置插值付在距离上；Llama 3.1按频段缩放，几乎没有代价。
# - factor以声明为准，不要重算；已经含有扩展的长度，不要再乘；键按KV头来数；文本有多长，
#   要问看得到全部的层。

# %%
quiz("real_models")

# %% [markdown] lang="en" way="everything"
# ## Further reading
#
# - Hugging Face transformers: `modeling_rope_utils.py`, how each kind of scaling is computed, and
#   `configuration_utils.py`, what is read from a file. The library's code is the definition of its
#   configs.
# - Llama Team: *The Llama 3 Herd of Models*. 2024.
#   [arXiv:2407.21783](https://arxiv.org/abs/2407.21783). Stages of longer texts.
# - Gemma Team: *Gemma 3 Technical Report*. 2025.
#   [arXiv:2503.19786](https://arxiv.org/abs/2503.19786). Five local layers to a global one, two
#   bases.
# - DeepSeek-AI: *DeepSeek-V3 Technical Report*. 2024.
#   [arXiv:2412.19437](https://arxiv.org/abs/2412.19437). YaRN in two stages, from 4K to 128K.

# %% [markdown] lang="zh"
# ## 延伸阅读
#
# - Hugging Face transformers：`modeling_rope_utils.py`里有每种缩放的算法，
#   `configuration_utils.py`里是怎样读文件。配置是什么意思，以这个库的代码为准。
# - Llama Team：*The Llama 3 Herd of Models*。2024。
#   [arXiv:2407.21783](https://arxiv.org/abs/2407.21783)。逐步加长的训练阶段。
# - Gemma Team：*Gemma 3 Technical Report*。2025。
#   [arXiv:2503.19786](https://arxiv.org/abs/2503.19786)。五层局部配一层全局，两个base。
# - DeepSeek-AI：*DeepSeek-V3 Technical Report*。2024。
#   [arXiv:2412.19437](https://arxiv.org/abs/2412.19437)。YaRN分两步，从4K到128K。
