// SPDX-License-Identifier: Apache-2.0
// Filling and comparing. Blocks that are not part of a round are compared too: they must not
// change.
#include "pools.h"

#include "check.h"

#include <algorithm>

namespace kv_offload {
namespace {

constexpr size_t kNoBlock = SIZE_MAX;
constexpr int kWiped = 0xEE;
// Odd, so that words of one block differ; the golden ratio, so that neighbours differ in many bits.
constexpr uint64_t kStep = 0x9E3779B97F4A7C15;

uint64_t first_word(uint64_t version, size_t layer, size_t block) {
  uint64_t word = (version << 40) ^ (uint64_t{layer} << 24) ^ block;
  word = (word ^ (word >> 31)) * kStep;
  return word ^ (word >> 29);
}

// Which block of a round is in each place; kNoBlock where there is none.
std::vector<size_t> blocks_by_place(size_t room, const std::vector<size_t>& places,
                                    const std::vector<size_t>& blocks) {
  std::vector<size_t> result(room, kNoBlock);
  for (size_t i = 0; i < places.size(); ++i)
    result[places[i]] = blocks[i];
  return result;
}

std::string describe(const char* place, size_t number, const std::string& wrong) {
  return wrong.empty() ? "" : std::string(place) + " " + std::to_string(number) + ", " + wrong;
}

}  // namespace

Pools::Pools(const Shape& shape)
    : shape_(shape), room_(shape.blocks + shape.blocks / 4 + 1), layers_(shape.layers) {
  const size_t layer_bytes = room_ * shape.block_bytes;
  for (char*& layer : layers_)
    check(aclrtMalloc(reinterpret_cast<void**>(&layer), layer_bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  check(aclrtMallocHost(reinterpret_cast<void**>(&host_), layer_bytes * shape.layers));
  check(aclrtMallocHost(reinterpret_cast<void**>(&staging_), layer_bytes));
}

Pools::~Pools() {
  for (char* layer : layers_)
    check(aclrtFree(layer));
  check(aclrtFreeHost(host_));
  check(aclrtFreeHost(staging_));
}

char* Pools::device_address(size_t layer, size_t block) const {
  return layers_[layer] + block * shape_.block_bytes;
}

// The host keeps all layers of a block together, so that a block can be sent on as one piece.
char* Pools::host_address(size_t layer, size_t slot) const {
  return host_ + (slot * shape_.layers + layer) * shape_.block_bytes;
}

Pieces Pools::pieces(const std::vector<size_t>& device_blocks,
                     const std::vector<size_t>& slots) const {
  Pieces result;
  for (size_t i = 0; i < device_blocks.size(); ++i) {
    for (size_t layer = 0; layer < shape_.layers; ++layer) {
      result.on_device.push_back(device_address(layer, device_blocks[i]));
      result.on_host.push_back(host_address(layer, slots[i]));
      result.sizes.push_back(shape_.block_bytes);
    }
  }
  return result;
}

void Pools::prepare_out(uint64_t version) {
  const size_t layer_bytes = room_ * shape_.block_bytes;
  for (size_t layer = 0; layer < shape_.layers; ++layer) {
    for (size_t block = 0; block < room_; ++block) {
      auto* words = reinterpret_cast<uint64_t*>(staging_ + block * shape_.block_bytes);
      uint64_t word = first_word(version, layer, block);
      for (size_t i = 0; i < shape_.block_bytes / sizeof word; ++i, word += kStep)
        words[i] = word;
    }
    check(
        aclrtMemcpy(layers_[layer], layer_bytes, staging_, layer_bytes, ACL_MEMCPY_HOST_TO_DEVICE));
  }
  std::memset(host_, kWiped, layer_bytes * shape_.layers);
}

void Pools::prepare_back() {
  const size_t layer_bytes = room_ * shape_.block_bytes;
  for (char* layer : layers_)
    check(aclrtMemset(layer, layer_bytes, kWiped, layer_bytes));
}

std::string Pools::compare_host(uint64_t version, const Route& route) const {
  const std::vector<size_t> blocks = blocks_by_place(room_, route.slots, route.sources);
  for (size_t slot = 0; slot < room_; ++slot) {
    for (size_t layer = 0; layer < shape_.layers; ++layer) {
      const std::string wrong = compare(host_address(layer, slot), version, layer, blocks[slot]);
      if (!wrong.empty()) return describe("host slot", slot, wrong);
    }
  }
  return {};
}

std::string Pools::compare_device(uint64_t version, const Route& route) const {
  const size_t layer_bytes = room_ * shape_.block_bytes;
  const std::vector<size_t> blocks = blocks_by_place(room_, route.targets, route.sources);
  for (size_t layer = 0; layer < shape_.layers; ++layer) {
    check(
        aclrtMemcpy(staging_, layer_bytes, layers_[layer], layer_bytes, ACL_MEMCPY_DEVICE_TO_HOST));
    for (size_t place = 0; place < room_; ++place) {
      const std::string wrong =
          compare(staging_ + place * shape_.block_bytes, version, layer, blocks[place]);
      if (!wrong.empty()) return describe("device block", place, wrong);
    }
  }
  return {};
}

// Compares one piece with block `block` of that version, or with wiped memory for kNoBlock.
std::string Pools::compare(const char* bytes, uint64_t version, size_t layer, size_t block) const {
  const auto* words = reinterpret_cast<const uint64_t*>(bytes);
  const size_t count = shape_.block_bytes / sizeof(uint64_t);
  uint64_t expected = block == kNoBlock ? 0 : first_word(version, layer, block);
  const uint64_t step = block == kNoBlock ? 0 : kStep;
  if (block == kNoBlock) std::memset(&expected, kWiped, sizeof expected);
  for (size_t i = 0; i < count; ++i, expected += step) {
    if (words[i] == expected) continue;
    const auto* found = reinterpret_cast<const unsigned char*>(&words[i]);
    const auto* wanted = reinterpret_cast<const unsigned char*>(&expected);
    const auto* end = found + sizeof(uint64_t);
    const auto [wrong, right] = std::mismatch(found, end, wanted);
    char text[160];
    std::snprintf(text, sizeof text, "layer %zu, byte %zu is 0x%02X and should be 0x%02X (%s)",
                  layer, static_cast<size_t>(wrong - reinterpret_cast<const unsigned char*>(bytes)),
                  *wrong, *right,
                  block == kNoBlock ? "a block that was not moved" : "a moved block");
    return text;
  }
  return {};
}

}  // namespace kv_offload
