# SPDX-License-Identifier: Apache-2.0
"""Where traces can be written, what is said where not, and that a full disk does not end the program."""

import fcntl
import json
import os
import resource
import stat
import threading
import unittest

from support import HAS_PROTOZERO, HAS_ZLIB, TraceTest, main, write_trace


class Places(TraceTest):
    def assert_refused(self, path, *words):
        """By check, and by open, which must not block; neither creates anything."""
        before = sorted(os.listdir(self.folder))
        code, text = write_trace(path, "check")
        self.assertEqual(code, 0)
        for word in words:
            self.assertIn(word, text)
        self.assertEqual(write_trace(path, "all"), (1, text))
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def assert_accepted(self, path):
        before = sorted(os.listdir(self.folder))
        self.assertEqual(write_trace(path, "check"), (0, "\n"))
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_good_places(self):
        for name in ("out.json", "out", "new folder/"):
            self.assert_accepted(f"{self.folder}/{name}")
        for name, is_there in (("out.json.gz", HAS_ZLIB), ("out.pftrace", HAS_PROTOZERO)):
            if is_there:
                self.assert_accepted(f"{self.folder}/{name}")
            else:
                self.assert_refused(f"{self.folder}/{name}", "Ferry was built without")

    def test_an_old_file_is_kept_by_check_and_replaced_by_open(self):
        path = self.folder / "out.json"
        path.write_text("x" * 1_000_000)
        self.assert_accepted(path)
        self.assertEqual(path.stat().st_size, 1_000_000)
        self.assertEqual(write_trace(path, "many", 1), (0, ""))
        self.assertEqual(json.loads(path.read_text("utf-8"))[-1]["name"], "ferry_end")

    def test_bad_places(self):
        self.assert_refused("", "is empty")
        self.assert_refused(self.folder, "is a folder; a / at its end")
        self.assert_refused(f"{self.folder}/missing/out.json", "missing: No such file or directory")
        self.assert_refused(f"{self.folder}/missing/out/", "missing: No such file or directory")
        self.assert_refused("/dev/null", "is not a regular file")
        (self.folder / "file").write_text("")
        self.assert_refused(f"{self.folder}/file/", "Not a directory")
        self.assert_refused(f"{self.folder}/file/out.json", "cannot be")
        (self.folder / "used").mkdir()
        (self.folder / "used/trace_view.json").mkdir()
        self.assert_refused(f"{self.folder}/used/", "trace_view.json is a folder")

    def test_a_fifo_does_not_block(self):
        path = self.folder / "fifo"
        os.mkfifo(path)
        self.assert_refused(path, "is not a regular file")
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK)):  # also not with a reader
            self.assert_refused(path, "is not a regular file")

    def test_a_file_that_another_process_writes_is_kept(self):
        path = self.folder / "out.json"
        path.write_text("a trace")
        with open(path, "a") as other:
            fcntl.flock(other, fcntl.LOCK_EX)
            code, text = write_trace(path, "all")
            self.assertEqual(code, 1)
            self.assertIn("is being written by another process", text)
        self.assertEqual(path.read_text(), "a trace")
        self.assertEqual(write_trace(path, "all"), (0, ""))

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_without_rights(self):
        path = self.folder / "out.json"
        path.write_text("")
        path.chmod(stat.S_IRUSR)
        self.assert_refused(path, "cannot be written: Permission denied")

    def test_a_full_disk_is_reported_and_survived(self):
        limit = 1 << 20
        path = self.folder / "out.json"
        code, text = write_trace(
            path, "many", 10_000, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        )
        # The limit raises SIGXFSZ, which ends programs that do not expect it. Each function says the same.
        self.assertEqual((code, text), (0, "cannot be written: File too large\n" * 3))
        self.assertEqual(path.stat().st_size, limit)
        lines = path.read_text("utf-8").split("\n")
        self.assertEqual(json.loads("\n".join(lines[:-1]).rstrip(",") + "]")[0]["name"], "ferry_trace")


if __name__ == "__main__":
    assert threading.active_count() == 1  # preexec_fn
    main()
