# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
#   kernelspec: {display_name: Python 3, language: python, name: python3}
#   posenc:
#     title: {en: Start here, zh: 从这里开始}
#     question:
#       en: "What is this course about, and how do you work in it?"
#       zh: 这门课讲什么，怎么学？
# ---

# %% [markdown] lang="en" way="two_hours"
# # 0 · Start here
#
# "The dog bites the man" and "the man bites the dog": the same words, and one of the two is news.
# Take the *positional encoding* out of a Transformer like BERT, and it cannot tell which. This
# course is about that small piece of arithmetic and what depends on it: whether a model can copy
# from its context, read long texts and decode fast.
#
# **You will** run a cell, move a slider, answer an exercise, read what a check says about right,
# wrong and blank answers, and see what your machine has.
#
# **You need** a little Python and PyTorch. About {minutes} minutes, 6 points.
#
# Three ways lead through the course: *two hours*, *a weekend* (ten hours) and *everything* (forty).
# The line below a heading names the ways that have the section, and where the others go on.

# %% [markdown] lang="zh"
# # 0 · 从这里开始
#
# 狗咬人不是新闻，人咬狗才是。可是BERT那样的Transformer，去掉*位置编码*就分不出这两句话。位置编码不
# 过是一小段算式，模型能不能复制前文、读不读得了长文本、解码快不快，却都与它有关。
# 这门课讲的就是它。
#
# **你将**运行一个单元格，拖动一个滑块，答完第一道练习，看看正确、错误和空白的答案各得什么评语，
# 再看看机器上装了什么。
#
# **你需要**一点Python和PyTorch。约{minutes}分钟，共6分。
#
# 这门课有三条路线：*两小时*、*一个周末*（约十小时）、*全部*（约四十小时）。
# 标题下写明哪些路线读这一节，其余路线接着读哪里。

# %% [markdown] lang="en"
# Click the cell below and press `Shift+Enter`: that runs it and moves on. Three buttons choose the
# language of text, figures and messages, also later. (A figure already on the page follows when its
# cell runs again.) To choose your way, press `B` and, in the new cell, run
# `progress(way="two_hours")` (or `"weekend"`, `"everything"`).

# %% [markdown] lang="zh"
# 点一下下面的单元格，按`Shift+Enter`，它就会运行，光标移到下一格。
# 三个按钮用来选正文、图和消息的语言，选过一次，以后都记得。
# （页面上已有的图，重新运行它的单元格后才会换语言。）再按`B`新建一格，写上
# `progress(way="two_hours")`（或`"weekend"`、`"everything"`）并运行，就选定了路线。

# %%
from autograde import check, hint, language_switch, progress, quiz

language_switch()

# %% [markdown] lang="en" way="two_hours"
# ## 0.1 What this is about
#
# A Transformer reads all *tokens* of a text, words or pieces of words, at once. The core of each of
# its layers is *attention*: it compares every token with every token and adds up their vectors,
# weighted by the result. A sum does not depend on the order of its terms. So without positions, if
# every token sees all others, as in BERT, shuffling the words only shuffles the output vectors (not
# in GPT: chapter 1). A *positional encoding* tells the model where each token is.

# %% [markdown] lang="zh"
# ## 0.1 这门课讲什么
#
# Transformer一次读入文本的全部*词元*（token，一个词或词的一部分），
# 每一层的核心都是*注意力*（attention）：每个词元和所有词元逐一比较，再按结果把它们的向量加权求和。
# 求和与次序无关，所以没有位置时，只要每个词元都看得见全部词元（例如BERT），把词打乱，
# 输出还是那些向量，只是换了位置（GPT不同，见第1章）。*位置编码*（positional encoding）
# 告诉模型每个词元在哪里。

# %% [markdown] lang="en"
# The simplest case: three vectors, added in two orders.

# %% [markdown] lang="zh" slide="show"
# 最简单的情形：三个向量，按两种顺序相加。

# %%
import torch

dog, bites, man = torch.eye(3)
print(torch.equal(dog + bites + man, man + bites + dog))

# %% [markdown] lang="en"
# Equal: the order is gone. Now multiply each word's vector by its position, 1, 2 or 3, before
# adding. Predict: equal or not?

# %% [markdown] lang="zh" slide="show"
# 相等：顺序不见了。现在每个词的向量先乘以位置1、2、3再相加。猜猜还相等吗？

