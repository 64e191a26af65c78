// SPDX-License-Identifier: Apache-2.0
// rule: none
// A block is filled to its end and saved by a batch with one attribute per item.
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBlockBytes = 16 * 512;

}  // namespace

int main() {
  Device device;
  DeviceMemory blocks(2 * kBlockBytes, Contents::kNone);
  PinnedMemory tokens(2 * kBlockBytes);
  PinnedMemory saved(2 * kBlockBytes);
  need(aclrtMemcpy(blocks, kBlockBytes, tokens, kBlockBytes, ACL_MEMCPY_HOST_TO_DEVICE));
  const size_t filled = kBlockBytes;
  need(aclrtMemcpy(blocks + kBlockBytes, kBlockBytes, tokens + kBlockBytes, filled,
                   ACL_MEMCPY_HOST_TO_DEVICE));
  void* dsts[2] = {saved, saved + kBlockBytes};
  void* srcs[2] = {blocks, blocks + kBlockBytes};
  size_t sizes[2] = {kBlockBytes, kBlockBytes};
  const aclrtMemcpyBatchAttr to_host{
      {0, ACL_MEM_LOCATION_TYPE_HOST}, {0, ACL_MEM_LOCATION_TYPE_DEVICE}, {}};
  aclrtMemcpyBatchAttr attributes[2] = {to_host, to_host};
  size_t first_items[2] = {0, 1};
  size_t fail_index = SIZE_MAX;
  need(aclrtMemcpyBatch(dsts, sizes, srcs, sizes, 2, attributes, first_items, 2, &fail_index));
  return 0;
}
