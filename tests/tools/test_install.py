# SPDX-License-Identifier: Apache-2.0
"""The result of cmake --install, used as programs and build files use CANN. The installation is moved before
it is used, so that a hard-coded path is detected."""

import os
import pathlib
import platform
import shutil
import sys

from support import (
    BUILD,
    CC,
    CMAKE,
    CXX,
    HERE,
    KV_OFFLOAD,
    READELF,
    ToolTest,
    configure,
    environment,
    install,
    main,
    needs_cmake,
    plain_builds_only,
    run,
)

PROGRAMS = HERE / "programs"
COMPANIONS = (
    "acl_op_compiler",
    "acl_tdt_channel",
    "acl_tdt_queue",
    "ascend_dump",
    "ascend_hal",
    "ascendalog",
    "dcmi",
    "drvdsmi_host",
    "ge_runner",
    "graph",
    "hccl",
    "ms_tools_ext",
    "msprofiler",
    "platform",
    "profapi",
)
HOME_NAMES = ("ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME", "ASCEND_CANN_PACKAGE_PATH")


@plain_builds_only
@needs_cmake
class Install(ToolTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.first_prefix = cls.folder / "first"
        cls.prefix = cls.folder / "moved" / "ferry"
        cls.prefix.parent.mkdir()
        install(cls.first_prefix)
        cls.first_prefix.rename(cls.prefix)

    # ---- the layout ----

    def test_headers(self):
        for name in (
            "acl/acl.h",
            "acl/acl_rt.h",
            "acl/acl_base.h",
            "acl/rt/copy_batch.h",
            "acl/error_codes/rt_error_codes.h",
            "acl/acl_tdt.h",
            "acl/acl_tdt_queue.h",
            "acl/acl_rt_api.h",
            "acl/acl_platform.h",
            "acl/acl_base_mdl.h",
            "acl/acl_op_compiler.h",
            "hccl/hccl.h",
            "ms_tools_ext.h",
            "ferry/ferry.h",
            "ferry/backend_slots.def",
        ):
            self.assertTrue((self.prefix / "include" / name).is_file(), name)

    def test_library(self):
        library = self.prefix / "lib64/libascendcl.so"
        self.assertFalse(library.is_symlink())
        for name in ("libacl_rt.so", "libruntime.so", "libacl_rt_impl.so"):
            self.assertEqual(os.readlink(self.prefix / "lib64" / name), "libascendcl.so")
        dynamic = run(READELF, "-d", library).out
        self.assertIn("soname: [libascendcl.so]", dynamic)
        self.assertNotRegex(dynamic, "RPATH|RUNPATH")

    def test_other_names_of_the_folders(self):
        for home in (f"{platform.machine()}-linux", "runtime", "acllib", "compiler"):
            for name in ("include", "lib64"):
                link = self.prefix / home / name
                self.assertEqual(os.readlink(link), f"../{name}", link)
                self.assertTrue(link.is_dir(), link)

    def test_folders_that_programs_look_for(self):
        self.assertEqual(os.readlink(self.prefix / "devlib"), "lib64")
        self.assertTrue((self.prefix / "opp").is_dir())

    def test_every_file_belongs_to_a_package(self):
        without = [
            str(file)
            for file in pathlib.Path(BUILD).rglob("cmake_install.cmake")
            if '"Unspecified"' in file.read_text() and "wheel" not in file.parts
        ]
        self.assertEqual(without, [], "install() without COMPONENT: no Debian package would contain it")

    # ---- libraries beside it ----

    def test_companion_libraries_load_from_anywhere(self):
        loader = "import ctypes, sys; [ctypes.CDLL(name) for name in sys.argv[1:]]"
        for name in COMPANIONS:
            with self.subTest(name):
                library = self.prefix / "lib64" / f"lib{name}.so"
                self.assertTrue(library.is_file(), library)
                self.assert_ok(run(sys.executable, "-c", loader, library))
        # By name, all in one process.
        files = [f"lib{name}.so" for name in COMPANIONS]
        done = run(sys.executable, "-c", loader, *files, LD_LIBRARY_PATH=str(self.prefix / "lib64"))
        self.assert_ok(done)

    def test_a_program_links_many_of_them(self):
        for compiler, source in ((CC, "all_headers.c"), (CXX, "all_headers.cpp")):
            with self.subTest(source):
                program = self.build(
                    compiler,
                    source.replace(".", "_"),
                    PROGRAMS / source,
                    f"-I{self.prefix}/include",
                    f"-L{self.prefix}/lib64",
                    *[f"-l{name}" for name in COMPANIONS],
                    "-lruntime",
                    "-lacl_rt",
                    "-lascendcl",
                    f"-Wl,-rpath,{self.prefix}/lib64",
                )
                done = run(program)
                self.assert_ok(done)
                self.assertEqual(done.out, "loaded\n")

    def test_no_link_is_broken_and_no_path_is_written_down(self):
        for path in self.prefix.rglob("*"):
            self.assertTrue(path.exists(), path)
            if path.is_file() and path.suffix in (".cmake", ".pc", ".h", ".md"):
                text = path.read_text()
                for wrong in (str(self.first_prefix), BUILD):
                    self.assertNotIn(wrong, text, path)

    # ---- the program ----

    def test_ferry_finds_its_library(self):
        dynamic = run(READELF, "-d", self.prefix / "bin/ferry").out
        self.assertIn("RPATH", dynamic)
        self.assertIn("[$ORIGIN/../lib64]", dynamic)
        done = run(self.prefix / "bin/ferry", "info")
        self.assert_ok(done)
        self.assertIn(f"library   {self.prefix}/lib64/libascendcl.so\n", done.out)

    def test_manual_pages_and_completions_are_installed(self):
        pages = {page.name for page in (self.prefix / "share/man/man1").iterdir()}
        self.assertTrue({"ferry.1", "ferry-run.1", "ferry-explain.1"} <= pages, pages)
        for name in (
            "bash-completion/completions/ferry",
            "zsh/site-functions/_ferry",
            "fish/vendor_completions.d/ferry.fish",
        ):
            self.assertIn("ferry", (self.prefix / "share" / name).read_text())

    def test_ferry_explains_rules_with_their_pages(self):
        """The pages are installed for readers; the program has its own."""
        page = self.prefix / "share/ferry/rules/stream-race.md"
        self.assertIn("## What it means", page.read_text())
        page.unlink()
        done = run(self.prefix / "bin/ferry", "explain", "stream-race", "aclrtMemcpy")
        self.assert_ok(done)
        self.assertIn("\nWhat it means\n", done.out)

    def test_only_plugins_need_other_libraries(self):
        for name in ("libascendcl.so", "libferry_signals.so", "libferry_symbols.so", "libferry_trace.so"):
            library = self.prefix / "lib64" / name
            if name == "libferry_symbols.so" and not library.exists():
                continue  # built only where libdw is installed
            dynamic = run(READELF, "-d", library).out
            self.assertEqual("libdw" in dynamic, name == "libferry_symbols.so", dynamic)
            if name != "libferry_trace.so":  # which needs it where zlib was there to build with
                self.assertNotIn("libz.", dynamic)
            self.assertNotRegex(dynamic, "RPATH|RUNPATH")

    def test_ferry_works_through_a_link(self):
        link = self.folder / "ferry_link"
        link.symlink_to(self.prefix / "bin/ferry")
        self.assert_ok(run(link, "info"))

    def test_ferry_run_leads_to_the_installation(self):
        done = run(
            self.prefix / "bin/ferry",
            "run",
            "--",
            "env",
            PYTHONPATH="/mine",
            ASCEND_HOME_PATH="/usr/cann",
        )
        self.assert_ok(done)
        env = dict(line.split("=", 1) for line in done.out.split("\n") if "=" in line)
        self.assertEqual(env["LD_PRELOAD"], f"{self.prefix}/lib64/libascendcl.so")
        self.assertEqual(env["LD_LIBRARY_PATH"], f"{self.prefix}/lib64")
        self.assertEqual(env["PYTHONPATH"], f"{self.prefix}/python/site-packages:/mine")
        for name in HOME_NAMES:
            self.assertEqual(env[name], str(self.prefix))
        self.assertEqual(env["ASCEND_OPP_PATH"], f"{self.prefix}/opp")

    def test_ferry_run_with_a_program_of_the_build(self):
        done = run(
            self.prefix / "bin/ferry",
            "run",
            "--schedule",
            "lazy",
            "--",
            KV_OFFLOAD,
            "--blocks",
            "4",
            "--block-size",
            "1K",
            "--layers",
            "2",
            "--rounds",
            "1",
        )
        self.assert_ok(done)

    def test_ferry_demo(self):
        self.assert_ok(
            run(
                self.prefix / "bin/ferry",
                "demo",
                "--blocks",
                "4",
                "--block-size",
                "1K",
                "--layers",
                "2",
                "--rounds",
                "1",
            )
        )

    def test_a_prefix_with_a_space(self):
        prefix = self.folder / "with a space"
        shutil.copytree(self.prefix, prefix, symlinks=True)
        program = self.build(CC, "by_name", PROGRAMS / "load_by_name.c", "-ldl")
        done = run(prefix / "bin/ferry", "run", "--soc", "Ascend910B2", "--", program)
        self.assert_ok(done)
        self.assertEqual(done.out, "Ascend910B2\n")

    def test_a_prefix_that_the_loader_cannot_take(self):
        prefix = self.folder / "with:colon"
        shutil.copytree(self.prefix, prefix, symlinks=True)
        done = run(prefix / "bin/ferry", "run", "--", "true")
        self.assert_code(done, 1)
        self.assert_complaint(done, "colon")

    # ---- building against it ----

    def compile_and_run(self, output, compiler, *arguments):
        program = self.build(compiler, output, *arguments)
        done = run(program, LD_LIBRARY_PATH=str(self.prefix / "lib64"))
        self.assert_ok(done)
        return done.out

    def test_one_line_of_gcc(self):
        for home in ("", f"{platform.machine()}-linux", "runtime", "acllib"):
            for library in ("ascendcl", "acl_rt"):
                with self.subTest(home=home, library=library):
                    place = self.prefix / home
                    out = self.compile_and_run(
                        "plain_c",
                        CC,
                        PROGRAMS / "plain.c",
                        f"-I{place}/include",
                        f"-L{place}/lib64",
                        f"-l{library}",
                    )
                    self.assertEqual(out, "there and back\n")

    def test_one_line_of_gxx(self):
        out = self.compile_and_run(
            "plain_cpp",
            CXX,
            PROGRAMS / "plain.cpp",
            f"-I{self.prefix}/include",
            f"-L{self.prefix}/lib64",
            "-lascendcl",
        )
        self.assertRegex(out, r"^1 2 3, Ferry [0-9]+\.[0-9]+\.[0-9]+\n$")

    def test_headers_without_the_folder_acl_in_front(self):
        source = self.write(
            "bare.c", '#include "acl.h"\nint main(void) { return aclrtSetDevice(0); }\n', 0o644
        )
        self.compile_and_run(
            "bare",
            CC,
            source,
            f"-I{self.prefix}/include/acl",
            f"-L{self.prefix}/lib64",
            "-lascendcl",
        )

    def test_pkg_config(self):
        if shutil.which("pkg-config") is None:
            self.skipTest("pkg-config is not here")
        env = environment(PKG_CONFIG_PATH=str(self.prefix / "lib64/pkgconfig"))
        done = run("pkg-config", "--cflags", "--libs", "ferry", env=env)
        self.assert_ok(done)
        out = self.compile_and_run("by_pkg_config", CC, PROGRAMS / "plain.c", *done.out.split())
        self.assertEqual(out, "there and back\n")
        version = run("pkg-config", "--modversion", "ferry", env=env).out.strip()
        self.assertIn(f"ferry {version} ", run(self.prefix / "bin/ferry", "--version").out)

    def configure(self, source, build, *arguments):
        return configure(source, build, self.prefix, *arguments)

    def test_find_package(self):
        build = self.folder / "find_package"
        done = self.configure(PROGRAMS / "find_package", build, "-DWANTED_VERSION=0.1")
        self.assert_code(done, 0)
        done = run(CMAKE, "--build", build)
        self.assert_code(done, 0)
        done = run(build / "user")
        self.assert_ok(done)
        self.assertEqual(done.out, "there and back\n")
        done = self.configure(PROGRAMS / "find_package", build, "-DWANTED_VERSION=99")
        self.assertNotEqual(done.code, 0, "a version that is not there was found")

    def test_examples_as_a_project_of_their_own(self):
        build = self.folder / "examples"
        done = self.configure(
            self.prefix / "share/ferry/examples", build, "-DCMAKE_BUILD_TYPE=Debug"
        )
        self.assert_code(done, 0)
        done = run(CMAKE, "--build", build, "--target", "example_memcpy", "example_device_function")
        self.assert_code(done, 0)
        done = run(build / "memcpy")
        self.assert_ok(done)
        done = run("ctest", "--test-dir", build, "-R", "^example.(memcpy|device_function)$")
        self.assert_code(done, 0)
        self.assertIn("100% tests passed, 0 tests failed out of 2", done.out, done)


@plain_builds_only
@needs_cmake
class SetEnv(ToolTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.first_prefix = cls.folder / "first"
        cls.prefix = cls.folder / "moved there"
        install(cls.first_prefix)
        shutil.copytree(cls.first_prefix, cls.prefix, symlinks=True)

    def source(self, shell, script, prefix=None, cwd=None, **changes):
        """The environment after a script in which $P is the prefix."""
        env = environment(P=str(prefix or self.prefix), **changes)
        done = run(shell, "-c", script + "\nenv -0", env=env, cwd=cwd)
        self.assert_ok(done)
        return dict(entry.split("=", 1) for entry in done.out.split("\0") if "=" in entry)

    def shells(self):
        for shell in ("bash", "dash", "zsh", "sh"):
            if shutil.which(shell) is not None:
                yield shell

    def assert_leads_to(self, env, prefix):
        for name in HOME_NAMES:
            self.assertEqual(env[name], str(prefix))
        self.assertEqual(env["ASCEND_OPP_PATH"], f"{prefix}/opp")
        self.assertEqual(env["LD_LIBRARY_PATH"].split(":")[0], f"{prefix}/lib64")
        self.assertEqual(env["PYTHONPATH"].split(":")[0], f"{prefix}/python/site-packages")
        self.assertEqual(env["PATH"].split(":")[0], f"{prefix}/bin")

    def test_it_finds_itself_after_a_move(self):
        for shell in self.shells():
            with self.subTest(shell):
                env = self.source(shell, '. "$P/set_env.sh"')
                self.assert_leads_to(env, self.prefix)
                self.assertEqual(env["LD_LIBRARY_PATH"], f"{self.prefix}/lib64")  # no empty entry

    def test_by_a_relative_path(self):
        for shell in self.shells():
            with self.subTest(shell):
                self.assert_leads_to(
                    self.source(shell, ". ./set_env.sh", cwd=self.prefix), self.prefix
                )

    def test_source_is_the_same(self):
        for shell in ("bash", "zsh"):
            if shutil.which(shell) is not None:
                self.assert_leads_to(self.source(shell, 'source "$P/set_env.sh"'), self.prefix)

    def test_the_older_script_does_the_same(self):
        self.assert_leads_to(self.source("bash", '. "$P/bin/setenv.bash"'), self.prefix)

    def test_twice_is_once(self):
        for shell in self.shells():
            with self.subTest(shell):
                once = self.source(
                    shell, '. "$P/set_env.sh"', LD_LIBRARY_PATH="/a:/b c", PYTHONPATH="/d"
                )
                twice = self.source(
                    shell,
                    '. "$P/set_env.sh"; . "$P/set_env.sh"',
                    LD_LIBRARY_PATH="/a:/b c",
                    PYTHONPATH="/d",
                )
                self.assertEqual(once, twice)
                self.assertEqual(once["LD_LIBRARY_PATH"], f"{self.prefix}/lib64:/a:/b c")
                self.assertEqual(once["PYTHONPATH"], f"{self.prefix}/python/site-packages:/d")

    def test_the_last_one_sourced_comes_first(self):
        for shell in self.shells():
            with self.subTest(shell):
                env = self.source(
                    shell,
                    '. "$P/set_env.sh"; . "$Q/set_env.sh"; . "$P/set_env.sh"',
                    Q=str(self.first_prefix),
                )
                self.assert_leads_to(env, self.prefix)
                self.assertEqual(
                    env["LD_LIBRARY_PATH"], f"{self.prefix}/lib64:{self.first_prefix}/lib64"
                )

    def test_strict_shells(self):
        for shell in self.shells():
            with self.subTest(shell):
                self.assert_leads_to(self.source(shell, 'set -eu; . "$P/set_env.sh"'), self.prefix)

    def test_it_leaves_nothing_behind(self):
        for shell in self.shells():
            with self.subTest(shell):
                done = run(
                    shell, "-c", '. "$P/set_env.sh"; set', env=environment(P=str(self.prefix))
                )
                self.assert_ok(done)
                self.assertNotRegex(done.out, "_ferry_(?!tools_)")

    def test_a_program_finds_the_library_by_it(self):
        program = self.build(
            CC,
            "plain",
            PROGRAMS / "plain.c",
            f"-I{self.prefix}/include",
            f"-L{self.prefix}/lib64",
            "-lascendcl",
        )
        done = run(
            "sh",
            "-c",
            '. "$P/set_env.sh"; "$0"; ferry --version',
            program,
            env=environment(P=str(self.prefix)),
        )
        self.assert_ok(done)
        self.assertRegex(done.out, r"^there and back\nferry ")

    def test_the_prefix_is_known_where_the_shell_does_not_tell(self):
        script = (self.first_prefix / "set_env.sh").read_text()
        self.assertIn(f"'{self.first_prefix}'", script)


if __name__ == "__main__":
    main()
