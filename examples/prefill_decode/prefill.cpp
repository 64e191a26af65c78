// SPDX-License-Identifier: Apache-2.0
// Prefill: computes the blocks of a request in pinned host memory, writes them into decode's cache,
// wherever that is, with one batch, and records decode's notify behind it.
#include "check.h"
#include "protocol.h"
#include "socket.h"

#include <chrono>
#include <vector>

using namespace prefill_decode;

namespace {

// Decode's cache, mapped here.
class RemoteCache {
 public:
  explicit RemoteCache(Introduction& decode)
      : block_bytes_(decode.block_bytes), bytes_(decode.block_bytes * decode.cache_blocks) {
    check(aclrtMemImportFromShareableHandleV2(decode.cache, ACL_MEM_SHARE_HANDLE_TYPE_FABRIC, 0,
                                              &handle_));
    check(aclrtReserveMemAddress(&start_, bytes_, 0, nullptr, 0));
    check(aclrtMapMem(start_, bytes_, 0, handle_, 0));
    check(aclrtNotifyImportByKey(&ready_, decode.ready, 0));
  }
  ~RemoteCache() {
    check(aclrtDestroyNotify(ready_));
    check(aclrtUnmapMem(start_));
    check(aclrtReleaseMemAddress(start_));
    check(aclrtFreePhysical(handle_));
  }
  RemoteCache(const RemoteCache&) = delete;
  RemoteCache& operator=(const RemoteCache&) = delete;

  void* block(uint32_t number) const { return static_cast<char*>(start_) + number * block_bytes_; }
  aclrtNotify ready() const { return ready_; }

 private:
  size_t block_bytes_;
  size_t bytes_;
  aclrtDrvMemHandle handle_ = nullptr;
  void* start_ = nullptr;
  aclrtNotify ready_ = nullptr;
};

// One batch, and the signal behind it in the same stream: nothing comes back from decode's program.
void hand_over(const RemoteCache& cache, unsigned char* blocks, size_t block_bytes,
               const std::vector<uint32_t>& table, aclrtStream stream) {
  std::vector<void*> targets;
  std::vector<void*> sources;
  for (size_t i = 0; i < table.size(); ++i) {
    targets.push_back(cache.block(table[i]));
    sources.push_back(blocks + i * block_bytes);
  }
  std::vector<size_t> sizes(table.size(), block_bytes);
  aclrtMemcpyBatchAttr attribute{};
  attribute.srcLoc = {0, ACL_MEM_LOCATION_TYPE_HOST};
  attribute.dstLoc = {0, ACL_MEM_LOCATION_TYPE_DEVICE};
  size_t first = 0;
  size_t fail_index = 0;
  check(aclrtMemcpyBatchAsync(targets.data(), sizes.data(), sources.data(), sizes.data(),
                              table.size(), &attribute, &first, 1, &fail_index, stream));
  check(aclrtRecordNotify(cache.ready(), stream));
}

void serve(const Socket& decode, aclrtStream stream) {
  Introduction introduction{};
  decode.receive(&introduction, sizeof introduction);
  const size_t block_bytes = introduction.block_bytes;
  const RemoteCache cache(introduction);
  void* memory = nullptr;
  check(aclrtMallocHost(&memory, block_bytes * introduction.cache_blocks));
  auto* const blocks = static_cast<unsigned char*>(memory);

  for (;;) {
    BlockTable head{};
    decode.receive(&head, sizeof head);
    if (head.count == 0) break;
    require(head.count <= introduction.cache_blocks, "a request fits decode's cache");
    std::vector<uint32_t> table(head.count);
    decode.receive(table.data(), table.size() * sizeof table.front());
    for (size_t i = 0; i < table.size(); ++i) {
      require(table[i] < introduction.cache_blocks, "a block lies in decode's cache");
      fill_block(blocks + i * block_bytes, block_bytes, head.request, i);
    }
    const auto start = std::chrono::steady_clock::now();
    hand_over(cache, blocks, block_bytes, table, stream);
    check(aclrtSynchronizeStream(stream));  // the blocks are there; theirs may be reused
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    const size_t bytes = table.size() * block_bytes;
    std::printf("prefill: request %llu: %zu blocks of %zu B, %.2f ms, %.2f GB/s\n",
                static_cast<unsigned long long>(head.request), table.size(), block_bytes,
                seconds.count() * 1e3, static_cast<double>(bytes) / seconds.count() / 1e9);
  }
  check(aclrtFreeHost(memory));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 || std::strcmp(argv[1], "--connect") != 0) {
    std::fprintf(stderr, "usage: prefill --connect ADDRESS:PORT   where decode listens\n");
    return 2;
  }
  check(aclInit(nullptr));
  check(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  check(aclrtCreateStream(&stream));
  serve(Socket::connect(argv[2]), stream);
  check(aclrtDestroyStream(stream));
  check(aclrtResetDevice(0));
  check(aclFinalize());
}
