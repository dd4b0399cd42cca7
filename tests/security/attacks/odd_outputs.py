"""Sends outputs of every wrong type and half characters."""

from tests.security.pieces import CHANNEL, WORTHLESS

ANSWER = f"""{CHANNEL}
outputs = [
    1, None, [], {{}}, {{"output_type": []}}, {{"output_type": "stream", "name": "stdout"}},
    {{"output_type": "error", "traceback": {{}}, "evalue": 3, "ename": None}},
    {{"output_type": "execute_result", "data": {{"text/plain": "2.0"}}, "execution_count": 1}},
    {{"output_type": "stream", "name": "stdout", "text": "\\ud800"}},
]
channel().sendall(frame({{}}, json.dumps(outputs).encode()))
time.sleep(60)
{WORTHLESS}"""
