# SPDX-License-Identifier: Apache-2.0
"""ferry run: the program's arguments, environment, exit code and signals, and whose library it gets."""

import json
import os
import signal
import subprocess

from support import (
    CC,
    FERRY,
    HERE,
    LIBRARY,
    PYTHON,
    ToolTest,
    environment,
    ferry,
    main,
    plain_builds_only,
    run,
)

SHOW = "import json, os, sys; print(json.dumps([sys.argv[1:], dict(os.environ), os.getpid()]))"


@plain_builds_only
class Run(ToolTest):
    def show(self, *options, arguments=(), **changes):
        """Arguments and environment that a program gets."""
        done = ferry("run", *options, "--", PYTHON, "-c", SHOW, *arguments, **changes)
        self.assert_ok(done)
        got = json.loads(done.out)
        return got[0], got[1]

    # ---- arguments ----

    def test_arguments_arrive_as_they_are(self):
        arguments = [
            "a b",
            "",
            "it's",
            '"quoted"',
            "$HOME",
            "*",
            "\\",
            "[1,2]",
            "--devices",
            "x",
            "--",
            "-h",
            "--check",
            "new\nline",
            "\u00e4",
        ]
        self.assertEqual(self.show(arguments=arguments)[0], arguments)

    def test_dashes_may_be_left_out(self):
        done = ferry(
            "run", "--soc", "Ascend310P3", PYTHON, "-c", SHOW, "--soc", "mine", "--", "--help"
        )
        self.assert_ok(done)
        arguments, env, _ = json.loads(done.out)
        self.assertEqual(arguments, ["--soc", "mine", "--", "--help"])
        self.assertEqual(env["FERRY_SOC"], "Ascend310P3")

    # ---- environment ----

    def test_options_become_variables(self):
        _, env = self.show(
            "--devices",
            "cpu:2",
            "--memory",
            "64M",
            "--threads=1",
            "--soc",
            "Ascend910B4",
            "--schedule",
            "shuffle:9",
            "--fail",
            "aclrtMalloc:3=207001",
            "--fail",
            "aclrtFree:*=107000",
            "--log",
            "error",
        )
        self.assertEqual(env["FERRY_DEVICES"], "cpu:2")
        self.assertEqual(env["FERRY_MEMORY"], "64M")
        self.assertEqual(env["FERRY_THREADS"], "1")
        self.assertEqual(env["FERRY_SOC"], "Ascend910B4")
        self.assertEqual(env["FERRY_SCHEDULE"], "shuffle:9")
        self.assertEqual(env["FERRY_FAIL"], "aclrtMalloc:3=207001,aclrtFree:*=107000")
        self.assertEqual(env["FERRY_LOG"], "error")

    def test_without_options_no_variable_is_set(self):
        _, env = self.show()
        self.assertEqual([name for name in env if name.startswith("FERRY_")], [])

    def test_an_option_beats_a_variable(self):
        _, env = self.show("--soc", "Ascend910B4", FERRY_SOC="Ascend910B1", FERRY_THREADS="1")
        self.assertEqual(env["FERRY_SOC"], "Ascend910B4")
        self.assertEqual(env["FERRY_THREADS"], "1")

    def test_the_library_comes_first(self):
        other = str(self.build(CC, "libnothing.so", "-shared", "-fPIC", "-x", "c", os.devnull))
        _, env = self.show(LD_PRELOAD=other, LD_LIBRARY_PATH="/somewhere:/else")
        self.assertEqual(env["LD_PRELOAD"], f"{LIBRARY}:{other}")
        self.assertEqual(env["LD_LIBRARY_PATH"], f"{os.path.dirname(LIBRARY)}:/somewhere:/else")

    def test_nested_runs_change_nothing_more(self):
        done = ferry("run", "--", FERRY, "run", "--", PYTHON, "-c", SHOW)
        self.assert_ok(done)
        env = json.loads(done.out)[1]
        self.assertEqual(env["LD_PRELOAD"], LIBRARY)
        self.assertEqual(env["LD_LIBRARY_PATH"], os.path.dirname(LIBRARY))

    # ---- whose library ----

    def build_other(self, name, *flags):
        """A program that was linked with somebody else's library and a path to it."""
        (self.folder / "other").mkdir(exist_ok=True)
        self.build(
            CC,
            "other/libascendcl.so",
            "-shared",
            "-fPIC",
            "-Wl,-soname,libascendcl.so",
            HERE / "programs/other_library.c",
        )
        return self.build(
            CC,
            name,
            HERE / "programs/which_library.c",
            f"-L{self.folder}/other",
            "-lascendcl",
            f"-Wl,-rpath,{self.folder}/other",
            *flags,
        )

    def test_a_program_with_a_path_to_another_library_gets_ours(self):
        for name, flag in (
            ("rpath", "-Wl,--disable-new-dtags"),
            ("runpath", "-Wl,--enable-new-dtags"),
        ):
            with self.subTest(name):
                program = self.build_other(name, flag)
                self.assertEqual(run(program).out, "somebody else\n")
                done = ferry("run", "--soc", "Ascend910B3", "--", program)
                self.assert_ok(done)
                self.assertEqual(done.out, "Ascend910B3\n")

    def test_a_library_loaded_by_name_is_ours(self):
        program = self.build(CC, "load_by_name", HERE / "programs/load_by_name.c", "-ldl")
        self.assertEqual(run(program).out, "no library\n")
        done = ferry("run", "--", program)
        self.assert_ok(done)
        self.assertEqual(done.out, "Ascend910B1\n")

    def test_children_of_the_program_get_ours_too(self):
        program = self.build_other("child", "-Wl,--disable-new-dtags")
        done = ferry("run", "--", "sh", "-c", f"'{program}'; '{program}'")
        self.assertEqual(done.out, "Ascend910B1\n" * 2, done)

    def test_ferry_itself_finds_its_library_beside_another(self):
        self.build_other("unused")
        done = run(FERRY, "--version", LD_LIBRARY_PATH=str(self.folder / "other"))
        self.assert_ok(done)

    def test_a_program_with_address_sanitizer(self):
        flags = ["-fsanitize=address", HERE / "programs/which_library.c", LIBRARY]
        if run(CC, "-o", self.folder / "sanitized", *flags).code != 0:
            self.skipTest("the compiler has no AddressSanitizer")
        done = ferry("run", "--soc", "Ascend910B2", "--", self.folder / "sanitized")
        self.assert_ok(done)
        self.assertEqual(done.out, "Ascend910B2\n")

    # ---- exit codes and signals ----

    def test_the_exit_code_is_the_program_s(self):
        for code in (0, 1, 2, 7, 86, 126, 255):
            self.assert_code(ferry("run", "--", "sh", "-c", f"exit {code}"), code)

    def test_a_signal_ends_the_program_as_without_ferry(self):
        for number in (signal.SIGTERM, signal.SIGKILL, signal.SIGSEGV):
            self.assert_code(
                ferry("run", "--", "sh", "-c", f"ulimit -c 0; kill -{int(number)} $$"), -number
            )

    def test_a_script_without_a_first_line_runs_as_in_a_shell(self):
        done = ferry("run", "--", self.write("script", 'echo "ran with $1"\n'), "this")
        self.assertEqual(done.out, "ran with this\n", done)

    def test_failures_on_purpose_are_left_to_the_program(self):
        self.assert_ok(
            ferry("run", "--fail", "aclInit:*=100000,aclrtGetDeviceCount:*=507033", "--", "true")
        )

    def test_the_program_takes_the_place_of_ferry(self):
        process = subprocess.Popen(
            [FERRY, "run", "--", PYTHON, "-c", SHOW],
            stdout=subprocess.PIPE,
            env=environment(),
            text=True,
        )
        out, _ = process.communicate(timeout=60)
        self.assertEqual(json.loads(out)[2], process.pid)


