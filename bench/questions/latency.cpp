// SPDX-License-Identifier: Apache-2.0
// Latency: what does a copy cost that is too small for its bytes to matter?
#include "bench/client.h"
#include "bench/opencl.h"
#include "bench/question.h"
#include "bench/questions/questions.h"
#include "bench/transfer.h"

#include <cstring>
#include <stdexcept>

namespace ferry::bench {
namespace {

constexpr size_t kBytes = OpenCl::kBytes;
constexpr size_t kQueued = 1000;
constexpr double kNanoseconds = 1e9;

// PoCL's side of the race: host memory, and the check of what arrived.
struct OpenClCopy {
  explicit OpenClCopy(const OpenCl& library) : opencl(library) {}

  void prepare() { std::memset(source, ++round, kBytes); }
  void verify() const {
    std::byte arrived[kBytes];
    opencl.read(arrived);
    if (std::memcmp(arrived, source, kBytes) != 0) {
      throw std::runtime_error("WRONG BYTES from " + opencl.name());
    }
  }

  const OpenCl& opencl;
  std::byte source[kBytes]{};
  unsigned char round = 0;
};

Row time_row(const std::string& what, const Times& times, double scale) {
  Row row;
  row.what = what;
  row.unit = "ns per copy";
  row.measured = median(times.front()) * scale;
  if (times.size() > 1) {
    row.baseline = median(times[1]) * scale;
    row.ratio = ratio_of(times[1], times.front());
  }
  return row;
}

Contender opencl_contender(OpenClCopy& copy, std::function<void()> once,
                           std::function<void()> settle) {
  return {copy.opencl.name(), std::move(once), std::move(settle), [&] { copy.prepare(); },
          [&] { copy.verify(); }};
}

void ask_round_trip(const Setup& setup, const Stream& stream, OpenClCopy& other) {
  const OpenCl& opencl = other.opencl;
  const Layout layout = whole(kBytes);
  Transfer ours(layout, Buffer::Place::kPinned, Buffer::Place::kDevice);
  std::vector<Contender> contenders{
      contender("Ferry", ours, [&] { ours.copy_one_by_one(stream); })};
  if (opencl.missing().empty()) {
    const auto round_trip = [&] {
      opencl.enqueue_write(other.source);
      opencl.finish();
    };
    contenders.push_back(opencl_contender(other, round_trip, {}));
  }
  Row row = time_row("64 B, copy and wait", race(contenders, setup.pace), kNanoseconds);
  row.baseline_name = opencl.name();
  row.skipped = opencl.missing();
  row.target = at_least(20);
  if (row.ratio) row.judged = row.ratio->median;
  setup.add(row);
}

void ask_submission(const Setup& setup, const Stream& stream, OpenClCopy& other) {
  const OpenCl& opencl = other.opencl;
  const Layout layout = in_a_row(kQueued, kBytes);
  Transfer ours(layout, Buffer::Place::kPinned, Buffer::Place::kDevice);
  std::vector<Contender> contenders{
      contender("Ferry", ours, [&] { ours.submit_one_by_one(stream); })};
  contenders.front().settle = [&] { stream.synchronize(); };
  if (opencl.missing().empty()) {
    const auto submit = [&] {
      for (size_t i = 0; i < kQueued; ++i)
        opencl.enqueue_write(other.source);
    };
    contenders.push_back(opencl_contender(other, submit, [&] { opencl.finish(); }));
  }
  Row row = time_row("64 B, submit alone", race(contenders, setup.pace),
                     kNanoseconds / static_cast<double>(kQueued));
  row.baseline_name = opencl.name();
  row.target = below(200, "ns");
  row.judged = row.measured;
  setup.add(row);
}

}  // namespace

void ask_latency(const Setup& setup) {
  const OpenCl opencl;
  OpenClCopy other(opencl);
  const Stream stream;
  setup.show_progress("64-byte round trips");
  ask_round_trip(setup, stream, other);
  setup.show_progress("64-byte copies, submission alone");
  ask_submission(setup, stream, other);
}

}  // namespace ferry::bench
