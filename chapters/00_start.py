# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
#   kernelspec: {display_name: Python 3, language: python, name: python3}
#   posenc:
#     title: {en: Start here, zh: 从这里开始}
#     question:
#       en: "What is this course about, and how does one work in it?"
#       zh: 这门课讲什么，怎么学？
#     minutes: 20
# ---

# %% [markdown] lang="en"
# # 0 · Start here
#
# **The question.** What is a positional encoding, and how does one work in this course?
#
# **You will** run a cell, move a slider, answer a first exercise, read what a check says about
# right, wrong and blank answers, and look at what your machine brings along.
#
# **You need** a little Python and PyTorch. About 20 minutes, 2 points.

# %% [markdown] lang="zh"
# # 0 · 从这里开始
#
# **本章的问题。** 什么是位置编码？这门课怎么学？
#
# **你将**运行一个单元格，拖动一个滑块，答完第一道练习，看看检查对正确、错误和空白的答案各说些什么，
# 再瞧瞧自己的机器上都装了什么。
#
# **你需要**一点Python和PyTorch。约20分钟，共2分。

# %% [markdown] lang="en"
# Click the cell below and press `Shift+Enter`: that runs it and moves on. Three buttons appear.
# They choose the language of the text, the figures and every message. Your choice is remembered.
# (What already stands on the page, such as a figure, follows when its cell runs again.)

# %% [markdown] lang="zh"
# 点一下下面的单元格，按`Shift+Enter`：它会运行，光标移到下一格。运行后出现三个按钮，
# 用来选择正文、图和各种消息的语言。你的选择会被记住。
# （页面上已有的内容，比如一张图，重新运行它的单元格后才会换语言。）

# %%
import torch

from autograde import check, environment, hint, progress, quiz
from autograde.kit.catalogue import exercise
from autograde.kit.scoring import evaluate
from autograde.notebook.report import report
from bilingual import Text
from bilingual.switch import language_switch
from posenc_viz import Bars, explore
from posenc_viz.font import drawable

torch.set_num_threads(1)
language_switch()

# %% [markdown] lang="en"
# ## 0.1 What this is about
#
# A Transformer reads all tokens of a text at once. Its core, attention, compares every token with
# every other and adds up what it finds: a sum, and a sum does not know in which order its terms
# came. Shuffle the words, and the same vectors come out, shuffled. Yet "the dog bites the man" is
# not "the man bites the dog". A *positional encoding* is what tells the model where each token
# stands. How that is done decides whether a model can count, copy, read a text longer than any it
# was trained on, and reuse what it computed for the token before.

# %% [markdown] lang="zh"
# ## 0.1 这门课讲什么
#
# Transformer一次读入文本的全部词元。它的核心是注意力：让每个词元和所有词元逐一比较，
# 再把得到的东西加起来。求和的结果看不出各项的先后。
# 把词打乱，输出的还是那些向量，只是跟着换了位置。
# 可“狗咬人”不等于“人咬狗”。*位置编码*（positional encoding）就是告诉模型每个词元站在哪里的办法。
# 办法怎么选，决定了模型会不会数数，能不能照抄，读不读得了比训练时更长的文本，
# 能不能复用前面词元已经算好的结果。

# %% [markdown] lang="en"
# The simplest case fits into one cell: a sum of three vectors, in two orders. Predict: equal or
# not?

# %% [markdown] lang="zh"
# 最简单的情形一个单元格就能写下：三个向量，按两种顺序相加。猜一猜：相等吗？

# %%
dog, bites, man = torch.eye(3)
print("equal without positions:", torch.equal(dog + bites + man, man + bites + dog))

# %% [markdown] lang="en"
# Equal: the order is gone. Now each word is multiplied by the number of its place first, the
# crudest positional encoding there is.

# %% [markdown] lang="zh"
# 相等：顺序不见了。现在先把每个词乘以它的序号，这是最粗糙的一种位置编码。

# %%
dog_first, man_first = 1 * dog + 2 * bites + 3 * man, 1 * man + 2 * bites + 3 * dog
print("equal with positions:", torch.equal(dog_first, man_first))

