"""Right answers to clinic_chart_tables, written differently."""


def other_tests():
    return {1: ("A", "golden"), 2: ("E", "golden"), 3: ("D", "golden"), 4: ("C", "golden")}


def zipped():
    letters, tests = "aedc", ["near", "near", "golden", "batch"]
    pairs = (list(pair) for pair in zip(letters, tests, strict=True))
    return dict(zip([1, 2, 3, 4], pairs, strict=True))


alternatives = [other_tests, zipped]
