# SPDX-License-Identifier: Apache-2.0
"""The page that shows a trace, in a headless browser."""

import html.parser
import json
import os
import unittest

import browser
import make_trace
from support import IS_SANITIZED, ToolTest, ferry, main, run

PAGE = os.environ["TOOLS_PAGE"]
BROWSER = browser.find_browser()
THREAD = 77
DEVICE = 1073741824
ODD = "</script><img src=x onerror=boom()>"


def small_trace():
    """Two threads, two streams, an event between them, a range, a mark, memory and a finding."""

    def call(name, begin, duration, **arguments):
        return {"ph": "X", "cat": "call", "name": name, "pid": THREAD, "tid": THREAD, "ts": begin, "dur": duration,
                "args": arguments}  # fmt: skip

    def work(number, stream, name, kind, begin, duration, **arguments):
        arguments = {"work": number, "kind": kind, "stream": stream, "device": 0, **arguments}
        return {"ph": "X", "cat": "work", "name": name, "pid": DEVICE, "tid": stream, "ts": begin, "dur": duration,
                "args": arguments}  # fmt: skip

    copy = {"call": "aclrtMemcpyAsync", "direction": "H2D", "memory": "pinned"}
    yield {"ph": "M", "name": "ferry_trace", "pid": THREAD, "tid": 0, "args": {
        "format": 1, "ferry": "0.1", "program": "/bin/pages", "arguments": ["pages", ODD], "pid": THREAD,
        "started": "2026-11-18T21:15:43.123456Z", "clock": 1,
        "devices": [{"id": 0, "kind": "cpu", "name": "CPU", "memory": 1 << 30}], "soc": "Ascend910B4",
        "cann": "9.0.0", "schedule": "eager", "check": True, "items": False, "contents": False}}  # fmt: skip
    yield {"ph": "M", "name": "thread_name", "pid": THREAD, "tid": THREAD + 1, "args": {"name": ODD}}
    yield call("aclrtMemcpyAsync", 10, 2, site="0x401010", stream=1, work=1)
    yield work(1, 1, "H2D 4.0 KiB", "copy", 20, 10, bytes=4096, submitted=11, dst="0xffff800000001234", src="0x1000",
               **copy)  # fmt: skip
    yield call("aclrtMemcpyAsync", 13, 2, site="0x401010", stream=1, work=2)
    yield work(2, 1, "H2D 64.0 KiB", "copy", 30, 20, bytes=65536, submitted=14, **copy)
    yield call("aclrtRecordEvent", 16, 1, site="0x401020", stream=1, work=3)
    yield work(3, 1, "record", "record", 50, 0.1, call="aclrtRecordEvent", marker=3, submitted=16.5)
    yield call("aclrtStreamWaitEvent", 18, 1, site="0x401030", stream=2, work=4)
    yield work(4, 2, "wait", "wait", 20, 30.2, call="aclrtStreamWaitEvent", marker=3, submitted=18.5)
    # The last frame is outside of the program.
    yield {"ph": "M", "name": "ferry_stack", "pid": THREAD, "tid": 0,
           "args": {"id": 9, "frames": ["0x401040", "0x402000", "0x7f0000001000"]}}  # fmt: skip
    yield call("aclrtMemcpyBatchAsync", 20, 3, site="0x401040", stream=2, work=5, stack=9)
    yield work(5, 2, "batch D2H 8 x 1.0 KiB", "batch", 51, 8, bytes=8192, items=8, smallest=1024, largest=1024,
               direction="D2H", memory="pinned", call="aclrtMemcpyBatchAsync", submitted=22)  # fmt: skip
    yield call("aclrtSynchronizeStream", 24, 40, site="0x401050", stream=2, unfinished=True)
    yield {"ph": "X", "cat": "range", "name": ODD, "pid": THREAD, "tid": THREAD + 1, "ts": 12, "dur": 30, "args": {}}
    yield {"ph": "i", "cat": "mark", "name": "half", "pid": THREAD, "tid": THREAD, "ts": 35, "s": "t", "args": {}}
    yield {"ph": "i", "cat": "finding", "s": "t", "name": "host-write-in-flight", "pid": THREAD, "tid": THREAD,
           "ts": 26, "args": {"severity": "error", "text": "writes " + ODD}}  # fmt: skip
    yield {"ph": "C", "name": "device memory", "pid": DEVICE, "tid": 0, "ts": 1, "args": {"bytes": 1 << 20}}
    yield {"ph": "M", "name": "ferry_end", "pid": THREAD, "tid": 0,
           "args": {"events": 19, "dropped": 0, "reason": "exit"}}  # fmt: skip


