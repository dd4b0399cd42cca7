"""Uses the magics of IPython that read, run, show, debug, reset or end something."""

from nbformat.v4 import new_code_cell

from autograde.demo.workbook import Workbook

MAGICS = """
%%javascript;alert(1)
%%html;<script>alert(1)</script>
%%svg;<svg onload=alert(1)>
%%bash;env
%%writefile check.py;2.0
%%script python;print(2.0)
%%perl;print 2.0
%%timeit;pass
%%capture kept;2.0
%load /etc/passwd
%run /etc/passwd
%pdb on;1 / 0
%debug
%xmode Verbose;1 / 0
%reset -f
%cd /
%store
%logstart log
%edit
%alias key_minus_query ls
%autoreload 2
%gui qt
!env
quit()
"""


def attack(book: Workbook) -> None:
    """Edit the released notebook."""
    for source in MAGICS.strip().split("\n"):
        book.notebook.cells.insert(1, new_code_cell(source.replace(";", "\n")))
