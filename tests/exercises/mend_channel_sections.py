"""Right answers to mend_channel_sections, written differently."""

import torch


def masked(angles, sections):
    time, height, width = angles
    pair = torch.arange(angles.shape[-1])
    t, h, _ = sections
    pairs = torch.where(pair < t, time, torch.where(pair < t + h, height, width))
    return torch.cat((pairs, pairs), dim=-1)


def split_six_times(angles, sections):
    doubled = torch.cat((angles, angles), dim=-1)
    parts = doubled.split(list(sections) * 2, dim=-1)
    return torch.cat([part[i % 3] for i, part in enumerate(parts)], dim=-1)


def written_into(angles, sections):
    half = angles.shape[-1]
    out = torch.empty(*angles.shape[1:-1], 2 * half)
    start = 0
    for axis, count in enumerate(sections):
        for offset in (0, half):
            out[..., offset + start : offset + start + count] = angles[
                axis, ..., start : start + count
            ]
        start += count
    return out


alternatives = [masked, split_six_times, written_into]

equivalent = {  # mutant → why it is right too
    "….float()": "the inputs are float32",
}
