"""Shared by all tests: how long each part took, what the kit counted, a browser, their order."""

pytest_plugins = ["tests.durations", "tests.kit_summary", "tests.chromium", "tests.order"]
