"""The chapters as a reader meets them: what each is called, and how long it takes.

The headers of `chapters/*.py` say the same, and a test holds the two together: a reader who has
installed the kit has no such files.
"""

from __future__ import annotations

from dataclasses import dataclass

from autograde.kit.catalogue import UnknownName, chapter_exercises, chapter_names
from autograde.kit.exercise import Exercise
from bilingual import Text

KIND = Text(en="chapter", zh="章节")


@dataclass(frozen=True)
class Chapter:
    """What a reader calls it; minutes: for its text and its exercises together."""

    title: Text
    minutes: int


CHAPTERS = {
    "00_start": Chapter(Text(en="Start here", zh="从这里开始"), minutes=20),
    "01_permutation": Chapter(
        Text(en="Order: what attention cannot see", zh="注意力看不见的顺序"), minutes=120
    ),
    "02_sinusoidal": Chapter(Text(en="Sinusoidal encoding", zh="正弦位置编码"), minutes=140),
    "03_learned": Chapter(Text(en="Learned positions", zh="可学习的位置编码"), minutes=140),
    "04_relative": Chapter(Text(en="Relative positions", zh="相对位置编码"), minutes=140),
    "05_rope": Chapter(Text(en="Rotary position embedding", zh="旋转位置编码"), minutes=150),
    "06_rope_scaling": Chapter(
        Text(en="Scaling RoPE to longer texts", zh="把RoPE用到更长的文本"), minutes=140
    ),
    "07_linear_bias": Chapter(Text(en="Linear biases", zh="线性偏置"), minutes=110),
    "08_kv_cache": Chapter(Text(en="Decoding with a KV cache", zh="带KV缓存的解码"), minutes=150),
    "09_extrapolation": Chapter(
        Text(en="The extrapolation laboratory", zh="外推实验室"), minutes=100
    ),
    "10_beyond_1d": Chapter(Text(en="Beyond one dimension", zh="一维之外"), minutes=140),
    "11_choose": Chapter(Text(en="Choosing an encoding", zh="怎样选择位置编码"), minutes=110),
    "12_bug_clinic": Chapter(Text(en="Bug clinic", zh="Bug诊所"), minutes=190),
}


def chapter(name: str) -> tuple[Chapter, list[Exercise]]:
    """Return a chapter and its exercises; `UnknownName` suggests the nearest if there is none.

    A chapter that a teacher has added goes by its own name, and lasts as long as its exercises.
    """
    if name not in chapter_names():
        raise UnknownName(KIND, name, chapter_names())
    exercises = chapter_exercises(name)
    minutes = sum(exercise.minutes for exercise in exercises)
    return CHAPTERS.get(name) or Chapter(Text(en=name, zh=name), minutes), exercises
