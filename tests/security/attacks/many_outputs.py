"""Sends a million empty outputs, which weigh nothing each."""

from tests.security.pieces import CHANNEL, WORTHLESS

ANSWER = f"""{CHANNEL}
output = {{"output_type": "stream", "name": "stdout", "text": ""}}
content = json.dumps([output] * 200_000).encode()
channel().sendall(frame({{}}, content))
{WORTHLESS}"""
