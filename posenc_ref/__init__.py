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
| rope_angles | by how much each pair turns       | rope_angles, rotations, Rotations            |
| rope       | rotary, Su et al. 2021             | rotate, rotate_plain, rotation_matrix        |
| rope_layout | from one layout to the other      | interleaved_to_half, half_to_interleaved     |
| rope_partial | some channels turn               | rotate_partial                               |

A name here is the function, also where the file has the same name: `posenc_ref.sinusoidal` is
called; `from posenc_ref.rope import rotate, rotate_plain, rotation_matrix
from posenc_ref.rope_angles import Rotations, rope_angles, rotations
from posenc_ref.rope_layout import half_to_interleaved, interleaved_to_half
from posenc_ref.rope_partial import rotate_partial
from posenc_ref.sinusoidal import …` reads the file.
"""

from posenc_ref.attention import attention, attention_weights, causal_mask, permutation_matrix
from posenc_ref.device import angle_dtype, available_devices, device
from posenc_ref.learned import BertEmbedding, LearnedPositionalEmbedding
from posenc_ref.positions import positions, positions_from_mask, relative_positions
from posenc_ref.rope import rotate, rotate_plain, rotation_matrix
from posenc_ref.rope_angles import Rotations, rope_angles, rotations
from posenc_ref.rope_layout import half_to_interleaved, interleaved_to_half
from posenc_ref.rope_partial import rotate_partial
from posenc_ref.sinusoidal import frequencies, shift_matrix, sinusoidal

__all__ = [
    "BertEmbedding",
    "LearnedPositionalEmbedding",
    "Rotations",
    "angle_dtype",
    "attention",
    "attention_weights",
    "available_devices",
    "causal_mask",
    "device",
    "frequencies",
    "half_to_interleaved",
    "interleaved_to_half",
    "permutation_matrix",
    "positions",
    "positions_from_mask",
    "relative_positions",
    "rope_angles",
    "rotate",
    "rotate_partial",
    "rotate_plain",
    "rotation_matrix",
    "rotations",
    "shift_matrix",
    "sinusoidal",
]
