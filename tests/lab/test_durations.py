from types import SimpleNamespace

from tests.durations import seconds_by_part


def test_seconds_are_summed_by_folder_slowest_first():
    nodes = {
        "tests/a/test_x.py::one": 1.0,
        "tests/a/b/test_y.py::two[p::q]": 2.0,
        "tests/test_z.py::t": 5.0,
    }
    reports = [SimpleNamespace(nodeid=node, duration=seconds) for node, seconds in nodes.items()]
    assert list(seconds_by_part(reports).items()) == [("tests/test_z.py", 5.0), ("tests/a", 3.0)]
