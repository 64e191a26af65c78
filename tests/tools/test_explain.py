# SPDX-License-Identifier: Apache-2.0
"""ferry explain: by code, by name, by message code; unknown queries."""

import json
import re

from support import SOURCE, ToolTest, ferry, ferry_on_terminal, main


class Explain(ToolTest):
    def assert_explains(self, query, *words):
        done = ferry("explain", query)
        self.assert_ok(done)
        for word in words:
            self.assertIn(word, done.out, done)

    def test_a_code(self):
        self.assert_explains(
            "107002",
            "107002  ACL_ERROR_RT_CONTEXT_NULL",
            "means",
            "because",
            "do this",
            "aclrtSetDevice",
        )
        self.assert_explains("0", "ACL_SUCCESS", "ACL_ERROR_NONE")

    def test_a_name_in_all_its_forms(self):
        expected = ferry("explain", "107002").out
        for name in (
            "ACL_ERROR_RT_CONTEXT_NULL",
            "RT_CONTEXT_NULL",
            "CONTEXT_NULL",
            "acl_error_rt_context_null",
        ):
            with self.subTest(name):
                done = ferry("explain", name)
                self.assert_ok(done)
                self.assertEqual(done.out, expected)

    def test_a_message_code(self):
        for query in (
            "EE1003",
            "ee1003",
            "(EE1003)",
            "aclrtMemcpyAsync: count is 64, allowed is 0 to destMax = 63 (EE1003)",
            "EE1003: a text of another layout (see below)",
            "[107000 RT_PARAM_INVALID] aclrtFree: some text (EE1003); item 3 of the batch is at fault",
        ):
            with self.subTest(query):
                self.assert_explains(query, "1003", "outside its range")
        self.assert_explains("EE1098", "107xxx")  # by its family

    def test_a_rule(self):
        self.assert_explains("host-write-in-flight", "host-write-in-flight", "means", "What to do")
        self.assert_explains("unaligned", "note, muted by default")

    def test_a_rule_is_rendered(self):
        """As text: wrapped, without the marks of Markdown, code as it is."""
        page = (SOURCE / "docs/rules/stream-race.md").read_text()
        done = ferry_on_terminal("explain", "stream-race", columns=60, NO_COLOR="1")
        self.assert_code(done, 0)
        self.assertNotRegex(done.out, r"(?m)^#|\*\*|\]\(")
        code = set(re.findall(r"(?m)^    .*$", page))
        self.assertTrue(code)
        for line in done.out.splitlines():
            self.assertTrue(len(line) <= 60 or line in code, line)
        self.assertTrue(code <= set(done.out.splitlines()))
        words = re.findall(r"[a-z]+", re.sub(r"\]\([^)]*\)", "]", page))
        self.assertEqual(re.findall(r"[a-z]+", done.out), words)

    def test_headings_are_bold_on_a_terminal_only(self):
        heading = "What it means\n"
        self.assertIn("\n\033[1mWhat it means\033[0m\n", ferry_on_terminal("explain", "leak").out)
        self.assertIn("\n" + heading, ferry("explain", "leak").out)
        self.assertNotIn("\033", ferry("explain", "leak").out)

    def test_every_rule_has_its_page(self):
        rules = re.findall(r"(?m)^([a-z-]+) +(?:error|note|muted)  ", ferry("explain").out)
        self.assertGreater(len(rules), 15)
        for rule in rules:
            self.assert_explains(rule, rule, "What it means", "What to do")

    def test_a_function(self):
        done = ferry("explain", "aclrtMemcpyAsync")
        self.assert_ok(done)
        self.assertIn("aclError aclrtMemcpyAsync(void* dst, size_t destMax,", done.out)
        for head in ("does", "arguments", "blocking", "returns"):
            self.assertRegex(done.out, rf"(?m)^  {head} +[A-Za-z]")
        codes = re.findall(r"(?m)^  ([0-9]{6})  (ACL_[A-Z_]+)  ", done.out)
        self.assertEqual(
            codes[:4],
            [
                ("100000", "ACL_ERROR_INVALID_PARAM"),
                ("107017", "ACL_ERROR_RT_INVALID_HANDLE"),
                ("107000", "ACL_ERROR_RT_PARAM_INVALID"),
                ("107002", "ACL_ERROR_RT_CONTEXT_NULL"),
            ],
        )
        self.assertIn("checks up to the kind are made", done.out)
        self.assertEqual(ferry("explain", "aclrtMemcpyAsync()").out.split("\n")[1:],
                         done.out.split("\n")[1:])

    def test_a_function_that_returns_what_another_does(self):
        done = ferry("explain", "aclrtMemcpyAsyncWithCondition")
        self.assert_ok(done)
        other = ferry("explain", "aclrtMemcpyAsync").out
        self.assertIn("Codes of aclrtMemcpyAsync", done.out)
        pattern = r"(?m)^  [0-9]{6}  .*$"
        self.assertEqual(re.findall(pattern, done.out), re.findall(pattern, other))

    def test_every_function_is_explained_with_all_its_codes(self):
        functions = json.loads(ferry("info", "--json").out)["functions"]
        names = [function["name"] for function in functions]
        self.assertGreater(len(names), 400)
        done = ferry("explain", *names)
        self.assert_ok(done)
        parts = re.split(r"(?m)^(?=\w+  a function of AscendCL)", done.out)[1:]
        self.assertEqual([part.split()[0] for part in parts], names)
        explained = done.out.count("ACL_ERROR_INVALID_PARAM  ")
        headers = [*(SOURCE / "include/acl").glob("*.h"), *(SOURCE / "include/acl/rt").glob("*.h")]
        written = sum(
            len(re.findall(r"(?m)^/// +ACL_ERROR_INVALID_PARAM  ", header.read_text()))
            for header in headers
        )
        self.assertGreater(written, 100)
        self.assertGreaterEqual(explained, written)
        self.assertNotIn("///", done.out)

    def test_a_variable(self):
        done = ferry("explain", "FERRY_SCHEDULE", FERRY_SCHEDULE="lazy")
        self.assert_ok(done)
        for text in ("when queued work runs", "eager, lazy, shuffle:<seed>", '"lazy"'):
            self.assertIn(text, done.out)
        self.assert_explains("$FERRY_MEMORY", "FERRY_MEMORY", "not set")
        self.assert_explains("ASCEND_RT_VISIBLE_DEVICES", "allowed")

    def test_several_at_once(self):
        done = ferry("explain", "107000", "EH0008", "207000")
        self.assert_ok(done)
        places = [done.out.index(word) for word in ("107000  ", "EH0008  ", "207000  ")]
        self.assertEqual(places, sorted(places))

    def test_an_unknown_one_is_told_and_the_others_explained(self):
        done = ferry("explain", "107000", "nonsense", "207000")
        self.assert_code(done, 1)
        self.assertIn("107000  ", done.out)
        self.assertIn("207000  ", done.out)
        self.assert_complaint(done, "nonsense", "no code or name")

    def test_suggestions(self):
        for query, suggestion in (
            ("107992", "107002"),
            ("CONTXT_NULL", "107002  ACL_ERROR_RT_CONTEXT_NULL"),
            ("EF1003", "EE1003"),
            ("STREAM_CONTEX", "107003"),
            ("stream-rice", "stream-race"),
            ("in-flight", "free-in-flight"),
            ("aclrtMemcypAsync", "aclrtMemcpyAsync"),
            ("aclrtmemcpyasync", "aclrtMemcpyAsync"),
            ("FERRY_SHEDULE", "FERRY_SCHEDULE"),
        ):
            with self.subTest(query):
                done = ferry("explain", query)
                self.assert_code(done, 1)
                self.assertEqual(done.out, "", done)
                self.assertIn("did you mean", done.err, done)
                self.assertIn(suggestion, done.err, done)

    def test_odd_queries_are_survived(self):
        for query in ("", " ", "9" * 40, "-1", "(", ")(", "()", "\u00e4", "x" * 5000):
            with self.subTest(query):
                done = ferry("explain", "--", query)
                self.assert_code(done, 1)

    def test_without_a_query_it_lists_common_codes(self):
        done = ferry("explain")
        self.assert_ok(done)
        for code in ("100000", "107000", "107002", "207000", "507001"):
            self.assertRegex(done.out, rf"(?m)^{code}  ACL_ERROR_", done)
        self.assertIn("ferry explain CODE", done.out)
        for rule in ("host-write-in-flight", "stream-race", "leak", "callback-call"):
            self.assertRegex(done.out, rf"(?m)^{rule} +(error|note)  ", done)
        self.assertIn("ferry explain RULE", done.out)


if __name__ == "__main__":
    main()
