// SPDX-License-Identifier: Apache-2.0
// Functions, files and lines of addresses, with and without the plugin.
#include "layers/check/report/symbols.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
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
