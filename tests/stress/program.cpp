// SPDX-License-Identifier: Apache-2.0
// Generating, modelling and running a random program.
#include "program.h"

#include <algorithm>
#include <cstring>

namespace stress {
namespace {

void merge(VectorClock& into, const VectorClock& from) {
  for (size_t i = 0; i < kStreams; ++i)
    into[i] = std::max(into[i], from[i]);
}

}  // namespace

Program::Program(uint64_t seed) : random_(seed) {
  for (aclrtStream& made : streams_)
    check(aclrtCreateStream(&made), "aclrtCreateStream");
  for (size_t i = 0; i < events_.size(); ++i) {
    aclrtEvent* event = &events_[i].event;
    check(i % 2 == 0 ? aclrtCreateEvent(event) : aclrtCreateEventExWithFlag(event, ACL_EVENT_SYNC),
          "aclrtCreateEvent");
  }
  for (size_t i = 0; i < kBuffers; ++i) {
    Buffer& buffer = buffers_[i];
    buffer.expected.resize(kBytes);
    for (uint8_t& byte : buffer.expected)
      byte = static_cast<uint8_t>(random_());
    check(is_device(i) ? aclrtMalloc(&buffer.address, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY)
                       : aclrtMallocHost(&buffer.address, kBytes),
          "allocation");
    check(aclrtMemcpy(buffer.address, kBytes, buffer.expected.data(), kBytes, ACL_MEMCPY_DEFAULT),
          "aclrtMemcpy");
  }
}

Program::~Program() {
  for (aclrtStream used : streams_)
    aclrtDestroyStream(used);
  for (const Recorded& recorded : events_)
    aclrtDestroyEvent(recorded.event);
  for (size_t i = 0; i < kBuffers; ++i) {
    is_device(i) ? aclrtFree(buffers_[i].address) : aclrtFreeHost(buffers_[i].address);
  }
  for (void* descriptor : descriptors_)
    aclrtFree(descriptor);
}

void Program::check(aclError code, const char* what) {
  if (code == ACL_SUCCESS || !failure_.empty()) return;
  const char* text = aclGetRecentErrMsg();
  failure_ = std::string(what) + " returned " + std::to_string(code) + ": " +
             (text == nullptr ? "" : text);
}

size_t Program::pick_buffer(bool on_device) {
  return on_device ? pick(kBuffers / 2) : kBuffers / 2 + pick(kBuffers / 2);
}

Program::Range Program::pick_range() {
  Range range;
  range.size = 1 + pick(pick(4) == 0 ? kBytes : 256);
  range.dst = pick(kBytes - range.size + 1);
  range.src = pick(kBytes - range.size + 1);
  return range;
}

// A copy inside one buffer goes from its second half to its first: the two must not overlap.
Program::Range Program::pick_range(size_t dst, size_t src) {
  constexpr size_t kHalf = kBytes / 2;
  Range range = pick_range();
  if (dst != src) return range;
  range.size = (range.size + 1) / 2;
  range.dst = pick(kHalf - range.size + 1);
  range.src = kHalf + pick(kHalf - range.size + 1);
  return range;
}

void Program::order_after(size_t later, const Use& use) {
  if (use.stream == later || clocks_[later][use.stream] >= use.time ||
      host_[use.stream] >= use.time) {
    return;
  }
  if (pick(2) == 0) {
    check(aclrtSynchronizeStream(stream(use.stream)), "aclrtSynchronizeStream");
    host_[use.stream] = times_[use.stream];
    merge(host_, clocks_[use.stream]);
    return;
  }
  Recorded& between = events_[pick(events_.size())];
  check(aclrtRecordEvent(between.event, stream(use.stream)), "aclrtRecordEvent");
  between.is_recorded = true;
  between.stream = use.stream;
  between.clock = clocks_[use.stream];
  merge(between.clock, host_);
  between.clock[use.stream] = times_[use.stream];
  check(aclrtStreamWaitEvent(stream(later), between.event), "aclrtStreamWaitEvent");
  merge(clocks_[later], between.clock);
}

void Program::order(size_t later, size_t buffer, Access access) {
  for (const Use& use : buffers_[buffer].writes)
    order_after(later, use);
  if (access == Access::kWrite) {
    for (const Use& use : buffers_[buffer].reads)
      order_after(later, use);
  }
}

void Program::note(size_t on, size_t written, std::initializer_list<size_t> read) {
  merge(clocks_[on], host_);
  const Use use{.stream = on, .time = ++times_[on]};
  clocks_[on][on] = use.time;
  buffers_[written].writes.assign(1, use);
  buffers_[written].reads.clear();
  for (const size_t buffer : read) {
    if (buffer != written) buffers_[buffer].reads.push_back(use);
  }
}

void Program::move_expected(size_t dst, size_t src, const Range& range) {
  std::memmove(buffers_[dst].expected.data() + range.dst, buffers_[src].expected.data() + range.src,
               range.size);
}

void Program::copy() {
  const size_t direction = pick(3);
  const size_t dst = pick_buffer(direction != 1);
  const size_t src = pick_buffer(direction != 0);
  const size_t on = pick(kStreams);
  const Range range = pick_range(dst, src);
  order(on, dst, Access::kWrite);
  order(on, src, Access::kRead);
  check(aclrtMemcpyAsync(at(dst, range.dst), kBytes - range.dst, at(src, range.src), range.size,
                         ACL_MEMCPY_DEFAULT, stream(on)),
        "aclrtMemcpyAsync");
  note(on, dst, {src});
  move_expected(dst, src, range);
}

void Program::copy_batch() {
  const bool to_device = pick(2) == 0;
  const size_t dst = pick_buffer(to_device);
  const size_t src = pick_buffer(!to_device);
  const size_t on = pick(kStreams);
  order(on, dst, Access::kWrite);
  order(on, src, Access::kRead);
  // Items write to different places: their order is undefined.
  constexpr size_t kItem = 64;
  const size_t count = 1 + pick(kBytes / kItem);
  std::vector<void*> dsts;
  std::vector<void*> srcs;
  std::vector<size_t> sizes;
  for (size_t i = 0; i < count; ++i) {
    const Range range{.dst = i * kItem, .src = pick(kBytes - kItem), .size = 1 + pick(kItem)};
    dsts.push_back(at(dst, range.dst));
    srcs.push_back(at(src, range.src));
    sizes.push_back(range.size);
    move_expected(dst, src, range);
  }
  aclrtMemcpyBatchAttr attribute{};
  attribute.dstLoc.type = to_device ? ACL_MEM_LOCATION_TYPE_DEVICE : ACL_MEM_LOCATION_TYPE_HOST;
  attribute.srcLoc.type = to_device ? ACL_MEM_LOCATION_TYPE_HOST : ACL_MEM_LOCATION_TYPE_DEVICE;
  size_t first = 0;
  size_t fail_index = 0;
  check(aclrtMemcpyBatchAsync(dsts.data(), sizes.data(), srcs.data(), sizes.data(), count,
                              &attribute, &first, 1, &fail_index, stream(on)),
        "aclrtMemcpyBatchAsync");
  note(on, dst, {src});
}

void Program::copy_2d() {
  const bool to_device = pick(2) == 0;
  const size_t dst = pick_buffer(to_device);
  const size_t src = pick_buffer(!to_device);
  const size_t on = pick(kStreams);
  order(on, dst, Access::kWrite);
  order(on, src, Access::kRead);
  const size_t width = 1 + pick(64);
  const size_t dst_pitch = width + pick(32);
  const size_t src_pitch = width + pick(32);
  const size_t height = 1 + pick(kBytes / 96);
  check(aclrtMemcpy2dAsync(at(dst, 0), dst_pitch, at(src, 0), src_pitch, width, height,
                           ACL_MEMCPY_DEFAULT, stream(on)),
        "aclrtMemcpy2dAsync");
  note(on, dst, {src});
  for (size_t row = 0; row < height; ++row) {
    move_expected(dst, src, {.dst = row * dst_pitch, .src = row * src_pitch, .size = width});
  }
}

void Program::copy_described() {
  const size_t dst = pick_buffer(true);
  const size_t src = pick_buffer(true);
  if (dst == src) return;
  const size_t on = pick(kStreams);
  const Range range = pick_range();
  order(on, dst, Access::kWrite);
  order(on, src, Access::kRead);
  void* descriptor = nullptr;
  check(aclrtMalloc(&descriptor, 64, ACL_MEM_MALLOC_NORMAL_ONLY), "aclrtMalloc");
  descriptors_.push_back(descriptor);
  check(aclrtSetMemcpyDesc(descriptor, ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, at(src, range.src),
                           at(dst, range.dst), range.size, nullptr),
        "aclrtSetMemcpyDesc");
  check(aclrtMemcpyAsyncWithDesc(descriptor, ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, stream(on)),
        "aclrtMemcpyAsyncWithDesc");
  note(on, dst, {src});
  move_expected(dst, src, range);
}

void Program::fill() {
  const size_t dst = pick_buffer(true);
  const size_t on = pick(kStreams);
  const Range range = pick_range();
  const auto value = static_cast<uint8_t>(random_());
  order(on, dst, Access::kWrite);
  check(aclrtMemsetAsync(at(dst, range.dst), range.size, value, range.size, stream(on)),
        "aclrtMemsetAsync");
  note(on, dst, {});
  std::fill_n(buffers_[dst].expected.begin() + static_cast<ptrdiff_t>(range.dst), range.size,
              value);
}

void Program::record() {
  Recorded& recorded = events_[pick(events_.size())];
  const size_t on = pick(kStreams);
  check(aclrtRecordEvent(recorded.event, stream(on)), "aclrtRecordEvent");
  recorded.is_recorded = true;
  recorded.stream = on;
  recorded.clock = clocks_[on];
  merge(recorded.clock, host_);
  recorded.clock[on] = times_[on];
}

void Program::wait() {
  const Recorded& recorded = events_[pick(events_.size())];
  if (!recorded.is_recorded) return;
  const size_t on = pick(kStreams);
  check(aclrtStreamWaitEvent(stream(on), recorded.event), "aclrtStreamWaitEvent");
  merge(clocks_[on], recorded.clock);
}

void Program::synchronize() {
  const size_t on = pick(kStreams);
  check(aclrtSynchronizeStream(stream(on)), "aclrtSynchronizeStream");
  merge(host_, clocks_[on]);
  host_[on] = times_[on];
}

void Program::synchronize_event() {
  const Recorded& recorded = events_[pick(events_.size())];
  if (!recorded.is_recorded) return;
  check(aclrtSynchronizeEvent(recorded.event), "aclrtSynchronizeEvent");
  merge(host_, recorded.clock);
}

void Program::copy_now() {
  const size_t dst = pick(kBuffers);
  const size_t src = pick(kBuffers);
  const Range range = pick_range(dst, src);
  const auto is_known = [&](const Use& use) { return host_[use.stream] >= use.time; };
  const auto all_known = [&](const std::vector<Use>& uses) {
    return std::all_of(uses.begin(), uses.end(), is_known);
  };
  if (!all_known(buffers_[dst].writes) || !all_known(buffers_[dst].reads) ||
      !all_known(buffers_[src].writes) || !all_known(buffers_[src].reads)) {
    return synchronize();
  }
  check(aclrtMemcpy(at(dst, range.dst), kBytes - range.dst, at(src, range.src), range.size,
                    ACL_MEMCPY_DEFAULT),
        "aclrtMemcpy");
  move_expected(dst, src, range);
}

// The host reads and changes pinned memory once everything that used it is known to be complete.
void Program::touch_on_host() {
  const size_t index = pick_buffer(false);
  Buffer& buffer = buffers_[index];
  for (const std::vector<Use>* uses : {&buffer.writes, &buffer.reads}) {
    for (const Use& use : *uses) {
      if (host_[use.stream] >= use.time) continue;
      check(aclrtSynchronizeStream(stream(use.stream)), "aclrtSynchronizeStream");
      merge(host_, clocks_[use.stream]);
      host_[use.stream] = times_[use.stream];
    }
  }
  if (std::memcmp(buffer.address, buffer.expected.data(), kBytes) != 0 && failure_.empty()) {
    failure_ = "pinned buffer " + std::to_string(index) + " differs while the program runs";
  }
  const size_t place = pick(kBytes);
  buffer.expected[place] = static_cast<uint8_t>(random_());
  static_cast<uint8_t*>(buffer.address)[place] = buffer.expected[place];
}

void Program::query() {
  const size_t on = pick(kStreams);
  aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
  check(aclrtStreamQuery(stream(on), &status), "aclrtStreamQuery");
  if (status != ACL_STREAM_STATUS_COMPLETE) return;
  merge(host_, clocks_[on]);
  host_[on] = times_[on];
}

std::string Program::compare() {
  for (aclrtStream used : streams_)
    check(aclrtSynchronizeStream(used), "aclrtSynchronizeStream");
  for (size_t i = 0; i < kBuffers && failure_.empty(); ++i) {
    std::vector<uint8_t> actual(kBytes);
    check(aclrtMemcpy(actual.data(), kBytes, buffers_[i].address, kBytes, ACL_MEMCPY_DEFAULT),
          "aclrtMemcpy");
    const auto [wrong, expected] =
        std::mismatch(actual.begin(), actual.end(), buffers_[i].expected.begin());
    if (wrong == actual.end()) continue;
    failure_ = "buffer " + std::to_string(i) + " differs at byte " +
               std::to_string(wrong - actual.begin()) + ": " + std::to_string(*wrong) +
               " instead of " + std::to_string(*expected);
  }
  return failure_;
}

std::string Program::run(size_t operations) {
  using Operation = void (Program::*)();
  constexpr Operation kOperations[] = {&Program::copy,
                                       &Program::copy,
                                       &Program::copy,
                                       &Program::copy_batch,
                                       &Program::copy_2d,
                                       &Program::copy_described,
                                       &Program::fill,
                                       &Program::record,
                                       &Program::wait,
                                       &Program::synchronize,
                                       &Program::synchronize_event,
                                       &Program::copy_now,
                                       &Program::touch_on_host,
                                       &Program::query};
  for (size_t i = 0; i < operations && failure_.empty(); ++i) {
    (this->*kOperations[pick(std::size(kOperations))])();
  }
  return compare();
}

}  // namespace stress
