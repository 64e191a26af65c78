# SPDX-License-Identifier: Apache-2.0
"""ferry soak: Ferry passes it, each kind of leak is found, and it shows where it is."""

import re

from support import CC, HERE, SOURCE, ToolTest, ferry, ferry_on_terminal, main, plain_builds_only

SHORT = ("--minutes", "0.03")
# What the checker says at the end.
CHECKED = r"^ferry: checked [\d,]+ calls on [\d,]+ streams: no errors, no notes\n$"
KINDS = ("host memory", "device memory", "file descriptors", "threads", "mappings")


@plain_builds_only  # sanitizers keep freed memory
class Soak(ToolTest):
    def test_nothing_leaks_with_and_without_the_checker(self):
        done = ferry("soak", "--minutes", "0.16")
        self.assert_code(done, 0)
        self.assertRegex(done.err, CHECKED, done)
        for half in ("without the checker", "with the checker"):
            self.assertRegex(done.out, rf"(?m)^{half}: \d+ rounds of 4 threads in \d+:\d\d$", done)
        for kind in KINDS:
            self.assertEqual(len(re.findall(rf"(?m)^{kind} .* flat$", done.out)), 2, done)

    def test_each_kind_of_leak_is_found_and_named(self):
        library = self.build(
            CC, "libleak.so", "-shared", "-fPIC", f"-I{SOURCE / 'include'}", HERE / "programs/leak.c", "-ldl"
        )
        for kind in KINDS:
            with self.subTest(kind):
                done = ferry("soak", "--no-check", *SHORT, LD_PRELOAD=str(library), LEAK=kind)
                self.assert_code(done, 1)
                self.assertRegex(
                    done.err,
                    rf"(?m)^ferry soak: without the checker: {kind} grew from .+ to .+, .+ per round$",
                    done,
                )
                self.assertRegex(done.out, rf"(?m)^{kind} .* grows$", done)

    def test_a_leak_is_found_under_the_checker_too(self):
        library = self.build(
            CC,
            "libleak_checked.so",
            "-shared",
            "-fPIC",
            f"-I{SOURCE / 'include'}",
            HERE / "programs/leak.c",
            "-ldl",
        )
        done = ferry("soak", "--check", *SHORT, LD_PRELOAD=str(library), LEAK="host memory")
        self.assert_code(done, 1)
        self.assertIn("ferry soak: with the checker: host memory grew from", done.err, done)

    def test_options_choose_one_half(self):
        done = ferry("soak", "--check", "--workers", "2", *SHORT)
        self.assert_code(done, 0)
        self.assertRegex(done.err, CHECKED, done)
        self.assertNotIn("without the checker", done.out)
        self.assertIn("rounds of 2 threads", done.out)
        done = ferry("soak", "--no-check", "--devices", "cpu:2", "--schedule", "shuffle:1", *SHORT)
        self.assert_ok(done)
        self.assertNotIn("with the checker", done.out)

    def test_a_product_without_batches_passes(self):
        self.assert_ok(ferry("soak", "--no-check", "--soc", "Ascend310P3", *SHORT))

    def test_a_failed_call_ends_it_with_the_text(self):
        done = ferry("soak", "--no-check", "--fail", "aclrtCreateNotify:3=507899", *SHORT)
        self.assert_code(done, 1)
        self.assert_complaint(done, "ferry soak: error 507899", "aclrtCreateNotify")

    def test_a_terminal_shows_one_line_that_is_overwritten(self):
        done = ferry_on_terminal("soak", "--no-check", *SHORT)
        self.assert_code(done, 0)
        lines = done.out.split("\r\033[K")
        self.assertRegex(lines[1], r"^without the checker 0:00 of 0:01, round 1: .* files, \d+ threads")
        self.assertLessEqual(max(len(line) for line in lines[1:-1]), 80)


class Usage(ToolTest):
    def test_wrong_options_are_wrong_usage(self):
        for arguments in (("--minutes", "0"), ("--minutes", "long"), ("--workers", "0")):
            with self.subTest(arguments):
                self.assert_usage(ferry("soak", *arguments), "ferry soak", arguments[0])
        self.assert_usage(ferry("soak", "--check", "--no-check"), "--no-check")


if __name__ == "__main__":
    main()
