"""Loops over memory that numba compiles: what torch's calls cannot do in one pass on a CPU.

`posenc_ref` needs torch alone and is right without this package. Where it is installed, under
Linux, `posenc_ref` hands calls on to it that are worth a second of compiling (its loops.py).

| file | idea |
|---|---|
| memory | addresses, 16-bit floats, fresh pages: what loops must know of a tensor |
| threads | torch's threads, lent to loops |
| rope | RoPE in one pass |
| decode | attention of one query, far values left unread |
"""

from numba.core.config import DISABLE_JIT

if DISABLE_JIT:
    raise ImportError("NUMBA_DISABLE_JIT is set, and loops work compiled alone")
