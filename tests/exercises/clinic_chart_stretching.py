"""Right answers to clinic_chart_stretching, written differently."""


def other_tests():
    return {14: ("A", "reach"), 15: ("B", "reach"), 16: ("D", "apart"), 17: ("E", "precise")}


def zipped():
    letters, tests = "abde", ["reach", "reach", "precise", "precise"]
    pairs = (list(pair) for pair in zip(letters, tests, strict=True))
    return dict(zip([14, 15, 16, 17], pairs, strict=True))


alternatives = [other_tests, zipped]
