"""The reference: positional encodings as pure functions of positions. Imports torch, nothing else.

Shapes are those of `torch.nn.functional.scaled_dot_product_attention`: B batch, H heads,
L length (Lq of queries, Lk of keys), D head dimension. Positions are always an argument.
Relative position is key - query. Results follow the device of the inputs, and angles are computed
in float32 or better whatever the activations are. Nothing derived is cached. Conventions are named
in the call. Each file opens with the method, its paper, and which published convention it is.

| file       | idea                               | names                                        |
|------------|------------------------------------|----------------------------------------------|
| device     | where to compute                   | device, available_devices, angle_dtype       |
| positions  | where each token stands            | positions, positions_from_mask,              |
|            |                                    | relative_positions                           |
| attention  | softmax(q kᵀ/√D + bias) v          | attention, attention_weights, causal_mask,   |
|            |                                    | permutation_matrix                           |
| sinusoidal | absolute, Vaswani et al. 2017      | sinusoidal, frequencies, shift_matrix        |
| learned    | absolute, BERT and GPT-2           | LearnedPositionalEmbedding, BertEmbedding    |

A name here is the function, also where the file has the same name: `posenc_ref.sinusoidal` is
called; `from posenc_ref.sinusoidal import …` reads the file.
"""

from posenc_ref.attention import attention, attention_weights, causal_mask, permutation_matrix
from posenc_ref.device import angle_dtype, available_devices, device
from posenc_ref.learned import BertEmbedding, LearnedPositionalEmbedding
from posenc_ref.positions import positions, positions_from_mask, relative_positions
from posenc_ref.sinusoidal import frequencies, shift_matrix, sinusoidal

__all__ = [
    "BertEmbedding",
    "LearnedPositionalEmbedding",
    "angle_dtype",
    "attention",
    "attention_weights",
    "available_devices",
    "causal_mask",
    "device",
    "frequencies",
    "permutation_matrix",
    "positions",
    "positions_from_mask",
    "relative_positions",
    "shift_matrix",
    "sinusoidal",
]
