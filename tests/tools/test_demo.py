# SPDX-License-Identifier: Apache-2.0
"""ferry demo and the example behind it: the table, the comparison, the progress line."""

import re

from support import (
    CC,
    FERRY,
    HERE,
    KV_OFFLOAD,
    SOURCE,
    ToolTest,
    ferry,
    ferry_on_terminal,
    main,
    plain_builds_only,
    run,
)

SMALL = ["--blocks", "8", "--layers", "3", "--rounds", "2"]
NUMBER = r"[0-9]+\.[0-9]+"


class Demo(ToolTest):
    def test_the_table(self):
        done = ferry("demo", *SMALL, "--block-size", "512,8K")
        self.assert_ok(done)
        rows = re.findall(
            rf"(?m)^ +(512 B|8 KiB) +24 +(12 KiB|192 KiB)  out +({NUMBER} +){{4}}{NUMBER}x$",
            done.out,
        )
        self.assertEqual(len(rows), 2, done)
        self.assertEqual(
            len(re.findall(rf"(?m)^ +back +({NUMBER} +){{4}}{NUMBER}x$", done.out)), 2, done
        )
        self.assertIn("Every byte was right", done.out)

    def test_it_ends_with_what_to_try_next(self):
        done = ferry("demo", *SMALL, "--block-size", "512")
        self.assert_ok(done)
        text = done.out[done.out.index("What to try next:\n") :]
        for line in text.splitlines()[1:]:
            with self.subTest(line):
                command = line.split()[1]
                self.assert_ok(ferry("help", command))
                for option in re.findall(r" (--[a-z]+) ", line):
                    self.assertIn(option, ferry("help", command).out)

    def test_block_sizes_may_be_repeated(self):
        done = ferry("demo", *SMALL, "--block-size", "656", "--block-size", "1K")
        self.assert_ok(done)
        self.assertRegex(done.out, r"(?m)^ +656 B")
        self.assertRegex(done.out, r"(?m)^ +1 KiB")

    def test_every_schedule(self):
        for schedule in ("eager", "lazy", "shuffle:5"):
            with self.subTest(schedule):
                self.assert_ok(ferry("demo", *SMALL, "--block-size", "4K", "--schedule", schedule))

    def test_a_product_without_batches(self):
        done = ferry("demo", *SMALL, "--block-size", "4K", "--soc", "Ascend310P3")
        self.assert_ok(done)
        self.assertIn("Ascend310P3 has no batch copies", done.out)

    def test_another_device(self):
        done = ferry("demo", *SMALL, "--block-size", "4K", "--devices", "cpu:2", "--device", "1")
        self.assert_ok(done)
        self.assertIn("on device 1", done.out)

    def test_progress_is_shown_on_a_terminal_only(self):
        done = ferry_on_terminal("demo", *SMALL, "--block-size", "512")
        self.assert_code(done, 0)
        self.assertIn("round 2 of 2, batch", done.out)
        self.assertIn("\r\033[K", done.out)
        done = ferry("demo", *SMALL, "--block-size", "512")
        self.assertNotIn("round 2 of 2", done.out + done.err)

    def test_wrong_usage(self):
        for arguments in (
            ["--blocks", "0"],
            ["--layers", "none"],
            ["--rounds", "-1"],
            ["--block-size", "7"],
            ["--block-size", "0"],
            ["--block-size", "8K,x"],
            ["--block-size", "99999999999999999999"],
            ["--block-size", "16777216M"],
            ["more"],
        ):
            with self.subTest(arguments):
                self.assert_usage(ferry("demo", *arguments), "ferry demo", arguments[0])
        self.assert_usage(ferry("demo", "--schedule", "never"), "--schedule is")

    def test_a_call_that_fails_ends_it(self):
        for arguments in (
            ["--memory", "64K"],
            ["--device", "9"],
            ["--fail", "aclrtMemcpyBatchAsync:2=507899"],
        ):
            with self.subTest(arguments):
                done = ferry("demo", *SMALL, "--block-size", "64K", *arguments)
                self.assert_code(done, 1)
                self.assertIn("error ", done.err, done)
                self.assertNotIn("Every byte was right", done.out)

    @plain_builds_only
    def test_a_lost_block_is_noticed(self):
        library = self.build(
            CC,
            "liblossy.so",
            "-shared",
            "-fPIC",
            f"-I{SOURCE}/include",
            HERE / "programs/lossy_batches.c",
            "-ldl",
        )
        for command in ([KV_OFFLOAD], [FERRY, "demo"]):
            with self.subTest(command):
                done = run(*command, *SMALL, "--block-size", "1K", LD_PRELOAD=str(library))
                self.assert_code(done, 1)
                self.assertIn("WRONG BYTES after a batch", done.err, done)
                self.assertIn("a moved block", done.err, done)
                self.assertNotIn("Every byte was right", done.out)


class Example(ToolTest):
    """kv_offload has its own command line."""

    def test_it_runs(self):
        done = run(KV_OFFLOAD, *SMALL, "--block-size", "512,1K", "--device", "0")
        self.assert_ok(done)
        self.assertIn("Every byte was right", done.out)

    def test_help(self):
        done = run(KV_OFFLOAD, "--help")
        self.assert_ok(done)
        self.assertIn("usage:", done.out)

    def test_wrong_usage(self):
        for arguments in (
            ["--blocks"],
            ["--blocks", "0"],
            ["--blocks", "x"],
            ["--block-size", "12"],
            ["--block-size", "8K,"],
            ["--block-size", ""],
            ["--colour", "red"],
            ["--device", "-1"],
        ):
            with self.subTest(arguments):
                done = run(KV_OFFLOAD, *arguments)
                self.assert_code(done, 2)
                self.assertIn("usage:", done.err, done)


if __name__ == "__main__":
    main()
