"""Becomes a command that has sockets passed to it, as systemd does it: their addresses and names are in the first argument."""
import json
import os
import socket
import sys

passed = json.loads(sys.argv[1])
sockets = []
for wanted in passed['sockets']:
    listener = socket.socket(socket.AF_UNIX if 'path' in wanted else socket.AF_INET, socket.SOCK_STREAM)
    listener.bind(wanted.get('path') or (wanted['host'], 0))
    listener.listen()
    sockets.append(os.dup2(listener.fileno(), 100 + len(sockets)))
for at, descriptor in enumerate(sockets):
    os.dup2(descriptor, 3 + at, inheritable=True)
os.environ['LISTEN_FDS'] = str(len(sockets))
os.environ['LISTEN_PID'] = str(os.getpid() + passed.get('pidOff', 0))
if 'names' in passed:
    os.environ['LISTEN_FDNAMES'] = passed['names']
os.execv(sys.argv[2], sys.argv[2:])
