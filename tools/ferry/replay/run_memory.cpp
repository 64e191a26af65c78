// SPDX-License-Identifier: Apache-2.0
// Allocates regions, fills them, and computes what a run must leave in them.
#include "replay/run_memory.h"

#include "text.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <new>
#include <utility>

namespace ferry::tools::replay {
namespace {

constexpr size_t kPage = 4096;
constexpr size_t kHugePage = size_t{2} << 20;
bool is_host(Place place) {
  return place != Place::kDevice;
}

// Different in every 8 bytes of all regions.
void write_pattern(std::byte* to, size_t size, uint32_t region, uint64_t offset) {
  for (size_t i = 0; i < size; i += 8) {
    const uint64_t word = (offset + i + 1) * 0x9e3779b97f4a7c15U + region * 0x632be59bd9b4e019U;
    std::memcpy(to + i, &word, std::min<size_t>(8, size - i));
  }
}

// What the machine can still give; the largest number when it does not say.
uint64_t available_host_memory() {
  std::ifstream file("/proc/meminfo");
  std::string name;
  uint64_t kibibytes = 0;
  std::string unit;
  while (file >> name >> kibibytes && std::getline(file, unit)) {
    if (name == "MemAvailable:") return kibibytes << 10;
  }
  return std::numeric_limits<uint64_t>::max();
}

std::string too_little(uint64_t needed, const std::string& where, uint64_t there) {
  return fmt::format("the copies need {} {}, which has {} free", size_text(needed), where,
                     size_text(there));
}

// Asks before anything is touched: a machine that runs out of memory ends programs.
std::string check_room(const std::vector<Region>& regions) {
  uint64_t host = 0;
  for (const Region& region : regions) {
    if (is_host(region.place)) {
      host += region.size;
      continue;
    }
    if (const aclError code = aclrtSetDevice(region.device); code != ACL_SUCCESS)
      return failure_text("aclrtSetDevice", code);
    size_t there = 0;
    size_t total = 0;
    if (const aclError code = aclrtGetMemInfo(ACL_HBM_MEM, &there, &total); code != ACL_SUCCESS)
      return failure_text("aclrtGetMemInfo", code);
    if (region.size > there)
      return too_little(region.size, fmt::format("on device {}", region.device), there);
  }
  const uint64_t there = available_host_memory();
  return host > there ? too_little(host, "on the host", there) : "";
}

}  // namespace

// Room for the region from the first huge page on.
uint64_t whole_huge_pages(uint64_t size) {
  return (size + kHugePage - 1) / kHugePage * kHugePage + kHugePage;
}

std::byte* first_huge_page(void* allocation) {
  const auto address = reinterpret_cast<uintptr_t>(allocation);
  return static_cast<std::byte*>(allocation) + (kHugePage - address % kHugePage) % kHugePage;
}

void request_huge_pages(void* allocation, uint64_t size) {
  const uintptr_t begin = (reinterpret_cast<uintptr_t>(allocation) + kPage - 1) / kPage * kPage;
  static_cast<void>(
      madvise(reinterpret_cast<void*>(begin), size / kPage * kPage - kPage, MADV_HUGEPAGE));
}

std::string failure_text(const char* function, aclError code) {
  const char* text = aclGetRecentErrMsg();
  return text == nullptr ? fmt::format("{} returned {}", function, code)
                         : fmt::format("{} returned {}: {}", function, code, text);
}

RunMemory::~RunMemory() {
  for (const Block& block : blocks_) {
    if (block.allocation == nullptr) continue;
    switch (block.region.place) {
      case Place::kPinned:
        static_cast<void>(aclrtFreeHost(block.allocation));
        break;
      case Place::kDevice:
        static_cast<void>(aclrtFree(block.allocation));
        break;
      case Place::kRegistered:
        if (block.is_registered) static_cast<void>(aclrtHostUnregister(block.allocation));
        std::free(block.allocation);
        break;
      case Place::kPageable:
        std::free(block.allocation);
        break;
    }
  }
}

std::string RunMemory::allocate(const Plan& plan) {
  if (std::string wrong = check_room(plan.regions); !wrong.empty()) return wrong;
  blocks_.resize(plan.regions.size());
  for (size_t i = 0; i < blocks_.size(); ++i) {
    blocks_[i].region = plan.regions[i];
    if (std::string wrong = allocate_block(blocks_[i]); !wrong.empty()) return wrong;
  }
  return {};
}

std::string RunMemory::allocate_block(Block& block) {
  void* address = nullptr;
  const uint64_t size = whole_huge_pages(block.region.size);
  switch (block.region.place) {
    case Place::kDevice: {
      if (const aclError code = aclrtSetDevice(block.region.device); code != ACL_SUCCESS)
        return failure_text("aclrtSetDevice", code);
      const aclError code = aclrtMalloc(&address, size, ACL_MEM_MALLOC_HUGE_FIRST);
      if (code != ACL_SUCCESS) return failure_text("aclrtMalloc", code);
      break;
    }
    case Place::kPinned: {
      const aclError code = aclrtMallocHost(&address, size);
      if (code != ACL_SUCCESS) return failure_text("aclrtMallocHost", code);
      break;
    }
    case Place::kPageable:
    case Place::kRegistered:
      address = std::aligned_alloc(kPage, size);
      if (address == nullptr) return fmt::format("the host has not got {}", size_text(size));
      break;
  }
  if (is_host(block.region.place)) request_huge_pages(address, size);
  block.allocation = address;
  block.address = first_huge_page(address);
  if (block.region.place != Place::kRegistered) return {};
  void* device_address = nullptr;
  const aclError code = aclrtHostRegister(address, size, ACL_HOST_REGISTER_MAPPED, &device_address);
  if (code != ACL_SUCCESS) return failure_text("aclrtHostRegister", code);
  block.is_registered = true;
  return {};
}

std::string RunMemory::fill() {
  constexpr size_t kStaged = size_t{4} << 20;
  std::vector<std::byte> staged(kStaged);
  for (uint32_t i = 0; i < blocks_.size(); ++i) {
    const Block& block = blocks_[i];
    if (is_host(block.region.place)) {
      write_pattern(block.address, block.region.size, i, 0);
      continue;
    }
    if (const aclError code = aclrtSetDevice(block.region.device); code != ACL_SUCCESS)
      return failure_text("aclrtSetDevice", code);
    for (uint64_t offset = 0; offset < block.region.size; offset += kStaged) {
      const size_t size = std::min<uint64_t>(kStaged, block.region.size - offset);
      write_pattern(staged.data(), size, i, offset);
      const aclError code =
          aclrtMemcpy(block.address + offset, size, staged.data(), size, ACL_MEMCPY_HOST_TO_DEVICE);
      if (code != ACL_SUCCESS) return failure_text("aclrtMemcpy", code);
    }
  }
  return {};
}

std::string RunMemory::read(Contents& contents) const {
  contents.assign(blocks_.size(), {});
  for (size_t i = 0; i < blocks_.size(); ++i) {
    const Block& block = blocks_[i];
    contents[i].resize(block.region.size);
    if (is_host(block.region.place)) {
      std::memcpy(contents[i].data(), block.address, block.region.size);
      continue;
    }
    if (const aclError code = aclrtSetDevice(block.region.device); code != ACL_SUCCESS)
      return failure_text("aclrtSetDevice", code);
    const aclError code = aclrtMemcpy(contents[i].data(), block.region.size, block.address,
                                      block.region.size, ACL_MEMCPY_DEVICE_TO_HOST);
    if (code != ACL_SUCCESS) return failure_text("aclrtMemcpy", code);
  }
  return {};
}

Contents expected_contents(const Plan& plan) {
  Contents contents(plan.regions.size());
  for (uint32_t i = 0; i < contents.size(); ++i) {
    contents[i].resize(plan.regions[i].size);
    write_pattern(contents[i].data(), contents[i].size(), i, 0);
  }
  for (const Step& step : plan.steps) {
    for (uint32_t i = step.first_item; i < step.first_item + step.items; ++i) {
      const CopyItem& item = plan.items[i];
      std::byte* to = contents[item.dst.region].data() + item.dst.offset;
      if (step.action == Action::kFill) {
        std::memset(to, kFillValue, item.size);
        continue;
      }
      const std::byte* from = contents[item.src.region].data() + item.src.offset;
      for (uint64_t row = 0; row < step.rows; ++row)
        std::memmove(to + row * step.dst_pitch, from + row * step.src_pitch, item.size);
    }
  }
  return contents;
}

}  // namespace ferry::tools::replay
