"""Right answers to llama3_bands, written differently."""

import math

import torch


def clamped(omega, factor=8.0, low=1.0, high=4.0, trained_length=8192):
    kept = ((trained_length * omega / math.tau - low) / (high - low)).clamp(0, 1)
    return torch.lerp(omega / factor, omega, kept)


def loop(omega, factor=8.0, low=1.0, high=4.0, trained_length=8192):
    frequencies = []
    for w in omega.tolist():
        wavelength = 2 * math.pi / w
        if wavelength < trained_length / high:
            frequencies.append(w)
        elif wavelength > trained_length / low:
            frequencies.append(w / factor)
        else:
            smooth = (trained_length / wavelength - low) / (high - low)
            frequencies.append((1 - smooth) * w / factor + smooth * w)
    return torch.tensor(frequencies)


alternatives = [clamped, loop]

equivalent = {  # mutant → why it is right too
    "slow = torch.where(wavelength > trained_length / low, omega / factor, blended)"
    "  →  slow = torch.where(wavelength >= trained_length / low, omega / factor, blended)": (
        "at the border the blend is omega / factor"
    ),
    "return torch.where(wavelength < trained_length / high, omega, slow)"
    "  →  return torch.where(wavelength <= trained_length / high, omega, slow)": (
        "at the border the blend is omega"
    ),
}
