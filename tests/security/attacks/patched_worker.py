"""Replaces what its own process uses to talk, to fork and to count."""

from tests.security.pieces import WORTHLESS

ANSWER = f"""{WORTHLESS}
import json, os, socket, sys
import torch

for name, module in list(sys.modules.items()):
    if name.startswith("confined."):
        for known in ("send", "receive", "deadline", "quiet", "Encoder", "_call", "_encoded"):
            if hasattr(module, known):
                setattr(module, known, lambda *args, **kwargs: (2.0, b""))
os.fork = lambda: 0
json.dumps = lambda *args, **kwargs: "2.0"
socket.socket.sendall = lambda *args: None
torch.Tensor.numpy = lambda self: None
"""
PLAIN = "spoils its own kernel only, like here"
