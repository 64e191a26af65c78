// SPDX-License-Identifier: Apache-2.0
// One round of the program. A chapter in which a call has failed runs once more: now it succeeds.
#include "program.h"

#include "attempt.h"
#include "failing_calls.h"

#include <cstdlib>
#include <cstring>
#include <initializer_list>

namespace failures {
namespace {

template <class Chapter>
void run(Chapter chapter) {
  for (uint64_t i = 0; i <= outcome.most_failures; ++i) {
    outcome.failures = 0;
    chapter();
    if (outcome.failures == 0 || !outcome.is_good) return;
  }
}

void run_with_bench(void (*chapter)(Bench&)) {
  run([&] {
    Bench bench;
    bench.make();
    chapter(bench);
    bench.destroy();
  });
}

void check_nothing_is_held() {
  size_t free_bytes = 0;
  size_t total_bytes = 0;
  OK(aclrtGetMemInfo(ACL_HBM_MEM, &free_bytes, &total_bytes));
  // Other processes use the memory of a GPU too.
  const bool is_own = !uses_cuda();
  if (outcome.expect != Expect::kAnything && is_own && free_bytes != total_bytes) {
    complain("the device has lost %zu bytes of memory", total_bytes - free_bytes);
  }
  uint32_t streams = 0;
  OK(aclrtGetStreamAvailableNum(&streams));
  static uint32_t streams_at_first = streams;
  if (outcome.expect != Expect::kAnything && streams != streams_at_first) {
    complain("%u streams are available, not %u", streams, streams_at_first);
  }
}

}  // namespace

bool uses_cuda() {
  const char* devices = std::getenv("FERRY_DEVICES");
  return devices != nullptr && std::strncmp(devices, "cuda", 4) == 0;
}

void open_device() {
  OK(aclrtSetDevice(0));
  OK(aclrtResetDevice(0));
}

void try_to_open_device() {
  for (int i = 0; i < 2; ++i) {
    const aclError code = aclrtSetDevice(0);
    if (code == ACL_SUCCESS) return static_cast<void>(aclrtResetDevice(0));
    if (!is_shortage(code)) return complain_code("aclrtSetDevice", code, "");
  }
}

void Bench::make() {
  OK(aclrtCreateStream(&stream));
  OK(aclrtCreateStream(&other));
  OK(aclrtMalloc(&device, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY));
  OK(aclrtMalloc(&second, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY));
  OK(aclrtMallocHost(&source, kBytes));
  OK(aclrtMallocHost(&target, kBytes));
  OK(aclrtMemset(device, kBytes, 1, kBytes));
  OK(aclrtMemset(second, kBytes, 1, kBytes));
}

void Bench::destroy() {
  if (stream != nullptr) OK(aclrtDestroyStream(stream));
  if (other != nullptr) OK(aclrtDestroyStream(other));
  if (device != nullptr) OK(aclrtFree(device));
  if (second != nullptr) OK(aclrtFree(second));
  if (source != nullptr) OK(aclrtFreeHost(source));
  if (target != nullptr) OK(aclrtFreeHost(target));
}

void run_program() {
  OK(aclInit(nullptr));
  OK(aclrtSetDevice(0));
  for (void (*chapter)() :
       {query_process, use_contexts, use_memory, use_registered_memory, use_managed_memory,
        query_memory, use_custom_allocators, use_peers, share_physical_memory, share_memory,
        use_dumps, use_buffers, copy_large, use_stop_mode, use_settings, use_state_callbacks}) {
    run(chapter);
  }
  for (void (*chapter)(Bench&) : {use_streams,
                                  use_pools,
                                  use_events,
                                  use_shared_events,
                                  use_notifies,
                                  share_notifies,
                                  use_host_functions,
                                  use_callbacks,
                                  use_device_functions,
                                  use_exception_callback,
                                  misuse,
                                  copy_single,
                                  copy_batches,
                                  copy_rows,
                                  copy_described,
                                  fill,
                                  use_profiling,
                                  use_snapshots,
                                  compute,
                                  use_values}) {
    run_with_bench(chapter);
  }
  OK(aclrtSynchronizeDevice());
  check_nothing_is_held();
  OK(aclrtResetDevice(0));
  run(use_kernels);
  OK(aclFinalize());
}

}  // namespace failures
