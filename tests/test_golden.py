"""Each golden file says where its values come from; `python -m tools.golden` rebuilds it."""

import json
from pathlib import Path

FILES = sorted((Path(__file__).parent / "golden").glob("*.json"))
TOOLS = Path(__file__).parents[1] / "tools" / "golden"


def test_names_library_version_and_call():
    # the environment that tools/golden documents is the one the values come from
    documented = "".join(
        (TOOLS / name).read_text(encoding="utf-8") for name in ("__main__.py", "old.py")
    )
    for file in FILES:
        golden = json.loads(file.read_text(encoding="utf-8"))
        assert {"library", "version", "call", "torch", "note", "cases"} == golden.keys(), file.stem
        assert f"{golden['library']}=={golden['version']}" in documented, file.stem
        assert f"torch=={golden['torch']}" in documented, file.stem
        assert golden["call"], file.stem
        assert golden["cases"], file.stem
        assert all(case["values"] for case in golden["cases"]), file.stem


def test_is_rebuilt_by_a_function_of_its_name():
    sources = "".join(path.read_text(encoding="utf-8") for path in TOOLS.glob("*.py"))
    assert [file.stem for file in FILES if f"def {file.stem}()" not in sources] == []


def test_there_are_golden_files():
    assert len(FILES) >= 8
