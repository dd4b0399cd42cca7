"""The workflows: whole YAML, lint first, nothing published untested, one version of everything."""

import re
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml

from tests.repository.test_one_set import PROJECT, pins

ROOT = Path(__file__).parents[2]
GITHUB = ROOT / ".github"
WORKFLOWS = {path.stem: path for path in sorted(GITHUB.glob("workflows/*.yml"))}
TESTS = "./.github/workflows/test.yml"
PUBLISHING = ("actions/deploy-pages", "git push")


def load(path: Path) -> dict:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def jobs(name: str) -> dict[str, dict]:
    return load(WORKFLOWS[name])["jobs"]


def needs(job: dict) -> list[str]:
    return [job["needs"]] if isinstance(job.get("needs"), str) else job.get("needs", [])


def runs_after(name: str, workflow: dict[str, dict]) -> set[str]:
    """Return the jobs that have succeeded before the job `name` starts."""
    direct = needs(workflow[name])
    return {*direct, *(earlier for one in direct for earlier in runs_after(one, workflow))}


@pytest.mark.parametrize("name", WORKFLOWS)
def test_a_workflow_has_a_start_jobs_and_steps(name):
    workflow = load(WORKFLOWS[name])
    assert workflow[True]  # YAML reads the key `on` as true
    assert workflow["permissions"] == {"contents": "read"}
    for job in workflow["jobs"].values():
        assert ("uses" in job) != ("runs-on" in job and "steps" in job)
        assert all(("uses" in step) != ("run" in step) for step in job.get("steps", []))
        assert set(needs(job)) <= set(workflow["jobs"])


def test_lint_runs_first():
    tests = jobs("test")
    assert not needs(tests["lint"])
    assert all("lint" in runs_after(name, tests) for name in tests if name != "lint")


def test_nothing_is_published_untested():
    published = []
    for workflow in map(jobs, WORKFLOWS):
        for name, job in workflow.items():
            may_write = "write" in job.get("permissions", {}).values()
            if may_write or any(words in str(job.get("steps")) for words in PUBLISHING):
                published.append(name)
                earlier = (workflow[one] for one in runs_after(name, workflow))
                assert TESTS in [job.get("uses") for job in earlier], name
    assert published == ["pages", "editions"]


def test_the_oldest_python_is_the_one_that_is_required():
    matrix = jobs("test")["systems"]["strategy"]["matrix"]
    assert [f">={version}" for version in matrix["python"]] == [PROJECT["requires-python"]]


def test_each_action_has_one_version():
    texts = (path.read_text(encoding="utf-8") for path in WORKFLOWS.values())
    used = {use for text in texts for use in re.findall(r"uses: ([\w./-]+)@(v\d+)", text)}
    assert len(used) == len({action for action, _ in used}) > 1


@pytest.mark.parametrize("name", WORKFLOWS)
def test_what_a_workflow_runs_exists(name):
    text = WORKFLOWS[name].read_text(encoding="utf-8")
    modules = re.findall(r"from (tools[\w.]*) import", text)
    targets = re.findall(r"run: make (\w+)", text)
    paths = re.findall(r" ((?:tests|notebooks|constraints)[\w/.]*)", text)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert targets
    assert all(find_spec(module) for module in modules)
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in targets)
    assert all((ROOT / path.rstrip(".")).exists() for path in paths)


def test_pre_commit_runs_the_ruff_that_the_tests_run():
    (hooks,) = load(ROOT / ".pre-commit-config.yaml")["repos"]
    assert hooks["rev"] == f"v{pins()['ruff']}"


@pytest.mark.parametrize("form", sorted(GITHUB.glob("ISSUE_TEMPLATE/*.yml")), ids=lambda p: p.stem)
def test_an_issue_form_asks_in_both_languages(form):
    content = load(form)
    labels = [content["name"], *(field["attributes"]["label"] for field in content["body"])]
    assert all(re.search(r"[a-z].* · .*[\u4e00-\u9fff]", label) for label in labels)
    assert len({field["id"] for field in content["body"]}) == len(content["body"])
