"""Right answers to breaking_lengths, written differently."""

import itertools
import math

import torch


def step_by_step(model, memory):
    """Grow the text by doubling and halving; compare angles as products."""
    each = 2 * model["kv_heads"] * model["head_dim"] * model["bytes_each"]

    def needed(length):
        return each * sum(length if w is None else min(w, length) for w in model["windows"])

    def first(too_much, limit):
        if not too_much(limit):
            return math.inf
        low, high = 0, limit
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if too_much(middle) else (middle, high)
        return high

    def new_angle(length):
        for window, i in itertools.product(model["windows"], range(model["head_dim"] // 2)):
            power = -2 * i / model["head_dim"]
            before, now = model["base"] ** power, model["used_base"] ** power / model["factor"]
            reach = math.inf if window is None else window
            seen = before * (min(reach, model["trained"]) - 1)
            met = seen * (1 + 1e-9) + 1e-15
            if seen < 2 * math.pi and now * (min(reach, length) - 1) > met:
                return True
        return False

    return first(lambda length: needed(length) > memory, 2**40), first(new_angle, 2**40)


def in_tensors(model, memory):
    """All layers and pairs at once."""
    windows = torch.tensor([math.inf if w is None else w for w in model["windows"]]).double()
    D = model["head_dim"]
    rows = memory // (2 * model["kv_heads"] * D * model["bytes_each"])
    ends = windows.sort().values
    before = torch.cat((torch.zeros(1).double(), ends[:-1]))
    growing = torch.arange(len(ends), 0, -1)
    filled = torch.cat((torch.zeros(1).double(), ((ends - before) * growing).cumsum(0)))
    part = int((filled <= rows).sum()) - 1
    length = math.inf
    if part < len(ends):
        length = int(before[part] + (rows - filled[part]) // growing[part]) + 1

    i = torch.arange(D // 2).double()
    omega, used = model["base"] ** (-2 * i / D), model["used_base"] ** (-2 * i / D)
    seen = (windows.clamp(max=model["trained"])[:, None] - 1) * omega  # (layers, D/2)
    distance = torch.floor(seen * model["factor"] / used * (1 + 1e-9)) + 1
    distance[seen >= 2 * math.pi] = math.inf
    distance[distance >= windows[:, None]] = math.inf
    first = distance.min().item() + 1
    return length, first if first == math.inf else int(first)


alternatives = [step_by_step, in_tensors]

FLOOR = (
    "distances = (seen / now * (1 + 1e-09)).floor()[seen < 2 * math.pi] + 1  →  "
    "distances = (seen / now * (1 + "
)
equivalent = {  # mutant → why it is right too
    "…sorted(windows), strict=False):": "there are as many of both",
    "new = min(new, int(distances.min()) + 1)  →  new = min(int(distances.min()) + 1, new)": "the "
    "smaller of two",
    "seen = before * (min(model['trained'], window) - 1)  →  "
    "seen = before * (min(window, model['trained']) - 1)": "the smaller of two",
    FLOOR + "1e-09)).floor()[seen <= 2 * math.pi] + 1": "no angle is 2π to the last digit",
    FLOOR + "2e-09)).floor()[seen < 2 * math.pi] + 1": "any small part will do",
}
