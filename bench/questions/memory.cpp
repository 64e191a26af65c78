// SPDX-License-Identifier: Apache-2.0
// Memory: does virtual memory cost what the system's own calls cost, are copies across many
// mappings as fast as in one allocation, and do processes that share memory wake each other fast?
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // memfd_create
#endif

#include "bench/client.h"
#include "bench/mapped_memory.h"
#include "bench/question.h"
#include "bench/questions/questions.h"
#include "bench/transfer.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <memory>
#include <optional>
#include <stdexcept>

namespace ferry::bench {
namespace {

using Place = Buffer::Place;

// The bare system calls: a file in memory is mapped over reserved addresses and taken away again.
class BareMapping {
 public:
  BareMapping() : file_(memfd_create("bench", MFD_CLOEXEC)) {
    if (file_ < 0 || ftruncate(file_, kMappedPiece) != 0) throw std::runtime_error("memfd_create");
    start_ = mmap(nullptr, kMappedPiece, PROT_NONE, kEmpty, -1, 0);
  }
  ~BareMapping() {
    munmap(start_, kMappedPiece);
    close(file_);
  }
  BareMapping(const BareMapping&) = delete;
  BareMapping& operator=(const BareMapping&) = delete;

  void map_and_unmap() const {
    map_at(PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file_);
    map_at(PROT_NONE, kEmpty | MAP_FIXED, -1);
  }

 private:
  static constexpr int kEmpty = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

  void map_at(int access, int flags, int file) const {
    if (mmap(start_, kMappedPiece, access, flags, file, 0) == MAP_FAILED) {
      throw std::runtime_error("mmap");
    }
  }

  int file_;
  void* start_ = nullptr;
};

void ask_mapping(const Setup& setup) {
  setup.show_progress("map + unmap");
  const Physical physical(kMappedPiece);
  Addresses addresses(1);
  const BareMapping bare;
  const auto map_and_unmap = [&] {
    addresses.map(0, physical);
    addresses.unmap(0);
  };
  const Times times = race({{.name = "Ferry", .once = map_and_unmap},
                            {.name = "bare", .once = [&] { bare.map_and_unmap(); }}},
                           setup.pace);
  Row row;
  row.what = "2M, map + unmap";
  row.unit = "ns per pair";
  row.measured = median(times[0]) * 1e9;
  row.baseline = median(times[1]) * 1e9;
  row.baseline_name = "bare system calls";
  row.ratio = ratio_of(times[0], times[1]);
  row.target = at_most(2);
  row.judged = row.ratio->median;
  setup.add(row);
}

// Other device memory against one allocation.
void ask_copy(const Setup& setup, const std::string& what, Place place, const Layout& layout,
              double target, void (*copy)(Transfer&, const Stream&)) {
  setup.show_progress(what);
  const Stream stream;
  Transfer other(layout, Place::kPinned, place);
  Transfer allocated(layout, Place::kPinned, Place::kDevice);
  const std::vector<Contender> contenders{
      contender("Ferry", other, [&] { copy(other, stream); }),
      contender("one allocation", allocated, [&] { copy(allocated, stream); })};
  Row row = speed_row(what, layout.bytes(), contenders, race(contenders, setup.pace), 1);
  row.target = at_least(target);
  setup.add(row);
}

// Aliases of a few pieces of memory.
class Aliases {
 public:
  explicit Aliases(size_t count) : addresses_(count) {
    constexpr size_t kPieces = 4;
    for (size_t i = 0; i < kPieces; ++i)
      pieces_.emplace_back(kMappedPiece);
    for (size_t i = 0; i < count; ++i)
      addresses_.map(i, pieces_[i % kPieces]);
  }

 private:
  std::vector<Physical> pieces_;
  Addresses addresses_;
};

void ask_many_mappings(const Setup& setup, size_t count) {
  constexpr size_t kFew = 10;
  const std::string what = fmt::format("64 B, {} mappings", count);
  setup.show_progress(what);
  const Layout layout = whole(64);
  const Stream stream;
  Transfer transfer(layout, Place::kPinned, Place::kMapped);
  const Aliases some(kFew - 1);  // the transfer has one
  std::optional<Aliases> others;
  const Contender few = contender("few", transfer, [&] { transfer.copy_one_by_one(stream); });
  Contender many = few;
  many.before = [&] {
    others.emplace(count - kFew);
    transfer.prepare();
  };
  many.after = [&] {
    transfer.verify();
    others.reset();
  };
  const Times times = race({few, many}, setup.pace);
  Row row;
  row.what = what;
  row.unit = "ns per copy";
  row.measured = median(times[1]) * 1e9;
  row.baseline = median(times[0]) * 1e9;
  row.baseline_name = fmt::format("with {}", kFew);
  row.ratio = ratio_of(times[1], times[0]);
  row.target = at_most(1.2);
  row.judged = row.ratio->median;
  setup.add(row);
}

// A round trip between two processes. Both contenders pass a word by futex. With events each side
// also records one before and waits for the other's behind, as processes do that hand shared memory
// to each other.
void ask_events(const Setup& setup) {
  setup.show_progress("two processes");
  PingPong& ping_pong = *setup.ping_pong;
  ping_pong.open_events();
  const Times times = race({{.name = "events", .once = [&] { ping_pong.pass_by_events(); }},
                            {.name = "futexes", .once = [&] { ping_pong.pass_by_futex(); }}},
                           setup.pace);
  ping_pong.close_events();
  Row row;
  row.what = "two processes, events";
  row.unit = "ns per turn";
  row.measured = median(times[0]) * 1e9;
  row.baseline = median(times[1]) * 1e9;
  row.baseline_name = "two futexes";
  row.ratio = ratio_of(times[0], times[1]);
  row.target = at_most(2);
  row.judged = row.ratio->median;
  setup.add(row);
}

}  // namespace

void ask_memory(const Setup& setup) {
  if (!has_virtual_memory()) {
    setup.add(skipped_row("this device has no virtual memory (207000)"));
    return;
  }
  const bool is_quick = setup.effort == Effort::kQuick;
  const size_t pieces = is_quick ? 8 : 512;
  const size_t bytes = pieces * kMappedPiece;
  ask_mapping(setup);
  const auto copy_whole = [](Transfer& transfer, const Stream& stream) {
    transfer.copy_one_by_one(stream);
  };
  ask_copy(setup, fmt::format("{}, {} mappings", block_text(bytes), pieces), Place::kMapped,
           whole(bytes), 0.97, copy_whole);
  if (has_batch_copies()) {
    const size_t count = is_quick ? 256 : 4096;
    ask_copy(setup, fmt::format("{} x 4K, {} mappings", count, pieces), Place::kMapped,
             scattered(count, size_t{4} << 10, bytes), 0.95,
             [](Transfer& transfer, const Stream& stream) { transfer.copy_as_batch(stream); });
  }
  if (has_shared_memory()) {
    const size_t shared_bytes = is_quick ? kMappedPiece : size_t{256} << 20;
    ask_copy(setup, fmt::format("{} to imported memory", block_text(shared_bytes)),
             Place::kImported, whole(shared_bytes), 0.97, copy_whole);
  }
  ask_many_mappings(setup, is_quick ? 100 : 30000);
  ask_events(setup);
}

}  // namespace ferry::bench
