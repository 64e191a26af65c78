# SPDX-License-Identifier: Apache-2.0
"""ferry bench fabric: a peer on this machine, a peer that listens, and peers that speak nonsense."""

import json
import socket
import struct
import subprocess
import threading

from support import FERRY, ToolTest, environment, ferry, main

COPIES = ["1M, out", "256 x 4K, out", "64 B, out, and wait", "1M, in", "256 x 4K, in", "64 B, in, and wait"]
FACTS = ["a 64-byte put among many, CPU", "a connection", "a remote key"]


class BenchFabric(ToolTest):
    def fabric(self, *arguments):
        return ferry("bench", "fabric", "--quick", *arguments)

    def assert_measured(self, done):
        self.assert_ok(done)
        rows = {row["what"]: row for row in json.loads(done.out)["rows"]}
        for what in [*COPIES, "notify, ping-pong", *FACTS]:
            with self.subTest(what):
                self.assertGreater(rows[what]["baseline"], 0)
        for what in [*COPIES, "notify, ping-pong"]:
            with self.subTest(what):
                row = rows[what]
                self.assertNotEqual(row["measured"] is None, row["skipped"] == "", row)

    def test_a_peer_of_its_own(self):
        self.assert_measured(self.fabric("--local", "--json", "-"))

    def listen(self):
        """A process that listens at a port that was free a moment ago, and the port."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        listener = subprocess.Popen(
            [FERRY, "bench", "fabric", "--listen", f"127.0.0.1:{port}"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=environment(),
        )
        self.addCleanup(listener.wait)
        self.addCleanup(listener.stdout.close)
        self.addCleanup(listener.terminate)
        self.assertIn(f"port {port}", listener.stdout.readline())
        return port

    def test_a_peer_that_listens_serves_again_after_nonsense(self):
        port = self.listen()
        cut_off = struct.pack("<I", 3) + b"abc"
        for nonsense in (b"", b"\x00", b"GET / HTTP/1.0\r\n\r\n", b"\xff" * 64, cut_off):
            with socket.create_connection(("127.0.0.1", port)) as stranger:
                stranger.sendall(nonsense)
        self.assert_measured(self.fabric("--peer", f"127.0.0.1:{port}", "--json", "-"))

    def test_peers_that_are_none(self):
        def answer(bytes_):
            server = socket.create_server(("127.0.0.1", 0))
            self.addCleanup(server.close)

            def serve():
                connection, _ = server.accept()
                with connection:
                    connection.recv(4096)
                    connection.sendall(bytes_)

            thread = threading.Thread(target=serve)
            thread.start()
            self.addCleanup(thread.join)
            return f"127.0.0.1:{server.getsockname()[1]}"

        for bytes_, words in (
            (b"", "the peer has ended"),
            (b"\xff\xff\xff\xff", "does not speak the benchmark's protocol"),
            (struct.pack("<I", 6) + b"+0.0.1", "the peer is Ferry 0.0.1"),
            (struct.pack("<I", 8) + b"-no room", "no room"),
            (struct.pack("<I", 100) + b"+", "has ended"),
        ):
            with self.subTest(bytes_):
                done = self.fabric("--peer", answer(bytes_))
                self.assert_code(done, 1)
                self.assert_complaint(done, "ferry bench", words)

    def test_nobody_listens(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
        done = self.fabric("--peer", f"127.0.0.1:{port}")
        self.assert_code(done, 1)
        self.assert_complaint(done, f"port {port}", "cannot connect", "--listen")

    def test_wrong_usage(self):
        self.assert_usage(self.fabric(), "fabric needs a peer")
        self.assert_usage(ferry("bench", "latency", "--local"), "question fabric")
        self.assert_usage(self.fabric("--local", "--peer", "somewhere"), "--peer")
        self.assert_usage(self.fabric("--listen", "here", "--peer", "there"), "--listen")
        for address in (":1", "[::1:5", "host:port", "a:1:2", "[::1]5"):
            with self.subTest(address):
                done = self.fabric("--peer", address)
                self.assert_code(done, 1)
                self.assert_complaint(done, "is not an address")


if __name__ == "__main__":
    main()
