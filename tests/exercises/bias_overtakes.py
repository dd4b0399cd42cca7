"""Right answers to bias_overtakes, written differently."""

import itertools
import math


def by_trying(heads, kv_heads, head_dim):
    rotation = (heads + kv_heads) * (head_dim // 2) * 4
    return next(n for n in itertools.count(1) if heads * n > rotation)


def by_rounding(heads, kv_heads, head_dim):
    return math.floor(2 * head_dim * (1 + kv_heads / heads) + 1e-9) + 1


alternatives = [by_trying, by_rounding]