# %% tags=["predict"]
dog_first, man_first = 1 * dog + 2 * bites + 3 * man, 1 * man + 2 * bites + 3 * dog
print(torch.equal(dog_first, man_first))

# %% [markdown] lang="en"
# Not equal: other positions, another sum. That is what a positional encoding does; this is the
# crudest there is.

# %% [markdown] lang="zh"
# 不相等：词还是那三个，位置不同，总和就不同了。位置编码做的就是这件事，这是最粗糙的一种。

# %% [markdown] lang="en" way="weekend"
# ### The map
#
# - **Foundations**, to be taken in order: 0 Start here; 1 what attention cannot see, with a proof;
#   2 the waves of the first Transformer.
# - **Methods**, in any order once you know chapter 2: 3 learned tables; 4 relative positions;
#   5 RoPE; 6 RoPE for longer texts (after 5); 7 linear biases.
# - **Use**: 8 the KV cache; 9 a laboratory that trains short and tests long; 10 beyond one
#   dimension; 11 how to choose; 12 a clinic of real bugs; 13 how to read a real model; 14 small
#   trained models, taken apart.

# %% [markdown] lang="zh" slide="show"
# ### 路线图
#
# - **基础**，请按顺序学。第0章从这里开始；第1章证明注意力看不见什么；
#   第2章讲最早的Transformer所用的正弦波。
# - **方法**，学完第2章后次序随意。第3章讲可学习的位置表；第4章讲相对位置；第5章讲RoPE；
#   第6章讲面向长文本的RoPE缩放（先学第5章）；第7章讲线性偏置。
# - **使用**。第8章讲KV缓存；第9章是外推实验室，用短文本训练、长文本测试；第10章走出一维；
#   第11章讲怎么选；第12章的Bug诊所收治真实的错误；第13章读懂一个真实模型；
#   第14章把训练好的小模型拆开看。

# %% [markdown] lang="en" way="two_hours"
# ## 0.2 How to move
#
# | you want to | do |
# |---|---|
# | run a cell | `Shift+Enter` |
# | add a cell | click to the left of a cell, then press `B` |
# | run everything | menu Run, then Run All Cells; an unsolved exercise does not stop the run |
# | start again | menu Kernel, then Restart Kernel; run from the top |
# | move a slider | drag it, or click it and use the arrow keys |
# | test your answer | run the cell with `check`, as often as you like |
# | get unstuck | `hint("…")`: one hint per call, each more explicit than the last |
# | see how far you are | `progress()`, or for one chapter `progress("01_permutation")` |
#
# In a notebook, cells run in the order in which *you* run them. If something looks impossible,
# restart the kernel and run from the top.

# %% [markdown] lang="zh" slide="show"
# ## 0.2 怎么操作
#
# | 你想 | 就这样做 |
# |---|---|
# | 运行一个单元格 | 按`Shift+Enter` |
# | 新建一个单元格 | 点一下某个单元格的左侧，再按`B` |
# | 全部运行 | 菜单Run，再选Run All Cells；没做的练习不会挡路 |
# | 重新开始 | 菜单Kernel，再选Restart Kernel，然后从头运行 |
# | 动一个滑块 | 拖动它，或者点一下再用方向键 |
# | 检查答案 | 运行带`check`的单元格，次数不限 |
# | 卡住了 | 运行`hint("…")`，每次给一条提示，一条比一条说得多 |
# | 看看学到哪了 | 运行`progress()`，只看一章就运行`progress("01_permutation")` |
#
# notebook里的单元格按*你*运行的顺序执行。结果看着不可能时，重启内核，从头运行一遍。

# %% [markdown] lang="en" way="weekend"
# ### Where your answers live
#
# You work in the folder `study/`, your own copy of the course. Each `make lab` checks whether the
# course has been updated. If so, you get the new text, and everything you wrote stays: answers, new
# cells, notes. The old notebook is kept in `before-update/` beside the new one. Your points are in
# your own data folder, outside the course. Nothing is sent anywhere.

