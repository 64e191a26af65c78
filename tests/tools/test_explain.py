# SPDX-License-Identifier: Apache-2.0
"""ferry explain: by code, by name, by message code; unknown queries."""

from support import ToolTest, ferry, main


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
        self.assert_explains("host-write-in-flight", "host-write-in-flight", "means", "do this")
        self.assert_explains("unaligned", "note, muted by default")

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
