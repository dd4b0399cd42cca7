# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
#   kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown] lang="en"
# # Positional encodings, hands on
#
# How does a Transformer know the order of words? Read, drag, answer: each chapter is a notebook
# with live figures and exercises that tell you *why* an answer is wrong. Run the cell below
# (`Shift+Enter`) to choose the language.

# %% [markdown] lang="zh"
# # 动手学位置编码
#
# Transformer怎么知道词的先后？读一读，拖一拖，答一答：每一章是一个notebook，图可以拖动，
# 练习会告诉你*为什么*错。运行下面的单元格（`Shift+Enter`）选择语言。

# %%
from autograde import language_switch, progress, review

language_switch()

# %% [markdown] lang="en"
# ## Where you are
#
# Run this cell, today and on any later day: it takes you back to where you left, and shows what is
# next and how long the rest takes.

# %% [markdown] lang="zh"
# ## 你在哪里
#
# 运行这个单元格，就能回到上次停下的地方，看到接下来学什么、剩下的大约还要多久；以后随时可以再运行。

# %% tags=["nbval-ignore-output"] reason="shows what this reader has done so far"
progress()

# %% [markdown] lang="en"
# ## Ten minutes of review
#
# What you have learned comes back after 1, 3, 7 and 21 days: a question of a quiz, a code with a
# mistake to name, a result to predict. What went wrong comes back the next day.

# %% [markdown] lang="zh"
# ## 复习十分钟
#
# 学过的内容隔1、3、7、21天再出现：一道自测题、一段要找出错误的代码、一个要预测的结果。
# 答错的第二天再来。

# %% tags=["nbval-ignore-output"] reason="asks what this reader has met"
review()

# %% [markdown] lang="en"
# ## Three ways through
#
# <!-- ways -->
#
# Each way is whole: what it leaves out it does not need. Below each heading of a chapter you see
# which ways have it, and where yours goes on.

# %% [markdown] lang="zh"
# ## 三条路线
#
# <!-- ways -->
#
# 每条路线都自成一体，略去的内容后面用不着。各章每个标题下面都写着哪些路线有这一节，
# 以及你的路线接下来到哪里。

# %% [markdown] lang="en"
# ### Two hours, section by section
#
# <!-- two hours -->

# %% [markdown] lang="zh"
# ### 两小时，逐节列出
#
# <!-- two hours -->

# %% [markdown] lang="en"
# ## Chapters
#
# <!-- chapters -->

# %% [markdown] lang="zh"
# ## 章节
#
# <!-- chapters -->