# %% [markdown] lang="zh"
# ### 你的答案放在哪里
#
# 你在`study/`目录里学习，那是属于你自己的一份课程。每次启动`make lab`都会检查课程有没有更新。
# 如果有，正文会换成新的，而你写的答案、新加的单元格和笔记都原样保留；
# 旧的notebook存在旁边的`before-update/`里。得分记在课程之外、你自己的数据目录中，
# 不会向任何地方发送数据。

# %% [markdown] lang="en" way="two_hours"
# ## 0.3 A first slider
#
# When attention compares two tokens, the one that looks is the *query*, the one that is looked at
# the *key*. The course gives their distance a sign. The *relative position* is **key minus
# query**: for a query at position $i$ and a key at position $j$ it is $j-i$. It is negative for
# keys before the query, $0$ at the query itself, positive for keys after it.
#
# Run the cell, and two sliders appear: "query" picks one of ten tokens as the query, "start" sets
# the position of the first token. Drag the query. Then, before you drag the start, predict: if the
# text begins at another position, which bars change?
#
# In the code, `show` computes the bars; `label` holds their captions, in both languages.

# %% [markdown] lang="zh" slide="show"
# ## 0.3 第一个滑块
#
# 注意力比较两个词元时，看的一方叫*查询*（query），被看的一方叫*键*（key）。这门课用带符号的
# *相对位置*（relative position）表示两者相隔多远，一律是**键减查询**：查询在位置$i$，键在位置$j$，
# 相对位置就是$j-i$。键在查询之前为负，与查询同一位置为$0$，在查询之后为正。
#
# 运行下面的单元格，会出现两个滑块：“查询”从十个词元里选一个作查询，“起点”设定第一个词元的位置。
# 先拖动“查询”看看。再猜一猜：文本改从另一个位置开始，哪些柱子会变？猜好了再拖“起点”。
#
# 代码里，`show`负责计算，`label`存放图上的文字，两种语言都有。


# %%
from posenc_viz import Bars, explore
from posenc_viz.labels import start as label


def show(query=3, start=0):
    positions = start + torch.arange(10)
    i = positions[query].item()
    return Bars(
        positions - i,  # (10,): key minus query
        [str(j) for j in positions.tolist()],
        **label.distances(i=i),
        limits=(-9, 9),
    )


explore(show, **label.show, query=(0, 9), start=(0, 90, 10))

# %% [markdown] lang="en"
# *Picture: ten bars, one for each key, climb from left to right in steps of one. They are negative
# left of the query, zero at the query, positive right of it.*
#
# Now in numbers: three keys, 0, 3 and 7 tokens into the text; the query is at the position of the
# second. The text begins at 0, then at 1000. Which three numbers does each line show?

# %% [markdown] lang="zh" slide="show"
# *图：十根柱子，每个键一根，从左到右，值逐根加1；查询左边为负，查询处为零，右边为正。*
#
# 再猜几个数：三个键是文本的第0、3、7个词元，查询就是中间那个；起点先取0，再取1000。
# 两行各是哪三个数？

# %% tags=["predict"]
for start in (0, 1000):
    positions = start + torch.tensor([0, 3, 7])
    print(f"{start:4}:", (positions - positions[1]).tolist())

# %% [markdown] lang="en"
# −3, 0 and 4, both times. Moving the start changes the labels under the bars and the $i$ in the
# title, but not the bars: a relative position does not depend on where the text begins.

# %% [markdown] lang="zh"
# 两行都是−3、0、4。挪动起点，变的只是柱子下面的标号和标题里的$i$，柱子一根也没变：
# 相对位置与文本从哪里开始无关。

# %% [markdown] lang="en" way="two_hours"
# ## 0.4 A first exercise
#
# Now you. Replace the two lines of the stub in the answer cell with your code, run it, then run the
# check below it.

# %% [markdown] lang="zh" slide="show"
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
# Stuck? There are three hints, and they cost no points. Without `level` you get the next one; here
# is the first.

# %% [markdown] lang="zh"
# 卡住了？一共有三条提示，看提示不扣分。不写`level`就给下一条，这里是第一条。

# %%
hint("key_minus_query", level=1)

# %% [markdown] lang="en" way="everything"
# ### What does the crudest encoding tell apart?
#
# In 0.1 each word's vector was multiplied by its position before adding: the crudest encoding there
# is, and it told the two sentences apart. Does it tell every two apart? Let words repeat: "dog
# man man dog" and "man dog dog man". Predict: are the two sums equal, and why?

