"""Right answers to section_axes, written differently."""

import torch


def sliced(sections):
    axes = torch.zeros(sum(sections), dtype=torch.long)
    for axis in (1, 2):
        axes[axis : 3 * sections[axis] : 3] = axis
    return axes


def counted(sections):
    received, axes = [0, 0, 0], []
    for pair in range(sum(sections)):
        turn = pair % 3
        axis = turn if received[turn] < sections[turn] else 0
        received[axis] += 1
        axes.append(axis)
    return torch.tensor(axes)


def looked_up(sections):
    return torch.tensor([p % 3 if p // 3 < sections[p % 3] else 0 for p in range(sum(sections))])


alternatives = [sliced, counted, looked_up]
equivalent = {
    "….int()": "integers of any type",
    "axes[(pair % 3 == axis) & (pair < 3 * sections[axis])] = axis  →  "
    "axes[(pair % 3 == axis) & (pair <= 3 * sections[axis])] = axis": (
        "3 · sections[axis] is a multiple of 3, and those pairs are not turned by axis 1 or 2"
    ),
}
