// SPDX-License-Identifier: Apache-2.0
// Cloning, comparing and printing work of every kind.
#include "base/work.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace ferry {
namespace {

using Number = unsigned long long;  // what %llu prints

[[gnu::format(printf, 1, 2)]] std::string print(const char* format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return text;
}

const char* name_of(uint32_t direction) {
  switch (direction) {
    case FERRYX_HOST_TO_HOST:
      return "host to host";
    case FERRYX_HOST_TO_DEVICE:
      return "host to device";
    case FERRYX_DEVICE_TO_HOST:
      return "device to host";
    case FERRYX_DEVICE_TO_DEVICE:
      return "device to device";
    default:
      return "in an unknown direction";
  }
}

const char* name_of_comparison(uint32_t comparison) {
  switch (comparison) {
    case FERRYX_AT_LEAST:
      return "is at least";
    case FERRYX_EQUAL:
      return "is";
    case FERRYX_ANY_BIT:
      return "has a bit of";
    case FERRYX_ANY_CLEAR:
      return "lacks a bit outside";
    default:
      return "compares in an unknown way with";
  }
}

const char* name_of_operation(uint32_t operation) {
  switch (operation) {
    case FERRYX_SUM:
      return "sum";
    case FERRYX_MAX:
      return "maximum";
    case FERRYX_MIN:
      return "minimum";
    default:
      return "unknown reduction";
  }
}

std::string limit_of(int64_t timeout) {
  return timeout == FERRYX_FOREVER ? std::string()
                                   : print(" for at most %llu ns", static_cast<Number>(timeout));
}

std::string describe_copies(const ferryx_work& work) {
  const ferryx_copies& copies = work.as.copies;
  if (copies.count != 1) {
    return print("batch of %zu copies, %llu bytes, %s", copies.count,
                 static_cast<Number>(bytes_of(work)), name_of(copies.direction));
  }
  return print("copy of %llu bytes from %p to %p, %s", static_cast<Number>(copies.items[0].size),
               copies.items[0].src, copies.items[0].dst, name_of(copies.direction));
}

std::string describe_rows(const ferryx_rows& rows) {
  return print("copy of %llu rows of %llu bytes from %p (pitch %llu) to %p (pitch %llu), %s",
               static_cast<Number>(rows.height), static_cast<Number>(rows.corner.size),
               rows.corner.src, static_cast<Number>(rows.src_pitch), rows.corner.dst,
               static_cast<Number>(rows.dst_pitch), name_of(rows.direction));
}

std::string describe_payload(const ferryx_work& work) {
  switch (work.kind) {
    case FERRYX_COPIES:
      return describe_copies(work);
    case FERRYX_COLUMNS:
      return print("batch of %zu copies, %llu bytes, %s", work.as.columns.count,
                   static_cast<Number>(bytes_of(work)), name_of(work.as.columns.direction));
    case FERRYX_ROWS:
      return describe_rows(work.as.rows);
    case FERRYX_DESCRIBED:
      return print("copy described at %p", work.as.described.descriptor);
    case FERRYX_INDIRECT:
      return print("copy of %llu bytes between the addresses stored at %p and %p",
                   static_cast<Number>(work.as.indirect.size), work.as.indirect.src_pointer,
                   work.as.indirect.dst_pointer);
    case FERRYX_FILL:
      return print("fill of %llu bytes at %p with 0x%x", static_cast<Number>(work.as.fill.size),
                   work.as.fill.dst, work.as.fill.value);
    case FERRYX_CALLOUT:
      return "host function";
    case FERRYX_FUNCTION:
      return "device function";
    case FERRYX_MARK:
      return print("mark %p", static_cast<void*>(work.as.marker.marker));
    case FERRYX_AWAIT:
      return print("wait for marker %p", static_cast<void*>(work.as.marker.marker)) +
             limit_of(work.as.marker.timeout);
    case FERRYX_SET_FLAG:
      return print("set flag %p", static_cast<void*>(work.as.flag.flag));
    case FERRYX_TAKE_FLAG:
      return print("wait for flag %p", static_cast<void*>(work.as.flag.flag)) +
             limit_of(work.as.flag.timeout);
    case FERRYX_WRITE_VALUE:
      return print("store of 0x%llx at %p", static_cast<Number>(work.as.value.value),
                   work.as.value.address);
    case FERRYX_AWAIT_VALUE:
      return print("wait until the value at %p %s 0x%llx", work.as.value.address,
                   name_of_comparison(work.as.value.comparison),
                   static_cast<Number>(work.as.value.value));
    case FERRYX_REDUCE:
      return print("%s of %llu bytes at %p into %p", name_of_operation(work.as.reduce.operation),
                   static_cast<Number>(work.as.reduce.operands.size), work.as.reduce.operands.src,
                   work.as.reduce.operands.dst);
    case FERRYX_KERNEL:
      return print("kernel %s", work.as.kernel.name);
    default:
      return print("work of unknown kind %u", work.kind);
  }
}

bool is_same_copy(const ferryx_copy& a, const ferryx_copy& b) {
  return a.dst == b.dst && a.src == b.src && a.size == b.size;
}

// Whether the storage is resolved is no part of what is asked for.
bool is_same_copies(const ferryx_copies& a, const ferryx_copies& b) {
  return a.count == b.count && a.direction == b.direction &&
         ((a.flags ^ b.flags) & FERRYX_COPY_CAPTURE) == 0 &&
         std::equal(a.items, a.items + a.count, b.items, is_same_copy);
}

bool is_same_columns(const ferryx_columns& a, const ferryx_columns& b) {
  return a.count == b.count && a.direction == b.direction &&
         std::equal(a.dsts, a.dsts + a.count, b.dsts) &&
         std::equal(a.srcs, a.srcs + a.count, b.srcs) &&
         std::equal(a.sizes, a.sizes + a.count, b.sizes);
}

bool is_same_kernel(const ferryx_kernel& a, const ferryx_kernel& b) {
  const auto is_same_access = [](const ferryx_access& x, const ferryx_access& y) {
    return x.address == y.address && x.size == y.size && x.writes == y.writes;
  };
  return a.run == b.run && a.argument == b.argument && std::strcmp(a.name, b.name) == 0 &&
         std::equal(a.accesses, a.accesses + a.access_count, b.accesses,
                    b.accesses + b.access_count, is_same_access);
}

bool is_same_payload(const ferryx_work& a, const ferryx_work& b) {
  const ferryx_payload& x = a.as;
  const ferryx_payload& y = b.as;
  switch (a.kind) {
    case FERRYX_COPIES:
      return is_same_copies(x.copies, y.copies);
    case FERRYX_COLUMNS:
      return is_same_columns(x.columns, y.columns);
    case FERRYX_ROWS:
      return is_same_copy(x.rows.corner, y.rows.corner) && x.rows.height == y.rows.height &&
             x.rows.dst_pitch == y.rows.dst_pitch && x.rows.src_pitch == y.rows.src_pitch &&
             x.rows.direction == y.rows.direction;
    case FERRYX_FILL:
      return x.fill.dst == y.fill.dst && x.fill.size == y.fill.size &&
             x.fill.value == y.fill.value && x.fill.width == y.fill.width;
    case FERRYX_WRITE_VALUE:
    case FERRYX_AWAIT_VALUE:
      return x.value.address == y.value.address && x.value.value == y.value.value &&
             x.value.comparison == y.value.comparison;
    case FERRYX_REDUCE:
      return is_same_copy(x.reduce.operands, y.reduce.operands) &&
             x.reduce.operation == y.reduce.operation && x.reduce.element == y.reduce.element;
    case FERRYX_KERNEL:
      return is_same_kernel(x.kernel, y.kernel);
    default:  // payloads without padding and without storage addresses
      return std::memcmp(&x, &y, a.struct_size - offsetof(ferryx_work, as)) == 0;
  }
}

}  // namespace

