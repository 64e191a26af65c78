// SPDX-License-Identifier: Apache-2.0
// Planning a job, and its end.
#include "layers/fabric/job.h"

#include "base/live_memory.h"
#include "layers/fabric/fabric.h"
#include "layers/fabric/local_device.h"
#include "layers/fabric/relay.h"
#include "layers/fabric/staging.h"

#include "acl/error_codes/rt_error_codes.h"

#include <algorithm>
#include <utility>

namespace ferry::layers::fabric {
namespace {

LocalRange range_of(const void* address, uint64_t size) {
  return {reinterpret_cast<uintptr_t>(address), size};
}

void* at(void* start, uint64_t offset) {
  return static_cast<char*>(start) + offset;
}

}  // namespace

Job::Job(const ferryx_runtime& runtime, When when, Done done)
    : runtime_(runtime), when_(when), done_(std::move(done)) {}

Job::~Job() = default;

// ---- planning ----

void Job::copy(std::vector<JobItem> items) {
  std::vector<LocalRange> local;
  local.reserve(items.size());
  for (const JobItem& item : items) {
    bytes_ += item.size;
    if (!lookup_.holds(item.dst)) local.push_back(range_of(item.dst, item.size));
    if (!lookup_.holds(item.src)) local.push_back(range_of(item.src, item.size));
  }
  has_local_ = !local.empty();
  if (has_local_) local_use_ = LocalUses::instance().begin(std::move(local));
  Pieces pieces;
  const bool is_good = std::all_of(items.begin(), items.end(),
                                   [&](const JobItem& item) { return plan(item, pieces); });
  if (is_good) {
    start(FERRYX_FABRIC_PUT, pieces.puts);
    start(FERRYX_FABRIC_GET, pieces.gets);
    relays_ = std::move(pieces.relays);
    stagings_ = std::move(pieces.stagings);
    for (const std::unique_ptr<Relay>& relay : relays_)
      relay->start();
    for (const std::unique_ptr<Staging>& staging : stagings_)
      staging->start();
  }
  end_part();
}

// False when the job has failed: then nothing of it moves.
bool Job::plan(const JobItem& item, Pieces& pieces) {
  const bool is_to_remote = lookup_.holds(item.dst);
  const bool is_from_remote = lookup_.holds(item.src);
  if (is_to_remote && is_from_remote) return plan_relay(item, pieces);
  const bool is_local = !is_to_remote && !is_from_remote;
  uint32_t is_unsure = 0;
  const void* const local_address = is_to_remote ? item.src : item.dst;
  void* const local = find_local(is_to_remote ? "src" : "dst", local_address, item.size, is_unsure);
  if (local == nullptr) return false;
  if (is_local) {
    void* const from = find_local("src", item.src, item.size, is_unsure);
    if (from == nullptr) return false;
    move_locally(local, from, item.size);
    return true;
  }
  spans_.clear();
  if (!remote_use_.add(is_to_remote ? item.dst : item.src, item.size, spans_)) {
    fail(when_ == When::kNow ? ACL_ERROR_RT_PARAM_INVALID : ACL_ERROR_RT_TS_ERROR,
         not_live(runtime_, is_to_remote ? "dst" : "src", is_to_remote ? item.dst : item.src,
                  item.size));
    return false;
  }
  LocalDevice* const mover = device_that_moves(local_);
  std::vector<ferryx_fabric_piece> of_device;
  std::vector<ferryx_fabric_piece>& of_host = is_to_remote ? pieces.puts : pieces.gets;
  std::vector<ferryx_fabric_piece>& list = mover != nullptr ? of_device : of_host;
  uint64_t done = 0;
  for (const RemoteSpan& span : spans_) {
    list.push_back({.opening = span.opening,
                    .offset = span.offset,
                    .local = at(local, done),
                    .size = span.size,
                    .is_unsure = is_unsure});
    done += span.size;
  }
  const ferryx_fabric_direction way = is_to_remote ? FERRYX_FABRIC_PUT : FERRYX_FABRIC_GET;
  for (const ferryx_fabric_piece& piece : of_device)
    staging_for(*mover, way, pieces).add(piece);
  return true;
}

Staging& Job::staging_for(LocalDevice& device, ferryx_fabric_direction direction, Pieces& pieces) {
  for (const std::unique_ptr<Staging>& staging : pieces.stagings)
    if (staging->is_for(device, direction)) return *staging;
  return *pieces.stagings.emplace_back(std::make_unique<Staging>(*this, device, direction));
}

// Both sides are cut where one of their mappings ends.
bool Job::plan_relay(const JobItem& item, Pieces& pieces) {
  std::vector<RemoteSpan> dst;
  std::vector<RemoteSpan> src;
  const bool has_dst = remote_use_.add(item.dst, item.size, dst);
  const bool has_src = has_dst && remote_use_.add(item.src, item.size, src);
  if (!has_src) {
    fail(when_ == When::kNow ? ACL_ERROR_RT_PARAM_INVALID : ACL_ERROR_RT_TS_ERROR,
         not_live(runtime_, has_dst ? "src" : "dst", has_dst ? item.src : item.dst, item.size));
    return false;
  }
  for (size_t to = 0, from = 0; to < dst.size() && from < src.size();) {
    const uint64_t size = std::min(dst[to].size, src[from].size);
    pieces.relays.push_back(
        std::make_unique<Relay>(*this, Relay::Side{dst[to].opening, dst[to].offset},
                                Relay::Side{src[from].opening, src[from].offset}, size));
    const auto advance = [&](RemoteSpan& span, size_t& index) {
      span.offset += size;
      span.size -= size;
      if (span.size == 0) ++index;
    };
    advance(dst[to], to);
    advance(src[from], from);
  }
  return true;
}

void* Job::find_local(const char* side, const void* address, uint64_t size, uint32_t& is_unsure) {
  const auto start = reinterpret_cast<uintptr_t>(local_.address);
  const uintptr_t offset = reinterpret_cast<uintptr_t>(address) - start;
  const bool is_as_before =
      local_.storage != nullptr && offset < local_.size && size <= local_.size - offset;
  if (!is_as_before && runtime_.find_memory(address, &local_) == 0) {
    local_ = {};
    is_unsure = 1;  // pageable memory of the program
    return const_cast<void*>(address);
  }
  if (local_.kind == FERRYX_MEMORY_REGISTERED || local_.kind == FERRYX_MEMORY_MAPPED) is_unsure = 1;
  if (is_as_before) return at(local_.storage, offset);
  void* const storage = live_storage(runtime_, address, size);
  if (storage == nullptr) {
    fail(when_ == When::kNow ? ACL_ERROR_RT_PARAM_INVALID : ACL_ERROR_RT_TS_ERROR,
         not_live(runtime_, side, address, size));
  }
  return storage;
}

// A copy whose addresses were known late: neither is of another host.
void Job::move_locally(void* dst, const void* src, uint64_t size) {
  const ferryx_copy item{
      .dst = dst, .src = src, .size = size, .dst_storage = dst, .src_storage = src};
  if (runtime_.move_bytes(&item, 1) != nullptr) {
    fail(when_ == When::kNow ? ACL_ERROR_RT_PARAM_INVALID : ACL_ERROR_RT_TS_ERROR,
         "host memory of the program cannot be accessed");
  }
}

void Job::fill(const ferryx_fill& fill) {
  bytes_ = fill.size;
  if (!remote_use_.add(fill.dst, fill.size, spans_)) {
    this->fail(when_ == When::kNow ? ACL_ERROR_RT_PARAM_INVALID : ACL_ERROR_RT_TS_ERROR,
               not_live(runtime_, "dst", fill.dst, fill.size));
    return end_part();
  }
  const Fabric& fabric = *Fabric::instance();
  for (const RemoteSpan& span : spans_) {
    begin_part();
    const ferryx_fabric_filling filling{
        .offset = span.offset, .size = span.size, .value = fill.value, .width = fill.width};
    fabric.table().fill(span.opening, &filling, done, new std::shared_ptr<Job>(shared_from_this()));
  }
  end_part();
}

void Job::start(uint32_t direction, const std::vector<ferryx_fabric_piece>& pieces) {
  if (pieces.empty()) return;
  begin_part();
  const Fabric& fabric = *Fabric::instance();
  fabric.table().transfer(fabric.handle(), direction, pieces.data(), pieces.size(), done,
                          new std::shared_ptr<Job>(shared_from_this()));
}

// ---- the end ----

void Job::done(void* argument, int code, const char* text) {
  const std::unique_ptr<std::shared_ptr<Job>> own(static_cast<std::shared_ptr<Job>*>(argument));
  (*own)->take_end(code, text);
}

// The codes of the plugin, for programs.
void Job::take_end(int code, const char* text) {
  const int inaccessible = when_ == When::kNow ? ACL_ERROR_RT_PARAM_INVALID : ACL_ERROR_RT_TS_ERROR;
  if (code == FERRYX_FABRIC_LOST) fail(ACL_ERROR_RT_LINK_ERROR, text);
  if (code == FERRYX_FABRIC_INACCESSIBLE) fail(inaccessible, text);
  if (code == FERRYX_FABRIC_REFUSED) fail(ACL_ERROR_RT_SUSPECT_REMOTE_ERROR, text);
  end_part();
}

void Job::fail(int code, const std::string& text) {
  const std::lock_guard lock(mutex_);
  if (end_.code == 0) end_ = {code, text};
}

void Job::end_part() {
  if (parts_left_.fetch_sub(1, std::memory_order_acq_rel) > 1) return;
  remote_use_.end();
  if (has_local_) LocalUses::instance().end(local_use_);
  done_(end_);
  __atomic_store_n(&is_over_, 1u, __ATOMIC_RELEASE);
}

void Job::wait(uint64_t nanoseconds) const {
  if (is_over()) return;
  const Fabric& fabric = *Fabric::instance();
  fabric.table().drive(fabric.handle(), &is_over_, nanoseconds);
}

}  // namespace ferry::layers::fabric
