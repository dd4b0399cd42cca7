"""Editions in one language: of that language alone, complete in themselves, at home anywhere."""

import builtins
import importlib.util
import os
import re
import shlex
import subprocess
import sys

import pytest
from IPython.core.inputtransformer2 import TransformerManager
from nbformat.v4 import new_markdown_cell, new_notebook

import tools.build.contents
from autograde.kit.cell_role import cell_role
from bilingual.setting import ONE_LANGUAGE
from tests.all_chapters import CHAPTERS
from tools.build.contents import ROOT, Repository, public_links
from tools.build.edition_header import ANY, NEEDED, installation
from tools.build.editions import edition, edition_index, headed
from tools.build.execute import Run, execute

PUBLIC = Repository("https://example.org/owner/name", "main")
BROUGHT_ALONG = ("jinja2", "markupsafe", "packaging")  # by torch and matplotlib
HANZI = re.compile(r"[\u4e00-\u9fff]")
each = pytest.mark.parametrize("language", ONE_LANGUAGE)


@pytest.fixture(scope="module")
def editions(warm_kernels):
    """Return the first chapter in each language, run as a reader runs it, in one kernel."""
    notebooks = {language: edition(CHAPTERS[0], language) for language in ONE_LANGUAGE}
    execute(*(Run(notebook, language, data=language) for language, notebook in notebooks.items()))
    return notebooks


@pytest.fixture
def public(monkeypatch, tmp_path):
    """Give the repository a public address."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    changed, count = re.subn(r'(?m)^repository = ".*"$', f'repository = "{PUBLIC.address}"', text)
    assert count == 1
    (tmp_path / "pyproject.toml").write_text(changed, encoding="utf-8")
    monkeypatch.setattr(tools.build.contents, "ROOT", tmp_path)


def prose(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "markdown"]


def printed(notebook):
    """Return what checks, hints, quiz and progress said: all text that is not a picture's name."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    texts = [o.get("text") or o.get("data", {}).get("text/plain", "") for o in outputs]
    return "\n".join(words for words in texts if not words.startswith("<"))


@pytest.mark.slow
@each
def test_prose_is_in_one_language_and_so_is_every_message(editions, language):
    notebook = editions[language]
    assert {cell_role(cell).lang for cell in prose(notebook)} == {language}
    assert all(cell.source.startswith(f'<div lang="{language}"') for cell in prose(notebook))
    if language == "en":
        assert not HANZI.search("\n".join(cell.source for cell in prose(notebook)))
        assert not HANZI.search(printed(notebook))
    else:
        assert "尚未作答" in printed(notebook)
        assert not re.search("points|Hint|Self-test|Not solved", printed(notebook))


@pytest.mark.slow
@each
def test_answers_wait_in_one_language(editions, language):
    stubs = [cell.source for cell in editions[language].cells if cell_role(cell).role == "answer"]
    assert stubs
    for stub in stubs:
        assert ("YOUR CODE HERE" in stub) == (language == "en")
        assert ("在这里作答" in stub) == (language == "zh")


@each
def test_the_contents_are_in_one_language(language):
    notebook = edition_index(CHAPTERS, language)
    assert {cell_role(cell).lang for cell in prose(notebook)} == {language}
    code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    assert any(f'language_switch(only="{language}")' in source for source in code)
    links = re.findall(r"\]\((\S+\.ipynb)\)", "\n".join(cell.source for cell in prose(notebook)))
    assert links == [f"{chapter.name}/{chapter.name}.ipynb" for chapter in CHAPTERS]


@pytest.mark.slow
@each
def test_links_lead_to_the_same_edition(editions, language):
    """Relative, never out of the edition's folder: to the index, this chapter, the next."""
    text = "\n".join(cell.source for cell in prose(editions[language]))
    links = [link for link in re.findall(r"\]\((\S+?)\)", text) if not link.startswith("http")]
    here, following = (f"../{chapter.name}/{chapter.name}.ipynb" for chapter in CHAPTERS[:2])
    assert {link.partition("#")[0] for link in links} == {"../index.ipynb", here, following}
    ends = {link.rpartition("-")[2] for link in links if "#" in link}
    assert ends == {language}


