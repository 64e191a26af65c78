// SPDX-License-Identifier: Apache-2.0
// One function per form of copy and fill. Whether the runtime has looked up the addresses follows
// from the order of its checks: 107000 and 207000 come from the lookup, or from checks that are
// repeated here.
#include "layers/check/calls/argument_ranges.h"

#include "ferry/backend.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

namespace ferry::layers::check {
namespace {

using Ranges = std::vector<ArgumentRange>;

Range range_at(uint64_t begin, uint64_t size) {
  const uint64_t room = UINTPTR_MAX - begin;
  return {begin, begin + std::min(size, room)};
}

ArgumentRange named_range(const char* argument, uint64_t address, uint64_t size, AccessKind kind) {
  return {.argument = argument, .range = range_at(address, size), .size = size, .kind = kind};
}

// These codes mean that the runtime has looked up the addresses.
bool has_looked(aclError code) {
  return code == ACL_SUCCESS || code == ACL_ERROR_RT_PARAM_INVALID ||
         code == ACL_ERROR_RT_FEATURE_NOT_SUPPORT;
}

// A copy onto itself succeeds without a lookup.
Ranges of_copy(const Call& call, aclError code) {
  const uint64_t count = call.argument("count");
  const uint64_t dst = call.argument("dst");
  const uint64_t src = call.argument("src");
  const bool is_checked = count > 0 && count <= call.argument("destMax") && dst != 0 && src != 0;
  if (!is_checked || dst == src || !has_looked(code)) return {};
  return {named_range("dst", dst, count, AccessKind::kWrite),
          named_range("src", src, count, AccessKind::kRead)};
}

// Reductions are refused by their type and kind before the addresses are looked up.
Ranges of_reduce(const Call& call, aclError code) {
  const uint64_t count = call.argument("count");
  const uint64_t dst = call.argument("dst");
  const uint64_t src = call.argument("src");
  const bool is_checked = count > 0 && dst != 0 && src != 0;
  const bool has_looked = code == ACL_SUCCESS || code == ACL_ERROR_RT_PARAM_INVALID;
  if (!is_checked || !has_looked) return {};
  return {named_range("dst", dst, count, AccessKind::kWrite),
          named_range("src", src, count, AccessKind::kRead)};
}

uint64_t span_of_rows(uint64_t width, uint64_t pitch, uint64_t height) {
  uint64_t span = 0;
  if (__builtin_mul_overflow(height - 1, pitch, &span) ||
      __builtin_add_overflow(span, width, &span)) {
    return UINT64_MAX;
  }
  return span;
}

ArgumentRange rows_of(const Call& call, const char* argument, const char* pitch_argument,
                      AccessKind kind) {
  const uint64_t width = call.argument("width");
  const uint64_t height = call.argument("height");
  const uint64_t pitch = call.argument(pitch_argument);
  ArgumentRange rows =
      named_range(argument, call.argument(argument), span_of_rows(width, pitch, height), kind);
  rows.width = width;
  rows.pitch = pitch;
  rows.height = height;
  return rows;
}

Ranges of_copy_2d(const Call& call, aclError code) {
  const uint64_t width = call.argument("width");
  const bool is_checked = width > 0 && call.argument("height") > 0 && call.argument("dst") != 0 &&
                          call.argument("src") != 0 && width <= call.argument("dpitch") &&
                          width <= call.argument("spitch");
  if (!is_checked || !has_looked(code)) return {};
  return {rows_of(call, "dst", "dpitch", AccessKind::kWrite),
          rows_of(call, "src", "spitch", AccessKind::kRead)};
}

Ranges of_fill(const Call& call, aclError code) {
  const uint64_t count = call.argument("count");
  const uint64_t address = call.argument("devPtr");
  const bool is_checked = count > 0 && count <= call.argument("maxCount") && address != 0;
  if (!is_checked || !has_looked(code)) return {};
  return {named_range("devPtr", address, count, AccessKind::kWrite)};
}

// Memory unknown to the runtime is error 100000 here.
Ranges of_fill_d32(const Call& call, aclError code) {
  const uint64_t count = call.argument("N");
  const uint64_t address = call.argument("ptr");
  const bool is_checked = count > 0 && count <= call.argument("memSize") / sizeof(uint32_t) &&
                          address != 0 && address % sizeof(uint32_t) == 0;
  if (!is_checked || !(has_looked(code) || code == ACL_ERROR_INVALID_PARAM)) return {};
  return {named_range("ptr", address, count * sizeof(uint32_t), AccessKind::kWrite)};
}

Ranges of_descriptor(const Call& call, aclError code) {
  const uint64_t descriptor = call.argument("desc");
  if (descriptor == 0 || !has_looked(code)) return {};
  if (call.function() != Function::aclrtSetMemcpyDesc) {
    return {named_range("desc", descriptor, sizeof(ferryx_descriptor), AccessKind::kRead)};
  }
  const uint64_t count = call.argument("count");
  const uint64_t dst = call.argument("dstAddr");
  const uint64_t src = call.argument("srcAddr");
  if (count == 0 || dst == 0 || src == 0) return {};
  return {named_range("dstAddr", dst, count, AccessKind::kWrite),
          named_range("srcAddr", src, count, AccessKind::kRead),
          named_range("desc", descriptor, sizeof(ferryx_descriptor), AccessKind::kWrite)};
}

// The words in device memory that hold the base addresses.
Ranges of_offset_copy(const Call& call, aclError code) {
  const uint64_t dst = call.argument("dst");
  const uint64_t src = call.argument("src");
  if (call.argument("count") == 0 || dst == 0 || src == 0 || !has_looked(code)) return {};
  return {named_range("dst", dst, sizeof(uint64_t), AccessKind::kRead),
          named_range("src", src, sizeof(uint64_t), AccessKind::kRead)};
}

struct BatchArrays {
  void* const* dsts;
  void* const* srcs;
  const size_t* sizes;
};

void add_item(Ranges& ranges, const BatchArrays& arrays, size_t index) {
  const uint64_t size = arrays.sizes[index];
  const auto dst = reinterpret_cast<uint64_t>(arrays.dsts[index]);
  const auto src = reinterpret_cast<uint64_t>(arrays.srcs[index]);
  if (size == 0 || dst == 0 || src == 0) return;
  ranges.push_back(named_range("dsts", dst, size, AccessKind::kWrite));
  ranges.back().index = index;
  ranges.push_back(named_range("srcs", src, size, AccessKind::kRead));
  ranges.back().index = index;
}

// A batch of zero bytes succeeds whatever its other arrays contain. A batch refused because of one
// item was read up to that item.
Ranges of_batch(const Call& call, aclError code) {
  const BatchArrays arrays{.dsts = call.pointer<void*>("dsts"),
                           .srcs = call.pointer<void*>("srcs"),
                           .sizes = call.pointer<size_t>("sizes")};
  const size_t count = call.argument("numBatches");
  Ranges ranges;
  if (code == ACL_SUCCESS) {
    const bool is_empty =
        std::all_of(arrays.sizes, arrays.sizes + count, [](size_t size) { return size == 0; });
    if (is_empty) return {};
    ranges.reserve(2 * count);
    for (size_t i = 0; i < count; ++i)
      add_item(ranges, arrays, i);
  } else if (code == ACL_ERROR_RT_PARAM_INVALID) {
    const auto* failed = call.pointer<size_t>("failIndex");
    if (failed != nullptr && *failed < count) add_item(ranges, arrays, *failed);
  }
  return ranges;
}

}  // namespace

std::string ArgumentRange::path() const {
  if (!index.has_value()) return argument;
  return std::string(argument) + "[" + std::to_string(*index) + "]";
}

std::string ArgumentRange::sentence() const {
  char text[192];
  const auto* address = reinterpret_cast<const void*>(range.begin);
  if (height > 0) {
    std::snprintf(text, sizeof text,
                  " is %p with %" PRIu64 " rows of %" PRIu64 " bytes, each %" PRIu64
                  " bytes behind the one before: %" PRIu64 " bytes from the first to the last",
                  address, height, width, pitch, size);
  } else {
    std::snprintf(text, sizeof text, " is %p and %" PRIu64 " bytes", address, size);
  }
  return path() + text;
}

bool is_batch(const Call& call) {
  switch (call.function()) {
    case Function::aclrtMemcpyBatch:
    case Function::aclrtMemcpyBatchV2:
    case Function::aclrtMemcpyBatchAsync:
    case Function::aclrtMemcpyBatchAsyncV2:
      return true;
    default:
      return false;
  }
}

std::vector<ArgumentRange> ranges_of(const Call& call, aclError code) {
  if (is_batch(call)) return of_batch(call, code);
  switch (call.function()) {
    case Function::aclrtMemcpy:
    case Function::aclrtMemcpyAsync:
    case Function::aclrtMemcpyAsyncWithCondition:
      return of_copy(call, code);
    case Function::aclrtReduceAsync:
      return of_reduce(call, code);
    case Function::aclrtMemcpy2d:
    case Function::aclrtMemcpy2dAsync:
      return of_copy_2d(call, code);
    case Function::aclrtMemset:
    case Function::aclrtMemsetAsync:
      return of_fill(call, code);
    case Function::aclrtMemsetD32:
    case Function::aclrtMemsetD32Async:
      return of_fill_d32(call, code);
    case Function::aclrtSetMemcpyDesc:
    case Function::aclrtMemcpyAsyncWithDesc:
      return of_descriptor(call, code);
    case Function::aclrtMemcpyAsyncWithOffset:
      return of_offset_copy(call, code);
    default:
      return {};
  }
}

}  // namespace ferry::layers::check
