"""What an explanation is: a function of the parts of a message that its pattern catches."""

from __future__ import annotations

from collections.abc import Callable

from bilingual import Text

Known = tuple[tuple[str, Callable[..., Text]], ...]  # pattern of a message, explanation
