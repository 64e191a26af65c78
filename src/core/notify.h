// SPDX-License-Identifier: Apache-2.0
// Notifies: a flag that one stream sets and another waits for and clears. A notify of another
// process can only be set.
#pragma once

#include "base/status.h"
#include "core/device.h"
#include "core/handle_table.h"
#include "core/shared_object.h"
#include "core/stream.h"

#include "acl/acl_rt.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>

namespace ferry {

class ExportedNotify;

// May be shared between threads.
class Notify final : public Handled {
 public:
  static constexpr HandleKind kHandleKind = HandleKind::kNotify;

  // 207009 when the device has no notify left.
  static Result<Ref<Notify>> create(Device& device);
  // A notify of another process, or of this one, by its key. 507899 when nobody offers it.
  static Result<Ref<Notify>> import(Device& device, const char* key);
  ~Notify();

  uint32_t id() const { return id_; }
  // Both fail with 107000 when the stream is on another kind of device.
  Status record(Stream& stream);
  // 207000 for an imported notify, as for clear().
  Status make_stream_wait(Stream& stream, int64_t timeout);
  Status check_clearable() const { return check_own("reset"); }
  Status clear();

  // 507000 when it was exported before, or is imported.
  Status check_exportable();
  // Makes the key with which other processes import it.
  Status export_key(ShareAccess access, std::span<char, sharing::kKeySize> key);
  // Names processes that may import it. 107000 when it was not exported.
  Status allow(const int32_t* pids, size_t count);

 private:
  Notify(Device& device, Resource resource, uint32_t id);
  static Result<Resource> take_resource(Device& device);
  Status check_backend(const Stream& stream) const;
  // 207000 when it is a notify of another process, where `action` is done alone.
  Status check_own(const char* action) const;
  Status submit(ferryx_work& work, Stream& stream) const;
  Status signal_owner(Stream& stream);
  Status check_exportable_locked() const;

  Device& device_;
  const Resource resource_;
  const uint32_t id_;                    // the creator's
  ferryx_flag* flag_ = nullptr;          // nullptr if it is imported
  std::shared_ptr<sharing::Hold> hold_;  // of an imported one; recorded signals share it

  std::mutex mutex_;  // protects what follows
  std::shared_ptr<ExportedNotify> exported_;
};

// 100000 for NULL, 107017 when the handle is not that of a live notify.
Result<Ref<Notify>> find_notify(aclrtNotify handle, const char* argument = "notify");

}  // namespace ferry
