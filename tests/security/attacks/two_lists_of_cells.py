"""Has two lists of cells: one reader takes the first, another the last."""


def file(text: str) -> bytes:
    """Return the file that is handed in."""
    return (text[:-1] + ', "cells": []}').encode()
