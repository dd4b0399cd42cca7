"""One fault: where it goes, by the code that it replaces, and which tests should find it."""

from __future__ import annotations

import hashlib
import re
import subprocess
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

LISTS = Path(__file__).parent / "planted"
OWN = "tools/faults/"
BUILT = ("tests/", "docs/", "notebooks/", "solutions/", OWN)  # never planted in
NAME = re.compile(r"«(\w+)»")


class NoPlace(LookupError):
    """The code that a fault replaces is not there exactly once: the fault must be rewritten."""


@dataclass(frozen=True)
class Place:
    """Code to look for and what replaces it.

    `«x»` matches any identifier, the same one each time; white space matches any white space.
    """

    was: str
    becomes: str

    def replaced(self, text: str, match: re.Match[str]) -> str:
        """Return `text` with `match` replaced by the faulty code."""
        becomes = NAME.sub(lambda name: match[name[1]], self.becomes.strip())
        return text[: match.start()] + becomes + text[match.end() :]

    @property
    def pattern(self) -> re.Pattern[str]:
        """The code as a regular expression."""
        names: set[str] = set()
        parts = []
        for number, part in enumerate(NAME.split(self.was.strip())):
            if not number % 2:
                parts.append(r"\s+".join(map(re.escape, re.split(r"\s+", part))))
            else:
                parts.append(f"(?P={part})" if part in names else rf"(?P<{part}>\w+)")
                names.add(part)
        return re.compile("".join(parts))


@dataclass(frozen=True)
class Fault:
    """What it breaks, in which kind of file (`files`), and the tests, by file name and `-k`."""

    id: str
    room: str
    breaks: str
    places: tuple[Place, ...]  # the first one that matches is used
    tests: tuple[str, ...]
    select: str = ""
    files: str = "*.py"

    @property
    def digest(self) -> str:
        """A hash that tells this fault from an earlier one of the same id."""
        return hashlib.sha256(repr(self).encode("utf-8")).hexdigest()[:12]

    def planted(self, texts: Mapping[str, str]) -> tuple[str, str]:
        """Return the path in `texts` that the fault changes, and the text with the fault in it."""
        paths = [path for path in texts if fnmatch(path, self.files)]
        for place in self.places:
            pattern = place.pattern
            hits = [(path, match) for path in paths for match in pattern.finditer(texts[path])]
            if len(hits) == 1:
                ((path, match),) = hits
                return path, place.replaced(texts[path], match)
        raise NoPlace(f"{self.id}: its code is not there exactly once")

    def test_files(self, tree: Path) -> list[str]:
        """Return the test files that should find it, sorted."""
        files = [path for path in listed(tree) if path.startswith("tests/")]
        return [path for path in files if any(fnmatch(Path(path).name, one) for one in self.tests)]


def read_faults() -> list[Fault]:
    """Return all faults, room by room."""
    return [
        Fault(
            **{**entry, "places": tuple(Place(**place) for place in entry["places"])}
            | {"room": path.stem, "tests": tuple(entry["tests"])}
        )
        for path in sorted(LISTS.glob("*.toml"))
        for entry in tomllib.loads(path.read_text(encoding="utf-8"))["fault"]
    ]


def sources(tree: Path) -> dict[str, str]:
    """Return the texts of the files that a fault may lie in, by their paths."""
    paths = [path for path in listed(tree) if not path.startswith(BUILT)]
    # fonts and weights are not text: no fault lies in them
    return {path: (tree / path).read_text(encoding="utf-8", errors="replace") for path in paths}


def digest_of(tree: Path) -> str:
    """Return a hash of the tree's files; the faults themselves do not count."""
    digest = hashlib.sha256()
    for name in listed(tree):
        if not name.startswith(OWN):
            digest.update(name.encode("utf-8") + b"\0" + (tree / name).read_bytes())
    return digest.hexdigest()


def listed(tree: Path) -> list[str]:
    """Return the files of `tree` that git tracks or would add, sorted."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    output = subprocess.run(command, cwd=tree, capture_output=True, check=True).stdout
    names = sorted(set(output.decode("utf-8").split("\0")))
    return [name for name in names if name and (tree / name).is_file()]
