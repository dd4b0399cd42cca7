"""The Jinja environment of both pages: text is escaped, and a missing name is an error."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from autograde.pages.marking import Marking


def templates(package: str, marking: Marking, names: Mapping[str, Any]) -> Environment:
    """Return the templates in a package's folder `templates`.

    They write a `Text` with `line`, `block` and `plain` of `marking`; names: what else they use.
    """
    environment = Environment(
        loader=PackageLoader(package),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {
        "line": marking.line,
        "block": marking.block,
        "plain": marking.plain,
        **names,
    }
    return environment
