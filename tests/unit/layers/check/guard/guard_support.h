// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of guarded memory: guardable memory, functions that touch it, and the
// reported touches.
#pragma once

#include "layers/check/guard/guard.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace ferry::layers::check {

size_t page_size();

void write_byte(volatile char* at, char value);
char read_byte(const volatile char* at);
// Whether a frame is in one of the two functions.
bool is_in_write_byte(uintptr_t frame);
bool is_in_read_byte(uintptr_t frame);

struct Told {
  Touch touch;
  char held = 0;  // contents of the watched byte when the touch was reported
};
// The touches reported since the last call.
std::vector<Told> take_told();
// Selects a byte of storage to read at each report, until take_told.
void watch_byte(const volatile char* storage);

// Guardable memory as the CPU device's host_alloc makes it.
class Pinned {
 public:
  explicit Pinned(uint64_t size);
  ~Pinned();
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;

  char* address() const { return static_cast<char*>(memory_.address); }
  volatile char* storage() const { return static_cast<volatile char*>(memory_.storage); }
  Range bytes(uint64_t first, uint64_t end) const;
  Range all() const { return bytes(0, memory_.size); }
  ferryx_memory& memory() { return memory_; }

 private:
  uint64_t mapped_;
  ferryx_memory memory_{};
};

// Opens guards once per process, and starts each test without reported touches.
class GuardTest : public ::testing::Test {
 protected:
  void SetUp() override;

  const size_t page_ = page_size();
};

}  // namespace ferry::layers::check
