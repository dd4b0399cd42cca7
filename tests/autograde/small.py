"""The one small exercise and the quiz that the tests of the kit work on, as files hold them."""

DOUBLE = '''
"""Exercise double: twice a vector."""

import torch

from autograde.kit.exercise import Exercise
from autograde.kit.expect import expect_shape
from autograde.kit.expect_values import expect_close
from bilingual import Text

exercise = Exercise(
    id="double",
    chapter="77_kit",
    title=Text(en="Double", zh="加倍"),
    task=Text(en="Return twice `x`.", zh="返回`x`的两倍。"),
    signature="double(x) -> (L,)",
    points=2,
    difficulty=1,
    minutes=1,
    hints=(
        Text(en="Look at the title.", zh="看看标题。"),
        Text(en="$2x$", zh="公式是$2x$"),
        Text(en="`return 2 * x`", zh="写`return 2 * x`"),
    ),
)


@exercise.check(en="keeps the shape", zh="形状不变")
def shape(answer, rng):
    expect_shape(answer(torch.arange(3.0)), (3,))


@exercise.check(en="is twice the input", zh="等于输入的两倍", weight=3)
def values(answer, rng):
    x = torch.randn(5, generator=rng)
    expect_close(answer(x), 2 * x)


@exercise.misconception(en="You squared it.", zh="你求了平方。")
def squares(x):
    return x**2


@exercise.misconception(en="You changed the input.", zh="你改动了输入。")
def in_place(x):
    x *= 2
    return x
'''

QUESTIONS = '''
"""Quiz kit: two questions."""

from autograde.kit.question import Option, Question
from bilingual import Text

questions = (
    Question(
        prompt=Text(en="What is $2 < 3$ in `Python`?", zh="`Python`里$2 < 3$是什么？"),
        options=(
            Option(Text(en="**False**", zh="**假**"), Text(en="Count again.", zh="再数一数。")),
            Option(Text(en="True", zh="真"), Text(en="Two comes first.", zh="二在前。"), True),
        ),
    ),
    Question(
        prompt=Text(en="Is <b>this</b> bold?", zh="<b>这</b>是粗体吗？"),
        options=(
            Option(Text(en="no", zh="不是"), Text(en="It is escaped.", zh="已转义。"), right=True),
            Option(Text(en="yes", zh="是"), Text(en="It is shown.", zh="原样显示。")),
        ),
    ),
)
'''
