"""What a cell of a course notebook is: `metadata.posenc`, the fields of `CellRole`.

`tools/build/assemble.py` writes it from the source; release, editions, site and tests read it, and
nothing searches the text of a cell for a task, a quiz or a language. `mends` is the name of the
function, in a cell above, that an answer cell starts from. `way` is the shortest way through the
course (`autograde/kit/way.py`) that includes the exercise, or the section that a prose cell begins;
`section` is the number of that section in its chapter.

| role         | the cell                                                  | exercise    | lang |
|--------------|-----------------------------------------------------------|-------------|------|
| `prose`      | text                                                      |             | yes  |
| `task`       | text: what an exercise asks, and what it is worth         | exercise    | yes  |
| `navigation` | text: the links that close a chapter                      |             | yes  |
| `thinking`   | text: the answer to a question that a teacher grades      | grade id    |      |
| `answer`     | code: where a learner solves an exercise                  | exercise    |      |
| `check`      | code: the graded call of `check`                          | exercise    |      |
| `quiz`       | code: the call of `quiz` with all its questions           | quiz        |      |
| `switch`     | code: the imports and `language_switch()`                 |             |      |
| `personal`   | code: what it prints differs from reader to reader        |             |      |
| `code`       | any other code                                            |             |      |
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from autograde.kit.way import Way
from bilingual import Language, Text

KEY = "posenc"
ANSWER_HERE = Text(en="YOUR ANSWER HERE", zh="在这里写下你的回答")  # in a `thinking` cell
Role = Literal[
    "prose",
    "task",
    "navigation",
    "thinking",
    "answer",
    "check",
    "quiz",
    "switch",
    "personal",
    "code",
]


@dataclass(frozen=True)
class CellRole:
    """One row of the table above; ValueError for a role that is not in it."""

    role: Role
    exercise: str | None = None
    lang: Language | None = None
    mends: str | None = None
    way: Way | None = None
    section: int | None = None

    def __post_init__(self) -> None:
        """Refuse an unknown role."""
        if self.role not in get_args(Role):
            raise ValueError(f"role must be one of {', '.join(get_args(Role))}, got {self.role!r}")

    def metadata(self) -> dict[str, dict[str, str | int]]:
        """Return what goes into the metadata of the cell; a field that is None is left out."""
        return {KEY: {name: value for name, value in asdict(self).items() if value is not None}}


def cell_role(cell: Mapping[str, Any]) -> CellRole | None:
    """Return the role of a cell; None if it is not of the course, such as a learner's own."""
    fields = cell["metadata"].get(KEY)
    return CellRole(**fields) if fields else None
