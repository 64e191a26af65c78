# SPDX-License-Identifier: Apache-2.0
"""scripts/gpu: it runs every step, says which failed, and continues after failures. Fake programs that only
say that they were run replace the real ones: no GPU is needed."""

import os

from support import SOURCE, ToolTest, main, run

SCRIPT = SOURCE / "scripts" / "gpu"
PROGRAMS = (
    "tools/ferry/ferry",
    "tests/unit/ferry_unit",
    "tests/conformance/ferry_conformance",
    "tests/stress/ferry_stress",
    "tests/stress/ferry_leaks",
    "tests/gpu/kernel_check",
    "tests/gpu/kernel_sweep",
    "tests/failures/ferry_failures",
)
# Five suites, which make two parts of two suites and one of one.
CONFORMANCE = """case $1 in
--gtest_list_tests) printf 'A.\\n  x\\nB.\\n  x\\nC/D.  # note\\n  x\\nE.\\n  x\\nF.\\n  x\\n' ;;
*) echo "ran $0 $* on ${FERRY_DEVICES:-nothing}" ;;
esac"""
STEPS = (
    "unit tests",
    "conformance on the GPU, 1",
    "conformance on the GPU, 3",
    "copy kernels",
    "corpus of the checker",
    "exit under the checker",
    "failing calls, opening",
    "failing calls, a sample",
    "stress on the GPU",
    "leaks on the GPU",
    "kernels under memcheck",
    "kernels under racecheck",
    "ferry info",
    "ferry bench",
)


