# SPDX-License-Identifier: Apache-2.0
"""ferry itself: help, version, wrong usage, colours."""

import re

from support import SOURCE, ToolTest, ferry, ferry_on_terminal, main

COMMANDS = ["run", "info", "demo", "bench", "report", "replay", "soak", "explain", "env", "help"]
ESCAPE = "\033["


def version_in_header():
    header = (SOURCE / "include/ferry/ferry.h").read_text()
    return re.search(r'#define FERRY_VERSION "(.*)"', header).group(1)


class CommandLine(ToolTest):
    def test_without_arguments_shows_the_help_and_says_usage(self):
        done = ferry()
        self.assert_code(done, 2)
        self.assertIn("Usage: ferry", done.out, done)

    def test_help_names_every_command(self):
        done = ferry("--help")
        self.assert_ok(done)
        for command in COMMANDS:
            self.assertRegex(done.out, rf"(?m)^  {command} ", done)

    def test_every_command_has_help_with_examples(self):
        for command in COMMANDS:
            with self.subTest(command):
                for flag in ("--help", "-h"):
                    done = ferry(command, flag)
                    self.assert_ok(done)
                    self.assertIn(f"Usage: ferry {command}", done.out, done)
                    self.assertIn("Examples:", done.out, done)

    def test_help_of_a_command(self):
        for command in COMMANDS:
            with self.subTest(command):
                done = ferry("help", command)
                self.assert_ok(done)
                self.assertEqual(done.out, ferry(command, "--help").out)
        done = ferry("help")
        self.assert_ok(done)
        self.assertEqual(done.out, ferry("--help").out)
        self.assert_usage(ferry("help", "expalin"), "ferry help", "did you mean explain?")
        self.assert_usage(ferry("help", "sail"), "no such command", "ferry --help")

    def test_a_mistyped_option_is_suggested(self):
        for command, option, meant in (
            ("run", "--shedule", "--schedule"),
            ("run", "--schedul=lazy", "--schedule"),
            ("run", "--sched", "--schedule"),
            ("info", "--prodcuts", "--products"),
            ("bench", "--thread", "--threads"),
            ("soak", "--no-chek", "--no-check"),
        ):
            with self.subTest(option):
                done = ferry(command, option, "true")
                name = option.split("=")[0]
                self.assert_usage(
                    done, f"ferry {command}: {name}: no such option; did you mean {meant}?"
                )
        self.assert_usage(ferry("run", "--zzz", "true"), "--zzz: no such option; see ferry run")

    def test_version(self):
        done = ferry("--version")
        self.assert_ok(done)
        version = version_in_header()
        self.assertIn(f"ferry {version} (library {version}", done.out, done)
        self.assertEqual(done.out.count("\n"), 1, done)

    def test_an_unknown_command_is_wrong_usage(self):
        self.assert_usage(ferry("sail"), "sail", "no such command")

    def test_a_mistyped_command_is_suggested(self):
        self.assert_usage(ferry("rnu"), "did you mean run?")
        self.assert_usage(ferry("expalin"), "did you mean explain?")

    def test_an_unknown_option_is_wrong_usage(self):
        self.assert_usage(ferry("--loud"), "--loud")
        for command in COMMANDS:
            with self.subTest(command):
                self.assert_usage(ferry(command, "--loud"), f"ferry {command}", "--loud")

    def test_colours_appear_on_a_terminal_only(self):
        self.assertIn(ESCAPE, ferry_on_terminal("info").out)
        self.assertNotIn(ESCAPE, ferry("info").out)

    def test_colours_can_be_refused(self):
        self.assertNotIn(ESCAPE, ferry_on_terminal("info", NO_COLOR="1").out)
        self.assertIn(ESCAPE, ferry_on_terminal("info", NO_COLOR="").out)

    def test_helps_name_values_not_types(self):
        for command in COMMANDS:
            for word in ("UINT", "INT in", "FLOAT"):
                self.assertNotIn(word, ferry(command, "--help").out, command)

    def test_helps_fit_a_narrow_terminal(self):
        for command in COMMANDS:
            done = ferry_on_terminal(command, "--help", columns=64, NO_COLOR="1")
            self.assert_code(done, 0)
            wide = ferry(command, "--help").out
            self.assertEqual(done.out.split(), wide.split())  # nothing is lost
            footer = done.out[done.out.index("Examples:") :]
            for line in footer.split("\n"):
                # A column that begins too far right keeps ten characters.
                is_column = "  " in line.strip() or line.startswith(" " * 40)
                self.assertTrue(len(line) <= 64 or is_column, line)

    def test_lines_fit_the_terminal(self):
        helps = [[command, "--help"] for command in COMMANDS]
        others = [
            ["--help"],
            ["explain"],
            ["explain", "107000"],
            ["env"],
            ["info"],
            ["info", "--products"],
            ["demo", "--blocks", "4", "--rounds", "1", "--layers", "2"],
        ]
        for command in helps + others:
            with self.subTest(command):
                done = ferry_on_terminal(*command, columns=80, NO_COLOR="1")
                self.assert_code(done, 0)
                for line in done.out.split("\n"):
                    self.assertLessEqual(len(line.split("\033[K")[-1]), 80, line)


if __name__ == "__main__":
    main()
