// SPDX-License-Identifier: Apache-2.0
// Functions, files and lines of addresses, with and without the plugin.
#include "layers/check/report/symbols.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <new>
#include <vector>

namespace ferry::layers::check {

// Not in an anonymous namespace, so that they have symbols.
struct SymbolsOfTest {
  [[gnu::noinline]] static uintptr_t return_address() {
    return reinterpret_cast<uintptr_t>(__builtin_return_address(0));
  }
  static constexpr uint32_t kLineOfCall = __LINE__ + 2;
  [[gnu::noinline]] static uintptr_t caller() {
    const uintptr_t address = return_address();
    asm volatile("" ::: "memory");  // prevents a tail call
    return address;
  }
  static constexpr uint32_t kLineOfInlinedCall = __LINE__ + 2;
  [[gnu::always_inline]] static inline uintptr_t inlined() {
    const uintptr_t address = return_address();
    asm volatile("" ::: "memory");
    return address;
  }
  static constexpr uint32_t kLineOfInlining = __LINE__ + 2;
  [[gnu::noinline]] static uintptr_t around() {
    const uintptr_t address = inlined();
    asm volatile("" ::: "memory");
    return address;
  }
};

namespace {

#ifdef FERRY_HAS_SYMBOLS_PLUGIN
TEST(Symbols, KnowFunctionFileAndLine) {
  const uintptr_t address = SymbolsOfTest::caller();
  const std::vector<Frame> frames = describe_frames({&address, 1});
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_EQ(short_function(frames[0].function), "ferry::layers::check::SymbolsOfTest::caller");
  EXPECT_TRUE(frames[0].file.ends_with("/symbols_test.cpp")) << frames[0].file;
  EXPECT_TRUE(frames[0].file.starts_with("/")) << frames[0].file;
  EXPECT_EQ(frames[0].line, SymbolsOfTest::kLineOfCall);
  EXPECT_FALSE(frames[0].is_inlined);
}

TEST(Symbols, KnowWhatWasInlinedWhere) {
  const uintptr_t address = SymbolsOfTest::around();
  const std::vector<Frame> frames = describe_frames({&address, 1});
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(short_function(frames[0].function), "ferry::layers::check::SymbolsOfTest::inlined");
  EXPECT_EQ(frames[0].line, SymbolsOfTest::kLineOfInlinedCall);
  EXPECT_TRUE(frames[0].is_inlined);
  EXPECT_EQ(short_function(frames[1].function), "ferry::layers::check::SymbolsOfTest::around");
  EXPECT_TRUE(frames[1].file.ends_with("/symbols_test.cpp")) << frames[1].file;
  EXPECT_EQ(frames[1].line, SymbolsOfTest::kLineOfInlining);
  EXPECT_FALSE(frames[1].is_inlined);
  EXPECT_EQ(frames[0].offset, frames[1].offset);
}

uint64_t address_space_in_use() {
  uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

// Runs in a child. There must be a frame, or an exception; libdw must not end the process.
[[noreturn]] void describe_within(uint64_t room) {
  const uintptr_t addresses[] = {SymbolsOfTest::caller(), SymbolsOfTest::around(),
                                 reinterpret_cast<uintptr_t>(&std::abort) + 1,
                                 reinterpret_cast<uintptr_t>(&testing::UnitTest::GetInstance) + 1};
  const rlim_t most = address_space_in_use() + room;
  const rlimit limit{.rlim_cur = most, .rlim_max = most};
  if (setrlimit(RLIMIT_AS, &limit) != 0) _exit(2);
  try {
    for (const uintptr_t address : addresses) {
      if (describe_frames({&address, 1}).empty()) _exit(3);
    }
  } catch (const std::bad_alloc&) {
    _exit(0);
  }
  _exit(0);
}

TEST(Symbols, GoWithoutLinesWhenMemoryIsShort) {
  constexpr uint64_t kMiB = uint64_t{1} << 20;
  if (address_space_in_use() > (kMiB << 20)) GTEST_SKIP() << "a sanitizer needs the addresses";
  for (uint64_t room = 0; room < 64 * kMiB; room += kMiB) {
    EXPECT_EXIT(describe_within(room), testing::ExitedWithCode(0), "") << (room / kMiB) << " MiB";
  }
}
#endif

TEST(Symbols, KnowTheModule) {
  const uintptr_t address = SymbolsOfTest::caller();
  const std::vector<Frame> frames = describe_frames({&address, 1});
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_NE(frames[0].module.find("ferry_unit"), std::string::npos);
  Dl_info info{};
  ASSERT_NE(dladdr(reinterpret_cast<const void*>(address), &info), 0);
  EXPECT_EQ(frames[0].offset, address - 1 - reinterpret_cast<uintptr_t>(info.dli_fbase));
}

TEST(Symbols, KnowFunctionsOfLibraries) {
  const auto address = reinterpret_cast<uintptr_t>(dlsym(RTLD_DEFAULT, "malloc_usable_size")) + 1;
  const std::vector<Frame> frames = describe_frames({&address, 1});
  ASSERT_FALSE(frames.empty());
  EXPECT_NE(frames.back().function.find("malloc_usable_size"), std::string::npos);
}

TEST(Symbols, SurviveAddressesOfNothing) {
  const uintptr_t addresses[] = {0, 1, 4096, UINTPTR_MAX, reinterpret_cast<uintptr_t>(&addresses)};
  const std::vector<Frame> frames = describe_frames(addresses);
  EXPECT_EQ(frames.size(), 5u);
  EXPECT_TRUE(std::all_of(frames.begin(), frames.end(),
                          [](const Frame& frame) { return frame.file.empty(); }));
}

TEST(ShortFunction, LeavesOutWhatDoesNotNameIt) {
  EXPECT_EQ(short_function("main"), "main");
  EXPECT_EQ(short_function("copy_out(Batch const&, int)"), "copy_out");
  EXPECT_EQ(short_function("(anonymous namespace)::copy_out(int)"), "copy_out");
  EXPECT_EQ(short_function("a::(anonymous namespace)::B::run()"), "a::B::run");
  EXPECT_EQ(short_function("void a::fill<std::pair<int, int> >(int)"),
            "a::fill<std::pair<int, int> >");
  EXPECT_EQ(short_function("A::operator()(int) const"), "A::operator()");
  EXPECT_EQ(short_function("operator<<(std::ostream&, A)"), "operator<<");
  EXPECT_EQ(short_function("operator new(unsigned long)"), "operator new");
  EXPECT_EQ(short_function("run(int)::{lambda(int)#1}::operator()(int) const"),
            "run(int)::{lambda(int)#1}::operator()");
  EXPECT_EQ(short_function(""), "");
}

}  // namespace
}  // namespace ferry::layers::check
