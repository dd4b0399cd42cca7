"""Connects to the outside and to this machine, by address and by name, and listens."""

from tests.security.pieces import everywhere

ANSWER = everywhere("""
for place in (("1.1.1.1", 53), ("127.0.0.1", 22), ("localhost", 631)):
    try:
        socket.create_connection(place, timeout=1)
        print("STOLEN: network", place)
    except OSError as error:
        print(error)
for family, kind in ((socket.AF_INET, socket.SOCK_DGRAM), (socket.AF_NETLINK, socket.SOCK_RAW)):
    try:
        socket.socket(family, kind)
        print("STOLEN: socket", family)
    except OSError as error:
        print(error)
""")
NEEDS = 2
PLAIN = "makes real connections"
