"""What the wavelengths of one rotary encoding mean for a text: new angles, pairs at rest."""

from __future__ import annotations

from collections.abc import Iterator

from bilingual import Text
from posenc_ref.command import words
from posenc_ref.command.facts import familiar_until, turns, unscaled
from posenc_ref.command.layer_table import grouped
from posenc_ref.config.rotary import Rotary


def waves(rotary: Rotary, window: int | None, *, beyond: bool) -> Iterator[Text]:
    """Yield sentences on one rotary encoding; window: how far its layers see, None for all.

    beyond: whether these layers see as far as the config's own length.
    """
    trained = rotary.trained_length
    if not rotary.is_whole or trained is None or rotary.axes > 1:
        return
    if window is not None and window < trained:
        yield words.NEAR.format(base=grouped(rotary.base), window=window)
        return
    before = unscaled(rotary)
    scaled = before != rotary
    facts = turns(before, trained)
    slowest = words.WAVES_BEFORE if scaled else words.WAVES
    yield slowest.format(
        base=grouped(rotary.base),
        pairs=facts.pairs,
        longest=grouped(facts.longest),
        ratio=_ratio(facts.longest / trained),
        trained=trained,
    )
    unfinished = words.UNFINISHED_BEFORE if scaled else words.UNFINISHED
    yield unfinished.format(unfinished=facts.unfinished) if facts.unfinished else words.FINISHED
    if scaled and rotary.scaling != "dynamic" and (reached := familiar_until(rotary, trained)):
        slowed, until = reached
        yield words.SLOWED.format(scaling=rotary.scaling, slowed=slowed, until=until)
        if beyond and (rotary.max_length or 0) > until:
            yield words.BEYOND.format(allowed=rotary.max_length)
    if facts.standing:
        yield words.STANDING.format(standing=facts.standing, pairs=facts.pairs)
    factor = rotary.frequencies()[1]
    if factor != 1:
        yield words.TEMPERATURE.format(factor=f"{factor:.4g}", square=f"{factor**2:.4g}")
    if rotary.score_factor != 1:
        yield words.SCORES.format(factor=f"{rotary.score_factor:.4g}")


def _ratio(number: float) -> str:
    return grouped(number) if number >= 100 else f"{number:.3g}"
