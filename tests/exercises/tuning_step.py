"""Right answers to tuning_step, written differently."""

import torch


def by_autograd(c, y, k, omega, factor, rate):
    c = c.clone().requires_grad_()
    angles = torch.outer(k / factor, omega)
    a, b = c.chunk(2)
    loss = ((angles.cos() @ a + angles.sin() @ b - y) ** 2).mean()
    (gradient,) = torch.autograd.grad(loss, c)
    return (c - rate * gradient).detach()


def distance_by_distance(c, y, k, omega, factor, rate):
    gradient = torch.zeros_like(c)
    for at, target in zip(k, y, strict=True):
        wave = torch.cat((torch.cos(omega * at / factor), torch.sin(omega * at / factor)))
        gradient += 2 * (wave @ c - target) * wave / len(k)
    return c - rate * gradient


alternatives = [by_autograd, distance_by_distance]
