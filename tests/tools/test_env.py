# SPDX-License-Identifier: Apache-2.0
"""ferry env: the table of variables, their values, and errors in them."""

import re

from support import ToolTest, ferry, main


def value_of(done, name):
    found = re.search(rf"(?m)^{name} +(\".*?\"(?: \(wrong\))?|not set)  ", done.out)
    return found.group(1) if found else None


class Env(ToolTest):
    def test_all_variables_are_listed(self):
        done = ferry("env")
        self.assert_ok(done)
        for name in (
            "FERRY_DEVICES",
            "ASCEND_RT_VISIBLE_DEVICES",
            "FERRY_MEMORY",
            "FERRY_THREADS",
            "FERRY_SOC",
            "FERRY_CANN",
            "FERRY_SCHEDULE",
            "FERRY_FAIL",
            "FERRY_CHECK",
            "FERRY_MUTE",
            "FERRY_REPORT",
            "FERRY_SUPPRESSIONS",
            "FERRY_LOG",
        ):
            self.assertEqual(value_of(done, name), "not set", done)
        self.assertIn("accepts this environment", done.out)

    def test_right_values(self):
        done = ferry(
            "env",
            FERRY_DEVICES="cpu:3",
            FERRY_SCHEDULE="lazy",
            FERRY_FAIL="aclInit:*=100000",
            ASCEND_RT_VISIBLE_DEVICES="2,0",
            FERRY_MEMORY="",
        )
        self.assert_ok(done)
        self.assertEqual(value_of(done, "FERRY_DEVICES"), '"cpu:3"')
        self.assertEqual(value_of(done, "FERRY_SCHEDULE"), '"lazy"')
        self.assertEqual(value_of(done, "ASCEND_RT_VISIBLE_DEVICES"), '"2,0"')
        self.assertEqual(value_of(done, "FERRY_MEMORY"), '""')
        self.assertIn("accepts this environment", done.out)

    def test_every_wrong_value_is_named(self):
        done = ferry(
            "env", FERRY_MEMORY="lots", FERRY_SOC="Ascend1", FERRY_THREADS="2", FERRY_SPEED="fast"
        )
        self.assert_code(done, 1)
        self.assertEqual(done.err, "")
        self.assertEqual(value_of(done, "FERRY_MEMORY"), '"lots" (wrong)')
        self.assertEqual(value_of(done, "FERRY_SOC"), '"Ascend1" (wrong)')
        self.assertEqual(value_of(done, "FERRY_THREADS"), '"2"')
        refused = done.out.split("refuses this environment")[1]
        self.assertIn('FERRY_MEMORY is "lots"', refused)
        self.assertIn('FERRY_SOC is "Ascend1"', refused)
        self.assertIn("FERRY_SPEED is not a variable", refused)
        self.assertNotIn("FERRY_THREADS is", refused)

    def test_what_shows_later_is_named_too(self):
        """Rules, functions and devices are looked at only when every value can be read."""
        done = ferry(
            "env", FERRY_THREADS="0", FERRY_CHECK="leek", FERRY_FAIL="a:1=5,b:1=5", FERRY_DEVICES="cpu:2"
        )
        self.assert_code(done, 1)
        for name in ("FERRY_THREADS", "FERRY_CHECK", "FERRY_FAIL"):
            self.assertIn("(wrong)", value_of(done, name))
        self.assertEqual(value_of(done, "FERRY_DEVICES"), '"cpu:2"')
        refused = " ".join(done.out.split("refuses this environment")[1].split())
        self.assertIn('FERRY_CHECK names "leek", which is no rule', refused)
        self.assertIn("FERRY_FAIL names a, but", refused)
        self.assertIn("FERRY_FAIL names b, but", refused)

    def test_rules_are_judged_by_name(self):
        done = ferry("env", FERRY_CHECK="leek", FERRY_MUTE="leak")
        self.assert_code(done, 1)
        self.assertEqual(value_of(done, "FERRY_CHECK"), '"leek" (wrong)')
        self.assertEqual(value_of(done, "FERRY_MUTE"), '"leak"')

    def test_values_that_do_not_go_together(self):
        done = ferry("env", FERRY_DEVICES="cpu:2", ASCEND_RT_VISIBLE_DEVICES="5")
        self.assert_code(done, 1)
        self.assertIn("(wrong)", value_of(done, "ASCEND_RT_VISIBLE_DEVICES"))
        self.assertEqual(value_of(done, "FERRY_DEVICES"), '"cpu:2"')
        done = ferry("env", FERRY_DEVICES="cpu:2", FERRY_MEMORY="129G")
        self.assert_code(done, 1)
        self.assertIn("(wrong)", value_of(done, "FERRY_MEMORY"))
        self.assertEqual(value_of(done, "FERRY_DEVICES"), '"cpu:2"')

    def test_arguments_are_wrong_usage(self):
        self.assert_usage(ferry("env", "FERRY_SOC"), "ferry env", "FERRY_SOC")


if __name__ == "__main__":
    main()
