"""Sentences as HTML, in the languages of the page; what a student wrote is only ever escaped."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from markupsafe import Markup, escape

from autograde.kit.emphasis import CODE, EMPHASIS
from autograde.pages.markup import markdown
from bilingual import Language, Text

LONGEST_MESSAGE = 300  # characters of an error's message


class Marking:
    """Writes `Text` as HTML in one language or both."""

    def __init__(self, language: Language) -> None:
        """Write in `language`."""
        self.languages = ("zh", "en") if language == "both" else (language,)

    def line(self, text: Text, **values: Any) -> Markup:
        """Return a text on one line: both languages, a dot between."""
        return Markup('<span class="or"> · </span>').join(self._parts("span", text, values))

    def block(self, text: Text, **values: Any) -> Markup:
        """Return a text as paragraphs, one for each language."""
        return Markup().join(self._parts("p", text, values))

    def plain(self, text: Text, **values: Any) -> str:
        """Return a text without markup, for attributes; the template escapes it."""
        filled = text.format(**values) if values else text
        texts = [getattr(filled, language) for language in self.languages]
        return " · ".join(dict.fromkeys(texts))

    def course(self, text: Text) -> Markup:
        """Return a sentence of the course as paragraphs; `code` and *emphasis* are marked up."""
        parts = [
            Markup('<p lang="{}">{}</p>').format(language, _with_marks(sentence))
            for language, sentence in self._sentences(text, {})
        ]
        return Markup().join(parts)

    def prose(self, text: Text, render: Callable[[str], Markup] = markdown) -> Markup:
        """Return a text of the course as HTML, one part for each language."""
        parts = (
            Markup('<div lang="{}">{}</div>').format(language, render(sentence))
            for language, sentence in self._sentences(text, {})
        )
        return Markup().join(parts)

    def excerpt(self, text: Text) -> Markup:
        """Return the beginning of a sentence that quotes a submission, marked up as by `course`."""
        return self.course(Text(en=cut(text.en), zh=cut(text.zh)))

    def _parts(self, tag: str, text: Text, values: dict[str, Any]) -> Iterable[Markup]:
        for language, sentence in self._sentences(text, values):
            yield Markup('<{} lang="{}">{}</{}>').format(tag, language, sentence, tag)

    def _sentences(self, text: Text, values: dict[str, Any]) -> list[tuple[str, str]]:
        filled = text.format(**values) if values else text
        sentences = [(language, getattr(filled, language)) for language in self.languages]
        return sentences[:1] if filled.en == filled.zh else sentences


def _with_marks(sentence: str) -> Markup:
    html = Markup()
    for index, piece in enumerate(CODE.split(sentence)):  # every second piece stood in backticks
        if index % 2:
            html += Markup("<code>{}</code>").format(piece)
        else:
            html += Markup(EMPHASIS.sub(r"<em>\1</em>", str(escape(piece))))
    return html


def cut(text: str) -> str:
    """Return the beginning of an error's message, on one line."""
    line = " ".join(text[: 4 * LONGEST_MESSAGE].split())
    return line if len(line) <= LONGEST_MESSAGE else f"{line[:LONGEST_MESSAGE]}…"


def points(number: float) -> str:
    """Return points as a person writes them."""
    return f"{round(number, 2):g}"
