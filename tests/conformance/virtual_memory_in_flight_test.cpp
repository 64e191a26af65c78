// SPDX-License-Identifier: Apache-2.0
// Unmapping and freeing do not wait for queued work. Work that has not started sees what is mapped
// when it runs; memory that is no longer mapped there is never touched.
#include "support/argument_checks.h"
#include "support/range_forms.h"

#include <algorithm>
#include <atomic>

namespace conformance::virtual_memory::virtual_memory_in_flight_test {
namespace {

using VirtualMemoryInFlight = WithStream;

// The first bytes of a handle, read through a mapping of its own.
std::vector<uint8_t> bytes_of(aclrtDrvMemHandle handle, size_t count) {
  const Reservation reservation(kGranule);
  const Mapping mapping(reservation.at(), kGranule, handle);
  return bytes_at(reservation.at(), count);
}

// Work for a range of a mapping, held back until after `meanwhile`. Returns how it ended.
template <class Meanwhile>
aclError run_behind_a_gate(aclrtStream stream, const std::function<aclError()>& queue,
                           Meanwhile meanwhile) {
  Gate gate(stream);
  EXPECT_OK(queue());
  meanwhile();
  gate.open();
  const aclError code = aclrtSynchronizeStream(stream);
  clear_errors();
  return code;
}

TEST_F(VirtualMemoryInFlight, WorkFailsWhenItsRangeWasUnmapped) {
  PinnedBuffer host(256);
  host.fill(pattern(256, 2));
  for (const CopyForm& form : kCopyForms) {
    if (!form.is_queued) continue;
    for (const bool to_device : {true, false}) {
      SCOPED_TRACE(form.name);
      Region region(1);
      region.fill(1);
      void* const dst = to_device ? static_cast<void*>(region.at()) : host.get();
      const void* const src = to_device ? host.get() : static_cast<void*>(region.at());
      EXPECT_EQ(kTaskFailed,
                run_behind_a_gate(
                    stream_, [&] { return form.copy(dst, src, 256, to_device, stream_); },
                    [&] { region.unmap(0); }));
      EXPECT_EQ(pattern(256, 2), host.copy());
      const std::vector<uint8_t> all = pattern(kGranule, 1);
      EXPECT_TRUE(
          std::equal(all.begin(), all.begin() + 256, bytes_of(region.handle(0), 256).begin()));
    }
  }
}

TEST_F(VirtualMemoryInFlight, SetsFailWhenTheirRangeWasUnmapped) {
  for (const SetForm& form : kSetForms) {
    if (!form.is_queued) continue;
    SCOPED_TRACE(form.name);
    Region region(1);
    region.fill(1);
    EXPECT_EQ(kTaskFailed, run_behind_a_gate(
                               stream_, [&] { return form.set(region.at(), 256, stream_); },
                               [&] { region.unmap(0); }));
    EXPECT_NE(std::vector<uint8_t>(256, 0x2b), bytes_of(region.handle(0), 256));
  }
}

TEST_F(VirtualMemoryInFlight, DescribedCopiesFailWhenTheirRangeWasUnmapped) {
  const Descriptions descriptions;
  DeviceBuffer other(256);
  other.write(pattern(256, 2));
  for (const DeviceCopyForm& form : kDeviceCopyForms) {
    if (!form.is_queued) continue;
    SCOPED_TRACE(form.name);
    Region region(1);
    region.fill(1);
    EXPECT_EQ(kTaskFailed,
              run_behind_a_gate(
                  stream_,
                  [&] { return form.copy(other.get(), region.at(), 256, descriptions, stream_); },
                  [&] { region.unmap(0); }));
    EXPECT_EQ(pattern(256, 2), other.read());
  }
}

TEST_F(VirtualMemoryInFlight, WorkFailsWhenOneOfSeveralMappingsIsGone) {
  PinnedBuffer host(3 * kGranule);
  host.fill(pattern(3 * kGranule, 2));
  for (const size_t gone : {0, 1, 2}) {
    Region region(3);
    region.fill(1);
    EXPECT_EQ(kTaskFailed, run_behind_a_gate(
                               stream_,
                               [&] {
                                 return aclrtMemcpyAsync(region.at(), region.size(), host.get(),
                                                         region.size(), ACL_MEMCPY_HOST_TO_DEVICE,
                                                         stream_);
                               },
                               [&] { region.unmap(gone); }));
    region.map(gone);
    EXPECT_TRUE(region.read() == pattern(3 * kGranule, 1)) << "part of the copy was made";
  }
}

TEST_F(VirtualMemoryInFlight, WorkFailsWhenTheReservationWasReleased) {
  PinnedBuffer host(256);
  EXPECT_EQ(kTaskFailed,
            run_behind_a_gate(
                stream_,
                [&] {
                  Region region(1);  // unmapped, freed and released at the end of the block
                  return aclrtMemcpyAsync(region.at(), 256, host.get(), 256,
                                          ACL_MEMCPY_HOST_TO_DEVICE, stream_);
                },
                [] {}));
}

// The work succeeds on what is mapped when it runs, or fails; the memory that was mapped before is
// never touched.
TEST_F(VirtualMemoryInFlight, WorkNeverTouchesWhatWasMappedThereBefore) {
  PinnedBuffer host(256);
  host.fill(pattern(256, 2));
  Region region(1);
  region.fill(1);
  const Physical other;
  const aclError code = run_behind_a_gate(
      stream_,
      [&] {
        return aclrtMemcpyAsync(region.at(), 256, host.get(), 256, ACL_MEMCPY_HOST_TO_DEVICE,
                                stream_);
      },
      [&] {
        region.unmap(0);
        region.map(0, other);
        EXPECT_OK(copy_to_device(region.at(), pattern(kGranule, 3)));
      });
  EXPECT_TRUE(code == ACL_SUCCESS || code == kTaskFailed) << code;
  const std::vector<uint8_t> written = pattern(256, code == ACL_SUCCESS ? 2 : 3);
  const std::vector<uint8_t> now = bytes_at(region.at(), 256);
  EXPECT_TRUE(std::equal(written.begin(), written.end(), now.begin()));
  const std::vector<uint8_t> all = pattern(kGranule, 1);
  const std::vector<uint8_t> before = bytes_of(region.handle(0), 256);
  EXPECT_TRUE(std::equal(before.begin(), before.end(), all.begin()));
}

TEST_F(VirtualMemoryInFlight, WorkReadsOnlyWhatIsMappedWhenItRuns) {
  PinnedBuffer host(256);
  host.fill(pattern(256, 9));
  Region region(1);
  region.fill(1);
  const Physical other;
  const aclError code = run_behind_a_gate(
      stream_,
      [&] {
        return aclrtMemcpyAsync(host.get(), 256, region.at(), 256, ACL_MEMCPY_DEVICE_TO_HOST,
                                stream_);
      },
      [&] {
        region.unmap(0);
        region.map(0, other);
        EXPECT_OK(copy_to_device(region.at(), pattern(kGranule, 3)));
      });
  EXPECT_TRUE(code == ACL_SUCCESS || code == kTaskFailed) << code;
  const std::vector<uint8_t> expected =
      code == ACL_SUCCESS ? bytes_at(region.at(), 256) : pattern(256, 9);
  EXPECT_EQ(expected, host.copy());
}

// The same memory at the same place again: to the work nothing has changed, or it fails.
TEST_F(VirtualMemoryInFlight, WorkMayRunOnMemoryThatWasMappedAgain) {
  PinnedBuffer host(256);
  host.fill(pattern(256, 2));
  Region region(1);
  region.fill(1);
  const aclError code = run_behind_a_gate(
      stream_,
      [&] {
        return aclrtMemcpyAsync(region.at(), 256, host.get(), 256, ACL_MEMCPY_HOST_TO_DEVICE,
                                stream_);
      },
      [&] {
        region.unmap(0);
        region.map(0);
      });
  EXPECT_TRUE(code == ACL_SUCCESS || code == kTaskFailed) << code;
  const std::vector<uint8_t> all = pattern(kGranule, 1);
  const std::vector<uint8_t> kept(all.begin(), all.begin() + 256);
  EXPECT_EQ(code == ACL_SUCCESS ? pattern(256, 2) : kept, bytes_at(region.at(), 256));
}

// A free leaves the mapping, and the mapping keeps the memory.
TEST_F(VirtualMemoryInFlight, WorkRunsWhenOnlyTheHandleWasFreed) {
  PinnedBuffer host(256);
  host.fill(pattern(256, 2));
  const Reservation reservation(kGranule);
  const aclrtDrvMemHandle handle = Physical().give_up();
  const Mapping mapping(reservation.at(), kGranule, handle);
  EXPECT_OK(run_behind_a_gate(
      stream_,
      [&] {
        return aclrtMemcpyAsync(reservation.at(), 256, host.get(), 256, ACL_MEMCPY_HOST_TO_DEVICE,
                                stream_);
      },
      [&] { EXPECT_OK(aclrtFreePhysical(handle)); }));
  EXPECT_TRUE(holds(reservation.at(), 256, 2));
}

TEST_F(VirtualMemoryInFlight, WorkOnANeighbourIsNotHarmed) {
  PinnedBuffer host(256);
  host.fill(pattern(256, 2));
  Region region(3);
  EXPECT_OK(run_behind_a_gate(
      stream_,
      [&] {
        return aclrtMemcpyAsync(region.at(kGranule), 256, host.get(), 256,
                                ACL_MEMCPY_HOST_TO_DEVICE, stream_);
      },
      [&] {
        region.unmap(0);
        region.unmap(2);
      }));
  EXPECT_TRUE(holds(region.at(kGranule), 256, 2));
}

// Work may be queued for a place before something is mapped there completely.
TEST_F(VirtualMemoryInFlight, WorkSeesWhatWasMappedBehindIt) {
  PinnedBuffer host(2 * kGranule);
  host.fill(pattern(2 * kGranule, 2));
  Region region(2);
  region.unmap(1);
  EXPECT_OK(run_behind_a_gate(
      stream_,
      [&] {
        return aclrtMemcpyAsync(region.at(), region.size(), host.get(), region.size(),
                                ACL_MEMCPY_HOST_TO_DEVICE, stream_);
      },
      [&] { region.map(1); }));
  EXPECT_TRUE(region.read() == pattern(2 * kGranule, 2));
}

// Once aclrtUnmapMem has returned, no copy writes to the memory any more: those that were executing
// have finished, the others fail.
// Two threads write the same bytes, as ThreadSanitizer would say.
#if !defined(__SANITIZE_THREAD__)
TEST_F(VirtualMemoryInFlight, NothingIsWrittenAfterTheUnmapHasReturned) {
  const Reservation reservation(kGranule);
  const Reservation watched(kGranule);
  const Physical memory;
  const Mapping alias(watched.at(), kGranule, memory);
  std::atomic<bool> is_over = false;
  std::thread writer([&] {
    EXPECT_OK(aclrtSetDevice(0));
    for (int value = 0; !is_over; ++value) {
      const aclError code = aclrtMemset(reservation.at(), kGranule, value, kGranule);
      EXPECT_TRUE(code == ACL_SUCCESS || code == kBadValue) << code;
    }
    EXPECT_OK(aclrtResetDevice(0));
  });
  for (int round = 0; round < 50; ++round) {
    EXPECT_OK(aclrtMapMem(reservation.at(), kGranule, 0, memory, 0));
    EXPECT_OK(aclrtMemsetAsync(reservation.at(), kGranule, round, kGranule, stream_));
    EXPECT_OK(aclrtUnmapMem(reservation.at()));
    EXPECT_OK(aclrtMemset(watched.at(), kGranule, 0x11, kGranule));
    aclrtSynchronizeStream(stream_);
    EXPECT_TRUE(bytes_at(watched.at(), kGranule) == std::vector<uint8_t>(kGranule, 0x11));
  }
  is_over = true;
  writer.join();
  clear_errors();
}
#endif

}  // namespace
}  // namespace conformance::virtual_memory::virtual_memory_in_flight_test
