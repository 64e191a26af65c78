// SPDX-License-Identifier: Apache-2.0
// Streams: what does it cost to order one stream after another?
#include "bench/client.h"
#include "bench/opencl.h"
#include "bench/question.h"
#include "bench/questions/questions.h"

#include <cstring>
#include <stdexcept>

namespace ferry::bench {
namespace {

// Two streams; the second waits for the first.
class Crossing {
 public:
  void cross() const {
    check(aclrtRecordEvent(event_.handle(), first_.handle()));
    check(aclrtStreamWaitEvent(second_.handle(), event_.handle()));
    second_.synchronize();
  }

  // The second stream copies back what the first copied in: only the right order gives right bytes.
  void verify() {
    ++round_;
    std::memset(source_.at(0), round_, kBytes);
    check(aclrtMemcpyAsync(device_.at(0), kBytes, source_.at(0), kBytes, ACL_MEMCPY_HOST_TO_DEVICE,
                           first_.handle()));
    check(aclrtRecordEvent(event_.handle(), first_.handle()));
    check(aclrtStreamWaitEvent(second_.handle(), event_.handle()));
    check(aclrtMemcpyAsync(target_.at(0), kBytes, device_.at(0), kBytes, ACL_MEMCPY_DEVICE_TO_HOST,
                           second_.handle()));
    second_.synchronize();
    if (std::memcmp(target_.at(0), source_.at(0), kBytes) != 0) {
      throw std::runtime_error("WRONG BYTES: the second stream did not wait for the first");
    }
  }

 private:
  static constexpr size_t kBytes = size_t{1} << 20;
  Stream first_;
  Stream second_;
  Event event_;
  Buffer source_{Buffer::Place::kPinned, kBytes};
  Buffer device_{Buffer::Place::kDevice, kBytes};
  Buffer target_{Buffer::Place::kPinned, kBytes};
  unsigned char round_ = 0;
};

}  // namespace

void ask_streams(const Setup& setup) {
  constexpr double kMicroseconds = 1e6;
  setup.show_progress("event, wait, sync");
  const OpenCl opencl;
  Crossing crossing;
  std::vector<Contender> contenders{
      {"Ferry", [&] { crossing.cross(); }, {}, {}, [&] { crossing.verify(); }}};
  if (opencl.missing().empty()) {
    contenders.push_back({opencl.name(), [&] { opencl.cross_queues(); }, {}, {}, {}});
  }
  const Times times = race(contenders, setup.pace);
  Row row;
  row.what = "record, wait, sync";
  row.unit = "us per wait";
  row.measured = median(times.front()) * kMicroseconds;
  if (times.size() > 1) {
    row.baseline = median(times[1]) * kMicroseconds;
    row.ratio = ratio_of(times[1], times.front());
    row.baseline_name = opencl.name();
  }
  row.target = below(3, "us");
  row.judged = row.measured;
  setup.add(row);
}

}  // namespace ferry::bench