# %% [markdown] lang="zh" slide="show"
# ### 最粗糙的编码分得清什么？
#
# 0.1节里，每个词的向量先乘以位置再相加，这是最粗糙的编码，那两个句子就区分开了。任意两个句子都分得
# 开吗？让词重复一下，比较“dog man man dog”和“man dog dog man”。猜猜看，两个总和相等吗？为什么？

# %% tags=["predict"]
dog_outside, man_outside = dog + 2 * man + 3 * man + 4 * dog, man + 2 * dog + 3 * dog + 4 * man
print(torch.equal(dog_outside, man_outside))

# %% [markdown] lang="en"
# One sum for two sentences, since $1+4=2+3$. (Where no word repeats, the sum shows each word's
# position.)
#
# How many orders of the same words share one sum? The exercise below takes a good engineer twenty
# minutes; nothing later needs it.

# %% [markdown] lang="zh" slide="show"
# 两个句子，总和却相同，因为$1+4=2+3$。（只要没有重复的词，从总和里就能读出每个词的位置。）
#
# 同样的这些词，有多少种次序的总和相同？
# 下面这道题，熟练的工程师也要想上二十分钟；后面的内容用不到它。


# %% exercise="equal_sums"
def equal_sums(tokens):
    """Return how many orders of the tokens have the same sum of position times one-hot vector."""
    ### BEGIN SOLUTION
    words = tokens.unique()
    copies = (tokens[:, None] == words).long()  # (L, V), one-hot
    sums = torch.arange(1, len(tokens) + 1) @ copies  # (V,)

    def ways(position, copies, sums):
        if position == 0:
            return int(not sums.any())
        total = 0
        for word in range(len(words)):
            if copies[word] > 0 and sums[word] >= position:
                one = torch.eye(len(words)).long()[word]
                total += ways(position - 1, copies - one, sums - position * one)
        return total

    return ways(len(tokens), copies.sum(0), sums)
    ### END SOLUTION


# %% check="equal_sums"
check("equal_sums", equal_sums)

# %% [markdown] lang="en" way="weekend"
# ## 0.5 Good and bad answers
#
# *Solve `key_minus_query` first: this section gives it away.* What does a check say? Below, four
# answers are checked just as yours was. These calls only print the report; `check` also records
# your points.
#
# A good answer need not look like ours. This one uses two loops. It is slow, but it says exactly
# what is meant, and any answer that gives the right numbers gets full points.

# %% [markdown] lang="zh" slide="show"
# ## 0.5 好答案和坏答案
#
# *请先做完`key_minus_query`，这一节会透露它的答案*。
# 检查会给出什么评语？下面四个答案，经过的检查和你的答案一样。
# 这里只打印评语；`check`还会记录得分。
#
# 好答案不必和我们写的一样。这一个用了两重循环，慢是慢，意思却清清楚楚。不管怎么写，结果对就是满分。


# %%
from autograde.kit.catalogue import exercise
from autograde.kit.scoring import evaluate
from autograde.notebook.report import report


def in_loops(q_positions, k_positions):
    rows = [[j - i for j in k_positions.tolist()] for i in q_positions.tolist()]
    return torch.tensor(rows)


print(report(evaluate(exercise("key_minus_query"), in_loops)))

# %% [markdown] lang="en"
# The next one has the sign the wrong way round. Read the report from top to bottom: `✓` or `✗` for
# each check, then *why*, with your number and the expected one, then, after ➤, the likely cause, if
# your results are those of a common mistake or the error message gives it away. Each check that
# passes earns its share. Here the four checks are weighted 1 : 2 : 3 : 2, so the right shape alone
# earns an eighth of the 2 points.

# %% [markdown] lang="zh" slide="show"
# 下一个把符号弄反了。报告从上往下读：先是每项检查的`✓`或`✗`，没通过的，下面写着*为什么*错，
# 以及你的结果和应有的结果各是多少；最后，“➤”后面是很可能的原因：
# 你的结果若和一种常见错误的结果完全一致，或者报错信息已经说明问题，报告会直接指出来。
# 通过的检查照样得分，各项所占的分值不同：这里四项之比为1 : 2 : 3 : 2，只有形状对，
# 就得2分的八分之一。


# %%
def sign_reversed(q_positions, k_positions):
    return q_positions[:, None] - k_positions[None, :]


