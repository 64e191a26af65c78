// SPDX-License-Identifier: Apache-2.0
// Commands of the peer: the other forms of copies.
#include "command.h"

#include <vector>

namespace peer {
namespace {

// DESTINATION OFFSET PITCH SOURCE OFFSET PITCH WIDTH HEIGHT KIND: rows of a 2D copy
Answer copy_rows(Words& words) {
  void* const dst = words.address();
  const size_t dst_pitch = words.number();
  const void* const src = words.address();
  const size_t src_pitch = words.number();
  const size_t width = words.number();
  const size_t height = words.number();
  const auto kind = static_cast<aclrtMemcpyKind>(words.number());
  return {aclrtMemcpy2d(dst, dst_pitch, src, src_pitch, width, height, kind), {}};
}

// The same, and a stream
Answer copy_rows_async(Words& words) {
  void* const dst = words.address();
  const size_t dst_pitch = words.number();
  const void* const src = words.address();
  const size_t src_pitch = words.number();
  const size_t width = words.number();
  const size_t height = words.number();
  const auto kind = static_cast<aclrtMemcpyKind>(words.number());
  return {aclrtMemcpy2dAsync(dst, dst_pitch, src, src_pitch, width, height, kind, words.object()),
          {}};
}

// The arrays of a batch: `count` blocks of `size` bytes, `distance` bytes apart in device memory
// and one behind the other on the host.
struct Batch {
  Batch(char* dst, char* src, bool is_to_device, const std::vector<uint64_t>& shape)
      : sizes(shape[0], shape[1]) {
    for (size_t i = 0; i < shape[0]; ++i) {
      dsts.push_back(dst + i * (is_to_device ? shape[2] : shape[1]));
      srcs.push_back(src + i * (is_to_device ? shape[1] : shape[2]));
    }
    aclrtMemLocation& device = is_to_device ? attribute.dstLoc : attribute.srcLoc;
    device = {.id = 0, .type = ACL_MEM_LOCATION_TYPE_DEVICE};
  }

  std::vector<void*> dsts;
  std::vector<void*> srcs;
  std::vector<size_t> sizes;
  aclrtMemcpyBatchAttr attribute{};
  size_t first = 0;
  size_t failed = SIZE_MAX;
};

// DESTINATION OFFSET SOURCE OFFSET IS-TO-DEVICE COUNT SIZE DISTANCE
Batch read_batch(Words& words) {
  auto* const dst = static_cast<char*>(words.address());
  auto* const src = static_cast<char*>(words.address());
  const bool is_to_device = words.number() != 0;
  std::vector<uint64_t> shape{words.number(), words.number(), words.number()};
  return Batch(dst, src, is_to_device, shape);
}

Answer copy_batch(Words& words) {
  Batch batch = read_batch(words);
  return {
      aclrtMemcpyBatch(batch.dsts.data(), batch.sizes.data(), batch.srcs.data(), batch.sizes.data(),
                       batch.sizes.size(), &batch.attribute, &batch.first, 1, &batch.failed),
      {}};
}

// The same, and a stream
Answer copy_batch_async(Words& words) {
  Batch batch = read_batch(words);
  return {aclrtMemcpyBatchAsync(batch.dsts.data(), batch.sizes.data(), batch.srcs.data(),
                                batch.sizes.data(), batch.sizes.size(), &batch.attribute,
                                &batch.first, 1, &batch.failed, words.object()),
          {}};
}

// DESTINATION OFFSET SOURCE OFFSET SIZE DESCRIPTOR STREAM: with addresses in device memory
Answer copy_described(Words& words) {
  void* const dst = words.address();
  void* const src = words.address();
  const size_t size = words.number();
  void* const descriptor = words.object();
  if (const aclError code = aclrtSetMemcpyDesc(descriptor, ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, src,
                                               dst, size, nullptr);
      code != ACL_SUCCESS) {
    return {code, {}};
  }
  return {aclrtMemcpyAsyncWithDesc(descriptor, ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, words.object()),
          {}};
}

// ADDRESS OFFSET VALUE STREAM
Answer write_value(Words& words) {
  void* const address = words.address();
  const uint64_t value = words.number();
  return {aclrtValueWrite(address, value, 0, words.object()), {}};
}

// ADDRESS OFFSET VALUE STREAM
Answer await_value(Words& words) {
  void* const address = words.address();
  const uint64_t value = words.number();
  return {aclrtValueWait(address, value, 0, words.object()), {}};
}

}  // namespace

const Command kCopyCommands[] = {
    {"copy_rows", copy_rows},           {"copy_rows_async", copy_rows_async},
    {"copy_batch", copy_batch},         {"copy_batch_async", copy_batch_async},
    {"copy_described", copy_described}, {"write_value", write_value},
    {"await_value", await_value},       {nullptr, nullptr},
};

}  // namespace peer
