"""Right answers to clinic_chart_tables, written differently."""


def other_tests():
    return {1: ("A", "golden"), 2: ("E", "golden"), 3: ("D", "golden"), 4: ("C", "batch")}


def zipped():
    letters, tests = "aedc", ["near", "near", "golden", "batch"]
    pairs = (list(pair) for pair in zip(letters, tests, strict=True))
    return dict(zip([1, 2, 3, 4], pairs, strict=True))


def numbers_as_text():
    return {str(number): entry for number, entry in zipped().items()}


alternatives = [other_tests, zipped, numbers_as_text]
