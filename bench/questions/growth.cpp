// SPDX-License-Identifier: Apache-2.0
// Growth: does a copy cost more when more objects exist? How much memory does an idle runtime take?
#include "bench/client.h"
#include "bench/question.h"
#include "bench/questions/questions.h"
#include "bench/transfer.h"
#include "process.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <deque>
#include <fstream>

namespace ferry::bench {
namespace {

constexpr size_t kAllocationBytes = 64;

double resident_mebibytes() {
  std::ifstream file("/proc/self/statm");
  size_t total = 0;
  size_t resident = 0;
  file >> total >> resident;
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

// Small allocations, half of them on the device and half pinned.
class Allocations {
 public:
  Allocations() = default;
  ~Allocations() { clear(); }
  Allocations(const Allocations&) = delete;
  Allocations& operator=(const Allocations&) = delete;

  void make(size_t count) {
    for (size_t i = 0; i < count; ++i) {
      void* address = nullptr;
      const bool is_pinned = i % 2 == 1;
      check(is_pinned ? aclrtMallocHost(&address, kAllocationBytes)
                      : aclrtMalloc(&address, kAllocationBytes, ACL_MEM_MALLOC_NORMAL_ONLY));
      (is_pinned ? pinned_ : on_device_).push_back(address);
    }
  }

  void clear() {
    for (void* address : on_device_)
      static_cast<void>(aclrtFree(address));
    for (void* address : pinned_)
      static_cast<void>(aclrtFreeHost(address));
    on_device_.clear();
    pinned_.clear();
  }

 private:
  std::vector<void*> on_device_;
  std::vector<void*> pinned_;
};

// Streams that have been used and are idle.
void make_streams(std::deque<Stream>& streams, size_t count, const Transfer& work) {
  while (streams.size() < count)
    work.copy_one_by_one(streams.emplace_back());
}

// Races a round trip with few objects alive against one with many. The many exist only during their
// own rounds.
Row compare(const Setup& setup, const std::string& what, Transfer& transfer, const Stream& stream,
            const std::function<void()>& make_many, const std::function<void()>& clear) {
  setup.show_progress(what);
  const auto round_trip = [&] { transfer.copy_one_by_one(stream); };
  const Contender few = contender("few", transfer, round_trip);
  Contender many = few;
  many.before = [&] {
    make_many();
    transfer.prepare();
  };
  many.after = [&] {
    transfer.verify();
    clear();
  };
  const Times times = race({few, many}, setup.pace);
  Row row;
  row.what = what;
  row.unit = "ns per copy";
  row.measured = median(times[1]) * 1e9;
  row.baseline = median(times[0]) * 1e9;
  row.ratio = ratio_of(times[1], times[0]);
  row.target = at_most(1.2);
  row.judged = row.ratio->median;
  return row;
}

Row idle_row(double mebibytes) {
  Row row;
  row.what = "idle runtime";
  row.unit = "MiB";
  row.target = below(16, "MiB");
  if (mebibytes < 0) {
    row.skipped = "a child process could not start the runtime";
  } else {
    row.measured = mebibytes;
    row.judged = mebibytes;
  }
  return row;
}

}  // namespace

double measure_idle_mebibytes() {
  const std::string text = tools::output_of_child([](int output) {
    const double before = resident_mebibytes();
    if (aclInit(nullptr) != ACL_SUCCESS || aclrtSetDevice(0) != ACL_SUCCESS) return;
    if (aclrtSynchronizeDevice() != ACL_SUCCESS) return;
    tools::write_all(output, fmt::format("{}", resident_mebibytes() - before));
  });
  return text.empty() ? -1 : std::strtod(text.c_str(), nullptr);
}

void ask_growth(const Setup& setup) {
  constexpr size_t kFewAllocations = 10;
  const bool is_quick = setup.effort == Effort::kQuick;
  const size_t allocations = is_quick ? 500 : 50000;
  const size_t streams = is_quick ? 20 : 500;

  const Layout layout = whole(kAllocationBytes);
  Transfer transfer(layout, Buffer::Place::kPinned, Buffer::Place::kDevice);
  const Stream stream;

  Allocations few;
  Allocations many;
  few.make(kFewAllocations - 2);  // the transfer has the other two
  Row row = compare(
      setup, fmt::format("{} allocations", allocations), transfer, stream,
      [&] { many.make(allocations - kFewAllocations); }, [&] { many.clear(); });
  row.baseline_name = fmt::format("with {}", kFewAllocations);
  setup.add(row);

  std::deque<Stream> others;
  row = compare(
      setup, fmt::format("{} streams", streams), transfer, stream,
      [&] { make_streams(others, streams - 1, transfer); }, [&] { others.clear(); });
  row.baseline_name = "with 1";
  setup.add(row);

  setup.add(idle_row(setup.idle_mebibytes));
}

}  // namespace ferry::bench
