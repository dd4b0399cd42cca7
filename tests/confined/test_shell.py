"""The shell of a worker: what a cell that never ends leaves behind."""

import json
import os
import subprocess
import sys
import sysconfig

import pytest

SHOW = """
from IPython.display import clear_output, display
picture, page = {"image/png": "x" * 60_000}, {"text/html": "x" * 60_000}
def shown(*bundles):
    for one in bundles:
        display(one, raw=True)
"""
# the grader counts eight characters of a picture as one
CELLS = {
    "shown(*[picture] * 13)": 13,
    "shown(*[picture] * 14)": 13,
    "shown(*[page] * 2)": 1,
    "for _ in range(30):\n    clear_output()\n    shown(page)": 1,
}
ENDLESS = """
import json
from confined import deadline, shell
deadline.AGAIN = 0.001  # rings again long before IPython has formatted a traceback
cell = "while True:\\n    try:\\n        pass\\n    except:\\n        pass"
ours = shell.new_shell()
print(json.dumps([shell.run_cell(ours, cell, seconds=0.1, room=10_000) for _ in range(8)]))
"""


def test_as_much_is_kept_as_the_grader_keeps_and_what_is_cleared_takes_no_room():
    code = "from confined import shell\nours = shell.new_shell()\n"
    code += f"shell.run_cell(ours, {SHOW!r}, 9, 0)\n"
    code += f"kept = [shell.run_cell(ours, one, 9, 100_000) for one in {list(CELLS)!r}]\n"
    code += "print([len(one) for one in kept])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == str(list(CELLS.values())), done.stderr


def test_no_output_has_a_path_of_the_machine_and_an_exit_only_its_error():
    cells = [
        "import sys\nsys.exit(0)",
        "import json\njson.loads('{')",
        "import numpy\nnumpy.linalg.inv(numpy.zeros((2, 3)))",
        "import warnings\nimport json\nprint(json.__file__)\nwarnings.warn_explicit("
        "'old', UserWarning, numpy.__file__, 3)",
        "exit()",
    ]
    code = "import json\nfrom confined import shell\nours = shell.new_shell()\n"
    code += f"print(json.dumps([shell.run_cell(ours, one, 9, 9_999) for one in {cells!r}]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    results = json.loads(done.stdout)
    for result in (results[0], results[4]):
        assert [output["ename"] for output in result] == ["SystemExit"]
    assert "numpy/__init__.py:3: UserWarning: old" in str(results[3])
    assert "json/__init__.py" in str(results[1])
    for folder in map(sysconfig.get_path, ("purelib", "stdlib")):
        assert folder not in done.stdout


def test_an_endless_cell_leaves_one_error_and_no_trouble_of_ours():
    """In a process of its own: a shell becomes its process's `__main__`."""
    done = subprocess.run([sys.executable, "-c", ENDLESS], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for (output,) in json.loads(done.stdout):
        assert output["ename"] == "TooSlow"


@pytest.mark.parametrize(
    ("language", "message"),
    [("zh", "0.1秒后仍未结束"), ("both", "no end after 0.1 s · 0.1秒后仍未结束")],
)
def test_the_end_of_the_time_is_told_in_the_language_that_the_grader_speaks(language, message):
    code = "from confined import shell\nours = shell.new_shell()\n"
    code += "print(shell.run_cell(ours, 'while True: pass', seconds=0.1, room=999)[-1]['evalue'])"
    environment = {**os.environ, "POSENC_LANGUAGE": language}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True
    )
    assert done.stdout.strip() == message
