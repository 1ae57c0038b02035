"""Receives what services tell systemd: a line of JSON for each message, on the socket of the first argument."""
import json
import socket
import sys

name = sys.argv[1]
receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
receiver.bind('\0' + name[1:] if name.startswith('@') else name)
print(json.dumps('bound'), flush=True)
while True:
    # What comes beside the text, such as the other end of a barrier, is closed and so acknowledged.
    print(json.dumps(receiver.recv(4096).decode()), flush=True)
