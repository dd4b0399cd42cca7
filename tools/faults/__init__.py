"""Faults planted one after the other, each in a temporary copy: do the tests still find it?

`python -m tools.faults` answers for this checkout, `--tree` for another one. A fault is data, in
`planted/*.toml` by room: what it breaks, the code that it replaces, and the tests that should find
it. Neither names a folder, so that the same list serves before and after files have moved.

mutmut and cosmic-ray make their mutants afresh from the syntax of each tree, and of Python alone;
here one curated list, texts, templates and settings included, is compared over two trees.
"""
