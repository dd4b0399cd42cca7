PYTHON ?= python3
PY := .venv/$(if $(filter Windows_NT,$(OS)),Scripts,bin)/python
# else each of a hundred processes would compile the course again
unexport PYTHONDONTWRITEBYTECODE
# compile on import: compiling all twelve thousand files takes a third of an install, few are used
INSTALL := $(PY) -m pip install --no-compile
# glibc reuses the memory of large tensors: new pages for each would cost two fifths of the time of
# attention over 512 tokens
export GLIBC_TUNABLES ?= glibc.malloc.mmap_threshold=33554432:glibc.malloc.trim_threshold=268435456
export POSENC_REQUIRE_BROWSER ?= $(if $(CI),1)
# caches the list of this machine's fonts, once
FONTS := $(PY) -c "import matplotlib.font_manager"
# The stamp .venv/.made holds the folder of the environment: its commands work nowhere else.
MOVED := $(shell test ! -e .venv/.made || test "$$(cat .venv/.made)" = "$$(pwd -P)" || echo moved)
.PHONY: lab check test build editions site slides grade-demo bench dist clean moved

lab: .venv/.lab
	$(PY) -m tools.study.lab $(ARGS)
check: .venv/.test
	$(PY) -m pytest -n 2 @tests/check.txt $(ARGS)
test: .venv/.test
	$(PY) tools/browser.py && $(PY) -m pytest -n 3 --max-worker-restart=0 --dist loadfile --no-loadscope-reorder $(ARGS)
# a build of single chapters skips the pages made from code
build: .venv/.lab
	$(PY) -m tools.build $(ARGS)
	$(if $(filter-out --check,$(ARGS)),,$(PY) -m tools.reference $(ARGS) && $(PY) -m tools.gallery $(ARGS) && $(PY) -m tools.museum $(ARGS))
editions: .venv/.lab
	$(PY) -m tools.build.editions $(ARGS)
site: .venv/.test
	$(PY) -m tools.site $(ARGS)
slides: .venv/.test
	$(PY) -m tools.slides $(ARGS)
grade-demo: .venv/.lab
	$(PY) -m autograde demo $(ARGS)
bench: .venv/.bench
	$(PY) -m experiments.feel $(ARGS) && $(PY) -m experiments.speed && $(PY) -m experiments.grading && $(PY) -m experiments.classroom
dist: .venv/.lab
	$(PY) tools/dist.py $(ARGS)
clean:
	rm -rf build dist demo *.egg-info .pytest_cache .ruff_cache .hypothesis
	find . -path ./.venv -prune -o -path ./study -prune -o -name __pycache__ -exec rm -rf {} +

# An environment that works is kept, whichever Python is first on the PATH by now. The pip that comes
# with Python takes twice as long to resolve versions.
.venv/.made: pyproject.toml constraints.txt $(MOVED)
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("需要Python 3.11或更新的版本 · Python 3.11 or newer is needed, this is " + sys.version.split()[0] + ": make $(MAKECMDGOALS) PYTHON=python3.11")'
	@test -z "$(MOVED)" && $(PY) -m pip --version > /dev/null 2>&1 || $(PYTHON) -m venv --clear .venv
	$(INSTALL) -U "pip<27" && pwd -P > $@
.venv/.lab: .venv/.made
	$(INSTALL) -c constraints.txt -e . && $(FONTS) && touch $@
# not on top of .lab: one install for both is faster
.venv/.test: .venv/.made
	$(INSTALL) -c constraints.txt -e ".[test]" && $(FONTS) && touch .venv/.lab $@
.venv/.bench: .venv/.test
	$(INSTALL) -c constraints.txt -e ".[test,bench]" && $(INSTALL) --no-deps torchtune==0.6.1 && touch $@