class Written(ToolTest):
    """What needs no browser."""

    def test_a_page_that_cannot_be_written(self):
        trace = self.write("trace.json", "[\n" + ",\n".join(map(json.dumps, small_trace())) + "\n]\n")
        done = run(PAGE, trace, self.folder / "missing" / "page.html")
        self.assert_code(done, 1)
        self.assert_complaint(done, "missing/page.html cannot be created: No such file or directory")
        if os.path.exists("/dev/full"):
            done = run(PAGE, trace, "/dev/full")
            self.assert_code(done, 1)
            self.assert_complaint(done, "/dev/full cannot be written")

    def test_it_needs_nothing_else(self):
        trace = self.write("trace.json", "[\n" + ",\n".join(map(json.dumps, small_trace())) + "\n]\n")
        self.assert_ok(run(PAGE, trace, self.folder / "page.html"))
        elements = []
        parser = html.parser.HTMLParser()
        parser.handle_starttag = lambda tag, attributes: elements.append((tag, dict(attributes)))
        parser.feed((self.folder / "page.html").read_text())
        self.assertEqual([tag for tag, _ in elements].count("script"), 2)  # the data and the script
        for tag, attributes in elements:
            self.assertNotIn(tag, ("img", "link", "iframe", "base"))
            self.assertFalse({"src", "href", "onerror", "onload"} & attributes.keys(), tag)
        policy = next(one for tag, one in elements if one.get("http-equiv") == "Content-Security-Policy")
        self.assertIn("default-src 'none'", policy["content"])


class OfReport(ToolTest):
    """What `ferry report` puts into its page."""

    def test_tables_and_places(self):
        trace = self.write("trace.json", "[\n" + ",\n".join(map(json.dumps, small_trace())) + "\n]\n")
        page = self.folder / "page.html"
        self.assert_code(ferry("report", "--no-limit", "--html", page, trace), 0)
        text = page.read_text().split('<script type="application/json" id="data">')[1].split("</script>")[0]
        data = json.loads(text)
        self.assertEqual(data["works"]["count"], 5)
        tables = {table["title"]: table for table in data["tables"]}
        self.assertTrue({"Why the host was blocked", "Ranges of the program"} <= tables.keys(), tables.keys())
        # The page has its own.
        self.assertFalse({"Copies by size", "Streams", "Call sites", "Findings of the checker"} & tables.keys())
        gaps = tables["Longest times in which a device had nothing to do"]
        self.assertEqual(len(gaps["times"]), len(gaps["rows"]))
        self.assertIn([50000, 51000], gaps["times"])  # between a copy and the batch; waits are not work

    def test_a_page_that_cannot_be_written(self):
        trace = self.write("trace.json", "[\n" + ",\n".join(map(json.dumps, small_trace())) + "\n]\n")
        done = ferry("report", "--no-limit", "--html", self.folder / "missing" / "page.html", trace)
        self.assert_code(done, 1)
        self.assert_complaint(done, "missing/page.html cannot be created")


