# SPDX-License-Identifier: Apache-2.0
"""Manual pages and completions: they have every command and option that the help has."""

import os
import re
import shutil
import subprocess
import unittest

from support import FERRY, ToolTest, environment, ferry, main, run


def commands():
    text = ferry("--help").out
    return re.findall(r"(?m)^  ([a-z]+) ", text[text.index("Commands") : text.index("Options")])


def options(command):
    """Long options in the help of a command, in the left column."""
    return re.findall(r"(?m)^  (?:-[a-z] )?(--[a-z-]+)", ferry(command, "--help").out)


class Manual(ToolTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.pages = cls.folder / "new" / "man1"
        done = ferry("man", "--all", cls.pages)
        assert done.code == 0 and done.err == "", done

    def test_every_command_has_a_page(self):
        expected = ["ferry.1"] + [f"ferry-{command}.1" for command in commands()]
        self.assertGreater(len(expected), 8)
        self.assertEqual(sorted(os.listdir(self.pages)), sorted(expected))
        for command in commands():
            self.assertEqual(
                ferry("man", command).out, (self.pages / f"ferry-{command}.1").read_text()
            )
        self.assertEqual(ferry("man").out, (self.pages / "ferry.1").read_text())

    def test_pages_have_all_options(self):
        for command in commands():
            page = (self.pages / f"ferry-{command}.1").read_text().replace("\\-", "-")
            self.assertRegex(page, rf"(?m)^ferry-{command} - [A-Z]")
            self.assertTrue(options(command))
            for option in options(command):
                with self.subTest(f"{command} {option}"):
                    self.assertRegex(page, rf"(?m)^\.B (-[a-z], )?{option}\b")

    def test_the_first_page_names_commands_and_variables(self):
        page = (self.pages / "ferry.1").read_text()
        for command in commands():
            self.assertIn(f"\n.TP\n.B {command}\n", page)
        self.assertIn("\n.B FERRY_SCHEDULE\n", page)

    @unittest.skipIf(shutil.which("groff") is None, "groff is not here")
    def test_roff_has_no_warnings(self):
        for page in sorted(self.pages.iterdir()):
            with self.subTest(page.name):
                done = run("groff", "-man", "-Tutf8", "-Kutf8", "-ww", "-z", page)
                self.assert_ok(done)

    @unittest.skipIf(shutil.which("man") is None, "man is not here")
    def test_man_shows_the_text_of_the_help(self):
        done = run("man", "--warnings", "-l", self.pages / "ferry-run.1", MANWIDTH="100",
                   LC_ALL="C.UTF-8", MANPAGER="cat", MAN_KEEP_FORMATTING=None)
        self.assert_ok(done)
        text = re.sub(".\b", "", done.out)
        for words in ("NAME", "Finding misuse", "--suppressions FILE",
                      "ferry run --fail 'aclrtMalloc:3=207001' -- ./test   the third call fails",
                      "ferry-explain(1)"):
            self.assertIn(words, text)

    def test_failures(self):
        self.assert_usage(ferry("man", "rnu"), "did you mean run?")
        done = ferry("man", "--all", "/dev/null/x")
        self.assert_code(done, 1)
        self.assert_complaint(done, "/dev/null/x", "cannot be written")
        self.assert_usage(ferry("completions", "tcsh"), "tcsh")
        self.assert_usage(ferry("completions"), "SHELL")
        done = ferry("completions", "bash", "--output", "/dev/null/x")
        self.assert_code(done, 1)

    def test_they_are_hidden(self):
        self.assertNotRegex(ferry("--help").out, "(?m)^  (man|completions) ")
        self.assertNotIn("completions", ferry("completions", "bash").out.split("\n", 1)[1])


@unittest.skipIf(shutil.which("bash") is None, "bash is not here")
class Bash(ToolTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.script = cls.folder / "ferry"
        assert ferry("completions", "bash", "--output", cls.script).code == 0

    def complete(self, *words):
        """What is offered behind these words; the last one is being typed."""
        script = (
            f"source {self.script}; complete -p ferry >/dev/null || exit 9\n"
            'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _ferry ferry "${!#}"\n'
            'printf "%s\\n" "${COMPREPLY[@]}"'
        )
        done = run("bash", "--norc", "-c", script, "bash", "ferry", *words, cwd=self.folder)
        self.assert_ok(done)
        return set(done.out.split())

    def test_commands(self):
        self.assertEqual(self.complete(""), {*commands(), "--help", "--version"})
        self.assertEqual(self.complete("ex"), {"explain"})
        self.assertEqual(self.complete("help", "ex"), {"explain"})

    def test_all_options_of_all_commands(self):
        for command in commands():
            with self.subTest(command):
                self.assertTrue(set(options(command)) <= self.complete(command, "-"))
                self.assertEqual(self.complete(command, "--hel"), {"--help"})

    def test_values(self):
        self.assertEqual(self.complete("run", "--schedule", ""), {"eager", "lazy", "shuffle:"})
        self.assertEqual(self.complete("run", "--schedule", "=", "l"), {"lazy"})
        self.assertEqual(self.complete("run", "--schedule", "="), {"eager", "lazy", "shuffle:"})
        self.assertIn("Ascend310P3", self.complete("demo", "--soc", "Ascend310"))
        self.assertIn("stream-race", self.complete("run", "--check", "--mute", "stream"))
        self.assertEqual(self.complete("run", "--memory", ""), set())
        self.assertEqual(self.complete("bench", "bandw"), {"bandwidth"})
        self.assertEqual(self.complete("explain", "aclrtMemcpyBatchA"),
                         {"aclrtMemcpyBatchAsync", "aclrtMemcpyBatchAsyncV2"})
        self.assertEqual(self.complete("explain", "FERRY_SCH"), {"FERRY_SCHEDULE"})

    def test_files_and_programs(self):
        (self.folder / "known findings.txt").write_text("")
        (self.folder / "program").write_text("")
        self.assertIn("program", self.complete("run", "--report", "prog"))
        self.assertIn("program", self.complete("info", "prog"))
        self.assertIn("bash", self.complete("run", "--", "bas"))
        self.assertEqual(self.complete("run", "--", "bash", "prog"), {"program"})
        self.assertEqual(self.complete("run", "--", "bash", "--sched"), set())


class OtherShells(ToolTest):
    def script(self, shell):
        path = self.folder / f"ferry.{shell}"
        self.assert_ok(ferry("completions", shell, "--output", path))
        return path

    def test_they_have_all_options(self):
        zsh, fish = self.script("zsh").read_text(), self.script("fish").read_text()
        self.assertTrue(zsh.startswith("#compdef ferry\n"))
        for command in commands():
            self.assertIn(f"\n    {command})\n", zsh)
            for option in options(command):
                self.assertIn(f"'*{option}", zsh)
                self.assertRegex(
                    fish, rf"seen_subcommand_from {command}'.* -l {option[2:]} "
                )

    @unittest.skipIf(shutil.which("zsh") is None, "zsh is not here")
    def test_zsh_accepts_the_script(self):
        self.assert_ok(run("zsh", "-f", "-n", self.script("zsh")))

    @unittest.skipIf(shutil.which("fish") is None, "fish is not here")
    def test_fish_completes(self):
        script = self.script("fish")
        done = subprocess.run(
            ["fish", "--no-config", "-c",
             f"source {script}; complete -C 'ferry run --schedule l'; complete -C 'ferry expl'"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
            env=environment(HOME=str(self.folder), PATH=os.path.dirname(FERRY) + ":" + os.environ["PATH"]),
        )
        self.assertEqual([line.split("\t")[0] for line in done.stdout.splitlines()],
                         ["lazy", "explain"], done)


if __name__ == "__main__":
    main()
