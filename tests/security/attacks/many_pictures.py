"""Sends a thousand large pictures as the outputs of one cell."""

from tests.security.pieces import CHANNEL, WORTHLESS

ANSWER = f"""{CHANNEL}
import base64

picture = base64.b64encode(b"\\x89PNG" + bytes(5_000_000)).decode()
output = {{"output_type": "display_data", "data": {{"image/png": picture}}, "metadata": {{}}}}
content = json.dumps([output] * 30).encode()
channel().sendall(frame({{}}, content))
{WORTHLESS}"""
