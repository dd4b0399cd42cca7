"""The sentence for two mistakes at once."""

from __future__ import annotations

from autograde.kit.relations.change import Change
from autograde.kit.verdict import Cause
from bilingual import Text


def combined_cause(first: str, first_words: Text, second: str, second_words: Text) -> Cause:
    """Return two mistakes as one cause, whose name holds the names of both."""
    return Cause(
        "relation",
        f"{first}_and_{second}",
        Text(
            en="Two things together give your result. "
            f"One: {first_words.en} The other{second_words.en}",
            zh=f"你的结果是两件事叠加而成的。其一：{first_words.zh}其二{second_words.zh}",
        ),
    )


def computed(change: Change) -> Text:
    """Return the words for a change of the inputs beside another mistake."""
    return Text(en=f"it is computed {change.words.en}.", zh=f"相当于{change.words.zh}。")
