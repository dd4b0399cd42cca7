"""Right answers to absorbed_query, written differently."""

import torch


def matrices(q, key_up, positions, omega):
    R = 2 * len(omega)
    D = q.shape[-1] - R
    heads = [q[:, h, :, :D] @ key_up[h] for h in range(q.shape[1])]
    turned = torch.empty_like(q[..., D:])
    for n, p in enumerate(positions.tolist()):
        c, s = torch.diag((p * omega).cos()), torch.diag((p * omega).sin())
        rotation = torch.cat((torch.cat((c, -s), 1), torch.cat((s, c), 1)), 0)
        turned[:, :, n] = q[:, :, n, D:] @ rotation.T
    return torch.cat((torch.stack(heads, 1), turned), -1)


def one_large_matrix(q, key_up, positions, omega):
    """[W, 0; 0, 1] for every head, after the rotation."""
    H, D, C = key_up.shape
    R = 2 * len(omega)
    content, a, b = q.split((D, R // 2, R // 2), dim=-1)
    c, s = (positions[:, None] * omega).cos(), (positions[:, None] * omega).sin()
    turned = torch.cat((content, a * c - b * s, b * c + a * s), dim=-1)
    block = torch.zeros(H, D + R, C + R)
    block[:, :D, :C] = key_up
    block[:, D:, C:] = torch.eye(R)
    return turned @ block


alternatives = [matrices, one_large_matrix]

equivalent = {
    "….float()": "float32 is all that the task promises",
    "….long()": "integers already",
}
