"""Builds docs/gallery.md: each kind of panel with its picture, its words and its code.

python -m tools.gallery            writes the page and docs/images/gallery/*.png
python -m tools.gallery --check    says whether the page is stale, changes nothing
"""

from tools.gallery.page import PAGE, gallery, pictures
from tools.pages import write_or_check

if __name__ == "__main__":
    write_or_check(gallery(), PAGE, "python -m tools.gallery", __doc__, pictures)
