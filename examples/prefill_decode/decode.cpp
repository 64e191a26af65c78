// SPDX-License-Identifier: Apache-2.0
// Decode: owns a paged KV cache, which it exports. It asks for requests, waits for the notify on
// its stream, and compares every byte of the cache: blocks that were handed over, and those that
// must not have changed.
#include "check.h"
#include "protocol.h"
#include "socket.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <random>
#include <string>
#include <vector>

using namespace prefill_decode;

namespace {

constexpr size_t kGranule = size_t{2} << 20;  // of physical memory
constexpr uint64_t kForEverybody = 1;         // ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION
constexpr uint64_t kNotifyForEverybody = 2;
constexpr int32_t kPatienceMs = 30000;

struct Options {
  std::string listen = "127.0.0.1:0";
  size_t blocks = 256;  // of a request
  size_t block_bytes = 16 << 10;
  size_t requests = 5;
};

constexpr const char* kUsage =
    "usage: decode [--listen ADDRESS:PORT] [--blocks N] [--block-size N] [--requests N]\n"
    "  --listen ADDRESS:PORT  where prefill finds this program (127.0.0.1, a free port)\n"
    "  --blocks N             blocks of a request (256)\n"
    "  --block-size N         bytes of a block, a multiple of 8 (16384)\n"
    "  --requests N           how many requests (5)\n";

// Device memory with more room than a request takes, so that a block in a wrong place is noticed.
class Cache {
 public:
  explicit Cache(const Options& options)
      : block_bytes_(options.block_bytes),
        bytes_((2 * options.blocks * options.block_bytes + kGranule - 1) / kGranule * kGranule) {
    const aclrtPhysicalMemProp properties{ACL_MEM_HANDLE_TYPE_NONE,
                                          ACL_MEM_ALLOCATION_TYPE_PINNED,
                                          ACL_HBM_MEM_HUGE,
                                          {0, ACL_MEM_LOCATION_TYPE_DEVICE},
                                          0};
    check(aclrtMallocPhysical(&handle_, bytes_, &properties, 0));
    check(aclrtReserveMemAddress(&start_, bytes_, 0, nullptr, 0));
    check(aclrtMapMem(start_, bytes_, 0, handle_, 0));
    check(aclrtMemset(start_, bytes_, 0, bytes_));
    check(aclrtCreateNotify(&ready_, 0));
    expected_.resize(bytes_);
    void* arrived = nullptr;
    check(aclrtMallocHost(&arrived, bytes_));
    arrived_ = static_cast<unsigned char*>(arrived);
  }
  ~Cache() {
    check(aclrtFreeHost(arrived_));
    check(aclrtDestroyNotify(ready_));
    check(aclrtUnmapMem(start_));
    check(aclrtReleaseMemAddress(start_));
    check(aclrtFreePhysical(handle_));
  }
  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;

  size_t blocks() const { return bytes_ / block_bytes_; }
  aclrtNotify ready() const { return ready_; }

  Introduction introduce() const {
    Introduction own{};
    check(aclrtMemExportToShareableHandleV2(handle_, kForEverybody,
                                            ACL_MEM_SHARE_HANDLE_TYPE_FABRIC, own.cache));
    check(aclrtNotifyGetExportKey(ready_, own.ready, sizeof own.ready, kNotifyForEverybody));
    own.block_bytes = block_bytes_;
    own.cache_blocks = blocks();
    return own;
  }

  // What `table` of a request brings; everything else stays as it is.
  void expect(uint64_t request, const std::vector<uint32_t>& table) {
    for (size_t i = 0; i < table.size(); ++i)
      fill_block(expected_.data() + table[i] * block_bytes_, block_bytes_, request, i);
  }

  // Queues a copy of the whole cache to the host.
  void read(aclrtStream stream) const {
    check(aclrtMemcpyAsync(arrived_, bytes_, start_, bytes_, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  }
  bool is_as_expected() const { return std::memcmp(arrived_, expected_.data(), bytes_) == 0; }

 private:
  size_t block_bytes_;
  size_t bytes_;
  aclrtDrvMemHandle handle_ = nullptr;
  void* start_ = nullptr;
  aclrtNotify ready_ = nullptr;
  std::vector<unsigned char> expected_;
  unsigned char* arrived_ = nullptr;  // pinned
};

bool read_number(const char* text, size_t& number) {
  char* end = nullptr;
  number = std::strtoul(text, &end, 10);
  return *text >= '1' && *text <= '9' && *end == '\0' && number <= (1U << 20);
}

bool read_options(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i];
    if (i + 1 == argc) return false;
    if (name == "--listen") {
      options.listen = argv[i + 1];
      continue;
    }
    size_t* const number = name == "--blocks"       ? &options.blocks
                           : name == "--block-size" ? &options.block_bytes
                           : name == "--requests"   ? &options.requests
                                                    : nullptr;
    if (number == nullptr || !read_number(argv[i + 1], *number)) return false;
  }
  return options.block_bytes % 8 == 0 && options.blocks * options.block_bytes <= size_t{1} << 30;
}

// One request. The time is from asking to the moment at which the host knows that the blocks are
// there, and includes that prefill computes them.
double take_request(const Socket& prefill, Cache& cache, uint64_t request,
                    const std::vector<uint32_t>& table, aclrtStream stream) {
  const BlockTable head{request, table.size()};
  const auto start = std::chrono::steady_clock::now();
  prefill.send(&head, sizeof head);
  prefill.send(table.data(), table.size() * sizeof table.front());
  check(aclrtWaitAndResetNotify(cache.ready(), stream, 0));
  check(aclrtSynchronizeStreamWithTimeout(stream, kPatienceMs));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  cache.expect(request, table);
  cache.read(stream);
  check(aclrtSynchronizeStream(stream));
  require(cache.is_as_expected(), "every byte of the cache is right");
  return seconds.count();
}

void decode(const Options& options, aclrtStream stream) {
  const Socket prefill = Socket::listen(options.listen);
  Cache cache(options);
  const Introduction own = cache.introduce();
  prefill.send(&own, sizeof own);
  std::vector<uint32_t> places(cache.blocks());
  std::iota(places.begin(), places.end(), 0U);
  std::mt19937 random(1);  // the same places in every run
  for (uint64_t request = 0; request < options.requests; ++request) {
    std::shuffle(places.begin(), places.end(), random);
    const std::vector<uint32_t> table(places.begin(),
                                      places.begin() + static_cast<ptrdiff_t>(options.blocks));
    const double seconds = take_request(prefill, cache, request, table, stream);
    std::printf("decode: request %llu is ready after %.2f ms; every byte was right\n",
                static_cast<unsigned long long>(request), seconds * 1e3);
  }
  const BlockTable end{options.requests, 0};
  prefill.send(&end, sizeof end);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  if (!read_options(argc, argv, options)) {
    std::fputs(kUsage, stderr);
    return 2;
  }
  check(aclInit(nullptr));
  check(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  check(aclrtCreateStream(&stream));
  decode(options, stream);
  check(aclrtDestroyStream(stream));
  check(aclrtResetDevice(0));
  check(aclFinalize());
}
