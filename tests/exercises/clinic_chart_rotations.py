"""Right answers to clinic_chart_rotations, written differently."""


def other_tests():
    return {
        5: ("B", "golden"),
        6: ("C", "golden"),
        7: ("D", "golden"),
        8: ("E", "near"),
        9: ("F", "golden"),
    }


def zipped():
    letters, tests = "bcdef", ["shift", "golden", "order", "near", "norm"]
    pairs = (list(pair) for pair in zip(letters, tests, strict=True))
    return dict(zip([5, 6, 7, 8, 9], pairs, strict=True))


alternatives = [other_tests, zipped]
