"""Files beside the notebook named like the modules that the grader and the worker import."""

from pathlib import Path


def beside(folder: Path, course: Path) -> None:
    """Put files beside the notebook."""
    for name in ("torch", "autograde", "posenc_ref", "nbgrader_config", "sitecustomize", "json"):
        (folder / f"{name}.py").write_text("check = lambda *args: 2.0\nprint('STOLEN', __name__)\n")
    (folder / "ipykernel_launcher.py").write_text("raise SystemExit")
    (folder / "pyproject.toml").write_text("[tool.pytest]")
