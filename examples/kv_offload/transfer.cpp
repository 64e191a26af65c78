// SPDX-License-Identifier: Apache-2.0
// The copies: read this file to see how an offload is written.
#include "transfer.h"

#include <cstdint>

namespace kv_offload {
namespace {

aclError queue_loop(Direction direction, const Pieces& pieces, aclrtStream stream) {
  const bool is_out = direction == Direction::kOut;
  const aclrtMemcpyKind kind = is_out ? ACL_MEMCPY_DEVICE_TO_HOST : ACL_MEMCPY_HOST_TO_DEVICE;
  const std::vector<void*>& dsts = is_out ? pieces.on_host : pieces.on_device;
  const std::vector<void*>& srcs = is_out ? pieces.on_device : pieces.on_host;
  for (size_t i = 0; i < pieces.sizes.size(); ++i) {
    const size_t bytes = pieces.sizes[i];
    const aclError code = aclrtMemcpyAsync(dsts[i], bytes, srcs[i], bytes, kind, stream);
    if (code != ACL_SUCCESS) return code;
  }
  return ACL_SUCCESS;
}

aclError queue_batch(Direction direction, Pieces& pieces, int device, aclrtStream stream) {
  const bool is_out = direction == Direction::kOut;
  const aclrtMemLocation on_host{0, ACL_MEM_LOCATION_TYPE_HOST};
  const aclrtMemLocation on_device{static_cast<uint32_t>(device), ACL_MEM_LOCATION_TYPE_DEVICE};
  aclrtMemcpyBatchAttr attribute{};  // one for all pieces: it applies from piece 0 on
  attribute.srcLoc = is_out ? on_device : on_host;
  attribute.dstLoc = is_out ? on_host : on_device;
  size_t first_piece = 0;

  std::vector<void*>& dsts = is_out ? pieces.on_host : pieces.on_device;
  std::vector<void*>& srcs = is_out ? pieces.on_device : pieces.on_host;
  size_t fail_index = SIZE_MAX;
  // The capacity of each piece is its size, so one array serves as sizes and as destMaxs.
  return aclrtMemcpyBatchAsync(dsts.data(), pieces.sizes.data(), srcs.data(), pieces.sizes.data(),
                               pieces.sizes.size(), &attribute, &first_piece, 1, &fail_index,
                               stream);
}

}  // namespace

aclError queue_copies(Way way, Direction direction, Pieces& pieces, int device,
                      aclrtStream stream) {
  return way == Way::kLoop ? queue_loop(direction, pieces, stream)
                           : queue_batch(direction, pieces, device, stream);
}

}  // namespace kv_offload
