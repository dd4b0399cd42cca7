"""What the patients of ward 5 of the bug clinic share: a cache, a causal mask, text in pieces."""

import torch
from torch import Tensor

from autograde.kit.exercise import Function
from autograde.kit.expect import expect, expect_shape

Cache = tuple[Tensor, Tensor] | None
Step = tuple[Tensor, tuple[Tensor, Tensor]]


def past_of(cache: Cache) -> int:
    """Return how many tokens the cache holds."""
    return 0 if cache is None else cache[0].shape[2]


def extended(cache: Cache, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
    """Return the cached keys and values with the new ones behind them."""
    if cache is None:
        return keys, values
    return torch.cat((cache[0], keys), 2), torch.cat((cache[1], values), 2)


def visible(new: int, total: int) -> Tensor:
    """Return what each of the last `new` tokens of `total` may see, (new, total)."""
    return torch.ones(new, total, dtype=torch.bool).tril(total - new)


def attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> Tensor:
    """Return attention; the mask is bool, true where visible, or a bias; None: all is visible."""
    return torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)


def text(rng: torch.Generator, *shape: int) -> tuple[Tensor, Tensor, Tensor]:
    """Return q, k, v of this shape (B, H, L, D), whose axes are not in the order of memory."""
    B, H, L, D = shape
    return tuple(torch.randn(3, B, L, H, D, generator=rng).transpose(2, 3).unbind())


def pieces(rng: torch.Generator, length: int) -> list[tuple[int, ...]]:
    """Return ways to read a text: token by token, prompt and tokens, pieces of any length."""
    cuts = torch.randperm(length - 1, generator=rng)[:2].sort().values + 1
    first, second = cuts.tolist()
    return [
        (1,) * length,
        (length - 4, 1, 1, 1, 1),
        (first, second - first, length - second),
    ]


def run(
    answer: Function, sizes: tuple[int, ...], qkv: tuple[Tensor, ...], *extra: Tensor
) -> Tensor:
    """Return the outputs of the answer for a text in pieces, the cache handed on."""
    cache, outs = None, []
    for piece in zip(*(x.split(sizes, 2) for x in qkv), strict=True):
        got = answer(*piece, *extra, cache)
        expect(
            isinstance(got, tuple | list) and len(got) == 2,
            "return two things: the output and the pair (keys, values)",
            "请返回两样东西：输出，以及(keys, values)这一对",
        )
        out, cache = got
        outs.append(expect_shape(out, tuple(piece[0].shape)))
    return torch.cat(outs, 2)
