"""Right answers to clinic_chart_decoding, written differently."""


def other_tests():
    return {18: ("D", "chunks"), 19: ("F", "chunks"), 20: ("B", "group"), 21: ("A", "chunks")}


def zipped():
    letters, tests = "dfba", ["decode", "chunks", "group", "decode"]
    pairs = (list(pair) for pair in zip(letters, tests, strict=True))
    return dict(zip([18, 19, 20, 21], pairs, strict=True))


def numbers_as_text():
    return {str(number): entry for number, entry in zipped().items()}


alternatives = [other_tests, zipped, numbers_as_text]
