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
# with live figures and exercises that tell you *why* an answer is wrong. New here? Open the first
# one. Run the cell below (`Shift+Enter`) to choose the language.

# %% [markdown] lang="zh"
# # 动手学位置编码
#
# Transformer怎么知道词的先后？读一读，拖一拖，答一答：每一章是一个notebook，图可以拖动，
# 练习会告诉你*为什么*错。第一次来？从第一章打开。运行下面的单元格（`Shift+Enter`）选择语言。

# %%
from bilingual.switch import language_switch

language_switch()

# %% [markdown] lang="en"
# ## Chapters
#
# <!-- chapters -->

# %% [markdown] lang="zh"
# ## 章节
#
# <!-- chapters -->

# %% [markdown] lang="en"
# ## What is done
#
# Run this cell, today or on any later day, to see your points and how long the rest takes.

# %% [markdown] lang="zh"
# ## 进度
#
# 运行这个单元格，就能看到每一章的得分，以及剩下的大约还要多久；以后随时可以再运行。

# %% tags=["nbval-ignore-output"] reason="shows what this reader has done so far"
from autograde import progress

progress()
