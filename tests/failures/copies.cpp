// SPDX-License-Identifier: Apache-2.0
// Chapters about copies and fills.
#include "attempt.h"
#include "program.h"

#include <cstring>

namespace failures {
namespace {

// Fills the source, clears the target.
void prepare(Bench& bench, int value) {
  if (bench.source != nullptr) std::memset(bench.source, value, Bench::kBytes);
  if (bench.target != nullptr) std::memset(bench.target, 0, Bench::kBytes);
}

// Items of one pool, or alternating between pinned and pageable memory.
struct Items {
  static constexpr size_t kCount = 24;
  static constexpr size_t kEach = 1024;

  Items(void* device, void* host, void* pageable, bool is_to_device) {
    for (size_t i = 0; i < kCount; ++i) {
      void* side = pageable != nullptr && i % 2 == 1 ? pageable : host;
      void* on_host = static_cast<char*>(side) + i * kEach;
      void* on_device = static_cast<char*>(device) + i * 2 * kEach;
      dsts[i] = is_to_device ? on_device : on_host;
      srcs[i] = is_to_device ? on_host : on_device;
      sizes[i] = kEach - i % 3 * 8;
    }
    const aclrtMemLocation device_side{0, ACL_MEM_LOCATION_TYPE_DEVICE};
    const aclrtMemLocation host_side{0, ACL_MEM_LOCATION_TYPE_HOST};
    attribute.dstLoc = is_to_device ? device_side : host_side;
    attribute.srcLoc = is_to_device ? host_side : device_side;
  }

