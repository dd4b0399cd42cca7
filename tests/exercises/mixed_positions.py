"""Right answers to mixed_positions, written differently."""

import torch


def one_by_one(parts):
    tokens, begun = [], 0
    for part in parts:
        if isinstance(part, int):
            tokens += [(begun + j,) * 3 for j in range(part)]
        else:
            frames, height, width = part
            for a in range(frames):
                for b in range(height):
                    tokens += [(begun + a, begun + b, begun + c) for c in range(width)]
        begun = 1 + max(map(max, tokens))
    return torch.tensor(tokens).T


def indices(parts):
    begun, columns = torch.tensor(0), []
    for part in parts:
        if isinstance(part, tuple):
            grid = torch.ones(part).nonzero().T  # (3, t·h·w), in reading order
        else:
            grid = torch.arange(part).repeat(3, 1)
        columns.append(grid + begun)
        begun = torch.cat(columns, 1).max() + 1
    return torch.cat(columns, 1)


alternatives = [one_by_one, indices]
