"""Source that several attacks are made of, and the exercise that they attack."""

from nbformat import NotebookNode

from autograde.demo.workbook import Workbook

CHAPTER = "00_start"
EXERCISE = "key_minus_query"

# right shape, no right value: what an attack is worth without its trick, and the points of that
WORTH = 0.25
WORTHLESS = """
def key_minus_query(q_positions, k_positions):
    import torch

    return torch.full((len(q_positions), len(k_positions)), 7)
"""

# the socket on which the worker obeys, and a message as its protocol has it
CHANNEL = """
import gc, json, os, socket, struct, time
import torch


def channel():
    found = [one for one in gc.get_objects() if isinstance(one, socket.socket)]
    return next(one for one in found if one.fileno() > 2)


def frame(header, payload=b""):
    head = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack(">II", len(head), len(payload)) + head + payload
"""


def say(message: str) -> str:
    """Return an answer that sends `message`, an expression, in place of a reply, and waits."""
    return f"""{CHANNEL}

def key_minus_query(q_positions, k_positions):
    channel().sendall({message})
    time.sleep(60)
"""


def everywhere(statement: str) -> str:
    """Return an answer with no right value that tries `statement` while its cell runs."""
    return f"""import ctypes, os, signal, socket, sys, threading, time
import torch

libc = ctypes.CDLL(None, use_errno=True)
try:
{_indented(statement)}
except Exception as error:
    print(type(error).__name__, error)
{WORTHLESS}"""


def _indented(statement: str) -> str:
    return "\n".join(f"    {line}" for line in statement.strip("\n").split("\n"))


def cell_of(book: Workbook, name: str) -> NotebookNode:
    """Return the cell of that name."""
    return next(
        cell
        for cell in book.notebook.cells
        if cell.metadata.get("nbgrader", {}).get("grade_id") == name
    )
