"""Right answers to mend_scaled_twice, written differently."""


def first_undo(saved, saved_factor, factor):
    original = saved * saved_factor
    return original / factor


def what_is_missing(saved, saved_factor, factor):
    return saved / (factor / saved_factor)


alternatives = [first_undo, what_is_missing]

equivalent = {  # mutant → why it is right too
    "….float()": "the inputs are float32",
}
