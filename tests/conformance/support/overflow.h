// SPDX-License-Identifier: Apache-2.0
// The overflow status of a context, and what all functions that read or reset it have in common.
// Header only.
#pragma once

#include "support/stream_checks.h"

namespace conformance {

constexpr size_t kStatusSize = 64;

// Writes the status as a kernel of the program would.
inline void set_overflow_status(uint8_t value) {
  void* address = nullptr;
  ASSERT_OK(aclrtCtxGetFloatOverflowAddr(&address));
  ASSERT_OK(aclrtMemset(address, kStatusSize, value, kStatusSize));
}

inline std::vector<uint8_t> overflow_status() {
  void* address = nullptr;
  EXPECT_OK(aclrtCtxGetFloatOverflowAddr(&address));
  std::vector<uint8_t> status(kStatusSize);
  EXPECT_OK(
      aclrtMemcpy(status.data(), kStatusSize, address, kStatusSize, ACL_MEMCPY_DEVICE_TO_HOST));
  return status;
}

// `get(address*)` gives the address of a piece of device memory of the current context.
template <class Get>
void expect_memory_of_the_context(const char* function, Get get) {
  const auto refuses = [&](aclError code, const char* message, void** address) {
    return fails_as("", "", function, code, message, get(address));
  };
  void* mine = nullptr;
  void* again = nullptr;
  EXPECT_OK(get(&mine));
  EXPECT_OK(get(&again));
  EXPECT_EQ(mine, again);
  EXPECT_EQ(0u, reinterpret_cast<uintptr_t>(mine) % kStatusSize);
  std::vector<uint8_t> bytes(kStatusSize, 1);
  EXPECT_OK(aclrtMemcpy(bytes.data(), kStatusSize, mine, kStatusSize, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_EQ(std::vector<uint8_t>(kStatusSize, 0), bytes);
  EXPECT_FAILS_WITH(107000, aclrtFree(mine));
  void* others = nullptr;
  {
    const streams::OtherContext other;
    const streams::Inside inside(other);
    EXPECT_OK(get(&others));
    EXPECT_NE(mine, others);
  }
  // It ends with its context.
  EXPECT_FAILS_WITH(107000, aclrtMemset(others, kStatusSize, 0, kStatusSize));
  streams::on_threads(4, [&](int) {
    void* address = nullptr;
    EXPECT_OK(get(&address));
    EXPECT_EQ(mine, address);
  });
  EXPECT_TRUE(refuses(107000, "EE1004", nullptr));
  on_new_thread([&] {
    EXPECT_TRUE(refuses(107000, "EE1004", nullptr));
    void* address = nullptr;
    EXPECT_TRUE(refuses(107002, "EE1018", &address));
    EXPECT_EQ(nullptr, address);
  });
  clear_errors();
}

// `get(address, size, stream)` queues a copy of the status; NULL gives `null_code`.
template <class Get>
void expect_reads_the_status(const char* function, aclrtStream stream, Get get,
                             aclError null_code) {
  const auto refuses = [&](aclError code, const char* message, void* address, size_t size,
                           aclrtStream given) {
    return fails_as("", "", function, code, message, get(address, size, given));
  };
  DeviceBuffer out(kStatusSize);
  out.write(pattern(kStatusSize));
  EXPECT_OK(get(out.get(), kStatusSize, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(std::vector<uint8_t>(kStatusSize, 0), out.read());
  set_overflow_status(5);
  Gate gate(stream);
  EXPECT_OK(get(out.get(), kStatusSize, stream));
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(std::vector<uint8_t>(kStatusSize, 5), out.read());
  EXPECT_OK(get(out.get(), kStatusSize, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  for (const size_t size : {size_t{0}, size_t{4}, kStatusSize - 1, kStatusSize + 1, SIZE_MAX}) {
    EXPECT_TRUE(refuses(null_code, "", nullptr, size, stream));
    EXPECT_TRUE(refuses(107000, "EE1003", out.get(), size, stream));
    on_new_thread([&] { EXPECT_TRUE(refuses(107000, "EE1003", out.get(), size, nullptr)); });
  }
  uint8_t host[kStatusSize];
  EXPECT_TRUE(refuses(107000, "EE1011", host, kStatusSize, stream));
  expect_stream_is_checked(function, stream,
                           [&](aclrtStream any) { return get(out.get(), kStatusSize, any); });
}

// `reset(stream)` queues the reset of the status.
template <class Reset>
void expect_resets_the_status(const char* function, aclrtStream stream, Reset reset) {
  for (const aclrtStream any : {stream, aclrtStream{nullptr}}) {
    set_overflow_status(9);
    Gate gate(any);
    EXPECT_OK(reset(any));
    gate.wait_until_reached();
    EXPECT_EQ(std::vector<uint8_t>(kStatusSize, 9), overflow_status());
    gate.open();
    EXPECT_OK(aclrtSynchronizeStream(any));
    EXPECT_EQ(std::vector<uint8_t>(kStatusSize, 0), overflow_status());
  }
  expect_stream_is_checked(function, stream, reset);
}

}  // namespace conformance
