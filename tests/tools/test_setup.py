# SPDX-License-Identifier: Apache-2.0
"""scripts/setup.sh, with stand-ins for the commands that would change the machine; and what ./test ignores."""

import os

from support import SOURCE, ToolTest, main, run

QUERY = '#!/bin/sh\nfor last; do :; done\ncase " $MISSING " in *" $last "*) exit 1 ;; esac\necho install ok installed\n'
APT = '#!/bin/sh\necho "apt-get $*" >>"$LOG"\ncase " $* " in *" $IMPOSSIBLE "*) exit 1 ;; esac\n'


class Setup(ToolTest):
    def setUp(self):
        self.log = self.folder / "log"
        self.log.write_text("")

    def call(self, command, user=1000, missing="", impossible="nothing"):
        """Runs a command after setup.sh, as this user; sudo would ask for a password."""
        self.write("dpkg-query", QUERY)
        self.write("apt-get", APT)
        self.write("sudo", "#!/bin/sh\nexit 1\n")
        self.write("id", f"#!/bin/sh\necho {user}\n")
        return run(
            "bash", "-c", f"set -euo pipefail; . {SOURCE}/scripts/setup.sh; {command}",
            cwd=self.folder, PATH=f"{self.folder}:{os.environ['PATH']}", MISSING=missing, IMPOSSIBLE=impossible,
            LOG=str(self.log),
        )  # fmt: skip

    def installed(self):
        return [line for line in self.log.read_text().splitlines() if " install " in line]

    def test_nothing_is_missing(self):
        self.assert_ok(self.call("install one two -- three"))
        self.assertEqual(self.log.read_text(), "")

    def test_without_root_all_missing_packages_are_named_once(self):
        done = self.call("install one two -- three; echo went on", missing="one three")
        self.assert_code(done, 1)
        self.assertEqual(done.out, "")
        self.assertEqual(done.err.count("administrator"), 1, done)
        self.assertIn("apt-get install -y --no-install-recommends one three", done.err)
        self.assertNotIn("two", done.err)
        self.assertEqual(self.log.read_text(), "")

    def test_without_root_optional_packages_are_skipped(self):
        done = self.call("install one -- three || echo without", missing="three")
        self.assert_ok(done)
        self.assertEqual(done.out, "without\n")
        self.assertEqual(self.log.read_text(), "")

    def test_root_installs_all_at_once(self):
        self.assert_ok(self.call("install one two -- three", user=0, missing="two three"))
        self.assertEqual(len(self.installed()), 1)
        self.assertTrue(self.installed()[0].endswith(" two three"), self.installed())

    def test_optional_packages_that_do_not_exist(self):
        done = self.call(
            "install one -- three || echo without", user=0, missing="one three", impossible="three"
        )
        self.assert_code(done, 0)
        self.assertTrue(done.out.endswith("without\n"), done)
        self.assertEqual([line.split()[-1] for line in self.installed()], ["three", "one"])

    def test_needed_packages_that_do_not_exist(self):
        done = self.call("install one; echo went on", user=0, missing="one", impossible="one")
        self.assert_code(done, 1)
        self.assertNotIn("went on", done.out)
        self.assertIn("could not install: one", done.err)

    def test_python_that_cannot_be_had_is_one_sentence(self):
        done = self.call("install_python_or_skip", missing="python3-venv")
        self.assert_ok(done)
        self.assertEqual(done.out.count("\n"), 1, done)
        self.assertIn("python3-venv", done.out)

    def test_ignores_the_callers_shell(self):
        done = run(
            "bash", "-c", f"trap env EXIT; set -- --help; . {SOURCE}/test",
            LD_LIBRARY_PATH="/nowhere", PYTHONPATH="/nowhere", ASCEND_HOME_PATH="/nowhere", FERRY_DEVICES="cpu:7",
            FERRY_UNKNOWN="1", KEPT="kept",
        )  # fmt: skip
        self.assert_code(done, 0)
        names = {line.split("=")[0] for line in done.out.splitlines()}
        self.assertIn("KEPT", names)
        ignored = {name for name in names if name.startswith(("ASCEND_", "FERRY_", "LD_", "PYTHONPATH"))}
        self.assertEqual(ignored, set(), done)


if __name__ == "__main__":
    main()
