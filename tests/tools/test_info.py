# SPDX-License-Identifier: Apache-2.0
"""ferry info: devices, products, and the library that a program would load."""

import json
import re

from support import CC, HERE, LIBRARY, PYTHON, ToolTest, ferry, main, plain_builds_only, run


class Info(ToolTest):
    def rows(self, done):
        """The table of devices as lists of words."""
        self.assert_ok(done)
        lines = done.out.split("\n")
        start = next(i for i, line in enumerate(lines) if line.startswith("device  "))
        rows = []
        for line in lines[start + 1 :]:
            if not line:
                break
            rows.append(re.split(r"  +", line))
        return rows

    def test_one_device_by_default(self):
        done = ferry("info", FERRY_MEMORY="768M")
        self.assertEqual(self.rows(done), [["0", "cpu", "768.0 MiB", "768.0 MiB"]])
        self.assertIn(f"library   {LIBRARY}\n", done.out)
        self.assertIn("product   Ascend910B1 (family A2)\n", done.out)
        self.assertIn("schedule  eager\n", done.out)
        self.assertIn("AscendCL interface 1.17.0", done.out)

    def test_devices_as_the_program_sees_them(self):
        rows = self.rows(ferry("info", FERRY_DEVICES="cpu:2,null", FERRY_MEMORY="64M"))
        self.assertEqual([row[:2] for row in rows], [["0", "cpu"], ["1", "cpu"], ["2", "null"]])
        rows = self.rows(ferry("info", FERRY_DEVICES="cpu,null", ASCEND_RT_VISIBLE_DEVICES="1,0"))
        self.assertEqual([row[:2] for row in rows], [["0", "null"], ["1", "cpu"]])

    def test_no_visible_device(self):
        done = ferry("info", ASCEND_RT_VISIBLE_DEVICES="")
        self.assert_ok(done)
        self.assertIn("no device is visible", done.out)

    def test_the_schedule_and_the_product_follow_the_environment(self):
        done = ferry("info", FERRY_SCHEDULE="shuffle:42", FERRY_SOC="Ascend310P3")
        self.assertIn("schedule  shuffle:42\n", done.out)
        self.assertIn("product   Ascend310P3 (family earlier)\n", done.out)
        self.assertRegex(done.out, r"(?m)^  no +batch copies", done)
        self.assertRegex(ferry("info").out, r"(?m)^  yes +batch copies")

    def test_failures_on_purpose_do_not_matter(self):
        self.rows(ferry("info", FERRY_FAIL="aclrtSetDevice:*=507033,aclrtGetMemInfo:*=107002"))

    def test_a_wrong_environment_is_told(self):
        done = ferry("info", FERRY_SOC="Ascend1")
        self.assert_code(done, 1)
        self.assert_complaint(done, "ferry info", "FERRY_SOC", "Ascend1", "Ascend910B1")

    def test_the_fabric_of_running_programs(self):
        done = ferry("info", "--fabric")  # what others run on this machine is not known here
        self.assert_ok(done)
        self.assertRegex(done.out, r"^(process \d+|no process of this user has a fabric)")
        self.assert_usage(ferry("info", "--fabric", "--json"), "do not go together")

    def test_products(self):
        done = ferry("info", "--products")
        self.assert_ok(done)
        products = {
            line.split()[0]: line.split()[1:]
            for line in done.out.split("\n")
            if line.startswith("Ascend")
        }
        self.assertEqual(products["Ascend910B1"], ["A2", "yes", "yes", "yes", "yes", "yes"])
        self.assertEqual(products["Ascend910_9391"][:2], ["A3", "yes"])
        self.assertEqual(products["Ascend310P3"][:2], ["earlier", "no"])
        for name in products:  # every one of them can be selected
            self.assert_ok(ferry("info", FERRY_SOC=name))

    def test_products_and_a_program_do_not_go_together(self):
        self.assert_usage(ferry("info", "--products", "sh"), "do not go together")
        self.assert_usage(ferry("info", "--functions", "--json"), "do not go together")

    def test_functions(self):
        done = ferry("info", "--functions")
        self.assert_ok(done)
        self.assertRegex(done.out, r"(?m)^copy and set +17 +17 *$")
        self.assertRegex(done.out, r"(?m)^other +\d+ +\d+ +acl\w+ and \d+ more$")
        self.assertRegex(done.out, r"(?m)^\d+ of \d+ functions work\.")

    def test_json(self):
        done = ferry("info", "--json", FERRY_DEVICES="cpu:2", FERRY_MEMORY="64M")
        self.assert_ok(done)
        told = json.loads(done.out)
        self.assertEqual([device["kind"] for device in told["devices"]], ["cpu", "cpu"])
        self.assertEqual(told["devices"][1]["memory"], 64 << 20)
        self.assertEqual(told["product"], "Ascend910B1")
        functions = {function["name"]: function for function in told["functions"]}
        self.assertEqual(
            functions["aclrtMemcpyAsync"],
            {"name": "aclrtMemcpyAsync", "chapter": "copy and set", "works": True},
        )
        self.assertFalse(functions["aclrtSubscribeHostFunc"]["works"])
        self.assert_code(ferry("info", "--json", FERRY_SOC="Ascend1"), 1)


