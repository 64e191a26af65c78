// SPDX-License-Identifier: Apache-2.0
// Opening a device, its primary context, its contexts and its peers.
#include "core/device.h"

#include "base/error_state.h"
#include "base/log.h"
#include "base/work.h"
#include "core/context.h"
#include "core/kernel/argument_memory.h"
#include "core/kernel/device_variable.h"
#include "core/stream.h"

namespace ferry {

namespace {

std::atomic<uint64_t> aborts_of_all{0};

}  // namespace

uint64_t Device::task_aborts_of_all() {
  return aborts_of_all.load(std::memory_order_acquire);
}

Resource::~Resource() {
  if (of_ != nullptr) of_->used_.fetch_sub(1, std::memory_order_relaxed);
}

Resource ResourceCount::take() {
  uint32_t used = used_.load(std::memory_order_relaxed);
  while (used < limit_) {
    if (used_.compare_exchange_weak(used, used + 1, std::memory_order_relaxed)) {
      return Resource(this);
    }
  }
  return {};
}

Device::Device(Identity identity, const DeviceSource& source, uint32_t device_count)
    : identity_(identity),
      backend_(*source.backend),
      tapped_(source.backend),
      instance_(source.instance),
      backend_index_(source.index),
      peers_(device_count) {}

Result<ferryx_device*> Device::open() {
  if (ferryx_device* open = handle()) return open;
  const std::lock_guard lock(mutex_);
  if (ferryx_device* open = handle()) return open;
  ferryx_device* opened = nullptr;
  FERRY_RETURN_IF_ERROR(Status(
      backend_.device_open(instance_, backend_index_, static_cast<uint32_t>(id()), &opened)));
  handle_.store(opened, std::memory_order_release);
  FERRY_LOG(kInfo, "device %d is opened: device %u of the backend %s", id(), backend_index_,
            backend_.name);
  return opened;
}

Status Device::execute(ferryx_work& work) const {
  FERRY_RETURN_IF_ERROR(check_accepts_work());
  CallRecord& record = call_record();
  work.origin = {.call = record.function,
                 .task = 0,
                 .stream = -1,
                 .context = current_context_handle(),
                 .correlation = next_correlation(record)};
  return Status(tapped().device_execute(handle(), &work));
}

Status Device::execute_unseen(ferryx_work& work) const {
  work.origin = {.call = current_function(),
                 .task = 0,
                 .stream = -1,
                 .context = current_context_handle(),
                 .correlation = 0};
  return Status(backend_.device_execute(handle(), &work));
}

Result<Ref<Context>> Device::retain_primary() {
  FERRY_RETURN_IF_ERROR(open().status());
  Ref<Context> primary;
  bool is_new = false;
  {
    const std::lock_guard lock(mutex_);
    is_new = !primary_;
    if (is_new) {
      Result<Ref<Context>> made = Context::create(*this, Context::Kind::kPrimary);
      if (!made.ok()) return made;
      primary_ = *made;
    }
    ++set_count_;
    primary = primary_;
  }
  if (is_new) primary->tell_default_stream();
  return primary;
}

void Device::begin_task_abort() {
  aborts_of_all.fetch_add(1, std::memory_order_acq_rel);
  task_aborts_.fetch_add(1, std::memory_order_acq_rel);
  aborting_.fetch_add(1, std::memory_order_acq_rel);
}

Status Device::fail_aborting() const {
  return fail(ACL_ERROR_RT_DEVICE_TASK_ABORT, kEE1016,
              "the tasks of device %d are being aborted (aclrtDeviceTaskAbort)", id());
}

Status Device::fail_not_set() const {
  return fail(
      ACL_ERROR_RT_CONTEXT_RELEASE_ERROR, kEE1018,
      "device %d is not set: aclrtSetDevice was not called, or every call was undone already",
      id());
}

Status Device::release_primary() {
  Ref<Context> last;
  {
    const std::lock_guard lock(mutex_);
    if (set_count_ == 0) return fail_not_set();
    if (--set_count_ > 0) return {};
    last = std::move(primary_);
  }
  // Outside the lock: it waits for the work of the context.
  last->close(Context::PendingWork::kFinish);
  return {};
}

Status Device::release_primary_now() {
  Ref<Context> last;
  {
    const std::lock_guard lock(mutex_);
    if (set_count_ == 0) return fail_not_set();
    set_count_ = 0;
    last = std::move(primary_);
  }
  last->close(Context::PendingWork::kDrop);
  return {};
}

bool Device::has_primary() {
  const std::lock_guard lock(mutex_);
  return static_cast<bool>(primary_);
}

void Device::add_context(void* context) {
  const std::lock_guard lock(contexts_mutex_);
  contexts_.push_back(context);
}

void Device::forget_context(void* context) {
  {
    const std::lock_guard lock(contexts_mutex_);
    std::erase(contexts_, context);
    if (!contexts_.empty()) return;
  }
  // What kernels have needed ends with the last context.
  trim_argument_memory(*this);
  forget_variables(*this);
}

std::vector<Ref<Stream>> Device::all_streams() const {
  std::vector<void*> contexts;
  {
    const std::lock_guard lock(contexts_mutex_);
    contexts = contexts_;
  }
  std::vector<Ref<Stream>> all;
  for (void* context_handle : contexts) {
    const Ref<Context> context = HandleTable<Context>::instance().find(context_handle);
    if (!context) continue;
    for (Ref<Stream>& stream : context->streams())
      all.push_back(std::move(stream));
  }
  return all;
}

bool Device::is_peer_enabled(int32_t peer) const {
  return peers_[static_cast<size_t>(peer)].load(std::memory_order_relaxed);
}

Status Device::enable_peer(Device& peer) {
  FERRY_RETURN_IF_ERROR(open().status());
  FERRY_RETURN_IF_ERROR(peer.open().status());
  const std::lock_guard lock(mutex_);
  FERRY_RETURN_IF_ERROR(Status(backend_.peer_enable(handle(), peer.handle())));
  peers_[static_cast<size_t>(peer.id())].store(true, std::memory_order_relaxed);
  return {};
}

Status Device::disable_peer(Device& peer) {
  const std::lock_guard lock(mutex_);
  if (!is_peer_enabled(peer.id())) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1018, "peerDeviceId", peer.id())
        .because(", but access from device %d to it is not enabled", id());
  }
  FERRY_RETURN_IF_ERROR(Status(backend_.peer_disable(handle(), peer.handle())));
  peers_[static_cast<size_t>(peer.id())].store(false, std::memory_order_relaxed);
  return {};
}

}  // namespace ferry
