# SPDX-License-Identifier: Apache-2.0
"""Backends as plugins: the one in examples/backend, built outside the tree against an installation, passes the
conformance tests; and the errors when a plugin is unknown or cannot be used."""

import re

from support import (
    CC,
    CMAKE,
    CONFORMANCE,
    DEVICE_FUNCTION,
    KV_OFFLOAD,
    LIBRARY,
    PYTHON,
    READELF,
    SOURCE,
    ToolTest,
    configure,
    install,
    main,
    needs_cmake,
    plain_builds_only,
    run,
)

# What every backend must get right, by group. Left out are tests of host addresses: those of arena can be accessed, so
# freed device memory is ordinary host memory to a copy that is made during the call.
BASIC = {
    "copies": "AclrtMemcpy.*:AclrtMemcpyAsync.*:AclrtMemcpyAsyncErrors.*:AclrtMemcpyAsyncRanges.*",
    "copies by descriptor or offset": "AclrtMemcpyAsyncWithDesc.*:AclrtMemcpyAsyncWithOffset.*",
    "batches": "AclrtMemcpyBatch*",
    "2D": "AclrtMemcpy2d*",
    "memset": "AclrtMemsetAsync.*:AclrtMemsetD32*",
    "memory": "AclrtMalloc.*:AclrtMallocHost.*:AclrtHostRegister.*",
    "events": "AclrtRecordEvent.*:AclrtQueryEvent*:AclrtStreamWaitEvent*:AclrtEventElapsedTime.*",
    "streams": "AclrtCreateStream.*:AclrtDestroyStream*:AclrtStreamQuery.*:AclrtSetStreamFailureMode*",
    "notifies": "AclrtRecordNotify.*:AclrtWaitAndResetNotify.*:AclrtNotifyBatchReset.*",
    "callbacks": "AclrtLaunchCallback.*:AclrtLaunchHostFunc.*:AclrtProcessReport.*",
    "synchronisation": "AclrtSynchronize*",
    "abort": "AclrtStreamAbort.*",
    "memory that faults": "InaccessibleHostMemory.BehindTheEnd*:InaccessibleHostMemory.MayBecomeSo*",
}
LEAST_TESTS = 80

SET_DEVICE = """
import ctypes, sys
runtime = ctypes.CDLL(sys.argv[1])
runtime.aclGetRecentErrMsg.restype = ctypes.c_char_p
code = runtime.aclrtSetDevice(0)
print(code, (runtime.aclGetRecentErrMsg() or b"").decode())
"""

OTHER_VERSION = """
#include <ferry/backend.h>
static const ferryx_backend table = {sizeof(ferryx_backend), FERRYX_ABI_MAJOR + 1, 7, "future", 0};
__attribute__((visibility("default"))) const ferryx_backend* ferryx_backend_table(void) { return &table; }
"""


@plain_builds_only
@needs_cmake
class ExampleBackend(ToolTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.prefix = cls.folder / "ferry"
        install(cls.prefix)
        cls.plugins = cls.folder / "build"
        source = cls.prefix / "share/ferry/examples/backend"
        for done in (
            configure(source, cls.plugins, cls.prefix, "-DCMAKE_CXX_FLAGS=-Werror"),
            run(CMAKE, "--build", cls.plugins),
        ):
            assert done.code == 0, done

    def run_on_plugins(self, devices, *command, **changes):
        return run(*command, FERRY_PLUGINS=str(self.plugins), FERRY_DEVICES=devices, **changes)

    def conformance(self, devices, tests, **changes):
        command = (CONFORMANCE, "--gtest_brief=1", f"--gtest_filter={tests}")
        done = self.run_on_plugins(devices, *command, **changes)
        self.assert_code(done, 0)
        self.assertNotIn("SKIPPED", done.out, done)
        return int(re.search(r"\[  PASSED  \] (\d+) tests", done.out).group(1))

    # ---- the example ----

    def test_the_plugin_needs_no_library_of_ferry_and_exports_one_symbol(self):
        plugin = self.plugins / "libferry_arena.so"
        self.assertNotIn("ascendcl", run(READELF, "--dynamic", plugin).out)
        symbols = run(READELF, "--dyn-syms", "--wide", plugin).out
        exported = re.findall(r"GLOBAL DEFAULT +\d+ (\w+)", symbols)
        self.assertEqual(exported, ["ferryx_backend_table"])

    def test_basic_conformance(self):
        count = 0
        for group, tests in BASIC.items():
            with self.subTest(group):
                count += self.conformance("arena", tests)
        self.assertGreaterEqual(count, LEAST_TESTS)

    def test_two_devices(self):
        self.conformance("arena:2", "AclrtMemcpyPeer.*:AclrtMemcpyAsyncPeer.*")

    def test_the_checker_in_front(self):
        sizes = ("--blocks", "16", "--block-size", "512,8K", "--layers", "4", "--rounds", "2")
        done = self.run_on_plugins("arena", KV_OFFLOAD, *sizes, FERRY_CHECK="1")
        self.assert_code(done, 0)
        self.assertIn("Every byte was right", done.out, done)
        self.assertNotIn("ferry: error", done.err, done)

    def test_device_functions(self):
        self.assert_ok(self.run_on_plugins("arena", DEVICE_FUNCTION))

    def test_an_entry_it_does_not_understand(self):
        self.assert_refused("arena:65", "backend arena cannot be opened", "arena:1 to arena:64")

    # ---- plugins that cannot be used ----

    def assert_refused(self, devices, *words):
        done = self.run_on_plugins(devices, PYTHON, "-c", SET_DEVICE, LIBRARY)
        self.assert_ok(done)
        self.assertRegex(done.out, "^507033 ", done)
        for word in words:
            self.assertIn(word, done.out, done)
        return done.out

    def add_plugin(self, name, source):
        source = self.write(f"{name}.c", source, 0o644)
        library = self.plugins / f"libferry_{name}.so"
        self.build(CC, library, "-shared", "-fPIC", f"-I{self.prefix}/include", source)

    def test_an_unknown_name_is_answered_with_those_found(self):
        names = ("cpu", "null", "arena")
        text = self.assert_refused("nonsense", "names nonsense", *names, str(self.plugins))
        self.assertNotIn("symbols", text)  # another plugin of Ferry's, beside its library

    def test_a_library_without_the_entry_is_no_backend(self):
        self.add_plugin("stranger", "int stranger;\n")
        self.assertNotIn("stranger", self.assert_refused("nonsense", "arena"))
        self.assert_refused("stranger", "FERRY_DEVICES names stranger, which is no backend")

    def test_another_major_version(self):
        self.add_plugin("future", OTHER_VERSION)
        header = (SOURCE / "include/ferry/backend.h").read_text()
        major = int(re.search(r"#define FERRYX_ABI_MAJOR (\d+)", header).group(1))
        minor = int(re.search(r"#define FERRYX_ABI_MINOR (\d+)", header).group(1))
        found = f"backend future has interface version {major + 1}.7"
        self.assert_refused("future", found, f"needed is {major}.{minor}")

    def test_a_file_that_cannot_be_loaded(self):
        broken = self.plugins / "libferry_broken.so"
        broken.write_bytes(b"\0ferryx_backend_table\0")
        self.assert_refused("broken", "its plugin cannot be loaded", str(broken))


if __name__ == "__main__":
    main()
