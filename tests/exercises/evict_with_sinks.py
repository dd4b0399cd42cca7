"""Right answers to evict_with_sinks, written differently."""

import torch


def guarded_slices(cache, sinks, window):
    """Join two slices, once a layer is known to be long enough for both."""
    new = []
    for layer in cache:
        n = layer[2].shape[1]
        if n > sinks + window:
            pairs = zip(layer, (2, 2, 1), strict=True)
            ends = ((0, sinks), (n - window, window))
            layer = [torch.cat([x.narrow(axis, *end) for end in ends], axis) for x, axis in pairs]
        new.append(tuple(layer))
    return new


def selected(cache, sinks, window):
    """List the columns that stay, and select them."""
    new = []
    for keys, values, positions in cache:
        n = positions.size(-1)
        columns = torch.tensor(sorted({*range(min(sinks, n)), *range(max(n - window, 0), n)}))
        wide = [part.index_select(-2, columns) for part in (keys, values)]
        new.append([*wide, positions.index_select(-1, columns)])
    return new


alternatives = [guarded_slices, selected]

equivalent = {"…column = torch.arange(positions.shape[1])": "the second of two axes is the last"}
