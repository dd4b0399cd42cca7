"""What a self-test question is made of: every option, right or wrong, explains itself."""

from __future__ import annotations

from dataclasses import dataclass

from bilingual import Text


@dataclass(frozen=True)
class Option:
    """One option; `because` says why it is right or wrong."""

    text: Text
    because: Text
    right: bool = False


@dataclass(frozen=True)
class Question:
    """A prompt and its options, of which exactly one is right."""

    prompt: Text
    options: tuple[Option, ...]

    def __post_init__(self) -> None:
        """Refuse a question that has no right option, or several."""
        right = sum(option.right for option in self.options)
        if right != 1 or len(self.options) < 2:
            raise ValueError(f"one of at least two options is right, got {right}: {self.prompt.en}")
