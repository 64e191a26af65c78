# SPDX-License-Identifier: Apache-2.0
"""ferry run: the program's arguments, environment, exit code and signals, and which library it gets."""

import json
import os
import re
import shlex
import signal
import subprocess
import tempfile

from support import (
    CC,
    DEVICE_FUNCTION,
    FERRY,
    HERE,
    LIBRARY,
    PYTHON,
    SOURCE,
    ToolTest,
    environment,
    ferry,
    ferry_on_terminal,
    main,
    plain_builds_only,
    run,
)

# Writes its process id to a pipe, and waits.
WAIT_FOR_SIGNAL = """
import os, signal, sys
with open(sys.argv[1], "w") as pipe:
    pipe.write(str(os.getpid()))
signal.pause()
"""
SHOW = "import json, os, sys; print(json.dumps([sys.argv[1:], dict(os.environ), os.getpid()]))"


@plain_builds_only
class Run(ToolTest):
    def show(self, *options, arguments=(), **changes):
        """The arguments and the environment that a program gets."""
        done = ferry("run", *options, "--", PYTHON, "-c", SHOW, *arguments, **changes)
        self.assert_code(done, 0)
        self.assertEqual("made no AscendCL call" in done.err, "--check" in options, done)
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
            "--cann",
            "8.5",
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
        self.assertEqual(env["FERRY_CANN"], "8.5")
        self.assertEqual(env["FERRY_SCHEDULE"], "shuffle:9")
        self.assertEqual(env["FERRY_FAIL"], "aclrtMalloc:3=207001,aclrtFree:*=107000")
        self.assertEqual(env["FERRY_LOG"], "error")

    def test_options_of_the_check_become_variables(self):
        _, env = self.show("--check")
        self.assertEqual(env["FERRY_CHECK"], "1")
        for name in ("FERRY_MUTE", "FERRY_REPORT", "FERRY_SUPPRESSIONS", "FERRY_SCHEDULE"):
            self.assertNotIn(name, env)
        known = self.write("known.txt", "leak  *  # the pool lives as long as the process\n", 0o644)
        _, env = self.show(
            "--check",
            "--rules",
            "leak,stream-race",
            "--mute=overlap",
            "--mute",
            "stale-handle",
            "--report",
            "report-%p.json",
            "--suppressions",
            known,
            FERRY_CHECK="0",
        )
        self.assertEqual(env["FERRY_CHECK"], "leak,stream-race")
        self.assertEqual(env["FERRY_MUTE"], "overlap,stale-handle")
        self.assertEqual(env["FERRY_SUPPRESSIONS"], str(known))
        # The program may have changed its folder by the time the file is written.
        self.assertEqual(env["FERRY_REPORT"], os.path.join(tempfile.gettempdir(), "report-%p.json"))

    def test_without_options_no_variable_is_set(self):
        _, env = self.show()
        self.assertEqual([name for name in env if name.startswith("FERRY_")], [])

    def test_an_option_beats_a_variable(self):
        _, env = self.show("--soc", "Ascend910B4", FERRY_SOC="Ascend910B1", FERRY_THREADS="1")
        self.assertEqual(env["FERRY_SOC"], "Ascend910B4")
        self.assertEqual(env["FERRY_THREADS"], "1")

    def build_empty(self, name):
        return str(self.build(CC, name, "-shared", "-fPIC", "-x", "c", os.devnull))

    def test_the_library_comes_behind_other_preloads(self):
        one, two = self.build_empty("libone.so"), self.build_empty("libtwo.so")
        _, env = self.show(LD_PRELOAD=f"{one} {two}", LD_LIBRARY_PATH="/somewhere:/else")
        self.assertEqual(env["LD_PRELOAD"], f"{one}:{two}:{LIBRARY}")
        self.assertEqual(env["LD_LIBRARY_PATH"], f"{os.path.dirname(LIBRARY)}:/somewhere:/else")

    def test_the_library_comes_before_others_of_its_name(self):
        other, nothing = self.build_empty("libascendcl.so"), self.build_empty("libnothing.so")
        _, env = self.show(LD_PRELOAD=f"{other}:{nothing}")
        self.assertEqual(env["LD_PRELOAD"], f"{nothing}:{LIBRARY}:{other}")

    def test_a_preload_that_defines_a_function_is_called_and_reaches_ours(self):
        interposer = self.build(
            CC, "libinterposer.so", "-shared", "-fPIC", HERE / "programs/interposer.c"
        )
        program = self.build_other("interposed", "-Wl,--disable-new-dtags")
        done = ferry("run", "--soc", "Ascend910B3", "--", program, LD_PRELOAD=str(interposer))
        self.assert_ok(done)
        self.assertEqual(done.out, "interposed\nAscend910B3\n")

    def test_nested_runs_change_nothing_more(self):
        done = ferry("run", "--", FERRY, "run", "--", PYTHON, "-c", SHOW)
        self.assert_ok(done)
        env = json.loads(done.out)[1]
        self.assertEqual(env["LD_PRELOAD"], LIBRARY)
        self.assertEqual(env["LD_LIBRARY_PATH"], os.path.dirname(LIBRARY))

    # ---- which library ----

    def build_other(self, name, *flags):
        """A program linked with another library of that name and a path to it."""
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


