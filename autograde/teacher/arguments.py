"""Help texts for arguments that several of a teacher's commands share."""

from __future__ import annotations

from bilingual import Text

CHAPTER = Text(en="the chapter, e.g. 02_sinusoidal", zh="章节，例如02_sinusoidal")
