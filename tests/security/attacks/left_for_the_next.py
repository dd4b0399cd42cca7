"""Leaves files where the next student's process would find them."""

from tests.security.pieces import everywhere

ANSWER = everywhere("""
import site
folders = [".", "/tmp", "/dev/shm", "/var/tmp", "/dev/mqueue", *site.getsitepackages()]
for folder in [*folders, os.path.expanduser("~/.ipython/profile_default/startup")]:
    for name in ("STOLEN.py", "sitecustomize.py", "torch.py", "STOLEN.pth"):
        try:
            os.makedirs(folder, exist_ok=True)
            with open(f"{folder}/{name}", "w") as file:
                file.write("key_minus_query = 'STOLEN'")
        except OSError:
            pass
os.rename("/tmp", "/tmp2") if os.access("/", os.W_OK) else None
""")
NEEDS = 1
PLAIN = "would leave files in this machine's Python"
