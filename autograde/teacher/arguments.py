"""What the help of several of a teacher's commands says of the same argument."""

from __future__ import annotations

from bilingual import Text

CHAPTER = Text(en="the chapter, e.g. 02_sinusoidal", zh="章节，例如02_sinusoidal")
