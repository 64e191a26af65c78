// SPDX-License-Identifier: Apache-2.0
// Patterns, comparisons and copies.
#include "bench/transfer.h"

#include "ferry/ferry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace ferry::bench {
namespace {

// 2^64 over the golden ratio: adjacent words differ in many bits.
constexpr uint64_t kStep = 0x9E3779B97F4A7C15;
// The first word of every stretch of this size changes from round to round.
constexpr size_t kStampDistance = 512;

aclrtMemLocation location_of(const Buffer& buffer) {
  return {0, buffer.is_on_device() ? ACL_MEM_LOCATION_TYPE_DEVICE : ACL_MEM_LOCATION_TYPE_HOST};
}

std::vector<size_t> random_places(size_t count, size_t room, size_t block_bytes,
                                  std::mt19937& random) {
  std::vector<size_t> places(room);
  std::iota(places.begin(), places.end(), size_t{0});
  std::shuffle(places.begin(), places.end(), random);
  places.resize(count);
  for (size_t& place : places)
    place *= block_bytes;
  return places;
}

}  // namespace

Layout whole(size_t bytes) {
  return {bytes, bytes, {0}, {0}};
}

Layout in_a_row(size_t count, size_t block_bytes) {
  const size_t distance =
      (block_bytes + kStampDistance - 1) / kStampDistance * kStampDistance + kStampDistance;
  std::vector<size_t> offsets(count);
  for (size_t i = 0; i < count; ++i)
    offsets[i] = i * distance;
  return {block_bytes, count * distance, offsets, offsets};
}

Layout scattered(size_t count, size_t block_bytes) {
  return scattered(count, block_bytes, (count + count / 4) * block_bytes);
}

Layout scattered(size_t count, size_t block_bytes, size_t pool_bytes) {
  std::mt19937 random(static_cast<uint32_t>(count + block_bytes));  // the same in every run
  const size_t room = pool_bytes / block_bytes;
  std::vector<size_t> from = random_places(count, room, block_bytes, random);
  return {block_bytes, pool_bytes, std::move(from),
          random_places(count, room, block_bytes, random)};
}

Transfer::Transfer(const Layout& layout, Buffer::Place from, Buffer::Place to)
    : layout_(layout),
      source_(from, layout.pool_bytes),
      target_(to, layout.pool_bytes),
      image_(Buffer::Place::kPlain, layout.pool_bytes),
      arrived_(Buffer::Place::kPlain, layout.pool_bytes),
      sizes_(layout.from.size(), layout.block_bytes) {
  auto* words = reinterpret_cast<uint64_t*>(image_.at(0));
  uint64_t word = kStep;
  for (size_t i = 0; i < layout.pool_bytes / sizeof word; ++i)
    words[i] = word += kStep;
  for (const size_t offset : layout.from)
    sources_.push_back(source_.at(offset));
  for (const size_t offset : layout.to)
    targets_.push_back(target_.at(offset));
}

void Transfer::prepare() {
  ++round_;
  for (size_t offset = 0; offset < image_.size(); offset += kStampDistance) {
    const uint64_t stamp = (offset + round_) * kStep;
    std::memcpy(image_.at(offset), &stamp, std::min(sizeof stamp, image_.size() - offset));
  }
  source_.write(image_.at(0));
}

void Transfer::verify() const {
  target_.read(arrived_.at(0));
  for (size_t i = 0; i < layout_.from.size(); ++i) {
    if (std::memcmp(arrived_.at(layout_.to[i]), image_.at(layout_.from[i]), layout_.block_bytes) !=
        0) {
      throw std::runtime_error(
          fmt::format("WRONG BYTES in block {} of {}, {} bytes each: the speed of such a copy "
                      "means nothing",
                      i, layout_.from.size(), layout_.block_bytes));
    }
  }
}

void Transfer::submit_one_by_one(const Stream& stream) const {
  const aclrtMemcpyKind kind = !source_.is_on_device()   ? ACL_MEMCPY_HOST_TO_DEVICE
                               : !target_.is_on_device() ? ACL_MEMCPY_DEVICE_TO_HOST
                                                         : ACL_MEMCPY_DEVICE_TO_DEVICE;
  const size_t bytes = layout_.block_bytes;
  for (size_t i = 0; i < sources_.size(); ++i)
    check(aclrtMemcpyAsync(targets_[i], bytes, sources_[i], bytes, kind, stream.handle()));
}

void Transfer::copy_one_by_one(const Stream& stream) const {
  submit_one_by_one(stream);
  stream.synchronize();
}

void Transfer::copy_as_batch(const Stream& stream) {
  aclrtMemcpyBatchAttr attribute{};
  attribute.srcLoc = location_of(source_);
  attribute.dstLoc = location_of(target_);
  size_t first = 0;
  size_t fail_index = 0;
  check(aclrtMemcpyBatchAsync(targets_.data(), sizes_.data(), sources_.data(), sizes_.data(),
                              sizes_.size(), &attribute, &first, 1, &fail_index, stream.handle()));
  stream.synchronize();
}

void Transfer::copy_raw(CopyKernel kernel) const {
  copy_share(kernel, 0, layout_.bytes());
}

void Transfer::copy_raw(CopyKernel kernel, ThreadTeam& team) const {
  const size_t total = layout_.bytes();
  team.run([&](size_t member) {
    constexpr size_t kPage = 4096;  // page-aligned, so that members never share a cache line
    const auto border = [&](size_t i) {
      return i == team.size() ? total : total * i / team.size() / kPage * kPage;
    };
    copy_share(kernel, border(member), border(member + 1));
  });
}

// Copies the bytes from `begin` to `end`, counted across all blocks.
void Transfer::copy_share(CopyKernel kernel, size_t begin, size_t end) const {
  while (begin < end) {
    const size_t block = begin / layout_.block_bytes;
    const size_t offset = begin % layout_.block_bytes;
    const size_t bytes = std::min(layout_.block_bytes - offset, end - begin);
    kernel(target_.at(layout_.to[block] + offset), source_.at(layout_.from[block] + offset), bytes);
    begin += bytes;
  }
}

bool has_batch_copies() {
  const char* name = aclrtGetSocName();
  ferryProduct product{};
  for (size_t i = 0; ferryGetProduct(i, &product) == ACL_SUCCESS; ++i) {
    if (name != nullptr && std::string_view(product.name) == name) return product.batchCopy != 0;
  }
  return false;
}

Contender contender(const std::string& name, Transfer& transfer, std::function<void()> once) {
  return {name, std::move(once), {}, [&] { transfer.prepare(); }, [&] { transfer.verify(); }};
}

std::vector<Contender> raw_contenders(Transfer& raw, ThreadTeam& team) {
  return {contender("memcpy, 1 core", raw, [&] { raw.copy_raw(copy_plain); }),
          contender(fmt::format("memcpy, {} cores", team.size()), raw,
                    [&] { raw.copy_raw(copy_plain, team); })};
}

Contender non_temporal_contender(Transfer& raw, ThreadTeam& team) {
  return contender(fmt::format("non-temporal, {} cores", team.size()), raw,
                   [&] { raw.copy_raw(copy_non_temporal, team); });
}

}  // namespace ferry::bench
