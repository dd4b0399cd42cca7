"""Every committed notebook runs from top to bottom and says what it said when it was built."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["solutions", "notebooks"])
def test_outputs_are_as_committed(folder, tmp_path):
    fixed = {"POSENC_LANGUAGE": "both", "POSENC_DATA_DIR": str(tmp_path), "POSENC_DEVICE": "cpu"}
    run = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "--nbval", "-q", folder),
            *("-n", "2", "--dist", "loadfile"),  # cells of one notebook stay together
            *("-c", str(Path(__file__).with_name("nbval.ini")), "--rootdir", str(ROOT)),
            *("--nbval-cell-timeout", "300"),
        ],
        cwd=ROOT,
        env={**os.environ, **fixed},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert run.returncode == 0, run.stdout[-20_000:] + run.stderr[-5_000:]
    assert " passed" in run.stdout
