"""Reads the teacher's home: keys, tokens, shell history."""

from tests.security.pieces import everywhere

ANSWER = everywhere("""
import glob, pwd
homes = {os.path.expanduser("~"), os.path.join(course, "home", ".ssh")}
homes |= {one.pw_dir for one in pwd.getpwall()}
for home in homes:
    for path in glob.glob(home + "/*") + glob.glob(home + "/.*"):
        if os.path.isfile(path):
            print("STOLEN", path, open(path).read(200))
""")
NEEDS = 2
PLAIN = "would read this machine's real homes"
