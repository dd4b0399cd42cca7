"""Which packages this version of the course needs, which were tested, which are installed."""

from __future__ import annotations

import tomllib
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

COURSE = "posenc-course"
ROOT = Path(__file__).resolve().parents[2]  # of a checkout; else site-packages


def needed(root: Path = ROOT) -> list[Requirement]:
    """Return what the course needs on this system.

    A checkout's pyproject.toml comes first: after an update it may require more than the
    install knows of, the new version of the course included.
    """
    file = root / "pyproject.toml"
    if file.is_file():
        project = tomllib.loads(file.read_text(encoding="utf-8"))["project"]
        lines = [f"{COURSE}=={project['version']}", *project["dependencies"]]
    else:
        lines = requires(COURSE) or []
    requirements = map(Requirement, lines)
    return [one for one in requirements if one.marker is None or one.marker.evaluate({"extra": ""})]


def pins(root: Path = ROOT) -> dict[str, str]:
    """Return {package: version} of constraints.txt, {} if there is no such file."""
    file = root / "constraints.txt"
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    parts = (line.partition("==") for line in lines)
    return {canonicalize_name(name.strip()): pin.strip() for name, _, pin in parts if pin}


def installed(package: str) -> str | None:
    """Return the version that is installed, without its build (2.13.0, not 2.13.0+cpu)."""
    try:
        return version(package).partition("+")[0]
    except PackageNotFoundError:
        return None


def unmet(requirement: Requirement) -> bool:
    """Return whether a requirement is not installed, or in another version."""
    current = installed(requirement.name)
    return current is None or not requirement.specifier.contains(current, prereleases=True)