# %% [markdown] lang="en"
# ### The map
#
# **Foundations**, to be taken in order: 0 Start here; 1 what attention cannot see, with a proof;
# 2 the waves of the first Transformer. **Methods**, in any order once you know chapter 2: 3 learned
# tables; 4 relative positions; 5 RoPE; 6 RoPE for longer texts (after 5); 7 linear biases. **Use**:
# 8 the KV cache; 9 a laboratory that trains short and tests long; 10 beyond one dimension; 11 how
# to choose; 12 a clinic of real bugs.

# %% [markdown] lang="zh"
# ### 路线图
#
# **基础**，请按顺序学：第0章从这里开始；第1章注意力看不见什么，有证明；
# 第2章第一个Transformer用的那些波。**方法**，学完第2章后次序随意：第3章可学习的位置表；
# 第4章相对位置；第5章RoPE；第6章面向长文本的RoPE缩放（在第5章之后）；第7章线性偏置。
# **使用**：第8章KV缓存；第9章训练短、测试长的外推实验室；第10章一维之外；第11章怎么选；
# 第12章真实错误的Bug诊所。

# %% [markdown] lang="en"
# ## 0.2 How to move
#
# | you want to | do |
# |---|---|
# | run a cell | `Shift+Enter` |
# | run everything | menu Run, then Run All Cells; unsolved exercises stop nothing |
# | start afresh | menu Kernel, then Restart Kernel; run from the top |
# | move a slider | drag it, or click it and use the arrow keys |
# | test your answer | run the cell with `check`, as often as you like |
# | get unstuck | `hint("…")`: one hint a call, each says more than the last |
# | see how far you are | `progress()`, or for one chapter `progress("01_permutation")` |
#
# In a notebook cells run in the order in which *you* run them. If something looks impossible,
# restart the kernel and run from the top.

# %% [markdown] lang="zh"
# ## 0.2 怎么操作
#
# | 你想 | 就这样做 |
# |---|---|
# | 运行一个单元格 | 按`Shift+Enter` |
# | 全部运行 | 菜单Run，再选Run All Cells；没做的练习不会挡路 |
# | 重新开始 | 菜单Kernel，再选Restart Kernel，然后从头运行 |
# | 动一个滑块 | 拖动它，或者点一下再用方向键 |
# | 检查答案 | 运行带`check`的单元格，次数不限 |
# | 卡住了 | 运行`hint("…")`，每次给一条提示，一条比一条说得多 |
# | 看看学到哪了 | 运行`progress()`，只看一章就运行`progress("01_permutation")` |
#
# notebook里的单元格按*你*运行的顺序执行。如果看到不可能的结果，就重启内核，从头运行一遍。

# %% [markdown] lang="en"
# ### Where your answers live
#
# You work in the folder `study/`, your own copy of the course. `make lab` looks there each time it
# starts. If the course was updated, the text is renewed and everything you wrote stays: answers,
# new cells, notes. The notebook as it was is kept in `before-update/` beside the new one. Points
# are kept in your own data folder, outside the course. Nothing is sent anywhere.

# %% [markdown] lang="zh"
# ### 你的答案放在哪里
#
# 你在`study/`目录里学习，那是课程的一份拷贝，归你自己。每次启动`make lab`都会看一看这个目录：
# 如果课程更新了，正文换成新的，你写的东西都留着，答案、新加的单元格、笔记都在。
# 更新之前的notebook保存在旁边的`before-update/`里。得分存在你自己的数据目录里，不在课程目录中。
# 任何东西都不会发送出去。

# %% [markdown] lang="en"
# ## 0.3 A first slider
#
# In this course a distance has a sign. The *relative position* is **key minus query**: for the
# query at position $i$ and the key at position $j$ it is $j-i$, negative in the past, $0$ at the
# token itself, positive in the future. Drag the query. Then predict before you drag `start`: the
# text now begins at another position, so which bars change?

