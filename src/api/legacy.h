// SPDX-License-Identifier: Apache-2.0
// What the older names of legacy_list.def need beyond one call of the dispatch table. The functions
// call the table too, so that layers see each name as the function it stands for.
#pragma once

#include "acl/acl_rt.h"

#include <cstddef>
#include <cstdint>

namespace ferry::legacy {

// ---- structures of that interface; their layouts are part of it ----

// rtPointerAttributes_t
struct PointerAttributes {
  uint32_t memory_type;  // kHostMemory, kDeviceMemory
  uint32_t location_type;
  uint32_t device;
  uint32_t page_size;
};
constexpr uint32_t kHostMemory = 1;
constexpr uint32_t kDeviceMemory = 2;
static_assert(sizeof(PointerAttributes) == 16);

// rtDevBinary_t
struct DeviceBinary {
  uint32_t magic;
  uint32_t version;
  const void* data;
  uint64_t length;
};
static_assert(sizeof(DeviceBinary) == 24 && offsetof(DeviceBinary, data) == 8);

// rtArgsEx_t: the argument block of a launch.
struct LaunchArguments {
  void* block;
  aclrtPlaceHolderInfo* placeholders;
  uint32_t size;
  uint32_t tiling_address_offset;  // together one more placeholder, if has_tiling
  uint32_t tiling_data_offset;
  uint16_t placeholder_count;
  uint8_t has_tiling;
  uint8_t is_on_device;  // the block is device memory
  uint8_t reserved[8];
};
static_assert(sizeof(LaunchArguments) == 40 && offsetof(LaunchArguments, size) == 16 &&
              offsetof(LaunchArguments, is_on_device) == 31);

// rtTaskCfgInfo_t
struct LaunchConfig {
  uint8_t qos;
  uint8_t part;
  uint8_t schedule_mode;
  bool is_d2d_cross;
  uint32_t block_offset;
  uint8_t dump;
  uint8_t never_timeout;
  uint8_t profiling;
  uint8_t reserved;
  uint32_t local_memory;
};
static_assert(sizeof(LaunchConfig) == 16 && offsetof(LaunchConfig, local_memory) == 12);

// ---- devices ----

// Counts and process ids have the other signedness there.
inline uint32_t* as_unsigned(int32_t* value) {
  return reinterpret_cast<uint32_t*>(value);
}
inline int32_t* as_signed(uint32_t* value) {
  return reinterpret_cast<int32_t*>(value);
}

aclError device_info(uint32_t device, int32_t module, int32_t info, int64_t* value);
aclError physical_id(uint32_t device, uint32_t* physical);
// The destination is a device of the program, the source a physical one.
aclError enable_peer(uint32_t destination, uint32_t physical_source, uint32_t flag);
aclError disable_peer(uint32_t destination, uint32_t physical_source);
aclError soc_name(char* name, uint32_t size);
aclError core_count(uint32_t* count);
aclError sync_address(uint64_t* address, uint32_t* size);

// ---- memory ----

aclError allocate(void** address, uint64_t size, uint32_t type);
aclError release(void* address);
aclError pointer_attributes(PointerAttributes* attributes, const void* address);
aclError copy_now(void* dst, uint64_t dest_max, const void* src, uint64_t count, int32_t kind);
aclError copy_async(void* dst, uint64_t dest_max, const void* src, uint64_t count, int32_t kind,
                    aclrtStream stream);
aclError close_import(const void* address);

// ---- kernels ----

aclError register_binary(const DeviceBinary* binary, void** handle);
// Binds the address `stub` to a kernel of the binary; the last binding counts.
aclError register_function(void* binary, const void* stub, const char* kernel);
aclError launch(const void* stub, uint32_t blocks, void* arguments, uint32_t size,
                aclrtStream stream);
aclError launch_by_stub(const void* stub, uint32_t blocks, const LaunchArguments* arguments,
                        aclrtStream stream, const LaunchConfig* config);
aclError launch_by_key(void* binary, uint64_t key, uint32_t blocks,
                       const LaunchArguments* arguments, aclrtStream stream,
                       const LaunchConfig* config);

}  // namespace ferry::legacy
