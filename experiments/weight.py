"""The size on disk of the course and the packages that it needs."""

from __future__ import annotations

import importlib.metadata
from importlib.util import cache_from_source
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from experiments.record import Row


def install() -> list[Row]:
    """Return the MB on disk of what the course needs to run, without the test tools.

    Modules that have been imported count with their compiled files too.
    """
    sizes = {name: _size(name) for name in _required("posenc-course")}
    whole = round(sum(sizes.values()))
    return [
        {"what": "course and packages", "MB": whole, "aim": 1400},
        {"what": "of which torch", "MB": round(sizes["torch"])},
    ]


def _required(name: str) -> set[str]:
    """Return `name` and the installed distributions that it needs, with canonical names."""
    waiting, extras_seen = [Requirement(name)], {}
    while waiting:
        package = waiting.pop()
        name, extras = canonicalize_name(package.name), package.extras | {""}
        if extras_seen.get(name, set()) >= extras:
            continue
        extras_seen[name] = extras | extras_seen.get(name, set())
        for line in importlib.metadata.requires(name) or []:
            needed = Requirement(line)
            if not needed.marker or any(needed.marker.evaluate({"extra": e}) for e in extras):
                waiting.append(needed)
    return set(extras_seen)


def _size(name: str) -> float:
    paths = {Path(file.locate()) for file in importlib.metadata.files(name) or []}
    paths |= {Path(cache_from_source(path)) for path in paths if path.suffix == ".py"}
    return sum(path.stat().st_size for path in paths if path.is_file()) / 1e6
