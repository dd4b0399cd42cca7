"""Encodings that enter before the first layer: what `embed` adds, multiplies, concatenates, reads.

Word embeddings are drawn with a variance of 1/d and multiplied by √d if a sinusoid is added
(Vaswani et al. 2017, §3.4): otherwise they would be small beside rows of norm √(d/2).
"""

from __future__ import annotations

from collections.abc import Callable

from torch import Tensor, nn

from posenc_ref.concatenated import concatenated
from posenc_ref.encoding import Encoding
from posenc_ref.multiplicative import fitted, multiplicative
from posenc_ref.recurrent import RecurrentEmbedding
from posenc_ref.scalars import require_finite, require_integers
from posenc_ref.tensors import require_one_dtype


class AddedEncoding(Encoding):
    """scale · x + table(positions); a table that is a module is trained too.

        out = scale · x + table(positions),   x (B, L, d), table (L, d) or (B, L, d) → (B, L, d)

    Source: Vaswani et al. 2017, §3.4-3.5; Devlin et al. 2019, §3.
    Raises:
        TypeError, ValueError: as `multiplicative`: the table must have a row for each token of x.
    Example:
        >>> from posenc_ref import AddedEncoding, positions
        >>> encoding = AddedEncoding(lambda at: at[:, None].float(), scale=2.0)
        >>> encoding.embed(torch.ones(1, 3, 1), positions(3))[0].flatten().tolist()
        [2.0, 3.0, 4.0]
    """

    def __init__(self, table: Callable[[Tensor], Tensor], *, scale: float = 1.0) -> None:
        """Take the table, positions (L,) or (B, L) → (…, d)."""
        super().__init__()
        require_finite(scale=scale)
        self.table, self.scale = table, scale

    def embed(
        self, x: Tensor, positions: Tensor, state: Tensor | None = None
    ) -> tuple[Tensor, Tensor | None]:
        """Return the sum, in the dtype of x."""
        return self.scale * x + fitted(self.table(positions), x), None


class MultipliedEncoding(Encoding):
    """x ⊙ (1 + table(positions)): a small table changes little, a row of -1 erases a channel.

        out = x ⊙ (1 + table(positions)),   x (B, L, d), table (L, d) or (B, L, d) → (B, L, d)

    Source: none published as a method; see multiplicative.py.
    Example:
        >>> from posenc_ref import MultipliedEncoding, positions
        >>> encoding = MultipliedEncoding(lambda at: at[:, None].float())
        >>> encoding.embed(torch.ones(1, 3, 1), positions(3))[0].flatten().tolist()
        [1.0, 2.0, 3.0]
    """

    def __init__(self, table: Callable[[Tensor], Tensor]) -> None:
        """Take the table, positions (L,) or (B, L) → (…, d)."""
        super().__init__()
        self.table = table

    def embed(
        self, x: Tensor, positions: Tensor, state: Tensor | None = None
    ) -> tuple[Tensor, Tensor | None]:
        """Return the product, in the dtype of x."""
        return multiplicative(x, 1 + self.table(positions)), None


class ConcatenatedEncoding(Encoding):
    """W [x; table(positions)], with W (d, d + e): back to the d channels of the model.

        out = W [x; table(positions)],   x (B, L, d), table (L, e) or (B, L, e) → (B, L, d)

    Source: none published as a method; see concatenated.py.
    Raises:
        TypeError: a size is not an integer.
        ValueError: dim or table_dim is not positive.
    Example:
        >>> from posenc_ref import ConcatenatedEncoding, positions
        >>> encoding = ConcatenatedEncoding(lambda at: at[:, None].float(), dim=4, table_dim=1)
        >>> encoding.embed(torch.ones(1, 3, 4), positions(3))[0].shape
        torch.Size([1, 3, 4])
    """

    def __init__(self, table: Callable[[Tensor], Tensor], *, dim: int, table_dim: int) -> None:
        """Take the table, positions (L,) or (B, L) → (…, e), and make W."""
        super().__init__()
        require_integers(dim=dim, table_dim=table_dim)
        if dim < 1 or table_dim < 1:
            raise ValueError(f"dim and table_dim must be positive, got {dim} and {table_dim}")
        self.table = table
        self.projection = nn.Linear(dim + table_dim, dim, bias=False)

    def embed(
        self, x: Tensor, positions: Tensor, state: Tensor | None = None
    ) -> tuple[Tensor, Tensor | None]:
        """Return the projection, in the dtype of x.

        Raises:
            TypeError: as `concatenated`; x and W are not of one dtype.
            ValueError: as `concatenated`; x and the table do not have d and e channels.
        """
        both, weight = concatenated(x, self.table(positions)), self.projection.weight
        require_one_dtype(x=x, W=weight)
        if both.shape[-1] != weight.shape[1]:
            raise ValueError(f"W takes {weight.shape[1]} channels, [x; p] has {both.shape[-1]}")
        return self.projection(both), None


class RecurrentEncoding(Encoding):
    """A GRU reads the words first; its last state is passed on. It reads left padding too.

        out_t = h_t = GRU(x_t, h_{t-1}),   x (B, L, d) → (B, L, d), state (1, B, d)

    Source: `torch.nn.GRU` in torch; as a front end, Neishi and Yoshinaga 2019.
    Example:
        >>> from posenc_ref import RecurrentEncoding, positions
        >>> x, state = RecurrentEncoding(dim=4).embed(torch.ones(1, 3, 4), positions(3))
        >>> x.shape, state.shape
        (torch.Size([1, 3, 4]), torch.Size([1, 1, 4]))
    """

    def __init__(self, dim: int) -> None:
        """Make the GRU."""
        super().__init__()
        self.reader = RecurrentEmbedding(dim)

    def embed(
        self, x: Tensor, positions: Tensor, state: Tensor | None = None
    ) -> tuple[Tensor, Tensor | None]:
        """Return the states of the GRU and the last of them; positions are ignored."""
        return self.reader(x, state)
