"""Right answers to position_counter, written differently."""

import torch


def running_mean(flag):
    return torch.cumsum(flag, 0) / torch.arange(1, len(flag) + 1)


def loop(flag):
    return torch.tensor([sum(flag[: t + 1].tolist()) / (t + 1) for t in range(len(flag))])


def real_attention(flag):
    v = flag[None, None, :, None]
    return torch.nn.functional.scaled_dot_product_attention(
        torch.zeros_like(v), torch.zeros_like(v), v, is_causal=True
    ).flatten()


def recurrence(flag):
    means = [flag[0]]
    for t in range(1, len(flag)):
        means.append(means[-1] + (flag[t] - means[-1]) / (t + 1))
    return torch.stack(means)


alternatives = [running_mean, loop, real_attention, recurrence]

equivalent = {  # mutant → why it is right too
    "….float()": "the text promises no dtype, and float32 is precise enough",
}