@plain_builds_only
class Log(ToolTest):
    """What FERRY_LOG reports at which level, as docs/env.md lists it."""

    def entries(self, *options):
        program = self.build(
            CC, "pageable", f"-I{SOURCE / 'include'}", HERE / "programs/pageable.c", LIBRARY
        )
        done = ferry("run", *options, "--", program)
        self.assert_code(done, 0)
        return [line.split("] ", 1)[1] for line in done.err.splitlines()]

    def test_info_has_devices_contexts_and_the_first_slow_copy(self):
        entries = self.entries("--log", "info")
        self.assertEqual(entries[0], "info device 0 is opened: device 0 of the backend cpu")
        self.assertRegex(entries[1], r"^info context 0x\w+ of device 0 is created \(its primary")
        self.assertRegex(entries[2], "^info aclrtMemcpyAsync: the first copy that blocks because")
        self.assertRegex(entries[3], r"^info context 0x\w+ of device 0 is destroyed$")
        self.assertEqual(len(entries), 4)

    def test_debug_has_streams_and_each_slow_copy(self):
        entries = self.entries("--log", "debug")
        self.assertIn("debug stream 1 of device 0 is created, priority 0", entries)
        self.assertIn("debug stream 1 is destroyed", entries)
        slow = "debug aclrtMemcpyAsync: blocks: waits for stream 1, then copies pageable memory"
        self.assertEqual(entries.count(slow), 2)

    def test_other_levels_have_nothing_of_that(self):
        for level in ("error", "warn"):
            self.assertEqual(self.entries("--log", level), [])
        self.assertEqual(self.entries(), [])


