// SPDX-License-Identifier: Apache-2.0
// Shared by the conformance tests: a fixture with a device, buffers that free themselves, a gate
// that blocks a stream, and checks of error codes together with their texts. The tests use the
// public headers only and link the library like any program.
#pragma once

#include "acl/acl.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace conformance {

// Checks that a call fails with `code` and leaves a text that starts with the name of the function
// and ends with the message code in brackets, such as "EE1003". Clears the text, so that the next
// check sees its own.
#define EXPECT_FAILS(code, message_code, call) \
  EXPECT_PRED_FORMAT3(::conformance::fails_as, code, message_code, (call))

// The same where the contract names no message code.
#define EXPECT_FAILS_WITH(code, call) EXPECT_PRED_FORMAT3(::conformance::fails_as, code, "", (call))

#define EXPECT_OK(call) EXPECT_PRED_FORMAT1(::conformance::succeeds, (call))
#define ASSERT_OK(call) ASSERT_PRED_FORMAT1(::conformance::succeeds, (call))

::testing::AssertionResult fails_as(const char* code_text, const char* message_text,
                                    const char* call_text, aclError code, const char* message_code,
                                    aclError actual);
::testing::AssertionResult succeeds(const char* call_text, aclError actual);

// Sets device 0 for the test and resets it afterwards; no context is left behind.
class WithDevice : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;
};

// Like WithDevice, with a new stream in `stream_`.
class WithStream : public WithDevice {
 protected:
  void SetUp() override;
  void TearDown() override;
  aclrtStream stream_ = nullptr;
};

// Memory of aclrtMalloc. Not copyable.
class DeviceBuffer {
 public:
  explicit DeviceBuffer(size_t size);
  ~DeviceBuffer();
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;

  void* get() const { return address_; }
  char* at(size_t offset) const { return static_cast<char*>(address_) + offset; }
  size_t size() const { return size_; }

  // Blocking copies, by default of the whole buffer.
  void write(const std::vector<uint8_t>& bytes, size_t offset = 0);
  std::vector<uint8_t> read() const;
  std::vector<uint8_t> read(size_t offset, size_t count) const;

 private:
  void* address_ = nullptr;
  size_t size_;
};

// Memory of aclrtMallocHost. Where there is none, the test fails and continues with other memory.
// Not copyable.
class PinnedBuffer {
 public:
  explicit PinnedBuffer(size_t size);
  ~PinnedBuffer();
  PinnedBuffer(const PinnedBuffer&) = delete;
  PinnedBuffer& operator=(const PinnedBuffer&) = delete;

  void* get() const { return address_; }
  uint8_t* bytes() const { return static_cast<uint8_t*>(address_); }
  size_t size() const { return size_; }
  void fill(const std::vector<uint8_t>& bytes, size_t offset = 0);
  std::vector<uint8_t> copy() const;

 private:
  void* address_ = nullptr;
  size_t size_;
  std::vector<uint8_t> substitute_;
};

// Bytes that differ between seeds and between positions.
std::vector<uint8_t> pattern(size_t size, uint8_t seed = 1);

// Blocks a stream: work queued behind it does not run before open(). A stream that is used with a
// gate is "used with aclrtLaunchHostFunc". Opens itself at the end of the test.
class Gate {
 public:
  explicit Gate(aclrtStream stream);
  ~Gate();
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  void open();
  // Waits until the stream has come to the gate.
  void wait_until_reached();

 private:
  struct State;
  State* state_;
};

// Whether the devices of this run keep bytes and order (all but "null").
bool devices_are_real();

// The text of the latest failure, or "".
std::string recent_text();

// Clears the last error and the recent text, so that a test sees only what its own calls leave.
void clear_errors();

// Runs `body` on a new thread, which has no context, and waits for it.
template <class Body>
void on_new_thread(Body body) {
  std::thread(body).join();
}

// ---- tests that need a process of their own ----
// FERRY_PROCESS_TEST(Suite, Name, "FERRY_SOC=Ascend310P3", ...) { body }: the body runs in a new
// process with these variables set. Its checks count as usual.
#define FERRY_PROCESS_TEST(suite, name, ...)                                       \
  static void suite##_##name##_body();                                             \
  TEST(suite, name) {                                                              \
    if (::conformance::is_child()) {                                               \
      suite##_##name##_body();                                                     \
    } else {                                                                       \
      EXPECT_EQ(0, ::conformance::run_in_process(#suite "." #name, {__VA_ARGS__})) \
          << "the test failed in its own process; its output is above";            \
    }                                                                              \
  }                                                                                \
  static void suite##_##name##_body()

bool is_child();
// Whether the checker is on (FERRY_CHECK).
bool is_checked();
// The exit status of this binary run again for one test; 128 + n when signal n killed it.
int run_in_process(const char* test, const std::vector<std::string>& environment);

}  // namespace conformance
