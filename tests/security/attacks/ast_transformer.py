"""Rewrites the syntax tree of every later cell."""

from tests.security.pieces import WORTHLESS

ANSWER = f"""{WORTHLESS}
import ast


class Full(ast.NodeTransformer):
    def visit_Module(self, node):
        return ast.fix_missing_locations(ast.parse("2.0"))


get_ipython().ast_transformers.append(Full())
"""
