"""Right answers to mend_next_position, written differently."""


def largest(stored, windows):
    return max(stored)  # a layer with a window never stores more than one without


def first_of_those_that_see_all(stored, windows):
    return next(n for n, window in zip(stored, windows, strict=True) if window is None)


def by_loop(stored, windows):
    for count, window in zip(stored, windows, strict=True):
        if window is None:
            return count
    raise ValueError("no layer sees everything")


alternatives = [largest, first_of_those_that_see_all, by_loop]
