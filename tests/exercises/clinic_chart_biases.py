"""Right answers to clinic_chart_biases, written differently."""


def other_tests():
    return {10: ("A", "golden"), 11: ("C", "golden"), 12: ("D", "direction"), 13: ("E", "golden")}


def zipped():
    letters, tests = "acde", ["golden", "falls", "direction", "falls"]
    pairs = (list(pair) for pair in zip(letters, tests, strict=True))
    return dict(zip([10, 11, 12, 13], pairs, strict=True))


alternatives = [other_tests, zipped]
