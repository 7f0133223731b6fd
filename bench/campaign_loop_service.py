#!/usr/bin/env python3
"""A service whose times are made up: what it tells Prometheus does not depend on how busy this machine is.

    campaign_loop_service.py KIND PORT POOL   serves on 127.0.0.1 (examples/service/pool.sh starts it)
    campaign_loop_service.py KIND --stage     what a stage runs

KIND is same, fast (0.7 times as long), slow (1.5 times), crash (after 60 requests), error (each fifth is
answered 500) or hang (from request 30 on).
"""

import asyncio
import math
import os
import random
import signal
import socket
import sys
import time

BOUNDS = [0.002 * 1.03**i for i in range(160)]
TIMES = {"fast": 0.7, "slow": 1.5}


class Instance:
    """One that serves."""

    def __init__(self, kind: str, pool: str) -> None:
        """Of a kind, in a pool."""
        self.kind, self.pool = kind, pool
        self.began = time.time()
        self.counts = [0] * (len(BOUNDS) + 1)
        self.requests = 0
        self.random = random.Random(os.getpid())

    def metrics(self) -> str:
        """As Prometheus reads them."""
        lines, total = [], 0
        for i, count in enumerate(self.counts):
            total += count
            bound = f"{BOUNDS[i]:.6g}" if i < len(BOUNDS) else "+Inf"
            lines.append(f'request_seconds_bucket{{pool="{self.pool}",le="{bound}"}} {total}')
        lines.append(f'request_seconds_count{{pool="{self.pool}"}} {total}')
        lines.append(f'process_start_time_seconds{{pool="{self.pool}"}} {self.began:.3f}')
        return "\n".join(lines) + "\n"

    async def answer(self, path: str) -> tuple[str, str]:
        """The status and the body."""
        if path == "/healthz":
            return "200 OK", "ok\n"
        if path == "/metrics":
            return "200 OK", self.metrics()
        self.requests += 1
        if self.kind == "crash" and self.requests > 60:
            os.kill(os.getpid(), signal.SIGKILL)
        if self.kind == "hang" and self.requests > 30:
            await asyncio.sleep(3600)
        if self.kind == "error" and self.requests % 5 == 0:
            return "500 Internal Server Error", "no\n"
        seconds = 0.02 * TIMES.get(self.kind, 1.0) * math.exp(self.random.gauss(0, 0.3))
        self.counts[next((i for i, bound in enumerate(BOUNDS) if seconds <= bound), len(BOUNDS))] += 1
        return "200 OK", "done\n"

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection."""
        try:
            while line := await reader.readline():
                while await reader.readline() not in (b"\r\n", b""):
                    pass
                status, body = await self.answer(line.split()[1].decode())
                head = ["Content-Type: text/plain; version=0.0.4", f"Content-Length: {len(body)}", "", body]
                writer.write("\r\n".join([f"HTTP/1.1 {status}", *head]).encode())
                await writer.drain()
        except (ConnectionError, IndexError, asyncio.CancelledError):
            pass
        finally:
            writer.close()


async def serve(kind: str, port: int, pool: str) -> None:
    """Until SIGTERM."""
    listener = socket.socket()
    # An instance that takes the place of another listens before that ends.
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    listener.bind(("127.0.0.1", port))
    server = await asyncio.start_server(Instance(kind, pool).talk, sock=listener)
    print(f"ready {os.getpid()}", flush=True)
    ended = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    await ended.wait()
    server.close()


if __name__ == "__main__":
    if sys.argv[2] == "--stage":
        print("the same answer")
    else:
        asyncio.run(serve(sys.argv[1], int(sys.argv[2]), sys.argv[3]))
