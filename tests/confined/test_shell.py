"""The shell of a worker: what a cell that never ends leaves behind."""

import json
import os
import subprocess
import sys

import pytest

ENDLESS = """
import json
from confined import deadline, shell
deadline.AGAIN = 0.001  # rings again long before IPython has formatted a traceback
cell = "while True:\\n    try:\\n        pass\\n    except:\\n        pass"
ours = shell.new_shell()
print(json.dumps([shell.run_cell(ours, cell, seconds=0.1, room=10_000) for _ in range(8)]))
"""


def test_an_endless_cell_leaves_one_error_and_no_trouble_of_ours():
    """In a process of its own: a shell becomes its process's `__main__`."""
    done = subprocess.run([sys.executable, "-c", ENDLESS], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for outputs, error in json.loads(done.stdout):
        assert error == "TooSlow"
        assert [output["output_type"] for output in outputs] == ["error"]


@pytest.mark.parametrize(
    ("language", "message"),
    [("zh", "0.1秒后仍未结束"), ("both", "no end after 0.1 s · 0.1秒后仍未结束")],
)
def test_the_end_of_the_time_is_told_in_the_language_that_the_grader_speaks(language, message):
    code = "from confined import shell\nours = shell.new_shell()\n"
    code += (
        "print(shell.run_cell(ours, 'while True: pass', seconds=0.1, room=999)[0][-1]['evalue'])"
    )
    environment = {**os.environ, "POSENC_LANGUAGE": language}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True
    )
    assert done.stdout.strip() == message
