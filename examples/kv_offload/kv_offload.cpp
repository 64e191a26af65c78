// SPDX-License-Identifier: Apache-2.0
// The offload: rounds of moving out, comparing, moving back and comparing again, for each block
// size.
#include "kv_offload.h"

#include "check.h"
#include "pools.h"
#include "table.h"
#include "transfer.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <optional>
#include <random>
#include <string>

namespace kv_offload {
namespace {

constexpr size_t kUsualBlocks = 128;
constexpr size_t kMostBytesInRound = size_t{128} << 20;

struct Offload {
  explicit Offload(const Options& chosen) : options(chosen) {}

  const Options& options;
  aclrtStream stream = nullptr;
  std::mt19937 random{2026};
  bool has_batches = true;
  uint64_t version = 0;
  size_t bytes_compared = 0;
  std::string wrong;  // the first wrong byte, "" if there is none
};

std::vector<size_t> pick(size_t count, size_t room, std::mt19937& random) {
  std::vector<size_t> places(room);
  std::iota(places.begin(), places.end(), size_t{0});
  std::shuffle(places.begin(), places.end(), random);
  places.resize(count);
  return places;
}

// Seconds from the first call until the last byte has arrived; negative without batches.
double move_pieces(Offload& offload, Way way, Direction direction, Pieces& pieces) {
  const auto start = std::chrono::steady_clock::now();
  const aclError code =
      queue_copies(way, direction, pieces, offload.options.device, offload.stream);
  if (way == Way::kBatch && code == ACL_ERROR_RT_FEATURE_NOT_SUPPORT) {
    offload.has_batches = false;
    return -1;
  }
  check(code);
  check(aclrtSynchronizeStream(offload.stream));
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct RoundTimes {
  double out;
  double back;
};

// One round of one way: out, compare, back, compare. Returns no times when a byte was wrong or the
// product has no batches.
std::optional<RoundTimes> run_round(Offload& offload, Pools& pools, const Shape& shape, Way way) {
  const Route route{pick(shape.blocks, pools.room(), offload.random),
                    pick(shape.blocks, pools.room(), offload.random),
                    pick(shape.blocks, pools.room(), offload.random)};
  const uint64_t version = ++offload.version;
  RoundTimes times{};

  pools.prepare_out(version);
  Pieces out = pools.pieces(route.sources, route.slots);
  times.out = move_pieces(offload, way, Direction::kOut, out);
  if (times.out < 0) return {};
  offload.wrong = pools.compare_host(version, route);
  if (!offload.wrong.empty()) return {};

  pools.prepare_back();
  Pieces back = pools.pieces(route.targets, route.slots);
  times.back = move_pieces(offload, way, Direction::kBack, back);
  offload.wrong = pools.compare_device(version, route);
  if (!offload.wrong.empty()) return {};
  offload.bytes_compared += 2 * pools.room() * shape.layers * shape.block_bytes;
  return times;
}

void show_round(const Offload& offload, const Shape& shape, size_t round, const char* way) {
  const std::string which = round == 0 ? "warming up"
                                       : "round " + std::to_string(round) + " of " +
                                             std::to_string(offload.options.rounds);
  show_progress(size_text(shape.block_bytes) + " pieces, " + which + ", " + way);
}

// Round 0 is a warm-up: its times do not count, its bytes do.
Times run_rounds(Offload& offload, Pools& pools, const Shape& shape) {
  Times times;
  for (size_t round = 0; round <= offload.options.rounds; ++round) {
    for (const Way way : {Way::kLoop, Way::kBatch}) {
      if (way == Way::kBatch && !offload.has_batches) continue;
      const bool is_loop = way == Way::kLoop;
      const char* way_name = is_loop ? "loop" : "batch";
      show_round(offload, shape, round, way_name);
      const std::optional<RoundTimes> taken = run_round(offload, pools, shape, way);
      if (!offload.wrong.empty()) {
        show_progress("");
        std::fprintf(stderr, "WRONG BYTES after a %s, round %zu, pieces of %s: %s\n", way_name,
                     round, size_text(shape.block_bytes).c_str(), offload.wrong.c_str());
        return times;
      }
      if (round == 0 || !taken) continue;
      (is_loop ? times.loop_out : times.batch_out).push_back(taken->out);
      (is_loop ? times.loop_back : times.batch_back).push_back(taken->back);
    }
  }
  show_progress("");
  return times;
}

size_t blocks_in_round(const Options& options, size_t block_bytes) {
  if (options.blocks != 0) return options.blocks;
  const size_t most = kMostBytesInRound / (options.layers * block_bytes);
  return std::clamp<size_t>(most, 1, kUsualBlocks);
}

void print_introduction(const Options& options) {
  std::printf("KV-cache offload on device %d (%s), %zu layers. A round moves scattered\n",
              options.device, aclrtGetSocName(), options.layers);
  std::printf("blocks out to pinned host memory and back to other places, once with a loop of\n");
  std::printf("aclrtMemcpyAsync and once with aclrtMemcpyBatchAsync, and compares every byte.\n");
  std::printf("Times are medians of %zu round%s.\n\n", options.rounds,
              options.rounds == 1 ? "" : "s");
}

}  // namespace

int run(const Options& options) {
  check(aclInit(nullptr));
  check(aclrtSetDevice(options.device));
  Offload offload(options);
  check(aclrtCreateStream(&offload.stream));

  print_introduction(options);
  print_head();
  for (const size_t block_bytes : options.block_bytes) {
    const Shape shape{options.layers, blocks_in_round(options, block_bytes), block_bytes};
    Pools pools(shape);
    const Times times = run_rounds(offload, pools, shape);
    if (!offload.wrong.empty()) break;
    print_rows(shape, times);
  }
  const bool is_right = offload.wrong.empty();
  if (!offload.has_batches) {
    std::printf("\n%s has no batch copies (207000): only the loop was measured.\n",
                aclrtGetSocName());
  }
  if (is_right) {
    std::printf("\nEvery byte was right: %s compared.\n",
                size_text(offload.bytes_compared).c_str());
  }

  check(aclrtDestroyStream(offload.stream));
  check(aclrtResetDevice(options.device));
  check(aclFinalize());
  return is_right ? 0 : 1;
}

}  // namespace kv_offload
