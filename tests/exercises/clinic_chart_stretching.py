"""Right answers to clinic_chart_stretching, written differently."""


def other_tests():
    return {14: ("E", "reach"), 15: ("C", "reach"), 16: ("A", "apart"), 17: ("F", "precise")}


def zipped():
    letters, tests = "ecaf", ["reach", "reach", "precise", "precise"]
    pairs = (list(pair) for pair in zip(letters, tests, strict=True))
    return dict(zip([14, 15, 16, 17], pairs, strict=True))


def numbers_as_text():
    return {str(number): entry for number, entry in zipped().items()}


alternatives = [other_tests, zipped, numbers_as_text]