def test_with_a_public_address_the_header_opens_the_edition_itself(public):
    name = "00_start/00_start.ipynb"
    old = " · ".join(f"[{place.en}]({url})" for place, url in public_links(f"notebooks/{name}"))
    notebook = new_notebook(cells=[new_markdown_cell("# 0"), new_markdown_cell(old)])
    title, places, install, last = headed(notebook, name, "zh").cells
    assert title.source == "# 0"
    for cell in (places, last):
        assert (
            "colab.research.google.com/github/owner/name/blob/editions/editions/zh/" in cell.source
        )
        assert "mybinder.org/v2/gh/owner/name/editions?" in cell.source
        assert "notebooks/" not in cell.source
    assert "在Colab中打开" in places.source
    assert "git+https://example.org/owner/name@main" in install.source


def run(source, monkeypatch, *, installed):
    """Run the header's cell where the course is installed or not; return pip's command lines."""
    find_spec = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util,
        "find_spec",
        lambda name: find_spec(name) if installed or name != "autograde" else None,
    )
    commands = []

    class Shell:
        def run_line_magic(self, magic, line):
            assert magic == "pip"
            commands.append(line)

    monkeypatch.setattr(builtins, "get_ipython", Shell, raising=False)
    exec(TransformerManager().transform_cell(source), {})
    return commands


@each
def test_where_the_course_is_missing_it_is_installed_and_nothing_replaced(language, monkeypatch):
    needed, course = run(installation(PUBLIC, language), monkeypatch, installed=False)
    words = shlex.split(needed)
    torch, *others = words[words.index("--quiet") + 1 :]
    assert torch == "torch"  # of any version
    assert [re.match(r"\w+", other)[0] for other in others] == list(NEEDED)
    assert all(">=" in other and "=" not in other.replace(">=", "") for other in others)
    assert "upgrade" not in needed
    assert "--no-deps" in course  # what is there stays
    assert course.endswith("git+https://example.org/owner/name@main")


@each
@pytest.mark.parametrize("source", [PUBLIC, None])
def test_where_the_course_is_installed_the_cell_does_nothing(language, source, monkeypatch):
    assert run(installation(source, language), monkeypatch, installed=True) == []


@pytest.mark.parametrize(("language", "message"), [("zh", "课程没有安装"), ("en", "not installed")])
def test_without_an_address_a_sentence_says_what_to_do(language, message, monkeypatch):
    with pytest.raises(ModuleNotFoundError, match=message):
        run(installation(None, language), monkeypatch, installed=False)


def test_a_learner_needs_nothing_more_than_the_header_installs(tmp_path):
    """In a fresh interpreter without the course's other requirements, every import works."""
    requirements = re.findall(r'(?m)^  "([\w-]+).*",', depended())
    missing = {name.lower() for name in requirements} - {*NEEDED, *ANY, *BROUGHT_ALONG}
    assert {"nbgrader", "jupyterlab", "jupytext", "sqlalchemy", "rich"} <= missing
    script = f"""
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {missing!r}:
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Absent())
import autograde, bilingual.switch, posenc_glass, posenc_ref, posenc_viz, posenc_viz.font
from autograde import check, hint, progress, quiz
check("key_minus_query", lambda q, k: k[None, :] - q[:, None])
"""
    own = {**os.environ, "POSENC_DATA_DIR": str(tmp_path)}
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=own)
    assert done.returncode == 0, done.stderr


def depended() -> str:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return text[text.index("dependencies = [") : text.index("[project.optional-dependencies]")]


def test_editions_are_built_not_committed():
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert "/build/" in ignored
    listed = subprocess.run(
        ["git", "ls-files", "editions", "build"], cwd=ROOT, capture_output=True, text=True
    )
    assert listed.stdout == ""
