"""Builds docs/museum.md: every architecture of transformers and its positional encoding.

python -m tools.museum            writes the page and its picture
python -m tools.museum --check    says whether the page is stale, changes nothing
"""

from tools.museum.page import PAGE, museum
from tools.museum.picture import pictures
from tools.museum.rows import rows
from tools.pages import write_or_check

if __name__ == "__main__":
    table = rows()
    write_or_check(museum(table), PAGE, "python -m tools.museum", __doc__, lambda: pictures(table))