print(report(evaluate(exercise("key_minus_query"), sign_reversed)))

# %% [markdown] lang="en"
# A blank answer scores 0, and the report says so. It does not stop the notebook: every chapter runs
# to the end even if no exercise is solved.

# %% [markdown] lang="zh" slide="show"
# 空白的答案得0分，报告会说明，但运行不会中断：一道题都不做，每一章也能从头跑到尾。


# %%
def blank(q_positions, k_positions):
    raise NotImplementedError


print(report(evaluate(exercise("key_minus_query"), blank)))

# %% [markdown] lang="en"
# Inside a check, an answer that raises an error, prints, changes its input or never returns does no
# harm either: the report tells you what happened (an endless loop is stopped, here after ten
# seconds), and the notebook goes on. In a cell of your own, stop an endless loop with the ■ button.

# %% [markdown] lang="zh"
# 检查时，答案抛出异常、打印了东西、停不下来（这里满十秒就会被停掉），或者改动了输入，都不会弄坏
# notebook：报告会告诉你发生了什么，后面的单元格照常运行。你自己的单元格停不下来时，按工具栏的■。


# %%
def beyond_the_end(q_positions, k_positions):
    return k_positions - q_positions[99]


print(report(evaluate(exercise("key_minus_query"), beyond_the_end)))

# %% [markdown] lang="en" way="weekend"
# ## 0.6 Your machine
#
# The cell below prints what the course runs on here. Everything in these chapters runs on the CPU,
# and a plain one is enough; the device in the list is only for your own experiments, where
# `posenc_ref.device()` of the course's library chooses it. Without a Chinese font the figures'
# labels are in English. If you ask for help, paste these lines, the cell that failed, and its whole
# output.

# %% [markdown] lang="zh"
# ## 0.6 你的机器
#
# 下面的单元格打印本机的运行环境。各章的代码都在CPU上运行，普通的CPU就够了；列出的设备只供你自己做实
# 验时参考，由课程的参考库用`posenc_ref.device()`选出。没有中文字体时，图中的标签用英文。求助时，请
# 附上这几行、出错的单元格和它的全部输出。

# %% tags=["nbval-ignore-output"] reason="versions, device and threads differ between machines"
from autograde import environment
from posenc_viz.font import drawable

environment(chinese_in_figures=drawable("中文"))

# %% [markdown] lang="en" way="weekend"
# ## 0.7 Take-away
#
# - Attention adds up, and a sum has no order; a positional encoding brings the order in.
# - Relative position is key minus query: earlier keys are negative. Where the text begins makes no
#   difference to it.
# - Predict, run, drag, check; for a wrong answer, the report says why it is wrong.
#
# Test yourself. Click an option to see why it is right or wrong.

# %% [markdown] lang="zh" slide="show"
# ## 0.7 本章要点
#
# - 注意力归根到底是求和，而求和不管顺序；位置编码把顺序带进来。
# - 相对位置是键减查询，之前的键为负；文本从哪里开始，对它没有影响。
# - 先猜，再运行，再拖动，最后检查；答错了，报告会说明错在哪里。
#
# 自测一下。点一个选项，就会看到它为什么对、为什么错。

# %%
quiz("start")

# %% [markdown] lang="en"
# Your progress so far in all chapters, by exercises and self-tests:

# %% [markdown] lang="zh"
# 各章到目前为止的进度，按做过的练习和自测来算：

# %% tags=["nbval-ignore-output"] reason="shows what this reader has done so far"
progress()

# %% [markdown] lang="en" way="everything"
# ### Further reading
#
# - A. Vaswani et al. (2017). *Attention Is All You Need*. NeurIPS 30. Positional encodings are in
#   §3.5.
# - P. Dufter, M. Schmitt, H. Schütze (2022). *Position Information in Transformers: An Overview*.
#   Computational Linguistics 48(3), 733–763. A map of the whole field.

# %% [markdown] lang="zh"
# ### 延伸阅读
#
# - A. Vaswani等（2017）。*Attention Is All You Need*。NeurIPS 30。位置编码在§3.5。
# - P. Dufter、M. Schmitt、H. Schütze（2022）。*Position Information in Transformers: An Overview*。
#   Computational Linguistics 48(3)，733–763。整个领域的一张地图。