class RunRefused(ToolTest):
    """Errors before a program starts."""

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
        for option, value, words in (
            ("--devices", "gpu", ["names gpu", "found are cpu null"]),
            ("--devices", "abc", ["the plugin libferry_abc.so", "FERRY_PLUGINS"]),
            ("--memory", "lots", ["allowed is a size"]),
            ("--threads", "0", ["allowed is 1 to 256"]),
            ("--soc", "Ascend310P", ["known products are", "Ascend310P3"]),
            ("--soc", "Acsend910B2", ["did you mean Ascend910B2?"]),
            ("--cann", "9.2", ["allowed is 8.5, 9.0 or 9.1"]),
            ("--schedule", "sometimes", ["allowed is eager, lazy or shuffle"]),
            ("--schedule", "lzy", ["allowed is eager", "did you mean lazy?"]),
            ("--schedule", "shufle:7", ["did you mean shuffle?"]),
            ("--fail", "nothing:1=2", ["names nothing"]),
            ("--fail", "aclrtMaloc:1=207001", ["did you mean aclrtMalloc?"]),
            ("--log", "loud", ["error, warn, info or debug"]),
            ("--log", "inof:file", ["did you mean info?"]),
        ):
            with self.subTest(value):
                done = ferry("run", option, value, "--", "echo", "started")
                self.assert_usage(done, f"ferry run: {option} ", *words)
                self.assertNotIn("FERRY_" + option[2:].upper(), done.err)

    def test_a_wrong_variable_is_blamed_itself(self):
        done = ferry("run", "--", "echo", "started", FERRY_SCHEDULE="lzy")
        self.assert_code(done, 1)
        self.assert_complaint(done, "ferry run: FERRY_SCHEDULE is", "did you mean lazy?")

    def test_a_wrong_variable_is_refused_as_well(self):
        done = ferry("run", "--", "echo", "started", FERRY_SPEED="fast")
        self.assert_code(done, 1)
        self.assertEqual(done.out, "")
        self.assert_complaint(done, "FERRY_SPEED")

    def test_a_trace_that_cannot_be_written_is_refused(self):
        done = ferry("run", "--trace", "/nowhere/out.json", "--", "echo", "started")
        self.assert_complaint(done, "--trace", "/nowhere")
        self.assertEqual(done.out, "")
        self.assert_usage(ferry("run", "--trace-options", "items", "--", "echo", "started"), "--trace")
        done = ferry("run", "--trace", "x.json", "--trace-options", "all", "--", "echo", "started")
        self.assert_complaint(done, "--trace-options", "items, contents, stacks and ring=")

    # ---- the checker ----

    def test_options_of_the_check_need_the_check(self):
        for arguments in (
            ["--rules", "leak"],
            ["--mute", "leak"],
            ["--report", "report.json"],
            ["--suppressions", "known.txt"],
        ):
            with self.subTest(arguments):
                done = ferry("run", *arguments, "--", "echo", "started")
                self.assert_usage(done, arguments[0], "--check")

    def test_wrong_values_of_the_check_are_refused_before_the_program_starts(self):
        bad = self.write("bad.txt", "leak  *\n", 0o644)
        for arguments, words in (
            (["--rules", "leek"], ["--rules names", "leek", "no rule", "did you mean leak?"]),
            (["--rules", "leak,"], ["--rules is", "comma list of rules"]),
            (["--mute", "leek"], ["--mute", "leek", "no rule"]),
            (["--report", "/nonexistent/report.json"], ["--report", "/nonexistent"]),
            (["--suppressions", bad], ["--suppressions", f"{bad}:1", "no reason"]),
            (["--suppressions", self.folder / "absent"], ["--suppressions", "absent"]),
        ):
            with self.subTest(arguments):
                done = ferry("run", "--check", *arguments, "--", "echo", "started")
                self.assert_usage(done, *words)


@plain_builds_only
class CheckedRun(ToolTest):
    """--check always ends with a line, and always writes its report."""

    NOTHING = "ferry: checked no calls on no streams: no errors, no notes\n"

    def checked(self, *command, options=(), **changes):
        return ferry("run", "--check", *options, "--", *command, **changes)

    def last_line(self, done):
        return done.err.splitlines()[-1] if done.err else ""

    def report(self, name):
        return json.loads((self.folder / name).read_text())

    def test_a_program_without_findings(self):
        done = self.checked(DEVICE_FUNCTION, options=["--report", self.folder / "good.json"])
        self.assert_code(done, 0)
        calls = self.report("good.json")["summary"]["calls"]
        self.assertGreater(calls, 5)
        self.assertRegex(
            done.err, rf"^ferry: checked {calls} calls on \d streams?: no errors, no notes\n$"
        )
        self.assertEqual(self.report("good.json")["findings"], [])
        self.assertTrue(self.report("good.json")["complete"])

    def test_a_program_with_findings(self):
        program = self.build(
            CC, "leaky", f"-I{SOURCE / 'include'}", HERE / "programs/leaky.c", LIBRARY
        )
        done = self.checked(
            program,
            "it's",
            options=["--report", self.folder / "bad.json", "--soc", "Ascend910B3"],
            cwd=self.folder,
        )
        self.assertRegex(self.last_line(done), r"^ferry: checked 4 calls on \d streams?: .* 1 note$")
        self.assertIn(
            "ferry:   again: FERRY_SOC=Ascend910B3 ferry run --check --schedule lazy -- "
            f"{program} 'it'\\''s'\n",
            done.err,
        )
        self.assertEqual(self.report("bad.json")["summary"]["notes"], 1)

    def test_a_program_that_makes_no_call(self):
        (self.folder / "silent.json").write_text("of an earlier run")
        done = self.checked("true", options=["--report", self.folder / "silent.json"])
        self.assert_code(done, 0)
        self.assertTrue(done.err.startswith("ferry: warning: true made no AscendCL call: "), done)
        self.assertTrue(done.err.endswith(self.NOTHING), done)
        report = self.report("silent.json")
        self.assertEqual(report["command"], ["true"])
        self.assertTrue(report["complete"])
        self.assertEqual(report["findings"], [])

    def test_its_exit_code_is_its_own(self):
        done = self.checked(PYTHON, "-c", "import sys; sys.exit(7)")
        self.assert_code(done, 7)
        self.assertTrue(done.err.endswith(self.NOTHING), done)

    def test_processes_that_it_starts_report_for_themselves(self):
        report = self.folder / "child.json"
        done = self.checked(
            PYTHON,
            "-c",
            f"import subprocess; subprocess.run(['true']); subprocess.run([{DEVICE_FUNCTION!r}])",
            options=["--report", report],
        )
        self.assert_code(done, 0)
        first, *others = done.err.splitlines(keepends=True)
        self.assertRegex(first, "^ferry: checked [0-9]+ calls")
        self.assertIn("made no AscendCL call itself", "".join(others))
        self.assertEqual(others[-1], self.NOTHING)
        self.assertNotIn("warning", done.err)
        self.assertGreater(json.loads(report.read_text())["summary"]["calls"], 5)

    def test_a_forked_child_says_nothing(self):
        done = self.checked(PYTHON, "-c", "import os; os._exit(0) if os.fork() and os.wait() else 0")
        self.assertNotIn("checked", done.err, done)
        done = self.checked(PYTHON, "-c", "import os; os.fork() and os.wait()")
        self.assertEqual(done.err.count("checked no calls"), 1, done)

    def test_without_the_check_nothing_is_said(self):
        self.assert_ok(ferry("run", "--", "true"))
        self.assert_ok(ferry("run", "--", "true", FERRY_CHECK="0"))
        done = self.checked(FERRY, "run", "--", "env", FERRY_CHECK="")
        self.assertIn("_FERRY_RUN=", done.out)

    def test_each_repetition_ends_with_a_line(self):
        done = self.checked("sh", "-c", "exit 3", options=["--repeat", "2"])
        self.assert_code(done, 3)
        done = self.checked(PYTHON, "-c", "exit(3)", options=["--repeat", "2", "--keep-going"])
        self.assertEqual(done.err.count(self.NOTHING), 2, done)


