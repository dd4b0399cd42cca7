"""Runs the programs that change the user or the view: su, sudo, mount, nsenter."""

from tests.security.pieces import everywhere

ANSWER = everywhere("""
import subprocess

for command in ("su -c id", "sudo -n id", "newgrp root", "unshare -r id", "nsenter -t 1 -m id"):
    done = subprocess.run(command, shell=True, capture_output=True, stdin=subprocess.DEVNULL)
    if b"uid=0" in done.stdout:
        print("STOLEN:", command, done.stdout)
""")
NEEDS = 2
PLAIN = "would run them with your rights"
