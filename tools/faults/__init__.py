"""Faults planted one after the other, each in a temporary copy: do the tests still find them?

`python -m tools.faults` tries them in this checkout, `--tree` in another one. A fault is data, in
`planted/*.toml` by room: what it breaks, the code that it replaces, and the tests that should find
it. No fault names a folder, so that the same list serves before and after files have moved.

mutmut and cosmic-ray derive new mutants from the syntax of each tree, and of Python alone; here one
curated list, which includes texts, templates and settings, is compared between two trees.
"""
