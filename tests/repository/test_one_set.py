"""pyproject.toml, constraints.txt and environment.yml name one and the same set."""

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
SITE = f"{PROJECT['name']}[site]"  # an extra within an extra
REQUIRED = [
    *PROJECT["dependencies"],
    *(one for one in EXTRAS["test"] if one != SITE),
    *EXTRAS["site"],
]
PIN = re.compile(r"([A-Za-z0-9._-]+)==([0-9][A-Za-z0-9.]*)")


def lines(name: str) -> list[str]:
    return [line.strip() for line in (ROOT / name).read_text(encoding="utf-8").splitlines()]


def pins() -> dict[str, str]:
    matches = [PIN.fullmatch(line) for line in lines("constraints.txt")]
    return {canonicalize_name(pin[1]): pin[2] for pin in matches if pin}


def test_a_pin_is_a_name_and_a_version_that_resolves_anywhere():
    # no local version tag, no address, no option
    assert [line for line in lines("constraints.txt") if not PIN.fullmatch(line)] == []
    assert len(pins()) == len(lines("constraints.txt"))


def test_the_tests_bring_what_the_site_is_built_with():
    assert SITE in EXTRAS["test"]


def test_every_dependency_is_pinned_within_its_range(subtests):
    for line in REQUIRED:
        with subtests.test(line=line):
            requirement = Requirement(line)
            assert requirement.url is None
            assert requirement.specifier.contains(pins()[canonicalize_name(requirement.name)])


def test_environment_yml_leads_to_the_same_set():
    *_, python, pip, inner, constraint, course = lines("environment.yml")
    version = python.removeprefix("- python=")
    assert PROJECT["requires-python"] == f">={version}"
    assert (pip, inner) == ("- pip", "- pip:")
    assert constraint == "- -c constraints.txt"
    assert course == "- -e .[test]"


def test_the_makefile_installs_from_the_pins():
    install, *others = [line for line in lines("Makefile") if "pip install" in line]
    assert install.startswith("INSTALL := ")
    assert others == []
    newer_pip, *uses = [line for line in lines("Makefile") if "$(INSTALL)" in line]
    assert '$(INSTALL) -U "pip<27"' in newer_pip
    assert uses
    assert all("$(INSTALL) -c constraints.txt -e" in line for line in uses)
