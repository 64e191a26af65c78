# SPDX-License-Identifier: Apache-2.0
"""What a package index shows: the metadata of the wheel, and a README that needs no file beside it."""

import re
import unittest

from support import SOURCE, ToolTest, ferry, main

try:
    import tomllib
except ModuleNotFoundError:  # before Python 3.11
    tomllib = None


@unittest.skipIf(tomllib is None, "this Python has no tomllib")
class Metadata(ToolTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.project = tomllib.loads((SOURCE / "pyproject.toml").read_text())["project"]
        cls.readme = (SOURCE / cls.project["readme"]).read_text()

    def test_authors_keywords_classifiers(self):
        self.assertEqual(self.project["authors"], [{"name": "The Ferry authors"}])
        self.assertIn("ascendcl", self.project["keywords"])
        classifiers = self.project["classifiers"]
        self.assertEqual(len(classifiers), len(set(classifiers)))
        least = self.project["requires-python"].removeprefix(">=")
        self.assertIn(f"Programming Language :: Python :: {least}", classifiers)

    def test_the_readme_links_to_no_file(self):
        for target in re.findall(r"\]\(([^)]*)\)|(?:src|href)=\"([^\"]*)\"", self.readme):
            self.assertRegex(target[0] or target[1], "^(https://|#)")

    def test_the_readme_names_commands_that_there_are(self):
        commands = set(re.findall(r"(?m)^    ferry ([a-z]+) ", self.readme))
        self.assertGreater(len(commands), 2)
        for command in commands:
            self.assert_ok(ferry("help", command))


if __name__ == "__main__":
    main()