# %% [markdown] lang="zh"
# ## 0.3 第一个滑块
#
# 在这门课里，距离是带符号的。*相对位置*（relative position）是**键减查询**：
# 位置$i$的查询和位置$j$的键，相对位置是$j-i$，过去为负，词元自身为$0$，未来为正。拖动查询试试。
# 然后先猜再拖`start`：文本改从另一个位置开始，哪些柱子会变？


# %%
def show(query, start):
    positions = start + torch.arange(10)
    i = positions[query].item()
    return Bars(
        positions - i,  # (10,): key minus query
        [str(j) for j in positions.tolist()],
        x=Text(en="key position j (tokens)", zh="键的位置j（词元）"),
        y=Text(en="j − i (tokens)", zh="j − i（词元）"),
        title=Text(en=f"query at i = {i}", zh=f"查询在i = {i}"),
        limits=(-9, 9),
    )


names = {"query": Text(en="query", zh="查询"), "start": Text(en="start", zh="起点")}
explore(show, query=(0, 9, 1, 3), start=(0, 90, 10), labels=names)

# %% [markdown] lang="en"
# *Picture: ten bars, one for each key, climb from left to right in steps of one. They are negative
# left of the query, zero at the query, positive right of it.* The start changes the numbers under
# the bars and no bar: a relative position forgets where the text began. The next cell says the
# same in numbers.

# %% [markdown] lang="zh"
# *图：十根柱子，每个键一根，从左到右每次升高1；查询左边为负，查询处为零，右边为正。*
# 改变起点，变的只有柱子下面的数字，柱子一点没动：相对位置不记得文本从哪里开始。
# 下一个单元格用数字再说一遍。

# %%
here, later = torch.tensor([0, 3, 7]), torch.tensor([0, 3, 7]) + 1000
print("start    0:", (here - here[1]).tolist())
print("start 1000:", (later - later[1]).tolist())

# %% [markdown] lang="en"
# ## 0.4 A first exercise
#
# Now you. Replace the two lines of the stub in the answer cell by your code, run it, then run the
# check below it.

# %% [markdown] lang="zh"
# ## 0.4 第一道练习
#
# 轮到你了。把作答单元格里的两行占位代码换成你的代码，运行它，再运行下面的检查。


# %% exercise="key_minus_query"
def key_minus_query(q_positions, k_positions):
    """Return the relative position of every key to every query, shape (Lq, Lk)."""
    ### BEGIN SOLUTION
    return k_positions[None, :] - q_positions[:, None]  # (1, Lk) - (Lq, 1)
    ### END SOLUTION


# %% check="key_minus_query"
check("key_minus_query", key_minus_query)

# %% [markdown] lang="en"
# Stuck? There are three hints. Without a number you get the next one; here is the first.

# %% [markdown] lang="zh"
# 卡住了？一共有三条提示。不写编号就给下一条，这里是第一条。

# %%
hint("key_minus_query", level=1)

# %% [markdown] lang="en"
# ## 0.5 Good and bad answers
#
# *Solve the exercise first: this section gives it away.* How does a check speak? Below, four
# answers are checked just as yours was. These calls only show the words; `check` also records your
# points.
#
# A good answer need not look like ours. This one uses two loops: slow, but it says exactly what is
# meant, and any form that gives the right numbers gets full points.

# %% [markdown] lang="zh"
# ## 0.5 好答案和坏答案
#
# *请先把练习做完，这一节会透露答案*。
# 检查是怎么说话的？下面的四个答案，检查方式和你的一模一样。
# 这里只显示评语；`check`还会记录你的得分。
#
# 好答案不必和我们写的一样。这一个用了两重循环：慢，但意思说得清清楚楚。不管怎么写，结果对就是满分。


# %%
def in_loops(q_positions, k_positions):
    rows = [[j - i for j in k_positions.tolist()] for i in q_positions.tolist()]
    return torch.tensor(rows)


print(report(evaluate(exercise("key_minus_query"), in_loops)))

# %% [markdown] lang="en"
# The next one has the sign the other way round. Read the report from top to bottom: `✓` and `✗` per
# check, then *why*, with your number and the expected one, then the likely cause. Checks that pass
# earn their share, so the points are not zero. A wrong answer that people really give is
# recognised and named.