class InfoOfProgram(ToolTest):
    def line(self, done, head):
        self.assert_ok(done)
        found = re.search(rf"(?m)^  {head} +(.*)$", done.out)
        self.assertIsNotNone(found, done)
        return found.group(1)

    def build_user(self, name, *flags):
        return self.build(
            CC, name, HERE / "programs/which_library.c", f"-L{self.folder}", "-lascendcl", *flags
        )

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls().build(
            CC,
            "libascendcl.so",
            "-shared",
            "-fPIC",
            "-Wl,-soname,libascendcl.so",
            HERE / "programs/other_library.c",
        )

    @plain_builds_only
    def test_a_program_with_a_path_to_another_library(self):
        program = self.build_user("other", f"-Wl,-rpath,{self.folder}", "-Wl,--disable-new-dtags")
        done = ferry("info", program)
        self.assertEqual(self.line(done, "by itself"), str(self.folder / "libascendcl.so"))
        self.assertEqual(self.line(done, "under ferry run"), f"{LIBRARY}  (this Ferry)")

    @plain_builds_only
    def test_a_program_that_finds_no_library(self):
        done = ferry("info", self.build_user("lost"))
        self.assertIn("not found", self.line(done, "by itself"))
        self.assertEqual(self.line(done, "under ferry run"), f"{LIBRARY}  (this Ferry)")

    @plain_builds_only
    def test_the_environment_counts(self):
        done = ferry("info", self.build_user("led"), LD_LIBRARY_PATH=str(self.folder))
        self.assertEqual(self.line(done, "by itself"), str(self.folder / "libascendcl.so"))

    @plain_builds_only
    def test_a_program_that_is_not_linked_with_it(self):
        done = ferry("info", "ls")
        self.assertIn("none", self.line(done, "by itself"))
        self.assertIn("while it runs", done.out, done)

    @plain_builds_only
    def test_a_program_with_the_newer_name_of_the_library(self):
        self.build(
            CC,
            "libacl_rt.so",
            "-shared",
            "-fPIC",
            "-Wl,-soname,libacl_rt.so",
            HERE / "programs/other_library.c",
        )
        program = self.build(
            CC,
            "newer",
            HERE / "programs/which_library.c",
            f"-L{self.folder}",
            "-lacl_rt",
            f"-Wl,-rpath,{self.folder}",
            "-Wl,--disable-new-dtags",
        )
        done = ferry("info", program)
        self.assertIn(
            "libacl_rt.so\n  by itself        " + str(self.folder / "libacl_rt.so"), done.out, done
        )

    def test_a_static_program_is_not_run(self):
        source = self.write(
            "static.c", 'int puts(const char*);int main(void) { return puts("was run"); }\n'
        )
        for flags in (["-static"], ["-static-pie"]):
            with self.subTest(flags):
                if run(CC, "-o", self.folder / "static", *flags, source).code != 0:
                    self.skipTest("the static C library is not here")
                done = ferry("info", self.folder / "static")
                self.assert_ok(done)
                self.assertIn("linked statically", done.out, done)
                self.assertNotIn("was run", done.out, done)

    @plain_builds_only
    def test_a_dynamic_program_is_not_run(self):
        source = self.write(
            "dynamic.c", 'int puts(const char*);int main(void) { return puts("was run"); }\n'
        )
        done = ferry("info", self.build(CC, "dynamic", source))
        self.assert_ok(done)
        self.assertNotIn("was run", done.out, done)

    @plain_builds_only
    def test_a_shared_library(self):
        library = self.build(
            CC,
            "libuser.so",
            "-shared",
            "-fPIC",
            HERE / "programs/which_library.c",
            f"-L{self.folder}",
            "-lascendcl",
            f"-Wl,-rpath,{self.folder}",
        )
        self.assertEqual(
            self.line(ferry("info", library), "by itself"), str(self.folder / "libascendcl.so")
        )

    @plain_builds_only
    def test_a_script_stands_for_its_interpreter(self):
        for first_line in (f"#!{PYTHON}", f"#! {PYTHON} -u", f"#!/usr/bin/env -S {PYTHON}"):
            with self.subTest(first_line):
                done = ferry("info", self.write("script", first_line + "\nprint('was run')\n"))
                self.assert_ok(done)
                self.assertIn(f"is a script that {PYTHON} runs", done.out, done)
                self.assertNotIn("was run", done.out)

    def test_what_cannot_be_looked_at(self):
        cases = {
            "no_such_program_anywhere": "no such program",
            str(self.folder): "no such program",
            str(self.write("lost_script", "#!/no/such/interpreter\n")): "no such interpreter",
            str(self.write("text", "hello\n")): "neither",
            str(self.write("bare_env", f"#!/usr/bin/env\n{PYTHON}\n")): "neither",
            str(self.write("empty", "")): "neither",
        }
        for name, words in cases.items():
            with self.subTest(name):
                done = ferry("info", name)
                self.assert_code(done, 1)
                self.assert_complaint(done, "ferry info", words)

    def test_a_damaged_program_is_survived(self):
        with open("/bin/sh", "rb") as file:
            start = file.read(200)
        for size in (4, 20, 64, 100, 200):
            path = self.folder / "damaged"
            path.write_bytes(start[:size])
            path.chmod(0o755)
            with self.subTest(size):
                done = ferry("info", path)
                self.assertIn(done.code, (0, 1), done)


if __name__ == "__main__":
    main()
