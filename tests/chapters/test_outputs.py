"""What a cell prints needs no language: numbers, formulas, names of the code (docs/style.md)."""

import io
import re
import tokenize
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

ROOT = Path(__file__).parents[2]
SOLUTIONS = sorted((ROOT / "solutions").glob("*/*.ipynb"))
CHINESE = re.compile(r"[\u4e00-\u9fff]")
WORD = re.compile(r"(?<![\w/.-])[a-z]{3,}(?![\w/-])")  # no part of the name of a model or a file
NAMES = (tokenize.NAME, tokenize.STRING)
SENTENCE = 3  # words in a line


def names(cells: list[NotebookNode]) -> set[str]:
    """Return the words in the names of the code, and in its strings that are one name."""
    sources = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    tokens = tokenize.generate_tokens(io.StringIO(sources).readline)
    spelt = [token.string.strip("\"'") for token in tokens if token.type in NAMES]
    return {word for name in spelt if name.isidentifier() for word in name.lower().split("_")}


def printed(cell: NotebookNode) -> str:
    """Return the text of a cell's outputs; one with Chinese in it is said in both languages."""
    texts = [one.get("text") or one.get("data", {}).get("text/plain", "") for one in cell.outputs]
    return "\n".join(text for text in texts if not CHINESE.search(text))


def sentences(cells: list[NotebookNode]) -> list[str]:
    """Return the printed lines that are English, but for what an exception says."""
    of_code = names(cells)
    return [
        line
        for cell in cells
        if cell.cell_type == "code" and "except " not in cell.source
        for line in printed(cell).splitlines()
        if len([word for word in WORD.findall(line) if word not in of_code]) >= SENTENCE
    ]


@pytest.mark.parametrize("path", SOLUTIONS, ids=lambda path: path.stem)
def test_no_cell_prints_a_sentence(path: Path):
    assert sentences(nbformat.read(path, as_version=4).cells) == []
