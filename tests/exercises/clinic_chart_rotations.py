"""Right answers to clinic_chart_rotations, written differently."""


def other_tests():
    return {
        5: ("E", "golden"),
        6: ("B", "golden"),
        7: ("F", "golden"),
        8: ("A", "near"),
        9: ("D", "golden"),
    }


def zipped():
    letters, tests = "ebfad", ["shift", "golden", "order", "near", "norm"]
    pairs = (list(pair) for pair in zip(letters, tests, strict=True))
    return dict(zip([5, 6, 7, 8, 9], pairs, strict=True))


def numbers_as_text():
    return {str(number): entry for number, entry in zipped().items()}


alternatives = [other_tests, zipped, numbers_as_text]
