"""Publishes a score from IPython's hooks before and after each later cell."""

from tests.security.pieces import WORTHLESS

ANSWER = f"""{WORTHLESS}
shell = get_ipython()


def full(*args):
    shell.displayhook(2.0)


for event in ("pre_run_cell", "post_run_cell", "pre_execute", "post_execute"):
    shell.events.register(event, full)
shell.set_custom_exc((BaseException,), full)
shell.run_cell = lambda *args, **kwargs: full()
"""
