"""nbgrader calls `alembic` by its bare name when it makes a gradebook."""

from __future__ import annotations

import os
import sysconfig


def put_alembic_on_path() -> None:
    """Put this environment's programs on PATH: the environment need not be activated."""
    scripts = sysconfig.get_path("scripts")
    path = os.environ.get("PATH", "").split(os.pathsep)
    if scripts not in path:
        os.environ["PATH"] = os.pathsep.join([scripts, *path])
