// SPDX-License-Identifier: Apache-2.0
// Copies batches of several sizes to see which way each takes.
#include "info_ways.h"

#include "text.h"

#include "acl/acl.h"
#include "ferry/ferry.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

namespace ferry::tools {
namespace {

struct Shape {
  size_t count;
  size_t bytes;
  const char* text;
};
constexpr Shape kShapes[] = {{4096, 512, "4096 x 512 B"},
                             {4096, 4 << 10, "4096 x 4 KiB"},
                             {256, 64 << 10, "256 x 64 KiB"},
                             {16, 64 << 10, "16 x 64 KiB"},
                             {16, 1 << 20, "16 x 1 MiB"}};
// Blocks are one block apart: without a gap they would be joined into one copy.
constexpr size_t kRoom = size_t{2} * 16 << 20;

// Pinned and device memory of the current device, and a stream.
class Ends {
 public:
  Ends() {
    are_well_ = aclrtMallocHost(&host_, kRoom) == ACL_SUCCESS &&
                aclrtMalloc(&device_, kRoom, ACL_MEM_MALLOC_NORMAL_ONLY) == ACL_SUCCESS &&
                aclrtCreateStream(&stream_) == ACL_SUCCESS;
  }
  ~Ends() {
    if (stream_ != nullptr) static_cast<void>(aclrtDestroyStream(stream_));
    if (device_ != nullptr) static_cast<void>(aclrtFree(device_));
    if (host_ != nullptr) static_cast<void>(aclrtFreeHost(host_));
  }
  Ends(const Ends&) = delete;
  Ends& operator=(const Ends&) = delete;

  bool are_well() const { return are_well_; }

  bool copy(const Shape& shape, bool is_in) const {
    auto* to = static_cast<std::byte*>(is_in ? device_ : host_);
    auto* from = static_cast<std::byte*>(is_in ? host_ : device_);
    std::vector<void*> targets(shape.count);
    std::vector<void*> sources(shape.count);
    std::vector<size_t> sizes(shape.count, shape.bytes);
    for (size_t i = 0; i < shape.count; ++i) {
      targets[i] = to + 2 * i * shape.bytes;
      sources[i] = from + 2 * i * shape.bytes;
    }
    aclrtMemcpyBatchAttr attribute{};
    attribute.srcLoc.type = is_in ? ACL_MEM_LOCATION_TYPE_HOST : ACL_MEM_LOCATION_TYPE_DEVICE;
    attribute.dstLoc.type = is_in ? ACL_MEM_LOCATION_TYPE_DEVICE : ACL_MEM_LOCATION_TYPE_HOST;
    size_t first = 0;
    size_t fail_index = 0;
    return aclrtMemcpyBatchAsync(targets.data(), sizes.data(), sources.data(), sizes.data(),
                                 shape.count, &attribute, &first, 1, &fail_index,
                                 stream_) == ACL_SUCCESS &&
           aclrtSynchronizeStream(stream_) == ACL_SUCCESS;
  }

 private:
  void* host_ = nullptr;
  void* device_ = nullptr;
  aclrtStream stream_ = nullptr;
  bool are_well_ = false;
};

std::vector<ferryCopyWay> ways_of(int32_t device) {
  std::vector<ferryCopyWay> ways;
  ferryCopyWay way{};
  while (ferryGetCopyWay(device, ways.size(), &way) == ACL_SUCCESS)
    ways.push_back(way);
  return ways;
}

// The way whose task count has grown; if a batch takes two ways, the last one.
std::optional<ferryCopyWay> way_taken(const std::vector<ferryCopyWay>& before,
                                      const std::vector<ferryCopyWay>& after) {
  std::optional<ferryCopyWay> taken;
  for (size_t i = 0; i < std::min(before.size(), after.size()); ++i) {
    if (after[i].tasks > before[i].tasks) taken = after[i];
  }
  return taken;
}

// Adds a row for one batch; false when a call failed.
bool add_batch(Table& table, int32_t device, const Ends& ends, const Shape& shape, bool is_in) {
  const std::vector<ferryCopyWay> before = ways_of(device);
  if (!ends.copy(shape, is_in)) return false;
  const std::optional<ferryCopyWay> way = way_taken(before, ways_of(device));
  if (!way) return true;
  table.add({fmt::format("{} {}", shape.text, is_in ? "in" : "out"), way->name,
             way->multiprocessors == 0 ? "-" : fmt::format("{}", way->multiprocessors),
             way->reason});
  return true;
}

}  // namespace

bool show_ways(int32_t device) {
  if (ways_of(device).empty()) return true;
  if (aclrtSetDevice(device) != ACL_SUCCESS) return false;
  Table table({"batch", "goes by", "multiprocessors", "because"});
  bool is_well = false;
  {
    const Ends ends;
    is_well = ends.are_well() &&
              std::all_of(std::begin(kShapes), std::end(kShapes), [&](const Shape& shape) {
                return add_batch(table, device, ends, shape, true) &&
                       add_batch(table, device, ends, shape, false);
              });
  }
  static_cast<void>(aclrtResetDevice(device));
  if (!is_well) return false;
  fmt::print("\n{}\n{}",
             painted(Paint::kBold, fmt::format("Batches of pinned memory on device {}", device)),
             table.text());
  return true;
}

}  // namespace ferry::tools
