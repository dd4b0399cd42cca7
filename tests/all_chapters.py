"""The chapters of the course, read once for all tests: that takes a second each time."""

from tools.build.contents import chapters

CHAPTERS = chapters()
