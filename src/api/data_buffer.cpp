// SPDX-License-Identifier: Apache-2.0
// Data buffers: pairs of an address and a size. A handle is a number, so that stale ones are found.
#include "api/adapters.h"
#include "base/status.h"
#include "core/handle_table.h"

#include <memory>
#include <mutex>

namespace ferry::api {
namespace {

class DataBuffer final : public Handled {
 public:
  static constexpr HandleKind kHandleKind = HandleKind::kDataBuffer;

  struct Contents {
    void* data = nullptr;
    size_t size = 0;
  };
  void set(const Contents& contents) {
    const std::lock_guard lock(mutex_);
    contents_ = contents;
  }
  Contents get() const {
    const std::lock_guard lock(mutex_);
    return contents_;
  }

 private:
  mutable std::mutex mutex_;  // guards contents_
  Contents contents_;
};

Result<Ref<DataBuffer>> find(const aclDataBuffer* handle) {
  if (handle == nullptr) return fail_null("dataBuffer");
  Ref<DataBuffer> buffer = HandleTable<DataBuffer>::instance().find(handle);
  if (buffer) return buffer;
  return reject(ACL_ERROR_INVALID_PARAM, kEH0009, "dataBuffer", handle)
      .because(", which is not a live data buffer");
}

Status check_contents(const void* data, size_t size) {
  if (data != nullptr || size == 0) return {};
  return reject(ACL_ERROR_INVALID_PARAM, kEH0009, "data", nullptr)
      .detail(" and size is %zu, allowed is ", size)
      .allowed("0 with NULL");
}

}  // namespace

aclDataBuffer* aclCreateDataBuffer(void* data, size_t size) {
  if (!check_contents(data, size).ok()) return nullptr;
  const Ref<DataBuffer> buffer =
      HandleTable<DataBuffer>::instance().insert(std::make_unique<DataBuffer>());
  buffer->set({data, size});
  return static_cast<aclDataBuffer*>(buffer->handle());
}

aclError aclDestroyDataBuffer(const aclDataBuffer* dataBuffer) {
  FERRY_RETURN_IF_ERROR(find(dataBuffer).status());
  if (HandleTable<DataBuffer>::instance().remove(dataBuffer)) return ACL_SUCCESS;
  return find(dataBuffer).status();  // another thread has destroyed it meanwhile
}

aclError aclUpdateDataBuffer(aclDataBuffer* dataBuffer, void* data, size_t size) {
  FERRY_TRY(Ref<DataBuffer>, buffer, find(dataBuffer));
  FERRY_RETURN_IF_ERROR(check_contents(data, size));
  (*buffer)->set({data, size});
  return ACL_SUCCESS;
}

void* aclGetDataBufferAddr(const aclDataBuffer* dataBuffer) {
  Result<Ref<DataBuffer>> buffer = find(dataBuffer);
  return buffer.ok() ? (*buffer)->get().data : nullptr;
}

uint32_t aclGetDataBufferSize(const aclDataBuffer* dataBuffer) {
  return static_cast<uint32_t>(api::aclGetDataBufferSizeV2(dataBuffer));
}

size_t aclGetDataBufferSizeV2(const aclDataBuffer* dataBuffer) {
  Result<Ref<DataBuffer>> buffer = find(dataBuffer);
  return buffer.ok() ? (*buffer)->get().size : 0;
}

}  // namespace ferry::api
