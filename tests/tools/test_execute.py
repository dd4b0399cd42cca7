"""One kernel for several notebooks: each shows what it would show if it had run alone."""

from copy import deepcopy

import pytest
from nbclient.exceptions import CellExecutionError
from nbformat.v4 import new_code_cell, new_notebook

from autograde.kit.cell_role import CellRole
from tools.build.execute import Run, execute

pytestmark = pytest.mark.usefixtures("warm_kernels")

COUNTED = {
    "words": "runs = [*globals().get('runs', []), 'run']\nprint(Text(en='yes', zh='是'))",
    "plain": "plain = globals().get('plain', 0) + 1\nprint('no words', plain)",
    "runs": "print(len(runs))",
    "picture": "picture(Bars([3, -1], ['a', 'b'], 'x', 'y', Text(en='yes', zh='是')))",
}
IMPORT = "from bilingual import Text; from posenc_viz import Bars, picture"


def notebook(sources, **roles):
    return new_notebook(
        cells=[
            new_code_cell(source, id=name, metadata=roles.get(name, CellRole("code")).metadata())
            for name, source in sources.items()
        ]
    )


def text(notebook):
    return {
        cell.id: "".join(o.get("text") or o.data["text/plain"] for o in cell.outputs)
        for cell in notebook.cells
    }


@pytest.mark.slow
def test_only_a_cell_that_used_words_runs_again_for_another_language():
    both = notebook({"import": IMPORT, **COUNTED})
    zh, en, alone = (deepcopy(both) for _ in range(3))
    execute(Run(both), Run(zh, "zh"), Run(en, "en"))
    assert [text(each)["words"] for each in (both, zh, en)] == ["是\nyes\n", "是\n", "yes\n"]
    for each in (both, zh, en):
        assert text(each)["plain"] == "no words 1\n"
        assert text(each)["runs"] == "3\n"
        assert [cell.execution_count for cell in each.cells] == [1, 2, 3, 4, 5]
    execute(Run(alone, "zh"))
    assert zh.cells[-1].outputs == alone.cells[-1].outputs  # the bytes of the picture as well


@pytest.mark.slow
def test_solved_and_unsolved_do_not_see_each_other():
    answer = "from autograde import check, progress\ndef key_minus_query(q, k):\n    "
    cells = {
        "answer": f"{answer}return k[None, :] - q[:, None]",
        "check": 'check("key_minus_query", key_minus_query)',
        "later": "import torch\nkey_minus_query(torch.arange(1), torch.arange(3)).tolist()",
        "progress": 'progress("00_start")',
    }
    roles = {
        "answer": CellRole("answer", "key_minus_query"),
        "check": CellRole("check", "key_minus_query"),
        "progress": CellRole("personal"),
    }
    solved = notebook(cells, **roles)
    unsolved = notebook(cells | {"answer": f"{answer}raise NotImplementedError"}, **roles)
    execute(Run(solved, "en"), Run(unsolved, "en", data="unsolved"))
    assert text(solved)["check"].endswith("2.0")
    assert text(unsolved)["check"].endswith("0.0")
    assert text(solved)["later"] == text(unsolved)["later"] == "[[0, 1, 2]]"
    assert "2 / 2 points" in text(solved)["progress"]
    assert "0 / 2 points" in text(unsolved)["progress"]


@pytest.mark.slow
def test_an_error_of_a_cell_is_raised():
    with pytest.raises(CellExecutionError, match="no such luck"):
        execute(Run(notebook({"cell": "raise ValueError('no such luck')"})))


def test_code_that_the_first_notebook_lacks_is_refused():
    with pytest.raises(ValueError, match=r"lacks the cells \['b'\]"):
        execute(Run(notebook({"a": "1"})), Run(notebook({"a": "1", "b": "2"})))
