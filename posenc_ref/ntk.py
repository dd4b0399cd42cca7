"""NTK-aware scaling, bloc97 2023, in Peng et al. 2023 (YaRN), §3.1 and §3.3: a larger base.

base' = base · s^(d/(d-2)), so the slowest frequency is divided by exactly s, as in interpolation,
and the fastest stays 1: neighbours remain as far apart as in training. Between the two the pairs
are stretched less than s, so some angles beyond training occur ("slightly extrapolated"); in
practice s is chosen larger than the stretch. The exponent d/(d-2) comes from
(base')^(-(d-2)/d) = base^(-(d-2)/d) / s. d = 2 has one frequency only and is refused.

Dynamic NTK computes s again from the length so far, so nothing changes inside the trained length.
Keys rotated with an earlier base do not fit later ones: cache keys before the rotation.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from posenc_ref.position_interpolation import stretch
from posenc_ref.scalars import require_integers, require_reals
from posenc_ref.sinusoidal import frequencies, require_base


def ntk_aware(
    dim: int, factor: float, *, base: float = 10000.0, device: torch.device | str | None = None
) -> tuple[Tensor, float]:
    """Return (frequencies (dim/2,), attention factor 1) of base · s^(d/(d-2)), with s = `factor`.

        ω_i = (base · s^(d/(d-2)))^(-2i/d)

    Source: Peng et al. 2023, §3.1, eq. (14)-(16); `theta_rescale_factor` of rotary-embedding-torch.
    Raises:
        TypeError: an argument that must be a number is not one.
        ValueError: dim is 2, where the exponent has no value; factor is less than 1 or not finite;
            as `frequencies`.
    Example:
        >>> from posenc_ref import frequencies, ntk_aware
        >>> (frequencies(8) / ntk_aware(8, factor=4.0)[0]).round(decimals=3).tolist()
        [1.0, 1.587, 2.52, 4.0]
    """
    require_integers(dim=dim)
    if dim == 2:
        raise ValueError("dim = 2 has one frequency: slowest and fastest cannot both be kept")
    require_base(base)
    changed = base * stretch(factor) ** (dim / (dim - 2))
    return frequencies(dim, base=changed, device=device), 1.0


def dynamic_ntk(
    dim: int,
    length: float,
    trained_length: float,
    *,
    factor: float = 1.0,
    base: float = 10000.0,
    device: torch.device | str | None = None,
) -> tuple[Tensor, float]:
    """Return NTK-aware (frequencies (dim/2,), attention factor 1) for a text of length l.

        ω_i = (base · s^(d/(d-2)))^(-2i/d),   s = max(1, f·l/L - (f - 1))

    factor = 1 is the paper, s = l/L. Hugging Face's `factor` f makes s grow f times as fast: it is
    not the stretch. At l = 4L, f = 1, 2, 4 give s = 4, 7, 13. Its module remembers the longest text
    so far, and uses its frequencies for a shorter one beyond L; here only l matters.

    Source: Peng et al. 2023, §3.3; `rope_type="dynamic"` in Hugging Face transformers.
    Raises:
        TypeError: an argument that must be a number is not one.
        ValueError: a length or factor is not positive and finite; as `ntk_aware`.
    Example:
        >>> from posenc_ref import dynamic_ntk, frequencies
        >>> omega, _ = dynamic_ntk(8, length=400, trained_length=100)
        >>> (frequencies(8) / omega).round(decimals=3).tolist()
        [1.0, 1.587, 2.52, 4.0]
    """
    require_reals(length=length, trained_length=trained_length, factor=factor)
    if not (1 <= length < math.inf and 1 <= trained_length < math.inf):
        raise ValueError(f"lengths must be positive, got {length} and {trained_length}")
    if not 0 < factor < math.inf:
        raise ValueError(f"factor must be positive and finite, got {factor}")
    grown = factor * length / trained_length - (factor - 1)
    return ntk_aware(dim, max(1.0, grown), base=base, device=device)
