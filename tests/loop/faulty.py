"""faulty.py PORT FAULT SHARE: three pools on PORT+1 to PORT+3, of which the canary misbehaves in a share of requests.

Each connection is one request. FAULT is none, refuse (the port is closed for a share of the time), reset, cut (the
answer ends early), empty, hang (for 3 s), error (500), nonsense (what is no HTTP) or wrong (the right status, another
sum). /healthz is always good. The canary is a fifth faster than the others. "ready" is printed once all listen.
"""

import random
import socket
import struct
import sys
import threading
import time

PORT, FAULT, SHARE = int(sys.argv[1]), sys.argv[2], float(sys.argv[3])
PERIOD_S = 0.2
draw = random.Random(1)


def answer(body: bytes, status: bytes = b"200 OK", length: int | None = None) -> bytes:
    size = len(body) if length is None else length
    return b"HTTP/1.1 %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s" % (status, size, body)


def serve(client: socket.socket, canary: bool) -> None:
    with client:
        head = b""
        while b"\r\n\r\n" not in head:
            part = client.recv(4096)
            if not part:
                return
            head += part
        path = head.split(b" ")[1]
        number = int(path.rsplit(b"/", 1)[1]) if path.startswith(b"/sum/") else 0
        # What is wrong is so of some requests and always; all else is so of some times.
        unlucky = canary and path != b"/healthz" and (draw.random() < SHARE if FAULT != "wrong" else number < 1000 * SHARE)
        if unlucky and FAULT == "reset":
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            return
        if unlucky and FAULT == "empty":
            return
        if unlucky and FAULT == "hang":
            time.sleep(3)
            return
        time.sleep(0.004 if canary else 0.005)
        if unlucky and FAULT == "cut":
            client.sendall(answer(b"ok", length=100))
        elif unlucky and FAULT == "error":
            client.sendall(answer(b"no", b"500 Internal Server Error"))
        elif unlucky and FAULT == "nonsense":
            client.sendall(b"nonsense\r\n\r\n")
        else:
            client.sendall(answer(b"%d" % (number * number + (1 if unlucky and FAULT == "wrong" else 0))))


def guarded(client: socket.socket, canary: bool) -> None:
    try:
        serve(client, canary)
    except OSError:
        pass


def listener(port: int) -> socket.socket:
    one = socket.socket()
    one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    one.bind(("127.0.0.1", port))
    one.listen(128)
    one.settimeout(PERIOD_S / 20)
    return one


def accept(port: int, canary: bool, one: socket.socket) -> None:
    while True:
        phase = time.monotonic() % PERIOD_S / PERIOD_S
        if canary and FAULT == "refuse" and phase < SHARE:
            one.close()
            time.sleep(PERIOD_S * (SHARE - phase))
            one = listener(port)
        try:
            client, _ = one.accept()
        except OSError:
            continue
        client.settimeout(10)
        threading.Thread(target=guarded, args=(client, canary), daemon=True).start()


for pool in (1, 2, 3):
    threading.Thread(target=accept, args=(PORT + pool, pool == 3, listener(PORT + pool)), daemon=True).start()
print("ready", flush=True)
threading.Event().wait()