class RunRefused(ToolTest):
    """What ends before a program starts."""

    # ---- programs that cannot be started ----

    def test_a_program_that_is_not_there_is_127(self):
        done = ferry("run", "--", "no_such_program_anywhere")
        self.assert_code(done, 127)
        self.assert_complaint(done, "ferry run", "no_such_program_anywhere", "PATH")
        done = ferry("run", "--", self.folder / "absent")
        self.assert_code(done, 127)
        self.assert_complaint(done, str(self.folder / "absent"), "no such file")

    def test_a_file_that_cannot_be_run_is_126(self):
        done = ferry("run", "--", self.write("plain_file", "echo no\n", 0o644))
        self.assert_code(done, 126)
        self.assert_complaint(done, "not executable")
        done = ferry("run", "--", self.folder)
        self.assert_code(done, 126)
        self.assert_complaint(done, "folder")
        done = ferry("run", "--", self.write("lost", "#!/no/such/interpreter\n"))
        self.assert_code(done, 126)
        self.assert_complaint(done, "interpreter")

    # ---- wrong usage ----

    def test_no_program_is_wrong_usage(self):
        for arguments in (
            [],
            ["--"],
            ["--soc", "Ascend910B1"],
            ["--soc", "Ascend910B1", "--"],
            ["--", ""],
        ):
            self.assert_usage(ferry("run", *arguments), "no program")

    def test_an_option_without_value_is_wrong_usage(self):
        self.assert_usage(ferry("run", "--soc", "--", "true"), "--soc")

    def test_wrong_values_are_refused_before_the_program_starts(self):
        for option, value in (
            ("--devices", "gpu"),
            ("--memory", "lots"),
            ("--threads", "0"),
            ("--soc", "Ascend1"),
            ("--schedule", "sometimes"),
            ("--fail", "nothing:1=2"),
            ("--log", "loud"),
        ):
            with self.subTest(option):
                variable = "FERRY_" + option[2:].upper()
                self.assert_usage(ferry("run", option, value, "--", "echo", "started"), variable)

    def test_a_wrong_variable_is_refused_as_well(self):
        done = ferry("run", "--", "echo", "started", FERRY_SPEED="fast")
        self.assert_code(done, 1)
        self.assertEqual(done.out, "")
        self.assert_complaint(done, "FERRY_SPEED")

    def test_check_and_trace_say_that_they_are_not_there(self):
        for arguments in (["--check"], ["--check=all"], ["--trace", "file"], ["--trace=file"]):
            with self.subTest(arguments):
                self.assert_usage(
                    ferry("run", *arguments, "--", "echo", "started"),
                    arguments[0].split("=")[0],
                    "not part of this version",
                )


if __name__ == "__main__":
    main()