class GpuScript(ToolTest):
    def setUp(self):
        for name in PROGRAMS:
            self.program(name, 'echo "ran $0 $* on ${FERRY_DEVICES:-nothing}"')
        self.program("tools/compute-sanitizer", 'echo "$@"')
        self.program("tools/python3", 'echo "ran python3 $*"')
        self.program("tests/conformance/ferry_conformance", CONFORMANCE)

    def program(self, name, body):
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        self.write(name, f"#!/bin/sh\n{body}\n")

    def gpu(self, *arguments, path=None):
        tools = path if path is not None else f"{self.folder / 'tools'}:{os.environ['PATH']}"
        return run(SCRIPT, *arguments, cwd=self.folder, PATH=tools)

    def state_of(self, done, step):
        summary = done.out.split("==> summary")[1]
        return next((line.split()[0] for line in summary.split("\n") if step in line), None)

    def test_wrong_usage(self):
        for arguments in ([], ["a", "b"], ["--use"], ["a", "--fast"], ["--pack", "a"]):
            with self.subTest(arguments):
                done = self.gpu(*arguments)
                self.assert_code(done, 2)
                self.assertIn("Usage:", done.err)
        self.assert_ok(self.gpu("--help"))

    def test_every_step_is_run(self):
        done = self.gpu("out", "--use", ".")
        self.assert_code(done, 0)
        for step in STEPS:
            self.assertEqual(self.state_of(done, step), "ok", done)
        tests = (self.folder / "out/tests.log").read_text()
        for suites in ("A.*:B.*", "C/D.*:E.*", "F.*"):
            self.assertIn(f"ferry_conformance --gtest_filter={suites}-", tests)
        self.assertRegex((self.folder / "out/corpus.log").read_text(), "run_corpus.py .* --devices cuda")
        calls = (self.folder / "out/failures.log").read_text()
        for first in range(1, 9):
            self.assertIn(f"--call cuda --from {first} --step 160 on cuda", calls)
        self.assertRegex(tests, "ran .*ferry_unit .*on nothing")
        bench = (self.folder / "out/bench.log").read_text()
        self.assertRegex(bench, "ran .*ferry bench --devices cuda --check --json .*out/bench.json")
        sanitizer = (self.folder / "out/sanitizer.log").read_text()
        self.assertRegex(sanitizer, "--tool racecheck .*kernel_check --short")
        self.assertIn("ok", (self.folder / "out/summary.txt").read_text())
        self.assertFalse((self.folder / "out/sweep.log").exists())
        self.assert_code(self.gpu("out", "--use", ".", "--sweep", "--failures"), 0)
        self.assertIn("--call cuda --from 8 --step 8 on cuda", (self.folder / "out/failures.log").read_text())
        self.assertIn("kernel_sweep", (self.folder / "out/sweep.log").read_text())

    def test_a_failure_is_told_and_does_not_stop_the_rest(self):
        self.program("tests/unit/ferry_unit", "exit 3")
        self.program("tests/gpu/kernel_check", 'echo "[ RUN      ] Some.test"; kill -9 $$')
        done = self.gpu("out", "--use", ".")
        self.assert_code(done, 1)
        self.assertEqual(self.state_of(done, "unit tests"), "FAILED", done)
        self.assertEqual(self.state_of(done, "copy kernels"), "FAILED", done)
        self.assertEqual(self.state_of(done, "ferry bench"), "ok", done)
        self.assertIn("exit code 3", done.out)
        self.assertRegex(done.out, "exit code 137 .*; in Some.test")

    def test_missed_targets_end_in_the_summary(self):
        self.program("tools/ferry/ferry", 'echo "Targets: 3 met, 1 missed"; echo "  missed x"; [ $1 = info ]')
        done = self.gpu("out", "--use", ".")
        self.assert_code(done, 1)
        self.assertEqual(self.state_of(done, "ferry bench"), "FAILED", done)
        self.assertIn("1 missed", done.out.split("==> summary")[1])

    def test_without_a_gpu_nothing_is_run_and_the_reason_is_told(self):
        self.program("tools/ferry/ferry", 'echo "FERRY_DEVICES: the GPU is missing" >&2; exit 1')
        done = self.gpu("out", "--use", ".")
        self.assert_code(done, 77)
        self.assertEqual(self.state_of(done, "everything on the GPU"), "skipped", done)
        self.assertIn("the GPU is missing", done.out)
        self.assertFalse((self.folder / "out/tests.log").exists())

    def test_what_does_not_fit_into_the_time_is_skipped(self):
        for bad in (["--minutes"], ["--minutes", "0"], ["--minutes", "x"]):
            self.assert_code(self.gpu("out", "--use", ".", *bad), 2)
        self.program("tests/unit/ferry_unit", "exec sleep 100")
        # The script with minutes of a second each.
        text = SCRIPT.read_text().replace("minutes * 60", "minutes")
        self.write("gpu", text.replace("${BASH_SOURCE[0]}", str(SCRIPT)))
        done = run(
            self.folder / "gpu",
            "out",
            "--use",
            ".",
            "--minutes",
            "2",
            cwd=self.folder,
            PATH=f"{self.folder / 'tools'}:{os.environ['PATH']}",
        )
        self.assert_code(done, 1)
        self.assertIn("not done after", done.out)
        self.assertEqual(self.state_of(done, "ferry bench"), "skipped", done)
        self.assertIn("no time is left", done.out)

    def test_a_missing_sanitizer_is_a_failure(self):
        if os.path.exists("/usr/local/cuda/bin/compute-sanitizer"):
            self.skipTest("compute-sanitizer is installed")
        done = self.gpu("out", "--use", ".", path="/usr/bin:/bin")
        self.assert_code(done, 1)
        self.assertEqual(self.state_of(done, "compute-sanitizer"), "FAILED", done)

    def test_a_folder_without_a_build(self):
        done = self.gpu("out", "--use", "nowhere")
        self.assert_code(done, 1)
        self.assert_complaint(done, "nowhere", "holds no build")
        done = self.gpu("--pack", "nowhere", "pack")
        self.assert_code(done, 1)
        self.assert_complaint(done, "nowhere", "missing")


if __name__ == "__main__":
    main()