uint64_t bytes_of(const ferryx_work& work) {
  uint64_t bytes = 0;
  switch (work.kind) {
    case FERRYX_COPIES:
      for (size_t i = 0; i < work.as.copies.count; ++i)
        bytes += work.as.copies.items[i].size;
      return bytes;
    case FERRYX_COLUMNS:
      for (size_t i = 0; i < work.as.columns.count; ++i)
        bytes += work.as.columns.sizes[i];
      return bytes;
    case FERRYX_ROWS:
      return work.as.rows.height * work.as.rows.corner.size;
    case FERRYX_INDIRECT:
      return work.as.indirect.size;
    case FERRYX_FILL:
      return work.as.fill.size;
    case FERRYX_REDUCE:
      return work.as.reduce.operands.size;
    default:
      return 0;
  }
}

std::string describe(const ferryx_work& work) {
  const std::string what = describe_payload(work);
  if (work.origin.stream < 0) return std::string(work.origin.call) + ": " + what;
  return print("%s, stream %d, task %u: ", work.origin.call, work.origin.stream, work.origin.task) +
         what;
}

bool is_same(const ferryx_work& a, const ferryx_work& b) {
  return a.kind == b.kind && a.struct_size == b.struct_size && a.origin.stream == b.origin.stream &&
         a.origin.context == b.origin.context && std::strcmp(a.origin.call, b.origin.call) == 0 &&
         is_same_payload(a, b);
}

