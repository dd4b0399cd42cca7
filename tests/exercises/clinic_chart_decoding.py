"""Right answers to clinic_chart_decoding, written differently."""


def other_tests():
    return {18: ("A", "chunks"), 19: ("B", "chunks"), 20: ("C", "group"), 21: ("D", "chunks")}


def zipped():
    letters, tests = "abcd", ["decode", "chunks", "group", "decode"]
    pairs = (list(pair) for pair in zip(letters, tests, strict=True))
    return dict(zip([18, 19, 20, 21], pairs, strict=True))


alternatives = [other_tests, zipped]