  void* dsts[kCount];
  void* srcs[kCount];
  size_t sizes[kCount];
  aclrtMemcpyBatchAttr attribute{};
  size_t first = 0;
  size_t fail_index = 0;
};

}  // namespace

void copy_single(Bench& bench) {
  constexpr size_t kBytes = Bench::kBytes;
  prepare(bench, 11);
  OK(aclrtMemcpyAsync(bench.device, kBytes, bench.source, kBytes, ACL_MEMCPY_HOST_TO_DEVICE,
                      bench.stream));
  OK(aclrtMemcpyAsync(bench.second, kBytes, bench.device, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE,
                      bench.stream));
  OK(aclrtMemcpyAsync(bench.target, kBytes, bench.second, kBytes, ACL_MEMCPY_DEVICE_TO_HOST,
                      bench.stream));
  OK(aclrtSynchronizeStream(bench.stream));
  expect_filled("queued copies", bench.target, 11, kBytes);
  static char pageable[kBytes];
  OK(aclrtMemcpyAsync(pageable, kBytes, bench.device, kBytes, ACL_MEMCPY_DEVICE_TO_HOST,
                      bench.stream));
  expect_filled("a pageable copy", pageable, 11, kBytes);
  std::memset(pageable, 12, kBytes);
  // The source is captured during the call.
  OK(aclrtMemcpyAsync(bench.device, kBytes, pageable, kBytes, ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE,
                      bench.stream));
  std::memset(pageable, 0, kBytes);
  OK(aclrtSynchronizeStream(bench.stream));
  OK(aclrtMemcpy(pageable, kBytes, bench.device, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
  expect_filled("a captured copy", pageable, 12, kBytes);
}

void copy_large() {
  constexpr size_t kBytes = Bench::kLarge;
  static char memory[kBytes];
  void* device = nullptr;
  OK(aclrtMalloc(&device, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  std::memset(memory, 21, kBytes);
  OK(aclrtMemcpy(device, kBytes, memory, kBytes, ACL_MEMCPY_HOST_TO_DEVICE));
  std::memset(memory, 0, kBytes);
  OK(aclrtMemcpy(memory, kBytes, device, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
  expect_filled("a large copy", memory, 21, kBytes);
  if (device != nullptr) OK(aclrtFree(device));
}

void copy_batches(Bench& bench) {
  prepare(bench, 31);
  static char pageable[Bench::kBytes];
  std::memset(pageable, 31, sizeof pageable);
  Items in(bench.device, bench.source, nullptr, true);
  OK(aclrtMemcpyBatchAsync(in.dsts, in.sizes, in.srcs, in.sizes, Items::kCount, &in.attribute,
                           &in.first, 1, &in.fail_index, bench.stream));
  Items mixed(bench.device, bench.source, pageable, true);
  OK(aclrtMemcpyBatchAsyncV2(mixed.dsts, mixed.sizes, mixed.srcs, mixed.sizes, Items::kCount,
                             &mixed.attribute, &mixed.first, 1, bench.stream));
  OK(aclrtMemcpyBatch(in.dsts, in.sizes, in.srcs, in.sizes, Items::kCount, &in.attribute, &in.first,
                      1, &in.fail_index));
  // Items of one size take another way.
  Items even(bench.device, bench.target, nullptr, false);
  for (size_t& size : even.sizes)
    size = 512;
  OK(aclrtMemcpyBatchAsync(even.dsts, even.sizes, even.srcs, even.sizes, Items::kCount,
                           &even.attribute, &even.first, 1, &even.fail_index, bench.stream));
  Items out(bench.device, bench.target, nullptr, false);
  OK(aclrtMemcpyBatchAsync(out.dsts, out.sizes, out.srcs, out.sizes, Items::kCount, &out.attribute,
                           &out.first, 1, &out.fail_index, bench.stream));
  OK(aclrtSynchronizeStream(bench.stream));
  for (size_t i = 0; i < Items::kCount; ++i)
    expect_filled("an item of a batch", out.dsts[i], 31, out.sizes[i]);
  if (!outcome.misuses) return;
  out.sizes[3] = size_t{1} << 30;
  CODE(ACL_ERROR_RT_PARAM_INVALID,
       aclrtMemcpyBatchV2(out.dsts, out.sizes, out.srcs, out.sizes, Items::kCount, &out.attribute,
                          &out.first, 1));
}

void copy_rows(Bench& bench) {
  prepare(bench, 41);
  constexpr size_t kWidth = 100;
  constexpr size_t kPitch = 256;
  constexpr size_t kRows = 64;
  OK(aclrtMemcpy2dAsync(bench.device, kPitch, bench.source, kWidth, kWidth, kRows,
                        ACL_MEMCPY_HOST_TO_DEVICE, bench.stream));
  OK(aclrtMemcpy2dAsync(bench.target, kWidth, bench.device, kPitch, kWidth, kRows,
                        ACL_MEMCPY_DEVICE_TO_HOST, bench.stream));
  OK(aclrtSynchronizeStream(bench.stream));
  expect_filled("rows", bench.target, 41, kWidth * kRows);
  static char pageable[kWidth * kRows];
  OK(aclrtMemcpy2d(pageable, kWidth, bench.device, kPitch, kWidth, kRows,
                   ACL_MEMCPY_DEVICE_TO_HOST));
  expect_filled("pageable rows", pageable, 41, kWidth * kRows);
}

void copy_described(Bench& bench) {
  constexpr size_t kBytes = 4096;
  constexpr aclrtMemcpyKind kKind = ACL_MEMCPY_INNER_DEVICE_TO_DEVICE;
  size_t size = 0;
  OK(aclrtGetMemcpyDescSize(kKind, &size));
  void* descriptor = nullptr;
  OK(aclrtMalloc(&descriptor, 4096, ACL_MEM_MALLOC_NORMAL_ONLY));
  OK(aclrtMemset(bench.device, kBytes, 51, kBytes));
  OK(aclrtSetMemcpyDesc(descriptor, kKind, bench.device, bench.second, kBytes, nullptr));
  OK(aclrtMemcpyAsyncWithDesc(descriptor, kKind, bench.stream));
  OK(aclrtSynchronizeStream(bench.stream));
  void* addresses[2] = {bench.second, bench.device};
  OK(aclrtMemcpy(descriptor, sizeof addresses, addresses, sizeof addresses,
                 ACL_MEMCPY_HOST_TO_DEVICE));
  auto** stored = static_cast<void**>(descriptor);
  OK(aclrtMemcpyAsyncWithOffset(stored + 1, 2 * kBytes, kBytes, const_cast<const void**>(stored),
                                kBytes, 0, kKind, bench.stream));
  OK(aclrtSynchronizeStream(bench.stream));
  char back[kBytes];
  OK(aclrtMemcpy(back, kBytes, static_cast<char*>(bench.device) + kBytes, kBytes,
                 ACL_MEMCPY_DEVICE_TO_HOST));
  expect_filled("described copies", back, 51, kBytes);
  if (descriptor != nullptr) OK(aclrtFree(descriptor));
}

void fill(Bench& bench) {
  constexpr size_t kBytes = Bench::kBytes;
  OK(aclrtMemsetAsync(bench.device, kBytes, 61, kBytes, bench.stream));
  OK(aclrtMemsetD32Async(bench.second, kBytes, 0x3D3D3D3D, kBytes / 4, bench.stream));
  OK(aclrtMemcpyAsync(bench.source, kBytes, bench.device, kBytes, ACL_MEMCPY_DEVICE_TO_HOST,
                      bench.stream));
  OK(aclrtMemcpyAsync(bench.target, kBytes, bench.second, kBytes, ACL_MEMCPY_DEVICE_TO_HOST,
                      bench.stream));
  OK(aclrtSynchronizeStream(bench.stream));
  expect_filled("a queued fill", bench.source, 61, kBytes);
  expect_filled("a queued fill of words", bench.target, 61, kBytes);
  OK(aclrtMemsetD32(bench.second, kBytes, 0x3E3E3E3E, kBytes / 4));
  OK(aclrtMemset(bench.device, kBytes, 62, kBytes));
}

}  // namespace failures
