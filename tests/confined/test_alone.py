"""`confined` stands alone: it runs where no other package of this repository can be imported."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
OURS = sorted(file.parent.name for file in ROOT.glob("*/__init__.py"))

ALONE = f"""
import importlib, pkgutil, sys

sys.modules.update(dict.fromkeys({set(OURS) - {"confined"}}))  # None: there is no such module
import confined
for module in pkgutil.iter_modules(confined.__path__):
    importlib.import_module(f"confined.{{module.name}}")

from confined import limits, shell, values, view
print(view.readable(())[:1])
(output,) = shell.run_cell(shell.new_shell(), "6 * 7", limits.Limits().cell_seconds, 100)
encoder = values.Encoder()
coded = encoder.encode(int(output["data"]["text/plain"]))
print(values.Decoder(encoder.payload).decode(coded))
"""


def test_the_others_are_known():
    assert {
        "autograde",
        "bilingual",
        "confined",
        "posenc_glass",
        "posenc_ref",
        "posenc_viz",
    } <= set(OURS)


def test_it_runs_where_nothing_else_of_ours_is_installed():
    run = subprocess.run([sys.executable, "-c", ALONE], cwd="/", capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert run.stdout.split("\n")[-2] == "42"
