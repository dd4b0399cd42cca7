"""Reads a page as a test does: elements, words, and whether any are Chinese."""

import re
from html.parser import HTMLParser

HANZI = re.compile("[\u4e00-\u9fff]")


class Reader(HTMLParser):
    """Reads a page: its elements with their attributes, and its words."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.text, self.open = [], "", []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.open.append(tag)

    def handle_endtag(self, tag):
        while self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data):
        if "style" not in self.open:
            self.text += data
