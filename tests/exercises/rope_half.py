"""Right answers to rope_half, written differently."""

import torch


def rotate_half(x, angles):
    cos, sin = (t.repeat(1, 2).to(x.dtype) for t in (angles.cos(), angles.sin()))
    half = x.shape[-1] // 2
    return x * cos + torch.cat((-x[..., half:], x[..., :half]), dim=-1) * sin


def complex_product(x, angles):
    a, b = x.double().chunk(2, dim=-1)
    turned = torch.complex(a, b) * torch.exp(1j * angles)
    return torch.cat((turned.real, turned.imag), dim=-1).to(x.dtype)


def matrices(x, angles):
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    rotation = torch.stack((torch.stack((c, -s)), torch.stack((s, c))))  # (2, 2, L, D/2)
    turned = torch.einsum("ijlp,bhljp->bhlip", rotation, x.unflatten(-1, (2, -1)))
    return turned.flatten(-2)


alternatives = [rotate_half, complex_product, matrices]

equivalent = {
    "….float()": (
        "an angle of thousands of radians is right to 1e-4 in float32: x in 16 bits cannot tell"
    ),
}
