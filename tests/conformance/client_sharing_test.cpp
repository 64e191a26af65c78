// SPDX-License-Identifier: Apache-2.0
// How real programs share memory and events between their processes: the sequences of calls, with
// two processes and the bytes that must arrive. Written anew from the calls they make.
#include "support/sharing.h"
#include "support/streams.h"

namespace conformance::virtual_memory::sharing::client_sharing_test {
namespace {

using streams::Event;
using streams::Stream;

using ClientSharing = WithSharing;

constexpr size_t kLength = 4 * kMebibyte;

// ---- Mooncake: transport between processes ----

// Memory as its allocator makes it. The reference of aclrtMallocPhysical is never given up.
class Segment {
 public:
  explicit Segment(const aclrtPhysicalMemProp& prop) {
    EXPECT_OK(aclrtMallocPhysical(&handle_, kLength, &prop, 0));
    EXPECT_OK(aclrtReserveMemAddress(&address_, kLength, 0, nullptr, 1));
    EXPECT_OK(aclrtMapMem(address_, kLength, 0, handle_, 0));
  }
  ~Segment() {
    aclrtDrvMemHandle handle = nullptr;
    EXPECT_OK(aclrtMemRetainAllocationHandle(address_, &handle));
    EXPECT_OK(aclrtUnmapMem(address_));
    EXPECT_OK(aclrtReleaseMemAddress(address_));
    EXPECT_OK(aclrtFreePhysical(handle));
    EXPECT_OK(aclrtFreePhysical(handle_));  // unlike Mooncake, so that tests leave nothing
  }
  Segment(const Segment&) = delete;
  Segment& operator=(const Segment&) = delete;

  void* get() const { return address_; }
  // The bytes that go into the metadata.
  Bytes registered() const {
    aclrtDrvMemHandle handle = nullptr;
    EXPECT_OK(aclrtMemRetainAllocationHandle(address_, &handle));
    const Bytes bytes = export_v2(handle, kFabricType, kEverybody);
    EXPECT_OK(aclrtFreePhysical(handle));
    return bytes;
  }

