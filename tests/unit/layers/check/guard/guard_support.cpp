// SPDX-License-Identifier: Apache-2.0
// The functions that touch memory are in sections of their own: the linker marks their bounds, so
// that a test can tell whether an address is in one.
#include "tests/unit/layers/check/guard/guard_support.h"

#include <sys/mman.h>
#include <unistd.h>

#include <mutex>
#include <utility>

extern const char kWritersBegin[] __asm__("__start_touch_writers");
extern const char kWritersEnd[] __asm__("__stop_touch_writers");
extern const char kReadersBegin[] __asm__("__start_touch_readers");
extern const char kReadersEnd[] __asm__("__stop_touch_readers");

namespace ferry::layers::check {
namespace {

std::mutex told_mutex;  // guards told and watched
std::vector<Told> told;
const volatile char* watched = nullptr;

void on_touch(const Touch& touch) {
  const std::lock_guard lock(told_mutex);
  told.push_back({touch, watched != nullptr ? *watched : char{0}});
}

bool is_within(uintptr_t frame, const char* start, const char* stop) {
  return frame > reinterpret_cast<uintptr_t>(start) && frame <= reinterpret_cast<uintptr_t>(stop);
}

}  // namespace

size_t page_size() {
  return static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

[[gnu::noinline, gnu::section("touch_writers")]] void write_byte(volatile char* at, char value) {
  *at = value;
}

[[gnu::noinline, gnu::section("touch_readers")]] char read_byte(const volatile char* at) {
  return *at;
}

bool is_in_write_byte(uintptr_t frame) {
  return is_within(frame, kWritersBegin, kWritersEnd);
}

bool is_in_read_byte(uintptr_t frame) {
  return is_within(frame, kReadersBegin, kReadersEnd);
}

std::vector<Told> take_told() {
  const std::lock_guard lock(told_mutex);
  watched = nullptr;
  return std::exchange(told, {});
}

void watch_byte(const volatile char* storage) {
  const std::lock_guard lock(told_mutex);
  watched = storage;
}

Pinned::Pinned(uint64_t size) : mapped_((size + page_size() - 1) / page_size() * page_size()) {
  memory_.address = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  memory_.storage = memory_.address;
  memory_.size = size;
  memory_.kind = FERRYX_MEMORY_PINNED;
  EXPECT_TRUE(make_guardable(memory_));
  EXPECT_NE(memory_.storage, memory_.address);
}

Pinned::~Pinned() {
  make_ordinary(memory_);
  munmap(memory_.address, mapped_);
}

Range Pinned::bytes(uint64_t first, uint64_t end) const {
  const auto start = reinterpret_cast<uintptr_t>(memory_.address);
  return {.begin = start + first, .end = start + end};
}

void GuardTest::SetUp() {
  static const bool is_open = open_guards(on_touch);
  ASSERT_TRUE(is_open);
  take_told();
}

}  // namespace ferry::layers::check