WorkClone::WorkClone(const ferryx_work& work) {
  std::memcpy(&work_, &work, work.struct_size);
  if (work.kind == FERRYX_COLUMNS) clone_columns();
  if (work.kind == FERRYX_KERNEL) clone_kernel();
  if (work.kind != FERRYX_COPIES) return;
  const size_t count = work.as.copies.count;
  items_ = std::make_unique_for_overwrite<ferryx_copy[]>(count);
  std::copy_n(work.as.copies.items, count, items_.get());
  work_.as.copies.items = items_.get();
  if ((work.as.copies.flags & FERRYX_COPY_CAPTURE) != 0) capture_source();
}

void WorkClone::clone_columns() {
  ferryx_columns& columns = work_.as.columns;
  addresses_ = std::make_unique_for_overwrite<void*[]>(2 * columns.count);
  sizes_ = std::make_unique_for_overwrite<size_t[]>(columns.count);
  void** const srcs = addresses_.get() + columns.count;
  std::copy_n(columns.dsts, columns.count, addresses_.get());
  std::copy_n(columns.srcs, columns.count, srcs);
  std::copy_n(columns.sizes, columns.count, sizes_.get());
  columns.dsts = addresses_.get();
  columns.srcs = srcs;
  columns.sizes = sizes_.get();
}

void WorkClone::clone_kernel() {
  ferryx_kernel& kernel = work_.as.kernel;
  const size_t length = std::strlen(kernel.name) + 1;
  captured_ = std::make_unique_for_overwrite<char[]>(length);
  std::memcpy(captured_.get(), kernel.name, length);
  accesses_ = std::make_unique_for_overwrite<ferryx_access[]>(kernel.access_count);
  std::copy_n(kernel.accesses, kernel.access_count, accesses_.get());
  kernel.name = captured_.get();
  kernel.accesses = accesses_.get();
}

void WorkClone::capture_source() {
  ferryx_copy& only = items_[0];
  captured_ = std::make_unique_for_overwrite<char[]>(only.size);
  std::memcpy(captured_.get(), only.src_storage, only.size);
  only.src_storage = captured_.get();
}

WorkClone WorkClone::as_copies(const ferryx_work& columns) {
  const ferryx_columns& arrays = columns.as.columns;
  WorkClone clone;
  clone.items_ = std::make_unique_for_overwrite<ferryx_copy[]>(arrays.count);
  for (size_t i = 0; i < arrays.count; ++i) {
    clone.items_[i] = {.dst = arrays.dsts[i],
                       .src = arrays.srcs[i],
                       .size = arrays.sizes[i],
                       .dst_storage = nullptr,
                       .src_storage = nullptr};
  }
  clone.work_ = make_work(FERRYX_COPIES, &ferryx_payload::copies,
                          {.items = clone.items_.get(),
                           .count = arrays.count,
                           .direction = arrays.direction,
                           .flags = 0},
                          columns.epoch);
  clone.work_.origin = columns.origin;
  return clone;
}

}  // namespace ferry