@plain_builds_only
class Repeat(ToolTest):
    """One program under many schedules."""

    def repeat(self, *options, script='echo "with $FERRY_SCHEDULE"', **changes):
        return ferry("run", *options, "--", "sh", "-c", script, **changes)

    FAILS_WITH_3_AND_5 = """
        echo "out of $FERRY_SCHEDULE"
        echo "err of $FERRY_SCHEDULE" >&2
        case "$FERRY_SCHEDULE" in shuffle:3) exit 86;; shuffle:5) exit 9;; esac
    """

    def test_every_seed_is_tried(self):
        log = self.folder / "seeds"
        done = self.repeat("--repeat", "4", script=f'echo "$FERRY_SCHEDULE" >> {log}')
        self.assert_code(done, 0)
        self.assertEqual(log.read_text(), "shuffle:1\nshuffle:2\nshuffle:3\nshuffle:4\n")
        self.assertEqual(done.out, "")
        self.assertEqual(done.err, "ferry run: all 4 runs passed, seeds 1 to 4\n")

    def test_it_stops_at_the_first_run_that_fails_and_shows_that_one(self):
        done = self.repeat("--repeat", "10", script=self.FAILS_WITH_3_AND_5)
        self.assert_code(done, 86)
        self.assertEqual(done.out, "out of shuffle:3\n")
        self.assertEqual(
            done.err,
            "err of shuffle:3\n"
            "ferry run: seed 3: has findings (exit code 86)\n"
            "ferry run: 1 of 3 runs failed, with the seed 3\n"
            "ferry run: again: ferry run --schedule shuffle:3 -- sh -c "
            + shlex.quote(self.FAILS_WITH_3_AND_5)
            + "\n",
        )

    def test_the_command_that_repeats_a_run(self):
        """It is the whole command, and a shell runs it as it is."""
        script = 'echo "$0, $1, $FERRY_SCHEDULE $FERRY_SOC $FERRY_FAIL $FERRY_REPORT"; exit 4'
        done = ferry(
            "run",
            "--check",
            "--soc=Ascend910B3",
            "--fail",
            "aclrtMalloc:1=207001",
            "--fail",
            "aclrtFree:*=107000",
            "--report",
            self.folder / "a b %s.json",
            "--repeat",
            "3",
            "--seed",
            "7",
            "--keep-going",
            "--",
            "sh",
            "-c",
            script,
            "it's",
            "a $b *",
        )
        self.assert_code(done, 4)
        again = re.search(r"(?m)^ferry run: again: (ferry run [\s\S]*)\n", done.err).group(1)
        self.assertNotIn("--repeat", again)
        self.assertNotIn("--seed", again)
        seventh = done.out.splitlines()[0]
        self.assertEqual(
            seventh,
            "it's, a $b *, shuffle:7 Ascend910B3 aclrtMalloc:1=207001,aclrtFree:*=107000 "
            f"{self.folder}/a b 7.json",
        )
        repeated = run(
            "bash", "-c", again, PATH=os.path.dirname(FERRY) + ":" + os.environ["PATH"]
        )
        self.assert_code(repeated, 4)
        self.assertEqual(repeated.out, seventh + "\n")

    def test_it_keeps_going(self):
        done = self.repeat("--repeat", "6", "--keep-going", script=self.FAILS_WITH_3_AND_5)
        self.assert_code(done, 86)
        self.assertEqual(done.out, "out of shuffle:3\nout of shuffle:5\n")
        self.assertIn("seed 5: exit code 9\n", done.err)
        self.assertIn("2 of 6 runs failed, with the seeds 3, 5\n", done.err)

    def test_the_first_seed_can_be_chosen(self):
        done = self.repeat("--repeat", "10", "--seed", "5", script=self.FAILS_WITH_3_AND_5)
        self.assert_code(done, 9)
        self.assertIn("1 of 1 runs failed, with the seed 5\n", done.err)
        done = self.repeat("--repeat", "2", "--seed", "41", FERRY_SCHEDULE="lazy")
        self.assert_code(done, 0)
        self.assertIn("seeds 41 to 42", done.err)

    def test_a_signal_is_told_as_a_shell_does(self):
        done = self.repeat("--repeat", "3", script="ulimit -c 0; kill -SEGV $$")
        self.assert_code(done, 128 + signal.SIGSEGV)
        self.assertIn("seed 1: ended by signal 11\n", done.err)

    def test_the_seed_in_the_name_of_the_report(self):
        log = self.folder / "reports"
        done = self.repeat(
            "--check",
            "--report",
            self.folder / "run-%s.json",
            "--repeat",
            "2",
            script=f'echo "$FERRY_CHECK $FERRY_REPORT" >> {log}',
        )
        self.assert_code(done, 0)
        self.assertEqual(
            log.read_text(), f"1 {self.folder}/run-1.json\n1 {self.folder}/run-2.json\n"
        )

    def test_a_program_that_cannot_be_started_is_told_once(self):
        done = ferry("run", "--repeat", "5", "--keep-going", "--", "no_such_program_anywhere")
        self.assert_code(done, 127)
        self.assert_complaint(done, "no_such_program_anywhere", "PATH")

    def test_a_signal_ends_the_program_and_the_repetition(self):
        os.mkfifo(self.folder / "up")
        process = subprocess.Popen(
            [
                FERRY,
                "run",
                "--repeat",
                "5",
                "--",
                PYTHON,
                "-c",
                WAIT_FOR_SIGNAL,
                self.folder / "up",
            ],
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        child = int((self.folder / "up").read_text())  # blocks until the program writes
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, -signal.SIGTERM)
        with self.assertRaises(ProcessLookupError):
            os.kill(child, 0)

    def test_progress_is_shown_on_a_terminal(self):
        done = ferry_on_terminal("run", "--repeat", "2", "--", "true")
        self.assert_code(done, 0)
        self.assertIn("run 1 of 2, seed 1, 0 failed", done.out)
        self.assertIn("run 2 of 2, seed 2, 0 failed", done.out)

    def test_wrong_usage(self):
        for arguments, word in (
            (["--repeat", "0"], "--repeat"),
            (["--repeat", "many"], "--repeat"),
            (["--repeat", "2", "--schedule", "lazy"], "--schedule"),
            (["--repeat", "2", "--seed", "-1"], "--seed"),
            (["--repeat", "2", "--seed", str(2**64 - 1)], "--seed"),
            (["--seed", "2"], "--repeat"),
            (["--keep-going"], "--repeat"),
        ):
            with self.subTest(arguments):
                self.assert_usage(ferry("run", *arguments, "--", "echo", "started"), word)


if __name__ == "__main__":
    main()
