"""The shell of a worker: what a cell that never ends leaves behind."""

import json
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
WITH_PATHS = (
    "import sys\nsys.exit(0)",
    "import json\njson.loads('{')",
    "import numpy\nnumpy.linalg.inv(numpy.zeros((2, 3)))",
    "import warnings\nimport json\nprint(json.__file__)\nwarnings.warn_explicit("
    "'old', UserWarning, numpy.__file__, 3)",
    "exit()",
)
ENDLESS = "while True:\n    try:\n        pass\n    except:\n        pass"
RUNS = {  # by test: source, seconds, room and language of each cell
    "room": [(SHOW, 9, 0, "en"), *((cell, 9, 100_000, "en") for cell in CELLS)],
    "paths": [(cell, 9, 9_999, "en") for cell in WITH_PATHS],
    "zh": [(ENDLESS, 0.1, 10_000, "zh")] * 4,
    "both": [(ENDLESS, 0.1, 10_000, "both")] * 4,
}
RUN = """
import json, os, sys
from confined import deadline, shell
deadline.AGAIN = 0.001  # rings again long before IPython has formatted a traceback
ours = shell.new_shell()
def outputs(source, seconds, room, language):
    os.environ["POSENC_LANGUAGE"] = language
    return shell.run_cell(ours, source, seconds, room)
runs = json.load(sys.stdin)
print(json.dumps({name: [outputs(*cell) for cell in cells] for name, cells in runs.items()}))
"""


@pytest.fixture(scope="module")
def results():
    """Run all in a process that is not pytest's: a shell becomes its process's `__main__`."""
    done = subprocess.run(
        [sys.executable, "-c", RUN], input=json.dumps(RUNS), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_as_much_is_kept_as_the_grader_keeps_and_what_is_cleared_takes_no_room(results):
    assert [len(outputs) for outputs in results["room"][1:]] == list(CELLS.values())


def test_no_output_has_a_path_of_the_machine_and_an_exit_only_its_error(results):
    cells = results["paths"]
    for outputs in (cells[0], cells[4]):
        assert [output["ename"] for output in outputs] == ["SystemExit"]
    assert "numpy/__init__.py:3: UserWarning: old" in str(cells[3])
    assert "json/__init__.py" in str(cells[1])
    for folder in map(sysconfig.get_path, ("purelib", "stdlib")):
        assert folder not in json.dumps(cells)


@pytest.mark.parametrize(
    ("language", "message"),
    [("zh", "0.1秒后仍未结束"), ("both", "no end after 0.1 s · 0.1秒后仍未结束")],
)
def test_an_endless_cell_leaves_one_error_in_the_graders_language(results, language, message):
    for (output,) in results[language]:
        assert (output["ename"], output["evalue"]) == ("TooSlow", message)