# %% [markdown] lang="zh"
# 下一个把符号弄反了。报告从上往下读：每项检查是`✓`还是`✗`，*为什么*错，
# 你的结果和应有的结果各是多少，最后是很可能的原因。
# 通过的检查照样得分，所以不是零分。大家常犯的错误，会被认出来并点名。


# %%
def sign_reversed(q_positions, k_positions):
    return q_positions[:, None] - k_positions[None, :]


print(report(evaluate(exercise("key_minus_query"), sign_reversed)))

# %% [markdown] lang="en"
# A blank answer scores 0, says so, and stops nothing: every chapter runs to its end with no
# exercise solved.

# %% [markdown] lang="zh"
# 空白的答案得0分，报告会说明，但什么也不会中断：一道题都不做，每一章也能从头运行到尾。


# %%
def blank(q_positions, k_positions):
    raise NotImplementedError


print(report(evaluate(exercise("key_minus_query"), blank)))

# %% [markdown] lang="en"
# An answer that raises an error, prints, never returns, or changes its input does no harm
# either. You are told what happened, and the notebook goes on.

# %% [markdown] lang="zh"
# 答案抛出异常、打印了东西、停不下来，或者改动了输入，也都不要紧：
# 报告会告诉你发生了什么，notebook照常往下走。


# %%
def beyond_the_end(q_positions, k_positions):
    return k_positions - q_positions[99]


print(report(evaluate(exercise("key_minus_query"), beyond_the_end)))

# %% [markdown] lang="en"
# ## 0.6 Your machine
#
# The cell below prints what the course runs on here. Everything in these chapters runs on a plain
# CPU; a GPU is used where there is one, and `POSENC_DEVICE=cpu` in the environment overrides that.
# Without a Chinese font the figures' labels are in English. If you ask for help, paste these lines,
# the cell that failed, and its whole output.

# %% [markdown] lang="zh"
# ## 0.6 你的机器
#
# 下面的单元格打印本机的运行环境。各章内容用普通CPU就能跑；有GPU就用GPU，
# 在环境变量里设`POSENC_DEVICE=cpu`可以改回来。没有中文字体时，图中的标签用英文。
# 求助时，请附上这几行、出错的单元格和它的全部输出。

# %% tags=["nbval-ignore-output"] reason="versions, device and threads differ between machines"
environment(chinese_in_figures=drawable("中文"))

# %% [markdown] lang="en"
# ## 0.7 Take-away
#
# - Attention adds up, and a sum knows no order; a positional encoding brings it in.
# - Relative position is key minus query: the past is negative.
# - Run, predict, drag, check; a wrong answer is told why.
#
# Test yourself. Every option explains itself, the wrong ones too.

# %% [markdown] lang="zh"
# ## 0.7 本章要点
#
# - 注意力做的是加法，而求和不管顺序；位置编码把顺序带进来。
# - 相对位置是键减查询：过去为负。
# - 运行，先猜，再拖，检查；答错了会告诉你为什么。
#
# 自测一下。每个选项都有解释，错的也有。

# %%
quiz("start")

# %% [markdown] lang="en"
# What is done so far, in all chapters:

# %% [markdown] lang="zh"
# 各章到目前为止的进度：

# %% tags=["nbval-ignore-output"] reason="shows what this reader has done so far"
progress()

# %% [markdown] lang="en"
# ### Further reading
#
# - A. Vaswani et al. (2017). *Attention Is All You Need*. NeurIPS 30. §3.5 is where positional
#   encodings enter.
# - P. Dufter, M. Schmitt, H. Schütze (2022). *Position Information in Transformers: An Overview*.
#   Computational Linguistics 48(3), 733–763. A map of the whole field.

# %% [markdown] lang="zh"
# ### 延伸阅读
#
# - A. Vaswani等（2017）。*Attention Is All You Need*。NeurIPS 30。
#   位置编码就是从§3.5进入Transformer的。
# - P. Dufter、M. Schmitt、H. Schütze（2022）。*Position Information in Transformers: An Overview*。
#   Computational Linguistics 48(3)，733–763。整个领域的一张地图。
