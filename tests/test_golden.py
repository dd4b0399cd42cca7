"""Each golden file says where its values come from; `python -m tools.golden` rebuilds it."""

import json
from pathlib import Path

import pytest

FILES = sorted((Path(__file__).parent / "golden").glob("*.json"))
TOOLS = Path(__file__).parents[1] / "tools" / "golden"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_names_library_version_and_call(file):
    golden = json.loads(file.read_text(encoding="utf-8"))
    assert {"library", "version", "call", "torch", "note", "cases"} == golden.keys()
    # the environment that tools/golden documents is the one the values come from
    documented = "".join(
        (TOOLS / name).read_text(encoding="utf-8") for name in ("__main__.py", "old.py")
    )
    assert f"{golden['library']}=={golden['version']}" in documented
    assert f"torch=={golden['torch']}" in documented
    assert golden["call"]
    assert golden["cases"]
    assert all(case["values"] for case in golden["cases"])


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_is_rebuilt_by_a_function_of_its_name(file):
    sources = [path.read_text(encoding="utf-8") for path in TOOLS.glob("*.py")]
    assert any(f"def {file.stem}()" in source for source in sources)


def test_there_are_golden_files():
    assert len(FILES) >= 8