@unittest.skipIf(IS_SANITIZED, "the browser is not sanitized; the classes above write pages")
@unittest.skipIf(BROWSER is None, "there is no chromium, chromium-browser or google-chrome here")
class Shown(ToolTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        trace = cls.folder / "trace.json"
        trace.write_text("[\n" + ",\n".join(map(json.dumps, small_trace())) + "\n]\n")
        cls.page = cls.folder / "page.html"
        assert run(PAGE, trace, cls.page).code == 0
        cls.browser = browser.Browser(BROWSER)
        cls.addClassCleanup(cls.browser.__exit__)

    def setUp(self):
        self.browser.prefer(color_scheme="light", reduced_motion="reduce")
        self.open(self.page)

    def tearDown(self):
        self.assertEqual(self.browser.errors(), [])

    def open(self, page, fragment=""):
        self.browser.call("Page.navigate", url="about:blank")  # a fragment alone would not load the page again
        self.browser.wait_for("Page.loadEventFired")
        self.browser.open(page, fragment)

    def value(self, expression):
        return self.browser.evaluate(expression)

    def texts(self, selector):
        return self.value(f"[...document.querySelectorAll({json.dumps(selector)})].map((one) => one.textContent)")

    def rows(self, title):
        """The cells of the table under this heading."""
        return self.value(
            "[...[...document.querySelectorAll('#panel h2')].find((one) => one.textContent === %s)"
            ".nextElementSibling.querySelectorAll('tbody tr')]"
            ".map((row) => [...row.children].map((one) => one.textContent))"
            % json.dumps(title)
        )

    def middle_of(self, table, index):
        """Where an item is in the window."""
        return self.value(
            "(() => { const box = ferry.timeline.boxOf({ table: %s, index: %d });"
            "const origin = ferry.timeline.canvas.getBoundingClientRect();"
            "return { x: Math.round(origin.left + (box.left + box.right) / 2),"
            "y: Math.round(origin.top + box.top + box.height / 2) }; })()"
            % (json.dumps(table), index)
        )

    def open_tab(self, label):
        self.value(
            "[...document.querySelectorAll('#tabs button')].find((one) => one.textContent.startsWith(%s)).click()"
            % json.dumps(label)
        )

    def test_it_opens(self):
        self.assertEqual(self.texts("#program"), ["pages"])
        self.assertIn("5 works", self.texts("#about")[0])
        self.assertEqual(self.value("ferry.lanes.map((lane) => lane.title)"),
                         ["thread 77", f"{ODD} (78)", "stream 1", "stream 2"])  # fmt: skip
        self.assertEqual(self.value("document.querySelectorAll('img').length"), 0)
        self.assertTrue(self.value("document.getElementById('warning').hidden"))

    def test_all_that_was_recorded_is_there(self):
        self.assertEqual(self.value("[...ferry.trace.works.number]"), [1, 2, 3, 4, 5])
        self.assertEqual(self.value("[...ferry.trace.works.begin]"), [20000, 30000, 50000, 20000, 51000])
        self.assertEqual(self.value("[...ferry.trace.works.end]"), [30000, 50000, 50100, 50200, 59000])
        self.assertEqual(self.value("[...ferry.trace.works.queued]"), [9000, 16000, 33500, 1500, 29000])
        self.assertEqual(self.value("ferry.trace.works.dst.at(0).toString(16)"), "ffff800000001234")
        self.assertEqual(self.value("ferry.trace.works.src.at(0).toString(16)"), "1000")

    def test_extreme_numbers(self):
        def work(number, stream, begin, duration, **arguments):
            arguments = {"work": number, "kind": "copy", "stream": stream, "device": 0, "direction": "H2D", **arguments}
            return {"ph": "X", "cat": "work", "name": "copy", "pid": DEVICE, "tid": stream, "ts": begin, "dur": duration,
                    "args": arguments}  # fmt: skip

        first = next(small_trace())
        events = [first, work(1, 1, 9e14, 1e9), work(2, 1, 10, 5, bytes=2**62), work(3, 2, 20, 0, submitted=-5)]
        # One lane in which everything overlaps, and no end: the trace was cut off.
        events += [work(10 + i, 3, 30 + i / 10, 500, bytes=1) for i in range(40)]
        trace = self.write("extreme.json", "[\n" + ",\n".join(map(json.dumps, events)) + ",\n")
        page = self.folder / "extreme.html"
        self.assert_ok(run(PAGE, trace, page))
        self.open(page)
        self.assertEqual(self.value("[...ferry.trace.works.begin].slice(0, 4)"), [2**51 - 1, 10000, 20000, 30000])
        self.assertEqual(self.value("[...ferry.trace.works.bytes].slice(0, 4)"), [0, 2**51 - 1, 0, 1])
        self.assertEqual(self.value("ferry.bounds.begin"), -5000)
        self.assertEqual(self.value("ferry.lanes.map((lane) => lane.rows.length)"), [1, 1, 12])
        self.assertIn("cut off", self.texts("#warning")[0])
        for tab in ("Overview", "Selection", "Advice", "Findings", "Tables", "Sizes"):
            self.open_tab(tab)
        self.browser.frame()

    def test_a_tooltip(self):
        place = self.middle_of("works", 0)
        self.browser.mouse("mouseMoved", **place)
        self.assertFalse(self.value("document.getElementById('tooltip').hidden"))
        self.assertEqual(self.texts("#tooltip strong"), ["H2D 4.0 KiB"])
        names, texts = self.texts("#tooltip dt"), self.texts("#tooltip dd")
        facts = dict(zip(names, texts))
        self.assertEqual(facts["call"], "aclrtMemcpyAsync")
        self.assertEqual(facts["duration"], "10.0 µs")
        self.assertEqual(facts["waited in queue"], "9.00 µs")
        self.assertEqual(facts["moved"], "4 KiB, host to device")
        self.assertEqual(facts["speed"], "0.410 GB/s")
        self.assertEqual(facts["from"], "load_page  </script><b>pages.cpp:42")

    def facts_of(self, table, index):
        return dict(self.value(f"ferry.factsOf({{ table: '{table}', index: {index} }}, false)"))

    def test_callers_and_calls_in_progress(self):
        batch = self.facts_of("calls", 4)
        self.assertEqual((batch["from"], batch["called by"]), ("save pages.cpp:50", "step pages.cpp:60"))
        self.assertNotIn("by", batch)
        self.assertEqual(self.facts_of("calls", 5)["duration"], "more than 40.0 µs")
        self.assertNotIn("called by", self.facts_of("calls", 0))

    def test_wheel_and_keys_zoom(self):
        place = self.middle_of("works", 1)
        before = self.value("[ferry.view.begin, ferry.view.end]")
        time = self.value(f"ferry.timeline.timeAt({place['x']})")
        self.browser.mouse("mouseWheel", deltaX=0, deltaY=-240, **place)
        self.browser.frame()
        after = self.value("[ferry.view.begin, ferry.view.end]")
        self.assertLess(after[1] - after[0], 0.7 * (before[1] - before[0]))
        self.assertAlmostEqual(self.value(f"ferry.timeline.timeAt({place['x']})"), time, delta=1)
        self.browser.key("w")
        zoomed = self.value("ferry.view.span")
        self.assertAlmostEqual(zoomed, 0.8 * (after[1] - after[0]), delta=1)
        self.browser.key("d")
        self.assertAlmostEqual(self.value("ferry.view.span"), zoomed, delta=1)
        self.browser.key("f")
        self.assertEqual(self.value("[ferry.view.begin, ferry.view.end]"), before)

    def test_a_click_selects_and_shows_what_belongs_to_it(self):
        self.browser.click(**self.middle_of("works", 3))
        self.assertEqual(self.texts("#panel .selection-title"), ["wait"])
        self.assertEqual(self.texts("#panel .links > div"), [
            "submitted by aclrtStreamWaitEvent", "waits for record", "after it batch D2H 8 x 1.0 KiB"])  # fmt: skip
        self.value("[...document.querySelectorAll('#panel .link')][1].click()")
        self.assertEqual(self.texts("#panel .selection-title"), ["record"])
        self.assertIn("awaited by wait", self.texts("#panel .links > div"))
        self.browser.key("Escape")
        self.assertIsNone(self.value("ferry.app.selection"))

    def test_search(self):
        self.browser.key("/")
        self.assertEqual(self.value("document.activeElement.id"), "search")
        self.browser.call("Input.insertText", text="H2D")
        self.assertEqual(self.texts("#search-count"), ["2"])
        self.browser.key("Enter")
        self.assertEqual(self.texts("#search-count"), ["1 of 2"])
        self.assertEqual(self.value("ferry.app.selection"), {"table": "works", "index": 0})
        self.value("document.getElementById('scroller').focus()")
        for key, index in (("n", 1), ("n", 0), ("p", 1)):
            self.browser.key(key)
            self.assertEqual(self.value("ferry.app.selection.index"), index)
        for words, count in (("load_page", 4), ("load_page aclrtMemcpyAsync 64.0", 1), ("#5", 1), ("nothing", 0)):
            self.value(f"ferry.search.run({json.dumps(words)})")
            self.assertEqual(self.value("ferry.search.matches.length"), count, words)

    def test_filters(self):
        def press(chip, shift=False):
            self.value(
                f"document.querySelector('[data-chip={json.dumps(chip)}]').dispatchEvent("
                f"new MouseEvent('click', {{ shiftKey: {json.dumps(shift)}, bubbles: true }}))"
            )

        self.assertEqual([row[0] for row in self.rows("Copies by direction")], ["H2D pinned", "D2H pinned"])
        press("category:H2D")
        self.assertEqual(self.rows("Copies by direction"), [
            ["D2H pinned", "1", "8", "8 KiB", "8.00 µs", "8.00 µs", "1.02", ""]])  # fmt: skip
        self.assertEqual(self.value("[...ferry.filter.shown.works]"), [0, 0, 1, 1, 1])
        self.assertEqual(self.value("document.querySelector('[data-chip=\"category:H2D\"]').ariaPressed"), "false")
        press("category:H2D")
        for only in ([1, 1, 1, 0, 0], [1, 1, 1, 1, 1], [1, 1, 1, 0, 0]):
            press("stream:stream 1", shift=True)
            self.assertEqual(self.value("[...ferry.filter.shown.works]"), only)
        self.assertEqual(self.value("[...ferry.filter.shown.works]"), [1, 1, 1, 0, 0])
        self.browser.key("Escape")
        self.assertEqual(self.value("[...ferry.filter.shown.works]"), [1, 1, 1, 1, 1])

    def test_tables(self):
        self.open_tab("Tables")
        self.assertEqual(self.rows("By direction"), [
            ["H2D pinned", "2", "2", "68 KiB", "30.0 µs", "15.0 µs", "2.32", "15 %"],
            ["D2H pinned", "1", "8", "8 KiB", "8.00 µs", "8.00 µs", "1.02", ""]])  # fmt: skip
        self.assertEqual([row[:3] for row in self.rows("By size")], [
            ["1 KiB to 2 KiB", "1", "8"], ["4 KiB to 8 KiB", "1", "1"], ["64 KiB to 128 KiB", "1", "1"]])  # fmt: skip
        self.assertEqual([row[:2] for row in self.rows("By stream")], [
            ["device 0, stream 2", "2"], ["device 0, stream 1", "3"]])  # fmt: skip
        self.assertEqual(self.rows("By call site")[1][:3], [
            "aclrtMemcpyAsync", "load_page  </script><b>pages.cpp:42", "2"])  # fmt: skip
        self.assertEqual(self.rows("Idle gaps"), [["stream 1", "1.5"], ["<i>stream 2</i>", "2"]])
        self.value("[...document.querySelectorAll('#panel tr.clickable')].at(-1).click()")  # shows 30 to 40 us
        self.assertEqual(self.value("[ferry.view.begin, ferry.view.end].map(Math.round)"), [24000, 46000])
        self.value("document.querySelector('#panel th button').click()")
        self.assertEqual([row[0] for row in self.rows("By direction")], ["D2H pinned", "H2D pinned"])

    def test_sizes(self):
        self.open_tab("Sizes")
        self.assertEqual(self.texts("#panel svg title"), [
            "D2H, 1 KiB to 2 KiB: 8", "H2D, 4 KiB to 8 KiB: 1", "H2D, 64 KiB to 128 KiB: 1"])  # fmt: skip
        self.value("document.querySelectorAll('#panel .segments button')[1].click()")
        self.assertEqual(self.texts("#panel svg title")[2], "H2D, 64 KiB to 128 KiB: 64 KiB")

    def test_bandwidth(self):
        sums = self.value("ferry.bandwidth(15000, 55000, 4, ferry.filter.shown.works).sums.map((sum) => [...sum])")
        self.assertEqual([round(value) for value in sums[0]], [2048, 18432, 32768, 16384])  # H2D
        self.assertEqual([round(value) for value in sums[1]], [0, 0, 0, 4096])  # D2H

    def test_advice_shows_its_evidence(self):
        self.open_tab("Advice")
        self.assertEqual(self.texts("#panel .head > span:first-child"), ["Copy <b>blocks</b> with one call"])
        self.value("document.querySelector('#panel .advice button').click()")
        self.browser.frame()
        matches = self.value("ferry.search.matches.map((item) => item.table + item.index)")
        self.assertEqual(matches, ["works1", "works2", "calls0"])
        begin, end = self.value("[ferry.view.begin, ferry.view.end]")
        self.assertTrue(0 < begin < 10000 and 50100 < end < 59000, (begin, end))

    def test_long_lines_of_advice_stay_in_the_window(self):
        for tab in ("Overview", "Advice"):
            self.open_tab(tab)
            right = self.value("document.querySelector('#panel .advice li').getBoundingClientRect().right")
            self.assertLessEqual(right, self.value("innerWidth"), tab)

    def test_findings(self):
        self.open_tab("Findings")
        self.assertEqual(self.texts("#panel .advice p"), ["writes " + ODD])
        self.value("document.querySelector('#panel .advice button').click()")
        self.assertEqual(self.texts("#panel .selection-title"), ["host-write-in-flight"])

    def test_the_address_keeps_what_is_shown(self):
        self.open(self.page, "#t=20000,40000&s=works/1&q=H2D&tab=tables&h=1")
        self.assertEqual(self.value("[ferry.view.begin, ferry.view.end]"), [20000, 40000])
        self.assertEqual(self.value("ferry.app.selection"), {"table": "works", "index": 1})
        self.assertEqual(self.texts("#search-count"), ["2"])
        self.assertEqual(self.value("[...ferry.filter.shown.works]"), [1, 1, 1, 1, 0])
        self.assertEqual(self.value("document.querySelector('[aria-selected=true]').textContent"), "Tables")
        self.value("new Promise((done) => { ferry.view.jump(20000, 30000); setTimeout(done, 400); })")
        self.assertIn("t=20000%2C30000&s=works%2F1&q=H2D&tab=tables&h=1", self.value("location.hash"))
        self.open(self.page, "#t=x,y&s=works/99&tab=none&h=-1")  # nonsense changes nothing
        self.assertIsNone(self.value("ferry.app.selection"))

    def test_light_and_dark(self):
        self.assertEqual(self.value("document.documentElement.dataset.shade"), "light")
        self.browser.prefer(color_scheme="dark", reduced_motion="reduce")
        self.assertEqual(self.value("document.documentElement.dataset.shade"), "dark")
        self.browser.key("t")
        self.assertEqual(self.value("document.documentElement.dataset.shade"), "light")

    def test_keys_are_listed(self):
        self.browser.key("?")
        self.assertTrue(self.value("document.getElementById('keys').open"))
        self.browser.key("Escape")

    def test_on_paper(self):
        self.browser.prefer(color_scheme="dark")
        self.browser.call("Emulation.setEmulatedMedia", media="print")
        self.value("window.dispatchEvent(new Event('beforeprint'))")
        self.assertEqual(self.texts("#print > h2"),
                         ["Timeline", "Advice", "Findings", "Tables", "Sizes of copied items"])  # fmt: skip
        self.assertGreater(self.value("document.querySelector('#print img').src.length"), 5000)
        self.value("window.dispatchEvent(new Event('afterprint'))")
        self.browser.call("Emulation.setEmulatedMedia", media="")
        self.assertEqual(self.value("document.getElementById('print').childElementCount"), 0)

    def test_a_trace_of_100000_works(self):
        trace = self.folder / "large.json"
        page = self.folder / "large.html"
        make_trace.write(str(trace), 100000)
        self.assert_ok(run(PAGE, trace, page))
        self.assertLess(page.stat().st_size, 15_000_000)
        self.open(page)
        self.assertEqual(self.rows("Copies by direction")[0][:4], ["H2D pinned", "100,000", "100,000", "1.81 GiB"])
        self.assertEqual(self.value("ferry.lanes.map((lane) => lane.works.length)"), [0, 50000, 50000])
        self.value("ferry.search.run('64.0')")
        self.assertEqual(self.value("ferry.search.matches.length"), 25000)
        self.value("ferry.view.jump(1000000, 1001000)")
        self.browser.frame()
        # number 50000 begins at 1000002.25 us
        index = self.value("ferry.trace.works.begin.indexOf(1000002250)")
        self.assertEqual(self.value(f"ferry.trace.works.number[{index}]"), 50000)
        self.value("ferry.view.jump(1000000000, 1000020000)")
        self.browser.frame()
        self.browser.mouse("mouseMoved", **self.middle_of("works", index))
        self.assertEqual(self.texts("#tooltip strong"), ["H2D 64.0 KiB"])


if __name__ == "__main__":
    main()
