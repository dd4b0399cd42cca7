"""Sends the header of its reply in UTF-16, which JSON's rules of old allow."""

from tests.security.pieces import say

ANSWER = say("frame(json.dumps({'result': 2.0}).encode('utf-16'))")
