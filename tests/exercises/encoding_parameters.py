"""Right answers to encoding_parameters, written differently."""

import math


def by_shapes(name, layers, heads, dim, rows):
    shapes = {
        "learned": [(rows, dim)],
        "T5": [(rows, heads)],
        "Shaw": [(rows, dim // heads)] * (2 * layers),
    }
    return sum(math.prod(shape) for shape in shapes.get(name, []))


def by_match(name, layers, heads, dim, rows):
    match name:
        case "learned":
            return rows * dim
        case "T5":
            return heads * rows
        case "Shaw":
            keys = values = layers * rows * (dim // heads)
            return keys + values
        case _:
            return 0


alternatives = [by_shapes, by_match]
