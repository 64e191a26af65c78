// SPDX-License-Identifier: Apache-2.0
// A CPU device without the runtime above, whose memory is exported and imported through the slots.
#pragma once

#include "backends/cpu/backend.h"
#include "backends/cpu/services.h"
#include "base/work.h"

#include "acl/acl_base_rt.h"
#include "acl/error_codes/rt_error_codes.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <map>
#include <mutex>
#include <string>

namespace ferry::cpu {

constexpr uint64_t kPage = 4096;
constexpr uint64_t kPiece = uint64_t{2} << 20;

class CpuSharing : public ::testing::Test {
 protected:
  void SetUp() override {
    device_ = device_with(uint64_t{64} << 20);
    last_text().clear();
  }

  static std::string& last_text() {
    static auto* text = new std::string;
    return *text;
  }
  // Devices are never closed: one per capacity.
  static ferryx_device* device_with(uint64_t capacity) {
    struct Opened {
      ferryx_instance* instance = nullptr;
      ferryx_device* device = nullptr;
    };
    static auto* all = new std::map<uint64_t, Opened>;
    services = &kServices;  // other tests have services of their own
    Opened& opened = (*all)[capacity];
    if (opened.device != nullptr) return opened.device;
    const ferryx_settings settings{.struct_size = sizeof settings,
                                   .entry_count = 1,
                                   .entries = &kNoEntry,
                                   .options = "",
                                   .memory = capacity,
                                   .threads = 1,
                                   .schedule = FERRYX_EAGER,
                                   .seed = 0,
                                   .memory_is_shared = 0};
    uint32_t count = 0;
    ok(backend()->open(backend(), &kServices, &settings, &count, &opened.instance));
    ok(backend()->device_open(opened.instance, 0, 0, &opened.device));
    return opened.device;
  }

  static void ok(int code) { EXPECT_EQ(ACL_SUCCESS, code) << last_text(); }
  static char* bytes_of(const ferryx_memory& memory) { return static_cast<char*>(memory.storage); }

  ferryx_memory allocate(uint64_t size) const {
    ferryx_memory memory{};
    ok(backend()->memory_alloc(device_, size, 0, &memory));
    return memory;
  }
  void free(const ferryx_memory& memory) const { backend()->memory_free(device_, &memory); }
  ferryx_shared share(const ferryx_memory& memory) const {
    ferryx_shared shared{};
    ok(backend()->memory_export(device_, &memory, &shared));
    return shared;
  }
  ferryx_shared share(ferryx_physical* physical) const {
    ferryx_shared shared{};
    ok(backend()->physical_export(device_, physical, &shared));
    return shared;
  }

  ferryx_physical* create(uint32_t is_host = 0, uint64_t size = kPiece) const {
    const ferryx_physical_settings settings{
        .struct_size = sizeof settings, .is_host = is_host, .size = size, .node = -1};
    ferryx_physical* physical = nullptr;
    ok(backend()->physical_create(device_, &settings, &physical));
    return physical;
  }
  ferryx_physical* import(const ferryx_shared& shared) const {
    ferryx_physical* physical = nullptr;
    ok(backend()->physical_import(device_, &shared, &physical));
    return physical;
  }
  void release(ferryx_physical* physical) const { backend()->physical_release(device_, physical); }
  static ferryx_memory reserve(uint64_t size) {
    ferryx_memory range{};
    ok(backend()->address_reserve(nullptr, size, kPiece, nullptr, &range));
    return range;
  }
  static void release(const ferryx_memory& range) { backend()->address_release(nullptr, &range); }
  ferryx_memory map(ferryx_physical* physical, const ferryx_memory& range, uint64_t offset,
                    uint64_t size = kPiece) const {
    ferryx_memory mapped{};
    ok(backend()->physical_map(device_, physical, &range, offset, size, &mapped));
    const std::lock_guard lock(live().mutex);
    live().mapped[static_cast<char*>(mapped.address)] = mapped;
    return mapped;
  }
  void unmap(const ferryx_memory& mapped) const {
    {
      const std::lock_guard lock(live().mutex);
      live().mapped.erase(static_cast<char*>(mapped.address));
    }
    ok(backend()->physical_unmap(device_, &mapped));
  }

  // Copies during the call.
  void write(const ferryx_memory& memory, uint64_t offset, const void* bytes, uint64_t size) const {
    copy({.dst = static_cast<char*>(memory.address) + offset,
          .src = bytes,
          .size = size,
          .dst_storage = bytes_of(memory) + offset,
          .src_storage = bytes},
         FERRYX_HOST_TO_DEVICE);
  }
  void read(const ferryx_memory& memory, uint64_t offset, void* bytes, uint64_t size) const {
    copy({.dst = bytes,
          .src = static_cast<char*>(memory.address) + offset,
          .size = size,
          .dst_storage = bytes,
          .src_storage = bytes_of(memory) + offset},
         FERRYX_DEVICE_TO_HOST);
  }

  uint64_t free_bytes() const {
    uint64_t free = 0;
    uint64_t total = 0;
    ok(backend()->device_memory(device_, &free, &total));
    return free;
  }
  static ptrdiff_t open_files() {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
  }

  ferryx_device* device_ = nullptr;

 private:
  void copy(const ferryx_copy& item, uint32_t direction) const {
    ferryx_work work = make_work(
        FERRYX_COPIES, &ferryx_payload::copies,
        {.items = &item, .count = 1, .direction = direction, .flags = FERRYX_COPY_RESOLVED}, 1);
    work.origin = {};
    ok(backend()->device_execute(device_, &work));
  }

  static constexpr const char* kNoEntry = nullptr;
  // Copies look mapped memory up again.
  struct Live {
    std::mutex mutex;  // guards what follows
    std::map<const char*, ferryx_memory> mapped;
  };
  static Live& live() {
    static auto* only = new Live;
    return *only;
  }
  static int find(const void* address, ferryx_memory* found) {
    const auto* const wanted = static_cast<const char*>(address);
    const std::lock_guard lock(live().mutex);
    const auto next = live().mapped.upper_bound(wanted);
    if (next == live().mapped.begin()) return 0;
    *found = std::prev(next)->second;
    return wanted < static_cast<char*>(found->address) + found->size ? 1 : 0;
  }
  static int note_text(int code, const char* text) {
    last_text() = text;
    return code;
  }
  static constexpr ferryx_runtime kServices{.struct_size = sizeof(ferryx_runtime),
                                            .fail = note_text,
                                            .find_memory = find,
                                            .memory_epoch = [] { return uint64_t{1}; },
                                            .work_failed = nullptr,
                                            .before_work = nullptr,
                                            .log = nullptr,
                                            .requested_size = nullptr,
                                            .move_bytes = nullptr};
};

// The file as another process sees it.
class Visitor {
 public:
  explicit Visitor(const ferryx_shared& shared)
      : size_(shared.size),
        start_(mmap(nullptr, shared.size, PROT_READ | PROT_WRITE, MAP_SHARED, shared.file,
                    static_cast<off_t>(shared.offset))) {
    EXPECT_NE(start_, MAP_FAILED);
    close(shared.file);
  }
  ~Visitor() { munmap(start_, size_); }
  Visitor(const Visitor&) = delete;
  Visitor& operator=(const Visitor&) = delete;

  char& operator[](uint64_t at) { return static_cast<char*>(start_)[at]; }

 private:
  const uint64_t size_;
  void* const start_;
};

}  // namespace ferry::cpu
