"""Builds the notebooks: chapters/*.py → solutions/ → notebooks/, and the tables made from them.

python -m tools.build                  everything
python -m tools.build 02_sinusoidal    one chapter
python -m tools.build --to FOLDER      elsewhere
python -m tools.build --check          lists stale files, changes nothing
"""

from __future__ import annotations

import argparse
from pathlib import Path

from tools.build.contents import ROOT
from tools.build.notebooks import build, stale_files


def main() -> None:
    """Read the command line and build."""
    style = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=style)
    parser.add_argument("chapter", nargs="*", help="chapters to build, e.g. 02_sinusoidal")
    parser.add_argument("--check", action="store_true", help="list stale files, change nothing")
    parser.add_argument("--to", type=Path, default=ROOT, help="folder to build into")
    options = parser.parse_args()
    if options.check and options.to.resolve() != ROOT:
        parser.error("--check looks at the notebooks of this repository")
    if not options.check:
        build(options.chapter, options.to)
    elif old := stale_files(options.chapter):
        raise SystemExit("stale, run `make build`:\n" + "\n".join(old))
    else:
        print("every built file is fresh")


if __name__ == "__main__":
    main()