 private:
  aclrtDrvMemHandle handle_ = nullptr;
  void* address_ = nullptr;
};

// The peer copies from the segment "a" into its own memory and back.
void expect_transfers_both_ways(ReadyPeer& peer, void* segment) {
  EXPECT_OK(copy_to_device(segment, pattern(kLength, 1)));
  EXPECT_PEER_OK(peer.send("create_stream", "s"));
  EXPECT_PEER_OK(peer.send("allocate", "p", kLength));
  EXPECT_PEER_OK(peer.send("copy_async", "p", 0, "a", 0, kLength, ACL_MEMCPY_DEFAULT, "s"));
  EXPECT_PEER_OK(peer.send("synchronize_stream", "s"));
  EXPECT_PEER_HOLDS(peer.send("holds", "p", 0, kLength, 1));
  EXPECT_PEER_OK(peer.send("write", "p", 0, kLength, 2));
  EXPECT_PEER_OK(peer.send("copy_async", "a", 0, "p", 0, kLength, ACL_MEMCPY_DEFAULT, "s"));
  EXPECT_PEER_OK(peer.send("synchronize_stream", "s"));
  EXPECT_TRUE(holds(segment, kLength, 2));
}

// The same with host memory of the peer.
void expect_transfers_to_the_host(ReadyPeer& peer, void* segment) {
  EXPECT_PEER_OK(peer.send("allocate_host", "host", kLength));
  EXPECT_PEER_OK(peer.send("write_plainly", "host", 0, kLength, 3));
  EXPECT_PEER_OK(peer.send("copy_async", "a", 0, "host", 0, kLength, ACL_MEMCPY_DEFAULT, "s"));
  EXPECT_PEER_OK(peer.send("synchronize_stream", "s"));
  EXPECT_TRUE(holds(segment, kLength, 3));
}

TEST_F(ClientSharing, MooncakeTransfersByFabricHandles) {
  const Segment segment(prop_of(on_device()));
  const Bytes metadata = segment.registered();
  ReadyPeer peer;
  peer.import_and_map(metadata, "h", "a", kLength);
  expect_transfers_both_ways(peer, segment.get());
  expect_transfers_to_the_host(peer, segment.get());
  peer.unmap_and_free();
}

TEST_F(ClientSharing, MooncakeTransfersByKeys) {
  const DeviceBuffer segment(kLength);
  const Bytes key = export_key(segment.get(), kLength, kEverybody);
  ReadyPeer peer;
  ASSERT_PEER_OK(peer.send("import_key", "a", key, 1));
  expect_transfers_both_ways(peer, segment.get());
  expect_transfers_to_the_host(peer, segment.get());
  EXPECT_PEER_OK(peer.send("close_key", key));
}

// Both processes register a segment and open that of the other.
TEST_F(ClientSharing, MooncakeOpensSegmentsInBothDirections) {
  const Segment ours(prop_of(on_device()));
  ReadyPeer peer;
  ASSERT_PEER_OK(peer.send("allocate_physical", "own", kLength, 1, 0, 4));
  ASSERT_PEER_OK(peer.send("reserve", "b", kLength));
  ASSERT_PEER_OK(peer.send("map", "b", 0, kLength, "own"));
  Bytes theirs = peer.send("export_v2", "own", kEverybody, kFabricType).bytes;
  peer.import_and_map(ours.registered(), "h", "a", kLength);
  aclrtDrvMemHandle handle = nullptr;
  ASSERT_OK(aclrtMemImportFromShareableHandleV2(theirs.data(), ACL_MEM_SHARE_HANDLE_TYPE_FABRIC, 0,
                                                &handle));
  {
    const Reservation reservation(kLength);
    const Mapping mapping(reservation.at(), kLength, handle);
    const Stream stream;
    EXPECT_OK(copy_to_device(ours.get(), pattern(kLength, 4)));
    EXPECT_OK(aclrtMemcpyAsync(reservation.at(), kLength, ours.get(), kLength, ACL_MEMCPY_DEFAULT,
                               stream));
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_PEER_HOLDS(peer.send("holds", "b", 0, kLength, 4));
    EXPECT_PEER_OK(peer.send("write", "b", 0, kLength, 5));
    EXPECT_PEER_OK(peer.send("copy", "a", 0, "b", 0, kLength, ACL_MEMCPY_DEVICE_TO_DEVICE));
    EXPECT_TRUE(holds(ours.get(), kLength, 5));
    EXPECT_TRUE(holds(reservation.at(), kLength, 5));
  }
  EXPECT_OK(aclrtFreePhysical(handle));
}

// ---- Mooncake: segments of host memory ----

// The peer reserves where the product lets it.
void expect_host_segments_work(aclError code_of_special_reserve) {
  ASSERT_OK(aclrtSetDevice(0));
  NEEDS_SHARING();
  NEEDS_A_PEER();
  const Segment segment(prop_of(on_host(), ACL_MEM_P2P_HUGE));
  const Bytes metadata = segment.registered();
  std::memcpy(segment.get(), pattern(kLength, 1).data(), kLength);
  ReadyPeer peer;
  EXPECT_ANSWER(code_of_special_reserve,
                peer.send("reserve_no_uc", "a", kGibibyte, uint64_t{78} << 40));
  if (code_of_special_reserve != ACL_SUCCESS) {
    EXPECT_PEER_OK(peer.send("reserve", "a", kGibibyte));
  }
  ASSERT_PEER_OK(peer.send("import_v2", "h", metadata, kFabricType));
  ASSERT_PEER_OK(peer.send("map", "a", 0, kLength, "h"));
  EXPECT_PEER_OK(peer.send("set_access", "a", 0, kLength, ACL_MEM_LOCATION_TYPE_DEVICE, 0));
  expect_transfers_both_ways(peer, segment.get());
  EXPECT_EQ(0, std::memcmp(segment.get(), pattern(kLength, 2).data(), kLength));
  EXPECT_PEER_HOLDS(peer.send("holds_plainly", "a", 0, kLength, 2));
  peer.unmap_and_free();
}

FERRY_PROCESS_TEST(ClientSharingProcess, MooncakeSharesHostSegmentsOnA2, "FERRY_SOC=Ascend910B1") {
  expect_host_segments_work(kNotSupported);
}

// ThreadSanitizer has the addresses itself.
#if !defined(__SANITIZE_THREAD__)
FERRY_PROCESS_TEST(ClientSharingProcess, MooncakeSharesHostSegmentsOnA3,
                   "FERRY_SOC=Ascend910_9391") {
  expect_host_segments_work(ACL_SUCCESS);
}
#endif

// ---- torch_npu ----

// Segments of one tensor: a list of numbers through a pipe.
TEST_F(ClientSharing, TorchSharesSegmentsByNumbers) {
  constexpr size_t kSegments = 4;
  Region region(kSegments);
  region.fill(1);
  std::vector<Bytes> numbers;
  for (size_t i = 0; i < kSegments; ++i)
    numbers.push_back(export_v1(region.handle(i), kEverybody));
  ReadyPeer peer;
  ASSERT_PEER_OK(peer.send("reserve", "a", kSegments * kGranule));
  for (size_t i = 0; i < kSegments; ++i) {
    const std::string name = "h" + std::to_string(i);
    ASSERT_PEER_OK(peer.send("import_v1", name, numbers[i], 0));
    ASSERT_PEER_OK(peer.send("map", "a", i * kGranule, kGranule, name));
  }
  EXPECT_PEER_HOLDS(peer.send("holds", "a", 0, kSegments * kGranule, 1));
  // A tensor across the segments.
  EXPECT_PEER_OK(peer.send("write", "a", kGranule / 2, 2 * kGranule, 2));
  EXPECT_TRUE(holds(region.at(kGranule / 2), 2 * kGranule, 2));
  for (size_t i = 0; i < kSegments; ++i) {
    EXPECT_PEER_OK(peer.send("unmap", "a", i * kGranule));
    EXPECT_PEER_OK(peer.send("free_physical", "h" + std::to_string(i)));
  }
  EXPECT_PEER_OK(peer.send("release", "a"));
}

// One key per block; tensors lie inside it.
TEST_F(ClientSharing, TorchSharesBlocksByKeys) {
  ReadyPeer peer;
  for (int round = 0; round < 3; ++round) {
    void* block = nullptr;
    ASSERT_OK(aclrtMallocAlign32(&block, 20 * kMebibyte, ACL_MEM_MALLOC_HUGE_FIRST));
    const Bytes key = export_key(block, 20 * kMebibyte, kEverybody);
    EXPECT_OK(copy_to_device(static_cast<char*>(block) + 512, pattern(5000000, 1)));
    ASSERT_PEER_OK(peer.send("import_key", "a", key, 1));
    EXPECT_PEER_HOLDS(peer.send("holds", "a", 512, 5000000, 1));
    EXPECT_PEER_OK(peer.send("write", "a", 1024, 5000, 2));
    EXPECT_TRUE(holds(static_cast<char*>(block) + 1024, 5000, 2));
    EXPECT_PEER_OK(peer.send("synchronize_device"));
    EXPECT_PEER_OK(peer.send("close_key", key));
    EXPECT_OK(aclrtIpcMemClose(text_of(key)));
    EXPECT_OK(aclrtFree(block));
  }
}

// ---- the vendor's samples ----

void expect_sample_of_physical_memory_works(uint64_t flags) {
  aclrtPhysicalMemProp prop = prop_of(on_device(), ACL_HBM_MEM_NORMAL);
  size_t granularity = 0;
  ASSERT_OK(
      aclrtMemGetAllocationGranularity(&prop, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, &granularity));
  aclrtDrvMemHandle handle = nullptr;
  ASSERT_OK(aclrtMallocPhysical(&handle, granularity, &prop, 0));
  void* address = nullptr;
  ASSERT_OK(aclrtReserveMemAddress(&address, granularity, 0, nullptr, 0));
  ASSERT_OK(aclrtMapMem(address, granularity, 0, handle, 0));
  const aclrtMemAccessDesc access = {ACL_RT_MEM_ACCESS_FLAGS_READWRITE, on_device(), {}};
  aclrtMemAccessDesc descriptions[] = {access};
  EXPECT_OK(aclrtMemSetAccess(address, granularity, descriptions, 1));
  EXPECT_OK(copy_to_device(address, pattern(granularity, 1)));
  const Bytes number = export_v1(handle, flags);
  ReadyPeer peer;
  if (flags == kListed) {
    int32_t pid = static_cast<int32_t>(peer.send("bare_tgid").number());
    EXPECT_OK(aclrtMemSetPidToShareableHandle(as_number(number), &pid, 1));
  }
  peer.import_and_map(number, "h", "a", granularity);
  EXPECT_PEER_OK(peer.send("set_access", "a", 0, granularity, ACL_MEM_LOCATION_TYPE_DEVICE, 0));
  EXPECT_PEER_HOLDS(peer.send("holds", "a", 0, granularity, 1));
  EXPECT_PEER_OK(peer.send("write", "a", 0, granularity, 2));
  EXPECT_TRUE(holds(address, granularity, 2));
  peer.unmap_and_free();
  EXPECT_OK(aclrtUnmapMem(address));
  EXPECT_OK(aclrtReleaseMemAddress(address));
  EXPECT_OK(aclrtFreePhysical(handle));
}

TEST_F(ClientSharing, TheSampleOfPhysicalMemoryWorksWithAndWithoutLists) {
  expect_sample_of_physical_memory_works(kListed);
  expect_sample_of_physical_memory_works(kEverybody);
}

TEST_F(ClientSharing, TheSampleOfKeysWorksWithAndWithoutLists) {
  for (const uint64_t flags : {kListed, kEverybody}) {
    const DeviceBuffer device(1 << 20);
    EXPECT_OK(copy_to_device(device.get(), pattern(1 << 20, 1)));
    const Bytes key = export_key(device.get(), 1 << 20, flags);
    ReadyPeer peer;
    if (flags == kListed) {
      int32_t pid = static_cast<int32_t>(peer.send("bare_tgid").number());
      EXPECT_OK(aclrtIpcMemSetImportPid(text_of(key), &pid, 1));
    }
    ASSERT_PEER_OK(peer.send("import_key", "a", key, 0));
    EXPECT_PEER_HOLDS(peer.send("holds", "a", 0, 1 << 20, 1));
    EXPECT_PEER_OK(peer.send("close_key", key));
    // The sample frees the closed address and does not look at the answer.
    EXPECT_ANSWER(kBadValue, peer.send("free", "a"));
    EXPECT_OK(aclrtIpcMemClose(text_of(key)));
  }
}

TEST_F(ClientSharing, TheSampleOfEventsWorks) {
  const Stream stream;
  const Event event = Event::ex(ACL_EVENT_IPC);
  EXPECT_OK(aclrtRecordEvent(event, stream));
  aclrtIpcEventHandle handle = {};
  ASSERT_OK(aclrtIpcGetEventHandle(event, &handle));
  Bytes bytes(sizeof handle);
  std::memcpy(bytes.data(), &handle, sizeof handle);
  ReadyPeer peer;
  ASSERT_PEER_OK(peer.send("create_stream", "s"));
  ASSERT_PEER_OK(peer.send("open_event", "e", bytes));
  EXPECT_PEER_OK(peer.send("wait_event", "s", "e"));
  EXPECT_PEER_OK(peer.send("synchronize_stream", "s"));
  EXPECT_PEER_OK(peer.send("record", "e", "s"));
  EXPECT_OK(aclrtSynchronizeEvent(event));
  EXPECT_PEER_OK(peer.send("destroy_event", "e"));
  EXPECT_PEER_OK(peer.send("destroy_stream", "s"));
}

}  // namespace
}  // namespace conformance::virtual_memory::sharing::client_sharing_test
