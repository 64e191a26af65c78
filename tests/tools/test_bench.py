# SPDX-License-Identifier: Apache-2.0
"""ferry bench: it measures, compares every byte, and writes the requested files. Speed is not tested:
machines differ."""

import json
import re
import xml.etree.ElementTree

from support import CC, HERE, SOURCE, ToolTest, ferry, ferry_on_terminal, main, plain_builds_only

QUESTIONS = [
    "latency",
    "bandwidth",
    "batch",
    "pageable",
    "growth",
    "memory",
    "streams",
    "capture",
    "check",
    "trace",
    "predict",
]
SVG = "{http://www.w3.org/2000/svg}"


def is_positive(value):
    return isinstance(value, float) and value > 0


class Bench(ToolTest):
    def bench(self, *arguments, **changes):
        """A quick run, without OpenCL, which a machine may or may not have."""
        return ferry("bench", "--quick", *arguments, OCL_ICD_VENDORS=str(self.folder), **changes)

    def rows(self, *arguments, **changes):
        done = self.bench(*arguments, "--json", "-", **changes)
        self.assert_ok(done)
        return json.loads(done.out)["rows"]

    def test_every_question_gives_a_table(self):
        done = self.bench()
        self.assert_ok(done)
        for question in QUESTIONS:
            self.assertRegex(done.out, rf"(?m)^{question}: ", done)
        self.assertRegex(done.out, r"(?m)^device to device +[0-9.]+ GB/s +[0-9.]+ +[0-9.]+ +>?\d+%")
        self.assertRegex(done.out, r"(?m)^idle runtime +[0-9.]+ MiB")

    def test_only_the_questions_that_were_asked(self):
        done = self.bench("streams", "latency")
        self.assert_ok(done)
        for question in QUESTIONS:
            self.assertEqual(
                re.search(rf"(?m)^{question}: ", done.out) is not None,
                question in ("streams", "latency"),
                done,
            )

    def test_every_row_is_measured(self):
        rows = self.rows()
        self.assertEqual([q for q in QUESTIONS if any(r["question"] == q for r in rows)], QUESTIONS)
        for row in rows:
            with self.subTest(row["what"], question=row["question"]):
                self.assertTrue(is_positive(row["measured"]), row)
                if row["question"] in ("bandwidth", "batch", "pageable", "growth", "memory"):
                    self.assertEqual(row["skipped"], "")
                if row["question"] in ("bandwidth", "batch", "pageable"):
                    self.assertTrue(is_positive(row["baseline"]), row)
                    self.assertTrue(is_positive(row["ratio"]), row)
                    self.assertRegex(row["baseline_name"], "memcpy|non-temporal|loop")
                if row["question"] == "check":
                    self.assertRegex(row["what"], ", (lazy|eager)$")
                    self.assertEqual(row["baseline_name"], "unchecked")
                    self.assertTrue(is_positive(row["ratio"]), row)

    def test_json_in_a_file(self):
        path = self.folder / "out.json"
        done = self.bench("latency", "--json", path)
        self.assert_ok(done)
        self.assertIn("64 B, submit alone", done.out)
        result = json.loads(path.read_text())
        self.assertEqual(result["command"], f"ferry bench latency --json {path} --quick")
        self.assertEqual(result["quick"], True)
        self.assertGreater(result["machine"]["cores"], 0)
        self.assertEqual(len(result["rows"]), 2)
        self.assertEqual(result["plot"], [])

    def test_a_quick_run_has_no_targets(self):
        for row in self.rows("latency", "bandwidth"):
            self.assertIsNone(row["target"])
            self.assertIn(row["verdict"], ("", "skipped"))

    def test_a_missing_opencl_is_said(self):
        row = self.rows("latency")[0]
        self.assertEqual(row["verdict"], "skipped")
        self.assertIn("OpenCL", row["skipped"])
        done = self.bench("latency")
        self.assertRegex(done.out, r"(?m)^skipped 64 B, copy and wait: .*OpenCL", done)

    def test_a_product_without_batches_is_said(self):
        rows = self.rows("batch", "--soc", "Ascend310P3")
        self.assertEqual([row["verdict"] for row in rows], ["skipped"])
        self.assertIn("207000", rows[0]["skipped"])
        done = self.bench("--plot", self.folder / "none.svg", "--soc", "Ascend310P3")
        self.assert_code(done, 1)
        self.assertEqual(done.out, "", done)
        self.assert_complaint(done, "--plot", "207000")

    def test_plot(self):
        path = self.folder / "plot.svg"
        done = self.bench("streams", "--plot", path, "--json", self.folder / "plot.json")
        self.assert_ok(done)
        root = xml.etree.ElementTree.parse(path).getroot()
        self.assertEqual(root.tag, SVG + "svg")
        panels = root.findall(SVG + "g")
        points = json.loads((self.folder / "plot.json").read_text())["plot"]
        self.assertEqual(len(panels), len({point["count"] for point in points}))
        self.assertEqual(len(panels), 3)
        circles = sum(len(panel.findall(SVG + "circle")) for panel in panels)
        self.assertEqual(circles, 3 * len(points))
        for panel in panels:
            self.assertEqual(len(panel.findall(SVG + "path[@class='line']")), 3)
        for point in points:
            for way in ("raw", "loop", "batch"):
                self.assertTrue(is_positive(point[way]), point)

    def test_units_say_what_they_count(self):
        path = self.folder / "units.json"
        self.assert_ok(self.bench("--json", path))
        rows = json.loads(path.read_text())["rows"]
        self.assertTrue(rows)
        for row in rows:
            with self.subTest(row["what"]):
                self.assertRegex(row["unit"], r"^(GB/s|MiB|times|(ns|us|ms) per [a-z]+)$")

    def test_progress_is_shown_on_a_terminal_only(self):
        done = ferry_on_terminal("bench", "--quick", "growth")
        self.assert_code(done, 0)
        self.assertIn("\r\033[Kgrowth: 20 streams", done.out)
        self.assertNotIn("\r", self.bench("growth").out)

    def test_lines_fit_the_terminal(self):
        done = ferry_on_terminal("bench", "--quick", columns=80, NO_COLOR="1", OCL_ICD_VENDORS="/")
        self.assert_code(done, 0)
        for line in done.out.split("\n"):
            self.assertLessEqual(len(line.split("\033[K")[-1]), 80, line)

    def test_questions_that_a_device_does_not_answer(self):
        done = self.bench("latency", "descriptor")
        self.assert_code(done, 1)
        self.assertEqual(done.out, "", done)
        self.assert_complaint(done, "descriptor is not a question for CPU devices", "growth")

    def test_a_gpu_is_measured_where_there_is_one(self):
        """Elsewhere the library says what is missing before anything is measured."""
        gpu = ferry("info", FERRY_DEVICES="cuda")
        done = self.bench("--devices", "cuda", "--json", self.folder / "gpu.json")
        if gpu.code != 0:
            self.assertNotEqual(done.code, 0, done)
            self.assertEqual(done.out, "", done)
            self.assert_complaint(done, "ferry bench", "cuda")
            return
        self.assert_ok(done)
        result = json.loads((self.folder / "gpu.json").read_text())
        self.assertIn("multiprocessors", result["machine"]["device"])
        asked = {row["question"] for row in result["rows"]}
        self.assertEqual(asked, {"latency", "bandwidth", "batch", "pageable", "descriptor"})
        self.assertEqual([row["what"] for row in result["rows"] if row["skipped"]], [])

    def test_wrong_usage(self):
        for arguments in (
            ["speed"],
            ["latency", "speed"],
            ["--check"],  # --quick has no targets
            ["--json"],
            ["--plot"],
            ["--rounds=3"],
        ):
            with self.subTest(arguments):
                self.assert_usage(self.bench(*arguments), "ferry bench", arguments[-1].split("=")[0])
        self.assert_usage(self.bench("--schedule", "never"), "--schedule is")

    def test_a_file_that_cannot_be_written_is_noticed_first(self):
        for option in ("--json", "--plot"):
            with self.subTest(option):
                done = self.bench(option, self.folder / "nowhere" / "file")
                self.assert_code(done, 1)
                self.assertEqual(done.out, "", done)
                self.assert_complaint(done, "ferry bench", "nowhere/file")

    def test_a_call_that_fails_ends_it(self):
        done = self.bench("bandwidth", "--fail", "aclrtMemcpyAsync:2=507899")
        self.assert_code(done, 1)
        self.assert_complaint(done, "ferry bench: error 507899")

    def test_copies_that_do_nothing_are_noticed(self):
        for question in ("latency", "bandwidth", "batch", "pageable", "growth", "streams", "check"):
            with self.subTest(question):
                done = self.bench(question, "--devices", "null")
                self.assert_code(done, 1)
                self.assert_complaint(done, "WRONG BYTES")

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
        done = self.bench("batch", LD_PRELOAD=str(library))
        self.assert_code(done, 1)
        self.assert_complaint(done, "WRONG BYTES in block 255 of 256")


if __name__ == "__main__":
    main()
