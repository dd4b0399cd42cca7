"""Writes the gradebook, now and later from a process that stays."""

from tests.security.pieces import everywhere

ANSWER = everywhere("""
import sqlite3
def write():
    book = sqlite3.connect(course + "/gradebook.db")
    book.execute("create table if not exists mine (score)")
    book.commit()
    open(course + "/gradebook.db", "a").write("mine")
if os.fork() == 0:
    time.sleep(0.3)
    write()
    os._exit(0)
write()
""")
NEEDS = 2
