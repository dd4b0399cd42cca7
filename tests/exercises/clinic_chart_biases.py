"""Right answers to clinic_chart_biases, written differently."""


def other_tests():
    return {10: ("D", "golden"), 11: ("A", "golden"), 12: ("E", "direction"), 13: ("B", "golden")}


def zipped():
    letters, tests = "daeb", ["golden", "falls", "direction", "falls"]
    pairs = (list(pair) for pair in zip(letters, tests, strict=True))
    return dict(zip([10, 11, 12, 13], pairs, strict=True))


def numbers_as_text():
    return {str(number): entry for number, entry in zipped().items()}


alternatives = [other_tests, zipped, numbers_as_text]
