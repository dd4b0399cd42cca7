"""What a worker of `--dist loadfile` takes as one piece, and the pieces that start first.

A piece is a file, so that its fixtures are made once; a folder where files share a server or a
built site; each notebook by itself. The longest come first and single notebooks last, so that no
worker is left with a long piece while the other has nothing to do.
"""

from pathlib import PurePosixPath

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

TOGETHER = ("tests/browser", "tests/site")
LONGEST = (  # by `make test`'s own "seconds per part" and `--durations`
    "tests/site",
    "tests/browser",
    "tests/exercises/test_kit.py",
    "tests/security/test_attacks.py",
    "tests/bank/test_bank.py",
    "tests/repository/test_contributing.py",
    "tests/classroom/test_grade.py",
    "tests/tools/test_build.py",
    "tests/classroom/test_demo.py",
    "tests/posenc_ref/test_compile.py",
    "tests/autograde/grading/test_same_verdict.py",
)
SINGLE = "tests/notebooks/test_nbval.py"


def piece(nodeid: str) -> str:
    """Return the name of the piece that a test belongs to."""
    file = nodeid.partition("::")[0]
    folder = str(PurePosixPath(file).parent)
    return nodeid if file == SINGLE else folder if folder in TOGETHER else file


def place(nodeid: str) -> int:
    """Return where a test stands: the longest pieces, others as they were collected, the single."""
    name = piece(nodeid)
    if name in LONGEST:
        return LONGEST.index(name)
    return len(LONGEST) + name.startswith(SINGLE)


class PieceScheduling(LoadFileScheduling):
    """Hands out pieces; marks of `--dist loadgroup` do not reach the workers of pytest 9.2."""

    def _split_scope(self, nodeid: str) -> str:
        return piece(nodeid)


@pytest.hookimpl(optionalhook=True)  # called where xdist runs
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadFileScheduling | None:
    return PieceScheduling(config, log) if config.getvalue("dist") == "loadfile" else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: place(item.nodeid))
