"""Right answers to mend_reversed_ramp, written differently."""

import math

import torch


def lerp(omega, factor, trained_length):
    turns = trained_length * omega / math.tau
    return torch.lerp(omega / factor, omega, ((turns - 1) / 31).clamp(0, 1))


def by_divisor(omega, factor, trained_length):
    divided = (1 - (trained_length / (2 * math.pi / omega) - 1) / (32 - 1)).clamp(0, 1)
    return omega * (1 - divided * (1 - 1 / factor))


alternatives = [lerp, by_divisor]
